package pep8

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"codelinter/internal/testenv/bench"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

func TestMain(m *testing.M) { bench.Main(m) }

// everything is the set of all E and W codes.
func everything() *rule.Set {
	var all rule.Set
	for code := rule.E101; code <= rule.W605; code++ {
		all.Add(code)
	}
	return &all
}

// check returns the findings of text as "row:column code message" lines.
func check(text string, o Options) string {
	var file source.File
	var checker Checker
	if err := file.Load([]byte(text)); err != nil {
		return err.Error()
	}
	tokens, _ := new(tokenizer.Tokenizer).Tokenize(file.Text, tokenizer.Options{Target: o.Target})
	var lines []string
	for _, f := range checker.Check(&file, tokens, o, everything(), nil) {
		lines = append(lines, fmt.Sprintf("%d:%d %s %s", f.Row, f.Column, f.Code, f.Message()))
	}
	return strings.Join(lines, "\n")
}

// The goldens of package lint cover every rule. Here stand the cases that show
// how pycodestyle's own habits are kept, each with what flake8 prints.
func TestHabits(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x[1 ]= 2\n", "1:6 E225 missing whitespace around operator"},
		{"if x:\n    if y:\n        z = 1\nl = 2\n", ""}, // two DEDENTs: one more bracket to E741
		{"if x:\n    z = 1\nl = 2\n", "3:1 E741 ambiguous variable name 'l'"},
		{"x = -  1\n", ""},
		{"x = None == None\n", "1:10 E711 comparison to None should be 'if cond is None:'"},
		{"x == None == y\n", "1:3 E711 comparison to None should be 'if cond is None:'"},
		{"x = None == (y)\n", ""},
		{"iffy = 1\nimport os\n", ""},
		{"x = 1if  y else 2\n", ""},
		{"x = not a.b  in y\n", "1:5 E713 test for membership should be 'not in'\n1:12 E272 multiple spaces before keyword"},
		{"x = not\t\ta\tin y\n", "1:5 E713 test for membership should be 'not in'\n1:8 E273 tab after keyword\n1:11 E274 tab before keyword"},
		{"x = ( )\n", "1:6 E201 whitespace after '('"},
		{"f'''a\n  {f'{x}'} \n'''\n", "2:11 W291 trailing whitespace"},
	} {
		if got := check(c.text, DefaultOptions()); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestReleases compares what flake8 7.3.0 and 7.5.0 print on CPython 3.15.
func TestReleases(t *testing.T) {
	const below = "2:1 E402 module level import not at top of file"
	for _, c := range []struct{ text, flake8730, flake8750 string }{
		{"lazy import a\nimport b\n", below, ""},
		{"lazy from a import b\nfrom b import c\n", below, ""},
		{"x = 1\nlazy import a\n", "", below},
		{"x = 1\nlazy from a import b\n", "", below},
		{"x = 1\nlazy  import a\n", "2:5 E272 multiple spaces before keyword", "2:5 E272 multiple spaces before keyword"},
		{"x = 1\nlazy import  a\n", "2:12 E271 multiple spaces after keyword", "2:1 E402 module level import not at top of file\n2:12 E271 multiple spaces after keyword"},
		{"lazy = 1\nimport a\n", below, below},
		{"br'''Doc'''\nimport a\n", "", below},
		{"u'''Doc'''\nimport a\n", "", ""},
		{"R'''Doc'''\nimport a\n", "", ""},
		{"rb'''Doc'''\nimport a\n", below, below},
		{"f'''Doc'''\nimport a\n", below, below},
		{"u\nimport a\n", below, below}, // where 7.5.0 dies
	} {
		for _, release := range rule.Releases() {
			want := c.flake8730
			if release == rule.Flake8750 {
				want = c.flake8750
			}
			o := DefaultOptions()
			o.Release, o.Target = release, source.Python315
			if got := check(c.text, o); got != want {
				t.Errorf("%v: %q\n got %s\nwant %s", release, c.text, got, want)
			}
		}
	}
}

// TestSearches requires that what one look around for the enclosing definition
// remembers does not mislead the next.
func TestSearches(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "class A%d:\n    x = 1\n    def f(self):\n        def g():\n            y = 1\n            def h():\n                pass\n", i)
	}
	got := check(text.String(), DefaultOptions())
	for code, want := range map[string]int{"E301": 40, "E306": 40, "E302": 39} {
		if n := strings.Count(got, code); n != want {
			t.Errorf("%d findings of %s, want %d", n, code, want)
		}
	}
}

// A layout writes random statements with random blanks between their tokens.
type layout struct {
	*rand.Rand
	strings.Builder
	level int // of open brackets
}

// put writes one of some tokens, and what stands before it.
func (l *layout) put(of ...string) {
	isWord := func(b byte) bool {
		return b >= 0x80 || b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
	}
	token := of[l.IntN(len(of))]
	switch n := l.IntN(24); {
	case n < 10:
		l.WriteString(" ")
	case n == 12:
		l.WriteString("  ")
	case n == 13:
		l.WriteString([...]string{"\t", "\f", "\\\n", " \\\n    "}[l.IntN(4)])
	case n == 14 && l.level > 0:
		l.WriteString([...]string{"\n", "\n    ", " # c\n  ", " \n\n  "}[l.IntN(4)])
	default:
		if written := "\n" + l.String(); isWord(written[len(written)-1]) && (isWord(token[0]) || token[0] == '\'') {
			l.WriteString(" ")
		}
	}
	l.WriteString(token)
}

func (l *layout) inside(opener, closer string, inside func()) {
	l.put(opener)
	l.level++
	inside()
	l.level--
	l.put(closer)
}

func (l *layout) list(item func()) {
	for range l.IntN(4) {
		item()
		l.put(",")
	}
	if l.IntN(3) > 0 {
		item()
	}
}

func (l *layout) parameter() {
	l.put("a", "*b", "l", "_")
	if l.IntN(3) == 0 {
		l.put(":")
		l.expression(1)
	}
	l.value()
}

// value writes the default of a parameter, or nothing.
func (l *layout) value() {
	if l.IntN(2) == 0 {
		l.put("=")
		l.expression(1)
	}
}

func (l *layout) expression(depth int) {
	form := l.IntN(16)
	if depth <= 0 {
		form = 0
	}
	more := func() { l.expression(depth - 1) }
	switch form {
	default:
		l.put("a", "spam", "O", "type", "print", "1", "0x1f", "'s'", `b'\d'`, "None", "é", "a·b", "...", "f'{a!r:>{b}} {a = }'", "'''m\nn'''")
	case 4:
		more()
		l.put("+", "-", "*", "/", "//", "**", "@", "%", "<<", ">", "==", "!=", "<=", "and", "or", "in", "not in", "is not", "&", "|", "^")
		more()
	case 5:
		l.put("-", "~", "not", "await", "+")
		more()
	case 6:
		l.inside("(", ")", func() { l.list(more) })
	case 7:
		l.inside("[", "]", func() { l.list(more) })
	case 8:
		l.inside("{", "}", func() {
			l.list(func() {
				more()
				l.put(":")
				more()
			})
		})
	case 9, 10:
		l.put("f")
		l.inside("(", ")", func() {
			l.list(func() {
				switch l.IntN(3) {
				case 0:
					l.put("key")
					l.put("=")
				case 1:
					l.put("*", "**")
				}
				more()
			})
		})
	case 11:
		more()
		l.inside("[", "]", func() {
			more()
			l.put(":")
			more()
		})
	case 12:
		l.put("lambda")
		l.put("a", "*b", "l")
		l.value()
		l.put(":")
		more()
	case 13:
		more()
		l.put("if")
		more()
		l.put("else")
		more()
	case 14:
		l.inside("[", "]", func() {
			more()
			l.put("for")
			l.put("x")
			l.put("in")
			more()
		})
	case 15:
		more()
		l.put(".")
		l.put("name")
	}
}

func (l *layout) statement() {
	switch l.IntN(8) {
	case 0:
		head := l.IntN(6)
		l.WriteString([...]string{"def", "class", "type", "async def", "@", "print"}[head])
		l.put("f")
		if head < 4 && l.IntN(2) == 0 {
			l.inside("[", "]", func() { l.list(l.parameter) })
		}
		l.inside("(", ")", func() { l.list(l.parameter) })
		l.put(":")
		l.put("pass")
	case 1:
		l.WriteString([...]string{"if", "while", "for"}[l.IntN(3)])
		l.expression(3)
		l.put(":")
		l.expression(1)
	case 2:
		l.expression(2)
		l.put(";")
		l.expression(2)
	case 3:
		l.WriteString([...]string{"return", "from a import", "import", "assert", "else:", "except"}[l.IntN(6)])
		l.expression(3)
	case 4:
		l.WriteString("x")
		l.put(":")
		l.expression(1)
		l.put("=")
		l.expression(2)
	default:
		l.WriteString([...]string{"x", "l", "x.y"}[l.IntN(3)])
		l.put("=", "+=", "@=")
		l.expression(4)
	}
	l.WriteString([...]string{"\n", " \n", "  # c\n", "\n\n", ":\n", "\r\n"}[l.IntN(6)])
}

// TestPlain requires that passing over tokens that are Plain changes no finding.
func TestPlain(t *testing.T) {
	texts := bench.Goldens(t)
	layouts := uint64(20_000)
	if testing.Short() {
		layouts = 1_000
	}
	for seed := range layouts {
		l := layout{Rand: rand.New(rand.NewPCG(seed, 1))}
		for range 1 + seed%3 {
			l.statement()
		}
		texts = append(texts, l.String())
	}
	var file source.File
	var tokens tokenizer.Tokenizer
	var checker Checker
	passed, plain := 0, 0
	for _, text := range texts {
		if err := file.Load([]byte(text)); err != nil {
			t.Fatal(err)
		}
		list, failure := tokens.Tokenize(file.Text, tokenizer.Options{CarriageReturns: file.CarriageReturns})
		if failure != nil {
			continue
		}
		passed++
		got := checker.Check(&file, list, DefaultOptions(), everything(), nil)
		for i := range list {
			if list[i].Flags&tokenizer.Plain != 0 {
				plain++
				list[i].Flags &^= tokenizer.Plain
			}
		}
		want := checker.Check(&file, list, DefaultOptions(), everything(), nil)
		if !slices.Equal(got, want) {
			for i := 0; i < len(got) && i < len(want) && got[i] == want[i]; i++ {
				got, want = got[1:], want[1:]
				i--
			}
			t.Fatalf("%q:\n got %v\nwant %v", text, got, want)
		}
	}
	if passed < len(texts)/2 || plain < 10*passed {
		t.Errorf("of %d texts, %d were compared, with %d plain tokens", len(texts), passed, plain)
	}
}

// Texts that take long if some check is more than linear in them.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, text := range map[string]func(n int) string{
		"decorators":       func(n int) string { return strings.Repeat("@a\n", n) + "def f(): pass\n" },
		"methods":          func(n int) string { return "class A:\n" + strings.Repeat("    def f(): pass\n", n) },
		"rows of brackets": func(n int) string { return "x = [\n" + strings.Repeat("    (a,\n     b),\n", n) + "]\n" },
		"one row":          func(n int) string { return "x = [" + strings.Repeat("(a), ", n) + "\n]\n" },
		"indents": func(n int) string {
			return "x = [\n" + strings.Repeat("(a,\n b),\n  (a,\n b),\n   (a,\n b),\n", n/3) + "]\n"
		},
		"tabs": func(n int) string {
			return "x = not" + strings.Repeat("\t", n) + "a" + strings.Repeat("\t", n) + "in y\n"
		},
		"nots":             func(n int) string { return "x = " + strings.Repeat("not a or ", n) + "b in c\n" },
		"types":            func(n int) string { return "x = " + strings.Repeat("type(a) == b, ", n) + "\n" },
		"dunder":           func(n int) string { return "__" + strings.Repeat("a__", n) + " = 1\n" },
		"semicolons":       func(n int) string { return strings.Repeat("x = 1; ", n) + "\n" },
		"escapes":          func(n int) string { return "x = '''" + strings.Repeat("\\d\n", n) + "'''\n" },
		"strings":          func(n int) string { return "x = ('a'" + strings.Repeat("\n'b'", n) + ")\n" },
		"nested f-strings": func(n int) string { return "x = f'" + strings.Repeat("{f\"{x}\"}", n) + "'\n" },
		"comments":         func(n int) string { return strings.Repeat("#a\n", n) },
		"wide row": func(n int) string {
			return "x = '" + strings.Repeat("é", n) + "'; " + strings.Repeat("é=1;", n) + "\n"
		},
		"wide comments": func(n int) string { return "x = (1,  # é" + strings.Repeat("é", n) + "\n 2)\n" },
		"blank lines":   func(n int) string { return strings.Repeat("\n", n) + "x\n" },
	} {
		t.Run(name, func(t *testing.T) {
			bench.Linear(t, 50_000, func(n int) func() {
				text := text(n)
				return func() { check(text, Options{MaxLineLength: 79, MaxDocLength: 72, IndentSize: 4}) }
			})
		})
	}
}

func FuzzCheck(f *testing.F) {
	for _, text := range bench.Goldens(f) {
		f.Add([]byte(text), false)
	}
	var file source.File
	var tokens tokenizer.Tokenizer
	var checker Checker
	all := everything()
	f.Fuzz(func(t *testing.T, data []byte, hanging bool) {
		if err := file.Load(data); err != nil {
			t.Fatal(err)
		}
		o := Options{MaxLineLength: 20, MaxDocLength: 10, IndentSize: 4, HangClosing: hanging}
		list, _ := tokens.Tokenize(file.Text, tokenizer.Options{Target: o.Target})
		for _, finding := range checker.Check(&file, list, o, all, nil) {
			// W505 counts a form feed as the end of a row.
			if finding.Row < 1 || int(finding.Row) > file.Lines() && finding.Code != rule.W505 {
				t.Fatalf("%q: %+v", data, finding)
			}
			if finding.Message() == "" {
				t.Fatalf("%q: no message for %s", data, finding.Code)
			}
		}
	})
}
