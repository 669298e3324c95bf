package same

import (
	"codelinter/internal/equiv/scope"
	"encoding/binary"
	"slices"
	"strings"
)

// A step is a step of a pattern.
type patternStep struct {
	kind     stepKind
	from, to int32 // bytes of the stream; of a jump or a choice, to is another step
	index    int32 // index in the pattern's names or locals
}

type stepKind uint8

const (
	stepBytes  stepKind = iota // these bytes
	stepChoice                 // go on here, or at the step to
	stepJump                   // go on at the step to
	stepName                   // a name, the same in all its places
	stepWords                  // a text, with any blanks
	stepLocal                  // a variable of a function: its number and its name
	stepDoc                    // any docstring, or none
	stepHint                   // any annotation, or none
)

// A pattern matches the answers that a program's findings ask for.
type pattern struct {
	stream []byte
	steps  []patternStep
	names  []newName // names of the program that change

	locals     []local
	words      map[string]bool // that no variable may be called
	parameters map[string]bool // names of all parameters
	keywords   map[string]bool // names that calls pass by keyword
}

// A newName is a name of the program that changes.
type newName struct {
	symbol int32
	name   string
	taken  map[string]bool // names with another meaning in the same places
}

// A matching is an attempt to match an answer with a pattern.
type matching struct {
	*pattern
	stream  []byte
	names   []string
	hints   []span
	locals  []int32         // by pattern.locals: the text's number for the variable, or 0
	owners  map[int32]int32 // locals by these numbers
	trail   []int32         // names that got a new name, in this order, and locals as -1 - index
	threads []thread
}

// A thread is a state for backtracking.
type thread struct {
	step, at int32
	trail    int32
}

// matches reports whether an answer's stream matches the pattern. The next byte decides
// most choices, so the time is linear in the length. A match that looks at more than four
// times as many bytes is given up.
func (p *pattern) matches(stream []byte, hints []span) bool {
	m := matching{pattern: p, stream: stream, hints: hints, names: make([]string, len(p.names)), locals: make([]int32, len(p.locals)), owners: map[int32]int32{}}
	budget := 4*len(stream) + 1000
	i, at := 0, 0
	for {
		switch {
		case i < len(p.steps):
			next, after, ok := m.step(i, at)
			if budget -= 1 + after - at; ok {
				i, at = next, after
				continue
			}
		case at == len(stream):
			return true
		}
		if len(m.threads) == 0 || budget < 0 {
			return false
		}
		last := m.threads[len(m.threads)-1]
		m.threads = m.threads[:len(m.threads)-1]
		i, at = int(last.step), int(last.at)
		for _, name := range m.trail[last.trail:] {
			if name >= 0 {
				m.names[name] = ""
				continue
			}
			delete(m.owners, m.locals[-1-name])
			m.locals[-1-name] = 0
		}
		m.trail = m.trail[:last.trail]
	}
}

// step takes a step and returns the next step and position.
func (m *matching) step(i, at int) (next, after int, ok bool) {
	s := &m.steps[i]
	switch s.kind {
	case stepBytes:
		want := m.pattern.stream[s.from:s.to]
		return i + 1, at + len(want), hasPrefix(m.stream[at:], want)
	case stepChoice:
		m.fork(int(s.to), at)
		return i + 1, at, true
	case stepJump:
		return int(s.to), at, true
	case stepDoc:
		if at < len(m.stream) && m.stream[at] == opDoc {
			_, at, _ = textAt(m.stream, at+1)
		}
		return i + 1, at, true
	case stepHint:
		h, found := slices.BinarySearchFunc(m.hints, int32(at), func(h span, at int32) int { return int(h.from - at) })
		if found {
			at = int(m.hints[h].to)
		}
		return i + 1, at, true
	case stepLocal:
		after, ok := m.local(s.index, at)
		return i + 1, after, ok
	}
	text, after, ok := textAt(m.stream, at)
	if !ok {
		return i, at, false
	}
	if s.kind == stepWords {
		return i + 1, after, slices.Equal(strings.Fields(text), strings.Fields(string(m.pattern.stream[s.from:s.to])))
	}
	if m.names[s.index] == "" && m.free(s.index, text) {
		m.names[s.index] = text
		m.trail = append(m.trail, s.index)
	}
	return i + 1, after, m.names[s.index] == text
}

// local takes a use of a variable: each of the text stands for one of the program.
func (m *matching) local(k int32, at int) (after int, ok bool) {
	number, size := binary.Uvarint(m.stream[at:])
	if size <= 0 {
		return at, false
	}
	text, after, ok := textAt(m.stream, at+size)
	if !ok {
		return at, false
	}
	if m.locals[k] != 0 {
		return after, m.locals[k] == int32(number)
	}
	l := &m.pattern.locals[k]
	if _, taken := m.owners[int32(number)]; taken || text != l.name && !m.pattern.fits(l, text) {
		return at, false
	}
	m.locals[k], m.owners[int32(number)] = int32(number), k
	m.trail = append(m.trail, -1-k)
	return after, true
}

// fork saves a state for backtracking.
func (m *matching) fork(step, at int) {
	m.threads = append(m.threads, thread{int32(step), int32(at), int32(len(m.trail))})
}

func hasPrefix(stream, want []byte) bool {
	return len(stream) >= len(want) && string(stream[:len(want)]) == string(want)
}

// free reports whether a name may replace one of the program's: it is the same, or has no meaning
// there, and replaces no other name.
func (m *matching) free(at int32, text string) bool {
	r := &m.pattern.names[at]
	if text != r.name && (r.taken[text] || strings.HasPrefix(text, "__") || scope.ClassOf(text)&scope.Builtin != 0) {
		return false
	}
	for i, other := range m.names {
		if other == text && m.pattern.names[i].name != r.name {
			return false
		}
	}
	return true
}

// textAt reads a text that follows its length.
func textAt(stream []byte, at int) (text string, after int, ok bool) {
	length, n := binary.Uvarint(stream[at:])
	if n <= 0 || length > uint64(len(stream)-at-n) {
		return "", at, false
	}
	from := at + n
	return string(stream[from : from+int(length)]), from + int(length), true
}
