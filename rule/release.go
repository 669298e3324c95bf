package rule

import (
	"fmt"
	"slices"
	"strings"

	"codelinter/source"
)

// A Release is a release of flake8 whose findings are reproduced, together with the
// pycodestyle, pyflakes and mccabe that it asks for. The zero value means the default.
//
// A release is to a rule what a CPython is to the tokenizer: it has [ReleaseFacts], and
// rules ask for these, never for the release.
type Release uint8

// The releases.
const (
	Flake8730 Release = iota + 1 // pycodestyle 2.14.0, pyflakes 3.4.0, mccabe 0.7.0
	Flake8750                    // pycodestyle 2.15.0, pyflakes 4.1.0, mccabe 0.7.0

	defaultRelease = Flake8730
)

// ReleaseFacts are the differences between the releases, each under a name that says
// what holds.
type ReleaseFacts struct {
	// Versions are those of flake8 and its plugins.
	Versions [McCabe + 1]string
	// Oldest is the first CPython on which the release can be installed.
	Oldest source.Version
	// Newest is the last CPython that there was when the release came: the one that it is
	// followed on unless told otherwise.
	Newest source.Version
}

var releases = [...]ReleaseFacts{
	Flake8730: {
		Versions: [...]string{Flake8: "7.3.0", Pycodestyle: "2.14.0", Pyflakes: "3.4.0", McCabe: "0.7.0"},
		Oldest:   source.Python310,
		Newest:   source.Python314,
	},
	Flake8750: {
		Versions: [...]string{Flake8: "7.5.0", Pycodestyle: "2.15.0", Pyflakes: "4.1.0", McCabe: "0.7.0"},
		Oldest:   source.Python311,
		Newest:   source.Python315,
	},
}

// Releases returns the releases that are reproduced, from the oldest on.
func Releases() []Release { return []Release{Flake8730, Flake8750} }

// ParseRelease reads the name of one of [Releases], such as "7.5.0".
func ParseRelease(text string) (Release, error) {
	var names []string
	for _, r := range Releases() {
		if r.String() == text {
			return r, nil
		}
		names = append(names, r.String())
	}
	return 0, fmt.Errorf("flake8 version %q: expected %s", text, strings.Join(names, ", "))
}

// MarshalText implements [encoding.TextMarshaler].
func (r Release) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler], by [ParseRelease].
func (r *Release) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRelease(string(text))
	return err
}

// OrDefault returns r, or the default release for the zero value.
func (r Release) OrDefault() Release {
	if r == 0 {
		return defaultRelease
	}
	return r
}

// Facts returns the facts of a release.
func (r Release) Facts() *ReleaseFacts { return &releases[r.OrDefault()] }

// String returns the version of flake8: "7.5.0".
func (r Release) String() string { return r.Version(Flake8) }

// Version returns the version of one of the release's linters: "2.15.0" for
// [Pycodestyle].
func (r Release) Version(l Linter) string { return r.Facts().Versions[l] }

// Reference names what findings are equal to: "flake8 7.5.0 on CPython 3.15.2". What is
// zero is the default, as in [Resolve].
func Reference(r Release, python source.Version) string {
	if python == 0 {
		python = r.Facts().Newest
	}
	return "flake8 " + r.String() + " on CPython " + python.Release()
}

// Resolve returns the release and the CPython that are meant by a pair of which either
// may be zero, for "not said". A CPython alone is followed with the default release, or
// an older one if that cannot be installed there; a release alone on the newest CPython
// of its time. A release that cannot be installed on the CPython is an error.
func Resolve(r Release, python source.Version) (Release, source.Version, error) {
	if r == 0 {
		r = defaultRelease
		for python != 0 && python < r.Facts().Oldest && r > Flake8730 {
			r--
		}
	}
	if int(r) >= len(releases) {
		return 0, 0, fmt.Errorf("flake8 release %d: expected one of %v", r, Releases())
	}
	if python == 0 {
		python = r.Facts().Newest
	}
	if !slices.Contains(source.Versions(), python) {
		return 0, 0, fmt.Errorf("target version %v: expected one of %v", python, source.Versions())
	}
	if oldest := r.Facts().Oldest; python < oldest {
		return 0, 0, fmt.Errorf("flake8 %v needs CPython %v or later: expected another release for target version %v", r, oldest, python)
	}
	return r, python, nil
}
