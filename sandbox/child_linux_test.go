package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"codelinter/sandbox/internal/job"
)

// A child that is killed is replaced without a word. If those that run one program
// are killed again and again, that says nothing of it.
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
	// Failed, if the last one was killed before it came to the program.
	if r.End != Unknown && r.End != Failed || r.Err == nil {
		t.Errorf("after its children had been killed: %+v", r)
	}
	if r := p.Run(t.Context(), Program{Source: "x = 1"}); r.End != Done {
		t.Errorf("the next one: %+v", r)
	}
	if s := p.Stats(); s.Restarts < 2 {
		t.Errorf("%+v", s)
	}
}

// So is one that is killed as it starts.
func TestChildrenDieAsTheyStart(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	first := p.idle[0].process
	first.kill()
	<-first.ended // so that killer does not take it for one that starts
	done := make(chan struct{})
	var killer sync.WaitGroup
	killer.Go(func() {
		for seen := map[int]bool{}; len(seen) < maxKilled-1; {
			select {
			case <-done:
				return
			default:
			}
			for _, pid := range children(t, childName) {
				if !seen[pid] {
					seen[pid] = true
					syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		}
	})
	// Long enough for killer to find each child, on a busy machine too.
	busy := Program{Source: "for i in range(10_000_000):\n    pass\n", Budget: 1 << 40}
	if r := p.Run(t.Context(), busy); r.End != Done {
		t.Errorf("after children had been killed as they started: %+v", r)
	}
	close(done)
	killer.Wait()
	if s := p.Stats(); s.Restarts != maxKilled {
		t.Errorf("%+v, want %d restarts", s, maxKilled)
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
	p := newPool(t, Options{Workers: 1})
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
		case n >= 3 && (strings.HasPrefix(target, "anon_inode:[event") || target == filepath.Join(p.code.entry, "image") || target == strings.TrimSuffix(folder, "/")+"/pagemap"):
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

// What a child sends may be anything: its pool's process takes no harm, waits
// no longer than the wall clock, and takes memory for what came and not for
// what was claimed.
func TestChildrenLie(t *testing.T) {
	for name, test := range map[string]struct {
		says string // by the child, again and again
		once bool
		want error // nil: any
	}{
		"nothing":             {"", true, errDied},
		"no report":           {"\x00\x00\x00\x00", true, errDied},
		"256 MiB to come":     {"\xff\xff\xff\x0f", true, errDied},
		"4 GiB to come":       {"\xff\xff\xff\xff", true, errDied},
		"a step for a byte":   {"\x20\x00\x00\x00" + strings.Repeat("\x00", 15) + "\xff\xff\x7f" + strings.Repeat("\x00", 14), true, errDied},
		"zeros without end":   {strings.Repeat("\x00", 4096), false, nil},
		"ones without end":    {strings.Repeat("\xff", 4096), false, nil},
		"a long frame, slow":  {"\xff\xff\xff\x0f", false, nil},
		"text of a Go panic":  {"panic: runtime error\n\ngoroutine 1 [running]:\n", false, nil},
		"random bytes":        {randomBytes(4096), false, nil},
		"other random bytes":  {"\x00\x10\x00\x00" + randomBytes(4092), false, nil},
		"a frame cut in half": {"\x00\x10\x00\x00" + randomBytes(100), true, errDied},
	} {
		t.Run(name, func(t *testing.T) {
			p := startLiar(t, test.says, test.once)
			defer p.end()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			wall := time.Second
			if test.once { // its end must come first, however busy the machine is
				wall = time.Minute
			}
			report, err := p.run(t.Context(), &job.Job{Source: []byte("x = 1")}, wall)
			runtime.ReadMemStats(&after)
			if err == nil {
				// It may say anything of the program, as a damaged interpreter may.
				result := new(Pool).result(report, &Program{})
				if result.End == Done && result.Err != nil {
					t.Errorf("%+v", result)
				}
			} else if test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; test.once && taken > 8<<20 {
				t.Errorf("%d bytes of memory", taken)
			}
		})
	}
}

func randomBytes(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return string(b)
}

// startLiar returns a liar in the place of a child.
func startLiar(t *testing.T, says string, once bool) *process {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{in: in, out: out, words: new(head), ended: make(chan struct{})}
	p.cmd = &exec.Cmd{Path: executable, Args: []string{liar, strconv.Quote(says), fmt.Sprint(once)}, Stdin: childIn, Stdout: childOut, Stderr: p.words}
	// A program that was built with the race detector would wait a second at its end,
	// in which the wall clock stops it.
	p.cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	childIn.Close()
	childOut.Close()
	go func() {
		p.wait = p.cmd.Wait()
		close(p.ended)
	}()
	return p
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
