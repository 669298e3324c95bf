package cputime

import (
	"crypto/sha256"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// idler is the name of a process that waits for its input to end.
const idler = "cputime.test: idler"

func TestMain(m *testing.M) {
	if os.Args[0] == idler {
		os.Stdout.WriteString("x")
		os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// startIdler returns a process that has begun to wait, and what ends it.
func startIdler(t *testing.T) (pid int, end func()) {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Cmd{Path: executable, Args: []string{idler}}
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return command.Process.Pid, func() {
		in.Close()
		command.Wait()
	}
}

// A process that computes is ended when its time is used up.
func TestLimit(t *testing.T) {
	const limit = 30 * time.Millisecond
	before, exact := Of(Self)
	if !exact {
		t.Fatal("Linux does not say what this process has used")
	}
	ended := make(chan bool, 1)
	w := NewWatch(Self, limit, func(idle bool) { ended <- idle })
	defer w.Stop()
	for {
		select {
		case idle := <-ended:
			if now, _ := Of(Self); idle || now-before < limit {
				t.Errorf("idle %v, after %v of %v", idle, now-before, limit)
			}
			return
		default:
			sha256.Sum256(make([]byte, 1<<12)) // to use the processor
		}
	}
}

// One that only waits is ended by that, and not by the time that passes; and one
// that has ended is left alone.
func TestIdle(t *testing.T) {
	pid, end := startIdler(t)
	defer end()
	if used, exact := Of(pid); !exact || used <= 0 {
		t.Errorf("a process has used %v, %v", used, exact)
	}
	const limit = 10 * time.Second
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int64
		w := NewWatch(pid, limit, func(idle bool) {
			if ended.Add(1); !idle {
				t.Error("ended for what it used")
			}
		})
		time.Sleep(patience / 2)
		// What it did between its answer and its waiting counts as progress.
		if synctest.Wait(); ended.Load() != 0 {
			t.Error("ended because time passed")
		}
		time.Sleep(3 * patience)
		if synctest.Wait(); ended.Load() != 1 {
			t.Errorf("ended %d times", ended.Load())
		}
		w.Stop()

		w = NewWatch(pid, limit, func(bool) { t.Error("ended after Stop") })
		w.Stop()
		time.Sleep(3 * patience)
	})
	end()
	if _, exact := Of(pid); exact {
		t.Error("a process that is gone uses time")
	}
}

func TestEnded(t *testing.T) {
	pid, end := startIdler(t)
	defer end()
	synctest.Test(t, func(t *testing.T) {
		w := NewWatch(pid, time.Second, func(bool) { t.Error("a process that is gone was ended") })
		defer w.Stop()
		end()
		time.Sleep(3 * patience)
	})
}
