package behaviour

import (
	"context"

	"codelinter/evaluator"
	"codelinter/sandbox"
)

// runScript runs a program, which is no answer, with the statements of a script, and for each assert
// those that assert returns, if any. It returns which of these end well.
func (p *Plan) runScript(ctx context.Context, source string, s *script, keep bool, assert func(test int) string) ([]testOutcome, *sandbox.Result, error) {
	program := sandbox.Program{Source: source, Budget: programBudget, Keep: keep}
	at := make([]int, len(s.tests)) // the call of each assert, or -1
	from := 0
	for i := range s.tests {
		for ; from < s.tests[i].before; from++ {
			if part := &s.parts[from]; part.statements {
				program.Calls = append(program.Calls, sandbox.Call{Exec: part.code.String()})
			}
		}
		at[i] = -1
		if text := assert(i); text != "" {
			at[i] = len(program.Calls)
			program.Calls = append(program.Calls, sandbox.Call{Exec: text})
		}
	}
	r, err := p.engine.Run(ctx, program)
	if err != nil {
		return nil, nil, err
	}
	outcomes := make([]testOutcome, len(s.tests))
	for i, call := range at {
		if call >= 0 && call < len(r.Calls) {
			switch r.Calls[call].End {
			case sandbox.Done:
				outcomes[i] = testPassed
			case sandbox.Raised:
				outcomes[i] = testFailed
			}
		}
	}
	return outcomes, &r, nil
}

// decide evaluates the asserts on an answer's values. An instance that runs the
// reference, and never saw the answer, makes the values again from plain data
// and evaluates the asserts. An assert is unknown if a value is missing or
// cannot be made again.
//
// outcomes are the answer's, by the number of the watched part. wanted has the
// asserts to evaluate; nil: all.
func (p *Plan) decide(ctx context.Context, s *script, outcomes []*sandbox.Outcome, wanted []bool) ([]testOutcome, error) {
	source := ""
	if p.reference != nil {
		source = p.reference.source
	}
	decided, _, err := p.runScript(ctx, source, s, false, func(test int) string {
		values, ok := s.tests[test].values(outcomes)
		if !ok || wanted != nil && !wanted[test] {
			return ""
		}
		return values + "assert (" + s.tests[test].text + ")"
	})
	return decided, err
}

// values returns statements that bind the values of the watched parts.
func (t *test) values(outcomes []*sandbox.Outcome) (text string, ok bool) {
	for _, piece := range t.pieces {
		if piece >= len(outcomes) || outcomes[piece] == nil || outcomes[piece].End != sandbox.Done {
			return "", false
		}
		value, ok := outcomes[piece].Value.Expression()
		if !ok {
			return "", false
		}
		text += pieceName(piece) + " = " + value + "\n"
	}
	return text, text != ""
}

// judgeByTests judges an answer by the tests alone, if there is no program to
// compare with or the logic is free.
func (p *Plan) judgeByTests(ctx context.Context, answer string) (Verdict, error) {
	s := p.script
	if s == nil {
		m, ok := parse(answer)
		if !ok {
			return fail("syntax", 0, "it is no Python"), nil
		}
		s = newScript(m, p.task.Setup, p.task.Tests)
	}
	if len(s.tests) == 0 {
		if p.unknown != nil {
			return Verdict{Outcome: evaluator.Unknown, Reasons: []evaluator.Reason{*p.unknown}}, nil
		}
		return unknown("nothing-to-call", "there are no tests"), nil
	}
	whole := probe{parts: s.parts}
	steps := whole.steps()
	result, err := p.engine.Run(ctx, sandbox.Program{Source: answer, Calls: calls(steps), Budget: programBudget})
	if err != nil {
		return Verdict{}, err
	}
	p.noteEngine(&result)
	if result.End != sandbox.Done {
		return moduleVerdict(&result, answer)
	}
	var outcomes []*sandbox.Outcome
	for i, step := range steps {
		if step.expr != "" && i < len(result.Calls) {
			outcomes = append(outcomes, &result.Calls[i])
		}
	}
	decided, err := p.decide(ctx, s, outcomes, nil)
	if err != nil {
		return Verdict{}, err
	}
	for i, d := range decided {
		switch {
		case d == testPassed:
		case d == testFailed:
			return fail("test", 0, "%s fails", s.tests[i].shown), nil
		default:
			for _, piece := range s.tests[i].pieces {
				if piece < len(outcomes) && outcomes[piece].End == sandbox.Raised {
					return fail("test", 0, "%s fails: %s", s.tests[i].shown, describe(outcomes[piece].Exception)), nil
				}
			}
			return unknown("test", "%s cannot be decided", s.tests[i].shown), nil
		}
	}
	return Verdict{Outcome: evaluator.Pass, Proof: ByTests}, nil
}
