package rule

import (
	"iter"
	"math/bits"
)

// A Set is a set of codes of the catalogue. A plugin's code is never in it. The zero Set is empty.
type Set [(Count + 63) / 64]uint64

// Has reports whether code is in the set.
func (s *Set) Has(code Code) bool { return code < Count && s[code>>6]&(1<<(code&63)) != 0 }

// Add puts code into the set, unless it is a plugin's.
func (s *Set) Add(code Code) {
	if code < Count {
		s[code>>6] |= 1 << (code & 63)
	}
}

// Union returns the codes that are in either set.
func (s *Set) Union(t *Set) (union Set) {
	for i := range s {
		union[i] = s[i] | t[i]
	}
	return union
}

// Intersection returns the codes that are in both sets.
func (s *Set) Intersection(t *Set) (common Set) {
	for i := range s {
		common[i] = s[i] & t[i]
	}
	return common
}

// Any reports whether the set has one of codes.
func (s *Set) Any(codes ...Code) bool {
	for _, code := range codes {
		if s.Has(code) {
			return true
		}
	}
	return false
}

// All returns the set's codes, in their order.
func (s *Set) All() iter.Seq[Code] {
	return func(yield func(Code) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(Code(i<<6 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
