package report

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// cells returns how many columns of a terminal text takes.
func cells(text string) int { return uniseg.StringWidth(text) }

// padLeft and padRight fill text with blanks to so many columns.
func padLeft(text string, columns int) string {
	return strings.Repeat(" ", max(columns-cells(text), 0)) + text
}

func padRight(text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-cells(text), 0))
}

// shorten cuts text, between what is seen as characters, so that it takes at most so
// many columns.
func shorten(text string, columns int) string {
	if cells(text) <= columns {
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
