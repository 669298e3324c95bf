package report

import (
	"bytes"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// screen returns how many columns w has if it is a terminal, and 0 if not: what
// goes to a file or a program is not fitted to anything.
func screen(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 0
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// cells returns how many columns of a terminal text takes.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n += cell(r)
	}
	return n
}

func cell(r rune) int {
	switch {
	case r < 0x300: // most of what there is
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// padLeft and padRight fill text with blanks to so many columns.
func padLeft(text string, columns int) string {
	return strings.Repeat(" ", max(columns-cells(text), 0)) + text
}

func padRight(text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-cells(text), 0))
}

// shorten cuts text so that it takes at most so many columns.
func shorten(text string, columns int) string {
	if cells(text) <= columns {
		return text
	}
	used := 0
	for i, r := range text {
		if used += cell(r); used > columns-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// plain returns text with nothing in it that a terminal would obey.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// wrap breaks lines that are wider than columns at their blanks. What follows is
// indented as the line is. 0 columns are no limit.
func wrap(text []byte, columns int) []byte {
	if columns <= 0 {
		return text
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		line, end := strings.CutSuffix(line, "\n")
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		for cells(line) > columns {
			used, cut := 0, 0
			for i, r := range line {
				if r == ' ' && i >= len(indent) {
					cut = i
				}
				if used += cell(r); used > columns && cut > 0 {
					break
				}
			}
			if cut == 0 {
				break
			}
			out.WriteString(strings.TrimRight(line[:cut], " ") + "\n")
			line = indent + strings.TrimLeft(line[cut:], " ")
		}
		out.WriteString(line)
		if end {
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}
