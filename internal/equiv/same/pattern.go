package same

import (
	"bytes"
	"codelinter/internal/equiv/scope"
	"encoding/binary"
	"slices"
	"strings"
)

// A step is a step of a pattern.
type patternStep struct {
	kind     stepKind
	from, to int32 // bytes of the stream; of a jump or a choice, to is another step
	index    int32 // index in the pattern's variables
}

type stepKind uint8

const (
	stepBytes    stepKind = iota // these bytes
	stepChoice                   // go on here, or at the step to
	stepJump                     // go on at the step to
	stepWords                    // a text, with any blanks
	stepVariable                 // a variable: its number and its name
	stepDoc                      // any docstring, or none
	stepHint                     // any annotation, or none
)

// A pattern matches the answers that a program's findings ask for.
type pattern struct {
	stream []byte
	steps  []patternStep

	variables  []variable
	callers    *scope.Callers
	names      *scope.Table    // of the program
	words      map[string]bool // that no variable may be called
	parameters map[string]bool // names of all parameters
	keywords   map[string]bool // names that calls pass by keyword
}

// A matching is an attempt to match an answer with a pattern.
type matching struct {
	*pattern
	stream  []byte
	hints   []span
	numbers []int32 // by pattern.variables: the text's number for the variable, or 0
	owned   []bool  // by these numbers: a variable has it
	trail   []int32 // variables that got a number, in this order
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
func (p *pattern) matches(w *writer) bool {
	stream := w.out
	m := matching{pattern: p, stream: stream, hints: w.hints, numbers: make([]int32, len(p.variables)), owned: make([]bool, w.numbered+1)}
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
		for _, k := range m.trail[last.trail:] {
			m.owned[m.numbers[k]] = false
			m.numbers[k] = 0
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
		return i + 1, at + len(want), bytes.HasPrefix(m.stream[at:], want)
	case stepChoice:
		m.threads = append(m.threads, thread{s.to, int32(at), int32(len(m.trail))})
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
	case stepVariable:
		after, ok := m.variable(s.index, at)
		return i + 1, after, ok
	}
	text, after, ok := textAt(m.stream, at) // stepWords
	return i + 1, after, ok && slices.Equal(strings.Fields(string(text)), strings.Fields(string(m.pattern.stream[s.from:s.to])))
}

// variable takes a use of a variable: each of the text stands for one of the program.
func (m *matching) variable(k int32, at int) (after int, ok bool) {
	number, size := binary.Uvarint(m.stream[at:])
	if size <= 0 || number >= uint64(len(m.owned)) {
		return at, false
	}
	text, after, ok := textAt(m.stream, at+size)
	if !ok || m.numbers[k] != 0 {
		return after, ok && m.numbers[k] == int32(number)
	}
	v := &m.variables[k]
	if m.owned[number] || string(text) != v.name && !m.fits(v, string(text)) {
		return at, false
	}
	m.numbers[k], m.owned[number] = int32(number), true
	m.trail = append(m.trail, k)
	return after, true
}

// textAt reads a text that follows its length.
func textAt(stream []byte, at int) (text []byte, after int, ok bool) {
	length, n := binary.Uvarint(stream[at:])
	if n <= 0 || length > uint64(len(stream)-at-n) {
		return nil, at, false
	}
	from := at + n
	return stream[from : from+int(length)], from + int(length), true
}
