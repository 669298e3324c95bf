package lint

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codelinter/rule"
	"codelinter/tokenizer"
)

// logicalLines returns the ends of the logical lines among tokens: the index after the last token
// of each.
func logicalLines(tokens []tokenizer.Token) (ends []int) {
	comment, first := false, true
	for i := range tokens {
		switch t := &tokens[i]; t.Kind {
		case tokenizer.INDENT, tokenizer.DEDENT:
			continue
		case tokenizer.NL:
			if first || !comment {
				continue
			}
		case tokenizer.NEWLINE:
		default:
			if first {
				first, comment = false, t.Kind == tokenizer.COMMENT
			}
			continue
		}
		ends, first = append(ends, i+1), true
	}
	return ends
}

// randomEdit replaces a random part of some logical lines, mostly blanks.
func randomEdit(text string, random *rand.Rand) string {
	parts := []string{"", " ", "  ", "\n", "\n\n", "    ", " # c", "#c\n", "\\\n", "(", ")", ",", "x", "=", ": ", ";", "import os\n", "def f(): pass\n", "'", "@d\n", "    \n", "# noqa", "if x:\n    y\n"}
	at := random.IntN(len(text))
	end := min(len(text), at+random.IntN(3))
	if random.IntN(2) == 0 { // at a blank or a line end
		for at < len(text)-1 && !strings.ContainsRune(" \n", rune(text[at])) {
			at++
		}
		end = at + random.IntN(2)
	}
	return text[:at] + parts[random.IntN(len(parts))] + text[end:]
}

// TestEdited compares the findings of edited texts with those of a lint of the whole text, after
// one edit and another.
func TestEdited(t *testing.T) {
	files, err := filepath.Glob("../testdata/flake8-golden/*.py")
	if more, e := filepath.Glob("../testdata/flake8-golden/*/*.py"); e == nil {
		files = append(files, more...)
	}
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	options := DefaultOptions()
	options.Ignore = []string{}
	random := rand.New(rand.NewPCG(53, 1))
	spliced, skipped, wanted := 0, 0, 0
	linters := newLinters(t, options)
	options.MaxComplexity = 1
	complexity := newLinters(t, options)
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tries := 30
		if testing.Short() {
			tries = 5
		}
		for try := range tries {
			of := &linters
			if try%4 == 0 {
				of = &complexity
			}
			s, k := checkEdits(t, of, path, string(data), random)
			spliced, skipped, wanted = spliced+s, skipped+k, wanted+1
		}
	}
	t.Logf("%d texts, %d of two edits done in part, %d without a parse", wanted, spliced, skipped)
	if spliced < wanted/8 || skipped < wanted/50 {
		t.Errorf("only %d and %d of %d", spliced, skipped, wanted)
	}
}

// A trio of linters: a result is valid until its linter lints again.
type trio struct{ before, got, want *Linter }

func newLinters(t *testing.T, options Options) trio {
	t.Helper()
	l, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return trio{l, l.Clone(), l.Clone()}
}

// checkEdits lints a text, and twice an edited one.
func checkEdits(t *testing.T, linters *trio, name, text string, random *rand.Rand) (spliced, skipped int) {
	t.Helper()
	input := Input{Name: name, Data: []byte(text), Tree: true, Silenced: true, Repeatable: true}
	before := linters.before.Lint(input)
	for range 2 {
		if before.Tokens == nil || text == "" {
			return
		}
		edited, changes := editLines(text, before.Tokens, random)
		if changes == nil {
			return
		}
		input.Data = []byte(edited)
		want := linters.want.Lint(input)
		input.Edited = &Edited{&before, changes}
		input.SkipTree = func(r *Result) bool {
			same := len(r.Spans) > 0 && sameTokens(text, edited, before.Tokens, r.Tokens)
			if same {
				skipped++
			}
			return same
		}
		got := linters.got.Lint(input)
		input.Edited, input.SkipTree = nil, nil
		if len(got.Spans) > 0 {
			spliced++
			if !slices.EqualFunc(got.Tokens, want.Tokens, isSameToken) {
				t.Fatalf("%s: tokens of %q and %q, %v:\n%v\n%v", name, text, edited, changes, got.Tokens, want.Tokens)
			}
		}
		for i, pair := range [...][2][]rule.Finding{{got.Findings, want.Findings}, {got.Silenced, want.Silenced}} {
			if !slices.EqualFunc(pair[0], pair[1], func(a, b rule.Finding) bool { return a.Bare() == b.Bare() && a.Message() == b.Message() }) {
				t.Fatalf("%s: %q became %q, list %d:\n%sexpected:\n%s", name, text, edited, i, listed(pair[0]), listed(pair[1]))
			}
		}
		if !want.Invalid {
			before, text = got, edited
			linters.before, linters.got = linters.got, linters.before
		}
	}
	return spliced, skipped
}

// listed writes findings, one a row.
func listed(findings []rule.Finding) string {
	var b strings.Builder
	for i := range findings {
		f := &findings[i]
		fmt.Fprintf(&b, "%d:%d: %v %s [%d:%d]\n", f.Row, f.Column, f.Code, f.Message(), f.Start, f.End)
	}
	return b.String()
}

// editLines edits some logical lines.
func editLines(text string, tokens []tokenizer.Token, random *rand.Rand) (edited string, changes []Change) {
	ends := logicalLines(tokens)
	if len(ends) == 0 {
		return "", nil
	}
	passed := int32(0)
	for line := random.IntN(len(ends)); line < len(ends) && len(changes) < 4; line += 1 + random.IntN(1+len(ends)/3) {
		c := Change{Last: ends[line], End: tokens[ends[line]-1].End}
		if line > 0 {
			c.First, c.Start = ends[line-1], tokens[ends[line-1]-1].End
		}
		if int(c.End) > len(text) || c.Start == c.End {
			break
		}
		new := randomEdit(text[c.Start:c.End], random)
		edited += text[passed:c.Start] + new
		passed, c.Size = c.End, int32(len(new))
		changes = append(changes, c)
	}
	return edited + text[passed:], changes
}

// sameTokens reports whether two texts have the same tokens, besides those that the parser ignores.
func sameTokens(a, b string, before, after []tokenizer.Token) bool {
	seen := func(tokens []tokenizer.Token) []tokenizer.Token {
		return slices.DeleteFunc(slices.Clone(tokens), func(t tokenizer.Token) bool { return t.Kind.IsIgnored() })
	}
	return slices.EqualFunc(seen(before), seen(after), func(t, u tokenizer.Token) bool {
		switch t.Kind {
		case tokenizer.INDENT, tokenizer.DEDENT, tokenizer.NEWLINE, tokenizer.ENDMARKER:
			return t.Kind == u.Kind
		case tokenizer.FSTRING_START, tokenizer.TSTRING_START, tokenizer.NUMBER:
			return false // not only tokens count, see fix
		}
		return t.Kind == u.Kind && t.Text(a) == u.Text(b)
	})
}

// isSameToken compares tokens but for Plain, which says that rules need not look at a token. Less
// of them have it at the end of a text.
func isSameToken(a, b tokenizer.Token) bool {
	a.Flags &^= tokenizer.Plain
	b.Flags &^= tokenizer.Plain
	return a == b
}
