package evaluator

import (
	"context"

	"codelinter/evaluator/task"
)

// A Verdict is the name of a way to judge answers, in small letters and digits. Results, tables and
// the files of other tools have scores under this name, for each verdict of a run, the official one
// first.
type Verdict string

// Official is the benchmark's own verdict, quirks included: an answer passes if
// flake8 finds nothing in its code. Every scorer gives it, and it is never unknown.
const Official Verdict = "official"

// Guarded is the verdict of package judge: an answer passes if it does so
// officially, has not gamed that, and keeps the program's logic.
const Guarded Verdict = "guarded"

// Verdicts returns all verdicts, the official first.
func Verdicts() []Verdict { return []Verdict{Official, Guarded} }

// An Outcome is what a verdict says of an answer.
type Outcome uint8

// The outcomes. Only Pass counts as a pass; Unknown does not.
const (
	Fail Outcome = iota
	Pass
	Unknown
)

// String returns "fail", "pass" or "unknown".
func (o Outcome) String() string {
	switch o {
	case Pass:
		return "pass"
	case Unknown:
		return "unknown"
	}
	return "fail"
}

// MarshalText writes what String returns.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// A Judgement is one verdict on one answer. The official one has only an Outcome and a Reward of 0
// or 1.
type Judgement struct {
	Outcome Outcome
	Proof   string   // how a pass is known, such as "tree"; "" if nothing had to be proven
	Reasons []Reason // why it does not pass
	// StandIns are the modules that were played to judge the answer, as the sandbox
	// does not have them; none where it was not run.
	StandIns []string
	Reward   float64 // from 0 to 1; 0 unless it passes, or the verdict says otherwise
	// Masked reports whether there is no reward, by the verdict or after an error of ours. Reward
	// is then 0. A trainer should leave such an answer out.
	Masked bool
	// Error reports whether the outcome is Unknown because of an error of ours, which
	// its reason describes.
	Error bool
}

// A Reason is why an answer does not pass.
type Reason struct {
	Name string `json:"name"`           // short and stable, for programs
	Line int    `json:"line,omitempty"` // of the code, from 1; 0 for no line of it
	Text string `json:"text"`           // for people
}

// A Judge gives a verdict other than the official. A [Scorer] has a judge of its
// own and calls it from one goroutine.
type Judge interface {
	// Verdict returns the verdict that the judge gives.
	Verdict() Verdict
	// Judge judges an answer to the task. All of sample is set but the judgements that come
	// after this one; the official is Judgements[0]. An error is one of ours: the outcome
	// is then [Unknown]. If ctx is done, the judge returns soon, and its result is ignored.
	Judge(ctx context.Context, task *task.Task, sample *Sample) (Judgement, error)
}

// errorReason names the reason of a [Judgement] with Error set.
const errorReason = "error"

// Passes counts what a verdict says of some samples. The rest fail.
type Passes struct {
	Passed  int
	Unknown int
	Errors  int // of those unknown, the ones for an error of ours
}

func (p *Passes) count(j *Judgement) {
	switch j.Outcome {
	case Pass:
		p.Passed++
	case Unknown:
		p.Unknown++
		if j.Error {
			p.Errors++
		}
	}
}

func (p *Passes) add(d Passes) {
	p.Passed += d.Passed
	p.Unknown += d.Unknown
	p.Errors += d.Errors
}
