package task

import (
	"encoding/json"
	"strings"
	"testing"

	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// plain compares the fields that callers see.
var plain = cmpopts.IgnoreUnexported(lint.Options{})

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		text string
		want func(*lint.Options)
	}{
		{`{}`, func(*lint.Options) {}},
		{`{"max-complexity":5,"max-doc-length":72}`, func(o *lint.Options) { o.MaxComplexity, o.MaxDocLength = 5, 72 }},
		{`{"max-complexity":0}`, func(o *lint.Options) { o.MaxComplexity = 0 }},
		{`{"select":[],"ignore":["W503"]}`, func(o *lint.Options) { o.Select, o.Ignore = []string{}, []string{"W503"} }},
		{`{"extend-select":["W504"],"extend-ignore":["E2"],"max-line-length":100,"indent-size":2,"hang-closing":true,"builtins":["_"],"doctests":true,"disable-noqa":true}`,
			func(o *lint.Options) {
				o.ExtendSelect, o.ExtendIgnore, o.Builtins = []string{"W504"}, []string{"E2"}, []string{"_"}
				o.MaxLineLength, o.IndentSize = 100, 2
				o.HangClosing, o.Doctests, o.DisableNoqa = true, true, true
			}},
		{`{"flake8-version":"7.3.0","target-version":"3.14"}`, func(o *lint.Options) { o.Release, o.Target = rule.Flake8730, source.Python314 }},
		{`{"flake8-version":"7.5.0","target-version":"3.15"}`, func(o *lint.Options) { o.Release, o.Target = rule.Flake8750, source.Python315 }},
	} {
		var settings Options
		if err := json.Unmarshal([]byte(test.text), &settings); err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		want := lint.DefaultOptions()
		test.want(&want)
		if diff := cmp.Diff(want, settings.Lint(), plain); diff != "" {
			t.Errorf("%s:\n%s", test.text, diff)
		}
		text, err := json.Marshal(&settings)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(test.text, `{"flake8-version"`) && test.text != string(text) {
			t.Errorf("%s is written as %s: the versions that a task names are kept, the defaults too", test.text, text)
		}
		var again Options
		if err := json.Unmarshal(text, &again); err != nil || cmp.Diff(want, again.Lint(), plain) != "" {
			t.Errorf("%s is written as %s, which is read as %+v, %v", test.text, text, again.Lint(), err)
		}
	}
	if diff := cmp.Diff(lint.DefaultOptions(), (*Options)(nil).Lint(), plain); diff != "" {
		t.Error(diff)
	}
}

func TestOptionsString(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "",
		`{"target-version": "3.12", "flake8-version": "7.5.0"}`:                           "--flake8-version=7.5.0 --target-version=3.12",
		`{"max-complexity": 5, "ignore": ["W503", "E2"], "doctests": true, "select": []}`: "--doctests --ignore=W503,E2 --max-complexity=5 --select=",
	} {
		var settings Options
		if err := json.Unmarshal([]byte(text), &settings); err != nil {
			t.Fatal(err)
		}
		if got := settings.String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestOptionsRefuse(t *testing.T) {
	for text, want := range map[string]string{
		`7`:                          `expected an object, found a number`,
		`{"max-complexty": 5}`:       `unknown option "max-complexty"`,
		`{"max-complexity": "5"}`:    `max-complexity: expected a whole number, found a text`,
		`{"max-complexity": 5.5}`:    `max-complexity: expected a whole number, found a number 5.5`,
		`{"select": "E,W"}`:          `select: expected a list, found a text`,
		`{"hang-closing": 1}`:        `hang-closing: expected true or false, found a number`,
		`{"ignore": ["W503", "w6"]}`: `ignore: expected a code or how codes begin, found "w6"`,
		`{"target-version": "3.9"}`:  `target-version: target version "3.9": expected 3.10, 3.11, 3.12, 3.13, 3.14, 3.15`,
		`{"target-version": 3.11}`:   `target-version: expected a text, found a number`,
		`{"flake8-version": "7.4"}`:  `flake8-version: flake8 version "7.4": expected 7.3.0, 7.5.0`,
		`{"flake8-version": 7}`:      `flake8-version: expected a text, found a number`,
		`{"flake8-version": "7.5.0", "target-version": "3.10"}`: `flake8 7.5.0 needs CPython 3.11 or later: expected another release for target version 3.10`,
		`{"extend-select": ["E501,"]}`:                          `extend-select: expected a code or how codes begin, found "E501,"`,
	} {
		var settings Options
		if err := json.Unmarshal([]byte(text), &settings); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
	o := lint.DefaultOptions()
	o.Target = source.Python315 + 1
	if _, err := NewOptions(o); err == nil {
		t.Error("a target that there is not is accepted")
	}
}
