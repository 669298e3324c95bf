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

// inspectScorer returns the scorer's name for a verdict.
func inspectScorer(verdict evaluator.Verdict) string {
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

type inspectScore struct {
	Value       string  `json:"value"`
	Answer      *string `json:"answer,omitempty"`
	Explanation string  `json:"explanation"`
	Metadata    any     `json:"metadata,omitempty"` // an *inspectScoreMetadata or *inspectReasons
}

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
	metadata := pyjson.Object{{"prompt", r.Task.TemplateName()}, {"lines", evaluator.Lines(r.Task.Inputs.Code)}, {"given", r.Given}}
	for i := range r.Samples {
		from := &r.Samples[i]
		sample := l.sample(r.Task, i+1, from.Output)
		sample.metadata = metadata
		// The viewer's transcript and inspect's messages_df show the events.
		prompt, answer := sample.prompt(sample.attach(r.Task.Prompt())), l.answer(sample.uuid, sample.attach(from.Output))
		sample.messages = append(sample.messages, l.answer(sample.uuid, from.Output))
		sample.event(l, "-model", "model", pyjson.Object{
			{"model", l.about.Model}, {"input", []any{prompt}}, {"tools", []any{}}, {"tool_choice", "none"},
			{"config", pyjson.Object{}}, {"output", l.output(answer)},
		})
		for v := range r.Scores {
			name := inspectScorer(r.Scores[v].Verdict)
			score := inspectVerdict(from, v)
			sample.scores = append(sample.scores, pyjson.Field{Name: name, Value: score})
			score.Answer = nil // it may be large, and is in the scores
			score.Explanation = sample.attach(score.Explanation)
			uuid := "-score"
			if v > 0 {
				uuid += "-" + name
			}
			sample.event(l, uuid, "score", pyjson.Object{
				{"score", score}, {"target", sample.attach(r.Task.Meta.CanonicalCode)}, {"scorer", name},
			})
		}
		dst = sample.append(append(dst, ",\n"...), l.output(sample.messages[1]))
	}
	return dst
}

// An inspectSample is a sample of the log.
type inspectSample struct {
	task     *task.Task
	uuid     string
	epoch    int
	messages []pyjson.Object
	scores   pyjson.Object
	metadata pyjson.Object
	events   []pyjson.Object
	err      pyjson.Object
	attached map[string]string // the texts of events, by hash
}

// sample returns a sample without its answer's score. Its name depends on the model,
// the time, the task, the epoch and the answer.
func (l *InspectWriter) sample(task *task.Task, epoch int, output string) *inspectSample {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %d %q %d\n%s", l.about.Model, l.about.Created.UnixNano(), task.Meta.ID, epoch, output)
	s := &inspectSample{task: task, uuid: inspectName(sum), epoch: epoch, events: []pyjson.Object{}, attached: map[string]string{}}
	s.messages = []pyjson.Object{s.prompt(task.Prompt())}
	return s
}

func (s *inspectSample) prompt(text string) pyjson.Object {
	return pyjson.Object{{"id", s.uuid + "-prompt"}, {"role", "user"}, {"source", "input"}, {"content", text}}
}

func (l *InspectWriter) answer(uuid, text string) pyjson.Object {
	return pyjson.Object{{"id", uuid + "-answer"}, {"role", "assistant"}, {"source", "generate"}, {"content", text}, {"model", l.about.Model}}
}

// output returns the model's output. The samples' files do not say why it stopped.
func (l *InspectWriter) output(answers ...pyjson.Object) pyjson.Object {
	choices := []any{}
	for _, answer := range answers {
		choices = append(choices, pyjson.Object{{"message", answer}, {"stop_reason", "unknown"}})
	}
	return pyjson.Object{{"model", l.about.Model}, {"choices", choices}}
}

// attach adds a text to the attachments and returns a reference to it.
func (s *inspectSample) attach(text string) string {
	sum := sha256.Sum256([]byte(text))
	name := hex.EncodeToString(sum[:16])
	s.attached[name] = text
	return "attachment://" + name
}

// event adds an event with some fields.
func (s *inspectSample) event(l *InspectWriter, uuid, kind string, fields pyjson.Object) {
	head := pyjson.Object{{"uuid", s.uuid + uuid}, {"timestamp", l.created()}, {"working_start", 0}, {"event", kind}}
	s.events = append(s.events, append(head, fields...))
}

func (s *inspectSample) append(dst []byte, output pyjson.Object) []byte {
	o := pyjson.Object{
		{"id", s.task.Meta.ID}, {"epoch", s.epoch}, {"input", s.task.Prompt()}, {"target", s.task.Meta.CanonicalCode},
		{"messages", s.messages}, {"output", output}, {"scores", s.scores},
	}
	if s.metadata != nil {
		o = append(o, pyjson.Field{"metadata", s.metadata})
	}
	o = append(o, pyjson.Field{"events", s.events}, pyjson.Field{"uuid", s.uuid})
	if s.err != nil {
		o = append(o, pyjson.Field{"error", s.err})
	}
	return pyjson.AppendLine(dst, append(o, pyjson.Field{"attachments", s.attached}))
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
		return inspectScore{value, &s.Code, explainReasons(j), reasons}
	}
	metadata := &inspectScoreMetadata{
		Extraction: s.Extraction.String(), Found: s.Found, Fixed: s.Fixed, Left: s.Left, Introduced: s.Introduced,
		Codes: s.Codes(), Saved: s.Saved.Names(),
	}
	return inspectScore{value, &s.Code, string(appendExplanation(nil, s)), metadata}
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
				score := inspectScore{Value: "I", Explanation: "There is no sample for this task, which counts as failed."}
				sample.scores = append(sample.scores, pyjson.Field{Name: inspectScorer(s.Totals[v].Verdict), Value: score})
			}
			sample.err = pyjson.Object{{"message", "no sample for this task"}, {"traceback", ""}, {"traceback_ansi", ""}}
			if _, err := l.Write(sample.append([]byte(",\n"), l.output())); err != nil {
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
func (l *InspectWriter) head(s *evaluator.Summary, epochs int, reducers []string, scores []pyjson.Object) pyjson.Object {
	scorers, ids := []any{}, []task.ID{}
	for v := range s.Totals {
		scorers = append(scorers, pyjson.Object{
			{"name", inspectScorer(s.Totals[v].Verdict)},
			{"metrics", []any{pyjson.Object{{"name", "inspect_ai/accuracy"}}, pyjson.Object{{"name", "inspect_ai/stderr"}}}},
		})
	}
	for i := range l.tasks {
		ids = append(ids, l.tasks[i].task.Meta.ID)
	}
	created := l.created()
	run := inspectName(l.sum)
	l.sum.Write([]byte{'\n'})
	task := inspectName(l.sum)
	l.sum.Write([]byte{'\n'})
	return pyjson.Object{
		{"version", 2},
		{"status", "success"},
		{"eval", pyjson.Object{
			{"eval_id", inspectName(l.sum)},
			{"run_id", run},
			{"created", created},
			{"task", benchmark},
			{"task_id", task},
			{"task_version", 1},
			{"task_display_name", "CodeLinterEval"},
			{"task_attribs", pyjson.Object{}},
			{"task_args", pyjson.Object{}},
			{"dataset", pyjson.Object{{"name", l.about.Title}, {"samples", s.Tasks}, {"sample_ids", ids}, {"shuffled", false}}},
			{"model", l.about.Model},
			{"model_generate_config", pyjson.Object{}},
			{"model_args", pyjson.Object{}},
			{"config", pyjson.Object{{"epochs", epochs}, {"epochs_reducer", reducers}}},
			{"packages", pyjson.Object{}},
			{"scorers", scorers},
		}},
		{"plan", pyjson.Object{{"name", "plan"}, {"steps", []any{}}, {"config", pyjson.Object{}}}},
		{"results", pyjson.Object{
			{"total_samples", s.Samples + len(s.Missing)*epochs},
			{"completed_samples", s.Samples},
			{"scores", scores},
			{"headline", pyjson.Object{{"scorer", inspectScorer(evaluator.Official)}, {"score", inspectScorer(evaluator.Official)}, {"metric", "accuracy"}, {"reducer", reducers[0]}}},
		}},
		{"stats", pyjson.Object{{"started_at", created}, {"completed_at", created}, {"model_usage", pyjson.Object{}}}},
	}
}

// reduce returns the scores of the results, one for each verdict and each k for which
// some task has enough samples, the values from which they are computed, and the
// names of the reducers. Without such a k it takes 1.
func (l *InspectWriter) reduce(s *evaluator.Summary, epochs int) (names []string, scores, reductions []pyjson.Object) {
	var ks []int
	for _, average := range s.Official().PassAt {
		if average.K <= epochs {
			ks = append(ks, average.K)
		}
	}
	if len(ks) == 0 {
		ks = []int{1}
	}
	for v := range s.Totals {
		scorer := inspectScorer(s.Totals[v].Verdict)
		for _, k := range ks {
			name := "pass_at_" + strconv.Itoa(k)
			if v == 0 {
				names = append(names, name)
			}
			samples := []pyjson.Object{}
			var mean stats.Mean
			var values []float64
			for i := range l.tasks {
				t := &l.tasks[i]
				if stats.PassAtKKnown(t.n, k) {
					value := stats.PassAtK(t.n, t.passes[v].Passed, k)
					mean.Add(value)
					values = append(values, value)
					samples = append(samples, pyjson.Object{{"value", pyjson.Float(value)}, {"sample_id", t.task.Meta.ID}})
				}
			}
			accuracy, stderr := mean.Value(), stats.StandardError(values)
			if len(values) == 0 {
				accuracy = 0 // inspect's value
			}
			if math.IsNaN(stderr) {
				stderr = 0 // inspect's value
			}
			metric := func(name string, value float64) pyjson.Field {
				return pyjson.Field{Name: name, Value: pyjson.Object{{"name", name}, {"value", pyjson.Float(value)}, {"params", pyjson.Object{}}}}
			}
			scores = append(scores, pyjson.Object{
				{"name", scorer}, {"scorer", scorer}, {"reducer", name},
				{"scored_samples", len(values)}, {"unscored_samples", len(l.tasks) - len(values)},
				{"params", pyjson.Object{}},
				{"metrics", pyjson.Object{metric("accuracy", accuracy), metric("stderr", stderr)}},
			})
			reductions = append(reductions, pyjson.Object{{"scorer", scorer}, {"reducer", name}, {"samples", samples}})
		}
	}
	return names, scores, reductions
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
