package rule

import (
	"testing"

	"codelinter/source"
)

// TestResolve requires that a pair with gaps is filled, and one that cannot be installed
// refused with the reason.
func TestResolve(t *testing.T) {
	for _, c := range []struct {
		release    Release
		python     source.Version
		wantFlake8 Release
		wantPython source.Version
	}{
		{0, 0, defaultRelease, defaultRelease.Features().Newest},
		{Flake8730, 0, Flake8730, source.Python314},
		{Flake8750, 0, Flake8750, source.Python315},
		{0, source.Python310, Flake8730, source.Python310},
		{0, source.Python312, defaultRelease, source.Python312},
		{Flake8730, source.Python310, Flake8730, source.Python310},
		{Flake8750, source.Python311, Flake8750, source.Python311},
	} {
		release, python, err := Resolve(c.release, c.python)
		if err != nil || release != c.wantFlake8 || python != c.wantPython {
			t.Errorf("Resolve(%d, %d) = %v, %v, %v; want %v, %v", c.release, c.python, release, python, err, c.wantFlake8, c.wantPython)
		}
	}
	for _, c := range []struct {
		release Release
		python  source.Version
		want    string
	}{
		{Flake8750, source.Python310, "flake8 7.5.0 needs CPython 3.11 or later: expected another release for target version 3.10"},
		{Flake8750 + 1, 0, "flake8 release 3: expected one of [7.3.0 7.5.0]"},
		{0, source.Python315 + 1, "target version 3.16: expected one of [3.10 3.11 3.12 3.13 3.14 3.15]"},
	} {
		if _, _, err := Resolve(c.release, c.python); err == nil || err.Error() != c.want {
			t.Errorf("Resolve(%d, %d): %v; want %s", c.release, c.python, err, c.want)
		}
	}
}

// TestHas requires that a code of 7.5.0 is no code of 7.3.0, and that both have the others.
func TestHas(t *testing.T) {
	for code := range Codes() {
		newer := code == F708 || code == F709 || code == F851
		if Flake8730.Has(code) == newer || !Flake8750.Has(code) {
			t.Errorf("%s: %v, %v", code, Flake8730.Has(code), Flake8750.Has(code))
		}
	}
	for _, test := range []struct {
		prefix       string
		older, newer bool
	}{
		{"F7", true, true}, {"F708", false, true}, {"F85", false, true}, {"", true, true}, {"F79", false, false}, {"X", false, false},
	} {
		if older, newer := Flake8730.HasPrefix(test.prefix), Flake8750.HasPrefix(test.prefix); older != test.older || newer != test.newer {
			t.Errorf("%q: %v, %v", test.prefix, older, newer)
		}
	}
}

// TestParseRelease requires that each release's name is read back, and others refused.
func TestParseRelease(t *testing.T) {
	for _, r := range Releases() {
		if got, err := ParseRelease(r.String()); got != r || err != nil {
			t.Errorf("%v: %v, %v", r, got, err)
		}
	}
	if _, err := ParseRelease("7.2.0"); err == nil || err.Error() != `flake8 version "7.2.0": expected 7.3.0, 7.5.0` {
		t.Error(err)
	}
}
