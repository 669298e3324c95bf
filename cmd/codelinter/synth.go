package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"codelinter/evaluator/task"
	"codelinter/internal/tasks/corpus"
	"codelinter/internal/tasks/dataset"
	"codelinter/internal/tasks/openset"
	"codelinter/internal/tasks/similar"
	"codelinter/internal/tasks/synth"
	"codelinter/internal/util/terminal"
	"codelinter/rule"
)

type synthOptions struct {
	synth.RunOptions
	corpus                      corpus.Options
	output, testOutput          string
	perTask, weights            string
	unit                        corpus.Unit
	codes, exclude              []string
	language, prompts, settings string
	keepNear                    bool
	versions
}

func newDatasetSynthCommand() *cobra.Command {
	o := synthOptions{corpus: corpus.Options{Fields: corpus.MBPP}}
	command := &cobra.Command{
		Use:   "synth SOURCE... -n N -o FILE [options]",
		Short: "Make tasks by putting faults into clean programs",
		Long: `Reads programs, fixes those that proven edits make clean, and puts faults into
them. Each task is checked: flake8 finds the faults that were put in and
nothing else, and the program without them, which is the task's canonical
code, is proven to do the same. A source is a folder, a file of Python, an
archive (.zip, .whl, .tar.gz) or a file of rows (JSONL, a JSON list or
Parquet, plain or in .gz).

Files are cut: each function and class at their top level, with what it needs of
the module, is a program. Rows are programs. Programs that are near another, or
near one of --exclude, are left out.

The same command makes the same bytes. If it ended early, it resumes from
FILE.part.`,
		Example: "  codelinter dataset synth /usr/lib/python3 -n 100000 -o train.jsonl\n" +
			"  codelinter dataset synth mbpp.jsonl src/ -n 5000 --codes E,W --per-task 1..3 --test 0.02 -o train.jsonl",
		Args: arguments(1, math.MaxInt, "SOURCE"),
		RunE: interruptible(func(command *cobra.Command, args []string) error { return runDatasetSynth(command, args, &o) }),
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.IntVarP(&o.N, "number", "n", 1000, "make `N` tasks")
	flags.StringVarP(&o.output, "output", "o", "-", "write tasks to `FILE`, - for standard output")
	flags.Float64Var(&o.Test, "test", 0, "the `SHARE` of programs whose tasks are kept apart, such as 0.02")
	flags.StringVar(&o.testOutput, "test-output", "", "write those to `FILE` (default: train.test.jsonl beside train.jsonl)")
	flags.StringSliceVar(&o.codes, "codes", nil, "put in faults of these codes only: `CODES`, or what they begin with, such as E2,F401")
	completeValues(command, "codes", texts(synth.Codes())...)
	flags.StringVar(&o.perTask, "per-task", "1..8", "so many faults a task: a `RANGE`")
	flags.StringVar(&o.weights, "weights", "usual", "how often each code: usual, even, corpus (as the sources have them), or a `FILE` of dataset weights")
	flags.IntVar(&o.MaxFindings, "max-findings", 40, "at most `N` findings a task")
	flags.IntVar(&o.corpus.MinLength, "min-length", 20, "leave out programs of fewer than `N` bytes")
	flags.IntVar(&o.corpus.MaxLength, "max-length", 4000, "leave out programs of more than `N` bytes")
	addChoice(command, &o.unit, "unit", unitUsage, corpus.Definitions, corpus.Whole)
	flags.StringSliceVar(&o.exclude, "exclude", []string{"open"}, "leave out programs near those of `FILE`: any source, or open for the open set; none for nothing")
	flags.BoolVar(&o.keepNear, "keep-near", false, "keep programs that are near others of the sources")
	flags.StringVar(&o.corpus.Licence, "licence", "", "the licence of programs whose package names none: `TEXT`")
	o.language = dataset.Languages()[0]
	addChoice(command, &o.language, "lang", "instructions in this `LANGUAGE`: en or ru", dataset.Languages()...)
	flags.StringVar(&o.prompts, "prompts", "", "take instructions from `FILE`: a JSON list, or texts with lines of %% between them")
	flags.StringVar(&o.settings, "options", "", "lint with these options of flake8, and score so: a `JSON` object such as {\"max-line-length\": 100}")
	o.versions.addFlags(command, "and name it in each task")
	flags.Uint64Var(&o.Seed, "seed", 0, "make others with another `SEED`")
	flags.IntVar(&o.Workers, "workers", runtime.GOMAXPROCS(0), "work on `N` programs at a time")
	return command
}

// check refuses an invalid command line and completes the options.
func (o *synthOptions) check(command *cobra.Command, sources []string) (err error) {
	if err := cmp.Or(atLeast(command, 1, "number", "max-findings"), inRange(command, 1, 4096, "workers"), atLeast(command, 0, "min-length"),
		inRange(command, int64(max(o.corpus.MinLength, 1)), corpus.MaxFile, "max-length")); err != nil {
		return err
	}
	least, most, _ := strings.Cut(o.perTask, "..")
	if most == "" {
		most = least
	}
	var first, second error
	o.Min, first = strconv.Atoi(least)
	o.Max, second = strconv.Atoi(most)
	if first != nil || second != nil || o.Min < 1 || o.Max < o.Min || o.Max > 100 {
		return badArgument("--per-task", "expected A..B with 1 <= A <= B <= 100, found %q", o.perTask)
	}
	if !(o.Test >= 0 && o.Test <= 1) {
		return badArgument("--test", "expected a share from 0 to 1, found %v", o.Test)
	}
	switch {
	case o.Test == 0 && o.testOutput != "":
		return misuse{errors.New("--test-output goes with --test")}
	case o.Test > 0 && o.output == "-":
		return misuse{errors.New("--test goes with --output")}
	case o.Test > 0 && o.testOutput == "":
		o.testOutput = beside(o.output, ".test")
	}
	inputs := slices.Concat(sources, o.exclude, []string{o.prompts, o.weights})
	if err := different(command, inputs, [2]string{"--output", o.output}, [2]string{"--test-output", o.testOutput}); err != nil {
		return err
	}
	for _, prefix := range o.codes {
		begins := func(code rule.Code) bool { return strings.HasPrefix(code.String(), prefix) }
		switch first, end := rule.Span(prefix); {
		case first == end:
			return badArgument("--codes", "no code begins with %q", prefix)
		case !slices.ContainsFunc(synth.Codes(), begins):
			return badArgument("--codes", "%s: no fault can be made of it; docs/tasks.md lists the codes", prefix)
		}
	}
	o.corpus.FileUnit, o.corpus.RowUnit = o.unit, o.unit
	if o.Lint, err = pinnedSettings(o.settings, &o.versions); err != nil {
		return err
	}
	o.Instructions, err = readInstructions(command, o.language, o.prompts)
	return err
}

// beside returns the name of a second file: train.test.jsonl for train.jsonl.
func beside(path, addition string) string {
	extension := filepath.Ext(path)
	return strings.TrimSuffix(path, extension) + addition + extension
}

// only keeps the weights of codes that begin with one of the prefixes in --codes. If these have
// none, each has the same.
func (o *synthOptions) only(all synth.Weights) synth.Weights {
	if len(o.codes) == 0 {
		return all
	}
	for _, weights := range []synth.Weights{all, synth.Even()} {
		kept := maps.Clone(weights)
		maps.DeleteFunc(kept, func(code rule.Code, weight float64) bool { return weight <= 0 || !o.asksFor(code) })
		if len(kept) > 0 {
			return kept
		}
	}
	return synth.Weights{}
}

func (o *synthOptions) asksFor(code rule.Code) bool {
	return slices.ContainsFunc(o.codes, func(prefix string) bool { return strings.HasPrefix(code.String(), prefix) })
}

func runDatasetSynth(command *cobra.Command, sources []string, o *synthOptions) error {
	if err := o.check(command, sources); err != nil {
		return err
	}
	ctx, stderr := command.Context(), command.ErrOrStderr()
	var measure *synth.Measure
	var err error
	switch o.weights {
	case "usual":
		o.Weights = synth.Usual()
	case "even":
		o.Weights = synth.Even()
	case "corpus":
		if measure, err = synth.NewMeasure(o.Lint.Lint()); err != nil {
			return err
		}
	default:
		in, name, err := openArgument(command, o.weights)
		if err != nil {
			return err
		}
		o.Weights, err = synth.ReadWeights(name, in)
		in.Close()
		if err != nil {
			return err
		}
	}
	exclude, err := o.excluded()
	if err != nil {
		return err
	}
	line := terminal.NewProgress(stderr, "programs")
	programs, census, err := synth.Collect(ctx, sources, synth.CollectOptions{
		Corpus: o.corpus, Lint: o.Lint, Exclude: exclude, KeepRepeated: o.keepNear, Measure: measure, Workers: o.Workers,
		Progress: func(c synth.Census) { line.Set(c.Programs, 0) },
	})
	line.Clear()
	if err != nil {
		return ended(ctx, err)
	}
	printCensus(stderr, &census)
	if len(programs) == 0 {
		return errors.New("expected at least one program that is clean or can be fixed, found none")
	}
	if measure != nil {
		o.Weights = measure.Weights
	}
	o.Weights = o.only(o.Weights)
	report, err := o.write(command, programs)
	if report.Tasks > 0 {
		printSynth(stderr, &report)
	}
	if err == nil && o.From.Tasks+report.Tasks < o.N {
		fmt.Fprintf(stderr, "\nThere are no more: %s of %d. The programs have no other place for a fault%s that passes the checks.\n",
			plural(o.From.Tasks+report.Tasks, "task"), o.N, ofCodes(o.codes))
	}
	return ended(ctx, err)
}

// ofCodes names the codes of --codes in a sentence.
func ofCodes(codes []string) string {
	if len(codes) == 0 {
		return ""
	}
	return " of " + strings.Join(codes, ", ")
}

// ended returns the reason for which a run was interrupted.
func ended(ctx context.Context, err error) error {
	if errors.Is(err, context.Canceled) {
		return context.Cause(ctx)
	}
	return err
}

func (o *synthOptions) excluded() (*similar.Index, error) {
	index := similar.NewIndex()
	for _, source := range o.exclude {
		switch source {
		case "none":
		case "open":
			tasks, err := openset.Tasks()
			if err != nil {
				return nil, err
			}
			var print similar.Printer
			for _, t := range tasks.All() {
				index.Add(print.Shingles(t.Meta.CanonicalCode))
			}
		default:
			if err := synth.Exclude(index, []string{source}, corpus.Options{Fields: o.corpus.Fields}); err != nil {
				return nil, err
			}
		}
	}
	return index, nil
}

// write makes and writes the tasks: directly to a pipe or a device, by a journal to files.
func (o *synthOptions) write(command *cobra.Command, programs []synth.Program) (report synth.Report, err error) {
	line := terminal.NewProgress(command.ErrOrStderr(), "tasks")
	defer line.Clear()
	run := func(emit func(synth.Made) error) error {
		report, err = synth.Run(command.Context(), programs, o.RunOptions, func(m synth.Made) error {
			line.Set(m.Next.Tasks, o.N)
			return emit(m)
		})
		return err
	}
	train, isFile := regular(o.output)
	test, isTestFile := "", true
	if o.testOutput != "" {
		test, isTestFile = regular(o.testOutput)
	}
	if !isFile || !isTestFile {
		return report, o.stream(command, run)
	}
	o.Seen = synth.NewSeen()
	digest := synth.Digest(programs, struct {
		Options synth.Options
		N       int
		Test    float64
	}{o.Options, o.N, o.Test})
	journal, from, err := synth.OpenJournal(train, test, digest, o.Seen)
	if err != nil {
		return report, err
	}
	if o.From = from; from.Tasks > 0 {
		fmt.Fprintf(command.ErrOrStderr(), "Going on after %s of an earlier run.\n", plural(from.Tasks, "task"))
	}
	if err := run(journal.Write); err != nil {
		return report, errors.Join(err, journal.Save(), journal.Close())
	}
	return report, journal.Done()
}

func (o *synthOptions) stream(command *cobra.Command, run func(emit func(synth.Made) error) error) error {
	write := func(train, test io.Writer) error {
		out, tests := bufio.NewWriterSize(train, 64<<10), bufio.NewWriterSize(test, 64<<10)
		err := run(func(m synth.Made) error {
			w := out
			if m.Test {
				w = tests
			}
			_, err := w.Write(m.Line)
			return err
		})
		return errors.Join(err, out.Flush(), tests.Flush())
	}
	return writeOutput(command, o.output, func(train io.Writer) error {
		if o.testOutput == "" {
			return write(train, io.Discard)
		}
		return writeOutput(command, o.testOutput, func(test io.Writer) error { return write(train, test) })
	})
}

// regular returns the target of path, and whether it is a regular file or does not exist. Others,
// such as a pipe or /dev/null, must not be replaced.
func regular(path string) (string, bool) {
	if isStandard(path, 1) || path == "-" {
		return path, false
	}
	info, err := os.Stat(path)
	if err != nil {
		return path, true
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	return path, info.Mode().IsRegular()
}

func printCensus(w io.Writer, c *synth.Census) {
	fmt.Fprintf(w, "%s: %d clean, %d fixed, %d neither", plural(c.Read, "program"), c.Clean, c.Fixed, c.Unclean)
	fmt.Fprintf(w, "; %d near others, %d near what is excluded", c.Repeated, c.Excluded)
	if c.Skipped > 0 {
		fmt.Fprintf(w, "; %s skipped", plural(c.Skipped, "file"))
	}
	fmt.Fprintf(w, "\n")
}

func printSynth(w io.Writer, r *synth.Report) {
	fmt.Fprintf(w, "%s (%d test) of %s, %s; %s failed\n\n", plural(r.Tasks, "task"), r.Test, plural(r.Programs, "program"), plural(r.Findings, "finding"), plural(r.Failed, "attempt"))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "  code\ttasks\tshare\tasked\t\n")
	for code, n := range r.Has {
		if n > 0 {
			name := rule.Code(code).String()
			fmt.Fprintf(table, "  %s\t%d\t%.2f %%\t%.2f %%\t\n", name, n, 100*r.Share[name], 100*r.Asked[name])
		}
	}
	table.Flush()
	for i, short := range r.Shortfalls() {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "  %s fell short, with %.2f %% of the faults where %.2f %% was asked: of %s, %s", short.Code, 100*short.Share, 100*short.Asked,
			plural(r.Tasks, "task"), verbed(short.Could, "has a program with a place for it", "have programs with a place for it"))
		fmt.Fprintln(w)
	}
}

// verbed returns a number and what it does.
func verbed(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// readSettings reads the flake8 options for tasks.
func readSettings(text string, v *versions) (options *task.Options, err error) {
	if text != "" {
		options = new(task.Options)
		if err := json.Unmarshal([]byte(text), options); err != nil {
			return nil, badArgument("--options", "%w", err)
		}
	}
	if options.NamesVersions() && (v.flake8 != 0 || v.python != 0) {
		return nil, misuse{errors.New("argument --options: names versions beside --flake8-version or --target-version")}
	}
	return options, v.resolve()
}

// pinnedSettings is readSettings for options that name their versions.
func pinnedSettings(text string, v *versions) (*task.Options, error) {
	options, err := readSettings(text, v)
	if err != nil {
		return nil, err
	}
	if options, err = options.Pinned(v.flake8, v.python); err != nil {
		return nil, misuse{err}
	}
	return options, nil
}

// unitUsage is the help of --unit.
const unitUsage = "what of a file or row is a program: `UNIT` definition or program (default: of files definition, of rows program)"

// readInstructions returns the instructions of a language, or those in a file.
func readInstructions(command *cobra.Command, language, file string) ([]string, error) {
	if file == "" {
		return dataset.Instructions(language), nil
	}
	return readFrom(command, file, dataset.ReadInstructions)
}

// newDatasetWeightsCommand returns the command that measures the frequencies of codes.
func newDatasetWeightsCommand() *cobra.Command {
	var v versions
	output, settings, unit := "-", "", corpus.Unit("")
	o := corpus.Options{}
	command := &cobra.Command{
		Use:   "weights SOURCE... [-o FILE]",
		Short: "Count the programs that have each code, for dataset synth",
		Long: `Reads programs as dataset synth does and lints them as they are. Writes a JSON object
of codes, with the number of programs that have each.`,
		Example: "  codelinter dataset weights src/ -o weights.json",
		Args:    arguments(1, math.MaxInt, "SOURCE"),
		RunE: interruptible(func(command *cobra.Command, args []string) error {
			if err := different(command, args, [2]string{"--output", output}); err != nil {
				return err
			}
			options, err := pinnedSettings(settings, &v)
			if err != nil {
				return err
			}
			o.FileUnit, o.RowUnit = unit, unit
			measure, err := synth.NewMeasure(options.Lint())
			if err != nil {
				return err
			}
			read := 0
			line := terminal.NewProgress(command.ErrOrStderr(), "programs")
			err = corpus.Read(args, o, func(p *corpus.Program) error {
				read++
				measure.Add([]byte(p.Text))
				line.Set(read, 0)
				return command.Context().Err()
			})
			line.Clear()
			if err != nil {
				return ended(command.Context(), err)
			}
			fmt.Fprintf(command.ErrOrStderr(), "%s, %d with findings\n", plural(read, "program"), measure.Programs)
			return writeOutput(command, output, measure.Weights.Write)
		}),
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVarP(&output, "output", "o", output, "write to `FILE`, - for standard output")
	addChoice(command, &unit, "unit", unitUsage, corpus.Definitions, corpus.Whole)
	flags.StringVar(&settings, "options", "", "lint with these options of flake8: a `JSON` object")
	v.addFlags(command, "")
	return command
}
