package diagnose

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/internal/bench"
	"codelinter/parser"
	"codelinter/source"
)

// recorded is a line of testdata/diagnose/errors.jsonl, which record.py there
// writes with CPython 3.14 and 3.15. An error is its type, message and, of a
// SyntaxError, line and offset; nil if the code is valid.
type recorded struct {
	Code     string
	Error314 []any `json:"3.14"`
	Error315 []any `json:"3.15"`
}

// errors returns what was recorded of each version.
func (r recorded) errors() map[source.Version][]any {
	return map[source.Version][]any{source.Python314: r.Error314, source.Python315: r.Error315}
}

// want writes what was recorded as describe writes what was found.
func want(recorded []any) string {
	switch len(recorded) {
	case 0:
		return "valid"
	case 2:
		return fmt.Sprintf("%s: %s", recorded...)
	}
	return fmt.Sprintf("%v:%v: %s: %s", recorded[2], recorded[3], recorded[0], recorded[1])
}

func describe(e *SyntaxError) string {
	switch {
	case e == nil:
		return "valid"
	case e.Fatal:
		return e.Error()
	}
	return fmt.Sprintf("%d:%d: %s", e.Row, e.Offset, e)
}

func recordings(t testing.TB) []recorded {
	t.Helper()
	f, err := os.Open("../../testdata/diagnose/errors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []recorded
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if len(list) < 1500 {
		t.Fatalf("%d recordings only", len(list))
	}
	return list
}

// load makes a file of a text as it stands.
func load(t testing.TB, text string) *source.File {
	t.Helper()
	file := new(source.File)
	if err := file.LoadStdin([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRecorded compares with CPython, and tries each text with a fresh
// Diagnoser, with a used one, and without shortcuts.
func TestRecorded(t *testing.T) {
	var used, long Diagnoser
	long.machine.longWay = true
	for i, r := range recordings(t) {
		t.Run(fmt.Sprintf("errors.jsonl:%d", i+1), func(t *testing.T) {
			file := load(t, r.Code)
			for target, recorded := range r.errors() {
				want := want(recorded)
				if got := describe(new(Diagnoser).Diagnose(file, target)); got != want {
					t.Errorf("%v: %q\n got %s\nwant %s", target, r.Code, got, want)
				}
				if got := describe(used.Diagnose(file, target)); got != want {
					t.Errorf("%v: %q used\n got %s\nwant %s", target, r.Code, got, want)
				}
				if got := describe(long.Diagnose(file, target)); got != want {
					t.Errorf("%v: %q the long way\n got %s\nwant %s", target, r.Code, got, want)
				}
			}
		})
	}
}

// TestAgreement requires that the fast parser accepts a text if and only if
// there is nothing to diagnose.
func TestAgreement(t *testing.T) {
	for _, r := range recordings(t) {
		for _, target := range source.Versions() {
			file := load(t, r.Code)
			_, accepted := parser.Parse(file, parser.Options{Target: target})
			if e := new(Diagnoser).Diagnose(file, target); accepted != (e == nil) {
				t.Errorf("%v: %q: accepted %t, but %s", target, r.Code, accepted, describe(e))
			}
		}
	}
}

// TestEveryMessage requires a recording for every message of the grammar.
func TestEveryMessage(t *testing.T) {
	list := recordings(t)
	for _, target := range []source.Version{source.Python314, source.Python315} {
		everyMessage(t, list, target)
	}
}

func everyMessage(t *testing.T, list []recorded, target source.Version) {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range list {
		if recorded := r.errors()[target]; len(recorded) > 1 {
			seen[recorded[1].(string)] = true
		}
	}
	g := pythonGrammar(target)
	for i, reached := range g.reached(g.file) {
		r := g.rules[i]
		if !reached {
			continue
		}
		for _, a := range r.alternatives {
			if a.action.do != raiseError {
				continue
			}
			before, rest, variable := strings.Cut(a.action.text, "<")
			_, after, _ := strings.Cut(rest, ">")
			found := seen[a.action.text]
			for message := range seen {
				found = found || variable && strings.HasPrefix(message, before) && strings.HasSuffix(message, after)
			}
			if !found {
				t.Errorf("%v: %s: nothing recorded for %q", target, r.name, a.action.text)
			}
		}
	}
}

func TestWithoutPlace(t *testing.T) {
	for _, c := range []struct {
		text string
		want *SyntaxError
	}{
		{"x = 1\x00", &SyntaxError{Type: syntaxError, Message: "source code string cannot contain null bytes", NoDetails: true}},
		{"from __future__ import braces\n", &SyntaxError{Type: syntaxError, Message: "not a chance", Row: 1, Offset: 24, NoDetails: true}},
		{"𝐓rue = 1", &SyntaxError{Type: "ValueError", Message: "identifier field can't represent 'True' constant", Fatal: true}},
		{"f'{a:\\x}'", &SyntaxError{Type: "UnicodeDecodeError", Message: `'unicodeescape' codec can't decode bytes in position 0-1: truncated \xXX escape`, Fatal: true}},
		{"f'{a:{b:{c=!x}}}'", &SyntaxError{Type: "SyntaxError", Message: "f-string: invalid conversion character 'x': expected 's', 'r', or 'a'", Row: 1, Offset: 13}},
		{"f'{a:{b:{c=}}}'", &SyntaxError{Type: "ValueError", Message: "field 'value' is required for Constant", Fatal: true}},
		{"", nil},
	} {
		if diff := cmp.Diff(c.want, new(Diagnoser).Diagnose(load(t, c.text), 0)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

// TestLimits tries texts at both sides of CPython's limits, as found out with
// CPython 3.14.6 and 3.15.2. The fast parser must stop at the limits of chains too.
func TestLimits(t *testing.T) {
	const overflow = "MemoryError: Parser stack overflowed - Python source too complex to parse"
	blocks := func(n int, last string) string {
		var text strings.Builder
		for i := range n {
			text.WriteString(strings.Repeat(" ", i) + "if x:\n")
		}
		return text.String() + strings.Repeat(" ", n) + last + "\n"
	}
	nested := func(open, middle, closing string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(closing, n)
	}
	type limit struct{ name, text, want string }
	check := func(target source.Version, limits []limit) {
		for _, c := range limits {
			file := load(t, c.text)
			if got := describe(new(Diagnoser).Diagnose(file, target)); got != c.want {
				t.Errorf("%v: %s, %d bytes\n got %s\nwant %s", target, c.name, len(c.text), got, c.want)
			}
			if _, accepted := parser.Parse(file, parser.Options{Target: target}); accepted != (c.want == "valid") {
				t.Errorf("%v: %s, %d bytes: accepted %t, want %s", target, c.name, len(c.text), accepted, c.want)
			}
		}
	}
	check(source.Python314, []limit{
		{"not", nested("not ", "x", "", 5969), "valid"},
		{"not", nested("not ", "x", "", 5970), overflow},
		{"minus", nested("-", "x", "", 5969), "valid"},
		{"lambda", nested("lambda: ", "x", "", 2984), "valid"},
		{"lambda", nested("lambda: ", "x", "", 2985), overflow},
		{"else", nested("a if b else ", "x", "", 5969), "valid"},
		{"else", nested("a if b else ", "x", "", 5970), overflow},
		{"elif", "if x: pass\n" + nested("elif x: pass\n", "", "", 5965), "valid"},
		{"elif", "if x: pass\n" + nested("elif x: pass\n", "", "", 5966), overflow},
		{"elif", "if x: pass\n" + nested("elif x: pass\n", "", "", 100000), overflow},
		{"brackets", nested("(", "x", ")", 200), "valid"},
		{"brackets", nested("(", "x", ")", 201), "1:201: SyntaxError: too many nested parentheses"},
		{"comma", nested("(", "x y", ")", 194), "1:195: SyntaxError: invalid syntax. Perhaps you forgot a comma?"},
		{"comma", nested("(", "x y", ")", 195), overflow},
		{"comma", nested("[", "x y", "]", 188), overflow},
		{"blocks", blocks(99, "pass"), "valid"},
		{"blocks", blocks(100, "pass"), "101:1: IndentationError: too many levels of indentation"},
		{"strings", nested(`f"{`, "x", `}"`, 149), "valid"},
		{"strings", nested(`f"{`, "x", `}"`, 150), "1:449: SyntaxError: too many nested f-strings or t-strings"},
		{"digits", "x = " + nested("7", "", "", 4300), "valid"},
		{"digits", "x = (\n 7_" + nested("7", "", "", 4300) + ")", "2:0: SyntaxError: Exceeds the limit (4300 digits) for integer string conversion: " +
			"value has 4301 digits; use sys.set_int_max_str_digits() to increase the limit - " +
			"Consider hexadecimal for huge integer literals to avoid decimal conversion limits."},
		{"digits", "x = " + nested("7", ".0", "", 5000) + "; y = 0x" + nested("7", "", "", 5000), "valid"},
	})
	// Before 3.12 an error in a field says so, and its column counts from the field, so
	// that it may lie before the row begins. 3.11 dies of that.
	const exceeds = "value has 4301 digits; use sys.set_int_max_str_digits() to increase the limit - " +
		"Consider hexadecimal for huge integer literals to avoid decimal conversion limits."
	long := nested("7", "", "", 4301)
	check(source.Python310, []limit{
		{"digits", "x = f'{" + long + "}'", "1:-6: SyntaxError: f-string: Exceeds the limit (4300) for integer string conversion: " + exceeds},
		{"digits", "f'''\n  {a +\n" + long + "}'''", "3:-2: SyntaxError: f-string: Exceeds the limit (4300) for integer string conversion: " + exceeds},
		{"digits", "f'''{\n" + long + "}'''", "2:0: SyntaxError: f-string: Exceeds the limit (4300) for integer string conversion: " + exceeds},
		{"digits", long, "1:0: SyntaxError: Exceeds the limit (4300) for integer string conversion: " + exceeds},
	})
	check(source.Python311, []limit{
		{"digits", "x = f'{" + long + "}'", "SystemError: Negative size passed to PyUnicode_New"},
		{"digits", "f'''{\n" + long + "}'''", "2:0: SyntaxError: f-string: Exceeds the limit (4300 digits) for integer string conversion: " + exceeds},
	})
	check(source.Python315, []limit{
		{"not", nested("not ", "x", "", 5968), "valid"},
		{"not", nested("not ", "x", "", 5969), overflow},
		{"minus", nested("-", "x", "", 5968), "valid"},
		{"minus", nested("-", "x", "", 5969), overflow},
		{"power", nested("a**", "x", "", 2984), "valid"},
		{"power", nested("a**", "x", "", 2985), overflow},
		{"lambda", nested("lambda: ", "x", "", 2984), "valid"},
		{"lambda", nested("lambda: ", "x", "", 2985), overflow},
		{"else", nested("a if b else ", "x", "", 2984), "valid"},
		{"else", nested("a if b else ", "x", "", 2985), overflow},
		{"elif", "if x: pass\n" + nested("elif x: pass\n", "", "", 5964), "valid"},
		{"elif", "if x: pass\n" + nested("elif x: pass\n", "", "", 5965), overflow},
		{"comma", nested("(", "x y", ")", 200), "1:201: SyntaxError: invalid syntax. Perhaps you forgot a comma?"},
		{"comma", nested("[", "x y", "]", 199), "1:200: SyntaxError: invalid syntax. Perhaps you forgot a comma?"},
		{"comma", nested("[", "x y", "]", 200), overflow},
	})
}

// TestLinear gives long texts that a careless parser takes quadratic time for.
func TestLinear(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"operators":  func(n int) string { return "x = " + strings.Repeat("a + ", n) + "= 1" },
		"attributes": func(n int) string { return "x = a" + strings.Repeat(".b", n) + " c" },
		"calls":      func(n int) string { return "x = a" + strings.Repeat("(b)", n) + " c" },
		"arguments":  func(n int) string { return "f(" + strings.Repeat("a, b=1, ", n) + "c)" },
		"parameters": func(n int) string { return "def f(" + strings.Repeat("a, ", n) + "b=1, c): pass" },
		"list":       func(n int) string { return "x = [" + strings.Repeat("a, ", n) + "b c]" },
		"dict":       func(n int) string { return "x = {" + strings.Repeat("a: b, ", n) + "c}" },
		"targets":    func(n int) string { return strings.Repeat("a = ", n) + "1 = 2" },
		"strings":    func(n int) string { return "x = (" + strings.Repeat("'a' ", n) + "b)" },
		"lines":      func(n int) string { return strings.Repeat("x = 1\n", n) + "x = = 1" },
		"block":      func(n int) string { return "if x:\n" + strings.Repeat("    x = 1\n", n) + "    x = = 1" },
		"handlers":   func(n int) string { return "try: pass\n" + strings.Repeat("except A: pass\n", n) + "except* A: pass" },
		"cases": func(n int) string {
			return "match x:\n" + strings.Repeat("    case 1: pass\n", n) + "    case a as 1: pass"
		},
		"f-string":   func(n int) string { return "f'" + strings.Repeat("{a} ", n) + "{b c}'" },
		"unclosed":   func(n int) string { return "(" + strings.Repeat("a,\n", n) },
		"decorators": func(n int) string { return strings.Repeat("@a\n", n) + "x" },
		"semicolons": func(n int) string { return strings.Repeat("x; ", n) + "x y" },
	} {
		t.Run(name, func(t *testing.T) {
			bench.Linear(t, 12_500, func(n int) func() {
				file := load(t, text(n))
				return func() {
					if new(Diagnoser).Diagnose(file, 0) == nil {
						t.Error("found nothing")
					}
				}
			})
		})
	}
}

func ExampleDiagnoser() {
	var file source.File
	file.Load([]byte("print 'hello'\n"))
	err := new(Diagnoser).Diagnose(&file, source.Python314)
	fmt.Printf("%d:%d: %v\n", err.Row, err.Offset, err)
	// Output: 1:1: SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?
}

// FuzzDiagnose requires that no text makes the Diagnoser panic, that the place
// lies in the text, that shortcuts make no difference, and that the fast parser
// agrees.
func FuzzDiagnose(f *testing.F) {
	for _, r := range recordings(f) {
		f.Add(r.Code)
	}
	var d, long Diagnoser
	long.machine.longWay = true
	f.Fuzz(func(t *testing.T, text string) {
		file := load(t, text)
		for _, target := range []source.Version{source.Python314, source.Python315} {
			e := d.Diagnose(file, target)
			got := describe(e)
			if other := describe(long.Diagnose(file, target)); got != other {
				t.Errorf("%v: %s, the long way %s", target, got, other)
			}
			if _, accepted := parser.Parse(file, parser.Options{Target: target}); accepted != (e == nil) {
				t.Errorf("%v: accepted %t, but %s", target, accepted, got)
			}
			if e == nil || e.Fatal || e.NoDetails {
				continue
			}
			if e.Row < 1 || e.Row > max(1, file.Lines()) {
				t.Fatalf("%v: row %d of %d", target, e.Row, file.Lines())
			}
			if file.Lines() > 0 && (e.Offset < 0 || e.Offset > len(file.Line(e.Row))+2) {
				t.Fatalf("%v: offset %d in row of %d bytes", target, e.Offset, len(file.Line(e.Row)))
			}
		}
	})
}
