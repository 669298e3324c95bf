package flake8

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/internal/util/terminal"
	"codelinter/internal/version"
	"codelinter/lint"
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
// flake8 that the options follow.
func helpText(name string, columns int, o *lint.Options) string {
	const margin = 24
	columns = max(columns-2, margin+20)
	var out strings.Builder
	out.WriteString("usage: " + name + " [options] file file ...\n\npositional arguments:\n  filename\n")
	group := "options"
	groups := []string{group}
	for _, o := range options {
		if o.group != "" && groups[len(groups)-1] != o.group {
			groups = append(groups, o.group)
		}
	}
	for _, group := range groups {
		out.WriteString("\n" + group + ":\n")
		for _, o := range options {
			if o.group != group && !(o.group == "" && group == "options") {
				continue
			}
			head := "  " + strings.Join(o.names, ", ")
			if o.takesValue() {
				head += " " + o.value
			}
			out.WriteString(head)
			at := len(head)
			for _, line := range wrap(o.help, columns-margin) {
				if at > margin-2 {
					out.WriteByte('\n')
					at = 0
				}
				out.WriteString(strings.Repeat(" ", margin-at) + line)
				at = margin
			}
			out.WriteByte('\n')
		}
	}
	compatible := "Compatible with " + rule.Reference(o.Release, o.Target) + ":"
	for i, plugin := range version.Plugins() {
		if i > 0 {
			compatible += ","
		}
		compatible += " " + plugin.String() + ": " + o.Release.Version(plugin)
	}
	out.WriteString("\n" + strings.Join(wrap(compatible, columns), "\n") + "\n")
	return out.String()
}

// earlyUsage returns the usage of the first pass, in argparse's layout.
func earlyUsage(name string, columns int) string {
	const prefix = "usage: "
	columns -= 2
	parts := []string{name}
	for _, o := range earlyOptions() {
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
