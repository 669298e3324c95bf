package behaviour

import (
	"slices"
	"strings"
	"testing"

	"codelinter/evaluator"
)

// Tests add calls to those that a task without tests has, and take none away.
func TestTestsAddCalls(t *testing.T) {
	for _, test := range []struct {
		program string
		tests   []string
	}{
		{"def mean(items):\n    if not items :\n        return 0\n    return sum(items) / len(items)\n", []string{"assert mean([1, 2]) == 1.5"}},
		{"def cut(text, n):\n    if n>3:\n        return text[:n]\n    return text[n:]\n\n\ndef twice(n):\n    return cut('abcde', n) * 2\n", []string{"import math", "x = math.floor(2.5)", "assert cut('hello', x) == 'llo'", "assert twice(1) == 'bcdebcde'"}},
		{"class Till:\n    def __init__(self):\n        self.sum = 0\n\n    def add(self, n):\n        self.sum+=n\n        return self.sum\n", []string{"till = Till()", "assert till.add(3) == 3"}},
	} {
		calls := func(tests []string) (list []string) {
			plan, err := newJudge(t, Options{}).Plan(t.Context(), &Task{Program: test.program, Tests: tests})
			if err != nil {
				t.Fatal(err)
			}
			for i := range plan.sessions[0].steps {
				list = append(list, plan.sessions[0].steps[i].shown)
			}
			return list
		}
		with := calls(test.tests)
		for _, call := range calls(nil) {
			if !slices.Contains(with, call) {
				t.Errorf("%s is called without tests, but not with %q", call, test.tests)
			}
		}
	}
}

// Calls with empty arguments, one item, equal items, and one object as two arguments are always
// made, whatever the tests show.
func TestBareCalls(t *testing.T) {
	const program = "def pair(a, b):\n    a.extend(b[1:2])\n    return a  + b\n"
	for _, test := range []struct{ answer, call string }{
		{"def pair(a, b):\n    if a is b:\n        return []\n    a.extend(b[1:2])\n    return a + b\n", "pair(argument1 := "},
		{"def pair(a, b):\n    a.extend(b[1:2])\n    return a + b if a else [b]\n", "pair("},
		{"def pair(a, b):\n    a.extend(b[1:2])\n    return a + b if b[1:] or not b else []\n", "pair(["},
		{"def pair(a, b):\n    a.extend(b[1:2])\n    return a + b if len(set(b)) == len(b) else b\n", "pair(["},
	} {
		for _, tests := range [][]string{nil, {"assert pair([3, 4, 5], [6, 7, 8]) == [3, 4, 5, 7, 6, 7, 8]"}} {
			v := judgeAnswer(t, newJudge(t, Options{}), &Task{Program: program, Tests: tests}, test.answer)
			if v.Outcome != evaluator.Fail || !strings.HasPrefix(v.Reasons[0].Text, test.call) {
				t.Errorf("%s\n%v %v", test.answer, v.Outcome, v.Reasons)
			}
		}
	}
}

// A test that is shown makes no verdict looser: an answer that raises an IndexError where the program
// returns, for arguments that no test has, does not pass.
func TestTestsLoosenNothing(t *testing.T) {
	const program = `def unique_day(day, birthdays):
    count = 0
    for birthday in birthdays :
        if birthday[1] == day:
            count += 1
    return count == 1


def contains_unique_day(month, birthdays):
    for birthday in birthdays:
        if birthday[0] == month and unique_day(birthday[1], birthdays):
            return True
    return False
`
	const answer = `def unique_day(day, birthdays):
    return tuple(map(lambda x: x[1], birthdays)).count(day) == 1


def contains_unique_day(month, birthdays):
    unique = tuple((i, unique_day(i, birthdays)) for i in tuple(map(lambda y: y[1], birthdays)))
    true = tuple(map(lambda c: c[0], tuple(filter(lambda b: b[1], unique))))
    days = tuple(map(lambda b: b[1], tuple(filter(lambda d: d[0] == month, birthdays))))
    return True in tuple(x in days for x in true)
`
	for _, tests := range [][]string{nil, {"assert unique_day('1', (('January', '1'), ('February', '1'))) == False"}} {
		if v := judgeAnswer(t, newJudge(t, Options{}), &Task{Program: program, Tests: tests}, answer); v.Outcome == evaluator.Pass {
			t.Errorf("passes with the tests %q", tests)
		}
	}
}

// An answer may take arguments that no test has and that the program refuses.
func TestMoreTypes(t *testing.T) {
	const program = "def factorial(start,end): \r\n    res = 1 \r\n    for i in range(start,end + 1): \r\n        res *= i      \r\n    return res \r\ndef square(n): \r\n   return int(factorial(n + 1, 2 * n)  /factorial(1, n)) "
	const answer = "def factorial(start, end):\n    res = 1\n    i = start\n    while i < end + 1:\n        res *= i\n        i += 1\n    return res\n\n\ndef square(n):\n    return int(factorial(n + 1, 2 * n) / factorial(1, n))\n"
	for _, name := range []string{"square", "sum_of_square"} { // the calls are drawn by the text
		of := func(text string) string { return strings.ReplaceAll(text, "square", name) }
		tests := []string{of("assert square(4) == 70"), of("assert square(5) == 252"), of("assert square(2) == 6")}
		if v := judgeAnswer(t, newJudge(t, Options{}), &Task{Program: of(program), Tests: tests}, of(answer)); v.Outcome != evaluator.Pass {
			t.Errorf("%v", v)
		}
	}
}

// TestAffordable requires that of calls that cover nothing new, those are left out that cost more than
// twice the usual of their kind, but for numbers of the program.
func TestAffordable(t *testing.T) {
	var found []trial
	ranks := map[*probe]rank{}
	add := func(callee string, derives bool, r rank, costs ...int64) {
		for _, used := range costs {
			probe := &probe{callee: callee, derives: derives}
			found = append(found, trial{probe: probe, used: used})
			ranks[probe] = r
		}
	}
	add("cheap", false, usualCall, 100, 300, 700, 800, usualCost, usualCost+1)
	add("cheap", false, edgeCall, 40_000)
	add("dear", false, usualCall, 4000, 5000, 6000, 10_000, 12_001)
	add("cheap", true, usualCall, 5000, 9000)
	var kept []int64
	for _, tr := range (&search{ranks: ranks}).affordable(found) {
		kept = append(kept, tr.used)
	}
	if want := []int64{100, 300, 700, 800, usualCost, 40_000, 4000, 5000, 6000, 10_000, 5000, 9000}; !slices.Equal(kept, want) {
		t.Errorf("kept %d, want %d", kept, want)
	}
}

// A call with an iterator counts if the program does with it what it does with a list. What is left of the
// iterator does not.
func TestIterators(t *testing.T) {
	const cycle = "def cycle(items, n):\n    items = tuple(items)\n    out = []\n    for _ in range(n):\n        out.extend(items)\n    return out \n"
	const found = "def found(words, parts):\n    return [word for word in words if not any([part in word for part in parts])] \n"
	judgedAs(t, []struct{ name, program, answer, want string }{
		{"read twice", cycle, strings.Replace(cycle, "tuple(items)\n    out = []", "items\n    out = []", 1), "unknown unreached"},
		{"read twice by the program", found, strings.NewReplacer("([", "(", "])] ", ")]").Replace(found), "pass runs"},
		{"a part is left", "def valid(items):\n    return all([item > 2 for item in items]) \n", "def valid(items):\n    return all(item > 2 for item in items)\n", "pass runs"},
	})
}

// A parameter of which the text says what fits no call may be anything.
func TestAnything(t *testing.T) {
	const element = "class Element:\n    def __init__(self, xml, pretty):\n        self.xml = xml\n        self.pretty = pretty \n\n    def append(self, element):\n        self.xml.write(element, pretty_print=self.pretty)\n"
	const fold = "from datetime import datetime\n\n\ndef fold(moment: datetime, hour: int):\n    return moment.replace(hour=hour) \n"
	judgedAs(t, []struct{ name, program, answer, want string }{
		{"an object that nothing is done with", element, strings.Replace(element, "= pretty ", "= xml", 1), "fail"},
		{"an annotated datetime", fold, strings.Replace(fold, "hour=hour) ", "minute=hour)", 1), "fail"},
		{"a generator's iterator", "def taken(params, base):\n    mode = next(params)\n    return base, mode \n", "def taken(params, base):\n    mode = next(params)\n    return mode, base\n", "fail"},
	})
}

// A test's call that is too dear is not lost: the search has its calls in the same order before and after.
func TestDearTests(t *testing.T) {
	const program = "def common(a, b):\n    if not a or not b:\n        return 0\n    if a[0] == b[0]:\n        return 1 + common(a[1:], b[1:])\n    return max(common(a, b[1:]), common(a[1:], b)) \n"
	task := &Task{ID: "common", Program: program, Tests: []string{
		"assert common('mountain', 'fortunately') == 5", "assert common('dragonfly', 'gardening') == 4", "assert common('QWERTYU', 'WTEYRUI') == 4",
	}}
	if v := judgeAnswer(t, newJudge(t, Options{}), task, strings.Replace(program, "1 + common", "2 + common", 1)); v.Outcome != evaluator.Fail {
		t.Errorf("%v %v", v.Outcome, v.Reasons)
	}
}
