package main

import (
	"fmt"
	"strconv"

	"codelinter/flake8"
	"codelinter/lint"
	"codelinter/source"

	"github.com/spf13/cobra"
)

func newCheckCommand() *cobra.Command {
	o := flake8.Options{Lint: lint.DefaultOptions()}
	exitZero := false
	command := &cobra.Command{
		Use:   "check [options] [PATH...]",
		Short: "Lint files and folders",
		Long: `Lint files and folders, and print what flake8 would print.

Folders are walked for *.py files, the current one if no PATH is given; "-" is
standard input. The exit code is 0 if there was nothing to report, 1 if there
was, and 2 if the command line makes no sense.`,
		Example: `  codelinter check src tests
  codelinter check --select=E,W --max-line-length=100 .
  codelinter check --stdin-display-name=spam.py - < spam.py`,
		DisableFlagsInUseLine: true,
		RunE: func(command *cobra.Command, paths []string) error {
			if _, err := lint.New(o.Lint); err != nil {
				return misuse{err}
			}
			warn := func(err error) {
				fmt.Fprintf(command.ErrOrStderr(), "%s: warning: %v\n", command.CommandPath(), err)
			}
			warnOfCodes(&o.Lint, warn)
			o.Paths = paths
			o.Warn = warn
			found, err := flake8.Run(o, command.InOrStdin(), command.OutOrStdout())
			if err != nil {
				return err
			}
			if found > 0 && !exitZero {
				return errFound
			}
			return nil
		},
	}
	flags := command.Flags()
	flags.Var(listValue{&o.Lint.Select}, "select", "report only codes that begin with one of these, separated by commas")
	flags.Var(listValue{&o.Lint.Ignore}, "ignore", "do not report codes that begin with one of these (default E121,E123,E126,E226,E24,E704,W503,W504)")
	flags.Var(listValue{&o.Lint.ExtendSelect}, "extend-select", "add these to --select")
	flags.Var(listValue{&o.Lint.ExtendIgnore}, "extend-ignore", "add these to --ignore")
	flags.Var(intValue{&o.Lint.MaxLineLength}, "max-line-length", "most characters in a line")
	flags.Var(intValue{&o.Lint.MaxDocLength}, "max-doc-length", "most characters in a line of a comment or docstring; turns W505 on")
	flags.Var(intValue{&o.Lint.IndentSize}, "indent-size", "columns of one level of indentation")
	flags.BoolVar(&o.Lint.HangClosing, "hang-closing", false, "closing brackets are indented as the line before them")
	flags.Var(intValue{&o.Lint.MaxComplexity}, "max-complexity", "highest McCabe complexity of a function; turns C901 on")
	flags.BoolVar(&o.Lint.DisableNoqa, "disable-noqa", false, `report what "# noqa" silences too`)
	flags.Var(versionValue{&o.Lint.Target}, "target-version", "CPython version to follow: 3.10 to 3.14")
	flags.StringVar(&o.StdinDisplayName, "stdin-display-name", "stdin", "name to report for standard input")
	flags.VarP(jobsValue{&o.Jobs}, "jobs", "j", "files to lint at once, or auto for one each CPU")
	flags.BoolVar(&exitZero, "exit-zero", false, "exit with 0 even if there is something to report")
	flags.Bool("isolated", false, "read no configuration file; none is read anyway")
	return command
}

// warnOfCodes tells of entries in the lists of codes that can match nothing, in
// any linter. flake8 accepts them in silence.
func warnOfCodes(o *lint.Options, warn func(error)) {
	for _, list := range []struct {
		option string
		codes  []string
	}{
		{"--select", o.Select}, {"--ignore", o.Ignore},
		{"--extend-select", o.ExtendSelect}, {"--extend-ignore", o.ExtendIgnore},
	} {
		for _, code := range list.codes {
			if !lint.IsCodePrefix(code) {
				warn(fmt.Errorf("%s: %q is not a code, nor the beginning of one", list.option, code))
			}
		}
	}
}

// The types below are options as flake8 reads them; the last of several counts.

type listValue struct{ list *[]string }

func (v listValue) Set(text string) error { *v.list = flake8.ParseList(text); return nil }
func (v listValue) String() string        { return "" }
func (v listValue) Type() string          { return "codes" }

type intValue struct{ number *int }

func (v intValue) Set(text string) (err error) {
	*v.number, err = flake8.ParseInt(text)
	return err
}
func (v intValue) String() string {
	if v.number == nil {
		return ""
	}
	return strconv.Itoa(*v.number)
}
func (v intValue) Type() string { return "n" }

type jobsValue struct{ jobs *int }

func (v jobsValue) Set(text string) (err error) {
	*v.jobs, err = flake8.ParseJobs(text)
	return err
}
func (v jobsValue) String() string { return "auto" }
func (v jobsValue) Type() string   { return "n" }

type versionValue struct{ version *source.Version }

func (v versionValue) Set(text string) (err error) {
	*v.version, err = source.ParseVersion(text)
	return err
}
func (v versionValue) String() string {
	if v.version == nil {
		return ""
	}
	return v.version.String()
}
func (v versionValue) Type() string { return "version" }
