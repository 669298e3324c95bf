package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/internal/eval/ask"
	"codelinter/internal/eval/formats"
	"codelinter/internal/eval/report"
	"codelinter/internal/eval/suites"
	"codelinter/internal/rows"
	"codelinter/internal/tasks/dataset"
	"codelinter/internal/tasks/openset"
	"codelinter/internal/util/terminal"
	"codelinter/internal/version"
	"codelinter/rule"
)

type evalOptions struct {
	html, lmEval                          string
	submission, inspect                   string
	model                                 string
	temperature                           float64
	texts                                 bool
	tasks, samples, output, samplesFormat string
	suite                                 suites.Suite
	k                                     []int
	by                                    []string
	json, all, strict, onlySampled        bool
	noGuard, noStandIns, adequacy         bool
	rewards
	workers int
	versions
	plugins taskPlugins
}

func newEvalCommand() *cobra.Command {
	var o evalOptions
	command := &cobra.Command{
		Use:        "eval [[--tasks FILE] SAMPLES] [options]",
		Short:      "Score completions on CodeLinterEval tasks",
		SuggestFor: []string{"score", "evaluate", "bench", "benchmark"},
		Long: `Extracts the code from each completion, and lints it with flake8's defaults or
the task's options. Prints pass@k over the tasks, and for each code how many
findings were fixed, left and introduced.

Tasks are JSONL, a JSON list or Parquet with the benchmark's fields. Samples are
JSONL of {"id": 7, "outputs": ["...", ...]}, one line a task, or files of other
tools, whose format is detected. Without --tasks, the tasks are the open set,
which is built in. Without samples too, built-in answers are scored in place of
a model's.

With --suite, answers to HumanEval or MBPP are executed instead, with the inputs
of EvalPlus' file, and linted: pass@k of those that pass, and of those that are
clean.

The scores are over the tasks that were asked: those in the file of samples, and
for a log of inspect_ai those that its head names. If there are others, the
score over all tasks stands beside them. A task that was asked and has no
samples counts as failed. Samples of an unknown task are left out. The output
names both. With --strict, tasks without samples and unknown tasks are errors.`,
		Example: "  codelinter eval\n  codelinter eval --tasks tasks.jsonl --samples samples.jsonl -o results.jsonl",
		Args:    arguments(0, 1, ""),
		RunE: interruptible(func(command *cobra.Command, args []string) error {
			if len(args) == 1 {
				if o.samples != "" {
					return badArgument("--samples", "expected one file, found %s and %s", o.samples, args[0])
				}
				o.samples = args[0]
			}
			if err := checkFormat(o.samplesFormat); err != nil {
				return err
			}
			if err := o.checkFiles(command); err != nil {
				return err
			}
			if o.suite != "" {
				return runSuite(command, &o)
			}
			return runEval(command, &o)
		}),
	}
	o.addFlags(command)
	return command
}

// addFlags adds the options to eval's.
func (o *evalOptions) addFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.tasks, "tasks", "", "read tasks from `FILE` (default: the open set)")
	flags.StringVar(&o.samples, "samples", "", "read samples from `FILE`, - for standard input; or name it without the option")
	flags.StringVar(&o.samplesFormat, "samples-format", string(formats.Auto), "read samples as `FORMAT`: "+samplesFormats())
	completeValues(command, "samples-format", names(formats.Formats())...)
	addChoice(command, &o.suite, "suite", "execute answers to `SUITE`, humaneval or mbpp, of which EvalPlus' file goes with --tasks: do they pass, and are they clean?", suites.Suites()...)
	flags.StringVarP(&o.output, "output", "o", "", "write a line of results for each task to `FILE`, - for standard output in place of the table")
	flags.BoolVar(&o.texts, "texts", false, "keep prompts and answers in the results, so that report can show them")
	flags.StringVar(&o.html, "html", "", "write a report for a browser to `FILE`, which is all it needs")
	flags.StringVar(&o.lmEval, "lm-eval", "", "write the sums to `FILE` as lm-evaluation-harness does")
	flags.StringVar(&o.inspect, "inspect", "", "write a log of inspect_ai to `FILE`, or scores for a log of its own if it ends in .jsonl (the guarded verdict's beside, in .guarded.jsonl)")
	flags.StringVar(&o.submission, "submission", "", "write the samples to `FILE` to hand in: a zip, or JSON if it ends in .json")
	flags.StringVar(&o.model, "model", "", "the model's `NAME` in these")
	flags.Float64Var(&o.temperature, "temperature", 0, "the temperature `T` at which it gave the samples, in these")
	flags.IntSliceVar(&o.k, "k", evaluator.DefaultK(), "estimate pass@k for each k of `K,...`")
	flags.StringSliceVar(&o.by, "by", nil, "show the scores in groups as well, of `KIND,...`: prompt, length, code")
	completeValues(command, "by", "prompt", "length", "code")
	flags.BoolVar(&o.all, "all", false, "list all codes, not those that are found most often")
	flags.BoolVar(&o.json, "json", false, "print the sums as one line of JSON, not as a table")
	flags.BoolVar(&o.noGuard, "no-guard", false, "give the official verdict alone: run nothing")
	flags.BoolVar(&o.adequacy, "adequacy", false, "say of each task which share of its program's mutants the guarded verdict's calls tell apart")
	o.rewards.addFlags(command, "")
	flags.BoolVar(&o.noStandIns, "no-stand-ins", false, "play no modules that the sandbox lacks: programs that import them are not run")
	o.versions.addFlags(command, "for tasks that name no version")
	o.plugins.addFlag(flags, " that tasks name")
	flags.BoolVar(&o.onlySampled, "only-sampled", false, "take the tasks with samples for all that were asked, whatever the file of samples says")
	flags.BoolVar(&o.strict, "strict", false, "fail if a task has no samples or samples have no task")
	flags.IntVar(&o.workers, "workers", 0, "score `N` tasks at the same time (default: one a core)")
}

// checkFiles refuses outputs that are not files of their own.
func (o *evalOptions) checkFiles(command *cobra.Command) error {
	var outputs [][2]string
	for _, f := range o.files(evaluator.About{}, 0) {
		if f.path == "-" && f.flag != "-o/--output" {
			return badArgument(f.flag, "expected the name of a file")
		}
		outputs = append(outputs, [2]string{f.flag, f.path})
	}
	return different(command, []string{o.tasks, o.samples, o.samples + ask.Suffix}, outputs...)
}

// check checks the options, and returns the judge's.
func (o *evalOptions) check(command *cobra.Command) (made judge.Options, err error) {
	for i, k := range o.k {
		if k < 1 || slices.Contains(o.k[:i], k) {
			return made, badArgument("--k", "expected different numbers of 1 or more, found %d", k)
		}
	}
	if err := checkGroupings(o.by); err != nil {
		return made, err
	}
	if made.Reward, made.OnUnknown, err = o.rewards.parse(); err != nil {
		return made, err
	}
	if err := checkTemperature(o.temperature); err != nil {
		return made, err
	}
	if o.noGuard && command.Flags().Changed("reward") {
		return made, misuse{errors.New("--reward goes without --no-guard: it is the guarded verdict's")}
	}
	if o.adequacy && o.noGuard {
		return made, misuse{errors.New("--adequacy goes without --no-guard")}
	}
	if err := atLeast(command, 0, "workers"); err != nil {
		return made, err
	}
	if err := o.resolve(); err != nil {
		return made, err
	}
	if o.tasks != "" && o.samples == "" {
		return made, misuse{errors.New("--tasks goes with --samples")}
	}
	made.NoStandIns, made.Mutants, made.Sandbox.Workers = o.noStandIns, o.adequacy, o.workers
	return made, nil
}

// source opens the samples, by default the built-in answers.
func (o *evalOptions) source(command *cobra.Command, tasks *task.Set) (*formats.File, error) {
	if o.samples != "" {
		return openSamples(command, o.samples, o.samplesFormat, tasks)
	}
	answers, err := openset.Answers()
	if err != nil {
		return nil, err
	}
	return formats.Read("open answers", answers, formats.JSONL, tasks)
}

// refuse returns an error if a run scores no samples or, with --strict, not all samples
// or tasks.
func (o *evalOptions) refuse(tasks *task.Set, s *evaluator.Summary) error {
	switch {
	case s.Samples == 0 && s.Unknown > 0:
		return &rows.Error{File: o.samples, Problem: fmt.Sprintf("expected samples of these tasks, such as %s, found none, but %d of other ids, such as %s",
			tasks.At(0).Meta.ID, s.Unknown, s.UnknownIDs[0])}
	case s.Samples == 0:
		return &rows.Error{File: o.samples, Problem: "expected at least one sample, found none"}
	case o.strict && (len(s.Missing) > 0 || len(s.NotAsked) > 0 || s.Unknown > 0):
		return errors.New(strings.Join(report.Unmatched(s), "; "))
	}
	return nil
}

// evalGarbage is how much garbage an evaluation may leave between collections, in bytes: 4 to 30 MB
// are in use.
const evalGarbage = 64 << 20

func runEval(command *cobra.Command, o *evalOptions) error {
	allowGarbage(evalGarbage)
	judging, err := o.check(command)
	if err != nil {
		return err
	}
	tasks, name, err := openTasks(command.Context(), o.tasks)
	if err != nil {
		return err
	}
	source, err := o.source(command, tasks)
	if err != nil {
		return err
	}
	defer source.Close()
	title := "CodeLinterEval, " + name

	options := evaluator.Options{K: o.k, Workers: o.workers, OnlySampled: o.onlySampled, Name: name, Release: o.flake8, Target: o.python, Feedback: true}
	if !o.noGuard {
		judging.Sandbox.Notice = notice(command)
		judges := judge.New(judging)
		defer judges.Close()
		options.Judges = judges.Makers()
		if o.adequacy {
			options.Adequacy = judges.Adequacy
		}
	}
	defer o.plugins.Close()
	if options.Plugins, err = o.plugins.open(command, o.workers); err != nil {
		return err
	}
	progress := terminal.NewProgress(command.ErrOrStderr(), "tasks")
	options.Progress = func(done int) { progress.Set(done, tasks.Len()) }

	score := func() (*evaluator.Summary, error) {
		summary, err := evaluator.Run(command.Context(), tasks, source, options)
		progress.Clear()
		if errors.Is(err, context.Canceled) {
			return nil, context.Cause(command.Context())
		}
		if err == nil {
			err = o.refuse(tasks, summary)
		}
		if err == nil {
			printNotes(command, source)
			if summary.Resemblance.OfOthers() {
				tell(command, "warning: %s", report.Foreign(summary))
			}
			o.noteFindings(command, tasks, summary.OtherFeedback)
		}
		return summary, err
	}
	about := o.about(command, title, tasks)
	summary, err := withOutputs(command, o.files(about, tasks.Len()), &options, score)
	if err == nil {
		err = o.print(command.OutOrStdout(), about, summary)
	}
	if o.html != "" {
		err = sayWritten(command, o.html, err)
	}
	if err == nil {
		err = ownErrors(summary)
	}
	return err
}

// about describes the run, for its outputs.
func (o *evalOptions) about(command *cobra.Command, title string, tasks *task.Set) evaluator.About {
	about := evaluator.About{Title: title, Model: o.model, Created: created(o.samples), Linter: "codelinter " + version.Full(o.flake8, o.python),
		References: tasks.References(o.flake8, o.python)}
	if command.Flags().Changed("temperature") {
		about.Temperature = &o.temperature
	}
	o.addOrigin(command, &about)
	return about
}

// print prints the sums.
func (o *evalOptions) print(w io.Writer, about evaluator.About, summary *evaluator.Summary) error {
	switch {
	case o.json:
		_, err := w.Write(report.Summary(summary, about))
		return err
	case o.output == "-":
		return nil
	}
	err := report.Table(w, about.Title, summary, o.all, o.by...)
	if err == nil && o.samples == "" {
		_, err = fmt.Fprint(w, "\n  No model gave these answers: they are built in. Those of yours:\n"+
			"    codelinter generate --base-url URL --model NAME -o samples.jsonl\n"+
			"    codelinter eval --samples samples.jsonl --html report.html\n")
	}
	return err
}

// ownErrors returns an error if samples are unknown because of errors of ours, as the scores
// may be too low then.
func ownErrors(s *evaluator.Summary) error {
	for _, total := range s.Totals {
		if total.Errors > 0 {
			return fmt.Errorf("the %s verdict of %s is unknown for an error of codelinter itself: the scores may be too low", total.Verdict, plural(total.Errors, "sample"))
		}
	}
	return nil
}

// addOrigin adds the model and temperature in the journal that `generate` wrote beside
// the samples, unless they are on the command line.
func (o *evalOptions) addOrigin(command *cobra.Command, about *evaluator.About) {
	if o.samples == "" || o.samples == "-" {
		return
	}
	settings, err := ask.ReadSettings(o.samples)
	if err != nil {
		tell(command, "no model is known: %v", err)
	}
	if settings == nil {
		return
	}
	// Extra fields override the others.
	if _, other := settings.Extra["model"]; about.Model == "" && !other {
		about.Model = settings.Model
	}
	if _, other := settings.Extra["temperature"]; about.Temperature == nil && !other && about.Model == settings.Model {
		about.Temperature = &settings.Temperature
	}
}

// A file is an output of eval.
type file struct {
	flag, path string
	open       func(w io.Writer) (formats.Output, error)
}

// files returns the outputs that the options ask for.
func (o *evalOptions) files(about evaluator.About, tasks int) []file {
	all := []file{
		{"-o/--output", o.output, func(w io.Writer) (formats.Output, error) {
			results := report.Results{Texts: o.texts, About: about}
			return formats.Lines(w, results.Encode), nil
		}},
		{"--html", o.html, func(w io.Writer) (formats.Output, error) {
			page := report.NewPage(tasks)
			return formats.Output{
				Output: evaluator.Output{Encode: page.Encode, Writer: page},
				Finish: func(s *evaluator.Summary) error { return page.Render(w, about, s) },
			}, nil
		}},
	}
	verdicts := []evaluator.Verdict{evaluator.Official}
	if !o.noGuard {
		verdicts = append(verdicts, evaluator.Guarded)
	}
	for _, of := range []struct {
		flag, path string
		format     formats.Format
	}{
		{"--submission", o.submission, formats.Submission},
		{"--inspect", o.inspect, formats.Inspect},
		{"--lm-eval", o.lmEval, formats.LMEval},
	} {
		for _, f := range formats.Files(of.format, of.path, verdicts) {
			all = append(all, file{of.flag, f.Path, func(w io.Writer) (formats.Output, error) { return f.Begin(w, about) }})
		}
	}
	return slices.DeleteFunc(all, func(f file) bool { return f.path == "" })
}

// withOutputs opens files, runs score, and finishes the files. No file appears before
// all are complete.
func withOutputs(command *cobra.Command, files []file, options *evaluator.Options, score func() (*evaluator.Summary, error)) (summary *evaluator.Summary, err error) {
	var finish []func(*evaluator.Summary) error
	var open func(files []file) error
	open = func(files []file) error {
		if len(files) > 0 {
			return writeOutput(command, files[0].path, func(w io.Writer) error {
				begun, err := files[0].open(w)
				if err != nil {
					return err
				}
				if begun.Close != nil {
					defer begun.Close()
				}
				if begun.Encode != nil {
					options.Outputs = append(options.Outputs, begun.Output)
				}
				finish = append(finish, begun.Finish)
				return open(files[1:])
			})
		}
		var err error
		summary, err = score()
		for _, end := range finish {
			if err == nil {
				err = end(summary)
			}
		}
		return err
	}
	err = open(files)
	return summary, err
}

// noteFindings names the prompts with findings of another flake8 than the one that
// scores their answers. They are among those whose feedback is another one.
func (o *evalOptions) noteFindings(command *cobra.Command, tasks *task.Set, others []*task.Task) {
	if flags := command.Flags(); flags.Changed("flake8-version") || flags.Changed("target-version") {
		named := 0
		for _, t := range tasks.All() {
			if t.Meta.Options.NamesVersions() {
				named++
			}
		}
		if named > 0 {
			tell(command, "note: %d of %d tasks name versions of their own, by which answers to them are scored: they were made by these", named, tasks.Len())
		}
	}
	for _, other := range dataset.OtherFindings(others, o.flake8, o.python) {
		tell(command, "note: the prompts of %d of %d tasks, such as %s, hold findings of %s, not of %s, by which answers are scored: --flake8-version %s scores by the former",
			len(other.IDs), tasks.Len(), other.IDs[0], rule.Reference(other.Release, 0), rule.Reference(o.flake8, o.python), other.Release)
	}
}

// created returns the time of the samples' file, for formats that require the time of
// the samples.
func created(samples string) time.Time {
	if info, err := os.Stat(samples); err == nil && info.Mode().IsRegular() {
		return info.ModTime()
	}
	return time.Unix(0, 0)
}
