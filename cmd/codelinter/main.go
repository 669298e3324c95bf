// Command codelinter lints Python as flake8 does, without Python, and scores
// models on CodeLinterEval.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codelinter/evaluator/rows"
	"codelinter/flake8"
	"codelinter/internal/version"
	"codelinter/sandbox"
)

// Exit codes of all commands; flake8's own.
const (
	exitOK     = 0
	exitFound  = 1 // there are findings, or the work could not be done
	exitMisuse = 2 // the command line makes no sense, or a file of tasks or samples does not
)

// A misuse is an error of the command line, beyond what its parser sees.
type misuse struct{ error }

func main() {
	sandbox.RunChild()
	if isFlake8(os.Args[0]) {
		os.Exit(flake8.Main(flake8.Command{
			Name:   "flake8",
			Args:   os.Args[1:],
			Stdin:  os.Stdin,
			Stdout: os.Stdout,
			Stderr: os.Stderr,
		}))
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs one command line and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	understood := false
	root := newRootCommand()
	if impliesCheck(root, args) {
		args = append([]string{"check"}, args...)
	}
	onRun(root, func() { understood = true })
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)

	command, err := root.ExecuteC()
	if code, found := codeOf(err); found {
		return code
	}
	switch {
	case err == nil:
		return exitOK
	case flake8.IsClosedPipe(err):
		return exitFound
	case errors.Is(err, errInterrupted):
		fmt.Fprintf(stderr, "%s: error: %v\n", command.CommandPath(), errInterrupted)
		return exitFound
	case errors.As(err, new(*rows.Error)):
		fmt.Fprintf(stderr, "%s: error: %v\n", command.CommandPath(), err)
		return exitMisuse
	case understood && !errors.As(err, new(misuse)):
		fmt.Fprintf(stderr, "%s: error: %v\n", command.CommandPath(), err)
		return exitFound
	}
	fmt.Fprintf(stderr, "usage: %s\n%s: error: %v\n", command.UseLine(), command.CommandPath(), err)
	return exitMisuse
}

// onRun has every command below parent call started before it runs.
func onRun(parent *cobra.Command, started func()) {
	for _, command := range parent.Commands() {
		if work := command.RunE; work != nil {
			command.RunE = func(command *cobra.Command, args []string) error {
				started()
				return work(command, args)
			}
		}
		onRun(command, started)
	}
}

// flagError says what is wrong with an option in argparse's words, which
// flake8's users know.
func flagError(_ *cobra.Command, err error) error {
	var (
		invalid *pflag.InvalidValueError
		missing *pflag.ValueRequiredError
		unknown *pflag.NotExistError
		number  *strconv.NumError
	)
	switch {
	case errors.As(err, &invalid) && errors.As(err, &number):
		return fmt.Errorf("argument %s: expected a number, found %q", optionName(invalid.GetFlag()), number.Num)
	case errors.As(err, &invalid):
		return fmt.Errorf("argument %s: %w", optionName(invalid.GetFlag()), invalid.Unwrap())
	case errors.As(err, &missing):
		return fmt.Errorf("argument %s: expected one argument", optionName(missing.GetFlag()))
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("unrecognized arguments: -%s", unknown.GetSpecifiedShortnames())
	case errors.As(err, &unknown):
		return fmt.Errorf("unrecognized arguments: --%s", unknown.GetSpecifiedName())
	}
	return err
}

func optionName(flag *pflag.Flag) string {
	if flag.Shorthand != "" {
		return "-" + flag.Shorthand + "/--" + flag.Name
	}
	return "--" + flag.Name
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "codelinter",
		Short:         "Lint Python as flake8 does, and score models on cleaning code",
		Version:       version.Full(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.AddCommand(
		newCheckCommand(),
		newRuleCommand(),
		newGenerateCommand(),
		newEvalCommand(),
		newReportCommand(),
		newDatasetCommand(),
		newDebugCommand(),
		newVersionCommand(),
	)
	return root
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(command.OutOrStdout(), "codelinter %s\n", version.Full())
			return err
		},
	}
}
