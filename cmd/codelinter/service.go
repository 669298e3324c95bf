package main

import (
	"cmp"
	"errors"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/internal/serve/api"
	"codelinter/internal/serve/service"
)

// serviceOptions are the options of commands with a service.
type serviceOptions struct {
	service.Options
	api.Defaults
	tasks string
	name  string // of the tasks, when they are open
	rewards
	versions
	plugins taskPlugins
}

// addFlags adds the options to a command's. The option for the room of requests has the
// given default and usage.
func (o *serviceOptions) addFlags(command *cobra.Command, flags *pflag.FlagSet, maxQueue int64, maxQueueUsage string) {
	flags.StringVar(&o.tasks, "tasks", "", "read the tasks that requests name by id from `FILE` (default: the open set)")
	o.Verdict = evaluator.Guarded
	addChoice(command, &o.Verdict, "verdict", "give the verdict `KIND` where a request does not say: guarded or official", evaluator.Guarded, evaluator.Official)
	o.rewards.addFlags(command, " where a request does not say")
	flags.BoolVar(&o.NoStandIns, "no-stand-ins", false, "play no modules that the sandbox lacks: programs that import them are not run")
	flags.DurationVar(&o.Deadline, "deadline", 0, "have an answer unknown after `TIME`, such as 30s, where a request does not say (default: none)")
	flags.IntVar(&o.MaxAnswer, "max-answer-bytes", service.DefaultMaxAnswer, "take an answer of more than `N` bytes for too large: it fails")
	flags.Int64Var(&o.MaxQueue, "max-queue-bytes", maxQueue, maxQueueUsage)
	flags.IntVar(&o.Workers, "workers", 0, "judge `N` answers at the same time (default: one a core)")
	flags.Int64Var(&o.Cache, "cache-bytes", service.DefaultCache, "remember verdicts in `N` bytes, 0 for none")
	o.versions.addFlags(command, "where neither a request nor its task names a version")
	o.plugins.addFlag(flags, " that tasks name")
	flags.Uint64Var(&o.Seed, "seed", 0, "make other calls of programs than for other `NUMBER`s, which a model cannot learn (default: $CODELINTER_SEED, or 0)")
}

// rewards are the options of commands that give rewards.
type rewards struct {
	reward    rewardValue
	onUnknown string
}

// A rewardValue is the value of an option for a reward.
type rewardValue struct{ judge.Reward }

// Type returns the name of the type, for pflag.
func (rewardValue) Type() string { return "string" }

func (v *rewardValue) Set(text string) (err error) {
	v.Reward, err = judge.ParseReward(text)
	return err
}

// addFlags adds the options to a command's. whose says to what they apply.
func (r *rewards) addFlags(command *cobra.Command, whose string) {
	r.onUnknown = judge.ZeroUnknown.String()
	command.Flags().Var(&r.reward, "reward", "give rewards by `RULE`"+whose+": binary, shaped, graded, or a formula such as \"graded*meaning + 0.5*tests + empty\"")
	completeValues(command, "reward", judge.Rewards()...)
	addChoice(command, &r.onUnknown, "on-unknown", "where the logic cannot be decided, give the reward `KIND`: zero, mask (none) or official", judge.UnknownRewards()...)
}

func (r *rewards) parse() (reward judge.Reward, onUnknown judge.OnUnknown, err error) {
	onUnknown, err = judge.ParseOnUnknown(r.onUnknown)
	return r.reward.Reward, onUnknown, err
}

// complete checks the options, opens the tasks, and sets what no flag does.
func (o *serviceOptions) complete(command *cobra.Command) (err error) {
	if err := o.resolve(); err != nil {
		return err
	}
	o.Release, o.Target = o.flake8, o.python
	if o.Reward, o.OnUnknown, err = o.rewards.parse(); err != nil {
		return err
	}
	if err := cmp.Or(atLeast(command, 0, "workers", "cache-bytes"), atLeast(command, 1, "max-answer-bytes", "max-queue-bytes")); err != nil {
		return err
	}
	if o.Deadline < 0 {
		return badArgument("--deadline", "expected a time above 0, found %v", o.Deadline)
	}
	if text := os.Getenv("CODELINTER_SEED"); text != "" && !command.Flags().Changed("seed") {
		if o.Seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return misuse{errors.New("CODELINTER_SEED: expected a whole number")} // without its value, which is secret
		}
	}
	if o.Tasks, o.name, err = openTasks(command.Context(), o.tasks); err != nil {
		return err
	}
	if o.Plugins, err = o.plugins.open(command, o.Workers); err != nil {
		return err
	}
	if err := task.CheckPlugins(command.Context(), o.Options.Tasks, o.Plugins); err != nil {
		return err
	}
	limitMemory(o.MaxQueue + o.Cache + ownMemory)
	if o.Cache == 0 {
		o.Cache = -1
	}
	o.Sandbox.Notice = notice(command)
	return nil
}

// ownMemory is the memory of the process besides requests and cached verdicts.
const ownMemory = 96 << 20
