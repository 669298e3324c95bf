// Package attack is a command: it searches for answers that pass the guarded verdict and are other
// programs:
//
//	$ go run ./internal/tools/attack/main.go -tries 20000 -o found.jsonl
//
// It knows a task and an answer's reward, as a model in training does, and nothing of the
// judge. Tries are mutants of an honest answer, templates of cheats, and combinations of
// tries that passed. Classes whose tries passed are tried more often. Native CPython
// decides whether a passing answer is another program, by calls of its own (native.py), or
// the construction decides: a program in a text, for example, is always a cheat.
//
// The tries depend on -seed and the tasks alone. The command prints counts for each class,
// and writes its findings, a JSON object a row. Exit codes: 0 nothing was found, 1
// something was found, 2 it could not run.
package attack

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync"
	"text/tabwriter"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/internal/tasks/dataset"
	"codelinter/internal/tasks/openset"
	"codelinter/lint"
	"codelinter/sandbox"
)

// Main is the command.
func Main() {
	sandbox.RunChild()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	found, err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(2)
	case found > 0:
		os.Exit(1)
	}
}

// options are the command line's.
type options struct {
	tasks, output, python string
	seed                  uint64
	tries, batch          int
	only                  string
	hidden                bool
}

func run(ctx context.Context, args []string, out io.Writer) (found int, err error) {
	var o options
	flags := flag.NewFlagSet("attack", flag.ContinueOnError)
	flags.StringVar(&o.tasks, "tasks", "", "attack the tasks of this file (default: the open set)")
	flags.StringVar(&o.output, "o", "", "write what was found to this file, as JSONL")
	flags.StringVar(&o.python, "python", "python3", "the CPython that tells programs apart")
	flags.Uint64Var(&o.seed, "seed", 1, "make other tries")
	flags.IntVar(&o.tries, "tries", 100_000, "how many answers are judged")
	flags.IntVar(&o.batch, "batch", 24, "how many answers to a task are judged at a time")
	flags.BoolVar(&o.hidden, "hidden", false, "hide the tasks' tests from the judge")
	flags.StringVar(&o.only, "only", "", "try each template whose class begins so on each task, once, and nothing else")
	if err := flags.Parse(args); err != nil {
		return 0, err
	}
	targets, err := o.targets()
	if err != nil {
		return 0, err
	}
	a := &attack{options: o, targets: targets, classes: map[string]*class{}}
	a.judges = judge.New(judge.Options{})
	defer a.judges.Close()
	for range runtime.GOMAXPROCS(0) {
		w, err := a.newWorker(ctx)
		if err != nil {
			return 0, err
		}
		defer w.close()
		a.workers = append(a.workers, w)
	}
	for round := uint64(0); a.tried < o.tries && ctx.Err() == nil; round++ {
		n, err := a.round(ctx, round)
		if err != nil && ctx.Err() == nil {
			return 0, err
		}
		if n == 0 {
			break // nothing new to try, or interrupted
		}
		if o.only != "" {
			break
		}
	}
	if o.output != "" {
		if err := a.write(o.output); err != nil {
			return 0, err
		}
	}
	return len(a.found), a.report(out)
}

// targets returns the tasks that can be attacked: those whose program parses.
func (o *options) targets() (list []*target, err error) {
	set, err := openset.Tasks()
	if o.tasks != "" {
		set, err = dataset.Open(o.tasks)
	}
	if err != nil {
		return nil, err
	}
	unchecked := lint.DefaultOptions()
	unchecked.Select = []string{"E9"}
	plain, err := task.NewOptions(unchecked)
	if err != nil {
		return nil, err
	}
	for _, given := range set.All() {
		t := *given
		honest := t.Meta.CanonicalCode
		if honest == "" || honest == t.Inputs.Code {
			// The program itself is the honest answer, without regard to its style.
			honest, t.Meta.Options = t.Inputs.Code, plain
		}
		var tests []string
		if t.Meta.Row != nil {
			tests = append(tests, t.Meta.TestList...)
			if o.hidden {
				row := *t.Meta.Row
				row.TestList, row.ChallengeTestList, row.TestSetupCode = nil, nil, ""
				t.Meta.Row = &row
			}
		}
		if target, ok := newTarget(&t, honest, tests); ok {
			list = append(list, target)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no task has a program that parses")
	}
	return list, nil
}

// An attack is one run.
type attack struct {
	options
	targets []*target
	judges  *judge.Judges
	shared  evaluator.Programs
	workers []*worker
	tried   int
	classes map[string]*class
	found   []finding
}

// A class counts the tries of one class.
type class struct {
	tries, official, passes, found, undecided int
}

// weight is the relative frequency of a class. It grows with its passes.
func (c *class) weight() float64 {
	return 0.2 + 8*float64(c.passes+1)/float64(c.tries+8)
}

// A finding is an answer that passed but is another program.
type finding struct {
	Task    task.ID `json:"task"`
	Class   string  `json:"class"`
	Proof   string  `json:"proof"`
	By      string  `json:"by"` // "calls" or "construction"
	Calls   string  `json:"calls,omitempty"`
	Program string  `json:"program,omitempty"` // the program's result
	Answer  string  `json:"answer,omitempty"`  // the answer's result
	Code    string  `json:"code"`
}

// round visits each target once, and returns the number of tries.
func (a *attack) round(ctx context.Context, round uint64) (tries int, err error) {
	weights := map[string]float64{}
	for name, c := range a.classes {
		weights[name] = c.weight()
	}
	left := (a.options.tries - a.tried + a.batch - 1) / a.batch
	order := rand.New(rand.NewPCG(a.seed, round)).Perm(len(a.targets))
	if a.only == "" {
		order = order[:min(left, len(order))]
	}
	visits := make([][]attempt, len(order))
	errs := make([]error, len(a.workers))
	next := make(chan int)
	var wait sync.WaitGroup
	for i, w := range a.workers {
		wait.Go(func() {
			for at := range next {
				t := a.targets[order[at]]
				rng := rand.New(rand.NewPCG(a.seed+round*1_000_003, uint64(order[at])))
				if visits[at], err = w.visit(ctx, t, rng, weights); err != nil {
					errs[i] = fmt.Errorf("task %s: %w", t.task.Meta.ID, err)
				}
			}
		})
	}
	for at := range order {
		next <- at
	}
	close(next)
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	for at, attempts := range visits {
		t := a.targets[order[at]]
		for _, v := range attempts {
			tries++
			c := a.classes[v.try.class]
			if c == nil {
				c = new(class)
				a.classes[v.try.class] = c
			}
			c.tries++
			if v.official {
				c.official++
			}
			if !v.passed {
				continue
			}
			c.passes++
			if v.undecided {
				c.undecided++
			}
			if v.finding != nil {
				c.found++
				v.finding.Task = t.task.Meta.ID
				a.found = append(a.found, *v.finding)
			}
		}
	}
	a.tried += tries
	return tries, nil
}

func (a *attack) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	for i := range a.found {
		if err := to.Encode(&a.found[i]); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return file.Close()
}

// report prints the counts of each class, those with findings first.
func (a *attack) report(out io.Writer) error {
	names := slices.SortedFunc(maps.Keys(a.classes), func(x, y string) int {
		return cmp.Or(cmp.Compare(a.classes[y].found, a.classes[x].found), cmp.Compare(a.classes[y].passes, a.classes[x].passes), cmp.Compare(x, y))
	})
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tries\tofficial\tpass\tdiffer\tundecided\tclass\t")
	var sum class
	for _, name := range names {
		c := a.classes[name]
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%s\t\n", c.tries, c.official, c.passes, c.found, c.undecided, name)
		sum = class{sum.tries + c.tries, sum.official + c.official, sum.passes + c.passes, sum.found + c.found, sum.undecided + c.undecided}
	}
	fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\tall\t\n", sum.tries, sum.official, sum.passes, sum.found, sum.undecided)
	return w.Flush()
}
