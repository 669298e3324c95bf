package report

import (
	"regexp"
	"slices"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/util/lazy"
)

// This file names the flake8 and the CPython that scored a run. Runs with different ones
// can be compared, but a difference need not come from the model.

// linterVersions finds the versions in the first releases' description of the linter:
// "codelinter 0.1.0 (flake8 7.3.0: mccabe 0.7.0, ...), CPython 3.14.6".
var linterVersions = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`\((flake8 [0-9.]+): .*\), (CPython [0-9.]+)$`)
}}

// references returns the versions that scored the run, as far as its results have them.
func (o *origin) references() []string {
	if o.References != nil {
		return o.References
	}
	if found := linterVersions.Get().FindStringSubmatch(o.Linter); found != nil {
		return []string{found[1] + " on " + found[2]}
	}
	return nil
}

// referencesOf returns the versions that scored the runs, each once.
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

// sameReferences reports whether the same versions scored a and b, or one of them does
// not name its versions.
func sameReferences(a, b *Run) bool {
	x, y := slices.Sorted(slices.Values(a.About.References)), slices.Sorted(slices.Values(b.About.References))
	return x == nil || y == nil || slices.Equal(x, y)
}

// by joins references.
func by(references []string) string { return strings.Join(references, " and ") }

// A program is what results say about a task's program.
type program struct {
	digest    string // of the task; "" if unknown
	lines     int
	options   string // without versions
	given     string // its findings
	reference string // the versions that found them; "" if unknown
}

// differs reports whether a and b are certainly different programs. Two releases of
// flake8 may find different things in one program.
func (a program) differs(b program) bool {
	sameLinter := a.reference == b.reference || a.reference == "" || b.reference == ""
	if a.digest != "" && b.digest != "" && (!task.SameProgram(a.digest, b.digest) || sameLinter && a.digest != b.digest) {
		return true
	}
	return a.lines != b.lines || a.options != b.options || sameLinter && a.given != b.given
}

// reference names the versions that scored a task in a run.
func reference(options *task.Options, run []string) string {
	if options.NamesVersions() {
		return options.Reference(0, 0)
	}
	return by(run)
}
