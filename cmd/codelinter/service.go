package main

import (
	"cmp"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/internal/api"
	"codelinter/internal/service"
	"codelinter/sandbox"
)

// serviceOptions are the options of commands with a service.
type serviceOptions struct {
	tasks   string
	verdict evaluator.Verdict
	rewards
	maxAnswer  int
	workers    int
	seed       uint64
	noStandIns bool
	cache      int64
	deadline   time.Duration
	maxQueue   int64
	maxAnswers int
	versions

	name string // of the tasks, when they are open
}

// addFlags adds the options to a command's. The option for the room of requests has the
// given default and usage.
func (o *serviceOptions) addFlags(command *cobra.Command, flags *pflag.FlagSet, maxQueue int64, maxQueueUsage string) {
	flags.StringVar(&o.tasks, "tasks", "", "read the tasks that requests name by id from `FILE` (default: the open set)")
	o.verdict = evaluator.Guarded
	addChoice(command, &o.verdict, "verdict", "give the verdict `KIND` where a request does not say: guarded or official", evaluator.Guarded, evaluator.Official)
	o.rewards.addFlags(command, " where a request does not say")
	flags.BoolVar(&o.noStandIns, "no-stand-ins", false, "play no modules that the sandbox lacks: programs that import them are not run")
	flags.DurationVar(&o.deadline, "deadline", 0, "have an answer unknown after `TIME`, such as 30s, where a request does not say (default: none)")
	flags.IntVar(&o.maxAnswer, "max-answer-bytes", service.DefaultMaxAnswer, "take an answer of more than `N` bytes for too large: it fails")
	flags.IntVar(&o.maxAnswers, "max-answers", api.DefaultMaxAnswers, "take no request of more than `N` answers or files")
	flags.Int64Var(&o.maxQueue, "max-queue-bytes", maxQueue, maxQueueUsage)
	flags.IntVar(&o.workers, "workers", 0, "judge `N` answers at the same time (default: one a core)")
	flags.Int64Var(&o.cache, "cache-bytes", service.DefaultCache, "remember verdicts in `N` bytes, 0 for none")
	o.versions.addFlags(command, "where neither a request nor its task names a version")
	flags.Uint64Var(&o.seed, "seed", 0, "make other calls of programs than for other `NUMBER`s, which a model cannot learn (default: $CODELINTER_SEED, or 0)")
}

// rewards are the options of commands that give rewards.
type rewards struct{ reward, onUnknown string }

// addFlags adds the options to a command's. whose says to what they apply.
func (r *rewards) addFlags(command *cobra.Command, whose string) {
	r.reward, r.onUnknown = judge.Binary.String(), judge.ZeroUnknown.String()
	addChoice(command, &r.reward, "reward", "give rewards of `KIND`"+whose+": "+strings.Join(judge.Rewards(), " or "), judge.Rewards()...)
	addChoice(command, &r.onUnknown, "on-unknown", "where the logic cannot be decided, give the reward `KIND`: zero, mask (none) or official", judge.UnknownRewards()...)
}

func (r *rewards) parse() (reward judge.Reward, onUnknown judge.OnUnknown, err error) {
	if reward, err = judge.ParseReward(r.reward); err == nil {
		onUnknown, err = judge.ParseOnUnknown(r.onUnknown)
	}
	return reward, onUnknown, err
}

// service checks the options, and returns the service's options and defaults.
func (o *serviceOptions) service(command *cobra.Command) (made service.Options, defaults api.Defaults, err error) {
	defaults = api.Defaults{Verdict: o.verdict, Deadline: o.deadline, MaxAnswers: o.maxAnswers}
	if err := o.resolve(); err != nil {
		return made, defaults, err
	}
	if defaults.Reward, defaults.OnUnknown, err = o.rewards.parse(); err != nil {
		return made, defaults, err
	}
	if err := cmp.Or(atLeast(command, 0, "workers", "cache-bytes"), atLeast(command, 1, "max-answer-bytes", "max-answers", "max-queue-bytes")); err != nil {
		return made, defaults, err
	}
	if o.deadline < 0 {
		return made, defaults, badArgument("--deadline", "expected a time above 0, found %v", o.deadline)
	}
	if text := os.Getenv("CODELINTER_SEED"); text != "" && !command.Flags().Changed("seed") {
		if o.seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return made, defaults, misuse{errors.New("CODELINTER_SEED: expected a whole number")} // without its value, which is secret
		}
	}
	tasks, name, err := openTasks(o.tasks)
	if err != nil {
		return made, defaults, err
	}
	o.name = name
	cache := o.cache
	if cache == 0 {
		cache = -1
	}
	return service.Options{
		Tasks:      tasks,
		Release:    o.flake8,
		Target:     o.python,
		Workers:    o.workers,
		MaxAnswer:  o.maxAnswer,
		MaxQueue:   o.maxQueue,
		Cache:      cache,
		Seed:       o.seed,
		NoStandIns: o.noStandIns,
		Sandbox: sandbox.Options{
			Workers: o.workers,
			Notice:  notice(command),
		},
	}, defaults, nil
}

// ownMemory is the memory of the process besides requests and cached verdicts.
const ownMemory = 96 << 20
