package flake8

import (
	"cmp"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/internal/util/terminal"
	"codelinter/rule"
)

// width returns the terminal's columns: $COLUMNS, or else the terminal's own
// number, or else 80.
func width(w io.Writer) int {
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		return columns
	}
	if columns := terminal.Width(w); columns > 0 {
		return columns
	}
	return 80
}

// wrap breaks text into lines of at most width characters, at blanks and after
// hyphens between letters.
func wrap(text string, width int) []string {
	width = max(width, 11)
	var lines []string
	line, length := "", 0
	for _, word := range strings.Fields(text) {
		for first := true; word != ""; first = false {
			part := word
			if at := hyphen(word); at > 0 {
				part = word[:at]
			}
			word = word[len(part):]
			n := utf8.RuneCountInString(part)
			blank := 0
			if first && line != "" {
				blank = 1
			}
			if line != "" && length+blank+n > width {
				lines = append(lines, line)
				line, length, blank = "", 0, 0
			}
			line += strings.Repeat(" ", blank) + part
			length += blank + n
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// hyphen returns the offset after the first hyphen of word between two letters.
func hyphen(word string) int {
	for i := 1; i+1 < len(word); i++ {
		if word[i] == '-' && isASCIILetter(word[i-1]) && isASCIILetter(word[i+1]) {
			return i + 1
		}
	}
	return 0
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// helpText returns the help in argparse's layout and flake8's groups. It names the
// flake8 that the options follow. canPlug says that there can be plugins.
func helpText(name string, columns int, s *settings, canPlug bool) string {
	const margin = 24
	columns = max(columns-2, margin+20)
	var out strings.Builder
	out.WriteString("usage: " + name + " [options] file file ...\n\npositional arguments:\n  filename\n")
	group := ""
	entry := func(heading, head, help string) {
		if heading != group {
			out.WriteString("\n" + heading + ":\n")
			group = heading
		}
		head = "  " + head
		out.WriteString(head)
		at := len(head)
		for _, line := range wrap(help, columns-margin) {
			if at > margin-2 {
				out.WriteByte('\n')
				at = 0
			}
			out.WriteString(strings.Repeat(" ", margin-at) + line)
			at = margin
		}
		out.WriteByte('\n')
	}
	for _, o := range knownOptions(canPlug) {
		head := strings.Join(o.names, ", ")
		if o.takesValue() {
			head += " " + o.value
		}
		entry(cmp.Or(o.group, "options"), head, o.help)
	}
	if s.plugins != nil {
		for _, o := range s.plugins.Options() {
			if !o.Hidden {
				entry(o.Group, o.Head, o.Help)
			}
		}
	}
	compatible := "Compatible with " + rule.Reference(s.lint.Release, s.lint.Target) + ":"
	for i, plugin := range s.versions() {
		if i > 0 {
			compatible += ","
		}
		compatible += " " + plugin[0] + ": " + plugin[1]
	}
	out.WriteString("\n" + strings.Join(wrap(compatible, columns), "\n") + "\n")
	return out.String()
}

// earlyUsage returns the usage of the first pass, in argparse's layout.
func earlyUsage(name string, columns int) string {
	const prefix = "usage: "
	columns -= 2
	parts := []string{name}
	for _, o := range earlyOptions(false) {
		if o.own {
			continue
		}
		part := "[" + o.names[0]
		if o.takesValue() {
			part += " " + o.value
		}
		parts = append(parts, part+"]")
	}
	if usage := prefix + strings.Join(parts, " "); len(usage) <= columns {
		return usage
	}
	indent := strings.Repeat(" ", len(prefix)+len(name)+1)
	lines, line := []string(nil), prefix+name
	for _, part := range parts[1:] {
		if len(line)+1+len(part) > columns && strings.TrimSpace(line) != "" {
			lines = append(lines, line)
			line = indent + part
			continue
		}
		line += " " + part
	}
	return strings.Join(append(lines, line), "\n")
}
