package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"codelinter/flake8"
	"codelinter/internal/plugins"
)

// newCheckCommand returns flake8 as a command, for help and completion. [run] itself runs
// it, see [runLinter].
func newCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "check [options] [PATH...]",
		Short:              "Lint files and folders as flake8 does",
		SuggestFor:         []string{"lint", "flake8", "run"},
		DisableFlagParsing: true,
		ValidArgsFunction:  completeCheck,
		RunE: func(command *cobra.Command, args []string) error {
			check := checkCommand(args, command.InOrStdin(), command.ErrOrStderr())
			check.Stdout = command.OutOrStdout()
			if code := flake8.Main(command.Context(), check); code != exitOK {
				return exitCode(code)
			}
			return nil
		},
	}
}

// checkCommand returns a command line of check. flake8 parses options as Python's argparse
// does, not as cobra.
func checkCommand(args []string, stdin io.Reader, stderr io.Writer) flake8.Command {
	return flake8.Command{
		Name:      "codelinter check",
		Args:      args,
		Stdin:     stdin,
		Stderr:    stderr,
		Plugins:   plugins.Load,
		FindsTOML: true,
		Meant:     map[string]string{"--fix": "codelinter fix", "--diff": "codelinter fix --diff", "--unsafe-fixes": "codelinter fix --unsafe", "-i": "codelinter fix"},
	}
}

// completeCheck completes options and their values. The shell completes files.
func completeCheck(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if name, value, found := strings.Cut(typed, "="); found && strings.HasPrefix(name, "--") {
		choices, _ := flake8.OptionChoices(name)
		return completeItem(choices, name+"=", value)
	}
	if strings.HasPrefix(typed, "-") {
		names, help := flake8.OptionNames()
		for i := range names {
			names[i] += "\t" + help[i]
		}
		return withPrefix(names, typed), cobra.ShellCompDirectiveNoFileComp
	}
	if len(args) > 0 {
		if choices, takesValue := flake8.OptionChoices(args[len(args)-1]); takesValue && choices != nil {
			return completeItem(choices, "", typed)
		}
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// completeItem completes the last item of a value, perhaps a list with commas.
// before is the text before the value.
func completeItem(choices []string, before, value string) ([]string, cobra.ShellCompDirective) {
	if choices == nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	last := strings.LastIndexByte(value, ',') + 1
	choices = withPrefix(choices, value[last:])
	for i, choice := range choices {
		choices[i] = before + value[:last] + choice
	}
	return choices, cobra.ShellCompDirectiveNoFileComp
}

func withPrefix(words []string, prefix string) []string {
	return slices.DeleteFunc(words, func(word string) bool { return !strings.HasPrefix(word, prefix) })
}

// isFlake8 reports whether the program was called as flake8.
func isFlake8(program string) bool {
	name := filepath.Base(program)
	return strings.TrimSuffix(name, filepath.Ext(name)) == "flake8"
}

// impliesCheck reports whether args are for check without saying so. A program
// that runs flake8 passes options and files right after the program's name, and
// must be able to run codelinter in its place:
//
//	codelinter --format=json spam.py
//	codelinter src
//
// Options that every command has are codelinter's own.
func impliesCheck(root *cobra.Command, args []string) bool {
	if len(args) == 0 {
		return false
	}
	switch first := args[0]; {
	case first == "-h" || first == "--help" || first == "--version":
		return false
	case strings.HasPrefix(first, "-"):
		return true
	case isCommand(root, first):
		return false
	}
	_, err := os.Lstat(args[0])
	return err == nil
}
