package sandbox

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
)

// A byte of a node's tag, numbers below 128 and short strings, which have the
// length before them, make replies that can be read here.
func text(s string) string { return string(rune(len(s))) + s }

func float(f float64) string {
	return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
}

func decodeValue(t *testing.T, node string) (Value, error) {
	t.Helper()
	var o Outcome
	err := decodeReply([]byte("\x00"+node), asked{value: true}, &o)
	return o.Value, err
}

// Every node, as people read it.
func TestValues(t *testing.T) {
	for node, want := range map[string]string{
		"-":                                     "<no value>",
		"N":                                     "None",
		"T":                                     "True",
		"F":                                     "False",
		".":                                     "Ellipsis",
		"!":                                     "NotImplemented",
		"i\x00":                                 "0",
		"i\x01\x7F":                             "127",
		"i\x01\x80":                             "-128",
		"i\x02\x80\x00":                         "128",
		"i\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F": "9223372036854775807",
		"i\x08\x00\x00\x00\x00\x00\x00\x00\x80": "-9223372036854775808",
		"i\x09\x00\x00\x00\x00\x00\x00\x00\x80\x00": "9223372036854775808",
		"i\x09\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F\xFF": "-9223372036854775809",
		"f" + float(1):                                 "1.0",
		"f" + float(math.Copysign(0, -1)):              "-0.0",
		"f" + float(0.1):                               "0.1",
		"f" + float(1e16):                              "1e+16",
		"f" + float(123456789012345680):                "1.2345678901234568e+17",
		"f" + float(1e15):                              "1000000000000000.0",
		"f" + float(1e-5):                              "1e-05",
		"f" + float(math.Inf(-1)):                      "-inf",
		"f" + float(math.NaN()):                        "nan",
		"c" + float(0) + float(1):                      "1j",
		"c" + float(-0.5) + float(-2):                  "(-0.5-2j)",
		"s" + text("it's\n\x00é"):                      `"it's\n\x00é"`,
		"s" + text("\"'\\\x7F\u00A0\u2028"):            `'"\'\\\x7f\xa0\u2028'`,
		"s" + text("\xED\xA0\x80\U0001F600\U000E0001"): `'\ud800😀\U000e0001'`,
		"b" + text("\x00a\xFF'"):                       `b"\x00a\xff'"`,
		"B" + text("x"):                                `bytearray(b'x')`,
		"Ri\x00i\x01\x05i\x01\x01":                     "range(0, 5)",
		"Ri\x00i\x01\x05i\x01\x02":                     "range(0, 5, 2)",
		"SNi\x01\x05N":                                 "slice(None, 5, None)",
		"[\x00":                                        "[]",
		"[\x02NT":                                      "[None, True]",
		"(\x00":                                        "()",
		"(\x01N":                                       "(None,)",
		"{\x00":                                        "set()",
		"{\x01N":                                       "{None}",
		"<\x00":                                        "frozenset()",
		"<\x01N":                                       "frozenset({None})",
		"d\x00":                                        "{}",
		"d\x02s" + text("a") + "Ni\x00[\x00":           "{'a': None, 0: []}",
		"k\x01N":                                       "dict_keys([None])",
		"v\x01N":                                       "dict_values([None])",
		"w\x01NT":                                      "dict_items([(None, True)])",
		"o\x00" + text("__main__.A") + "-\x02" + text("x") + "N" + text("y") + "T": "<__main__.A x=None, y=True>",
		"o\x00" + text("collections.deque") + "[\x01N\x01" + text("maxlen") + "N":  "<collections.deque [None] maxlen=None>",
		"C" + text("__main__.A"):                                          "<class '__main__.A'>",
		"L\x00" + text("function") + text("f"):                            "<function f>",
		"M" + text("math"):                                                "<module 'math'>",
		"+\x00" + text("list"):                                            "<list: too large>",
		"x\x00" + text("coroutine"):                                       "<coroutine>",
		"[\x01r\x00":                                                      "[<object 1 again>]",
		"[\x02x\x00" + text("a.b") + "x\x01":                              "[<a.b>, <a.b>]",
		"g\x00" + text("generator") + "\x01\x00\x01N\x00":                 "<generator of [None]>",
		"g\x00" + text("generator") + "\x01\x00\x01N\x01":                 "<generator of [None, ...]>",
		"g\x00" + text("generator") + "\x01\x00\x01N\x02\x00" + text("E"): "<generator of [None, raised E]>",
		"g\x00" + text("a") + "\x02\x00\x01g\x01\x00\x01\x01N\x00":        "<a of [<a of [None]>]>",
	} {
		if !strings.Contains("g", node[:1]) {
			node += "\x00" // nothing drained
		}
		v, err := decodeValue(t, node)
		if err != nil {
			t.Errorf("%q: %v", node, err)
		} else if v.String() != want {
			t.Errorf("%q is %s, want %s", node, v, want)
		}
	}
}

func TestValuesOfManyBits(t *testing.T) {
	for _, n := range []string{"123456789012345678901234567890", "-123456789012345678901234567890", "-340282366920938463463374607431768211456"} {
		want, _ := new(big.Int).SetString(n, 10)
		bytes := new(big.Int).Add(want, new(big.Int).Lsh(big.NewInt(1), 8*20)).FillBytes(make([]byte, 21))[1:] // of 20 bytes, two's complement
		node := "i\x14"
		for i := range bytes {
			node += string(bytes[len(bytes)-1-i : len(bytes)-i])
		}
		if v, err := decodeValue(t, node+"\x00"); err != nil || v.Int.Cmp(want) != 0 {
			t.Errorf("%s, %v; want %s", v, err, n)
		}
	}
}

// A float keeps the payload of a nan.
func TestNaN(t *testing.T) {
	const bits = 0x7FF8_0000_DEAD_BEEF
	v, err := decodeValue(t, "f"+float(math.Float64frombits(bits))+"\x00")
	if err != nil || math.Float64bits(v.Float[0]) != bits {
		t.Errorf("%x, %v", math.Float64bits(v.Float[0]), err)
	}
}

func TestReplies(t *testing.T) {
	exception := "\x00" + text("ValueError") + text("no") + "\x03" + text("Traceback")
	for name, test := range map[string]struct {
		reply string
		asked asked
		want  Outcome
	}{
		"done":   {"\x00", asked{}, Outcome{End: Done}},
		"raised": {"\x01" + exception, asked{}, Outcome{End: Raised, Exception: &Exception{Type: "ValueError", Text: "no", Line: 3, Traceback: "Traceback"}}},
		"exited": {"\x02" + exception + "\x07", asked{}, Outcome{End: Exited, Exception: &Exception{Type: "ValueError", Text: "no", Line: 3, Traceback: "Traceback", Code: 7}}},
		"after":  {"\x00N\x00T\x00-\x00", asked{value: true, names: 2}, Outcome{End: Done, Value: Value{Kind: None}, After: []Value{{Kind: Bool, Int: big.NewInt(1)}, {}}}},
		"raised, after": {"\x01" + exception + "N\x00", asked{value: true, names: 1}, Outcome{
			End: Raised, Exception: &Exception{Type: "ValueError", Text: "no", Line: 3, Traceback: "Traceback"}, After: []Value{{Kind: None}},
		}},
		"coverage": {"\x00\x03\x01\x02\x7F\x02\x00\x04\x06\x01\x02\x08", asked{coverage: true}, Outcome{
			End: Done, Coverage: &Coverage{Lines: []int{1, 3, 130}, Branches: []Branch{{0, 4, 6}, {1, 2, 8}}},
		}},
	} {
		var got Outcome
		if err := decodeReply([]byte(test.reply), test.asked, &got); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

// A reply that a hostile program forged is an error, whatever is wrong.
func TestForgedReplies(t *testing.T) {
	huge := "\xFF\xFF\xFF\xFF\x0F"
	for name, reply := range map[string]string{
		"empty":                     "",
		"no such end":               "\x03",
		"no such node":              "\x00?\x00",
		"cut":                       "\x00[\x02N",
		"a byte too many":           "\x00N\x00\x00",
		"a long string":             "\x00s" + huge,
		"a number that never ends":  "\x00i" + strings.Repeat("\xFF", 20),
		"a long list":               "\x00[" + huge + "N\x00",
		"an unknown class":          "\x00x\x01\x00",
		"a reference to the future": "\x00[\x01r\x01\x00",
		"drained, but no iterator":  "\x00N\x01\x00\x01N\x00",
		"drained twice":             "\x00g\x00\x01a\x02\x00\x00\x00\x00\x00\x00",
		"drained into itself":       "\x00g\x00\x01a\x01\x05\x01N\x00",
		"no way to end":             "\x00g\x00\x01a\x01\x00\x00\x09",
		"too deep":                  "\x00" + strings.Repeat("[\x01", 5000) + "N\x00",
		"lists that share claims":   "\x00" + strings.Repeat("[\xE0\xA7\x12", 900) + strings.Repeat("N", 300_000),
		"exit code":                 "\x02\x00\x01a\x00\x00\x00\x80\x02",
		"too long":                  strings.Repeat("\x00", maxReply+1),
	} {
		var o Outcome
		if err := decodeReply([]byte(reply), asked{value: true}, &o); err == nil {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestForgedCoverage(t *testing.T) {
	for name, coverage := range map[string]string{
		"none":                        "",
		"no branches":                 "\x01\x05",
		"a cut branch":                "\x00\x01\x05\x04",
		"a long list":                 "\x00\xFF\xFF\xFF\xFF\x0F" + strings.Repeat("\x01", 30),
		"a line that is too far":      "\x02\xFF\xFF\xFF\xFF\x07\x01\x00",
		"an offset that is too large": "\x00\x01\x05\x80\x80\x80\x80\x08\x01",
	} {
		var o Outcome
		if err := decodeReply([]byte("\x00"+coverage), asked{coverage: true}, &o); err == nil {
			t.Errorf("%s: %+v", name, o.Coverage)
		}
	}
}

// The calls of one program together have a bound, too.
func TestManyValues(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	program := Program{Source: "x = [None] * 190_000"}
	for range 7 {
		program.Calls = append(program.Calls, Call{Expr: "x"}, Call{Bind: []Binding{{"y", "7"}, {"z", "x[:9]"}}, Expr: "y", Return: []string{"y", "z"}})
	}
	r := run(t, p, program)
	if r.End != Done || len(r.Calls) != 14 {
		t.Fatalf("%v, %d calls", r.End, len(r.Calls))
	}
	for i, c := range r.Calls {
		want := List
		if i%2 == 0 && i/2 >= maxResult/190_000 {
			want = TooLarge
		}
		got := c.Value
		if i%2 == 1 {
			if got.String() != "7" || c.After[0].String() != "7" {
				t.Errorf("call %d: %v, %v", i, got, c.After)
			}
			got = c.After[1]
		}
		if c.End != Done || got.Kind != want || got.More != (want == TooLarge) {
			t.Errorf("call %d: %v, kind %d, more %v", i, c.End, got.Kind, got.More)
		}
	}
}

func FuzzDecodeReply(f *testing.F) {
	f.Add([]byte("\x00[\x02NT\x00"), 0, false)
	f.Add([]byte("\x00g\x00\x01a\x02\x00\x01g\x01\x00\x01\x01N\x00N\x00"), 1, false)
	f.Add([]byte("\x01\x00\x01E\x01t\x03\x00-\x00\x01\x05\x00"), 1, true)
	f.Add([]byte("\x00N\x00\x01\x05\x01\x00\x04\x03"), 0, true)
	f.Add([]byte("\x00w\x01NTo\x00\x01a[\x00\x01\x01xd\x01i\x01\x7Fs\x01a"), 0, false)
	f.Fuzz(func(t *testing.T, data []byte, names int, coverage bool) {
		var o, again Outcome
		a := asked{value: true, names: min(max(names, 0), 10), coverage: coverage}
		if decodeReply(data, a, &o) != nil {
			return
		}
		if s := o.Value.String(); len(s) > maxRepr+10 {
			t.Errorf("a text of %d bytes", len(s))
		}
		if err := decodeReply(data, a, &again); err != nil || again.Value.String() != o.Value.String() {
			t.Errorf("the second time %v, %v", again, err)
		}
	})
}

// Requests have the form that sandbox/internal/cpython/README.md gives them.
func TestEncode(t *testing.T) {
	c := Call{Exec: "import a", Bind: []Binding{{"x", "[1]"}, {"y", "2"}}, Expr: "f(x, y)", Return: []string{"x"}, Items: 7}
	got, err := c.encode()
	source := func(s string) string { return string(binary.AppendUvarint(nil, 2*uint64(len(s)))) + s }
	want := "\x07" + source("import a") + source("f(x, y)") + "\x02" + text("x") + source("[1]") + text("y") + source("2") + "\x01" + text("x")
	if err != nil || !bytes.Equal(got, []byte(want)) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if got, _ = (&Call{Expr: "f()"}).encode(); string(got) != "\x64\x00"+source("f()")+"\x00\x00" {
		t.Errorf("%q", got)
	}
	if _, err := (&Call{Items: -1}).encode(); err == nil {
		t.Error("-1 items")
	}
}

func BenchmarkDecodeReply(b *testing.B) {
	reply := []byte("\x00[\xE8\x07" + strings.Repeat("d\x01s\x01ai\x02\x00\x01", 1000) + "\x00")
	b.SetBytes(int64(len(reply)))
	b.ReportAllocs()
	for b.Loop() {
		var o Outcome
		if err := decodeReply(reply, asked{value: true}, &o); err != nil {
			b.Fatal(err)
		}
	}
}
