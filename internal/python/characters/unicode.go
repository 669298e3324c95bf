package characters

import "sort"

// Unicode is a version of Unicode. The package's functions are for [Latest]; the methods of Unicode
// are for any version.
//
// Since Unicode 13 no character has left one of these classes, as additions.py checks. So an older
// version is the latest one without the characters that were added later, a list of 207 ranges.
type Unicode uint8

// The versions that CPython 3.10 to 3.15 have.
const (
	Unicode13   Unicode = iota // 3.10
	Unicode14                  // 3.11
	Unicode15                  // 3.12
	Unicode15_1                // 3.13
	Unicode16                  // 3.14
	Unicode17                  // 3.15

	// Latest is the version of the tables.
	Latest = Unicode17
)

// Of returns the version that CPython 3.minor has.
func Of[V ~uint8](minor V) Unicode { return Unicode13 + Unicode(minor) - 10 }

// additionsOf are ranges of characters, in their order, each with the version
// that added it.
type additionsOf []struct {
	first, last uint32
	since       Unicode
}

// after reports whether c came with a version after u.
func (a additionsOf) after(u Unicode, c rune) bool {
	if u == Latest {
		return false
	}
	i := sort.Search(len(a), func(i int) bool { return uint32(c) <= a[i].last })
	return i < len(a) && a[i].first <= uint32(c) && a[i].since > u
}

// Has reports whether u has c, if c is a character of the latest version.
func (u Unicode) Has(c rune) bool { return !additions.after(u, c) }

// IsIdentifierStart is [IsIdentifierStart] in u.
func (u Unicode) IsIdentifierStart(c rune) bool { return IsIdentifierStart(c) && u.Has(c) }

// IsIdentifierContinue is [IsIdentifierContinue] in u.
func (u Unicode) IsIdentifierContinue(c rune) bool {
	return IsIdentifierContinue(c) && u.Has(c) && !continuations.after(u, c)
}

// IsPrintable is [IsPrintable] in u.
func (u Unicode) IsPrintable(c rune) bool { return IsPrintable(c) && u.Has(c) }

// IsWord is [IsWord] in u.
func (u Unicode) IsWord(c rune) bool { return IsWord(c) && u.Has(c) }
