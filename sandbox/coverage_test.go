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
		said := run(t, p, Program{Source: shaper, Calls: []Call{{Expr: fmt.Sprintf("shape(bytes.fromhex('%x'))", source), Items: 1 << 20}}})
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
			r := run(t, p, Program{Source: source, Calls: calls, Coverage: true, Shape: true})
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
	r := run(t, p, Program{Source: "if", Coverage: true, Shape: true})
	if r.End != Raised || r.Coverage == nil || fmt.Sprint(*r.Coverage.Shape) != "{[] []}" {
		t.Errorf("%+v", r)
	}
}

// With NewOnly each line and each way of a branch is told of once, where it came first.
func TestNewOnly(t *testing.T) {
	const source = `def f(a):
    total = 0
    for n in range(a):
        if n % 3 == 2 and n > 4 or a == 7:
            total += n
        elif n == 1:
            return None
    while total > 100:
        total -= 90
    return [x for x in range(total) if x != 4]


def g(*a):
    return f(a[0]) if a else g(3) or f(12)
`
	p := newPool(t, Options{Workers: 1})
	var calls []Call
	for _, expr := range []string{"f(0)", "f(0)", "f(1)", "f(3)", "g()", "g(7)", "g(40)", "f('')", "g(7)", "1", "f(100)", "h()"} {
		calls = append(calls, Call{Expr: expr})
	}
	all := run(t, p, Program{Source: source, Calls: calls, Coverage: true})
	fresh := run(t, p, Program{Source: source, Calls: calls, Coverage: true, NewOnly: true})
	lines, branches := map[int]bool{}, map[Branch]bool{}
	check := func(what string, all, fresh *Coverage) {
		var want Coverage
		for _, line := range all.Lines {
			if !lines[line] {
				lines[line] = true
				want.Lines = append(want.Lines, line)
			}
		}
		for _, b := range all.Branches {
			if !branches[b] {
				branches[b] = true
				want.Branches = append(want.Branches, b)
			}
		}
		if !slices.Equal(fresh.Lines, want.Lines) || !slices.Equal(fresh.Branches, want.Branches) {
			t.Errorf("%s: %v, want %v of %v", what, *fresh, want, *all)
		}
	}
	check("the module", all.Coverage, fresh.Coverage)
	for i := range calls {
		check(calls[i].Expr, all.Calls[i].Coverage, fresh.Calls[i].Coverage)
	}
	check("the end", all.Finish.Coverage, fresh.Finish.Coverage)
	if len(lines) != 11 || len(branches) != 18 {
		t.Errorf("%d lines, %d ways", len(lines), len(branches))
	}
	if all.Used < fresh.Used*5/4 {
		t.Errorf("%d counts, and %d of all", fresh.Used, all.Used)
	}
}
