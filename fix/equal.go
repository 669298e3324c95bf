package fix

import (
	"slices"

	"codelinter/ast"
)

// differ compares two trees without their positions. It returns the node of the first at
// which they differ first, or nil. An import of several modules is several imports. Numbers are compared by their spelling, which no edit of
// layout changes, and all other constants by their values.
func differ(before, after *sight) ast.Node {
	type pair struct{ a, b ast.Node }
	stack := []pair{{before.module, after.module}}
	t := tree{gone: map[ast.Node]bool{}, idle: map[ast.Node][]string{}}
	for n, names := range before.idle {
		switch r := n.Bounds(); {
		case isWithin(after.edits, r.Start, r.End):
			t.gone[n] = true
		case isEdited(after.edits, r.Start):
			t.idle[n] = names
		}
	}
	var left, right []ast.Node
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !t.alike(p.a, p.b) {
			return p.a
		}
		left, right = t.oneByOne(ast.AppendChildren(left[:0], p.a)), t.oneByOne(ast.AppendChildren(right[:0], p.b))
		if len(left) != len(right) {
			return p.a
		}
		for i := len(left) - 1; i >= 0; i-- {
			stack = append(stack, pair{left[i], right[i]})
		}
	}
	return nil
}

// A tree is what two trees are compared by.
type tree struct {
	// Of dropDeclaration: statements that count for nothing, and names that others lack.
	gone map[ast.Node]bool
	idle map[ast.Node][]string
}

// alike reports whether two nodes have the same kind, the same fields that are no nodes, and
// the same number of children in each field.
func (t *tree) alike(a, b ast.Node) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a := a.(type) {
	case *ast.Module:
		return t.statements(a.Body) == t.statements(b.(*ast.Module).Body)
	case *ast.FunctionDef:
		return t.alikeFunctions(a, b.(*ast.FunctionDef))
	case *ast.AsyncFunctionDef:
		return t.alikeFunctions((*ast.FunctionDef)(a), (*ast.FunctionDef)(b.(*ast.AsyncFunctionDef)))
	case *ast.ClassDef:
		b := b.(*ast.ClassDef)
		return a.Name == b.Name && len(a.Bases) == len(b.Bases) && len(a.Keywords) == len(b.Keywords) && t.statements(a.Body) == t.statements(b.Body) &&
			len(a.DecoratorList) == len(b.DecoratorList) && len(a.TypeParams) == len(b.TypeParams)
	case *ast.Assign:
		return len(a.Targets) == len(b.(*ast.Assign).Targets)
	case *ast.TypeAlias:
		return len(a.TypeParams) == len(b.(*ast.TypeAlias).TypeParams)
	case *ast.AugAssign:
		return a.Op == b.(*ast.AugAssign).Op
	case *ast.AnnAssign:
		b := b.(*ast.AnnAssign)
		return a.Simple == b.Simple && (a.Value == nil) == (b.Value == nil)
	case *ast.For:
		b := b.(*ast.For)
		return t.statements(a.Body) == t.statements(b.Body) && t.statements(a.Orelse) == t.statements(b.Orelse)
	case *ast.AsyncFor:
		b := b.(*ast.AsyncFor)
		return t.statements(a.Body) == t.statements(b.Body) && t.statements(a.Orelse) == t.statements(b.Orelse)
	case *ast.While:
		b := b.(*ast.While)
		return t.statements(a.Body) == t.statements(b.Body) && t.statements(a.Orelse) == t.statements(b.Orelse)
	case *ast.If:
		b := b.(*ast.If)
		return t.statements(a.Body) == t.statements(b.Body) && t.statements(a.Orelse) == t.statements(b.Orelse)
	case *ast.With:
		b := b.(*ast.With)
		return len(a.Items) == len(b.Items) && t.statements(a.Body) == t.statements(b.Body)
	case *ast.AsyncWith:
		b := b.(*ast.AsyncWith)
		return len(a.Items) == len(b.Items) && t.statements(a.Body) == t.statements(b.Body)
	case *ast.Raise:
		b := b.(*ast.Raise)
		return (a.Exc == nil) == (b.Exc == nil) && (a.Cause == nil) == (b.Cause == nil)
	case *ast.Try:
		return t.alikeTries(a, b.(*ast.Try))
	case *ast.TryStar:
		return t.alikeTries((*ast.Try)(a), (*ast.Try)(b.(*ast.TryStar)))
	case *ast.Import:
		return a.IsLazy == b.(*ast.Import).IsLazy
	case *ast.ImportFrom:
		b := b.(*ast.ImportFrom)
		return a.Level == b.Level && a.IsLazy == b.IsLazy && a.Module == b.Module
	case *ast.Global:
		return slices.Equal(t.declared(a, a.Names), b.(*ast.Global).Names)
	case *ast.Nonlocal:
		return slices.Equal(t.declared(a, a.Names), b.(*ast.Nonlocal).Names)
	case *ast.BoolOp:
		return a.Op == b.(*ast.BoolOp).Op
	case *ast.BinOp:
		return a.Op == b.(*ast.BinOp).Op
	case *ast.UnaryOp:
		return a.Op == b.(*ast.UnaryOp).Op
	case *ast.Dict:
		b := b.(*ast.Dict)
		return slices.EqualFunc(a.Keys, b.Keys, func(a, b ast.Expr) bool { return (a == nil) == (b == nil) })
	case *ast.ListComp:
		return len(a.Generators) == len(b.(*ast.ListComp).Generators)
	case *ast.SetComp:
		return len(a.Generators) == len(b.(*ast.SetComp).Generators)
	case *ast.DictComp:
		b := b.(*ast.DictComp)
		return (a.Value == nil) == (b.Value == nil) && len(a.Generators) == len(b.Generators)
	case *ast.GeneratorExp:
		return len(a.Generators) == len(b.(*ast.GeneratorExp).Generators)
	case *ast.Compare:
		return slices.Equal(a.Ops, b.(*ast.Compare).Ops)
	case *ast.Call:
		b := b.(*ast.Call)
		return len(a.Args) == len(b.Args) && len(a.Keywords) == len(b.Keywords)
	case *ast.FormattedValue:
		b := b.(*ast.FormattedValue)
		return a.Conversion == b.Conversion && (a.FormatSpec == nil) == (b.FormatSpec == nil)
	case *ast.Interpolation:
		b := b.(*ast.Interpolation)
		return a.Conversion == b.Conversion && a.Str == b.Str && (a.FormatSpec == nil) == (b.FormatSpec == nil)
	case *ast.Constant:
		b := b.(*ast.Constant)
		return a.Type == b.Type && a.Unicode == b.Unicode && a.Text == b.Text
	case *ast.Attribute:
		b := b.(*ast.Attribute)
		return a.Attr == b.Attr && a.Ctx == b.Ctx
	case *ast.Subscript:
		return a.Ctx == b.(*ast.Subscript).Ctx
	case *ast.Starred:
		return a.Ctx == b.(*ast.Starred).Ctx
	case *ast.Name:
		b := b.(*ast.Name)
		return a.ID == b.ID && a.Ctx == b.Ctx
	case *ast.List:
		return a.Ctx == b.(*ast.List).Ctx
	case *ast.Tuple:
		return a.Ctx == b.(*ast.Tuple).Ctx
	case *ast.Slice:
		b := b.(*ast.Slice)
		return (a.Lower == nil) == (b.Lower == nil) && (a.Upper == nil) == (b.Upper == nil) && (a.Step == nil) == (b.Step == nil)
	case *ast.MatchSingleton:
		return a.Value == b.(*ast.MatchSingleton).Value
	case *ast.MatchMapping:
		b := b.(*ast.MatchMapping)
		return a.Rest == b.Rest && len(a.Keys) == len(b.Keys)
	case *ast.MatchClass:
		b := b.(*ast.MatchClass)
		return slices.Equal(a.KwdAttrs, b.KwdAttrs) && len(a.Patterns) == len(b.Patterns)
	case *ast.MatchStar:
		return a.Name == b.(*ast.MatchStar).Name
	case *ast.MatchAs:
		b := b.(*ast.MatchAs)
		return a.Name == b.Name && (a.Pattern == nil) == (b.Pattern == nil)
	case *ast.TypeVar:
		b := b.(*ast.TypeVar)
		return a.Name == b.Name && (a.Bound == nil) == (b.Bound == nil) && (a.Default == nil) == (b.Default == nil)
	case *ast.ParamSpec:
		b := b.(*ast.ParamSpec)
		return a.Name == b.Name && (a.Default == nil) == (b.Default == nil)
	case *ast.TypeVarTuple:
		b := b.(*ast.TypeVarTuple)
		return a.Name == b.Name && (a.Default == nil) == (b.Default == nil)
	case *ast.Comprehension:
		b := b.(*ast.Comprehension)
		return a.IsAsync == b.IsAsync && len(a.Ifs) == len(b.Ifs)
	case *ast.ExceptHandler:
		b := b.(*ast.ExceptHandler)
		return a.Name == b.Name && (a.Type == nil) == (b.Type == nil)
	case *ast.Arguments:
		return alikeArguments(a, b.(*ast.Arguments))
	case *ast.Arg:
		b := b.(*ast.Arg)
		return a.Arg == b.Arg && (a.Annotation == nil) == (b.Annotation == nil)
	case *ast.Keyword:
		return a.Arg == b.(*ast.Keyword).Arg
	case *ast.Alias:
		b := b.(*ast.Alias)
		return a.Name == b.Name && a.AsName == b.AsName
	case *ast.WithItem:
		return (a.OptionalVars == nil) == (b.(*ast.WithItem).OptionalVars == nil)
	case *ast.MatchCase:
		return (a.Guard == nil) == (b.(*ast.MatchCase).Guard == nil)
	}
	return true // a node of children in one field, or of none
}

func (t *tree) alikeFunctions(a, b *ast.FunctionDef) bool {
	return a.Name == b.Name && t.statements(a.Body) == t.statements(b.Body) && len(a.DecoratorList) == len(b.DecoratorList) &&
		(a.Returns == nil) == (b.Returns == nil) && len(a.TypeParams) == len(b.TypeParams)
}

func (t *tree) alikeTries(a, b *ast.Try) bool {
	return t.statements(a.Body) == t.statements(b.Body) && len(a.Handlers) == len(b.Handlers) && t.statements(a.Orelse) == t.statements(b.Orelse) && t.statements(a.FinalBody) == t.statements(b.FinalBody)
}

func alikeArguments(a, b *ast.Arguments) bool {
	return len(a.PosOnlyArgs) == len(b.PosOnlyArgs) && len(a.Args) == len(b.Args) && (a.VarArg == nil) == (b.VarArg == nil) &&
		len(a.KwOnlyArgs) == len(b.KwOnlyArgs) && (a.KwArg == nil) == (b.KwArg == nil) && len(a.Defaults) == len(b.Defaults) &&
		slices.EqualFunc(a.KwDefaults, b.KwDefaults, func(a, b ast.Expr) bool { return (a == nil) == (b == nil) })
}

// statements returns how many statements a block has. An import of several modules is several.
func (t *tree) statements(body []ast.Stmt) int {
	n := len(body)
	for _, statement := range body {
		if i, is := statement.(*ast.Import); is {
			n += len(i.Names) - 1
		} else if t.gone[statement] {
			n--
		}
	}
	return n
}

// oneByOne returns nodes with an import of several modules as several.
func (t *tree) oneByOne(nodes []ast.Node) []ast.Node {
	several := slices.IndexFunc(nodes, func(n ast.Node) bool {
		i, is := n.(*ast.Import)
		return is && len(i.Names) > 1 || t.gone[n]
	})
	if several < 0 {
		return nodes
	}
	list := slices.Clone(nodes[:several])
	for _, n := range nodes[several:] {
		i, is := n.(*ast.Import)
		if !is {
			if !t.gone[n] {
				list = append(list, n)
			}
			continue
		}
		for _, name := range i.Names {
			list = append(list, &ast.Import{Range: i.Range, IsLazy: i.IsLazy, Names: []*ast.Alias{name}})
		}
	}
	return list
}

// declared returns the names of a declaration without those that it is to lack.
func (t *tree) declared(n ast.Node, names []string) []string {
	idle := t.idle[n]
	if idle == nil {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(idle, name) })
}
