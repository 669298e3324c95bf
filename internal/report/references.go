package report

import (
	"regexp"
	"slices"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
)

// This file says by which flake8 and CPython runs were scored. Runs by different ones can be
// compared, but a difference need not come from the model.

// linterVersions finds the versions in what results of the first releases say of the
// linter: "codelinter 0.1.0 (flake8 7.3.0: mccabe 0.7.0, ...), CPython 3.14.6".
var linterVersions = regexp.MustCompile(`\((flake8 [0-9.]+): .*\), (CPython [0-9.]+)$`)

// references returns what the run was scored by, as far as its results say.
func (o *origin) references() []string {
	if o.References != nil {
		return o.References
	}
	if found := linterVersions.FindStringSubmatch(o.Linter); found != nil {
		return []string{found[1] + " on " + found[2]}
	}
	return nil
}

// referencesOf returns what the runs were scored by, each once.
func referencesOf(runs ...evaluator.About) (all []string) {
	for i := range runs {
		for _, one := range runs[i].References {
			if !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}

// sameReferences reports whether a and b were scored by the same, or whether one does not
// say by what.
func sameReferences(a, b *Run) bool {
	x, y := slices.Sorted(slices.Values(a.About.References)), slices.Sorted(slices.Values(b.About.References))
	return x == nil || y == nil || slices.Equal(x, y)
}

// by joins references to a text.
func by(references []string) string { return strings.Join(references, " and ") }

// A program is what results say of a task's program.
type program struct {
	lines     int
	options   string // but for versions
	given     string // the findings in it
	reference string // whose they are; "" if it is not said
}

// differs reports whether a and b are known to be different programs. Two releases of
// flake8 may find different things in the same one.
func (a program) differs(b program) bool {
	sameLinter := a.reference == b.reference || a.reference == "" || b.reference == ""
	return a.lines != b.lines || a.options != b.options || sameLinter && a.given != b.given
}

// reference names what a task was scored by in a run.
func reference(options *task.Options, run []string) string {
	if options.NamesVersions() {
		return options.Reference(0, 0)
	}
	return by(run)
}
