package same

import (
	"slices"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/internal/equiv/scope"
)

// This file writes statements.

// block writes the statements of a block and its end.
func (w *writer) block(in int32, body []ast.Stmt, after tail) {
	w.redefine(in, body)
	w.sequence(in, list{body: body}, after)
	w.end()
}

// body writes the statements of a module, a class or a function without an end mark. The first
// may be a docstring.
func (w *writer) body(in int32, body []ast.Stmt, after tail, freeDoc bool) {
	w.redefine(in, body)
	if len(body) > 0 {
		w.docstring(body[0], freeDoc)
	}
	if in == 0 {
		w.module(body)
	} else {
		w.sequence(in, list{body: body}, after)
	}
}

func (w *writer) statement(in int32, statement ast.Stmt, after tail) {
	switch s := ast.Plain(statement).(type) {
	case *ast.FunctionDef:
		w.function(in, s, statement, w.ScopeOf(statement))
	case *ast.ClassDef:
		w.classDef(in, s)
	case *ast.Return:
		w.returned(in, s.Value, after)
	case *ast.Assign:
		w.assign(in, s.Targets, s.Value)
		if len(s.Targets) == 1 {
			w.hint(in, 0, nil, w.variableHintFree(in, s.Targets[0]))
		}
	case *ast.AnnAssign:
		w.annAssign(in, s)
	case *ast.AugAssign:
		if other := added(s); w.alike && other != nil {
			w.assign(in, other.Targets, other.Value)
		} else {
			w.node(in, s)
		}
	case *ast.For:
		w.loop(in, s, statement)
	case *ast.While:
		w.kind(s)
		w.test(in, s.Test)
		w.block(in, s.Body, loopTail)
		w.block(in, s.Orelse, noTail)
	case *ast.With:
		if try, symbol := w.suppressed(s); symbol >= 0 && statement == ast.Stmt(s) {
			w.try(in, try, try)
		} else {
			w.with(in, s, statement)
		}
	case *ast.Match:
		w.kind(s)
		w.expr(in, s.Subject)
		for _, c := range s.Cases {
			w.kind(c)
			w.pattern(in, c.Pattern)
			if c.Guard == nil {
				w.op(opAbsent)
			} else {
				w.test(in, c.Guard)
			}
			w.block(in, c.Body, after)
		}
		w.end()
	case *ast.Raise:
		w.node(in, &ast.Raise{Exc: w.raised(in, s.Exc), Cause: s.Cause})
	case *ast.Try:
		w.try(in, s, statement)
	case *ast.Assert:
		tests := []ast.Expr{s.Test}
		if s.Msg == nil {
			tests = operands(nil, ast.And, s.Test)
		}
		for _, test := range tests {
			w.kind(s)
			w.test(in, test)
			w.optional(in, s.Msg)
		}
	case *ast.Import, *ast.ImportFrom:
		for _, alias := range aliasesOf(s) {
			w.alias(in, alias, isFuture(s))
		}
	case *ast.Global:
		w.declaration(in, s, s.Names)
	case *ast.Nonlocal:
		w.declaration(in, s, s.Names)
	case *ast.ExprStmt:
		w.exprStmt(in, s.Value)
	case *ast.Pass:
	case *ast.Continue:
		if after != loopTail {
			w.kind(s)
		}
	default:
		w.node(in, statement)
	}
}

// exprStmt writes an expression as a statement: an assignment without targets.
func (w *writer) exprStmt(in int32, value ast.Expr) {
	if value.Kind() != ast.KindConstant && !w.pure(in, value) {
		w.op(byte(ast.KindAssign))
		w.expr(in, value)
		w.end()
	}
}

// declaration writes a global or nonlocal statement in its place: CPython refuses
// one after a use of the name.
func (w *writer) declaration(in int32, s ast.Stmt, list []string) {
	w.kind(s)
	w.uint(len(list))
	for _, text := range list {
		w.name(in, text)
	}
}

// assign writes an assignment. Findings may ask to remove its targets, and with them all a value
// without effect.
func (w *writer) assign(in int32, targets []ast.Expr, value ast.Expr) {
	if w.edits.At(asked.Define, targets[0].Bounds().Start, "") && value.Kind() == ast.KindLambda {
		w.alternatives(2, func(way int) {
			if name, is := targets[0].(*ast.Name); way == 1 && is && len(targets) == 1 {
				w.lambdaAsDef(in, name, value.(*ast.Lambda))
			} else {
				w.assignTo(in, targets, value)
			}
		})
		return
	}
	if choice, is := value.(*ast.IfExp); is && len(targets) == 1 && targets[0].Kind() == ast.KindName {
		w.branch(in, choice.Test, one(&ast.Assign{Targets: targets, Value: choice.Body}), one(&ast.Assign{Targets: targets, Value: choice.Orelse}), noTail)
		return
	}
	needless := w.pure(in, value) && !slices.ContainsFunc(targets, func(e ast.Expr) bool { return !w.dropped(in, e) })
	w.maybe(needless, func() { w.assignTo(in, targets, value) })
}

func (w *writer) assignTo(in int32, targets []ast.Expr, value ast.Expr) {
	w.op(byte(ast.KindAssign))
	w.expr(in, value)
	for _, target := range targets {
		w.maybe(w.dropped(in, target), func() { w.expr(in, target) })
	}
	w.end()
}

// one returns a list of one statement.
func one(s ast.Stmt) list { return list{body: []ast.Stmt{s}} }

// returned writes the return of a value, or of none.
func (w *writer) returned(in int32, value ast.Expr, after tail) {
	value = w.named(value)
	if choice, is := value.(*ast.IfExp); is {
		w.branch(in, choice.Test, one(&ast.Return{Value: choice.Body}), one(&ast.Return{Value: choice.Orelse}), after)
		return
	}
	if test := w.returnedTruth(in, value); w.alike && test != nil {
		w.branch(in, test, returnOf(ast.True), returnOf(ast.False), after)
		return
	}
	if scope.IsConstant(value, ast.None) && !w.place.inAsync {
		value = nil
	}
	if value == nil && after == functionTail {
		return
	}
	w.op(byte(ast.KindReturn))
	w.optional(in, value)
}

func (w *writer) annAssign(in int32, s *ast.AnnAssign) {
	isName := s.Target.Kind() == ast.KindName && s.Simple
	if s.Value != nil && (isName || w.Scopes[in].Kind == scope.FunctionScope) {
		w.assign(in, []ast.Expr{s.Target}, s.Value)
		w.hint(in, 0, s.Annotation, w.variableHintFree(in, s.Target))
		return
	}
	if isName && s.Value == nil && w.variableHintFree(in, s.Target) {
		if at := w.Lookup(in, s.Target.(*ast.Name).ID); w.Scopes[in].Kind != scope.FunctionScope || at >= 0 && w.Symbols[at].Stores > 0 {
			return
		}
	}
	w.maybe(isName && s.Value == nil && w.edits.At(asked.DropAnnotation, s.Target.Bounds().Start, "") && !w.looksAt(in), func() { w.node(in, s) })
}

func (w *writer) loop(in int32, s *ast.For, node ast.Stmt) {
	w.kind(node)
	w.expr(in, s.Iter)
	w.expr(in, s.Target)
	w.block(in, s.Body, loopTail)
	w.block(in, s.Orelse, noTail)
}

func (w *writer) with(in int32, s *ast.With, node ast.Stmt) {
	w.kind(node)
	for _, item := range s.Items {
		w.kind(item)
		w.expr(in, item.ContextExpr)
		if item.OptionalVars != nil {
			w.maybe(w.dropped(in, item.OptionalVars), func() { w.expr(in, item.OptionalVars) })
		}
		w.end()
	}
	w.end()
	w.block(in, s.Body, noTail)
}

func (w *writer) try(in int32, s *ast.Try, node ast.Stmt) {
	w.kind(node)
	w.block(in, s.Body, noTail)
	for _, handler := range s.Handlers {
		w.kind(handler)
		if handler.Type == nil && w.edits.At(asked.Catch, handler.Start, "") {
			w.caught(in)
		} else {
			w.optional(in, handler.Type)
		}
		if handler.Name != "" {
			w.maybe(w.droppedHandler(in, handler), func() { w.name(in, handler.Name) })
		}
		w.end()
		w.block(in, handler.Body, noTail)
	}
	w.end()
	w.block(in, s.Orelse, noTail)
	w.block(in, s.FinalBody, noTail)
}
