package evaluator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator/task"
	"codelinter/internal/tasks/dataset"
	"codelinter/rule"
)

// appendPassed is an encoding of results that tests can read: how many pass.
func appendPassed(dst []byte, r *Result) []byte {
	return append(strconv.AppendInt(dst, int64(r.Scores[0].Passed), 10), '\n')
}

// runText runs the samples, or the recorded ones if there are none, against the
// recorded tasks: ten tasks, and answers with code in every kind of place.
func runText(t *testing.T, samples string, o Options) (*Summary, []string) {
	t.Helper()
	tasks, err := dataset.Open("testdata/recorded_tasks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if samples == "" {
		text, err := os.ReadFile("testdata/recorded_samples.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		samples = string(text)
	}
	var out bytes.Buffer
	o.Outputs = append(o.Outputs, Output{appendPassed, &out})
	summary, err := Run(context.Background(), tasks, NewJSONL("s", strings.NewReader(samples)), o)
	if err != nil {
		t.Fatal(err)
	}
	return summary, strings.Fields(out.String())
}

// newTasks makes tasks with ids 1 to n.
func newTasks(t testing.TB, n int, code string) *task.Set {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	for i := range n {
		if err := encoder.Encode(newTask(task.ID(strconv.Itoa(i+1)), code)); err != nil {
			t.Fatal(err)
		}
	}
	tasks, err := dataset.Read("tasks", &text)
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// official is the totals of a run with the official verdict alone.
func official(passed int, passAt ...Average) []Total {
	return []Total{{Verdict: Official, Passes: Passes{Passed: passed}, PassAt: passAt}}
}

// strictly returns the totals with the strict scores for k of 1 and on.
func strictly(totals []Total, scores ...float64) []Total {
	for i, score := range scores {
		totals[0].Strict = append(totals[0].Strict, Estimate{i + 1, score})
	}
	return totals
}

func TestRunCounts(t *testing.T) {
	const pass, fail = `"x = 1\n"`, `"x=1\n"`
	tests := []struct {
		name, samples string
		want          Summary // without Codes, Extraction, groups and intervals
	}{
		{"all there", `{"id":1,"outputs":[` + pass + `,` + fail + `]}` + "\n" + `{"id":2,"outputs":[` + fail + `,` + fail + `]}`,
			Summary{Tasks: 2, Asked: 2, Samples: 4, Fewest: 2, Most: 2, Totals: official(1, Average{K: 1, Value: 0.25, Short: 0, Formula: 0.25}, Average{K: 2, Value: 0.5, Short: 0, Formula: 0.5})}},
		{"uneven", `{"id":1,"outputs":[` + fail + `]}` + "\n" + `{"id":2,"outputs":[` + pass + `,` + fail + `,` + fail + `]}`,
			Summary{Tasks: 2, Asked: 2, Samples: 4, Fewest: 1, Most: 3, Totals: official(1, Average{K: 1, Value: 1.0 / 6, Formula: 1.0 / 6}, Average{K: 2, Value: math.NaN(), Short: 1, Formula: 5.0 / 6})}},
		{"a task is missing", `{"id":2,"outputs":[` + pass + `,` + pass + `]}`,
			Summary{Tasks: 2, Asked: 1, Samples: 2, Fewest: 2, Most: 2, Totals: strictly(official(2, Average{K: 1, Value: 1, Formula: 1}, Average{K: 2, Value: 1, Formula: 1}), 0.5, 0.5), NotAsked: []task.ID{"1"}}},
		{"a task has no outputs", `{"id":2,"outputs":[` + pass + `,` + pass + `]}` + "\n" + `{"id":1,"outputs":[]}`,
			Summary{Tasks: 2, Asked: 2, Samples: 2, Fewest: 0, Most: 2, Totals: official(2, Average{K: 1, Value: 0.5, Short: 0, Formula: 0.5}, Average{K: 2, Value: 0.5, Short: 0, Formula: 0.5}), Missing: []task.ID{"1"}}},
		{"no samples", "",
			Summary{Tasks: 2, Asked: 2, Totals: official(0, Average{K: 1, Value: 0, Short: 0, Formula: 0}, Average{K: 2, Value: 0, Short: 0, Formula: 0}), Missing: []task.ID{"1", "2"}}},
		{"unknown tasks", `{"id":3,"outputs":[` + pass + `]}` + "\n" + `{"id":1,"outputs":[` + fail + `,` + fail + `]}` + "\n" + `{"id":"x","outputs":[]}` + "\n" + `{"id":"2","outputs":[` + pass + `,` + fail + `]}`,
			Summary{Tasks: 2, Asked: 2, Samples: 4, Fewest: 2, Most: 2, Totals: official(1, Average{K: 1, Value: 0.25, Short: 0, Formula: 0.25}, Average{K: 2, Value: 0.5, Short: 0, Formula: 0.5}), Unknown: 2, UnknownIDs: []task.ID{"3", "x"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Run(context.Background(), newTasks(t, 2, "x=1\n"), NewJSONL("s", strings.NewReader(test.samples)), Options{K: []int{1, 2}})
			if err != nil {
				t.Fatal(err)
			}
			*got = Summary{
				Tasks: got.Tasks, Asked: got.Asked, Samples: got.Samples, Fewest: got.Fewest, Most: got.Most,
				Totals: got.Totals, Missing: got.Missing, NotAsked: got.NotAsked, Unknown: got.Unknown, UnknownIDs: got.UnknownIDs,
			}
			got.Totals[0].Tallies = nil
			if test.want.Totals[0].Strict == nil { // as the formula
				for _, average := range test.want.Totals[0].PassAt {
					test.want.Totals[0].Strict = append(test.want.Totals[0].Strict, Estimate{average.K, average.Formula})
				}
			}
			for i := range got.Totals[0].PassAt {
				got.Totals[0].PassAt[i].Stderr, got.Totals[0].PassAt[i].Interval = 0, Interval{}
			}
			near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b) })
			if diff := cmp.Diff(&test.want, got, near, cmp.AllowUnexported(rule.Table[Changes]{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A pilot run is scored over the tasks that it asked: those with a row. Tasks that were asked and
// have no samples fail, unless only tasks with samples count.
func TestPilot(t *testing.T) {
	const samples = `{"id":1,"outputs":["x = 1\n","x=1\n"]}` + "\n" + `{"id":2,"outputs":[]}`
	for _, test := range []struct {
		only           bool
		score, strict  float64
		asked          int
		missing, other []task.ID
	}{
		{false, 0.25, 0.05, 2, []task.ID{"2"}, []task.ID{"3", "4", "5", "6", "7", "8", "9", "10"}},
		{true, 0.5, 0.05, 1, nil, []task.ID{"2", "3", "4", "5", "6", "7", "8", "9", "10"}},
	} {
		skipped := 0
		count := func(dst []byte, r *Result) []byte {
			if r.NotAsked {
				skipped++
			}
			return dst
		}
		got, err := Run(context.Background(), newTasks(t, 10, "x=1\n"), NewJSONL("s", strings.NewReader(samples)),
			Options{K: []int{1}, OnlySampled: test.only, Outputs: []Output{{Encode: count, Writer: io.Discard}}})
		if err != nil {
			t.Fatal(err)
		}
		total := got.Official()
		if got.Tasks != 10 || got.Asked != test.asked || total.PassAt[0].Value != test.score || math.Abs(total.Strict[0].Value-test.strict) > 1e-12 || skipped != len(test.other) {
			t.Errorf("only %v: %d of %d asked, %v, strictly %v, %d skipped", test.only, got.Asked, got.Tasks, total.PassAt, total.Strict, skipped)
		}
		if !slices.Equal(got.Missing, test.missing) || !slices.Equal(got.NotAsked, test.other) {
			t.Errorf("only %v: missing %v, not asked %v", test.only, got.Missing, got.NotAsked)
		}
		if got.Prompts[0].Tasks != test.asked {
			t.Errorf("only %v: a group has %d tasks", test.only, got.Prompts[0].Tasks)
		}
	}
}

// Samples that name the digest of another task are refused, and those of other tasks noticed.
func TestSamplesOfOthers(t *testing.T) {
	tasks := newTasks(t, 5, "x=1\n")
	digest := tasks.At(0).Digest()
	row := func(digest string) string { return `{"id":1,"task_digest":"` + digest + `","outputs":["y = 1\n"]}` }
	run := func(text string) (*Summary, error) {
		return Run(context.Background(), tasks, NewJSONL("s", strings.NewReader(text)), Options{Name: "t.jsonl"})
	}
	if _, err := run(row(digest)); err != nil {
		t.Error(err)
	}
	for other, what := range map[string]string{"00000000" + digest[8:]: "program", digest[:9] + "00000000": "options or feedback"} {
		_, err := run(row(other))
		want := "s:1: the samples of id 1 answer a task with the digest " + other + ", and in t.jsonl it has " + digest +
			", for another " + what + ": expected the tasks for which the samples were made"
		if err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	var own, others strings.Builder
	for id := range 5 {
		fmt.Fprintf(&own, `{"id":%d,"outputs":["x = 1\n"]}`+"\n", id+1)
		fmt.Fprintf(&others, `{"id":%d,"outputs":["def f(a):\n    return a  # x\n"]}`+"\n", id+1)
	}
	for text, foreign := range map[string]bool{own.String(): false, others.String(): true} {
		got, err := run(text)
		if err != nil || got.Resemblance.Answers != 5 || got.Resemblance.OfOthers() != foreign {
			t.Errorf("%s: %+v, %v, want foreign %v", text, got.Resemblance, err, foreign)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	tests := []struct{ samples, want string }{
		{`{"id":1,"outputs":[""]}` + "\n" + `{"id":1,"outputs":[""]}`, "s:2: id 1 already has the samples of line 1: expected one line a task"},
		{`{"id":1,"outputs":[]}` + "\n\n" + `{"id":"1","outputs":[""]}` + "\n{", "s:3: id 1 already has the samples of line 1: expected one line a task"},
		{"{\n" + `{"id":1,"outputs":[""]}` + "\n" + `{"id":1,"outputs":[""]}`, "s:1: expected one whole JSON object, found a fault at byte 1: unexpected end of JSON input"},
		{`{"id":1,"outputs":[""]}` + "\n\xff", "s:2: expected UTF-8, found other bytes"},
	}
	for _, test := range tests {
		var out bytes.Buffer
		_, err := Run(context.Background(), newTasks(t, 3, "x=1\n"), NewJSONL("s", strings.NewReader(test.samples)), Options{Outputs: []Output{{appendPassed, &out}}})
		if err == nil || err.Error() != test.want {
			t.Errorf("Run(%q): %v\nwant %s", test.samples, err, test.want)
		}
	}
}

// The same samples give the same bytes and sums whatever the number of workers.
func TestRunIsDeterministic(t *testing.T) {
	const n = 500
	random := rand.New(rand.NewPCG(1, 2))
	answers := []string{"x = 1\n", "x=1\n", "```python\nx=1\ny=1\n```", "```python\nx = 1\n```", "", "```js\nx\n```", "x = 1 \n"}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	for _, id := range random.Perm(n + 5) { // five are no task's
		outputs := make([]string, random.IntN(20))
		for i := range outputs {
			outputs[i] = strings.Repeat("\n", random.IntN(3)) + answers[random.IntN(len(answers))]
		}
		if err := encoder.Encode(map[string]any{"id": id + 1, "outputs": outputs}); err != nil {
			t.Fatal(err)
		}
	}
	tasks := newTasks(t, n, "x=1\ny=2\n")
	run := func(workers int) (string, *Summary) {
		var out bytes.Buffer
		last := 0
		summary, err := Run(context.Background(), tasks, NewJSONL("s", bytes.NewReader(text.Bytes())), Options{
			Workers: workers,
			Outputs: []Output{{func(dst []byte, r *Result) []byte {
				dst = fmt.Appendf(dst, "%s %v", r.Task.Meta.ID, r.Scores)
				for i := range r.Samples {
					dst = append(append(dst, "; "...), describe(&r.Samples[i])...)
				}
				return append(dst, '\n')
			}, &out}},
			Progress: func(done int) { last = done },
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := n - len(summary.Missing); last != want {
			t.Errorf("%d workers: progress ends at %d, want %d", workers, last, want)
		}
		return out.String(), summary
	}
	wantOut, wantSummary := run(1)
	if got := strings.Count(wantOut, "\n"); got != n {
		t.Errorf("%d results, want %d", got, n)
	}
	for _, workers := range []int{2, 3, 16} {
		out, summary := run(workers)
		if out != wantOut {
			t.Errorf("%d workers write other results than one", workers)
		}
		if diff := cmp.Diff(wantSummary, summary, cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }), cmp.AllowUnexported(rule.Table[Changes]{})); diff != "" {
			t.Errorf("%d workers: %s", workers, diff)
		}
	}
}

// The sums by code are those of the samples.
func TestRunSums(t *testing.T) {
	summary, _ := runText(t, "", Options{})
	var all Changes
	for code, c := range summary.Codes.All() {
		if c.Given != c.Fixed+c.Left {
			t.Errorf("code %d: %d given, but %d fixed and %d left", code, c.Given, c.Fixed, c.Left)
		}
		all.Add(*c)
	}
	var want Changes
	runText(t, "", Options{
		Workers: 1,
		Outputs: []Output{{func(dst []byte, r *Result) []byte {
			for _, sample := range r.Samples {
				want.Add(sample.Changes)
				if found := sample.Left + sample.Introduced; found != sample.Found || found != len(sample.Findings) {
					t.Errorf("task %s: %d left and introduced, but %d findings", r.Task.Meta.ID, found, len(sample.Findings))
				}
			}
			return dst
		}, io.Discard}},
	})
	if all != want {
		t.Errorf("sums by code %+v, sums by sample %+v", all, want)
	}
	e := summary.Extraction
	if want := (Extraction{Closed: 79, Open: 6, Whole: 15, NoPython: 3, Several: 5, Saved: 9, SavedBy: [6]int{3, 0, 3, 2, 1, 0},
		Empty: 5, EmptyPassed: 2, Noqa: 3, NoqaPassed: 3, Blank: 12, Hidden: 61}); e != want {
		t.Errorf("extraction %+v, want %+v", e, want)
	}
}

func TestRunStops(t *testing.T) {
	tasks := newTasks(t, 1, "x=1\n")
	broken := errors.New("disk full")
	_, err := Run(context.Background(), tasks, NewJSONL("s", strings.NewReader(`{"id":1,"outputs":[""]}`)),
		Options{Outputs: []Output{{appendPassed, failing{broken}}}})
	if !errors.Is(err, broken) {
		t.Errorf("writing fails: Run says %v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	lines := &endless{line: []byte(`{"id":7,"outputs":["x=1"]}` + "\n")}
	_, err = Run(ctx, tasks, NewJSONL("s", lines), Options{Progress: func(int) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: Run says %v, want %v", err, context.Canceled)
	}

	// A pipe that never says anything must not hold up the end.
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		silent, other := io.Pipe()
		_, err := Run(ctx, tasks, NewJSONL("s", silent), Options{})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("timed out: Run says %v, want %v", err, context.DeadlineExceeded)
		}
		other.Close() // ends the goroutine that reads
	})
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// endless is a file of one line again and again.
type endless struct {
	line []byte
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		c := copy(p[n:], e.line[e.at:])
		n += c
		e.at = (e.at + c) % len(e.line)
	}
	return n, nil
}
