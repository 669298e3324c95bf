package behaviour

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"regexp"
	"slices"
	"strings"

	"codelinter/internal/util/lazy"
	"codelinter/sandbox"
)

// calls converts steps to calls of the sandbox.
func calls(steps []step) []sandbox.Call {
	list := make([]sandbox.Call, len(steps))
	for i, s := range steps {
		list[i] = sandbox.Call{Exec: s.exec, Bind: slices.Concat(s.given, s.bind), Expr: s.expr}
		if strings.ContainsRune(s.expr, '\n') {
			list[i].Expr = "(" + s.expr + ")"
		}
		for _, b := range s.bind {
			list[i].Return = append(list[i].Return, b.Name)
		}
	}
	return list
}

// A session has the steps of one instance, and what the program did in them.
type session struct {
	steps     []step
	calls     []sandbox.Call
	want      []expectation
	output    printed // of the module
	last      printed // at the program's end, by functions of atexit
	anyOutput bool    // an answer's module may print anything
	end       sandbox.End
	code      int // of a module that exited
	used      int64
	others    bool // all calls have an argument of an unknown type
	watched   int  // so many steps show what the program does
}

// An expectation has the program's outcome of a step, and how it binds an answer.
type expectation struct {
	sandbox.Outcome
	output   printed
	binding  bool         // an answer must do the same
	anything bool         // with binding: any exception will do
	accident bool         // the program fails, but not on purpose
	mended   bool         // a finding asks for the accident to go away
	or       *expectation // what the canonical answer did, if that differs from what the program did
	evidence bool         // equality here is evidence
}

// compileCounts bounds the counts for compiling a byte of a usual program. Compiling
// is counted for answers, but not for the program.
const compileCounts = 100

// answerBudget is the budget of an answer if the program used so many counts. Only an
// answer with another algorithm can exceed it.
func answerBudget(used int64) int64 { return 10*used + 2_000_000 }

// A printed is the text written to sys.stdout and to sys.stderr. The order between
// the two is not compared.
type printed struct{ output, errors string }

func (p printed) String() string {
	if p.errors == "" {
		return quote(p.output)
	}
	return quote(p.output) + " and to sys.stderr " + quote(p.errors)
}

// newPrinted returns the given ranges of r's output.
func newPrinted(r *sandbox.Result, output, errors [2]int) printed {
	part := func(text []byte, at [2]int) string {
		if at[0] < 0 || at[1] > len(text) || at[0] > at[1] {
			return ""
		}
		return withoutAddresses(withoutRows(string(text[at[0]:at[1]])))
	}
	return printed{part(r.Output, output), part(r.Errors, errors)}
}

// callOutput returns what call i of r wrote.
func callOutput(r *sandbox.Result, i int) printed {
	return newPrinted(r, r.Calls[i].Output, r.Calls[i].Errors)
}

// moduleOutput returns what the module itself wrote.
func moduleOutput(r *sandbox.Result) printed {
	if len(r.Calls) > 0 {
		return newPrinted(r, [2]int{0, r.Calls[0].Output[0]}, [2]int{0, r.Calls[0].Errors[0]})
	}
	return newPrinted(r, [2]int{0, len(r.Output)}, [2]int{0, len(r.Errors)})
}

// lastOutput returns what was written when the program ended.
func lastOutput(r *sandbox.Result) printed {
	if len(r.Calls) == 0 {
		return printed{} // it is part of the module's
	}
	return newPrinted(r, r.Finish.Output, r.Finish.Errors)
}

// runProgram runs steps on the reference. It drops the steps that end its instance.
func (p *Plan) runProgram(ctx context.Context, m *reference, steps []step) (*session, error) {
	list := calls(steps)
	for tries := 0; ; tries++ {
		r, err := p.engine.Run(ctx, sandbox.Program{Source: m.source, Calls: list, Budget: programBudget, Keep: !p.made})
		if err != nil {
			return nil, err
		}
		if r.End != sandbox.Done {
			return m.session(&r, steps, list), nil
		}
		ended := slices.ContainsFunc(r.Calls, func(o sandbox.Outcome) bool { return o.End != sandbox.Done && o.End != sandbox.Raised })
		if !ended && len(r.Calls) == len(list) || tries == 5 {
			return m.session(&r, steps, list), nil
		}
		// The last call ended the instance: leave it out.
		last := len(r.Calls) - 1
		steps = slices.Clone(steps)
		steps[last] = step{exec: "pass"}
		list = calls(steps)
	}
}

// session returns the session that r reports.
func (m *reference) session(r *sandbox.Result, steps []step, list []sandbox.Call) *session {
	s := &session{steps: steps, calls: list, output: moduleOutput(r), last: lastOutput(r), end: r.End, used: r.Used}
	if r.End == sandbox.Exited && r.Exception != nil {
		s.code = r.Exception.Code
	}
	if r.End == sandbox.Done {
		for i := range r.Calls {
			s.want = append(s.want, m.expect(r, i, &steps[i]))
		}
	}
	return s
}

// expect returns the expectation for call i of r.
func (m *reference) expect(r *sandbox.Result, i int, s *step) expectation {
	e := expectation{Outcome: r.Calls[i], output: callOutput(r, i)}
	switch e.End {
	case sandbox.Done:
		e.binding = true
		// An unused object is evidence only if it is the result itself.
		e.evidence = s.expr != "" && (s.expr != "[]" || len(s.bind) > 0) && s.standing == ofCall && (!opaque(&e.Value) || e.output != printed{}) && (!s.recording || len(e.Value.Items) > 0)
	case sandbox.Raised:
		e.binding, e.anything = m.says(e.Exception)
		e.evidence, e.accident = e.binding && s.standing == ofCall, !e.binding
		e.mended = e.accident && m.asksToBeMended(e.Exception)
	}
	return e
}

// fingerprint returns a hash that differs for different outcomes. It is written by
// hand: with package fmt it took a third of an evaluation's time.
func fingerprint(o *sandbox.Outcome, output printed) [16]byte {
	var b []byte
	number := func(n int) { b = binary.AppendVarint(b, int64(n)) }
	text := func(s string) {
		number(len(s))
		b = append(b, s...)
	}
	number(int(o.End))
	text(output.output)
	text(output.errors)
	if o.Exception != nil {
		text(o.Exception.Type)
		number(o.Exception.Line)
	}
	var write func(v *sandbox.Value)
	write = func(v *sandbox.Value) {
		number(int(v.Kind))
		text(v.Class)
		if v.Int != nil {
			number(v.Int.Sign())
			magnitude := v.Int.Bytes()
			number(len(magnitude))
			b = append(b, magnitude...)
		}
		for _, f := range v.Float {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
		}
		text(v.Str)
		number(len(v.Keys))
		number(len(v.Items))
		if v.Base != nil {
			write(v.Base)
		}
		for i := range v.Keys {
			write(&v.Keys[i])
		}
		for i := range v.Items {
			write(&v.Items[i])
		}
	}
	write(&o.Value)
	for i := range o.After {
		write(&o.After[i])
	}
	sum := sha256.Sum256(b)
	return [16]byte(sum[:])
}

// withoutRows removes text that depends on rows of the program: tracebacks except for
// their last line, and the lines of module warnings.
//
//	Traceback (most recent call last):
//	  File "/program.py", line 3, in f
//	    return re.findall('\d', text)
//	<string>:3: SyntaxWarning: invalid escape sequence '\d'
//	  return re.findall('\d', text)
func withoutRows(output string) string {
	if !strings.Contains(output, "Warning: ") && !strings.Contains(output, "Traceback (most recent call last):") {
		return output
	}
	return rows.Get().ReplaceAllString(output, "")
}

var rows = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^.*Traceback \(most recent call last\):.*\n?(^  .*\n?)*|^[^ \t:\n]*:[0-9]+: [^ \n]*Warning: .*\n?(^  .*\n?)?`)
}}
