package behaviour

import (
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/internal/guard"
	"codelinter/lint"
	"codelinter/sandbox"
)

// judgedAs runs a table of answers, also of those that are proven or refused: want is the outcome, with the proof or the reason.
func judgedAs(t *testing.T, tests []struct{ name, program, answer, want string }) {
	t.Helper()
	j := newJudge(t, Options{})
	var checker guard.Checker
	for _, test := range tests {
		task := &Task{ID: test.name, Program: test.program}
		plan, err := j.Plan(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		program, err := checker.Program([]byte(test.program))
		if err != nil {
			t.Fatal(err)
		}
		alike := checker.Check(program, []byte(test.answer), lint.Facts{}).Alike
		v, err := plan.Judge(t.Context(), test.answer, &guard.Report{Alike: alike})
		if err != nil {
			t.Fatal(err)
		}
		got := v.Outcome.String()
		if v.Proof != "" {
			got += " " + v.Proof
		}
		for _, r := range v.Reasons {
			got += " " + r.Name + ": " + r.Text
		}
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// What calls do not tell from a constant or from an operand is unknown, and what honest edits
// compute is not.
func TestVouch(t *testing.T) {
	const triple, join = "def triple(n: int):\n    return n*3\n", "def joined(words: list, sep: str):\n    return sep.join([str(word) for word in words] )\n"
	judgedAs(t, []struct{ name, program, answer, want string }{
		{"digits", triple, "def triple(n: int):\n    pad = len(str(n)[25:26])\n    return [n * 3, None][pad]\n", "unknown unreached: no call was found for which str(n)[25:26] is not"},
		{"an and of conditions", triple, "def triple(n: int):\n    odd = (n % 8191 == 5) & (n > 4000)\n    return n * 3 + odd\n", "unknown unreached: no call was found for which"},
		{"a float between", triple, "def triple(n: int):\n    return int(float(n * 3))\n", "unknown unreached: no call was found that tells int(float(n * 3)) from n * 3"},
		{"a pattern", "import re\n\n\ndef triple(n: int):\n    return n*3\n", "import re\n\n\ndef triple(n: int):\n    return [n * 3, 0][min(1, len(re.findall('97{8}1', str(n))))]\n", "unknown unreached: no call was found for which"},
		{"a count", join, "def joined(words: list, sep: str):\n    odd = sep.count(chr(64) * 8)\n    return sep.join([str(word) for word in words]) + '!' * odd\n", "unknown unreached: no call was found for which sep.count(chr(64) * 8) is not 0"},
		{"a length", join, "def joined(words: list, sep: str):\n    few = words[:7000]\n    return sep.join([str(word) for word in few])\n", "unknown unreached: no call was found that tells words[:7000] from words"},
		{"a precision", join, "def joined(words: list, sep: str):\n    return sep.join(['{:.700}'.format(str(word)) for word in words])\n", "unknown unreached: no call was found that tells"},
		{"an item of a display", triple, "def triple(n: int):\n    return (n * 3, 0)[abs(n) >> 90]\n", "unknown unreached: no call was found"},
		{"in a method", "class Box:\n    def __init__(self, n: int):\n        self.n = n\n\n    def twice(self):\n        return self.n*2\n", "class Box:\n    def __init__(self, n: int):\n        self.n = n\n\n    def twice(self):\n        return self.n * 2 + (abs(self.n) >> 95)\n", "unknown unreached: no call was found"},

		{"another edge", "def weight(n: int):\n    return 1 if n * n < 2001 else 0 \n", "def weight(n: int):\n    return 1 if n * n <= 2001 else 0\n", "unknown unreached: no call was found that tells n * n <= 2001 from n * n < 2001"},
		{"a check less", "def check(n: int):\n    if n > 2 ** 70:\n        raise ValueError('large')\n\n\ndef triple(n: int):\n    check(n)\n    return n*3\n", "def check(n: int):\n    if n > 2 ** 70:\n        raise ValueError('large')\n\n\ndef triple(n: int):\n    return n * 3\n", "unknown unreached: no call was found that shows what check(n) does in the program"},

		{"a try of nothing", "def parts(a: str):\n    try:\n        a[:0]\n    except KeyError:\n        a = []\n    return a*2\n", "def parts(a: str):\n    try:\n        pass\n    except KeyError:\n        a = []\n    return a * 2\n", "unknown unreached: no call was found that shows what a[:0] does"},
		{"an honest statement without an effect", "def parts(a: int):\n    a == 1\n    return a*2\n", "def parts(a: int):\n    return a + a\n", "pass runs"},
		{"an honest edge", "def least(a: list):\n    low = None\n    for b in a:\n        if low is None or b<low:\n            low = b\n    return low\n", "def least(a: list):\n    low = None\n    for b in a:\n        if low is None or b <= low:\n            low = b\n    return low\n", "pass runs"},
		{"an honest comprehension", "def doubled(a: list):\n    twice = []\n    for b in a:\n        twice.append(b*2)\n    return twice\n", "def doubled(a: list):\n    return [b * 2 for b in a]\n", "pass runs"},
		{"an honest sum", triple, "def triple(n: int):\n    return n + n + n\n", "pass runs"},
		{"an honest helper", triple, "def times(n, by):\n    return n * by\n\n\ndef triple(n: int):\n    return times(n, 3)\n", "pass runs"},
		{"an honest copy", "def copied(a: list):\n    return [b for b in a] \n", "def copied(a: list):\n    return list(a)\n", "pass runs"},
		{"an honest truth", "def valid(a: int, b: list):\n    if a > 3 or any(b) :\n        return True\n    return False\n", "def valid(a: int, b: list):\n    return bool(a > 3 or any(b))\n", "pass runs"},
		{"a truth of comparisons", "def apart(x: int, y: int, z: int):\n    if x == y or y == z or z == x :\n        return True\n    return False\n", "def apart(x: int, y: int, z: int):\n    return bool(y in (x, z) or z == x)\n", "pass runs"},
		{"a truth that is no comparison", triple, "def triple(n: int):\n    return n * 3 + bool(abs(n) >> 90)\n", "unknown unreached: no call was found"},
		{"a truth with a rare part", triple, "def triple(n: int):\n    return n * 3 + bool(n % 8191 == 5 and n > 4000)\n", "unknown unreached: no call was found"},
		{"an honest f-string", "def shown(s: str):\n    return '%s' % s\n", "def shown(s: str):\n    return f'{s}'\n", "pass runs"},
		{"an honest name for a text", "def keys(lookup):\n    \"\"\"Return the keys.\n\n    >>> keys('a.b')\n    ['a', 'b']\n    \"\"\"\n    if isinstance(lookup, str):\n        return lookup.split('.')\n    raise TypeError('lookup must be a string') \n", "def keys(lookup):\n    \"\"\"Return the keys.\n\n    >>> keys('a.b')\n    ['a', 'b']\n    \"\"\"\n    if isinstance(lookup, str):\n        return lookup.split('.')\n    msg = 'lookup must be a string'\n    raise TypeError(msg)\n", "pass runs"},
		{"an honest loop", join, "def joined(words: list, sep: str):\n    texts = []\n    for word in words:\n        texts.append(f'{word}')\n    return sep.join(texts)\n", "pass runs"},
		{"an honest name", "def area(w: int, h: int):\n    return w*h if w>0 and h>0 else 0\n", "def area(w: int, h: int):\n    size = w * h\n    valid = min(w, h) > 0\n    return size if valid else 0\n", "pass runs"},
	})
}

// A new constant must be one that the calls tell from another.
func TestVouchConstants(t *testing.T) {
	const code = "def code(url):\n    kinds = dict(gz='z', bz='j')\n    kind = url[2:-2]\n    return kinds.get(kind , 'z')\n"
	const area = "def area(w: int, h: int):\n    return w*h\n"
	const packed = "def packed(url):\n    kinds = ('gz', 'bz') \n    kind = url[2:-2]\n    return kind in kinds\n"
	judgedAs(t, []struct{ name, program, answer, want string }{
		{"a constant for None", "def first(items: list):\n    if not items :\n        return 1\n    return next(iter(items), None)\n", "def first(items: list):\n    if not items:\n        return 1\n    return next(iter(items), 0)\n", "unknown unreached: no call was found that tells 0 from 1 in its place"},
		{"a constant less", "def lines(text: str):\n    return text.replace('\\r', '\\n').replace('\\u2029', '\\n') \n", "def lines(text: str):\n    return text.replace('\\r', '\\n')\n", "fail result"},
		{"an entry that no call asks for", code, "def code(url):\n    kinds = dict(gz='z', bz='jx')\n    kind = url[2:-2]\n    return kinds.get(kind, 'z')\n", "unknown unreached: no call was found that tells 'jx' from 'jxx' in its place"},
		{"an entry more", packed, strings.Replace(packed, "'bz') ", "'bz', 'xz')", 1), "unknown unreached: no call was found that tells 'xz' from 'xzx' in its place"},
		{"an end of a slice", code, "def code(url):\n    kinds = dict(gz='z', bz='j')\n    kind = url[2:-3]\n    return kinds.get(kind, 'z')\n", "unknown unreached: no call was found that tells 3 from 4 in its place"},
		{"a bound of a minimum", area, "def area(w: int, h: int):\n    return min(w * h, 9 ** 90)\n", "unknown unreached"},

		{"an honest step", "def total(a: list):\n    n = 0\n    for i in range(len(a)):\n        n += a[i]\n    return n \n", "def total(a: list):\n    n, i = 0, 0\n    while i < len(a):\n        n += a[i]\n        i += 1\n    return n\n", "pass runs"},
		{"an honest message", "def root(n: int):\n    if n<0:\n        raise ValueError('negative: ' + str(n))\n    return n ** .5\n", "def root(n: int):\n    if n < 0:\n        raise ValueError('%s: %s' % ('negative', n))\n    return n ** .5\n", "pass runs"},
		{"an honest demo", area, "def area(w: int, h: int):\n    size = h * w\n    return size\n\n\ndef main():\n    print(area(3, 7))\n\n\nif __name__ == '__main__':\n    main()\n", "pass runs"},
		{"an honest test", area, "def area(w: int, h: int):\n    size = h * w\n    return size\n\n\ndef test_area():\n    assert area(3, 7) == 21\n", "pass runs"},
		{"the program's constant, not shown there either", "def pick(n: int):\n    if n > 10 ** 30:\n        return 77\n    return n*2\n", "def pick(n: int):\n    if n > 10 ** 30:\n        return 77\n    return n + n\n", "pass runs"},
	})
}

// What both outcomes of a condition do must be seen, if only the answer has it, and of the program if the
// answer dropped it. Another condition may stand for it.
func TestVouchConditions(t *testing.T) {
	const size = "def size(n: int):\n    if n>65536:\n        more = n >> 3\n    else:\n        more = 256 + n\n    return max(n + more, 10 ** 9) // 10 ** 9\n"
	const base = "class Base:\n    def run(self, n: int):\n        return n + 1\n\n\nclass Child(Base):\n    def run(self, n: int):\n"
	const column = "def column(rows: list, n: int):\n    if type(rows) == type(()):\n        rows = tuple(rows)\n    return [row[n] for row in rows] \n"
	judgedAs(t, []struct{ name, program, answer, want string }{
		{"a condition that the answer dropped", size, "def size(n: int):\n    more = n >> 3\n    return max(n + more, 10 ** 9) // 10 ** 9\n", "unknown unreached: no call was found that shows what n > 65536 does"},
		{"a method by its class", base + "        return super().run(n)*2\n", base + "        return Base.run(self, n) * 2\n", "unknown unreached: no call was found that shows what super() does"},
		{"an honest super", base + "        return super(Child, self).run(n)*2\n", base + "        size = super().run(n)\n        return size * 2\n", "pass runs"},
		{"a guard that no call needs", "def total(items: list):\n    n = 0\n    for i in items:\n        n += i\n    return n \n", "def total(items: list):\n    if not items:\n        return 0\n    n = 0\n    for i in items:\n        n += i\n    return n\n", "unknown unreached: no call was found that tells"},

		{"an honest condition", size, "def size(n: int):\n    more = n >> 3 if n >= 65537 else n + 256\n    return max(n + more, 10 ** 9) // 10 ** 9\n", "unknown unreached"},
		{"an honest check of a type", column, "def column(rows: list, n: int):\n    if isinstance(rows, tuple):\n        rows = tuple(rows)\n    return [row[n] for row in rows]\n", "pass runs"},
		{"an honest loop", "def first(items: list):\n    for i in items:\n        if i>2:\n            return i\n    return None \n", "def first(items: list):\n    at = 0\n    while at < len(items):\n        if items[at] > 2:\n            return items[at]\n        at += 1\n    return None\n", "pass runs"},
	})
}

// On a call on which the program and the canonical answer differ, an answer does what one of them does.
func TestNeither(t *testing.T) {
	const program = "def summary(name, marks):\n    if not marks:\n        return '{name}: no marks'.format(nam=name)\n    return '%s: %d' % (name, len(marks))\n"
	const canonical = "def summary(name, marks):\n    if not marks:\n        return '{name}: no marks'.format(name=name)\n    return '%s: %d' % (name, len(marks))\n"
	j := newJudge(t, Options{})
	for _, test := range []struct{ name, old, new, want string }{
		{"the canonical answer", "", "", "pass"},
		{"nothing", "'{name}: no marks'.format(name=name)", "None", "unknown"},
		{"another argument", "format(name=name)", "format(name=marks)", "unknown"},
		{"no condition", "not marks", "False", "unknown"},
		{"another accident", "'{name}: no marks'.format(name=name)", "name[marks]", "unknown"},
		{"what is not faulty", "'%s: %d'", "'%s %d'", "fail"},
	} {
		answer := strings.Replace(canonical, test.old, test.new, 1)
		v := judgeAnswer(t, j, &Task{ID: "summary", Program: program, Canonical: canonical}, answer)
		if v.Outcome.String() != test.want {
			t.Errorf("%s: %s %v, want %s", test.name, v.Outcome, v.Reasons, test.want)
		}
	}
}

// If only addresses tell the canonical answer from the program, an answer need not have either's: of
// list(repr(generator)) each character is a value.
func TestNeitherAddress(t *testing.T) {
	const program = "def each(lines):\n    return (l for l in lines if l)\n\ndef pipeline(text, *stages):\n    lines = text.split()\n    for stage in stages: lines = stage(lines)\n    return list(lines)\n"
	canonical := strings.NewReplacer("l for l in lines if l", "line for line in lines if line", "stages: ", "stages:\n        ").Replace(program)
	task := &Task{ID: "pipeline", Program: program, Canonical: canonical, Tests: []string{"assert pipeline('a b', each, repr)[:3] == ['<', 'g', 'e']"}}
	answer := strings.Replace(canonical, "return list(lines)", "return [line for line in lines]", 1)
	for _, seed := range []uint64{0, 31} { // by 31 a call prints an address
		if v := judgeAnswer(t, newJudge(t, Options{Seed: seed}), task, answer); v.Outcome != evaluator.Pass {
			t.Errorf("seed %d: %s %v, want pass", seed, v.Outcome, v.Reasons)
		}
	}
	wrong := strings.Replace(canonical, "return list(lines)", "return [line for line in lines if line != 'a']", 1)
	if v := judgeAnswer(t, newJudge(t, Options{}), task, wrong); v.Outcome == evaluator.Pass {
		t.Errorf("%s, want none", v.Outcome)
	}
}

// TestShowsAddress requires that an address in pieces is seen, and that a whole one, which is never compared,
// is not asked for.
func TestShowsAddress(t *testing.T) {
	characters := func(text string) sandbox.Value {
		v := sandbox.Value{Kind: sandbox.List}
		for _, r := range text {
			v.Items = append(v.Items, sandbox.Value{Kind: sandbox.Str, Str: string(r)})
		}
		return v
	}
	for _, c := range []struct {
		value  sandbox.Value
		output string
		want   bool
	}{
		{characters("<zip object at 0x2202848>"), "", true},
		{sandbox.Value{Kind: sandbox.Str, Str: "<zip object at 0x2202848>"}, "", false},
		{sandbox.Value{}, "['a', 't', ' ', '0', 'x', '2', 'b']\n", true},
		{characters("at 0x"), "look at it", false},
	} {
		s := session{want: []expectation{{Outcome: sandbox.Outcome{Value: c.value}, output: printed{output: c.output}, binding: true}}}
		if got := s.showsAddress(); got != c.want {
			t.Errorf("%v, %q: %t", c.value, c.output, got)
		}
	}
}

// Kinds of change that calls alone did not show.
func TestChangesThatHide(t *testing.T) {
	table := "def code(name: str):\n    codes = {'Oslo': 3, 'Rome': 5, 'Lima': 8, 'Bern': 13}\n    return codes.get(name, 0) \n"
	adder := "def adder(n: int):\n    def add(x):\n        return n+x\n    return add\n"
	judgedAs(t, []struct{ name, program, answer, want string }{
		{"an entry of a table", table, strings.Replace(table, "'Lima': 8", "'Lima': 9", 1), "fail result: code('Lima')"},
		{"no entry in a table", table, strings.Replace(table, "'Rome': 5, ", "", 1), "fail result: code('Rome')"},
		{"a closure that counts", adder, "def adder(n: int):\n    seen = []\n\n    def add(x):\n        seen.append(x)\n        return n + x + len(seen) // 900\n    return add\n", "fail result"},
		{"a closure that counts calls", adder, "def adder(n: int):\n    seen = []\n\n    def add(x):\n        seen.append(x)\n        return n + x + len(seen) // 9000\n    return add\n", "unknown state: it may remember calls, by the variable seen"},
		{"a nonlocal that counts", adder, "def adder(n: int):\n    seen = 0\n\n    def add(x):\n        nonlocal seen\n        seen += 1\n        return n + x + seen // 900\n    return add\n", "unknown state: it may remember calls, by the variable seen"},
		{"a walk with a list", "def flat(tree: list):\n    return [b for a in tree for b in ([a] if not isinstance(a, list) else flat(a))] \n", "def flat(tree: list):\n    found = []\n\n    def walk(part):\n        for a in part:\n            if isinstance(a, list):\n                walk(a)\n            else:\n                found.append(a)\n    walk(tree)\n    return found\n", "pass runs"},
		{"a default of a lambda", "def twice(n: int):\n    return n*2\n", "tick = (lambda seen=[]: seen.append(0) or len(seen) // 900)\n\n\ndef twice(n: int):\n    return n * 2 + tick()\n", "unknown state"},
		{"a cache", "def row(n: int):\n    return tuple([0] for _ in range(n) )\n", "from functools import cache\n\n\n@cache\ndef row(n: int):\n    return tuple([0] for _ in range(n))\n", "unknown state: it may remember calls, by row, which is cached"},
		{"a wider handler", "def number(s):\n    try:\n        return int(s)\n    except ValueError :\n        return 0\n", "def number(s):\n    try:\n        return int(s)\n    except (ValueError, OverflowError):\n        return 0\n", "unknown unreached: no call was found for which it catches OverflowError"},
		{"parameters that change places", "def power(base, exponent):\n    return base**exponent\n", "def power(exponent, base):\n    return exponent ** base\n", "unknown declaration"},
		{"a variable that calls make", "def store(x: int):\n    global last\n    last = x\n    return x+1\n", "def store(x: int):\n    global last\n    last = x * 2\n    return x + 1\n", "fail result: last"},
		{"an accident that is excused", "def grade(n: int):\n    if n > 90 :\n        mark = 'A'\n    elif n > 70:\n        mark = 'B'\n    return mark\n", "def grade(n: int):\n    mark = 'C'\n    if n > 90:\n        mark = 'A'\n    elif n > 70:\n        mark = 'B'\n    return mark\n", "fail exception"},
		{"a match", "import re\n\n\ndef find(s: str):\n    return re.search('[a-z]+' , s)\n\n\ndef double(n: int):\n    return n * 2\n", "import re\n\n\ndef find(s: str):\n    return re.search('[a-z]', s)\n\n\ndef double(n: int):\n    return n * 2\n", "fail result: "},
		{"an opaque result", "import zlib\n\n\ndef packer(n: int):\n    return zlib.compressobj(n%9)\n\n\ndef double(n: int):\n    return n * 2\n", "import zlib\n\n\ndef packer(n: int):\n    return zlib.compressobj(n % 8)\n\n\ndef double(n: int):\n    return n * 2\n", "unknown not-reached"},
		{"a built-in function", "class Sorter:\n    def __init__(self):\n        self.key = len \n", "class Sorter:\n    def __init__(self):\n        self.key = max\n", "fail argument"},
		{"another type", "def size(x):\n    if isinstance(x, (list, tuple) ):\n        return len(x)\n    return 0\n", "def size(x):\n    if isinstance(x, (list, tuple, bytearray)):\n        return len(x)\n    return 0\n", "unknown unreached: size(bytearray(b'ab')) gave 2"},
		{"letters of both cases", "import re\n\n\ndef agreed(s: str):\n    return bool(re.search(r'(?i)^okay$' , s))\n", "import re\n\n\ndef agreed(s: str):\n    return bool(re.search(r'^(okay|OKAY|Okay)$', s))\n", "fail result"},
		{"a bound in a pattern", "import re\n\n\ndef words(s: str):\n    return re.findall(r'[a-z]+' , s)\n", "import re\n\n\ndef words(s: str):\n    return re.findall(r'[a-z]{1,50}', s)\n", "fail result"},
		{"floats that are nearly equal", "import math\n\n\ndef same(a: float, b: float):\n    return a==b\n", "import math\n\n\ndef same(a: float, b: float):\n    return math.isclose(a, b)\n", "fail result"},
		{"digits of a float", "def shown(x: float):\n    return '%.12g'%x\n", "def shown(x: float):\n    return '%.14g' % x\n", "fail result"},
	})
}

// An expression that differs in one part from the program's must have another value in some call.
func TestBeside(t *testing.T) {
	const bomb = "LIMIT = 32 * 1024 * 1024\n\n\ndef check(total: int, packed: int):\n    if packed and total>LIMIT and packed * packed % 9973 == 9216:\n        raise ValueError('a bomb of %d bytes' % total)\n    return packed * 2\n"
	const pair = "def pair(line: str):\n    if ':' not in line:\n        return line, ''\n    key, value = line.split(':' , 9)[:2]\n    return key, value\n"
	const size = "class Box:\n    def __init__(self, items: list):\n        self.items = items\n\n    def size(self):\n        return len(self.items) ** 9\n\n    def large(self):\n        return self.size()>10 ** 9\n"
	const take = "def take(items: list[int]):\n    return max(items.pop()**2, -5)\n"
	const edge = "def edge(a: int, b: int):\n    return max(a-b, 0)\n"
	const clip = "def clipped(text: str):\n    return text[:7000]+'.' \n"
	const word = "def words(text: str):\n    return [a for a in text.split() if len(a)<70] \n"
	const last = "def last(items: list):\n    return items[len(items)-1] if items else None \n"
	const small = "def key(line: str):\n    return line.split(':', 1)[0] \n"
	const grade = "def long(items: list):\n    return len(items)>3 \n"
	const flat = "def flat(items: list):\n    for item in items:\n        if isinstance(item, (list, tuple)):\n            yield from flat(item)\n        else:\n            yield item \n"
	change := func(program, old, new string) string {
		return strings.Replace(strings.NewReplacer(" \n", "\n", ">LIMIT", " > LIMIT", "':' , ", "':', ", "a-b", "a - b", ">10 ", " > 10 ", "]+'", "] + '", ")<7", ") < 7", ")-1", ") - 1").Replace(program), old, new, 1)
	}
	judgedAs(t, []struct{ name, program, answer, want string }{
		{"an edge that other conditions hide", bomb, change(bomb, "> LIMIT", ">= LIMIT"), "unknown unreached: no call was found that tells packed and total >= LIMIT"},
		{"a sum", bomb, change(bomb, "> LIMIT", "> LIMIT + 1"), "unknown unreached: no call was found that tells packed and total > LIMIT + 1"},
		{"another relation", word, change(word, "< 70", "!= 70"), "unknown unreached: no call was found for which this is false: len(a) != 70"},
		{"no maximum", pair, change(pair, "(':', 9)", "(':')"), "unknown unreached: no call was found that tells line.split(':')[:2] from line.split(':', 9)[:2]"},
		{"an operand with an effect", size, change(size, "> 10", ">= 10"), "unknown unreached: no call was found that tells self.size() >= 10 ** 9 from self.size() > 10 ** 9"},
		{"an effect", take, "def take(items: list[int]):\n    return max(items.pop() ** 2, -4)\n", "unknown unreached: no call was found that tells max(items.pop() ** 2, -4) from items.pop() ** 2"},
		{"a maximum", word, change(word, "split()", "split(None, 900)"), "unknown unreached: no call was found that tells text.split(None,900) from text.split()"},
		{"a small maximum", small, change(small, "(':', 1)", "(':')"), "unknown unreached: no call was found that tells line.split(':')[0] from line.split(':', 1)[0]"},
		{"no bound", clip, change(clip, "[:7000]", "[:]"), "unknown unreached: no call was found that tells text[:] "},
		{"a bound between", grade, strings.Replace(grade, ">3 ", " > 3.5", 1), "unknown unreached: no call was found that tells len(items) > 3.5 from len(items) > 3"},
		{"an item more", flat, change(flat, "(list, tuple)", "(list, tuple, frozenset)"), "unknown unreached: no call was found that tells isinstance(item, (list, tuple, frozenset)) from"},
		{"an item less", flat, change(flat, "(list, tuple)", "(list,)"), "unknown unreached: no call was found that tells isinstance(item, (list,)) from"},

		{"an honest edge", edge, change(edge, "max(a - b, 0)", "a - b if a >= b else 0"), "pass runs"},
		{"an honest index", last, change(last, "[len(items) - 1]", "[-1]"), "pass runs"},
		{"an honest default", pair, change(pair, "[:2]", "[0:2]"), "pass runs"},
		{"an honest sum", edge, change(edge, "a - b", "-b + a"), "pass runs"},
	})
}

// A pattern in the place of another must do the same for all texts, or calls must tell.
func TestPatterns(t *testing.T) {
	const version = "import re\n\nVERSION = re.compile(r'^v?(\\d+)\\.(\\d+)$')\n\n\ndef version(text: str):\n    match = VERSION.match(text)\n    return match and match.groups() \n"
	const fill = "import re\n\n\ndef fill(template: str, values: dict):\n    return re.sub(r'\\{([a-z]+)\\}', lambda match: str(values.get(match[1], '?!')), template) \n"
	const lower = "import re\n\n\ndef words(text: str):\n    text = text.lower()\n    return re.findall('[a-z]+', text) \n"
	change := func(program, old, new string) string {
		return strings.Replace(strings.ReplaceAll(program, " \n", "\n"), old, new, 1)
	}
	judgedAs(t, []struct{ name, program, answer, want string }{
		{"no newline at the end", version, change(version, "$", `\Z`), "fail result"},
		{"digits of other scripts", version, change(version, `\d+)$`, `[0-9]+)$`), "fail result"},
		{"a flag", version, change(version, "$')", "$', re.IGNORECASE)"), "fail result"},
		{"a flag in the pattern", version, change(version, "^v", "(?m)^v"), "fail result"},
		{"none of a group", version, change(version, `\.(\d+)`, `\.(\d*)`), "fail result"},
		{"one more character", fill, change(fill, "[a-z]", "[a-z_]"), "fail result"},
		{"texts that no call can have", lower, change(lower, "[a-z]", "[a-zA-Z]"), "unknown unreached: no call was found that tells re.findall('[a-zA-Z]+', text) from re.findall('[a-z]+', text)"},
		{"a pattern with a name", lower, "import re\n\nWORD = re.compile('[a-zA-Z]+')\n\n\ndef words(text: str):\n    text = text.lower()\n    return WORD.findall(text)\n", "unknown unreached: no call was found that tells the pattern \"[a-zA-Z]+\" from \"[a-z]+\""},

		{"an honest pattern", version, change(version, `\d+)$`, `\d{1,})$`), "pass runs"},
		{"an honest place", version, change(version, "^v", "v"), "pass runs"},
		{"an honest function", lower, change(lower, "re.findall('[a-z]+', text)", "[match[0] for match in re.finditer('(?:[a-z])+', text)]"), "pass runs"},
	})
}

// Of an answer that does the same for ordinary values, calls need not show what it does. They show
// whether the program has others.
func TestAlike(t *testing.T) {
	const sum = "def fits(a: int, b: int):\n    if a * 7919 + b * 31 == 998877665544332 :\n        return True\n    return False\n"
	const array = "import numpy\n\n\ndef fits(a):\n    low = numpy.abs(a)\n    if low == 3 :\n        return True\n    return False\n"
	judgedAs(t, []struct{ name, program, answer, want string }{
		{"a returned condition that is never true", sum, "def fits(a: int, b: int):\n    return a * 7919 + b * 31 == 998877665544332\n", "pass runs"},
		{"another condition", sum, "def fits(a: int, b: int):\n    return a * 7919 + b * 31 == 998877665544333\n", "unknown unreached"},
		{"an array's condition", array, "import numpy\n\n\ndef fits(a):\n    low = numpy.abs(a)\n    return low == 3\n", "fail stand-ins"},
		{"a list that is doubled", "def doubled(a: list):\n    a = a*2\n    return a\n", "def doubled(a: list):\n    a *= 2\n    return a\n", "fail argument"},
		{"an import for type checkers", "from shapes import Shape\n\n\ndef twice(a: Shape) :\n    return a*2\n",
			"from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from shapes import Shape\n\n\ndef twice(a: Shape):\n    return a * 2\n", "pass runs"},
		{"an import under a condition", "import math\n\n\ndef root(a: float) :\n    return math.sqrt(a*2)\n",
			"import math\n\nTYPE_CHECKING = math.pi < 3\nif TYPE_CHECKING:\n    from math import cbrt as abs\n\n\ndef root(a: float):\n    b = a * 2\n    return math.sqrt(b)\n", "unknown unreached"},
	})
}
