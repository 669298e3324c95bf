package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/tasks/openset"
	"codelinter/rule"
)

// A lengthJudge gives a verdict of the tests' own: short code passes if it passes
// officially, long code fails, code with an "ł" is not known, and code with a "½"
// is an error of the judge's.
type lengthJudge struct{ name evaluator.Verdict }

func newLengthJudge(name evaluator.Verdict) func() (evaluator.Judge, error) {
	return func() (evaluator.Judge, error) { return lengthJudge{name}, nil }
}

func (j lengthJudge) Verdict() evaluator.Verdict { return j.name }

func (j lengthJudge) Judge(_ context.Context, _ *task.Task, s *evaluator.Sample) (evaluator.Judgement, error) {
	switch {
	case strings.Contains(s.Code, "½"):
		return evaluator.Judgement{}, errors.New("half of it is missing")
	case strings.Contains(s.Code, "ł"):
		return evaluator.Judgement{Outcome: evaluator.Unknown, Reasons: []evaluator.Reason{{Name: "accent", Text: "<ł> & more"}}}, nil
	case len(s.Code) > 900 || !s.Official():
		return evaluator.Judgement{Reasons: []evaluator.Reason{{Name: "long", Line: 3, Text: "too long"}}, Reward: 0.25}, nil
	}
	return evaluator.Judgement{Outcome: evaluator.Pass, Proof: "length", Reward: 1}, nil
}

// runJudged evaluates the answers to the open set by three verdicts, with an answer
// more to the first two tasks.
func runJudged(t *testing.T, outputs ...evaluator.Output) *evaluator.Summary {
	t.Helper()
	tasks, err := openset.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := openset.Answers()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(answers); err != nil {
		t.Fatal(err)
	}
	more := text.String()
	for _, extra := range []string{"ł = 1\\n", "½ = 1\\n"} {
		more = strings.Replace(more, "\"]}\n", "\", \""+extra+"\"] }\n", 1)
	}
	summary, err := evaluator.Run(t.Context(), tasks, evaluator.NewJSONL("s", strings.NewReader(more)), evaluator.Options{
		Judges:  []func() (evaluator.Judge, error){newLengthJudge("length"), newLengthJudge("second")},
		Outputs: outputs,
	})
	if err != nil {
		t.Fatal(err)
	}
	return summary
}

// Every verdict of a run is in its sums, its results, and in what is read of them.
func TestVerdicts(t *testing.T) {
	var results, pageOut bytes.Buffer
	page := NewPage(121)
	encoder := Results{Texts: true, About: evaluator.About{Model: "m"}}
	summary := runJudged(t, evaluator.Output{Encode: encoder.Encode, Writer: &results}, evaluator.Output{Encode: page.Encode, Writer: page})

	official := summary.Official()
	plain, _ := runOpen(t, new(Results).Encode)
	if official.Passed != plain.Official().Passed+1 { // ł = 1
		t.Errorf("%d pass officially with other verdicts, %d without", official.Passed, plain.Official().Passed+1)
	}
	length := summary.Totals[1]
	if length.Verdict != "length" || length.Passed == 0 || length.Passed >= official.Passed || length.Unknown != 2 || length.Errors != 1 || len(length.PassAt) != 3 {
		t.Errorf("length: %+v", length)
	}
	if low, high := length.PassAt[0].Interval.Low, length.PassAt[0].Interval.High; !(low < length.PassAt[0].Formula && length.PassAt[0].Formula < high) || !(length.PassAt[0].Stderr > 0) {
		t.Errorf("length: pass@1 %+v", length.PassAt[0])
	}
	causes := summary.Causes[1].List()
	counted := 0
	for _, c := range causes {
		counted += c.N
	}
	if counted != official.Passed || causes[0] != (evaluator.CauseCount{Cause: evaluator.Cause{Outcome: evaluator.Pass, Name: "length"}, N: length.Passed}) {
		t.Errorf("causes of %d official passes: %+v", official.Passed, causes)
	}
	if last := causes[len(causes)-1]; last.Cause != (evaluator.Cause{Outcome: evaluator.Unknown, Name: "accent"}) || last.N != 1 {
		t.Errorf("causes of %d official passes: %+v", official.Passed, causes)
	}
	for _, group := range summary.Lengths {
		if len(group.Totals) != 3 || group.Totals[1].Verdict != "length" {
			t.Errorf("group %s: %+v", group.Name, group.Totals)
		}
	}

	run, err := ReadRun("r", bytes.NewReader(results.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	summary.Resemblance = evaluator.Resemblance{} // which results do not have
	byName := cmpopts.SortSlices(func(a, b evaluator.Group) bool { return a.Name < b.Name })
	if diff := cmp.Diff(summary, run.Summary, cmpopts.EquateNaNs(), byName, cmp.AllowUnexported(rule.Table[evaluator.Changes]{})); diff != "" {
		t.Errorf("the sums of a run and of its results:\n%s", diff)
	}
	if run.About.Model != "m" {
		t.Errorf("read of the run: %+v", run.About)
	}

	var first struct {
		Official, Length struct {
			C, Unknown, Errors int
			PassAt1            *float64 `json:"pass@1"`
		}
		Samples []map[string]any
	}
	line, _, _ := strings.Cut(results.String(), "\n")
	if err := json.Unmarshal([]byte(line), &first); err != nil {
		t.Fatal(err)
	}
	accent := first.Samples[len(first.Samples)-1]
	if strings.Contains(fmt.Sprint(accent["output"]), "½") {
		t.Fatal("the second task comes first")
	}
	for key, want := range map[string]any{
		"length": "unknown", "reasons": []any{map[string]any{"name": "accent", "text": "<ł> & more"}}, "reward": 0.0,
		"second": "unknown", "second_reasons": []any{map[string]any{"name": "accent", "text": "<ł> & more"}}, "second_reward": 0.0,
	} {
		if diff := cmp.Diff(want, accent[key]); diff != "" {
			t.Errorf("%s in results: %s", key, diff)
		}
	}

	// The table, the sums as JSON, and the page show each.
	var table bytes.Buffer
	if err := Table(&table, "t", summary, false, "length"); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"official pass@1", "length pass@1", "second pass@10", "by the length verdict", "; of 2 it is not known, of 1 for an error of ours", "of the official passes, 1 is not known: accent 1."} {
		if !strings.Contains(table.String(), part) {
			t.Errorf("the table has no %q:\n%s", part, &table)
		}
	}
	var sums map[string]any
	if err := json.Unmarshal(Summary(summary, evaluator.About{}), &sums); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"official", "length", "length_interval", "length_unknown", "length_causes", "second_stderr"} {
		if sums[key] == nil {
			t.Errorf("the sums have no %q", key)
		}
	}
	if err := page.Render(&pageOut, evaluator.About{Title: "t", Model: "m"}, summary); err != nil {
		t.Fatal(err)
	}
	shows := shown(t, pageOut.Bytes())
	if v := shows.Run.Verdicts[1]; v.Name != "length" || v.Passed != length.Passed || v.Unknown != 2 || v.Errors != 1 || len(v.Causes) != len(causes) || v.Scores[0].Value != number(length.PassAt[0].Value) || shows.Run.Model != "m" {
		t.Errorf("the page has %+v", v)
	}
	if !strings.Contains(pageOut.String(), `"name":"length","outcome":"unknown"`) {
		t.Error("the page has no sample that is not known")
	}
	var again bytes.Buffer
	fromResults := NewPage(121)
	if err := ReadPage("r", bytes.NewReader(results.Bytes()), fromResults); err != nil {
		t.Fatal(err)
	}
	about := run.About
	about.Title = "t"
	if err := fromResults.Render(&again, about, run.Summary); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Bytes(), pageOut.Bytes()) {
		t.Error("a page of results is another than that of their run")
	}

	// Two runs are compared by each verdict of both.
	c := Compare(run, run)
	if len(c.Verdicts) != 3 || c.Verdicts[2].Verdict != "second" || c.Verdicts[2].Same != 121 {
		t.Errorf("compared by %d verdicts", len(c.Verdicts))
	}
	if json := string(c.JSON()); !strings.Contains(json, `"length":{"scores":[{"k":1`) {
		t.Errorf("no such verdict in %.300s", json)
	}
	_, bare := runOpen(t, new(Results).Encode)
	alone, err := ReadRun("r", bytes.NewReader(bare))
	if err != nil {
		t.Fatal(err)
	}
	if c := Compare(run, alone); len(c.Verdicts) != 1 {
		t.Errorf("a run of one verdict and one of three are compared by %d", len(c.Verdicts))
	}
}

// Lines of one file have the same verdicts, and what is not a judgement is refused.
func TestVerdictsRefuse(t *testing.T) {
	const good = `{"id":1,"n":1,"official":{"c":1},"x":{"c":0,"unknown":1},"samples":[{"official":true,"extraction":"whole","x":"unknown","reasons":[]}]}`
	for _, test := range []struct{ text, want string }{
		{good, ""},
		{good + "\n" + `{"id":2,"n":0,"official":{"c":0},"samples":[]}`, "r:2: field x is missing: expected an object, as in the lines before"},
		{`{"id":2,"n":0,"official":{"c":0},"samples":[]}` + "\n" + good, "r:2: x: expected no verdict but those of the lines before"},
		{strings.Replace(good, `"x":"unknown"`, `"x":"maybe"`, 1), `r:1: samples[0].x: expected "pass", "fail" or "unknown", found "maybe"`},
		{strings.Replace(good, `"x":"unknown",`, ``, 1), `r:1: samples[0].x: expected "pass", "fail" or "unknown", found `},
		{strings.Replace(good, `"x":"unknown"`, `"x":"pass"`, 1), "r:1: x.c is 0: expected the number of samples that pass, 1"},
		{strings.Replace(good, `"x":"unknown"`, `"x":"fail"`, 1), "r:1: x.unknown is 1: expected the number of samples of which it is not known, 0"},
		{strings.Replace(good, `"reasons":[]`, `"reasons":7`, 1), `r:1: samples[0].reasons: expected what results have there, found "7"`},
	} {
		_, err := ReadRun("r", strings.NewReader(test.text))
		if got := fmt.Sprint(err); test.want == "" && err != nil || test.want != "" && got != test.want {
			t.Errorf("%s: %v\nwant %s", test.text, err, test.want)
		}
	}
}
