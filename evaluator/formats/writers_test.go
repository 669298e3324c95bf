package formats

import (
	"bytes"
	"codelinter/evaluator"
	"codelinter/evaluator/report"
	"codelinter/evaluator/task"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
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
	texts, _ := encoded(t, tasks, samples, []int{1}, AppendInspectScores)
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
