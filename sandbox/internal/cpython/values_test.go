//go:build !nopython

package cpython_test

import (
	"strings"
	"testing"
)

// valuesProgram defines what the expressions of TestValues use.
const valuesProgram = `
import array, collections, dataclasses, datetime, decimal, enum, fractions, functools, itertools, sys, types, typing

class Plain:
    def __init__(self, *values):
        self.b, self.a = values or (1, 2)
    def __repr__(self): raise RuntimeError('nobody asks')
    __str__ = __eq__ = __hash__ = __len__ = __iter__ = __bool__ = __getattribute__ = __reduce_ex__ = __repr__
    def method(self): pass

class Slots:
    __slots__ = ('x', '__y', 'unset')
    def __init__(self):
        self.x, self.__y = 1, self

class MoreSlots(Slots):
    __slots__ = ('z', '__dict__')
    def __init__(self):
        super().__init__()
        self.z, self.free = 3, 4

class Liar(int):
    __class__ = str
    def __int__(self): return 42
    __index__ = __int__
    def __eq__(self, other): return True
    __hash__ = int.__hash__

class Items(list):
    def __iter__(self): return iter(())
    def __len__(self): return 0
    def __getitem__(self, i): raise IndexError

class Keys(dict):
    def items(self): return ()
    __iter__ = keys = items

class Text(str): pass
class Deque(collections.deque):
    def __iter__(self): return iter('no')
class Amount(decimal.Decimal):
    def __str__(self): return 'no'
class Failure(ValueError):
    def __init__(self, message):
        super().__init__(message, 1)
        self.extra = 'e'
class Color(enum.Enum):
    RED = 1
class Level(enum.IntEnum):
    LOW = 1
@dataclasses.dataclass
class Record:
    name: str
    tags: list = dataclasses.field(default_factory=list)
Point = collections.namedtuple('Point', 'x y')
class Meta(type):
    def __instancecheck__(cls, o): return True
    def mro(cls): return [cls, object]
class WithMeta(metaclass=Meta):
    def __init__(self): self.v = 1
class Count:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        return self.n
class Keyed:
    def __init__(self, n): self.n = n
    def __hash__(self): return 1
    def __eq__(self, other): return self is other

def numbers(n):
    for i in range(n):
        yield i
def failing():
    yield 1
    raise KeyError('k')
def f(a): return a
async def coroutine(): pass
cycle = [1]
cycle.append(cycle)
shared = []
nan = float('nan')
sparse = collections.OrderedDict.fromkeys('abc')
sparse.move_to_end('a')
def nest(n):
    value = []
    for _ in range(n): value = [value]
    return value
`

func TestValues(t *testing.T) {
	g := newGuest(t)
	if reply, err := g.exec(valuesProgram, wantsTraceback); err != nil || print(reply, false, 0) != "done" {
		t.Fatal(print(reply, false, 0), err)
	}
	for _, test := range []struct{ expression, want string }{
		{"None", "N"}, {"True", "T"}, {"False", "F"}, {"...", "."}, {"NotImplemented", "!"},
		{"0", "0"}, {"1", "1"}, {"-1", "-1"}, {"127", "127"}, {"128", "128"}, {"-128", "-128"}, {"-129", "-129"}, {"255", "255"}, {"-256", "-256"},
		{"2**31", "2147483648"}, {"-2**63", "-9223372036854775808"}, {"10**40", "10000000000000000000000000000000000000000"},
		{"-(2**520)", "-" + "3432398830065304857490950399540696608634717650071652704697231729592771591698828026061279820330727277488648155695740429018560993999858321906287014145557528576"},
		{"1.5", "f3ff8000000000000"}, {"-0.0", "f8000000000000000"}, {"float('inf')", "f7ff0000000000000"}, {"nan", "f7ff8000000000000"}, {"-nan", "ffff8000000000000"},
		{"1-2j", "c1,-2"},
		{"''", `s""`}, {"'aé€😀'", `s"aé€😀"`}, {`'\udc80\ud800'`, `s"\xed\xb2\x80\xed\xa0\x80"`}, {`'a\0b'`, `s"a\x00b"`},
		{`b'\x00\xff'`, `b"\x00\xff"`}, {"bytearray(b'x')", `B0"x"`},
		{"range(1, 10, 2)", "R0(1 10 2)"}, {"slice(None, 5)", "S0(N 5 N)"},
		{"[]", "[0()"}, {"[1, [2], (3,)]", "[0(1 [1(2) (2(3))"}, {"()", "(0()"},
		{"{1, 2} | {-1}", "{0(1 2 -1)"}, {"{'b', 'a', 1.0}", `{0(f3ff0000000000000 s"a" s"b")`}, {"frozenset()", "<0()"},
		{"{(2, 1), (1, 2), 'x'}", `{0((1(1 2) (2(2 1) s"x")`}, {"{frozenset([1]), frozenset([2, 3])}", "{0(<1(1) <2(2 3))"},
		{"{Keyed(2), Keyed(1)}", `{0(o1__main__.Keyed:- n=1; o2__main__.Keyed:- n=2;)`},
		{"{'b': 1, 'a': [2]}", `d0(s"b" 1 s"a" [1(2))`},
		{"{1: 2}.keys()", "k0(1)"}, {"{1: 2}.values()", "v0(2)"}, {"{1: 2}.items()", "w0(1 2)"}, {"sparse.keys()", `k0(s"b" s"c" s"a")`},
		{"sparse", `o0collections.OrderedDict:d1(s"b" N s"c" N s"a" N);`},
		{"collections.defaultdict(list, {1: []})", "o0collections.defaultdict:d1(1 [2()) default_factory=Clist;"},
		{"collections.Counter('aab')", `o0collections.Counter:d1(s"a" 2 s"b" 1);`},
		{"collections.deque([1, 2], 5)", "o0collections.deque:[1(1 2) maxlen=5;"}, {"Deque('ab')", `o0__main__.Deque:[1(s"a" s"b") maxlen=N;`},
		{"datetime.date(2025, 1, 2)", "o0datetime.date:(1(2025 1 2);"},
		{"datetime.datetime(2025, 1, 2, 3, 4, 5, 6, tzinfo=datetime.timezone.utc)", `o0datetime.datetime:(1(2025 1 2 3 4 5 6) fold=0 tzinfo=o2datetime.timezone:(3(o4datetime.timedelta:(5(0 0 0); s"UTC");;`},
		{"datetime.time(1, 2, fold=1)", "o0datetime.time:(1(1 2 0 0) fold=1 tzinfo=N;"}, {"datetime.timedelta(-1, 2, 3)", "o0datetime.timedelta:(1(-1 2 3);"},
		{"decimal.Decimal('-1.50E+20')", `o0decimal.Decimal:s"-1.50E+20";`}, {"decimal.Decimal('sNaN12')", `o0decimal.Decimal:s"sNaN12";`},
		{"Amount('1.0')", `o0__main__.Amount:s"1.0";`},
		{"fractions.Fraction(2, -6)", "o0fractions.Fraction:- _denominator=3 _numerator=-1;"},
		{"array.array('h', [1, -1])", `o0array.array:(1(s"h" b"\x01\x00\xff\xff");`},
		{"Plain()", "o0__main__.Plain:- a=2 b=1;"}, {"[Plain()] * 2", "[0(o1__main__.Plain:- a=2 b=1; r1)"},
		{"Slots()", "o0__main__.Slots:- _Slots__y=r0 x=1;"}, {"MoreSlots()", "o0__main__.MoreSlots:- _Slots__y=r0 free=4 x=1 z=3;"},
		{"Liar(7)", "o0__main__.Liar:7;"}, {"[Liar(7), 7]", "[0(o1__main__.Liar:7; 7)"}, {"Items([1])", "o0__main__.Items:[1(1);"},
		{"Keys(a=1)", `o0__main__.Keys:d1(s"a" 1);`}, {"Text('t')", `o0__main__.Text:s"t";`},
		{"ValueError('m', 2)", `o0ValueError:(1(s"m" 2);`}, {"Failure('m')", `o0__main__.Failure:(1(s"m" 1) extra=s"e";`},
		{"Color.RED", `o0__main__.Color:- __objclass__=C__main__.Color _name_=s"RED" _sort_order_=0 _value_=1;`},
		{"Level.LOW", `o0__main__.Level:1 __objclass__=C__main__.Level _name_=s"LOW" _sort_order_=0 _value_=1;`},
		{"Record('n')", `o0__main__.Record:- name=s"n" tags=[1();`}, {"Point(1, 2)", "o0__main__.Point:(1(1 2);"},
		{"types.SimpleNamespace(b=1, a=2)", "o0types.SimpleNamespace:- a=2 b=1;"}, {"WithMeta()", "o0__main__.WithMeta:- v=1;"}, {"object()", "o0object:-;"},
		{"Plain", "C__main__.Plain"}, {"int", "Cint"}, {"collections.OrderedDict", "Ccollections.OrderedDict"}, {"Meta", "C__main__.Meta"}, {"WithMeta", "C__main__.WithMeta"},
		{"f", "Lfunction:__main__.f"}, {"len", "Lbuiltin_function_or_method:len"}, {"[].append", "Lbuiltin_function_or_method:append"},
		{"Count().__next__", "Lmethod:__main__.Count.__next__"}, {"str.upper", "Lmethod_descriptor:str.upper"}, {"lambda: 0", "Lfunction:__main__.<lambda>"},
		{"sys", "Msys"}, {"collections", "Mcollections"},
		{"cycle", "[0(1 r0)"}, {"[shared, shared]", "[0([1() r1)"}, {"(lambda d: d.update(d=d) or d)({})", `d0(s"d" r0)`},
		{"numbers(2)", "g0generator 0 yields(0 1)0"}, {"numbers(3)", "g0generator 0 yields(0 1 2)0"}, {"numbers(4)", "g0generator 0 yields(0 1 2)1"},
		{"failing()", "g0generator 0 yields(1)raises KeyError"}, {"iter([1, 2])", "g0list_iterator 0 yields(1 2)0"}, {"map(str, (1,))", `g0map 0 yields(s"1")0`},
		{"itertools.count()", "g0itertools.count 0 yields(0 1 2)1"}, {"[numbers(1), numbers(2)]", "[0(g1generator g2generator) 1 yields(0)0 2 yields(0 1)0"},
		{"(numbers(1) for _ in 'a')", "g0generator 0 yields(g1generator)0 1 yields(0)0"},
		{"((x for x in (y for y in [numbers(1)])) for _ in 'a')", "g0generator 0 yields(g1generator)0 1 yields(g2generator)0"},
		{"Count()", "o0__main__.Count:- n=0;"}, {"{numbers(1)}", "{0(g1generator) 1 yields(0)0"},
		{"coroutine()", "xcoroutine"}, {"functools.partial(f)", "xfunctools.partial"}, {"memoryview(b'a')", "xmemoryview"}, {"[f.__code__]", "[0(xcode)"},
		{"sys._getframe(0).f_back", "N"},
		{"'x' * (9 << 20)", "+str"}, {"[0] * 200001", "+list"}, {"1 << 80_000_000", "+int"}, {"[b'x' * (5 << 20), b'y' * (5 << 20)]", ""},
	} {
		reply, err := g.call(call{items: 3, expression: test.expression})
		if err != nil {
			t.Fatalf("%s: %v", test.expression, err)
		}
		got := print(reply, true, 0)
		if test.want == "" { // large
			if !strings.HasSuffix(got, " +bytes)") {
				t.Errorf("%s = ...%s", test.expression, got[len(got)-20:])
			}
			continue
		}
		if got != test.want {
			t.Errorf("%s = %s, want %s", test.expression, got, test.want)
		}
	}
	if out := g.output.String(); strings.TrimSpace(strings.ReplaceAll(out, "never awaited", "")) != "" && !strings.Contains(out, "coroutine") {
		t.Errorf("output %q", out)
	}
}

func TestDeepValues(t *testing.T) {
	g := newGuest(t)
	source := "def nest(n):\n    value = []\n    for _ in range(n): value = [value]\n    return value\n" +
		"class Node: pass\ndef chain(n):\n    first = node = Node()\n    for _ in range(n):\n        node.next = Node()\n        node = node.next\n    return first\n"
	if _, err := g.exec(source, 0); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		expression string
		depth      int
		whole      bool
	}{{"nest(900)", 901, true}, {"nest(100000)", 1001, false}, {"chain(900)", 901, true}, {"chain(5000)", 0, false}} {
		reply, err := g.call(call{expression: test.expression})
		if err != nil {
			t.Fatal(err)
		}
		got := print(reply, true, 0)
		if depth := strings.Count(got, "["); test.depth > 0 && strings.HasPrefix(test.expression, "nest") && depth != test.depth {
			t.Errorf("%s: %d lists", test.expression, depth)
		}
		if whole := !strings.Contains(got, "+"); whole != test.whole {
			t.Errorf("%s: whole %v: %.100s", test.expression, whole, got)
		}
	}
}

// TestCalls has what a call is made of: statements, bindings, the expression,
// and what is left of the bindings.
func TestCalls(t *testing.T) {
	g := newGuest(t)
	source := "total = 0\ndef push(a, b):\n    a.append(b)\n    return a\ndef spoil(a):\n    a.clear()\n    raise LookupError('gone')\nclass Quiet:\n    def __del__(self): print('del')\n"
	if _, err := g.exec(source, 0); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		call call
		want string
	}{
		{call{expression: "push(x, y)", bindings: [][2]string{{"x", "[1]"}, {"y", "2"}}, after: []string{"x", "y", "z"}}, "[0(1 2) after r0 after 2 after -"},
		{call{expression: "x", bindings: [][2]string{{"x", "1"}, {"y", "x"}}}, "1 NameError: name 'x' is not defined line 0"},
		{call{expression: "spoil(x)", bindings: [][2]string{{"x", "[1]"}}, after: []string{"x"}}, "1 LookupError: gone line 7 after [0()"},
		{call{expression: "x", bindings: [][2]string{{"x", "1/0"}, {"y", "2"}}, after: []string{"x", "y"}}, "1 ZeroDivisionError: division by zero line 0 after - after -"},
		{call{statements: "total += 5\nseen = [total]", expression: "seen"}, "[0(5)"},
		{call{statements: "total += 1"}, "-"},
		{call{expression: "total"}, "6"},
		{call{statements: "1/0", expression: "total", bindings: [][2]string{{"x", "1"}}, after: []string{"x"}}, "1 ZeroDivisionError: division by zero line 0 after -"},
		{call{expression: "x", bindings: [][2]string{{"x", "5"}}}, "5"},
		{call{expression: "'x' in globals()"}, "F"},
		{call{expression: "1 +"}, "1 SyntaxError: invalid syntax (<call>, line 1) line 0"},
		{call{expression: "1\x00"}, "1 SyntaxError: source code string cannot contain null bytes line 0"},
		{call{expression: "exit()"}, "2 SystemExit: None line 0 code 0"},
		{call{expression: "exit(256 + 7)"}, "2 SystemExit: 263 line 0 code 7"},
		{call{expression: "exit('bad')", bindings: [][2]string{{"x", "1"}}, after: []string{"x"}}, "2 SystemExit: bad line 0 code 1 after 1"},
		{call{expression: "Quiet() and None"}, "N"},
		{call{expression: "__name__, __file__, __import__('sys').modules['__main__'].__dict__ is globals()"}, `(0(s"__main__" s"/program.py" T)`},
	} {
		reply, err := g.call(test.call)
		if err != nil {
			t.Fatal(err)
		}
		if got := print(reply, true, len(test.call.after)); got != test.want {
			t.Errorf("%v\n got %s\nwant %s", test.call, got, test.want)
		}
	}
	if got := g.output.String(); got != "del\n" {
		t.Errorf("output %q", got)
	}
	// What the host must not send does no harm.
	for _, damaged := range []string{"", "\x01", "\x01\x05ab", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\x01\x00\x01a\xff\xff\xff\xff\x0f", "\x00\x00\x011\x00\x05"} {
		if _, err := g.request("call", []byte(damaged)); err != nil {
			t.Errorf("%q: %v", damaged, err)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, test := range []struct {
		source string
		flags  uint64
		want   string
		output string
	}{
		{"x = 1", 0, "done", ""},
		{"print('a')\n\n1/0", 0, "1 ZeroDivisionError: division by zero line 3", "a\n"},
		{"def f():\n    return [][1]\nf()", wantsTraceback, "1 IndexError: list index out of range line 2\nTraceback (most recent call last):\n" +
			"  File \"/program.py\", line 3, in <module>\n    f()\n    ~^^\n  File \"/program.py\", line 2, in f\n    return [][1]\n           ~~^^^\nIndexError: list index out of range\n", ""},
		{"x = (", 0, "1 SyntaxError: '(' was never closed (program.py, line 1) line 1", ""},
		{"x = 1\x00", 0, "1 SyntaxError: source code cannot contain null bytes line 0", ""},
		{"# coding: latin-1\nprint(len('\xe9'))", 0, "done", "1\n"},
		{"print('\\d', 1 is 1)", 0, "done", "\\d True\n"},
		{"class E(Exception):\n    def __str__(self): raise ValueError\nraise E", 0, "1 __main__.E: <exception str() failed> line 3", ""},
		{"import decimal\ndecimal.Decimal(1) / 0", 0, "1 decimal.DivisionByZero: [<class 'decimal.DivisionByZero'>] line 2", ""},
		{"import sys\nsys.exit(3)", 0, "2 SystemExit: 3 line 2 code 3", ""},
		{"def f(): f()\nf()", 0, "1 RecursionError: maximum recursion depth exceeded line 1", ""},
		{"import nothing", 0, "1 ModuleNotFoundError: No module named 'nothing' line 1", ""},
		{"b'x' * (200 << 20)", 0, "1 MemoryError:  line 1", ""},
		{"import atexit\natexit.register(print, 'exit')\nclass C:\n    def __del__(self): print('del')\nc = C()\nprint('end')", 0, "done", "end\nexit\ndel\n"},
		{"import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(1, 1)\nif __name__ == '__main__':\n    unittest.main(verbosity=0)", 0,
			"2 SystemExit: 0 line 5 code 0", "----------------------------------------------------------------------\nRan 1 test in 0.000s\n\nOK\n"},
		{"import sys\nsys.excepthook = lambda kind, error, traceback: print(kind.__name__, error, traceback.tb_lineno)\n1/0", 0,
			"1 ZeroDivisionError: division by zero line 3", "ZeroDivisionError division by zero 3\n"},
		{"import sys\nsys.excepthook = 1\n1/0", 0, "1 ZeroDivisionError: division by zero line 3", ""},
		{"import sys\ndef trace(frame, *_):\n    if 'traceback' in frame.f_code.co_filename: sys.exit(1)\nsys.settrace(trace)\nassert 0", wantsTraceback,
			"1 AssertionError:  line 5\nTraceback (most recent call last):\n  File \"/program.py\", line 5, in <module>\n    assert 0\n           ^\nAssertionError\n", ""},
		{"import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A)", 0, "done", "True\n"},
		{"import inspect\ndef f(): return 1\nprint(inspect.getsource(f), inspect.stack()[-1].filename, len(inspect.stack()))", 0, "done", "def f(): return 1\n /program.py 1\n"},
		{"import asyncio\nasync def f(x):\n    await asyncio.sleep(x)\n    return x\nasync def g(): return await asyncio.gather(f(3600), f(2))\nprint(asyncio.run(g()))", 0, "done", "[3600, 2]\n"},
		{"import threading\nthreading.Thread(target=print).start()", 0, "1 RuntimeError: can't start new thread line 2", ""},
		{"import gc\nprint(any('ProgramLoader' in str(type(o)) for o in gc.get_objects()), len(gc.get_objects()) < 100)", 0, "done", "False True\n"},
		{"import time\nt = time.time()\ntime.sleep(5)\nprint(round(time.time() - t), time.gmtime().tm_year)", 0, "done", "5 2025\n"},
		{"input()", 0, "1 EOFError: EOF when reading a line line 1", ""},
		{"open('x')", 0, "1 FileNotFoundError: [Errno 44] No such file or directory: 'x' line 1", ""},
	} {
		g := newGuest(t)
		reply, err := g.exec(test.source, test.flags)
		if err != nil {
			t.Errorf("%q: %v", test.source, err)
			continue
		}
		if got := print(reply, false, 0); got != test.want {
			t.Errorf("%q\n got %s\nwant %s", test.source, got, test.want)
		}
		if _, err := g.module.ExportedFunction("finish").Call(g.ctx); err != nil {
			t.Errorf("%q: finish: %v", test.source, err)
		}
		if got := g.output.String(); got != test.output {
			t.Errorf("%q wrote %q, want %q", test.source, got, test.output)
		}
	}
}

// TestBudget requires that counts are the same each time, that a program that
// has as many as it needs ends, and that one count less stops it.
func TestBudget(t *testing.T) {
	const source = "total = 0\nfor i in range(100):\n    total += i * i\nprint(sorted(map(str, range(50)))[0])\n"
	run := func(budget int64) (int64, error) {
		g := newGuest(t)
		g.setBudget(budget)
		_, err := g.exec(source, 0)
		return budget - g.budget(), err
	}
	used, err := run(1e9)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := run(1e8); again != used {
		t.Errorf("%d counts, then %d", used, again)
	}
	if _, err := run(used); err != nil {
		t.Errorf("with %d counts: %v", used, err)
	}
	if _, err := run(used - 1); err == nil {
		t.Errorf("%d counts were enough, too", used-1)
	}
	if _, err := run(1e6); err != nil {
		t.Error(err)
	}
}

// TestStops has programs that only the budget, the stack or the memory stops.
func TestStops(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		{"while True: pass", "unreachable"},
		{"import re\nre.match('(a+)+$', 'a' * 40 + 'b')", "unreachable"},
		{"x = 7 ** 10_000_000", "unreachable"},
		{"'a' * 5_000_000 in 'b' * 6_000_000", ""},
		{"a = []\nwhile True:\n    a.append(bytes(1 << 16))", "MemoryError"},
		{"import sys\nsys.setrecursionlimit(10 ** 9)\nclass A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\nA().x", "RecursionError"},
		{"import json\nx = []\nfor _ in range(30_000): x = [x]\njson.dumps(x)", "RecursionError"},
		{"x = iter('a')\nfor _ in range(30_000): x = map(str, x)\nlist(x)", ""},
		{"import os\nos.abort()", "unreachable"},
		{"import os\nos._exit(3)", "exit_code(3)"},
	} {
		g := newGuest(t)
		g.setBudget(5e6)
		reply, err := g.exec(test.source, 0)
		got := ""
		if err != nil {
			got = err.Error()
		} else if reply[0] != 0 {
			got = print(reply, false, 0)
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%q: %.200s, want %s", test.source, got, test.want)
		}
	}
}

// TestExhausted requires that the host can tell that memory ran out.
func TestExhausted(t *testing.T) {
	for source, want := range map[string]bool{"x = bytes(10 << 20)": false, "x = bytes(200 << 20)": true} {
		g := newGuest(t)
		if _, err := g.exec(source, 0); err != nil {
			t.Fatal(err)
		}
		flag, ok := g.module.Memory().ReadUint32Le(uint32(g.module.ExportedGlobal("exhausted").Get()))
		if !ok || (flag != 0) != want {
			t.Errorf("%q: exhausted is %d", source, flag)
		}
	}
}

// TestRestored requires that a program's copy of the image, once its bytes are
// back, runs as if it had never run another.
func TestRestored(t *testing.T) {
	c, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	g := newGuest(t)
	run := func() (string, int64) {
		g.output.Reset()
		g.system.Reset()
		g.setBudget(1e9)
		if _, err := g.exec("import random, time\nprint(random.random(), time.time(), id(object()), hash('a'))\nx = bytearray(50 << 20)\nx[:] = b'y' * len(x)", 0); err != nil {
			t.Fatal(err)
		}
		return g.output.String(), g.budget()
	}
	first, counts := run()
	memory, _ := g.module.Memory().Read(0, g.module.Memory().Size())
	clear(memory[copy(memory, c.content):])
	if again, countsAgain := run(); again != first || countsAgain != counts {
		t.Errorf("first %q, %d left; then %q, %d left", first, counts, again, countsAgain)
	}
}

func TestCoverage(t *testing.T) {
	g := newGuest(t)
	source := "def f(x):\n    if x:\n        return 1\n    for i in range(2):\n        pass\n    return 0\n\n\nf(1)\n"
	reply, err := g.exec(source, wantsCoverage)
	if err != nil || reply[0] != 0 {
		t.Fatal(reply, err)
	}
	lines := func(c []byte) (found []int, branches [][3]int) {
		p := &printer{in: c}
		line := 0
		for range p.uvarint() {
			line += int(p.uvarint())
			found = append(found, line)
		}
		for range p.uvarint() {
			branches = append(branches, [3]int{int(p.uvarint()), int(p.uvarint()), int(p.uvarint())})
		}
		if len(p.in) > 0 {
			t.Errorf("rest %q", p.in)
		}
		return found, branches
	}
	check := func(what string, c []byte, wantLines []int, wantBranches int) {
		t.Helper()
		found, branches := lines(c)
		if len(found) != len(wantLines) || len(branches) != wantBranches {
			t.Errorf("%s: lines %v, branches %v; want %v and %d", what, found, branches, wantLines, wantBranches)
			return
		}
		for i := range found {
			if found[i] != wantLines[i] {
				t.Errorf("%s: lines %v, want %v", what, found, wantLines)
			}
		}
		for _, b := range branches {
			if b[0] != 1 || b[1]%2 != 0 || b[2] <= 0 {
				t.Errorf("%s: branch %v", what, b)
			}
		}
	}
	check("module", reply[1:], []int{1, 2, 3, 9}, 1)
	skip := func(reply []byte) []byte {
		p := &printer{in: reply[1:]}
		p.value()
		return p.in
	}
	for _, test := range []struct {
		expression string
		lines      []int
		branches   int
	}{{"f(0)", []int{2, 4, 5, 6}, 3}, {"f(1)", []int{2, 3}, 1}, {"f(1) + f(0)", []int{2, 3, 4, 5, 6}, 4}, {"f", nil, 0}} {
		reply, err := g.call(call{expression: test.expression})
		if err != nil || reply[0] != 0 {
			t.Fatal(reply, err)
		}
		check(test.expression, skip(reply), test.lines, test.branches)
	}
}

func BenchmarkTrivial(b *testing.B) {
	c, err := compiled()
	if err != nil {
		b.Fatal(err)
	}
	g := newGuest(b)
	memory, _ := g.module.Memory().Read(0, g.module.Memory().Size())
	for b.Loop() {
		b.StopTimer()
		clear(memory[copy(memory, c.content):])
		g.setBudget(1e9)
		b.StartTimer()
		if _, err := g.exec("x = 1\n", 0); err != nil {
			b.Fatal(err)
		}
	}
}
