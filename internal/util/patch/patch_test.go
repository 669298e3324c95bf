package patch_test

import (
	"strings"
	"testing"

	udiff "github.com/aymanbagabas/go-udiff"

	"codelinter/internal/util/patch"
)

// A patch that a differ makes of two texts is taken back to the first.
func TestUndo(t *testing.T) {
	for _, texts := range [][2]string{
		{"a\nb\nc\n", "a\nB\nc\n"},
		{"a\nb\nc\n", "x\na\nb\nc\ny\n"},
		{"a\nb\nc\n", "b\n"},
		{"a\n", ""},
		{"a\nb", "a\nb\n"},
		{"a\nb\n", "a\nb"},
		{"a\nb", "a\nc"},
		{strings.Repeat("a\n", 20) + "b\n" + strings.Repeat("a\n", 20), strings.Repeat("a\n", 41) + "c\n"},
		{"-- a\n++ b\n", "++ b\n@@ -1 +1 @@\n-- a\n--- a\n"},
	} {
		text := udiff.Unified("a/x.py", "b/x.py", texts[0], texts[1])
		files, err := patch.Read("x.diff", []byte(text))
		if err != nil || len(files) != 1 || files[0].Name != "x.py" || files[0].Added {
			t.Errorf("%q: %v, %v", text, files, err)
			continue
		}
		before, err := files[0].Undo([]byte(texts[1]))
		if err != nil || string(before) != texts[0] {
			t.Errorf("%q: %q, %v, want %q", text, before, err, texts[0])
		}
	}
}

func TestRead(t *testing.T) {
	const change = "@@ -1 +1 @@\n-a\n+b\n"
	for _, test := range []struct {
		text  string
		names string // of the files; + before one that was added
		err   string
	}{
		{"", "", ""},
		{"\n \n", "", ""},
		{"words\n", "", "p: expected a unified diff, found a text without rows with --- and +++"},
		{"words\ndiff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n", "", ""},
		{"diff --git a/x y.py b/x y.py\nindex 1..2\n--- a/x y.py\t\n+++ b/x y.py\t\n" + change, "x y.py", ""},
		{"--- x.py\t2026-01-01\n+++ x.py\t2026-01-02\n" + change, "x.py", ""},
		{"--- \"a/\\303\\251.py\"\n+++ \"b/\\303\\251.py\"\n" + change, "é.py", ""},
		{"--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+b\n", "+new.py", ""},
		{"--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n", "", ""},
		{"--- i/x.py\n+++ w/x.py\n" + change + "--- i/y.py\n+++ w/y.py\n" + change, "x.py y.py", ""},
		{"--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,2 @@\n a\n-b\n\n", "x.py", ""},
		{change, "", "p:1: expected rows with --- and +++ before a change, found none"},
		{"--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n", "", "p:4: expected 1 more rows of the change, found the end"},
		{"--- a\n+++ b\n@@ -1,2 +1,2 @@\nb\n", "", `p:4: expected a row of the change that begins with a blank, + or -, found "b"`},
		{"--- a\n+++ b\n@@ -1,x +1 @@\n", "", `p:3: expected @@ -FIRST,ROWS +FIRST,ROWS @@, found "@@ -1,x +1 @@"`},
		{"\\ No newline\n", "", "p:1: expected a row of a change before this one"},
	} {
		files, err := patch.Read("p", []byte(test.text))
		var names []string
		for _, file := range files {
			if file.Added {
				file.Name = "+" + file.Name
			}
			names = append(names, file.Name)
		}
		said := ""
		if err != nil {
			said = err.Error()
		}
		if got := strings.Join(names, " "); err == nil && got != test.names || said != test.err {
			t.Errorf("%q: %q, %q, want %q, %q", test.text, got, said, test.names, test.err)
		}
	}
}

func TestUndoRefuses(t *testing.T) {
	files, err := patch.Read("p", []byte("--- a\n+++ b\n@@ -3 +3 @@\n-a\n+b\n@@ -9 +9 @@\n-a\n+b\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "b\n", "x\nx\na\n", "x\nx\nb\n"} {
		if before, err := files[0].Undo([]byte(text)); err == nil || !strings.Contains(err.Error(), "the change is not in b") {
			t.Errorf("%q: %q, %v", text, before, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,2 @@\n a\n-b\n c\n\\ No newline\n", "a\nc")
	f.Fuzz(func(t *testing.T, text, after string) {
		files, err := patch.Read("p", []byte(text))
		if err != nil {
			return
		}
		for _, file := range files {
			file.Undo([]byte(after))
		}
	})
}
