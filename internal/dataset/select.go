package dataset

import (
	"cmp"
	"container/heap"
	"fmt"
	"io"
	"slices"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
	"codelinter/internal/rows/packed"
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
	// N bounds the number of tasks; 0 means all. Seed decides which.
	N    int
	Seed uint64
}

// Selected counts what [Select] did.
type Selected struct{ Read, Kept int }

// Select writes the tasks of r that o keeps to w, unchanged and in their order. name is r's
// in errors. With N, tasks are kept in memory, and chosen as in [Build].
func Select(name string, r io.Reader, w io.Writer, o SelectOptions) (s Selected, err error) {
	lines, _, err := packed.Open(name, r, rows.TaskFields()...)
	if err != nil {
		return s, err
	}
	var codes rule.Set
	for _, prefix := range o.Codes {
		first, end := rule.Span(prefix)
		if first == end {
			return s, fmt.Errorf("no code begins with %q", prefix)
		}
		for code := rule.Code(first); int(code) < end; code++ {
			codes.Add(code)
		}
	}
	var kept ranked
	for {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return s, err
		}
		t, err := rows.ParseTask(line, true)
		if err != nil {
			return s, err
		}
		s.Read++
		if !o.keeps(&t, &codes) {
			continue
		}
		if o.N == 0 {
			s.Kept++
			if _, err := w.Write(append(line.Text, '\n')); err != nil {
				return s, err
			}
			continue
		}
		one := rankedLine{rank(o.Seed, t.Meta.ID), s.Read, ""}
		if len(kept) == o.N && one.rank >= kept[0].rank {
			continue
		}
		one.text = string(line.Text)
		heap.Push(&kept, one)
		if len(kept) > o.N {
			heap.Pop(&kept)
		}
	}
	slices.SortFunc(kept, func(a, b rankedLine) int { return cmp.Compare(a.place, b.place) })
	for _, one := range kept {
		s.Kept++
		if _, err := io.WriteString(w, one.text+"\n"); err != nil {
			return s, err
		}
	}
	return s, nil
}

// keeps reports whether a task meets the conditions.
func (o *SelectOptions) keeps(t *task.Task, codes *rule.Set) bool {
	if len(o.Codes) > 0 {
		has, others := false, false
		for code := range feedbackCodes(t.Inputs.Feedback) {
			if codes.Has(code) {
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
			if code, ok := rule.Find(name); ok && !yield(code) {
				return
			}
		}
	}
}

// ranked is a heap whose first line has the highest rank.
type ranked []rankedLine

type rankedLine struct {
	rank  uint64
	place int
	text  string
}

func (r ranked) Len() int           { return len(r) }
func (r ranked) Less(i, j int) bool { return r[i].rank > r[j].rank }
func (r ranked) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ranked) Push(x any)        { *r = append(*r, x.(rankedLine)) }
func (r *ranked) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}
