package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"codelinter/evaluator/dataset"
	"codelinter/evaluator/generate"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

type generateOptions struct {
	generate.Options
	tasks, output, keyName, extra string
	seed                          int64
	dryRun                        bool
}

const defaultKeyName = "OPENAI_API_KEY"

func newGenerateCommand() *cobra.Command {
	var o generateOptions
	command := &cobra.Command{
		Use:   "generate --tasks FILE --base-url URL --model NAME -o FILE [options]",
		Short: "Ask a model for answers to CodeLinterEval tasks",
		Long: `Asks a model for samples of each task, through a server that speaks OpenAI's
chat or completion protocol (OpenAI, vLLM, llama.cpp, Ollama, ...), and writes
them as eval reads them.

Each sample is put into FILE.journal as soon as it is there. When a run ends
early, for whatever reason, the same command goes on where it stopped, and asks
only for what is missing; more --samples can be asked for in the same way.

The key is read from the environment, is sent only to the server, and is never
written or printed. Servers on one's own machine mostly need none.`,
		Example: "  codelinter generate --tasks tasks.jsonl --base-url http://localhost:8000/v1 --model NAME -o samples.jsonl\n" +
			"  codelinter generate --tasks tasks.jsonl --dry-run --limit 3",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error { return runGenerate(command, &o) },

		DisableFlagsInUseLine: true,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.tasks, "tasks", "", "read tasks from `FILE`")
	flags.StringVarP(&o.output, "output", "o", "", "write samples to `FILE`, and FILE"+generate.Suffix+" on the way")
	flags.StringVar(&o.BaseURL, "base-url", "", "ask the server at `URL`, such as http://localhost:8000/v1")
	flags.StringVar(&o.Settings.Model, "model", "", "ask for the model the server calls `NAME`")
	flags.StringVar(&o.keyName, "key-env", defaultKeyName, "take the key from the environment variable `NAME`")
	flags.IntVar(&o.Samples, "samples", 10, "have `N` samples of each task")
	flags.IntVar(&o.Limit, "limit", 0, "ask only for the first `N` tasks (default: all)")
	flags.Float64Var(&o.Settings.Temperature, "temperature", 0.6, "sample at temperature `T`")
	flags.IntVar(&o.Settings.MaxTokens, "max-tokens", 1024, "cut answers off after `N` tokens")
	flags.StringVar(&o.Settings.System, "system", "", "begin each chat with the system's message `TEXT`")
	flags.BoolVar(&o.Settings.Completions, "completions", false, "have the prompt completed (/completions), not answered (/chat/completions)")
	flags.Int64Var(&o.seed, "seed", 0, "send the seed `N` with a task's first sample, N+1 with the next, ... (default: none)")
	flags.StringVar(&o.extra, "extra", "", "add the fields of `JSON`, an object, to each request")
	flags.IntVar(&o.PerRequest, "per-request", 0, "ask for up to `N` samples in one request (default: as many as the server gives)")
	flags.IntVar(&o.Concurrency, "concurrency", 8, "keep `N` requests going")
	flags.IntVar(&o.Retries, "retries", 8, "try a request again `N` times, with growing waits")
	flags.DurationVar(&o.Timeout, "timeout", 5*time.Minute, "give a request up after `TIME`")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print the prompts and their number, and ask nobody")
	return command
}

// check looks for what makes no sense on the command line, and completes the
// options.
func (o *generateOptions) check(command *cobra.Command) error {
	var missing []string
	for _, required := range []struct {
		option, value string
		dry           bool // required for a dry run as well
	}{
		{"--tasks", o.tasks, true},
		{"--base-url", o.BaseURL, false},
		{"--model", o.Settings.Model, false},
		{"-o/--output", o.output, false},
	} {
		if required.value == "" && (required.dry || !o.dryRun) {
			missing = append(missing, required.option)
		}
	}
	if len(missing) > 0 {
		return misuse{fmt.Errorf("the following arguments are required: %s", strings.Join(missing, ", "))}
	}
	for _, number := range []struct {
		option      string
		value       int
		least, most int
	}{
		{"samples", o.Samples, 1, 1 << 20},
		{"limit", o.Limit, 0, math.MaxInt},
		{"max-tokens", o.Settings.MaxTokens, 1, math.MaxInt},
		{"per-request", o.PerRequest, 0, math.MaxInt},
		{"concurrency", o.Concurrency, 1, 4096},
		{"retries", o.Retries, 0, 1000},
	} {
		switch {
		case number.value < number.least:
			return misuse{fmt.Errorf("argument --%s: expected %d or more, found %d", number.option, number.least, number.value)}
		case number.value > number.most:
			return misuse{fmt.Errorf("argument --%s: expected %d or less, found %d", number.option, number.most, number.value)}
		}
	}
	if t := o.Settings.Temperature; !(t >= 0 && t <= math.MaxFloat64) {
		return misuse{fmt.Errorf("argument --temperature: expected 0 or more, found %v", t)}
	}
	if o.Timeout <= 0 {
		return misuse{fmt.Errorf("argument --timeout: expected a time like 90s or 5m, found %v", o.Timeout)}
	}
	if o.Settings.Completions && o.Settings.System != "" {
		return misuse{errors.New("--system is for chats: with --completions there is none")}
	}
	if o.output == "-" {
		return misuse{errors.New("argument -o/--output: expected a file's name: a run goes on from its files")}
	}
	if o.extra != "" {
		if err := json.Unmarshal([]byte(o.extra), &o.Settings.Extra); err != nil {
			return misuse{fmt.Errorf("argument --extra: expected a JSON object: %w", err)}
		}
	}
	if command.Flags().Changed("seed") {
		o.Settings.Seed = &o.seed
	}
	o.Key = strings.TrimSpace(os.Getenv(o.keyName))
	if o.Key == "" && o.keyName != defaultKeyName && !o.dryRun {
		return misuse{fmt.Errorf("argument --key-env: the environment variable %s is not set", o.keyName)}
	}
	if !o.dryRun {
		if err := o.Options.Check(); err != nil {
			return misuse{err}
		}
	}
	return nil
}

func runGenerate(command *cobra.Command, o *generateOptions) error {
	if err := o.check(command); err != nil {
		return err
	}
	tasks, err := dataset.OpenTasks(o.tasks)
	if err != nil {
		return err
	}
	if o.dryRun {
		return printPrompts(command.OutOrStdout(), tasks, o)
	}
	journal, err := generate.Open(o.output, tasks, o.Settings)
	if err != nil {
		return err
	}
	defer journal.Close()

	ctx, stop := signal.NotifyContext(command.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends us at once
	asking := newAsking(command.ErrOrStderr())
	o.Progress, o.Retrying = asking.set, asking.retrying
	summary, failed := generate.Run(ctx, tasks, journal, o.Options)
	asking.clear()
	if summary == nil {
		return failed
	}
	if ctx.Err() != nil {
		failed = errors.New("interrupted")
	}

	if err := writeOutput(command, o.output, journal.Collect); err != nil {
		return err
	}
	wanted := summary.Tasks * o.Samples
	inTasks, samples, cut, empty := journal.Counts()
	stderr := command.ErrOrStderr()
	fmt.Fprintf(stderr, "%s has %s of %s: %d cut off at %d tokens, %d empty\n",
		o.output, count(samples, "sample"), count(inTasks, "task"), cut, o.Settings.MaxTokens, empty)
	fmt.Fprintf(stderr, "%d came in now, %d were there before; %s tried again\n",
		summary.Asked, summary.Had, count(summary.Retries, "request"))
	const most = 10
	for i, err := range summary.Failures {
		if i == most {
			fmt.Fprintf(stderr, "and %s more\n", count(len(summary.Failures)-most, "failed task"))
			break
		}
		fmt.Fprintln(stderr, err)
	}
	missing := wanted - summary.Had - summary.Asked
	switch {
	case failed != nil:
		return fmt.Errorf("%w\n%d of %s missing: run the same command to go on", failed, missing, count(wanted, "sample"))
	case missing > 0:
		return fmt.Errorf("%d of %s missing: run the same command to ask for them again", missing, count(wanted, "sample"))
	}
	return nil
}

func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// printPrompts prints what the model would be shown.
func printPrompts(w io.Writer, tasks *dataset.Tasks, o *generateOptions) error {
	list := tasks.List
	if o.Limit > 0 {
		list = list[:min(o.Limit, len(list))]
	}
	out := bufio.NewWriter(w)
	bytes := 0
	for i := range list {
		prompt := list[i].Prompt()
		bytes += len(prompt)
		fmt.Fprintf(out, "--- task %s, prompt %d of %d\n", list[i].Meta.ID, i+1, len(list))
		if o.Settings.System != "" {
			fmt.Fprintf(out, "--- system\n%s\n--- user\n", strings.TrimSuffix(o.Settings.System, "\n"))
		}
		fmt.Fprintln(out, strings.TrimSuffix(prompt, "\n"))
	}
	fmt.Fprintf(out, "--- %s of %s, %s\n", count(len(list), "prompt"), count(bytes, "byte"), count(len(list)*o.Samples, "sample"))
	return out.Flush()
}

// An asking shows how a run goes: a bar with its rate and the time left where
// there is a terminal, and now and then why requests are tried again.
type asking struct {
	w        io.Writer
	terminal bool

	lock sync.Mutex
	bar  *progressbar.ProgressBar // nil until there is something to show
	said time.Time                // when a retry was last told of
}

// silence is the shortest time between two lines about retries.
const silence = 10 * time.Second

func newAsking(w io.Writer) *asking {
	file, ok := w.(*os.File)
	return &asking{w: w, terminal: ok && term.IsTerminal(int(file.Fd()))}
}

func (a *asking) set(done, missing int) {
	if !a.terminal || missing == 0 {
		return
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	if a.bar == nil {
		a.bar = progressbar.NewOptions(missing,
			progressbar.OptionSetWriter(a.w),
			progressbar.OptionSetDescription("asking"),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString("samples"),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(patience/4),
		)
	}
	a.bar.Set(done)
}

func (a *asking) retrying(err error, wait time.Duration) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if !a.said.IsZero() && time.Since(a.said) < silence {
		return
	}
	a.said = time.Now()
	if a.bar != nil {
		a.bar.Clear()
	}
	fmt.Fprintf(a.w, "%v: trying again in %v\n", err, wait.Round(100*time.Millisecond))
}

func (a *asking) clear() {
	if a.bar != nil {
		a.bar.Clear()
	}
}
