package opensetgen

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"codelinter/lint"
)

// The embedded rows are those of the folder of tasks.
func TestUpToDate(t *testing.T) {
	var tasks, answers bytes.Buffer
	if err := Generate(&tasks, &answers, os.DirFS("../../tasks/openset/tasks")); err != nil {
		t.Fatal(err)
	}
	for path, built := range map[string][]byte{
		"../../tasks/openset/embedded/tasks.jsonl.gz":   tasks.Bytes(),
		"../../tasks/openset/embedded/answers.jsonl.gz": answers.Bytes(),
	} {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		unpacked, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		embedded, err := io.ReadAll(unpacked)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(built, embedded) {
			t.Errorf("%s is not what the tasks make: run go generate ./internal/tasks/openset", path)
		}
	}
}

func TestParse(t *testing.T) {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := parse("007_seven.txtar", []byte(`Seven.
-- dirty.py, unfinished --
seven=7
-- clean.py --
seven = 7
-- tests.py --
import math

assert seven == 7
assert (math.floor(seven)
        == 7)

`), linter)
	if err != nil {
		t.Fatal(err)
	}
	if task.Inputs.Code != "seven=7" || task.Meta.CanonicalCode != "seven = 7\n" || task.Meta.ID != "7" || task.Meta.Text != "Seven." {
		t.Errorf("parse returns %+v", task)
	}
	if want := "E225: missing whitespace around operator in 1 line\nW292: no newline at end of file in 1 line\n"; task.Inputs.Feedback != want {
		t.Errorf("feedback %q, want %q", task.Inputs.Feedback, want)
	}
	if diff := cmp.Diff([]string{"assert seven == 7", "assert (math.floor(seven)\n        == 7)"}, task.Meta.TestList); diff != "" {
		t.Error(diff)
	}
	if want := "import math\n\n"; task.Meta.TestSetupCode != want {
		t.Errorf("test_setup_code %q, want %q", task.Meta.TestSetupCode, want)
	}
}

func TestBuildRefuses(t *testing.T) {
	const good = "Text.\n-- dirty.py --\nx=1\n-- clean.py --\nx = 1\n-- tests.py --\nassert x\n"
	edited := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	tests := []struct{ name, text, want string }{
		{"tasks.md", good, "expected tasks called NNN_name.txtar, found none"},
		{"1.txtar", good, "1.txtar: expected a name like 001_running_mean.txtar"},
		{"002_x.txtar", good, "002_x.txtar: expected the number 001: they go from 001 without a gap"},
		{"001_x.txtar", edited("Text.\n", ""), "001_x.txtar: expected one line above the programs, on what they do"},
		{"001_x.txtar", edited("Text.", "Te\nxt."), "001_x.txtar: expected one line above the programs, on what they do"},
		{"001_x.txtar", edited("clean.py", "dirty.py"), "001_x.txtar: expected dirty.py, clean.py and tests.py, with no other file but options.json above them, found dirty.py; dirty.py; tests.py"},
		{"001_x.txtar", edited("-- dirty.py", "-- options.json --\n{\"ignore\": [\"E225\"]}\n-- dirty.py"), "001_x.txtar: dirty.py has no finding"},
		{"001_x.txtar", edited("-- dirty.py", "-- options.json --\n[]\n-- dirty.py"), "001_x.txtar: options.json: expected an object, found a list"},
		{"001_x.txtar", edited("assert x", "x"), "001_x.txtar: expected an assert in tests.py"},
		{"001_x.txtar", edited("x=1", "x = 1"), "001_x.txtar: dirty.py has no finding"},
		{"001_x.txtar", edited("x = 1", "x= 1"), "001_x.txtar: clean.py has findings:\nE225: missing whitespace around operator in 1 line"},
	}
	for _, test := range tests {
		err := Generate(io.Discard, io.Discard, fstest.MapFS{test.name: {Data: []byte(test.text)}})
		if err == nil || err.Error() != test.want {
			t.Errorf("Generate of %s %q: %v\nwant %s", test.name, test.text, err, test.want)
		}
	}
	if err := Generate(io.Discard, io.Discard, fstest.MapFS{"001_x.txtar": {Data: []byte(good)}}); err != nil {
		t.Errorf("Generate of what is good: %v", err)
	}
}
