package formats

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"slices"
	"strconv"
	"sync"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/stats"
	"codelinter/internal/util/atomicfile"
)

// An InspectWriter writes a run as a log of inspect_ai, in its JSON format (version
// 2). Inspect's viewer and functions read it like a log of its own. A sample's "id"
// is the task's, and its "epoch" is the sample's number from 1. The official score is
// called "flake8" and is "C" or "I", with the findings as explanation. Scores of
// other verdicts have the verdicts' names, the reasons as explanation, and "N" for
// unknown.
//
// For inspect, pass@k is a reducer of a task's epochs to one value. So each k is a
// score with the reducer "pass_at_k", whose "accuracy" is the mean over the tasks and
// "stderr" its standard error. A k above every task's number of samples is left out.
// For each k, a task with fewer than k samples is left out, as inspect has no value
// for it either. A task without samples has as many epochs as other tasks, each an
// error with the score "I", so it counts as failed for inspect too. If inspect
// computes the scores again, it gets the same.
//
// [InspectWriter.Encode] and [InspectWriter.Write] are an [evaluator.Output]. The
// sums come first in the log, so samples wait in a temporary file until
// [InspectWriter.Render]. [InspectWriter.Close] removes that file.
type InspectWriter struct {
	about evaluator.About
	spool *atomicfile.File
	out   *bufio.Writer
	after bool      // a sample was written
	sum   hash.Hash // of all samples

	mutex sync.Mutex
	tasks []inspectTask
}

// An inspectTask has what the sums need of a task.
type inspectTask struct {
	task   *task.Task
	n      int
	passes []evaluator.Passes // by verdict
}

// scorerOf returns the scorer's name for a verdict.
func scorerOf(verdict evaluator.Verdict) string {
	if verdict == evaluator.Official {
		return "flake8"
	}
	return string(verdict)
}

// NewInspectWriter begins a log.
func NewInspectWriter(about evaluator.About) (*InspectWriter, error) {
	if about.Model == "" {
		about.Model = "none/none" // inspect can then add a score without a model
	}
	spool, err := atomicfile.New()
	if err != nil {
		return nil, err
	}
	return &InspectWriter{about: about, spool: spool, out: bufio.NewWriterSize(spool, 64<<10), sum: sha256.New()}, nil
}

// Close removes the temporary file.
func (l *InspectWriter) Close() error { return l.spool.Close() }

type inspectScoreMetadata struct {
	Extraction string           `json:"extraction"`
	Found      int              `json:"found"`
	Fixed      int              `json:"fixed"`
	Left       int              `json:"left"`
	Introduced int              `json:"introduced"`
	Codes      evaluator.Counts `json:"codes"`
	Saved      []string         `json:"saved,omitempty"`
}

type inspectReasons struct {
	Proof   string             `json:"proof,omitempty"`
	Reasons []evaluator.Reason `json:"reasons,omitempty"`
	Reward  *float64           `json:"reward"` // null if masked
}

// Encode appends a task's samples, on any goroutine.
func (l *InspectWriter) Encode(dst []byte, r *evaluator.Result) []byte {
	if r.NotAsked {
		return dst // as in a log of inspect's own with a limit
	}
	t := inspectTask{task: r.Task, n: len(r.Samples)}
	for i := range r.Scores {
		t.passes = append(t.passes, r.Scores[i].Passes)
	}
	l.mutex.Lock()
	l.tasks = append(l.tasks, t)
	l.mutex.Unlock()
	metadata := object{{Name: "prompt", Value: r.Task.TemplateName()}, {Name: "lines", Value: evaluator.Lines(r.Task.Inputs.Code)}, {Name: "given", Value: r.Given}}
	for i := range r.Samples {
		from := &r.Samples[i]
		sample := l.sample(r.Task, i+1, from.Output)
		sample.Metadata = metadata
		answer := l.answer(&sample, from.Output)
		sample.Messages = append(sample.Messages, answer)
		sample.Output = l.output(answer)
		// The viewer's transcript and inspect's messages_df show the events.
		prompt := sample.Messages[0]
		prompt.Content, answer.Content = attach(&sample, prompt.Content), attach(&sample, answer.Content)
		sample.Events = append(sample.Events, inspectModelEvent{
			inspectEvent: l.event(&sample, "model", "-model"), Model: l.about.Model, Input: []inspectMessage{prompt}, ToolChoice: "none", Output: l.output(answer),
		})
		for v := range r.Scores {
			name := scorerOf(r.Scores[v].Verdict)
			score := inspectLoggedScore{inspectScore: inspectVerdict(from, v)}
			sample.Scores = append(sample.Scores, pyjson.Field{Name: name, Value: score})
			score.Answer = nil // it may be large, and is in the scores
			score.Explanation = attach(&sample, score.Explanation)
			uuid := "-score"
			if v > 0 {
				uuid += "-" + name
			}
			sample.Events = append(sample.Events, inspectScoreEvent{
				inspectEvent: l.event(&sample, "score", uuid), Score: score, Target: attach(&sample, r.Task.Meta.CanonicalCode), Scorer: name,
			})
		}
		dst = pyjson.AppendLine(append(dst, ",\n"...), &sample)
	}
	return dst
}

// sample returns a sample without its answer and scores. Its name depends on the model, the time,
// the task, the epoch and the answer.
func (l *InspectWriter) sample(task *task.Task, epoch int, output string) inspectEvalSample {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %d %q %d\n%s", l.about.Model, l.about.Created.UnixNano(), task.Meta.ID, epoch, output)
	uuid := inspectName(sum)
	return inspectEvalSample{
		ID: task.Meta.ID, Epoch: epoch, UUID: uuid, Input: task.Prompt(), Target: task.Meta.CanonicalCode,
		Messages: []inspectMessage{{ID: uuid + "-prompt", Role: "user", Source: "input", Content: task.Prompt()}},
		Output:   inspectOutput{Model: l.about.Model}, Attachments: map[string]string{},
	}
}

func (l *InspectWriter) answer(s *inspectEvalSample, text string) inspectMessage {
	return inspectMessage{ID: s.UUID + "-answer", Role: "assistant", Source: "generate", Content: text, Model: l.about.Model}
}

// output returns the model's output. The samples' files do not say why it stopped.
func (l *InspectWriter) output(answer inspectMessage) inspectOutput {
	return inspectOutput{Model: l.about.Model, Choices: list[inspectChoice]{{answer, "unknown"}}, Completion: answer.Content}
}

// attach adds a text to a sample's attachments and returns a reference to it.
func attach(s *inspectEvalSample, text string) string {
	sum := sha256.Sum256([]byte(text))
	name := hex.EncodeToString(sum[:16])
	s.Attachments[name] = text
	return "attachment://" + name
}

func (l *InspectWriter) event(s *inspectEvalSample, kind, uuid string) inspectEvent {
	return inspectEvent{UUID: s.UUID + uuid, Timestamp: l.created(), Event: kind}
}

// created is the log's time in inspect's form.
func (l *InspectWriter) created() string {
	return l.about.Created.UTC().Format("2006-01-02T15:04:05+00:00")
}

// inspectName makes a name of a hash, as long as inspect's own names.
func inspectName(sum hash.Hash) string {
	return hex.EncodeToString(sum.Sum(nil))[:22]
}

// inspectVerdict returns a sample's score by the verdict with index v.
func inspectVerdict(s *evaluator.Sample, v int) inspectScore {
	j := &s.Judgements[v]
	value := [...]string{evaluator.Pass: "C", evaluator.Fail: "I", evaluator.Unknown: "N"}[j.Outcome]
	if v > 0 {
		reasons := &inspectReasons{j.Proof, j.Reasons, &j.Reward}
		if j.Masked {
			reasons.Reward = nil
		}
		return inspectScore{Value: value, Answer: &s.Code, Explanation: explainReasons(j), Metadata: reasons}
	}
	metadata := &inspectScoreMetadata{
		Extraction: s.Extraction.String(), Found: s.Found, Fixed: s.Fixed, Left: s.Left, Introduced: s.Introduced,
		Codes: s.Codes(), Saved: s.Saved.Names(),
	}
	return inspectScore{Value: value, Answer: &s.Code, Explanation: string(appendExplanation(nil, s)), Metadata: metadata}
}

// explainReasons says why an answer does not pass by a verdict, in a fence as in
// appendExplanation.
func explainReasons(j *evaluator.Judgement) string {
	text := [...]string{evaluator.Pass: "It passes", evaluator.Fail: "It fails", evaluator.Unknown: "It is not known"}[j.Outcome]
	if j.Proof != "" {
		text += ", by " + j.Proof
	}
	if len(j.Reasons) == 0 {
		return text + "."
	}
	text += ":\n\n```text"
	for _, reason := range j.Reasons {
		text += "\n" + reason.Name + ": " + reason.Text
		if reason.Line > 0 {
			text += fmt.Sprintf(" (line %d)", reason.Line)
		}
	}
	return text + "\n```"
}

// appendExplanation says where the code is in the answer, and lists its findings. The
// viewer renders Markdown, in which a message such as "'from x import *' used" would
// look different, so the findings are in a fence.
func appendExplanation(dst []byte, s *evaluator.Sample) []byte {
	switch {
	case s.Blocks > 0 && s.Python == 0:
		dst = append(dst, "None of the fenced blocks is called python, which leaves an empty line as the code. "...)
	case s.Extraction == extract.Open:
		dst = append(dst, "The fence is left open; what follows it is the code. "...)
	case s.Extraction == extract.Whole:
		dst = append(dst, "There is no fence that counts; the whole answer is the code. "...)
	}
	switch s.Found {
	case 0:
		return append(dst, "flake8 finds nothing."...)
	case len(s.Findings):
		dst = fmt.Appendf(dst, "flake8 finds %d:\n\n```text", s.Found)
	default:
		dst = fmt.Appendf(dst, "flake8 finds %d, of which these are the first %d:\n\n```text", s.Found, len(s.Findings))
	}
	for i := range s.Findings {
		f := &s.Findings[i]
		dst = fmt.Appendf(dst, "\n%d:%d %s %s", f.Row, f.Column, f.Code, f.Message())
	}
	return append(dst, "\n```"...)
}

// Write writes the result of Encode.
func (l *InspectWriter) Write(samples []byte) (int, error) {
	n := len(samples)
	if !l.after && n > 0 {
		l.after = true
		samples = samples[1:] // the comma
	}
	l.sum.Write(samples)
	_, err := l.out.Write(samples)
	return n, err
}

func (l *InspectWriter) writeMissing(s *evaluator.Summary, epochs int) error {
	for i := range l.tasks {
		t := &l.tasks[i]
		if t.n > 0 {
			continue
		}
		t.n = epochs
		for epoch := range epochs {
			sample := l.sample(t.task, epoch+1, "")
			for v := range s.Totals {
				score := inspectLoggedScore{inspectScore: inspectScore{Value: "I", Explanation: "There is no sample for this task, which counts as failed."}}
				sample.Scores = append(sample.Scores, pyjson.Field{Name: scorerOf(s.Totals[v].Verdict), Value: score})
			}
			sample.Error = &inspectError{Message: "no sample for this task"}
			if _, err := l.Write(pyjson.AppendLine([]byte(",\n"), &sample)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Render writes the whole log.
func (l *InspectWriter) Render(w io.Writer, s *evaluator.Summary) error {
	slices.SortFunc(l.tasks, func(a, b inspectTask) int { return compareIDs(a.task.Meta.ID, b.task.Meta.ID) })
	epochs := max(s.Most, 1)
	if err := l.writeMissing(s, epochs); err != nil {
		return err
	}
	if err := l.out.Flush(); err != nil {
		return err
	}
	if _, err := l.spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	reducers, scores, reductions := l.reduce(s, epochs)
	head := pyjson.AppendLine(nil, l.head(s, epochs, reducers, scores))
	if _, err := w.Write(append(head[:len(head)-len("}\n")], `,"samples":[`...)); err != nil {
		return err
	}
	if _, err := io.Copy(w, l.spool); err != nil {
		return err
	}
	tail := append([]byte(`],"reductions":`), pyjson.AppendLine(nil, reductions)...)
	_, err := w.Write(append(tail, "}\n"...))
	return err
}

// head returns the log without its samples and their reductions.
func (l *InspectWriter) head(s *evaluator.Summary, epochs int, reducers []string, scores []inspectEvalScore) *inspectEvalLog {
	log := &inspectEvalLog{
		Version: 2, Status: "success", Plan: inspectEvalPlan{Name: "plan"},
		Stats: inspectEvalStats{StartedAt: l.created(), CompletedAt: l.created()},
	}
	official := scorerOf(evaluator.Official)
	log.Results = inspectEvalResults{
		TotalSamples: s.Samples + len(s.Missing)*epochs, CompletedSamples: s.Samples, Scores: scores,
		Headline: inspectHeadline{Scorer: official, Score: official, Metric: "accuracy", Reducer: reducers[0]},
	}
	spec := inspectEvalSpec{
		Created: l.created(), Task: benchmark, TaskVersion: 1, TaskDisplayName: "CodeLinterEval", Model: l.about.Model,
		Dataset: inspectEvalDataset{Name: l.about.Title, Samples: s.Tasks},
		Config:  inspectEvalConfig{epochs, reducers},
	}
	for v := range s.Totals {
		metrics := []inspectNamedOnly{{"inspect_ai/accuracy"}, {"inspect_ai/stderr"}}
		spec.Scorers = append(spec.Scorers, inspectScorer{scorerOf(s.Totals[v].Verdict), metrics})
	}
	for i := range l.tasks {
		spec.Dataset.SampleIDs = append(spec.Dataset.SampleIDs, l.tasks[i].task.Meta.ID)
	}
	for _, id := range []*string{&spec.RunID, &spec.TaskID, &spec.EvalID} {
		*id = inspectName(l.sum)
		l.sum.Write([]byte{'\n'})
	}
	log.Eval = spec
	return log
}

// reduce returns the scores of the results, one for each verdict and each k for which
// some task has enough samples, the values from which they are computed, and the
// names of the reducers. Without such a k it takes 1.
func (l *InspectWriter) reduce(s *evaluator.Summary, epochs int) (names []string, scores []inspectEvalScore, reductions []inspectReductions) {
	var ks []int
	for _, average := range s.Official().PassAt {
		if average.K <= epochs {
			ks = append(ks, average.K)
		}
	}
	if len(ks) == 0 {
		ks = []int{1}
	}
	for _, k := range ks {
		names = append(names, "pass_at_"+strconv.Itoa(k))
	}
	for v := range s.Totals {
		for i, k := range ks {
			score, reduction := l.reduceTo(scorerOf(s.Totals[v].Verdict), v, k, names[i])
			scores, reductions = append(scores, score), append(reductions, reduction)
		}
	}
	return names, scores, reductions
}

// reduceTo returns pass@k by the verdict with index v.
func (l *InspectWriter) reduceTo(scorer string, v, k int, reducer string) (inspectEvalScore, inspectReductions) {
	reduction := inspectReductions{Scorer: scorer, Reducer: reducer}
	var mean stats.Mean
	var values []float64
	for i := range l.tasks {
		t := &l.tasks[i]
		if !stats.PassAtKKnown(t.n, k) {
			continue
		}
		value := stats.PassAtK(t.n, t.passes[v].Passed, k)
		mean.Add(value)
		values = append(values, value)
		reduction.Samples = append(reduction.Samples, inspectReducedSample{Value: pyjson.Float(value), SampleID: t.task.Meta.ID})
	}
	accuracy, stderr := mean.Value(), stats.StandardError(values)
	if len(values) == 0 {
		accuracy = 0 // inspect's value
	}
	if math.IsNaN(stderr) {
		stderr = 0 // inspect's value
	}
	return inspectEvalScore{
		Name: scorer, Scorer: scorer, Reducer: reducer, ScoredSamples: len(values), UnscoredSamples: len(l.tasks) - len(values),
		Metrics: map[string]inspectEvalMetric{
			"accuracy": {Name: "accuracy", Value: pyjson.Float(accuracy)}, "stderr": {Name: "stderr", Value: pyjson.Float(stderr)},
		},
	}, reduction
}

// compareIDs orders integers before strings. The order of scoring differs from run to
// run.
func compareIDs(a, b task.ID) int {
	x, errX := strconv.ParseInt(string(a), 10, 64)
	y, errY := strconv.ParseInt(string(b), 10, 64)
	switch {
	case errX == nil && errY == nil:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

// AppendInspectScores appends a verdict's scores of a task's samples in the form that
// inspect_ai's precomputed_scores reads from a file, a line a sample:
//
//	{"id": 7, "epoch": 1, "value": "C", "answer": "...", "explanation": "...", "metadata": {...}}
//
// This command adds them to a log of the same samples:
//
//	inspect score log.eval --scorer inspect_ai/precomputed_scores -S scores=FILE.jsonl
//
// Such a file has one score for each sample, and inspect applies its default metrics,
// which know no lists and objects. So each verdict has a file of its own. Nothing is
// appended if the result does not have the verdict.
func AppendInspectScores(dst []byte, r *evaluator.Result, verdict evaluator.Verdict) []byte {
	v := slices.IndexFunc(r.Scores, func(score evaluator.Score) bool { return score.Verdict == verdict })
	if v < 0 {
		return dst
	}
	for i := range r.Samples {
		dst = pyjson.AppendLine(dst, struct {
			ID    task.ID `json:"id"`
			Epoch int     `json:"epoch"`
			inspectScore
		}{r.Task.Meta.ID, i + 1, inspectVerdict(&r.Samples[i], v)})
	}
	return dst
}
