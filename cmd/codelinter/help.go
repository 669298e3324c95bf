package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// helpColumns is the width of all help, as a terminal has it.
const helpColumns = 80

// fitHelp makes the help of a command and its subcommands fit: paragraphs are wrapped again, and an
// example goes on in a second line, as the shell reads it.
func fitHelp(command *cobra.Command) {
	paragraphs := strings.Split(command.Long, "\n\n")
	for i, text := range paragraphs {
		if isWide(text) && !strings.Contains("\n"+text, "\n ") {
			paragraphs[i] = wrapWords(strings.Fields(text), "\n")
		}
	}
	command.Long = strings.Join(paragraphs, "\n\n")
	examples := strings.Split(command.Example, "\n")
	for i, line := range examples {
		if isWide(line) {
			examples[i] = "  " + wrapWords(commandParts(strings.TrimSpace(line)), " \\\n      ")
		}
	}
	command.Example = strings.Join(examples, "\n")
	for _, sub := range command.Commands() {
		fitHelp(sub)
	}
}

func isWide(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > helpColumns {
			return true
		}
	}
	return false
}

// wrapWords joins words by blanks, or by end where a line would become too wide. A line has room
// for the end.
func wrapWords(words []string, end string) string {
	indent, rest := 0, ""
	if mark := strings.LastIndexByte(end, '\n'); mark >= 0 {
		indent, rest = len(end)-mark-1, end[:mark]
	}
	var out strings.Builder
	column := indent
	for i, word := range words {
		switch {
		case i == 0:
		case column+1+len(word)+len(rest) > helpColumns:
			out.WriteString(end)
			column = indent
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += len(word)
	}
	return out.String()
}

// commandParts splits a command where it may be broken: before options and pipes, not within
// quotes.
func commandParts(line string) (parts []string) {
	quoted := false
	for word := range strings.SplitSeq(line, " ") {
		if len(parts) > 0 && (quoted || !strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "|")) {
			parts[len(parts)-1] += " " + word
		} else {
			parts = append(parts, word)
		}
		quoted = quoted != (strings.Count(word, "'")%2 == 1)
	}
	return parts
}
