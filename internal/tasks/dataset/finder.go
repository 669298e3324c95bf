package dataset

import (
	"context"
	"slices"

	"codelinter/evaluator/task"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// A finder lints the programs of tasks. Tasks that name no versions follow a flake8 and a
// CPython as in [task.Options.Under].
type finder struct {
	linter *task.Linter
	older  *lint.Linter // of other releases
	text   []byte
}

func newFinder(flake8 rule.Release, python source.Version, plugins task.Plugins) (*finder, error) {
	linter, err := task.NewLinter(flake8, python, plugins)
	if err != nil {
		return nil, err
	}
	older, err := lint.New(lint.Options{})
	return &finder{linter: linter, older: older}, err
}

// of returns the findings of code under a task's options, valid until the next call. The error is
// about plugins.
func (f *finder) of(options *task.Options, code string) ([]rule.Finding, error) {
	ctx := context.Background() // the work on a text is bounded
	if err := f.linter.Use(ctx, options); err != nil {
		return nil, err
	}
	f.text = append(f.text[:0], code...)
	result, _, err := f.linter.Lint(ctx, lint.Input{Data: f.text})
	return result.Findings, err
}

// other returns the newest release that finds what a task's feedback says, on the newest
// CPython of its time. It returns 0 if there is none or the task names versions or plugins.
func (f *finder) other(t *task.Task) rule.Release {
	if t.Meta.Options.NamesVersions() || len(t.Meta.Options.Plugins()) > 0 {
		return 0
	}
	for _, release := range slices.Backward(rule.Releases()) {
		t.Meta.Options.Apply(f.older, release, 0)
		f.text = append(f.text[:0], t.Inputs.Code...)
		if compareFeedback(f.older.Lint(lint.Input{Data: f.text}).Findings, t.Inputs.Feedback) == "" {
			return release
		}
	}
	return 0
}

// Findings are tasks whose feedback has the findings of a release.
type Findings struct {
	Release rule.Release
	IDs     []task.ID
}

// OtherFindings returns those of some tasks whose feedback has the findings of another release than
// the one that scores them: they were made when that release was the newest. Tasks that
// name their versions or plugins are left out.
func OtherFindings(tasks []*task.Task, flake8 rule.Release, python source.Version) (all []Findings) {
	if len(tasks) == 0 {
		return nil
	}
	f, err := newFinder(flake8, python, nil)
	if err != nil {
		return nil // no scorer accepts these versions either
	}
	for _, t := range tasks {
		if t.Meta.Options.NamesVersions() || len(t.Meta.Options.Plugins()) > 0 {
			continue
		}
		found, err := f.of(t.Meta.Options, t.Inputs.Code)
		if err != nil || compareFeedback(found, t.Inputs.Feedback) == "" {
			continue
		}
		other := f.other(t)
		if other == 0 {
			continue
		}
		i := slices.IndexFunc(all, func(of Findings) bool { return of.Release == other })
		if i < 0 {
			i, all = len(all), append(all, Findings{Release: other})
		}
		all[i].IDs = append(all[i].IDs, t.Meta.ID)
	}
	return all
}
