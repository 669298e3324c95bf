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

	"codelinter/internal/util/confine"
	"codelinter/internal/util/cputime"
	"codelinter/internal/util/faults"
	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/reactor"
)

// A process is the pool's handle of a child. Its starter kills it. Only one
// goroutine at a time may call run, any may call kill.
type process struct {
	cmd   *exec.Cmd
	in    *os.File       // the child's standard input
	out   *os.File       // the child's standard output
	words *confine.Words // the child's standard error
	ended chan struct{}
	wait  error // of cmd, valid when ended is closed

	greeting greeting
	image    seal
}

// A seal says what a file was before a child checked it. A child maps the interpreter's image,
// so it would see a change of the file.
type seal struct {
	path string // "": there is no file
	info os.FileInfo
}

func sealOf(path string) seal {
	info, err := os.Stat(path)
	if err != nil {
		return seal{}
	}
	return seal{path, info}
}

// broken reports whether the file was changed or replaced.
func (s *seal) broken() bool {
	if s.path == "" {
		return false
	}
	now, err := os.Stat(s.path)
	return err != nil || !os.SameFile(now, s.info) || now.Size() != s.info.Size() || !now.ModTime().Equal(s.info.ModTime())
}

// A starter starts processes on one thread. Linux kills a child when the thread
// that started it ends. Go ends threads at any time, but not this one before
// Close.
type starter struct {
	requests chan func()
	launched func(*process) // for tests: called with each process before its order
}

func newStarter() *starter {
	s := &starter{requests: make(chan func())}
	go func() {
		runtime.LockOSThread() // never unlocked, so the thread ends with the goroutine
		for request := range s.requests {
			request()
		}
	}()
	return s
}

// close ends the thread and, on Linux, with it the remaining children.
func (s *starter) close() { close(s.requests) }

// start starts a child and reads its greeting. It kills the child if ctx is done
// before. The error wraps errKilled or errDied if the child is lost.
func (s *starter) start(ctx context.Context, o order) (*process, error) {
	image := sealOf(reactor.ImageFile(o.Cache))
	p, err := s.launch()
	if err != nil {
		return nil, fmt.Errorf("cannot start a child process: %w", err)
	}
	p.image = image
	p.injectFaults()
	limit := startLimit
	if o.Compile || o.Cache == "" {
		limit = compiling
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	if err = job.Write(p.in, o, greetLimit); err == nil {
		err = job.Read(p.out, &p.greeting, greetLimit)
	}
	if err != nil {
		words := p.end()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("a child process was not ready in time: %w", context.Cause(ctx))
		}
		if p.wasKilled() {
			return nil, fmt.Errorf("%w before it was ready%s", errKilled, words)
		}
		return nil, fmt.Errorf("%w before it was ready: %w%s", errDied, err, words)
	}
	if p.greeting.Uncompiled {
		p.end()
		return nil, errUncompiled
	}
	if p.greeting.Damaged {
		p.end()
		return nil, errDamaged
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

// Reasons why a program has no result.
var (
	errDied   = errors.New("the child process died")
	errKilled = errors.New("the child process was killed")
	errStale  = errors.New("the interpreter's image was changed on the disk")
	errTime   = errors.New("the program was stopped: it used the processor time that it may have")
	errIdle   = errors.New("the program was stopped: its process did nothing for a minute")
)

// isLost reports whether an error is the loss of a child, by whatever cause.
func isLost(err error) bool {
	return errors.Is(err, errKilled) || errors.Is(err, errDied) || errors.Is(err, errStale)
}

// run runs a program on the child. After most errors the child is unusable. The
// errors may be wrapped:
//
//   - errTime: the child used more processor time than limit
//   - errIdle: the child used no processor time for a while
//   - ctx's own, if ctx is done
//   - errKilled: the child was killed, by another process or by the system for
//     lack of memory
//   - errDied: the child ended by itself, the pipes to it were cut, or it sent no report
//   - errStale: the child's memory may have changed with the file that it maps
//   - job.NoRoom: the job's Room refused the report; the child is usable
//   - errMustWait: the child has run for the stint of what it holds, and cannot yield that; nil: a
//     slot, whatever its time
func (p *process) run(ctx context.Context, j *job.Job, limit time.Duration, held *reservation) (*job.Report, error) {
	// Not by deadlines of the pipes: Windows' pipes have none.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := cputime.NewWatch(p.cmd.Process.Pid, limit, func(idle bool) {
		if idle {
			cancel(errIdle)
		} else {
			cancel(fmt.Errorf("%w (%v)", errTime, limit))
		}
	})
	defer watch.Stop()
	if held != nil {
		defer cputime.NewWatch(p.cmd.Process.Pid, held.stint, func(idle bool) {
			if err := held.yield(); !idle && err != nil {
				cancel(err)
			}
		}).Stop()
	}
	stop := context.AfterFunc(ctx, p.kill)
	if faults.Hit(faults.Stop) {
		cancel(errIdle)
	}
	var r job.Report
	p.injectFaults()
	err := j.Write(p.in)
	p.injectFaults()
	if err == nil {
		err = p.report(&r, j)
	}
	switch killed := !stop(); {
	case killed:
		return nil, context.Cause(ctx)
	case err == nil && p.image.broken():
		return nil, errStale
	case err == nil:
		return &r, nil
	}
	if _, refused := errors.AsType[*job.NoRoom](err); refused {
		return nil, err
	}
	words := p.end()
	if (err == io.EOF || err == io.ErrUnexpectedEOF || errors.Is(err, syscall.EPIPE)) && p.wasKilled() {
		return nil, fmt.Errorf("%w%s", errKilled, words)
	}
	return nil, fmt.Errorf("%w: %w%s", errDied, err, words)
}

// report reads the report on a job, and gives its answers before.
func (p *process) report(r *job.Report, j *job.Job) error {
	for made := 0; ; made = len(r.Calls) {
		*r = job.Report{}
		if err := r.Read(p.out, j); err != nil || !r.Paused {
			return err
		}
		if len(r.Calls) <= made || !j.IsPause(len(r.Calls)) {
			return errors.New("a pause that was not asked for")
		}
		if err := job.Write(p.in, job.Answer{Enough: j.Enough(r)}, greetLimit); err != nil {
			return err
		}
	}
}

// wasKilled reports whether the ended child was killed by SIGKILL. The program
// cannot have done it, as the filter of system calls allows no signals.
func (p *process) wasKilled() bool {
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// kill ends the child at once.
func (p *process) kill() { p.cmd.Process.Kill() }

// end ends the child, waits for it, and describes how it ended, in words for the
// end of a message.
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
