package main

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/fix"
	"codelinter/lint"
	"codelinter/sandbox"
)

// A fixJudge tells by runs whether edits keep what a program does.
type fixJudge struct {
	*judge.Judges
	ctx     context.Context
	options lint.Options
	err     *error // the first error of ours; after it nothing is run

	before string            // the last program that was run
	ran    [2]sandbox.Result // twice
}

// runs is a [fix.Runner]. Both texts are run as programs, and with the judge's calls of what they
// define. No finding is a reason for a difference. The proof is none if modules had to be played,
// as the sandbox lacks them.
func (j *fixJudge) runs(program, text string) (fix.Proof, bool) {
	if *j.err != nil {
		return fix.NoProof, false
	}
	verdict, err := j.Keeps(j.ctx, program, text, nil, j.options)
	if err == nil && verdict.Outcome == evaluator.Fail {
		return fix.NoProof, false
	}
	same, known := true, false
	if err == nil {
		same, known, err = j.sameRuns(program, text)
	}
	if *j.err = err; err != nil || !same {
		return fix.NoProof, false
	}
	if known && verdict.Outcome == evaluator.Pass && len(verdict.StandIns) == 0 {
		return fix.Run, true
	}
	return fix.NoProof, true
}

// sameRuns runs two programs with an empty input. It reports whether they print the same and end
// alike, and whether that is known: the first one ends the same way twice, and not for want of a
// module. One edit after the other is compared with the same program, which is run for the first of
// them.
func (j *fixJudge) sameRuns(before, after string) (same, known bool, err error) {
	if j.before != before {
		j.before = ""
		for i := range j.ran {
			if j.ran[i], err = j.runOnce(before); err != nil {
				return false, false, err
			}
			if !isUsable(&j.ran[0]) {
				break
			}
		}
		j.before = before
	}
	if !isUsable(&j.ran[0]) || !sameRun(&j.ran[0], &j.ran[1]) {
		return true, false, nil
	}
	result, err := j.runOnce(after)
	return err == nil && sameRun(&j.ran[0], &result), err == nil, err
}

func (j *fixJudge) runOnce(text string) (sandbox.Result, error) {
	return j.Run(j.ctx, sandbox.Program{Source: text, Once: true, Machine: &sandbox.Machine{}})
}

// isUsable reports whether a run ended by itself, and not for want of a module.
func isUsable(r *sandbox.Result) bool {
	switch end, exception := r.Ended(); end {
	case sandbox.Done, sandbox.Exited:
		return true
	case sandbox.Raised:
		return exception.Type != "ModuleNotFoundError" && exception.Type != "ImportError"
	}
	return false
}

// sameRun compares what two runs printed and wrote, and how they ended. Rows in an error may
// differ.
func sameRun(a, b *sandbox.Result) bool {
	endA, exceptionA := a.Ended()
	endB, exceptionB := b.Ended()
	if endA != endB || !bytes.Equal(a.Output, b.Output) || (exceptionA == nil) != (exceptionB == nil) || !sameFiles(a.Files, b.Files) {
		return false
	}
	if endA != sandbox.Raised && withoutRows(a.Errors) != withoutRows(b.Errors) {
		return false
	}
	return exceptionA == nil || exceptionA.Type == exceptionB.Type && exceptionA.Text == exceptionB.Text && exceptionA.Code == exceptionB.Code
}

func sameFiles(a, b []sandbox.File) bool {
	return slices.EqualFunc(a, b, func(a, b sandbox.File) bool { return a.Name == b.Name && bytes.Equal(a.Data, b.Data) })
}

// withoutRows returns what a program wrote to sys.stderr, without what depends on its text:
// numbers, the rows that a warning shows, and what the compiler warns of.
func withoutRows(errors []byte) string {
	var kept strings.Builder
	for row := range strings.Lines(string(errors)) {
		if !strings.HasPrefix(row, "  ") && !strings.Contains(row, ": SyntaxWarning: ") {
			kept.WriteString(strings.Map(func(c rune) rune {
				if '0' <= c && c <= '9' {
					return -1
				}
				return c
			}, row))
		}
	}
	return kept.String()
}
