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
		`{"plugins": ["flake8-bugbear"]}`:                       `plugins: expected an object, found a list`,
		`{"plugins": {"flake8-bugbear": ""}}`:                   `plugins: expected names of packages with their versions, found "flake8-bugbear=="`,
		`{"plugins": {"flake8-bugbear": "1,2"}}`:                `plugins: expected names of packages with their versions, found "flake8-bugbear==1,2"`,
		`{"plugin-options": {"max-x": 5}}`:                      `plugin-options: expected "plugins" beside them`,
		`{"plugins": {"a": "1"}, "plugin-options": {"x": {}}}`:  `plugin-options: x: expected a text, a number, true, false or a list of texts, found an object`,
		`{"plugins": {"a": "1"}, "flake8-version": "7.3.0"}`:    `flake8-version: plugins run by 7.5.0 only`,
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

// Plugins are part of the options of a task, and their versions are not part of its digest.
func TestPlugins(t *testing.T) {
	read := func(text string) *Options {
		t.Helper()
		options := new(Options)
		if err := json.Unmarshal([]byte(text), options); err != nil {
			t.Fatal(err)
		}
		return options
	}
	const text = `{"select":["B"],"plugins":{"a-plugin":"1.0","flake8-bugbear":"26.1"},"plugin-options":{"a-b":"x,y","c":"5","d":"true","e":"z"}}`
	o := read(`{"plugins": {"flake8-bugbear": "26.1", "a-plugin": "1.0"}, "plugin-options": {"a_b": ["x", "y"], "c": 5, "d": true, "e": "z"}, "select": ["B"]}`)
	if written, err := json.Marshal(o); err != nil || string(written) != text {
		t.Errorf("%s, %v", written, err)
	}
	if got, want := o.String(), "--a-b=x,y --c=5 --d=true --e=z --plugins=a-plugin==1.0 --plugins=flake8-bugbear==26.1 --select=B"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := o.Reference(rule.Flake8730, source.Python315), "flake8 7.5.0 on CPython "+source.Python313.Release()+" with a-plugin==1.0, flake8-bugbear==26.1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := read(`{"plugins": {"a": "1"}, "target-version": "3.12"}`).Under(0, 0); got.Target != source.Python312 {
		t.Errorf("the target is %v", got.Target)
	}
	pinned, err := o.Pinned(0, 0)
	if err != nil || pinned.Lint().Target != source.Python313 || len(pinned.Plugins()) != 2 || len(pinned.PluginOptions()) != 4 {
		t.Errorf("pinned %v, %v", pinned, err)
	}
	digest := func(options string) string {
		task := Task{Inputs: Inputs{Code: "x"}, Meta: Meta{Options: read(options)}}
		return task.Digest()
	}
	same := digest(text)
	if digest(strings.Replace(text, "26.1", "27.2", 1)) != same || digest(strings.Replace(text, "flake8-bugbear", "bugbear", 1)) == same || digest(strings.Replace(text, "x,y", "x", 1)) == same {
		t.Error("the digest")
	}
	for text, want := range map[string]bool{"E501": true, "B006": true, "ABC123": true, "B": false, "b006": false, "ABCD1": false, "": false, "B0061": false} {
		if _, ok := ParseCode(text); ok != want {
			t.Errorf("%q: %v", text, ok)
		}
	}
}
