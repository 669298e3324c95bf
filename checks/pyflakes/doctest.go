package pyflakes

import (
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/ast"
	"codelinter/internal/python/pytext"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// doctests is the state of checking docstrings.
type doctests struct {
	text     []byte // the docstring, with its tabs expanded and its indentation removed
	source   []byte // the sources of the docstring's examples
	examples []example
	file     source.File
}

// An example is a statement in a docstring:
//
//	>>> for i in range(3):
//	...     print(i)
type example struct {
	from, to int // its source, in doctests.source
	row      int // of its first line in the docstring, from 0
	indent   int
}

// visitDoctest visits the examples in the docstring of a function or a class. They form a
// module of their own, inside the file's module.
func (c *Checker) visitDoctest(n any) {
	var body []ast.Stmt
	switch n := n.(type) {
	case *ast.FunctionDef:
		body = n.Body
	case *ast.AsyncFunctionDef:
		body = n.Body
	case *ast.ClassDef:
		body = n.Body
	}
	if len(body) == 0 || !isString(body[0]) {
		return
	}
	docstring := body[0].(*ast.ExprStmt)
	if !c.doctests.read(docstring.Value.(*ast.Constant).Text) || len(c.doctests.examples) == 0 {
		return
	}
	row, _ := c.place(c.unit, docstring.Start)
	row--
	literal := c.extent(c.unit, docstring.Range)

	around := c.unit
	c.parsed = true
	c.scope = 0
	c.enterScope(doctestScope)
	if c.lookup(0, nameUnderscore) == none {
		c.set(c.scope, nameUnderscore, c.newBinding(binding{kind: builtin, name: nameUnderscore, source: none}))
	}
	sources := string(c.doctests.source) // outlives the next docstring
	for _, e := range c.doctests.examples {
		text := sources[e.from:e.to]
		if strings.IndexByte(text, '\r') >= 0 {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		}
		module, ok := c.parser.ParseFragment(text, parser.Options{Target: c.options.Target})
		if !ok {
			c.reportExample(literal, text, row, e)
			continue
		}
		c.visitExample(module, literal, text, row, e)
		c.unit = around
	}
	c.leaveScope()
}

// inDoctest reports whether the current scope is within a doctest.
func (c *Checker) inDoctest() bool { return c.scopes[c.scope].global != 0 }

// reportExample reports an example in a docstring that is not Python.
func (c *Checker) reportExample(literal ast.Range, text string, row int32, e example) {
	if !c.enabled.Has(rule.F721) {
		return
	}
	d := &c.doctests
	if err := d.file.Load([]byte(text)); err != nil {
		return
	}
	failure := c.parser.Diagnose(&d.file, parser.Options{Target: c.options.Target}, true)
	if failure == nil {
		return
	}
	c.findings = append(c.findings, rule.Finding{
		Row:    row + int32(e.row) + int32(failure.Row),
		Column: int32(e.indent) + promptSize + int32(failure.Offset) + 1,
		Start:  literal.Start,
		End:    literal.End,
		Code:   rule.F721,
	})
}

// promptSize is the length of ">>> " and "... ".
const promptSize = 4

// visitExample visits an example in a docstring that was parsed from text.
func (c *Checker) visitExample(module *ast.Module, literal ast.Range, text string, row int32, e example) {
	rows, columns := row+int32(e.row), int32(e.indent+promptSize)
	c.addUnit(unit{kind: exampleUnit, text: text, literal: literal})
	c.units[c.unit].raw = c.unit
	c.addUnit(unit{
		kind: exampleUnit, text: text, row: rows, column: columns,
		addedRows: rows, addedColumns: columns, raw: c.unit, literal: literal,
	})
	root := recordID(len(c.records))
	c.records = append(c.records, record{node: module, parent: none, around: none, unit: c.unit})
	c.conditional, c.inLoop = false, false
	c.stack = append(c.stack[:0], frame{node: module, record: root})
	c.visitModule(module.Body)
}

// read finds the examples in a docstring as Python's doctest module does. It
// returns false if that would raise an exception.
func (d *doctests) read(docstring string) bool {
	d.examples, d.source = d.examples[:0], d.source[:0]
	if !strings.Contains(docstring, ">>>") {
		return true
	}
	indent := d.expand(docstring)
	l := newLineReader(string(d.text))
	for !l.done {
		spaces := indentOf(l.line)
		if !strings.HasPrefix(l.line[spaces:], ">>>") {
			l.next()
			continue
		}
		prefix := l.line[:spaces]
		e := example{from: len(d.source), row: l.row, indent: indent + spaces}
		if !d.addLine(l.line, spaces) {
			return false
		}
		for l.next(); !l.done && strings.HasPrefix(l.line[indentOf(l.line):], "..."); l.next() {
			d.source = append(d.source, '\n')
			if indentOf(l.line) != spaces || !d.addLine(l.line, spaces) {
				return false
			}
		}
		// What the example should print must be indented like it.
		for ; !l.done; l.next() {
			rest := l.line[indentOf(l.line):]
			if rest == "" || strings.HasPrefix(rest, ">>>") {
				break
			}
			if !strings.HasPrefix(l.line, prefix) {
				return false
			}
		}

		e.to = len(d.source)
		text := string(d.source[e.from:])
		blank := isBlankOrComment(text)
		if options, ok := readOptions(text); !ok || options && blank {
			return false
		}
		if blank {
			d.source = d.source[:e.from]
		} else {
			d.examples = append(d.examples, e)
		}
	}
	return true
}

// A lineReader goes through a text line by line.
type lineReader struct {
	line string // without its newline
	row  int
	rest string
	more bool // there is a line in rest
	done bool // there was no next line
}

func newLineReader(text string) lineReader {
	l := lineReader{row: -1, rest: text, more: true}
	l.next()
	return l
}

func (l *lineReader) next() {
	l.done = !l.more
	l.line, l.rest, l.more = strings.Cut(l.rest, "\n")
	l.row++
}

// addLine adds a line without its indentation and prompt. It returns false if
// no blank comes after the prompt.
func (d *doctests) addLine(line string, indent int) bool {
	skip := indent + promptSize
	for i := range line {
		// Both count characters.
		if skip == 0 {
			if line[i-1] != ' ' {
				return false
			}
			d.source = append(d.source, line[i:]...)
			return true
		}
		skip--
	}
	return skip > 0 || line[len(line)-1] == ' '
}

// indentOf returns how many spaces the line begins with.
func indentOf(line string) int {
	return len(line) - len(strings.TrimLeft(line, " "))
}

// expand fills d.text with the docstring, its tabs expanded, and without the
// indentation that all of its lines have, which it returns.
func (d *doctests) expand(docstring string) int {
	d.text = d.text[:0]
	column := 0
	for i := 0; i < len(docstring); {
		switch b := docstring[i]; {
		case b == '\t':
			for {
				d.text = append(d.text, ' ')
				column++
				if column%8 == 0 {
					break
				}
			}
			i++
		case b == '\n' || b == '\r':
			d.text = append(d.text, b)
			column = 0
			i++
		default:
			_, size := utf8.DecodeRuneInString(docstring[i:])
			if b == 0xed && size == 1 && i+3 <= len(docstring) {
				size = 3 // a surrogate
			}
			d.text = append(d.text, docstring[i:i+size]...)
			column++
			i += size
		}
	}

	indent := -1
	all := string(d.text)
	for l := newLineReader(all); !l.done; l.next() {
		spaces := indentOf(l.line)
		if r, _ := utf8.DecodeRuneInString(l.line[spaces:]); spaces == len(l.line) || pytext.IsSpace(r) {
			continue
		}
		if indent < 0 || spaces < indent {
			indent = spaces
		}
	}
	if indent <= 0 {
		return 0
	}
	d.text = d.text[:0]
	for l := newLineReader(all); !l.done; l.next() {
		d.text = append(d.text, skipRunes(l.line, indent)...)
		if l.more {
			d.text = append(d.text, '\n')
		}
	}
	return indent
}

// skipRunes returns line without its first n characters. They are spaces, but in
// a line that consists of, or begins with, space of another kind.
func skipRunes(line string, n int) string {
	for i := range line {
		if n == 0 {
			return line[i:]
		}
		n--
	}
	return ""
}

// isBlankOrComment reports whether an example has no code: it matches [ ]*(#.*)?$
// at its start, whatever comes on later lines.
func isBlankOrComment(text string) bool {
	rest := text[indentOf(text):]
	if strings.HasPrefix(rest, "#") {
		return !strings.Contains(strings.TrimSuffix(rest, "\n"), "\n")
	}
	return rest == "" || rest == "\n"
}

// optionFlags are the options that an example may set.
var optionFlags = []string{
	"DONT_ACCEPT_TRUE_FOR_1", "DONT_ACCEPT_BLANKLINE", "NORMALIZE_WHITESPACE",
	"ELLIPSIS", "SKIP", "IGNORE_EXCEPTION_DETAIL", "REPORT_UDIFF", "REPORT_CDIFF",
	"REPORT_NDIFF", "REPORT_ONLY_FIRST_FAILURE", "FAIL_FAST",
}

// readOptions reads the comments like
//
//	# doctest: +SKIP, -ELLIPSIS
//
// in an example. It reports whether there are options, and whether all are known.
// Python finds the comments with the regular expression
//
//	#\s*doctest:\s*([^\n'"]*)$
//
// whose \s matches newlines too. If nothing follows the colon, the next line of code is taken for
// the options, unless it has a quote.
func readOptions(text string) (options, ok bool) {
	for {
		at := strings.IndexByte(text, '#')
		if at < 0 {
			return options, true
		}
		text = text[at+1:]
		list, is := strings.CutPrefix(strings.TrimLeftFunc(text, pytext.IsSpace), "doctest:")
		if !is {
			continue
		}
		list = strings.TrimLeftFunc(list, pytext.IsSpace)
		end := strings.IndexAny(list, "\n'\"")
		if end < 0 {
			end = len(list)
		}
		list, text = list[:end], list[end:]
		if text != "" && text[0] != '\n' {
			continue // a quote
		}
		for _, option := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || pytext.IsSpace(r) }) {
			options = true
			if option[0] != '+' && option[0] != '-' || !slices.Contains(optionFlags, option[1:]) {
				return true, false
			}
		}
	}
}
