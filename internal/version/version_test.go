package version

import (
	"os"
	"regexp"
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

// Pages, the action and the hook of pre-commit name the release that the checkout is of:
// .ci/version changes it in all.
func TestPagesNameThisRelease(t *testing.T) {
	first, _, _ := strings.Cut(unreleased, ".")
	ours := regexp.MustCompile(`(?:codelinter(?:==|@v|[_:/ -])|rev: v|such as )(\d+\.\d+\.\d+(?:-rc\.\d+)?)`)
	// Where users copy a version from, and how often.
	for page, least := range map[string]int{
		"pyproject.toml": 1, "action.yml": 1, "packaging/action/install": 1, "python/README.md": 1, "README.md": 0,
		"docs/installing.md": 6, "docs/migrating-from-flake8.md": 1, "docs/releasing.md": 8, "docs/serving.md": 1,
	} {
		data, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		text, versions := string(data), ours
		if page == "docs/releasing.md" { // each version is ours but goreleaser's
			text = regexp.MustCompile(`goreleaser [\d.]+`).ReplaceAllString(text, "")
			versions = regexp.MustCompile(`(\d+\.\d+\.\d+(?:-rc\.\d+)?)`)
		}
		found := versions.FindAllStringSubmatch(text, -1)
		for _, match := range found {
			if match[1] != unreleased {
				t.Errorf("%s: %q, want %s", page, match[0], unreleased)
			}
		}
		if len(found) < least {
			t.Errorf("%s: %d versions of ours, want %d", page, len(found), least)
		}
		for _, match := range regexp.MustCompile(`(?:codelinter@v|tag -f v|origin v)(\d+)(?:[^.\d]|$)`).FindAllStringSubmatch(text, -1) {
			if match[1] != first {
				t.Errorf("%s: %q, want v%s", page, match[0], first)
			}
		}
	}
}
