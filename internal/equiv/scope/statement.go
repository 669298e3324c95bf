package scope

import (
	"strings"
	"unicode"

	"codelinter/ast"
)

// This file reads statements.

func (r *Table) block(scope int32, body []ast.Stmt) { r.blockBefore(scope, body, nil) }

// blockBefore reads a block. after is the statement that comes next, if no other can.
func (r *Table) blockBefore(scope int32, body []ast.Stmt, after ast.Stmt) {
	j := 0
	for i, statement := range body {
		for j = max(j, i+1); j < len(body) && (IsIdle(body[j]) || BareNames(body[j]) != nil); j++ {
		}
		next := after
		if j < len(body) {
			next = body[j]
		}
		if _, read := NamedValue(statement, next); read != nil {
			r.named = append(r.named, Use{Name: r.id(read.ID, read.Start), Scope: scope})
		}
		for _, name := range BareNames(statement) {
			r.idle = append(r.idle, Use{Name: r.id(name.ID, name.Start), Scope: scope})
		}
		r.next = next
		r.statement(scope, statement)
	}
}

// branches reads the branches of an if. If one of them leaves, what follows comes after the other.
func (r *Table) branches(scope int32, n *ast.If) {
	first, second := r.next, r.next
	if Leaves(n.Body) == Leaves(n.Orelse) {
		first, second = nil, nil
	}
	r.blockBefore(scope, n.Body, first)
	r.blockBefore(scope, n.Orelse, second)
}

func (r *Table) statement(scope int32, statement ast.Stmt) {
	if r.depth++; r.depth > MaxDepth {
		r.Facts.TooDeep = true
	}
	if r.Facts.TooDeep {
		return
	}
	plain := ast.Plain(statement)
	if plain != statement {
		r.odd(scope) // async, or except*
	}
	switch n := plain.(type) {
	case *ast.FunctionDef:
		r.function(scope, n, statement)
	case *ast.ClassDef:
		r.classDef(scope, n)
	case *ast.Return:
		r.optional(scope, n.Value)
		if r.Scopes[scope].Kind != FunctionScope {
			r.odd(scope)
		}
	case *ast.Delete:
		for _, target := range n.Targets {
			r.target(scope, target, nil)
		}
	case *ast.Assign:
		r.expr(scope, n.Value)
		for _, target := range n.Targets {
			r.target(scope, target, n.Value)
		}
	case *ast.TypeAlias:
		r.Facts.TypeParameters = true
		r.pin(r.bindOther(scope, n.Name.ID, n.Start))
		r.typeParams(scope, n.TypeParams)
		r.expr(scope, n.Value)
	case *ast.AugAssign:
		r.expr(scope, n.Value)
		if target, is := n.Target.(*ast.Name); is {
			r.bindOther(scope, target.ID, target.Start)
			r.load(scope, target.ID, target.Start, loadUse)
		} else {
			r.target(scope, n.Target, nil)
		}
	case *ast.AnnAssign:
		r.annAssign(scope, n)
	case *ast.For:
		r.expr(scope, n.Iter)
		r.target(scope, n.Target, nil)
		r.loop(scope, n.Body, n.Orelse)
	case *ast.While:
		r.expr(scope, n.Test)
		r.loop(scope, n.Body, n.Orelse)
	case *ast.If:
		if test, is := n.Test.(*ast.Name); is && test.ID == "TYPE_CHECKING" && len(n.Orelse) == 0 {
			r.load(scope, test.ID, test.Start, checkUse)
		} else {
			r.expr(scope, n.Test)
		}
		r.branches(scope, n)
	case *ast.With:
		r.with(scope, n)
	case *ast.Match:
		r.odd(scope)
		r.expr(scope, n.Subject)
		for _, c := range n.Cases {
			r.pattern(scope, c.Pattern)
			r.optional(scope, c.Guard)
			r.block(scope, c.Body)
		}
	case *ast.Raise:
		r.optional(scope, n.Exc)
		r.optional(scope, n.Cause)
	case *ast.Try:
		r.try(scope, n)
	case *ast.Assert:
		r.expr(scope, n.Test)
		r.optional(scope, n.Msg)
	case *ast.Import:
		for _, alias := range n.Names {
			r.importName(scope, alias.Name, "", 0, alias, n.Start)
			r.lazy(n.IsLazy, scope, n.Start)
		}
	case *ast.ImportFrom:
		r.importFrom(scope, n)
	case *ast.Global:
		r.global(scope, n)
	case *ast.Nonlocal:
		r.nonlocal(scope, n)
	case *ast.ExprStmt:
		if c, is := n.Value.(*ast.Constant); is && c.Type == ast.Str {
			break // no effect, and nothing reads the text
		}
		r.expr(scope, n.Value)
	case *ast.Break, *ast.Continue:
		if r.loops == 0 {
			r.odd(scope)
		}
	}
	r.depth--
}

func (r *Table) annAssign(scope int32, n *ast.AnnAssign) {
	r.optional(scope, n.Value)
	if target, is := n.Target.(*ast.Name); is && n.Value == nil {
		// It binds nothing, but the name belongs to the scope.
		if at := r.bind(scope, target.ID, target.Start); at >= 0 {
			r.Symbols[at].Stores--
		}
		if r.Scopes[scope].Declares {
			r.Facts.Broken = true
		}
	} else {
		r.target(scope, n.Target, n.Value)
		if target, is := n.Target.(*ast.Name); is && r.Scopes[scope].Declares {
			if at := r.Bound[key(scope, r.id(target.ID, target.Start))]; at < 0 || r.Symbols[at].Scope != scope {
				r.Facts.Broken = true // the name is declared global or nonlocal
			}
		}
	}
	if r.Scopes[scope].Declares {
		r.odd(scope)
	}
	uses := len(r.Uses)
	r.annotation(scope, n.Annotation)
	if r.Scopes[scope].Kind == ClassScope { // a dataclass reads it
		for i := range r.Uses[uses:] {
			if u := &r.Uses[uses+i]; u.how == annotationUse {
				u.how = loadUse
			} else if u.how == annotationRootUse {
				u.how = rootUse
			}
		}
	}
}

func (r *Table) global(scope int32, n *ast.Global) {
	r.Scopes[scope].Declares = true
	r.odd(scope)
	for _, text := range n.Names {
		id := r.id(text, n.Start)
		if at, known := r.Bound[key(scope, id)]; known && scope != 0 {
			if at == elsewhere || r.Symbols[at].Scope != 0 {
				r.Facts.Broken = true // used before the declaration
			}
		}
		at, known := r.Bound[key(0, id)]
		if !known {
			at = r.symbol(0, id)
		}
		r.Symbols[at].Loads++
		r.Symbols[at].Untyped = true
		r.Bound[key(scope, id)] = at
	}
}

func (r *Table) nonlocal(scope int32, n *ast.Nonlocal) {
	r.Scopes[scope].Declares = true
	r.odd(scope)
	for _, text := range n.Names {
		id := r.id(text, n.Start)
		if _, known := r.Bound[key(scope, id)]; known || scope == 0 {
			r.Facts.Broken = true
			continue
		}
		r.Bound[key(scope, id)] = elsewhere
		r.Uses = append(r.Uses, Use{Name: id, Scope: scope, Top: r.top, offset: n.Start, how: declareUse})
	}
}

func (r *Table) loop(scope int32, body, orelse []ast.Stmt) {
	r.loops++
	r.block(scope, body)
	r.loops--
	r.block(scope, orelse)
}

func (r *Table) with(scope int32, n *ast.With) {
	r.Scopes[scope].cleans = true
	r.Tries++
	for _, item := range n.Items {
		r.expr(scope, item.ContextExpr)
		if item.OptionalVars != nil {
			r.target(scope, item.OptionalVars, nil)
		}
	}
	r.block(scope, n.Body)
	r.Tries--
}

func (r *Table) try(scope int32, n *ast.Try) {
	r.Scopes[scope].cleans = true
	r.Tries++
	r.block(scope, n.Body)
	r.Tries--
	for i, handler := range n.Handlers {
		r.optional(scope, handler.Type)
		if handler.Type == nil && i < len(n.Handlers)-1 {
			r.odd(scope)
			r.Facts.Broken = true
		}
		if handler.Name != "" {
			if at := r.bindOther(scope, handler.Name, handler.Start); at >= 0 {
				r.Symbols[at].Handlers++
			} else {
				r.Uses[len(r.Uses)-1].how = deleteUse // as the handler does at its end
			}
		}
		r.block(scope, handler.Body)
	}
	r.block(scope, n.Orelse)
	r.block(scope, n.FinalBody)
}

// function reads a def. node is the statement itself, which may be an async def.
func (r *Table) function(scope int32, n *ast.FunctionDef, node ast.Stmt) {
	for _, decorator := range n.DecoratorList {
		r.expr(scope, decorator)
	}
	r.typeParams(scope, n.TypeParams)
	r.defaults(scope, n.Args)
	r.annotations(scope, n.Args)
	if n.Returns != nil {
		r.annotation(scope, n.Returns)
	}
	at := r.bindOther(scope, n.Name, n.Start)
	if at >= 0 {
		r.Symbols[at].Function = true
	}
	first := len(r.Scopes)
	s := r.enter(FunctionScope, scope, node)
	r.parameters(s, n.Args)
	loops, tries := r.loops, r.Tries
	r.loops, r.Tries = 0, 0
	r.block(s, n.Body)
	r.loops, r.Tries = loops, tries
	r.leave(s)
	if at >= 0 {
		for i := first; i < len(r.Scopes); i++ {
			if r.Scopes[i].Kind == ClassScope {
				r.Symbols[at].Pinned = true // the class's qualified name has the function's in it
			}
		}
	}
}

func (r *Table) classDef(scope int32, n *ast.ClassDef) {
	for _, decorator := range n.DecoratorList {
		r.expr(scope, decorator)
	}
	r.typeParams(scope, n.TypeParams)
	for _, base := range n.Bases {
		r.expr(scope, base)
		switch base := base.(type) {
		case *ast.Name:
			r.bases = append(r.bases, Use{Name: r.id(base.ID, base.Start), Scope: scope})
		case *ast.Attribute, *ast.Subscript:
		default:
			r.Facts.TypeBase = true
		}
	}
	r.keywords(scope, n.Keywords)
	r.Facts.ReadClass = r.Facts.ReadClass || len(n.DecoratorList)+len(n.Bases)+len(n.Keywords) > 0
	if at := r.bindOther(scope, n.Name, n.Start); at >= 0 {
		r.Symbols[at].Pinned = true
		r.Symbols[at].classes++
	}
	s := r.enter(ClassScope, scope, n)
	loops := r.loops
	r.loops = 0
	r.block(s, n.Body)
	r.loops = loops
	r.leave(s)
	r.odd(scope)
}

func (r *Table) typeParams(scope int32, list []ast.TypeParam) {
	for _, p := range list {
		r.Facts.TypeParameters = true
		switch p := p.(type) {
		case *ast.TypeVar:
			r.pin(r.bindOther(scope, p.Name, p.Start))
			r.optional(scope, p.Bound)
			r.optional(scope, p.Default)
		case *ast.ParamSpec:
			r.pin(r.bindOther(scope, p.Name, p.Start))
			r.optional(scope, p.Default)
		case *ast.TypeVarTuple:
			r.pin(r.bindOther(scope, p.Name, p.Start))
			r.optional(scope, p.Default)
		}
	}
}

func (r *Table) defaults(scope int32, a *ast.Arguments) {
	for _, value := range a.Defaults {
		r.expr(scope, value)
	}
	for _, value := range a.KwDefaults {
		r.optional(scope, value)
	}
}

func (r *Table) annotations(scope int32, a *ast.Arguments) {
	EachArg(a, func(arg *ast.Arg) {
		if arg.Annotation != nil {
			r.annotation(scope, arg.Annotation)
		}
	})
}

func (r *Table) parameters(s int32, a *ast.Arguments) {
	EachArg(a, func(arg *ast.Arg) {
		at := r.bindOther(s, arg.Arg, arg.Start)
		if r.Symbols[at].Param {
			r.odd(s) // a repeated parameter
			r.Facts.Broken = true
		}
		r.Symbols[at].Param = true
	})
}

// EachArg calls f for each parameter in the order of the def.
func EachArg(a *ast.Arguments, f func(*ast.Arg)) {
	for _, arg := range a.PosOnlyArgs {
		f(arg)
	}
	for _, arg := range a.Args {
		f(arg)
	}
	if a.VarArg != nil {
		f(a.VarArg)
	}
	for _, arg := range a.KwOnlyArgs {
		f(arg)
	}
	if a.KwArg != nil {
		f(a.KwArg)
	}
}

func (r *Table) importName(scope int32, module, name string, level int32, alias *ast.Alias, offset int32) {
	text := alias.Bound()
	at := r.bindOther(scope, text, offset)
	if at >= 0 {
		r.Symbols[at].Imports++
	}
	if name != "" {
		r.attribute(name, offset)
	}
	r.Imports = append(r.Imports, Import{
		Module: module, Level: level, Name: name, Symbol: at, Offset: offset, Top: r.top, Direct: scope == 0 && offset == r.topStart, Tried: r.Tries > 0, Alias: alias,
	})
	if at >= 0 && r.Imports[len(r.Imports)-1].Object() != "" {
		r.Symbols[at].module = int32(len(r.Imports))
	}
}

// lazy records that the last import is lazy. If it surely succeeds, it is like any other, as nobody
// sees when it happens. In a definition or a try it does not compile.
func (r *Table) lazy(is bool, scope, start int32) {
	if !is {
		return
	}
	r.Facts.Broken = r.Facts.Broken || scope != 0 || start != r.topStart
	if last := &r.Imports[len(r.Imports)-1]; last.Level > 0 || !Importable(last.Module, last.Name) {
		last.Lazy, r.Facts.Lazy = true, true
	}
}

func (r *Table) importFrom(scope int32, n *ast.ImportFrom) {
	module := n.Module
	if n.Level > 0 {
		module = "." + module // relative, so not one of Python's own
	}
	if module == "__future__" {
		if scope != 0 || int(r.top) >= r.Head {
			r.Facts.Broken = true
		}
		for _, alias := range n.Names {
			r.bindOther(scope, alias.Bound(), n.Start)
		}
		return
	}
	for _, alias := range n.Names {
		if alias.Name == "*" {
			r.Facts.Broken = r.Facts.Broken || n.IsLazy
			r.Facts.Star = true
			r.Imports = append(r.Imports, Import{
				Module: module, Level: int32(n.Level), Name: "*", Symbol: -1, Offset: n.Start, Top: r.top, Alias: alias,
			})
			continue
		}
		r.importName(scope, module, alias.Name, int32(n.Level), alias, n.Start)
		r.lazy(n.IsLazy, scope, n.Start)
	}
}

// target binds or deletes a target. value is the value of a single name, nil if
// unknown.
func (r *Table) target(scope int32, target, value ast.Expr) {
	switch t := target.(type) {
	case *ast.Name:
		if t.Ctx == ast.Del {
			at := r.bindOther(scope, t.ID, t.Start)
			if at >= 0 {
				r.Symbols[at].Stores--
				r.Symbols[at].Dels++
			} else {
				r.Uses[len(r.Uses)-1].how = deleteUse
			}
			return
		}
		if value == nil {
			r.bindOther(scope, t.ID, t.Start)
		} else if at := r.bind(scope, t.ID, t.Start); at >= 0 {
			r.Values = append(r.Values, Value{at, scope, value})
			if _, is := value.(*ast.Lambda); is {
				r.Symbols[at].Function = true
			}
		}
	case *ast.Tuple:
		for _, element := range t.Elts {
			r.target(scope, element, nil)
		}
	case *ast.List:
		for _, element := range t.Elts {
			r.target(scope, element, nil)
		}
	case *ast.Starred:
		r.target(scope, t.Value, nil)
	case *ast.Attribute:
		r.Names[r.id(t.Attr, t.Start)].Stored = true
		if root := RootName(t.Value); root != nil {
			r.Stores = append(r.Stores, Access{Root: r.id(root.ID, root.Start), Attribute: r.id(t.Attr, t.Start), Scope: scope, Offset: t.Start})
		}
		r.expr(scope, t)
	default:
		r.expr(scope, target)
	}
}

// RootName returns a for a.b.c, or nil.
func RootName(e ast.Expr) *ast.Name {
	for {
		switch n := e.(type) {
		case *ast.Name:
			return n
		case *ast.Attribute:
			e = n.Value
		default:
			return nil
		}
	}
}

// annotation reads an annotation. Python 3.14 evaluates it only on demand.
func (r *Table) annotation(scope int32, e ast.Expr) {
	if r.depth++; r.depth > MaxDepth {
		r.Facts.TooDeep = true
	}
	if r.Facts.TooDeep {
		return
	}
	switch n := e.(type) {
	case *ast.Name:
		r.load(scope, n.ID, n.Start, annotationUse)
	case *ast.Attribute:
		r.value(scope, n.Value, r.id(n.Attr, n.Start), annotationRootUse)
	case *ast.Subscript:
		r.annotation(scope, n.Value)
		r.annotation(scope, n.Slice)
	case *ast.Tuple:
		for _, element := range n.Elts {
			r.annotation(scope, element)
		}
	case *ast.List:
		for _, element := range n.Elts {
			r.annotation(scope, element)
		}
	case *ast.Constant:
		for _, word := range strings.FieldsFunc(n.Text, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
			if n.Type == ast.Str {
				r.load(scope, word, n.Start, annotationUse)
			}
		}
		if r.Facts.QuotedCall < 0 && n.Type == ast.Str && strings.Contains(n.Text, "(") {
			r.Facts.QuotedCall = n.Start
		}
	case *ast.BinOp:
		r.Facts.OddAnnotation = r.Facts.OddAnnotation || n.Op != ast.BitOr
		r.annotation(scope, n.Left)
		r.annotation(scope, n.Right)
	default:
		// It may not even compile.
		r.Facts.OddAnnotation = true
		r.expr(scope, e)
	}
	r.depth--
}
