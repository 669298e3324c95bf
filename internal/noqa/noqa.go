// Package noqa reads, judges and writes "# noqa" comments.
//
//	for _, fault := range noqa.Check(file, tokens, reports, noqa.Options{}) {
//		fmt.Println(fault.Row, fault.Code, fault.Message) // 3 NQA101 "# noqa" has no violations
//	}
//
// flake8 itself finds such comments with the regular expression
//
//	# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?
//
// which ignores case in Unicode's sense, see [Codes]. The plugin flake8-noqa also finds what was
// probably meant, and reports how it is spelled and whether it silences anything. [Check] gives the
// findings of flake8-noqa 1.5.0. [Unused] and [Silence] give the edits that remove and write such
// comments.
package noqa

import (
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/tokenizer"
)

// Codes returns the codes at the start of line, which follows a "# noqa", with the blanks and
// commas after them. It returns "" if there are none and the comment is blanket.
func Codes(line string) string {
	line, found := strings.CutPrefix(line, ":")
	if !found {
		return ""
	}
	if r, size := utf8.DecodeRuneInString(line); pytext.IsSpace(r) {
		line = line[size:]
	}
	return codesAt(line)
}

// codesAt returns the codes at the start of line.
func codesAt(line string) string {
	rest := line
	for {
		numbered := strings.TrimLeftFunc(rest, isLetter)
		after := strings.TrimLeft(numbered, "0123456789")
		if len(numbered) == len(rest) || len(after) == len(numbered) {
			return line[:len(line)-len(rest)]
		}
		rest = strings.TrimLeftFunc(after, IsSeparator)
	}
}

// isLetter reports whether Python's [A-Z] matches r with re.IGNORECASE.
func isLetter(r rune) bool {
	return 'a' <= r|0x20 && r|0x20 <= 'z' || r == 'İ' || r == 'ı' || r == 'ſ' || r == kelvin
}

const kelvin = '\u212a' // a k to everyone who ignores case

// IsSeparator reports whether a character stands between codes.
func IsSeparator(r rune) bool { return r == ',' || pytext.IsSpace(r) }

// Index returns the offset of the first "# noqa" in a text, in any case, -1 for none.
func Index(text string) int {
	for at := 0; ; at++ {
		next := strings.Index(text[at:], "# ")
		if next < 0 {
			return -1
		}
		if at += next; hasFold(text[at+2:], "noqa") {
			return at
		}
	}
}

// hasFold reports whether a text begins with an ASCII prefix in any case.
func hasFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// A comment is a noqa as flake8-noqa finds it, by the regular expression
//
//	#(?P<noqa>\s*noqa)\b(?P<sep>\s*:)?(?P<codes>\s*([a-z]+[0-9]+(?:[,\s]+)?)+)?
//
// in a token. Its fields are parts of the text.
type comment struct {
	token            tokenizer.Token
	first            int32 // row of the first token of its logical line
	start, end       int32 // of what the expression matches
	noqa, sep, codes string
}

// text returns what the expression matches.
func (c *comment) text() string { return "#" + c.noqa + c.sep + c.codes }

// list returns the codes, in order, with those that stand twice.
func (c *comment) list() []string { return strings.FieldsFunc(c.codes, IsSeparator) }

// match finds the noqa in a token.
func match(text string, token tokenizer.Token) (c comment, found bool) {
	said := token.Text(text)
	for at := range len(said) {
		if said[at] != '#' {
			continue
		}
		rest := pytext.TrimLeftSpace(said[at+1:])
		if !hasFold(rest, "noqa") {
			continue
		}
		rest = rest[len("noqa"):]
		if r, _ := utf8.DecodeRuneInString(rest); rest != "" && characters.IsWord(r) {
			continue
		}
		c = comment{token: token, start: token.Start + int32(at), noqa: said[at+1 : len(said)-len(rest)]}
		if after, is := strings.CutPrefix(pytext.TrimLeftSpace(rest), ":"); is {
			c.sep, rest = rest[:len(rest)-len(after)], after
		}
		bare := pytext.TrimLeftSpace(rest)
		if codes := codesAt(bare); codes != "" {
			c.codes = rest[:len(rest)-len(bare)+len(codes)]
		}
		c.end = c.start + int32(len(c.text()))
		return c, true
	}
	return comment{}, false
}

// eachComment calls visit for each comment, with the row of the first token of its logical line as
// flake8 has it: a comment of a row of its own, or what ends in a NEWLINE.
func eachComment(tokens []tokenizer.Token, visit func(token tokenizer.Token, first int32)) {
	depth, start := 0, 0
	for i := range tokens {
		t := &tokens[i]
		depth += t.Kind.Nesting()
		switch {
		case t.Kind == tokenizer.COMMENT:
			visit(*t, tokens[start].Row)
		case depth == 0 && (t.Kind == tokenizer.NEWLINE || t.Kind == tokenizer.NL):
			start = i + 1
		}
	}
}
