package parser_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"codelinter/internal/testenv/bench"
	"codelinter/parser"
	"codelinter/parser/internal/diagnose"
	"codelinter/source"
)

func TestMain(m *testing.M) { bench.Main(m) }

// recorded returns the codes whose exceptions were recorded with CPython.
func recorded(t testing.TB) (codes []string) {
	t.Helper()
	data, err := os.ReadFile("../testdata/diagnose/errors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var row struct{ Code string }
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		codes = append(codes, row.Code)
	}
	return codes
}

// describe writes an exception with its place.
func describe(e *parser.SyntaxError) string {
	if e == nil {
		return "valid"
	}
	return e.Error()
}

// TestWhole requires that skipping statements changes no error: that of the
// recordings, nor one before or after the statements of real programs.
func TestWhole(t *testing.T) {
	long := diagnose.Diagnoser{LongWay: true}
	var p parser.Parser
	texts := []string{
		"print -1\nx = = 1\n", "print >>f, x\nx = = 1\n", "match(x=1)\nx = = 1\n", "match (x).y = 1\nx = = 1\n", "type X[T = int] = T\nx = = 1\n",
		"ｐｒｉｎｔ -1\nx = = 1\n", "x.print - 1\nx = = 1\n", "def print(): pass\nexec [x]\nx = = 1\n", "def match(x): match(x=1)\nx = = 1\n",
		"if a:\n    b\nelse:\n    c\nelif d:\n    e\n", "try:\n    a\nexcept A:\n    b\nexcept *B:\n    c\n", "a; b c\n", "a;\nb c\n", "if x: a; b c\n",
		"@a\ndef f(): pass\nb c\n", "@(a)\ndef f(): pass\nb c\n", "@a\n@b\nclass A:\n  @c\n  def f(): pass\n  x y\n", "if a:\n  b\n  c\n d\n",
		"if a:\n  b\n\tc\n", "a\n  b\n", "x = '\n", "a\nb = (\n", "a = $\n", "def f():\n  a\n  b\n  (c\n", "from __future__ import barry_as_FLUFL\n1 <> 2\n1 != 2\n",
		"f(*a if b else c)\nx = = 1\n", "a[b, *c if d else e]\nx = = 1\n", "class A(*a if b else c): pass\nx = = 1\n", "if x:\n  g(a, (*a, b if c else d))\n  x y\n",
		"case[x]: int\nx = = 1\n", "lazy import a\nx = = 1\n", "match(**a)\nx = = 1\n", "[*a for b in c]\nx = = 1\n", "raise a from b\nx = = 1\n",
		strings.Repeat("not ", 6000) + "x\ny z\n", "x = " + strings.Repeat("(", 150) + strings.Repeat(")", 150) + "\ny z\n",
	}
	for _, head := range []string{
		"def f():", "async def f():", "class A:", "@a\nclass A:", "if a:", "if a:\n  b\nelif c:", "while a:", "for a in b:", "async for a in b:", "with a:",
		"try:", "try:\n  a\nexcept A:", "try:\n  a\nexcept A:\n  b\nelse:", "try:\n  a\nfinally:", "match a:\n case b:", "match a:\n case b:\n  c\n case d:",
	} {
		for _, fault := range []string{"b c", "b; c d", "if x\n   y", "if x:\n  y", "if x: y z", "try: b c", "match x:\n   case y\n    z"} {
			texts = append(texts, head+"\n  a\n  "+fault+"\n  d\nelse:\n  e\nf\n", head+" "+fault+"\n")
		}
	}
	texts = append(texts, recorded(t)...)
	for _, text := range bench.Goldens(t) {
		if strings.IndexByte(text, '\r') >= 0 {
			continue
		}
		body := strings.TrimRight(text, "\n")
		texts = append(texts, body+"\nx = = 1\n", "x = = 1\n"+body, "class A:\n  "+strings.ReplaceAll(body, "\n", "\n  ")+"\n  x = (1 2)\n", body[:len(body)/2])
	}
	skipped := 0
	for i, text := range texts {
		for _, target := range source.Versions() {
			if target < source.Python314 && i%20 != 0 && i > 50 || testing.Short() && i%10 != 0 {
				continue
			}
			file := load(t, text)
			want := describe((*parser.SyntaxError)(long.Diagnose(file, target)))
			p.ParseText(file.Text, parser.Options{Target: target})
			if got := describe(p.Diagnose(file, parser.Options{Target: target}, true)); got != want {
				t.Errorf("%v: %q\n got %s\nwant %s", target, text, got, want)
			}
			skipped += p.Skipped()
		}
	}
	if skipped < 1000 && !testing.Short() {
		t.Errorf("%d statements skipped, too few to tell", skipped)
	}
}
