package reactor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"codelinter/sandbox/internal/job"
)

// plain are literals whose values are marshalled here.
var plain = []string{
	"None", "True", "False", "0", "-0", "7", "-1", "255", "2147483647", "2147483648", "-2147483648", "-2147483649", "32767", "32768", "1073741824",
	"999999999999999999", "-999999999999999999", "0.0", "-0.0", "1.5", "1.", "2e3", "1.25E-10", "1e+20", "5e-324", "1.7976931348623157e308", "0.1",
	"''", `""`, "'a'", "'abc_9'", "'a b'", "'é'", "'日本'", "'𐀀'", `'\n\r\t\\\'\"'`, `'\x00\x7f\xe9'`, `"it's"`, `'"'`, "'" + strings.Repeat("x", 300) + "'",
	"[]", "()", "{}", "[1]", "(1,)", "(1, 2)", "[ 1 , 2 , ]", "[[], (), {}]", "{1: 'a', 'b': [2], 2.5: None, True: (), -1: 2}", "{1: 'a', True: 'b', 1.0: 'c'}",
	"[1, 'a', 'a', 2.5, 2.5, (1, 'b c'), (1, 'b c')]", " 1 ", "[{'k': [{'l': ({},)}]}]",
	"00", "- 1", "'a' 'b'", "'a'  \"b\"", "'''a'''", "'a ' '''b'''", "'é' 'a'", "1,", "1, 2", "['a' 'b', - 1.5]",
}

// others are left to CPython.
var others = []string{
	"", " ", "x", "Nonesuch", "None1", "trueish", "0x1f", "0b1", "1_000", "1j", "1.5j", ".5", "007", "--1", "+1", "~1", "not 1", "1 + 1", "-1 ** 2", "1 if 1 else 2",
	"1e400", "1000000000000000000", "1.real", "1..real", "1 .real", "1e", "1e5e", "1 2", "1or 2", "''''", "'a", "'a\\", "'\\", "'\\x4", "'\\x4g'", `'\u00e9'`, `'\N{DASH}'`, `'\a'`, `'\101'`, "'\\\n'", "'\t'", "'\x00'",
	"'\xed\xa0\x80'", "r'a'", "b'a'", "f'a'", "u'a'", "'a'.upper()", "'a' % 1", "[1", "[1,,2]", "[,]", "(,)", "(1)", "([])", "[1 2]", "[1)", "(1]", "[*x]", "[x for x in y]", "[1][0]", "{1}", "{1, 2}", "{1: 2", "{1 2}",
	"{1: 2, **x}", "{[]: 1}", "{{}: 1}", "{(1, 2): 3}", "{1:: 2}", "{: 1}", "lambda: 1", "[1]\n", "\n1", "1 # a", "[1]*2", strings.Repeat("[", 30) + strings.Repeat("]", 30), "...",
}

func TestLiteralsOfOtherKinds(t *testing.T) {
	for _, text := range others {
		if value, ok := new(Instance).appendLiteral(nil, text); ok {
			t.Errorf("%q is %q", text, value)
		}
	}
}

// A value that was marshalled here is the one that CPython makes of the expression:
// the same types, the same parts, and interned alike.
func TestLiterals(t *testing.T) {
	texts := plain
	rng := rand.New(rand.NewPCG(1, 2))
	var made func(depth int) string
	made = func(depth int) string {
		list := func(one func() string) string {
			var items []string
			for range rng.IntN(4) {
				items = append(items, one())
			}
			return strings.Join(items, ", ")
		}
		value := func() string { return made(depth + 1) }
		switch n := rng.IntN(8); {
		case depth > 3 || n < 4:
			return plain[rng.IntN(44)]
		case n == 4:
			return "[" + list(value) + "]"
		case n == 5:
			return "(" + value() + ", " + list(value) + ")"
		case n == 6:
			return "{" + list(func() string { return plain[rng.IntN(40)] + ": " + value() }) + "}"
		}
		return fmt.Sprint(rng.Int64N(1<<uint(rng.IntN(59)+1)) - 5)
	}
	for range 300 {
		texts = append(texts, made(0))
	}
	var calls [][]byte
	const look = "look(x)"
	for _, text := range texts {
		if _, ok := new(Instance).appendLiteral(nil, text); !ok {
			t.Errorf("%q is left to CPython", text)
		}
		calls = append(calls, request("", look, "x", text), request("", look, "x", "(\n"+text+")"))
	}
	// It does not look at what is one object: equal tuples are one in CPython's code.
	const source = `import sys
def look(x):
    if isinstance(x, str): return x + '!', sys.intern(''.join(list(x))) is x
    if isinstance(x, dict): return 'dict', *[(look(k), look(v)) for k, v in x.items()]
    if isinstance(x, (list, tuple)): return type(x).__name__, *map(look, x)
    return type(x).__name__ + repr(x)
`
	r := newInstance(t, load(t, Config{Output: 100})).Run(&job.Job{Source: []byte(source), Calls: calls, Budget: 1_000_000_000})
	if len(r.Calls) != len(calls) {
		t.Fatalf("%d calls of %d", len(r.Calls), len(calls))
	}
	for i, text := range texts {
		if got, want := r.Calls[2*i], r.Calls[2*i+1]; !isDone(&got) || string(got.Reply) != string(want.Reply) {
			t.Errorf("%q is %q, want %q", text, got.Reply, want.Reply)
		}
	}
}

// The literals of a program's calls take no memory but the request's.
func BenchmarkLiteral(b *testing.B) {
	text := `[("abc", 1, -2.5), {"key": [1, 2, 3, 4, 5]}, None]`
	var memory []byte
	in := new(Instance)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		memory, _ = in.appendLiteral(memory[:0], text)
	}
}
