package confine

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Command returns the running executable as a command. name is argv[0], by which main
// recognizes its role; unlike an argument, nobody sets it by mistake. The command has
// no environment, and a terminal's interrupts do not reach it. Words holds the start of
// its standard error.
func Command(name string, arguments ...string) (command *exec.Cmd, words *Words, err error) {
	executable, err := self()
	if err != nil {
		return nil, nil, err
	}
	words = new(Words)
	return &exec.Cmd{
		Path:        executable,
		Args:        append([]string{name}, arguments...),
		Env:         []string{}, // not nil, which would inherit ours
		Stderr:      words,
		SysProcAttr: attributes(),
		WaitDelay:   time.Second,
	}, words, nil
}

// Serve does a child's work, and does not return, if the process was started by [Command]
// under name. Otherwise it does nothing. It is the first thing that main does, as it closes
// inherited files other than the standard ones.
func Serve(name string, work func(arguments []string) error) {
	if len(os.Args) == 0 || os.Args[0] != name {
		return
	}
	closeInherited()
	if err := work(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// self is the running executable, even if its file was replaced.
func self() (string, error) {
	if runtime.GOOS == "linux" {
		if _, err := os.Stat("/proc/self/exe"); err == nil {
			return "/proc/self/exe", nil
		}
	}
	return os.Executable()
}

// Words keep the beginning of the text that is written to them. The first lines say how
// a Go program died.
type Words struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

const kept = 500 // bytes

// Write keeps what there is room for.
func (w *Words) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.kept.Write(b[:min(len(b), kept-w.kept.Len())])
	return len(b), nil
}

// String returns what was kept, without blanks at its ends.
func (w *Words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.TrimSpace(w.kept.String())
}
