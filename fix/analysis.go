package fix

import (
	"slices"
	"sort"
	"strings"

	"codelinter/ast"
	"codelinter/internal/guard"
	"codelinter/lint"
	"codelinter/pep8"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// An analysis is a text with what is known of it.
type analysis struct {
	text     string
	file     *source.File
	tokens   []tokenizer.Token
	module   *ast.Module // nil if the text is not Python, or parse was not called
	parsable bool        // it is not parsed, but it is Python, see parse
	// keepsTree says that the tree is that of the parent.
	keepsTree bool
	linted    lint.Result // of the buffer; empty for a text without one
	spans     []pep8.Span // of its tokens that edits made, if the others only moved
	findings  []rule.Finding
	hidden    []rule.Finding // what a "# noqa" silences
	reasons   []Reason       // for those findings whose generators were asked why they stay
	lines     []line

	// Found out when it is asked for.
	*facts
	moves              []pep8.Move // of realign, if aligned is set
	aligned            bool
	program            *guard.Program          // of proves
	margins            map[int32]string        // of docstrings, by their offsets
	docs               map[int32]*ast.Constant // of docstrings
	ofTests            map[int32]bool          // which of them test runners show the first rows of
	ofFunctions        map[int32]bool          // which of them are of functions
	unneeded           map[ast.Node][]string   // names that a declaration does not need, see dropDeclaration
	named              map[ast.Node][]string   // names in place of the star of an import, see nameImports
	unread             map[ast.Node]bool       // captures that nothing reads, see dropCapture
	surplus            map[ast.Node]bool       // arguments that a format does not use, see dropArguments
	unformatted        []ast.Range             // of isUnformatted
	mentionsFormatters bool

	// The text from which edits made this one; nil for the first.
	parent *analysis
	edits  []Edit
	ruled  []Edit  // those of the edits that a rule proves
	places []int32 // offsets of the edits in this text, see back

	tops []int // for each line, the top-level line above it, see indentation
	code int   // see commentDepth
	work int   // see find
}

// facts are what a program says of names. Edits of layout do not change them, so a text shares them
// with the one that it was made of.
type facts struct {
	names      map[string]bool       // of hasName
	examples   map[string]bool       // of isInExample
	arguments  map[string]bool       // of isFoundByName
	bound      map[string]int        // number of bindings, see findBindings
	values     map[string][]ast.Expr // assigned to names
	modules    map[string]bool       // imported as they are called
	patched    bool                  // names of Python's own may be bound in their module
	typed      answer                // of comparesTypes
	docsRead   answer                // of readsDoc
	framesRead answer                // of showsVariables
	catchesAll answer                // of bareExcept: BaseException is Python's own
	mentioned  *mentions             // of mentions
}

// An answer is that to a question that is asked once.
type answer uint8

const (
	unknown answer = iota
	no
	partly // of readsDoc
	yes
)

// answerOf returns yes for true.
func answerOf(is bool) answer {
	if is {
		return yes
	}
	return no
}

// A mark is a code and the logical line of its finding.
type mark struct {
	line int
	code rule.Code
}

// A line is a logical line: a statement, the head of a block, or a comment on its own row.
type line struct {
	first, last int   // tokens; the last is the NEWLINE or NL at its end
	start, end  int32 // its text, from the end of the line before
	depth       int   // of its block
	comment     bool
}

// A buffer keeps a text with its tokens, tree and lines until it gets another one.
type buffer struct {
	linter *lint.Linter
	lines  []line
}

// maxBuffers bounds the texts that share memory with those of other files.
const maxBuffers = 8

// buffer returns the next one.
func (f *Fixer) buffer() *buffer {
	if f.used == len(f.buffers) {
		f.buffers = append(f.buffers, buffer{linter: f.linter.Clone()})
	}
	return &f.buffers[f.used]
}

// analyze reads a text without a byte order mark or carriage returns. name is the file's name. If
// the text is Python, accepts is asked before it is linted. If that returns false, so does analyze,
// without findings. meaning says that the edits may change the tree.
func (f *Fixer) analyze(name string, text []byte, parent *analysis, edits []Edit, meaning bool, accepts func(*analysis) bool) (s *analysis, accepted bool) {
	if f.used == maxBuffers || !f.options.Target.Features().PEP701 {
		return f.analyzeAlone(name, text, parent, edits, accepts)
	}
	k := f.buffer()
	accepted = true
	isWhole := func(result *lint.Result) bool {
		return len(result.File.Text) == len(text) && !result.File.FellBack && result.Tokens != nil
	}
	result := k.linter.Lint(lint.Input{
		Name: name, Data: text, Tree: true, Silenced: true, Repeatable: true, Edited: parent.edited(edits),
		SkipTree: func(result *lint.Result) bool { return !meaning && isWhole(result) && f.hasTreeOf(parent, result) },
		Proceed: func(result *lint.Result) bool {
			if !isWhole(result) {
				return true
			}
			s = k.analysisOf(result, parent, edits)
			accepted = accepts(s)
			return accepted
		},
		KeepsTree: func() bool { return s != nil && s.keepsTree },
	})
	if s == nil {
		return f.analyzeAlone(name, text, parent, edits, accepts)
	}
	if accepted {
		f.lints++
		f.read += len(text)
		f.used++
		s.linted, s.findings, s.hidden = result, result.Findings, result.Silenced
	}
	return s, accepted
}

// analysisOf returns the analysis of a text that the buffer's linter has parsed. It is valid until
// that lints again.
func (k *buffer) analysisOf(result *lint.Result, parent *analysis, edits []Edit) *analysis {
	s := &analysis{
		facts: &facts{}, parent: parent, edits: edits, file: result.File, text: result.File.Text, tokens: result.Tokens, module: result.Tree,
		parsable: result.Tree == nil, findings: result.Findings, hidden: result.Silenced, spans: result.Spans,
	}
	s.lines = k.lines[:0]
	s.findLines()
	k.lines = s.lines
	return s
}

// edited says how edits make another text of this one, or nil if too much of it may change.
func (s *analysis) edited(edits []Edit) *lint.Edited {
	if s == nil || s.linted.Tokens == nil || len(edits) == 0 {
		return nil
	}
	var changes []lint.Change
	through := -1 // the last line of a change
	for _, e := range edits {
		from, to := s.lineAt(e.Start), s.lineAt(max(e.Start, e.End-1))
		if from > through {
			first := 0
			if from > 0 {
				first = s.lines[from-1].last + 1
			}
			changes = append(changes, lint.Change{Start: s.lines[from].start, First: first})
		}
		through = max(through, to)
		l, c := &s.lines[through], &changes[len(changes)-1]
		if l.first == l.last {
			return nil // the blank rows at the end
		}
		c.Size += int32(len(e.New)) - (e.End - e.Start)
		c.End, c.Last = l.end, l.last+1
	}
	for i := range changes {
		changes[i].Size += changes[i].End - changes[i].Start
	}
	return &lint.Edited{Before: &s.linted, Changes: changes}
}

// analyzeAlone is analyze with memory of its own.
func (f *Fixer) analyzeAlone(name string, text []byte, parent *analysis, edits []Edit, accepts func(*analysis) bool) (s *analysis, accepted bool) {
	s = &analysis{facts: &facts{}, parent: parent, edits: edits, file: &source.File{Target: f.options.Target}}
	if s.file.Load(slices.Clone(text)) != nil || s.file.FellBack {
		return nil, false
	}
	s.text = s.file.Text
	if len(s.text) != len(text) { // the text has a new coding cookie or carriage return
		return nil, false
	}
	tokens, err := f.tokenizer.Tokenize(s.text, tokenizer.Options{Target: f.options.Target, ForParser: true})
	if err == nil {
		s.tokens = slices.Clone(tokens)
		if module, ok := parse(s.text, s.tokens, f.options.Target); ok {
			s.module = module
			s.findLines()
			if !accepts(s) {
				return s, false
			}
		}
	}
	f.lints++
	f.read += len(text)
	s.findings, s.hidden = f.lint(name, text)
	return s, true
}

func (s *analysis) isPython() bool { return s.module != nil || s.parsable }

// parse parses a text that has the tokens of an earlier one, and was not parsed for that.
func (s *analysis) parse() {
	if s.parsable {
		s.module, s.parsable = s.linted.Parse(), false
	}
}

// findLines splits the tokens into logical lines.
func (s *analysis) findLines() {
	depth, start := 0, int32(0)
	first := -1
	comment := false
	for i := range s.tokens {
		t := &s.tokens[i]
		switch t.Kind {
		case tokenizer.ENDMARKER:
			continue
		case tokenizer.INDENT:
			depth++
			continue
		case tokenizer.DEDENT:
			depth--
			continue
		case tokenizer.NL:
			if first < 0 || !comment { // a blank row, or one within a statement
				continue
			}
		default:
			if first < 0 {
				first, comment = i, t.Kind == tokenizer.COMMENT
			}
			if t.Kind != tokenizer.NEWLINE {
				continue
			}
		}
		s.lines = append(s.lines, line{first: first, last: i, start: start, end: t.End, depth: depth, comment: comment})
		first, start = -1, t.End
	}
	if start < int32(len(s.text)) || len(s.lines) == 0 {
		n := len(s.tokens) - 1
		s.lines = append(s.lines, line{first: n, last: n, start: start, end: int32(len(s.text)), comment: true})
	}
}

// lineAt returns the index of the logical line at an offset.
func (s *analysis) lineAt(offset int32) int {
	i := sort.Search(len(s.lines), func(i int) bool { return s.lines[i].end > offset })
	return min(i, len(s.lines)-1)
}

// tokenAt returns the index of the first token that ends after an offset.
func (s *analysis) tokenAt(offset int32) int {
	return sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].End > offset })
}

// back returns the offset in an ancestor's text for an offset in this text. Inserted text maps
// to the place of its insertion.
func (s *analysis) back(offset int32, ancestor *analysis) int32 {
	for ; s != ancestor; s = s.parent {
		if s.places == nil {
			shift := int32(0) // bytes added by the edits so far
			for i := range s.edits {
				e := &s.edits[i]
				s.places = append(s.places, e.Start+shift)
				shift += int32(len(e.New)) - (e.End - e.Start)
			}
		}
		i := sort.Search(len(s.places), func(i int) bool { return s.places[i] > offset }) - 1
		if i < 0 {
			continue
		}
		e := &s.edits[i]
		if beyond := offset - s.places[i] - int32(len(e.New)); beyond < 0 {
			offset = e.Start
		} else {
			offset = e.End + beyond
		}
	}
	return offset
}

// statementAt returns the index of the module's statement at an offset, or of the next one.
func (s *analysis) statementAt(offset int32) int {
	body := s.module.Body
	return sort.Search(len(body), func(i int) bool { return body[i].Bounds().End > offset })
}

// indentOf returns the white space at the start of a row.
func (s *analysis) indentOf(row int) string {
	text := s.file.Line(row)
	return text[:len(text)-len(strings.TrimLeft(text, " \t\f"))]
}

// width returns the columns of white space, as Python's tokenizer counts them.
func width(blanks string) int {
	n := 0
	for i := range len(blanks) {
		switch blanks[i] {
		case '\t':
			n = n/8*8 + 8
		case '\f':
			n = 0
		default:
			n++
		}
	}
	return n
}

// isBlankRow reports whether a row has nothing but white space.
func (s *analysis) isBlankRow(row int) bool {
	return strings.Trim(s.file.Line(row), " \t\f\r\v\n") == ""
}

// gap extends a range to the blanks around it in its row.
func (s *analysis) gap(start, end int32) (int32, int32) {
	for start > 0 && isBlank(s.text[start-1]) {
		start--
	}
	for int(end) < len(s.text) && isBlank(s.text[end]) {
		end++
	}
	return start, end
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\f' }

// comments returns the comments among tokens.
func comments(tokens []tokenizer.Token) (list []tokenizer.Token) {
	for i := range tokens {
		if tokens[i].Kind == tokenizer.COMMENT {
			list = append(list, tokens[i])
		}
	}
	return list
}
