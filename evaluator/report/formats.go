package report

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/dataset"
	"codelinter/evaluator/extract"
)

// About says what a run was of, for files that other tools read.
type About struct {
	Title   string    // what was scored
	Model   string    // "unknown" if it is ""
	Created time.Time // of the samples; the files are the same for the same time
}

func (a *About) model() string {
	if a.Model == "" {
		return "unknown"
	}
	return a.Model
}

// benchmark is the task's name in other tools.
const benchmark = "codelintereval"

// LMEval returns the sums as lm-evaluation-harness writes its results: an object
// with the scores under "results", by the keys "pass@1,scoring" and
// "pass@1_stderr,scoring". They are those of the benchmark's own formula, which
// is what the harness would compute, and a standard error of one task is "N/A".
func LMEval(about About, s *evaluator.Summary) []byte {
	type object = map[string]any
	scores := object{"alias": benchmark}
	better := object{}
	for i := range s.Official {
		average := &s.Official[i]
		scores[average.Name()+",scoring"] = average.Formula
		scores[average.Name()+"_stderr,scoring"] = any(average.Stderr)
		if math.IsNaN(average.Stderr) {
			scores[average.Name()+"_stderr,scoring"] = "N/A"
		}
		better[average.Name()] = true
	}
	text, err := json.MarshalIndent(struct {
		Results  object `json:"results"`
		Groups   object `json:"group_subtasks"`
		Configs  object `json:"configs"`
		Versions object `json:"versions"`
		Shots    object `json:"n-shot"`
		Better   object `json:"higher_is_better"`
		Samples  object `json:"n-samples"`
		Config   object `json:"config"`
	}{
		Results:  object{benchmark: scores},
		Groups:   object{benchmark: []string{}},
		Configs:  object{benchmark: object{"task": benchmark, "num_fewshot": 0, "repeats": s.Most}},
		Versions: object{benchmark: "N/A"},
		Shots:    object{benchmark: 0},
		Better:   object{benchmark: better},
		Samples:  object{benchmark: object{"original": s.Tasks, "effective": s.Tasks}},
		Config:   object{"model": about.model()},
	}, "", "  ")
	if err != nil {
		panic(err) // of types that always encode
	}
	return append(text, '\n')
}

// A Submission writes samples as the benchmark wants them handed in:
//
//	{"data": {"test": [{"outputs": [["...", "..."]], "meta": {"id": 7}}]}}
//
// in a zip, or bare. Its [Submission.Encode] and [Submission.Write] are an
// [evaluator.Output]; Close ends the file.
type Submission struct {
	out     *bufio.Writer
	archive *zip.Writer // nil: bare
	after   bool        // a task was written
}

// NewSubmission begins a file on w.
func NewSubmission(w io.Writer, zipped bool) (*Submission, error) {
	s := &Submission{}
	if zipped {
		s.archive = zip.NewWriter(w)
		entry, err := s.archive.CreateHeader(&zip.FileHeader{Name: "CodeLinterEval.json", Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		w = entry
	}
	s.out = bufio.NewWriterSize(w, 64<<10)
	_, err := s.out.WriteString(`{"data": {"test": [`)
	return s, err
}

// Encode appends a task's samples, on any goroutine.
func (s *Submission) Encode(dst []byte, r *evaluator.Result) []byte {
	outputs := make([]string, len(r.Samples))
	for i := range r.Samples {
		outputs[i] = r.Samples[i].Output
	}
	type meta struct {
		ID dataset.ID `json:"id"`
	}
	dst = append(dst, ',', '\n')
	return appendJSON(dst, struct {
		Outputs [][]string `json:"outputs"`
		Meta    meta       `json:"meta"`
	}{[][]string{outputs}, meta{r.Task.Meta.ID}})
}

// Write takes what Encode made.
func (s *Submission) Write(tasks []byte) (int, error) {
	n := len(tasks)
	if !s.after && n > 0 {
		s.after = true
		tasks = tasks[1:] // the comma
	}
	_, err := s.out.Write(tasks)
	return n, err
}

// Close ends the file. It does not close the writer below.
func (s *Submission) Close() error {
	if _, err := s.out.WriteString("]}}\n"); err != nil {
		return err
	}
	if err := s.out.Flush(); err != nil || s.archive == nil {
		return err
	}
	return s.archive.Close()
}

// An Inspect writes a run as a log of inspect_ai, in its format in JSON (version
// 2), whose samples are scored: inspect's viewer and log functions read it like
// one of a run of its own. A sample of the log is one of ours: its "id" is the
// task's, its "epoch" the sample's number from 1. The score is called "flake8"
// and is "C" or "I".
//
// Its [Inspect.Encode] and [Inspect.Write] are an [evaluator.Output]. As the
// sums come first in the file, samples wait in a temporary one for
// [Inspect.Render], which [Inspect.Close] removes.
type Inspect struct {
	about About
	spool *os.File
	out   *bufio.Writer
	after bool
}

// NewInspect begins a log.
func NewInspect(about About) (*Inspect, error) {
	spool, err := os.CreateTemp("", "codelinter-*.json")
	if err != nil {
		return nil, err
	}
	return &Inspect{about: about, spool: spool, out: bufio.NewWriterSize(spool, 64<<10)}, nil
}

// Close removes the temporary file.
func (l *Inspect) Close() error {
	l.spool.Close()
	return os.Remove(l.spool.Name())
}

type inspectMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type inspectChoice struct {
	Message    inspectMessage `json:"message"`
	StopReason string         `json:"stop_reason"`
}

type inspectScore struct {
	Value       string         `json:"value"`
	Answer      string         `json:"answer"`
	Explanation string         `json:"explanation"`
	Metadata    map[string]any `json:"metadata"`
}

type inspectOutput struct {
	Model   string          `json:"model"`
	Choices []inspectChoice `json:"choices"`
}

type inspectSample struct {
	ID       dataset.ID              `json:"id"`
	Epoch    int                     `json:"epoch"`
	Input    string                  `json:"input"`
	Target   string                  `json:"target"`
	Messages []inspectMessage        `json:"messages"`
	Output   inspectOutput           `json:"output"`
	Scores   map[string]inspectScore `json:"scores"`
}

// Encode appends a task's samples, on any goroutine.
func (l *Inspect) Encode(dst []byte, r *evaluator.Result) []byte {
	prompt := r.Task.Prompt()
	for i := range r.Samples {
		from := &r.Samples[i]
		value := "I"
		if from.Official {
			value = "C"
		}
		var explanation []byte
		for j := range from.Findings {
			f := &from.Findings[j]
			explanation = appendFinding(explanation, f.Row, f.Column, f.Code.String(), f.Message())
		}
		stop := "unknown"
		if from.Extraction == extract.Open {
			stop = "max_tokens"
		}
		answer := inspectMessage{"assistant", from.Output}
		dst = append(dst, ',', '\n')
		dst = appendJSON(dst, inspectSample{
			ID:       r.Task.Meta.ID,
			Epoch:    i + 1,
			Input:    prompt,
			Target:   r.Task.Meta.CanonicalCode,
			Messages: []inspectMessage{{"user", prompt}, answer},
			Output:   inspectOutput{l.about.model(), []inspectChoice{{answer, stop}}},
			Scores: map[string]inspectScore{"flake8": {value, from.Code, string(explanation), map[string]any{
				"extraction": from.Extraction.String(), "found": from.Found,
				"fixed": from.Fixed, "left": from.Left, "introduced": from.Introduced,
			}}},
		})
	}
	return dst
}

// Write takes what Encode made.
func (l *Inspect) Write(samples []byte) (int, error) {
	n := len(samples)
	if !l.after && n > 0 {
		l.after = true
		samples = samples[1:] // the comma
	}
	_, err := l.out.Write(samples)
	return n, err
}

// Render writes the whole log.
func (l *Inspect) Render(w io.Writer, s *evaluator.Summary) error {
	type object = map[string]any
	created := l.about.Created.UTC().Format("2006-01-02T15:04:05+00:00")
	metric := func(metrics object, name string, value float64) {
		if !math.IsNaN(value) {
			metrics[name] = object{"name": name, "value": value, "params": object{}}
		}
	}
	metrics := object{}
	accuracy, stderr := evaluator.PassAt(s.Outcomes, 1)
	metric(metrics, "accuracy", accuracy)
	metric(metrics, "stderr", stderr)
	for i := range s.Official {
		metric(metrics, s.Official[i].Name(), s.Official[i].Formula)
	}
	// An object of several fields is written in their order, which is part of
	// the format.
	head, err := json.Marshal(struct {
		Version int    `json:"version"`
		Status  string `json:"status"`
		Eval    object `json:"eval"`
		Plan    object `json:"plan"`
		Results object `json:"results"`
		Stats   object `json:"stats"`
	}{
		Version: 2,
		Status:  "success",
		Eval: object{
			"run_id": benchmark, "created": created, "task": benchmark, "task_id": benchmark, "task_version": 0,
			"dataset": object{"name": l.about.Title, "samples": s.Tasks},
			"model":   l.about.model(),
			"config":  object{"epochs": max(s.Most, 1)},
		},
		Plan: object{"name": "plan", "steps": []any{}, "config": object{}},
		Results: object{
			"total_samples": s.Samples, "completed_samples": s.Samples,
			"scores": []any{object{"name": "flake8", "scorer": "flake8", "reducer": "mean", "params": object{}, "metrics": metrics}},
		},
		Stats: object{"started_at": created, "completed_at": created, "model_usage": object{}},
	})
	if err != nil {
		return err
	}
	if err := l.out.Flush(); err != nil {
		return err
	}
	if _, err := l.spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := w.Write(append(head[:len(head)-1], `,"samples":[`...)); err != nil {
		return err
	}
	if _, err := io.Copy(w, l.spool); err != nil {
		return err
	}
	_, err = io.WriteString(w, "]}\n")
	return err
}

// appendFinding appends a finding as a line: "2:5 E225 missing …".
func appendFinding(dst []byte, row, column int32, code, message string) []byte {
	if len(dst) > 0 {
		dst = append(dst, '\n')
	}
	return fmt.Appendf(dst, "%d:%d %s %s", row, column, code, message)
}
