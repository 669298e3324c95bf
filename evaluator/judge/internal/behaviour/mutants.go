package behaviour

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/sandbox"
)

// A program's mutants measure its calls. A mutant is the program with one token changed. A call
// with another result in the mutant would detect an answer with that fault. mutants.py writes the
// program with all its mutants, so that they take one instance.
//
// Only functions are mutated, as the values of a module's own statements are compared anyway.

//go:embed mutants.py
var mutantsPy string

// Bounds of the mutants that are tried.
const (
	maxMutants    = 100        // of one program
	mutantsBudget = 20_000_000 // counts for all of them
	mutantsRun    = 2_000_000  // counts for one instance that runs them
	mutantsWrite  = 1_000      // counts for writing a byte of a program with them
)

// text returns the probe as one expression, or "" if it is more than that.
func (p *probe) text() string {
	steps := p.steps()
	if len(steps) != 1 || steps[0].exec != "" {
		return ""
	}
	var names, values []string
	for _, b := range slices.Concat(steps[0].given, steps[0].bind) {
		names, values = append(names, b.Name), append(values, b.Expr)
	}
	after := ""
	for _, b := range steps[0].bind {
		after += ", " + b.Name
	}
	return "(lambda " + strings.Join(names, ", ") + ": [" + steps[0].expr + after + "])(" + strings.Join(values, ", ") + ")"
}

// Adequacy returns the share of mutants that the plan's calls detect. It is nil without
// [Options.Mutants], or if no mutant can be run.
func (p *Plan) Adequacy() *task.Adequacy { return p.adequacy }

// hunt runs the program's mutants with the calls that reach them. Of many mutants it takes
// some, spread over the program. The error is that of the engine.
func (p *Plan) hunt(ctx context.Context, list []trial) (*task.Adequacy, error) {
	if len(p.played) > 0 {
		return nil, nil // its stand-ins would have to be played here too
	}
	var probes []string
	for i := range list {
		probes = append(probes, quoted(list[i].probe.text()))
	}
	text := p.reference.source
	begin := fmt.Sprintf("mutants__.begin(globals(), %s, %s, [%s], %d)", quoted(text), quoted(p.script.imports), strings.Join(probes, ", "), maxMutants)
	written := p.moduleUsed + mutantsWrite*int64(len(text))
	found := &task.Adequacy{Mutants: 1} // one at least, until they are known
	tell := func(mutant sandbox.Value) {
		found.Alive = append(found.Alive, fmt.Sprintf("line %d: %s", p.reference.plain.row(int(mutant.Items[0].Int.Int64())), clip(mutant.Items[1].Str)))
	}
	var mutants []sandbox.Value
	tried := 0
	for left := int64(mutantsBudget); left > 0 && tried < found.Mutants; {
		program := sandbox.Program{Before: mutantsPy, Budget: written + mutantsRun, Calls: []sandbox.Call{{Expr: begin}}, Keep: true}
		for i := tried; i < maxMutants; i++ {
			program.Calls = append(program.Calls, sandbox.Call{Expr: fmt.Sprintf("mutants__.kill(%d)", i+1)})
		}
		r, err := p.engine.Run(ctx, program)
		if err != nil {
			return nil, err
		}
		if r.Calls[0].End != sandbox.Done || len(r.Calls[0].Value.Items) == 0 {
			return nil, nil
		}
		left -= max(r.Used-r.Calls[0].Used, 1)
		mutants = r.Calls[0].Value.Items
		found.Mutants = len(mutants)
		for first, ended := tried, false; tried < len(mutants) && !ended; {
			switch o := &r.Calls[1+tried-first]; {
			case o.End == sandbox.Done && o.Value.Int.Sign() != 0: // a call detects it
			case o.End == sandbox.Done || o.End == sandbox.Raised:
				tell(mutants[tried])
			case o.End == sandbox.Budget && tried > first: // others used most of the budget: run it again
				ended = true
				continue
			default: // it ends the interpreter, or does not end
				ended = true
			}
			tried++
		}
	}
	for _, mutant := range mutants[tried:] {
		tell(mutant)
	}
	return found, nil
}
