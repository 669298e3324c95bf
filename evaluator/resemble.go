package evaluator

import (
	"hash/maphash"
	"strings"

	"codelinter/tokenizer"
)

// Answers to other tasks are well-formed answers: they get a score, which means nothing. Samples
// that [task.Task.Digest] names cannot be mistaken. For others the names are compared: an answer
// that fixes a program keeps most of its names. Of the built-in answers to the open set all keep a
// [handful]; of programs drawn at random from the open set and MBPP 98 in 100 do not have a handful
// of another program's names.

// A Resemblance counts answers by the names that they share with their tasks' programs. It counts
// the first answer to each task, unless the samples name their tasks' digests. Answers without
// names, and answers to programs without names, are not counted.
type Resemblance struct {
	Answers int
	Foreign int // those that share fewer than a handful of names
}

// handful is the number of its program's names that an answer to a task shares, or half of them if
// they are fewer: a fix may rename variables.
const handful = 5

// fewAnswers is the number of answers below which nothing is said.
const fewAnswers = 3

// OfOthers reports whether most answers look like answers to other tasks.
func (r *Resemblance) OfOthers() bool { return r.Answers >= fewAnswers && 2*r.Foreign > r.Answers }

func (r *Resemblance) add(d Resemblance) {
	r.Answers += d.Answers
	r.Foreign += d.Foreign
}

// A resembler compares names, and reuses its memory.
type resembler struct{ given, shared nameSet }

// compare compares an answer's code with a task's program. It reads both only as far as it must: an
// answer's first names are mostly the program's first, and a handful of them is enough.
func (m *resembler) compare(program, code string) (r Resemblance) {
	m.given.reset()
	m.shared.reset()
	given, answer := nameReader{text: program}, nameReader{text: code}
	for hash := answer.next(); hash != 0; hash = answer.next() {
		r.Answers = 1
		for !m.given.has(hash) && given.at < len(program) {
			if next := given.next(); next != 0 {
				m.given.add(next)
			}
		}
		if m.given.has(hash) {
			m.shared.add(hash)
		}
		if m.shared.n >= handful {
			return r
		}
	}
	// Half of so many names, rounded up, are a handful.
	for m.given.n < 2*handful-1 && given.at < len(program) {
		if next := given.next(); next != 0 {
			m.given.add(next)
		}
	}
	if m.given.n == 0 {
		return Resemblance{}
	}
	if m.shared.n < min(handful, (m.given.n+1)/2) {
		r.Foreign = r.Answers
	}
	return r
}

// A nameSet is a set of hashes of names, by open addressing. Two names of 64 equal bits are one:
// a map of texts took a tenth of an evaluation.
type nameSet struct {
	slots []uint64 // 0 is free; a power of two of them, a half of them free
	n     int
}

func (s *nameSet) reset() {
	if len(s.slots) == 0 || len(s.slots) > mostSlots {
		s.slots = make([]uint64, leastSlots)
	}
	clear(s.slots)
	s.n = 0
}

const (
	leastSlots = 1 << 6
	mostSlots  = 1 << 12 // above which a set's memory is not kept
)

// at returns the slot of a hash, or the free one for it.
func (s *nameSet) at(hash uint64) *uint64 {
	i := hash >> 1 // the lowest bit is set in all
	for {
		slot := &s.slots[i&uint64(len(s.slots)-1)]
		if *slot == hash || *slot == 0 {
			return slot
		}
		i++
	}
}

func (s *nameSet) has(hash uint64) bool { return *s.at(hash) != 0 }

func (s *nameSet) add(hash uint64) {
	if 2*s.n >= len(s.slots) {
		old := s.slots
		s.slots = make([]uint64, 2*len(old))
		for _, hash := range old {
			if hash != 0 {
				*s.at(hash) = hash
			}
		}
	}
	if slot := s.at(hash); *slot == 0 {
		*slot = hash
		s.n++
	}
}

// nameSeed is a run's own, so that nobody can write a text whose names meet in one slot.
var nameSeed = maphash.MakeSeed()

// A nameReader reads the names in a text outside of comments and string literals. The text need not
// be valid Python.
type nameReader struct {
	text string
	at   int
}

// next returns a hash of the next name, or 0 if there is none.
func (r *nameReader) next() uint64 {
	text := r.text
	for r.at < len(text) {
		switch c := text[r.at]; {
		case isNameByte(c):
			start := r.at
			for r.at++; r.at < len(text) && isNameByte(text[r.at]); r.at++ {
			}
			if word := text[start:r.at]; (c < '0' || c > '9') && !tokenizer.LookupKeyword(word).IsHard() {
				return maphash.String(nameSeed, word) | 1
			}
		case c == '#':
			n := strings.IndexByte(text[r.at:], '\n')
			if n < 0 {
				n = len(text) - r.at
			}
			r.at += n
		case c == '"' || c == '\'':
			r.at += literalEnd(text[r.at:])
		default:
			r.at++
		}
	}
	return 0
}
