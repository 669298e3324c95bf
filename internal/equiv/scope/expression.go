package scope

import (
	"strings"
	"unicode"

	"codelinter/ast"
)

// This file reads expressions and patterns.

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
			r.expr(scope, x)
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

func (r *Table) pattern(scope int32, p ast.Pattern) {
	if r.depth++; r.depth > MaxDepth {
		r.Facts.TooDeep = true
	}
	if r.Facts.TooDeep {
		return
	}
	switch p := p.(type) {
	case *ast.MatchValue:
		r.expr(scope, p.Value)
	case *ast.MatchSequence:
		for _, q := range p.Patterns {
			r.pattern(scope, q)
		}
	case *ast.MatchMapping:
		for _, k := range p.Keys {
			r.expr(scope, k)
		}
		for _, q := range p.Patterns {
			r.pattern(scope, q)
		}
		if p.Rest != "" {
			r.bindOther(scope, p.Rest, p.Start)
		}
	case *ast.MatchClass:
		r.expr(scope, p.Cls)
		for _, q := range p.Patterns {
			r.pattern(scope, q)
		}
		for i, q := range p.KwdPatterns {
			r.Seek(r.attribute(p.KwdAttrs[i], p.Start), p.Start)
			r.pattern(scope, q)
		}
	case *ast.MatchStar:
		if p.Name != "" {
			r.bindOther(scope, p.Name, p.Start)
		}
	case *ast.MatchAs:
		if p.Pattern != nil {
			r.pattern(scope, p.Pattern)
		}
		if p.Name != "" {
			r.bindOther(scope, p.Name, p.Start)
		}
	case *ast.MatchOr:
		for _, q := range p.Patterns {
			r.pattern(scope, q)
		}
	}
	r.depth--
}

func (r *Table) optional(scope int32, e ast.Expr) {
	if e != nil {
		r.expr(scope, e)
	}
}

func (r *Table) exprs(scope int32, list []ast.Expr) {
	for _, e := range list {
		r.optional(scope, e)
	}
}

func (r *Table) keywords(scope int32, list []*ast.Keyword) {
	for i, keyword := range list {
		if keyword.Arg == "" {
			r.Facts.spreads = true
		} else {
			r.Names[r.id(keyword.Arg, keyword.Start)].Keyword = true
		}
		r.expr(scope, keyword.Value)
		for _, other := range list[:min(i, 16)] {
			if keyword.Arg != "" && other.Arg == keyword.Arg {
				r.Facts.Broken = true
			}
		}
	}
	if len(list) > 16 {
		r.odd(scope)
	}
}

func (r *Table) expr(scope int32, e ast.Expr) {
	if r.depth++; r.depth > MaxDepth {
		r.Facts.TooDeep = true
	}
	if r.Facts.TooDeep {
		return
	}
	switch n := e.(type) {
	case *ast.NamedExpr:
		r.expr(scope, n.Value)
		s := scope
		for r.Scopes[s].Kind == ComprehensionScope {
			s = r.Scopes[s].Parent
			r.odd(s)
		}
		r.target(s, n.Target, nil)
	case *ast.BinOp:
		r.expr(scope, n.Left)
		r.expr(scope, n.Right)
		if n.Op == ast.Mod { // a format
			r.show(scope, n.Right)
		}
	case *ast.Lambda:
		r.defaults(scope, n.Args)
		s := r.enter(FunctionScope, scope, n)
		r.parameters(s, n.Args)
		r.expr(s, n.Body)
		r.leave(s)
	case *ast.ListComp:
		r.comprehension(scope, n, n.Generators, n.Elt, nil)
	case *ast.SetComp:
		r.comprehension(scope, n, n.Generators, n.Elt, nil)
	case *ast.DictComp:
		r.comprehension(scope, n, n.Generators, n.Key, n.Value)
	case *ast.GeneratorExp:
		r.comprehension(scope, n, n.Generators, n.Elt, nil)
	case *ast.Await:
		r.odd(scope)
		r.expr(scope, n.Value)
	case *ast.Yield:
		r.yield(scope)
		r.optional(scope, n.Value)
	case *ast.YieldFrom:
		r.yield(scope)
		r.expr(scope, n.Value)
	case *ast.Call:
		if f, is := n.Func.(*ast.Name); is {
			r.nameUse(scope, f, callUse)
		} else {
			r.expr(scope, n.Func)
		}
		r.exprs(scope, n.Args)
		r.keywords(scope, n.Keywords)
		if makesText(n.Func) {
			r.showAll(scope, n.Args)
			for _, keyword := range n.Keywords {
				r.show(scope, keyword.Value)
			}
		}
		if f, is := n.Func.(*ast.Name); is && f.ID == "type" && len(n.Args) > 1 {
			r.Class |= MakesTypes
		}
		if namesAttribute(n) {
			r.Facts.AttributesByText--
		}
		if makesFields(n.Func) {
			for _, arg := range n.Args {
				r.fields(arg)
			}
		}
		if calls(n.Func, "wraps") && len(n.Args)+len(n.Keywords) > 1 {
			r.Class |= CopiesByText
		}
	case *ast.FormattedValue:
		r.expr(scope, n.Value)
		r.show(scope, n.Value)
		r.optional(scope, n.FormatSpec)
	case *ast.Interpolation:
		r.expr(scope, n.Value)
		r.optional(scope, n.FormatSpec)
		r.Class |= ReadsNames // its text is a value
	case *ast.Constant:
		if c := n; c.Type == ast.Str || c.Type == ast.Bytes {
			r.text(c)
		}
	case *ast.Attribute:
		attribute := r.attribute(n.Attr, n.Start)
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
	case *ast.Starred:
		r.odd(scope)
		r.expr(scope, n.Value)
	case *ast.Name:
		r.nameUse(scope, n, loadUse)
	default:
		r.children(scope, e)
	}
	r.depth--
}

// children reads the expressions of which a node consists.
func (r *Table) children(scope int32, n ast.Node) {
	from := len(r.nodes)
	r.nodes = ast.AppendChildren(r.nodes, n)
	for i, to := from, len(r.nodes); i < to; i++ {
		r.expr(scope, r.nodes[i].(ast.Expr))
	}
	r.nodes = r.nodes[:from]
}

// nameUse reads a name.
func (r *Table) nameUse(scope int32, n *ast.Name, how useKind) {
	if len(n.ID) > 2 && n.ID[:2] == "__" && n.ID[len(n.ID)-2:] != "__" {
		r.Facts.PrivateNames = true
	}
	if n.ID == "__doc__" {
		r.Facts.ReadsDoc = true
	}
	if findsByText(n.ID) {
		r.Facts.AttributesByText++
	}
	r.load(scope, n.ID, n.Start, how)
}

// calls reports whether f is the name, or an attribute of that name.
func calls(f ast.Expr, name string) bool {
	switch f := f.(type) {
	case *ast.Name:
		return f.ID == name
	case *ast.Attribute:
		return f.Attr == name
	}
	return false
}

// makesFields reports whether a call of f makes a type whose attributes are named
// by texts in the call.
func makesFields(f ast.Expr) bool {
	for _, name := range [...]string{"namedtuple", "NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"} {
		if calls(f, name) {
			return true
		}
	}
	return false
}

// fields records the attribute names in such a call: "x y", ["x", "y"], [("x",
// int), ("y", int)] or {"x": 1, "y": 2}.
func (r *Table) fields(e ast.Expr) {
	switch n := e.(type) {
	case *ast.Constant:
		if n.Type != ast.Str {
			return
		}
		for _, word := range strings.FieldsFunc(n.Text, func(c rune) bool { return c == ',' || unicode.IsSpace(c) }) {
			r.Names[r.id(word, n.Start)].Field = true
		}
	case *ast.List:
		for _, element := range n.Elts {
			r.fields(element)
		}
	case *ast.Tuple:
		for _, element := range n.Elts {
			r.fields(element)
		}
	case *ast.Dict:
		for _, key := range n.Keys {
			r.fields(key)
		}
	}
}

// findsByText reports whether a function of that name reads or changes attributes
// that texts name.
func findsByText(name string) bool {
	switch name {
	case "getattr", "setattr", "delattr", "attrgetter", "methodcaller":
		return true
	}
	return false
}

// namesAttribute reports whether such a call names its attributes by constants,
// which text has read.
func namesAttribute(call *ast.Call) bool {
	args := call.Args
	switch f := call.Func.(type) {
	case *ast.Name:
		switch {
		case !findsByText(f.ID):
			return false
		case f.ID != "attrgetter" && f.ID != "methodcaller":
			return len(args) > 1 && IsConstant(args[1], ast.Str)
		}
	case *ast.Attribute:
		if f.Attr != "attrgetter" && f.Attr != "methodcaller" {
			return false
		}
	default:
		return false
	}
	for _, arg := range args {
		if !IsConstant(arg, ast.Str) {
			return false
		}
	}
	return len(args) > 0
}

func (r *Table) yield(scope int32) {
	r.Scopes[scope].yields = true
	if r.Scopes[scope].Kind != FunctionScope {
		r.odd(scope)
	}
}

func (r *Table) comprehension(scope int32, n ast.Node, generators []*ast.Comprehension, elt, value ast.Expr) {
	r.expr(scope, generators[0].Iter)
	s := r.enter(ComprehensionScope, scope, n)
	for i, g := range generators {
		if g.IsAsync {
			r.odd(s)
		}
		r.target(s, g.Target, nil)
		if i > 0 {
			r.expr(s, g.Iter)
		}
		r.exprs(s, g.Ifs)
	}
	r.expr(s, elt)
	r.optional(s, value)
	r.leave(s)
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
			if word != "__main__" {
				r.Facts.DunderText = true
			}
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
