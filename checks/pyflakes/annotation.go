package pyflakes

import (
	"math"
	"slices"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/rule"
)

// An annotationState says whether an expression is part of an annotation, where
// strings are code too, and names may be defined later.
type annotationState uint8

const (
	outsideAnnotation annotationState = iota
	stringAnnotation                  // spam: 'Eggs'
	bareAnnotation                    // spam: Eggs
)

// postponed reports whether the current node is only evaluated on demand.
func (c *Checker) postponed() bool {
	return c.inAnnotation == stringAnnotation || c.inAnnotation == bareAnnotation && c.lazyAnnotations()
}

// lazyAnnotations reports whether annotations are evaluated later: since 3.14, and before that if
// the module asks for it.
func (c *Checker) lazyAnnotations() bool {
	return c.features.DeferredAnnotations || c.futureAnnotations
}

// visitAnnotation visits an annotation of the current node, if there is one.
func (c *Checker) visitAnnotation(n ast.Expr) {
	if n == nil {
		return
	}
	constant, is := n.(*ast.Constant)
	switch {
	case is && constant.Type == ast.Str && !c.release.DefersWholeStrings:
		c.postpone(postponedString, n)
	case c.lazyAnnotations():
		c.postpone(postponedAnnotation, n)
	default:
		c.visitAs(bareAnnotation, n)
	}
}

func (c *Checker) visitAs(state annotationState, n ast.Expr) {
	outer := c.inAnnotation
	c.inAnnotation = state
	c.visit(n)
	c.inAnnotation = outer
}

// visitString visits the annotation that the string contains. All of it counts
// as standing where the string begins.
func (c *Checker) visitString(n *ast.Constant) {
	c.parsed = true
	annotation, ok := c.parser.ParseExpression(n.Text, parser.Options{Target: c.options.Target})
	around := c.stack[0].node.(ast.Node)
	if !ok {
		c.report(rule.F722, around, c.repr(n.Text))
		return
	}
	c.enterString(n, around == ast.Node(n))
	c.inAnnotation = stringAnnotation
	c.visit(annotation)
}

// typingName returns the name that n has in a module for type hints: "cast" for typing.cast,
// and for the name bound by from typing import cast. It returns "" for other expressions.
func (c *Checker) typingName(n ast.Expr) string {
	switch n := n.(type) {
	case *ast.Name:
		if i := c.importOf(n, nameImport); i != nil && i.typing {
			return i.name
		}
	case *ast.Attribute:
		if value, is := n.Value.(*ast.Name); is {
			if i := c.importOf(value, moduleImport); i != nil && i.typing {
				return n.Attr
			}
		}
	}
	return ""
}

// importOf returns the import of the kind that binds the name, or nil.
func (c *Checker) importOf(n *ast.Name, kind bindingKind) *imported {
	at := c.visible(c.scope, c.names.intern(n.ID))
	if at == none {
		return nil
	}
	b := &c.bindings[c.slots[at].binding]
	if b.kind != kind {
		return nil
	}
	return &c.imports[b.extra]
}

// A typed lists the arguments of a function of typing that are types.
type typed struct {
	from, to int      // its positional arguments from this one to before that one
	keywords []string // the values of these
}

// typesOf returns the arguments that typing's function with that name takes as types, and false if
// it takes none. visitFields handles the fields of a class.
func typesOf(name string) (types typed, is bool) {
	switch name {
	case "cast": // cast("Spam", eggs), cast(typ="Spam", val=eggs)
		return typed{0, 1, castKeywords}, true
	case "assert_type": // assert_type(eggs, "Spam")
		return typed{1, math.MaxInt, nil}, true
	case "TypeVar": // TypeVar("T", "Spam", "Eggs")
		return typed{1, math.MaxInt, variableKeywords}, true
	case "ParamSpec", "TypeVarTuple": // ParamSpec("P", default="Spam")
		return typed{0, 0, variableKeywords}, true
	case "NewType": // NewType("Eggs", "Spam")
		return typed{1, math.MaxInt, newTypeKeywords}, true
	case "TypedDict", "NamedTuple":
		return typed{}, true
	}
	return typed{}, false
}

var (
	castKeywords     = []string{"typ"}
	variableKeywords = []string{"bound", "default"}
	newTypeKeywords  = []string{"tp"}
)

// visitTyped visits a call of the function of typing with the name, from left to right. It
// returns false if that takes no types.
func (c *Checker) visitTyped(name string, n *ast.Call) bool {
	types, is := typesOf(name)
	if !is {
		return false
	}
	c.push(n, ast.KindCall)
	c.visitAs(outsideAnnotation, n.Func)
	for i, arg := range n.Args {
		switch {
		case types.from <= i && i < types.to:
			c.visitAs(bareAnnotation, arg)
		case i != 1 || !c.visitFields(name, arg):
			c.visitAs(outsideAnnotation, arg)
		}
	}
	fields := name == "TypedDict" && c.features.TypedDictKeywords || name == "NamedTuple" && c.features.NamedTupleKeywords
	for _, k := range n.Keywords {
		c.push(k, ast.KindKeyword)
		if fields || slices.Contains(types.keywords, k.Arg) {
			c.visitAs(bareAnnotation, k.Value)
		} else {
			c.visitAs(outsideAnnotation, k.Value)
		}
		c.pop()
	}
	c.pop()
	return true
}

// visitFields visits the fields of a TypedDict, {"eggs": int}, or of a NamedTuple, [("eggs",
// int)], without the display that holds them. It returns false for any other expression.
func (c *Checker) visitFields(name string, n ast.Expr) bool {
	switch name {
	case "TypedDict":
		fields, is := n.(*ast.Dict)
		if !is {
			return false
		}
		for i, key := range fields.Keys {
			if key != nil {
				c.visitAs(outsideAnnotation, key)
			}
			c.visitAs(bareAnnotation, fields.Values[i])
		}
		return true
	case "NamedTuple":
		fields, is := elements(n)
		if !is {
			return false
		}
		for _, field := range fields {
			pair, is := elements(field)
			if !is {
				c.visitAs(outsideAnnotation, field)
			}
			for i, part := range pair {
				if i == 0 {
					c.visitAs(outsideAnnotation, part)
				} else {
					c.visitAs(bareAnnotation, part)
				}
			}
		}
		return true
	}
	return false
}

// visitTypingCall visits a call of one of typing's functions that take types as arguments. It
// returns false for other calls. The code for a pyflakes without [rule.Features.TypingCalls]
// follows it.
func (c *Checker) visitTypingCall(n *ast.Call) bool {
	name := c.typingName(n.Func)
	if c.release.TypingCalls {
		return c.visitTyped(name, n)
	}
	switch name {
	case "cast":
		if len(n.Args) == 0 || c.casts == maxCasts {
			return false
		}
	case "TypeVar", "TypedDict", "NamedTuple":
	default:
		return false
	}
	c.push(n, ast.KindCall)
	outer := c.inAnnotation
	switch name {
	case "cast":
		c.visitCast(n, outer)
	case "TypeVar":
		c.inAnnotation = outsideAnnotation
		c.visitTypeVar(n)
	case "TypedDict":
		c.inAnnotation = outsideAnnotation
		c.visitTypedDict(n)
	default:
		c.inAnnotation = outsideAnnotation
		c.visitNamedTuple(n)
	}
	c.inAnnotation = outer
	c.pop()
	return true
}

// maxCasts bounds how deep calls of cast may be nested in each other's first argument, which
// should be a type. Each level doubles the work.
const maxCasts = 6

// visitCast visits cast('Spam', eggs). Its first argument is visited as an
// annotation and then once more as an argument.
func (c *Checker) visitCast(n *ast.Call, outer annotationState) {
	c.casts++
	c.inAnnotation = bareAnnotation
	c.visit(n.Args[0])
	c.inAnnotation = outer
	c.visit(n.Func)
	unit := c.unit
	if u := c.units[unit]; u.addedRows != 0 || u.addedColumns != 0 {
		// In a doctest that adds to its place once more as well.
		u.row += u.addedRows
		u.column += u.addedColumns
		u.raw = unit
		c.addUnit(u)
	}
	c.visit(n.Args[0])
	c.unit = unit
	c.casts--
	c.visitAll(n.Args[1:])
	c.visitKeywords(n.Keywords)
}

// visitTypeVar visits TypeVar('T', int, str, bound=object).
func (c *Checker) visitTypeVar(n *ast.Call) {
	for _, k := range n.Keywords {
		if k.Arg != "bound" {
			c.push(k, ast.KindKeyword)
			c.inBranch(rootless)
			c.visit(k.Value)
			c.pop()
		}
	}
	c.visit(n.Func)
	c.inAnnotation = bareAnnotation
	if len(n.Args) > 0 {
		c.visitAll(n.Args[1:])
	}
	for _, k := range n.Keywords {
		if k.Arg == "bound" {
			c.visit(k.Value)
		}
	}
}

// visitTypedDict visits TypedDict('Spam', {'eggs': int}), or the same with keywords.
// pyflakes visits the children of the arguments, not the arguments themselves.
func (c *Checker) visitTypedDict(n *ast.Call) {
	var fields *ast.Dict
	if len(n.Args) > 1 {
		fields, _ = n.Args[1].(*ast.Dict)
	}
	if fields != nil {
		for i, arg := range n.Args {
			if i != 1 {
				c.visitUnseen(arg)
				continue
			}
			c.push(fields, ast.KindDict)
			c.inBranch(rootless)
			for _, key := range fields.Keys {
				c.visitOptional(key)
			}
			c.pop()
		}
	}
	c.visit(n.Func)
	if fields == nil {
		c.visitAll(n.Args)
	}
	c.inAnnotation = bareAnnotation
	if fields != nil {
		c.visitAll(fields.Values)
	}
	c.visitValues(n.Keywords)
}

// visitNamedTuple visits NamedTuple('Spam', [('eggs', int)]), or the same with
// keywords.
func (c *Checker) visitNamedTuple(n *ast.Call) {
	var fields []ast.Expr
	paired := false
	if len(n.Args) > 1 {
		fields, paired = elements(n.Args[1])
		for _, field := range fields {
			pair, is := elements(field)
			paired = paired && is && len(pair) == 2
		}
	}
	if paired {
		for _, field := range fields {
			pair, _ := elements(field)
			c.visitUnseen(pair[0])
		}
		for i, arg := range n.Args {
			if i != 1 {
				c.visitUnseen(arg)
			}
		}
	}
	c.visit(n.Func)
	if !paired {
		c.visitAll(n.Args)
	}
	c.inAnnotation = bareAnnotation
	if paired {
		for _, field := range fields {
			pair, _ := elements(field)
			c.visit(pair[1])
		}
	}
	c.visitValues(n.Keywords)
}

// elements returns the elements of a tuple or a list.
func elements(n ast.Expr) ([]ast.Expr, bool) {
	switch n := n.(type) {
	case *ast.Tuple:
		return n.Elts, true
	case *ast.List:
		return n.Elts, true
	}
	return nil, false
}

// visitValues visits the keywords' values as children of the current node.
func (c *Checker) visitValues(keywords []*ast.Keyword) {
	for _, k := range keywords {
		c.visit(k.Value)
	}
}
