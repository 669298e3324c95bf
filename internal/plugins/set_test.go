package plugins

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/lint"
	"codelinter/sandbox"
)

func newSet(t *testing.T) *Set {
	t.Helper()
	if sandbox.Version(sandbox.CPython) == "" || testing.Short() {
		t.Skip("there is no CPython in this binary, or no time to start it")
	}
	s, err := NewSet(t.Context(), []string{"testdata/site"}, SetOptions{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func optionsOf(t *testing.T, text string) *task.Options {
	t.Helper()
	options := new(task.Options)
	if err := json.Unmarshal([]byte(text), options); err != nil {
		t.Fatal(err)
	}
	return options
}

// found returns what a linter finds, as check prints it.
func found(t *testing.T, s *Set, options, code string) (string, error) {
	t.Helper()
	linter, err := task.NewLinter(0, 0, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := linter.Use(t.Context(), optionsOf(t, options)); err != nil {
		return "", err
	}
	result, _, err := linter.Lint(t.Context(), lint.Input{Data: []byte(code)})
	var out []byte
	for i := range result.Findings {
		f := &result.Findings[i]
		out = f.AppendMessage(append(append(out, f.Code.String()...), ' '))
		out = append(out, '\n')
	}
	return string(out), err
}

// Code under a task's options has the findings of check --plugins under the same ones.
func TestSetAsCheck(t *testing.T) {
	s := newSet(t)
	code, err := os.ReadFile("testdata/work/a.py")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "answer.py"), code, 0o600); err != nil {
		t.Fatal(err)
	}
	site, err := filepath.Abs("testdata/site")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	for options, args := range map[string][]string{
		`{"plugins": {"house-plugins": "1.0"}, "extend-select": ["H102"], "plugin-options": {"name-limit": 8, "banned_names": ["x"]}}`:                     {"--extend-select=H102", "--name-limit=8", "--banned-names=x"},
		`{"plugins": {"House_Plugins": "1.0"}, "select": ["H", "C"], "max-complexity": 1, "plugin-options": {"enable-extensions": "H4,H5"}, "ignore": []}`: {"--select=H,C", "--max-complexity=1", "--enable-extensions=H4,H5", "--ignore="},
	} {
		got, err := found(t, s, options, string(code))
		if err != nil {
			t.Fatal(err)
		}
		want, _, _ := flake8With(t, "", append([]string{"--plugins", site, "--isolated", "--format=%(code)s %(text)s", "answer.py"}, args...)...)
		if got != want || want == "" {
			t.Errorf("%s\n%s\nwant\n%s", options, got, want)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	s := newSet(t)
	for options, want := range map[string]string{
		`{"plugins": {"other": "1.0"}}`:                                                        "expected the plugin other==1.0 in testdata/site, found house-plugins",
		`{"plugins": {"house-plugins": "1.1"}}`:                                                "expected the plugin house-plugins==1.1 in testdata/site, found 1.0",
		`{"plugins": {"house-plugins": "1.0"}, "plugin-options": {"name-limt": 1}}`:            `plugin-options: expected one of banned-names, enable-extensions, name-limit, name-style, found "name-limt"`,
		`{"plugins": {"house-plugins": "1.0"}, "plugin-options": {"name-limit": "many"}}`:      "'many'",
		`{"plugins": {"house-plugins": "1.0"}, "plugin-options": {"max-line-length": "many"}}`: `found "max-line-length"`,
	} {
		if _, err := found(t, s, options, "x = 1\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", options, err, want)
		}
	}
}

// An answer at which a plugin fails is an error, whatever it does, and what it does is gone at the
// next answer. More configurations than have room take turns.
func TestSetFails(t *testing.T) {
	s := newSet(t)
	defer func(n int64) { fileBudget = n }(fileBudget)
	fileBudget = 25_000_000 // those that end by themselves need up to 10 million
	options := func(limit string) string {
		return `{"plugins": {"house-plugins": "1.0"}, "select": ["H1", "H2", "H9"], "plugin-options": {"enable-extensions": "H9", "name-limit": ` + limit + `}}`
	}
	for _, test := range []struct{ what, want string }{
		{"loop", "they used their "}, {"memory", "MemoryError()"}, {"exit", "SystemExit(3)"}, {"die", "the interpreter ended with 4"},
		{"raise", "ValueError('nothing doing')"}, {"modules", ""}, {"tree", ""}, {"print", ""}, {"chdir", ""}, {"patch", "ZeroDivisionError"}, {"codes", "expected findings of 500 codes at most, found "},
	} {
		got, err := found(t, s, options("3"), "# "+test.what+"\n")
		if test.want == "" && (err != nil || !strings.Contains(got, "H900 "+test.what)) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %s%v", test.what, got, err)
		}
		if got, err := found(t, s, options("3"), "# fine\nimport os\nreturn_ = os\n"); err != nil || !strings.Contains(got, "H900 fine\n") || !strings.Contains(got, "H103 an import") {
			t.Errorf("after %s: %s%v", test.what, got, err)
		}
	}
	var checking sync.WaitGroup
	for _, limit := range strings.Fields("1 2 3 4 5 6 1 2") {
		checking.Go(func() {
			got, err := found(t, s, options(limit), "# fine\ndef wait():\n    pass\n")
			if want := limit > "4"; err != nil || strings.Contains(got, "H100") != want {
				t.Errorf("limit %s: %s%v", limit, got, err)
			}
		})
	}
	checking.Wait()
	if len(s.open) > maxOpen {
		t.Errorf("%d configurations are open", len(s.open))
	}
	s.Close()
	if _, err := found(t, s, options("3"), "x = 1\n"); err == nil {
		t.Error("a closed set works")
	}
}

// Answers are scored with plugins, and those that plugins cannot check are masked.
func TestSetScores(t *testing.T) {
	s := newSet(t)
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{Plugins: s})
	if err != nil {
		t.Fatal(err)
	}
	of := &task.Task{Inputs: task.Inputs{Code: "import os\n"}, Meta: task.Meta{ID: "1", Options: optionsOf(t,
		`{"plugins": {"house-plugins": "1.0"}, "select": ["H103", "H9"], "ignore": ["H900"], "plugin-options": {"enable-extensions": ["H9"]}}`)}}
	result, err := scorer.Score(t.Context(), of, []string{"x = 1\n", "import os\n", "import os  # noqa\n", "# raise\n"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range result.Samples {
		j := &result.Samples[i].Judgements[0]
		got = append(got, j.Outcome.String())
		if j.Error != (j.Outcome == evaluator.Unknown) || j.Masked != j.Error {
			t.Errorf("%+v", j)
		}
	}
	if want := "pass fail pass unknown"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
