package rule

import (
	"slices"
	"strings"
	"testing"
)

// shown reports whether code has examples on its page: those that Python 3.14
// gives do.
func shown(code Code) bool { return code != F407 }

func TestPages(t *testing.T) {
	order := []string{"What it flags", "Why", "Bad", "Good", "Options", "Notes"}
	for i := range catalog {
		code := Code(i)
		page, ok := Page(code)
		if !ok {
			t.Errorf("%s has no page", code)
			continue
		}
		if want := code.String() + " " + catalog[code].Name; page.Title != want {
			t.Errorf("%s: the title is %q, want %q", code, page.Title, want)
		}
		blocks, first := 0, order[:2]
		if shown(code) {
			blocks, first = 2, order[:4]
		}
		if shown(code) && (page.Bad == "" || page.Good == "" || page.Bad == page.Good) {
			t.Errorf("%s: an example is missing", code)
		}
		if option := catalog[code].Option; option != "" &&
			!slices.ContainsFunc(page.Options, func(o string) bool { return strings.HasPrefix(o, option) }) {
			t.Errorf("%s: its examples need %s", code, option)
		}

		headings := headings(page.Markdown)
		at := 0
		for _, heading := range headings {
			for at < len(order) && order[at] != heading {
				at++
			}
			at++
		}
		if at > len(order) || !slices.Equal(headings[:min(len(first), len(headings))], first) {
			t.Errorf("%s: its headings are %q, want %q", code, headings, order)
		}
		for _, part := range strings.Split(page.Markdown, "\n## ")[1:] {
			if _, body, _ := strings.Cut(part, "\n"); strings.TrimSpace(body) == "" {
				t.Errorf("%s: nothing stands under %q", code, part)
			}
		}
		if n := strings.Count(page.Markdown, "\n```python"); n != blocks {
			t.Errorf("%s has %d blocks of Python, want %d", code, n, blocks)
		}
		if page.Markdown != strings.TrimSpace(page.Markdown)+"\n" {
			t.Errorf("%s: the page must end in one newline", code)
		}
	}
}

// headings returns the second-level headings outside fenced blocks.
func headings(markdown string) []string {
	var found []string
	fenced := false
	for line := range strings.Lines(markdown) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if heading, ok := strings.CutPrefix(line, "## "); ok && !fenced {
			found = append(found, heading)
		}
	}
	return found
}

// Every file among the pages belongs to a code.
func TestNoOrphanPage(t *testing.T) {
	entries, err := pages.ReadDir("pages")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		code, ok := Find(strings.TrimSuffix(entry.Name(), ".md"))
		if !ok || code.String()+".md" != entry.Name() {
			t.Errorf("pages/%s belongs to no code", entry.Name())
		}
	}
}

func TestUnescape(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"x = 1\n", "x = 1\n"},
		{`a\sb\tc\fd\re` + "\n", "a b\tc\fd\re\n"},
		{`x\\s` + "\n", `x\s` + "\n"},
		{`x = 1\z` + "\n", "x = 1"},
		{`x\`, `x\`},
	} {
		if got := unescape(test.in); got != test.want {
			t.Errorf("unescape(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestPageParts(t *testing.T) {
	page, ok := Page(W292)
	if !ok || page.Bad != "total = 1" || page.Good != "total = 1\n" || len(page.Options) != 0 {
		t.Errorf("W292: %+v, %v", page, ok)
	}
	page, ok = Page(W505)
	if !ok || !slices.Equal(page.Options, []string{"--max-doc-length=72"}) {
		t.Errorf("W505: %+v, %v", page, ok)
	}
}
