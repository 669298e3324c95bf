package sandbox

import (
	"math"
	"math/big"
	"testing"
)

func TestExpression(t *testing.T) {
	number := func(n int64) Value { return Value{Kind: Int, Int: big.NewInt(n)} }
	text := func(s string) Value { return Value{Kind: Str, Str: s} }
	of := func(kind Kind, items ...Value) Value { return Value{Kind: kind, Items: items} }
	for _, test := range []struct {
		value Value
		want  string // "" if it cannot be made again
	}{
		{number(-255), "-0xff"},
		{Value{Kind: Float, Float: [2]float64{math.Inf(-1)}}, "float('-inf')"},
		{Value{Kind: Float, Float: [2]float64{math.NaN()}}, "float('nan')"},
		{Value{Kind: Float, Float: [2]float64{math.Copysign(0, -1)}}, "-0.0"},
		{Value{Kind: Complex, Float: [2]float64{math.Copysign(0, -1), 2}}, "complex(-0.0, 2.0)"},
		{text("it's\n"), `"it's\n"`},
		{of(List, Value{Kind: Bool, Int: big.NewInt(1)}, of(Tuple, number(1))), "[True, (0x1,)]"},
		{of(Tuple), "()"},
		{of(Set), "set()"},
		{of(FrozenSet, number(1)), "frozenset({0x1})"},
		{Value{Kind: Dict, Keys: []Value{text("a")}, Items: []Value{{Kind: None}}}, "{'a': None}"},
		{of(Range, number(0), number(3), number(1)), "range(0x0, 0x3)"},
		{of(Iterator, number(1)), "iter([0x1])"},
		{Value{Kind: Iterator, More: true}, ""},
		{of(List, Value{Kind: Instance, Class: "__main__.A"}), ""},
		{of(DictKeys, number(1)), ""},
		{Value{Kind: Dict, Keys: []Value{text("a")}, Items: []Value{{Kind: Reference, ID: 1}}}, ""},
	} {
		got, ok := test.value.Expression()
		if ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%v became %q, %t; want %q", test.value, got, ok, test.want)
		}
	}
}
