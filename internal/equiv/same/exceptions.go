package same

import (
	"codelinter/ast"
	"codelinter/internal/equiv/asked"
)

// This file writes with and try.

func (w *writer) with(in int32, s *ast.With, node ast.Stmt) {
	w.kind(node)
	for _, item := range s.Items {
		w.kind(item)
		w.expr(in, item.ContextExpr)
		if item.OptionalVars != nil {
			w.maybe(w.dropped(in, item.OptionalVars), func() { w.expr(in, item.OptionalVars) })
		}
		w.end()
	}
	w.end()
	w.block(in, s.Body, noTail)
}

func (w *writer) try(in int32, s *ast.Try, node ast.Stmt) {
	w.kind(node)
	w.block(in, s.Body, noTail)
	for _, handler := range s.Handlers {
		w.kind(handler)
		if handler.Type == nil && w.edits.At(asked.Catch, handler.Start) {
			w.caught(in)
		} else {
			w.optional(in, handler.Type)
		}
		if handler.Name != "" {
			w.maybe(w.droppedHandler(in, handler), func() { w.name(in, handler.Name) })
		}
		w.end()
		w.block(in, handler.Body, noTail)
	}
	w.end()
	w.block(in, s.Orelse, noTail)
	w.block(in, s.FinalBody, noTail)
}
