package atomicfile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// rewriteOne rewrites a new file.
func rewriteOne(t *testing.T, w *Rewriter, path string, mode os.FileMode) {
	t.Helper()
	was := known(t, path, "old "+filepath.Base(path))
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	was.Info, _ = os.Stat(path)
	files := []Rewriting{{Name: path, Was: was, Text: []byte("new")}}
	if w.Rewrite(files); files[0].Err != nil || read(t, path) != "new" {
		t.Fatalf("%v, %q", files[0].Err, read(t, path))
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != was.Info.Mode() {
		t.Fatalf("mode %v, was %v; %v", info.Mode(), was.Info.Mode(), err)
	}
}

// A file that was replaced becomes the new one of the next file of the folder, unless anything
// else may have it, or it is another one's in more than its content.
func TestSpares(t *testing.T) {
	for _, c := range []struct {
		name   string
		mode   os.FileMode
		meddle func(t *testing.T, hidden string) // between the two rewritings
		reuses bool
	}{
		{"nothing", 0o644, func(*testing.T, string) {}, true},
		{"another mode", 0o600, func(*testing.T, string) {}, false},
		{"open for reading", 0o644, func(t *testing.T, hidden string) {
			file, err := os.Open(hidden)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				text := make([]byte, 10)
				if n, _ := file.ReadAt(text, 0); string(text[:n]) != "old a.py" {
					t.Errorf("the reader has %q", text[:n])
				}
				file.Close()
			})
		}, false},
		{"another link", 0o644, func(t *testing.T, hidden string) {
			if err := os.Link(hidden, hidden+".py"); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if got := read(t, hidden+".py"); got != "old a.py" {
					t.Errorf("the link has %q", got)
				}
			})
		}, false},
		{"written", 0o644, func(t *testing.T, hidden string) { os.WriteFile(hidden, []byte("saved"), 0o644) }, false},
		{"removed", 0o644, func(t *testing.T, hidden string) { os.Remove(hidden) }, false},
		{"an attribute", 0o644, func(t *testing.T, hidden string) {
			if err := unix.Setxattr(hidden, "user.codelinter", []byte("value"), 0); err != nil {
				t.Skip("no extended attributes here: ", err)
			}
		}, false},
		{"a flag", 0o644, func(t *testing.T, hidden string) {
			const noDump = 0x40
			file, _ := os.Open(hidden)
			defer file.Close()
			flags, err := flagsOf(file)
			if err == nil {
				err = unix.IoctlSetPointerInt(int(file.Fd()), unix.FS_IOC_SETFLAGS, int(flags|noDump))
			}
			if err != nil {
				t.Skip("no flags here: ", err)
			}
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			var w Rewriter
			rewriteOne(t, &w, filepath.Join(folder, "a.py"), 0o644)
			if len(w.spares.list) != 1 {
				t.Skip("the file system keeps no order, or has no leases")
			}
			c.meddle(t, w.spares.list[0].name)
			rewriteOne(t, &w, filepath.Join(folder, "b.py"), c.mode)
			if reused := w.spares.record != nil; reused != c.reuses {
				t.Errorf("reused: %v", reused)
			}
			w.Close()
			list, _ := filepath.Glob(filepath.Join(folder, hiddenStart+"*"))
			list = slices.DeleteFunc(list, func(name string) bool { return strings.HasSuffix(name, ".py") })
			if len(list) > 0 {
				t.Errorf("left: %q", list)
			}
		})
	}
}

// A spare file goes to another folder, and is emptied before.
func TestSparesMove(t *testing.T) {
	var w Rewriter
	folders := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	rewriteOne(t, &w, filepath.Join(folders[0], "a.py"), 0o644)
	if len(w.spares.list) != 1 {
		t.Skip("the file system keeps no order, or has no leases")
	}
	for _, folder := range folders[1:] {
		before := w.spares.list[0].info
		rewriteOne(t, &w, filepath.Join(folder, "b.py"), 0o644)
		if after, err := os.Stat(filepath.Join(folder, "b.py")); err != nil || !os.SameFile(before, after) || w.spares.record != nil {
			t.Errorf("not reused: %v", err)
		}
	}
	if n := entries(t, folders[0]) + entries(t, folders[1]); n != 2 {
		t.Errorf("%d names in the folders that were left", n)
	}
	w.Close()
	if n := entries(t, folders[2]); n != 1 {
		t.Errorf("%d names in the last folder", n)
	}
}

// A process that is killed while spare files are new ones leaves each file with its old or its new
// text. Sweep removes the rest, but not what another program saved.
func TestSweepSpares(t *testing.T) {
	const files = 2
	name := func(batch, i int) string { // the files of the last two batches are in two folders
		return filepath.Join([...]string{".", ".", "a", "b"}[batch], fmt.Sprintf("%d%d.py", batch, i))
	}
	if folder := os.Getenv("CODELINTER_TEST_KILLED"); folder != "" {
		at, batches, saves := os.Getenv("CODELINTER_TEST_AT"), 0, os.Getenv("CODELINTER_TEST_SAVES") != ""
		step := 0
		betweenSteps = func(n int) {
			step++
			if now := fmt.Sprint(batches, step); now != at {
				return
			}
			if saves { // between the checks and the exchange of another file's name
				path := filepath.Join(folder, name(batches, 0))
				os.WriteFile(path+".new", []byte("saved"), 0o644)
				os.Rename(path+".new", path)
				betweenSteps = func(int) { unix.Kill(os.Getpid(), unix.SIGKILL) }
				return
			}
			unix.Kill(os.Getpid(), unix.SIGKILL)
		}
		var w Rewriter
		for ; batches < 4; batches++ {
			var list []Rewriting
			for i := range files {
				path := filepath.Join(folder, name(batches, i))
				list = append(list, Rewriting{Name: path, Was: known(t, path, "old"), Text: []byte("new")})
			}
			step = 0
			w.Rewrite(list)
		}
		return
	}
	for batch := range 4 {
		for step := 1; step <= 2*files; step++ {
			for _, saves := range []string{"", "1"} {
				if saves != "" && step != 1 {
					continue
				}
				t.Run(fmt.Sprint(batch, step, saves), func(t *testing.T) {
					folder := t.TempDir()
					for _, sub := range [...]string{"a", "b"} {
						if err := os.Mkdir(filepath.Join(folder, sub), 0o755); err != nil {
							t.Fatal(err)
						}
					}
					child := exec.Command(os.Args[0], "-test.run=^TestSweepSpares$")
					child.Env = append(os.Environ(), "CODELINTER_TEST_KILLED="+folder, fmt.Sprint("CODELINTER_TEST_AT=", batch, " ", step), "CODELINTER_TEST_SAVES="+saves)
					if out, err := child.CombinedOutput(); err == nil {
						t.Fatalf("it ended by itself: %s", out)
					}
					if batch > 1 {
						folder = filepath.Join(folder, filepath.Dir(name(batch, 0)))
					}
					for i := range files {
						if got := read(t, filepath.Join(folder, filepath.Base(name(batch, i)))); got != "old" && got != "new" {
							t.Errorf("%d: %q", i, got)
						}
					}
					checkSwept(t, folder, saves != "")
					if batch > 1 {
						checkSwept(t, filepath.Dir(folder), false)
					}
				})
			}
		}
	}
}

// checkSwept sweeps a folder and checks that nothing is left but what another program saved.
func checkSwept(t *testing.T, folder string, saves bool) {
	t.Helper()
	kept, err := Sweep(folder)
	list, _ := filepath.Glob(filepath.Join(folder, hiddenStart+"*"))
	if err != nil || !slices.Equal(kept, list) || (len(kept) > 0) != saves {
		t.Errorf("kept %q, %v; left %q", kept, err, list)
	}
	if saves && read(t, kept[0]) != "saved" {
		t.Errorf("kept is %q", read(t, kept[0]))
	}
}

// Sweep looks at each file of a folder once, even if many hidden ones are there on purpose.
func TestSweepMany(t *testing.T) {
	folder := t.TempDir()
	const many = 300
	for i := range many {
		for _, name := range []string{fmt.Sprintf("%04d.py", i), fmt.Sprintf("%s%x-1-1", hiddenStart, i+1)} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte("text"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	looks := 0
	looked = func() { looks++ }
	defer func() { looked = nil }()
	kept, err := Sweep(folder)
	if err != nil || len(kept) != many || looks > 3*many {
		t.Errorf("%d kept after %d looks, %v", len(kept), looks, err)
	}
}
