package lint

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// A recorded is what flake8 on one CPython printed for a program: null findings
// where it died.
type recorded struct {
	Findings *[][4]any // row, column, code, text
	Tree     string    // beginning of the hash of ast.dump, "" for no Python
}

// TestVersions compares the findings and trees of programs on which the versions
// of CPython differ with those recorded from each, see testdata/versions.
func TestVersions(t *testing.T) {
	f, err := os.Open("../testdata/versions/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	options := DefaultOptions()
	options.Select, options.Ignore = []string{"E", "W", "F", "C90"}, []string{}
	programs := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var versions map[string]json.RawMessage
		if err := json.Unmarshal(lines.Bytes(), &versions); err != nil {
			t.Fatal(err)
		}
		var code string
		if err := json.Unmarshal(versions["code"], &code); err != nil {
			t.Fatal(err)
		}
		programs++
		var want recorded
		for _, target := range slices.Backward(source.Versions()) {
			if raw, ok := versions[target.String()]; ok {
				want = recorded{}
				if err := json.Unmarshal(raw, &want); err != nil {
					t.Fatal(err)
				}
			}
			options.Target, options.Release = target, releaseOf(target)
			linter, err := New(options)
			if err != nil {
				t.Fatal(err)
			}
			if want.Findings != nil {
				checkFindings(t, target, code, linter, *want.Findings)
			}
			var file source.File
			file.Load([]byte(code))
			tree := ""
			if module, err := parser.Parse(&file, parser.Options{Target: target}); err == nil {
				sum := sha256.Sum256([]byte(ast.Dump(module, &file, target)))
				tree = hex.EncodeToString(sum[:8])
			}
			if tree != want.Tree {
				t.Errorf("%s: %q: tree %q, want %q", target, code, tree, want.Tree)
			}
		}
	}
	if programs < 100 {
		t.Errorf("only %d programs", programs)
	}
}

// releaseOf returns the release that was recorded on a CPython: the first that could have
// been tried there.
func releaseOf(target source.Version) rule.Release {
	for _, release := range rule.Releases() {
		if target <= release.Features().Newest {
			return release
		}
	}
	return 0
}

func checkFindings(t *testing.T, target source.Version, code string, linter *Linter, want [][4]any) {
	t.Helper()
	got := [][4]any{}
	for _, finding := range linter.Lint(Input{Data: []byte(code)}).Findings {
		got = append(got, [4]any{float64(finding.Row), float64(finding.Column), finding.Code.String(), finding.Message()})
	}
	// Lines that tie are in no order.
	byText := func(a, b [4]any) int {
		for i := range 2 {
			if a[i] != b[i] {
				return int(a[i].(float64) - b[i].(float64))
			}
		}
		for i := 2; i < 4; i++ {
			switch x, y := a[i].(string), b[i].(string); {
			case x < y:
				return -1
			case x > y:
				return 1
			}
		}
		return 0
	}
	slices.SortFunc(got, byText)
	slices.SortFunc(want, byText)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q:\n\tgot  %v\n\twant %v", target, code, got, want)
	}
}
