// Package generate asks a model for answers to CodeLinterEval's tasks, through
// any server that speaks OpenAI's chat or completion protocol.
//
// A run has two files. The journal, FILE.journal, is only ever appended to: a
// line that says how the model is asked, and then a line for each sample, as it
// came in. Whatever ends the run, even the machine, at most the journal's last
// line is cut, and the next run over the same files takes that away and asks for
// what is missing. FILE holds the same samples as the scorer reads them, a line a
// task in the order of the tasks; it is written when the run ends and can be made
// from the journal again at any time.
//
//	journal, err := generate.Open("samples.jsonl", tasks, settings)
//	...
//	defer journal.Close()
//	summary, err := generate.Ask(ctx, tasks, journal, generate.Options{
//		BaseURL:  "http://localhost:8000/v1",
//		Settings: settings,
//		Samples:  10,
//	})
//	...
//	err = journal.Collect(out, nil)
//
// The client is net/http and a few structs. OpenAI's own Go client takes 30 MB
// of the binary and a millisecond of every command's start, for what two small
// requests need.
package generate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"time"

	"codelinter/evaluator/task"
)

// Settings are what a sample depends on, beside the prompt. All samples of a
// file are made with the same.
type Settings struct {
	Model string `json:"model"`
	// Completions: the prompt goes to /completions as it is, not to
	// /chat/completions as a user's message.
	Completions bool    `json:"completions"`
	System      string  `json:"system"` // the system's message, chat only; "": none
	Temperature float64 `json:"temperature"`
	MaxTokens   int     `json:"max_tokens"`
	// Seed, if set, is sent for a task's first sample, and for each later one
	// the next number.
	Seed *int64 `json:"seed"`
	// Extra is added to each request's fields, and goes before ours. A null
	// takes a field of ours away.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// Options says how [Ask] works, which no sample depends on.
type Options struct {
	BaseURL  string // up to, and without, /chat/completions
	Key      string // sent as a bearer token; "": none
	Settings Settings

	Samples int // wanted of each task
	Limit   int // ask only for the set's first tasks; 0: for all
	// PerRequest is the number of samples to ask for in one request; 0: as
	// many as are missing. Where the server gives fewer, so do we.
	PerRequest  int
	Concurrency int           // requests at the same time; 0: 8
	Retries     int           // after a request's first failure
	Timeout     time.Duration // of a request with its answer; 0: 5 minutes
	Backoff     time.Duration // before the first retry, doubled for each after; 0: half a second

	// Progress, if set, is called on Ask's goroutine at the start and whenever answers
	// came in.
	Progress func(Progress)
	// Retrying, if set, is called with the error of a request that will be sent again
	// after the wait, on several goroutines at once.
	Retrying func(err error, wait time.Duration)

	// dial, if set, makes the connections: tests have theirs in memory.
	dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// A Progress is how far a run is.
type Progress struct {
	Had     int   // samples that were there at the start
	Missing int   // samples that were not
	Done    int   // of those, samples that came in since
	Tokens  int64 // that the server counted in the answers since; 0 if it counts none
}

const (
	maxPerRequest = 128 // OpenAI's limit
	// maxFailures is the number of tasks whose requests may fail, retries and
	// all, without one that succeeds between them, before the run is given up.
	maxFailures = 10
)

// A Summary is the outcome of a run.
type Summary struct {
	Tasks   int // asked for
	Had     int // samples the journal had at the start, of those wanted
	Asked   int // samples that came in
	Retries int // requests that were tried again
	// Failures has the first error of each task that has too few samples for
	// it, in the tasks' order.
	Failures []Failure

	// What the server said beside the samples, as far as it did.

	// Models has the names it gave to the model, but for the one we gave.
	Models []string
	// Listed has the names in the server's list of models, if ours is not in
	// it: some servers have one model and answer to every name.
	Listed string
	// Tokens is the number of tokens that it counted in its answers.
	Tokens int64
	// Early counts answers that were cut off before they had as many tokens as
	// they may have: the server's context was full.
	Early int
	// CutPrompts counts the prompts that the server seems to have cut at
	// CutAt tokens, for its context.
	CutPrompts int
	CutAt      int64
}

// A Failure is why samples of a task are missing.
type Failure struct {
	Task task.ID
	Err  error
}

// A job is one request: some samples of one task.
type job struct {
	task    int
	samples []int
}

// A result is what a job gave: answers to the first of its samples, or an error.
type result struct {
	job     job
	reply   *reply // nil where there is an error
	retries int
	err     error
}

func (r *result) answers() []answer {
	if r.reply == nil {
		return nil
	}
	return r.reply.answers
}

// Ask asks for the samples that the journal misses, and appends them to it.
//
// A request that fails for good costs its samples, which the Summary says, and
// the others go on. An error means that the run was given up: by ctx, by the
// disk, or because no request can succeed. What came in until then is in the
// journal.
func Ask(ctx context.Context, tasks *task.Set, journal *Journal, o Options) (*Summary, error) {
	if o.Concurrency <= 0 {
		o.Concurrency = 8
	}
	client, err := newClient(o)
	if err != nil {
		return nil, err
	}
	defer client.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	n := tasks.Len()
	if o.Limit > 0 {
		n = min(o.Limit, n)
	}
	missing := 0
	for i := range n {
		missing += len(journal.missing(i, o.Samples))
	}
	r := run{
		tasks: tasks, cancel: cancel,
		summary: &Summary{Tasks: n, Had: n*o.Samples - missing},
		queue:   queue{journal: journal, tasks: n, samples: o.Samples, most: maxPerRequest},
		inARow:  map[int]bool{},
		blamed:  map[int]error{},
		notes:   serverNotes{settings: o.Settings, prompts: map[int]promptSize{}},
	}
	if o.PerRequest > 0 {
		r.queue.most = min(o.PerRequest, r.queue.most)
	}
	if o.Progress != nil {
		o.Progress(Progress{Had: r.summary.Had, Missing: missing})
	}
	listed := make(chan modelList, 1)
	if missing > 0 {
		go func() { listed <- client.models(ctx, client.base) }()
	}
	results, flying := make(chan result, o.Concurrency), 0
	for {
		for flying < o.Concurrency && ctx.Err() == nil {
			next, ok := r.queue.next()
			if !ok {
				break
			}
			flying++
			go func() {
				r := client.ask(ctx, tasks.At(next.task), next.samples)
				r.job = next
				results <- r
			}()
		}
		if flying == 0 {
			break
		}
		// What came in at the same time is written and synced at the same time.
		batch := []result{<-results}
		for len(results) > 0 {
			batch = append(batch, <-results)
		}
		flying -= len(batch)
		if err := journal.append(batch); err != nil {
			r.giveUp(err)
			continue
		}
		for _, result := range batch {
			r.take(result, ctx.Err() != nil)
		}
		if o.Progress != nil {
			o.Progress(Progress{r.summary.Had, missing, r.summary.Asked, r.notes.tokens})
		}
	}
	if r.given == nil {
		r.given = ctx.Err()
	}
	for _, task := range slices.Sorted(maps.Keys(r.blamed)) {
		r.summary.Failures = append(r.summary.Failures, Failure{tasks.At(task).Meta.ID, r.blamed[task]})
	}
	r.notes.sum(r.summary)
	select {
	case list := <-listed:
		if list.ok && !list.has(o.Settings.Model) {
			r.summary.Listed = client.brief(list.near(o.Settings.Model))
		}
	default: // nobody waits for that
	}
	return r.summary, r.given
}

// A run is the state of [Ask].
type run struct {
	tasks   *task.Set
	cancel  func()
	summary *Summary
	queue   queue
	inARow  map[int]bool // tasks that failed since the last success
	blamed  map[int]error
	notes   serverNotes
	given   error // why the run was given up
}

// giveUp ends the run with an error. The first one counts.
func (r *run) giveUp(err error) {
	if r.given == nil {
		r.given = err
	}
	r.cancel()
}

// take takes the result of a request. Once the run has ended, failures are not counted.
func (r *run) take(result result, ended bool) {
	r.summary.Retries += result.retries
	var fatal *fatalError
	switch {
	case result.err == nil:
		clear(r.inARow)
		r.summary.Asked += len(result.answers())
		r.queue.took(result)
		r.notes.add(result, r.tasks.At(result.job.task))
	case ended:
	case errors.As(result.err, &fatal):
		r.giveUp(result.err)
	default:
		// A task whose request failed for good is not asked for again.
		failed := result.job.task
		r.queue.drop(failed)
		if r.blamed[failed] == nil {
			r.blamed[failed] = result.err
		}
		if r.inARow[failed] = true; len(r.inARow) == maxFailures {
			r.giveUp(fmt.Errorf("%d tasks failed one after the other, the last: %w", maxFailures, result.err))
		}
	}
}

// A queue has the jobs that are still to be done.
type queue struct {
	journal        *Journal
	tasks, samples int
	most           int // samples in a job, as far as we know the server

	task int   // the tasks before it are in jobs
	rest []job // of tasks before it, what is still to be asked
}

func (q *queue) next() (next job, ok bool) {
	for len(q.rest) == 0 {
		if q.task == q.tasks {
			return job{}, false
		}
		if missing := q.journal.missing(q.task, q.samples); len(missing) > 0 {
			q.rest = append(q.rest, job{q.task, missing})
		}
		q.task++
	}
	first := &q.rest[0]
	n := min(q.most, len(first.samples))
	next = job{first.task, first.samples[:n:n]}
	if first.samples = first.samples[n:]; len(first.samples) == 0 {
		q.rest = q.rest[1:]
	}
	return next, true
}

// drop takes a task's samples off the queue.
func (q *queue) drop(task int) {
	q.rest = slices.DeleteFunc(q.rest, func(j job) bool { return j.task == task })
}

// took puts back what a job asked for and did not get. That the server gives
// fewer samples than it is asked for is true of the next jobs as well.
func (q *queue) took(r result) {
	if left := r.job.samples[len(r.answers()):]; len(left) > 0 {
		q.most = min(q.most, len(r.answers()))
		q.rest = append([]job{{r.job.task, left}}, q.rest...)
	}
}

// serverNotes gathers what the server's replies say beside the samples, for the
// [Summary].
type serverNotes struct {
	settings Settings
	models   []string
	tokens   int64
	early    int
	prompts  map[int]promptSize // by task
}

// maxModels bounds the models' names that are kept: a server may give a new one with
// each reply.
const maxModels = 8

type promptSize struct {
	bytes  int
	tokens int64 // that the server counted
}

func (n *serverNotes) add(r result, task *task.Task) {
	reply := r.reply
	if m := reply.model; m != "" && m != n.settings.Model && len(n.models) < maxModels && !slices.Contains(n.models, m) {
		n.models = append(n.models, m)
	}
	n.tokens += reply.tokens
	_, limit := n.settings.Extra["max_tokens"]
	_, newLimit := n.settings.Extra["max_completion_tokens"]
	// Of several answers llama.cpp counts one, which need not be the one that
	// was cut off.
	if len(reply.answers) == 1 && reply.answers[0].finish == "length" && !limit && !newLimit &&
		reply.tokens > 0 && reply.tokens < int64(n.settings.MaxTokens) {
		n.early++
	}
	if reply.promptTokens > 0 {
		n.prompts[r.job.task] = promptSize{len(task.Prompt()), reply.promptTokens}
	}
}

// sum adds them to the summary. Ollama silently cuts a prompt that is longer than the
// context and counts the tokens that are left, as many as the context has: prompts of
// several lengths then have one number of tokens, a round one, and none has more.
func (n *serverNotes) sum(s *Summary) {
	slices.Sort(n.models)
	s.Models, s.Tokens, s.Early = n.models, n.tokens, n.early
	var most int64
	for _, p := range n.prompts {
		most = max(most, p.tokens)
	}
	count, shortest, longest := 0, 0, 0
	for _, p := range n.prompts {
		if p.tokens == most {
			if count++; count == 1 {
				shortest = p.bytes
			}
			shortest, longest = min(shortest, p.bytes), max(longest, p.bytes)
		}
	}
	if count > 1 && most%128 == 0 && longest-shortest > shortest/20 {
		s.CutPrompts, s.CutAt = count, most
	}
}
