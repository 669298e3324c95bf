package confine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The tests confine a process of their own: this binary under another name.
const confined = "confined"

func TestMain(m *testing.M) {
	if os.Args[0] == confined {
		fmt.Println(attempts())
		// Not by os.Exit: with -cover that writes files, which this process cannot.
		unix.Exit(0)
	}
	os.Exit(m.Run())
}

// attempts says what a confined process can still do of what it must not, and
// what it cannot do of what it must.
func attempts() string {
	status := openStatus()
	m := Process(Limits{Memory: 1 << 30, CPU: time.Minute})
	if !m.Rlimits || !m.NoNew || !m.Parent || !m.Capabilities {
		return fmt.Sprintf("measures: %+v", m)
	}
	if !m.Seccomp {
		return "no seccomp"
	}
	var wrong []string
	if threads := privileged(status); len(threads) > 0 {
		wrong = append(wrong, "keep capabilities of "+strings.Join(threads, ", "))
	}
	must := func(what string, ok bool) {
		if !ok {
			wrong = append(wrong, what)
		}
	}
	_, err := os.ReadFile("/etc/hostname")
	must("open", err != nil)
	_, err = os.ReadFile("/proc/self/statm")
	must("open /proc", err != nil)
	// Not by package net, which would link the C library: its threads take so much
	// address space that there would not be enough for eight.
	_, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	must("socket", err != nil)
	_, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	must("unix socket", err != nil)
	_, _, errno := unix.RawSyscall(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0) // fork
	must("fork", errno != 0)
	must("execve", unix.Exec("/bin/true", []string{"true"}, nil) != nil)
	must("exec", exec.Command("/bin/true").Run() != nil)
	must("kill", unix.Kill(os.Getppid(), 0) != nil)
	must("tgkill", unix.Tgkill(os.Getppid(), os.Getppid(), 0) != nil)
	must("mkdir", os.Mkdir("/tmp/confined", 0o700) != nil)
	must("unlink", unix.Unlink("/tmp/confined-none") == unix.EPERM)
	must("ptrace", unix.PtraceAttach(os.Getppid()) != nil)
	must("memfd", func() bool { _, err := unix.MemfdCreate("x", 0); return err != nil }())
	_, err = unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
	must("code", err != nil)
	plain, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	must("have memory", err == nil)
	must("make memory code", unix.Mprotect(plain, unix.PROT_READ|unix.PROT_EXEC) != nil)
	_, err = unix.Mmap(-1, 0, 3<<29, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	must("1.5 GiB", err != nil)
	must("raise a limit", unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1, Max: 1}) != nil)

	// Threads, timers and the collector go on.
	done := make(chan int)
	for range 8 {
		go func() {
			runtime.LockOSThread()
			time.Sleep(time.Millisecond)
			done <- len(make([]byte, 1<<20))
		}()
	}
	for range 8 {
		<-done
	}
	runtime.GC()
	return strings.Join(wrong, ", ")
}

func TestProcess(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Cmd{Path: executable, Args: []string{confined}}
	out, err := command.CombinedOutput()
	if strings.TrimSpace(string(out)) == "no seccomp" {
		t.Skip("the kernel has no seccomp")
	}
	if err != nil || strings.TrimSpace(string(out)) != "" {
		t.Errorf("%v: %s", err, out)
	}
}

// openStatus opens what the kernel says of each thread, which a confined process can only
// read.
func openStatus() (files []*os.File) {
	// Threads that are there before the process is confined, with a thread that does nothing.
	var started sync.WaitGroup
	for range 4 {
		started.Add(1)
		go func() {
			runtime.LockOSThread()
			started.Done()
			select {}
		}()
	}
	started.Wait()
	paths, _ := filepath.Glob("/proc/self/task/*/status")
	for _, path := range paths {
		if file, err := os.Open(path); err == nil {
			files = append(files, file)
		}
	}
	return files
}

// privileged returns the lines about capabilities that a thread has.
func privileged(status []*os.File) (lines []string) {
	for _, file := range status {
		text := make([]byte, 8<<10)
		n, _ := file.Read(text)
		for line := range strings.Lines(string(text[:n])) {
			if name, set, _ := strings.Cut(line, ":"); strings.HasPrefix(name, "Cap") && strings.Trim(set, "0\t\n") != "" {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	if len(status) < 4 {
		lines = append(lines, fmt.Sprintf("no one: %d threads", len(status)))
	}
	return lines
}
