package behaviour

import (
	"testing"

	"codelinter/sandbox"
)

// watch.py and patterns.py do what their docstrings say, in the CPython that runs them.
func TestGuest(t *testing.T) {
	for _, test := range []struct{ name, source, check string }{
		{"ends and outcomes", watchPy, `
w = Watched({})
assert w.end(0, 'a') == 'a' and w.outcome(2, '') == ''
thing = object()
assert w.outcome(3, thing) is thing
assert w.seen()[:3] == ([0, 3], [2, 3], []), w.seen()
assert w.outcome(2, 'b') == 'b' and w.seen()[0] == [0, 2, 3]
`},
		{"chains", watchPy, `
w = Watched({})
def chain(a, b, c):
    return w.chain(0, a < w.operand_of_chain(0, 0, b) < w.operand_of_chain(0, 1, c))
assert chain(1, 2, 3) is True and w.seen()[:2] == ([0, 1], [])
assert chain(1, 2, 0) is False and w.seen()[:2] == ([0, 1], [1])
assert chain(3, 2, 9) is False and w.seen()[:2] == ([0, 1], [0, 1])
`},
		{"managers", watchPy, `
import contextlib
w = Watched({})
with w.manager(0, contextlib.nullcontext(3)) as inner:
    assert inner == 3
with w.manager(1, contextlib.suppress(KeyError)):
    {}['a']
assert w.seen()[:2] == ([1], []), w.seen()
async def both():
    async with w.manager(1, contextlib.nullcontext(4)) as inner:
        return inner
try:
    both().send(None)
except StopIteration as end:
    assert end.value == 4 and w.seen()[0] == [1]
async def fails():
    async with w.manager(2, contextlib.nullcontext(4)):
        {}['a']
try:
    fails().send(None)
except KeyError:
    assert w.seen()[0] == [1, 2]
`},
		{"values", watchPy, `
def facts(*values):
    w = Watched({})
    for value in values:
        assert w.value(0, value) is value
    return w.seen()[2][0][1:] if w.seen()[2] else None
assert facts() is None
assert facts(3) == facts(3, 3) == (False, '3')
assert facts(3, 4) == facts(3, 3.0) == facts(3, True) == (True, '3')
assert facts(float('nan'), float('nan')) == (False, 'nan')
assert facts([1], [1]) == (False, '[1]') and facts([1], [2]) == (True, '[1]')
assert facts(int, int) == (False, "<class 'int'>") and facts(range(3), range(4)) == (True, 'range(0, 3)')
assert facts(object()) == (True, '')
assert facts([0] * 5000, [1] * 5000) is None
assert facts(2 ** 300) == (False, 'an int of 301 bits')
`},
		{"state", watchPy, `
def changed(text, *calls):
    space = {'__name__': 'program', '__builtins__': builtins}
    w = Watched(space)
    exec(text, space)
    w.state.begin()
    for call in calls:
        w.state.look()
        eval(call, {'space': space, 'keep': lambda value: w.end(0, value), **space})
    return w.seen()[3]
def same(text, *calls):
    assert changed(text, *calls) == [], changed(text, *calls)
def other(place, text, *calls):
    assert changed(text, *calls) == [place], changed(text, *calls)
same('TABLE = {i: [i, object()] for i in range(3000)}\nSEEN = [1]\ndef f(a):\n    return len(str(TABLE[a])) + len(SEEN)', 'f(1)')
other('the variable SEEN', 'SEEN = []\ndef f(a):\n    SEEN.append(a)', 'f(1)')
other('the variable LAST', 'LAST = [0]\ndef f(a):\n    LAST[0] = a', 'f(1)', 'f(0)')
other('the variable LAST', 'class Box:\n    pass\nLAST = Box()\ndef f(a):\n    LAST.a = [a]', 'f(1)')
other('the variable LAST, which is bound again', 'LAST = []\ndef f(a):\n    global LAST\n    LAST = [a]', 'f(1)')
other('the variable LAST, which is bound again', 'def f(a):\n    global LAST\n    LAST = a', 'f(1)')
other('the variable odd', 'odd = iter(range(9))\ndef f(a):\n    return a in odd', 'f(1)')
other('the variable tick', 'import itertools\ntick = itertools.count()\ndef f():\n    return next(tick)', 'f()')
other('the variable made', 'def make():\n    yield 1\n    yield 2\nmade = make()\ndef f():\n    return next(made)', 'f()')
other('the variable push', 'push = [].append\ndef f(a):\n    push(a)', 'f(1)')
other('a default of f', 'def f(a, seen=[]):\n    seen.append(a)', 'f(1)')
other('a default of A.f', 'class A:\n    @staticmethod\n    def f(a, seen=[]):\n        seen.append(a)', 'A.f(1)')
other('the variable A.made, which is bound again', 'class A:\n    made = 0\n    def __init__(self):\n        A.made += 1', 'A()')
other('the variable f.calls, which is bound again', 'def f():\n    f.calls = 1', 'f()')
other('f, which is cached', 'import functools\n@functools.cache\ndef f(a):\n    return a', 'f(1)')
other('the variable n of a function that outlives its call', 'def make(n):\n    def inner():\n        nonlocal n\n        n += 1\n    return inner', 'keep(make(1))()', 'keep([make(1)])')
same('def make(n):\n    def inner():\n        return n\n    return inner', 'keep(make([]))()')
same('from dataclasses import dataclass\nfrom enum import Enum\nimport re\nclass Kind(Enum):\n    A = 1\n@dataclass\nclass Point:\n    x: int = 0\nWORD = re.compile("a")\nHOME = Point()', 'Kind(1)', 'Point(2) == HOME', 'repr(HOME)', 'WORD.sub("b", "a")')
`},
		{"texts that tell patterns apart", patternsPy, `
def told(one, other, *flags):
    return differ__(('match', one, []), ('match', other, list(flags)))
assert told('a', 'a') == told('^a', 'a') == told('[ab]', 'a|b') == told('(?<=b)a', '(?<=b)a') == []
assert told('a', 'A')[:2] == ['A', 'a'] and told('a', 'a', 'I') == ['A']
assert all(text.endswith('\n') for text in told('a$', r'a\Z'))
assert '\n' in told('.', '.', 'S')[0]
assert any(not text.isascii() for text in told(r'\d', '[0-9]'))
assert told('(?:ab){2,3}', '(?:ab){2}')[0] == 'ababab'
assert differ__(('search', 'a', []), ('findall', 'a', [])) and differ__(('findall', 'a', []), ('compile', 'a', [])) == []
assert told(r'(a)b\1', r'(a)b\1c') and told(r'a(?!b)', r'a(?!bc)') and told('(?>a+)b', '(?>a+)bb')
try:
    told('(', 'a')
except builtins.__import__('re').error:
    pass
else:
    raise AssertionError
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := newJudge(t, Options{}).engine.Run(t.Context(), sandbox.Program{Source: test.source + test.check})
			if err != nil || r.End != sandbox.Done {
				t.Errorf("%v %+v %v", r.End, r.Exception, err)
			}
		})
	}
}
