package atomicfile

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A file appears when it is whole, with its mode, in place of another or of none.
func TestWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "results.jsonl")
	entries := func() int {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for i, text := range []string{"first", "second"} {
		w, err := NewWhole(path, 0o640)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if before, err := os.ReadFile(path); i == 0 && !os.IsNotExist(err) || i == 1 && string(before) != "first" {
			t.Errorf("before it is whole: %q, %v", before, err)
		}
		if err := w.Keep(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
		if n := entries(); n != 1 {
			t.Errorf("%d files, want 1", n)
		}
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o640) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}

	w, err := NewWhole(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "third")
	if runtime.GOOS == "linux" && w.hidden == "" && entries() != 1 {
		t.Error("a file without a name is to be seen")
	}
	w.Abandon()
	if got, _ := os.ReadFile(path); string(got) != "second" || entries() != 1 {
		t.Errorf("after it was abandoned: %q in %d files", got, entries())
	}

	if _, err := NewWhole(filepath.Join(dir, "none", "x"), 0o600); err == nil {
		t.Error("a file in no folder was begun")
	}
}

// What cannot be replaced is an error, and nothing is left.
func TestWholeRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	w, err := NewWhole(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Keep(); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("%d files are left", len(list)-1)
	}
}
