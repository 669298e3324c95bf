package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codelinter/evaluator/task"
	"codelinter/internal/eval/ask"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/util/terminal"
)

type generateOptions struct {
	ask.Options
	tasks, output, keyName, extra string
	seed                          int64
	dryRun, stripThinking         bool
}

const defaultKeyName = "OPENAI_API_KEY"

func newGenerateCommand() *cobra.Command {
	var o generateOptions
	command := &cobra.Command{
		Use:   "generate [--tasks FILE] --base-url URL --model NAME -o FILE",
		Short: "Ask a model for answers to CodeLinterEval tasks",
		Long: `Asks a model for samples of each task, through a server that speaks OpenAI's
chat or completion protocol (OpenAI, vLLM, llama.cpp, Ollama, ...), and writes
them as eval reads them. Without --tasks, the tasks are the open set, which is
built in.

Each sample is written to FILE.journal as soon as it arrives. If a run ends
early, for any reason, the same command resumes it and asks only for missing
samples. More --samples can be asked for in the same way.

The key is read from the environment, is sent only to the server, and is never
written or printed. Servers on your own machine mostly need none.`,
		Example: "  codelinter generate --tasks tasks.jsonl --base-url http://localhost:8000/v1 --model NAME -o samples.jsonl\n" +
			"  codelinter generate --tasks tasks.jsonl --dry-run --limit 3",
		Args: arguments(0, 0, ""),
		RunE: interruptible(func(command *cobra.Command, _ []string) error { return runGenerate(command, &o) }),
	}
	flags := command.Flags()
	flags.SortFlags = false
	o.flags(flags)
	flags.StringVarP(&o.output, "output", "o", "", "write samples to `FILE`, and FILE"+ask.Suffix+" on the way")
	flags.StringVar(&o.BaseURL, "base-url", "", "ask the server at `URL`, such as http://localhost:8000/v1")
	flags.StringVar(&o.keyName, "key-env", defaultKeyName, "take the key from the environment variable `NAME`")
	flags.BoolVar(&o.stripThinking, "strip-thinking", false, "write samples without the <think>...</think> before the answer (FILE"+ask.Suffix+" keeps it)")
	flags.IntVar(&o.Concurrency, "concurrency", 8, "keep `N` requests going")
	flags.IntVar(&o.Retries, "retries", 8, "try a request again `N` times, with growing waits")
	flags.DurationVar(&o.Timeout, "timeout", 5*time.Minute, "give a request up after `TIME`")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print the prompts and their number, and ask nobody")
	return command
}

// flags defines the flags for tasks and requests, which dataset prompts has too.
func (o *generateOptions) flags(flags *pflag.FlagSet) {
	flags.StringVar(&o.tasks, "tasks", "", "read tasks from `FILE` (default: the open set)")
	flags.StringVar(&o.Settings.Model, "model", "", "ask for the model the server calls `NAME`")
	flags.IntVar(&o.Samples, "samples", 10, "have `N` samples of each task")
	flags.IntVar(&o.Limit, "limit", 0, "ask only for the first `N` tasks (default: all)")
	flags.Float64Var(&o.Settings.Temperature, "temperature", 0.6, "sample at temperature `T`")
	flags.IntVar(&o.Settings.MaxTokens, "max-tokens", 1024, "cut answers off after `N` tokens")
	flags.StringVar(&o.Settings.System, "system", "", "begin each chat with the system's message `TEXT`")
	flags.BoolVar(&o.Settings.Completions, "completions", false, "have the prompt completed (/completions), not answered (/chat/completions)")
	flags.Int64Var(&o.seed, "seed", 0, "send the seed `N` with a task's first sample, N+1 with the next, ... (default: none)")
	flags.StringVar(&o.extra, "extra", "", "add the fields of `JSON`, an object, to each request; null leaves one out")
	flags.IntVar(&o.PerRequest, "per-request", 0, "ask for up to `N` samples in one request (default: as many as the server gives)")
}

// check refuses an invalid command line and completes the options.
func (o *generateOptions) check(command *cobra.Command) error {
	var missing []string
	for _, required := range []struct{ option, value string }{
		{"--base-url", o.BaseURL},
		{"--model", o.Settings.Model},
		{"-o/--output", o.output},
	} {
		if required.value == "" && !o.dryRun {
			missing = append(missing, required.option)
		}
	}
	if len(missing) > 0 {
		return misuse{fmt.Errorf("the following arguments are required: %s", strings.Join(missing, ", "))}
	}
	if err := cmp.Or(inRange(command, 1, 4096, "concurrency"), inRange(command, 0, 1000, "retries"), o.checkRequests(command)); err != nil {
		return err
	}
	if o.Timeout <= 0 {
		return badArgument("--timeout", "expected a time like 90s or 5m, found %v", o.Timeout)
	}
	if o.output == "-" {
		return misuse{errors.New("argument -o/--output: expected a file's name: a run goes on from its files")}
	}
	if err := different(command, []string{o.tasks}, [2]string{"-o/--output", o.output}, [2]string{"-o/--output", o.output + ask.Suffix}); err != nil {
		return err
	}
	o.Key = strings.TrimSpace(os.Getenv(o.keyName))
	if o.Key == "" && o.keyName != defaultKeyName && !o.dryRun {
		return badArgument("--key-env", "the environment variable %s is not set", o.keyName)
	}
	if !o.dryRun {
		if err := o.Options.Check(); err != nil {
			return misuse{err}
		}
	}
	return nil
}

// checkRequests checks what flags defines.
func (o *generateOptions) checkRequests(command *cobra.Command) error {
	if err := cmp.Or(inRange(command, 1, 1<<20, "samples"), atLeast(command, 0, "limit", "per-request"), atLeast(command, 1, "max-tokens")); err != nil {
		return err
	}
	if err := checkTemperature(o.Settings.Temperature); err != nil {
		return err
	}
	if o.Settings.Completions && o.Settings.System != "" {
		return misuse{errors.New("--system is for chats: with --completions there is none")}
	}
	if o.extra != "" {
		if err := pyjson.Unmarshal([]byte(o.extra), &o.Settings.Extra); err != nil {
			return badArgument("--extra", "expected a JSON object: %w", err)
		}
		for _, ours := range []struct{ field, instead string }{
			{"model", "use --model"},
			{"messages", "a task's prompt goes there, after --system"},
			{"prompt", "a task's prompt goes there"},
			{"n", "use --samples and --per-request"},
			{"seed", "use --seed, as all samples would have the same"},
			{"stream", "answers are read whole"},
		} {
			if value, ok := o.Settings.Extra[ours.field]; ok && (ours.field != "stream" || string(value) == "true") {
				return badArgument("--extra", "the field %q: %s", ours.field, ours.instead)
			}
		}
	}
	if command.Flags().Changed("seed") {
		o.Settings.Seed = &o.seed
	}
	return nil
}

// checkTemperature refuses what is no temperature.
func checkTemperature(t float64) error {
	if !(t >= 0 && t <= math.MaxFloat64) {
		return badArgument("--temperature", "expected 0 or more, found %v", t)
	}
	return nil
}

func runGenerate(command *cobra.Command, o *generateOptions) error {
	if err := o.check(command); err != nil {
		return err
	}
	tasks, _, err := openTasks(command.Context(), o.tasks)
	if err != nil {
		return err
	}
	if o.dryRun {
		return printPrompts(command.OutOrStdout(), tasks, o)
	}
	journal, err := ask.Open(o.output, tasks, o.Settings)
	if err != nil {
		return err
	}
	defer journal.Close()

	ctx := command.Context()
	progress := newGenerateProgress(command.ErrOrStderr())
	o.Progress, o.Retrying = progress.set, progress.retrying
	start := time.Now()
	summary, failed := ask.Ask(ctx, tasks, journal, o.Options)
	took := time.Since(start)
	progress.end()
	if summary == nil {
		return failed
	}
	if ctx.Err() != nil {
		failed = context.Cause(ctx)
	}

	stderr := command.ErrOrStderr()
	if counts := journal.Counts(); counts.Samples > 0 {
		if err := o.collect(command, journal); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "%s has %s of %s: %d cut off for their length, %d empty\n",
			o.output, plural(counts.Samples, "sample"), plural(counts.Tasks, "task"), counts.Cut, counts.Empty)
		fmt.Fprintf(stderr, "%d came in now, %d were there before; %s tried again%s\n",
			summary.Asked, summary.Had, plural(summary.Retries, "request"), speed(summary.Tokens, took))
		for _, note := range o.notes(summary, counts) {
			fmt.Fprintf(stderr, "note: %s\n", note)
		}
	}
	printFailures(stderr, summary.Failures)
	wanted := summary.Tasks * o.Samples
	missing := wanted - summary.Had - summary.Asked
	switch {
	case failed != nil:
		return fmt.Errorf("%w\n%d of %s missing: run the same command to go on", o.explain(failed), missing, plural(wanted, "sample"))
	case missing > 0:
		return fmt.Errorf("%d of %s missing: run the same command to ask for them again", missing, plural(wanted, "sample"))
	}
	return nil
}

// collect writes the samples that arrived, whatever ended the run.
func (o *generateOptions) collect(command *cobra.Command, journal *ask.Journal) error {
	var edit func(string) string
	if o.stripThinking {
		edit = ask.StripThinking
	}
	ctx := command.Context()
	defer command.SetContext(ctx)
	command.SetContext(context.WithoutCancel(ctx))
	return writeOutput(command, o.output, func(w io.Writer) error { return journal.Collect(w, edit) })
}

// explain adds the place of the key to the error of a run without one.
func (o *generateOptions) explain(err error) error {
	if errors.Is(err, ask.ErrNoKey) {
		return fmt.Errorf("%w: it is taken from the environment variable %s", err, o.keyName)
	}
	return err
}

// speed describes the number and rate of the tokens that arrived.
func speed(tokens int64, took time.Duration) string {
	if tokens == 0 || took <= 0 {
		return ""
	}
	return fmt.Sprintf("; the server counts %d tokens, %.1f a second", tokens, float64(tokens)/took.Seconds())
}

// notes returns warnings about the samples.
func (o *generateOptions) notes(s *ask.Summary, c ask.Counts) (notes []string) {
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	for _, model := range s.Models {
		note("the server calls the model that answered %q", model)
	}
	if s.Listed != "" {
		note("the server lists no model %q, but %s", o.Settings.Model, s.Listed)
	}
	if s.Early > 0 {
		note("of the answers that came in now, the server cut off %d before they had %d tokens: its context is too small", s.Early, o.Settings.MaxTokens)
	}
	if s.CutPrompts > 0 {
		note("the server counts %d tokens in the prompts of each of %d tasks, long and short: it may have cut them to fit its context, as Ollama does (OLLAMA_CONTEXT_LENGTH sets its size)", s.CutAt, s.CutPrompts)
	}
	switch {
	case c.Thinking > 0 && o.stripThinking:
		note("%s with the model's thinking before the answer, which %s leaves out", plural(c.Thinking, "sample"), o.output)
	case c.Thinking > 0:
		note("%s with the model's thinking (<think>) before the answer, which counts as part of it: --strip-thinking leaves it out, and asks for nothing anew", plural(c.Thinking, "sample"))
	}
	if c.Several > 1 && c.Alike == c.Several {
		note("all samples of a task are the same: is the temperature 0, or does the server not sample?")
	}
	return notes
}

// withoutNumbers removes numbers, so that similar messages become equal, as in
// "request (20895 tokens) exceeds the available context size (4096 tokens)".
func withoutNumbers(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
}

// printFailures prints the messages of failed tasks, each once, with the numbers of the
// first task.
func printFailures(w io.Writer, failures []ask.Failure) {
	const (
		most    = 10 // lines
		mostIDs = 5  // on a line
	)
	var said []string
	tasks := map[string][]string{}
	for _, f := range failures {
		text := f.Err.Error()
		key := withoutNumbers(text)
		if tasks[key] == nil {
			said = append(said, text)
		}
		tasks[key] = append(tasks[key], string(f.Task))
	}
	left := len(failures)
	for i, text := range said {
		ids := tasks[withoutNumbers(text)]
		if i == most {
			fmt.Fprintf(w, "and %s more\n", plural(left, "failed task"))
			return
		}
		left -= len(ids)
		more := ""
		if len(ids) > mostIDs {
			more = fmt.Sprintf(" and %d more", len(ids)-mostIDs)
		}
		what := "task"
		if len(ids) > 1 {
			what = "tasks"
		}
		fmt.Fprintf(w, "%s %s%s: %s\n", what, strings.Join(ids[:min(mostIDs, len(ids))], ", "), more, text)
	}
}

func printPrompts(w io.Writer, tasks *task.Set, o *generateOptions) error {
	n := tasks.Len()
	if o.Limit > 0 {
		n = min(o.Limit, n)
	}
	out := bufio.NewWriter(w)
	bytes := 0
	for i := range n {
		prompt := tasks.At(i).Prompt()
		bytes += len(prompt)
		fmt.Fprintf(out, "--- task %s, prompt %d of %d\n", tasks.At(i).Meta.ID, i+1, n)
		if o.Settings.System != "" {
			fmt.Fprintf(out, "--- system\n%s\n--- user\n", strings.TrimSuffix(o.Settings.System, "\n"))
		}
		fmt.Fprintln(out, strings.TrimSuffix(prompt, "\n"))
	}
	fmt.Fprintf(out, "--- %s of %s, %s\n", plural(n, "prompt"), plural(bytes, "byte"), plural(n*o.Samples, "sample"))
	return out.Flush()
}

// A generateProgress shows the progress of a run. On a terminal it is a line with the
// rate, the time left, the retries and the tokens a second. Elsewhere it is such a line
// each minute, with reasons for retries from time to time.
type generateProgress struct {
	w     io.Writer
	start time.Time
	ended chan struct{}

	lock       sync.Mutex
	line       *terminal.Progress // nil if w is not a terminal
	now        ask.Progress
	retries    int
	retryShown time.Time // when a retry was last reported
	lineShown  time.Time // when the last line of progress was written
}

const (
	// retryInterval is the shortest time between two lines about retries.
	retryInterval = 10 * time.Second
	// lineInterval is the time between two lines of progress.
	lineInterval = time.Minute
)

func newGenerateProgress(w io.Writer) *generateProgress {
	a := &generateProgress{w: w, line: terminal.NewProgress(w, "samples"), start: time.Now(), ended: make(chan struct{})}
	a.lineShown = a.start
	go a.tick()
	return a
}

// tick redraws the line each second, as the first answers may take minutes.
func (a *generateProgress) tick() {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-a.ended:
			return
		case now := <-ticker.C:
			a.lock.Lock()
			a.draw()
			if a.line == nil && a.now.Missing > 0 && now.Sub(a.lineShown) >= lineInterval {
				a.lineShown = now
				took := now.Sub(a.start)
				fmt.Fprintln(a.w, terminal.Describe(a.now.Done, a.now.Missing, "samples", took)+a.notes(took)+a.before())
			}
			a.lock.Unlock()
		}
	}
}

func (a *generateProgress) set(now ask.Progress) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.now = now
	a.draw()
}

// notes returns the number of retries and the tokens a second, if there are any.
func (a *generateProgress) notes(took time.Duration) (notes string) {
	switch {
	case a.retries == 1:
		notes = ", 1 retry"
	case a.retries > 1:
		notes = fmt.Sprintf(", %d retries", a.retries)
	}
	if a.now.Tokens > 0 && took > 0 {
		notes += fmt.Sprintf(", %.0f tokens/s", float64(a.now.Tokens)/took.Seconds())
	}
	return notes
}

// before returns a note on samples from earlier runs. The progress does not count them,
// as they would distort its rate.
func (a *generateProgress) before() string {
	if a.now.Had == 0 {
		return ""
	}
	return fmt.Sprintf("; %d were there before", a.now.Had)
}

// draw shows the progress, once it is known.
func (a *generateProgress) draw() {
	if a.now.Missing > 0 {
		a.line.Note(a.notes(time.Since(a.start)))
		a.line.Set(a.now.Done, a.now.Missing)
	}
}

func (a *generateProgress) retrying(err error, wait time.Duration) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.retries++
	if !a.retryShown.IsZero() && time.Since(a.retryShown) < retryInterval {
		return
	}
	a.retryShown = time.Now()
	a.line.Clear()
	fmt.Fprintf(a.w, "%v: trying again in %v\n", err, wait.Round(100*time.Millisecond))
}

// end removes the line.
func (a *generateProgress) end() {
	close(a.ended)
	a.lock.Lock()
	defer a.lock.Unlock()
	a.line.Clear()
	a.now.Missing = 0 // so that a concurrent tick does not redraw it
}
