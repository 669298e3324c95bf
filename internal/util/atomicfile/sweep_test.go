package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Sweep removes what a killed process left: the new file before the exchange, the old one after it.
// What may be another program's save stays, and so does what a process has open.
func TestSweep(t *testing.T) {
	for _, c := range []struct {
		name   string
		kill   func(path, hidden string) // what was done until then; hidden is the new file
		open   bool                      // the process still lives
		names  int
		hasOld bool
		kept   int
	}{
		{"before the exchange", func(string, string) {}, false, 1, true, 0},
		{"after the exchange", swapNames, false, 1, false, 0},
		{"in a living process", swapNames, true, 2, false, 0},
		{"after a save by a rename", func(path, hidden string) {
			os.WriteFile(path+".new", []byte("saved"), 0o644)
			os.Rename(path+".new", path)
			swapNames(path, hidden)
		}, false, 2, false, 1},
		{"after a save in place", func(path, hidden string) {
			swapNames(path, hidden)
			os.WriteFile(hidden, []byte("saved"), 0o644)
			os.Chtimes(hidden, time.Time{}, time.Now().Add(time.Second))
		}, false, 2, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "a.py")
			was := known(t, path, "old")
			if inode(was.Info) == 0 {
				t.Skip("the system does not tell which file is which")
			}
			hidden := filepath.Join(folder, hiddenPrefix(was.Info)+"01234567")
			known(t, hidden, "new")
			c.kill(path, hidden)
			file, err := os.Open(hidden)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			_, tells := isUsed(file)
			if !tells { // the time does
				long := time.Now().Add(-2 * abandoned)
				os.Chtimes(folder, long, long)
			}
			if !c.open {
				file.Close()
			} else if !tells {
				t.Skip("the system does not tell whether a file is open")
			}
			kept, err := Sweep(folder)
			if err != nil || len(kept) != c.kept || c.kept > 0 && kept[0] != hidden {
				t.Errorf("kept %v, %v", kept, err)
			}
			if n := entries(t, folder); n != c.names {
				t.Errorf("%d files, expected %d", n, c.names)
			}
			if got := read(t, path); (got == "old") != c.hasOld {
				t.Errorf("the file is %q", got)
			}
		})
	}
}

func swapNames(path, hidden string) {
	os.Rename(path, path+".third")
	os.Rename(hidden, path)
	os.Rename(path+".third", hidden)
}

// Sweep leaves all other names, and a folder that is not there is an error.
func TestSweepOthers(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{".codelinter", ".codelinter-", ".codelinter.toml", "codelinter-1-2-3", ".codelinter-0-1-2", ".codelinter-1--2", ".codelinter-base-line-1"} {
		known(t, filepath.Join(folder, name), "text")
	}
	if err := os.Mkdir(filepath.Join(folder, ".codelinter-1-2-3"), 0o755); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * abandoned)
	os.Chtimes(folder, long, long)
	kept, err := Sweep(folder)
	if err != nil || len(kept) > 0 || entries(t, folder) != 8 {
		t.Errorf("kept %v, %v, %d left", kept, err, entries(t, folder))
	}
	if _, err := Sweep(filepath.Join(folder, "none")); err == nil {
		t.Error("no error")
	}
}
