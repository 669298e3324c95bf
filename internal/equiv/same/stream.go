package same

import (
	"encoding/binary"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/internal/equiv/scope"
)

// This file writes a text as a stream of bytes from which an equivalent program could be built. Two
// texts with the same stream do the same, as every part of a stream marks its end.
//
// The stream is the tree, node by node, but for rewrites that keep the meaning everywhere, as far
// as the text itself shows. They keep what a run of the program can show: values, output, types of
// exceptions. The interpreter's messages for people (texts of its exceptions, line numbers in
// tracebacks) do not count. Neither do effects of memory addresses or of an interrupt from the
// keyboard.
//
// - What the parser drops is omitted: blanks, comments, parentheses, quotes, spellings of numbers
//   and escapes, splits of strings, semicolons.
// - Statements that do nothing are omitted: pass, constants, names that are surely bound. return
//   None becomes return, and is omitted at a function's end; so is continue at a loop's end.
// - Conditions and the branches that they choose have one order, see control.go. A value that only
//   gets a name is written without it. a not in b becomes not a in b, a is not b becomes
//   not a is b.
// - Idioms are written in one way, see idioms.go. An f-string without fields becomes a string.
// - Imports of Python's own modules whose names nobody reads are omitted; others that nothing above
//   them can notice come before it, see imports.go.

// A writer writes streams and patterns, and reuses its memory.
type writer struct {
	scope.Table
	out      []byte
	callers  *scope.Callers
	marks    []mark                 // by symbol
	numbered int32                  // variables so far
	nodes    []ast.Node             // children of the nodes that are being written
	hints    []span                 // of the stream: annotations that may be left out
	inlined  map[*ast.Name]ast.Expr // names that stand for their values
	naming   map[ast.Stmt]bool      // statements that only give these names
	view     view

	hoisted []bool             // by import: it is written before its place
	lastUse []int32            // by name: 1 + the last statement so far that uses it, or 0
	moves   map[importKey]bool // imports that findings of the program ask to move to the top

	alike bool     // what does the same for ordinary values is written in one way, see alike.go
	taken ast.Expr // then: a list of which only the items are taken

	place    place  // that is being written
	ordinary []bool // by scope: a class without decorators, bases and keywords
	fixed    []bool // by scope: a function whose parameters may be passed by keyword

	// For a program that is written as a pattern.
	isOriginal    bool
	writesPattern bool
	edits         *asked.Edits
	steps         []patternStep
	flushed       int32 // length of out that is in steps
	request       request
	kept          ast.Expr // is written as it is, though a finding asks to replace it
}

// A place is in which definitions something stands.
type place struct {
	inAsync   bool          // in an async def, and not in a def or a class within it
	inForeign bool          // in a class whose methods other code may call by keyword
	inUnknown bool          // in a class whose docstrings other code may read
	class     *ast.ClassDef // that is being written
	method    int32         // scope of the method of it that is being written
	self      string        // the method's first parameter
}

// A mark is the state of a symbol while the stream is written.
type mark struct {
	number  int32 // of a variable of a function, from 1; 0 before its first use
	imports int32 // that bind it
	first   int32 // of these
	differ  bool  // they do not bind it to the same
}

// Bytes between the nodes of a stream. They are none of the kinds of nodes.
const (
	opEnd        byte = 128 + iota // the end of a list
	opAbsent                       // an optional part is missing
	opImport                       // one name of an import statement
	opStar                         // from ... import *
	opName                         // a name that stays as it is
	opAnnotation                   // an annotation
	opNegated                      // not
	opTruth                        // bool of an expression
	opLazy                         // an import that is lazy
	opVariable                     // a variable that no class binds: scopes between, number, name
	opDoc                          // a docstring
)

// write writes a text into w.out, after w.Read, as the program's pattern if w.writesPattern. It
// reports whether CPython compiles the text; other texts have no stream.
func (w *writer) write(module *ast.Module, callers *scope.Callers) bool {
	if w.Facts.TooDeep || w.Facts.Broken {
		return false
	}
	w.begin(callers)
	w.body(0, module.Body, noTail, w.writesPattern && w.docFree(nil, false))
	w.end()
	w.flush()
	return true
}

// begin resets the writer for another text.
func (w *writer) begin(callers *scope.Callers) {
	w.out, w.callers = w.out[:0], callers
	w.numbered, w.hints = 0, w.hints[:0]
	w.steps, w.flushed = w.steps[:0], 0
	w.marks = append(w.marks[:0], make([]mark, len(w.Symbols))...)
	scopes := len(w.Scopes)
	w.ordinary, w.fixed = append(w.ordinary[:0], make([]bool, scopes)...), append(w.fixed[:0], make([]bool, scopes)...)
	w.place = place{}
	w.taken = nil // the next tree may have its memory
	if w.inlined == nil {
		w.inlined, w.naming = map[*ast.Name]ast.Expr{}, map[ast.Stmt]bool{}
	}
	clear(w.inlined)
	clear(w.naming)
	w.inline()
}

func (w *writer) op(b byte) { w.out = append(w.out, b) }

func (w *writer) end() { w.out = append(w.out, opEnd) }

func (w *writer) uint(v int) { w.out = binary.AppendUvarint(w.out, uint64(v)) }

func (w *writer) string(text string) {
	w.uint(len(text))
	w.out = append(w.out, text...)
}

func (w *writer) kind(node ast.Node) { w.op(byte(node.Kind())) }

// flag writes a truth.
func (w *writer) flag(is bool) {
	if is {
		w.op(1)
	} else {
		w.op(0)
	}
}

// name writes a name that stands in a scope: for a variable, the number of scopes between, its number
// in the order of first uses, and its name.
func (w *writer) name(in int32, text string) {
	at := w.Lookup(in, text)
	if at < 0 || w.Scopes[w.Symbols[at].Scope].Kind == scope.ClassScope {
		w.op(opName)
		w.string(text)
		return
	}
	w.op(opVariable)
	hops := 0
	for s := in; s != w.Symbols[at].Scope && s >= 0; s = w.Scopes[s].Parent {
		hops++
	}
	w.uint(hops)
	mark := &w.marks[at]
	if mark.number == 0 {
		w.numbered++
		mark.number = w.numbered
	}
	if !w.writesPattern {
		w.uint(int(mark.number))
		w.string(text)
		return
	}
	w.step(patternStep{kind: stepVariable, index: mark.number - 1})
	if len(w.request.variables) < int(w.numbered) {
		w.request.variables = append(w.request.variables, variable{symbol: at, name: text})
	}
}
