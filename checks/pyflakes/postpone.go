package pyflakes

import "codelinter/ast"

// A postponement is a part of a node whose visit waits until the rest of the module is
// known. It holds the state that the visit needs.
type postponement struct {
	kind        postponedKind
	conditional bool
	inLoop      bool
	scope       scopeID
	unit        unitID
	around      recordID
	node        ast.Expr
}

type postponedKind uint8

const (
	postponedBody       postponedKind = iota // of the def or lambda around
	postponedAnnotation                      // node
	postponedString                          // node, a string that holds an annotation
	postponedDoctest                         // of the def or class around
)

// postpone puts off the visit of n, a part of the current node.
func (c *Checker) postpone(kind postponedKind, n ast.Expr) {
	p := postponement{kind, c.conditional, c.inLoop, c.scope, c.unit, c.current(), n}
	if kind == postponedBody && c.top().kind != ast.KindAsyncFunctionDef {
		// break looks for its loop beyond an async def, but not beyond a def.
		p.inLoop = false
	}
	c.queue = append(c.queue, p)
}

// visitPostponed visits all postponed parts. A visit may postpone more: they follow.
func (c *Checker) visitPostponed() {
	c.deferred = true
	for i := 0; i < len(c.queue); i++ {
		p := c.queue[i]
		c.scope, c.unit = p.scope, p.unit
		c.conditional, c.inLoop = p.conditional, p.inLoop
		c.nameErrorCaught, c.inString, c.inAnnotation = false, false, outsideAnnotation
		around := c.records[p.around].node
		c.stack = append(c.stack[:0], frame{node: around, record: p.around, kind: c.records[p.around].kind})
		switch p.kind {
		case postponedBody:
			switch n := around.(type) {
			case *ast.Lambda:
				c.visitBodyOf(n.Args, nil, n.Body)
			case *ast.FunctionDef:
				c.visitBodyOf(n.Args, n.Body, nil)
			case *ast.AsyncFunctionDef:
				c.visitBodyOf(n.Args, n.Body, nil)
			}
		case postponedAnnotation:
			c.visitAs(bareAnnotation, p.node)
		case postponedString:
			c.visitString(p.node.(*ast.Constant))
		case postponedDoctest:
			c.visitDoctest(around)
		}
	}
	clear(c.queue) // keep no tree alive
	c.queue = c.queue[:0]
}
