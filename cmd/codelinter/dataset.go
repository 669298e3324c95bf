package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/internal/eval/ask"
	"codelinter/internal/rows/packed"
	"codelinter/internal/tasks/corpus"
	"codelinter/internal/tasks/dataset"
	"codelinter/internal/tasks/openset"
	"codelinter/internal/util/terminal"
)

func newDatasetCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:        "dataset",
		Short:      "Make and check tasks for eval",
		SuggestFor: []string{"data", "tasks"},
	}, newDatasetBuildCommand(), newDatasetSynthCommand(), newDatasetWeightsCommand(), newDatasetSelectCommand(), newDatasetCheckCommand(), newDatasetCardCommand(), newDatasetExportCommand(), newDatasetPromptsCommand(), newDatasetOpenCommand())
}

type buildOptions struct {
	source, output, shotsOutput string
	language, prompts           string
	settings                    string
	skipInvalid                 bool
	versions
	plugins taskPlugins
	dataset.BuildOptions
}

func newDatasetBuildCommand() *cobra.Command {
	o := buildOptions{BuildOptions: dataset.BuildOptions{Fields: corpus.MBPP}}
	command := &cobra.Command{
		Use:   "build --source FILE [-o FILE] [options]",
		Short: "Make a task of each program that has findings",
		Long: `Reads rows of MBPP, or similar ones, and lints the code of each with flake8's
defaults. Writes a task with CodeLinterEval's fields for each row with findings,
and their number on standard error.

The source is JSONL, a JSON list or Parquet, plain or in .gz. Tasks use the
instructions in turn. With -n or --shots, the seed and a row's id decide whether
the row is chosen. A row chosen from all rows is also chosen from a part.`,
		Example: "  codelinter dataset build --source mbpp.jsonl -o tasks.jsonl\n" +
			"  codelinter dataset build --source mbpp.parquet --lang ru -n 100 --shots 10 -o tasks.jsonl",
		Args: arguments(0, 0, ""),
		RunE: interruptible(func(command *cobra.Command, _ []string) error { return runDatasetBuild(command, &o) }),
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.source, "source", "", "read rows from `FILE`, - for standard input")
	flags.StringVarP(&o.output, "output", "o", "-", "write tasks to `FILE`, - for standard output")
	o.language = dataset.Languages()[0]
	addChoice(command, &o.language, "lang", "instructions in this `LANGUAGE`: en or ru", dataset.Languages()...)
	flags.StringVar(&o.prompts, "prompts", "", "take instructions from `FILE`: a JSON list, or texts with lines of %% between them")
	flags.IntVarP(&o.N, "number", "n", 0, "choose `N` tasks (default: all)")
	flags.IntVar(&o.Shots, "shots", 0, "keep `N` tasks out as examples, in a file of their own")
	flags.StringVar(&o.shotsOutput, "shots-output", "", "write the examples to `FILE` (default: tasks.shots.jsonl beside tasks.jsonl)")
	flags.StringVar(&o.settings, "options", "", "lint with these options of flake8, and score so: a `JSON` object such as {\"max-complexity\": 5}")
	o.versions.addFlags(command, "and name it in each task")
	o.plugins.addFlag(flags, ", which find faults too, all or those that --options name,")
	flags.Uint64Var(&o.Seed, "seed", 0, "choose others with another `SEED`")
	flags.BoolVar(&o.Normalize, "normalize", false, "write \\n for \\r\\n, and end each program with a newline")
	flags.BoolVar(&o.skipInvalid, "skip-invalid", false, "leave out rows that cannot be read or have the id of another, and list them")
	for _, field := range []struct {
		name *string
		flag string
		what string
	}{
		{&o.Fields.ID, "id", "the row's id"},
		{&o.Fields.Code, "code", "the program"},
		{&o.Fields.Text, "text", "what the program is to do"},
		{&o.Fields.Setup, "setup", "the code before the tests"},
		{&o.Fields.Tests, "tests", "the tests"},
		{&o.Fields.Challenge, "challenge", "the harder tests"},
	} {
		flags.StringVar(field.name, field.flag+"-field", *field.name, "the `NAME` of the field with "+field.what)
	}
	command.MarkFlagRequired("source")
	return command
}

func runDatasetBuild(command *cobra.Command, o *buildOptions) error {
	if err := atLeast(command, 0, "number", "shots"); err != nil {
		return err
	}
	switch {
	case o.Shots == 0 && o.shotsOutput != "":
		return misuse{errors.New("--shots-output goes with --shots")}
	case o.Shots > 0 && o.shotsOutput == "" && o.output == "-":
		return misuse{errors.New("--shots goes with --output or --shots-output")}
	case o.Shots > 0 && o.shotsOutput == "":
		o.shotsOutput = beside(o.output, ".shots")
	}
	err := different(command, []string{o.source, o.prompts}, [2]string{"--output", o.output}, [2]string{"--shots-output", o.shotsOutput})
	if err != nil {
		return err
	}
	if o.Options, err = readSettings(o.settings, &o.versions); err != nil {
		return err
	}
	defer o.plugins.Close()
	if err := o.takePlugins(command); err != nil {
		return err
	}
	o.Release, o.Target = o.flake8, o.python
	if o.Instructions, err = readInstructions(command, o.language, o.prompts); err != nil {
		return err
	}
	if info, err := os.Stat(o.source); err == nil && info.IsDir() {
		return badArgument("--source", "expected a file of rows, found the folder %s: dataset synth makes tasks of the programs in a folder", o.source)
	}
	if o.skipInvalid {
		o.Invalid = func(err error) { fmt.Fprintf(command.ErrOrStderr(), "left out: %v\n", err) }
	}
	var built dataset.Built
	err = withInput(command, o.source, func(name string, in io.Reader) error {
		build := func(test, shots io.Writer) (err error) {
			built, err = dataset.Build(name, in, test, shots, o.BuildOptions)
			return err
		}
		return writeBuffered(command, o.output, func(test io.Writer) error {
			if o.Shots == 0 {
				return build(test, io.Discard)
			}
			return writeOutput(command, o.shotsOutput, func(shots io.Writer) error { return build(test, shots) })
		})
	})
	if err != nil {
		return err
	}
	return o.print(command.ErrOrStderr(), &built)
}

// takePlugins opens the plugins, and has the options name all of them unless they name some.
func (o *buildOptions) takePlugins(command *cobra.Command) (err error) {
	if o.Plugins, err = o.plugins.open(command, 1); o.Plugins == nil || err != nil {
		return err
	}
	if len(o.Options.Plugins()) == 0 {
		o.Options, err = o.Options.WithPlugins(o.plugins.set.All())
	}
	return err
}

// print prints what was built.
func (o *buildOptions) print(w io.Writer, built *dataset.Built) error {
	shots, invalid := "", ""
	if o.Shots > 0 {
		shots = fmt.Sprintf(", %d shots", built.Shots)
	}
	if built.Invalid > 0 {
		invalid = fmt.Sprintf(", %d left out", built.Invalid)
	}
	_, err := fmt.Fprintf(w, "%s%s: %s%s, %s of %s\n", plural(built.Rows, "row"), invalid, plural(built.Tasks, "task"), shots, plural(built.Findings, "finding"),
		o.Options.Reference(o.Release, o.Target))
	return err
}

// A datasetCheck has the options of dataset check.
type datasetCheck struct {
	versions
	plugins          taskPlugins
	noGuard, mutants bool
}

func newDatasetCheckCommand() *cobra.Command {
	var o datasetCheck
	command := &cobra.Command{
		Use:   "check FILE",
		Short: "Say what is wrong with a file of tasks",
		Long: `Reads tasks (JSONL, a JSON list or Parquet, plain or in .gz) and checks every
row. Its fields must have the right types, and its id must be unique. The
instruction must have {code} and {feedback}, and the feedback must be the
linter's. The canonical code must be clean, unless it is the program itself.
Prints how many tasks the guarded verdict cannot decide, and why; that is no
fault. Nothing is run for a task whose canonical code has the program's tree:
an answer like it passes. A mutant is a program with one token changed: --mutants prints how many
mutants of each program the guarded verdict's calls tell apart.

The exit code is 1 if anything is wrong with a row, and 2 if the file cannot be
read to its end or has no rows.`,
		Example: "  codelinter dataset check tasks.jsonl",
		Args:    arguments(1, 1, "FILE"),
		RunE: interruptible(func(command *cobra.Command, args []string) error {
			return withInput(command, args[0], func(name string, in io.Reader) error { return o.run(command, name, in) })
		}),
	}
	command.Flags().BoolVar(&o.noGuard, "no-guard", false, "do not ask which tasks can be decided: run nothing")
	command.Flags().BoolVar(&o.mutants, "mutants", false, "run each program's mutants, and name those that the judge's calls do not tell from it")
	command.MarkFlagsMutuallyExclusive("no-guard", "mutants")
	o.addFlags(command, "for tasks that name no version")
	o.plugins.addFlag(command.Flags(), " that tasks name")
	return command
}

func (o *datasetCheck) run(command *cobra.Command, name string, in io.Reader) (err error) {
	if err := o.resolve(); err != nil {
		return err
	}
	allowGarbage(evalGarbage)
	options := dataset.CheckOptions{Release: o.flake8, Target: o.python}
	defer o.plugins.Close()
	if options.Plugins, err = o.plugins.open(command, 1); err != nil {
		return err
	}
	if !o.noGuard {
		judges := judge.New(judge.Options{Mutants: o.mutants})
		defer judges.Close()
		o.ask(command.Context(), judges, &options)
	}
	total := countLines(name)
	if !o.noGuard && total >= manyTasks {
		tell(command, "note: programs of some %d tasks are run, to see which can be decided: --no-guard leaves this out", total)
	}
	progress := terminal.NewProgress(command.ErrOrStderr(), "tasks")
	options.Progress = func(rows int) { progress.Set(rows, max(total, rows)) }
	if total == 0 {
		options.Progress = func(rows int) { progress.Set(rows, 0) }
	}
	report, err := dataset.Check(name, in, options)
	progress.Clear()
	rest := ""
	switch {
	case command.Context().Err() != nil:
		rest, err = "was not checked", context.Cause(command.Context())
	case err != nil:
		rest = "cannot be read"
	}
	if report.Rows > 0 {
		if err := printReport(command.OutOrStdout(), name, report, rest); err != nil {
			return err
		}
	}
	if err == nil && len(report.Faults) > 0 {
		err = exitCode(exitFound)
	}
	return err
}

// manyTasks is the number of tasks from which on a check says what takes its time.
const manyTasks = 200

// countLines returns the number of lines of a regular file of lines of JSON, or 0 for others.
func countLines(path string) (lines int) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return 0
	}
	file, err := os.Open(path)
	if err != nil {
		return 0 // as is said when it is read
	}
	defer file.Close()
	buffer := make([]byte, 64<<10)
	for first := true; ; first = false {
		n, err := file.Read(buffer)
		if first && (n == 0 || buffer[0] != '{') {
			return 0 // not a task a line
		}
		lines += bytes.Count(buffer[:n], []byte{'\n'})
		if err != nil {
			return lines
		}
	}
}

// ask makes the check ask the judge.
func (o *datasetCheck) ask(ctx context.Context, judges *judge.Judges, options *dataset.CheckOptions) {
	if o.mutants {
		options.Adequacy = func(t *task.Task) (*task.Adequacy, error) { return judges.Adequacy(ctx, t) }
	}
	options.Undecidable = func(t *task.Task) (string, error) {
		reason, err := judges.Undecidable(ctx, t)
		if reason == nil || err != nil {
			return "", err
		}
		return reason.Name, nil
	}
}

// newDatasetExportCommand returns the command that writes tasks for trainers.
func newDatasetExportCommand() *cobra.Command {
	var trainer, tasks, system string
	output := "-"
	command := &cobra.Command{
		Use:   "export --for TRAINER [--tasks FILE] [-o FILE]",
		Short: "Write tasks with the prompt and columns that a trainer reads",
		Long: `Writes a row for each task in the columns of a trainer: the prompt, and the task
itself as a text of JSON, which the reward functions of the Python package take.

The rows are JSONL. Without --tasks, the tasks are the open set.`,
		Example: "  codelinter dataset export --for trl -o train.jsonl\n" +
			"  codelinter dataset export --for verl --tasks tasks.jsonl -o train.jsonl",
		Args: arguments(0, 0, ""),
		RunE: interruptible(func(command *cobra.Command, _ []string) error {
			if !slices.Contains(dataset.Trainers(), dataset.Trainer(trainer)) {
				return badArgument("--for", "expected one of %s, found %q", trainerNames(), trainer)
			}
			if strings.HasSuffix(output, ".parquet") {
				return badArgument("--output", "expected the name of a file of JSONL, found %q", output)
			}
			if err := different(command, []string{tasks}, [2]string{"--output", output}); err != nil {
				return err
			}
			set, _, err := openTasks(command.Context(), tasks)
			if err != nil {
				return err
			}
			return writeBuffered(command, output, func(w io.Writer) error {
				return dataset.Export(w, set, dataset.Trainer(trainer), system)
			})
		}),
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&trainer, "for", "", "write for `TRAINER`: "+trainerNames())
	flags.StringVar(&tasks, "tasks", "", "read tasks from `FILE` (default: the open set)")
	flags.StringVarP(&output, "output", "o", output, "write rows to `FILE`, - for standard output")
	flags.StringVar(&system, "system", "", "begin each chat with the system's message `TEXT`")
	completeValues(command, "for", names(dataset.Trainers())...)
	command.MarkFlagRequired("for")
	return command
}

// newDatasetPromptsCommand returns the command that writes requests for a batch.
func newDatasetPromptsCommand() *cobra.Command {
	var o generateOptions
	output := "-"
	command := &cobra.Command{
		Use:   "prompts --model NAME [--tasks FILE] [-o FILE] [options]",
		Short: "Write requests for OpenAI's or vLLM's batches",
		Long: `Writes a line for each request that generate would make, for OpenAI's batches
and "vllm run-batch", which answer a file of requests. eval reads what they
write as it is. Without --tasks, the tasks are the open set.`,
		Example: "  codelinter dataset prompts --model NAME -o batch.jsonl\n" +
			"  vllm run-batch -i batch.jsonl -o answers.jsonl --model NAME\n" +
			"  codelinter eval --samples answers.jsonl",
		Args: arguments(0, 0, ""),
		RunE: interruptible(func(command *cobra.Command, _ []string) error {
			if o.Settings.Model == "" {
				return misuse{errors.New("the following arguments are required: --model")}
			}
			if err := o.checkRequests(command); err != nil {
				return err
			}
			if err := different(command, []string{o.tasks}, [2]string{"--output", output}); err != nil {
				return err
			}
			tasks, _, err := openTasks(command.Context(), o.tasks)
			if err != nil {
				return err
			}
			return writeOutput(command, output, func(w io.Writer) error { return ask.WriteBatch(w, tasks, o.Options) })
		}),
	}
	flags := command.Flags()
	flags.SortFlags = false
	o.flags(flags)
	flags.StringVarP(&output, "output", "o", output, "write requests to `FILE`, - for standard output")
	return command
}

// trainerNames lists the trainers that tasks can be exported for.
func trainerNames() string { return strings.Join(names(dataset.Trainers()), ", ") }

// newDatasetOpenCommand returns the command that writes out the open set.
func newDatasetOpenCommand() *cobra.Command {
	output := "-"
	command := &cobra.Command{
		Use:   "open [-o FILE]",
		Short: "Write the open set: tasks of our own, with tests",
		Long: `Writes the tasks that are built in: small programs of many kinds, each with
findings, a clean program that does the same, and tests that both pass.`,
		Example: "  codelinter dataset open -o tasks.jsonl",
		Args:    arguments(0, 0, ""),
		RunE: interruptible(func(command *cobra.Command, _ []string) error {
			return writeOutput(command, output, openset.WriteTasks)
		}),
	}
	command.Flags().StringVarP(&output, "output", "o", output, "write tasks to `FILE`, - for standard output")
	return command
}

// printReport prints the content and the faults of a file of tasks. whole says that it was read to
// its end. printReport prints a report. rest says what became of the rows after it, or is "" if
// there are none.
func printReport(w io.Writer, name string, r *dataset.Report, rest string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %s, %s\n\n", name, r.Format, plural(r.Tasks, "task"))
	facts := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(facts, "  findings\t%d of %s\n", r.Findings, plural(r.Codes, "code"))
	fmt.Fprintf(facts, "  instructions\t%d different\n", r.Instructions)
	fmt.Fprintf(facts, "  canonical code\t%d clean, %d the program itself, %d none\n", r.CleanCanonical, r.SameCanonical, r.NoCanonical)
	fmt.Fprintf(facts, "  tests\t%s with them\n", plural(r.Tests, "task"))
	if asked := r.Decided + len(r.Undecidable); asked > 0 {
		undecidable := ""
		for _, reason := range slices.Sorted(maps.Keys(r.Undecidable)) {
			undecidable += fmt.Sprintf(", %d not: %s", r.Undecidable[reason], reason)
		}
		byTree := ""
		if r.ByTree > 0 {
			byTree = fmt.Sprintf(" (%d by the tree of their canonical code)", r.ByTree)
		}
		fmt.Fprintf(facts, "  can be decided\t%s%s%s\n", plural(r.Decided, "task"), byTree, undecidable)
	}
	all, alive := 0, 0
	for i := range r.Adequacies {
		all, alive = all+r.Adequacies[i].Mutants, alive+len(r.Adequacies[i].Alive)
	}
	if all > 0 {
		fmt.Fprintf(facts, "  mutants told apart\t%d of %d, %.3f\n", all-alive, all, float64(all-alive)/float64(all))
	}
	facts.Flush()
	if alive > 0 {
		printAlive(out, r)
	}
	if len(r.Faults) == 0 {
		if rest == "" {
			fmt.Fprint(out, "\n  No faults.\n")
		} else {
			fmt.Fprintf(out, "\n  No faults in %s; the rest %s.\n", plural(r.Rows, "row"), rest)
		}
		return out.Flush()
	}
	printFaults(out, r)
	return out.Flush()
}

// printAlive prints the mutants that no call tells apart.
func printAlive(out io.Writer, r *dataset.Report) {
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  task\tadequacy\tmutant that no call tells apart")
	for i := range r.Adequacies {
		a := &r.Adequacies[i]
		for _, name := range a.Alive {
			fmt.Fprintf(table, "  %s\t%.2f\t%s\n", a.ID, a.Share(), strings.Join(strings.Fields(name), " "))
		}
	}
	table.Flush()
}

func printFaults(out io.Writer, r *dataset.Report) {
	unit, place := "row", func(f *dataset.Fault) int { return f.Row }
	if r.Format == packed.JSONL {
		unit, place = "line", func(f *dataset.Fault) int { return f.Line }
	}
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "  %s\ttask\tfield\tfault\n", unit)
	rows := map[int]bool{}
	for i := range r.Faults {
		fault := &r.Faults[i]
		rows[place(fault)] = true
		id := "-"
		if fault.ID != "" {
			id = fault.ID.String()
		}
		fmt.Fprintf(table, "  %d\t%s\t%s\t%s\n", place(fault), id, cmp.Or(fault.Field, "-"), fault.Problem)
	}
	table.Flush()
	fmt.Fprintf(out, "\n  %s in %d of %s.\n", plural(len(r.Faults), "fault"), len(rows), plural(r.Rows, "row"))
}

// plural counts things by a regular noun.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
