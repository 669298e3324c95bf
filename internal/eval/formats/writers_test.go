package formats

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/eval/report"
	"codelinter/internal/python/pyjson"
)

// encoded scores samples and returns what encode makes of each task, and the
// sums.
func encoded(t testing.TB, tasks []task.Task, samples map[task.ID][]string, k []int, encode func([]byte, *evaluator.Result) []byte) (texts [][]byte, sums *evaluator.Summary) {
	t.Helper()
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{K: k})
	if err != nil {
		t.Fatal(err)
	}
	var results bytes.Buffer
	for i := range tasks {
		result := scoreAll(t, scorer, &tasks[i], samples[tasks[i].Meta.ID])
		texts = append(texts, encode(nil, result))
		results.Write(new(report.Results).Encode(nil, result))
	}
	run, err := report.ReadRun("results", &results)
	if err != nil {
		t.Fatal(err)
	}
	return texts, run.Summary
}

// officialScores encodes with [AppendInspectScores].
func officialScores(dst []byte, r *evaluator.Result) []byte {
	return AppendInspectScores(dst, r, evaluator.Official)
}

// formatTasks are of uneven numbers of samples, among them none.
func formatTasks() ([]task.Task, map[task.ID][]string) {
	made := func(id task.ID) task.Task {
		return task.Task{
			Instruction: "Mend {code}",
			Inputs:      task.Inputs{Code: "x=1\n", Feedback: "E225"},
			Meta:        task.Meta{ID: id, CanonicalCode: "x = 1\n"},
		}
	}
	const good, bad = "```python\nx = 1\n```", "```python\nfrom a import *\nx=1\n```"
	return []task.Task{made("10"), made("a/b"), made("9"), made("2")}, map[task.ID][]string{
		"10":  {good, bad, good},
		"a/b": {bad, "```py\nx = 1\n```", "```python\nx = 1\n"},
		"2":   {"x = 1\n"},
	}
}

// hostileText is what a model may answer.
const hostileText = "\xff\xfe\ud7ff\x00\u2028\u2029\ufeff```python\n\x1b[0m'\"\\</script>attachment://0\r\n"

func TestFormatsOfHostileText(t *testing.T) {
	tasks := []task.Task{{Instruction: hostileText + "{code}", Inputs: task.Inputs{Code: hostileText}, Meta: task.Meta{ID: task.ID(strings.ToValidUTF8(hostileText, "")), CanonicalCode: hostileText}}}
	samples := map[task.ID][]string{tasks[0].Meta.ID: {hostileText, "", strings.Repeat(hostileText, 10000)}}
	about := evaluator.About{Title: hostileText, Model: hostileText}
	log, text := inspected(t, about, tasks, samples, []int{1})
	if !utf8.Valid(text) || len(log.Samples) != 3 || log.Samples[2].Output.Choices[0].Message.Content != replaced(strings.Repeat(hostileText, 10000)) {
		t.Error("a log lost an answer")
	}
	_, sums := encoded(t, tasks, samples, []int{1}, new(report.Results).Encode)
	if got := LMEvalResults(about, sums); !json.Valid(got) || !utf8.Valid(got) {
		t.Errorf("sums are no JSON: %s", got)
	}
	texts, _ := encoded(t, tasks, samples, []int{1}, officialScores)
	for line := range bytes.Lines(texts[0]) {
		if !json.Valid(line) || !utf8.Valid(line) {
			t.Errorf("scores are no lines of JSON: %.200s", line)
		}
	}
}

// replaced is text with U+FFFD for each byte that is not UTF-8.
func replaced(text string) string {
	var to strings.Builder
	for _, r := range text {
		to.WriteRune(r)
	}
	return to.String()
}

// A narrow takes some bytes and then fails, as a full disk does.
type narrow int

var errFull = errors.New("no space left")

func (n *narrow) Write(p []byte) (int, error) {
	if *n -= narrow(len(p)); *n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestFormatsOnFullDisk(t *testing.T) {
	tasks, samples := formatTasks()
	for _, zipped := range []bool{false, true} {
		room := narrow(100)
		s, err := NewSubmissionWriter(&room, zipped)
		if err != nil {
			t.Fatal(err)
		}
		texts, _ := encoded(t, tasks, samples, []int{1}, s.Encode)
		if _, err = s.Write(bytes.Join(texts, nil)); err == nil {
			err = s.Close()
		}
		if !errors.Is(err, errFull) {
			t.Errorf("zipped %v: %v", zipped, err)
		}
	}
	_, log := inspected(t, evaluator.About{}, tasks, samples, []int{1})
	for room := narrow(0); int(room) < len(log); room += narrow(len(log) / 7) {
		l, err := NewInspectWriter(evaluator.About{})
		if err != nil {
			t.Fatal(err)
		}
		texts, sums := encoded(t, tasks, samples, []int{1}, l.Encode)
		l.Write(bytes.Join(texts, nil))
		left := room
		if err := l.Render(&left, sums); !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: %v", room, err)
		}
		l.Close()
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

// A shortJudge gives a verdict beside the official: code of 7 bytes at most passes if
// it does so officially, longer code fails, and code with a comment is not known.
type shortJudge struct{}

const short evaluator.Verdict = "short"

func newShortJudge() (evaluator.Judge, error) { return shortJudge{}, nil }

func (shortJudge) Verdict() evaluator.Verdict { return short }

func (shortJudge) Judge(_ context.Context, _ *task.Task, s *evaluator.Sample) (evaluator.Judgement, error) {
	switch {
	case strings.Contains(s.Code, "#"):
		return evaluator.Judgement{Outcome: evaluator.Unknown, Reasons: []evaluator.Reason{{Name: "comment", Text: "has one"}}}, nil
	case s.Official() && len(s.Code) <= 7:
		return evaluator.Judgement{Outcome: evaluator.Pass, Reward: 1}, nil
	}
	return evaluator.Judgement{Reasons: []evaluator.Reason{{Name: "long", Line: 1, Text: "too long"}}}, nil
}

// A scoredTask is what of a task must come out of a file as it went in: its answers,
// and what each verdict says of each.
type scoredTask struct {
	Outputs  []string
	Outcomes [][]evaluator.Outcome
}

// scoreSource scores samples by two verdicts, and returns what became of each task
// that has any.
func scoreSource(t *testing.T, tasks *task.Set, source evaluator.SampleReader, outputs ...evaluator.Output) (map[task.ID]scoredTask, *evaluator.Summary) {
	t.Helper()
	scored := map[task.ID]scoredTask{}
	collect := func(dst []byte, r *evaluator.Result) []byte {
		var of scoredTask
		for i := range r.Samples {
			var outcomes []evaluator.Outcome
			for _, judgement := range r.Samples[i].Judgements {
				outcomes = append(outcomes, judgement.Outcome)
			}
			of.Outputs = append(of.Outputs, strings.Clone(r.Samples[i].Output))
			of.Outcomes = append(of.Outcomes, outcomes)
		}
		if len(of.Outputs) > 0 {
			scored[r.Task.Meta.ID] = of
		}
		return dst
	}
	summary, err := evaluator.Run(t.Context(), tasks, source, evaluator.Options{
		K: []int{1, 2, 5}, Workers: 1, Judges: []func() (evaluator.Judge, error){newShortJudge},
		Outputs: append(outputs, evaluator.Output{Encode: collect, Writer: new(bytes.Buffer)}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return scored, summary
}

// roundTripTasks has tasks with several samples, one and none, and the samples as
// our own format has them: some with all that JSON escapes, an empty one, and one
// that a verdict does not know.
func roundTripTasks(t *testing.T) (*task.Set, evaluator.SampleReader) {
	t.Helper()
	all, samples := formatTasks()
	hostile := strings.ToValidUTF8(hostileText, "?")
	samples["10"] = append(samples["10"], hostile, "", "x = 1  # so\n")
	samples["2"] = []string{"```python\nx = 1\n```\n" + hostile}
	tasks, err := task.NewSet(all)
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for _, id := range []task.ID{"10", "a/b", "2", "9"} { // 9 was asked and has none
		text = pyjson.AppendLine(text, pyjson.Object{{"id", id}, {"outputs", append([]string{}, samples[id]...)}})
	}
	return tasks, evaluator.NewJSONL("samples", bytes.NewReader(text))
}

// checkRoundTrip requires that our own reader finds the format in a file, takes the
// samples out of it that went in, and that they have the same scores.
func checkRoundTrip(t *testing.T, format Format, file []byte, tasks *task.Set, scored map[task.ID]scoredTask, summary *evaluator.Summary) {
	t.Helper()
	source, err := Read("file", bytes.NewReader(file), Auto, tasks)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if source.Format() != format {
		t.Errorf("read as %s, want %s", source.Format(), format)
	}
	again, sums := scoreSource(t, tasks, source)
	if diff := cmp.Diff(scored, again); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(string(report.Summary(summary, evaluator.About{})), string(report.Summary(sums, evaluator.About{}))); diff != "" {
		t.Error(diff)
	}
}
