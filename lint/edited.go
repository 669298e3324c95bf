package lint

import (
	"slices"
	"sort"
	"strings"

	"codelinter/pep8"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// An Edited says how edits made a text of another one.
type Edited struct {
	// Before is the result of that text: of another Linter with the same options, for an Input
	// that was Repeatable, Silenced and had a Tree. It must still be valid.
	Before *Result
	// Changes are the parts that differ, in order.
	Changes []Change
}

// A Change is a part of a text that was replaced. It begins where a logical line begins, after the
// end of the one before, and ends where one ends.
type Change struct {
	Start, End  int32 // offsets in the text before
	First, Last int   // its tokens there: the index of the first, and the one after the last
	Size        int32 // of the new part
}

// splice makes the tokens of an edited text of those of the text before, and of those of the
// changed lines. It returns false if a change does not stay within its lines, or rules depend on
// more of the file.
func (l *Linter) splice() bool {
	e := l.input.Edited
	if e == nil || len(e.Changes) == 0 || l.file.CarriageReturns || l.file.Tabs || !l.options.Target.Features().PEP701 || l.checked != &l.enabled || len(l.file.Text) > largeText ||
		l.options.MaxDocLength != NoLimit || !strings.HasSuffix(l.file.Text, "\n") {
		return false
	}
	before := e.Before
	if before.Tokens == nil || before.linter == nil || before.linter == l || before.File.Tabs || !strings.HasSuffix(before.File.Text, "\n") {
		return false
	}
	for _, file := range [...]*source.File{&l.file, before.File} {
		if !file.IsGiven() || file.FellBack {
			return false
		}
	}
	s := splice{Linter: l, old: before.Tokens, text: before.File.Text, joined: l.joined[:0]}
	for i := range e.Changes {
		if !s.change(&e.Changes[i]) {
			l.spans, l.shifts = l.spans[:0], l.shifts[:0]
			return false
		}
	}
	s.move(len(s.old))
	l.joined, l.tokens, l.tokenized = s.joined, s.joined, true
	return true
}

// A splice is the state of [Linter.splice].
type splice struct {
	*Linter
	old    []tokenizer.Token
	text   string // before
	joined []tokenizer.Token
	passed int // old tokens
	by     shift
}

// move appends the old tokens up to an index, moved.
func (s *splice) move(end int) {
	n := len(s.joined)
	s.joined = append(s.joined, s.old[s.passed:end]...)
	if s.by != (shift{}) {
		for i := n; i < len(s.joined); i++ {
			t := &s.joined[i]
			t.Start += s.by.bytes
			t.End += s.by.bytes
			t.Row += s.by.rows
		}
	}
	s.passed = end
}

// change appends the tokens of the lines of a change.
func (s *splice) change(c *Change) bool {
	s.move(c.First)
	start := c.Start + s.by.bytes
	end := start + c.Size
	old := s.old[c.First:c.Last]
	span := pep8.Span{OldFirst: c.First, OldEnd: c.Last, First: len(s.joined)}
	if c.Size > 0 && !s.lines(start, s.file.Text[start:end], old) || c.Size == 0 && hasIndents(old) {
		return false
	}
	s.passed, span.End = c.Last, len(s.joined)
	s.spans = append(s.spans, span)
	s.by = shift{end - c.End, int32(s.file.Row(end) - s.input.Edited.Before.File.Row(c.End))}
	s.shifts = append(s.shifts, s.by)
	return true
}

func isIndent(t *tokenizer.Token) bool {
	return t.Kind == tokenizer.INDENT || t.Kind == tokenizer.DEDENT
}

func hasIndents(tokens []tokenizer.Token) bool {
	return slices.ContainsFunc(tokens, func(t tokenizer.Token) bool { return isIndent(&t) })
}

// lines appends the tokens of logical lines that stand in the place of old ones. The first line of
// code among them keeps the indentation of the old one, with the tokens for that. The others must
// have the same.
func (s *splice) lines(start int32, text string, old []tokenizer.Token) bool {
	tokens, err := s.tokenizer.Tokenize(text, tokenizer.Options{Target: s.options.Target})
	if err != nil || text[len(text)-1] != '\n' {
		return false
	}
	from, indents := s.indents(old)
	if from >= 0 && hasIndents(old[from:]) {
		return false
	}
	row := int32(s.file.Row(start)) - 1
	code, ended := false, false
	for i := range tokens {
		t := tokens[i]
		switch {
		case t.Kind == tokenizer.ENDMARKER:
			continue
		case t.Kind == tokenizer.INDENT:
			if code {
				return false
			}
			continue
		case t.Kind == tokenizer.DEDENT:
			ended = true // must be the end
			continue
		case ended && !t.Kind.IsIgnored():
			return false
		}
		if !code && !t.Kind.IsIgnored() {
			code = true
			if from < 0 || !sameIndentation(text[:t.Start], s.text[:old[from].Start]) {
				return false
			}
			for _, in := range indents {
				in.Start, in.End, in.Row = t.Start+start, t.Start+start, t.Row+row
				if in.Kind == tokenizer.INDENT {
					in.Start -= int32(len(indentation(text, t.Start)))
				}
				s.joined = append(s.joined, in)
			}
		}
		t.Start += start
		t.End += start
		t.Row += row
		s.joined = append(s.joined, t)
	}
	last := s.joined[len(s.joined)-1] // ends the text, unless a backslash joins it with the next line
	return last.Start == start+int32(len(text))-1 && (code || from < 0 || len(indents) == 0)
}

// indents returns the index of the first token of code among those of old lines, or -1, and the
// tokens of indentation before it.
func (s *splice) indents(old []tokenizer.Token) (code int, indents []tokenizer.Token) {
	first := slices.IndexFunc(old, func(t tokenizer.Token) bool { return isIndent(&t) })
	code = slices.IndexFunc(old, func(t tokenizer.Token) bool { return !t.Kind.IsIgnored() && !isIndent(&t) })
	if first >= 0 && first < code {
		indents = old[first:code]
	}
	return code, indents
}

// sameIndentation reports whether two texts end with the same indentation, and no backslash stands
// before it.
func sameIndentation(a, b string) bool {
	indent := indentation(a, int32(len(a)))
	return indent == indentation(b, int32(len(b))) && !strings.HasSuffix(a[:len(a)-len(indent)], "\\\n") && !strings.HasSuffix(b[:len(b)-len(indent)], "\\\n")
}

// indentation returns the text of a row before an offset.
func indentation(text string, offset int32) string {
	return text[strings.LastIndexByte(text[:offset], '\n')+1 : offset]
}

// recheckLines appends the findings of pycodestyle for an edited text: those of the lines that
// edits may change, and the others of the text before. It returns false if it must be checked
// whole.
func (l *Linter) recheckLines(options pep8.Options) bool {
	if len(l.spans) == 0 {
		return false
	}
	before := l.input.Edited.Before
	made := len(l.findings)
	findings, checked := l.pep8.Recheck(&l.file, l.tokens, options, l.checked, &before.linter.pep8, before.Tokens, l.spans, l.findings)
	l.findings = findings
	tree := l.findings[:made]
	again := 0 // ranges of checked that are passed
	for _, list := range [...][]rule.Finding{before.Findings, before.Silenced} {
		again = 0
		for i := range list {
			f := &list[i]
			if f.Code.Rule().Tool != rule.Pycodestyle {
				continue
			}
			for again < len(checked) && checked[again].Last < int(f.Row) {
				again++
			}
			if again < len(checked) && checked[again].First <= int(f.Row) {
				continue
			}
			if again > 0 && (f.Code == rule.E301 || f.Code == rule.E306) {
				l.findings = tree
				return false
			}
			l.findings = append(l.findings, l.moved(f))
		}
	}
	return true
}

// A shift says how far the text after a change has moved.
type shift struct{ bytes, rows int32 }

// moved returns a finding of the text before that stands outside of all changes.
func (l *Linter) moved(finding *rule.Finding) rule.Finding {
	f := *finding
	by := l.shiftAt(f.Start)
	f.Start += by.bytes
	f.End += by.bytes
	f.Row += by.rows
	return f
}

// shiftAt returns how far an offset of the text before has moved that is in no change.
func (l *Linter) shiftAt(offset int32) shift {
	changes := l.input.Edited.Changes
	if i := sort.Search(len(changes), func(i int) bool { return changes[i].End > offset }); i > 0 {
		return l.shifts[i-1]
	}
	return shift{}
}

// moveTreeFindings makes the findings about the tree those of the text before, which has the same
// tree, and if it was not parsed the same tokens besides those that the parser ignores. It returns
// false if it cannot say where one of them is now.
func (l *Linter) moveTreeFindings() bool {
	before := l.input.Edited.Before
	for _, list := range [...][]rule.Finding{before.Findings, before.Silenced} {
		for i := range list {
			if list[i].Code.Rule().Tool == rule.Pycodestyle {
				continue
			}
			f, known := l.movedTree(list[i])
			if !known {
				l.findings = l.findings[:0]
				return false
			}
			l.findings = append(l.findings, f)
		}
	}
	return true
}

// movedTree returns where a finding is now.
func (l *Linter) movedTree(f rule.Finding) (moved rule.Finding, known bool) {
	was, is, known := l.tokenOf(f.Start)
	ends, end, found := l.tokenOf(max(f.Start, f.End-1))
	if !known || !found || was.Row != f.Row || f.Code == rule.C901 { // 'If 7' has a row in its message
		return f, false
	}
	old, file := l.input.Edited.Before.File, &l.file
	f.Row += is.Row - was.Row
	f.Column += int32(file.ByteColumn(int(is.Row), is.Start) - old.ByteColumn(int(was.Row), was.Start))
	f.Start += is.Start - was.Start
	f.End += end.End - ends.End
	switch f.Code {
	case rule.F402, rule.F811, rule.F851: // which name a row
		values := f.Values()
		row := int(values.A)
		if row < 1 || row > old.Lines() {
			return f, false
		}
		start := old.LineStart(row) + int32(len(old.Line(row))-len(strings.TrimLeft(old.Line(row), " ")))
		was, is, known := l.tokenOf(start)
		values.A += is.Row - was.Row
		return f.With(values), known && was.Row == values.A-(is.Row-was.Row)
	}
	return f, true
}

// tokenOf returns the token of the text before at an offset, and the same token of the edited text.
func (l *Linter) tokenOf(offset int32) (was, is tokenizer.Token, known bool) {
	e := l.input.Edited
	old := e.Before.Tokens
	i := sort.Search(len(old), func(i int) bool { return old[i].End > offset })
	if i == len(old) || old[i].Start > offset || old[i].Kind.IsIgnored() {
		return was, is, false
	}
	was = old[i]
	at := sort.Search(len(l.spans), func(k int) bool { return l.spans[k].OldEnd > i })
	if at == len(l.spans) || l.spans[at].OldFirst > i {
		is = was
		by := l.shiftAt(offset)
		is.Start += by.bytes
		is.End += by.bytes
		is.Row += by.rows
		return was, is, true
	}
	if !l.skipped {
		return was, is, false // it may have other tokens
	}
	span := l.spans[at]
	n := 0 // tokens before it that the parser sees
	for _, t := range old[span.OldFirst:i] {
		if !t.Kind.IsIgnored() {
			n++
		}
	}
	for _, t := range l.tokens[span.First:span.End] {
		if !t.Kind.IsIgnored() {
			if n--; n < 0 {
				return was, t, t.Kind == was.Kind
			}
		}
	}
	return was, is, false
}
