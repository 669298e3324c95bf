package same

import (
	"codelinter/ast"
	"codelinter/internal/equiv/asked"
)

// This file writes with and try.

// raisesBase reports whether the text has the name BaseException elsewhere than
// in a handler.
func (n *normalizer) raisesBase(module *ast.Module) bool {
	id, known := n.IDs["BaseException"]
	if !known {
		return false
	}
	mentions, handlers := 0, 0
	for i := range n.Uses {
		if n.Uses[i].Name == id {
			mentions++
		}
	}
	ast.Inspect(module, func(node ast.Node) bool {
		if h, is := node.(*ast.ExceptHandler); is {
			if name, is := h.Type.(*ast.Name); is && name.ID == "BaseException" {
				handlers++
			}
		}
		return true
	})
	return mentions != handlers || n.Table.Names[id].Builtin < 0
}

func (n *normalizer) with(in int32, s *ast.With, node ast.Stmt) {
	n.kind(node)
	for _, item := range s.Items {
		n.kind(item)
		n.expr(in, item.ContextExpr)
		if item.OptionalVars == nil || n.isDead(in, item.OptionalVars) || n.dropped(in, item.OptionalVars) {
			n.op(opAbsent)
		} else {
			n.expr(in, item.OptionalVars)
			n.surely(in, item.OptionalVars)
		}
	}
	n.end()
	n.Tries++
	n.block(in, s.Body, noTail)
	n.Tries--
}

func (n *normalizer) try(in int32, s *ast.Try, node ast.Stmt) {
	n.kind(node)
	n.Tries++
	n.block(in, s.Body, noTail)
	n.Tries--
	for i, handler := range s.Handlers {
		n.kind(handler)
		if last := i == len(s.Handlers)-1; last && !n.literal && node.Kind() == ast.KindTry && n.catchesAll(in, handler.Type, s.Body) {
			n.op(opAbsent)
		} else if handler.Type == nil && n.edits.At(asked.Catch, handler.Start) {
			n.caught(in)
		} else {
			n.optional(in, handler.Type)
		}
		if handler.Name == "" || n.droppedHandler(in, handler) || n.deadHandler(in, handler.Name) {
			n.op(opAbsent)
		} else {
			n.name(in, handler.Name)
		}
		n.handler(in, handler)
	}
	n.end()
	n.block(in, s.Orelse, noTail)
	n.block(in, s.FinalBody, noTail)
}

// handler writes the body of a handler, in which its name is bound.
func (n *normalizer) handler(in int32, h *ast.ExceptHandler) {
	at := int32(-1)
	if h.Name != "" {
		at = n.Lookup(in, h.Name)
	}
	if at >= 0 {
		n.marks[at].definite = n.Symbols[at].Dels == 0
	}
	n.block(in, h.Body, noTail)
	if at >= 0 {
		n.marks[at].definite = false
	}
}

// catchesAll reports whether a handler catches everything that the body may
// raise: it has no type, its type is BaseException, or its type is Exception and
// nothing raises anything else.
func (n *normalizer) catchesAll(in int32, handler ast.Expr, body []ast.Stmt) bool {
	if handler == nil {
		return true
	}
	name, is := handler.(*ast.Name)
	if !is || n.literal || !n.isBuiltinName(in, name.ID) {
		return false
	}
	switch name.ID {
	case "BaseException":
		return true
	case "Exception":
		return !n.wayOut && !suspends(body)
	}
	return false
}

// suspends reports whether a caller may throw an exception such as GeneratorExit
// or CancelledError into statements.
func suspends(body []ast.Stmt) bool {
	found := false
	for _, statement := range body {
		ast.Inspect(statement, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.Yield, *ast.YieldFrom, *ast.Await, *ast.AsyncFor, *ast.AsyncWith:
				found = true
			case *ast.Comprehension:
				found = found || node.IsAsync
			}
			return !found
		})
	}
	return found
}
