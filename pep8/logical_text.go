package pep8

import (
	"sort"
	"unicode/utf8"

	"codelinter/rule"
	"codelinter/tokenizer"
)

// logicalText is the text of a logical line, made when a rule asks for it. It maps its offsets back
// to the file.
//
//	x = ['a',   # first
//	     'b']        is    x = ["xxx", "xxx"]    with the quotes as they were
//
// ends holds, for each significant token, the offset in text after it. As in flake8, an offset in
// text is mapped relative to the end of the token that it lies in or directly after. Within
// multi-line strings this differs from the place that the text was copied from.
type logicalText struct {
	made bool
	text []byte
	ends []int32
}

func (c *Checker) logicalText() []byte {
	l := &c.logical
	if l.made {
		return l.text
	}
	l.made = true
	l.text, l.ends = l.text[:0], l.ends[:0]
	var prev *tokenizer.Token
	for _, i := range c.significantTokens() {
		t := &c.tokens[i]
		if prev != nil && prev.End != t.Start && !isMiddle(prev) {
			if c.sameRow(prev, t) {
				l.text = append(l.text, c.text[prev.End:t.Start]...)
			} else if c.joinsWithBlank(prev, t) {
				l.text = append(l.text, ' ')
			}
		}
		body := t.Text(c.text)
		switch {
		case t.Kind == tokenizer.STRING:
			l.appendMuted(body)
		case isMiddle(t):
			for _, b := range body {
				l.text = append(l.text, 'x')
				if b == '{' || b == '}' { // stands for a doubled one
					l.text = append(l.text, 'x')
				}
			}
		default:
			l.text = append(l.text, body...)
		}
		l.ends = append(l.ends, int32(len(l.text)))
		prev = t
	}
	return l.text
}

// appendMuted appends a STRING with an x for each character between its quotes.
func (l *logicalText) appendMuted(s string) {
	quote := s[len(s)-1]
	start := 0
	for s[start] != quote {
		start++
	}
	start++
	end := len(s) - 1
	if len(s) >= 3 && s[len(s)-2] == quote && s[len(s)-3] == quote && end-2 >= start+2 {
		start, end = start+2, end-2
	}
	l.text = append(l.text, s[:start]...)
	for i := start; i < end; i++ {
		if utf8.RuneStart(s[i]) {
			l.text = append(l.text, 'x')
		}
	}
	l.text = append(l.text, s[end:]...)
}

// atLogical reports a finding about length bytes from an offset in the logical
// line's text on, which are ASCII and the same in the file.
func (c *Checker) atLogical(f rule.Finding, offset, length int) {
	if !c.enabled.Has(f.Code) {
		return
	}
	if offset == 0 {
		c.fromFirst(f, c.first+int32(length))
		return
	}
	l := &c.logical
	i := sort.Search(len(l.ends), func(i int) bool { return int(l.ends[i]) >= offset })
	t := &c.tokens[c.significantTokens()[i]]
	row := c.endRow(t)
	after := utf8.RuneCount(l.text[offset:l.ends[i]])
	f.Start = t.End
	for range after {
		_, size := utf8.DecodeLastRuneInString(c.text[:f.Start])
		f.Start -= int32(size)
	}
	f.End = min(f.Start+int32(length), int32(len(c.text)))
	c.add(f, row, c.file.Column(row, t.End)-after)
}
