package codecache

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestLoadAndStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reports")
	if _, err := Load(dir, "a", 100); err == nil {
		t.Error("loaded from nowhere")
	}
	for _, text := range []string{"one", "two"} {
		if err := Store(dir, "a", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := Load(dir, "a", 100); string(got) != text || err != nil {
			t.Fatalf("%q, %v; want %q", got, err, text)
		}
	}
	if _, err := Load(dir, "a", 2); err == nil {
		t.Error("loaded more than was asked for")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files", len(entries))
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir, "link", 100); err == nil {
		t.Error("followed a link")
	}
	for _, path := range []string{filepath.Join(dir, "a"), dir} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, info.Mode().Perm()|0o020); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir, "a", 100); err == nil {
			t.Errorf("loaded what others may write: %s", path)
		}
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
}

// What was used last stays.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for i := range 10 {
		name := fmt.Sprint(i)
		if err := Store(dir, name, make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		at := now.Add(-time.Duration(i+2) * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load(dir, "9", 100); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "0"))
	if err != nil {
		t.Fatal(err)
	}
	Trim(dir, 3*allocated(info)+1)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if got := fmt.Sprint(names); got != "[0 1 9]" {
		t.Errorf("%v are left, want 0, 1 and 9", got)
	}
}
