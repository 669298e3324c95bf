// Package service scores and lints for many clients at once, in bounded time and memory. Packages
// stream and server are built on it. It knows the protocol's types, but neither lines nor HTTP.
//
//	s, err := service.New(service.Options{Tasks: tasks})
//	...
//	defer s.Close()
//	reply, err := s.Do(ctx, client, &request)
//
// # What is promised
//
// Every request is answered. An answer that cannot be judged has a score of reward 0 whose
// Error says why: it took too long, the sandbox failed twice, a worker panicked. Such scores
// are counted and not cached. The calls themselves return only [ErrBusy], [ErrClosed] and the
// error of the context.
//
// # Queue
//
// Work is queued by client, and clients take turns: a worker works for 2 ms on one client's
// request and then goes on to the next client's. So a batch of 100,000 answers does not delay
// another client's single answer, and a client that is alone has all workers. The memory of
// requests is bounded in bytes. Beyond the bound a call returns ErrBusy at once, so that the
// client can try again, here or elsewhere.
//
// A worker has Scorers and a Linter of its own, as these reuse their memory.
package service

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/internal/serve/api"
	"codelinter/rule"
	"codelinter/sandbox"
	"codelinter/source"
)

// Options configure a Service. The zero value has good defaults.
type Options struct {
	Tasks   *task.Set // requests may name them by id; nil: none
	Workers int       // answers judged at once; 0: one a core

	// Release and Target are the flake8 and the CPython if neither a request nor its task
	// names one. [rule.Resolve] replaces zeros.
	Release rule.Release
	Target  source.Version

	Plugins task.Plugins // runs the plugins that tasks name; nil: such a task is an error

	MaxAnswer int   // bound on the bytes of an answer or a file to lint; 0: [DefaultMaxAnswer]
	MaxQueue  int64 // bound on the bytes of requests and replies, see [Room]; 0: [DefaultMaxQueue]
	Cache     int64 // bytes for cached verdicts; 0: [DefaultCache], below 0: none

	// Seed is [judge.Options.Seed], and NoStandIns is [judge.Options.NoStandIns].
	Seed       uint64
	NoStandIns bool
	Sandbox    sandbox.Options

	// Observe, if set, is called for each judged answer, on any goroutine.
	Observe func(*Observation)
}

// The defaults of Options.
const (
	DefaultMaxAnswer = 1 << 20
	DefaultMaxQueue  = 256 << 20
	DefaultCache     = 64 << 20
)

// An Observation is what metrics need of one answer.
type Observation struct {
	Verdict evaluator.Verdict
	Score   *api.Score    // valid during the call
	Cached  bool          // the verdict was cached
	Waited  time.Duration // from its arrival to the start of work on it
	Worked  time.Duration
}

// Stats are totals of a service, and current numbers.
type Stats struct {
	Requests int64 // accepted
	Busy     int64 // refused, as there was no room
	Answers  int64 // judged, cached ones included
	Lints    int64 // files linted
	Known    int64 // answers with a cached verdict
	Joined   int64 // answers that waited for the verdict on an equal one
	Faults   int64 // answers without a verdict because of an error of ours
	Retries  int64 // of answers for which the sandbox failed at first
	Panics   int64
	Deadline int64 // answers without a verdict in time

	Clients     int   // with something queued
	Queued      int   // answers and files waiting for a worker
	QueuedBytes int64 // of requests and replies
	CachedBytes int64
	Sandbox     sandbox.Stats // zero until it starts
}

// Errors of the service. After ErrBusy a client may try again.
var (
	ErrBusy   = errors.New("the service is busy: its queue is full")
	ErrClosed = errors.New("the service is closed")
)

// A Service scores and lints. It is safe for concurrent use.
type Service struct {
	options Options
	judges  *judge.Judges
	room    *Room
	queue   queue
	large   chan struct{} // its one value belongs to the worker that judges a large text
	tasks   taskCache
	memory  *memory

	programs evaluator.Programs // shared by all workers
	life     context.Context    // ends with Close
	stop     context.CancelFunc
	working  sync.WaitGroup
	counts   counts

	newScorer func(item *api.Item) (*evaluator.Scorer, error)
}

type counts struct {
	requests, busy, answers, lints, known, joined, faults, retries, panics, deadline atomic.Int64
}

// New returns a Service with waiting workers. Its sandbox starts with the first answer that
// must be run, or by [Service.Ready].
func New(o Options) (*Service, error) { return newService(o, nil) }

// newService is New; newScorer, if not nil, makes the scorers of each worker.
func newService(o Options, newScorer func(item *api.Item) (*evaluator.Scorer, error)) (*Service, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.MaxAnswer <= 0 {
		o.MaxAnswer = DefaultMaxAnswer
	}
	if o.MaxQueue <= 0 {
		o.MaxQueue = DefaultMaxQueue
	}
	if o.Cache == 0 {
		o.Cache = DefaultCache
	}
	if o.Sandbox.Workers == 0 {
		o.Sandbox.Workers = o.Workers
	}
	var err error
	if o.Release, o.Target, err = rule.Resolve(o.Release, o.Target); err != nil {
		return nil, err
	}
	s := &Service{
		options: o,
		judges:  judge.New(judge.Options{Sandbox: o.Sandbox, Seed: o.Seed, NoStandIns: o.NoStandIns}),
		room:    newRoom(o.MaxQueue),
		large:   make(chan struct{}, 1),
		tasks:   taskCache{maxCode: o.MaxAnswer},
		memory:  newMemory(o.Cache),
	}
	s.newScorer = newScorer
	if newScorer == nil {
		s.newScorer = s.scorer
	}
	s.life, s.stop = context.WithCancel(context.Background())
	s.queue.init()
	workers := make([]*worker, o.Workers)
	for i := range workers {
		w, err := newWorker(s)
		if err != nil {
			return nil, err
		}
		workers[i] = w
	}
	for _, w := range workers {
		s.working.Go(w.run)
	}
	return s, nil
}

// Ready starts the sandbox, and returns when answers can be run without waiting for it.
func (s *Service) Ready(ctx context.Context) error { return s.judges.Start(ctx) }

// Close ends the service. Queued answers and those being judged get no verdict. Later calls
// return [ErrClosed]. Close returns when all goroutines and children have ended.
func (s *Service) Close() error {
	s.stop()
	s.queue.close()
	err := s.judges.Close()
	s.working.Wait()
	return err
}

// Stats returns the current numbers.
func (s *Service) Stats() Stats {
	c := &s.counts
	stats := Stats{
		Requests: c.requests.Load(), Busy: c.busy.Load(), Answers: c.answers.Load(), Lints: c.lints.Load(),
		Known: c.known.Load(), Joined: c.joined.Load(), Faults: c.faults.Load(), Retries: c.retries.Load(),
		Panics: c.panics.Load(), Deadline: c.deadline.Load(),
		CachedBytes: s.memory.bytes(),
		Sandbox:     s.judges.Stats(),
	}
	stats.Clients, stats.Queued = s.queue.sizes()
	stats.QueuedBytes = s.room.Used()
	return stats
}

// Hold returns a Hold in the room of the service's requests.
func (s *Service) Hold() *Hold { return s.room.Hold() }

// The memory of a request's parts until the reply is written, without their texts: of an item
// or a file with its list of scores or findings, and of a completion with its unit of work and
// its score. A parsed task takes up to eight times its JSON, as a text may take only three
// bytes of JSON.
const (
	itemBytes   = 512
	answerBytes = 512
	taskFactor  = 8
)

// Cost returns the memory, in bytes, that a request takes until its reply is written, without the
// findings in its reply.
func (s *Service) Cost(r *api.Request) int64 {
	total := int64(len(r.ID))
	for i := range r.Items {
		item := &r.Items[i]
		total += itemBytes + int64(len(item.Fault)+len(item.Task.ID)+taskFactor*len(item.Task.Inline)) + answerBytes*int64(len(item.Completions))
		for k := range item.Completions {
			total += int64(len(item.Completions[k].Text) + len(item.Completions[k].Fault))
		}
	}
	if r.Lint != nil {
		for i := range r.Lint.Files {
			total += itemBytes + int64(len(r.Lint.Files[i].Name)+len(r.Lint.Files[i].Text))
		}
		if r.Lint.Edit != nil {
			total += int64(len(r.Lint.Edit.Before))
		}
	}
	return total
}

// Do answers a request for a client. Clients are connections or users; they take turns. An item has
// a score for each completion, or one if it has a fault and no completions. The error is [ErrBusy],
// [ErrTooLarge], [ErrClosed] or that of ctx. After an error a worker may still be reading a file,
// so r must not be changed.
func (s *Service) Do(ctx context.Context, client string, r *api.Request) (reply api.Reply, err error) {
	reply = api.Reply{ID: r.ID, Batch: r.Batch}
	if s.life.Err() != nil {
		return reply, ErrClosed
	}
	hold := s.Hold()
	defer hold.Release()
	if err := hold.More(s.Cost(r)); err != nil {
		s.counts.busy.Add(1)
		return reply, err
	}
	return s.DoIn(ctx, client, r, hold)
}

// DoIn is Do for callers that keep the reply until it is written. hold has taken the request's
// [Service.Cost], and the caller releases it.
func (s *Service) DoIn(ctx context.Context, client string, r *api.Request, hold *Hold) (reply api.Reply, err error) {
	reply = api.Reply{ID: r.ID, Batch: r.Batch}
	j := newJob(ctx, client, r.Items, hold)
	defer j.cancel()
	if r.Lint != nil {
		j.addLint(r.Lint)
	}
	for i := range r.Items {
		j.addItem(s, &r.Items[i])
	}
	if err := s.do(j); err != nil {
		return reply, err
	}
	if j.refused != nil {
		s.counts.busy.Add(1)
		return reply, j.refused
	}
	if r.Lint != nil {
		reply.Lint = &j.findings
	} else {
		reply.Scores = j.scores
	}
	return reply, nil
}

// do runs a job, as far as there is time.
func (s *Service) do(j *job) error {
	if j.left == 0 {
		s.counts.requests.Add(1)
		return nil
	}
	if err := s.queue.add(j); err != nil {
		return err
	}
	defer s.queue.release(j)
	s.counts.requests.Add(1)
	for deadline := range j.deadlines {
		defer time.AfterFunc(time.Until(j.taken.Add(deadline)), func() { j.expire(&s.counts.deadline) }).Stop()
	}
	select {
	case <-j.done:
		return nil
	case <-j.ctx.Done():
		j.abandon()
		return context.Cause(j.ctx)
	case <-s.life.Done():
		j.abandon()
		return ErrClosed
	}
}
