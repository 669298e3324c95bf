package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codelinter/internal/util/didyoumean"
	"codelinter/internal/util/lazy"
)

// This file words errors in the command line as Python's argparse does, which flake8's
// users know, and suggests what was probably meant.

// flagError words an error in an option.
func flagError(command *cobra.Command, err error) error {
	var (
		invalid *pflag.InvalidValueError
		missing *pflag.ValueRequiredError
		unknown *pflag.NotExistError
	)
	switch {
	case errors.As(err, &invalid) && isNumber(invalid.GetFlag()):
		return fmt.Errorf("argument %s: expected a number, found %q", optionName(invalid.GetFlag()), invalid.GetValue())
	case errors.As(err, &invalid):
		return fmt.Errorf("argument %s: %w", optionName(invalid.GetFlag()), invalid.Unwrap())
	case errors.As(err, &missing):
		return fmt.Errorf("argument %s: expected one argument", optionName(missing.GetFlag()))
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("unrecognized arguments: -%s%s", unknown.GetSpecifiedShortnames(), listsOptions(command))
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		return fmt.Errorf("unrecognized arguments: --%s%s", name, cmp.Or(didYouMean("--", optionMeant(command, name)), listsOptions(command)))
	}
	return err
}

func listsOptions(command *cobra.Command) string {
	return "; `" + command.CommandPath() + " --help` lists the options"
}

// synonyms are other programs' names for our options.
var synonyms = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"addr": "listen", "address": "listen", "bind": "listen", "host": "listen", "port": "listen",
		"concurrency": "workers", "jobs": "workers", "processes": "workers", "threads": "workers",
		"count": "number", "file": "output", "input": "samples", "no-judge": "no-guard", "sandbox": "no-guard",
		"endpoint": "base-url", "max-new-tokens": "max-tokens", "n": "samples", "parallel": "concurrency",
		"format": "for", "trainer": "for", "dataset": "tasks",
	}
}}

// optionMeant returns the option of a command that an unknown name probably means, or "".
func optionMeant(command *cobra.Command, name string) string {
	var names []string
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	if meant := didyoumean.Option(name, names...); meant != "" {
		return meant
	}
	var others []string
	for other, of := range synonyms.Get() {
		if slices.Contains(names, of) {
			others = append(others, other)
		}
	}
	slices.Sort(others)
	return synonyms.Get()[didyoumean.Of(name, others...)]
}

func isNumber(flag *pflag.Flag) bool {
	kind := flag.Value.Type()
	return strings.Contains(kind, "int") || strings.Contains(kind, "float")
}

func optionName(flag *pflag.Flag) string {
	if flag.Shorthand != "" {
		return "-" + flag.Shorthand + "/--" + flag.Name
	}
	return "--" + flag.Name
}

// didYouMean returns the suggestion at the end of an error, or "".
func didYouMean(before, meant string) string {
	if meant == "" {
		return ""
	}
	return "; did you mean " + before + meant + "?"
}

// unknownCommand returns an error if the first word of a command line is not a command.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || isCommand(root, args[0]) {
		return nil
	}
	return noCommand(root, "command or file", args[0])
}

// isCommand reports whether a word is a command, of ours or cobra's.
func isCommand(root *cobra.Command, word string) bool {
	switch word {
	case cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd, "completion", "help":
		return true // cobra adds them when it starts
	}
	command, _, err := root.Find([]string{word})
	return err == nil && command != root
}

// noCommand returns the error for an unknown subcommand. kind is what it might have been.
func noCommand(parent *cobra.Command, kind, word string) error {
	var names []string
	for _, command := range parent.Commands() {
		if slices.Contains(command.SuggestFor, word) {
			return fmt.Errorf("there is no %s %q%s", kind, word, didYouMean("", command.Name()))
		}
		names = append(names, command.Name())
	}
	if meant := didyoumean.Of(word, names...); meant != "" {
		return fmt.Errorf("there is no %s %q%s", kind, word, didYouMean("", meant))
	}
	return fmt.Errorf("there is no %s %q; `%s --help` lists the commands", kind, word, parent.CommandPath())
}

// group makes a command that has only subcommands. Alone it prints its help, and it refuses
// other words.
func group(command *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	command.Use += " COMMAND"
	command.Args = func(command *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return noCommand(command, "command", args[0])
	}
	command.RunE = func(command *cobra.Command, _ []string) error { return command.Help() }
	command.AddCommand(commands...)
	return command
}

// completionCommand words cobra's command for shell completions, which writes to root's
// current output.
func completionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		group(completion)
		completion.DisableFlagsInUseLine = true
		completion.Short = "Write a script that completes commands in a shell"
		completion.Long = "Writes a script that completes commands and their options in a shell. The help of\neach shell says where to put it."
	}
}

// helpOnCommands makes `codelinter help` name an unknown command and exit like other
// commands.
func helpOnCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // cobra has just made it
	}
	help.Short, help.Long = "Explain a command", "Explains a command, as its --help does."
	show := help.Run
	help.Run = nil
	help.RunE = func(command *cobra.Command, args []string) error {
		if len(args) > 0 && !isCommand(root, args[0]) {
			return misuse{noCommand(root, "command", args[0])}
		}
		if parent, rest, err := root.Find(args); err == nil && parent.HasSubCommands() && len(rest) > 0 {
			return misuse{noCommand(parent, "command", rest[0])}
		}
		show(command, args)
		return nil
	}
}

// arguments returns a check of the number of arguments. name says what they are.
func arguments(least, most int, name string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("the following arguments are required: %s", name)
		case len(args) > most:
			advice := ""
			if most == 0 {
				advice = didYouMean("--", inputOption(command, args[0]))
			}
			return fmt.Errorf("unrecognized arguments: %s%s", strings.Join(args[most:], " "), advice)
		}
		return nil
	}
}

// inputOption returns a command's option for a file to read, with the file, unless the
// option was given.
func inputOption(command *cobra.Command, file string) string {
	for _, name := range []string{"source", "tasks"} {
		if flag := command.Flags().Lookup(name); flag != nil && !flag.Changed {
			return name + " " + file
		}
	}
	return ""
}

// typedDefaults makes the help of a command show defaults as one types them: 1,5,10 and
// 5m and auto, not [1,5,10] and 5m0s and "auto".
func typedDefaults(command *cobra.Command) {
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		typed, zero := flag.DefValue, ""
		switch kind := flag.Value.Type(); {
		case kind == "string":
		case strings.HasSuffix(kind, "Slice"):
			typed, zero = strings.Trim(typed, "[]"), "[]"
		case kind == "duration":
			if minutes, found := strings.CutSuffix(typed, "m0s"); found {
				typed = minutes + "m"
			}
			zero = "0s"
		default:
			return
		}
		if typed != "" && flag.DefValue != zero {
			flag.Usage += " (default " + typed + ")"
			flag.DefValue = zero
		}
	})
}
