// Package newfindings tells which findings of a text are new, compared with an older version of
// the text.
//
//	added, gone := newfindings.Compare(before, after)
//
// A finding is old if the older text has its twin: a finding with the same code and message, at the
// row that the finding's row comes from. So a finding is new that an edit in another row causes,
// such as the F401 of an import whose last use was deleted. The rows of a function that was moved
// bring no new findings, and a row that is indented anew keeps its old ones. In a row that was
// edited, a finding is old if its place is in what stayed, or if it is about the same text.
//
// If the older text is not Python, its findings are not known. Then those in rows that it had are old.
//
// The time is proportional to the size of both texts, except in a change that replaces many rows
// by many others, where it is bounded.
package newfindings

import (
	"regexp"
	"strconv"
	"sync"

	"github.com/aymanbagabas/go-udiff/lcs"

	"codelinter/rule"
	"codelinter/source"
)

// A Version is a text, as bytes, with its findings in the order of their rows.
type Version struct {
	Data     []byte
	Findings []rule.Finding
	Invalid  bool // the text is not Python, and no more is known of its findings
}

// Compare returns for each finding of after whether it is new, and for each of before whether it is
// gone.
func Compare(before, after Version) (added, gone []bool) {
	c := comparison{before: load(before), after: load(after)}
	c.mapping = newMapping(lines(&c.before.file), lines(&c.after.file))
	added, gone = make([]bool, len(after.Findings)), make([]bool, len(before.Findings))
	for i := range gone {
		gone[i] = true
	}
	c.byRow = map[int32][]int{}
	for i := range before.Findings {
		row := c.before.row(&before.Findings[i])
		c.byRow[row] = append(c.byRow[row], i)
	}
	for i := range after.Findings {
		f := &after.Findings[i]
		twin := c.twin(f, gone)
		if twin >= 0 {
			gone[twin] = false
		}
		added[i] = twin < 0 && !(before.Invalid && c.origin(c.after.row(f)).stayed())
	}
	return added, gone
}

// Rows returns the rows of a text, decoded, with their line ends.
func Rows(data []byte) []string {
	v := load(Version{Data: data})
	return lines(&v.file)
}

// A version is a text with its rows.
type version struct {
	Version
	file source.File
}

func load(v Version) *version {
	loaded := &version{Version: v}
	if loaded.file.Load(v.Data) != nil { // a text that is too large has one finding, and no rows
		loaded.file.Load(nil)
	}
	return loaded
}

func lines(file *source.File) []string {
	all := make([]string, file.Lines())
	for i := range all {
		all[i] = file.Line(i + 1)
	}
	return all
}

// row returns the row of a finding from 0 on. It is -1 for a finding about the whole file, and one
// of those after the last for a finding at the end of the file.
func (v *version) row(f *rule.Finding) int32 { return f.Row - 1 }

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
	if f.Start > f.End || int(f.End) > len(v.Data) {
		return ""
	}
	return string(v.Data[f.Start:f.End])
}

// A comparison is that of two versions.
type comparison struct {
	before, after *version
	*mapping
	byRow map[int32][]int // the findings of before

	// The last edited row, and the parts that stayed in it.
	edited int32
	stayed []lcs.Diff
}

// stayed reports whether the row was there before.
func (o origin) stayed() bool { return o.kind == same || o.kind == indented }

// twin returns the index of the finding's twin, -1 if there is none. free are the findings that are
// no other finding's twin.
func (c *comparison) twin(f *rule.Finding, free []bool) int {
	from := c.origin(c.after.row(f))
	if from.kind == added {
		return -1
	}
	for _, i := range c.byRow[from.row] {
		if old := &c.before.Findings[i]; free[i] && old.Code == f.Code && c.agree(f, old, from) {
			return i
		}
	}
	return -1
}

// origin returns the origin of a row. Rows that are in no text correspond to each other: that
// before the first, and those after the last. So do the last rows, if both are blank.
func (c *comparison) origin(row int32) origin {
	end, oldEnd := int32(len(c.mapping.after)), int32(len(c.mapping.before))
	switch {
	case row < 0:
		return origin{same, row}
	case row >= end:
		return origin{same, row - end + oldEnd}
	case row == end-1 && oldEnd > 0 && trim(c.mapping.after[row]) == "" && trim(c.mapping.before[oldEnd-1]) == "":
		return origin{same, oldEnd - 1}
	}
	return c.origins[row]
}

// agree reports whether two findings of one code are the same, in rows that correspond as from says.
func (c *comparison) agree(f, old *rule.Finding, from origin) bool {
	if from.kind == indented { // the numbers in a message are about columns
		return sameWords(f, old)
	}
	if f.Message() != old.Message() && c.message(f) != old.Message() {
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

// sameWords reports whether the messages of two findings are the same but for their numbers.
func sameWords(f, old *rule.Finding) bool {
	bare := func(f *rule.Finding) string {
		values := f.Values()
		values.A, values.B = 0, 0
		finding := f.With(values)
		return finding.Message()
	}
	return bare(f) == bare(old)
}

// rowIn is how messages name another row: "redefinition of unused 'x' from line 3".
var rowIn = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bline (\d+)`) })

// message returns the message of a finding with the older text's numbers of the rows that it names.
func (c *comparison) message(f *rule.Finding) string {
	return rowIn().ReplaceAllStringFunc(f.Message(), func(match string) string {
		row, err := strconv.Atoi(match[len("line "):])
		if err != nil || row < 1 || row > len(c.origins) || c.origins[row-1].kind == added {
			return match
		}
		return "line " + strconv.Itoa(int(c.origins[row-1].row)+1)
	})
}

// longRow is the length from which on rows are not compared byte by byte.
const longRow = 1 << 12

// stays reports whether the places of two findings in an edited row correspond: whether what stands
// before or after them stayed. row is the older one.
func (c *comparison) stays(f, old *rule.Finding, row int32) bool {
	before, after := c.mapping.before[row], c.mapping.after[c.after.row(f)]
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
