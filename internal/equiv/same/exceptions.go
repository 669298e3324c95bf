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
			w.bindDefinitely(in, item.OptionalVars)
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
		w.handler(in, handler)
	}
	w.end()
	w.block(in, s.Orelse, noTail)
	w.block(in, s.FinalBody, noTail)
}

// handler writes the body of a handler, in which its name is bound.
func (w *writer) handler(in int32, h *ast.ExceptHandler) {
	at := int32(-1)
	if h.Name != "" {
		at = w.Lookup(in, h.Name)
	}
	if at >= 0 {
		w.marks[at].definite = w.Symbols[at].Dels == 0
	}
	w.block(in, h.Body, noTail)
	if at >= 0 {
		w.marks[at].definite = false
	}
}
