package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A child that dies of something else than its program is replaced without a
// word; two that die of one program are its fault.
func TestChildrenDie(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	p.idle[0].process.kill()
	if r := p.Run(t.Context(), Program{Source: "x = 1"}); r.End != Done {
		t.Errorf("after the child had died: %+v", r)
	}
	done := make(chan struct{})
	var killer sync.WaitGroup
	killer.Go(func() {
		seen := map[int]bool{}
		for {
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
			}
			for _, pid := range children(t, childName) {
				if !seen[pid] {
					seen[pid] = true
					time.Sleep(300 * time.Millisecond) // let it come to the program
					syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		}
	})
	r := p.Run(t.Context(), forever)
	close(done)
	killer.Wait()
	if r.End != Crashed && r.End != Failed || r.Err == nil {
		t.Errorf("after two children had died: %+v", r)
	}
	if r := p.Run(t.Context(), Program{Source: "x = 1"}); r.End != Done {
		t.Errorf("the next one: %+v", r)
	}
	if s := p.Stats(); s.Restarts < 2 {
		t.Errorf("%+v", s)
	}
}

// children are the processes of this one that have a name.
func children(t *testing.T, name string) []int {
	t.Helper()
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, folder := range folders {
		command, _ := os.ReadFile(folder + "/cmdline")
		status, _ := os.ReadFile(folder + "/status")
		if strings.TrimRight(string(command), "\x00") == name && strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", os.Getpid())) {
			pid, _ := strconv.Atoi(filepath.Base(folder))
			pids = append(pids, pid)
		}
	}
	return pids
}

// What a child has: three pipes, its image, its own page tables and the
// runtime's poller, no environment, no new privileges, a filter of system calls.
func TestChildIsConfined(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "inherited")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	// As a shell's 3<file, which is not marked to be closed.
	if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, file.Fd(), syscall.F_SETFD, 0); errno != 0 {
		t.Fatal(errno)
	}
	t.Setenv("SECRET", "leak")
	newPool(t, Options{Workers: 1})
	pids := children(t, childName)
	if len(pids) != 1 {
		t.Fatalf("%d children", len(pids))
	}
	folder := fmt.Sprintf("/proc/%d/", pids[0])
	status, err := os.ReadFile(folder + "status")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"\nNoNewPrivs:\t1\n", "\nSeccomp:\t2\n"} {
		if !strings.Contains(string(status), line) {
			t.Errorf("no %q in its status", line)
		}
	}
	environment, err := os.ReadFile(folder + "environ")
	if err != nil {
		t.Skip(err) // others' processes are closed to all but root
	}
	if len(environment) > 0 {
		t.Errorf("its environment is %q", environment)
	}
	files, err := os.ReadDir(folder + "fd")
	if err != nil {
		t.Skip(err)
	}
	for _, file := range files {
		target, err := os.Readlink(folder + "fd/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		switch n, _ := strconv.Atoi(file.Name()); {
		case n < 3 && strings.HasPrefix(target, "pipe:"):
		case n >= 3 && (strings.HasPrefix(target, "anon_inode:[event") || strings.HasPrefix(target, "/memfd:codelinter-sandbox") || target == strings.TrimSuffix(folder, "/")+"/pagemap"):
		default:
			t.Errorf("its file %s is %s", file.Name(), target)
		}
	}
}

// A child ends with its pool's process, whatever that dies of, and whatever
// the child is at.
func TestChildDiesWithParent(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Cmd{Path: executable, Args: []string{orphan}, Env: os.Environ()}
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(line)
	}
	time.Sleep(200 * time.Millisecond)
	parent.Process.Kill()
	parent.Wait()
	for range 100 {
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || len(command) == 0 { // gone, or dead and not waited for
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the child lives on")
}

// Close leaves no process.
func TestCloseEndsChildren(t *testing.T) {
	p := newPool(t, Options{Workers: 2})
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { p.Run(context.Background(), forever) })
	}
	time.Sleep(500 * time.Millisecond)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	all.Wait()
	if pids := children(t, childName); len(pids) > 0 {
		t.Errorf("%d children are left", len(pids))
	}
}
