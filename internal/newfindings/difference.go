package newfindings

import (
	"slices"
	"sort"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// manyRows is the number of rows from which on two texts are split where both have a row once. The
// library finds longest common subsequences up to a hundred edits, and rows that are split cost
// less.
const manyRows = 64

// difference returns the changes that make before to after.
func difference(before, after []string) (changes []lcs.Diff) {
	row, old := 0, 0
	upTo := func(end, oldEnd int) {
		for _, c := range lcs.DiffLines(before[old:oldEnd], after[row:end]) {
			changes = append(changes, lcs.Diff{Start: c.Start + old, End: c.End + old, ReplStart: c.ReplStart + row, ReplEnd: c.ReplEnd + row})
		}
	}
	for _, a := range anchors(before, after) {
		upTo(a.row, a.old)
		row, old = a.row+1, a.old+1
	}
	upTo(len(after), len(before))
	return changes
}

// An anchor is a row that both texts have once.
type anchor struct{ row, old int }

// anchors returns as many rows that both texts have once as stand in one order in both, of large
// texts. It is the idea of patience diff.
func anchors(before, after []string) []anchor {
	if min(len(before), len(after)) < manyRows {
		return nil
	}
	type place struct{ row, old, times int }
	places := make(map[string]place, len(before))
	for old, text := range before {
		p := places[text]
		places[text] = place{-1, old, p.times + 1}
	}
	for row, text := range after {
		if p, both := places[text]; both {
			places[text] = place{row, p.old, p.times + 1}
		}
	}
	var both []anchor
	for row, text := range after {
		if p := places[text]; p.times == 2 && p.row == row {
			both = append(both, anchor{row, p.old})
		}
	}
	return increasing(both)
}

// increasing returns the longest part of a list, which is sorted by rows, that is sorted by old
// rows too.
func increasing(list []anchor) []anchor {
	var ends []int                   // of the best part of each length, an index in list
	before := make([]int, len(list)) // the index before each in its part
	for i := range list {
		length := sort.Search(len(ends), func(k int) bool { return list[ends[k]].old >= list[i].old })
		before[i] = -1
		if length > 0 {
			before[i] = ends[length-1]
		}
		if length == len(ends) {
			ends = append(ends, i)
		} else {
			ends[length] = i
		}
	}
	var best []anchor
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			best = append(best, list[i])
		}
	}
	slices.Reverse(best)
	return best
}
