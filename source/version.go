package source

import (
	"fmt"
	"strings"
)

// Version is a CPython version whose behaviour is reproduced, as its minor
// number: Python314 is CPython 3.14. The zero value means the default, the newest.
type Version uint8

// The versions that are reproduced.
const (
	Python310 Version = 10
	Python311 Version = 11
	Python312 Version = 12
	Python313 Version = 13
	Python314 Version = 14
	Python315 Version = 15

	oldest, newest = Python310, Python315
)

// Newest is the newest version that is reproduced. Apart from a few mistakes of CPython, it accepts
// every program that an older version accepts.
const Newest = newest

// Versions returns the versions that are reproduced, from the oldest on.
func Versions() []Version {
	var all []Version
	for v := oldest; v <= newest; v++ {
		all = append(all, v)
	}
	return all
}

// ParseVersion reads the name of one of [Versions], such as "3.14".
func ParseVersion(text string) (Version, error) {
	for _, v := range Versions() {
		if v.String() == text {
			return v, nil
		}
	}
	var names []string
	for _, v := range Versions() {
		names = append(names, v.String())
	}
	return 0, fmt.Errorf("target version %q: expected %s", text, strings.Join(names, ", "))
}

// MarshalText implements [encoding.TextMarshaler].
func (v Version) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler], by [ParseVersion].
func (v *Version) UnmarshalText(text []byte) (err error) {
	*v, err = ParseVersion(string(text))
	return err
}

// OrDefault returns v, or the newest version for the zero value.
func (v Version) OrDefault() Version {
	if v == 0 {
		return newest
	}
	return v
}

// Release returns the release of CPython that is followed, such as "3.14.6".
// Releases of one version differ in a few details.
func (v Version) Release() string {
	patches := [...]int{16, 11, 7, 2, 6, 2}
	return fmt.Sprintf("%v.%d", v.OrDefault(), patches[v.OrDefault()-oldest])
}

// String returns the version as Python writes it: "3.14".
func (v Version) String() string { return fmt.Sprintf("3.%d", uint8(v.OrDefault())) }
