package report

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
	"codelinter/evaluator/dataset"
)

// encoded scores samples and returns what encode makes of each task, and the
// sums.
func encoded(t testing.TB, tasks []dataset.Task, samples map[dataset.ID][]string, k []int, encode func([]byte, *evaluator.Result) []byte) (texts [][]byte, sums *evaluator.Summary) {
	t.Helper()
	scorer, err := evaluator.NewScorer(k...)
	if err != nil {
		t.Fatal(err)
	}
	var results bytes.Buffer
	for i := range tasks {
		result := scorer.Score(&tasks[i], samples[tasks[i].Meta.ID])
		texts = append(texts, encode(nil, result))
		results.Write(AppendResult(nil, result))
	}
	run, err := ReadRun("results", &results)
	if err != nil {
		t.Fatal(err)
	}
	return texts, run.Summary
}

// formatTasks are of uneven numbers of samples, among them none.
func formatTasks() ([]dataset.Task, map[dataset.ID][]string) {
	task := func(id dataset.ID) dataset.Task {
		return dataset.Task{
			Instruction: "Mend {code}",
			Inputs:      dataset.Inputs{Code: "x=1\n", Feedback: "E225"},
			Meta:        dataset.Meta{ID: id, CanonicalCode: "x = 1\n"},
		}
	}
	const good, bad = "```python\nx = 1\n```", "```python\nfrom a import *\nx=1\n```"
	return []dataset.Task{task("10"), task("a/b"), task("9"), task("2")}, map[dataset.ID][]string{
		"10":  {good, bad, good},
		"a/b": {bad, "```py\nx = 1\n```", "```python\nx = 1\n"},
		"2":   {"x = 1\n"},
	}
}

func TestLMEval(t *testing.T) {
	sums := &evaluator.Summary{Tasks: 12, Samples: 120, Most: 10, Official: []evaluator.Average{
		{K: 1, Formula: 0.46666666666666673, Stderr: 0.0915633026044735},
		{K: 10, Formula: 1, Stderr: 0},
		{K: 5, Formula: 0.8333333333333334, Stderr: math.NaN()},
	}}
	// In the form of lm-evaluation-harness 0.4.13, without what only it can fill.
	want := `{
  "results": {
    "codelintereval": {
      "alias": "codelintereval",
      "pass@1,scoring": 0.46666666666666673,
      "pass@1_stderr,scoring": 0.0915633026044735,
      "pass@10,scoring": 1.0,
      "pass@10_stderr,scoring": 0.0,
      "pass@5,scoring": 0.8333333333333334,
      "pass@5_stderr,scoring": "N/A"
    }
  },
  "group_subtasks": {
    "codelintereval": []
  },
  "configs": {
    "codelintereval": {
      "task": "codelintereval",
      "num_fewshot": 0,
      "metric_list": [
        {
          "metric": "pass@1",
          "aggregation": "mean",
          "higher_is_better": true
        },
        {
          "metric": "pass@10",
          "aggregation": "mean",
          "higher_is_better": true
        },
        {
          "metric": "pass@5",
          "aggregation": "mean",
          "higher_is_better": true
        }
      ],
      "output_type": "generate_until",
      "repeats": 10,
      "filter_list": [
        {
          "name": "scoring",
          "filter": [
            {
              "function": "rucodelinterevalscoring"
            }
          ]
        }
      ],
      "metadata": {
        "version": 1.0
      }
    }
  },
  "versions": {
    "codelintereval": 1.0
  },
  "n-shot": {
    "codelintereval": 0
  },
  "higher_is_better": {
    "codelintereval": {
      "pass@1": true,
      "pass@10": true,
      "pass@5": true
    }
  },
  "n-samples": {
    "codelintereval": {
      "original": 12,
      "effective": 12
    }
  },
  "config": {
    "model": "some/model <1>",
    "model_args": "model=some/model <1>",
    "limit": null
  },
  "git_hash": null,
  "date": 1700000000.25,
  "task_hashes": {},
  "model_source": "CUSTOM",
  "model_name": "some/model <1>",
  "model_name_sanitized": "some__model __1__"
}
`
	about := About{Title: "Title", Model: "some/model <1>", Created: time.UnixMilli(1700000000250)}
	if diff := cmp.Diff(want, string(LMEval(about, sums))); diff != "" {
		t.Error(diff)
	}
	if got := LMEval(About{}, &evaluator.Summary{}); !json.Valid(got) || !bytes.Contains(got, []byte(`"model": "unknown"`)) {
		t.Errorf("of nothing: %s", got)
	}
}

func TestSubmission(t *testing.T) {
	tasks, samples := formatTasks()
	tasks = tasks[1:3]
	samples["a/b"] = []string{"x = 1\n", "é\u2028\U0001f40d\x00\x1f\x7f\t\r\b\f/<&>\\\"", "\xff\xfe"}
	// As Python writes it: json.dump(…, ensure_ascii=False, indent=4).
	want := `{
    "data": {
        "test": [
            {
                "outputs": [
                    [
                        "x = 1\n",
                        "é` + "\u2028\U0001f40d" + `\u0000\u001f` + "\x7f" + `\t\r\b\f/<&>\\\"",
                        "` + "\ufffd\ufffd" + `"
                    ]
                ],
                "meta": {
                    "id": "a/b"
                }
            },
            {
                "outputs": [
                    []
                ],
                "meta": {
                    "id": 9
                }
            }
        ]
    }
}`
	write := func(zipped bool) []byte {
		var file bytes.Buffer
		s, err := NewSubmission(&file, zipped)
		if err != nil {
			t.Fatal(err)
		}
		texts, _ := encoded(t, tasks, samples, []int{1}, s.Encode)
		if n, err := s.Write(bytes.Join(texts, nil)); err != nil || n != len(texts[0])+len(texts[1]) {
			t.Fatalf("Write: %d, %v", n, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return file.Bytes()
	}
	if diff := cmp.Diff(want, string(write(false))); diff != "" {
		t.Error(diff)
	}
	zipped := write(true)
	archive, err := zip.NewReader(bytes.NewReader(zipped), int64(len(zipped)))
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.File) != 1 || archive.File[0].Name != "CodeLinterEval.json" || archive.File[0].Modified.Year() != 1980 {
		t.Errorf("the zip holds %+v", archive.File)
	}
	entry, err := archive.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(entry); err != nil || text.String() != want {
		t.Errorf("in the zip: %v\n%s", err, cmp.Diff(want, text.String()))
	}

	var empty bytes.Buffer
	s, err := NewSubmission(&empty, false)
	if err == nil {
		err = s.Close()
	}
	if want := "{\n    \"data\": {\n        \"test\": []\n    }\n}"; err != nil || empty.String() != want {
		t.Errorf("of no tasks: %v\n%s", err, empty.String())
	}
}

// hostileText is what a model may answer.
const hostileText = "\xff\xfe\ud7ff\x00\u2028\u2029\ufeff```python\n\x1b[0m'\"\\</script>attachment://0\r\n"

func TestFormatsOfHostileText(t *testing.T) {
	tasks := []dataset.Task{{Instruction: hostileText + "{code}", Inputs: dataset.Inputs{Code: hostileText}, Meta: dataset.Meta{ID: dataset.ID(strings.ToValidUTF8(hostileText, "")), CanonicalCode: hostileText}}}
	samples := map[dataset.ID][]string{tasks[0].Meta.ID: {hostileText, "", strings.Repeat(hostileText, 10000)}}
	about := About{Title: hostileText, Model: hostileText}
	log, text := inspected(t, about, tasks, samples, []int{1})
	if !utf8.Valid(text) || len(log.Samples) != 3 || log.Samples[2].Output.Choices[0].Message.Content != replaced(strings.Repeat(hostileText, 10000)) {
		t.Error("a log lost an answer")
	}
	_, sums := encoded(t, tasks, samples, []int{1}, AppendResult)
	if got := LMEval(about, sums); !json.Valid(got) || !utf8.Valid(got) {
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
		s, err := NewSubmission(&room, zipped)
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
	_, log := inspected(t, About{}, tasks, samples, []int{1})
	for room := narrow(0); int(room) < len(log); room += narrow(len(log) / 7) {
		l, err := NewInspect(About{})
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
