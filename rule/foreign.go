package rule

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
)

// maxForeign bounds the codes of plugins in a process, and maxForeignName the bytes of one. All
// known plugins together have some 3,000 codes, of at most 10 bytes.
const (
	maxForeign     = 1 << 14
	maxForeignName = 64
)

// foreign has the codes of plugins: Count is the first of names.
var foreign struct {
	sync.RWMutex
	codes map[string]Code
	names []string
}

// Named returns the code that is written as text, be it one of the catalogue or a plugin's. A
// plugin's code gets its number when it is named for the first time, and keeps it until the
// process ends. ok is false for a text of more than 64 bytes, an empty one, and any new code
// after 16,384 others.
func Named(text string) (code Code, ok bool) {
	if code, ok = Find(text); ok {
		return code, ok
	}
	foreign.RLock()
	code, ok = foreign.codes[text]
	foreign.RUnlock()
	if ok || text == "" || len(text) > maxForeignName {
		return code, ok
	}
	foreign.Lock()
	defer foreign.Unlock()
	if code, ok = foreign.codes[text]; ok || len(foreign.names) == maxForeign {
		return code, ok
	}
	if foreign.codes == nil {
		foreign.codes = map[string]Code{}
	}
	text = strings.Clone(text)
	code = Code(Count + len(foreign.names))
	foreign.codes[text], foreign.names = code, append(foreign.names, text)
	return code, true
}

// IsForeign reports whether the code is a plugin's, which no catalogue describes.
func (c Code) IsForeign() bool { return c >= Count }

// foreignRule returns the rule of a plugin's code: its name alone is known.
func foreignRule(c Code) Rule {
	foreign.RLock()
	defer foreign.RUnlock()
	if at := int(c) - Count; at < len(foreign.names) {
		return Rule{Code: foreign.names[at], Tool: Plugin}
	}
	return Rule{Code: "?", Tool: Plugin} // of no finding
}

// Compare orders codes: those of the catalogue as it has them, then those of plugins by their
// text. The numbers of plugins' codes are in the order in which they were met.
func Compare(a, b Code) int {
	if !a.IsForeign() || !b.IsForeign() || a == b {
		return cmp.Compare(a, b)
	}
	return strings.Compare(a.String(), b.String())
}

// A Table has a value for each code, be it one of the catalogue or a plugin's. The zero Table has
// zero values.
type Table[T any] struct {
	own     [Count]T
	foreign map[Code]*T
}

// At returns the value of a code, for reading and writing.
func (t *Table[T]) At(code Code) *T {
	if code < Count {
		return &t.own[code]
	}
	value := t.foreign[code]
	if value == nil {
		if t.foreign == nil {
			t.foreign = map[Code]*T{}
		}
		value = new(T)
		t.foreign[code] = value
	}
	return value
}

// Of returns the value of a code. Unlike [Table.At] it may be called by several goroutines.
func (t *Table[T]) Of(code Code) (value T) {
	if code < Count {
		return t.own[code]
	}
	if found := t.foreign[code]; found != nil {
		value = *found
	}
	return value
}

// ForgetForeign sets the values of all plugins' codes to zero.
func (t *Table[T]) ForgetForeign() { clear(t.foreign) }

// Foreign yields those codes of plugins that [Table.At] was asked for, in the order of [Compare].
func (t *Table[T]) Foreign() iter.Seq2[Code, *T] {
	return func(yield func(Code, *T) bool) {
		if len(t.foreign) == 0 {
			return
		}
		for _, code := range slices.SortedFunc(maps.Keys(t.foreign), Compare) {
			if !yield(code, t.foreign[code]) {
				return
			}
		}
	}
}

// All yields all codes of the catalogue, in their order, and then those of [Table.Foreign].
func (t *Table[T]) All() iter.Seq2[Code, *T] {
	return func(yield func(Code, *T) bool) {
		for i := range t.own {
			if !yield(Code(i), &t.own[i]) {
				return
			}
		}
		t.Foreign()(yield)
	}
}
