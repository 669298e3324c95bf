package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fxamacker/cbor/v2"

	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/reactor"
)

// savedFormat changes with what a saved program's files mean.
const savedFormat = "1"

// reportFile has the report of a saved program.
const reportFile = "report"

// A Saved is a program whose memory and files were kept when its module, or a call after it,
// had ended with Done. Programs can go on from there, see [Saved.Resume].
type Saved struct {
	Result Result // of the program that was saved

	options   Options
	code      *codeDir
	key       string
	entry     string // "": the program did not end with Done, and nothing was kept
	temporary string // a folder to remove; "": none
}

// Save returns the program of a key, from the cache or by running it. The key names all that
// the program depends on; Save adds the interpreter. The program is asked for only if it must
// run. It has a machine and no calls. If it does not end with Done, Result says how it ended,
// and nothing is kept. A program with threads that still run is an error.
func Save(ctx context.Context, o Options, key string, program func() (Program, error)) (*Saved, error) {
	o.Workers, o.InProcess, o.Engine = 1, false, CPython
	if err := o.complete(); err != nil {
		return nil, err
	}
	return (&Saved{options: o, code: new(codeDir)}).save(ctx, key, Program{}, func(*Pool) (Program, error) { return program() })
}

// Save returns a program that goes on from s by its calls, as it stands after them. It is kept
// under both keys. If it must run, prepare is called first, which may add files, and may ask a
// pool of one worker, as of [Saved.Resume], on which the program runs afterwards. See [Save].
func (s *Saved) Save(ctx context.Context, key string, program Program, prepare func(*Pool, *Program) error) (*Saved, error) {
	if !s.IsKept() {
		return nil, errNotKept
	}
	return s.save(ctx, key, program, func(pool *Pool) (Program, error) {
		err := prepare(pool, &program)
		program.Fresh = true
		return program, err
	})
}

// save finds what goes on from s, or runs it. program has the calls.
func (s *Saved) save(ctx context.Context, key string, program Program, make func(*Pool) (Program, error)) (_ *Saved, err error) {
	next := &Saved{options: s.options, code: s.code.use(), key: codecache.Key("saved", savedFormat, reactor.Key(), fmt.Sprint(s.options.Memory), s.key, key)}
	defer func() {
		if err != nil {
			next.Close()
		}
	}()
	dir := savedDir(s.options.CacheDir)
	if entry, found := codecache.Find(dir, next.key); found {
		if report, err := readReport(entry, &program); err == nil {
			next.entry, next.Result = entry, (&Pool{options: s.options}).result(report, &program)
			return next, nil
		}
	}
	pool := assemble(s.options, s.entry, s.code)
	defer pool.Close()
	if program, err = make(pool); err != nil {
		return nil, err
	}
	report, err := pool.runSaved(ctx, &program)
	if err != nil {
		return nil, err
	}
	next.Result = (&Pool{options: s.options}).result(report, &program)
	if report.Saved != nil {
		err = next.keep(dir, func(dir string) error { return writeSaved(dir, s.entry, report) })
	}
	if err != nil {
		return nil, err
	}
	return next, nil
}

// maxSaved is how many saved programs the cache keeps: those that were used last. One takes
// 40 to 80 MB.
const maxSaved = 32

// savedDir returns the folder of saved programs, or "".
func savedDir(cache string) string {
	if cache == "" {
		cache, _ = codecache.Dir()
	}
	if cache == "" {
		return ""
	}
	return filepath.Join(cache, "saved")
}

// runSaved runs a program that is to be saved.
func (p *Pool) runSaved(ctx context.Context, program *Program) (*job.Report, error) {
	j, err := p.job(program)
	if err == nil && j.Machine == nil {
		err = errors.New("a program to be saved needs a machine")
	}
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w: %w", ErrInvalid, err)
	}
	j.Save = true
	w, err := p.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer p.release(w)
	report, err := p.run(ctx, w, j)
	switch {
	case err != nil:
		return nil, err
	case report.Refused != "":
		return nil, fmt.Errorf("sandbox: %w: %s", ErrInvalid, report.Refused)
	case report.Failure != "":
		return nil, fmt.Errorf("sandbox: %s", report.Failure)
	}
	return report, nil
}

// keep makes the entry in the cache or, if that cannot be written, in a temporary folder.
func (s *Saved) keep(dir string, fill func(dir string) error) (err error) {
	if dir != "" {
		if s.entry, err = codecache.MakeAmong(dir, s.key, maxSaved, fill); err == nil {
			return nil
		}
	}
	if s.temporary, err = os.MkdirTemp("", "codelinter-sandbox-*"); err == nil {
		s.entry, err = codecache.Make(s.temporary, s.key, fill)
	}
	return err
}

// writeSaved writes a report with a saved program to a folder. from is the folder of what the
// program went on from, or "".
func writeSaved(dir, from string, report *job.Report) error {
	if err := reactor.WriteSaved(dir, from, report.Saved); err != nil {
		return err
	}
	without := *report
	without.Saved = nil
	data, err := cbor.Marshal(&without)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, reportFile), data, 0o600)
}

func readReport(dir string, program *Program) (*job.Report, error) {
	data, err := codecache.Read(dir, reportFile, job.MaxReport)
	if err != nil {
		return nil, err
	}
	report := new(job.Report)
	return report, report.Decode(data, len(program.Calls))
}

// IsKept reports whether there is a program to go on from.
func (s *Saved) IsKept() bool { return s.entry != "" }

var errNotKept = errors.New("sandbox: there is no saved program")

// Resume returns a pool of copies of the program, one for each worker. Its programs have no
// source: their calls run in the namespace of the saved one, and the files of a machine are
// there for the program alone. What a worker's program changed is there for that worker's
// next one, unless that is Fresh, or the last one's interpreter died.
//
// The pool starts no worker before its first program.
func (s *Saved) Resume(workers int) (*Pool, error) {
	if !s.IsKept() {
		return nil, errNotKept
	}
	o := s.options
	o.Workers = workers
	return assemble(o, s.entry, s.code), nil
}

// Close removes what could not be kept in the cache. Pools of s must be closed.
func (s *Saved) Close() error {
	err := s.code.close()
	if s.temporary != "" {
		err = errors.Join(err, os.RemoveAll(s.temporary))
	}
	return err
}
