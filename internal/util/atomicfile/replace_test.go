package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// known writes a file and returns its state.
func known(t *testing.T, path, text string) Known {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return Known{info, []byte(text)}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// entries returns how many files a folder has.
func entries(t *testing.T, folder string) int {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// Replace replaces a file once, and not after another program's save of any kind.
func TestReplace(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 10_000)
	for name, save := range map[string]func(path string){
		"none":             nil,
		"in place, longer": func(path string) { os.WriteFile(path, []byte(long+"saved"), 0o644) },
		"in place, as long": func(path string) {
			os.WriteFile(path, []byte(strings.Replace(long, "f", "g", 1)), 0o644)
		},
		"renamed": func(path string) {
			os.WriteFile(path+".new", []byte(long), 0o644)
			os.Rename(path+".new", path)
		},
		"removed": func(path string) { os.Remove(path) },
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "a.py")
			was := known(t, path, long)
			saved := long
			if save != nil {
				save(path)
				data, _ := os.ReadFile(path)
				saved = string(data)
			}
			err := Replace(path, was, []byte("new"))
			if save == nil {
				if err != nil || read(t, path) != "new" {
					t.Errorf("%v, %q", err, read(t, path))
				}
			} else if err == nil || !errors.Is(err, ErrChanged) && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("no error, but %v", err)
			}
			if data, _ := os.ReadFile(path); save != nil && string(data) != saved {
				t.Error("the save is lost")
			}
			if n := entries(t, folder); name != "removed" && n != 1 {
				t.Errorf("%d files", n)
			}
		})
	}
}

// A file that cannot be prepared is left, and nothing is beside it.
func TestReplaceRefuses(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.py")
	was := known(t, path, "old")
	if err := Replace(filepath.Join(folder, "b.py"), was, nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	other := filepath.Join(folder, "c.py")
	known(t, other, "old")
	if err := Replace(other, was, []byte("new")); !errors.Is(err, ErrChanged) || read(t, other) != "old" {
		t.Errorf("%v, %q", err, read(t, other))
	}
	if n := entries(t, folder); n != 2 {
		t.Errorf("%d files", n)
	}
}

// A Rewriter rewrites the files that it may, and says which it may not.
func TestRewriter(t *testing.T) {
	folder := t.TempDir()
	var files []Rewriting
	for _, name := range []string{"a.py", "b.py", "c.py", "d.py"} {
		path := filepath.Join(folder, name)
		files = append(files, Rewriting{Name: path, Was: known(t, path, "old"), Text: []byte("new " + name)})
	}
	if err := os.WriteFile(files[1].Name, []byte("saved"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(files[2].Name); err != nil {
		t.Fatal(err)
	}
	var w Rewriter
	w.Rewrite(files)
	w.Close()
	if files[0].Err != nil || !errors.Is(files[1].Err, ErrChanged) || !errors.Is(files[2].Err, os.ErrNotExist) || files[3].Err != nil {
		t.Errorf("%v, %v, %v, %v", files[0].Err, files[1].Err, files[2].Err, files[3].Err)
	}
	for i, want := range map[int]string{0: "new a.py", 1: "saved", 3: "new d.py"} {
		if got := read(t, files[i].Name); got != want {
			t.Errorf("%s: %q", files[i].Name, got)
		}
	}
	if n := entries(t, folder); n != 3 {
		t.Errorf("%d files", n)
	}
	w.Rewrite(nil)
	w.Close()
}
