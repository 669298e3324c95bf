package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Help fits a terminal of 80 columns, in all subcommands.
func TestHelpFits(t *testing.T) {
	var visit func(command *cobra.Command)
	seen := 0
	visit = func(command *cobra.Command) {
		seen++
		var out bytes.Buffer
		command.SetOut(&out)
		if err := command.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > helpColumns {
				t.Errorf("%s --help: %d columns: %s", command.CommandPath(), len([]rune(line)), line)
			}
		}
		for _, sub := range command.Commands() {
			visit(sub)
		}
	}
	visit(newRootCommand(newCommands()...))
	if seen < 20 {
		t.Errorf("%d commands", seen)
	}
}

func TestFitHelp(t *testing.T) {
	long := strings.Repeat("word ", 16) + "end"
	command := &cobra.Command{Long: long + "\n\n  kept " + long + "\n\nshort\nlines",
		Example: "  short\n  codelinter x --first 'a b --no" + strings.Repeat("x", 40) + "' --second file.jsonl | next " + strings.Repeat("y", 20)}
	fitHelp(command)
	if want := strings.TrimSpace(strings.Repeat("word ", 16)) + "\nend\n\n  kept " + long + "\n\nshort\nlines"; command.Long != want {
		t.Errorf("got\n%s\nwant\n%s", command.Long, want)
	}
	if want := "  short\n  codelinter x --first 'a b --no" + strings.Repeat("x", 40) + "' \\\n      --second file.jsonl | next " + strings.Repeat("y", 20); command.Example != want {
		t.Errorf("got\n%s\nwant\n%s", command.Example, want)
	}
}
