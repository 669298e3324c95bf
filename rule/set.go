package rule

// A Set is a set of codes. The zero Set is empty.
type Set [(Count + 63) / 64]uint64

// Has reports whether code is in the set.
func (s *Set) Has(code Code) bool { return s[code>>6]&(1<<(code&63)) != 0 }

// Add puts code into the set.
func (s *Set) Add(code Code) { s[code>>6] |= 1 << (code & 63) }

// Any reports whether the set has one of codes.
func (s *Set) Any(codes ...Code) bool {
	for _, code := range codes {
		if s.Has(code) {
			return true
		}
	}
	return false
}
