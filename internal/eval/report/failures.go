package report

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/rule"
)

// This file describes how samples fail, in three ways: a state for each sample, which a page draws;
// marks, by which a page filters its tasks; and sums over a run.

// A state is what a page says of a sample in one word.
type state int

const (
	passing state = iota // by all verdicts
	suspect              // officially, but another verdict fails it, or it passes by a noqa or as an empty program
	unsure               // officially, and another verdict is unknown
	failing              // findings are left or introduced
	invalid              // not Python: E999 or E902
)

// stateLetters stand for the states in a page's data.
const stateLetters = "psufx"

// stateOf returns the state of a sample.
func stateOf(s *evaluator.Sample) state {
	switch {
	case !s.Official() && s.Invalid():
		return invalid
	case !s.Official():
		return failing
	case judged(s, evaluator.Fail):
		return suspect
	case judged(s, evaluator.Unknown):
		return unsure
	case s.Facts.Silenced || s.Empty:
		return suspect
	}
	return passing
}

// judged reports whether some verdict has this outcome.
func judged(s *evaluator.Sample, outcome evaluator.Outcome) bool {
	return slices.ContainsFunc(s.Judgements, func(j evaluator.Judgement) bool { return j.Outcome == outcome })
}

// blank reports whether the answer has no code that is valid Python. What flake8 does not find in
// it is not fixed but lost, see [evaluator.Extraction.Blank].
func blank(s *evaluator.Sample) bool { return s.Empty || s.Invalid() }

// failures are sums over a run that its [evaluator.Summary] lacks. Several goroutines add to
// them, in any order.
type failures struct {
	sync.Mutex
	invalid, left, introduced, both int // samples that fail, by kind of failure
	// silenced and empty count the samples that pass by a verdict, with a noqa or without code.
	silenced, empty []int
	// lost counts, by code, the findings of programs whose answers have no code that is valid
	// Python. flake8 finds nothing else in such an answer, so a [evaluator.Summary] counts these
	// findings as fixed.
	lost rule.Table[int]
	// matrix[a][b] counts the answers to programs with code a that have more findings of b than
	// were given.
	matrix rule.Table[rule.Table[int]]
}

// causeMark returns the mark of samples that pass officially, but not by another verdict, for the
// reason with that name.
func causeMark(verdict evaluator.Verdict, name string) string {
	name, _ = clip(cmp.Or(name, "no-reason"), 60)
	return string(verdict) + ":" + strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r <= ' ' || r == '=' }), "-")
}

// sampleMarks returns the marks of a sample, by which a page finds its task: the answer's faults,
// another verdict's reason against an official pass ("guarded:missing-definition"), and the codes
// that are introduced ("new:E501") and left ("left:E501").
func sampleMarks(r *record, i int) (marks []string) {
	s := &r.Samples[i]
	for _, mark := range []struct {
		is   bool
		name string
	}{
		{s.Invalid(), "E999"}, {s.Python == 0, "no-block"}, {s.Extraction == extract.Open, "open"},
		{s.Empty, "empty"}, {s.Facts.Silenced, "noqa"}, {s.Facts.Encoding != "", "encoded"}, {stateOf(s) == unsure, "unknown"},
	} {
		if mark.is {
			marks = append(marks, mark.name)
		}
	}
	for v := range s.Judgements {
		if j := &s.Judgements[v]; s.Official() && j.Outcome != evaluator.Pass {
			name := ""
			if len(j.Reasons) > 0 {
				name = j.Reasons[0].Name
			}
			marks = append(marks, causeMark(r.Scores[v].Verdict, name))
		}
	}
	evaluator.EachChange(r.Given, s.Codes(), func(code rule.Code, c evaluator.Changes) {
		if c.Introduced > 0 {
			marks = append(marks, "new:"+code.String())
		}
		if c.Left > 0 {
			marks = append(marks, "left:"+code.String())
		}
	})
	return marks
}

// failsBy reports whether a sample fails by some verdict, and for what a mark of it says: text
// without a fence can be a good program, and a finding in no code at all says nothing.
func failsBy(s *evaluator.Sample, mark string) bool {
	switch {
	case !judged(s, evaluator.Fail) && !judged(s, evaluator.Unknown):
		return false
	case mark == "no-block":
		return s.Invalid()
	case mark == "noqa":
		return s.Official()
	case codeMark(mark):
		return !s.Empty
	}
	return true
}

// taskMarks counts the samples that have a mark, and those of them that do not fail by it.
func taskMarks(r *record) (marks, fine map[string]int) {
	marks, fine = map[string]int{}, map[string]int{}
	for i := range r.Samples {
		for _, mark := range sampleMarks(r, i) {
			marks[mark]++
			if !failsBy(&r.Samples[i], mark) {
				fine[mark]++
			}
		}
	}
	return marks, fine
}

// add counts a task's samples.
func (f *failures) add(r *record) {
	f.Lock()
	defer f.Unlock()
	for len(f.silenced) < len(r.Scores) {
		f.silenced, f.empty = append(f.silenced, 0), append(f.empty, 0)
	}
	for i := range r.Samples {
		s := &r.Samples[i]
		evaluator.EachChange(r.Given, s.Codes(), func(code rule.Code, c evaluator.Changes) {
			if blank(s) {
				*f.lost.At(code) += c.Fixed
			}
			if c.Introduced > 0 {
				for _, count := range r.Given {
					*f.matrix.At(count.Code).At(code)++
				}
			}
		})
		for v := range s.Judgements {
			if s.Judgements[v].Outcome == evaluator.Pass {
				if s.Facts.Silenced {
					f.silenced[v]++
				}
				if s.Empty {
					f.empty[v]++
				}
			}
		}
		switch {
		case s.Official():
		case s.Invalid():
			f.invalid++
		case s.Introduced == 0:
			f.left++
		case s.Left == 0:
			f.introduced++
		default:
			f.both++
		}
	}
}
