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
// A release is to a rule what a CPython is to the tokenizer: it has [Features], and
// rules ask for these, never for the release.
type Release uint8

// The releases.
const (
	Flake8730 Release = iota + 1 // pycodestyle 2.14.0, pyflakes 3.4.0, mccabe 0.7.0
	Flake8750                    // pycodestyle 2.15.0, pyflakes 4.1.0, mccabe 0.7.0

	defaultRelease = Flake8750
)

// Features are the differences between the releases. The name of each says what holds.
type Features struct {
	// Versions are the versions of flake8 and its plugins.
	Versions [McCabe + 1]string
	// Oldest is the first CPython on which the release can be installed.
	Oldest source.Version
	// Newest is the latest CPython at the time of the release. It is followed unless
	// another is chosen.
	Newest source.Version

	// LazyImports reports whether lazy imports are known: they may be at the top of a file
	// and nowhere else, and no module may read their names while it is imported.
	LazyImports bool

	// OneLetterPrefixes reports whether the prefix of a docstring is one letter at most for
	// E402, and then any of u, b and r. Before, it was one of u and b, one r, or both:
	//
	//	br"""A text."""
	//	import os
	OneLetterPrefixes bool

	// DefersWholeStrings reports whether a string that is all of an annotation waits for
	// two things: for annotations to be evaluated, and then for strings. An error in it is
	// placed at the string. Before, it waited once, like a string within an annotation, and
	// an error was placed at the statement:
	//
	//	def f(
	//	    spam: "a b",
	//	): ...
	DefersWholeStrings bool
	// DefersAliases reports whether the value of an alias waits as an annotation does:
	//
	//	Spam: TypeAlias = Eggs
	DefersAliases bool
	// AliasBeforeParameters reports whether an alias is bound before its parameters, so that
	// T hides the import from T, and not both of them:
	//
	//	import T
	//	def f():
	//	    type T[T] = int
	AliasBeforeParameters bool
	// AnnotatesLiteral reports whether the word Literal of Literal["spam"] is part of the
	// annotation around it. Its argument never is.
	AnnotatesLiteral bool
	// TypingCalls reports whether calls of typing's functions are visited from left to
	// right, and the arguments that are types are known for all of them. Before, they were
	// known for four functions, and arguments that are no types came first:
	//
	//	assert_type(spam, "Eggs"), NewType("Spam", "Eggs"), TypeVar("T", default="Eggs")
	TypingCalls bool
	// DictInPairs reports whether each key of a dict is followed by its value. Before, all
	// keys came first:
	//
	//	{1: (spam := 2), spam: 3}
	DictInPairs bool
	// OuterIterables reports whether the first iterable of a comprehension belongs to the
	// scope around it, as in Python:
	//
	//	[spam for spam in (yield)]
	OuterIterables bool
	// RootlessLoops is a slip: the first for of a comprehension is not linked to the tree
	// around it, so the name it binds is never in another branch than another binding:
	//
	//	try:
	//	    import spam
	//	except ImportError:
	//	    [0 for spam in eggs]
	RootlessLoops bool
	// ParametersOfFunction reports whether a parameter is said to come from its function.
	// Otherwise it comes from its own row.
	ParametersOfFunction bool
	// GlobalHooks reports whether functions have the names that debuggers look for, such as
	// __tracebackhide__, as if they declared them global, until a del.
	GlobalHooks bool

	// ShiftsIndentationErrors reports whether an IndentationError of the tokenizer that was
	// written in Python is taken for one of an early Python's parser, whose columns count
	// from 1.
	ShiftsIndentationErrors bool
}

var releases = [...]Features{
	Flake8730: {
		Versions: [...]string{Flake8: "7.3.0", Pycodestyle: "2.14.0", Pyflakes: "3.4.0", McCabe: "0.7.0"},
		Oldest:   source.Python310,
		Newest:   source.Python314,

		DefersAliases:           true,
		AliasBeforeParameters:   true,
		ParametersOfFunction:    true,
		GlobalHooks:             true,
		ShiftsIndentationErrors: true,
	},
	Flake8750: {
		Versions: [...]string{Flake8: "7.5.0", Pycodestyle: "2.15.0", Pyflakes: "4.1.0", McCabe: "0.7.0"},
		Oldest:   source.Python311,
		Newest:   source.Python315,

		LazyImports:        true,
		OneLetterPrefixes:  true,
		DefersWholeStrings: true,
		AnnotatesLiteral:   true,
		TypingCalls:        true,
		DictInPairs:        true,
		OuterIterables:     true,
		RootlessLoops:      true,
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

// Features returns the differences of the release from others.
func (r Release) Features() *Features { return &releases[r.OrDefault()] }

// Has reports whether the release has the code.
func (r Release) Has(code Code) bool { return catalog[code].Since <= r.OrDefault() }

// HasPrefix reports whether the release has a code that begins with prefix.
func (r Release) HasPrefix(prefix string) bool {
	for first, end := Span(prefix); first < end; first++ {
		if r.Has(Code(first)) {
			return true
		}
	}
	return false
}

// String returns the version of flake8: "7.5.0".
func (r Release) String() string { return r.Version(Flake8) }

// Version returns the version of one of the release's linters: "2.15.0" for
// [Pycodestyle].
func (r Release) Version(t Tool) string { return r.Features().Versions[t] }

// Reference names the programs whose findings are reproduced: "flake8 7.5.0 on CPython
// 3.15.2". Zero means the default, as in [Resolve].
func Reference(r Release, python source.Version) string {
	if python == 0 {
		python = r.Features().Newest
	}
	return "flake8 " + r.String() + " on CPython " + python.Release()
}

// Resolve completes a pair of a release and a CPython, either of which may be zero, for
// "not said". A CPython alone gets the default release, or an older one if that cannot be
// installed there. A release alone gets the newest CPython of its time. A release that
// cannot be installed on the CPython is an error.
func Resolve(r Release, python source.Version) (Release, source.Version, error) {
	if r == 0 {
		r = defaultRelease
		for python != 0 && python < r.Features().Oldest && r > Flake8730 {
			r--
		}
	}
	if int(r) >= len(releases) {
		return 0, 0, fmt.Errorf("flake8 release %d: expected one of %v", r, Releases())
	}
	if python == 0 {
		python = r.Features().Newest
	}
	if !slices.Contains(source.Versions(), python) {
		return 0, 0, fmt.Errorf("target version %v: expected one of %v", python, source.Versions())
	}
	if oldest := r.Features().Oldest; python < oldest {
		return 0, 0, fmt.Errorf("flake8 %v needs CPython %v or later: expected another release for target version %v", r, oldest, python)
	}
	return r, python, nil
}
