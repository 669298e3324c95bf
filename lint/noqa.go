package lint

import (
	"strings"
	"unicode/utf8"

	"codelinter/internal/noqa"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// This file removes the findings that comments silence. Two forms count:
//
//	# flake8: noqa                the whole file, if it begins a line
//	import os  # noqa: F401,E402  these codes, on this line
//
// flake8 finds them with the regular expressions
//
//	\s*# flake8[:=]\s*noqa                                       at a line's start
//	# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?       anywhere in a line
//
// which ignore case in Unicode's sense (so [A-Z] has ſ and the Kelvin sign, and
// \s the blanks of all scripts) and have these consequences:
//
//   - "# noqa : E501" and "# noqa: later" are blanket: where no codes follow,
//     the pattern still matches without them. "#noqa" is nothing at all.
//   - The first "# noqa" counts, in comments and strings alike.
//   - Codes are compared as they are written: "# noqa: e501" silences nothing.
//     They are prefixes: "# noqa: E5" silences E501.
//   - "E501W291" is one code, and silences nothing.
//   - "# flake8: noqa: E501" silences the whole file, not one code in it.
//
// "Line" is the line that flake8 maps a row to: the rows from the first token after an NL or
// NEWLINE up to the next NL or NEWLINE. So a multi-line string, or a statement continued by
// backslashes, is one line. Each row within brackets is a line. Rows without tokens, rows after
// the last NEWLINE, and all rows of a text that does not tokenize are lines of their own.
//
// The search looks for the letter q, which is rare, from the first # on, with vector instructions.
// More is done only if there is a "# noqa" and a finding. Each range of rows is looked at once, so
// the time is linear for every file.

// A silencer is the range of rows that one comment governs.
type silencer struct {
	first, last int32
	blanket     bool
	codes       rule.Set // if not blanket
}

func (n *silencer) silences(code rule.Code) bool { return n.blanket || n.codes.Has(code) }

// findNoqa looks for comments that silence findings. If one silences the whole text, it returns
// true and the offset of its "noqa". Otherwise it returns the offset of the first "# noqa", or -1.
func findNoqa(text string) (wholeFile bool, first int) {
	first = -1
	comment := strings.IndexByte(text, '#')
	if comment < 0 {
		return false, first
	}
	letters := letterScan{text: text, lower: -1, upper: -1}
	for at := letters.next(comment); at < len(text); at = letters.next(at + 1) {
		if !isNoqaAround(text, at) {
			continue
		}
		start := at - len("no")
		if isWholeFile(text, start) {
			return true, start
		}
		if first < 0 && strings.HasSuffix(text[:start], "# ") {
			first = start - len("# ")
		}
	}
	return false, first
}

// nextNoqa returns the offset of the next "# noqa" from offset on, -1 for none.
func nextNoqa(letters *letterScan, offset int) int {
	text := letters.text
	for at := letters.next(offset); at < len(text); at = letters.next(at + 1) {
		const before = len("# no")
		if at-before >= offset && isNoqaAround(text, at) && text[at-before:at-before+2] == "# " {
			return at - before
		}
	}
	return -1
}

// isNoqaAround reports whether the q at offset at is part of "noqa".
func isNoqaAround(text string, at int) bool {
	return at >= 2 && at+1 < len(text) && text[at-2]|0x20 == 'n' && text[at-1]|0x20 == 'o' && text[at+1]|0x20 == 'a'
}

// isWholeFile reports whether the line up to offset at, where "noqa" stands, is
// "# flake8:" or "# flake8=" between blanks. It reads backwards, over blanks
// that no other "noqa" looks at.
func isWholeFile(text string, at int) bool {
	line := trimBlanksRight(text[:at])
	if line == "" || line[len(line)-1] != ':' && line[len(line)-1] != '=' {
		return false
	}
	line = line[:len(line)-1]
	comment := len(line) - len("# flake8")
	if comment >= 0 && strings.EqualFold(line[comment:], "# flake8") {
		line = line[:comment]
	} else if comment -= len(kelvin) - len("k"); comment >= 0 && strings.EqualFold(line[comment:], "# fla"+kelvin+"e8") {
		line = line[:comment]
	} else {
		return false
	}
	line = trimBlanksRight(line)
	return line == "" || line[len(line)-1] == '\n'
}

const kelvin = "\u212a" // a k to everyone who ignores case

// trimBlanksRight cuts what Python's \s matches from the end of text, except
// newlines.
func trimBlanksRight(text string) string {
	for text != "" && text[len(text)-1] != '\n' {
		r, size := utf8.DecodeLastRuneInString(text)
		if !pytext.IsSpace(r) {
			break
		}
		text = text[:len(text)-size]
	}
	return text
}

// A letterScan finds the letter q in either case. It remembers the next of
// each, so that a text full of one and free of the other is read once.
type letterScan struct {
	text         string
	lower, upper int // offset of the next q and Q; -1 before the first call
}

// next returns the offset of the first q or Q from offset on, len(text) if
// there is none. Offsets must not fall from call to call.
func (s *letterScan) next(offset int) int {
	if s.lower < offset {
		s.lower = indexFrom(s.text, offset, 'q')
	}
	if s.upper < offset {
		s.upper = indexFrom(s.text, offset, 'Q')
	}
	return min(s.lower, s.upper)
}

func indexFrom(text string, offset int, c byte) int {
	if offset < len(text) {
		if at := strings.IndexByte(text[offset:], c); at >= 0 {
			return offset + at
		}
	}
	return len(text)
}

// dropSilenced removes the findings that comments silence from findings, which
// are in the order of their rows. first is where the first "# noqa" stands.
func (l *Linter) dropSilenced(findings []rule.Finding, first int) []rule.Finding {
	text := l.file.Text
	letters := letterScan{text: text, lower: -1, upper: -1}
	comment := l.noqaAt(first)
	kept := findings[:0]
	for i := range findings {
		finding := &findings[i]
		for comment.last < finding.Row && first >= 0 {
			// The range's other comments do not count: look after it.
			first = nextNoqa(&letters, max(first+1, int(l.file.LineStart(int(comment.last)+1))))
			if first >= 0 {
				comment = l.noqaAt(first)
			}
		}
		if comment.first <= finding.Row && finding.Row <= comment.last && comment.silences(finding.Code) {
			l.facts.Silenced = true
			if row := l.file.Row(int32(first)); l.facts.NoqaLine == 0 || row < l.facts.NoqaLine {
				l.facts.NoqaLine = row
			}
			if l.input.Silenced {
				l.silenced = append(l.silenced, *finding)
			}
			continue
		}
		kept = append(kept, *finding)
	}
	return kept
}

// noqaAt reads the "# noqa" at offset at.
func (l *Linter) noqaAt(at int) silencer {
	first, last := l.noqaRows(at)
	comment := silencer{first: first, last: last}
	if last == 0 {
		return comment
	}
	line := l.file.Text[at+len("# noqa") : l.file.LineStart(int(last)+1)]
	codes := noqa.Codes(line)
	comment.blanket = codes == ""
	for code := range strings.FieldsFuncSeq(codes, noqa.IsSeparator) {
		first, end := rule.Span(code)
		for i := first; i < end; i++ {
			comment.codes.Add(rule.Code(i))
		}
	}
	return comment
}

// noqaRows returns the rows that flake8 searches as one line for the row of
// offset at, zeros if it searches none.
func (l *Linter) noqaRows(at int) (first, last int32) {
	row := int32(l.file.Row(int32(at)))
	if first, last = l.lineOf(row); first == 0 && (!l.tokenized || l.readsFile()) {
		return row, row
	}
	return first, last
}

// firstUnmapped returns the first of the last rows that flake8 maps to no line: all rows of a text
// that does not tokenize, else the rows after the last NL or NEWLINE. Before 3.12 a comment after a
// backslash in the last row has no NL.
func (l *Linter) firstUnmapped() int32 {
	if l.tokenized {
		for i := len(l.tokens) - 1; i >= 0; i-- {
			if endsLine(l.tokens[i].Kind) {
				return l.tokens[i].Row + 1
			}
		}
	}
	return 1
}

func endsLine(kind tokenizer.Kind) bool { return kind == tokenizer.NL || kind == tokenizer.NEWLINE }
