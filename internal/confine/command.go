package confine

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Command returns the running executable as a command. Its main knows by name, which is
// argv[0], what it is to be: nobody gives that by mistake, as with an argument. The
// command has no environment, and a terminal's interrupts do not reach it. Words holds
// what it writes to standard error.
func Command(name string, arguments ...string) (command *exec.Cmd, words *Words, err error) {
	executable, err := self()
	if err != nil {
		return nil, nil, err
	}
	words = new(Words)
	return &exec.Cmd{
		Path:        executable,
		Args:        append([]string{name}, arguments...),
		Env:         []string{}, // not nil, which would be ours
		Stderr:      words,
		SysProcAttr: attributes(),
		WaitDelay:   time.Second,
	}, words, nil
}

// self is the running executable, also if its file was replaced meanwhile.
func self() (string, error) {
	if runtime.GOOS == "linux" {
		if _, err := os.Stat("/proc/self/exe"); err == nil {
			return "/proc/self/exe", nil
		}
	}
	return os.Executable()
}

// Words keep the beginning of what is written to them. The rest is seldom of interest:
// how a Go program died stands in the first lines.
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
