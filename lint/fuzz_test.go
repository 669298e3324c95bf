package lint

import (
	"testing"
)

// FuzzLint requires of any bytes under all options that a Linter that has linted
// others says what a new one says; that findings are in order, with extents in the
// file; and that Facts knows what comments took away.
func FuzzLint(f *testing.F) {
	for _, golden := range readGoldens(f) {
		f.Add(golden.source, false, false)
		f.Add(golden.source, true, true)
	}
	f.Add([]byte("\ufeff# coding: latin-1\r\nx = '\xe9' # noqa\r"), false, true)
	f.Add([]byte("# coding: utf-7\nimport os  # no+AHE-a\n"), false, false)
	f.Add([]byte("# coding: klingon\r\nx = 'é' \r\ry = z\n"), true, false)
	options := DefaultOptions()
	options.MaxDocLength, options.MaxComplexity, options.Doctests = 72, 1, true
	taste := options
	taste.Select, taste.Ignore, taste.HangClosing = []string{"E", "F", "W", "C"}, []string{}, true
	newLinter := func(o Options) *Linter {
		l, err := New(o)
		if err != nil {
			f.Fatal(err)
		}
		return l
	}
	reused := [...]*Linter{newLinter(options), newLinter(taste)}
	loud := options
	loud.DisableNoqa = true
	f.Fuzz(func(t *testing.T, data []byte, stdin, all bool) {
		linter, o := reused[0], options
		if all {
			linter, o = reused[1], taste
		}
		input := Input{Name: "spam.py", Data: data, Stdin: stdin, Facts: true}
		result := linter.Lint(input)
		got, want := result.Findings, newLinter(o).Lint(input).Findings
		if len(got) != len(want) {
			t.Fatalf("%d findings, from a new Linter %d", len(got), len(want))
		}
		for i := range got {
			g, w := &got[i], &want[i]
			if g.Row != w.Row || g.Column != w.Column || g.Start != w.Start || g.End != w.End || g.Code != w.Code || g.Message() != w.Message() {
				t.Errorf("%+v, from a new Linter %+v", g, w)
			}
			if g.Start < 0 || g.Start > g.End || int(g.End) > len(data) {
				t.Errorf("%s at %d:%d is about bytes %d to %d of %d", g.Code, g.Row, g.Column, g.Start, g.End, len(data))
			}
			if i > 0 && byPosition(got[i-1], *g) > 0 {
				t.Errorf("%d:%d comes after %d:%d", got[i-1].Row, got[i-1].Column, g.Row, g.Column)
			}
		}
		kept := len(got)
		silenced := result.Facts.Silenced
		o.DisableNoqa = true
		if all := len(newLinter(o).Lint(input).Findings); silenced != (all > kept) {
			t.Errorf("%d findings of %d are kept, silenced is %v", kept, all, silenced)
		}
	})
}

// FuzzNoqa requires of any text that the comment that is found begins with
// "# noqa", and governs the row in which it stands.
func FuzzNoqa(f *testing.F) {
	for _, text := range []string{
		"x  # noqa: E501,W291 F401", "# flake8: noqa", "\u3000# fla\u212ae8=\x1cNOQA", "x='''\n# noqa:E5\n'''  # noqa", "# noqa:\u00a0E1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var l Linter
		if err := l.file.LoadStdin([]byte(text)); err != nil {
			t.Skip()
		}
		whole, first := findNoqa(l.file.Text)
		letters := letterScan{text: l.file.Text, lower: -1, upper: -1}
		next := nextNoqa(&letters, 0)
		if !whole && next != first {
			t.Errorf("first at %d and at %d", first, next)
		}
		first = next
		if first < 0 {
			return
		}
		if begin := l.file.Text[first : first+len("# noqa")]; begin[:2] != "# " || !isNoqaAround(begin, 4) {
			t.Errorf("%q is taken for a comment", begin)
		}
		comment := l.noqaAt(first)
		if row := int32(l.file.Row(int32(first))); comment.first > row || row > comment.last {
			t.Errorf("row %d has a comment for %d to %d", row, comment.first, comment.last)
		}
	})
}
