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

// visit visits an expression.
func (c *Checker) visit(n ast.Expr) {
	switch n := n.(type) {
	case *ast.Name:
		c.visitName(n)
	case *ast.Constant:
		if c.inAnnotation != outsideAnnotation {
			c.visitConstant(n)
		}
	default:
		c.visitTree(n)
	}
}

// visitTree visits an expression. It follows the first children in a loop, with a stack of its own
// instead of Go's: a sum of a million terms is a tree a million deep, with its first term at the
// bottom. The parser bounds all other nesting.
func (c *Checker) visitTree(n ast.Expr) {
	base := len(c.stack)
	for first := n; first != nil; {
		n, first = first, nil
		switch n := n.(type) {
		case *ast.Name:
			c.visitName(n)
		case *ast.Constant:
			if c.inAnnotation != outsideAnnotation {
				c.visitConstant(n)
			}
		case *ast.Attribute:
			if name, is := n.Value.(*ast.Name); is {
				// Nothing that asks for the nodes around a name that is read sees an
				// attribute.
				c.load(c.names.intern(name.ID), name.Start, c.unit)
				break
			}
			c.push(n, ast.KindAttribute)
			first = n.Value
		case *ast.Call:
			if attribute, is := n.Func.(*ast.Attribute); is && attribute.Attr == "format" {
				if constant, is := attribute.Value.(*ast.Constant); is && constant.Type == ast.Str {
					c.checkStrFormat(n)
				}
			}
			if c.typing && c.visitTypingCall(n) {
				break
			}
			c.push(n, ast.KindCall)
			first = n.Func
		case *ast.BinOp:
			if n.Op == ast.Mod {
				if constant, is := n.Left.(*ast.Constant); is && constant.Type == ast.Str {
					c.checkPercentFormat(n)
				}
			}
			c.push(n, ast.KindBinOp)
			first = n.Left
		case *ast.Subscript:
			c.push(n, ast.KindSubscript)
			c.states = append(c.states, c.inAnnotation)
			switch {
			case isNameOrAttribute(n.Value, "Literal"):
				if !c.release.AnnotatesLiteral {
					c.inAnnotation = outsideAnnotation
				}
			case isNameOrAttribute(n.Value, "Annotated"):
			case c.typing && c.typingName(n.Value) != "":
				c.inAnnotation = bareAnnotation
			}
			first = n.Value
		default:
			c.visitOther(n)
		}
	}
	for len(c.stack) > base {
		switch n := c.top().node.(type) {
		case *ast.Call:
			c.visitAll(n.Args)
			c.visitKeywords(n.Keywords)
		case *ast.BinOp:
			c.visit(n.Right)
		case *ast.Subscript:
			c.visitSlice(n)
			last := len(c.states) - 1
			c.inAnnotation, c.states = c.states[last], c.states[:last]
		}
		c.pop()
	}
}

// visitConstant visits a literal in an annotation, which may be one.
func (c *Checker) visitConstant(n *ast.Constant) {
	if n.Type == ast.Str {
		c.push(n, ast.KindConstant)
		c.postpone(postponedString, n)
		c.pop()
	}
}

// visitSlice visits what is in the brackets of the current node.
func (c *Checker) visitSlice(n *ast.Subscript) {
	if isNameOrAttribute(n.Value, "Literal") {
		c.inAnnotation = outsideAnnotation
	}
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
		if id == nameLocals && c.scopes[c.scope].kind == functionScope && c.top().kind == ast.KindCall {
			c.scopes[c.scope].locals = true
		}
	case ast.Store:
		c.push(n, ast.KindName)
		c.store(id)
		c.pop()
	case ast.Del:
		c.delete(id, n.Start)
	}
}

func (c *Checker) visitKeywords(keywords []*ast.Keyword) {
	for _, k := range keywords {
		c.push(k, ast.KindKeyword)
		c.visit(k.Value)
		c.pop()
	}
}

// visitOther visits an expression of a type that visitTree does not know.
func (c *Checker) visitOther(n ast.Expr) {
	switch n := n.(type) {
	case *ast.Lambda:
		c.push(n, ast.KindLambda)
		c.visitSignature(n.Args, nil)
		c.postpone(postponedBody, nil)
		c.pop()
		return
	case *ast.IfExp:
		c.checkCondition(n, n.Test)
	case *ast.Dict:
		c.checkKeys(n)
	case *ast.ListComp:
		c.visitComprehension(n, comprehensionScope, n.Generators, n.Elt, nil)
		return
	case *ast.SetComp:
		c.visitComprehension(n, comprehensionScope, n.Generators, n.Elt, nil)
		return
	case *ast.DictComp:
		c.visitComprehension(n, comprehensionScope, n.Generators, n.Key, n.Value)
		return
	case *ast.GeneratorExp:
		c.visitComprehension(n, generatorScope, n.Generators, n.Elt, nil)
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
		c.visitParts(n)
		return
	case *ast.TemplateStr:
		if !hasField(n.Values, ast.KindInterpolation) {
			c.report(rule.F542, n, "")
		}
		c.visitParts(n)
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

// visitParts visits the parts of an f-string or a t-string.
func (c *Checker) visitParts(n ast.Expr) {
	outer := c.inString
	c.inString = true
	c.visitChildren(n)
	c.inString = outer
}

// visitLambda visits the current node, a lambda in a NamedTuple or its like, see visitTypedDict.
func (c *Checker) visitLambda(n *ast.Lambda) {
	c.bindParameters(n.Args)
	c.visit(n.Body)
}

// visitDict visits the current node, a dictionary.
func (c *Checker) visitDict(n *ast.Dict) {
	for i, key := range n.Keys {
		c.visitOptional(key)
		if c.release.DictInPairs {
			c.visit(n.Values[i])
		}
	}
	if !c.release.DictInPairs {
		c.visitAll(n.Values)
	}
}

// visitComprehension visits a comprehension, in a scope of the kind. The second of its elements may
// be nil.
func (c *Checker) visitComprehension(n ast.Expr, kind scopeKind, generators []*ast.Comprehension, first, second ast.Expr) {
	c.push(n, n.Kind())
	outer := c.release.OuterIterables
	if outer {
		c.pushFirst(generators[0])
		c.visit(generators[0].Iter)
		c.pop()
	}
	c.enterScope(kind)
	for i, g := range generators {
		if i == 0 {
			c.pushFirst(g)
		} else {
			c.push(g, ast.KindComprehension)
		}
		if i > 0 || !outer {
			c.visit(g.Iter)
		}
		c.visit(g.Target)
		c.visitAll(g.Ifs)
		c.pop()
	}
	c.visit(first)
	c.visitOptional(second)
	c.leaveScope()
	c.pop()
}

// pushFirst makes the first for of the current node, a comprehension, the current one.
func (c *Checker) pushFirst(g *ast.Comprehension) {
	c.push(g, ast.KindComprehension)
	if c.release.RootlessLoops {
		c.inBranch(rootless)
	}
}

func (c *Checker) visitGenerators(generators []*ast.Comprehension) {
	for _, g := range generators {
		c.push(g, ast.KindComprehension)
		c.visit(g.Iter)
		c.visit(g.Target)
		c.visitAll(g.Ifs)
		c.pop()
	}
}

// visitUnseen visits the children of an expression, but not the expression itself, which is also no
// ancestor of them for pyflakes.
func (c *Checker) visitUnseen(n ast.Expr) {
	c.push(n, n.Kind())
	c.inBranch(rootless)
	c.visitChildren(n)
	c.pop()
}

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

// isLiteral reports whether n is a constant or a tuple of constants that Python may hold in several
// copies.
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
