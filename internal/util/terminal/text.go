package terminal

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// Columns returns the columns that text takes.
func Columns(text string) int { return uniseg.StringWidth(text) }

// PadLeft puts blanks before text until it has so many columns.
func PadLeft(text string, columns int) string {
	return strings.Repeat(" ", max(columns-Columns(text), 0)) + text
}

// PadRight puts blanks after text until it has so many columns.
func PadRight(text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-Columns(text), 0))
}

// Shorten cuts text between graphemes to at most so many columns.
func Shorten(text string, columns int) string {
	if Columns(text) <= columns {
		return text
	}
	used, end, state := 0, 0, -1
	for rest := text; rest != ""; {
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += width; used > columns-1 {
			break
		}
		end += len(cluster)
	}
	return text[:end] + "…"
}

// Printable replaces each control character, which a terminal could obey, by U+FFFD.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// Wrap breaks lines that are wider than columns at blanks. The rest gets the line's
// indentation. 0 columns mean no limit.
func Wrap(text []byte, columns int) []byte {
	if columns <= 0 {
		return text
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		line, end := strings.CutSuffix(line, "\n")
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		for Columns(line) > columns {
			used, cut := 0, 0
			state := -1
			for rest, i := line, 0; rest != ""; {
				var cluster string
				var width int
				cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
				if cluster == " " && i >= len(indent) {
					cut = i
				}
				if used += width; used > columns && cut > 0 {
					break
				}
				i += len(cluster)
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
