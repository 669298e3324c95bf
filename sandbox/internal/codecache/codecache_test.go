package codecache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// fill writes an entry as wazero does: a file in a folder.
func fill(dir string) error {
	if err := os.Mkdir(filepath.Join(dir, "code"), 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "code", "module"), []byte("instructions"), 0o600)
}

func mustMake(t *testing.T, dir string) string {
	t.Helper()
	entry, err := Make(dir, "key", fill)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

func lookup(dir, key string) (string, error) {
	entry, ok := Find(dir, key)
	if !ok {
		return "", fs.ErrNotExist
	}
	return entry, Verify(entry)
}

func TestMakeAndFind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "codelinter", "sandbox")
	if _, err := lookup(dir, "key"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before anything was made: %v", err)
	}
	entry := mustMake(t, dir)
	found, err := lookup(dir, "key")
	if err != nil || found != entry {
		t.Fatalf("found %q, %v; made %q", found, err, entry)
	}
	if _, err := lookup(dir, "another"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another key: %v", err)
	}
	mustMake(t, dir) // over one that stands
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%d entries, %v: temporary folders are left", len(entries), err)
	}
}

// Whatever is wrong with an entry, it is not used, and making it anew mends it.
func TestDamage(t *testing.T) {
	damages := map[string]func(entry string) error{
		"a byte changed": func(entry string) error {
			return os.WriteFile(filepath.Join(entry, "code", "module"), []byte("instructionz"), 0o600)
		},
		"cut short": func(entry string) error { return os.Truncate(filepath.Join(entry, "code", "module"), 5) },
		"emptied":   func(entry string) error { return os.Truncate(filepath.Join(entry, "code", "module"), 0) },
		"file gone": func(entry string) error { return os.Remove(filepath.Join(entry, "code", "module")) },
		"sums gone": func(entry string) error { return os.Remove(filepath.Join(entry, sums)) },
		"sums cut":  func(entry string) error { return os.Truncate(filepath.Join(entry, sums), 10) },
		"a file more": func(entry string) error {
			return os.WriteFile(filepath.Join(entry, "code", "more"), nil, 0o600)
		},
		"file for folder": func(entry string) error {
			return errors.Join(os.RemoveAll(entry), os.WriteFile(entry, []byte("x"), 0o600))
		},
		"too large": func(entry string) error { return os.Truncate(filepath.Join(entry, "code", "module"), maxEntry+1) },
	}
	if runtime.GOOS != "windows" {
		damages["others may write the file"] = func(entry string) error { return os.Chmod(filepath.Join(entry, "code", "module"), 0o622) }
		damages["others may write the folder"] = func(entry string) error { return os.Chmod(filepath.Join(entry, "code"), 0o777) }
		damages["others may write the entry"] = func(entry string) error { return os.Chmod(entry, 0o770) }
		damages["a link for the file"] = func(entry string) error {
			path := filepath.Join(entry, "code", "module")
			return errors.Join(os.Rename(path, entry+"-module"), os.Symlink(entry+"-module", path))
		}
		damages["a link for the entry"] = func(entry string) error {
			return errors.Join(os.Rename(entry, entry+"-moved"), os.Symlink(entry+"-moved", entry))
		}
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Chmod(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			entry := mustMake(t, dir)
			if err := damage(entry); err != nil {
				t.Fatal(err)
			}
			if _, err := lookup(dir, "key"); err == nil {
				t.Error("it is used")
			}
			mustMake(t, dir)
			if _, err := lookup(dir, "key"); err != nil {
				t.Errorf("made anew: %v", err)
			}
		})
	}
}

func TestFolderOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there it is not in the mode")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(dir, "key", fill); err == nil {
		t.Error("code is kept where anyone may write")
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	entry := mustMake(t, dir)
	if err := Verify(entry); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Verify(entry); err == nil {
		t.Error("code is read where anyone may write")
	}
	if os.Geteuid() == 0 {
		if err := errors.Join(os.Chmod(dir, 0o700), os.Chown(dir, 12345, 12345)); err != nil {
			t.Fatal(err)
		}
		if err := Verify(entry); err == nil {
			t.Error("code is read in a folder of someone else")
		}
	}
}

func TestFailureLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("no compiler")
	if _, err := Make(dir, "key", func(string) error { return failure }); !errors.Is(err, failure) {
		t.Errorf("%v", err)
	}
	if _, err := Make(dir, "key", func(string) error { return nil }); err == nil {
		t.Error("an entry of no files")
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left: %v", entries)
	}
	left := filepath.Join(dir, "key.1.tmp")
	if err := errors.Join(os.Mkdir(left, 0o700), os.Chtimes(left, time.Time{}, time.Now().Add(-2*time.Hour))); err != nil {
		t.Fatal(err)
	}
	mustMake(t, dir)
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Error("what another maker left is still there")
	}
}

// What an earlier release compiled goes when it has not been used for long; what
// is used does not, however old it is, and neither does what is not an entry.
func TestUnusedEntriesGo(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-unused - time.Hour)
	for _, key := range []string{"used", "unused"} {
		if _, err := Make(dir, key, fill); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "of-another-program"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"used", "unused", "of-another-program"} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := Find(dir, "used"); !ok {
		t.Fatal("no entry")
	}
	mustMake(t, dir)
	for name, stays := range map[string]bool{"used": true, "unused": false, "of-another-program": true} {
		if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of many builds those that were used last are kept, and the new one whatever its age.
func TestEntriesAreBounded(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 2 * maxEntries {
		key := fmt.Sprint("build", i)
		if _, err := Make(dir, key, fill); err != nil {
			t.Fatal(err)
		}
		used := time.Now().Add(time.Duration(i-100) * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, key), used, used); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			Find(dir, "build0") // which is used all the time
		}
	}
	mustMake(t, dir)
	var kept []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		kept = append(kept, entry.Name())
	}
	if want := []string{"build0", "build6", "build7", "key"}; !slices.Equal(kept, want) {
		t.Errorf("kept %v, want %v", kept, want)
	}
}

func TestAtOnce(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			entry, err := Make(dir, "key", fill)
			if err != nil {
				t.Error(err)
			} else if err := verify(entry); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if _, err := lookup(dir, "key"); err != nil {
		t.Error(err)
	}
}

// One file of an entry is read if that file is whole.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	entry, err := MakeAmong(dir, "key", 1, func(dir string) error {
		return errors.Join(os.WriteFile(filepath.Join(dir, "a"), []byte("text"), 0o600), os.WriteFile(filepath.Join(dir, "b"), []byte("text"), 0o600))
	})
	if err != nil {
		t.Fatal(err)
	}
	if data, err := Read(entry, "a", 10); err != nil || string(data) != "text" {
		t.Errorf("%q, %v", data, err)
	}
	if err := os.WriteFile(filepath.Join(entry, "a"), []byte("texts"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, limit := range map[string]int64{"a": 10, "b": 3, "c": 10} {
		if data, err := Read(entry, name, limit); err == nil {
			t.Errorf("%s: %q", name, data)
		}
	}
	if _, err := Read(entry, "b", 10); err != nil {
		t.Error(err)
	}
}
