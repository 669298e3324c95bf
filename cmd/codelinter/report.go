package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"codelinter/evaluator"
	"codelinter/evaluator/report"
	"codelinter/evaluator/rows"
)

type reportOptions struct {
	html      string
	by        []string
	json, all bool
}

func newReportCommand() *cobra.Command {
	var o reportOptions
	command := &cobra.Command{
		Use:   "report RESULTS [RESULTS] [options]",
		Short: "Show results of eval again, or compare two of them",
		Long: `Reads results that eval wrote with -o and prints their table again, or with
--html writes the report for a browser. For that to show programs and answers,
eval must have been given --texts.

With two files, compares the second with the first, task by task: the difference
in pass@k with an interval of 95 % confidence, the chance of such a difference
between equals (a paired permutation test), and the tasks that differ. With
--html, a browser shows the answers of both beside each other.`,
		Example: "  codelinter report results.jsonl --html report.html\n  codelinter report before.jsonl after.jsonl --html report.html",
		Args:    cobra.RangeArgs(1, 2),
		RunE:    interruptible(func(command *cobra.Command, args []string) error { return runReport(command, args, &o) }),

		DisableFlagsInUseLine: true,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.html, "html", "", "write a report for a browser to `FILE`, not a table")
	flags.StringSliceVar(&o.by, "by", nil, "show the scores in groups as well, of `KIND,...`: prompt, length, code")
	completeValues(command, "by", "prompt", "length", "code")
	flags.BoolVar(&o.json, "json", false, "print one line of JSON, not a table")
	flags.BoolVar(&o.all, "all", false, "of two files, list all tasks that differ")
	return command
}

func runReport(command *cobra.Command, args []string, o *reportOptions) error {
	if err := checkGroupings(o.by); err != nil {
		return err
	}
	if len(args) == 2 {
		if o.by != nil {
			return misuse{errors.New("--by is for one file of results")}
		}
		if o.html != "" && slices.Contains(args, "-") {
			return errStream
		}
		return compareRuns(command, args[0], args[1], o)
	}
	run, err := readRun(command, args[0])
	if err != nil {
		return err
	}
	about := run.About
	about.Title = "CodeLinterEval, " + filepath.Base(args[0])
	switch {
	case o.html != "":
		return writePage(command, args[0], about, run, o.html)
	case o.json:
		_, err := command.OutOrStdout().Write(report.Summary(run.Summary, run.About))
		return err
	}
	return report.Table(command.OutOrStdout(), about.Title, run.Summary, o.by...)
}

func compareRuns(command *cobra.Command, a, b string, o *reportOptions) error {
	before, err := readRun(command, a)
	if err != nil {
		return err
	}
	after, err := readRun(command, b)
	if err != nil {
		return err
	}
	if ids := report.DifferentTasks(before, after); len(ids) > 0 {
		return &rows.Error{File: b, Problem: fmt.Sprintf("expected the tasks of %s, found other programs for %d of their ids, such as %s", a, len(ids), ids[0])}
	}
	if o.html != "" {
		return writePair(command, a, b, before, after, o.html)
	}
	comparison := report.Compare(before, after)
	if o.json {
		_, err := command.OutOrStdout().Write(comparison.JSON())
		return err
	}
	return comparison.Table(command.OutOrStdout(), a, b, o.all)
}

func readRun(command *cobra.Command, path string) (*report.Run, error) {
	in, name, err := openInput(command, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return report.ReadRun(name, in)
}

// errStream is the error for results that cannot be read twice.
var errStream = misuse{errors.New("--html needs results in a file, not on standard input")}

// writePage reads the results once more: how much of each task's texts goes into
// a page depends on the number of tasks.
func writePage(command *cobra.Command, path string, about evaluator.About, run *report.Run, output string) error {
	if path == "-" {
		return errStream
	}
	in, name, err := openInput(command, path)
	if err != nil {
		return err
	}
	defer in.Close()
	return writeOutput(command, output, func(w io.Writer) error {
		page := report.NewPage(run.Summary.Tasks)
		if err := report.ReadPage(name, in, page); err != nil {
			return err
		}
		return page.Render(w, about, run.Summary)
	})
}

// writePair reads both results once more, as writePage does.
func writePair(command *cobra.Command, a, b string, before, after *report.Run, output string) error {
	inA, nameA, err := openInput(command, a)
	if err != nil {
		return err
	}
	defer inA.Close()
	inB, nameB, err := openInput(command, b)
	if err != nil {
		return err
	}
	defer inB.Close()
	return writeOutput(command, output, func(w io.Writer) error {
		page := report.NewPage(before.Summary.Tasks)
		if err := report.ReadPages(nameA, inA, nameB, inB, page); err != nil {
			return err
		}
		return page.RenderPair(w, filepath.Base(a), filepath.Base(b), before, after)
	})
}

// checkGroupings checks the argument of --by.
func checkGroupings(by []string) error {
	for _, by := range by {
		if !slices.Contains(report.Groupings(), by) {
			return misuse{fmt.Errorf("argument --by: expected prompt, length or code, found %q", by)}
		}
	}
	return nil
}
