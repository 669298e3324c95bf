package evaluator

import (
	"context"

	"codelinter/evaluator/task"
)

// A Verdict is the name of a way to judge answers, in small letters and digits. Results, tables and
// the files of other tools have scores under this name, for each verdict of a run, the official one
// first.
type Verdict string

// Official is the benchmark's own verdict, quirks included: an answer passes if flake8 finds
// nothing in its code. Every scorer gives it. It is never unknown.
const Official Verdict = "official"

// Guarded is the verdict of package judge: an answer passes if it passes officially, does not
// trick the linter, and keeps the program's logic.
const Guarded Verdict = "guarded"

// Verdicts returns all verdicts, the official first.
func Verdicts() []Verdict { return []Verdict{Official, Guarded} }

// An Outcome is the result of a verdict on an answer.
type Outcome uint8

// The outcomes. Only Pass counts as a pass; Unknown does not.
const (
	Fail Outcome = iota
	Pass
	Unknown
)

// String returns "fail", "pass" or "unknown".
func (o Outcome) String() string {
	return [...]string{Fail: "fail", Pass: "pass", Unknown: "unknown"}[o]
}

// MarshalText writes what String returns.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// A Judgement is one verdict on one answer. The official one has only an Outcome, and a Reward of
// 0 or 1.
type Judgement struct {
	Outcome Outcome
	Proof   string   // of a pass, such as "tree"; "" if none was needed
	Reasons []Reason // why it is not a pass
	// StandIns are the modules that were played to run the answer, as the sandbox lacks them.
	StandIns []string
	Reward   float64 // from 0 to 1, or what a formula gives
	// Terms are the values of the terms of a formula for rewards; none for other rewards.
	Terms []Term
	// Logic tells whether the logic is kept, and Tests whether the task's tests pass. Both are nil
	// if nobody asked. Logic may be known of an answer that does not pass officially.
	Logic, Tests *Outcome
	// Masked reports whether there is no reward, by the verdict or after an error of ours. Reward
	// is then 0. A trainer should leave such an answer out.
	Masked bool
	// Error reports whether the outcome is Unknown because of an error of ours, which the reason
	// describes.
	Error bool
}

// A Term is a part of a reward.
type Term struct {
	Name  string
	Value float64
}

// A Reason is why an answer does not pass.
type Reason struct {
	Name string `json:"name"`           // short and stable, for programs
	Line int    `json:"line,omitempty"` // of the code, from 1; 0 for none
	Text string `json:"text"`           // for people
}

// A Judge gives a verdict other than the official. A [Scorer] has a judge of its
// own and calls it from one goroutine.
type Judge interface {
	// Verdict returns the verdict that the judge gives.
	Verdict() Verdict
	// Judge judges an answer to the task. sample is complete except for later judgements;
	// Judgements[0] is the official one. An error is ours, and makes the outcome [Unknown]. If ctx
	// is done, the judge returns soon, and its result is ignored. A further answer to the task with
	// the same code gets the same judgement, unless that is an error.
	Judge(ctx context.Context, task *task.Task, sample *Sample) (Judgement, error)
}

// errorReason names the reason of a [Judgement] with Error set.
const errorReason = "error"

// Passes counts the outcomes of some samples. The others fail.
type Passes struct {
	Passed  int
	Unknown int
	Errors  int // unknown because of an error of ours
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
