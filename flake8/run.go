// Package flake8 is flake8's face: which files a command line means, what is
// printed for them and in which order.
//
//	found, err := flake8.Run(flake8.Options{Lint: lint.DefaultOptions(), Paths: []string{"src"}}, os.Stdin, os.Stdout)
//
// # How the work is shared out
//
// The files are sorted by name first, because that is the order of flake8's
// report; then workers take one after the other. Each renders what it finds into
// a buffer of its own. The file whose turn it is goes out at once, the others
// wait in a ring of limited size, and a worker that is too far ahead waits too:
// memory depends on the number of workers and not on that of the files.
package flake8

import (
	"bufio"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// Options say what to lint and how to show it.
type Options struct {
	Lint  lint.Options
	Paths []string // files and folders, "-" for standard input; none means "."

	// Exclude and Filename are patterns that leave files out and let them in;
	// nil stands for flake8's defaults.
	Exclude, Filename []string
	// StdinDisplayName is the name under which standard input is reported.
	StdinDisplayName string

	Jobs   int         // files at once; 0 means one for each CPU
	Format Formatter   // nil means [Default]
	Warn   func(error) // told of folders that cannot be read; may be nil
}

const (
	ring       = 16      // files in flight for each worker
	keptOutput = 1 << 18 // bytes of output that may wait for their turn, a file
	keptInput  = 1 << 22 // bytes of a file after which a worker's memory is given back
	pause      = 100 * time.Millisecond
)

// Run lints the files that the options name and writes the findings to stdout
// in flake8's order. It returns the number of findings. A file that cannot be
// read is a finding; an error means that the options are wrong or that writing
// failed.
func Run(o Options, stdin io.Reader, stdout io.Writer) (found int, err error) {
	if o.StdinDisplayName == "" {
		o.StdinDisplayName = "stdin"
	}
	if o.Format == nil {
		o.Format = Default{}
	}
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	linter, err := lint.New(o.Lint)
	if err != nil {
		return 0, err
	}
	targets := newDiscovery(&o, o.Warn).expand(o.Paths)
	jobs := o.Jobs
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	jobs = max(1, min(jobs, len(targets)))

	r := &run{
		targets: targets,
		format:  o.Format,
		stdin:   sync.OnceValues(func() ([]byte, error) { return readAll(stdin, nil, source.MaxSize+1) }),
		out:     bufio.NewWriterSize(stdout, 1<<16),
		flushed: time.Now(),
		slots:   make([]slot, jobs*ring),
	}
	r.turn.L = &r.mutex
	var others sync.WaitGroup
	for range jobs - 1 {
		others.Go(func() { r.work(linter.Clone()) })
	}
	r.work(linter)
	others.Wait()

	if r.err == nil {
		r.err = r.out.Flush()
	}
	return r.found, r.err
}

// A run is the state that the workers share.
type run struct {
	targets []target
	format  Formatter
	stdin   func() ([]byte, error)

	mutex   sync.Mutex
	turn    sync.Cond // written rose, or err was set
	taken   int       // targets that workers took
	written int       // targets whose output is in out, all in front of the others
	slots   []slot    // of target i at i % len(slots), for written <= i < written+len(slots)
	out     *bufio.Writer
	flushed time.Time
	found   int
	err     error // of writing; ends the run
}

// A slot is the output of a target.
type slot struct {
	output []byte
	done   bool
}

// work lints targets until none is left.
func (r *run) work(linter *lint.Linter) {
	var memory []byte
	for {
		i, ok := r.take()
		if !ok {
			return
		}
		var findings []rule.Finding
		data, err := r.read(r.targets[i], memory)
		switch {
		case err != nil:
			if linter.Enabled(rule.E902) {
				findings = []rule.Finding{{Column: 1, Code: rule.E902, Text: osErrorText(err, r.targets[i].name)}}
			}
		case r.targets[i].stdin:
			findings = linter.LintStdin(r.targets[i].name, data)
		default:
			findings = linter.LintFile(r.targets[i].name, data)
			memory = data
		}
		r.finish(i, findings)
		if len(data) > keptInput {
			memory, linter = nil, linter.Clone()
		}
	}
}

// take returns the next target, once its slot is free.
func (r *run) take() (i int, ok bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	i = r.taken
	r.taken++
	for i < len(r.targets) && i >= r.written+len(r.slots) && r.err == nil {
		r.turn.Wait()
	}
	return i, i < len(r.targets) && r.err == nil
}

// finish renders the findings of target i and writes all that is due.
func (r *run) finish(i int, findings []rule.Finding) {
	s := &r.slots[i%len(r.slots)]
	s.output = s.output[:0]
	for k := range findings {
		s.output = r.format.AppendFinding(s.output, r.targets[i].name, &findings[k])
		if len(s.output) > keptOutput {
			r.writeInTurn(i, s)
		}
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.found += len(findings)
	s.done = true
	if i != r.written {
		return
	}
	for r.written < len(r.targets) && r.slots[r.written%len(r.slots)].done {
		due := &r.slots[r.written%len(r.slots)]
		r.write(due.output)
		if cap(due.output) > 2*keptOutput {
			due.output = nil
		}
		due.done = false
		r.written++
	}
	if now := time.Now(); r.err == nil && now.Sub(r.flushed) > pause {
		r.flushed, r.err = now, r.out.Flush()
	}
	r.turn.Broadcast()
}

// writeInTurn writes the output so far of target i, a long one, when all before
// it is written. The first of the targets in work never waits here, so that
// there is always one that goes on.
func (r *run) writeInTurn(i int, s *slot) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for i != r.written && r.err == nil {
		r.turn.Wait()
	}
	r.write(s.output)
	s.output = s.output[:0]
}

// write puts output into out. After an error, nothing is written any more.
func (r *run) write(output []byte) {
	if r.err != nil || len(output) == 0 {
		return
	}
	if _, r.err = r.out.Write(output); r.err != nil {
		r.turn.Broadcast()
	}
}

// read returns the content of a target, in memory if that is large enough.
func (r *run) read(t target, memory []byte) ([]byte, error) {
	if t.stdin {
		return r.stdin()
	}
	file, err := os.Open(t.name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readAll(file, memory[:0], source.MaxSize+1)
}

// readAll reads to the end, but no more than limit bytes, which is one more than
// a Linter accepts.
func readAll(from io.Reader, data []byte, limit int) ([]byte, error) {
	if cap(data) == 0 {
		data = make([]byte, 0, min(1<<16, limit))
	}
	for len(data) < limit {
		if len(data) == cap(data) {
			data = slices.Grow(data, max(1, min(remaining(from, len(data)), limit-len(data))))
		}
		n, err := from.Read(data[len(data):min(cap(data), limit)])
		data = data[:len(data)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// remaining guesses how much is left behind the read bytes: what the size of a file
// says, with a byte more to meet its end, else as much again.
func remaining(from io.Reader, read int) int {
	if file, ok := from.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Size() >= int64(read) {
			return int(min(info.Size(), source.MaxSize)) - read + 1
		}
	}
	return read
}

// IsClosedPipe tells whether writing failed because the reader has gone away,
// which ends a program quietly.
func IsClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
