package docs

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
)

var (
	fence    = regexp.MustCompile("(?ms)^ *(?:```|~~~).*?^ *(?:```|~~~)[ \t]*$")
	codeSpan = regexp.MustCompile("`[^`\n]+`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#{1,6} +(.*)$`)
	linked   = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)
	// A table's first row, with the one of dashes after it.
	tableHead = regexp.MustCompile(`(?m)^ *(\|.*\|) *\n *\|[-:| ]+\| *$`)
	page      = regexp.MustCompile(`^(?:[\w-]+/)*[\w-]+\.md$`)
)

// anchors returns the names that GitHub, and the site, give to the headings of a
// page: in small letters, blanks as hyphens, without punctuation, and the second
// of the same name with -1.
func anchors(markdown string) map[string]bool {
	names := map[string]bool{}
	times := map[string]int{}
	for _, match := range heading.FindAllStringSubmatch(fence.ReplaceAllString(markdown, ""), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(linked.ReplaceAllString(match[1], "$1")))
		if n := times[name]; n > 0 {
			names[fmt.Sprintf("%s-%d", name, n)] = true
		} else {
			names[name] = true
		}
		times[name]++
	}
	return names
}

// nameless returns the head rows of tables in which a column has no heading. A screen reader
// says a cell's headings, and a reader of a long table has nothing else.
func nameless(prose string) (rows []string) {
	for _, match := range tableHead.FindAllStringSubmatch(prose, -1) {
		if strings.Contains(strings.ReplaceAll(match[1], " ", ""), "||") {
			rows = append(rows, match[1])
		}
	}
	return rows
}

// broken returns what is wrong with the page name in files: links that lead to no file or to no
// heading, pages that are mentioned as code and are not there, and columns without a heading.
func broken(files fs.FS, name string) (faults []string) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return []string{err.Error()}
	}
	prose := fence.ReplaceAllString(string(text), "")
	for _, match := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(prose, "`code`"), -1) {
		to, anchor, _ := strings.Cut(match[1], "#")
		if strings.Contains(to, "://") {
			continue
		}
		target := name
		if to != "" {
			target = path.Join(path.Dir(name), to)
		}
		if _, err := fs.Stat(files, target); err != nil {
			faults = append(faults, fmt.Sprintf("%s: %s: there is no such file", name, match[1]))
		} else if anchor != "" {
			text, err := fs.ReadFile(files, target)
			if err != nil || !anchors(string(text))[anchor] {
				faults = append(faults, fmt.Sprintf("%s: %s: there is no such heading", name, match[1]))
			}
		}
	}
	for _, row := range nameless(prose) {
		faults = append(faults, fmt.Sprintf("%s: %s: a column has no heading", name, row))
	}
	for _, span := range codeSpan.FindAllString(prose, -1) {
		mention := strings.Trim(span, "`")
		if !page.MatchString(mention) || path.Base(mention) == "CODE.md" { // stands for a page of each code
			continue
		}
		_, beside := fs.Stat(files, path.Join(path.Dir(name), mention))
		_, below := fs.Stat(files, mention)
		if beside != nil && below != nil {
			faults = append(faults, fmt.Sprintf("%s: %s: there is no such page", name, mention))
		}
	}
	return faults
}

// Every link of the pages that people read leads to a file and a heading that is
// there.
func TestLinks(t *testing.T) {
	root := os.DirFS("..")
	names := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "python/README.md", "packaging/npm/codelinter/README.md"}
	pages, err := fs.Glob(root, "docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatal(pages, err)
	}
	for _, name := range append(names, pages...) {
		for _, fault := range broken(root, name) {
			t.Error(fault)
		}
	}
	readme, err := fs.ReadFile(root, "README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pages {
		if !strings.Contains(string(readme), name) {
			t.Errorf("README.md does not name %s", name)
		}
	}
}

// A broken link is found, and what only looks like one is none.
func TestBroken(t *testing.T) {
	files := fstest.MapFS{
		"README.md": {Data: []byte("# A title, `here`\n\n## Twice\n## Twice\n[a](docs/a.md#the-end) [b](#a-title-here) [c](#twice-1) [d](https://example.org/x.md)\n```sh\n# no heading\n[e](gone.md)\n```\n`[f](gone.md)` `docs/a.md`\n")},
		"docs/a.md": {Data: []byte("## The end\n[a](../README.md) `README.md`\n")},
		"docs/b.md": {Data: []byte("[a](gone.md) [b](a.md#gone) [c](#no-heading) [d](../README.md#twice-2) `gone.md`\n\n| a | b |\n|---|--:|\n| | 1 |\n\n| | b |\n|---|--:|\n")},
	}
	for name, want := range map[string]int{"README.md": 0, "docs/a.md": 0, "docs/b.md": 6} {
		if got := broken(files, name); len(got) != want {
			t.Errorf("%s: %d faults, want %d: %v", name, len(got), want, got)
		}
	}
}
