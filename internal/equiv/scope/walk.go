package scope

import (
	"slices"
	"strings"
	"unicode"

	"codelinter/ast"
)

// This file walks the tree: it binds names, and records their uses.

// walk reads a node and what is in it.
func (r *Table) walk(scope int32, node ast.Node) {
	if r.descends() {
		return
	}
	switch n := node.(type) {
	case ast.Stmt:
		r.statement(scope, n)
	case ast.Expr:
		r.expr(scope, n)
	case *ast.ExceptHandler:
		r.handler(scope, n)
	case *ast.Keyword:
		if n.Arg == "" {
			r.Facts.spreads = true
		} else {
			r.Names[r.id(n.Arg, n.Start)].Keyword = true
		}
		r.children(scope, n)
	case *ast.MatchClass:
		for i := range n.KwdPatterns {
			r.Seek(r.id(n.KwdAttrs[i], n.Start), n.Start)
		}
		r.children(scope, n)
	case *ast.TypeVar:
		r.typeParam(scope, n, n.Name)
	case *ast.ParamSpec:
		r.typeParam(scope, n, n.Name)
	case *ast.TypeVarTuple:
		r.typeParam(scope, n, n.Name)
	case *ast.MatchCase:
		r.nested++
		r.walk(scope, n.Pattern)
		r.read(scope, n.Guard)
		r.block(scope, n.Body, nil)
		r.nested--
	default: // items of a with, and patterns
		r.children(scope, n)
		if name := ast.Binds(n); name != "" {
			r.bind(scope, name, n.Bounds().Start)
		}
	}
	r.depth--
}

// children walks the children of a node.
func (r *Table) children(scope int32, n ast.Node) {
	from := len(r.nodes)
	r.nodes = ast.AppendChildren(r.nodes, n)
	for i, to := from, len(r.nodes); i < to; i++ {
		r.walk(scope, r.nodes[i])
	}
	r.nodes = r.nodes[:from]
}

// read is walk for expressions, which may be nil.
func (r *Table) read(scope int32, list ...ast.Expr) {
	for _, e := range list {
		if e == nil {
			continue
		}
		if r.descends() {
			return
		}
		r.expr(scope, e)
		r.depth--
	}
}

// descends counts the nesting of nodes, and reports whether it is too deep.
func (r *Table) descends() (isTooDeep bool) {
	r.depth++
	r.Facts.TooDeep = r.Facts.TooDeep || r.depth > MaxDepth
	return r.Facts.TooDeep
}

// all walks a list of nodes.
func all[T ast.Node](r *Table, scope int32, list []T) {
	for _, n := range list {
		r.walk(scope, n)
	}
}

// block reads a block. after is the statement that comes next, if no other can. It returns the
// symbols that are surely bound at its end, and were not before. They are valid until the next block.
func (r *Table) block(scope int32, body []ast.Stmt, after ast.Stmt) (definite []int32) {
	mark := len(r.definite)
	r.nested++
	r.statements(scope, body, after)
	r.nested--
	definite = r.definite[mark:]
	r.definite = r.definite[:mark]
	return definite
}

// statements is block for the body of a definition.
func (r *Table) statements(scope int32, body []ast.Stmt, after ast.Stmt) {
	if len(body) == 0 {
		return
	}
	end := r.end
	r.end = body[len(body)-1].Bounds().End
	defer func() { r.end = end }()
	j, bare := 0, 0 // the next statement that does something, and the last before it that is bare
	for i, statement := range body {
		for j = max(j, i+1); j < len(body) && (IsIdle(body[j]) || IsBare(body[j])); j++ {
			if !IsIdle(body[j]) {
				bare = j
			}
		}
		next := after
		if j < len(body) {
			next = body[j]
		}
		if value, read := NamedValue(statement, next); read != nil {
			r.Named = append(r.Named, Named{Scope: scope, Statement: statement, Next: next, Between: body[i+1 : j], Value: value, Read: read})
		}
		if bare > i { // what ends a block within has more between
			next = nil
		}
		r.next = next
		r.walk(scope, statement)
	}
}

func (r *Table) statement(scope int32, statement ast.Stmt) {
	switch n := ast.Plain(statement).(type) {
	case *ast.FunctionDef:
		r.function(scope, n, statement)
	case *ast.ClassDef:
		r.classDef(scope, n)
	case *ast.Assign:
		r.read(scope, n.Value)
		bound := len(r.Bindings)
		for _, target := range n.Targets {
			r.target(scope, target, n.Value)
		}
		r.surely(scope, bound, r.end)
	case *ast.AugAssign:
		r.read(scope, n.Value)
		r.read(scope, n.Target)
		if target, is := n.Target.(*ast.Name); is {
			r.load(scope, target.ID, target.Start, loadUse)
		}
	case *ast.AnnAssign:
		r.annAssign(scope, n)
	case *ast.For:
		r.read(scope, n.Iter)
		bound := len(r.Bindings)
		r.read(scope, n.Target)
		r.surely(scope, bound, n.Body[len(n.Body)-1].Bounds().End)
		r.block(scope, n.Body, nil)
		r.block(scope, n.Orelse, nil)
	case *ast.If:
		r.branches(scope, n)
	case *ast.While:
		r.read(scope, n.Test)
		r.block(scope, n.Body, nil)
		r.block(scope, n.Orelse, nil)
	case *ast.With:
		r.Tries++
		for _, item := range n.Items {
			r.read(scope, item.ContextExpr)
			bound := len(r.Bindings)
			r.read(scope, item.OptionalVars)
			r.surely(scope, bound, r.end)
		}
		r.block(scope, n.Body, nil)
		r.Tries--
	case *ast.Try:
		r.Tries++
		r.block(scope, n.Body, nil)
		r.Tries--
		for i, handler := range n.Handlers {
			r.Facts.Broken = r.Facts.Broken || handler.Type == nil && i < len(n.Handlers)-1
			r.walk(scope, handler)
		}
		r.block(scope, n.Orelse, nil)
		r.block(scope, n.FinalBody, nil)
	case *ast.TypeAlias:
		r.children(scope, n)
		r.pin(r.Bound[key(scope, r.IDs[n.Name.ID])])
	case *ast.Import:
		r.imports(scope, n.Start, n.Names, "", 0, false, n.IsLazy)
	case *ast.ImportFrom:
		r.imports(scope, n.Start, n.Names, n.Module, n.Level, true, n.IsLazy)
	case *ast.Global:
		r.global(scope, n)
	case *ast.Nonlocal:
		r.nonlocal(scope, n)
	case *ast.ExprStmt:
		if !IsConstant(n.Value, ast.Str) { // no effect, and nothing reads the text
			r.isBare = IsBare(n)
			r.read(scope, n.Value)
			r.isBare = false
		}
	default:
		r.children(scope, statement)
	}
}

// branches reads an if. If one of its branches leaves, what follows comes after the other.
func (r *Table) branches(scope int32, n *ast.If) {
	first, second := r.next, r.next
	if Leaves(n.Body) == Leaves(n.Orelse) {
		first, second = nil, nil
	}
	if test, is := n.Test.(*ast.Name); is && test.ID == "TYPE_CHECKING" && len(n.Orelse) == 0 {
		r.load(scope, test.ID, test.Start, checkUse)
	} else {
		r.read(scope, n.Test)
	}
	body := slices.Clone(r.block(scope, n.Body, first))
	orelse := r.block(scope, n.Orelse, second)
	switch leaves := Leaves(n.Orelse); {
	case leaves && Leaves(n.Body):
	case leaves:
		orelse = body
	case !Leaves(n.Body):
		orelse = slices.DeleteFunc(orelse, func(at int32) bool { return !slices.Contains(body, at) })
	}
	for _, at := range orelse {
		r.sure(at, r.end)
	}
}

// surely records that the names which a statement of a function has bound, from a binding on, are
// bound until an offset.
func (r *Table) surely(scope int32, from int, until int32) {
	for _, b := range r.Bindings[from:] {
		if b.Scope == scope && r.Symbols[b.Symbol].Scope == scope {
			r.sure(b.Symbol, until)
		}
	}
}

func (r *Table) sure(at, until int32) {
	if s := &r.Symbols[at]; s.until < until {
		s.until = until
		r.definite = append(r.definite, at)
	}
}

// target binds a target of an assignment of value.
func (r *Table) target(scope int32, target, value ast.Expr) {
	t, is := target.(*ast.Name)
	if !is {
		r.read(scope, target)
		return
	}
	if at := r.bindTo(scope, t.ID, t.Start, value); at >= 0 {
		r.Symbols[at].Function = r.Symbols[at].Function || value.Kind() == ast.KindLambda
	}
}

func (r *Table) annAssign(scope int32, n *ast.AnnAssign) {
	r.read(scope, n.Value)
	target, isName := n.Target.(*ast.Name)
	switch bound := len(r.Bindings); {
	case n.Value != nil:
		r.target(scope, n.Target, n.Value)
		r.surely(scope, bound, r.end)
	case isName: // it binds nothing, but the name belongs to the scope
		if at := r.bind(scope, target.ID, target.Start); at >= 0 {
			r.Symbols[at].Stores--
			r.Bindings[len(r.Bindings)-1].Effect = Declares
		}
	default:
		r.read(scope, n.Target)
	}
	if isName && r.Scopes[scope].Declares {
		at := r.Bound[key(scope, r.id(target.ID, target.Start))]
		r.Facts.Broken = r.Facts.Broken || n.Value == nil || at < 0 || r.Symbols[at].Scope != scope // it is declared global or nonlocal
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
	for _, text := range n.Names {
		id := r.id(text, n.Start)
		if at, known := r.Bound[key(scope, id)]; known && scope != 0 && (at == elsewhere || r.Symbols[at].Scope != 0) {
			r.Facts.Broken = true // used before the declaration
		}
		at, known := r.Bound[key(0, id)]
		if !known {
			at = r.symbol(0, id)
		}
		r.Symbols[at].Loads++
		r.Bound[key(scope, id)] = at
	}
}

func (r *Table) nonlocal(scope int32, n *ast.Nonlocal) {
	r.Scopes[scope].Declares = true
	for _, text := range n.Names {
		id := r.id(text, n.Start)
		if _, known := r.Bound[key(scope, id)]; known || scope == 0 {
			r.Facts.Broken = true
			continue
		}
		r.Bound[key(scope, id)] = elsewhere
		r.Uses = append(r.Uses, Use{Name: id, Scope: scope, Top: r.top, Offset: n.Start, how: declareUse})
	}
}

func (r *Table) handler(scope int32, h *ast.ExceptHandler) {
	r.read(scope, h.Type)
	r.nested++
	at := int32(unbound)
	if h.Name != "" {
		if at = r.bind(scope, h.Name, h.Start); at >= 0 {
			r.Symbols[at].Handlers++
			r.Symbols[at].handling++
		} else {
			r.Uses[len(r.Uses)-1].how = deleteUse // as the handler does at its end
		}
	}
	r.block(scope, h.Body, nil)
	if at >= 0 {
		r.Symbols[at].handling--
	}
	r.nested--
}

// function reads a def. node is the statement itself, which may be an async def.
func (r *Table) function(scope int32, n *ast.FunctionDef, node ast.Stmt) {
	r.read(scope, n.DecoratorList...)
	all(r, scope, n.TypeParams)
	r.defaults(scope, n.Args)
	n.Args.EachArg(func(arg *ast.Arg) {
		if arg.Annotation != nil {
			r.annotation(scope, arg.Annotation)
		}
	})
	if n.Returns != nil {
		r.annotation(scope, n.Returns)
	}
	at := r.bindTo(scope, n.Name, n.Start, node)
	if at >= 0 {
		r.Symbols[at].Function = true
	}
	first := len(r.Scopes)
	s := r.enter(FunctionScope, scope, node)
	r.parameters(s, n.Args, n.End)
	tries, nested := r.Tries, r.nested
	r.Tries, r.nested = 0, 0
	mark := len(r.definite)
	r.statements(s, n.Body, nil)
	r.definite = r.definite[:mark]
	r.Tries, r.nested = tries, nested
	if at >= 0 && r.Symbols[at].Scope == scope {
		r.sure(at, r.end)
	}
	for i := first; at >= 0 && i < len(r.Scopes); i++ {
		if r.Scopes[i].Kind == ClassScope {
			r.Symbols[at].Pinned = true // the class's qualified name has the function's in it
		}
	}
}

func (r *Table) classDef(scope int32, n *ast.ClassDef) {
	r.read(scope, n.DecoratorList...)
	all(r, scope, n.TypeParams)
	r.read(scope, n.Bases...)
	r.keywords(scope, n.Keywords)
	r.Facts.ReadClass = r.Facts.ReadClass || len(n.DecoratorList)+len(n.Bases)+len(n.Keywords) > 0
	if at := r.bindTo(scope, n.Name, n.Start, n); at >= 0 {
		r.Symbols[at].Pinned = true
		r.Symbols[at].classes++
	}
	nested := r.nested
	r.nested = 0
	r.statements(r.enter(ClassScope, scope, n), n.Body, nil)
	r.nested = nested
}

func (r *Table) typeParam(scope int32, n ast.TypeParam, name string) {
	if at := r.bind(scope, name, n.Bounds().Start); at >= 0 {
		r.pin(at)
		r.Bindings[len(r.Bindings)-1].Effect = Declares
	}
	r.children(scope, n)
}

func (r *Table) defaults(scope int32, a *ast.Arguments) {
	r.read(scope, a.Defaults...)
	r.read(scope, a.KwDefaults...)
}

// parameters binds the parameters of a function that ends at an offset.
func (r *Table) parameters(s int32, a *ast.Arguments, end int32) {
	a.EachArg(func(arg *ast.Arg) {
		at := r.bind(s, arg.Arg, arg.Start)
		r.Facts.Broken = r.Facts.Broken || r.Symbols[at].Param // repeated
		r.Symbols[at].Param = true
		r.Symbols[at].until = end
	})
}

// imports reads an import statement. module is that of a from import, and level the number of its
// dots.
func (r *Table) imports(scope, start int32, names []*ast.Alias, module string, level int32, isFrom, isLazy bool) {
	isDirect := scope == 0 && start == r.topStart
	if isLazy && (!isDirect || names[0].Name == "*") {
		r.Facts.Broken = true // in a definition or a try it does not compile
	}
	if level > 0 {
		module = "." + module // relative, so not one of Python's own
	}
	if module == "__future__" {
		r.Facts.Broken = r.Facts.Broken || scope != 0 || int(r.top) >= r.Head
		for _, alias := range names {
			r.bind(scope, alias.Bound(), start)
		}
		return
	}
	for _, alias := range names {
		i := Import{Module: module, Level: level, Name: alias.Name, Symbol: unbound, Offset: start, Top: r.top, Direct: isDirect, Tried: r.Tries > 0, Alias: alias}
		if !isFrom {
			i.Module, i.Name = alias.Name, ""
		}
		// A lazy import that surely succeeds is like any other, as nobody sees when it happens.
		i.Lazy = isLazy && (level > 0 || !Importable(i.Module, i.Name))
		if i.Name == "*" {
			r.Facts.Star = true
		} else if i.Symbol = r.bindTo(scope, alias.Bound(), start, alias); i.Symbol >= 0 {
			s := &r.Symbols[i.Symbol]
			s.Imports++
			if i.Object() != "" {
				s.module = int32(len(r.Imports)) + 1
			}
		}
		if i.Name != "" && i.Name != "*" {
			r.id(i.Name, start)
			r.Class |= ClassOf(i.Name) & (SeesNames | SeesModule) // from m import eval
		}
		r.Imports = append(r.Imports, i)
	}
}

// Words returns the words of a text that may be identifiers.
func Words(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
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
	if r.descends() {
		return
	}
	switch n := e.(type) {
	case *ast.Name:
		r.load(scope, n.ID, n.Start, annotationUse)
	case *ast.Attribute:
		r.value(scope, n.Value, r.id(n.Attr, n.Start), annotationRootUse)
	case *ast.Constant:
		if n.Type != ast.Str {
			break
		}
		for _, word := range Words(n.Text) {
			r.load(scope, word, n.Start, annotationUse)
		}
		if r.Facts.QuotedCall < 0 && strings.Contains(n.Text, "(") {
			r.Facts.QuotedCall = n.Start
		}
	case *ast.Subscript, *ast.Tuple, *ast.List, *ast.BinOp:
		if n, is := n.(*ast.BinOp); is && n.Op != ast.BitOr {
			r.Facts.OddAnnotation = true
		}
		for _, child := range ast.AppendChildren(nil, n) {
			r.annotation(scope, child.(ast.Expr))
		}
	default:
		// It may not even compile.
		r.Facts.OddAnnotation = true
		r.read(scope, e)
	}
	r.depth--
}
