package same

import (
	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/internal/equiv/scope"
)

// This file writes statements.

// block writes the statements of a block and its end.
func (n *normalizer) block(in int32, body []ast.Stmt, after tail) {
	mark := len(n.definite)
	n.prepare(in, body)
	n.sequence(in, list{body: body}, after)
	n.forget(mark)
	n.end()
}

// body writes the statements of a module, a class or a function without an end mark. The first
// may be a docstring.
func (n *normalizer) body(in int32, body []ast.Stmt, after tail, freeDoc bool) {
	n.prepare(in, body)
	if len(body) > 0 && n.literal {
		n.docstring(body[0], freeDoc)
	}
	if in != 0 {
		n.sequence(in, list{body: body}, after)
		return
	}
	kept := 0 // imports before this index keep their order
	for i := 0; i < len(body); i++ {
		if len(n.request.moved) > 0 {
			n.step(patternStep{kind: stepBoundary, index: int32(i)})
		}
		if i >= kept {
			run, isFree := n.run(body[i:])
			if isFree && run > 0 {
				n.sorted(body[i:i+run], int32(i))
				i += run - 1
				continue
			}
			kept = i + run
		}
		n.sequence(in, list{body: body[i : i+1]}, noTail)
	}
}

func (n *normalizer) statement(in int32, statement ast.Stmt, after tail) {
	switch s := ast.Plain(statement).(type) {
	case *ast.FunctionDef:
		n.function(in, s, statement)
	case *ast.ClassDef:
		n.classDef(in, s)
	case *ast.Return:
		n.returned(in, s.Value, after)
	case *ast.Delete:
		n.kind(s)
		n.exprs(in, s.Targets)
	case *ast.Assign:
		n.assign(in, s.Targets, s.Value)
		if n.asking && len(s.Targets) == 1 {
			n.hint(in, 0, nil, n.variableHintFree(in, s.Targets[0]))
		}
	case *ast.TypeAlias:
		n.kind(s)
		n.name(in, s.Name.ID)
		n.typeParams(in, s.TypeParams)
		n.expr(in, s.Value)
	case *ast.AugAssign:
		n.kind(s)
		n.op(byte(s.Op))
		n.expr(in, s.Target)
		n.expr(in, s.Value)
	case *ast.AnnAssign:
		n.annAssign(in, s)
	case *ast.For:
		n.loop(in, s, statement)
	case *ast.While:
		n.kind(s)
		n.test(in, s.Test)
		n.block(in, s.Body, loopTail)
		n.block(in, s.Orelse, noTail)
	case *ast.With:
		n.with(in, s, statement)
	case *ast.Match:
		n.kind(s)
		n.expr(in, s.Subject)
		for _, c := range s.Cases {
			n.kind(c)
			n.pattern(in, c.Pattern)
			if c.Guard == nil {
				n.op(opAbsent)
			} else {
				n.test(in, c.Guard)
			}
			n.block(in, c.Body, after)
		}
		n.end()
	case *ast.Raise:
		n.kind(s)
		n.optional(in, n.raised(in, s.Exc))
		n.optional(in, s.Cause)
	case *ast.Try:
		n.try(in, s, statement)
	case *ast.Assert:
		n.kind(s)
		n.test(in, s.Test)
		n.optional(in, s.Msg)
	case *ast.Import:
		for _, alias := range s.Names {
			n.alias(in, alias)
		}
	case *ast.ImportFrom:
		n.importFrom(in, s)
	case *ast.Global:
		n.declaration(in, s, s.Names)
	case *ast.Nonlocal:
		n.declaration(in, s, s.Names)
	case *ast.ExprStmt:
		n.exprStmt(in, s.Value)
	case *ast.Pass:
	case *ast.Continue:
		if after != loopTail {
			n.kind(s)
		}
	case *ast.Break:
		n.kind(s)
	}
}

func (n *normalizer) exprStmt(in int32, value ast.Expr) {
	if value.Kind() == ast.KindConstant {
		return
	}
	if !n.literal && n.pure(in, value) {
		return
	}
	n.op(byte(ast.KindExprStmt))
	n.expr(in, value)
}

// declaration writes a global or nonlocal statement in its place: CPython refuses
// one after a use of the name.
func (n *normalizer) declaration(in int32, s ast.Stmt, list []string) {
	n.kind(s)
	n.uint(len(list))
	for _, text := range list {
		n.name(in, text)
	}
}

func (n *normalizer) assign(in int32, targets []ast.Expr, value ast.Expr) {
	if !n.literal {
		if n.assignLambda(in, targets, value) || n.assignTuple(in, targets, value) {
			return
		}
		live := 0
		for _, target := range targets {
			if !n.isDead(in, target) {
				live++
			}
		}
		if live == 0 {
			n.exprStmt(in, value)
			return
		}
	}
	if n.edits.At(asked.Define, targets[0].Bounds().Start) && n.assignLambda(in, targets, value) || n.assignDropped(in, targets, value) {
		return
	}
	if choice, is := value.(*ast.IfExp); is && len(targets) == 1 && targets[0].Kind() == ast.KindName {
		n.branch(in, choice.Test, one(&ast.Assign{Targets: targets, Value: choice.Body}), one(&ast.Assign{Targets: targets, Value: choice.Orelse}), noTail)
		return
	}
	n.op(byte(ast.KindAssign))
	n.expr(in, value)
	for _, target := range targets {
		if !n.literal && n.isDead(in, target) {
			continue
		}
		n.expr(in, target)
		n.surely(in, target)
	}
	n.end()
}

// one returns a list of one statement.
func one(s ast.Stmt) list { return list{body: []ast.Stmt{s}} }

// returned writes the return of a value, or of none.
func (n *normalizer) returned(in int32, value ast.Expr, after tail) {
	if name, is := value.(*ast.Name); is && n.inlined[name] != nil {
		value = n.inlined[name]
	}
	if choice, is := value.(*ast.IfExp); is {
		n.branch(in, choice.Test, one(&ast.Return{Value: choice.Body}), one(&ast.Return{Value: choice.Orelse}), after)
		return
	}
	if test, negated := n.truth(in, value); test != nil {
		yes, no := one(returnTrue), one(returnFalse)
		if negated {
			yes, no = no, yes
		}
		n.branch(in, test, yes, no, after)
		return
	}
	if scope.IsConstant(value, ast.None) && !n.inAsync {
		value = nil
	}
	if value == nil && after == functionTail {
		return
	}
	n.op(byte(ast.KindReturn))
	n.optional(in, value)
}

// assignTuple writes a, b = 1, 2 as two assignments, if the values are literals
// and the targets are different variables of a function.
func (n *normalizer) assignTuple(in int32, targets []ast.Expr, value ast.Expr) bool {
	values, is := value.(*ast.Tuple)
	if !is || len(targets) != 1 || !isLiteral(values) || n.Scopes[in].Kind != scope.FunctionScope || n.Scopes[in].Declares {
		return false
	}
	var elements []ast.Expr
	switch t := targets[0].(type) {
	case *ast.Tuple:
		elements = t.Elts
	case *ast.List:
		elements = t.Elts
	}
	if len(elements) == 0 || len(elements) != len(values.Elts) || len(elements) > 16 {
		return false
	}
	for i, element := range elements {
		name, is := element.(*ast.Name)
		if !is {
			return false
		}
		for _, other := range elements[:i] {
			if other.(*ast.Name).ID == name.ID {
				return false
			}
		}
	}
	for i := range elements {
		n.assign(in, elements[i:i+1:i+1], values.Elts[i])
	}
	return true
}

func (n *normalizer) annAssign(in int32, s *ast.AnnAssign) {
	_, isName := s.Target.(*ast.Name)
	if !n.literal && !n.KeepsAnnotations() && isName && s.Simple && !n.readClass(in) {
		if s.Value != nil {
			n.assign(in, []ast.Expr{s.Target}, s.Value)
		}
		return
	}
	if isName && s.Simple {
		if s.Value == nil && n.edits.At(asked.DropAnnotation, s.Target.Bounds().Start) && !n.view.looked[in] {
			return
		}
	}
	if n.asking && s.Value != nil && (isName && s.Simple || n.Scopes[in].Kind == scope.FunctionScope) {
		n.assign(in, []ast.Expr{s.Target}, s.Value)
		n.hint(in, 0, s.Annotation, n.variableHintFree(in, s.Target))
		return
	}
	n.kind(s)
	n.op(boolByte(s.Simple))
	n.expr(in, s.Target)
	n.expr(in, s.Annotation)
	n.optional(in, s.Value)
}

func (n *normalizer) loop(in int32, s *ast.For, node ast.Stmt) {
	n.kind(node)
	n.expr(in, s.Iter)
	n.expr(in, s.Target)
	mark := len(n.definite)
	n.surely(in, s.Target)
	n.block(in, s.Body, loopTail)
	n.forget(mark)
	n.block(in, s.Orelse, noTail)
}
