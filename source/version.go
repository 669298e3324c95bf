package source

import "fmt"

// Version is a CPython version whose behaviour is reproduced, as its minor
// number: Python314 is CPython 3.14. The zero value means the default, 3.14.
type Version uint8

// The versions that are reproduced, of those that flake8 7.3.0 runs on.
const (
	Python310 Version = 10
	Python311 Version = 11
	Python312 Version = 12
	Python313 Version = 13
	Python314 Version = 14
)

// ParseVersion reads "3.10" to "3.14".
func ParseVersion(text string) (Version, error) {
	for v := Python310; v <= Python314; v++ {
		if v.String() == text {
			return v, nil
		}
	}
	return 0, fmt.Errorf("target version %q: expected one of 3.10, 3.11, 3.12, 3.13, 3.14", text)
}

// OrDefault returns v, or Python314 for the zero value.
func (v Version) OrDefault() Version {
	if v == 0 {
		return Python314
	}
	return v
}

// Release returns the release of CPython that is followed, such as "3.14.6".
// Releases of one version differ in a few details.
func (v Version) Release() string {
	patches := [...]int{16, 11, 7, 2, 6}
	return fmt.Sprintf("%v.%d", v.OrDefault(), patches[v.OrDefault()-Python310])
}

// String returns the version as Python writes it: "3.14".
func (v Version) String() string { return fmt.Sprintf("3.%d", uint8(v.OrDefault())) }
