package diagnose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/internal/testenv/bench"
	"codelinter/parser"
	"codelinter/parser/internal/diagnose"
	"codelinter/source"
)

func TestMain(m *testing.M) { bench.Main(m) }

// TestRecorded compares with CPython, and tries each text with a fresh
// diagnose.Diagnoser, with a used one, and without shortcuts.
func TestRecorded(t *testing.T) {
	var used diagnose.Diagnoser
	long := diagnose.Diagnoser{LongWay: true}
	for i, r := range diagnose.Recordings(t) {
		t.Run(fmt.Sprintf("errors.jsonl:%d", i+1), func(t *testing.T) {
			file := diagnose.Load(t, r.Code)
			for target, recorded := range r.Errors() {
				want := diagnose.Want(recorded)
				if got := diagnose.Describe(new(diagnose.Diagnoser).Diagnose(file, target)); got != want {
					t.Errorf("%v: %q\n got %s\nwant %s", target, r.Code, got, want)
				}
				if got := diagnose.Describe(used.Diagnose(file, target)); got != want {
					t.Errorf("%v: %q used\n got %s\nwant %s", target, r.Code, got, want)
				}
				if got := diagnose.Describe(long.Diagnose(file, target)); got != want {
					t.Errorf("%v: %q the long way\n got %s\nwant %s", target, r.Code, got, want)
				}
			}
		})
	}
}

// TestAgreement requires that the fast parser accepts a text if and only if
// there is nothing to diagnose.
func TestAgreement(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds of processor time")
	}
	for _, r := range diagnose.Recordings(t) {
		for _, target := range source.Versions() {
			file := diagnose.Load(t, r.Code)
			_, accepted := new(parser.Parser).ParseText(file.Text, parser.Options{Target: target})
			if e := new(diagnose.Diagnoser).Diagnose(file, target); accepted != (e == nil) {
				t.Errorf("%v: %q: accepted %t, but %s", target, r.Code, accepted, diagnose.Describe(e))
			}
		}
	}
}

func TestWithoutPlace(t *testing.T) {
	for _, c := range []struct {
		text string
		want *diagnose.SyntaxError
	}{
		{"x = 1\x00", &diagnose.SyntaxError{Type: "SyntaxError", Message: "source code string cannot contain null bytes", NoDetails: true}},
		{"from __future__ import braces\n", &diagnose.SyntaxError{Type: "SyntaxError", Message: "not a chance", Row: 1, Offset: 24, NoDetails: true}},
		{"𝐓rue = 1", &diagnose.SyntaxError{Type: "ValueError", Message: "identifier field can't represent 'True' constant", Fatal: true}},
		{"f'{a:\\x}'", &diagnose.SyntaxError{Type: "UnicodeDecodeError", Message: `'unicodeescape' codec can't decode bytes in position 0-1: truncated \xXX escape`, Fatal: true}},
		{"f'{a:{b:{c=!x}}}'", &diagnose.SyntaxError{Type: "SyntaxError", Message: "f-string: invalid conversion character 'x': expected 's', 'r', or 'a'", Row: 1, Offset: 13}},
		{"f'{a:{b:{c=}}}'", &diagnose.SyntaxError{Type: "ValueError", Message: "field 'value' is required for Constant", Fatal: true}},
		{"", nil},
	} {
		if diff := cmp.Diff(c.want, new(diagnose.Diagnoser).Diagnose(diagnose.Load(t, c.text), 0)); diff != "" {
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
			file := diagnose.Load(t, c.text)
			if got := diagnose.Describe(new(diagnose.Diagnoser).Diagnose(file, target)); got != c.want {
				t.Errorf("%v: %s, %d bytes\n got %s\nwant %s", target, c.name, len(c.text), got, c.want)
			}
			if _, accepted := new(parser.Parser).ParseText(file.Text, parser.Options{Target: target}); accepted != (c.want == "valid") {
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
	if testing.Short() {
		t.Skip("takes ten seconds of processor time")
	}
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
				file := diagnose.Load(t, text(n))
				return func() {
					if new(diagnose.Diagnoser).Diagnose(file, 0) == nil {
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
	err := new(diagnose.Diagnoser).Diagnose(&file, source.Python314)
	fmt.Printf("%d:%d: %v\n", err.Row, err.Offset, err)
	// Output: 1:1: SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?
}

// FuzzDiagnose requires that no text makes the Diagnoser panic, that the place
// lies in the text, that shortcuts make no difference, and that the fast parser
// agrees.
func FuzzDiagnose(f *testing.F) {
	for _, r := range diagnose.Recordings(f) {
		f.Add(r.Code)
	}
	var d diagnose.Diagnoser
	long := diagnose.Diagnoser{LongWay: true}
	f.Fuzz(func(t *testing.T, text string) {
		file := diagnose.Load(t, text)
		for _, target := range []source.Version{source.Python314, source.Python315} {
			e := d.Diagnose(file, target)
			got := diagnose.Describe(e)
			if other := diagnose.Describe(long.Diagnose(file, target)); got != other {
				t.Errorf("%v: %s, the long way %s", target, got, other)
			}
			if _, accepted := new(parser.Parser).ParseText(file.Text, parser.Options{Target: target}); accepted != (e == nil) {
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
