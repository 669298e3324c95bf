package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/internal/edit"
	"codelinter/internal/serve/api"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/sandbox"
)

// mostEdit bounds the time for the runs of an edit. What is open then is unknown.
const mostEdit = 20 * time.Second

// edit compares two texts of a file.
func (w *worker) edit(j *job, u *unit) (f api.FileFindings) {
	w.service.counts.lints.Add(1)
	var result edit.Result
	err := errors.New("")
	for _, n := range []int{len(u.text), len(j.lint.Edit.Before)} {
		if most := w.service.options.MaxAnswer; n > most {
			err = fmt.Errorf("expected %d bytes at most, found %d", most, n)
		}
	}
	if err.Error() == "" {
		if result, err = w.compared(j, u); err != nil {
			w.service.counts.faults.Add(1)
		}
	}
	if err != nil {
		f.Error = err.Error()
	}
	f.JSON = result.AppendJSON(nil)
	return f
}

func (w *worker) compared(j *job, u *unit) (result edit.Result, err error) {
	defer w.recovered(&err)
	o := &w.service.options
	checker, err := task.CheckerOf(j.ctx, o.Plugins, j.lint.Options)
	if err != nil {
		return result, err
	}
	if w.gate == nil {
		if w.gate, err = edit.New(lint.Options{}); err != nil {
			return result, err
		}
	}
	options := j.lint.Options.Under(o.Release, o.Target)
	w.gate.Foreign = nil
	if checker != nil {
		options = checker.Options(options)
		w.gate.Foreign = func(_ string, text []byte) (lint.ForeignFindings, error) { return checker.Check(j.ctx, text) }
	}
	if err := w.gate.SetOptions(options); err != nil {
		return result, err
	}
	name, before, after := j.lint.Files[u.at].Name, []byte(j.lint.Edit.Before), []byte(u.text)
	if !j.lint.Edit.Run {
		return w.gate.Check(name, before, after)
	}
	ctx, cancel := context.WithTimeout(j.ctx, mostEdit)
	defer cancel()
	return w.gate.Run(name, before, after, EditRunner(ctx, w.service.judges, options))
}

// EditRunner returns a runner for edits in the judges' sandbox. If there is no time left, it is
// unknown whether two programs do the same.
func EditRunner(ctx context.Context, judges *judge.Judges, options lint.Options) edit.Runner {
	return func(before, after string, findings []rule.Finding) (edit.Relation, []string, error) {
		verdict, err := judges.Keeps(ctx, before, after, findings, options)
		if err != nil && ctx.Err() != nil {
			return edit.Unknown, []string{"there was no time left to run the programs"}, nil
		}
		var reasons []string
		for _, reason := range verdict.Reasons {
			reasons = append(reasons, reason.Text)
		}
		switch {
		case err != nil:
			return edit.Unknown, nil, err
		case verdict.Outcome == evaluator.Pass:
			return edit.Same, nil, nil
		case verdict.Outcome == evaluator.Fail && isDifference(verdict.Reasons[0].Name):
			return edit.Other, reasons, nil
		}
		return edit.Unknown, reasons, nil
	}
}

// isDifference reports whether the judge's reason is a difference that a run showed. Other reasons
// are those for which the judge does not run an answer, such as a module that the program does not
// import.
func isDifference(reason string) bool {
	switch reason {
	case "result", "exception", "argument", "output", "module", "exit", "budget", "memory", "crash", "declaration":
		return true
	}
	return false
}

// Run runs a program in the service's sandbox.
func (s *Service) Run(ctx context.Context, program sandbox.Program) (sandbox.Result, error) {
	return s.judges.Run(ctx, program)
}
