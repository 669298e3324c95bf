package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/eval/report"
	"codelinter/internal/tasks/dataset"
	"codelinter/rule"
)

type selectOptions struct {
	dataset.SelectOptions
	from, verdict, output string
	failed                bool
}

func newDatasetSelectCommand() *cobra.Command {
	o := selectOptions{output: "-"}
	command := &cobra.Command{
		Use:   "select TASKS [-o FILE] [options]",
		Short: "Choose tasks by code, difficulty, or the results of a run",
		Long: `Writes the tasks that meet all conditions, unchanged.

With --from, a run decides: --failed keeps the tasks that no sample passed, and
--rate the tasks whose share of passing samples is in a range. Tasks that the
run does not have are left out.`,
		Example: "  codelinter dataset select tasks.jsonl --codes E501,E12 -n 1000 -o lines.jsonl\n" +
			"  codelinter dataset select tasks.jsonl --from results.jsonl --failed -o next.jsonl\n" +
			"  codelinter dataset select tasks.jsonl --from results.jsonl --rate 0.1..0.9 -o next.jsonl",
		Args: arguments(1, 1, "TASKS"),
		RunE: interruptible(func(command *cobra.Command, args []string) error { return runDatasetSelect(command, args[0], &o) }),
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVarP(&o.output, "output", "o", o.output, "write tasks to `FILE`, - for standard output")
	flags.StringSliceVar(&o.Codes, "codes", nil, "tasks with a finding of one of these codes: `CODES`, or what they begin with, such as E2,F401")
	completeValues(command, "codes", texts(slices.Collect(rule.Codes()))...)
	flags.BoolVar(&o.Only, "only", false, "and with no others")
	addRange(flags, &o.Difficulty, "difficulty", "tasks of a difficulty in `RANGE`, such as 0.2..0.6")
	addRange(flags, &o.Length, "length", "tasks whose program has so many bytes: a `RANGE` such as ..2000")
	flags.StringVar(&o.from, "from", "", "what became of the tasks: `FILE` of results, as eval -o writes it")
	flags.BoolVar(&o.failed, "failed", false, "tasks that no sample of the run passed")
	addRange(flags, &o.Rate, "rate", "tasks of whose samples a part in `RANGE` passed, such as 0.1..0.9")
	flags.StringVar(&o.verdict, "verdict", "", "passed by `VERDICT`: official or guarded (default: guarded, if the run has it)")
	completeValues(command, "verdict", string(evaluator.Official), string(evaluator.Guarded))
	flags.IntVarP(&o.N, "number", "n", 0, "at most `N` of these (default: all)")
	flags.Uint64Var(&o.Seed, "seed", 0, "choose others with another `SEED`")
	return command
}

func runDatasetSelect(command *cobra.Command, tasks string, o *selectOptions) error {
	if err := atLeast(command, 0, "number"); err != nil {
		return err
	}
	switch {
	case o.failed && o.Rate != nil:
		return misuse{errors.New("--failed and --rate exclude each other")}
	case o.failed && o.from == "":
		return misuse{errors.New("--failed goes with --from")}
	case o.Rate != nil && o.from == "":
		return misuse{errors.New("--rate goes with --from")}
	case o.from != "" && !o.failed && o.Rate == nil:
		return misuse{errors.New("--from goes with --failed or --rate")}
	case o.Only && len(o.Codes) == 0:
		return misuse{errors.New("--only goes with --codes")}
	}
	if err := different(command, []string{tasks, o.from}, [2]string{"--output", o.output}); err != nil {
		return err
	}
	if o.failed {
		o.Rate = &dataset.Range{}
	}
	if o.from != "" {
		if err := o.readRates(command); err != nil {
			return err
		}
	}
	var selected dataset.Selected
	err := withInput(command, tasks, func(name string, in io.Reader) error {
		return writeBuffered(command, o.output, func(w io.Writer) (err error) {
			selected, err = dataset.Select(name, in, w, o.SelectOptions)
			return err
		})
	})
	if err != nil {
		return err
	}
	if o.Difficulty != nil && selected.Unrated > 0 {
		tell(command, "note: %d of %s have no difficulty, which counts as 0: `dataset synth` gives its tasks one", selected.Unrated, plural(selected.Read, "task"))
	}
	_, err = fmt.Fprintf(command.ErrOrStderr(), "%d of %s\n", selected.Kept, plural(selected.Read, "task"))
	return err
}

// readRates makes o use the pass rates of a run.
func (o *selectOptions) readRates(command *cobra.Command) error {
	run, err := readFrom(command, o.from, report.ReadRun)
	if err != nil {
		return err
	}
	rates, err := run.Rates(evaluator.Verdict(o.verdict))
	if err != nil {
		return badArgument("--verdict", "%w", err)
	}
	o.Other = func(t *task.Task) string {
		other := run.Other(t)
		if other != "" {
			other += " (" + o.from + ")"
		}
		return other
	}
	o.PassRate = func(id task.ID) (float64, bool) {
		rate, known := rates[id]
		if !known || rate.N == 0 {
			return 0, known
		}
		return float64(rate.C) / float64(rate.N), true
	}
	return nil
}

// addRange adds an option that is a range.
func addRange(flags *pflag.FlagSet, to **dataset.Range, name, usage string) {
	flags.Func(name, usage, func(text string) (err error) {
		*to, err = parseRange(text)
		return err
	})
}

func parseRange(text string) (*dataset.Range, error) {
	low, high, is := strings.Cut(text, "..")
	r := dataset.Range{Low: math.Inf(-1), High: math.Inf(1)}
	var err error
	if low != "" {
		r.Low, err = strconv.ParseFloat(low, 64)
	}
	if err == nil && high != "" {
		r.High, err = strconv.ParseFloat(high, 64)
	}
	if !is || low == "" && high == "" || err != nil || !(r.Low <= r.High) {
		return nil, fmt.Errorf("expected A..B with A <= B, found %q", text)
	}
	return &r, nil
}

// newDatasetCardCommand returns the command that describes a file of tasks.
func newDatasetCardCommand() *cobra.Command {
	output, title := "-", ""
	command := &cobra.Command{
		Use:   "card TASKS [-o FILE]",
		Short: "Describe a file of tasks on a page of Markdown",
		Long: `Writes a page of Markdown: how many tasks, how long and how hard, which codes, where
the programs come from and under which licences, and three examples.`,
		Example: "  codelinter dataset card train.jsonl --title \"Style faults\" -o README.md",
		Args:    arguments(1, 1, "TASKS"),
		RunE: interruptible(func(command *cobra.Command, args []string) error {
			if err := different(command, args, [2]string{"--output", output}); err != nil {
				return err
			}
			return withInput(command, args[0], func(name string, in io.Reader) error {
				return writeOutput(command, output, func(w io.Writer) error {
					return dataset.Card(cmp.Or(title, filepath.Base(name)), name, in, w)
				})
			})
		}),
	}
	command.Flags().StringVarP(&output, "output", "o", output, "write to `FILE`, - for standard output")
	command.Flags().StringVar(&title, "title", "", "the page's title: `TEXT` (default: the file's name)")
	return command
}
