// Package didyoumean suggests names for a misspelt one.
package didyoumean

import "strings"

// longest bounds the length of names that are compared, as the time grows with the product of
// both lengths.
const longest = 64

// Of returns the name that is most similar to a given one, or "" if none is within two edits
// and within a third of its length. An edit inserts, deletes or changes a byte, or swaps two.
func Of(name string, names ...string) (nearest string) {
	least := min(2, len(name)/3) + 1
	for _, other := range names {
		if d := distance(name, other); d < least {
			nearest, least = other, d
		}
	}
	return nearest
}

// Option returns the option that was meant: the result of [Of], else the only one that begins
// with name or has name between its hyphens. --base and --url mean --base-url.
func Option(name string, names ...string) string {
	if meant := Of(name, names...); meant != "" || len(name) < 3 || len(name) > longest {
		return meant
	}
	meant := ""
	for _, other := range names {
		if strings.HasPrefix(other, name) || strings.Contains("-"+other+"-", "-"+name+"-") {
			if meant != "" {
				return ""
			}
			meant = other
		}
	}
	return meant
}

// distance returns the least number of edits from a to b, with each byte swapped at most once
// (the optimal string alignment distance).
func distance(a, b string) int {
	if len(a) > longest || len(b) > longest {
		return len(a) + len(b)
	}
	var rows [3][longest + 1]int // of the distances from a's starts to all of b's
	before, last, next := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(last[j]+cost, last[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
