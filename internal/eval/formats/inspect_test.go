package formats

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
)

// inspectOutcomes are what inspect's values stand for.
var inspectOutcomes = map[string]evaluator.Outcome{"C": evaluator.Pass, "I": evaluator.Fail, "N": evaluator.Unknown}

// A log that was written is read with the same answers, of which the scores are those
// that stand in the log. The reader takes answers alone, as any log's scorers are
// its own: the scores are taken from the text.
func TestInspectRoundTrip(t *testing.T) {
	tasks, source := roundTripTasks(t)
	w, err := NewInspectWriter(evaluator.About{Title: "Title", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	scored, summary := scoreSource(t, tasks, source, evaluator.Output{Encode: w.Encode, Writer: w})
	var file bytes.Buffer
	if err := w.Render(&file, summary); err != nil {
		t.Fatal(err)
	}
	checkRoundTrip(t, Inspect, file.Bytes(), tasks, scored, summary)
	checkRoundTrip(t, Inspect, zipped(t, file.String()), tasks, scored, summary)

	var log struct {
		Results struct {
			Scores []struct {
				Name, Reducer string
				Metrics       struct{ Accuracy struct{ Value float64 } }
			}
		}
		Samples []struct {
			ID     task.ID
			Epoch  int
			Error  json.RawMessage
			Scores struct{ Flake8, Short struct{ Value string } }
		}
	}
	if err := json.Unmarshal(file.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	written := map[task.ID][][]evaluator.Outcome{}
	for _, s := range log.Samples {
		if s.Error != nil {
			continue // of a task without samples
		}
		if written[s.ID] = append(written[s.ID], []evaluator.Outcome{inspectOutcomes[s.Scores.Flake8.Value], inspectOutcomes[s.Scores.Short.Value]}); len(written[s.ID]) != s.Epoch {
			t.Errorf("epoch %d of %s stands in place %d", s.Epoch, s.ID, len(written[s.ID]))
		}
	}
	want := map[task.ID][][]evaluator.Outcome{}
	for id, of := range scored {
		want[id] = of.Outcomes
	}
	if diff := cmp.Diff(want, written); diff != "" {
		t.Error(diff)
	}
}

// Each verdict's scores for a log of inspect's own are those that the samples have, by
// the keys that inspect finds samples by: id and epoch. We read no such files.
func TestInspectScoresRoundTrip(t *testing.T) {
	tasks, source := roundTripTasks(t)
	verdicts := []evaluator.Verdict{evaluator.Official, short}
	files := make([]bytes.Buffer, len(verdicts))
	var none bytes.Buffer
	outputs := []evaluator.Output{{Writer: &none, Encode: func(dst []byte, r *evaluator.Result) []byte { return AppendInspectScores(dst, r, evaluator.Guarded) }}}
	for v, verdict := range verdicts {
		outputs = append(outputs, evaluator.Output{
			Encode: func(dst []byte, r *evaluator.Result) []byte { return AppendInspectScores(dst, r, verdict) },
			Writer: &files[v],
		})
	}
	scored, _ := scoreSource(t, tasks, source, outputs...)
	if none.Len() > 0 {
		t.Errorf("scores of a verdict that there is not: %s", &none)
	}
	for v := range verdicts {
		samples := 0
		for line := range bytes.Lines(files[v].Bytes()) {
			var record struct {
				ID    task.ID
				Epoch int
				Value string
			}
			if err := json.Unmarshal(line, &record); err != nil {
				t.Fatal(err)
			}
			outcomes := scored[record.ID].Outcomes
			if record.Epoch < 1 || record.Epoch > len(outcomes) || inspectOutcomes[record.Value] != outcomes[record.Epoch-1][v] {
				t.Errorf("%s: %s", verdicts[v], line)
			}
			samples++
		}
		if want := 6 + 3 + 1; samples != want {
			t.Errorf("%s: %d samples, want %d", verdicts[v], samples, want)
		}
	}
}
