package flake8

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"codelinter/lint"
	"codelinter/source"
)

// A Plan is the meaning of a command line, for programs that do something other than lint the
// files.
type Plan struct {
	Files    []Planned // in the order of the report
	Paths    []string  // of the command line
	Jobs     int       // files at once
	Quiet    int       // the number of --quiet
	ExitZero bool
	Passes   bool // standard input is asked for, but its name is excluded

	stdin    io.Reader
	settings *settings
}

// A Planned is a file of a [Plan].
type Planned struct {
	Name    string
	Stdin   bool          // the file is standard input, and Name is what to call it
	Direct  bool          // Name is known to be a regular file, and no link to one
	Options *lint.Options // its options; files with the same options share them
}

// NewPlan reads a command line and configuration files as [Main] does. Where Main would end
// with a message, as for --help or an option that there is not, it prints that and returns nil
// and the exit code.
func NewPlan(ctx context.Context, c Command) (plan *Plan, code int) {
	var s *settings
	code = c.do(func() (_ int, err error) {
		if s, _, err = c.settings(ctx); err != nil {
			return ExitClean, err
		}
		if err := c.advise(s); err != nil {
			return ExitClean, err
		}
		files, err := s.files(c.warn)
		if err != nil {
			return ExitClean, err
		}
		plan = &Plan{Paths: s.paths, Jobs: s.workers(), Quiet: s.quiet, ExitZero: s.exitZero, Passes: slices.Contains(s.paths, "-"), stdin: c.Stdin, settings: s}
		options := map[*lint.Linter]*lint.Options{}
		for _, t := range files.expand(s.paths) {
			linter := files.guides[files.guideFor(t.name)].linter
			if options[linter] == nil {
				given := linter.Options()
				options[linter] = &given
			}
			plan.Passes = plan.Passes && !t.stdin
			plan.Files = append(plan.Files, Planned{Name: t.name, Stdin: t.stdin, Direct: t.direct, Options: options[linter]})
		}
		return ExitClean, nil
	})
	if plan == nil && s != nil && s.plugins != nil {
		s.plugins.Close()
	}
	return plan, code
}

// Foreign returns a function by which plugins check a text under the name of a file, nil if the
// plan has no plugins. Each call has a fresh copy of them.
func (p *Plan) Foreign(ctx context.Context) func(name string, text []byte) (lint.ForeignFindings, error) {
	s := p.settings
	if s.plugins == nil {
		return nil
	}
	return func(name string, text []byte) (lint.ForeignFindings, error) {
		worker := s.plugins.Worker()
		defer worker.Close()
		said := worker.Check(ctx, PluginFile{Name: name, Data: text})
		if said.Err == nil && said.Failed != "" {
			said.Err = errors.New(said.Failed)
		}
		return lint.ForeignFindings{Findings: said.Findings, Whole: s.pluginWhole, Decided: s.pluginDecided}, said.Err
	}
}

// Close ends the plugins.
func (p *Plan) Close() error {
	if p.settings.plugins == nil {
		return nil
	}
	return p.settings.plugins.Close()
}

// Find returns the file that a path of the command line names. It returns false for a folder, and
// for a file that is excluded.
func (p *Plan) Find(path string) (Planned, bool) {
	for _, file := range p.Files {
		if path == "-" && file.Stdin || !file.Stdin && file.Name == path {
			return file, true
		}
	}
	return Planned{}, false
}

// Read returns the content of a file of the plan. Standard input can be read once.
func (p *Plan) Read(file *Planned) ([]byte, error) {
	data, _, err := p.ReadState(file)
	return data, err
}

// ReadState is [Plan.Read] with the file's state before it was read, nil for standard input and for
// what is not there.
func (p *Plan) ReadState(file *Planned) (data []byte, info fs.FileInfo, err error) {
	const limit = source.MaxSize + 1
	if file.Stdin {
		data, err = readNamed("-", p.stdin, limit)
		return data, nil, err
	}
	info, err = os.Stat(file.Name)
	switch {
	case err == nil && file.Direct:
		data, err = readRegular(file.Name, make([]byte, 0, min(info.Size(), limit)+1)) // one more to meet the end
	default: // of which the error is that of opening it
		data, err = readNamed(file.Name, p.stdin, limit)
	}
	if err != nil {
		err = errors.New(osErrorText(err, file.Name))
	}
	return data, info, err
}
