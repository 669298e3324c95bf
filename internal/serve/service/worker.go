package service

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/internal/edit"
	"codelinter/internal/serve/api"
	"codelinter/lint"
	"codelinter/rule"
)

// A worker does one unit after the other.
type worker struct {
	service *Service
	scorers map[kind]*evaluator.Scorer // empty after a panic
	linter  *task.Linter               // likewise
	gate    *edit.Gate                 // likewise
	asked   []byte                     // memory for questions
	outputs [1]string
}

func newWorker(s *Service) (*worker, error) {
	w := &worker{service: s, scorers: map[kind]*evaluator.Scorer{}}
	// An error in one scorer would be in all.
	_, err := w.scorer(&api.Item{Verdict: evaluator.Official})
	return w, err
}

// scorer returns the worker's scorer for an item.
func (w *worker) scorer(item *api.Item) (*evaluator.Scorer, error) {
	kind := kindOf(item)
	if known := w.scorers[kind]; known != nil {
		return known, nil
	}
	scorer, err := w.service.newScorer(item)
	if err != nil {
		return nil, err
	}
	if len(w.scorers) >= maxKinds {
		clear(w.scorers)
	}
	w.scorers[kind] = scorer
	return scorer, nil
}

// scorer returns a scorer for an item.
func (s *Service) scorer(item *api.Item) (*evaluator.Scorer, error) {
	o := evaluator.ScorerOptions{
		MaxAnswer: s.options.MaxAnswer, CodesOnly: !item.Details, NoSaved: true, Programs: &s.programs,
		Release: s.options.Release, Target: s.options.Target, Plugins: s.options.Plugins,
	}
	if item.Verdict != evaluator.Official {
		o.Judges = s.judges.WithReward(item.Reward, item.OnUnknown).Makers()
	}
	return evaluator.NewScorer(o)
}

func (w *worker) run() {
	for j := w.service.queue.next(); j != nil; j = w.service.queue.next() {
		began := time.Now()
		for now := began; now.Sub(began) < slice; {
			i, ok := j.take()
			if !ok {
				break
			}
			now = w.unit(j, i, now)
		}
	}
}

// unit does a unit, and returns when it was done.
func (w *worker) unit(j *job, i int, began time.Time) time.Time {
	u := &j.units[i]
	s := w.service
	if j.ctx.Err() != nil {
		return began
	}
	n := len(u.text)
	if n > s.options.MaxAnswer {
		n = 0 // it is not read
	}
	if u.task != nil {
		n = max(n, u.task.text)
	}
	if j.lint != nil && j.lint.Edit != nil && len(j.lint.Edit.Before) <= s.options.MaxAnswer {
		n += len(j.lint.Edit.Before)
	}
	if n > largeText {
		if !w.takeLarge(j) {
			return time.Now()
		}
		defer w.endLarge(n)
	}
	if j.lint != nil {
		w.lint(j, i, u)
		return time.Now()
	}
	q := ask(&w.asked, u)
	score, l := s.memory.find(q, waiter{j, i})
	switch l {
	case joined:
		s.counts.joined.Add(1)
		return time.Now()
	case found:
		known := *score
		known.Milliseconds = 0
		s.counts.known.Add(1)
		return w.settle(j, i, &known, true, began)
	}
	fresh, late := w.judge(j, u, began)
	end := time.Now()
	w.share(s.memory.land(q, &fresh), &fresh, end)
	if late {
		// The deadline's timer, or the end of the job, settles it.
		if s.life.Err() == nil && j.ctx.Err() == nil {
			j.expire(&s.counts.deadline)
		}
		return end
	}
	return w.settle(j, i, &fresh, false, began)
}

// judge judges an answer, and once more after an error. late reports whether there was no time
// left.
func (w *worker) judge(j *job, u *unit, began time.Time) (fresh api.Score, late bool) {
	s := w.service
	ctx, cancel := j.ctx, func() {}
	// The bounds on an answer also bound the time of the official verdict, and a context with a
	// timer would cost a fiftieth of it.
	if !u.deadline.IsZero() && u.item.Verdict != evaluator.Official {
		ctx, cancel = context.WithDeadline(ctx, u.deadline)
	}
	defer cancel()
	fresh = w.score(ctx, u)
	if fresh.Error != "" && ctx.Err() == nil && s.life.Err() == nil {
		s.counts.retries.Add(1)
		fresh = w.score(ctx, u)
	}
	late = ctx.Err() != nil
	fresh.Milliseconds = float64(time.Since(began)) / float64(time.Millisecond)
	if fresh.Error != "" && !late { // if it is late, the waiting caller reports it, if there is one
		s.counts.faults.Add(1)
	}
	return fresh, late
}

// share settles the units that wait for a score. If the score is an error, the waiting units are
// scored again, as the error may not concern them.
func (w *worker) share(waiters []waiter, score *api.Score, now time.Time) {
	for _, waiting := range waiters {
		if score.Error == "" {
			known := *score
			known.Milliseconds = 0
			w.settle(waiting.job, waiting.at, &known, true, now)
			continue
		}
		waiting.job.giveBack(waiting.at)
		w.service.queue.add(waiting.job) // not if the queue is closed
	}
}

// largeText is a length in bytes. Longer texts are judged one at a time: the linter can
// take up to 450 bytes for each byte of a hostile text (x;x;x;), so two such texts of a
// megabyte, on two workers, would take more than the room of all requests.
const largeText = 64 << 10

// hugeText is the length above which memory is returned before the next text.
const hugeText = 256 << 10

// takeLarge waits for the turn of a large text. It returns false if the job ends before.
func (w *worker) takeLarge(j *job) bool {
	select {
	case w.service.large <- struct{}{}:
		return true
	case <-j.ctx.Done():
		return false
	}
}

// endLarge ends the turn of a large text of n bytes. Memory that was allocated for it is not kept
// for the next text.
func (w *worker) endLarge(n int) {
	clear(w.scorers)
	w.linter, w.gate = nil, nil
	if n > hugeText {
		debug.FreeOSMemory()
	}
	<-w.service.large
}

// settle settles an answer, and returns the time.
func (w *worker) settle(j *job, i int, score *api.Score, cached bool, began time.Time) time.Time {
	now := time.Now()
	w.service.counts.answers.Add(1)
	if observe := w.service.options.Observe; observe != nil {
		observe(&Observation{
			Verdict: j.units[i].item.Verdict,
			Score:   score,
			Cached:  cached,
			Waited:  began.Sub(j.taken),
			Worked:  now.Sub(began),
		})
	}
	j.settleScore(i, score)
	return now
}

// score judges an answer. An error becomes the score's Error.
func (w *worker) score(ctx context.Context, u *unit) api.Score {
	score, err := w.judged(ctx, u)
	if err != nil {
		return faulty(u.item, err.Error())
	}
	return score
}

func (w *worker) judged(ctx context.Context, u *unit) (score api.Score, err error) {
	defer w.recovered(&err)
	scorer, err := w.scorer(u.item)
	if err != nil {
		return score, err
	}
	t := judge.NoTask
	if u.task != nil {
		t = u.task.Task
	}
	w.outputs[0] = u.text
	result, err := scorer.Score(ctx, t, w.outputs[:])
	w.outputs[0] = ""
	if err != nil {
		return score, err
	}
	score = scoreOf(u.item, t, &result.Samples[0])
	if u.item.Details && score.Error == "" {
		score.Details = detailsOf(&result.Samples[0], t.Inputs.Code)
	}
	return score, nil
}

// recovered is deferred. It turns a panic into an error, and drops what the panic may have
// left half done.
func (w *worker) recovered(err *error) {
	if fault := recover(); fault != nil {
		clear(w.scorers)
		w.linter, w.gate = nil, nil
		w.service.counts.panics.Add(1)
		w.service.log(fmt.Sprintf("panic: %v\n%s", fault, debug.Stack()))
		*err = fmt.Errorf("panic: %v", fault)
	}
}

func scoreOf(item *api.Item, t *task.Task, sample *evaluator.Sample) api.Score {
	last := &sample.Judgements[len(sample.Judgements)-1]
	if item.Verdict == evaluator.Official && item.Reward != judge.Binary {
		last.Reward, last.Terms = judge.OfficialReward(item.Reward, t, sample)
	}
	score := api.Score{
		Terms:      last.Terms,
		Reward:     last.Reward,
		Masked:     last.Masked,
		Official:   sample.Official(),
		Proof:      last.Proof,
		Findings:   sample.Found,
		Fixed:      sample.Fixed,
		Left:       sample.Left,
		Introduced: sample.Introduced,
		Invalid:    sample.Invalid(),
		Empty:      sample.Empty,
		Noqa:       sample.Facts.Silenced,
	}
	if score.Invalid { // flake8 sees nothing else in it, so nothing is fixed
		score.Fixed, score.Left = 0, sample.Given
	}
	if item.Verdict != evaluator.Official {
		score.Guarded = last.Outcome.String()
	}
	if last.Logic != nil {
		score.Logic = [...]string{evaluator.Fail: "lost", evaluator.Pass: "kept", evaluator.Unknown: "unknown"}[*last.Logic]
	}
	if last.Tests != nil {
		score.Tests = last.Tests.String()
	}
	for _, reason := range last.Reasons {
		score.Reasons = append(score.Reasons, reason.Name)
	}
	switch {
	case last.Error:
		score = faulty(item, last.Reasons[0].Text)
	case item.Verdict == evaluator.Official && last.Outcome != evaluator.Pass && len(score.Reasons) == 0:
		score.Reasons = officialReasons
	}
	return score
}

var officialReasons = []string{"official"}

func (w *worker) lint(j *job, i int, u *unit) {
	if j.lint.Edit != nil {
		j.settleFindings(i, w.edit(j, u))
		return
	}
	f := api.FileFindings{Name: j.lint.Files[u.at].Name, JSON: []byte("[]")}
	if len(u.text) > w.service.options.MaxAnswer {
		f.Error = fmt.Sprintf("expected %d bytes at most, found %d", w.service.options.MaxAnswer, len(u.text))
	} else if err := w.findings(j.ctx, j.lint.Options, u.text, &f); err != nil {
		f.Error = err.Error()
		w.service.counts.faults.Add(1)
	}
	w.service.counts.lints.Add(1)
	j.settleFindings(i, f)
}

// findings lints a text into f.
func (w *worker) findings(ctx context.Context, options *task.Options, text string, f *api.FileFindings) (err error) {
	defer w.recovered(&err)
	if w.linter == nil {
		o := &w.service.options
		if w.linter, err = task.NewLinter(o.Release, o.Target, o.Plugins); err != nil {
			return err
		}
	}
	if err := w.linter.Use(ctx, options); err != nil {
		return err
	}
	result, _, err := w.linter.Lint(ctx, lint.Input{Name: f.Name, Data: []byte(text)})
	if err != nil {
		return err
	}
	f.Found, f.JSON = len(result.Findings), appendFindings(f.JSON[:0], result.Findings)
	return nil
}

// maxFindings bounds the bytes of findings that are sent for a file; all are counted.
const maxFindings = 4 << 20

// appendFindings appends the first findings as a list.
func appendFindings(dst []byte, findings []rule.Finding) []byte {
	dst = append(dst, '[')
	for i := range findings {
		if len(dst)+findings[i].Length() > maxFindings {
			break
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = findings[i].AppendJSON(dst)
	}
	return append(dst, ']')
}

func (s *Service) log(text string) {
	if notice := s.options.Sandbox.Notice; notice != nil {
		notice(text)
	}
}
