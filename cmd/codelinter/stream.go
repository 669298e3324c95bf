package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codelinter/evaluator"
	"codelinter/evaluator/guarded"
	"codelinter/sandbox"
	"codelinter/server/api"
	"codelinter/server/service"
	"codelinter/server/stream"
)

// serviceOptions are those of the commands that keep a service.
type serviceOptions struct {
	tasks           string
	verdict, reward string
	maxAnswer       int
	workers         int
	seed            uint64
	cache           int64
	deadline        time.Duration
}

// addFlags adds the options to a command's.
func (o *serviceOptions) addFlags(command *cobra.Command, flags *pflag.FlagSet) {
	flags.StringVar(&o.tasks, "tasks", "", "read the tasks that requests name by id from `FILE` (default: the open set)")
	flags.StringVar(&o.verdict, "verdict", string(evaluator.Guarded), "give the verdict `NAME` where a request does not say: guarded or official")
	completeValues(command, "verdict", string(evaluator.Guarded), string(evaluator.Official))
	flags.StringVar(&o.reward, "reward", guarded.Binary.String(), "give rewards of `KIND` where a request does not say: "+strings.Join(guarded.Rewards(), " or "))
	completeValues(command, "reward", guarded.Rewards()...)
	flags.DurationVar(&o.deadline, "deadline", 0, "have an answer unknown after `TIME`, such as 30s, where a request does not say (default: none)")
	flags.IntVar(&o.maxAnswer, "max-answer-bytes", service.DefaultMaxAnswer, "take an answer of more than `N` bytes for too large: it fails")
	flags.IntVar(&o.workers, "workers", 0, "judge `N` answers at the same time (default: one a core)")
	flags.Int64Var(&o.cache, "cache-bytes", service.DefaultCache, "remember verdicts in `N` bytes, 0 for none")
	flags.Uint64Var(&o.seed, "seed", 0, "make other calls of programs than for other `NUMBER`s, which a model cannot learn (default: $CODELINTER_SEED, or 0)")
}

// start checks the options and starts the service.
func (o *serviceOptions) start(command *cobra.Command, maxQueue int64) (*service.Service, api.Defaults, error) {
	defaults := api.Defaults{Verdict: evaluator.Verdict(o.verdict), Deadline: o.deadline}
	fail := func(option, format string, args ...any) (*service.Service, api.Defaults, error) {
		return nil, defaults, misuse{fmt.Errorf("argument --"+option+": "+format, args...)}
	}
	var err error
	if defaults.Reward, err = guarded.ParseReward(o.reward); err != nil {
		return fail("reward", "%w", err)
	}
	if defaults.Verdict != evaluator.Guarded && defaults.Verdict != evaluator.Official {
		return fail("verdict", "expected guarded or official, found %q", o.verdict)
	}
	switch {
	case o.workers < 0:
		return fail("workers", "expected 0 or more, found %d", o.workers)
	case o.maxAnswer < 1:
		return fail("max-answer-bytes", "expected 1 or more, found %d", o.maxAnswer)
	case o.cache < 0:
		return fail("cache-bytes", "expected 0 or more, found %d", o.cache)
	case o.deadline < 0:
		return fail("deadline", "expected a time above 0, found %v", o.deadline)
	}
	if text := os.Getenv("CODELINTER_SEED"); text != "" && !command.Flags().Changed("seed") {
		if o.seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return nil, defaults, misuse{errors.New("CODELINTER_SEED: expected a whole number")} // which is a secret
		}
	}
	tasks, _, err := openTasks(o.tasks)
	if err != nil {
		return nil, defaults, err
	}
	cache := o.cache
	if cache == 0 {
		cache = -1
	}
	s, err := service.New(service.Options{
		Tasks:     tasks,
		Workers:   o.workers,
		MaxAnswer: o.maxAnswer,
		MaxQueue:  maxQueue,
		Cache:     cache,
		Seed:      o.seed,
		Sandbox: sandbox.Options{
			Workers: o.workers,
			Notice:  func(text string) { fmt.Fprintf(command.ErrOrStderr(), "%s: %s\n", command.CommandPath(), text) },
		},
	})
	return s, defaults, err
}

func newStreamCommand() *cobra.Command {
	var o serviceOptions
	var options stream.Options
	command := &cobra.Command{
		Use:   "stream [options]",
		Short: "Score completions for a program that keeps this one: a request a line, a reply a line",
		Long: `Reads a request a line from standard input, an object of JSON, and writes a reply
a line to standard output, as each is ready; "id" says which is whose. A request
has answers to a task, which it names by id or carries, or texts to lint:

  {"id": 1, "task_id": 7, "completions": ["x = 1\n", "x=1\n"]}
  {"id": 2, "task": {"program": "x=1\n"}, "completion": "x = 1\n"}
  {"id": 3, "items": [{"task_id": 7, "completions": [...]}, ...]}
  {"id": 4, "lint": {"code": "x=1\n"}}

The reply has a score for each completion; its "reward" is a float from 0.0 to 1.0.
A line that is no request is answered with its number and an error. Only the end
of the input ends the process, after all replies. What is read and not yet
answered is bounded, so read replies while you write requests.`,
		Example: `  echo '{"id": 1, "task": {"program": "x=1\n"}, "completion": "x = 1\n"}' | codelinter stream`,
		Args:    cobra.NoArgs,
		RunE: interruptible(func(command *cobra.Command, _ []string) error {
			if options.MaxLine < 1 {
				return misuse{fmt.Errorf("argument --max-line-bytes: expected 1 or more, found %d", options.MaxLine)}
			}
			// What is in flight is bounded by the stream, which waits where the
			// service would refuse.
			const unbounded = 1 << 60
			s, defaults, err := o.start(command, unbounded)
			if err != nil {
				return err
			}
			defer s.Close()
			options.Defaults = defaults
			in, _, err := openInput(command, "-")
			if err != nil {
				return err
			}
			return stream.Run(command.Context(), s, in, command.OutOrStdout(), options)
		}),

		DisableFlagsInUseLine: true,
	}
	flags := command.Flags()
	flags.SortFlags = false
	o.addFlags(command, flags)
	flags.BoolVar(&options.Ordered, "ordered", false, "write replies in the order of the requests, not as they are ready")
	flags.IntVar(&options.MaxLine, "max-line-bytes", stream.DefaultMaxLine, "answer a line of more than `N` bytes with an error, without keeping it")
	return command
}
