package behaviour

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"codelinter/evaluator"
)

// TestCallsWithoutTests requires that changes of logic are told apart where nothing but
// the program says what its arguments are.
func TestCallsWithoutTests(t *testing.T) {
	j := newJudge(t, Options{})
	for _, test := range []struct{ name, program, from, to string }{
		{"a method's result", "class Cache:\n    def __init__(self, size):\n        self.items, self.size = {}, size\n    def put(self, key, value):\n        self.items[key] = value\n        if len(self.items) > self.size:\n            del self.items[min(self.items)]\n    def get(self, key):\n        if key in self.items:\n            return self.items[key]\n        return -1\n", "return self.items[key]", "return None"},
		{"a method's effect", "class Log:\n    def __init__(self):\n        self.seen = []\n    def add(self, n):\n        self.seen.append(n)\n        return n\n", "        self.seen.append(n)\n", ""},
		{"a property's setter", "class Heat:\n    def __init__(self, c=0.0):\n        self._c = c\n    @property\n    def c(self):\n        return self._c\n    @c.setter\n    def c(self, value):\n        if value < -273.15:\n            raise ValueError('below zero')\n        self._c = value\n", "'below zero'", "'below'"},
		{"an optional argument", "def area(width, height=None):\n    if height is None:\n        height = width\n    return width * height\n", "height = width", "height = 1"},
		{"an optional argument that is given", "def add(a, b=3):\n    return a + 2 * b\n", "2 * b", "6"},
		{"keywords", "def tag(name, **attributes):\n    return name + ''.join(f' {k}={v}' for k, v in sorted(attributes.items()))\n", "sorted(attributes.items())", "()"},
		{"any number of arguments", "def total(*numbers, scale=1):\n    return scale * sum(numbers[1:])\n", "numbers[1:]", "numbers[1:4]"},
		{"a function that is given", "def apply(f, items):\n    return [f(x) for x in items if x]\n", " if x]", "]"},
		{"a function that is returned", "def counter(start):\n    value = start\n    def step(by=1):\n        nonlocal value\n        value += by\n        return value\n    return step\n", "value += by", "value -= by"},
		{"an object of another class", "class Item:\n    def __init__(self, price):\n        self.price = price\ndef cheapest(items):\n    return min(items, key=lambda i: i.price, default=None)\n", "min(", "max("},
		{"keys that are looked up", "def walk(graph, start):\n    seen, todo = [], [start]\n    while todo:\n        node = todo.pop()\n        if node not in seen:\n            seen.append(node)\n            todo.extend(graph.get(node, ()))\n    return seen\n", "todo.extend(", "list("},
		{"texts like each other", "def anagrams(a, b):\n    return sorted(a) == sorted(b)\n", "sorted(a) == sorted(b)", "a == b"},
		{"a text in parts", "def parse(address):\n    parts = address.split('.')\n    if len(parts) != 4 or not all(p.isdigit() and int(p) < 256 for p in parts):\n        raise ValueError('bad')\n    n = 0\n    for p in parts:\n        n = n << 8 | int(p)\n    return n\n", "n << 8", "n << 7"},
		{"a text of a pattern", "import re\ndef valid(text):\n    return bool(re.fullmatch(r'[A-Z]{2}-\\d{4}(x|y)?', text))\n", "(x|y)?", "(x)?"},
		{"a date", "import datetime as dt\ndef days(a, b):\n    return (dt.datetime.strptime(a, '%d.%m.%Y') - dt.datetime.strptime(b, '%d.%m.%Y')).days\n", ").days", ").seconds"},
		{"a pattern of match", "def shape(p):\n    match p:\n        case {'kind': 'circle', 'r': r}:\n            return r * r\n        case (x, y):\n            return x + y\n        case _:\n            return None\n", "x + y", "x - y"},
		{"constants of its comparisons", "def grade(score):\n    for name, limit in (('A', 90), ('B', 75)):\n        if score >= limit:\n            return name\n    return 'C'\n", ">=", ">"},
		{"what a docstring quotes", "def slug(title):\n    \"\"\"Return 'a-b' for 'a::b'.\"\"\"\n    return title.replace('::', '-')\n", "'::'", "':::'"},
		{"members of an enumeration as keys", "from enum import Enum\nclass S(Enum):\n    ON = 1\n    OFF = 2\n    OUT = 3\nMOVES: dict[tuple[S, str], S] = {(S.ON, 'press'): S.OFF, (S.OFF, 'press'): S.ON, (S.ON, 'break'): S.OUT}\ndef follow(actions, state=S.OFF):\n    for action in actions:\n        if (state, action) not in MOVES:\n            raise ValueError(f'cannot {action}')\n        state = MOVES[state, action]\n    return state\n", "(S.ON, 'break')", "(S.ON, 'brake')"},
		{"keys that are gone through", "def order(needs):\n    done, state = [], {}\n    def visit(task):\n        if state.get(task) == 2:\n            return\n        if state.get(task) == 1:\n            raise ValueError(task)\n        state[task] = 1\n        for other in sorted(needs.get(task, [])):\n            visit(other)\n        state[task] = 2\n        done.append(task)\n    for task in sorted(needs):\n        visit(task)\n    return done\n", "raise ValueError(task)", "return"},
		{"functions that raise what is caught", "def run(*tests):\n    results = []\n    for test in tests:\n        try:\n            test()\n            results.append('passed')\n        except AssertionError:\n            results.append('failed')\n    return results\n", "'failed'", "'passed'"},
		{"a text that is a format", "class Log:\n    def __init__(self):\n        self.lines = []\n    def write(self, level, text, *arguments):\n        if ('debug', 'info').index(level) >= 0:\n            self.lines.append('%s %s' % (level.ljust(6), text % arguments))\n", "ljust(6)", "ljust(5)"},
		{"a text of brackets", "def matched(text):\n    stack, pairs = [], {'(': ')', '[': ']'}\n    for c in text:\n        if c in pairs:\n            stack.append(c)\n        elif len(stack) == 0 or pairs[stack.pop()] != c:\n            return False\n    return len(stack) == 0\n", "'[': ']'", "'[': ')'"},
		{"arguments that run away", "def grey(g):\n    n = 0\n    while g:\n        n ^= g\n        g >>= 1\n    return n\n", "n ^= g", "n |= g"},
		{"a type", "def without(items, kind):\n    return [x for x in items if not isinstance(x, kind)]\n", "not isinstance", "isinstance"},
		{"None among values", "class Cache:\n    def __init__(self):\n        self.items = {}\n    def get(self, key, default=None):\n        if key not in self.items:\n            return default\n        return self.items[key]\n    def put(self, key, value):\n        self.items[key] = value\n", "return self.items[key]", "return None"},
		{"a parameter that is bound again to what is in it", "def count(rows):\n    rows = [cell for row in rows for cell in row]\n    counts = {}\n    for cell in rows:\n        if cell in counts:\n            counts[cell] += 1\n        else:\n            counts[cell] = 1\n    return counts\n", "counts[cell] = 1", "counts[cell] = 2"},
		{"named parameters that are called otherwise", "def f(a, *, key=0):\n    return a + key\n", "a + key", "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(test.program, test.from) {
				t.Fatalf("no %q in the program", test.from)
			}
			answer := strings.Replace(test.program, test.from, test.to, 1)
			if v := judgeAnswer(t, j, &Task{Program: test.program}, answer); v.Outcome != evaluator.Fail {
				t.Errorf("%v %v, want a fail", v.Outcome, v.Reasons)
			}
			same := "import sys as other\n" + test.program
			if v := judgeAnswer(t, j, &Task{Program: test.program}, same); v.Outcome != evaluator.Pass {
				t.Errorf("the same program: %v %v", v.Outcome, v.Reasons)
			}
		})
	}
}

// TestDrawnCalls requires that what is drawn is bounded, can be read, and follows from
// the seed, whatever the program.
func TestDrawnCalls(t *testing.T) {
	for _, program := range []string{
		"def f(a, b=1, *args, c, d=2, **kwargs):\n    return a\n",
		"class A:\n    pass\nclass B(A):\n    pass\nclass A(B):\n    def f(self):\n        return self\n",
		"class A(A):\n    def __init__(self, other):\n        self.other = A(other)\n",
		"T = T\nU = V\nV = list[U]\ndef f(a: T, b: U, c: 'V', d: 'd'):\n    return a\n",
		"def f(a):\n    a = [a, [a]]\n    a.b = a\n    return f(a.split(a))[a]\n",
		"def f(a):\n    a.append(a)\n    a[a] = a\n    for a in a:\n        a = {a: a}\n    return a\n",
		"X = 3\nY = [X, (1, X), {X: Y}]\ndef f(t, d=Y):\n    return t in (1, X, Y) or [t] == d\n",
		"import re\ndef f(s):\n    return re.match('(((a{1000}){1000}){1000}|[^\\\\x00-\\\\U0010ffff]|(?<=x)y)*', s)\n",
		"def f(n):\n    return n < -10 ** 9 and n > -2e308 and n != -9223372036854775808 and n < float('nan')\n",
		"async def f(a, *, b):\n    yield a\nlambda: f\n",
		"def f(" + strings.Join(numberedNames(200), ", ") + "):\n    return [" + strings.Join(numberedNames(200), ", ") + "]\n",
		"def f(a):\n    return " + strings.Repeat("[", 60) + "a" + strings.Repeat("]", 60) + " == a\n",
	} {
		m, ok := parse(program)
		if !ok {
			t.Fatalf("no Python:\n%s", program)
		}
		draw := func(seed uint64) (all []string) {
			g := newGenerator(m, rand.New(rand.NewPCG(seed, 0)))
			for _, path := range g.paths() {
				for range 100 {
					if p := g.draw(path); p != nil {
						all = append(all, p.steps()[0].shown)
					}
				}
			}
			return all
		}
		first := draw(1)
		if again := draw(1); strings.Join(first, "\n") != strings.Join(again, "\n") {
			t.Errorf("what is drawn does not follow from the seed for\n%s", program)
		}
		if len(first) < 90 {
			t.Errorf("%d calls were drawn for\n%s", len(first), program)
		}
		for _, call := range first {
			if _, ok := expression(call); !ok || len(call) > 60_000 {
				t.Fatalf("%.200s (%d bytes) was drawn for\n%s", call, len(call), program)
			}
		}
	}
}

func numberedNames(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("name%d", i))
	}
	return names
}
