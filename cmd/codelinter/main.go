// Command codelinter lints Python as flake8 does, without Python, and scores
// models on CodeLinterEval.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"codelinter/flake8"
	"codelinter/internal/rows/packed"
	"codelinter/internal/version"
	"codelinter/sandbox"
)

func main() {
	sandbox.RunChild()
	packed.RunChild()
	stdin, stdout := standardStreams()
	if isFlake8(os.Args[0]) {
		os.Exit(runLinter(flake8.Command{Name: "flake8", Args: os.Args[1:], Stdin: stdin, Stderr: os.Stderr}, stdout))
	}
	os.Exit(run(os.Args[1:], stdin, stdout, os.Stderr))
}

// paceCollection sets, after each garbage collection but the first, how much garbage there
// may be until the next. A large heap may have less: with Go's usual percentage, half of a
// hostile text's memory is old versions of growing slices of findings. GOGC in the
// environment overrides this.
func paceCollection() {
	if os.Getenv("GOGC") != "" {
		return
	}
	memoryLimit.Store(debug.SetMemoryLimit(-1)) // from GOMEMLIMIT
	afterCollection(pace)
}

// pacing begins once, with the first command of the process that may last.
var pacing sync.Once

// memoryLimit is the limit in bytes from GOMEMLIMIT or a command's options. pace may set a
// lower one, never a higher one.
var memoryLimit atomic.Int64

// limitMemory sets the limit, unless GOMEMLIMIT does.
func limitMemory(limit int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		memoryLimit.Store(limit)
		debug.SetMemoryLimit(limit)
	}
}

// leastGarbage is how many bytes of garbage there may be in any case.
var leastGarbage atomic.Int64

// allowGarbage sets that for a command whose heap is small, and that leaves so much garbage that
// collections would take a tenth of its time. It is called before the first collection, and reads
// no statistics: that takes a hundredth of a small evaluation's time, as it empties the caches of
// the allocator.
func allowGarbage(size int64) {
	if os.Getenv("GOGC") == "" {
		leastGarbage.Store(size)
		debug.SetGCPercent(percentFor(leastHeap))
	}
}

// largeHeap is the size in bytes, after a collection, of a large heap.
const largeHeap = 128 << 20

// leastHeap is the size that Go's runtime takes a smaller heap to have.
const leastHeap = 4 << 20

// pace sets the pace now, and after the next collection again.
func pace() {
	setPace()
	afterCollection(pace)
}

// setPace sets how much garbage there may be: as much as is in use, as usual in Go, or leastGarbage
// if that is more, or a quarter of what is in use if the heap is large.
func setPace() {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory) // package runtime/metrics would make each start 5 % slower
	percent, limit := 100, memoryLimit.Load()
	if n := int64(memory.HeapAlloc); n > largeHeap {
		percent = 25
		limit = min(limit, n*5/4+64<<20)
	} else {
		percent = percentFor(n)
	}
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
}

// percentFor returns the percentage of a heap that leastGarbage is, at least Go's usual one.
func percentFor(heap int64) int { return max(100, int(leastGarbage.Load()*100/max(heap, leastHeap))) }

// afterCollection calls work after the next garbage collection.
func afterCollection(work func()) {
	runtime.AddCleanup(new(*int), func(work func()) { work() }, work)
}

// runLinter runs one command line of flake8 and returns its exit code. It goes round
// cobra: editors start a linter for each saved file, and making commands takes as long as
// linting one.
func runLinter(command flake8.Command, stdout *sink) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	// Waiting for signals, and for collections, takes threads: a tenth of linting one file.
	command.Lasting = func() {
		pacing.Do(paceCollection)
		endAtSignal(ctx, cancel)
	}
	stdout.discards = true // see [hasOtherResult]
	command.Stdout = stdout
	code := flake8.Main(ctx, command)
	if stopped := (stop{}); code != exitOK && errors.As(context.Cause(ctx), &stopped) {
		return stopped.exitCode()
	}
	if err := stdout.lost(); err != nil && code == exitOK {
		if !flake8.IsClosedPipe(err) {
			fmt.Fprintf(command.Stderr, "%s: error: %v\n", command.Name, err)
		}
		return exitFound
	}
	return code
}

// run runs one command line and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out, ok := stdout.(*sink)
	if !ok {
		out = &sink{to: stdout}
	}
	if len(args) > 0 && args[0] == "check" {
		return runLinter(checkCommand(args[1:], stdin, stderr), out)
	}
	root := newRootCommand(newCommands()...)
	if impliesCheck(root, args) {
		return runLinter(checkCommand(args, stdin, stderr), out)
	}
	pacing.Do(paceCollection)
	understood := false
	onRun(root, func(command *cobra.Command) {
		understood = true
		out.discards = hasOtherResult(command, args)
	})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	completionCommand(root)

	helpFailed := failingHelp(root)

	command, err := root, unknownCommand(root, args)
	if err == nil {
		command, err = root.ExecuteC()
	}
	if err == nil {
		err = *helpFailed
	}
	if err == nil && !(out.closed && hasOtherResult(command, args)) {
		err = out.lost()
	}
	return exit(command, err, understood, stderr)
}

// failingHelp makes root remember an error in writing help, which cobra drops. Help of
// check is flake8's.
func failingHelp(root *cobra.Command) *error {
	var failed error
	help := root.HelpFunc()
	root.SetHelpFunc(func(command *cobra.Command, args []string) {
		if command.DisableFlagParsing && command.RunE != nil {
			failed = command.RunE(command, []string{"--help"})
			return
		}
		typedDefaults(command)
		var text bytes.Buffer
		stdout := command.OutOrStdout()
		command.SetOut(&text)
		help(command, args)
		_, failed = stdout.Write(text.Bytes())
	})
	return &failed
}

// onRun makes every command below parent call started before it runs.
func onRun(parent *cobra.Command, started func(*cobra.Command)) {
	for _, command := range parent.Commands() {
		if work := command.RunE; work != nil {
			command.RunE = func(command *cobra.Command, args []string) error {
				started(command)
				return work(command, args)
			}
		}
		onRun(command, started)
	}
}

func newRootCommand(commands ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:           "codelinter COMMAND",
		Short:         "Lint Python as flake8 does, and score models on cleaning code",
		Version:       version.Full(0, 0),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(strings.NewReplacer(".FlagUsages", ".FlagUsagesWrapped 78", "Flags:", "Options:",
		// A command that prints its help when it is alone has its subcommand in Use already.
		"{{if .HasAvailableSubCommands}}\n  {{.CommandPath}} [command]", "{{if and .HasAvailableSubCommands (not .Runnable)}}\n  {{.CommandPath}} COMMAND", "[command]", "COMMAND",
		"Available Commands:", "Commands:").Replace(root.UsageTemplate()))
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.AddCommand(commands...)
	helpOnCommands(root)
	ownUsage(root)
	fitHelp(root)
	return root
}

// ownUsage keeps cobra from adding "[flags]" to a command's usage.
func ownUsage(command *cobra.Command) {
	command.DisableFlagsInUseLine = true
	for _, child := range command.Commands() {
		ownUsage(child)
	}
}

func newCommands() []*cobra.Command {
	return []*cobra.Command{
		newCheckCommand(),
		newFixCommand(),
		newEditCheckCommand(),
		newRuleCommand(),
		newRunCommand(),
		newPluginsCommand(),
		newWarmCommand(),
		newGenerateCommand(),
		newEvalCommand(),
		newStreamCommand(),
		newServeCommand(),
		newLSPCommand(),
		newMCPCommand(),
		newReportCommand(),
		newDatasetCommand(),
		newDebugCommand(),
		newVersionCommand(),
	}
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  arguments(0, 0, ""),
		RunE: func(command *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(command.OutOrStdout(), "codelinter %s\n", version.Full(0, 0))
			return err
		},
	}
}

// completeValues makes shells complete the values of a flag, also in a list with commas.
func completeValues(command *cobra.Command, flag string, values ...string) {
	err := command.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return completeItem(slices.Clone(values), "", typed)
	})
	if err != nil {
		panic(err) // there is no such flag, or it has completions already
	}
}
