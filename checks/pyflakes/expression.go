package pyflakes

import (
	"codelinter/ast"
	"codelinter/rule"
)

func (c *Checker) visitOptional(n ast.Expr) {
	if n != nil {
		c.visit(n)
	}
}

func (c *Checker) visitAll(list []ast.Expr) {
	for _, n := range list {
		c.visit(n)
	}
}

// visit visits an expression. What comes first in it is followed in a loop,
// with the nodes around it on our stack and not on Go's: a sum of a million
// terms is a tree a million deep, whose first term is at the bottom. All other
// nesting is bounded by the parser.
func (c *Checker) visit(n ast.Expr) {
	base := len(c.stack)
	for n != nil {
		n = c.visitHead(n)
	}
	for len(c.stack) > base {
		top := &c.stack[len(c.stack)-1]
		switch n := top.node.(type) {
		case *ast.Call:
			for _, arg := range n.Args {
				c.visit(arg)
			}
			c.visitKeywords(n.Keywords)
		case *ast.BinOp:
			c.visit(n.Right)
		case *ast.Subscript:
			c.visitSlice(n)
			c.inAnnotation = c.stack[len(c.stack)-1].state
		}
		c.pop()
	}
}

// visitHead visits an expression up to its first part, which it returns with
// the expression on the stack; or all of it, and returns nil.
func (c *Checker) visitHead(n ast.Expr) ast.Expr {
	switch n := n.(type) {
	case *ast.Name:
		c.visitName(n)
	case *ast.Constant:
		if c.inAnnotation != outsideAnnotation && n.Type == ast.Str {
			c.push(n)
			c.postpone(postponedString, n)
			c.pop()
		}
	case *ast.Attribute:
		c.push(n)
		return n.Value
	case *ast.Call:
		if attribute, is := n.Func.(*ast.Attribute); is && attribute.Attr == "format" {
			if constant, is := attribute.Value.(*ast.Constant); is && constant.Type == ast.Str {
				c.checkStrFormat(n)
			}
		}
		if c.typing && c.visitTypingCall(n) {
			return nil
		}
		c.push(n)
		return n.Func
	case *ast.BinOp:
		if n.Op == ast.Mod {
			if constant, is := n.Left.(*ast.Constant); is && constant.Type == ast.Str {
				c.checkPercentFormat(n)
			}
		}
		c.push(n)
		return n.Left
	case *ast.Subscript:
		c.push(n)
		c.stack[len(c.stack)-1].state = c.inAnnotation
		switch {
		case isNameOrAttribute(n.Value, "Literal"):
			c.inAnnotation = outsideAnnotation
		case isNameOrAttribute(n.Value, "Annotated"):
		case c.typing && c.typingName(n.Value) != "":
			c.inAnnotation = bareAnnotation
		}
		return n.Value
	default:
		c.push(n)
		c.visitOther(n)
		c.pop()
	}
	return nil
}

// visitSlice visits what is in the brackets of the current node.
func (c *Checker) visitSlice(n *ast.Subscript) {
	if !isNameOrAttribute(n.Value, "Annotated") {
		c.visit(n.Slice)
		return
	}
	tuple, is := n.Slice.(*ast.Tuple)
	if !is || len(tuple.Elts) < 2 {
		c.visit(n.Slice)
		return
	}
	// Only the first argument of Annotated is a type.
	c.visit(tuple.Elts[0])
	c.inAnnotation = outsideAnnotation
	c.visitAll(tuple.Elts[1:])
}

func isNameOrAttribute(n ast.Expr, name string) bool {
	switch n := n.(type) {
	case *ast.Name:
		return n.ID == name
	case *ast.Attribute:
		return n.Attr == name
	}
	return false
}

func (c *Checker) visitName(n *ast.Name) {
	id := c.names.intern(n.ID)
	switch n.Ctx {
	case ast.Load:
		c.load(id, n.Start, c.unit)
		if id == nameLocals && c.scopes[c.scope].kind == functionScope &&
			c.stack[len(c.stack)-1].node.Kind() == ast.KindCall {
			c.scopes[c.scope].locals = true
		}
	case ast.Store:
		c.push(n)
		c.store(id)
		c.pop()
	case ast.Del:
		c.delete(id, n.Start)
	}
}

func (c *Checker) visitKeywords(keywords []*ast.Keyword) {
	for _, k := range keywords {
		c.push(k)
		c.visit(k.Value)
		c.pop()
	}
}

// visitOther visits the current node.
func (c *Checker) visitOther(n ast.Expr) {
	switch n := n.(type) {
	case *ast.Lambda:
		c.visitSignature(n.Args, nil)
		c.postpone(postponedBody, nil)
		return
	case *ast.IfExp:
		c.checkCondition(n, n.Test)
	case *ast.Dict:
		c.checkKeys(n)
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
		c.enterScope(generatorScope)
		c.visitChildren(n)
		c.leaveScope()
		return
	case *ast.Await, *ast.Yield, *ast.YieldFrom:
		if c.isOutside() {
			c.report(rule.F704, n, "")
			return
		}
	case *ast.Compare:
		c.checkIdentity(n)
	case *ast.JoinedStr:
		if !c.inString && !hasField(n.Values, ast.KindFormattedValue) {
			c.report(rule.F541, n, "")
		}
		outer := c.inString
		c.inString = true
		c.visitAll(n.Values)
		c.inString = outer
		return
	case *ast.TemplateStr:
		if !hasField(n.Values, ast.KindInterpolation) {
			c.report(rule.F542, n, "")
		}
		outer := c.inString
		c.inString = true
		c.visitAll(n.Values)
		c.inString = outer
		return
	case *ast.List:
		if n.Ctx == ast.Store {
			c.checkStars(n, n.Elts)
		}
	case *ast.Tuple:
		if n.Ctx == ast.Store {
			c.checkStars(n, n.Elts)
		}
	}
	c.visitChildren(n)
}

// visitChildren visits the children of the current node in pyflakes's order,
// which is Python's but for value, iter and generators, which come first.
func (c *Checker) visitChildren(n ast.Node) {
	switch n := n.(type) {
	case *ast.BoolOp:
		c.visitAll(n.Values)
	case *ast.NamedExpr:
		c.visit(n.Value)
		c.visit(n.Target)
	case *ast.BinOp:
		c.visit(n.Left)
		c.visit(n.Right)
	case *ast.UnaryOp:
		c.visit(n.Operand)
	case *ast.Lambda: // only within NamedTuple and its like, see visitTypedDict
		c.bindParameters(n.Args)
		c.visit(n.Body)
	case *ast.IfExp:
		c.visit(n.Test)
		c.visit(n.Body)
		c.visit(n.Orelse)
	case *ast.Dict:
		for _, key := range n.Keys {
			c.visitOptional(key)
		}
		c.visitAll(n.Values)
	case *ast.Set:
		c.visitAll(n.Elts)
	case *ast.ListComp:
		c.visitGenerators(n.Generators)
		c.visit(n.Elt)
	case *ast.SetComp:
		c.visitGenerators(n.Generators)
		c.visit(n.Elt)
	case *ast.DictComp:
		c.visitGenerators(n.Generators)
		c.visit(n.Key)
		c.visit(n.Value)
	case *ast.GeneratorExp:
		c.visitGenerators(n.Generators)
		c.visit(n.Elt)
	case *ast.Await:
		c.visit(n.Value)
	case *ast.Yield:
		c.visitOptional(n.Value)
	case *ast.YieldFrom:
		c.visit(n.Value)
	case *ast.Compare:
		c.visit(n.Left)
		c.visitAll(n.Comparators)
	case *ast.Call:
		c.visit(n.Func)
		c.visitAll(n.Args)
		c.visitKeywords(n.Keywords)
	case *ast.FormattedValue:
		c.visit(n.Value)
		c.visitOptional(n.FormatSpec)
	case *ast.Interpolation:
		c.visit(n.Value)
		c.visitOptional(n.FormatSpec)
	case *ast.JoinedStr:
		c.visitAll(n.Values)
	case *ast.TemplateStr:
		c.visitAll(n.Values)
	case *ast.Attribute:
		c.visit(n.Value)
	case *ast.Subscript:
		c.visit(n.Value)
		c.visit(n.Slice)
	case *ast.Starred:
		c.visit(n.Value)
	case *ast.List:
		c.visitAll(n.Elts)
	case *ast.Tuple:
		c.visitAll(n.Elts)
	case *ast.Slice:
		c.visitOptional(n.Lower)
		c.visitOptional(n.Upper)
		c.visitOptional(n.Step)
	}
}

func (c *Checker) visitGenerators(generators []*ast.Comprehension) {
	for _, g := range generators {
		c.push(g)
		c.visit(g.Iter)
		c.visit(g.Target)
		c.visitAll(g.Ifs)
		c.pop()
	}
}

// hasField reports whether a string has a part of the kind.
func hasField(parts []ast.Expr, kind ast.Kind) bool {
	for _, part := range parts {
		if part.Kind() == kind {
			return true
		}
	}
	return false
}

// What CPython can unpack around a starred target.
const (
	maxBeforeStar = 1 << 8
	maxAfterStar  = 1 << 24
)

// checkStars reports targets such as *spam, *eggs.
func (c *Checker) checkStars(n ast.Expr, targets []ast.Expr) {
	star := -1
	for i, target := range targets {
		if target.Kind() != ast.KindStarred {
			continue
		}
		if star >= 0 {
			c.report(rule.F622, n, "")
			break
		}
		star = i
	}
	if star >= maxBeforeStar || len(targets)-star-1 >= maxAfterStar {
		c.report(rule.F621, n, "")
	}
}

// checkIdentity reports spam is 'eggs', once for each such operator.
func (c *Checker) checkIdentity(n *ast.Compare) {
	left := n.Left
	for i, op := range n.Ops {
		right := n.Comparators[i]
		if (op == ast.Is || op == ast.IsNot) && (isLiteral(left) || isLiteral(right)) {
			c.report(rule.F632, n, "")
		}
		left = right
	}
}

// isLiteral reports whether n is a constant, or a tuple of constants, of which
// Python may keep more than one copy.
func isLiteral(n ast.Expr) bool {
	if constant, is := n.(*ast.Constant); is {
		return constant.Type >= ast.Str
	}
	return isConstant(n)
}

func isConstant(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.Constant:
		return true
	case *ast.Tuple:
		for _, e := range n.Elts {
			if !isConstant(e) {
				return false
			}
		}
		return true
	}
	return false
}
