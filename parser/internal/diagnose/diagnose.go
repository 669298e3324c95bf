// Package diagnose finds the exception that CPython raises for a text that it
// cannot parse: type, message, line and offset, exactly.
//
//	var file source.File
//	file.Load([]byte("print 'hello'\n"))
//	err := new(diagnose.Diagnoser).Diagnose(&file, source.Python314)
//	// 1:1: SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?
//
// # Why a second parser
//
// A text may have several faults. CPython reports the one that its parser happens to meet.
// CPython's parser matches parsing expressions: it tries the alternatives of a rule in order,
// memoizes results by the token where they began, and reads a token only when an alternative needs
// it. The last token read so far is the place of many errors. A parser that works in another way
// reads other tokens. So this package matches CPython's rules in CPython's order. It runs only on
// texts that the fast parser has refused.
//
//   - grammar.txt holds the rules, in a notation explained at its top.
//   - grammar.go compiles them into tables, on first use.
//   - machine.go matches tables against a text.
//   - whole.go skips what is known to be Python.
//   - actions.go holds what cannot be said in the notation.
//   - errors.go words and places errors.
//
// # How one error is chosen
//
// The first pass only parses. An error of the tokenizer ends everything. If the first pass fails
// otherwise, a second pass starts over with more alternatives, which match typical faults and raise
// their own errors. If none of these matches, the error is "invalid syntax" at the last token of
// the first pass. Then the rest of the text is tokenized. An error of the tokenizer there replaces
// the parser's error, and so does a bracket left open on an earlier line.
//
// # Shortcuts
//
// A rule's alternatives are tried only if they can begin with the next token, a
// left-recursive rule stops growing when the next token cannot prolong it, and an
// alternative takes over what an earlier one began with. If no operator follows, the rules
// from a disjunction down to an atom are matched in one step. More results are memoized
// than in CPython. The shortcuts read the same tokens and give the same results. Only the
// depth differs, so near CPython's limit of depth the result may differ. Statements that
// the fast parser has completed are not matched again, see whole.go.
package diagnose

import (
	"strings"

	"codelinter/ast"
	"codelinter/source"
	"codelinter/tokenizer"
)

// A SyntaxError is the exception that CPython raises for a text.
type SyntaxError struct {
	// Type is the exception's class: SyntaxError, IndentationError, TabError,
	// or if Fatal is set another one.
	Type string
	// Message is its first argument.
	Message string
	// Row is its lineno, from 1.
	Row int
	// Offset is its offset in characters, from 1; 0 is before the first one.
	Offset int
	// NoDetails marks an exception whose arguments hold no place, which flake8
	// shows at 1:1.
	NoDetails bool
	// Fatal marks an exception that is not a SyntaxError. flake8 crashes with a fatal exception.
	Fatal bool
}

func (e *SyntaxError) Error() string { return e.Type + ": " + e.Message }

// A Diagnoser diagnoses one text after the other, and reuses memory. The zero Diagnoser is ready
// for use. It is not safe for concurrent use.
type Diagnoser struct {
	// LongWay makes it try every alternative. The result is the same, in more time: an oracle for
	// tests of the shortcuts.
	LongWay bool
	machine machine
}

// Skipped returns how many valid statements the last call has passed over.
func (d *Diagnoser) Skipped() int { return len(d.machine.skips) }

// Diagnose returns the exception that CPython raises for file, nil if there is
// none. It is overwritten by the next call.
func (d *Diagnoser) Diagnose(file *source.File, target source.Version) *SyntaxError {
	return d.DiagnoseAround(file, target, nil, nil)
}

// DiagnoseAround is Diagnose for callers that have the text's tokens and know that some statements
// are valid, as a parser.Parser that has refused the text does. It returns the same exception in
// less time.
func (d *Diagnoser) DiagnoseAround(file *source.File, target source.Version, tokens []tokenizer.Token, valid []ast.Range) *SyntaxError {
	m := &d.machine
	m.field, m.longWay = nil, d.LongWay
	if strings.IndexByte(file.Text, 0) >= 0 {
		m.err = SyntaxError{Type: syntaxError, Message: "source code string cannot contain null bytes", NoDetails: true}
		return &m.err
	}
	m.grammar = pythonGrammar(target)
	m.reset(file, target, 0)
	m.findSkips(tokens, valid)
	if !m.parses(m.grammar.file) {
		return &m.err
	}
	if !m.features.ParserKnowsFutures {
		return nil
	}
	if len(m.skips) > 0 { // the fast parser was wrong, as it may be in deeply nested code
		return d.Diagnose(file, target)
	}
	return m.checkFuture()
}

// parses reports whether the text matches the rule; otherwise m.err says why not.
func (m *machine) parses(start uint16) bool {
	if m.call(start) != 0 && !m.failed {
		return true
	}
	last := len(m.tokens) - 1 // of the first pass
	if !m.failed {
		m.restart(true)
		m.call(start)
	}
	if !m.failed {
		m.generic(int32(last))
	}
	if !m.final {
		m.readOn()
	}
	return false
}
