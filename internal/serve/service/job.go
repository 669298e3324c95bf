package service

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"codelinter/evaluator"
	"codelinter/internal/serve/api"
)

// A job is the work of one call of the service, in units: answers to judge or files to lint.
// Workers take units and settle them. A unit is settled once; later results for it are dropped.
type job struct {
	ctx    context.Context
	cancel context.CancelFunc
	taken  time.Time // when the job arrived
	done   chan struct{}

	units    []unit
	scores   [][]api.Score
	findings api.Findings
	lint     *api.Lint
	hold     *Hold // grows with findings and details

	mu        sync.Mutex
	todo      []int // units to take
	left      int   // number of units that are not settled
	deadlines map[time.Duration]bool
	refused   error // the error if there was no room for findings or details

	client string
}

// A unit is one answer or one file.
type unit struct {
	item     *api.Item
	task     *known // nil: none
	text     string
	at, of   int // index in the scores, or in the files
	deadline time.Time
	settled  bool
}

func newJob(ctx context.Context, client string, items []api.Item, hold *Hold) *job {
	answers := 0
	for i := range items {
		answers += len(items[i].Completions)
	}
	j := &job{
		client: client, hold: hold, taken: time.Now(), done: make(chan struct{}), deadlines: map[time.Duration]bool{},
		scores: make([][]api.Score, 0, len(items)), units: make([]unit, 0, answers), todo: make([]int, 0, answers),
	}
	j.ctx, j.cancel = context.WithCancel(ctx)
	return j
}

// addItem adds the answers of an item. An answer with a fault is settled at once.
func (j *job) addItem(s *Service, item *api.Item) {
	at := len(j.scores)
	fault := item.Fault
	var task *known
	if fault == "" && !item.Task.IsNone() {
		task, fault = s.findTask(&item.Task)
	}
	if fault != "" && len(item.Completions) == 0 {
		j.scores = append(j.scores, []api.Score{faulty(item, string(fault))})
		return
	}
	scores := make([]api.Score, len(item.Completions))
	j.scores = append(j.scores, scores)
	var deadline time.Time
	if item.Deadline > 0 {
		deadline = j.taken.Add(item.Deadline)
		j.deadlines[item.Deadline] = true
	}
	for i := range item.Completions {
		c := &item.Completions[i]
		if fault != "" || c.Fault != "" {
			scores[i] = faulty(item, string(cmp.Or(c.Fault, fault)))
			continue
		}
		j.add(unit{item: item, task: task, text: c.Text, at: at, of: i, deadline: deadline})
	}
}

func (j *job) add(u unit) {
	j.todo = append(j.todo, len(j.units))
	j.units = append(j.units, u)
	j.left++
}

// faulty is the score of an answer that was not judged.
func faulty(item *api.Item, why string) api.Score {
	score := api.Score{Error: string(api.Faultf("%s", why)), Masked: true}
	for _, name := range item.Reward.Terms() { // trainers take the keys of a batch from its first score
		score.Terms = append(score.Terms, evaluator.Term{Name: name})
	}
	if item.Verdict != evaluator.Official {
		score.Guarded = evaluator.Unknown.String()
	}
	return score
}

func (j *job) addLint(l *api.Lint) {
	j.lint = l
	j.units, j.todo = make([]unit, 0, len(l.Files)), make([]int, 0, len(l.Files))
	j.findings = api.Findings{Single: l.Single, Edit: l.Edit != nil, Files: make([]api.FileFindings, len(l.Files))}
	for i := range l.Files {
		j.add(unit{text: l.Files[i].Text, at: i})
	}
}

// take returns a unit to work on. ok is false if there is none.
func (j *job) take() (i int, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for len(j.todo) > 0 {
		i, j.todo = j.todo[0], j.todo[1:]
		if !j.units[i].settled {
			return i, true
		}
	}
	return 0, false
}

// giveBack lets a unit be taken again.
func (j *job) giveBack(i int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.todo = append(j.todo, i)
}

// waiting returns the number of units to take.
func (j *job) waiting() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.todo)
}

// settleScore settles an answer. It returns false if the answer is settled already.
func (j *job) settleScore(i int, score *api.Score) bool {
	bytes := int64(0)
	if score.Details != nil {
		bytes = score.Details.Size()
	}
	return j.settle(i, bytes, func(u *unit) { j.scores[u.at][u.of] = *score })
}

// settleFindings settles a file, unless it is settled already.
func (j *job) settleFindings(i int, f api.FileFindings) {
	j.settle(i, int64(cap(f.JSON)+len(f.Error)), func(u *unit) { j.findings.Files[u.at] = f })
}

// settle settles a unit by set, whose result takes some bytes. It returns false if the unit is
// settled already. If there is no room for the bytes, all units are settled without results.
//
// Room is taken only for a unit that is not settled. The caller that waits for the job gives its
// room back when all units are settled; room taken later would be lost.
func (j *job) settle(i int, bytes int64, set func(u *unit)) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	u := &j.units[i]
	if u.settled {
		return false
	}
	if j.refused = j.hold.More(bytes); j.refused != nil {
		j.drop()
		close(j.done)
		return true
	}
	set(u)
	j.settled(u)
	return true
}

// settled marks a unit.
func (j *job) settled(u *unit) {
	u.settled = true
	if j.left--; j.left == 0 {
		close(j.done)
	}
}

// abandon drops the remaining units, as the caller has left.
func (j *job) abandon() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drop()
}

func (j *job) drop() {
	for i := range j.units {
		j.units[i].settled = true
	}
	j.todo = nil
}

// expire settles the units that have missed their deadline, and counts them.
func (j *job) expire(count *atomic.Int64) {
	now := time.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range j.units {
		if u := &j.units[i]; !u.settled && !u.deadline.IsZero() && !now.Before(u.deadline) {
			count.Add(1)
			j.scores[u.at][u.of] = faulty(u.item, deadlineError)
			j.settled(u)
		}
	}
}

// deadlineError is the error of an answer without a verdict in time.
const deadlineError = "deadline"
