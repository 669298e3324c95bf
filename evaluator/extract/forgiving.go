package extract

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// A Leniency is a set of forms that [Forgiving] accepts and [Code] does not.
type Leniency uint8

// The forms of fences that models write and the official rules do not accept as Python.
const (
	ShortName Leniency = 1 << iota // "```py", "```python3", "```py3"
	Capitals                       // "```Python"
	Bare                           // "```" with no language
	CRLF                           // lines that end with "\r\n"
	Indented                       // a fence with blanks before it
	Trailing                       // blanks or words after the language
)

// LeniencyCount is the number of single leniencies.
const LeniencyCount = 6

// Leniencies returns the single leniencies, in order.
func Leniencies() [LeniencyCount]Leniency {
	return [...]Leniency{ShortName, Capitals, Bare, CRLF, Indented, Trailing}
}

// String returns what a single Leniency accepts: "py", "Python", "bare",
// "CRLF", "indented" or "trailing".
func (l Leniency) String() string {
	return [...]string{"py", "Python", "bare", "CRLF", "indented", "trailing"}[bits.TrailingZeros8(uint8(l))]
}

// Names returns what each of the leniencies in l accepts, in their order.
func (l Leniency) Names() (names []string) {
	for _, leniency := range Leniencies() {
		if l&leniency != 0 {
			names = append(names, leniency.String())
		}
	}
	return names
}

// Forgiving extracts the code from a completion as a person would, and reports which
// leniencies it needed. It has no part in the official verdict. A fence may be indented,
// have no language or another name of Python's, in any case, and have blanks or words
// after the name. Lines may end with "\r\n". Code loses the indentation of its fence. A
// bare fence counts only if no other fence is Python's, as it may hold the program's
// output. Otherwise the rules are those of [Code].
//
// used may be 0 although the code differs from that of Code.
func Forgiving(text string) (code string, used Leniency) {
	var few [8]span // so that most answers need no allocation
	spans := few[:0]
	for at := 0; ; {
		line, start, ok := nextFence(text, at)
		if !ok {
			break
		}
		at = start
		indent, language, let, ok := openingLine(text[line:start])
		if !ok {
			continue
		}
		end, after, closed := nextFence(text, start)
		if !closed {
			end, after = len(text), len(text)
		}
		at = after
		if strings.Contains(text[start:end], "\r\n") {
			let |= CRLF
		}
		found := span{start: start, end: end, indent: indent, let: let, rank: openBare}
		switch {
		case language == other:
			continue
		case language == pythonic && closed:
			found.rank = named
		case closed:
			found.rank = bare
		case language == pythonic:
			found.rank = openNamed
		}
		spans = append(spans, found)
	}
	if len(spans) == 0 {
		return text, 0
	}
	best := slices.MinFunc(spans, func(a, b span) int { return cmp.Compare(a.rank, b.rank) }).rank
	spans = slices.DeleteFunc(spans, func(s span) bool { return s.rank != best })
	for _, s := range spans {
		used |= s.let
	}
	if s := &spans[0]; len(spans) == 1 && s.indent == 0 && used&CRLF == 0 && text[s.start-1] == '\n' {
		return text[s.start-1 : s.end], used
	}
	var joined strings.Builder
	for i := range spans {
		spans[i].write(&joined, text)
	}
	return joined.String(), used
}

// nextFence returns the start of the first line from at on that begins with a fence after
// any blanks, and the start of the line after it. at must be the start of a line.
func nextFence(text string, at int) (line, next int, ok bool) {
	for {
		found := indexFence(text, at)
		if found < 0 {
			return 0, 0, false
		}
		line = at + strings.LastIndexByte(text[at:found], '\n') + 1
		next = len(text)
		if end := strings.IndexByte(text[found:], '\n'); end >= 0 {
			next = found + end + 1
		}
		if strings.TrimLeft(text[line:found], " \t") == "" {
			return line, next, true
		}
		at = next
	}
}

// A span is a block's place in an answer.
type span struct {
	start, end int // of the lines between the fences
	indent     int // of the opening fence
	let        Leniency
	rank       rank
}

// A rank says how likely a block is the code. The blocks with an answer's lowest rank are
// the code.
type rank uint8

const (
	named rank = iota // as Python's
	bare
	openNamed // nothing closes it
	openBare
)

// write writes a newline and the block, without the indentation of its fence and with
// "\n" at the ends of lines.
func (s *span) write(to *strings.Builder, text string) {
	to.WriteByte('\n')
	for line := range strings.Lines(text[s.start:s.end]) {
		body, crlf := strings.CutSuffix(line, "\r\n")
		to.WriteString(dedent(body, s.indent))
		if crlf {
			to.WriteByte('\n')
		}
	}
}

// A kind is the kind of language that a fence names.
type kind uint8

const (
	none kind = iota
	pythonic
	other
)

// openingLine reports whether line opens a block, its indentation, its language and the
// leniencies that it needs.
func openingLine(line string) (indent int, language kind, let Leniency, ok bool) {
	if line == fence+python+"\n" { // as in most answers
		return 0, pythonic, 0, true
	}
	rest := strings.TrimLeft(line, " \t")
	indent = len(line) - len(rest)
	if !strings.HasPrefix(rest, fence) {
		return 0, none, 0, false
	}
	if indent > 0 {
		let |= Indented
	}
	if strings.HasSuffix(rest, "\r\n") {
		let |= CRLF
	}
	info := strings.TrimRight(strings.TrimLeft(rest, "`"), "\r\n")
	if info == python {
		return indent, pythonic, let, true
	}
	if strings.Contains(info, "`") {
		return 0, none, 0, false // a span of code, not a fence
	}
	words := strings.Fields(info)
	if len(words) == 0 {
		return indent, none, let | Bare, true
	}
	if info != words[0] {
		let |= Trailing
	}
	lower := strings.ToLower(words[0])
	if lower != words[0] {
		let |= Capitals
	}
	switch lower {
	case python:
		return indent, pythonic, let, true
	case "py", "py3", "python3":
		return indent, pythonic, let | ShortName, true
	}
	return indent, other, let, true
}

// dedent removes up to n blanks from the line's start.
func dedent(line string, n int) string {
	for n > 0 && line != "" && (line[0] == ' ' || line[0] == '\t') {
		line = line[1:]
		n--
	}
	return line
}
