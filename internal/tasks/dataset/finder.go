package dataset

import (
	"slices"

	"codelinter/evaluator/task"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// A finder lints the programs of tasks. Tasks that name no versions follow a flake8 and a
// CPython as in [task.Options.Under].
type finder struct {
	linter *lint.Linter
	flake8 rule.Release
	python source.Version
	text   []byte
}

func newFinder(flake8 rule.Release, python source.Version) (*finder, error) {
	linter, err := lint.New((*task.Options)(nil).Under(flake8, python))
	if err != nil {
		return nil, err
	}
	return &finder{linter: linter, flake8: flake8, python: python}, nil
}

// of returns the findings of code under a task's options, valid until the next call.
func (f *finder) of(options *task.Options, code string) []rule.Finding {
	options.Apply(f.linter, f.flake8, f.python)
	f.text = append(f.text[:0], code...)
	return f.linter.Lint(lint.Input{Data: f.text}).Findings
}

// other returns the newest release that finds what a task's feedback says, on the newest
// CPython of its time. It returns 0 if there is none or the task names versions.
func (f *finder) other(t *task.Task) rule.Release {
	if t.Meta.Options.NamesVersions() {
		return 0
	}
	for _, release := range slices.Backward(rule.Releases()) {
		t.Meta.Options.Apply(f.linter, release, 0)
		f.text = append(f.text[:0], t.Inputs.Code...)
		if compareFeedback(f.linter.Lint(lint.Input{Data: f.text}).Findings, t.Inputs.Feedback) == "" {
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

// OtherFindings returns the tasks whose feedback has the findings of another release than
// the one that scores them: they were made when that release was the newest. Tasks that
// name their versions are left out.
func OtherFindings(tasks *task.Set, flake8 rule.Release, python source.Version) (all []Findings) {
	f, err := newFinder(flake8, python)
	if err != nil {
		return nil // no scorer accepts these versions either
	}
	for _, t := range tasks.All() {
		if t.Meta.Options.NamesVersions() || compareFeedback(f.of(t.Meta.Options, t.Inputs.Code), t.Inputs.Feedback) == "" {
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
