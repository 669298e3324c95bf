package evaluator

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/internal/stats"
	"codelinter/rule"
)

// A Summary is the score of a run.
type Summary struct {
	Tasks   int     // all tasks of the set
	Asked   int     // those that the run asked, over which the scores are
	Samples int     // answers scored
	Totals  []Total // by verdict, the official first

	// Fewest and Most are the extremes of samples for a task that was asked.
	Fewest, Most int
	// Missing are the tasks that were asked and have no samples. They count as failed.
	Missing []task.ID
	// NotAsked are the other tasks of the set. [Total.Strict] alone counts them.
	NotAsked []task.ID
	// OtherFeedback are the tasks with [Result.OtherFeedback], if [Options.Feedback] is set.
	OtherFeedback []*task.Task
	// Unknown counts rows of samples for no task, which are not scored. UnknownIDs has the
	// first ten of their ids.
	Unknown    int
	UnknownIDs []task.ID

	Codes      rule.Table[Changes] // over all samples
	Extraction Extraction
	// Causes says, for each verdict but the official one, why samples that pass officially
	// pass or do not pass.
	Causes []Causes

	// Resemblance says whether these look like answers to the tasks.
	Resemblance Resemblance

	// Undecided counts, by reason, the tasks with an answer that is unknown for a reason of
	// the task, see [TaskReasons].
	Undecided map[string]int

	// Adequacy is the mean of the tasks' [task.Adequacy.Share], and Adequacies the number of
	// tasks that have one.
	Adequacy   float64
	Adequacies int

	// Groups of the tasks: by the prompt's template, by the program's lines, and by each
	// code found in the program. A task is in one group of Prompts and one of Lengths, and
	// in a group of Given for each code of its program.
	Prompts, Lengths, Given []Group
}

// A Total is the score of some tasks by one verdict. It is over those that were asked.
type Total struct {
	Verdict Verdict
	Passes  // of all their samples
	PassAt  []Average
	// Tallies count the tasks by their numbers of samples and passes, in order.
	Tallies []Tally
	// Strict is the official formula over all tasks of the set, for each k of PassAt: tasks that
	// were not asked count as failed. It is nil in a [Group].
	Strict []Estimate
}

// Official returns the official total.
func (s *Summary) Official() *Total { return &s.Totals[0] }

// An Average is the mean pass@k of tasks. Tasks without samples count as failed.
type Average struct {
	K int
	// Value is NaN if any task has samples, but fewer than K.
	Value float64
	// Short is the number of those tasks.
	Short int
	// Formula is the official formula's value for the same counts: pass@K of a short task is 1,
	// even if no sample passes. It equals Value if there are no short tasks.
	Formula float64
	// Stderr is the standard error of Formula, as in lm-evaluation-harness. It is NaN for
	// fewer than two tasks.
	Stderr float64
	// Interval is the 95 % confidence interval of Formula, by a bootstrap over tasks. It is
	// zero in a [Group]; see [Intervals].
	Interval Interval
}

// An Interval is a 95 % confidence interval. In JSON it is [Low, High].
type Interval struct{ Low, High float64 }

// MarshalJSON implements json.Marshaler. It fails for an interval of no values.
func (i Interval) MarshalJSON() ([]byte, error) { return stats.Interval(i).MarshalJSON() }

// A Group is the score of some of the tasks.
type Group struct {
	// Name is the template, the range of lines ("6-10 lines") or the code.
	Name           string
	Tasks, Samples int
	Totals         []Total // as those of the [Summary]
}

// Extraction counts answers by the place of their code.
type Extraction struct {
	Closed, Open, Whole int // sum up to all answers
	NoPython            int // answers with blocks in other languages only
	Several             int // answers with several Python blocks

	// Saved counts answers that fail, but would pass with the code of [extract.Forgiving]. SavedBy
	// counts them by the leniencies of [extract.Leniencies] that they need; an answer may need
	// several. No score counts them.
	Saved   int
	SavedBy [extract.LeniencyCount]int

	// Empty counts answers whose code does nothing, Noqa those in which a "# noqa" silences
	// a finding, and Encoded those with a coding cookie other than UTF-8's. EmptyPassed,
	// NoqaPassed and EncodedPassed count those that pass officially.
	Empty, EmptyPassed, Noqa, NoqaPassed, Encoded, EncodedPassed int

	// Blank counts answers that have no code or are not Python. flake8 finds nothing in them, or
	// only E999. Hidden counts the findings of their tasks, which therefore count as fixed.
	Blank, Hidden int
}

// Count counts an answer.
func (e *Extraction) Count(s *Sample) {
	switch s.Extraction {
	case extract.Closed:
		e.Closed++
	case extract.Open:
		e.Open++
	default:
		e.Whole++
	}
	if s.Blocks > 0 && s.Python == 0 {
		e.NoPython++
	}
	if s.Python > 1 {
		e.Several++
	}
	for _, kind := range []struct {
		is          bool
		all, passed *int
	}{
		{s.Empty, &e.Empty, &e.EmptyPassed},
		{s.Facts.Silenced, &e.Noqa, &e.NoqaPassed},
		{s.Facts.Encoding != "", &e.Encoded, &e.EncodedPassed},
	} {
		if kind.is {
			*kind.all++
			if s.Official() {
				*kind.passed++
			}
		}
	}
	if s.Empty || s.Invalid() {
		e.Blank++
		e.Hidden += s.Fixed
	}
	if s.Saved != 0 {
		e.Saved++
		for i, leniency := range extract.Leniencies() {
			if s.Saved&leniency != 0 {
				e.SavedBy[i]++
			}
		}
	}
}

// A TaskScore is a task's part of a [Summary].
type TaskScore struct {
	N int
	// NotAsked reports whether the run did not ask this task, which then has no samples.
	NotAsked bool
	Passes   []Passes    // by verdict; nil for a task without samples
	Prompt   string      // the template, or its name
	Lines    int         // of the task's program
	Given    []rule.Code // found in the program
	// Undecided is the task's reason for which an answer is unknown, or "".
	Undecided string
	// OtherFeedback is that of the [Result].
	OtherFeedback bool
	// Adequacy is the share of [Result.Adequacy], or nil.
	Adequacy *float64
}

// passed returns the number of passes by the verdict with index v.
func (t *TaskScore) passed(v int) int {
	if t.N == 0 {
		return 0
	}
	return t.Passes[v].Passed
}

// Lines returns the number of a program's lines. A last line without a newline counts.
func Lines(code string) int {
	n := strings.Count(code, "\n")
	if code != "" && !strings.HasSuffix(code, "\n") {
		n++
	}
	return n
}

// seed is the seed of the bootstrap.
const seed = 1

// SetScores sets the totals and groups of s, and the numbers of tasks and samples. Only the
// order of Prompts depends on the order of tasks.
func (s *Summary) SetScores(verdicts []Verdict, tasks []TaskScore, k []int) {
	s.Tasks, s.Samples, s.Fewest, s.Most = len(tasks), 0, 0, 0
	s.Undecided, s.Adequacy, s.Adequacies = map[string]int{}, 0, 0
	asked := make([]*TaskScore, 0, len(tasks))
	for i := range tasks {
		t := &tasks[i]
		if t.NotAsked {
			continue
		}
		if len(asked) == 0 {
			s.Fewest = t.N
		}
		asked = append(asked, t)
		s.Samples += t.N
		s.Fewest, s.Most = min(s.Fewest, t.N), max(s.Most, t.N)
		if t.Undecided != "" {
			s.Undecided[t.Undecided]++
		}
		if t.Adequacy != nil {
			s.Adequacy += *t.Adequacy
			s.Adequacies++
		}
	}
	s.Asked = len(asked)
	s.Adequacy /= max(float64(s.Adequacies), 1)
	s.Totals = totals(verdicts, asked, k)
	for v := range s.Totals {
		total := &s.Totals[v]
		for i, interval := range Intervals(total.Tallies, k) {
			total.PassAt[i].Interval = interval
		}
		total.Strict = strict(total, s.Tasks-s.Asked)
	}
	s.setGroups(verdicts, asked, k)
}

// strict returns a total's official formula with so many more tasks, which failed.
func strict(total *Total, more int) (all []Estimate) {
	tallies := append([]Tally{{Tasks: more}}, total.Tallies...)
	for i := range total.PassAt {
		value, _ := PassAt(tallies, total.PassAt[i].K)
		all = append(all, Estimate{total.PassAt[i].K, value})
	}
	return all
}

// setGroups sets the groups of tasks.
func (s *Summary) setGroups(verdicts []Verdict, tasks []*TaskScore, k []int) {
	var byPrompt [][]*TaskScore
	prompts := map[string]int{} // places in byPrompt
	prompt := 0                 // of the last task
	var byLength [len(lengths)][]*TaskScore
	var byCode rule.Table[[]*TaskScore]
	for i, task := range tasks {
		if i == 0 || task.Prompt != tasks[i-1].Prompt {
			var known bool
			if prompt, known = prompts[task.Prompt]; !known {
				prompt = len(byPrompt)
				prompts[task.Prompt] = prompt
				byPrompt = append(byPrompt, nil)
			}
		}
		byPrompt[prompt] = append(byPrompt[prompt], task)
		length := slices.IndexFunc(lengths[:], func(l length) bool { return task.Lines <= l.most })
		byLength[length] = append(byLength[length], task)
		for _, code := range task.Given {
			of := byCode.At(code)
			*of = append(*of, task)
		}
	}
	s.Prompts, s.Lengths, s.Given = nil, nil, nil
	for _, tasks := range byPrompt {
		s.Prompts = append(s.Prompts, group(tasks[0].Prompt, verdicts, tasks, k))
	}
	for i, tasks := range byLength {
		if len(tasks) > 0 {
			s.Lengths = append(s.Lengths, group(lengths[i].name, verdicts, tasks, k))
		}
	}
	for code, tasks := range byCode.All() {
		if len(*tasks) > 0 {
			s.Given = append(s.Given, group(code.String(), verdicts, *tasks, k))
		}
	}
}

// A length is a group of tasks by their programs' lines.
type length struct {
	most int
	name string
}

var lengths = [...]length{{5, "1-5 lines"}, {10, "6-10 lines"}, {20, "11-20 lines"}, {40, "21-40 lines"}, {math.MaxInt, "41 lines or more"}}

func group(name string, verdicts []Verdict, tasks []*TaskScore, k []int) Group {
	g := Group{Name: name, Tasks: len(tasks)}
	for _, t := range tasks {
		g.Samples += t.N
	}
	g.Totals = totals(verdicts, tasks, k)
	return g
}

// totals returns a total for each verdict, without intervals.
func totals(verdicts []Verdict, tasks []*TaskScore, k []int) (all []Total) {
	for v, verdict := range verdicts {
		total := Total{Verdict: verdict, Tallies: tallies(tasks, v)}
		for _, t := range tasks {
			if t.N > 0 {
				total.add(t.Passes[v])
			}
		}
		for _, k := range k {
			total.PassAt = append(total.PassAt, average(total.Tallies, k))
		}
		all = append(all, total)
	}
	return all
}

// tallies counts the tasks by their samples and passes. So neither sums nor random draws
// depend on the order of tasks.
func tallies(tasks []*TaskScore, v int) (all []Tally) {
	for _, t := range tasks {
		tally := Tally{t.N, t.passed(v), 1}
		at, found := slices.BinarySearchFunc(all, tally, func(a, b Tally) int { return cmp.Or(a.N-b.N, a.Passed-b.Passed) })
		if found {
			all[at].Tasks++
		} else {
			all = slices.Insert(all, at, tally)
		}
	}
	return all
}

// average returns the average for k, without an interval.
func average(tallies []Tally, k int) Average {
	average := Average{K: k}
	for _, tally := range tallies {
		if tally.N > 0 && !stats.PassAtKKnown(tally.N, k) {
			average.Short += tally.Tasks
		}
	}
	average.Formula, average.Stderr = PassAt(tallies, k)
	average.Value = average.Formula
	if average.Short > 0 {
		average.Value = math.NaN()
	}
	return average
}

// Name returns "pass@K".
func (a *Average) Name() string { return fmt.Sprintf("pass@%d", a.K) }

// A Tally counts the tasks of which Passed of N samples pass.
type Tally struct{ N, Passed, Tasks int }

// PassAt returns the average of the official formula over the tallies' tasks,
// for any k, and its standard error.
func PassAt(tallies []Tally, k int) (value, stderr float64) {
	var mean stats.Mean
	column := column(tallies, k)
	for _, at := range column {
		mean.Add(at)
	}
	return mean.Value(), stats.StandardError(column)
}

// Intervals returns the 95 % confidence interval of [PassAt] for each k, by a bootstrap over
// tasks. All k share the same draws.
func Intervals(tallies []Tally, k []int) []Interval {
	var columns [][]float64
	for _, k := range k {
		columns = append(columns, column(tallies, k))
	}
	intervals := make([]Interval, len(k))
	for i, interval := range stats.Bootstrap(columns, seed) {
		intervals[i] = Interval(interval)
	}
	return intervals
}

// column returns the official formula for each of the tallies' tasks. A task without samples
// has 0.
func column(tallies []Tally, k int) []float64 {
	tasks := 0
	for _, tally := range tallies {
		tasks += tally.Tasks
	}
	column := make([]float64, 0, tasks)
	for _, tally := range tallies {
		at := 0.0
		if tally.N > 0 {
			at = stats.PassAtK(tally.N, tally.Passed, k)
		}
		for range tally.Tasks {
			column = append(column, at)
		}
	}
	return column
}
