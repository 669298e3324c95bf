// Package newfindings tells which findings of a text are new, compared with an older version of
// the text.
//
//	var comparer newfindings.Comparer
//	comparer.Read(older, text)
//	added, gone := comparer.Compare(before, after)
//
// A finding is old if the older text has its counterpart: a finding with the same code and message,
// at the row that the finding's row comes from. So a finding is new that an edit in another row
// causes, such as the F401 of an import whose last use was deleted. The rows of a function that was
// moved bring no new findings, and a row that is indented anew keeps its old ones. In a row that
// was edited, a finding is old if its place is in what stayed, or if it is about the same text.
//
// If the older text is not Python, its findings are not known. Then those in rows that it had are
// old.
//
// The time is proportional to the size of both texts, except in a change that replaces many rows
// by many others, where it is bounded.
package newfindings

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"codelinter/internal/util/lazy"
	"codelinter/rule"
	"codelinter/source"
)

// Findings are those of a text, in the order of their rows.
type Findings struct {
	List    []rule.Finding
	Invalid bool // the text is not Python, and no more is known of them
}

// A Comparer compares one pair of texts after the other, and reuses its memory. The zero Comparer
// is ready. It is not for concurrent use.
type Comparer struct {
	before, after version
	mapping       mapping

	added, gone []bool
	next        []int32    // after a finding of before that has a counterpart, one that may have none
	budget      int        // pairs of findings that may still be compared
	edited      int32      // the last edited row
	stayed      []lcs.Diff // what changed in it
}

// Read sets the texts, as bytes. They must not change until the next call.
func (c *Comparer) Read(before, after []byte) {
	c.before.load(before)
	c.after.load(after)
	c.mapping.read(&c.before.file, &c.after.file)
	c.edited = 0
}

// IsNew reports whether a finding of the new text is new, whatever the old text's findings are, as
// its row is.
func (c *Comparer) IsNew(f *rule.Finding) bool { return c.mapping.origin(row(f)).kind == added }

// Compare returns for each finding of the new text whether it is new, and for each of the old text
// whether it is gone. Both lists are valid until the next call.
func (c *Comparer) Compare(before, after Findings) (added, gone []bool) {
	c.before.findings = before.List
	c.added, c.gone = zeros(c.added, len(after.List)), zeros(c.gone, len(before.List))
	c.next = zeros(c.next, len(before.List))
	for i := range c.gone {
		c.gone[i], c.next[i] = true, int32(i+1)
	}
	c.budget = mostCompared + 4*len(after.List)
	for i := range after.List {
		f := &after.List[i]
		counterpart := c.counterpart(f)
		if counterpart >= 0 {
			c.gone[counterpart] = false
		}
		c.added[i] = counterpart < 0 && !(before.Invalid && c.mapping.origin(row(f)).stayed())
	}
	return c.added, c.gone
}

// mostCompared bounds the pairs of findings that are compared, beside some for each finding. Only
// rows with thousands of findings that changed reach it, and then further findings are new.
const mostCompared = 1 << 18

// zeros returns a list of n zeros, in the memory of another if there is room.
func zeros[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// A version is a text with its rows.
type version struct {
	data     []byte
	file     source.File
	findings []rule.Finding
}

func (v *version) load(data []byte) {
	v.data = data
	if v.file.Load(data) != nil { // a text that is too large has one finding, and no rows
		v.file.Load(nil)
	}
}

// row returns the row of a finding from 0 on. It is -1 for a finding about the whole file, and one
// of those after the last for a finding at the end of the file.
func row(f *rule.Finding) int32 { return f.Row - 1 }

// offset returns the place of a finding in its row, in bytes.
func (v *version) offset(f *rule.Finding) int {
	row := int(f.Row)
	if row < 1 || row > v.file.Lines() || f.Column < 1 {
		return 0
	}
	if code := f.Code.String()[0]; code == 'F' || code == 'C' { // pyflakes and mccabe count bytes
		return min(int(f.Column)-1, len(v.file.Line(row)))
	}
	return int(v.file.Offset(row, int(f.Column)-1) - v.file.LineStart(row))
}

// text returns the text that a finding is about, "" if it is about a place.
func (v *version) text(f *rule.Finding) string {
	if f.Start > f.End || int(f.End) > len(v.data) {
		return ""
	}
	return string(v.data[f.Start:f.End])
}

// stayed reports whether the row was there before.
func (o origin) stayed() bool { return o.kind == same || o.kind == indented }

// counterpart returns the index of the finding's counterpart among those that are no other
// finding's, -1 if there is none.
func (c *Comparer) counterpart(f *rule.Finding) int {
	from := c.mapping.origin(row(f))
	if from.kind == added {
		return -1
	}
	findings := c.before.findings
	first := sort.Search(len(findings), func(i int) bool { return row(&findings[i]) >= from.row })
	for i := c.free(first); i < len(findings) && row(&findings[i]) == from.row && c.budget > 0; i = c.free(i + 1) {
		c.budget--
		if old := &findings[i]; old.Code == f.Code && c.agree(f, old, from) {
			return i
		}
	}
	return -1
}

// free returns the first finding of before from i on that has no counterpart yet.
func (c *Comparer) free(i int) int {
	end := i
	for end < len(c.gone) && !c.gone[end] {
		end = int(c.next[end])
	}
	for i < end { // the next search has one step
		i, c.next[i] = int(c.next[i]), int32(end)
	}
	return end
}

// agree reports whether two findings of one code are the same, in rows that correspond as from
// says.
func (c *Comparer) agree(f, old *rule.Finding, from origin) bool {
	if from.kind == indented { // the numbers in a message are about columns
		return sameWords(f, old)
	}
	if !sameValues(f, old) && f.Message() != old.Message() && c.message(f) != old.Message() {
		return false
	}
	if from.kind == same {
		return true
	}
	if text := c.after.text(f); text != "" && text == c.before.text(old) {
		return true
	}
	return c.stays(f, old, from.row)
}

// sameValues reports whether two messages are the same without a look at them.
func sameValues(f, old *rule.Finding) bool {
	a, b := f.Values(), old.Values()
	return a.Shared == nil && b.Shared == nil && a == b && f.IsForeign() == old.IsForeign()
}

// sameWords reports whether the messages of two findings are the same but for their numbers.
func sameWords(f, old *rule.Finding) bool {
	if f.IsForeign() {
		return strings.Map(withoutDigits, f.Message()) == strings.Map(withoutDigits, old.Message())
	}
	bare := func(f *rule.Finding) string {
		values := f.Values()
		values.A, values.B = 0, 0
		finding := f.With(values)
		return finding.Message()
	}
	return bare(f) == bare(old)
}

// withoutDigits is for [strings.Map].
func withoutDigits(r rune) rune {
	if '0' <= r && r <= '9' {
		return -1
	}
	return r
}

// rowIn is how messages name another row: "redefinition of unused 'x' from line 3".
var rowIn = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(`\bline (\d+)`) }}

// message returns the message of a finding with the older text's numbers of the rows that it names.
func (c *Comparer) message(f *rule.Finding) string {
	text := f.Message()
	if !strings.Contains(text, "line ") {
		return text
	}
	return rowIn.Get().ReplaceAllStringFunc(text, func(match string) string {
		row, err := strconv.Atoi(match[len("line "):])
		if err != nil || row < 1 || row > c.after.file.Lines() {
			return match
		}
		from := c.mapping.origin(int32(row - 1))
		if from.kind == added {
			return match
		}
		return "line " + strconv.Itoa(int(from.row)+1)
	})
}

// longRow is the length from which on rows are not compared byte by byte.
const longRow = 1 << 12

// stays reports whether the places of two findings in an edited row correspond: whether what stands
// before or after them stayed. row is the older one.
func (c *Comparer) stays(f, old *rule.Finding, row int32) bool {
	before, after := c.before.file.Line(int(row)+1), c.after.file.Line(int(f.Row))
	if len(before) > longRow || len(after) > longRow {
		return false
	}
	if c.edited != f.Row {
		c.edited, c.stayed = f.Row, lcs.DiffBytes([]byte(before), []byte(after))
	}
	place, oldPlace := c.after.offset(f), c.before.offset(old)
	at, oldAt := 0, 0 // where a part that stayed begins
	for _, change := range append(c.stayed, lcs.Diff{Start: len(before), ReplStart: len(after)}) {
		if at < change.ReplStart && at <= place && place <= change.ReplStart && place-at == oldPlace-oldAt {
			return true
		}
		at, oldAt = change.ReplEnd, change.End
	}
	return false
}
