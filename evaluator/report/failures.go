package report

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/rule"
)

// This file says how samples fail: as one state each, which a page draws, as marks, by
// which its tasks are filtered, and as sums over a run.

// A state is what a page says of a sample in one word.
type state int

const (
	passing state = iota // by all verdicts
	suspect              // officially, but another verdict refuses it, or a noqa or an empty program made it pass
	unsure               // officially, and another verdict does not know
	failing              // findings are left or introduced
	invalid              // not Python: E999 or E902
	states
)

// stateNames are the states' names, which are classes in the page's style as well.
var stateNames = [states]string{"passing", "suspect", "unsure", "failing", "invalid"}

// statesOf returns what the states mean in a run of so many verdicts, "" of those that
// no sample has.
func statesOf(verdicts int) []string {
	texts := stateTexts
	if verdicts == 1 {
		texts[suspect], texts[unsure] = "passes, but with a noqa or without code", ""
	}
	return texts[:]
}

// stateTexts say what they mean where there are several verdicts.
var stateTexts = [states]string{
	"passes", "passes officially, but with a noqa, without code, or not by another verdict", "passes officially, and another verdict does not know",
	"fails", "fails: not Python",
}

// state says which state the sample is in: the first verdict that refuses it decides,
// then one that does not know.
func (s *sample) state() state {
	switch {
	case s.Official:
		for i := range s.others {
			if s.others[i].Outcome == evaluator.Fail {
				return suspect
			}
		}
		for i := range s.others {
			if s.others[i].Outcome == evaluator.Unknown {
				return unsure
			}
		}
		if s.Noqa || s.Empty {
			return suspect
		}
		return passing
	case s.invalid():
		return invalid
	}
	return failing
}

// invalid reports whether the code is not Python.
func (s *sample) invalid() bool {
	return len(s.Findings) > 0 && (s.Findings[0].Code == rule.E999.String() || s.Findings[0].Code == rule.E902.String())
}

// after counts the sample's findings by code.
func (s *sample) after() (after [rule.Count]int) {
	if s.After != nil {
		for _, count := range s.After {
			after[count.Code] = count.N
		}
		return after
	}
	for i := range s.Findings {
		if code, ok := rule.Find(s.Findings[i].Code); ok {
			after[code]++
		}
	}
	return after
}

// failures are the sums over a run that are not in its [evaluator.Summary]. They are
// added to from several goroutines, and do not depend on the order.
type failures struct {
	sync.Mutex
	invalid, left, introduced, both int // samples that fail, by how
	// silenced and empty are samples that pass by the verdict in a place, with a noqa
	// or without code.
	silenced, empty []int
	// matrix counts answers in which there are findings of the second code that
	// were not given, by the codes of their tasks' programs.
	matrix [rule.Count][rule.Count]int
}

// causeMark is the mark of samples that pass officially, but for the reason of a name
// not by another verdict.
func causeMark(verdict evaluator.Verdict, name string) string {
	name, _ = clip(cmp.Or(name, "no-reason"), 60)
	return string(verdict) + ":" + strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r <= ' ' || r == '=' }), "-")
}

// sampleMarks are what a task can be found by that has such a sample: how the answer
// is at fault, what another verdict says of a pass ("guarded:missing-definition"), and
// the codes that are introduced ("new:E501") and left ("left:E501").
func sampleMarks(r *record, i int) (marks []string) {
	s := &r.Samples[i]
	for _, mark := range []struct {
		is   bool
		name string
	}{
		{s.invalid(), "E999"}, {s.Python == 0, "no-block"}, {s.Extraction == extract.Open.String(), "open"},
		{s.Empty, "empty"}, {s.Noqa, "noqa"}, {s.Encoding != "", "encoded"}, {s.state() == unsure, "unknown"},
	} {
		if mark.is {
			marks = append(marks, mark.name)
		}
	}
	for v := range s.others {
		if j := &s.others[v]; s.Official && j.Outcome != evaluator.Pass {
			name := ""
			if len(j.Reasons) > 0 {
				name = j.Reasons[0].Name
			}
			marks = append(marks, causeMark(r.scores[v+1].verdict, name))
		}
	}
	var given [rule.Count]int
	for _, count := range r.Given {
		given[count.Code] = count.N
	}
	for code, n := range s.after() {
		if n > given[code] {
			marks = append(marks, "new:"+rule.Code(code).String())
		}
		if min(n, given[code]) > 0 {
			marks = append(marks, "left:"+rule.Code(code).String())
		}
	}
	return marks
}

// taskMarks are the marks of a task's samples, each with the number of samples that
// have it: "E999=2 new:E501=1".
func taskMarks(r *record) string {
	n := map[string]int{}
	var names []string
	for i := range r.Samples {
		for _, mark := range sampleMarks(r, i) {
			if n[mark]++; n[mark] == 1 {
				names = append(names, mark)
			}
		}
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s=%d", name, n[name])
	}
	return strings.Join(names, " ")
}

// add counts a task's samples.
func (f *failures) add(r *record) {
	var given [rule.Count]int
	for _, count := range r.Given {
		given[count.Code] = count.N
	}
	f.Lock()
	defer f.Unlock()
	for len(f.silenced) < len(r.scores) {
		f.silenced, f.empty = append(f.silenced, 0), append(f.empty, 0)
	}
	for i := range r.Samples {
		s := &r.Samples[i]
		for code, n := range s.after() {
			if n > given[code] {
				for _, count := range r.Given {
					f.matrix[count.Code][code]++
				}
			}
		}
		for v := range r.scores {
			if s.outcome(v) == evaluator.Pass {
				if s.Noqa {
					f.silenced[v]++
				}
				if s.Empty {
					f.empty[v]++
				}
			}
		}
		switch {
		case s.Official:
		case s.invalid():
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

// A square is all of a task's samples of one state, as the path that draws them.
type square struct{ Class, Path string }

// squares are a task's samples, ten a row and each a square of its state's own shape,
// as SVG. More than maxSquares are a bar with a stretch for each state.
type squares struct {
	N             int
	Width, Height int
	Label         string
	Squares       []square
	Stretches     []part
}

const (
	maxSquares = 30
	pitch      = 12 // from square to square
)

// shapes draw a state's square from its upper left corner.
var shapes = [states]string{
	passing: "h10v10h-10z",       // full
	suspect: "v10h10z",           // its lower left half
	unsure:  "m5 0l5 5-5 5-5-5z", // a diamond
	failing: "m1 1h8v8h-8z",      // an outline
	invalid: "m1 1l8 8m-8 0l8-8", // a cross
}

// newSquares draws a task's samples.
func newSquares(r *record) squares {
	var paths [states]strings.Builder
	var n [states]int
	for i := range r.Samples {
		state := r.Samples[i].state()
		n[state]++
		fmt.Fprintf(&paths[state], "M%d %d%s", 1+i%10*pitch, 1+i/10*pitch, shapes[state])
	}
	var label []string
	s := squares{N: r.N}
	at := 0.0
	for state, name := range stateNames {
		if n[state] == 0 {
			continue
		}
		label = append(label, fmt.Sprintf("%d %s", n[state], name))
		if r.N > maxSquares {
			width := 100 * float64(n[state]) / float64(r.N)
			s.Stretches = append(s.Stretches, newPart(name, at, width))
			at += width
		} else {
			s.Squares = append(s.Squares, square{name, paths[state].String()})
		}
	}
	s.Width, s.Height = pitch*min(max(r.N, 1), 10), pitch*((max(r.N, 1)+9)/10)
	s.Label = cmp.Or(strings.Join(label, ", "), "no samples")
	return s
}
