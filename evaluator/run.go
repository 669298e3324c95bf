package evaluator

import (
	"cmp"
	"context"
	"io"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
	"codelinter/internal/util/ordered"
	"codelinter/rule"
	"codelinter/source"
)

// Options configure [Run]. The zero value has good defaults.
type Options struct {
	K       []int // for pass@k; nil: [DefaultK]
	Workers int   // tasks scored at the same time; 0: one a core

	// Judges make a worker's judges, see [ScorerOptions].
	Judges []func() (Judge, error)

	// Release, Target and Plugins are those of [ScorerOptions].
	Release rule.Release
	Target  source.Version
	Plugins task.Plugins

	// Adequacy, if set, returns the [Result.Adequacy] of a task with samples. It
	// is called on any goroutine. An error ends the run.
	Adequacy func(context.Context, *task.Task) (*task.Adequacy, error)

	// Feedback is that of [ScorerOptions].
	Feedback bool

	// Name is the name of the tasks in errors, such as that of their file; "" is "the tasks".
	Name string

	// OnlySampled takes the tasks with samples for those that were asked. Otherwise these are the
	// tasks with a row of samples, be it empty.
	OnlySampled bool

	// Outputs get all results.
	Outputs []Output

	// Progress, if set, is called with the number of tasks done.
	Progress func(tasks int)
}

// An Output is one way of writing results. Encode turns a result into bytes, on
// any goroutine. Writer gets them in the order of the rows of samples, followed
// by the tasks without samples in the order of the tasks.
type Output struct {
	Encode func(dst []byte, result *Result) []byte
	Writer io.Writer
}

// DefaultK returns the benchmark's choice of k.
func DefaultK() []int { return []int{1, 5, 10} }

// Rows are passed between goroutines in batches, so that this costs little.
const (
	batchBytes = 64 << 10
	// flightBytes bounds the rows that were read and are not yet in the sums. A
	// longer row is scored alone.
	flightBytes = 64 << 20
	// spareBytes bounds the memory of a batch that is kept for another.
	spareBytes = 256 << 10
)

// spares are finished batches, whose memory is reused. Without them, a run with results took
// 1.15 times as long.
var spares = sync.Pool{New: func() any { return new(batch) }}

// release gives a batch's memory back.
func (b *batch) release() {
	size := cap(b.text)
	for i := range b.encoded {
		size += cap(b.encoded[i])
		b.encoded[i] = b.encoded[i][:0]
	}
	clear(b.rows) // of names and errors
	clear(b.scores)
	clear(b.unknown)
	*b = batch{rows: b.rows[:0], text: b.text[:0], scores: b.scores[:0], unknown: b.unknown[:0], encoded: b.encoded}
	if size <= spareBytes {
		spares.Put(b)
	}
}

// A batch is some consecutive rows of samples, and later their scores.
type batch struct {
	rows []Row
	text []byte // of the rows
	err  error  // after the rows: of reading, or of the first invalid row

	scores  []taskScore
	unknown []task.ID
	encoded [][]byte // for each output
}

type taskScore struct {
	row   rows.Row // without its text
	task  int      // place in the set
	score TaskScore
}

func (b *batch) weight() int64 { return int64(min(len(b.text), flightBytes)) }

// Run scores samples against tasks. Each row of samples has the answers to one
// task.
//
// The results and their order do not depend on the number of workers, and memory
// does not grow with the number of samples. The first fault in the file's order
// ends the run: a row that samples refuses, or a second row for one task. If ctx
// ends the run, the goroutine that reads samples ends with its current read,
// perhaps after Run.
//
// A task without a row was not asked. The scores are over the tasks that were asked, and
// [Total.Strict] is over all.
func Run(ctx context.Context, tasks *task.Set, samples SampleReader, o Options) (*Summary, error) {
	if o.K == nil {
		o.K = DefaultK()
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	var programs Programs
	newScorer := func() (*Scorer, error) {
		return NewScorer(ScorerOptions{K: o.K, Judges: o.Judges, CodesOnly: len(o.Judges) == 0 && len(o.Outputs) == 0, Release: o.Release, Target: o.Target, Plugins: o.Plugins, Feedback: o.Feedback, Programs: &programs})
	}
	last, err := newScorer()
	if err == nil {
		err = task.CheckPlugins(ctx, tasks, o.Plugins)
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	batches := readAhead(ctx, samples)
	flight := semaphore.NewWeighted(flightBytes)
	read := func(yield func(*batch) error) error {
		for {
			select {
			case b, more := <-batches:
				if !more {
					return nil
				}
				if flight.Acquire(ctx, b.weight()) != nil {
					return context.Cause(ctx)
				}
				if err := yield(b); err != nil {
					return err
				}
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	sum := &sum{verdicts: last.verdicts, o: o, tasks: tasks, places: make([]int, tasks.Len()), scores: make([]TaskScore, tasks.Len())}
	newWorker := func() (func(*batch) *batch, error) {
		scorer, err := newScorer()
		return func(b *batch) *batch {
			sum.score(ctx, b, scorer, samples)
			return b
		}, err
	}
	err = ordered.Do(ctx, o.Workers, read, newWorker, func(b *batch) error {
		if ctx.Err() == nil {
			if err := sum.add(b); err != nil {
				cancel(err) // read may wait for a batch
			}
		}
		flight.Release(b.weight())
		b.release()
		return context.Cause(ctx)
	})
	if err != nil {
		return nil, err
	}
	return sum.finish(ctx, last)
}

// readAhead returns a channel of the batches of samples, until ctx ends. Nobody waits for its
// goroutine, as the reader may hang on a terminal or a pipe.
func readAhead(ctx context.Context, samples SampleReader) <-chan *batch {
	batches := make(chan *batch)
	go func() {
		defer close(batches)
		for more := true; more; {
			var b *batch
			b, more = readBatch(samples)
			select {
			case batches <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	return batches
}

// readBatch reads enough rows for a batch. more is false after the last.
func readBatch(samples SampleReader) (b *batch, more bool) {
	b = spares.Get().(*batch)
	for len(b.text) < batchBytes {
		row, err := samples.Next()
		if err != nil {
			if err != io.EOF {
				b.err = err
			}
			return b, false
		}
		if n := len(b.text) + len(row.Text); n > cap(b.text) {
			// Memory for a whole batch at once, as append would make it in twelve steps.
			b.text = slices.Grow(b.text, max(len(row.Text), batchBytes+batchBytes/8))
		}
		b.text = append(b.text, row.Text...)
		b.rows = append(b.rows, row)
	}
	return b, true
}

// score scores a batch's rows, up to the first invalid one. Several goroutines may call it.
func (s *sum) score(ctx context.Context, b *batch, scorer *Scorer, reader SampleReader) {
	b.encoded = slices.Grow(b.encoded[:0], len(s.o.Outputs))[:len(s.o.Outputs)]
	rest := b.text
	for _, row := range b.rows {
		// The reader has reused the row's own text.
		n := len(row.Text)
		row.Text, rest = rest[:n], rest[n:]
		samples, err := reader.Parse(row)
		if err != nil {
			b.err = err
			return
		}
		task, ok := s.tasks.Find(samples.ID)
		if !ok {
			b.unknown = append(b.unknown, samples.ID)
			continue
		}
		if err := s.checkDigest(rows.Row(row), &samples, s.tasks.At(task)); err != nil {
			b.err = err
			return
		}
		result, err := scorer.Score(ctx, s.tasks.At(task), samples.Outputs)
		if err == nil && s.o.Adequacy != nil && len(samples.Outputs) > 0 {
			result.Adequacy, err = s.o.Adequacy(ctx, s.tasks.At(task))
		}
		if err != nil {
			b.err = err
			return
		}
		row.Text = nil
		b.scores = append(b.scores, taskScore{rows.Row(row), task, result.TaskScore()})
		s.count(result, scorer, samples.Digest == "")
		if len(result.Samples) > 0 {
			for i := range s.o.Outputs {
				b.encoded[i] = s.o.Outputs[i].Encode(b.encoded[i], result)
			}
		}
	}
}

// checkDigest returns an error if samples name another task's digest.
func (s *sum) checkDigest(row rows.Row, samples *Samples, t *task.Task) error {
	if samples.Digest == "" || samples.Digest == t.Digest() {
		return nil
	}
	what := "options or feedback"
	if !task.SameProgram(samples.Digest, t.Digest()) {
		what = "program"
	}
	return row.Errorf("the samples of id %s answer a task with the digest %s, and in %s it has %s, for another %s: expected the tasks for which the samples were made",
		samples.ID, samples.Digest, cmp.Or(s.o.Name, "the tasks"), t.Digest(), what)
}

// count counts a result in the sums that do not depend on the order of the file. unnamed reports
// whether the samples do not name their task's digest.
func (s *sum) count(result *Result, scorer *Scorer, unnamed bool) {
	var found Resemblance
	if unnamed && len(result.Samples) > 0 {
		found = scorer.names.compare(result.Task.Inputs.Code, result.Samples[0].Code)
	}
	s.counting.Lock()
	defer s.counting.Unlock()
	s.Resemblance.add(found)
	for i := range result.Samples {
		s.Extraction.Count(&result.Samples[i])
		s.CountCauses(result.Samples[i].Judgements)
	}
	for code := range scorer.changed.All() {
		s.Codes.At(code).Add(scorer.changes.Of(code))
	}
	for code, changes := range scorer.changes.Foreign() {
		s.Codes.At(code).Add(*changes)
	}
}

// TaskScore returns the result's part of a summary, see [Summary.SetScores].
func (r *Result) TaskScore() TaskScore {
	score := TaskScore{
		N:        len(r.Samples),
		NotAsked: r.NotAsked,
		Passes:   make([]Passes, len(r.Scores)),
		Prompt:   r.Task.Instruction,
		Lines:    Lines(r.Task.Inputs.Code),

		OtherFeedback: r.OtherFeedback,
	}
	if r.Adequacy != nil {
		share := r.Adequacy.Share()
		score.Adequacy = &share
	}
	for i := range r.Scores {
		score.Passes[i] = r.Scores[i].Passes
	}
	for i := range r.Samples {
		for k := range r.Samples[i].Judgements {
			score.Undecided = cmp.Or(score.Undecided, r.Samples[i].Judgements[k].Undecided())
		}
	}
	for _, count := range r.Given {
		score.Given = append(score.Given, count.Code)
	}
	return score
}

// A sum adds up batches.
type sum struct {
	counting sync.Mutex // of Extraction, Causes and Codes
	Summary
	o        Options
	tasks    *task.Set
	verdicts []Verdict
	places   []int // of the row of each task's samples, from 1; 0 without samples
	scores   []TaskScore
	done     int
}

// add adds the scores of a batch, in the order of the file.
func (s *sum) add(b *batch) error {
	for i := range b.scores {
		score := &b.scores[i]
		if first := s.places[score.task]; first != 0 {
			return score.row.Errorf("id %s already has the samples of %s %d: expected one %[2]s a task",
				s.tasks.At(score.task).Meta.ID, score.row.Unit(), first)
		}
		s.places[score.task] = score.row.Place()
		if score.score.N > 0 {
			s.scores[score.task] = score.score
			s.done++
		}
	}
	if b.err != nil {
		return b.err
	}
	for _, id := range b.unknown {
		if s.Unknown++; len(s.UnknownIDs) < 10 {
			s.UnknownIDs = append(s.UnknownIDs, id)
		}
	}
	for i, encoded := range b.encoded {
		if len(encoded) > 0 {
			if _, err := s.o.Outputs[i].Writer.Write(encoded); err != nil {
				return err
			}
		}
	}
	if s.o.Progress != nil {
		s.o.Progress(s.done)
	}
	return nil
}

// finish counts the tasks without samples and takes the averages.
func (s *sum) finish(ctx context.Context, scorer *Scorer) (*Summary, error) {
	var encoded []byte
	someAsked := slices.ContainsFunc(s.places, func(place int) bool { return place != 0 }) // or else all were
	for i := range s.tasks.Len() {
		if s.scores[i].N > 0 {
			continue
		}
		result, err := scorer.Score(ctx, s.tasks.At(i), nil)
		if err != nil {
			return nil, err
		}
		result.NotAsked = someAsked && (s.places[i] == 0 || s.o.OnlySampled)
		s.scores[i] = result.TaskScore()
		if result.NotAsked {
			s.NotAsked = append(s.NotAsked, result.Task.Meta.ID)
		} else {
			s.Missing = append(s.Missing, result.Task.Meta.ID)
		}
		for _, output := range s.o.Outputs {
			encoded = output.Encode(encoded[:0], result)
			if _, err := output.Writer.Write(encoded); err != nil {
				return nil, err
			}
		}
	}
	for i := range s.scores {
		if s.scores[i].OtherFeedback {
			s.OtherFeedback = append(s.OtherFeedback, s.tasks.At(i))
		}
	}
	s.SetScores(s.verdicts, s.scores, s.o.K)
	return &s.Summary, nil
}
