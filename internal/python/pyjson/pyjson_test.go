package pyjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFind(t *testing.T) {
	tests := []struct {
		text string
		want string // the values of a and b, and where the object ends
	}{
		{`{}`, `"" "" 2`},
		{` {"a": 1}`, `"" "" -1`},
		{`[1]`, `"" "" -1`},
		{`{"a": 1, "c": {"b": 2}, "b": [ 3 , {"a": 4} ]} tail`, `"1" "[ 3 , {\"a\": 4} ]" 46`},
		{"{\n\"a\"\t:\r\n-Infinity ,\"b\":NaN}", `"-Infinity" "NaN" 28`},
		{`{"A": 1, "\u0061": 2}`, `"2" "" 21`},
		{`{"a": 1, "a": 2, "b": 3, "a": null}`, `"null" "3" -9223372036854775807`},
		{`{"a": 1, "b": tru`, `"1" "" -18`},
		{`{"a": 1, "b": 2 3}`, `"1" "2" -17`},
		{`{"a": 1,}`, `"1" "" -9`},
		{`{"a" 1}`, `"" "" -6`},
	}
	for _, test := range tests {
		values, end := Find([]byte(test.text), "a", "b")
		if got := fmt.Sprintf("%q %q %d", values["a"], values["b"], end); got != test.want {
			t.Errorf("Find(%s): %s, want %s", test.text, got, test.want)
		}
	}
	if got := Get([]byte(`{"b": {"a": 1}, "a": 2}`), "a"); string(got) != "2" {
		t.Errorf("Get returns %s, want 2", got)
	}
	if got := Get([]byte(`[]`), "a"); got != nil {
		t.Errorf("Get of a list returns %s", got)
	}
}

func TestItems(t *testing.T) {
	var got []string
	each := func(i int, item []byte) error {
		if got = append(got, fmt.Sprintf("%d %s", i, item)); string(item) == "null" {
			return errors.New("null")
		}
		return nil
	}
	if err := Items([]byte(`[ ]`), each); err != nil || got != nil {
		t.Errorf("of an empty list %q, %v", got, err)
	}
	err := Items([]byte("[1 ,\n[2, 3], null, 4]"), each)
	if want := `["0 1" "1 [2, 3]" "2 null"]`; fmt.Sprintf("%q", got) != want || err == nil {
		t.Errorf("%q, %v; want %s and an error", got, err, want)
	}
}

func TestKind(t *testing.T) {
	for value, want := range map[string]string{
		"": "nothing", `"a"`: "a text", "[]": "a list", "{}": "an object", "true": "true or false", "false": "true or false",
		"null": "null", "1": "a number", "-1": "a number", "NaN": "a number", "Infinity": "a number",
	} {
		if got := Kind([]byte(value)); got != want {
			t.Errorf("Kind(%s) = %s, want %s", value, got, want)
		}
	}
}

// Nesting has a bound, and reading up to it needs no stack.
func TestDepth(t *testing.T) {
	for depth, want := range map[int]int{MaxDepth: 2 * MaxDepth, MaxDepth + 1: TooDeep} {
		text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if got := End([]byte(text), 0); got != want {
			t.Errorf("%d deep: %d, want %d", depth, got, want)
		}
	}
}

// Two fields of one name are found wherever they stand and however they are spelt, among few
// names and many, and named with the place of the second.
func TestRepeated(t *testing.T) {
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, `"%d": %d, `, i, i)
	}
	for text, want := range map[string]string{
		`{"a": 1, "b": 2, "A": 3, "": 4}`:                       "",
		`[{"a": 1}, {"a": 2, "b": {"a": 3}}, {"b": {"a": 4}}]`:  "",
		`{"a": 1, "b": 2, "a": 3}`:                              `"a" 17`,
		` {"a":{"x":1,"b":[{"y":{"z":1 , "z" :{}}}]},"a":1}`:    `"z" 32`,
		`{"a": 1, "\u0061": "a"}`:                               `"a" 9`,
		`{"a\/": 1, "a/": 1}`:                                   `"a/" 11`,
		`{"": 1, "": 1}`:                                        `"" 8`,
		"{" + many.String() + `"x": 0}`:                         "",
		"{" + many.String() + `"77": 0, "x": 1, "3": 1}`:        fmt.Sprintf(`"77" %d`, 1+many.Len()),
		`{"x": {` + many.String() + `"x": 0}, "x": {"y": [1]}}`: fmt.Sprintf(`"x" %d`, len(`{"x": {"x": 0}, `)+many.Len()),
		`{"a": "}", "b": "\"a\": 1, ", "c": "{\"a\"", "b": {}}`: `"b" 45`,
	} {
		end := End([]byte(text), skipBlanks([]byte(text), 0))
		problem, at := Problem([]byte(text), end, 100)
		if got := end == len(text); got != (want == "") {
			t.Errorf("%s: end %d", text, end)
		}
		if want == "" {
			continue
		}
		name, _, _ := strings.Cut(want, " ")
		if said := fmt.Sprintf(`expected each key once in an object, found %s again at byte %d`, name, at+1); end != Repeated || problem != said || fmt.Sprint(name, " ", at-100) != want {
			t.Errorf("%s: %s at %d, want %s", text, problem, at, want)
		}
		var into any
		if err := Unmarshal([]byte(text), &into); err == nil || !strings.HasPrefix(err.Error(), "expected each key once") {
			t.Errorf("%s: Unmarshal returns %v", text, err)
		}
	}
}

// encoding/json takes what End takes, but for the words that only Python has, and
// reads the same texts.
func FuzzValue(f *testing.F) {
	for _, text := range []string{`{"a": [1, -2.5e+3, true, {"b": null}], "c": "\u00e9\ud800\\\""}`, `[NaN, -Infinity, Infinity]`, `"a\ud83d\udc0d\udc0d\ud83dx"`, "\"\x1f\"", `[1,]`, `{"a":1,}`, `{"a":1, "\u0061":{"b":[]}}`, `01`, `-`, `1.`, `[`, ` 1 `, "\"12345678\\n\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		at := skipBlanks(text, 0)
		end := End(text, at)
		whole := end >= 0 && skipBlanks(text, end) == len(text)
		if end == Repeated {
			if problem, second := Problem(text, end, 0); second == 0 || !strings.Contains(problem, "again at byte") {
				t.Fatalf("%s, and %q at %d", text, problem, second)
			}
			return
		}
		if valid := json.Valid(text); valid != whole {
			if words := bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Infinity")); valid || !words {
				t.Fatalf("end %d of %d, and encoding/json says %v", end, len(text), valid)
			}
		}
		if end < 0 && end != TooDeep && ^end > len(text) {
			t.Fatalf("fault at %d of %d", ^end, len(text))
		}
		if whole && text[at] == '{' {
			checkSelect(t, text[at:end])
		}
		if whole && text[at] == '"' && utf8.Valid(text) {
			var want string
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			got, half := Unquote(text[at:end])
			if got != want {
				t.Fatalf("%q, want %q", got, want)
			}
			if half && !strings.Contains(got, "\ufffd") {
				t.Fatalf("%q has no half of a pair", got)
			}
		}
	})
}

// Whatever stands wherever in a text of whatever length, the first byte that is not plain
// is found from wherever it is looked for.
// checkSelect checks that Select finds what Fields yields, and finds the same in an object that is
// known to be complete.
func checkSelect(t *testing.T, object []byte) {
	t.Helper()
	var names, want []string
	Fields(object, func(name, value []byte) {
		names, want = append(names, string(name)), append(want, string(value))
	})
	for _, complete := range []bool{false, true} {
		values := make([][]byte, len(names))
		if end := Select(values, object, complete, names); end != len(object) {
			t.Fatalf("Select(%q, complete %v) ends at %d, want %d", object, complete, end, len(object))
		}
		for i, value := range values {
			if string(value) != want[i] {
				t.Fatalf("Select(%q, complete %v) has %q for %q, want %q", object, complete, value, names[i], want[i])
			}
		}
	}
}

func TestPlainEnd(t *testing.T) {
	slow := func(text string, at int) int {
		for at < len(text) && text[at] >= ' ' && text[at] < 0x80 && text[at] != '"' && text[at] != '\\' {
			at++
		}
		return at
	}
	for length := range 20 {
		for from := range length + 1 {
			for first := range length {
				for second := first; second < length; second++ {
					for c := range 256 {
						text := []byte("abcdefghijklm !#[]~\x7f")[:length]
						text[second] = byte(255 - c)
						text[first] = byte(c)
						want := slow(string(text), from)
						if got := plainEnd(text, from); got != want {
							t.Fatalf("%q from %d: %d, want %d", text, from, got, want)
						}
						if got := plainEnd(string(text), from); got != want {
							t.Fatalf("%q as a string from %d: %d, want %d", text, from, got, want)
						}
					}
				}
			}
		}
	}
}

// Half a surrogate pair is for Python alone.
func TestASCII(t *testing.T) {
	text := "é\xff\xed\xb3\xbf\U0001f40d\n"
	if got, want := string(AppendASCII(nil, text)), `"\u00e9\udcff\udced\udcb3\udcbf\ud83d\udc0d\n"`; got != want {
		t.Errorf("AppendASCII: got %s, want %s", got, want)
	}
	if got, want := string(Append(nil, ASCII(text))), `"\u00e9\ufffd\ud83d\udc0d\n"`; got != want {
		t.Errorf("ASCII: got %s, want %s", got, want)
	}
}

// What is written is read as it was, but for bytes that are not UTF-8.
func FuzzAppendQuoted(f *testing.F) {
	f.Add("x = 1\n\t\"\\\b\f\r\x7f\x00\u2028\xff\xed\xa0\x80é🐍")
	f.Fuzz(func(t *testing.T, text string) {
		var want strings.Builder
		for _, r := range text {
			want.WriteRune(r) // U+FFFD for each such byte
		}
		quoted := AppendQuoted(nil, text)
		var got string
		if err := json.Unmarshal(quoted, &got); err != nil || got != want.String() {
			t.Errorf("%q came back as %q, %v", text, got, err)
		}
		if end := End(quoted, 0); end != len(quoted) || !utf8.Valid(quoted) {
			t.Fatalf("%q is written as %q", text, quoted)
		}
		if got, half := Unquote(quoted); got != want.String() || half {
			t.Errorf("%q came back as %q, %v", text, got, half)
		}
	})
}

// A text is written as encoding/json writes it, whatever is in it.
func TestAppendText(t *testing.T) {
	pieces := []string{"a", "12345678", `"`, `\`, "\x00", "\b\f\n\r\t", "\x1f\x7f", "<&>", "é", "日本", "\u2027", "\u2028", "\u2029", "\u202a", "\xe2", "\xe2\x80", "\xff", "\ufffd", "\U0001f600"}
	for _, first := range pieces {
		for _, second := range pieces {
			for _, text := range []string{first, first + second, first + "12345678" + second + first} {
				if got, want := string(AppendText([]byte("x"), text)), string(Append([]byte("x"), text)); got != want {
					t.Errorf("%q is %s, want %s", text, got, want)
				}
			}
		}
	}
}
