// Package suites scores answers by running them: HumanEval, MBPP, and the inputs that
// EvalPlus added to both.
//
//	tasks, err := suites.Read(suites.HumanEval, name, file)
//	...
//	runner := suites.New(suites.HumanEval, pool)
//	reference, err := runner.Reference(ctx, &tasks[0])
//	...
//	base, plus, err := runner.Check(ctx, reference, answer)
//
// An answer's function is called with each input in the sandbox, and its result comes out
// as data. The expected value is what the task's own solution returned in another run. It
// never enters an answer's interpreter. Both are compared here, by EvalPlus' rules and
// tolerances.
//
// Time is counted, not measured. A call may use as many counts as CPython does in a second,
// or four times as many as the solution uses. All calls of a check together may use as many
// as CPython does in 61 seconds. So an answer has the same status on every machine.
package suites

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"codelinter/internal/util/lazy"
	"codelinter/sandbox"
)

// A Status is the result of a check.
type Status string

// EvalPlus' statuses. For EvalPlus a call that takes too long is a failure, unless the
// whole check takes too long; here both are timeouts.
const (
	Pass    Status = "pass"
	Fail    Status = "fail"
	Timeout Status = "timeout"
)

// A Check is a status, and the first input with that status.
type Check struct {
	Status Status
	Input  int    // of the first call that failed; -1 if there is none or the answer itself failed
	Reason string // in a few words
}

// Limits of a check, in counts.
const (
	second      = int64(time.Second / sandbox.CountTime)
	callLimit   = second      // of a call, if the solution uses less than a quarter of it
	factor      = 4           // times the solution's counts
	totalLimit  = 61 * second // of all calls together
	moduleLimit = 10 * second // of code outside of functions
)

// Memory bounds an answer's memory in bytes.
const Memory = 512 << 20

// PoolOptions returns the options of a pool for a Runner.
func PoolOptions() sandbox.Options {
	return sandbox.Options{Memory: Memory, Output: 1 << 16, Time: sandbox.TimeFor(totalLimit)}
}

// A Runner checks answers of a suite. It is safe for concurrent use.
type Runner struct {
	suite Suite
	pool  *sandbox.Pool
}

// New returns a Runner. The pool must have [PoolOptions].
func New(suite Suite, pool *sandbox.Pool) *Runner { return &Runner{suite, pool} }

// A Reference is a task with the results of its own solution.
type Reference struct {
	Task       *Task
	base, plus expected
	Skipped    []string // inputs that are not used, with the reason
}

// An expected has a solution's results for some inputs, and the counts that they took.
type expected struct {
	inputs []Input
	places []int // of the inputs in the task
	values []sandbox.Value
	used   []int64
	own    Check // of the solution itself as an answer
}

// Reference runs a task's own solution. Inputs whose result cannot be compared, or for
// which the solution is wrong, are not used and are listed in Skipped. HumanEval/32 has one
// for which it is wrong: since CPython 3.12 sum() rounds floats differently, so the zero
// that the solution finds is none.
func (r *Runner) Reference(ctx context.Context, t *Task) (*Reference, error) {
	ref := &Reference{Task: t}
	for _, set := range []struct {
		name   string
		inputs []Input
		to     *expected
	}{{"base", t.Base, &ref.base}, {"plus", t.Plus, &ref.plus}} {
		reasons, err := r.expect(ctx, t, set.inputs, set.to)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.ID, err)
		}
		for place, reason := range reasons {
			if reason != "" {
				ref.Skipped = append(ref.Skipped, fmt.Sprintf("%s: %s input %d of %d: %s", t.ID, set.name, place, len(set.inputs), reason))
			}
		}
	}
	if len(ref.base.inputs) == 0 {
		return nil, fmt.Errorf("%s: no input is left: %s", t.ID, strings.Join(ref.Skipped, "; "))
	}
	return ref, nil
}

// expect sets e to what a task's own solution does with inputs. It returns for each input
// why it is not used, or "". The solution is run without such inputs until there are none.
func (r *Runner) expect(ctx context.Context, t *Task, inputs []Input, e *expected) (reasons []string, err error) {
	reasons = make([]string, len(inputs))
	for {
		e.inputs, e.places = nil, nil
		for place, input := range inputs {
			if reasons[place] == "" {
				e.inputs, e.places = append(e.inputs, input), append(e.places, place)
			}
		}
		result, err := r.run(ctx, t, t.solution(), e.inputs, argumentsOf(t), totalLimit, true)
		if err != nil {
			return nil, err
		}
		if len(result.Calls) == 0 || result.Calls[0].End != sandbox.Done {
			return nil, errors.New("its own solution does not run: " + describe(&result, 0))
		}
		found := r.unusable(t, &result)
		if len(found) == 0 {
			if len(result.Calls) != len(e.inputs)+1 {
				return nil, errors.New("its own solution was not called with all inputs")
			}
			for i := range result.Calls[1:] {
				e.values = append(e.values, result.Calls[i+1].Value)
				e.used = append(e.used, result.Calls[i+1].Used)
			}
			e.own, _ = r.judge(t, &result, e, e.limits())
			return reasons, nil
		}
		for i, reason := range found {
			reasons[e.places[i]] = reason
		}
	}
}

// unusable returns the inputs that cannot be used, with the reason, as far as one run of the
// solution shows. How a call ends, and whether there is room for its value, may be due to
// the calls before it. So it counts only if these are all good.
func (r *Runner) unusable(t *Task, result *sandbox.Result) map[int]string {
	found := map[int]string{}
	tolerance := t.Tolerance
	for i := range result.Calls[1:] {
		o, then := &result.Calls[i+1], tolerance
		switch {
		case len(found) > 0 && (o.End != sandbox.Done || wasOmitted(o.Value) || slices.ContainsFunc(o.After, wasOmitted)):
		case o.End != sandbox.Done:
			found[i] = "its own solution does not return: " + describe(result, i+1)
		case large(&o.Value):
			found[i] = "what its own solution returns is too large"
		default:
			if right, _ := r.right(t, o, &o.Value, &then); right {
				tolerance = then
			} else {
				found[i] = "its own solution is not right"
			}
		}
	}
	return found
}

// wasOmitted reports whether a value is too large only because of those before it.
func wasOmitted(v sandbox.Value) bool { return v.Kind == sandbox.TooLarge && v.More }

// describe says how a call ended.
func describe(r *sandbox.Result, call int) string {
	if call < len(r.Calls) {
		if e := r.Calls[call].Exception; e != nil {
			return strings.TrimSuffix(e.Type+": "+e.Text, ": ")
		}
		return r.Calls[call].End.String()
	}
	if len(r.Calls) > 0 {
		return describe(r, len(r.Calls)-1)
	}
	return r.End.String()
}

// large reports whether a part of a value exceeds the sandbox' bounds.
func large(v *sandbox.Value) bool {
	if v.Kind == sandbox.TooLarge || v.Base != nil && large(v.Base) {
		return true
	}
	for i := range v.Keys {
		if large(&v.Keys[i]) {
			return true
		}
	}
	for i := range v.Items {
		if large(&v.Items[i]) {
			return true
		}
	}
	return false
}

// run runs an answer and calls its function with each input. Call 0 runs the answer itself,
// not as a main program: in EvalPlus its __name__ is that of builtins.
func (r *Runner) run(ctx context.Context, t *Task, answer string, inputs []Input, after []string, budget int64, keep bool) (sandbox.Result, error) {
	calls := make([]sandbox.Call, 1, len(inputs)+1)
	calls[0] = sandbox.Call{Exec: answer, Expr: t.Entry}
	for _, input := range inputs {
		calls = append(calls, sandbox.Call{Bind: []sandbox.Binding{{Name: "arguments", Expr: string(input)}}, Expr: t.Entry + "(*arguments)", Return: after, Items: 100_000})
	}
	return r.pool.Run(ctx, sandbox.Program{Source: "__name__ = 'builtins'\n", Calls: calls, Budget: budget, Machine: new(sandbox.Machine), Keep: keep})
}

// Check checks an answer, a whole program, with a task's inputs and with the added ones. If
// none were added, the answer only has to run. After an error, which is the sandbox's,
// nothing is known about the answer.
func (r *Runner) Check(ctx context.Context, ref *Reference, answer string) (base, plus Check, err error) {
	if base, err = r.check(ctx, ref.Task, answer, &ref.base); err == nil {
		plus, err = r.check(ctx, ref.Task, answer, &ref.plus)
	}
	return base, plus, err
}

// check runs an answer with the first cheap inputs, as most wrong answers fail at once, and
// then with all. Over mutants of HumanEval+'s solutions this is 2.4 times as fast. The
// task's own solution is not run again, as a run is the same every time.
func (r *Runner) check(ctx context.Context, t *Task, answer string, want *expected) (Check, error) {
	if answer == t.solution() {
		return want.own, nil
	}
	all, few := len(want.inputs), want.few()
	judged, err := r.checkFirst(ctx, t, answer, want, few)
	if err == nil && judged.Status == Pass && few < all {
		judged, err = r.checkFirst(ctx, t, answer, want, all)
	}
	if err != nil {
		return Check{}, err
	}
	if judged.Input >= 0 {
		judged.Input = want.places[judged.Input]
	}
	return judged, nil
}

// few returns the number of first inputs that cost a correct answer about a twentieth of
// the cost of all. The cost includes reading an input.
func (e *expected) few() (n int) {
	const reading = int64(100 * time.Microsecond / sandbox.CountTime)
	all := int64(len(e.used)) * reading
	for _, used := range e.used {
		all += used
	}
	for sum := int64(0); n < len(e.used) && sum < all/20; n++ {
		sum += reading + e.used[n]
	}
	return n
}

// limits returns the counts that each call may use.
func (e *expected) limits() []int64 {
	limits := make([]int64, len(e.used))
	for i, used := range e.used {
		limits[i] = max(callLimit, factor*used)
	}
	return limits
}

// checkFirst checks an answer with the first n inputs.
func (r *Runner) checkFirst(ctx context.Context, t *Task, answer string, want *expected, n int) (Check, error) {
	budget := callLimit
	for _, used := range want.used[:n] {
		budget += factor * used
	}
	budget = min(budget, totalLimit)
	for {
		result, err := r.run(ctx, t, answer, want.inputs[:n], argumentsOf(t), budget, false)
		if err != nil {
			return Check{}, err
		}
		judged, spent := r.judge(t, &result, want, want.limits()[:n])
		if !spent || budget == totalLimit {
			return judged, nil
		}
		// A call had less than its limit, because the calls before it took long.
		budget = min(2*budget, totalLimit)
	}
}

// argumentsOf names what a call returns besides its value: the arguments, if the oracle
// looks at them.
func argumentsOf(t *Task) []string {
	if oracles.Get()[t.Entry].arguments {
		return []string{"arguments"}
	}
	return nil
}

// judge returns the check's result. spent reports that the budget ended before the last
// call had its limit.
func (r *Runner) judge(t *Task, result *sandbox.Result, want *expected, limits []int64) (c Check, spent bool) {
	if len(result.Calls) == 0 {
		return Check{Fail, -1, result.End.String()}, false
	}
	tolerance := t.Tolerance
	for i := range result.Calls {
		call := &result.Calls[i]
		limit := moduleLimit
		if i > 0 {
			limit = limits[i-1]
		}
		switch {
		case call.End == sandbox.Budget && call.Used < limit:
			return Check{Timeout, i - 1, "time"}, true
		case call.End == sandbox.Budget || call.Used > limit:
			return Check{Timeout, i - 1, "time"}, false
		case call.End != sandbox.Done:
			return Check{Fail, i - 1, describe(result, i)}, false
		case i == 0:
			continue
		}
		if ok, reason := r.right(t, call, &want.values[i-1], &tolerance); !ok {
			return Check{Fail, i - 1, reason}, false
		}
	}
	if len(result.Calls) != len(limits)+1 {
		return Check{Fail, len(result.Calls) - 1, describe(result, len(result.Calls)-1)}, false
	}
	return Check{Status: Pass, Input: -1}, false
}

// An oracle is how EvalPlus judges a function with several correct results.
type oracle struct {
	suite     Suite
	arguments bool // it looks at the arguments after the call
	judge     func(c *comparer, out, want, arguments *sandbox.Value, same bool, tolerance float64) bool
}

var oracles = lazy.Value[map[string]oracle]{Make: func() map[string]oracle {
	return map[string]oracle{
		"find_zero":           {HumanEval, true, findsZero},
		"are_equivalent":      {MBPP, false, func(*comparer, *sandbox.Value, *sandbox.Value, *sandbox.Value, bool, float64) bool { return true }},
		"sum_div":             {MBPP, false, orZero},
		"surface_Area":        {MBPP, true, surface},
		"digit_distance_nums": {MBPP, true, digitDistance},
		"check_str":           {MBPP, false, notNone}, "text_match_three": {MBPP, false, notNone}, "text_starta_endb": {MBPP, false, notNone},
		"similar_elements": {MBPP, false, sameElements}, "find_char_long": {MBPP, false, sameElements}, "common_in_nested_lists": {MBPP, false, sameElements},
		"extract_singly": {MBPP, false, sameElements}, "larg_nnum": {MBPP, false, sameElements}, "intersection_array": {MBPP, false, sameElements},
		"find_dissimilar": {MBPP, false, sameElements}, "Diff": {MBPP, false, sameElements},
	}
}}

// right reports whether a call returned the expected value. *tolerance is the check's
// tolerance so far: EvalPlus keeps that of floats once a float was expected.
func (r *Runner) right(t *Task, call *sandbox.Outcome, want *sandbox.Value, tolerance *float64) (ok bool, reason string) {
	out := &call.Value
	if large(out) {
		return false, "its result is too large"
	}
	c := newComparer(out, want)
	same := c.equal(out, want, 0)
	if o, special := oracles.Get()[t.Entry]; special && o.suite == r.suite {
		var arguments *sandbox.Value
		if len(call.After) > 0 {
			arguments = &call.After[0]
		}
		same = o.judge(c, out, want, arguments, same, *tolerance)
		if t.Entry == "find_zero" {
			return same, "it is no zero"
		}
	}
	if *tolerance == 0 && c.isFloats(want) {
		*tolerance = 1e-6
	}
	if !same && *tolerance != 0 {
		same = c.sameType(out, want) && c.close(out, want, *tolerance)
	}
	if same {
		return true, ""
	}
	return false, fmt.Sprintf("%s, where %s is expected", brief(out), brief(want))
}

// brief shows the beginning of a value.
func brief(v *sandbox.Value) string {
	const most = 60
	text := []rune(v.String())
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}

func notNone(c *comparer, out, want, _ *sandbox.Value, _ bool, _ float64) bool {
	if out.Kind == sandbox.Bool {
		return (out.Int.Sign() != 0) == (want.Kind != sandbox.None)
	}
	return (out.Kind != sandbox.None) == (want.Kind != sandbox.None)
}

func orZero(_ *comparer, out, _, _ *sandbox.Value, same bool, _ float64) bool {
	return same || isNumber(out) && number(out) == 0
}

// sameElements compares values as sets.
func sameElements(c *comparer, out, want, _ *sandbox.Value, _ bool, _ float64) bool {
	a, ok := elements(c.plain(0, out))
	b, _ := elements(c.plain(1, want))
	return ok && c.contains(a, b, 0) && c.contains(b, a, 0)
}

// elements returns the items of set(v), with repetitions. ok is false if set(v) would
// raise.
func elements(v *sandbox.Value) (items []sandbox.Value, ok bool) {
	switch v.Kind {
	case sandbox.List, sandbox.Tuple, sandbox.Set, sandbox.FrozenSet, sandbox.DictKeys, sandbox.DictValues:
		items = v.Items
	case sandbox.Iterator:
		if v.More || v.Raised != "" {
			return nil, false
		}
		items = v.Items
	case sandbox.Dict:
		items = v.Keys
	case sandbox.Str:
		for _, r := range v.Str {
			items = append(items, sandbox.Value{Kind: sandbox.Str, Str: string(r)})
		}
	default:
		return nil, false
	}
	for i := range items {
		if k := items[i].Kind; k == sandbox.List || k == sandbox.Dict || k == sandbox.Set || k == sandbox.ByteArray {
			return nil, false
		}
	}
	return items, true
}

var errArguments = errors.New("arguments that are none")

// numbers returns the arguments of a call, which are numbers.
func numbers(arguments *sandbox.Value, n int) ([]*sandbox.Value, error) {
	if arguments == nil || len(arguments.Items) != n {
		return nil, errArguments
	}
	list := make([]*sandbox.Value, n)
	for i := range list {
		if list[i] = &arguments.Items[i]; !isNumber(list[i]) {
			return nil, errArguments
		}
	}
	return list, nil
}

// surface accepts a pyramid's height in place of its slant height.
func surface(_ *comparer, out, _, arguments *sandbox.Value, same bool, tolerance float64) bool {
	given, err := numbers(arguments, 2)
	if same || err != nil || !isNumber(out) {
		return same
	}
	base, height := real(number(given[0])), real(number(given[1]))
	slant := math.Sqrt(base/2*(base/2) + height*height)
	area := math.RoundToEven(base*base + 4*(base*slant)/2)
	return math.Abs(real(number(out))-area) <= tolerance
}

// digitDistance compares two numbers digit by digit, from the right.
func digitDistance(c *comparer, out, _, arguments *sandbox.Value, same bool, _ float64) bool {
	given, err := numbers(arguments, 2)
	if same || err != nil || given[0].Int == nil || given[1].Int == nil {
		return same
	}
	a, b := given[0].Int.String(), given[1].Int.String()
	if given[0].Int.Sign() < 0 || given[1].Int.Sign() < 0 {
		return false
	}
	n := max(len(a), len(b))
	a, b = strings.Repeat("0", n-len(a))+a, strings.Repeat("0", n-len(b))+b
	distance := 0
	for i := range n {
		distance += max(int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	want := sandbox.Value{Kind: sandbox.Int, Int: big.NewInt(int64(distance))}
	return c.equal(out, &want, 0)
}

// findsZero evaluates the polynomial at the result.
func findsZero(_ *comparer, out, _, arguments *sandbox.Value, _ bool, tolerance float64) bool {
	if arguments == nil || len(arguments.Items) != 1 || !isNumber(out) || out.Kind == sandbox.Complex {
		return false
	}
	x, sum := real(number(out)), 0.0
	for i := range arguments.Items[0].Items {
		coefficient := &arguments.Items[0].Items[i]
		if !isNumber(coefficient) {
			return false
		}
		sum += real(number(coefficient)) * math.Pow(x, float64(i))
	}
	return math.Abs(sum) <= tolerance
}
