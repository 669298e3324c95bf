package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A save at any moment of Replace stays: the file that other programs find has it, and if there are
// two saves, the error names the file of the second.
func TestReplaceBeside(t *testing.T) {
	byRename := func(t *testing.T, path, text string) {
		if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil {
			t.Error(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Error(err)
		}
	}
	for _, c := range [...]struct {
		name  string
		saves []int // steps at which another program saves by a rename
		want  string
		other bool // a second save is beside it
		fails bool
	}{
		{"before the exchange", []int{1}, "saved at 1", false, true},
		{"after the exchange", []int{2}, "saved at 2", false, false},
		{"before and after", []int{1, 2}, "saved at 1", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "a.py")
			was := known(t, path, "old")
			betweenSteps = func(step int) {
				for _, at := range c.saves {
					if at == step {
						byRename(t, path, "saved at "+string(rune('0'+step)))
					}
				}
			}
			defer func() { betweenSteps = nil }()
			err := Replace(path, was, []byte("new"))
			if (err != nil) != c.fails || err != nil && !errors.Is(err, ErrChanged) {
				t.Error(err)
			}
			if got := read(t, path); got != c.want {
				t.Errorf("%q, expected %q", got, c.want)
			}
			if !c.other {
				if n := entries(t, folder); n != 1 {
					t.Errorf("%d files", n)
				}
				return
			}
			_, second, _ := strings.Cut(err.Error(), "save is in ")
			if got := read(t, second); got != "saved at 2" {
				t.Errorf("the second save is %q", got)
			}
		})
	}
}

// The new text has no name until it takes the old one's, so a process that is killed while it
// writes leaves nothing.
func TestReplaceNameless(t *testing.T) {
	folder := t.TempDir()
	file, err := nameless(folder, 0o600)
	if err != nil {
		t.Skip(err) // by the file system
	}
	file.Close()
	path := filepath.Join(folder, "a.py")
	was := known(t, path, "old")
	names := 0
	betweenSteps = func(step int) {
		if step == 1 {
			names = entries(t, folder)
		}
	}
	defer func() { betweenSteps = nil }()
	if err := Replace(path, was, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if after := entries(t, folder); names != 1 || after != 1 {
		t.Errorf("%d names before the exchange, %d after", names, after)
	}
}

// A program that opens the file for writing while Replace works waits, and writes into the file
// that has the name.
func TestReplaceWaits(t *testing.T) {
	for _, at := range [...]int{1, 2} {
		folder := t.TempDir()
		path := filepath.Join(folder, "a.py")
		was := known(t, path, "old")
		done := make(chan error)
		var probe *os.File
		betweenSteps = func(step int) {
			if step != at || probe != nil {
				return
			}
			where := path
			if step == 2 { // the writer has resolved the name before the exchange
				list, _ := filepath.Glob(filepath.Join(folder, hiddenStart+"*"))
				where = list[0]
			}
			probe, _ = os.Open(where)
			// This fails at once, and begins to break the lease as a writer that waits does.
			if _, err := unix.Open(where, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0); err != unix.EWOULDBLOCK {
				t.Skip("no leases here: ", err)
			}
			go func() { done <- os.WriteFile(where, []byte("saved"), 0o644) }()
		}
		err := Replace(path, was, []byte("new"))
		betweenSteps = nil
		if !errors.Is(err, ErrChanged) {
			t.Errorf("step %d: %v", at, err)
		}
		<-done
		probe.Close()
		info, _ := os.Stat(path)
		if !os.SameFile(info, was.Info) {
			t.Errorf("step %d: another file has the name", at)
		}
	}
}

// A file that a program has open for writing is left.
func TestReplaceOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.py")
	was := known(t, path, "old")
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	probe, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer probe.Close()
	if _, err := unix.FcntlInt(probe.Fd(), unix.F_SETLEASE, unix.F_RDLCK); err != unix.EAGAIN {
		t.Skip("no leases here: ", err)
	}
	if err := Replace(path, was, []byte("new")); err == nil || read(t, path) != "old" {
		t.Errorf("%v, %q", err, read(t, path))
	}
}

// The owner, the mode, extended attributes and the access list stay; those that the folder gives
// to new files do not come.
func TestReplaceMeta(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.py")
	known(t, path, "old")
	acl := func(entries ...uint16) []byte { // tag, permissions, id
		out := []byte{2, 0, 0, 0}
		for i := 0; i < len(entries); i += 3 {
			out = append(out, byte(entries[i]), 0, byte(entries[i+1]), 0, byte(entries[i+2]), byte(entries[i+2]>>8), 0, 0)
			if entries[i+2] == 0xffff {
				out[len(out)-2], out[len(out)-1] = 0xff, 0xff
			}
		}
		return out
	}
	const none = 0xffff
	access := acl(1, 6, none, 2, 6, 1234, 4, 4, none, 16, 6, none, 32, 0, none)
	given := acl(1, 7, none, 2, 7, 4321, 4, 7, none, 16, 7, none, 32, 7, none)
	if err := unix.Setxattr(path, "user.codelinter", []byte("value"), 0); err != nil {
		t.Skip("no extended attributes here: ", err)
	}
	acls := unix.Setxattr(path, "system.posix_acl_access", access, 0) == nil &&
		unix.Setxattr(folder, "system.posix_acl_default", given, 0) == nil
	owned := os.Geteuid() == 0
	if owned {
		if err := os.Chown(path, 1000, 1001); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, Known{info, []byte("old")}, []byte("new")); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || after.Mode() != info.Mode() || read(t, path) != "new" {
		t.Errorf("mode %v, was %v; %v", after.Mode(), info.Mode(), err)
	}
	if owned {
		got, was := after.Sys().(*syscall.Stat_t), info.Sys().(*syscall.Stat_t)
		if got.Uid != was.Uid || got.Gid != was.Gid {
			t.Errorf("owner %d:%d", got.Uid, got.Gid)
		}
	}
	value := make([]byte, 100)
	if n, err := unix.Getxattr(path, "user.codelinter", value); err != nil || string(value[:n]) != "value" {
		t.Errorf("attribute %q, %v", value[:n], err)
	}
	if n, err := unix.Getxattr(path, "system.posix_acl_access", value); acls && (err != nil || string(value[:n]) != string(access)) {
		t.Errorf("access list %v, %v", value[:n], err)
	}
	// One without a list of its own gets none.
	plain := filepath.Join(folder, "b.py")
	known(t, plain, "old")
	unix.Removexattr(plain, "system.posix_acl_access")
	info, _ = os.Stat(plain)
	if err := Replace(plain, Known{info, []byte("old")}, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if n, err := unix.Getxattr(plain, "system.posix_acl_access", value); err == nil && n > 0 {
		t.Errorf("the folder's access list %v came", value[:n])
	}
}
