package noqa

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/pytext"
	"codelinter/source"
	"codelinter/tokenizer"
)

// Options are those of flake8-noqa.
type Options struct {
	RequireCode bool // NQA104: a comment that silences something must name codes
	IncludeName bool // messages begin with the plugin's name
}

// A Report is a finding as it is before selection and comments.
type Report struct {
	Row  int32
	Code string
}

// A Finding is about a comment.
type Finding struct {
	Row, Column int // of the comment, from 1; columns are in characters
	Start, End  int32
	Code        string // NQA001 to NQA013: how it is spelled; NQA101 to NQA104: what it silences
	Message     string
}

// A checker gathers findings.
type checker struct {
	file     *source.File
	options  Options
	rows     *rows
	findings []Finding
}

// Check returns the findings of flake8-noqa for a text, in the order in which flake8 gets them.
// tokens are those of the logical lines that flake8 checks, reports what it found in the text.
func Check(file *source.File, tokens []tokenizer.Token, reports []Report, o Options) []Finding {
	c := checker{file: file, options: o, rows: newRows(reports)}
	var found []comment
	eachComment(tokens, func(token tokenizer.Token, first int32) {
		c.checkFile(token)
		if n, is := match(file.Text, token); is {
			n.first = first
			c.checkSpelling(&n)
			found = append(found, n)
		}
	})
	for i := range found {
		c.checkUse(&found[i])
	}
	return c.findings
}

func (c *checker) add(token tokenizer.Token, code, format string, args ...any) {
	row := c.file.Row(token.Start)
	message := fmt.Sprintf(format, args...)
	if c.options.IncludeName {
		message = "(flake8-noqa) " + message
	}
	column := utf8.RuneCountInString(c.file.Text[c.file.LineStart(row):token.Start]) + 1
	c.findings = append(c.findings, Finding{Row: row, Column: column, Start: token.Start, End: token.End, Code: code, Message: message})
}

// checkFile checks a comment that probably is to exempt the file. Of flake8's own form
//
//	\s*# flake8[:=]\s*noqa
//
// flake8-noqa also takes other blanks, and no colon.
func (c *checker) checkFile(token tokenizer.Token) {
	said := token.Text(c.file.Text)[1:]
	rest := pytext.TrimLeftSpace(said)
	name := len("flake8")
	if !hasFold(rest, "flake8") {
		if name += utf8.RuneLen(kelvin) - 1; !hasFold(rest, "fla"+string(kelvin)+"e8") {
			return
		}
	}
	rest = rest[name:]
	flake8 := said[:len(said)-len(rest)]
	sep := ""
	if after := pytext.TrimLeftSpace(rest); after != "" && (after[0] == ':' || after[0] == '=') {
		sep, rest = rest[:len(rest)-len(after)+1], after[1:]
	}
	after := pytext.TrimLeftSpace(rest)
	if !hasFold(after, "noqa") {
		return
	}
	noqa := rest[:len(rest)-len(after)+len("noqa")]
	bare := pytext.TrimSpace(flake8)
	if !isSpaced(flake8) {
		mark := sep
		if mark == "" {
			mark = ":"
		}
		c.add(token, "NQA011", `"#%s%s%s" must have a single space after the hash, e.g. "# %s%s%s"`, flake8, sep, noqa, bare, mark, noqa)
	}
	switch strip := pytext.TrimSpace(sep); {
	case sep == "":
		c.add(token, "NQA012", `"#%s%s" must have a colon or equals, e.g. "# %s:%s"`, flake8, noqa, bare, noqa)
	case sep != strip:
		kind := map[string]string{":": "colon", "=": "equals"}[strip]
		c.add(token, "NQA013", `"#%s%s%s" must not have a space before the %s, e.g. "# %s%s%s"`, flake8, sep, noqa, kind, bare, strip, noqa)
	}
}

// isSpaced reports whether a text begins with one space and something else.
func isSpaced(text string) bool {
	rest, is := strings.CutPrefix(text, " ")
	return is && rest != "" && pytext.TrimLeftSpace(rest) == rest
}

// checkSpelling checks how a comment is spelled.
func (c *checker) checkSpelling(n *comment) {
	codes, noqa := pytext.TrimSpace(n.codes), pytext.TrimSpace(n.noqa)
	if Index(n.token.Text(c.file.Text)) < 0 {
		meant := ""
		if n.codes != "" {
			meant = ": " + codes
		}
		c.add(n.token, "NQA001", `"%s" must have a single space after the hash, e.g. "# %s%s"`, n.text(), noqa, meant)
	}
	if n.codes == "" {
		return
	}
	switch {
	case n.sep == "":
		c.add(n.token, "NQA002", `"%s" must have a colon, e.g. "# %s: %s"`, n.text(), noqa, codes)
	case n.sep != ":":
		c.add(n.token, "NQA003", `"%s" must not have a space before the colon, e.g. "# %s: %s"`, n.text(), noqa, codes)
	}
	if n.codes != codes && !isSpaced(n.codes) {
		c.add(n.token, "NQA004", `"%s" must have at most one space before the codes, e.g. "# %s: %s"`, n.text(), noqa, codes)
	}
	if twice := duplicates(n.list()); twice != nil {
		c.add(n.token, "NQA005", `"%s" has duplicate codes, remove %s`, n.text(), strings.Join(twice, ", "))
	}
}

// duplicates returns the items that an earlier one equals.
func duplicates(list []string) (twice []string) {
	seen := map[string]bool{}
	for _, code := range list {
		if seen[code] {
			twice = append(twice, code)
		}
		seen[code] = true
	}
	return twice
}

// checkUse checks what a comment silences. flake8-noqa looks in all rows of its logical line up to
// its own, and takes codes to be whole ones.
func (c *checker) checkUse(n *comment) {
	c.rows.look(n.first, n.token.Row)
	var unused []string
	codes := map[string]bool{}
	for _, code := range n.list() {
		if !codes[code] && !c.rows.found[code] {
			unused = append(unused, code)
		}
		codes[code] = true
	}
	switch {
	case len(codes) == 0 && len(c.rows.found) == 0:
		c.add(n.token, "NQA101", `"%s" has no violations`, n.text())
	case len(codes) == 0 && c.options.RequireCode:
		c.add(n.token, "NQA104", `"%s" must have codes, e.g. "# %s: %s"`, n.text(), pytext.TrimSpace(n.noqa), strings.Join(slices.Sorted(maps.Keys(c.rows.found)), ", "))
	case len(unused) == 0:
	case len(unused) == len(codes):
		c.add(n.token, "NQA102", `"%s" has no matching violations`, n.text())
	default:
		word := "code"
		if len(unused) > 1 {
			word = "codes"
		}
		c.add(n.token, "NQA103", `"%s" has unmatched %s, remove %s`, n.text(), word, strings.Join(unused, ", "))
	}
}
