// Package near finds the name that somebody meant who misspelt it.
package near

import "strings"

// longest is the length from which on a name is like no other: the comparison takes time
// with the product of both.
const longest = 64

// Of returns that of some names which is most like a given one, or "" if none is within
// two edits of it and a third of its length. An edit inserts, deletes or changes a byte,
// or swaps two.
func Of(name string, names ...string) (nearest string) {
	least := min(2, len(name)/3) + 1
	for _, other := range names {
		if d := distance(name, other); d < least {
			nearest, least = other, d
		}
	}
	return nearest
}

// Option returns the option that somebody meant: the one that is most like name, as [Of] has it.
// If there is none, it is the only one that begins with name or has name between its hyphens:
// --base and --url mean --base-url.
func Option(name string, names ...string) string {
	if meant := Of(name, names...); meant != "" || len(name) < 3 {
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

// distance returns the fewest edits that make b of a, each byte being swapped once at most
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
