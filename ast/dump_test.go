package ast_test

import (
	"codelinter/source"
	"testing"

	"codelinter/ast"
)

func TestRepr(t *testing.T) {
	tests := []struct {
		constant ast.Constant
		want     string
	}{
		{ast.Constant{Type: ast.None}, "None"},
		{ast.Constant{Type: ast.True}, "True"},
		{ast.Constant{Type: ast.False}, "False"},
		{ast.Constant{Type: ast.Ellipsis}, "Ellipsis"},
		{ast.Constant{Type: ast.Str, Text: "a'b"}, `"a'b"`},
		{ast.Constant{Type: ast.Str, Text: `a'b"c`}, `'a\'b"c'`},
		{ast.Constant{Type: ast.Str, Text: "\\\t\n\r\x00\x7f"}, `'\\\t\n\r\x00\x7f'`},
		{ast.Constant{Type: ast.Str, Text: "é\u00a0\u200b\U0001f600\U000e0001"}, `'é\xa0\u200b😀\U000e0001'`},
		{ast.Constant{Type: ast.Str, Text: "\xed\xa0\x80\xed\xbf\xbf"}, `'\ud800\udfff'`},
		{ast.Constant{Type: ast.Str, Text: "a", Unicode: true}, `'a', kind='u'`},
		{ast.Constant{Type: ast.Bytes, Text: "a'\x80\n"}, `b"a'\x80\n"`},
		{ast.Constant{Type: ast.Int, Text: "0"}, "0"},
		{ast.Constant{Type: ast.Int, Text: "0_0"}, "0"},
		{ast.Constant{Type: ast.Int, Text: "1_000"}, "1000"},
		{ast.Constant{Type: ast.Int, Text: "0XfF"}, "255"},
		{ast.Constant{Type: ast.Int, Text: "0o17"}, "15"},
		{ast.Constant{Type: ast.Int, Text: "0b1_01"}, "5"},
		{ast.Constant{Type: ast.Int, Text: "0xffffffffffffffffffff"}, "1208925819614629174706175"},
		{ast.Constant{Type: ast.Int, Text: "123_456_789_012_345_678_901"}, "123456789012345678901"},
		{ast.Constant{Type: ast.Float, Text: "1."}, "1.0"},
		{ast.Constant{Type: ast.Float, Text: "0e0"}, "0.0"},
		{ast.Constant{Type: ast.Float, Text: "1_0.5_0e-1_0"}, "1.05e-09"},
		{ast.Constant{Type: ast.Float, Text: "1e16"}, "1e+16"},
		{ast.Constant{Type: ast.Float, Text: "1e15"}, "1000000000000000.0"},
		{ast.Constant{Type: ast.Float, Text: "0.0001"}, "0.0001"},
		{ast.Constant{Type: ast.Float, Text: "0.00001"}, "1e-05"},
		{ast.Constant{Type: ast.Float, Text: "1e999"}, "inf"},
		{ast.Constant{Type: ast.Float, Text: "5e-324"}, "5e-324"},
		{ast.Constant{Type: ast.Complex, Text: "1J"}, "1j"},
		{ast.Constant{Type: ast.Complex, Text: "1.5e300j"}, "1.5e+300j"},
		{ast.Constant{Type: ast.Complex, Text: "1e999j"}, "infj"},
	}
	for _, test := range tests {
		if got, want := ast.Dump(&test.constant, nil, source.Python314), "Constant(value="+test.want+")"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestInt64(t *testing.T) {
	tests := []struct {
		text string
		want int64
		ok   bool
	}{
		{"7", 7, true},
		{"00", 0, true},
		{"0x7fff_ffff_ffff_ffff", 1<<63 - 1, true},
		{"9223372036854775808", 1<<63 - 1, false},
	}
	for _, test := range tests {
		c := ast.Constant{Type: ast.Int, Text: test.text}
		if got, ok := c.Int64(); got != test.want || ok != test.ok {
			t.Errorf("%s: got %d, %v, want %d, %v", test.text, got, ok, test.want, test.ok)
		}
	}
}
