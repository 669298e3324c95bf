package evaluator

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"codelinter/evaluator/task"
	"codelinter/internal/tasks/openset"
	"codelinter/lint"
	"codelinter/rule"
)

func newTask(id task.ID, code string) task.Task {
	return task.Task{Inputs: task.Inputs{Code: code}, Meta: task.Meta{ID: id}}
}

// score scores without an end to the context.
func score(t testing.TB, scorer *Scorer, of *task.Task, outputs []string) *Result {
	t.Helper()
	result, err := scorer.Score(t.Context(), of, outputs)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// One answer to one task: its verdict, where its code is, what became of the
// findings, and those that the answer has.
func TestScore(t *testing.T) {
	const twoFaults = "x=1\ny = 2 \n" // E225, W291
	tests := []struct{ name, code, output, want string }{
		{"mended", twoFaults, "```python\nx = 1\ny = 2\n```", "pass closed 1/1 13 bytes, 2 given 2 fixed 0 left 0 introduced"},
		{"one left", twoFaults, "```python\nx=1\ny = 2\n```", "fail closed 1/1 11 bytes, 2 given 1 fixed 1 left 0 introduced: 2:2 E225"},
		{"left on another line", twoFaults, "```python\n\n\n\nx=1\ny = 2\n```", "fail closed 1/1 14 bytes, 2 given 1 fixed 1 left 1 introduced: 5:1 E303 5:2 E225"},
		{"echo", twoFaults, twoFaults, "fail whole 0/0 11 bytes, 2 given 0 fixed 2 left 0 introduced: 1:2 E225 2:6 W291"},
		{"more of the same", "x=1\n", "x=1\ny=2\nz=3\n", "fail whole 0/0 12 bytes, 1 given 0 fixed 1 left 2 introduced: 1:2 E225 2:2 E225 3:2 E225"},
		{"fewer of the same", "x=1\ny=2\nz=3\n", "x = 1\ny=2\nz = 3\n", "fail whole 0/0 16 bytes, 3 given 2 fixed 1 left 0 introduced: 2:2 E225"},
		{"another fault", "x=1\n", "x = 1", "fail whole 0/0 5 bytes, 1 given 1 fixed 0 left 1 introduced: 1:6 W292"},
		{"nothing given", "x = 1\n", "x=1\n", "fail whole 0/0 4 bytes, 0 given 0 fixed 0 left 1 introduced: 1:2 E225"},
		{"left open", "x=1\n", "```python\nx = 1\n", "pass open 1/1 7 bytes, 1 given 1 fixed 0 left 0 introduced"},
		{"left open and cut", "x=1\n", "```python\nx = 1", "fail open 1/1 6 bytes, 1 given 1 fixed 0 left 1 introduced: 2:6 W292"},
		{"two blocks", "x=1\n", "```python\nx = 1\n```\n```python\ny = 2\n```", "pass closed 2/2 14 bytes, 1 given 1 fixed 0 left 0 introduced"},
		{"another language", "x=1\n", "```js\nx = 1\n```", "fail closed 0/1 1 bytes, 1 given 1 fixed 0 left 1 introduced: 1:1 W391"},
		{"empty answer", "x=1\n", "", "pass whole 0/0 0 bytes, 1 given 1 fixed 0 left 0 introduced"},
		{"noqa", "x=1\n", "x=1  # noqa\n", "pass whole 0/0 12 bytes, 1 given 1 fixed 0 left 0 introduced"},
		{"noqa for the file", "x=1\n", "# flake8: noqa\nx=1\n", "pass whole 0/0 19 bytes, 1 given 1 fixed 0 left 0 introduced"},
		{"off by default", "x=1\n", "x = 1*2\n", "pass whole 0/0 8 bytes, 1 given 1 fixed 0 left 0 introduced"},
	}
	scorer, err := NewScorer(ScorerOptions{K: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			task := newTask("1", test.code)
			result := score(t, scorer, &task, []string{test.output})
			if got := describe(&result.Samples[0]); got != test.want {
				t.Errorf("Score(%q, %q):\n%s\nwant\n%s", test.code, test.output, got, test.want)
			}
		})
	}
}

// Without messages all else is the same.
func TestScoreCodesOnly(t *testing.T) {
	whole, err := NewScorer(ScorerOptions{K: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	codes, err := NewScorer(ScorerOptions{K: []int{1}, CodesOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{"x=1\n", "import os, sys\n", "x = (\n"} {
		task := newTask("1", code)
		outputs := []string{
			"x = 1\n", "x=1\n", "import os\n", "x = (\n", "x = (  # noqa\n", "x = 1\ny = (  # noqa\n", "```python\nx = (\n```\n",
			"```py\nx = 1\n```", "# flake8: noqa\nx = (\n", "from a import *\n" + strings.Repeat("b\n", 2*MaxFindings),
		}
		want := fmt.Sprint(comparable(score(t, whole, &task, outputs)))
		if got := fmt.Sprint(comparable(score(t, codes, &task, outputs))); got != want {
			t.Errorf("%q:\n got %s\nwant %s", code, got, want)
		}
		for i := range codes.result.Samples {
			for _, f := range codes.result.Samples[i].Findings {
				if f != f.Bare() {
					t.Errorf("%q: a message: %s", outputs[i], f.Message())
				}
			}
		}
	}
}

// comparable gives what a result says of its samples, but for where and why an
// answer is not Python.
func comparable(r *Result) (all []string) {
	for i := range r.Samples {
		s := &r.Samples[i]
		text := fmt.Sprint(s.Official(), s.Invalid(), s.Changes, s.Found, s.Saved, s.Facts, s.Empty, len(s.Findings), s.After)
		if !s.Invalid() {
			text += describe(s)
		}
		all = append(all, text)
	}
	return append(all, fmt.Sprint(r.Given, r.Scores))
}

func describe(s *Sample) string {
	text := "fail"
	if s.Official() {
		text = "pass"
	}
	text += fmt.Sprintf(" %v %d/%d %d bytes, %d given %d fixed %d left %d introduced",
		s.Extraction, s.Python, s.Blocks, s.Bytes, s.Given, s.Fixed, s.Left, s.Introduced)
	for i, f := range s.Findings {
		if i == 0 {
			text += ":"
		}
		text += fmt.Sprintf(" %d:%d %s", f.Row, f.Column, f.Code.String())
	}
	return text
}

// An answer is held to its task's settings, and to no other task's.
func TestScoreSettings(t *testing.T) {
	scorer, err := NewScorer(ScorerOptions{K: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	options := lint.DefaultOptions()
	options.MaxComplexity, options.Ignore = 0, []string{}
	strict, err := task.NewOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	const given, answer = "def f(): return 1*1\n", "def f():\n    return 1*1\n"
	for _, test := range []struct {
		settings *task.Options
		want     string
	}{
		{nil, "pass whole 0/0 24 bytes, 0 given 0 fixed 0 left 0 introduced"},
		{strict, "fail whole 0/0 24 bytes, 3 given 1 fixed 2 left 0 introduced: 1:1 C901 2:13 E226"},
		{&task.Options{}, "pass whole 0/0 24 bytes, 0 given 0 fixed 0 left 0 introduced"},
		{strict, "fail whole 0/0 24 bytes, 3 given 1 fixed 2 left 0 introduced: 1:1 C901 2:13 E226"},
		{nil, "pass whole 0/0 24 bytes, 0 given 0 fixed 0 left 0 introduced"},
	} {
		task := newTask("1", given)
		task.Meta.Options = test.settings
		result := score(t, scorer, &task, []string{answer})
		if got := describe(&result.Samples[0]); got != test.want {
			t.Errorf("%+v:\n%s\nwant\n%s", test.settings.Lint(), got, test.want)
		}
	}
}

func TestScorePassAt(t *testing.T) {
	const pass, fail = "x = 1\n", "x=1\n"
	tests := []struct {
		outputs []string
		passed  int
		want    string // pass@1, pass@2, pass@4
	}{
		{nil, 0, "0 0 0"},
		{[]string{pass}, 1, "1 NaN NaN"},
		{[]string{fail}, 0, "0 NaN NaN"},
		{[]string{fail, pass}, 1, "0.5 1 NaN"},
		{[]string{fail, pass, fail, fail}, 1, "0.25 0.5 1"},
		{[]string{fail, fail, fail, fail}, 0, "0 0 0"},
	}
	scorer, err := NewScorer(ScorerOptions{K: []int{1, 2, 4}})
	if err != nil {
		t.Fatal(err)
	}
	task := newTask("1", fail)
	for _, test := range tests {
		result := score(t, scorer, &task, test.outputs)
		var values []string
		for _, e := range result.Scores[0].PassAt {
			values = append(values, fmt.Sprintf("%.4g", e.Value))
		}
		if got := strings.Join(values, " "); got != test.want || result.Scores[0].Passed != test.passed {
			t.Errorf("Score(%q) passes %d, pass@k %s; want %d, %s", test.outputs, result.Scores[0].Passed, got, test.passed, test.want)
		}
	}
}

// A scorer takes no memory for an answer, whatever is found in it: one piece for the
// texts of all of a task's, and with CodesOnly none.
func TestScoreAllocates(t *testing.T) {
	var outputs []string
	for i := range 20 {
		for _, output := range [...]string{"x = 1\n", "```python\nimport os\nx=1\n```\n", "def f(a):\n    b = undefined\n", "x = (\n", "from a import b\n\n\n\n\nx = 'a  \n"} {
			outputs = append(outputs, output, fmt.Sprintf("%s# %d\n", output, i))
		}
	}
	for _, test := range []struct {
		options ScorerOptions
		want    float64
	}{{ScorerOptions{CodesOnly: true}, 0}, {ScorerOptions{}, 1}} {
		test.options.Judges = []func() (Judge, error){func() (Judge, error) { return nothing{}, nil }}
		scorer, err := NewScorer(test.options)
		if err != nil {
			t.Fatal(err)
		}
		task := newTask("1", "x=1\n")
		score(t, scorer, &task, outputs)
		if n := testing.AllocsPerRun(10, func() { score(t, scorer, &task, outputs) }); n > test.want {
			t.Errorf("CodesOnly %v: %v allocations for %d answers, want %v", test.options.CodesOnly, n, len(outputs), test.want)
		}
	}
}

// Answers whose code is that of another one are scored as if each were alone, whatever stands around
// the code, and count as much.
func TestScoreRepeats(t *testing.T) {
	var many, foreign strings.Builder
	for i := range MaxFindings + 5 {
		fmt.Fprintf(&many, "x=%d\n", i)
	}
	fmt.Fprintf(&foreign, "from %s import *\nx\n", strings.Repeat("a", maxTexts+1))
	codes := []string{"x = 1\n", "import os\nx=1\ny = 2 \n", "x=1  # noqa\n", "# flake8: noqa\nx=1\n", "x = (\n", "", "pass\n", many.String(), foreign.String(), "# coding: latin-1\nx=1\n"}
	var outputs []string
	for _, code := range slices.Concat(codes, codes) {
		outputs = append(outputs, code, "```python\n"+code+"```\n", "Here it is:\n```python\n"+code+"```", "```py\n"+code+"```\n")
	}
	task := newTask("1", "import os\nx=1\ny=2\n")
	for _, codesOnly := range []bool{false, true} {
		newScorer := func() *Scorer {
			scorer, err := NewScorer(ScorerOptions{CodesOnly: codesOnly, MaxAnswer: 2 << 20, Judges: []func() (Judge, error){func() (Judge, error) { return nothing{}, nil }}})
			if err != nil {
				t.Fatal(err)
			}
			return scorer
		}
		together, alone := newScorer(), newScorer()
		var sum Changes
		for i, sample := range score(t, together, &task, outputs).Samples {
			want := score(t, alone, &task, outputs[i:i+1]).Samples[0]
			if diff := cmp.Diff(want, sample, cmpopts.EquateEmpty(), cmp.Comparer(func(a, b rule.Finding) bool { return a.Message() == b.Message() && a.Bare() == b.Bare() })); diff != "" {
				t.Errorf("answer %d, %.60q: %s", i, outputs[i], diff)
			}
			sum.Add(want.Changes)
		}
		var got Changes
		for code := range together.changed.All() {
			got.Add(together.changes.Of(code))
		}
		if got != sum {
			t.Errorf("changes of all answers are %+v, want %+v", got, sum)
		}
	}
}

// Answers with the same code are judged once, but again after an error.
func TestJudgeRepeats(t *testing.T) {
	judge := &flaky{fails: 2}
	scorer, err := NewScorer(ScorerOptions{Judges: []func() (Judge, error){func() (Judge, error) { return judge, nil }}})
	if err != nil {
		t.Fatal(err)
	}
	of := newTask("1", "x=1\n")
	var got []string
	for range 2 { // what one call has scored is no other's
		judge.judged = nil
		result := score(t, scorer, &of, []string{"x\n", "x\n", "y\n", "x\n", "y\n", "```python\nx\n```"})
		line := fmt.Sprintf("%q", judge.judged)
		for _, sample := range result.Samples {
			line += fmt.Sprint(" ", sample.Judgements[1].Error, sample.Judgements[1].Reward)
		}
		got = append(got, line)
	}
	want := []string{
		`["x\n" "x\n" "y\n" "x\n" "\nx\n"] true 0 true 0 false 1 false 2 false 1 false 3`,
		`["x\n" "y\n" "\nx\n"] false 4 false 4 false 5 false 4 false 5 false 6`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A flaky judge fails at first. Each of its rewards is another.
type flaky struct {
	fails, reward int
	judged        []string
}

func (*flaky) Verdict() Verdict { return "flaky" }

func (f *flaky) Judge(_ context.Context, _ *task.Task, sample *Sample) (Judgement, error) {
	f.judged = append(f.judged, sample.Code)
	if f.fails--; f.fails >= 0 {
		return Judgement{}, io.ErrUnexpectedEOF
	}
	f.reward++
	return Judgement{Reward: float64(f.reward)}, nil
}

// nothing is a judge of no judgement.
type nothing struct{}

func (nothing) Verdict() Verdict { return "nothing" }

func (nothing) Judge(context.Context, *task.Task, *Sample) (Judgement, error) {
	return Judgement{}, nil
}

func lintWith(t *testing.T, scorer *Scorer, code string) []rule.Finding {
	t.Helper()
	result, _, err := scorer.lint(t.Context(), code, lint.Input{})
	if err != nil {
		t.Fatal(err)
	}
	return result.Findings
}

// Counts of codes are compared as if each code were looked at.
func TestScoreCompares(t *testing.T) {
	scorer, err := NewScorer(ScorerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	task := newTask("1", "import os, sys\nx=1\ny =2\n")
	outputs := []string{"", "x=1\n", "import os\nx = (1 ,2)\n", "x = (\n", strings.Repeat("import os, sys\nx=1 \n", 2*MaxFindings)}
	score(t, scorer, &task, outputs) // of which nothing is left in the next
	result := score(t, scorer, &task, outputs)
	var sum [rule.Count]Changes
	for i := range outputs {
		found := len(lintWith(t, scorer, outputs[i]))
		var given, after codeCounts
		given.count(lintWith(t, scorer, task.Inputs.Code))
		after.count(lintWith(t, scorer, outputs[i]))
		var want Changes
		for code := range sum {
			change := NewChanges(int(given.of[code]), int(after.of[code]))
			sum[code].Add(change)
			want.Add(change)
		}
		if got := result.Samples[i].Changes; got != want || result.Samples[i].Found != found {
			t.Errorf("%.20q: %+v with %d found, want %+v with %d", outputs[i], got, result.Samples[i].Found, want, found)
		}
	}
	for code, got := range scorer.changes.All() {
		if *got != sum[code] {
			t.Errorf("%v: together %+v, want %+v", code, *got, sum[code])
		}
	}
}

// A result's findings stay whole while later samples are linted.
func TestScoreKeepsFindings(t *testing.T) {
	scorer, err := NewScorer(ScorerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	task := newTask("1", "x = 1\n")
	result := score(t, scorer, &task, []string{"print(1,2)\n", strings.Repeat("print(1 ;2)\n", 100), "l = 1\n"})
	if got, want := result.Samples[0].Findings[0].Message(), "missing whitespace after ','"; got != want {
		t.Errorf("first sample's finding says %q, want %q", got, want)
	}
	if got, want := result.Samples[2].Findings[0].Message(), "ambiguous variable name 'l'"; got != want {
		t.Errorf("last sample's finding says %q, want %q", got, want)
	}
}

// All findings of a huge answer are counted, and few kept.
func TestScoreBoundsFindings(t *testing.T) {
	scorer, err := NewScorer(ScorerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	task := newTask("1", "x=1\n")
	const n = 3 * MaxFindings
	sample := score(t, scorer, &task, []string{strings.Repeat("x=1\n", n)}).Samples[0]
	if sample.Found != n || sample.Introduced != n-1 || len(sample.Findings) != MaxFindings {
		t.Errorf("found %d, introduced %d, kept %d; want %d, %d, %d",
			sample.Found, sample.Introduced, len(sample.Findings), n, n-1, MaxFindings)
	}
}

// Findings that all name the modules of many star imports make no result of
// gigabytes, and those that are kept say what flake8 says.
func TestScoreBoundsTexts(t *testing.T) {
	scorer, err := NewScorer(ScorerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	task := newTask("1", "x=1\n")
	module := strings.Repeat("x", 10_000)
	outputs := []string{"from " + module + " import *\n" + strings.Repeat("y\n", 10_000), "from z import *\nx\n"}
	sample := score(t, scorer, &task, outputs).Samples[0]
	if sample.Found < 10_000 {
		t.Errorf("found %d", sample.Found)
	}
	length := 0
	for i := range sample.Findings {
		length += len(sample.Findings[i].Message())
	}
	if length < maxTexts/2 || length > 2*maxTexts {
		t.Errorf("%d findings with %d bytes", len(sample.Findings), length)
	}
	last := sample.Findings[len(sample.Findings)-1]
	if got, want := last.Message(), "'y' may be undefined, or defined from star imports: "+module; got != want {
		t.Errorf("%s: %.100q", last.Code, got)
	}
}

// Each answer to the open set has as many findings as flake8 has in its code.
func TestOpenSetScores(t *testing.T) {
	tasks, err := openset.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := openset.Answers()
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := os.Open("../internal/tasks/openset/testdata/recorded.jsonl") // see internal/tasks/openset/record
	if err != nil {
		t.Fatal(err)
	}
	defer recorded.Close()
	want := map[task.ID][]int{}
	for lines := json.NewDecoder(recorded); lines.More(); {
		var row struct {
			ID      task.ID
			Answers []int
		}
		if err := lines.Decode(&row); err != nil {
			t.Fatal(err)
		}
		want[row.ID] = row.Answers
	}
	n := 0
	_, err = Run(t.Context(), tasks, NewJSONL("answers", answers), Options{
		Workers: 1,
		Outputs: []Output{{func(dst []byte, r *Result) []byte {
			var got []int
			for _, sample := range r.Samples {
				got = append(got, sample.Found)
			}
			if diff := cmp.Diff(want[r.Task.Meta.ID], got); diff != "" {
				t.Errorf("task %s: findings in its answers, flake8's and ours:\n%s", r.Task.Meta.ID, diff)
			}
			n++
			return dst
		}, io.Discard}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if n != tasks.Len() {
		t.Errorf("%d tasks have answers, want %d", n, tasks.Len())
	}
}

func TestRecordedScores(t *testing.T) {
	summary, results := runText(t, "", Options{})
	// Recorded from the benchmark's own extraction and flake8.
	want := "5 7 9 3 5 7 5 3 2 8"
	if got := strings.Join(results, " "); got != want {
		t.Errorf("samples that pass, by task: %s; want %s", got, want)
	}
	if got := summary.Official().PassAt[0].Value; math.Abs(got-0.54) > 1e-12 {
		t.Errorf("pass@1 = %v, want 0.54", got)
	}
	if got := summary.Official().PassAt[2].Value; got != 1 {
		t.Errorf("pass@10 = %v, want 1", got)
	}
}

// An answer takes memory in proportion to its size, whatever is in it, and those
// beside it are scored as ever.
func TestMemoryOfLargeAnswers(t *testing.T) {
	const size = 4 << 20
	repeat := func(part string) string { return strings.Repeat(part, size/len(part)) }
	dense := maxTokens(size) - 10
	task := newTask("1", "x=1\n")
	scorer, err := NewScorer(ScorerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		answer   string
		tooLarge bool
	}{
		{repeat("x;"), true}, {repeat("x;\n"), true}, {repeat("x = 1\n"), true}, {repeat("\n"), true}, {repeat("#\n"), true},
		{repeat("f'{x}'\n"), true}, {repeat("\tx\n"), true}, {repeat("("), false}, {repeat("["), false}, {repeat("a."), true},
		{repeat("#noqa\n"), true}, {repeat("\\\n"), false}, {repeat("\x00"), false}, {repeat(" "), false}, {repeat("f'{"), false},
		{strings.Repeat("x;", dense/2) + "\n#" + strings.Repeat("#", size-dense) + "\n", false},
		{strings.Repeat("import a\n", dense/3) + "#" + strings.Repeat("#", size-3*dense) + "\n", false},
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		result := score(t, scorer, &task, []string{"x = 1\n", test.answer, "x = 1\n"})
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20+20*size {
			t.Errorf("%.20q takes %d MB", test.answer, taken>>20)
		}
		sample := &result.Samples[1]
		reasons := sample.Judgements[0].Reasons
		if got := len(reasons) == 1 && reasons[0].Name == TooLarge; got != test.tooLarge || sample.Official() {
			t.Errorf("%.20q: passes: %v, reasons: %v", test.answer, sample.Official(), reasons)
		}
		if !result.Samples[0].Official() || !result.Samples[2].Official() || result.Scores[0].Passed != 2 {
			t.Errorf("%.20q has changed what the others get", test.answer)
		}
	}
}
