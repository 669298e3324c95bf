package evaluator

import (
	"context"
	"io"
	"math"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"codelinter/evaluator/dataset"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/passk"
	"codelinter/rule"
)

// Options says how [Run] works; the zero Options is good.
type Options struct {
	K       []int // for pass@k; nil: [DefaultK]
	Workers int   // tasks scored at the same time; 0: one a core

	// Encode, if set, turns each result into bytes, on any goroutine, and
	// Results is given them in the order of the samples' lines, then those of
	// the tasks without samples in the order of the tasks.
	Encode  func(dst []byte, result *Result) []byte
	Results io.Writer

	// Progress, if set, is told the number of tasks done.
	Progress func(tasks int)
}

// DefaultK is the benchmark's choice of k.
var DefaultK = []int{1, 5, 10}

// A Summary is the score of a run.
type Summary struct {
	Tasks    int // all tasks of the set
	Samples  int // answers scored
	Passed   int // answers that pass by the official rules
	Official []Average

	// Fewest and Most are the numbers of samples a task has, tasks without
	// any left out.
	Fewest, Most int
	// Missing are the tasks without samples, which count as failed.
	Missing []dataset.ID
	// Unknown counts lines of samples whose id is no task's: they are not
	// scored. UnknownIDs has the first ten of those ids.
	Unknown    int
	UnknownIDs []dataset.ID

	Codes      [rule.Count]Changes // over all samples
	Extraction Extraction
}

// An Average is pass@k over tasks, each with the same weight, tasks without
// samples as failed.
type Average struct {
	K int
	// Value is NaN if any task has samples, but fewer than K.
	Value float64
	// Short is the number of those tasks.
	Short int
	// Formula is what the official formula makes of the same counts: it takes
	// pass@K of a short task as 1, even if no sample passes. Equal to Value if
	// there are none.
	Formula float64
}

// Extraction counts answers by where their code stood.
type Extraction struct {
	Closed, Open, Whole int // these three make up all answers
	NoPython            int // answers with blocks, none of them python
	Several             int // answers whose code was joined from several blocks
}

func (e *Extraction) count(s *Sample) {
	switch s.Extraction {
	case extract.Closed:
		e.Closed++
	case extract.Open:
		e.Open++
	default:
		e.Whole++
	}
	if s.Blocks > 0 && s.Python == 0 {
		e.NoPython++
	}
	if s.Python > 1 {
		e.Several++
	}
}

// Lines travel in batches, so that handing them over costs little beside
// scoring them.
const (
	batchBytes = 16 << 10
	// flightBytes bounds the lines read and not yet summed up. A longer line
	// flies alone.
	flightBytes = 64 << 20
)

// A batch is some consecutive lines of samples, and then their scores.
type batch struct {
	source Source
	lines  []span
	text   []byte
	err    error // after the lines: of reading, or of the first line at fault
	done   chan struct{}

	scores     []taskScore
	unknown    []dataset.ID
	codes      [rule.Count]Changes
	extraction Extraction
	encoded    []byte
}

type span struct {
	line       dataset.Line // without its text
	start, end int
}

type taskScore struct {
	line      dataset.Line
	task      int // place in the set
	n, passed int
}

func (b *batch) weight() int64 { return int64(min(len(b.text), flightBytes)) }

// Run scores samples, a file with one task's answers a line, against tasks.
//
// Whatever the number of workers, the results are the same and in the same
// order, and memory does not grow with the number of samples. The first fault in
// the file's order ends the run: a line that the source refuses, or a
// second line for one task. Where ctx ends the run, samples may be read on until
// the read under way returns.
func Run(ctx context.Context, tasks *dataset.Tasks, samples Source, o Options) (*Summary, error) {
	if o.K == nil {
		o.K = DefaultK
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	scorers := make([]*Scorer, o.Workers)
	for i := range scorers {
		scorer, err := NewScorer(o.K...)
		if err != nil {
			return nil, err
		}
		scorers[i] = scorer
	}

	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	defer working.Wait()
	defer cancel()

	var (
		work   = make(chan *batch, o.Workers)
		order  = make(chan *batch, 4*o.Workers)
		flight = semaphore.NewWeighted(flightBytes)
	)
	// Not waited for: the reader may hang on a terminal or a pipe.
	go func() {
		defer close(work)
		defer close(order)
		for more := true; more; {
			var b *batch
			b, more = readBatch(samples)
			if flight.Acquire(ctx, b.weight()) != nil || !send(ctx, order, b) || !send(ctx, work, b) {
				return
			}
		}
	}()
	for _, scorer := range scorers {
		working.Go(func() {
			for b, ok := receive(ctx, work); ok; b, ok = receive(ctx, work) {
				b.score(scorer, tasks, o.Encode)
				close(b.done)
			}
		})
	}

	sum := newSum(tasks, o)
	for b, ok := receive(ctx, order); ok; b, ok = receive(ctx, order) {
		receive(ctx, b.done)
		if ctx.Err() != nil {
			break
		}
		if err := sum.add(b); err != nil {
			return nil, err
		}
		flight.Release(b.weight())
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return sum.finish(scorers[0])
}

// send sends value, unless ctx ends first.
func send[T any](ctx context.Context, to chan<- T, value T) bool {
	select {
	case to <- value:
		return true
	case <-ctx.Done():
		return false
	}
}

// receive receives a value, unless the channel is closed or ctx ends first.
func receive[T any](ctx context.Context, from <-chan T) (value T, ok bool) {
	select {
	case value, ok = <-from:
		return value, ok
	case <-ctx.Done():
		return value, false
	}
}

// readBatch reads lines until there are enough of them; more is false after the
// last.
func readBatch(samples Source) (b *batch, more bool) {
	b = &batch{source: samples, text: make([]byte, 0, batchBytes), done: make(chan struct{})}
	for len(b.text) < batchBytes {
		line, err := samples.Next()
		if err != nil {
			if err != io.EOF {
				b.err = err
			}
			return b, false
		}
		start := len(b.text)
		b.text = append(b.text, line.Text...)
		line.Text = nil
		b.lines = append(b.lines, span{line, start, len(b.text)})
	}
	return b, true
}

// score scores the batch's lines, up to the first at fault.
func (b *batch) score(scorer *Scorer, tasks *dataset.Tasks, encode func([]byte, *Result) []byte) {
	for _, span := range b.lines {
		line := span.line
		line.Text = b.text[span.start:span.end]
		samples, err := b.source.Parse(line)
		if err != nil {
			b.err = err
			return
		}
		task, ok := tasks.Find(samples.ID)
		if !ok {
			b.unknown = append(b.unknown, samples.ID)
			continue
		}
		result := scorer.Score(&tasks.List[task], samples.Outputs)
		b.scores = append(b.scores, taskScore{span.line, task, len(result.Samples), result.Official.Passed})
		for i := range result.Samples {
			b.extraction.count(&result.Samples[i])
		}
		for code := range scorer.changes {
			b.codes[code].add(scorer.changes[code])
		}
		if encode != nil && len(result.Samples) > 0 {
			b.encoded = encode(b.encoded, result)
		}
	}
}

// A sum adds up batches in the order of the file.
type sum struct {
	Summary
	o       Options
	tasks   *dataset.Tasks
	lines   []int // the line of each task's samples, 0 for none
	scored  []bool
	done    int
	formula []passk.Mean
}

func newSum(tasks *dataset.Tasks, o Options) *sum {
	s := &sum{
		o:       o,
		tasks:   tasks,
		lines:   make([]int, len(tasks.List)),
		scored:  make([]bool, len(tasks.List)),
		formula: make([]passk.Mean, len(o.K)),
	}
	s.Tasks = len(tasks.List)
	for _, k := range o.K {
		s.Official = append(s.Official, Average{K: k})
	}
	return s
}

func (s *sum) add(b *batch) error {
	for _, score := range b.scores {
		if first := s.lines[score.task]; first != 0 {
			line := score.line
			return line.Errorf("id %s already has the samples of %s %d: expected one %[2]s a task",
				s.tasks.List[score.task].Meta.ID, line.Unit(), first)
		}
		s.lines[score.task] = score.line.Place()
		if score.n == 0 {
			continue
		}
		s.scored[score.task] = true
		if s.Samples == 0 {
			s.Fewest = score.n
		}
		s.Samples += score.n
		s.Passed += score.passed
		s.Fewest, s.Most = min(s.Fewest, score.n), max(s.Most, score.n)
		for i, k := range s.o.K {
			if !passk.Known(score.n, k) {
				s.Official[i].Short++
			}
			s.formula[i].Add(passk.At(score.n, score.passed, k))
		}
		s.done++
	}
	if b.err != nil {
		return b.err
	}
	for _, id := range b.unknown {
		if s.Unknown++; len(s.UnknownIDs) < 10 {
			s.UnknownIDs = append(s.UnknownIDs, id)
		}
	}
	for code := range b.codes {
		s.Codes[code].add(b.codes[code])
	}
	s.Extraction.add(b.extraction)
	if len(b.encoded) > 0 {
		if _, err := s.o.Results.Write(b.encoded); err != nil {
			return err
		}
	}
	if s.o.Progress != nil {
		s.o.Progress(s.done)
	}
	return nil
}

func (e *Extraction) add(d Extraction) {
	e.Closed += d.Closed
	e.Open += d.Open
	e.Whole += d.Whole
	e.NoPython += d.NoPython
	e.Several += d.Several
}

// finish counts the tasks without samples and takes the averages.
func (s *sum) finish(scorer *Scorer) (*Summary, error) {
	var encoded []byte
	for i := range s.tasks.List {
		if s.scored[i] {
			continue
		}
		s.Missing = append(s.Missing, s.tasks.List[i].Meta.ID)
		for j := range s.formula {
			s.formula[j].Add(0)
		}
		if s.o.Encode != nil {
			encoded = s.o.Encode(encoded[:0], scorer.Score(&s.tasks.List[i], nil))
			if _, err := s.o.Results.Write(encoded); err != nil {
				return nil, err
			}
		}
	}
	for i := range s.Official {
		average := &s.Official[i]
		average.Formula = s.formula[i].Value()
		average.Value = average.Formula
		if average.Short > 0 {
			average.Value = math.NaN()
		}
	}
	return &s.Summary, nil
}
