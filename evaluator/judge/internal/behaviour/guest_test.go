package behaviour

import (
	"testing"

	"codelinter/sandbox"
)

// watch.py and mutants.py do what their docstrings say, in the CPython that runs them.
func TestGuest(t *testing.T) {
	for _, test := range []struct{ name, source, check string }{
		{"ends and outcomes", watchPy, `
w = Watched(6)
assert w.end(0, 'a') == 'a' and w.truth(1, []) is False and w.outcome(2, '') == ''
thing = object()
assert w.outcome(3, thing) is thing
assert [o for o, _, _ in w.seen()] == [1, 2, 2, 3, 0, 0], w.seen()
w.truth(1, 7)
assert w.seen()[1][0] == 3
`},
		{"chains", watchPy, `
w = Watched(2)
def chain(a, b, c):
    return w.chain(0, a < w.operand_of_chain(0, 0, b) < w.operand_of_chain(0, 1, c))
assert chain(1, 2, 3) is True and [o for o, _, _ in w.seen()] == [1, 1]
assert chain(1, 2, 0) is False and [o for o, _, _ in w.seen()] == [1, 3]
assert chain(3, 2, 9) is False and [o for o, _, _ in w.seen()] == [3, 3]
`},
		{"managers", watchPy, `
import contextlib
w = Watched(2)
with w.manager(0, contextlib.nullcontext(3)) as inner:
    assert inner == 3
with w.manager(1, contextlib.suppress(KeyError)):
    {}['a']
assert [o for o, _, _ in w.seen()] == [2, 1], w.seen()
async def both():
    async with w.manager(1, contextlib.nullcontext(4)) as inner:
        return inner
try:
    both().send(None)
except StopIteration as end:
    assert end.value == 4 and w.seen()[1][0] == 3
`},
		{"values", watchPy, `
def facts(*rows):
    w = Watched(1)
    for operands, value in rows:
        mark = w.mark()
        for i, operand in enumerate(operands):
            w.operand(0, i, operand)
        assert w.value(0, mark, value) is value
    return w.seen()[0][1:]
assert facts() == (-2, '')
assert facts(([1], 3)) == (-1, '3')
assert facts(([1, 3], 3), ([2, 4], 4)) == (1, '')
assert facts(([3], 3.0), ([4], 4.0)) == (-1, '')
assert facts(([float('nan')], float('nan')), ([1.0], 1.0)) == (0, '')
assert facts(([[1]], [1]), ([[2]], [2])) == (0, '')
assert facts(([1], object())) == (-1, '')
assert facts(([1], [0] * 5000), ([1], [1] * 5000)) == (-1, '')
assert facts(([1], 2 ** 300))[1] == 'an int of 301 bits'
`},
		{"operands that fail wait no longer", watchPy, `
w = Watched(1)
for i in range(WAITING + 5):
    mark = w.mark()
    w.operand(0, 0, i)
assert len(w.waiting) <= WAITING and w.cleared == 1
mark = w.mark()
w.operand(0, 0, 'a')
w.value(0, mark, 'a')
assert w.seen()[0][1] == 0
`},
		{"mutants", mutantsPy, `
space = {}
exec('SEEN = []\ndef f(a):\n    SEEN.append(a)\n    return a + 1 if mutant__ != 1 else a + 2 if a > 5 else a + 1\ndef g(a):\n    return len(SEEN)\ndef h(a):\n    while tick__():\n        if mutant__ != 2 or a < 0:\n            return a', space)
m = builtins.mutants__
m.begin(space, ['f(1)', 'f(9)', 'g(0)', 'h(3)'])
assert m.kill(1, [0]) == -1 and m.kill(1, [0, 1]) == 1
assert m.kill(2, [0, 1, 2, 3]) == 3, 'a loop that goes on'
assert space['SEEN'] == [] and builtins.mutant__ == 0
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
