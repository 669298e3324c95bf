package extract

import (
	"bytes"
	"strings"
)

// A Leniency is a set of things that [Forgiving] accepts and [Code] does not.
type Leniency uint8

// What models write that the official rules do not see as Python in a fence.
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
	switch l {
	case ShortName:
		return "py"
	case Capitals:
		return "Python"
	case Bare:
		return "bare"
	case CRLF:
		return "CRLF"
	case Indented:
		return "indented"
	}
	return "trailing"
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

// Forgiving takes the code out of a completion as a person would, and reports which
// leniencies that took. It has no part in the official verdict. A fence may
// be indented, have no language or another name of Python's, in any case, and
// blanks or words after it; lines may end with "\r\n". Code loses the
// indentation of its fence. A bare fence counts only where no other fence is
// Python's: it may hold the program's output as well. Otherwise the rules are
// those of [Code]: blocks are joined, a block left open counts if there is no
// closed one, and without any fence the whole text is the code.
//
// used is 0 if no leniency was needed, which does not mean that the text is that of
// Code.
func Forgiving(text string) (code string, used Leniency) {
	lines := strings.SplitAfter(text, "\n")
	var body bytes.Buffer
	var (
		named, bare       block // closed
		openNamed, opened block // left open; kept if nothing is closed
	)
	for i := 0; i < len(lines); i++ {
		indent, language, let, ok := openingLine(lines[i])
		if !ok {
			continue
		}
		body.Reset()
		closed := false
		at := i + 1
		for ; at < len(lines); at++ {
			if line := strings.TrimLeft(lines[at], " \t"); strings.HasPrefix(line, fence) {
				closed = true
				break
			}
			line := strings.TrimSuffix(lines[at], "\r\n")
			if len(line) < len(lines[at]) {
				let |= CRLF
				line += "\n"
			}
			body.WriteString(dedent(line, indent))
		}
		into := &named
		switch {
		case language == other:
			into = nil
		case language == none && closed:
			into = &bare
		case language == none:
			into = &opened
		case !closed:
			into = &openNamed
		}
		if into != nil {
			into.add(&body, let)
		}
		i = at
	}
	for _, found := range []*block{&named, &bare, &openNamed, &opened} {
		if found.any {
			return found.text.String(), found.let
		}
	}
	return text, 0
}

// A block is the joined text of all blocks of one kind.
type block struct {
	text strings.Builder
	let  Leniency
	any  bool
}

func (b *block) add(body *bytes.Buffer, let Leniency) {
	b.text.WriteByte('\n')
	b.text.Write(body.Bytes())
	b.let |= let
	b.any = true
}

// A kind is what the word after a fence names.
type kind uint8

const (
	none kind = iota
	pythonic
	other
)

// openingLine reports whether line opens a block, how far it is indented, what
// language it names and which leniencies that takes.
func openingLine(line string) (indent int, language kind, let Leniency, ok bool) {
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
