package corpus_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codelinter/internal/tasks/corpus"
	"codelinter/lint"
)

func Example() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	const module = `import os
import re
from math import pi, tau

WORD = re.compile(r"\w+")
TABLE = os.environ


def words(text):
    return WORD.findall(text)


def turn(angle):
    return angle % tau
`
	if err := os.WriteFile(filepath.Join(folder, "spam.py"), []byte(module), 0o644); err != nil {
		panic(err)
	}
	err = corpus.Read([]string{folder}, corpus.Options{}, func(p *corpus.Program) error {
		_, err := fmt.Printf("# %s:%d\n%s\n", p.Origin.Path, p.Origin.Line, strings.ReplaceAll(p.Text, "\n\n\n", "\n\n"))
		return err
	})
	if err != nil {
		panic(err)
	}
	// Output:
	// # spam.py:9
	// import re
	//
	// WORD = re.compile(r"\w+")
	//
	// def words(text):
	//     return WORD.findall(text)
	//
	// # spam.py:13
	// from math import tau
	//
	// def turn(angle):
	//     return angle % tau
}

// read returns the programs of sources as "path:line", and what was skipped.
func read(t *testing.T, o corpus.Options, sources ...string) (names, texts, skipped []string) {
	t.Helper()
	o.Skipped = func(s corpus.Skip) { skipped = append(skipped, filepath.Base(s.Path)+": "+s.Why.Error()) }
	err := corpus.Read(sources, o, func(p *corpus.Program) error {
		names = append(names, fmt.Sprintf("%s:%d:%s", p.Origin.Path, p.Origin.Line, p.Origin.Licence))
		texts = append(texts, p.Text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names, texts, skipped
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

const one = "def f(a):\n    return a\n"

// Folders are read in the order of their paths; what cannot be a task is left out and named.
func TestFolder(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "b", "two.py"), one)
	write(t, filepath.Join(folder, "a.py"), one)
	write(t, filepath.Join(folder, ".hidden", "x.py"), one)
	write(t, filepath.Join(folder, "__pycache__", "x.py"), one)
	write(t, filepath.Join(folder, "text.txt"), one)
	write(t, filepath.Join(folder, "bad.py"), "def f(:\n")
	write(t, filepath.Join(folder, "latin.py"), "x = '\xe9'\n")
	write(t, filepath.Join(folder, "dos.py"), strings.ReplaceAll(one, "\n", "\r\n"))
	write(t, filepath.Join(folder, "mac.py"), "x = 1\ry = 2\r")
	write(t, filepath.Join(folder, "large.py"), strings.Repeat("#", corpus.MaxFile+1))
	names, _, skipped := read(t, corpus.Options{Licence: "MIT"}, folder)
	if want := []string{"a.py:1:MIT", "b/two.py:1:MIT", "dos.py:1:MIT"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if want := []string{"bad.py: expected Python", "large.py: expected at most 1048576 bytes", "latin.py: expected UTF-8", `mac.py: expected "\n" or "\r\n" as line end`}; !slices.Equal(skipped, want) {
		t.Errorf("%q, want %q", skipped, want)
	}
}

// The licence of an installed package is that of its metadata.
func TestLicences(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "spam", "a.py"), one)
	write(t, filepath.Join(folder, "eggs.py"), one)
	write(t, filepath.Join(folder, "spam-1.0.dist-info", "METADATA"), "Name: spam\nLicense: A licence that is far too long to be the name of one, so it is none\nClassifier: License :: OSI Approved :: BSD License\n\nLicense: body\n")
	write(t, filepath.Join(folder, "spam-1.0.dist-info", "RECORD"), "spam/a.py,,\n")
	write(t, filepath.Join(folder, "eggs-1.0.dist-info", "METADATA"), "License-Expression: Apache-2.0 OR MIT\nClassifier: License :: Other\n")
	write(t, filepath.Join(folder, "eggs-1.0.dist-info", "RECORD"), "eggs.py,,\n")
	names, _, _ := read(t, corpus.Options{}, folder)
	if want := []string{"eggs.py:1:Apache-2.0 OR MIT", "spam/a.py:1:BSD License"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestArchives(t *testing.T) {
	var wheel bytes.Buffer
	z := zip.NewWriter(&wheel)
	for _, file := range [][2]string{{"spam/b.py", one}, {"spam/a.py", one}, {"spam-1.dist-info/METADATA", "License: MIT\n"}, {"readme", "x"}} {
		w, err := z.Create(file[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, file[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	g := gzip.NewWriter(&packed)
	archive := tar.NewWriter(g)
	for _, file := range [][2]string{{"spam-1/PKG-INFO", "License: BSD\n"}, {"spam-1/spam/c.py", one}} {
		if err := archive.WriteHeader(&tar.Header{Name: file[0], Mode: 0o644, Size: int64(len(file[1]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(archive, file[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), g.Close()); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	a := write(t, filepath.Join(folder, "spam.whl"), wheel.String())
	b := write(t, filepath.Join(folder, "spam.tar.gz"), packed.String())
	c := write(t, filepath.Join(folder, "rows.jsonl"), `{"task_id": 5, "text": "F.", "code": "def f(a):\n    return a\n", "test_list": ["assert f(1)"]}`+"\n{\"code\": 3}\n")
	names, texts, skipped := read(t, corpus.Options{}, a, b, c)
	want := []string{"spam.whl/spam/a.py:1:MIT", "spam.whl/spam/b.py:1:MIT", "spam.tar.gz/spam-1/spam/c.py:1:BSD", "rows.jsonl:1:"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	for _, text := range texts {
		if text != one {
			t.Errorf("%q", text)
		}
	}
	if len(skipped) != 1 || !strings.Contains(skipped[0], "rows.jsonl:2: field task_id is missing") {
		t.Errorf("%q", skipped)
	}
	for name, text := range map[string]string{"x.zip": "PK", "x.tgz": "no gzip", "y.tar": "no tar at all"} {
		bad := write(t, filepath.Join(folder, name), text)
		if err := corpus.Read([]string{bad}, corpus.Options{}, nil); err == nil || !strings.Contains(err.Error(), name+": expected an archive") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := corpus.Read([]string{filepath.Join(folder, "none")}, corpus.Options{}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// All files of an archive together have a bound, their metadata included.
func TestArchiveBound(t *testing.T) {
	var unpacked bytes.Buffer
	z := zip.NewWriter(&unpacked)
	for i := range 100 {
		for _, name := range []string{"a%d.py", "b%d.dist-info/METADATA"} {
			w, err := z.Create(fmt.Sprintf(name, i))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, strings.Repeat("x = 1\n", 1000)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := write(t, filepath.Join(t.TempDir(), "bomb.zip"), unpacked.String())
	for max, want := range map[int64]bool{100_000: false, 700_000: false, 1_300_000: true, 0: true} {
		programs := 0
		err := corpus.Read([]string{name}, corpus.Options{FileUnit: corpus.Whole, MaxArchive: max}, func(*corpus.Program) error {
			programs++
			return nil
		})
		if (err == nil) != want || want && programs != 100 || int64(programs)*6000 > 1_300_000 {
			t.Errorf("at most %d bytes: %d programs, %v", max, programs, err)
		}
	}
}

// What a definition needs comes with it, in the module's order: constants, classes, imports by
// their names, what statements in blocks bind, and types that are named by texts.
func TestDefinitions(t *testing.T) {
	const module = `"""Doc."""
from __future__ import annotations
import os, sys
from a import (
    b,
    c as d,
)
try:
    import json
except ImportError:
    json = None
# About A.
A = 1
B = A + 1  # and B
x = 1; y = 2


class Base:
    pass


@d
# for f
def f(p: "Base", q=B):
    return json, p


def g():
    return y


def h():
    return sys.path


class Sub(Base):
    def m(self):
        return f"{h()}"
`
	folder := t.TempDir()
	names, texts, _ := read(t, corpus.Options{MinLength: 10}, write(t, filepath.Join(folder, "m.py"), module))
	if len(names) != 5 {
		t.Fatalf("%q", names)
	}
	const future = "from __future__ import annotations\n"
	for i, want := range []string{
		future + "\n\nclass Base:\n    pass\n",
		future + "from a import c as d\n\ntry:\n    import json\nexcept ImportError:\n    json = None\n# About A.\nA = 1\nB = A + 1  # and B\n\n\nclass Base:\n    pass\n\n\n@d\n# for f\ndef f(p: \"Base\", q=B):\n    return json, p\n",
		future + "\nx = 1; y = 2\n\n\ndef g():\n    return y\n", // statements of one row stay together
		future + "import sys\n\n\ndef h():\n    return sys.path\n",
		future + "import sys\n\n\nclass Base:\n    pass\n\n\ndef h():\n    return sys.path\n\n\nclass Sub(Base):\n    def m(self):\n        return f\"{h()}\"\n",
	} {
		if texts[i] != want {
			t.Errorf("%s\n%s\nwant\n%s", names[i], texts[i], want)
		}
	}
	linter, err := lint.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if found := linter.Lint(lint.Input{Data: []byte(text)}).Findings; i != 2 && len(found) > 0 {
			t.Errorf("%s: %s %s", names[i], found[0].Code, found[0].Message())
		}
	}
	if _, texts, _ := read(t, corpus.Options{MinLength: 70, MaxLength: 200}, filepath.Join(folder, "m.py")); len(texts) != 3 || slices.ContainsFunc(texts, func(s string) bool { return len(s) < 70 || len(s) > 200 }) {
		t.Errorf("%q", texts)
	}
}
