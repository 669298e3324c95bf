package release

import (
	"os"
	"strings"
	"testing"

	"codelinter/rule"
	"codelinter/source"
)

func TestIsRelease(t *testing.T) {
	for version, want := range map[string]bool{
		"v0.1.0": true, "v12.3.45": true, "v1.0.0-rc.1": true,
		"": false, "(devel)": false, "v": false, "v0.1.0+dirty": false, "v0.0.0-20261121120000-abcdef123456": false,
	} {
		if isRelease(version) != want {
			t.Errorf("%q: want %v", version, want)
		}
	}
}

func TestRelease(t *testing.T) {
	if got := Version(); got != unreleased {
		t.Errorf("a test is no release, but got %s", got)
	}
	want := unreleased + " (flake8 7.3.0 on CPython 3.11.11: mccabe 0.7.0, pycodestyle 2.14.0, pyflakes 3.4.0)"
	if got := Full(rule.Flake8730, source.Python311); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want = unreleased + " (flake8 7.5.0 on CPython 3.15.2: mccabe 0.7.0, pycodestyle 2.15.0, pyflakes 4.1.0)"
	if got := Full(rule.Flake8750, 0); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The hook of pre-commit for Python installs the release that the checkout is.
func TestPreCommitInstallsThisRelease(t *testing.T) {
	text, err := os.ReadFile("../../pyproject.toml")
	if err != nil {
		t.Fatal(err)
	}
	if want := `dependencies = ["codelinter==` + unreleased + `"]`; !strings.Contains(string(text), want) {
		t.Errorf("pyproject.toml: expected %s", want)
	}
}
