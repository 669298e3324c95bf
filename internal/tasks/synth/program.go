package synth

import (
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/ast"
	"codelinter/fix"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// A fault is an edit of a clean program that causes a finding.
type fault struct {
	code rule.Code
	// also has other codes that it causes: a comment that is indented by three columns is not
	// at a multiple of four (E114), and not where it should be (E116).
	also []rule.Code
	// edits are sorted, and do not overlap.
	edits []fix.Edit
}

// A finder finds the places of a program where people make faults. It reuses its memory: its
// results are valid until the next program.
type finder struct {
	source.File
	tokenizer tokenizer.Tokenizer
	parser    parser.Parser
	walker    ast.Walker

	tokens []tokenizer.Token
	module *ast.Module
	// firstOf is the index of each row's first token that is not INDENT or DEDENT, or -1. Rows
	// count from 1.
	firstOf []int32
	// heads has for each token the first token of its logical line besides comments, or -1.
	heads []int32
	// strings marks rows that begin within a string, where nothing may be inserted.
	strings []bool
	names   map[string]bool // all identifiers of the program

	faults []fault
	edits  []fix.Edit // of all faults
}

// find returns the faults for a program. ok is false if it does not parse.
func (f *finder) find(text []byte) ([]fault, bool) {
	f.faults, f.edits = f.faults[:0], f.edits[:0]
	if f.Load(text) != nil {
		return nil, false
	}
	tokens, err := f.tokenizer.Tokenize(f.Text, tokenizer.Options{Target: f.Target})
	if err != nil {
		return nil, false
	}
	f.tokens = tokens
	module, ok := f.parser.ParseText(f.Text, parser.Options{Target: f.Target})
	if !ok {
		return nil, false
	}
	f.module = module
	f.findRows()
	f.findNames()

	f.spaces()
	f.comments()
	f.rowEnds()
	f.blankLines()
	f.tabs()
	f.continuations()
	f.blocks(module.Body)
	f.imports()
	f.expressions()
	return f.faults, true
}

// add adds a fault and sorts its edits.
func (f *finder) add(code rule.Code, edits ...fix.Edit) { f.addWith(code, nil, edits...) }

func (f *finder) addWith(code rule.Code, also []rule.Code, edits ...fix.Edit) {
	from := len(f.edits)
	f.edits = append(f.edits, edits...)
	own := f.edits[from:len(f.edits):len(f.edits)]
	slices.SortStableFunc(own, func(a, b fix.Edit) int { return int(a.Start) - int(b.Start) })
	f.faults = append(f.faults, fault{code, also, own})
}

// insert, remove and replace make edits.
func insert(at int32, text string) fix.Edit { return fix.Edit{Start: at, End: at, New: text} }

func remove(start, end int32) fix.Edit { return fix.Edit{Start: start, End: end} }

func replace(start, end int32, text string) fix.Edit {
	return fix.Edit{Start: start, End: end, New: text}
}

// findRows fills firstOf, heads and strings.
func (f *finder) findRows() {
	rows := f.Lines() + 1
	f.firstOf = slices.Grow(f.firstOf[:0], rows)[:rows]
	f.strings = slices.Grow(f.strings[:0], rows)[:rows]
	for i := range rows {
		f.firstOf[i], f.strings[i] = -1, false
	}
	f.heads = f.heads[:0]
	head := int32(-1)
	for i := range f.tokens {
		t := &f.tokens[i]
		switch {
		case t.Kind == tokenizer.INDENT || t.Kind == tokenizer.DEDENT:
			head = -1
		case head < 0 && isInk(t):
			head = int32(i)
		}
		f.heads = append(f.heads, head)
		if t.Kind == tokenizer.NEWLINE {
			head = -1
		}
		if t.Kind == tokenizer.INDENT || t.Kind == tokenizer.DEDENT || t.Kind == tokenizer.ENDMARKER || int(t.Row) >= rows {
			continue
		}
		if f.firstOf[t.Row] < 0 && !f.strings[t.Row] {
			f.firstOf[t.Row] = int32(i)
		}
		if t.Flags&tokenizer.Multiline != 0 {
			for row := int(t.Row) + 1; row <= min(f.Row(t.End), rows-1); row++ {
				f.strings[row] = true
			}
		}
	}
}

// findNames fills names with the identifiers of the program, attributes and keywords included.
func (f *finder) findNames() {
	if f.names == nil {
		f.names = map[string]bool{}
	}
	clear(f.names)
	for i := range f.tokens {
		if t := &f.tokens[i]; t.Kind == tokenizer.NAME && t.Keyword == tokenizer.NotKeyword {
			f.names[t.Text(f.Text)] = true
		}
	}
}

// indent returns how many blanks a row begins with.
func (f *finder) indent(row int) int {
	line := f.Line(row)
	return len(line) - len(strings.TrimLeft(line, " "))
}

// isBlank reports whether a row has nothing but blanks, outside of strings.
func (f *finder) isBlank(row int) bool {
	return !f.strings[row] && strings.TrimSpace(f.Line(row)) == ""
}

// width returns how many characters a text has.
func width(text string) int { return utf8.RuneCountInString(text) }

func (f *finder) part(n ast.Node) string {
	b := n.Bounds()
	return f.Text[b.Start:b.End]
}

// tokenAt returns the index of the first token that starts at or after an offset.
func (f *finder) tokenAt(at int32) int {
	i, _ := slices.BinarySearchFunc(f.tokens, at, func(t tokenizer.Token, at int32) int { return int(t.Start) - int(at) })
	for i < len(f.tokens) && (f.tokens[i].Kind == tokenizer.INDENT || f.tokens[i].Kind == tokenizer.DEDENT) {
		i++
	}
	return i
}
