package newfindings

import (
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"codelinter/internal/python/pytext"
	"codelinter/source"
)

// This file finds for each row of a text the row of an older text that it comes from:
//
//  1. rows that stay in place, by the longest common subsequence, see difference;
//  2. of the others, those with the same text but for the blanks around it. They were moved or indented anew;
//  3. of the others, those of one change whose words are mostly the same. They were edited.
//
// No row has two descendants. So the rows of a block that was copied have no origin.

// A kind says how a row comes from an older one.
type kind uint8

const (
	added    kind = iota // from none
	same                 // its text is the same
	indented             // its text is the same but for the blanks around it
	edited
)

// An origin is where a row comes from.
type origin struct {
	kind kind
	row  int32 // from 0
}

// A mapping is made of two texts. Rows are numbered from 0. Most edits leave most rows alone, so
// what both texts begin and end with is found byte by byte, and only the rows between are looked
// at.
type mapping struct {
	before, after *source.File
	start         int      // rows that both begin with
	end, oldEnd   int      // the rows from here on are the same in both
	origins       []origin // of the new rows from start to end
	taken         []bool   // of the old rows from start to oldEnd
	changes       []lcs.Diff
}

// read finds the origins of the rows of a text.
func (m *mapping) read(before, after *source.File) {
	m.before, m.after = before, after
	m.trim()
	m.changes = nil
	if m.start < m.end || m.start < m.oldEnd {
		m.changes = difference(lines(before, m.start, m.oldEnd), lines(after, m.start, m.end))
	}
	for i := range m.changes {
		c := &m.changes[i]
		*c = lcs.Diff{Start: c.Start + m.start, End: c.End + m.start, ReplStart: c.ReplStart + m.start, ReplEnd: c.ReplEnd + m.start}
	}
	m.slide()
	m.origins, m.taken = zeros(m.origins, m.end-m.start), zeros(m.taken, m.oldEnd-m.start)
	m.pairUnchanged()
	m.findMoved()
	for _, change := range m.changes {
		m.findEdited(change)
	}
}

// trim sets start, end and oldEnd.
func (m *mapping) trim() {
	a, b := m.before.Text, m.after.Text
	n := commonPrefix(a, b)
	m.start = min(m.before.Row(int32(n)), m.after.Row(int32(n))) - 1
	tail := commonSuffix(a[m.before.LineStart(m.start+1):], b[m.after.LineStart(m.start+1):])
	rows := min(lastRows(m.before, tail), lastRows(m.after, tail))
	m.end, m.oldEnd = m.after.Lines()-rows, m.before.Lines()-rows
}

// lastRows returns the number of rows that begin in the last bytes of a text.
func lastRows(file *source.File, bytes int) int {
	at := int32(len(file.Text) - bytes)
	row := file.Row(at)
	if row <= file.Lines() && file.LineStart(row) < at {
		row++
	}
	return file.Lines() + 1 - row
}

// wide is how many bytes are compared at once.
const wide = 64

func commonPrefix(a, b string) (n int) {
	for n+wide <= min(len(a), len(b)) && a[n:n+wide] == b[n:n+wide] {
		n += wide
	}
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b string) (n int) {
	for n+wide <= min(len(a), len(b)) && a[len(a)-n-wide:len(a)-n] == b[len(b)-n-wide:len(b)-n] {
		n += wide
	}
	for n < min(len(a), len(b)) && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}

// lines returns rows of a file, with their line ends.
func lines(file *source.File, from, to int) []string {
	all := make([]string, to-from)
	for i := range all {
		all[i] = file.Line(from + i + 1)
	}
	return all
}

func (m *mapping) newRow(row int) string { return m.after.Line(row + 1) }
func (m *mapping) oldRow(row int) string { return m.before.Line(row + 1) }

// slide moves what is only added or only deleted down as far as it goes, as git does. If a row is
// added to two that are the same, it is the third.
func (m *mapping) slide() {
	for i := range m.changes {
		c := &m.changes[i]
		end, oldEnd := m.after.Lines(), m.before.Lines()
		if i+1 < len(m.changes) {
			end, oldEnd = m.changes[i+1].ReplStart, m.changes[i+1].Start
		}
		for c.ReplEnd < end && c.End < oldEnd &&
			(c.Start == c.End && m.newRow(c.ReplStart) == m.newRow(c.ReplEnd) || c.ReplStart == c.ReplEnd && m.oldRow(c.Start) == m.oldRow(c.End)) {
			c.Start, c.End, c.ReplStart, c.ReplEnd = c.Start+1, c.End+1, c.ReplStart+1, c.ReplEnd+1
		}
		m.end, m.oldEnd = max(m.end, c.ReplEnd), max(m.oldEnd, c.End)
	}
}

// pairUnchanged pairs the rows that no change touches.
func (m *mapping) pairUnchanged() {
	row, old := m.start, m.start
	for _, change := range m.changes {
		for ; row < change.ReplStart; row, old = row+1, old+1 {
			m.pair(row, old, same)
		}
		row, old = change.ReplEnd, change.End
	}
	for ; row < m.end; row, old = row+1, old+1 {
		m.pair(row, old, same)
	}
}

// origin returns the origin of a row. Rows that are in no text correspond to each other: that
// before the first, and those after the last. So do the last rows, if both are blank.
func (m *mapping) origin(row int32) origin {
	end, oldEnd := int32(m.after.Lines()), int32(m.before.Lines())
	switch {
	case row < int32(m.start):
		return origin{same, row}
	case row >= int32(m.end):
		return origin{same, row - end + oldEnd}
	case row == end-1 && oldEnd > 0 && trim(m.newRow(int(row))) == "" && trim(m.oldRow(int(oldEnd-1))) == "":
		return origin{same, oldEnd - 1}
	}
	return m.origins[int(row)-m.start]
}

func (m *mapping) pair(row, old int, k kind) {
	m.origins[row-m.start] = origin{k, int32(old)}
	m.taken[old-m.start] = true
}

// isAdded reports whether a row has no partner.
func (m *mapping) isAdded(row int) bool {
	return m.start <= row && row < m.end && m.origins[row-m.start].kind == added
}

// isFree reports whether an old row has no partner.
func (m *mapping) isFree(old int) bool {
	return m.start <= old && old < m.oldEnd && !m.taken[old-m.start]
}

// findMoved pairs rows that were moved or indented anew. Rows whose text is there once are first.
// The rows around them follow, which may be blank or the same as others. What is left is paired in
// order.
func (m *mapping) findMoved() {
	if len(m.changes) == 0 {
		return
	}
	free := map[string][]int{} // old rows
	for old := m.start; old < m.oldEnd; old++ {
		if m.isFree(old) {
			if text := trim(m.oldRow(old)); text != "" {
				free[text] = append(free[text], old)
			}
		}
	}
	times := map[string]int{} // in which new rows have a text
	var rows []int
	for row := m.start; row < m.end && len(free) > 0; row++ {
		if m.isAdded(row) {
			if text := trim(m.newRow(row)); len(free[text]) > 0 {
				times[text]++
				rows = append(rows, row)
			}
		}
	}
	for _, row := range rows {
		if text := trim(m.newRow(row)); times[text] == 1 && len(free[text]) == 1 {
			m.move(row, free[text][0])
		}
	}
	for _, row := range rows {
		text := trim(m.newRow(row))
		for len(free[text]) > 0 && m.isAdded(row) {
			m.move(row, free[text][0])
			free[text] = free[text][1:]
		}
	}
}

// move pairs a row with an old one of the same text, and then the rows before and after both, as
// far as they are alike.
func (m *mapping) move(row, old int) {
	if !m.alike(row, old) {
		return
	}
	for i := 1; m.alike(row-i, old-i); i++ {
	}
	for i := 1; m.alike(row+i, old+i); i++ {
	}
}

// alike pairs two rows if both are free and have the same text but for the blanks around it.
func (m *mapping) alike(row, old int) bool {
	if !m.isAdded(row) || !m.isFree(old) || trim(m.newRow(row)) != trim(m.oldRow(old)) {
		return false
	}
	k := indented
	if m.newRow(row) == m.oldRow(old) {
		k = same
	}
	m.pair(row, old, k)
	return true
}

// mostPairs bounds the rows of one change that are compared each with each.
const mostPairs = 1 << 14

// findEdited pairs the rows that one change replaced with those that it put in their place, in
// order, so that they share as much as possible. A pair shares at least half of its text.
func (m *mapping) findEdited(change lcs.Diff) {
	var rows, olds []int
	for row := change.ReplStart; row < change.ReplEnd; row++ {
		if m.isAdded(row) && trim(m.newRow(row)) != "" {
			rows = append(rows, row)
		}
	}
	for old := change.Start; old < change.End; old++ {
		if m.isFree(old) && trim(m.oldRow(old)) != "" {
			olds = append(olds, old)
		}
	}
	if len(rows)*len(olds) > mostPairs { // a rewritten file: the first rows of each
		most := mostPairs / max(len(rows), len(olds))
		rows, olds = rows[:min(len(rows), max(most, 128))], olds[:min(len(olds), max(most, 128))]
	}
	if len(rows) == 0 || len(olds) == 0 {
		return
	}
	shares := make([][]int, len(rows)+1) // the most that rows[i:] and olds[j:] can share
	for i := range shares {
		shares[i] = make([]int, len(olds)+1)
	}
	words := m.oldWords(olds)
	likeness := make([][]int, len(rows))
	for i, row := range rows {
		likeness[i] = make([]int, len(olds))
		for j := range olds {
			likeness[i][j] = words[j].likeness(m.newRow(row))
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		for j := len(olds) - 1; j >= 0; j-- {
			shares[i][j] = max(shares[i+1][j], shares[i][j+1], shares[i+1][j+1]+likeness[i][j])
		}
	}
	for i, j := 0, 0; i < len(rows) && j < len(olds); {
		switch shares[i][j] {
		case shares[i+1][j]:
			i++
		case shares[i][j+1]:
			j++
		default:
			m.pair(rows[i], olds[j], edited)
			i, j = i+1, j+1
		}
	}
}

// words are the words and signs of a row, with the number of their occurrences.
type words struct {
	counts map[string]int
	size   int // of all, in bytes
}

func (m *mapping) oldWords(rows []int) []words {
	all := make([]words, len(rows))
	for i, row := range rows {
		w := words{counts: map[string]int{}}
		for word := range split(m.oldRow(row)) {
			w.counts[word]++
			w.size += len(word)
		}
		all[i] = w
	}
	return all
}

// likeness returns the number of bytes of the words that the row shares with a line, or 0 if they
// are less than half of both.
func (w *words) likeness(line string) int {
	shared, size := 0, 0
	used := map[string]int{}
	for word := range split(line) {
		size += len(word)
		if used[word] < w.counts[word] {
			used[word]++
			shared += len(word)
		}
	}
	if 4*shared < size+w.size {
		return 0
	}
	return shared
}

// split yields the words of a line, and its signs one by one. Blanks are none.
func split(line string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i < len(line); {
			end := i + 1
			switch {
			case isWord(line[i]):
				for end < len(line) && isWord(line[end]) {
					end++
				}
			case line[i] <= ' ':
				i++
				continue
			}
			if !yield(line[i:end]) {
				return
			}
			i = end
		}
	}
}

func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80
}

func trim(line string) string { return strings.TrimFunc(line, pytext.IsSpace) }
