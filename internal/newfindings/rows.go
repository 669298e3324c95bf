package newfindings

import (
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"codelinter/internal/python/pytext"
)

// This file finds for each row of a text the row of an older text that it comes from:
//
//  1. rows that stay in place, by the longest common subsequence;
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

// A mapping is made of two texts.
type mapping struct {
	before, after []string // rows, with their line ends
	origins       []origin // of the rows of after
	taken         []bool   // of before
}

// newMapping returns the origins of the rows of a text.
func newMapping(before, after []string) *mapping {
	m := &mapping{before: before, after: after, origins: make([]origin, len(after)), taken: make([]bool, len(before))}
	changes := slide(lcs.DiffLines(before, after), before, after)
	row, old := 0, 0
	for _, change := range changes {
		for ; row < change.ReplStart; row, old = row+1, old+1 {
			m.pair(row, old, same)
		}
		row, old = change.ReplEnd, change.End
	}
	for ; row < len(after); row, old = row+1, old+1 {
		m.pair(row, old, same)
	}
	if len(changes) > 0 {
		m.findMoved()
		for _, change := range changes {
			m.findEdited(change)
		}
	}
	return m
}

// slide moves what is only added or only deleted down as far as it goes, as git does. If a row is added
// to two that are the same, it is the third.
func slide(changes []lcs.Diff, before, after []string) []lcs.Diff {
	for i := range changes {
		c := &changes[i]
		end, oldEnd := len(after), len(before)
		if i+1 < len(changes) {
			end, oldEnd = changes[i+1].ReplStart, changes[i+1].Start
		}
		for c.ReplEnd < end && c.End < oldEnd &&
			(c.Start == c.End && after[c.ReplStart] == after[c.ReplEnd] || c.ReplStart == c.ReplEnd && before[c.Start] == before[c.End]) {
			c.Start, c.End, c.ReplStart, c.ReplEnd = c.Start+1, c.End+1, c.ReplStart+1, c.ReplEnd+1
		}
	}
	return changes
}

func (m *mapping) pair(row, old int, k kind) {
	m.origins[row] = origin{k, int32(old)}
	m.taken[old] = true
}

// isFree reports whether both rows are there and have no partner.
func (m *mapping) isFree(row, old int) bool {
	return 0 <= row && row < len(m.after) && 0 <= old && old < len(m.before) && m.origins[row].kind == added && !m.taken[old]
}

// findMoved pairs rows that were moved or indented anew. Rows whose text is there once are first.
// The rows around them follow, which may be blank or the same as others. What is left is paired in
// order.
func (m *mapping) findMoved() {
	free := map[string][]int{} // old rows
	for old, text := range m.before {
		if text = trim(text); text != "" && !m.taken[old] {
			free[text] = append(free[text], old)
		}
	}
	times := map[string]int{} // in which new rows have a text
	var rows []int
	for row, text := range m.after {
		if text = trim(text); m.origins[row].kind == added && len(free[text]) > 0 {
			times[text]++
			rows = append(rows, row)
		}
	}
	for _, row := range rows {
		if text := trim(m.after[row]); times[text] == 1 && len(free[text]) == 1 {
			m.move(row, free[text][0])
		}
	}
	for _, row := range rows {
		text := trim(m.after[row])
		for len(free[text]) > 0 && m.origins[row].kind == added {
			m.move(row, free[text][0])
			free[text] = free[text][1:]
		}
	}
}

// move pairs a row with an old one of the same text, and then the rows before and after both, as far
// as they are alike.
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
	if !m.isFree(row, old) || trim(m.after[row]) != trim(m.before[old]) {
		return false
	}
	k := indented
	if m.after[row] == m.before[old] {
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
		if m.origins[row].kind == added && trim(m.after[row]) != "" {
			rows = append(rows, row)
		}
	}
	for old := change.Start; old < change.End; old++ {
		if !m.taken[old] && trim(m.before[old]) != "" {
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
	words := wordsOf(m.before, olds)
	likeness := make([][]int, len(rows))
	for i, row := range rows {
		likeness[i] = make([]int, len(olds))
		for j := range olds {
			likeness[i][j] = words[j].likeness(m.after[row])
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

func wordsOf(lines []string, rows []int) []words {
	all := make([]words, len(rows))
	for i, row := range rows {
		w := words{counts: map[string]int{}}
		for word := range split(lines[row]) {
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
