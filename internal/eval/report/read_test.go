package report

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/stats"
	"codelinter/internal/tasks/openset"
	"codelinter/rule"
)

// runOpen evaluates the open set, and returns the summary and results.
func runOpen(t *testing.T, encode func([]byte, *evaluator.Result) []byte) (*evaluator.Summary, []byte) {
	t.Helper()
	tasks, err := openset.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := openset.Answers()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	summary, err := evaluator.Run(t.Context(), tasks, evaluator.NewJSONL("s", answers),
		evaluator.Options{Adequacy: adequacy, Outputs: []evaluator.Output{{Encode: encode, Writer: &out}}})
	if err != nil {
		t.Fatal(err)
	}
	return summary, out.Bytes()
}

// adequacy gives most tasks an adequacy. Eighths have the same sum in any order.
func adequacy(_ context.Context, t *task.Task) (*task.Adequacy, error) {
	if n := len(t.Inputs.Code) % 9; n < 8 {
		return &task.Adequacy{Mutants: 8, Alive: make([]string, n)}, nil
	}
	return nil, nil
}

// Results hold all that the summary has, whatever the order of their lines, but for
// that of the prompts.
func TestReadRun(t *testing.T) {
	want, results := runOpen(t, (&Results{Texts: true}).Encode)
	lines := bytes.SplitAfter(bytes.TrimSuffix(results, []byte("\n")), []byte("\n"))
	var backwards []byte
	for i := len(lines) - 1; i >= 0; i-- {
		backwards = append(append(backwards, bytes.TrimSpace(lines[i])...), '\n')
	}
	want.Resemblance = evaluator.Resemblance{} // which results do not have
	byName := cmpopts.SortSlices(func(a, b evaluator.Group) bool { return a.Name < b.Name })
	for _, text := range [][]byte{results, backwards} {
		run, err := ReadRun("r", bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if run.Summary.Adequacies == 0 || run.Summary.Adequacy <= 0 || run.Summary.Adequacy >= 1 {
			t.Errorf("the mean of %d adequacies is %v", run.Summary.Adequacies, run.Summary.Adequacy)
		}
		if !run.Texts {
			t.Error("full results have no texts")
		}
		if diff := cmp.Diff(want, run.Summary, cmpopts.EquateNaNs(), byName, cmp.AllowUnexported(rule.Table[evaluator.Changes]{})); diff != "" {
			t.Error(diff)
		}
	}
	_, bare := runOpen(t, new(Results).Encode)
	run, err := ReadRun("r", bytes.NewReader(bare))
	if err != nil {
		t.Fatal(err)
	}
	if run.Texts {
		t.Error("bare results have texts")
	}
	if got, want := run.Summary.Prompts[0].Name, (&task.Task{Instruction: want.Prompts[0].Name}).TemplateName(); got != want {
		t.Errorf("the prompt is called %q, want %q", got, want)
	}
}

// Results and pages have the options of tasks that have any.
func TestOptions(t *testing.T) {
	_, results := runOpen(t, new(Results).Encode)
	if n := bytes.Count(results, []byte(`"options":{"ignore":["W503"],"max-doc-length":72,"max-complexity":4,"doctests":true},"samples"`)); n != 9 {
		t.Errorf("%d tasks have options, want 9", n)
	}
	page := NewPage(121)
	if err := ReadPage("r", bytes.NewReader(results), page); err != nil {
		t.Fatal(err)
	}
	run, err := ReadRun("r", bytes.NewReader(results))
	if err != nil {
		t.Fatal(err)
	}
	var html bytes.Buffer
	if err := page.Render(&html, evaluator.About{Title: "A run"}, run.Summary); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(html.Bytes(), []byte(`"options":"--doctests --ignore=W503 --max-complexity=4 --max-doc-length=72"`)); n != 9 {
		t.Errorf("%d tasks of the page have options, want 9", n)
	}

	others := bytes.ReplaceAll(results, []byte(`"max-complexity":4,`), nil)
	err = ReadPages("a", bytes.NewReader(results), "b", bytes.NewReader(others), NewPage(121))
	if want := "a:113: the options of task 113 are not those which it has in b"; err == nil || err.Error() != want {
		t.Errorf("runs with other options: %v, want %s", err, want)
	}
}

// All findings of a sample are counted again, not only those that are kept.
func TestReadRunCountsAll(t *testing.T) {
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{K: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	task := task.Task{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "1"}}
	const n = 2 * evaluator.MaxFindings
	result := scoreAll(t, scorer, &task, []string{strings.Repeat("x=1\n", n)})
	run, err := ReadRun("r", bytes.NewReader(new(Results).Encode(nil, result)))
	if err != nil {
		t.Fatal(err)
	}
	left, introduced := 0, 0
	for _, c := range run.Summary.Codes.All() {
		left += c.Left
		introduced += c.Introduced
	}
	if left != 1 || introduced != n-1 {
		t.Errorf("%d left and %d introduced, want 1 and %d", left, introduced, n-1)
	}
}

func TestReadRunRefuses(t *testing.T) {
	const good = `{"id":1,"n":0,"official":{"c":0},"samples":[]}`
	for _, test := range []struct{ text, want string }{
		{"", "r: expected at least one task, found none"},
		{good + "\n" + good, "r:2: id 1 was on a line before: expected one line a task"},
		{`{"n":0,"official":{"c":0},"samples":[]}`, "r:1: field id is missing: expected an integer or a text"},
		{`{"id":1,"n":0,"samples":[]}`, "r:1: field official is missing: expected an object"},
		{`{"id":1,"n":0,"official":{"c":0}}`, "r:1: field samples is missing: expected a list"},
		{`{"id":1,"n":2,"official":{"c":0},"samples":[]}`, "r:1: n is 2: expected the number of samples, 0"},
		{`{"id":1,"n":0,"official":{"pass@1":0},"samples":[]}`, "r:1: official.c: expected a number of samples"},
		{`{"id":1,"n":0,"official":{"c":0},"samples":[],"given":{"x1":2}}`, `r:1: expected codes of flake8 or its plugins, found "x1"`},
		{`{"id":1,"n":1,"official":{"c":0},"samples":[{"extraction":"shut"}]}`, `r:1: extraction: expected closed, open or whole, found "shut"`},
		{`{"id":1,"n":1,"official":{"c":0},"samples":[{"extraction":"open","saved":["x"]}]}`, `r:1: saved: expected a leniency such as py, found "x"`},
		{`{"id":1,"n":1,"official":{"c":0},"samples":[{"extraction":"open","findings":[{"code":"X"}]}]}`, `r:1: findings: expected codes of flake8 or its plugins, found "X"`},
	} {
		if _, err := ReadRun("r", strings.NewReader(test.text)); err == nil || err.Error() != test.want {
			t.Errorf("ReadRun(%s): %v\nwant %s", test.text, err, test.want)
		}
	}
}

func runOf(t *testing.T, rates map[int]stats.Rate) *Run {
	t.Helper()
	var text strings.Builder
	for id := range 100 {
		rate, ok := rates[id]
		if !ok {
			continue
		}
		var samples []string
		for i := range rate.N {
			samples = append(samples, fmt.Sprintf(`{"official":%v,"extraction":"whole"}`, i < rate.C))
		}
		fmt.Fprintf(&text, `{"id":%d,"n":%d,"official":{"c":%d,"pass@1":0,"pass@5":0},"samples":[%s]}`+"\n", id, rate.N, rate.C, strings.Join(samples, ","))
	}
	run, err := ReadRun("r", strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestCompare(t *testing.T) {
	a, b := map[int]stats.Rate{}, map[int]stats.Rate{}
	for id := range 40 {
		a[id], b[id] = stats.Rate{C: 5, N: 10}, stats.Rate{C: 5, N: 10}
	}
	for id := range 24 {
		b[id] = stats.Rate{C: 7, N: 10}
	}
	b[30] = stats.Rate{C: 0, N: 10}
	b[31] = stats.Rate{}
	b[32] = stats.Rate{C: 10, N: 10}
	delete(b, 39)
	b[50] = stats.Rate{C: 1, N: 1}
	c := Compare(runOf(t, a), runOf(t, b))
	if c.Tasks != 39 || c.Verdicts[0].Better != 25 || c.Verdicts[0].Worse != 2 || c.Verdicts[0].Same != 12 {
		t.Errorf("%d tasks, %d better, %d worse, %d same", c.Tasks, c.Verdicts[0].Better, c.Verdicts[0].Worse, c.Verdicts[0].Same)
	}
	if diff := cmp.Diff([]task.ID{"39"}, c.OnlyA); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]task.ID{"50"}, c.OnlyB); diff != "" {
		t.Error(diff)
	}
	if got := []task.ID{c.Verdicts[0].Changed[0].ID, c.Verdicts[0].Changed[1].ID, c.Verdicts[0].Changed[2].ID, c.Verdicts[0].Changed[3].ID}; !cmp.Equal(got, []task.ID{"32", "30", "31", "0"}) {
		t.Errorf("the largest changes are %v", got)
	}
	if !c.Verdicts[0].Test.Exact || c.Verdicts[0].Test.P <= 0 || c.Verdicts[0].Test.P > 0.05 {
		t.Errorf("p = %v", c.Verdicts[0].Test)
	}
	by := c.Verdicts[0].Scores[0].B - c.Verdicts[0].Scores[0].A
	if in := c.Verdicts[0].Scores[0].By; in.Low > by || by > in.High || in.Low <= 0 {
		t.Errorf("a difference of %v lies in %v", by, in)
	}

	// From the other side, only signs differ.
	d := Compare(runOf(t, b), runOf(t, a))
	if d.Verdicts[0].Test != c.Verdicts[0].Test || d.Verdicts[0].Better != c.Verdicts[0].Worse || d.Verdicts[0].Scores[0].A != c.Verdicts[0].Scores[0].B {
		t.Errorf("forth %+v, back %+v", c.Verdicts[0].Test, d.Verdicts[0].Test)
	}

	var short, all bytes.Buffer
	if err := c.Table(&short, "a", "b", false); err != nil {
		t.Fatal(err)
	}
	if err := c.Table(&all, "a", "b", true); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(short.String(), "and 7 tasks more that differ; --all shows them.") || strings.Contains(all.String(), "--all") {
		t.Errorf("%s\n%s", &short, &all)
	}
	for _, line := range strings.Split(short.String(), "\n") {
		if strings.HasSuffix(line, " ") {
			t.Errorf("%q ends with a blank", line)
		}
	}
}

// Runs without a common task have nothing to compare, and no NaN in their JSON.
func TestCompareNothing(t *testing.T) {
	c := Compare(runOf(t, map[int]stats.Rate{1: {C: 1, N: 1}}), runOf(t, map[int]stats.Rate{2: {C: 1, N: 1}}))
	var out bytes.Buffer
	if err := c.Table(&out, "a", "b", false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "No task is in both.") {
		t.Error(out.String())
	}
	if got := string(c.JSON()); !strings.Contains(got, `"scores":[]`) {
		t.Error(got)
	}
}

// scoreAll scores without an end to the context.
func scoreAll(t testing.TB, scorer *evaluator.Scorer, of *task.Task, outputs []string) *evaluator.Result {
	t.Helper()
	result, err := scorer.Score(t.Context(), of, outputs)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// Where one run has the higher pass@1 and the other the higher pass@k of a larger k, the comparison
// says so.
func TestTurns(t *testing.T) {
	steady, mixed := map[int]stats.Rate{}, map[int]stats.Rate{}
	for id := range 10 {
		steady[id] = stats.Rate{C: 10 * (id % 2), N: 10} // half of the tasks, always
		mixed[id] = stats.Rate{C: 4, N: 10}              // all of them, sometimes
	}
	const want = "By the official verdict the order turns: the higher pass@k is A's from k = 1, B's from k = 2."
	if notes := Compare(runOf(t, steady), runOf(t, mixed)).notes(); !slices.Contains(notes, want) {
		t.Errorf("got %q, want %q", notes, want)
	}
	if notes := Compare(runOf(t, mixed), runOf(t, mixed)).notes(); len(notes) > 0 {
		t.Errorf("equal runs: %q", notes)
	}
}
