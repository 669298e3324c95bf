package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"codelinter/evaluator"
	"codelinter/internal/eval/report"
	"codelinter/internal/rows"
)

type reportOptions struct {
	html, csv, latex string
	stepFrom         string
	pattern          *regexp.Regexp // of stepFrom
	by               []string
	json, all        bool
}

func newReportCommand() *cobra.Command {
	var o reportOptions
	command := &cobra.Command{
		Use:        "report RESULTS... [options]",
		SuggestFor: []string{"compare", "leaderboard", "results"},
		Short:      "Show results of eval again, or compare those of several runs",
		Long: `Reads results that eval wrote with -o. Prints their table again, or, with
--html, writes the report for a browser. The report shows programs and answers
if eval was given --texts.

With two files, compares the second run with the first, task by task. Prints the
difference in pass@k with a 95 % confidence interval, the probability of such a
difference between equal runs (a paired permutation test), and the tasks that
differ. With --html, the page shows the answers of both side by side.

With more files, ranks the runs on the tasks that all have. Prints pass@k with
intervals, the same test for each pair with Holm's correction, and the tasks
that separate the runs. With --step-from, the runs are checkpoints of one
model, and pass@k is shown by step. PATTERN finds the step in the names of files
or models; its only group is the number, as in 'step-([0-9]+)'.`,
		Example: "  codelinter report results.jsonl --html report.html\n" +
			"  codelinter report before.jsonl after.jsonl --html report.html\n" +
			"  codelinter report a.jsonl b.jsonl c.jsonl --latex table.tex --csv table.csv\n" +
			"  codelinter report runs/step-*.jsonl --step-from 'step-([0-9]+)' --html steps.html",
		Args: arguments(1, math.MaxInt, "RESULTS"),
		RunE: interruptible(func(command *cobra.Command, args []string) error { return runReport(command, args, &o) }),
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.html, "html", "", "write a report for a browser to `FILE`, not a table")
	flags.StringVar(&o.csv, "csv", "", "write the runs' scores to `FILE` as comma-separated values, not a table")
	flags.StringVar(&o.latex, "latex", "", "write them to `FILE` as a table of LaTeX with booktabs, not a table here")
	flags.StringVar(&o.stepFrom, "step-from", "", "show pass@k against the step of each checkpoint, found by `PATTERN`, a regular expression with one group")
	flags.StringSliceVar(&o.by, "by", nil, "of one file, show the scores in groups as well, of `KIND,...`: prompt, length, code")
	completeValues(command, "by", "prompt", "length", "code")
	flags.BoolVar(&o.json, "json", false, "print one line of JSON, not a table")
	flags.BoolVar(&o.all, "all", false, "list all codes, and of several files all tasks that differ or separate the runs")
	return command
}

func runReport(command *cobra.Command, args []string, o *reportOptions) error {
	if err := o.check(command, args); err != nil {
		return err
	}
	runs, err := readRuns(command, args)
	if err != nil {
		return err
	}
	var board *report.Leaderboard
	many := len(args) > 2 || o.stepFrom != ""
	if many || o.csv != "" || o.latex != "" {
		if board, err = newLeaderboard(args, runs, o.pattern); err != nil {
			return err
		}
	}
	type output struct {
		path  string
		write func(io.Writer) error
	}
	outputs := []output{{o.csv, board.CSV}, {o.latex, board.LaTeX}}
	if many {
		outputs = append(outputs, output{o.html, board.Page})
	}
	written := false
	for _, f := range outputs {
		if f.path == "" {
			continue
		}
		written = true
		if err := writeOutput(command, f.path, f.write); err != nil {
			return err
		}
		if f.path == o.html {
			if err := sayWritten(command, f.path, nil); err != nil {
				return err
			}
		}
	}
	out := command.OutOrStdout()
	switch {
	case written && (many || o.html == ""):
		return nil
	case many && o.json:
		_, err := out.Write(board.JSON())
		return err
	case many:
		return board.Table(out, o.all)
	case len(args) == 2:
		return compareRuns(command, args[0], args[1], runs[0], runs[1], o)
	}
	run, about := runs[0], runs[0].About
	about.Title = "CodeLinterEval, " + cmp.Or(about.Model, filepath.Base(args[0]))
	switch {
	case o.html != "":
		return writePage(command, args[0], about, run, o.html)
	case o.json:
		_, err := out.Write(report.Summary(run.Summary, run.About))
		return err
	}
	return report.Table(out, about.Title, run.Summary, o.all, o.by...)
}

func (o *reportOptions) check(command *cobra.Command, args []string) error {
	if err := checkGroupings(o.by); err != nil {
		return err
	}
	switch {
	case len(args) > 1 && o.by != nil:
		return misuse{errors.New("--by is for one file of results")}
	case len(args) == 1 && o.stepFrom != "":
		return misuse{errors.New("--step-from is for several files of results")}
	case len(args) <= 2 && o.stepFrom == "" && o.html != "" && slices.Contains(args, "-"):
		return errStream
	}
	if o.stepFrom != "" {
		var err error
		if o.pattern, err = regexp.Compile(o.stepFrom); err != nil {
			return badArgument("--step-from", "%w", err)
		}
		if groups := o.pattern.NumSubexp(); groups != 1 {
			return badArgument("--step-from", "expected one group, as in step-([0-9]+), found %d in %s", groups, o.pattern)
		}
	}
	if i := slices.Index(args, "-"); i >= 0 && slices.Contains(args[i+1:], "-") {
		return misuse{errors.New("standard input is there once: expected - once")}
	}
	return different(command, args, [2]string{"--html", o.html}, [2]string{"--csv", o.csv}, [2]string{"--latex", o.latex})
}

// newLeaderboard ranks the runs. It fails if files do not belong together.
func newLeaderboard(paths []string, runs []*report.Run, pattern *regexp.Regexp) (*report.Leaderboard, error) {
	names := slices.Clone(paths)
	if i := slices.Index(names, "-"); i >= 0 {
		names[i] = "stdin"
	}
	board, err := report.NewLeaderboard(names, runs)
	if err == nil && pattern != nil {
		err = board.SetSteps(pattern)
	}
	if err != nil {
		return nil, &rows.Error{Problem: err.Error()}
	}
	return board, nil
}

func compareRuns(command *cobra.Command, a, b string, before, after *report.Run, o *reportOptions) error {
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

// readRuns reads results, as many files at a time as there are cores. The error is that
// of the first invalid file.
func readRuns(command *cobra.Command, paths []string) ([]*report.Run, error) {
	runs, failed := make([]*report.Run, len(paths)), make([]error, len(paths))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, path := range paths {
		group.Go(func() error {
			runs[i], failed[i] = readFrom(command, path, report.ReadRun)
			return nil
		})
	}
	group.Wait()
	return runs, cmp.Or(failed...)
}

// errStream is the error for results that cannot be read twice.
var errStream = misuse{errors.New("--html needs results in a file, not on standard input")}

// writePage writes a report for a browser. It reads the results again, because the share of each
// task's texts in a page depends on the number of tasks.
func writePage(command *cobra.Command, path string, about evaluator.About, run *report.Run, output string) error {
	if path == "-" {
		return errStream
	}
	return sayWritten(command, output, withInput(command, path, func(name string, in io.Reader) error {
		return writeOutput(command, output, func(w io.Writer) error {
			page := report.NewPage(run.Summary.Tasks)
			if err := report.ReadPage(name, in, page); err != nil {
				return err
			}
			return page.Render(w, about, run.Summary)
		})
	}))
}

// sayWritten says that a page was written, unless err is an error, which it returns.
func sayWritten(command *cobra.Command, path string, err error) error {
	info, failed := os.Stat(path)
	if err != nil || failed != nil || !info.Mode().IsRegular() {
		return err
	}
	tell(command, "%s has the report (%.1f MB): open it in a browser", path, float64(info.Size())/1e6)
	return nil
}

// writePair is writePage for two runs.
func writePair(command *cobra.Command, a, b string, before, after *report.Run, output string) error {
	return sayWritten(command, output, withInput(command, a, func(nameA string, inA io.Reader) error {
		return withInput(command, b, func(nameB string, inB io.Reader) error {
			return writeOutput(command, output, func(w io.Writer) error {
				page := report.NewPage(before.Summary.Tasks)
				if err := report.ReadPages(nameA, inA, nameB, inB, page); err != nil {
					return err
				}
				return page.RenderPair(w, a, b, before, after)
			})
		})
	}))
}

func checkGroupings(by []string) error {
	for _, by := range by {
		if !slices.Contains(report.Groupings(), by) {
			return badArgument("--by", "expected prompt, length or code, found %q", by)
		}
	}
	return nil
}
