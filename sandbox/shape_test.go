package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// shaper says what shape a program has, by what CPython's own library says of code.
const shaper = `import opcode

TESTS = [opcode.opmap[name] for name in ('COMPARE_OP', 'CONTAINS_OP', 'IS_OP', 'TO_BOOL')]
SKIPPED = [opcode.opmap[name] for name in ('CACHE', 'EXTENDED_ARG', 'NOP')]
KINDS = [opcode.opmap['POP_JUMP_IF_' + name] for name in ('FALSE', 'TRUE', 'NONE', 'NOT_NONE')]


def codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            yield from codes(constant)


def shape(source):
    lines = set()
    jumps = []
    for number, code in enumerate(codes(compile(source, 'program', 'exec'))):
        lines.update(line for _, _, line in code.co_lines() if line)
        positions = list(code.co_positions())
        before = None
        for offset in range(0, len(code.co_code), 2):
            operation = code.co_code[offset]
            if operation in SKIPPED:
                continue
            if operation in KINDS:
                operand = positions[before // 2]
                place = operand if code.co_code[before] in TESTS else positions[offset // 2]
                if None not in place and None not in operand:
                    jumps += [number, offset, KINDS.index(operation), *place, *operand]
            before = offset
    return sorted(lines), jumps
`

// shaped has most kinds of conditions, and code objects in code objects.
const shaped = `import re; from os import path


def f(a, b=None, *c):
    "f"
    if a and not b or c is None:
        return [x for x in a if x if x > 1 < 3 != 4]
    while (n := len(c)) > 1 and n not in c:
        break
    else:
        assert a is not None, 'ä' if a else 'b'
    try:
        return {k: v for k, v in c if v} if a else (lambda x: x or None)
    except (ValueError, TypeError) as error:
        if error is not None: pass
    finally:
        with open(a) as file, b:
            pass


class C:
    x = 1 if f else 2

    async def m(self):
        match self:
            case {'a': [1, *rest]} if rest:
                async for y in self:
                    yield y
            case C(x=None) | None:
                pass
            case str():
                del self
        async with self:
            any(z
                for z in self
                if 'äöü' in z or
                z is None)


assert C, (f"{C if C else f!r}")
for i in 1, 2:
    if i == 2: continue
`

func TestShape(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	many := "x = 0\n" + strings.Repeat("def f(a):\n    if a:\n        return a\n", 500) + strings.Repeat("if x == 1 or x: x = 2\n", 2000)
	for _, source := range []string{shaped, many, "", "x = 1", "pass", "\n\n# nothing\n", "\r\nif 1 < 2:\r\n    x = 1\r\n", "# coding: latin-1\nx = '\xe4' if [] else 2\n"} {
		said := p.Run(t.Context(), Program{Source: shaper, Calls: []Call{{Expr: fmt.Sprintf("shape(bytes.fromhex('%x'))", source), Items: 1 << 20}}})
		if len(said.Calls) != 1 || said.Calls[0].End != Done {
			t.Fatalf("%+v", said)
		}
		var want [2][]int
		for i := range want {
			for _, n := range said.Calls[0].Value.Items[i].Items {
				want[i] = append(want[i], int(n.Int.Int64()))
			}
		}
		for _, calls := range [][]Call{nil, {{Expr: "1"}}} {
			r := p.Run(t.Context(), Program{Source: source, Calls: calls, Coverage: true, Shape: true})
			if r.Coverage == nil || r.Coverage.Shape == nil {
				t.Errorf("%.40q: %+v", source, r)
				continue
			}
			var jumps []int
			for _, j := range r.Coverage.Shape.Jumps {
				jumps = append(jumps, j.Code, j.Offset, int(j.Kind), j.At.Line, j.At.LastLine, j.At.Column, j.At.LastColumn,
					j.Operand.Line, j.Operand.LastLine, j.Operand.Column, j.Operand.LastColumn)
			}
			if !slices.Equal(r.Coverage.Shape.Lines, want[0]) || !slices.Equal(jumps, want[1]) {
				t.Errorf("%.40q has the shape %v\n%v\nwant %v", source, r.Coverage.Shape.Lines, jumps, want)
			}
		}
	}
	// What does not compile has none.
	r := p.Run(t.Context(), Program{Source: "if", Coverage: true, Shape: true})
	if r.End != Raised || r.Coverage == nil || fmt.Sprint(*r.Coverage.Shape) != "{[] []}" {
		t.Errorf("%+v", r)
	}
}
