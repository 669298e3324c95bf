package scope

import (
	"slices"

	"codelinter/ast"
)

// This file reads expressions.

// value reads the x of x.y. If x or x.y may be a module, the lookup is recorded
// with it.
func (r *Table) value(scope int32, x ast.Expr, attribute int32, how useKind) {
	switch x := x.(type) {
	case *ast.Name:
		r.Reads = append(r.Reads, Access{r.id(x.ID, x.Start), attribute, scope, x.Start, -1, how == annotationRootUse})
		r.load(scope, x.ID, x.Start, how)
	default:
		if how == annotationRootUse {
			r.annotation(scope, x)
		} else {
			r.read(scope, x)
		}
		if inner, is := x.(*ast.Attribute); is && len(r.Reads) > 0 {
			if _, is := inner.Value.(*ast.Name); is {
				r.Reads[len(r.Reads)-1].Next = attribute
				return
			}
		}
		r.Seek(attribute, x.Bounds().Start)
	}
}

// keywords reads keyword arguments, of which no name may come twice.
func (r *Table) keywords(scope int32, list []*ast.Keyword) {
	for i, keyword := range list {
		r.walk(scope, keyword)
		for _, other := range list[:min(i, 16)] {
			r.Facts.Broken = r.Facts.Broken || keyword.Arg != "" && other.Arg == keyword.Arg
		}
	}
}

func (r *Table) expr(scope int32, e ast.Expr) {
	switch n := e.(type) {
	case *ast.NamedExpr:
		r.read(scope, n.Value)
		s := scope
		for r.Scopes[s].Kind == ComprehensionScope {
			s = r.Scopes[s].Parent
		}
		r.read(s, n.Target)
	case *ast.Lambda:
		r.defaults(scope, n.Args)
		s := r.enter(FunctionScope, scope, n)
		r.parameters(s, n.Args, n.End)
		r.read(s, n.Body)
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
		r.comprehension(scope, n)
	case *ast.Call:
		r.call(scope, n)
	case *ast.Interpolation:
		r.children(scope, n)
		r.Class |= ReadsNames // its text is a value
	case *ast.Constant:
		if n.Type == ast.Str || n.Type == ast.Bytes {
			r.text(n)
		}
	case *ast.Attribute:
		r.attributeOf(scope, n)
	case *ast.Name:
		r.nameUse(scope, n, loadUse)
	default:
		r.children(scope, e)
	}
}

func (r *Table) call(scope int32, n *ast.Call) {
	f, isName := n.Func.(*ast.Name)
	if isName && (f.ID == "dir" || f.ID == "vars") && len(n.Args) > 0 && n.Args[0].Kind() != ast.KindStarred {
		r.nameUse(scope, f, argumentUse)
	} else if isName {
		r.nameUse(scope, f, callUse)
	} else {
		r.read(scope, n.Func)
	}
	r.read(scope, n.Args...)
	r.keywords(scope, n.Keywords)
	if isName && f.ID == "type" && len(n.Args) > 1 {
		r.Class |= MakesTypes
	}
	if namesAttribute(n) {
		r.Facts.AttributesByText--
	}
	switch ast.CalledName(n) {
	case "namedtuple", "NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag":
		for _, arg := range n.Args {
			r.fields(arg)
		}
	case "wraps":
		if len(n.Args)+len(n.Keywords) > 1 {
			r.Class |= CopiesByText
		}
	}
}

func (r *Table) attributeOf(scope int32, n *ast.Attribute) {
	if n.Ctx != ast.Load {
		r.Names[r.id(n.Attr, n.Start)].Stored = true
		if root := RootName(n.Value); root != nil {
			r.Stores = append(r.Stores, Access{Root: r.id(root.ID, root.Start), Attribute: r.id(n.Attr, n.Start), Scope: scope, Offset: n.Start})
		}
	}
	attribute := r.id(n.Attr, n.Start)
	if n.Attr == "__name__" || n.Attr == "__qualname__" {
		r.Class |= ReadsNames
	}
	if n.Attr == "__doc__" && n.Ctx == ast.Load {
		r.Facts.ReadsDoc = true
	}
	if findsByText(n.Attr) {
		r.Facts.AttributesByText++
	}
	r.value(scope, n.Value, attribute, rootUse)
}

// nameUse reads, binds or deletes a name.
func (r *Table) nameUse(scope int32, n *ast.Name, how useKind) {
	switch n.Ctx {
	case ast.Store:
		r.bind(scope, n.ID, n.Start)
		return
	case ast.Del:
		if at := r.bind(scope, n.ID, n.Start); at >= 0 {
			r.Symbols[at].Stores--
			r.Symbols[at].Dels++
			r.Bindings[len(r.Bindings)-1].Effect = Deletes
		} else {
			r.Uses[len(r.Uses)-1].how = deleteUse
		}
		return
	}
	if n.ID == "__doc__" {
		r.Facts.ReadsDoc = true
	}
	if findsByText(n.ID) {
		r.Facts.AttributesByText++
	}
	r.load(scope, n.ID, n.Start, how)
}

// fields records the attribute names in a call that makes a type: "x y", ["x", "y"], [("x",
// int), ("y", int)] or {"x": 1, "y": 2}.
func (r *Table) fields(e ast.Expr) {
	ast.Inspect(e, func(node ast.Node) bool {
		if n, is := node.(*ast.Constant); is && n.Type == ast.Str {
			for _, word := range Words(n.Text) {
				r.Names[r.id(word, n.Start)].Field = true
			}
		}
		return true
	})
}

// findsByText reports whether a function of that name reads or changes attributes
// that texts name.
func findsByText(name string) bool {
	switch name {
	case "getattr", "setattr", "delattr", "attrgetter", "methodcaller", "__getattribute__":
		return true
	}
	return false
}

// namesAttribute reports whether such a call names its attributes by constants,
// which text has read.
func namesAttribute(call *ast.Call) bool {
	_, isName := call.Func.(*ast.Name)
	switch name := ast.CalledName(call); {
	case !findsByText(name):
		return false
	case name != "attrgetter" && name != "methodcaller":
		return isName && len(call.Args) > 1 && IsConstant(call.Args[1], ast.Str)
	}
	return len(call.Args) > 0 && !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !IsConstant(e, ast.Str) })
}

func (r *Table) comprehension(scope int32, n ast.Expr) {
	generators, elt, value := ast.Comprehended(n)
	r.read(scope, generators[0].Iter)
	s := r.enter(ComprehensionScope, scope, n)
	for i, g := range generators {
		bound := len(r.Bindings)
		r.read(s, g.Target)
		if i > 0 {
			r.read(s, g.Iter)
		}
		r.surely(s, bound, n.Bounds().End)
		r.read(s, g.Ifs...)
	}
	r.read(s, elt, value)
}

// text records the special names in a string, as it may be looked up as an
// attribute.
func (r *Table) text(c *ast.Constant) {
	text := c.Text
	for i := 0; i+4 < len(text); i++ {
		if text[i] != '_' || text[i+1] != '_' {
			continue
		}
		end := i + 2
		for end < len(text) && (text[end] == '_' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z' || text[end] >= '0' && text[end] <= '9') {
			end++
		}
		if word := text[i:end]; len(word) > 4 && word[len(word)-2:] == "__" {
			r.id(word, c.Start)
			r.Facts.ReadsDoc = r.Facts.ReadsDoc || word == "__doc__"
			if word == "__name__" || word == "__qualname__" {
				r.Class |= ReadsNames
			}
		}
		i = end
	}
}

// IsConstant reports whether an expression is a constant of a type.
func IsConstant(e ast.Expr, t ast.ConstantType) bool {
	c, is := e.(*ast.Constant)
	return is && c.Type == t
}
