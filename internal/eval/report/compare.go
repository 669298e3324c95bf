package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/stats"
	"codelinter/internal/util/terminal"
)

// A Comparison compares two runs, task by task, on the tasks that both have.
type Comparison struct {
	Tasks        int // of both runs
	OnlyA, OnlyB []task.ID
	ByA, ByB     []string     // the versions that scored the runs, see [evaluator.About]
	Verdicts     []Difference // one for each verdict of both, the official first

	ids         []task.ID // of the tasks of both
	without     []string  // runs that have no samples of some of them: "B on 2 tasks"
	otherLinter bool
}

// A Difference is the difference between two runs by one verdict.
type Difference struct {
	Verdict evaluator.Verdict
	Scores  []ScorePair
	// Better, Worse and Same count the tasks by whether the share of samples that
	// pass is larger, smaller or equal in B.
	Better, Worse, Same int
	// Test tests the difference in pass@1, see [stats.Paired].
	Test stats.Test
	// Changed are the tasks that differ, the largest differences first. Of equal
	// differences, those for which B is better come first.
	Changed []Change

	pairs []stats.Pair // of the tasks of both, in order
}

// A ScorePair is pass@k of both runs, by the official formula, over their common
// tasks.
type ScorePair struct {
	K     int            `json:"k"`
	A     float64        `json:"a"`
	B     float64        `json:"b"`
	Short int            `json:"short"`    // tasks with samples, but fewer than K, in one of the runs
	By    stats.Interval `json:"interval"` // 95 % confidence interval of B-A, by a bootstrap over tasks
}

// A Change is a task on which two runs differ.
type Change struct {
	ID task.ID    `json:"id"`
	A  stats.Rate `json:"a"`
	B  stats.Rate `json:"b"`
}

func (c *Change) by() float64 { return c.B.Value() - c.A.Value() }

// Compare compares b with a, for each verdict and each k that both have.
func Compare(a, b *Run) *Comparison {
	c := &Comparison{ByA: a.About.References, ByB: b.About.References, otherLinter: !sameReferences(a, b)}
	for _, id := range a.ids {
		if _, both := b.rates[id]; both {
			c.Tasks++
			c.ids = append(c.ids, id)
		} else {
			c.OnlyA = append(c.OnlyA, id)
		}
	}
	for _, id := range b.ids {
		if _, both := a.rates[id]; !both {
			c.OnlyB = append(c.OnlyB, id)
		}
	}
	for _, run := range []struct {
		name string
		*Run
	}{{"A", a}, {"B", b}} {
		if n := run.missing(c.ids); n > 0 {
			c.without = append(c.without, fmt.Sprintf("%s on %s", run.name, count(n, "task")))
		}
	}
	for i, verdict := range a.verdicts() {
		if j := slices.Index(b.verdicts(), verdict); j >= 0 {
			c.Verdicts = append(c.Verdicts, difference(verdict, a, i, b, j))
		}
	}
	return c
}

// missing counts the tasks with these ids of which the run has no samples.
func (run *Run) missing(ids []task.ID) (n int) {
	for _, id := range ids {
		if run.rates[id][0].N == 0 {
			n++
		}
	}
	return n
}

// difference compares by the verdict with index i in a and j in b.
func difference(verdict evaluator.Verdict, a *Run, i int, b *Run, j int) Difference {
	d := Difference{Verdict: verdict}
	var pairs []stats.Pair
	for _, id := range a.ids {
		if b.rates[id] == nil {
			continue
		}
		change := Change{id, a.rates[id][i], b.rates[id][j]}
		pairs = append(pairs, stats.Pair{A: change.A, B: change.B})
		switch by := change.by(); {
		case by > 0:
			d.Better++
		case by < 0:
			d.Worse++
		default:
			d.Same++
			continue
		}
		d.Changed = append(d.Changed, change)
	}
	d.Test = stats.Paired(pairs)
	if len(pairs) == 0 {
		return d // there are no averages
	}
	slices.SortStableFunc(d.Changed, func(x, y Change) int {
		return cmp.Or(cmp.Compare(math.Abs(y.by()), math.Abs(x.by())), cmp.Compare(y.by(), x.by()))
	})

	// So sums and random draws do not depend on the files' order.
	slices.SortFunc(pairs, func(x, y stats.Pair) int {
		return cmp.Or(x.A.N-y.A.N, x.A.C-y.A.C, x.B.N-y.B.N, x.B.C-y.B.C)
	})
	d.pairs = pairs
	var columns [][]float64
	for _, average := range a.Summary.Totals[i].PassAt {
		k := average.K
		if !slices.ContainsFunc(b.Summary.Totals[j].PassAt, func(other evaluator.Average) bool { return other.K == k }) {
			continue
		}
		score := ScorePair{K: k}
		var before, after stats.Mean
		var column []float64
		for _, pair := range pairs {
			x, y := at(pair.A, k), at(pair.B, k)
			before.Add(x)
			after.Add(y)
			column = append(column, y-x)
			if 0 < pair.A.N && pair.A.N < k || 0 < pair.B.N && pair.B.N < k {
				score.Short++
			}
		}
		score.A, score.B = before.Value(), after.Value()
		d.Scores = append(d.Scores, score)
		columns = append(columns, column)
	}
	const seed = 1
	for i, interval := range stats.Bootstrap(columns, seed) {
		d.Scores[i].By = interval
	}
	return d
}

// curves returns the curves of A and B, over the tasks of both.
func (d *Difference) curves() [2][][2]number {
	var tallies [2][]evaluator.Tally
	for _, pair := range d.pairs {
		for i, r := range []stats.Rate{pair.A, pair.B} {
			tallies[i] = append(tallies[i], evaluator.Tally{N: r.N, Passed: r.C, Tasks: 1})
		}
	}
	return [2][][2]number{curve(tallies[0]), curve(tallies[1])}
}

// turns says from which k on the other run has the higher pass@k; "" if the order does not change.
func (d *Difference) turns() string {
	curves := d.curves()
	var parts []string
	first := ""
	for i := range min(len(curves[0]), len(curves[1])) {
		ahead := "A"
		switch by := float64(curves[1][i][0] - curves[0][i][0]); {
		case math.Abs(by) < 1e-9:
			continue
		case by > 0:
			ahead = "B"
		}
		if ahead != first {
			parts = append(parts, fmt.Sprintf("%s's from k = %d", ahead, i+1))
			first = ahead
		}
	}
	if len(parts) < 2 {
		return ""
	}
	return fmt.Sprintf("By the %s verdict the order turns: the higher pass@k is %s.", d.Verdict, strings.Join(parts, ", "))
}

func at(r stats.Rate, k int) float64 {
	if r.N == 0 {
		return 0
	}
	return stats.PassAtK(r.N, r.C, k)
}

// ShownChanges bounds the tasks that [Comparison.Table] lists, unless it lists
// all.
const ShownChanges = 20

// Table writes the comparison for people. a and b are the runs' names. On a
// terminal the table fits its width.
func (c *Comparison) Table(w io.Writer, a, b string, all bool) error {
	return c.table(w, terminal.Width(w), a, b, all)
}

// table is Table for so many columns; 0 is no limit.
func (c *Comparison) table(w io.Writer, width int, a, b string, all bool) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "A: %s\nB: %s\n\n", terminal.Printable(a), terminal.Printable(b))
	if c.Tasks == 0 {
		out.WriteString("  No task is in both.\n")
	}
	for i := range c.Verdicts {
		if c.Tasks > 0 {
			c.Verdicts[i].scores(&out, width, c.Tasks, several(len(c.Verdicts), c.Verdicts[i].Verdict))
		}
	}
	for _, note := range c.notes() {
		fmt.Fprintf(&out, "\n  %s\n", note)
	}
	for i := range c.Verdicts {
		c.Verdicts[i].changes(&out, width, several(len(c.Verdicts), c.Verdicts[i].Verdict), all)
	}
	_, err := w.Write(terminal.Wrap(out.Bytes(), width))
	return err
}

// runLayout has a name and numbers about runs.
var runLayout = layout{{gap: 2, left: true}, {gap: 3}}

// changes lists the tasks that differ. name is the verdict's, if there are
// several.
func (d *Difference) changes(out *bytes.Buffer, width int, name string, all bool) {
	shown := d.Changed
	if !all {
		shown = shown[:min(len(shown), ShownChanges)]
	}
	if len(shown) == 0 {
		return
	}
	out.WriteByte('\n')
	table := [][]string{{name + "task", "A", "B", "B - A"}}
	for i := range shown {
		change := &shown[i]
		table = append(table, []string{terminal.Shorten(terminal.Printable(change.ID.String()), idColumns),
			fmt.Sprintf("%d/%d", change.A.C, change.A.N), fmt.Sprintf("%d/%d", change.B.C, change.B.N),
			points(change.by())})
	}
	runLayout.fit(table, width, 0, 8)
	runLayout.write(out, table)
	if more := len(d.Changed) - len(shown); more > 0 {
		fmt.Fprintf(out, "  and %s more that differ; --all shows them.\n", count(more, "task"))
	}
}

// scores writes both runs' scores.
func (d *Difference) scores(out *bytes.Buffer, width, tasks int, name string) {
	table := [][]string{{fmt.Sprintf("%sof %s", name, count(tasks, "task")), "A", "B", "B - A", "95 % interval"}}
	for i := range d.Scores {
		s := &d.Scores[i]
		row := []string{fmt.Sprintf("pass@%d", s.K), percent(s.A), percent(s.B), points(s.B - s.A),
			points(s.By.Low) + " to " + points(s.By.High)}
		if s.Short > 0 {
			row = []string{row[0], "not known", "", "", ""}
		}
		table = append(table, row)
	}
	if name != "official " && name != "" {
		out.WriteByte('\n')
	}
	runLayout.fit(table, width, 0, 8)
	runLayout.write(out, table)
	fmt.Fprintf(out, "\n  B does better on %s, worse on %d, and as well on %d.\n", count(d.Better, "task"), d.Worse, d.Same)
	fmt.Fprintf(out, "  Were A and B equals, pass@1 would differ by so much with p %s (paired permutation test, %s).\n", chance(d.Test.P), d.how())
}

// notes returns notes on what limits the comparison, such as other linters and tasks that only one
// run has, and on the k at which the order of the runs changes.
func (c *Comparison) notes() (notes []string) {
	if c.otherLinter {
		notes = append(notes, fmt.Sprintf("A was scored by %s, B by %s: what differs need not be the model.", by(c.ByA), by(c.ByB)))
	}
	if len(c.without) > 0 {
		notes = append(notes, fmt.Sprintf("Tasks without samples count as failed: %s.", enumerate(c.without)))
	}
	for i := range c.Verdicts {
		if turns := c.Verdicts[i].turns(); turns != "" {
			notes = append(notes, turns)
		}
	}
	for _, only := range []struct {
		name string
		ids  []task.ID
	}{{"A", c.OnlyA}, {"B", c.OnlyB}} {
		if n := len(only.ids); n > 0 {
			notes = append(notes, fmt.Sprintf("%s in %s alone and not compared: %s", verbed(n, "task is", "tasks are"), only.name, some(only.ids, n)))
		}
	}
	return notes
}

// how says whether p was counted or estimated.
func (d *Difference) how() string {
	if d.Test.Exact {
		return "counted over all signs"
	}
	return "estimated from random signs"
}

// chance returns a probability as it stands after "p": "= 0.0123" or, rather than 0 or an exponent,
// "< 0.0001".
func chance(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return fmt.Sprintf("= %.4f", p)
}

// points writes a difference of shares in percentage points. A zero has no sign.
func points(by float64) string {
	text := fmt.Sprintf("%+.1f", 100*by)
	if text == "+0.0" || text == "-0.0" {
		return "0.0"
	}
	return text
}

// JSON returns the comparison as one line. Fields of the official verdict stand at the top level,
// fields of another verdict under its name.
func (c *Comparison) JSON() []byte {
	object := pyjson.Object{
		{"tasks", c.Tasks},
		{"only_a", append([]task.ID{}, c.OnlyA...)},
		{"only_b", append([]task.ID{}, c.OnlyB...)},
		{"scored_by", pyjson.Object{{"a", append([]string{}, c.ByA...)}, {"b", append([]string{}, c.ByB...)}}},
	}
	for i := range c.Verdicts {
		d := &c.Verdicts[i]
		fields := d.fields()
		if d.Verdict == evaluator.Official {
			object = append(object, fields...)
		} else {
			object = append(object, pyjson.Field{Name: string(d.Verdict), Value: fields})
		}
	}
	return pyjson.AppendLine(nil, object)
}

// fields returns the fields about all tasks, and the tasks that differ.
func (d *Difference) fields() pyjson.Object {
	return append(d.sums(), pyjson.Field{Name: "changed", Value: append([]Change{}, d.Changed...)})
}

// sums returns the fields about all tasks.
func (d *Difference) sums() pyjson.Object {
	return pyjson.Object{
		{"scores", append([]ScorePair{}, d.Scores...)},
		{"better", d.Better}, {"worse", d.Worse}, {"same", d.Same},
		{"p", d.Test.P}, {"exact", d.Test.Exact},
	}
}
