package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"codelinter/internal/confine"
	"codelinter/sandbox/internal/cputime"
	"codelinter/sandbox/internal/job"
)

// A process is a child as its pool sees it. Whoever starts it kills it; run is
// for one goroutine at a time, kill for any.
type process struct {
	cmd   *exec.Cmd
	in    *os.File       // the child's standard input
	out   *os.File       // the child's standard output
	words *confine.Words // the child's standard error
	ended chan struct{}
	wait  error // of cmd, when ended is closed

	greeting greeting
}

// A starter starts processes, all on one thread of its own. On Linux a child
// is killed when the thread that started it ends, and Go ends threads as it
// likes, but not this one before Close.
type starter struct {
	requests chan func()
	launched func(*process) // sees each process before its order; nil but for tests
}

func newStarter() *starter {
	s := &starter{requests: make(chan func())}
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		for request := range s.requests {
			request()
		}
	}()
	return s
}

// close ends the thread, and with it, on Linux, children that are left.
func (s *starter) close() { close(s.requests) }

// start starts a child and hears its greeting. The child is killed if ctx is
// done before. The error is, with more words, errKilled if somebody else kills it.
func (s *starter) start(ctx context.Context, o order) (*process, error) {
	p, err := s.launch()
	if err != nil {
		return nil, fmt.Errorf("cannot start a child process: %w", err)
	}
	limit := startLimit
	if o.Compile || o.Cache == "" {
		limit = compiling
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	if err = send(p.in, o); err == nil {
		err = receive(p.out, &p.greeting)
	}
	if err != nil {
		words := p.end()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("a child process was not ready in time: %w", context.Cause(ctx))
		}
		if p.wasKilled() {
			return nil, fmt.Errorf("%w before it was ready%s", errKilled, words)
		}
		return nil, fmt.Errorf("a child process did not start: %w%s", err, words)
	}
	if p.greeting.Uncompiled {
		p.end()
		return nil, errUncompiled
	}
	if p.greeting.Failure != "" {
		p.end()
		return nil, errors.New(p.greeting.Failure)
	}
	return p, nil
}

func (s *starter) launch() (*process, error) {
	cmd, words, err := confine.Command(childName)
	if err != nil {
		return nil, err
	}
	var files []*os.File
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
			files = append(files, r, w)
		}
		return r, w
	}
	childIn, in := pipe()
	out, childOut := pipe()
	if err != nil {
		for _, file := range files {
			file.Close()
		}
		return nil, err
	}
	cmd.Stdin, cmd.Stdout = childIn, childOut
	p := &process{cmd: cmd, in: in, out: out, words: words, ended: make(chan struct{})}
	started := make(chan error)
	s.requests <- func() { started <- p.cmd.Start() }
	err = <-started
	childIn.Close()
	childOut.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	bind(p.cmd.Process)
	go func() {
		p.wait = p.cmd.Wait()
		close(p.ended)
	}()
	if s.launched != nil {
		s.launched(p)
	}
	return p, nil
}

// Why a program has no result.
var (
	errDied   = errors.New("the child process died")
	errKilled = errors.New("the child process was killed")
	errTime   = errors.New("the program was stopped: it used the processor time that it may have")
	errIdle   = errors.New("the program was stopped: its process did nothing for a minute")
)

// run has the child run a program. After an error the child is of no use. The
// errors, some with more words:
//   - errTime: the child used more processor time than limit
//   - errIdle: the child used no processor time for a while
//   - ctx's own, if ctx is done
//   - errKilled: somebody killed the child, or the system did for want of memory
//   - errDied: the child ended by itself
func (p *process) run(ctx context.Context, j *job.Job, limit time.Duration) (*job.Report, error) {
	// Not by the pipes' deadlines: Windows' pipes have none.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := cputime.NewWatch(p.cmd.Process.Pid, limit, func(idle bool) {
		if idle {
			cancel(errIdle)
		} else {
			cancel(errTime)
		}
	})
	defer watch.Stop()
	stop := context.AfterFunc(ctx, p.kill)
	var r job.Report
	err := j.Write(p.in)
	if err == nil {
		err = r.Read(p.out, j)
	}
	switch killed := !stop(); {
	case killed:
		return nil, context.Cause(ctx)
	case err == nil:
		return &r, nil
	}
	words := p.end()
	if (err == io.EOF || err == io.ErrUnexpectedEOF || errors.Is(err, syscall.EPIPE)) && p.wasKilled() {
		return nil, fmt.Errorf("%w%s", errKilled, words)
	}
	return nil, fmt.Errorf("%w: %w%s", errDied, err, words)
}

// wasKilled reports whether the child, which has ended, did so by SIGKILL. No
// program can do that to its own: the filter of system calls lets it send no signal.
func (p *process) wasKilled() bool {
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// kill ends the child at once.
func (p *process) kill() { p.cmd.Process.Kill() }

// end ends the child, waits for that, and returns what is known of how it
// ended, in words to put after a message.
func (p *process) end() string {
	p.in.Close()
	p.out.Close()
	p.kill()
	<-p.ended
	words := ""
	if p.wait != nil {
		words = ": " + p.wait.Error()
	}
	if said := p.words.String(); said != "" {
		words += ": " + said
	}
	return words
}
