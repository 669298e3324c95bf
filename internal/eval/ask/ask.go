// Package ask asks a model for answers to CodeLinterEval's tasks, on any
// server that speaks OpenAI's chat or completion protocol.
//
// A run has two files. The journal, FILE.journal, is append-only: a line with the
// settings, and then a line for each sample. Whatever ends the run, even a crash
// of the machine, at most the last line is incomplete. The next run removes it
// and asks for the missing samples. FILE has the same samples in the scorer's
// format, a line a task in the order of the tasks. It is written at the end of a
// run, and can always be made from the journal again.
//
//	journal, err := ask.Open("samples.jsonl", tasks, settings)
//	...
//	defer journal.Close()
//	summary, err := ask.Ask(ctx, tasks, journal, ask.Options{
//		BaseURL:  "http://localhost:8000/v1",
//		Settings: settings,
//		Samples:  10,
//	})
//	...
//	err = journal.Collect(out, nil)
//
// The client is net/http and a few structs. OpenAI's own Go client would add 30
// MB to the binary and a millisecond to every command's start.
package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"slices"
	"time"

	"codelinter/evaluator/task"
)

// Settings are what a sample depends on besides the prompt. All samples of a file
// have the same settings.
type Settings struct {
	Model string `json:"model"`
	// Completions sends the prompt to /completions as it is, not to
	// /chat/completions as a user's message.
	Completions bool    `json:"completions"`
	System      string  `json:"system"` // system message, for chat only; "": none
	Temperature float64 `json:"temperature"`
	MaxTokens   int     `json:"max_tokens"`
	// Seed, if set, is the seed of a task's first sample. Later samples have the
	// next numbers.
	Seed *int64 `json:"seed"`
	// Extra is merged into each request's fields and overrides ours. A null
	// removes a field.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// Options configure [Ask]. No sample depends on them.
type Options struct {
	BaseURL  string // without /chat/completions
	Key      string // sent as a bearer token; "": none
	Settings Settings

	Samples int // wanted for each task
	Limit   int // only the set's first tasks; 0: all
	// PerRequest bounds the samples in one request; 0 means all missing ones. If
	// the server returns fewer, later requests ask for fewer.
	PerRequest  int
	Concurrency int           // requests at the same time; 0: 8
	Retries     int           // after a request's first failure
	Timeout     time.Duration // of a request with its answer; 0: 5 minutes
	Backoff     time.Duration // before the first retry, doubled for each after; 0: half a second

	// Progress, if set, is called on Ask's goroutine at the start and after each
	// batch of answers.
	Progress func(Progress)
	// Retrying, if set, is called with the error of a request that will be sent
	// again after the wait. Several goroutines may call it at once.
	Retrying func(err error, wait time.Duration)

	// dial, if set, makes the connections. Tests connect in memory.
	dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// A Progress is the progress of a run.
type Progress struct {
	Had     int   // samples in the journal at the start
	Missing int   // samples missing at the start
	Done    int   // of the missing ones, those that arrived
	Tokens  int64 // tokens of these answers as the server counts them; 0 if it does not
}

const (
	maxPerRequest = 128 // OpenAI's limit
	// maxFailures is the number of consecutive tasks whose requests may fail for
	// good before the run is given up.
	maxFailures = 10
)

// A Summary is the outcome of a run.
type Summary struct {
	Tasks   int // tasks asked for
	Had     int // wanted samples that the journal had at the start
	Asked   int // samples that arrived
	Retries int // requests that were repeated
	// Failures has the first error of each task with missing samples, in the
	// tasks' order.
	Failures []Failure

	// What the server reported besides the samples.

	// Models has the names that it uses for the model, without ours.
	Models []string
	// Listed has the names in the server's list of models, if ours is not among
	// them: some servers have one model and accept every name.
	Listed string
	// Tokens is the number of tokens in its answers.
	Tokens int64
	// Early counts answers that were cut off before their limit of tokens,
	// because the server's context was full.
	Early int
	// CutPrompts counts the prompts that the server seems to have cut to its
	// context, at CutAt tokens.
	CutPrompts int
	CutAt      int64
}

// A Failure is why samples of a task are missing.
type Failure struct {
	Task task.ID
	Err  error
}

// A job is a request for some samples of one task.
type job struct {
	task    int
	samples []int
}

// A result is the result of a job: answers for the first of its samples, or an
// error.
type result struct {
	job     job
	reply   *reply // nil after an error
	retries int
	err     error
	fatal   bool // with err: no other request can succeed
}

func (r *result) answers() []answer {
	if r.reply == nil {
		return nil
	}
	return r.reply.answers
}

// Ask asks for the samples that are missing in the journal, and appends them to
// it.
//
// If a request fails for good, its samples stay missing, the Summary has the
// error, and the run goes on. An error ends the run: from ctx, from the disk, or
// because no request can succeed. The journal has the samples that arrived
// before.
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
	if err := journal.ask(n); err != nil {
		return nil, err
	}
	var jobs []job
	missing := 0
	for i := range n {
		if samples := journal.missing(i, o.Samples); len(samples) > 0 {
			jobs = append(jobs, job{i, samples})
			missing += len(samples)
		}
	}
	r := run{
		tasks: tasks, cancel: cancel,
		summary:  &Summary{Tasks: n, Had: n*o.Samples - missing},
		queue:    queue{jobs: jobs, most: maxPerRequest},
		inARow:   map[int]bool{},
		blamed:   map[int]error{},
		settings: o.Settings, prompts: map[int]promptSize{},
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
	r.requestAll(ctx, client, journal, o, missing)
	if r.given == nil {
		r.given = ctx.Err()
	}
	for _, task := range slices.Sorted(maps.Keys(r.blamed)) {
		r.summary.Failures = append(r.summary.Failures, Failure{tasks.At(task).Meta.ID, r.blamed[task]})
	}
	r.sumPrompts()
	select {
	case list := <-listed:
		if list.ok && !list.has(o.Settings.Model) {
			r.summary.Listed = client.brief(list.near(o.Settings.Model))
		}
	default: // nobody waits for it
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
	given   error // the error that ended the run

	settings Settings
	prompts  map[int]promptSize // by task
}

// requestAll keeps o.Concurrency requests going until none is left, or ctx ends, and writes their
// results.
func (r *run) requestAll(ctx context.Context, client *client, journal *Journal, o Options, missing int) {
	results, flying := make(chan result, o.Concurrency), 0
	for {
		for flying < o.Concurrency && ctx.Err() == nil {
			next, ok := r.queue.next()
			if !ok {
				break
			}
			flying++
			go func() {
				result := client.ask(ctx, r.tasks.At(next.task), next.samples)
				result.job = next
				results <- result
			}()
		}
		if flying == 0 {
			return
		}
		// Results that are ready are written and synced together.
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
			o.Progress(Progress{r.summary.Had, missing, r.summary.Asked, r.summary.Tokens})
		}
	}
}

// giveUp ends the run with an error, unless it has one.
func (r *run) giveUp(err error) {
	if r.given == nil {
		r.given = err
	}
	r.cancel()
}

// take processes the result of a request. After the end of the run, failures do
// not count.
func (r *run) take(result result, ended bool) {
	r.summary.Retries += result.retries
	switch {
	case result.err == nil:
		clear(r.inARow)
		r.summary.Asked += len(result.answers())
		r.queue.took(result)
		r.note(result.job.task, result.reply)
	case ended:
	case result.fatal:
		r.giveUp(result.err)
	default:
		// If a task's request fails for good, the task is given up.
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

// A queue has the jobs of a run.
type queue struct {
	jobs []job // for a task each, or what is left of it
	most int   // samples in a request; lower once the server returned fewer
}

func (q *queue) next() (next job, ok bool) {
	if len(q.jobs) == 0 {
		return job{}, false
	}
	first := &q.jobs[0]
	n := min(q.most, len(first.samples))
	next = job{first.task, first.samples[:n:n]}
	if first.samples = first.samples[n:]; len(first.samples) == 0 {
		q.jobs = q.jobs[1:]
	}
	return next, true
}

// drop removes a task's jobs from the queue.
func (q *queue) drop(task int) {
	q.jobs = slices.DeleteFunc(q.jobs, func(j job) bool { return j.task == task })
}

// took puts back the samples that a job asked for and did not get. If the server
// returns fewer samples than asked for, later jobs ask for fewer.
func (q *queue) took(r result) {
	if left := r.job.samples[len(r.answers()):]; len(left) > 0 {
		q.most = min(q.most, len(r.answers()))
		q.jobs = slices.Insert(q.jobs, 0, job{r.job.task, left})
	}
}

// maxModels bounds the models' names that are kept, as a server may use a new one
// in each reply.
const maxModels = 8

type promptSize struct {
	bytes  int
	tokens int64 // as the server counts them
}

// note notes what the server reports besides the samples.
func (r *run) note(task int, reply *reply) {
	s := r.summary
	if m := reply.model; m != "" && m != r.settings.Model && len(s.Models) < maxModels && !slices.Contains(s.Models, m) {
		s.Models = append(s.Models, m)
		slices.Sort(s.Models)
	}
	s.Tokens += reply.tokens
	_, limit := r.settings.Extra["max_tokens"]
	_, newLimit := r.settings.Extra["max_completion_tokens"]
	// For several answers llama.cpp reports the tokens of one, perhaps not of the
	// one that was cut off.
	if len(reply.answers) == 1 && reply.answers[0].finish == "length" && !limit && !newLimit &&
		reply.tokens > 0 && reply.tokens < int64(r.settings.MaxTokens) {
		s.Early++
	}
	if reply.promptTokens > 0 {
		r.prompts[task] = promptSize{len(r.tasks.At(task).Prompt()), reply.promptTokens}
	}
}

// sumPrompts counts the prompts that were cut. Ollama silently cuts a prompt that exceeds
// its context, and reports the context's size as the number of tokens. So prompts
// of several lengths have the same, round number of tokens, and none has more.
func (r *run) sumPrompts() {
	var most int64
	for _, p := range r.prompts {
		most = max(most, p.tokens)
	}
	count, shortest, longest := 0, 0, 0
	for _, p := range r.prompts {
		if p.tokens == most {
			if count++; count == 1 {
				shortest = p.bytes
			}
			shortest, longest = min(shortest, p.bytes), max(longest, p.bytes)
		}
	}
	if count > 1 && most%128 == 0 && longest-shortest > shortest/20 {
		r.summary.CutPrompts, r.summary.CutAt = count, most
	}
}
