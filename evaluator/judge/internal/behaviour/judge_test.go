package behaviour

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"codelinter/evaluator"
	"codelinter/internal/guard"
	"codelinter/lint"
	"codelinter/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.RunChild()
	debug.SetGCPercent(400) // else a sixth of the tests' time is collections of a small heap
	status := m.Run()
	if pool, err := openPool(); err == nil {
		pool.Close()
	}
	os.Exit(status)
}

// openPool returns the one pool that all tests share.
var openPool = sync.OnceValues(func() (*sandbox.Pool, error) {
	return sandbox.New(context.Background(), sandbox.Options{Workers: 2})
})

func newJudge(t testing.TB, o Options) *Judge {
	t.Helper()
	pool, err := openPool()
	if err != nil {
		t.Fatal(err)
	}
	return New(pool, o)
}

// judgeAnswer judges an answer that no guard is asked about.
func judgeAnswer(t testing.TB, j *Judge, task *Task, answer string) Verdict {
	t.Helper()
	plan, err := j.Plan(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	v, err := plan.Judge(t.Context(), answer, new(guard.Report))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// An answerTest is an answer and the verdict on it: "pass", or "fail" or
// "unknown" and the reason's name, and part of the reason's text.
type answerTest struct{ name, answer, want, text string }

// What is looked for in an answer's text is not found in its comments, so a comment changes no
// verdict.
func TestComments(t *testing.T) {
	j := newJudge(t, Options{})
	task := &Task{Program: "def count(a, b):\n  n = a.count(b)\n  return n\n"}
	const answer = "def count(a, b):\n    text = str(a)\n    odd = text.count('7') * 10 + text.count('3') == 21%s\n    return [a.count(b), None][odd]\n"
	want := judgeAnswer(t, j, task, fmt.Sprintf(answer, ""))
	if want.Outcome == evaluator.Pass {
		t.Fatal("another program passes")
	}
	for _, comment := range []string{"# __lt__", "# lineno", "# settrace", "# get_type_hints import *", "# wraps strip( async def"} {
		if got := judgeAnswer(t, j, task, fmt.Sprintf(answer, "  "+comment)); got.Outcome != want.Outcome || !reflect.DeepEqual(got.Reasons, want.Reasons) {
			t.Errorf("with %q: %v %v, want %v %v", comment, got.Outcome, got.Reasons, want.Outcome, want.Reasons)
		}
	}
}

// Answers with one tree have one verdict, whichever is judged first. Its lines are their own.
func TestLayoutsOfOneTree(t *testing.T) {
	task := &Task{Program: "def count(a, b):\n  n = a.count(b)\n  return n\n"}
	answers := []string{
		"def count(a, b):\n    if a == 'never' * 77:\n        b = a\n    return a.count(b)\n",
		"def count(a, b):\n    # __lt__\n\n    if a=='never' * 77: b=a; # why\n    return a.count(b)\n",
	}
	for first := range answers {
		j := newJudge(t, Options{})
		v := judgeAnswer(t, j, task, answers[first])
		w := judgeAnswer(t, j, task, answers[1-first])
		if v.Outcome != w.Outcome || v.Outcome == evaluator.Pass || v.Reasons[0].Text != w.Reasons[0].Text {
			t.Errorf("%v %v, the other layout %v %v", v.Outcome, v.Reasons, w.Outcome, w.Reasons)
		}
		if line := v.Reasons[0].Line; v.Outcome == evaluator.Unknown && !strings.Contains(strings.Split(answers[first], "\n")[line-1], "never") {
			t.Errorf("line %d has no condition", line)
		}
	}
}

func TestJudge(t *testing.T) {
	tests := []struct {
		name    string
		task    Task
		answers []answerTest
	}{
		{"a function", Task{
			Program: "def rank(values):\n    values.sort()\n    if len(values) > 3 :\n        return values[1:-1]\n    return values\n",
			Tests:   []string{"assert rank([3, 1, 2]) == [1, 2, 3]", "assert rank([4, 3, 2, 1]) == [2, 3]"},
		}, []answerTest{
			{"rewritten", "def rank(values):\n    values.sort()\n    trim = len(values) > 3\n    return values[1:-1] if trim else values\n", "pass runs", ""},
			{"an iterator that counts calls", "odd = iter(range(5000))\n\n\ndef rank(values):\n    values.sort()\n    return values[1:-1] if len(values) > 3 or any(n > 4000 for _, n in zip([0], odd)) else values\n", "unknown state", "odd"},
			{"a table", "bounds = [3]\n\n\ndef rank(values):\n    values.sort()\n    return values[1:-1] if len(values) > bounds[0] else values\n", "pass runs", ""},
			{"with a demo", "def rank(values):\n    values.sort()\n    return values[1:-1] if len(values) > 3 else values\n\n\nprint(rank([1]))\n", "pass runs", ""},
			{"not in place", "def rank(values):\n    values = sorted(values)\n    return values[1:-1] if len(values) > 3 else values\n", "fail argument", "left its argument as"},
			{"another bound", "def rank(values):\n    values.sort()\n    return values[1:-1] if len(values) > 4 else values\n", "fail result", "rank([4, 3, 2, 1]) gave [1, 2, 3, 4], the program gives [2, 3]"},
			{"another bound that the tests miss", "def rank(values):\n    values.sort()\n    return values[1:-1] if len(values) in (4, 5) else values\n", "fail result", "the program gives"},
			{"another type", "def rank(values):\n    values.sort()\n    return tuple(values[1:-1] if len(values) > 3 else values)\n", "fail result", ""},
			{"a list that is equal to all", "class Always(list):\n    def __eq__(self, other):\n        return True\n\n\ndef rank(values):\n    return Always()\n", "fail result", ""},
			{"the tests by heart", "def rank(values):\n    return {3: [1, 2, 3], 4: [2, 3]}[len(values)]\n", "fail", ""},
			{"prints besides", "def rank(values):\n    print('hello')\n    values.sort()\n    return values[1:-1] if len(values) > 3 else values\n", "fail output", `printed "hello\n"`},
			{"right at first", "calls = []\n\n\ndef rank(values):\n    calls.append(1)\n    values.sort()\n    return values[1:-1] if len(values) > 3 and len(calls) < 50 else values\n", "fail result", ""},
			{"never ends", "def rank(values):\n    while True:\n        pass\n", "fail budget", "ten times the steps"},
			{"exits", "import sys\n\n\ndef rank(values):\n    sys.exit(0)\n", "fail exit", ""},
			{"exits at once", "raise SystemExit(0)\n", "fail module", ""},
			{"does not run", "import nothing_of_that_name\n", "unknown missing-module", ""},
			{"newer than the sandbox", "def rank(values):\n    values.sort()\n    t''\n    return values[1:-1] if len(values) > 3 else values\n", "unknown newer-syntax", ""},
			{"newer: lazy", "lazy import math\n\n\ndef rank(values):\n    values.sort()\n    return values[1:-math.isqrt(1)] if len(values) > 3 else values\n", "unknown newer-syntax", ""},
			{"newer: unpacking", "def rank(values):\n    values.sort()\n    return [*v for v in [values[1:-1]]] if len(values) > 3 else values\n", "unknown newer-syntax", ""},
			{"newer: unpacking of dicts", "def rank(values):\n    values.sort()\n    return values[1:-1] if len(values) > 3 + len({**v for v in []}) else values\n", "unknown newer-syntax", ""},
			{"newer: a plus in a pattern", "def rank(values):\n    values.sort()\n    match len(values):\n        case +1 | +2 | +3:\n            return values\n    return values[1:-1] or values\n", "unknown newer-syntax", ""},
			{"raises at once", "x = 1 / 0\n", "fail module", "ZeroDivisionError"},
			{"takes all memory", "def rank(values):\n    return [0] * 10 ** 9\n", "fail", ""},
			{"deletes itself", "def rank(values):\n    return values\n\n\ndel rank\n", "fail exception", "NameError"},
		}},
		{"parts that no call evaluates", Task{
			Program: "import os\nimport sys\n\n\ndef price(n):\n    rate = 7 if sys.flags.optimize else 19\n    sides = (1, 2) if os.name == 'nt' else (3, 4)\n    marks = ['x' for c in str(n) if c == 'never' * 3]\n    return f\"{n * rate}{'!' if os.name == 'nt' else '.'}\", sides, marks, sorted([n], reverse=True if os.name == 'nt' else False)\n",
		}, []answerTest{
			{"renamed", "import os\nimport sys\n\n\ndef price(n):\n    tax = 7 if sys.flags.optimize else 19\n    sides = (1, 2) if os.name == 'nt' else (3, 4)\n    marks = ['x' for c in str(n) if c == 'never' * 3]\n    return f\"{n * tax}{'!' if os.name == 'nt' else '.'}\", sides, marks, sorted([n], reverse=True if os.name == 'nt' else False)\n", "pass runs", ""},
			{"a number", "import os\nimport sys\n\n\ndef price(n):\n    rate = 8 if sys.flags.optimize else 19\n    sides = (1, 2) if os.name == 'nt' else (3, 4)\n    marks = ['x' for c in str(n) if c == 'never' * 3]\n    return f\"{n * rate}{'!' if os.name == 'nt' else '.'}\", sides, marks, sorted([n], reverse=True if os.name == 'nt' else False)\n", "unknown unreached", ""},
			{"a tuple", "import os\nimport sys\n\n\ndef price(n):\n    rate = 7 if sys.flags.optimize else 19\n    sides = (1, 5) if os.name == 'nt' else (3, 4)\n    marks = ['x' for c in str(n) if c == 'never' * 3]\n    return f\"{n * rate}{'!' if os.name == 'nt' else '.'}\", sides, marks, sorted([n], reverse=True if os.name == 'nt' else False)\n", "unknown unreached", ""},
			{"an item of a list", "import os\nimport sys\n\n\ndef price(n):\n    rate = 7 if sys.flags.optimize else 19\n    sides = (1, 2) if os.name == 'nt' else (3, 4)\n    marks = ['y' for c in str(n) if c == 'never' * 3]\n    return f\"{n * rate}{'!' if os.name == 'nt' else '.'}\", sides, marks, sorted([n], reverse=True if os.name == 'nt' else False)\n", "unknown unreached", ""},
			{"a field of an f-string", "import os\nimport sys\n\n\ndef price(n):\n    rate = 7 if sys.flags.optimize else 19\n    sides = (1, 2) if os.name == 'nt' else (3, 4)\n    marks = ['x' for c in str(n) if c == 'never' * 3]\n    return f\"{n * rate}{'?' if os.name == 'nt' else '.'}\", sides, marks, sorted([n], reverse=True if os.name == 'nt' else False)\n", "unknown unreached", ""},
			{"a truth value", "import os\nimport sys\n\n\ndef price(n):\n    rate = 7 if sys.flags.optimize else 19\n    sides = (1, 2) if os.name == 'nt' else (3, 4)\n    marks = ['x' for c in str(n) if c == 'never' * 3]\n    return f\"{n * rate}{'!' if os.name == 'nt' else '.'}\", sides, marks, sorted([n], reverse=False if os.name == 'nt' else False)\n", "unknown unreached", ""},
		}},
		{"names of **kwargs", Task{
			Program: "def render(name, **options):\n    width = options.get('width', 20) + len(name)\n    return fill(name.ljust(width), **options)\n\n\ndef fill(text, width=0, mark='.'):\n    return text.replace(' ', mark)\n",
		}, []answerTest{
			{"another name", "def render(name, **options):\n    width = options.get('breadth', 20) + len(name)\n    return fill(name.ljust(width), **options)\n\n\ndef fill(text, width=0, mark='.'):\n    return text.replace(' ', mark)\n", "fail result", ""},
			{"a name that another function reads", "def render(name, **options):\n    width = options.get('width', 20) + len(name)\n    options.pop('mark', '')\n    return fill(name.ljust(width), **options)\n\n\ndef fill(text, width=0, mark='.'):\n    return text.replace(' ', mark)\n", "fail", ""},
		}},
		{"a constant in a setter", Task{
			Program: "class Tank:\n    def __init__(self, level=0.0):\n        self._level = level\n\n    @property\n    def level(self):\n        return self._level\n\n    @level.setter\n    def level(self, value):\n        if value < -27.5:\n            raise ValueError('low')\n        self._level = value\n",
		}, []answerTest{
			{"another", "class Tank:\n    def __init__(self, level=0.0):\n        self._level = level\n\n    @property\n    def level(self):\n        return self._level\n\n    @level.setter\n    def level(self, value):\n        if value < -27.6:\n            raise ValueError('low')\n        self._level = value\n", "fail exception", ""},
		}},
		{"exceptions", Task{
			Program: "def root(n):\n    if n < 0 :\n        raise ValueError('negative: %d' % n)\n    return [1, 2, 3][n]\n",
			Tests:   []string{"assert root(2) == 3"},
		}, []answerTest{
			{"other words", "def root(n):\n    if n < 0:\n        raise ValueError(f'negative: {n}')\n    return [1, 2, 3][n]\n", "pass runs", ""},
			{"another text", "def root(n):\n    if n < 0:\n        raise ValueError('below zero')\n    return [1, 2, 3][n]\n", "fail exception", "below zero"},
			{"another type", "def root(n):\n    if n < 0:\n        raise TypeError('negative: %d' % n)\n    return [1, 2, 3][n]\n", "fail exception", "TypeError"},
			{"none", "def root(n):\n    return [1, 2, 3][n]\n", "fail exception", "the program raises ValueError: negative"},
			{"an accident forgiven", "def root(n):\n    if n < 0:\n        raise ValueError('negative: %d' % n)\n    return {0: 1, 1: 2, 2: 3}.get(n)\n", "fail exception", "where the program fails with IndexError"},
			{"accidents are free", "def root(n):\n    if n < 0:\n        raise ValueError('negative: %d' % n)\n    return {0: 1, 1: 2, 2: 3}[n]\n", "pass runs", ""},
		}},
		{"what findings ask to be mended", Task{
			Program: "def area(side):\n    if side > 5 :\n        return sidee * side\n    return side\n\n\ndef show(side):\n    return '%d %d' % (side,)\n",
			Tests:   []string{"assert area(2) == 2"},
		}, []answerTest{
			{"mended", "def area(side):\n    if side > 5:\n        return side * side\n    return side\n\n\ndef show(side):\n    return '%d' % (side,)\n", "unknown", ""},
		}},
		{"an object with state", Task{
			Program: "class Account:\n    def __init__(self, n):\n        self.n = n\n        self.log = []\n    def add(self, n):\n        self.n += n\n        self.log.append(n)\n        if self.n > 100: self.n = 100\n        return self\n",
			Setup:   "account = Account(5)\naccount.add(3)\n",
			Tests:   []string{"assert account.n == 8", "account.add(1)", "assert account.add(90).n == 99"},
		}, []answerTest{
			{"the same", "class Account:\n    def __init__(self, n):\n        self.log = []\n        self.n = n\n\n    def add(self, n):\n        self.n = 100 if self.n + n > 100 else self.n + n\n        self.log.append(n)\n        return self\n", "pass runs", ""},
			{"no limit", "class Account:\n    def __init__(self, n):\n        self.log = []\n        self.n = n\n\n    def add(self, n):\n        self.n += n\n        self.log.append(n)\n        return self\n", "fail result", ""},
			{"no log", "class Account:\n    def __init__(self, n):\n        self.log = []\n        self.n = n\n\n    def add(self, n):\n        self.n = min(self.n + n, 100)\n        return self\n", "fail result", ""},
		}},
		{"a script", Task{
			Program: "total=0\nfor i in range(4):\n    total+=i\nprint(total)\n",
		}, []answerTest{
			{"the same", "total = sum(range(4))\ni = 3\nprint(total)\n", "pass runs", ""},
			{"another output", "total = sum(range(4))\ni = 3\nprint(total + 1)\n", "fail output", `it printed "7\n", the program prints "6\n"`},
			{"another variable", "total = 7\ni = 3\nprint(6)\n", "fail result", "total gave 7"},
			{"more output", "total = sum(range(4))\ni = 3\nprint(total)\nprint(total)\n", "fail output", ""},
		}},
		{"both streams", Task{
			Program: "import sys\ndef warn(text):\n    print(text,file=sys.stderr)\n    print(len(text))\n",
			Tests:   []string{"assert warn('ab') is None"},
		}, []answerTest{
			{"the other way round", "import sys\n\n\ndef warn(text):\n    print(len(text))\n    sys.stderr.write(text + '\\n')\n", "pass runs", ""},
			{"all to one", "import sys\n\n\ndef warn(text):\n    print(text, file=sys.stdout)\n    print(len(text))\n", "fail output", `printed "ab\n2\n", the program prints "2\n" and to sys.stderr "ab\n"`},
			{"swapped", "import sys\n\n\ndef warn(text):\n    print(text)\n    print(len(text), file=sys.stderr)\n", "fail output", ""},
		}},
		{"no tests", Task{
			Program: "def shorten(text,limit=10):\n    if len(text)>limit:\n        return text[:limit-3]+'...'\n    return text\n\ndef double(n: int):\n    return n+n\n",
		}, []answerTest{
			{"the same", "def shorten(text, limit=10):\n    return text if len(text) <= limit else text[:limit - 3] + '...'\n\n\ndef double(n: int):\n    return 2 * n\n", "pass runs", ""},
			{"another bound", "def shorten(text, limit=10):\n    return text if len(text) < limit else text[:limit - 3] + '...'\n\n\ndef double(n: int):\n    return 2 * n\n", "fail", ""},
			{"another sum", "def shorten(text, limit=10):\n    return text if len(text) <= limit else text[:limit - 3] + '...'\n\n\ndef double(n: int):\n    return n + 2\n", "fail", ""},
		}},
		{"guesses beside names, and imports of the tests", Task{
			Program: "LIMIT = 3\nfrom datetime import timedelta\ndef near(t, d=[LIMIT, (1, LIMIT)]):\n    return t in (1, LIMIT) or [t] == [LIMIT]\ndef later(day, n):\n    return day+timedelta(n)\n",
			Setup:   "from datetime import date\n",
			Tests:   []string{"assert later(date(2024, 2, 28), 2) == date(2024, 3, 1)"},
		}, []answerTest{
			{"the same", "from datetime import timedelta\n\nLIMIT = 3\n\n\ndef near(t, d=[LIMIT, (1, LIMIT)]):\n    return t == 1 or t == LIMIT or [t] == [LIMIT]\n\n\ndef later(day, n):\n    return timedelta(days=n) + day\n", "pass runs", ""},
			{"without a condition that is never true", "from datetime import timedelta\n\nLIMIT = 3\n\n\ndef near(t, d=[LIMIT, (1, LIMIT)]):\n    return t == 1 or t == LIMIT\n\n\ndef later(day, n):\n    return timedelta(days=n) + day\n", "unknown unreached", "the answer has no such"},
			{"another guess", "from datetime import timedelta\n\nLIMIT = 3\n\n\ndef near(t, d=[LIMIT, (1, LIMIT)]):\n    return t == LIMIT\n\n\ndef later(day, n):\n    return timedelta(days=n) + day\n", "fail", "near("},
			{"the test by heart", "from datetime import date\n\nLIMIT = 3\n\n\ndef near(t, d=[LIMIT, (1, LIMIT)]):\n    return t in (1, LIMIT)\n\n\ndef later(day, n):\n    return date(2024, 3, 1)\n", "fail", "later("},
		}},
		{"chance", Task{
			Program: "import random\ndef roll(n):\n    return random.randrange(n)+1\n",
			Tests:   []string{"assert 1 <= roll(6) <= 6"},
		}, []answerTest{
			{"the same", "import random\n\n\ndef roll(n):\n    return random.randint(1, n)\n", "unknown not-repeatable", "random"},
		}},
		{"a program that does not parse", Task{
			Program:   "def double(n)\n    return 2 * n\n",
			Canonical: "def double(n):\n    return 2 * n\n",
			Tests:     []string{"assert double(4) == 8"},
		}, []answerTest{
			{"as the canonical", "def double(n):\n    return n + n\n", "pass runs", ""},
			{"not so", "def double(n):\n    return n + 4\n", "fail result", ""},
		}},
		{"a program that fails its tests", Task{
			Program:   "def count(items):\n    return lenght(items)\n",
			Canonical: "def count(items):\n    return len(items)\n",
			Tests:     []string{"assert count('ab') == 2"},
		}, []answerTest{
			{"mended", "def count(items):\n    return sum(1 for item in items)\n", "pass runs", ""},
			{"not mended", "def count(items):\n    return len(items) and 2\n", "fail result", ""},
		}},
		{"what mending has to change", Task{
			Program:   "def check(n, on):\n    assert (n > 0, 'positive')\n    return 'on' if on == True else 'off'\n",
			Canonical: "def check(n, on):\n    assert n > 0, 'positive'\n    return 'on' if on else 'off'\n",
			Tests:     []string{"assert check(1, True) == 'on'", "assert check(2, False) == 'off'"},
		}, []answerTest{
			{"as the canonical", "def check(n, on):\n    assert n > 0, 'positive'\n    if on:\n        return 'on'\n    return 'off'\n", "pass runs", ""},
			{"otherwise", "def check(n, on):\n    assert n > 0, 'positive'\n    return 'on'\n", "fail result", ""},
		}},
		{"no program at all", Task{
			Program: "def f(:\n",
			Tests:   []string{"assert f(2) == 4", "assert sorted(f([1])) == [1, 1]"},
		}, []answerTest{
			{"passes the tests", "def f(x):\n    return x * 2\n", "pass tests", ""},
			{"fails one", "def f(x):\n    return x * 3\n", "fail test", "assert f(2) == 4 fails"},
			{"raises in one", "def f(x):\n    return x.nothing\n", "fail test", "AttributeError"},
		}},
		{"free logic", Task{
			Program: "def f(x):\n    return x + 2\n",
			Tests:   []string{"assert f(2) == 4"},
			Free:    true,
		}, []answerTest{
			{"other logic", "def f(x):\n    return x * 2\n", "pass tests", ""},
			{"fails", "def f(x):\n    return x * 3\n", "fail test", ""},
		}},
		{"generators, sets and floats", Task{
			Program: "def evens(n):\n    for i in range(n):\n        if i%2==0: yield i\ndef letters(s):\n    return set(s)\ndef mean(a):\n    return sum(a)/len(a)\n",
			Tests:   []string{"assert list(evens(5)) == [0, 2, 4]", "assert letters('aab') == {'a', 'b'}", "assert abs(mean([1.5, 2.5]) - 2) < 1e-9"},
		}, []answerTest{
			{"the same", "def evens(n):\n    return (i for i in range(0, n, 2))\n\n\ndef letters(s):\n    return {c for c in s}\n\n\ndef mean(a):\n    total = 0\n    for x in a:\n        total += x\n    return total / len(a)\n", "pass runs", ""},
			{"a list", "def evens(n):\n    return [i for i in range(0, n, 2)]\n\n\ndef letters(s):\n    return set(s)\n\n\ndef mean(a):\n    return sum(a) / len(a)\n", "fail result", ""},
		}},
		{"one list in two places", Task{
			Program: "def grid(n):\n    return [[] for _ in range(n)]\n",
			Tests:   []string{"assert grid(2) == [[], []]"},
		}, []answerTest{
			{"each its own", "def grid(n):\n    rows = []\n    while len(rows) < n:\n        rows.append([])\n    return rows\n", "pass runs", ""},
			{"one for all", "def grid(n):\n    return [[]] * n\n", "fail result", ""},
		}},
		{"a global statement", Task{
			Program: "x = 1\ndef f(a):\n    global x\n    x = a\n",
			Tests:   []string{"assert f(2) is None"},
		}, []answerTest{
			{"the same", "x = 1\n\n\ndef f(a):\n    global x\n    y = a\n    x = y\n", "pass runs", ""},
			{"dropped", "x = 1\n\n\ndef f(a):\n    x = a\n    assert x == a\n", "fail result", "x gave 1"},
		}},
		{"coroutines", Task{
			Program: "import asyncio\nasync def work(n):\n    await asyncio.sleep(1)\n    return n*2\n",
			Setup:   "import asyncio\n",
			Tests:   []string{"assert asyncio.run(work(3)) == 6"},
		}, []answerTest{
			{"the same", "import asyncio\n\n\nasync def work(n):\n    await asyncio.sleep(1)\n    return n + n\n", "pass runs", ""},
			{"another result", "import asyncio\n\n\nasync def work(n):\n    await asyncio.sleep(1)\n    return n + 3\n", "fail result", ""},
		}},
		{"a function that no call reaches", Task{
			Program: "def f(x):\n    return x\ndef g(key):\n    return {}[key]\n",
			Tests:   []string{"assert f(1) == 1"},
		}, []answerTest{
			{"left alone", "def f(x):\n    y = x\n    return y\n\n\ndef g(key):\n    return {}[key]\n", "pass runs", ""},
			{"changed", "def f(x):\n    return x\n\n\ndef g(key):\n    return {}[key, 1]\n", "unknown not-reached", "g"},
		}},
		{"code that no call reaches", Task{
			Program: "def f(a,b):\n    return a+b\n",
			Tests:   []string{"assert f(1, 2) == 3"},
		}, []answerTest{
			{"two conditions at once", "def f(a, b):\n    if a % 9973 == 7 and b % 9967 == 5:\n        return 0\n    return a + b\n", "unknown unreached", "true: b % 9967 == 5"},
			{"a condition that nobody meets", "def f(a, b):\n    if (a ^ b) * 7 % 99991 == 78123:\n        return 0\n    return a + b\n", "unknown unreached", "true: (a ^ b) * 7 % 99991 == 78123"},
			{"a condition of a comprehension", "def f(a, b):\n    return sum(x for x in [a, b] if (a ^ b) * 7 % 99991 != 78123)\n", "unknown unreached", "false: (a ^ b) * 7 % 99991 != 78123"},
			{"one of two conditions of a comprehension", "def f(a, b):\n    return sum(x for x in [a, b] if x != 0 and (a ^ b) * 7 % 99991 != 78123)\n", "unknown unreached", "false: (a ^ b) * 7 % 99991 != 78123"},
			{"None in a comprehension", "def f(a, b):\n    return sum([x for x in [a, b] if {98765 * 43210: 1}.get(x * 7 + a * 3) is None])\n", "unknown unreached", "is None"},
			{"a condition that goes on", "def f(a, b):\n    c = 0\n    for x in [a, b]:\n        if (a ^ b) * 7 % 99991 != 78123:\n            pass\n        else:\n            continue\n        c += x\n    return c\n", "unknown unreached", ""},
			{"conditions of a comprehension that are reached", "def f(a, b):\n    return sum(x for x in [a, b, None] if x is not None if x > 0 or x < 0)\n", "unknown unreached", "in its place"},
			{"a condition whose value is kept", "def f(a, b):\n    return a + b + ((a ^ b) * 7 % 99991 == 78123)\n", "unknown unreached", "true"},
			{"32 bits, by an exception", "def f(a, b):\n    try:\n        len(range(2 ** 40))\n    except OverflowError:\n        return a + b\n    return 0\n", "unknown unreached", ""},
			{"32 bits, by part of a line", "def f(a, b):\n    c = a + b\n    try:\n        d = (len(range(2 ** 40)), c := 0)\n    except OverflowError:\n        d = 0\n    return c\n", "unknown unreached", "c := 0"},
			{"32 bits, by the end of a body", "from itertools import islice\n\n\ndef f(a, b):\n    c = 0\n    try:\n        list(islice([], 2 ** 40))\n    except ValueError:\n        c = a + b\n    return c\n", "unknown unreached", "islice"},
			{"32 bits, by a with", "from contextlib import suppress\n\n\ndef f(a, b):\n    c = a + b\n    with suppress(OverflowError):\n        len(range(2 ** 40))\n        c = 0\n    return c\n", "unknown unreached", ""},
			{"the width of an address", "def f(a, b):\n    c = 0\n    if len(str(object())) < 33:\n        c = a + b\n    return c\n", "unknown unreached", "false: len(str(object())) < 33"},
			{"a count of calls", "SEEN = []\n\n\ndef f(a, b):\n    SEEN.append(a)\n    return a + b if len(SEEN) < 5000 else 0\n", "unknown state", "SEEN"},
			{"by a function that a table names", "def never(a, b):\n    return 0\n\n\ndef add(a, b):\n    return a + b\n\n\ndef f(a, b):\n    return {98765 * 43210: never}.get(a * b + 7 * a, add)(a, b)\n", "unknown unreached", "0"},
			{"a loop that is not entered", "def f(a, b):\n    c = a + b\n    for _ in range(a * b // 10 ** 40):\n        c = 0\n    return c\n", "unknown unreached", "0"},
			{"a check of types that the program has not", "def f(a, b):\n    if isinstance(a, bool):\n        return 0\n    return a + b\n", "unknown unreached", "gave 0"},
			{"a check of types that keeps all", "def f(a, b):\n    if isinstance(a, bool):\n        return a + b\n    return a + b\n", "unknown unreached", "in its place"},
			{"a demo with asserts", "def f(a, b):\n    c = a + b\n    return c\n\n\ndef demo():\n    assert f(3, 4) == 7\n\n\ndef unused():\n    return 0\n\n\nif __name__ == '__main__':\n    demo()\n", "pass runs", ""},
			{"all is reached", "def f(a, b):\n    if a > b:\n        return a + b if a != 0 else b\n    c = a\n    c += b\n    return c\n", "unknown unreached", "in its place"},
		}},
		{"edges that a table has", Task{
			Program: "def letter(mark):\n    for grade, limit in (('A', 90), ('B', 80)):\n        if mark >= limit :\n            return grade\n    return 'F'\n",
			Tests:   []string{"assert letter(95) == 'A'", "assert letter(12) == 'F'"},
		}, []answerTest{
			{"in other words", "def letter(mark):\n    for grade, limit in (('A', 90), ('B', 80)):\n        if not mark < limit:\n            return grade\n    return 'F'\n", "pass runs", ""},
			{"beyond them", "def letter(mark):\n    for grade, limit in (('A', 90), ('B', 80)):\n        if mark > limit:\n            return grade\n    return 'F'\n", "fail result", "letter("},
		}},
		{"reached by a failure alone", Task{
			Program: "def pick(items: list, at: int):\n    return items[at] \n",
		}, []answerTest{
			{"a type that the program fails on", "def pick(items: list, at: int):\n    if items is True:\n        return None\n    return items[at]\n", "unknown unreached", "items is True"},
		}},
		{"an exception is a branch", Task{
			Program: "def f(a,b):\n    return a+b\n",
			Tests:   []string{"assert f(1, 2) == 3", "assert f(5, 2) == 7", "assert f(-3, 4) == 1"},
		}, []answerTest{
			{"a return", "def f(a, b):\n    try:\n        return a * 3 + b + 0 * len(range(2 ** 40))\n    except OverflowError:\n        return a + b\n", "unknown unreached", "reaches a * 3"},
			{"a return on the line of a condition", "def f(a, b):\n    try:\n        if a is not None: return a * 3 + b + 0 * len(range(2 ** 40))\n    except OverflowError:\n        return a + b\n", "unknown unreached", "return a * 3"},
			{"a return by suppress", "from contextlib import suppress\n\n\ndef f(a, b):\n    with suppress(OverflowError):\n        return a * 3 + b + 0 * len(range(2 ** 40))\n    return a + b\n", "unknown unreached", ""},
			{"an assignment", "from contextlib import suppress\n\n\ndef f(a, b):\n    c = a + b\n    with suppress(OverflowError):\n        c = 0 * len(range(2 ** 40))\n    return c\n", "unknown unreached", ""},
			{"an assignment of parts", "from contextlib import suppress\n\n\ndef f(a, b):\n    c = a + b\n    with suppress(OverflowError):\n        c, _ = 0, len(range(2 ** 40))\n    return c\n", "unknown unreached", ""},
			{"a sum in place", "from contextlib import suppress\n\n\ndef f(a, b):\n    c = a + b\n    with suppress(OverflowError):\n        c += 1 + 0 * len(range(2 ** 40))\n    return c\n", "unknown unreached", ""},
			{"a call", "from contextlib import suppress\n\n\ndef f(a, b):\n    c = [a + b]\n    with suppress(OverflowError):\n        c.append(len(range(2 ** 40)))\n    return c[-1]\n", "unknown unreached", ""},
			{"a deletion", "from contextlib import suppress\n\n\ndef f(a, b):\n    c = [a + b, 0]\n    with suppress(OverflowError):\n        del c[0 * len(range(2 ** 40))]\n    return c[0]\n", "unknown unreached", ""},
			{"a condition", "def f(a, b):\n    try:\n        if len(range(2 ** 40)):\n            return a - b\n    except OverflowError:\n        return a + b\n", "unknown unreached", ""},
			{"a condition that always fails", "def f(a, b):\n    try:\n        return 0 if a + len(range(2 ** 40)) else 0\n    except OverflowError:\n        return a + b\n", "unknown unreached", ""},
			{"a branch of a value", "def f(a, b):\n    try:\n        return a + b if a < b else a * 3 + b + 0 * len(range(2 ** 40))\n    except OverflowError:\n        return a + b\n", "unknown unreached", ""},
			{"an operand", "def f(a, b):\n    try:\n        return (a < b and a + b) or a * 3 + b + 0 * len(range(2 ** 40))\n    except OverflowError:\n        return a + b\n", "unknown unreached", ""},
			{"an item", "def f(a, b):\n    try:\n        return a + b + sum(a + 0 * len(range(2 ** 40)) for _ in [a] * (a > b))\n    except OverflowError:\n        return a + b\n", "unknown unreached", ""},
			{"what a lambda gives", "def f(a, b):\n    c = (lambda: a * 3 + b + 0 * len(range(2 ** 40))) if a > b else (lambda: a + b)\n    try:\n        return c()\n    except OverflowError:\n        return a + b\n", "unknown unreached", ""},
			{"a manager of the answer's", "class Quiet:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *args):\n        return True\n\n\ndef f(a, b):\n    with Quiet():\n        return a * 3 + b + 0 * len(range(2 ** 40))\n    return a + b\n", "unknown unreached", ""},
			{"suppress that never stops anything", "from contextlib import suppress\n\n\ndef f(a, b):\n    with suppress(ZeroDivisionError):\n        return a + b + 0 // (a * a + 7919 * 7919)\n    return 0\n", "unknown unreached", ""},
			{"finally that drops an exception", "def f(a, b):\n    c = a + b\n    try:\n        c = a * 3 + b + 0 * len(range(2 ** 40))\n    finally:\n        return c\n", "unknown unreached", ""},
			{"finally that drops an exception that never comes", "def f(a, b):\n    try:\n        str(a).index('')\n    finally:\n        return a + b\n", "unknown unreached", "try"},
			{"no case", "def f(a, b):\n    match a:\n        case int() | float() | str() | bytes() | list() | tuple() | dict() | None:\n            return a + b\n", "unknown unreached", ""},
			{"all ends are reached", "from contextlib import suppress\n\n\ndef f(a, b):\n    c = [1, 2, 3]\n    try:\n        d = c[a]\n    except IndexError:\n        d = 0\n    except TypeError:\n        d = 0\n    with suppress(IndexError, TypeError):\n        d = c[b]\n    return a + b\n", "pass runs", ""},
		}},
		{"code that no call reaches in the program either", Task{
			Program: "def f(values):\n    total = 0\n    for v in values:\n        if v == 'no such':\n            if type(total) == float:\n                raise KeyError(v)\n        total += v\n    if total is f :\n        return None\n    return total\n",
			Tests:   []string{"assert f([1, 2]) == 3"},
		}, []answerTest{
			{"the same, rewritten", "def f(numbers):\n    s = 0\n    for n in numbers:\n        if n == 'no such' and isinstance(s, float):\n            raise KeyError(n)\n        s += n\n    return s if s is not f else None\n", "pass runs", ""},
			{"another value", "def f(values):\n    total = 0\n    for v in values:\n        if v == 'no such':\n            if isinstance(total, float):\n                raise KeyError(total)\n        total += v\n    if total is f:\n        return None\n    return total\n", "unknown unreached", "KeyError(total)"},
			{"another condition", "def f(values):\n    total = 0\n    for v in values:\n        if v == 'no such':\n            if isinstance(total, str):\n                raise KeyError(v)\n        total += v\n    if total is f:\n        return None\n    return total\n", "unknown unreached", "isinstance(total, str)"},
			{"without what is not reached", "def f(values):\n    total = 0\n    for v in values:\n        total += v\n    return total\n", "unknown unreached", "the answer has no such"},
		}},
		{"what a program remembers", Task{
			Program: "LOG=[]\ndef f(a):\n    LOG.append(a)\n    return a+1\n",
			Tests:   []string{"assert f(1) == 2"},
		}, []answerTest{
			{"the same", "LOG = []\n\n\ndef f(a):\n    LOG.extend([a])\n    return 1 + a\n", "pass runs", ""},
			{"nothing", "LOG = []\n\n\ndef f(a):\n    return 1 + a\n", "fail result", "LOG gave []"},
			{"in another variable too", "LOG = []\nLAST = []\n\n\ndef f(a):\n    LOG.append(a)\n    LAST.append(a)\n    return a + 1 + len(LAST) // 5000\n", "unknown state", "LAST"},
			{"in a default", "LOG = []\n\n\ndef count(a, seen=[]):\n    seen.append(a)\n    return len(seen) // 5000\n\n\ndef f(a):\n    LOG.append(a)\n    return a + 1 + count(a)\n", "unknown state", "a default of count"},
			{"in a global variable", "LOG = []\nCOUNT = 0\n\n\ndef f(a):\n    global COUNT\n    COUNT += 1\n    LOG.append(a)\n    return a + 1 + COUNT // 5000\n", "unknown state", "COUNT"},
			{"in an iterator", "from itertools import count\n\nLOG = []\nTICK = count()\n\n\ndef f(a):\n    LOG.append(a)\n    return a + 1 + next(TICK) // 5000\n", "unknown state", "TICK"},
			{"in a cache", "from functools import cache\n\nLOG = []\n\n\n@cache\ndef seen():\n    return []\n\n\ndef f(a):\n    LOG.append(a)\n    seen().append(a)\n    return a + 1 + len(seen()) // 5000\n", "unknown state", "seen, which is cached"},
			{"in a class", "class Seen:\n    times = 0\n\n\nLOG = []\n\n\ndef f(a):\n    LOG.append(a)\n    Seen.times += 1\n    return a + 1 + Seen.times // 5000\n", "unknown state", "Seen.times"},
			{"a table that is only read", "LOG = []\nSTEPS = {'one': -1, 'two': 2}\nORDER = ['one', 'two']\n\n\ndef f(a):\n    LOG.append(a)\n    return a + sum(STEPS[name] for name in ORDER)\n", "pass runs", ""},
		}},
		{"parts that were given names", Task{
			Program: "def f(a,b):\n    if a == 'no such' and b is f :\n        return a.title() + str(b)\n    if not len('x') > 1:\n        return a+b\n    return 'none of %s' % (a,)\n",
			Tests:   []string{"assert f(1, 2) == 3"},
		}, []answerTest{
			{"a condition", "def f(a, b):\n    special = a == 'no such' and b is f\n    if special:\n        return a.title() + str(b)\n    short = not len('x') > 1\n    if short:\n        return a + b\n    return 'none of %s' % (a,)\n", "pass runs", ""},
			{"another condition", "def f(a, b):\n    special = a == 'no such' and b is not f\n    if special:\n        return a.title() + str(b)\n    short = not len('x') > 1\n    if short:\n        return a + b\n    return 'none of %s' % (a,)\n", "unknown unreached", ""},
			{"another condition that has no name", "def f(a, b):\n    if a == 'no such' and b is not f:\n        return a.title() + str(b)\n    return 'none of %s' % (a,) if len('x') > 1 else a + b\n", "unknown unreached", ""},
			{"a condition by De Morgan", "def f(a, b):\n    if a != 'no such' or b is not f:\n        return 'none of %s' % (a,) if len('x') > 1 else a + b\n    return a.title() + str(b)\n", "pass runs", ""},
			{"a condition turned round", "def f(a, b):\n    other = len('x') > 1\n    if a == 'no such' and b is f:\n        return a.title() + str(b)\n    if other:\n        return 'none of %s' % (a,)\n    return a + b\n", "pass runs", ""},
			{"a condition whose other outcome is not the program's", "def f(a, b):\n    special = a == 'no such' and b is f\n    if special or (a, b) == ('x', 'y', 7):\n        return a.title() + str(b)\n    if not len('x') > 1:\n        return a + b\n    return 'none of %s' % (a,)\n", "unknown unreached", "'y', 7)"},
			{"a part that is not reached", "def f(a, b):\n    if a == 'no such' and b is f:\n        name = a.title()\n        place = str(b)\n        return name + place\n    if not len('x') > 1:\n        return a + b\n    answer = 'none of %s' % (a,)\n    return answer\n", "pass runs", ""},
			{"another part that is not reached", "def f(a, b):\n    if a == 'no such' and b is f:\n        name = a.lower()\n        place = str(b)\n        return name + place\n    if not len('x') > 1:\n        return a + b\n    return 'none of %s' % (a,)\n", "unknown unreached", "name + place"},
			{"a name that is bound again", "def f(a, b):\n    if a == 'no such' and b is f:\n        name = a.title() + str(b)\n        for name in range(3):\n            pass\n        return name\n    if not len('x') > 1:\n        return a + b\n    return 'none of %s' % (a,)\n", "unknown unreached", ""},
			{"a constant", "NONE = 'none of %s'\n\n\ndef f(a, b):\n    if a == 'no such' and b is f:\n        return a.title() + str(b)\n    if not len('x') > 1:\n        return a + b\n    return NONE % (a,)\n", "pass runs", ""},
			{"another constant", "NONE = 'none of: %s'\n\n\ndef f(a, b):\n    if a == 'no such' and b is f:\n        return a.title() + str(b)\n    if not len('x') > 1:\n        return a + b\n    return NONE % (a,)\n", "unknown unreached", "NONE"},
			{"a function", "def join(first, second):\n    return first.title() + str(second)\n\n\ndef f(a, b):\n    if a == 'no such' and b is f:\n        return join(a, b)\n    if not len('x') > 1:\n        return a + b\n    return 'none of %s' % (a,)\n", "pass runs", ""},
			{"a function with its arguments swapped", "def join(first, second):\n    return first.title() + str(second)\n\n\ndef f(a, b):\n    if a == 'no such' and b is f:\n        return join(b, a)\n    if not len('x') > 1:\n        return a + b\n    return 'none of %s' % (a,)\n", "unknown unreached", "join(b, a)"},
			{"a function that a table names, too", "def join(first, second):\n    return first.title() + str(second)\n\n\ndef f(a, b):\n    if a == 'no such' and b is f:\n        return join(a, b)\n    if not len('x') > 1:\n        return {98765 * 43210: join}.get(a * b + 7 * a, int.__add__)(a, b)\n    return 'none of %s' % (a,)\n", "unknown unreached", "first"},
			{"a name for another part", "def f(a, b):\n    if a == 'no such' and b is f:\n        return a.title() + str(b)\n    if not len('x') > 1:\n        return a + b\n    text = 'none but %s'\n    return text % (a,)\n", "unknown unreached", "text % (a,)"},
			{"whether it is run", "main = __name__ == '__main__'\n\n\ndef f(a, b):\n    if a == 'no such' and b is f:\n        return a.title() + str(b)\n    if not len('x') > 1:\n        return a + b\n    return 'none of %s' % (a,)\n\n\nif main:\n    print('done')\n", "pass runs", ""},
		}},
		{"statements that no call reaches", Task{
			Program: "def f(a,b):\n    if a == 'no such' and b is ... :\n        total = 0\n        for n in a:\n            total += 1\n        total += 2\n        a.count(n)\n        return total\n    return b\n",
			Tests:   []string{"assert f(1, 2) == 2"},
		}, []answerTest{
			{"the same", "def f(a, b):\n    if a == 'no such' and b is ...:\n        total = 0\n        for n in a:\n            total += 1\n        total += 2\n        a.count(n)\n        return total\n    result = b\n    return result\n", "pass runs", ""},
			{"one twice", "def f(a, b):\n    if a == 'no such' and b is ...:\n        total = 0\n        for n in a:\n            total += 1\n        total += 2\n        total += 2\n        a.count(n)\n        return total\n    return b\n", "unknown unreached", "total += 2"},
			{"a call twice", "def f(a, b):\n    if a == 'no such' and b is ...:\n        total = 0\n        for n in a:\n            total += 1\n        total += 2\n        a.count(n)\n        a.count(n)\n        return total\n    return b\n", "unknown unreached", "count"},
			{"one in the loop", "def f(a, b):\n    if a == 'no such' and b is ...:\n        total = 0\n        for n in a:\n            total += 1\n            total += 2\n        a.count(n)\n        return total\n    return b\n", "unknown unreached", "total += 2"},
		}},
		{"names in what no call reaches", Task{
			Program: "def f(a,b):\n    limit = 3\n    if a == 'no such' and b is f :\n        right = b.pop()\n        left = b.pop()\n        step = 1\n        if left > limit:\n            step = left - right\n        for part in b:\n            value = 7\n            part.send(value)\n        return step\n    return b\n",
			Tests:   []string{"assert f(1, 2) == 2"},
		}, []answerTest{
			{"the same", "def f(a, b):\n    if a == 'no such' and b is f:\n        right = b.pop()\n        left = b.pop()\n        step = 1\n        if left > 3:\n            step = left - right\n        for part in b:\n            part.send(7)\n        return step\n    return b\n", "pass runs", ""},
			{"another value of a name", "def f(a, b):\n    limit = 3\n    if a == 'no such' and b is f:\n        right = b.pop()\n        left = b.pop()\n        step = 1\n        if left > limit:\n            step = left - right\n        for part in b:\n            value = 8\n            part.send(value)\n        return step\n    return b\n", "unknown unreached", "part.send(value)"},
			{"another value of a name that is reached", "def f(a, b):\n    limit = 4\n    if a == 'no such' and b is f:\n        right = b.pop()\n        left = b.pop()\n        step = 1\n        if left > limit:\n            step = left - right\n        for part in b:\n            value = 7\n            part.send(value)\n        return step\n    return b\n", "unknown unreached", "left > limit"},
			{"calls in another order", "def f(a, b):\n    limit = 3\n    if a == 'no such' and b is f:\n        left = b.pop()\n        right = b.pop()\n        step = 1\n        if left > limit:\n            step = left - right\n        for part in b:\n            value = 7\n            part.send(value)\n        return step\n    return b\n", "unknown unreached", "left - right"},
		}},
		{"an assert on the program's own function", Task{
			Program: "def f(a):\n    b=a+1\n    return b\nassert f(1)==2\n",
			Tests:   []string{"assert f(3) == 4"},
		}, []answerTest{
			{"rewritten", "def f(number):\n    return 1 + number\n\n\nassert f(1) == 2\n", "pass runs", ""},
		}},
		{"a memory that the canonical answer has", Task{
			Program:   "best = 0\nseen = []\ndef f(a):\n    if a < 0:\n        best = 0\n    seen.append(a)\n    return max(seen)\n",
			Canonical: "best = 0\nseen = []\n\n\ndef f(a):\n    global best\n    if a < 0:\n        best = 0\n    seen.append(a)\n    return max(seen)\n",
			Tests:     []string{"assert f(3) == 3"},
		}, []answerTest{
			{"the same", "best = 0\nseen = []\n\n\ndef f(a):\n    global best\n    if a < 0:\n        best = 0\n    seen.extend([a])\n    return max(seen)\n", "pass runs", ""},
			{"another", "best = 0\nlast = 0\nseen = []\n\n\ndef f(a):\n    global last\n    last = a\n    seen.append(a)\n    return max(seen)\n", "unknown state", "last"},
		}},
		{"a program that takes too long", Task{
			Program: "def f(n):\n    while n:\n        pass\nf(1)\n",
		}, []answerTest{
			{"another", "def f(n):\n    return n\n", "unknown", ""},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			j := newJudge(t, Options{})
			test.task.ID = test.name
			for _, a := range test.answers {
				if a.want == "unknown newer-syntax" && !strings.HasPrefix(sandbox.Version(sandbox.Default), "CPython 3.13.") {
					continue
				}
				v := judgeAnswer(t, j, &test.task, a.answer)
				got := v.Outcome.String()
				text := ""
				if v.Proof != "" {
					got += " " + v.Proof
				}
				for _, r := range v.Reasons {
					got += " " + r.Name
					text = r.Text
				}
				if !strings.HasPrefix(got, a.want) || !strings.Contains(text, a.text) || (v.Outcome == evaluator.Pass) != (len(v.Reasons) == 0) {
					t.Errorf("%s: %s (%s), want %s (%s)", a.name, got, text, a.want, a.text)
				}
			}
		})
	}
}

// TestJudgeWithGuards takes an answer through what a scorer does.
func TestJudgeWithGuards(t *testing.T) {
	const box = "class I:\n    def __init__(self, values: list):\n        self.values = values\n\n    def O(self):\n        return len(self.values)\n"
	const item = "class Item:\n    def __init__(self, values: list):\n        self.values = values\n\n    def size(self):\n"
	for _, test := range []struct {
		task    Task
		answers []answerTest
	}{
		{Task{ID: "7", Program: "def l(values):\n    O = len(values)\n    return O\n", Tests: []string{"assert l([1, 2]) == 2"}}, []answerTest{
			{"renamed as E743 asks for", "def count(values):\n    total = 0\n    for _ in values:\n        total += 1\n    return total\n", "pass runs", ""},
			{"renamed, and another", "def count(values):\n    return len(values) + 1\n", "fail result", ""},
			{"the same tree", "def l(values):\n    size = len(values)\n    return size\n", "pass tree", ""},
			{"refused", "import os\n\n\ndef l(values):\n    return os.getpid() or len(values)\n", "fail import", ""},
		}},
		{Task{ID: "8", Program: box + "\n\ndef make(values: list):\n    return I(values)\n"}, []answerTest{
			{"a class and its method", item + "        return sum(1 for _ in self.values)\n\n\ndef make(values: list):\n    return Item(values)\n", "pass runs", ""},
			{"a class and its method, and another", item + "        return len(self.values[1:])\n\n\ndef make(values: list):\n    return Item(values)\n", "fail result", ""},
		}},
	} {
		judgedWithGuards(t, &test.task, test.answers)
	}
}

func judgedWithGuards(t *testing.T, task *Task, answers []answerTest) {
	t.Helper()
	j := newJudge(t, Options{})
	plan, err := j.Plan(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	var checker guard.Checker
	p, err := checker.Program([]byte(task.Program), task.Tests...)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		v, err := plan.Judge(t.Context(), a.answer, checker.Check(p, []byte(a.answer), lint.Facts{}))
		if err != nil {
			t.Fatal(err)
		}
		got := v.Outcome.String()
		if v.Proof != "" {
			got += " " + v.Proof
		}
		for _, r := range v.Reasons {
			got += " " + r.Name
		}
		if !strings.HasPrefix(got, a.want) {
			t.Errorf("%s: %s %v, want %s", a.name, got, v.Reasons, a.want)
		}
	}
}

// A function whose body stands on the row of its def, as E704 forbids, is run
// through by a call of it.
func TestJudgeBodyOnTheRowOfItsDef(t *testing.T) {
	j := newJudge(t, Options{})
	task := Task{ID: "both", Program: "def one(a): return a+1\ndef both(a): return ', '.join((str(a), str(one(a))))\n", Tests: []string{"assert both(2) == '2, 3'"}}
	if v := judgeAnswer(t, j, &task, "def one(a):\n    b = a + 1\n    return b\n\n\ndef both(a):\n    return f'{a}, {one(a)}'\n"); v.Outcome != evaluator.Pass {
		t.Errorf("%v %v", v.Outcome, v.Reasons)
	}
	if v := judgeAnswer(t, j, &task, "def one(a):\n    b = a + 1\n    return b\n\n\ndef both(a):\n    return f'{a}; {one(a)}'\n"); v.Outcome != evaluator.Fail {
		t.Errorf("%v %v", v.Outcome, v.Reasons)
	}
}
