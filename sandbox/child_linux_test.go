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

	"codelinter/internal/util/confine"
	"codelinter/internal/util/cputime"
	"codelinter/sandbox/internal/job"
)

// computes waits until a process has computed for a while after what was used.
func computes(t *testing.T, pid int, used time.Duration) {
	t.Helper()
	eventually(t, "the process computes", func() bool {
		now, exact := cputime.Of(pid)
		return !exact || now > used+50*time.Millisecond
	})
}

// A child that is killed is replaced without a word. If those that run one program
// are killed again and again, that says nothing of it.
func TestChildrenDie(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	p.idle[0].process.kill()
	if r := run(t, p, Program{Source: "x = 1"}); r.End != Done {
		t.Errorf("after the child had died: %+v", r)
	}
	started := make(chan *process, maxLost+1)
	started <- p.idle[0].process
	p.starter.launched = func(child *process) { started <- child }
	ended := make(chan error)
	go func() {
		_, err := p.Run(t.Context(), forever)
		ended <- err
	}()
	for range maxLost + 1 {
		child := <-started
		var used time.Duration
		eventually(t, "the child is ready", func() bool {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", child.cmd.Process.Pid))
			used, _ = cputime.Of(child.cmd.Process.Pid)
			return err != nil || strings.Contains(string(status), "\nSeccomp:\t2\n")
		})
		computes(t, child.cmd.Process.Pid, used) // it has come to the program
		child.kill()
	}
	if err := <-ended; !errors.Is(err, errKilled) {
		t.Errorf("after its children had been killed: %v", err)
	}
	p.starter.launched = nil
	if r := run(t, p, Program{Source: "x = 1"}); r.End != Done {
		t.Errorf("the next one: %+v", r)
	}
	if s := p.Stats(); s.Restarts != maxLost+2 || s.Failures != 1 {
		t.Errorf("%+v", s)
	}
}

// So is one that is killed as it starts.
func TestChildrenDieAsTheyStart(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	p.idle[0].process.kill()
	killed := 0
	p.starter.launched = func(child *process) {
		if killed < maxLost-1 {
			killed++
			child.kill()
		}
	}
	if r := run(t, p, Program{Source: "x = 1"}); r.End != Done {
		t.Errorf("after children had been killed as they started: %+v", r)
	}
	if s := p.Stats(); s.Restarts != maxLost {
		t.Errorf("%+v, want %d restarts", s, maxLost)
	}
}

// A start goes on when its caller cannot wait for it, and serves the next one.
func TestStartOutlivesItsCaller(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	p.idle[0].process.kill()
	ctx, cancel := context.WithCancel(t.Context())
	launches, returned := 0, make(chan struct{})
	p.starter.launched = func(*process) {
		launches++
		cancel()
		<-returned
	}
	if r, err := p.Run(ctx, Program{Source: "x = 1"}); r.End != NotRun || !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %+v, %v", r, err)
	}
	close(returned)
	if r := run(t, p, Program{Source: "x = 1"}); r.End != Done {
		t.Errorf("the next: %+v", r)
	}
	if launches != 1 {
		t.Errorf("%d children were started, want 1", launches)
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
	lines := []string{"\nNoNewPrivs:\t1\n", "\nSeccomp:\t2\n"}
	if p.idle[0].process.greeting.Measures.Capabilities { // not where the C library is linked, as it may be in tests
		lines = append(lines, "\nCapPrm:\t0000000000000000\n", "\nCapEff:\t0000000000000000\n")
	}
	for _, line := range lines {
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
	used, _ := cputime.Of(pid)
	computes(t, pid, used)
	parent.Process.Kill()
	parent.Wait()
	eventually(t, "the child dies", func() bool {
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return err != nil || len(command) == 0 // gone, or dead and not waited for
	})
}

// What a child sends may be anything: its pool's process takes no harm, waits
// no longer than a program may take, and takes memory for what came and not for
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
		"an early pause":      {frameOf(t, &job.Report{Paused: true}), false, errDied},
		"one pause for ever":  {frameOf(t, &job.Report{Paused: true, Calls: make([]job.Step, 16)}), false, errDied},
	} {
		t.Run(name, func(t *testing.T) {
			p := startLiar(t, test.says, test.once)
			defer p.end()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			limit := 300 * time.Millisecond
			if test.once { // its end comes first
				limit = time.Minute
			}
			report, err := p.run(t.Context(), &job.Job{Source: []byte("x = 1"), Calls: make([][]byte, 40), Pauses: true, Enough: func(*job.Report) bool { return false }}, limit, nil)
			runtime.ReadMemStats(&after)
			if err == nil {
				// It may say anything of the program, as a damaged interpreter may.
				new(Pool).result(report, &Program{})
			} else if test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; test.once && taken > 8<<20 {
				t.Errorf("%d bytes of memory", taken)
			}
		})
	}
}

func frameOf(t *testing.T, report *job.Report) string {
	t.Helper()
	var frame strings.Builder
	if err := report.Write(&frame); err != nil {
		t.Fatal(err)
	}
	return frame.String()
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
	p := &process{in: in, out: out, words: new(confine.Words), ended: make(chan struct{})}
	p.cmd = &exec.Cmd{Path: executable, Args: []string{liar, strconv.Quote(says), fmt.Sprint(once)}, Stdin: childIn, Stdout: childOut, Stderr: p.words}
	// A program that was built with the race detector would wait a second at its end.
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
		all.Go(func() { _, _ = p.Run(context.Background(), forever) })
	}
	p.await(t, 2, 0)
	eventually(t, "there are 2 children", func() bool { return len(children(t, childName)) == 2 })
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	all.Wait()
	if pids := children(t, childName); len(pids) > 0 {
		t.Errorf("%d children are left", len(pids))
	}
}
