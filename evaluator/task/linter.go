package task

import (
	"context"
	"fmt"

	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// A Linter lints code under the options of one task after the other, with their plugins. It reuses
// its memory, and is not safe for concurrent use.
type Linter struct {
	linter  *lint.Linter
	flake8  rule.Release // for options that name no version
	python  source.Version
	plugins Plugins // nil: none

	options *Options
	ready   bool          // for options
	checker PluginChecker // nil: options name no plugins
}

// NewLinter returns a Linter. flake8 and python are as in [Options.Under]. Without plugins, options
// that name some are an error.
func NewLinter(flake8 rule.Release, python source.Version, plugins Plugins) (*Linter, error) {
	linter, err := lint.New((*Options)(nil).Under(flake8, python))
	if err != nil {
		return nil, err
	}
	return &Linter{linter: linter, flake8: flake8, python: python, plugins: plugins}, nil
}

// Use sets the options for the texts to come. The error is about plugins that they name.
func (l *Linter) Use(ctx context.Context, o *Options) (err error) {
	if l.ready && o == l.options {
		return nil
	}
	l.options, l.ready, l.checker = o, false, nil
	options := o.Under(l.flake8, l.python)
	if l.checker, err = CheckerOf(ctx, l.plugins, o); err != nil {
		return err
	}
	if l.checker != nil {
		options = l.checker.Options(options)
	}
	if err := l.linter.SetOptions(options); err != nil {
		return err
	}
	l.ready = true
	return nil
}

// CheckerOf returns the plugins that options name, or nil if they name none.
func CheckerOf(ctx context.Context, plugins Plugins, o *Options) (PluginChecker, error) {
	switch named := o.Plugins(); {
	case len(named) == 0:
		return nil, nil
	case plugins == nil:
		return nil, fmt.Errorf("the options name plugins of flake8, %s: expected --plugins FOLDER with their wheels", joined(named))
	}
	return plugins.Of(ctx, o)
}

// CheckPlugins returns an error if plugins that tasks name are not there, or do not work.
func CheckPlugins(ctx context.Context, tasks *Set, plugins Plugins) error {
	checked := map[string]bool{}
	for _, t := range tasks.All() {
		if len(t.Meta.Options.Plugins()) == 0 || checked[t.Meta.Options.String()] {
			continue
		}
		if _, err := CheckerOf(ctx, plugins, t.Meta.Options); err != nil {
			return fmt.Errorf("task %s: %w", t.Meta.ID, err)
		}
		checked[t.Meta.Options.String()] = true
	}
	return nil
}

// Lint lints a text under the options in use. silenced are findings of plugins that comments
// silence. The result is valid until the next call. An error means that plugins could not check the
// text, or is that of ctx.
func (l *Linter) Lint(ctx context.Context, input lint.Input) (result lint.Result, silenced []lint.Foreign, err error) {
	if !l.ready {
		return result, nil, fmt.Errorf("the options of the task are not in use")
	}
	result = l.linter.Lint(input)
	if l.checker == nil || result.TooLarge || !result.RunsPlugins() {
		return result, nil, nil
	}
	found, err := l.checker.Check(ctx, input.Data)
	if err == nil {
		silenced = result.Add(found)
	}
	return result, silenced, err
}

// Forget frees the memory that the texts have taken.
func (l *Linter) Forget() { l.linter = l.linter.Clone() }
