package dataset

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
	"codelinter/lint"
	"codelinter/rule"
)

// A Range is a closed interval of numbers.
type Range struct{ Low, High float64 }

// Has reports whether the range contains a number.
func (r Range) Has(n float64) bool { return n >= r.Low && n <= r.High }

// SelectOptions say which tasks [Select] keeps. All set conditions must hold.
type SelectOptions struct {
	// Codes are prefixes of codes. A task's feedback must have one of these codes.
	Codes []string
	// Only drops tasks whose feedback has other codes.
	Only bool
	// Difficulty bounds meta.difficulty, and Length the program's bytes.
	Difficulty, Length *Range
	// Rate bounds the share of a task's samples that passed, by PassRate. Tasks with unknown
	// rates are dropped.
	Rate     *Range
	PassRate func(task.ID) (rate float64, known bool)
	// Other, if set, says how a task differs from the one with its id in the results that PassRate
	// is of, or "". A task that differs ends the selection.
	Other func(*task.Task) string
	// N bounds the number of tasks; 0 means all. Seed decides which.
	N    int
	Seed uint64
}

// Selected counts what [Select] did.
type Selected struct {
	Read, Kept int
	Unrated    int // tasks without a difficulty, which counts as 0
}

// Select writes the tasks of r that o keeps to w, unchanged and in their order. name is r's
// in errors. With N, tasks are kept in memory, and chosen as in [Build].
func Select(name string, r io.Reader, w io.Writer, o SelectOptions) (s Selected, err error) {
	for _, prefix := range o.Codes {
		if !lint.IsCodePrefix(prefix) {
			return s, fmt.Errorf("no code begins with %q", prefix)
		}
	}
	type line struct {
		rank  uint64
		place int
		text  string
	}
	var kept []line // with N
	keepFirst := func() {
		slices.SortFunc(kept, func(a, b line) int { return cmp.Or(cmp.Compare(a.rank, b.rank), a.place-b.place) })
		kept = kept[:min(len(kept), o.N)]
	}
	err = eachTask(name, r, func(row rows.Row, t task.Task) error {
		s.Read++
		if t.Meta.Difficulty == 0 {
			s.Unrated++
		}
		if o.Other != nil {
			if other := o.Other(&t); other != "" {
				return row.Errorf("the results are of another task %s: it %s: expected results of these tasks", t.Meta.ID, other)
			}
		}
		switch {
		case !o.keeps(&t):
			return nil
		case o.N == 0:
			s.Kept++
			_, err := w.Write(append(row.Text, '\n'))
			return err
		}
		if kept = append(kept, line{rank(o.Seed, t.Meta.ID), s.Read, string(row.Text)}); len(kept) > 2*o.N {
			keepFirst()
		}
		return nil
	})
	if err != nil {
		return s, err
	}
	keepFirst()
	slices.SortFunc(kept, func(a, b line) int { return a.place - b.place })
	for _, one := range kept {
		s.Kept++
		if _, err := io.WriteString(w, one.text+"\n"); err != nil {
			return s, err
		}
	}
	return s, nil
}

// keeps reports whether a task meets the conditions.
func (o *SelectOptions) keeps(t *task.Task) bool {
	if len(o.Codes) > 0 {
		has, others := false, false
		for code := range feedbackCodes(t.Inputs.Feedback) {
			if slices.ContainsFunc(o.Codes, func(prefix string) bool { return strings.HasPrefix(code.String(), prefix) }) {
				has = true
			} else {
				others = true
			}
		}
		if !has || o.Only && others {
			return false
		}
	}
	if o.Difficulty != nil && !o.Difficulty.Has(t.Meta.Difficulty) || o.Length != nil && !o.Length.Has(float64(len(t.Inputs.Code))) {
		return false
	}
	if o.Rate != nil {
		rate, known := o.PassRate(t.Meta.ID)
		return known && o.Rate.Has(rate)
	}
	return true
}

// feedbackCodes yields the code of each line of a feedback.
func feedbackCodes(feedback string) func(yield func(rule.Code) bool) {
	return func(yield func(rule.Code) bool) {
		for line := range strings.Lines(feedback) {
			name, _, _ := strings.Cut(line, ":")
			if code, ok := task.ParseCode(name); ok && !yield(code) {
				return
			}
		}
	}
}
