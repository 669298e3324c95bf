package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"codelinter/evaluator/task"
	"codelinter/internal/eval/formats"
	"codelinter/internal/eval/suites"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/util/ordered"
	"codelinter/internal/util/terminal"
	"codelinter/lint"
	"codelinter/sandbox"
)

// defaultSuiteK are the k of EvalPlus.
var defaultSuiteK = []int{1, 10, 100}

// A suiteResult is a line of eval --suite's results.
type suiteResult struct {
	ID      string          `json:"task_id"`
	Answers []suites.Answer `json:"answers"`
}

func runSuite(command *cobra.Command, o *evalOptions) error {
	if o.tasks == "" || o.samples == "" {
		return misuse{errors.New("--suite goes with --tasks, a file of EvalPlus', and samples")}
	}
	for _, flag := range []string{"html", "lm-eval", "inspect", "submission", "by", "no-guard", "reward", "on-unknown", "no-stand-ins", "texts", "all"} {
		if command.Flags().Changed(flag) {
			return misuse{fmt.Errorf("--%s does not go with --suite", flag)}
		}
	}
	suite := o.suite
	tasks, err := readFrom(command, o.tasks, func(name string, in io.Reader) ([]suites.Task, error) { return suites.Read(suite, name, in) })
	if err != nil {
		return err
	}
	places := make([]task.Task, len(tasks))
	for i := range tasks {
		places[i].Meta.ID = task.ID(tasks[i].ID)
	}
	set, err := task.NewSet(places)
	if err != nil {
		return err
	}
	source, err := openSamples(command, o.samples, o.samplesFormat, set)
	if err != nil {
		return err
	}
	defer source.Close()
	answers, unknown, err := readAnswers(source, set, tasks)
	if err != nil {
		return err
	}
	if err := o.noteUnmatched(command, answers, unknown); err != nil {
		return err
	}
	results, skipped, err := execute(command, o, suite, tasks, answers)
	if err != nil {
		return err
	}
	for _, note := range skipped {
		tell(command, "not used: %s", note)
	}
	if o.output != "" {
		if err := writeOutput(command, o.output, func(w io.Writer) error {
			for i := range results {
				if _, err := w.Write(pyjson.AppendLine(nil, suiteResult{tasks[i].ID, results[i]})); err != nil {
					return err
				}
			}
			return nil
		}); err != nil || o.output == "-" {
			return err
		}
	}
	ks := o.k
	if !command.Flags().Changed("k") {
		ks = defaultSuiteK
	}
	counted := slices.Clone(results)
	for i := range counted {
		if len(counted[i]) == 0 { // a task without answers fails for each k
			counted[i] = make([]suites.Answer, slices.Max(ks))
		}
	}
	return printSuite(command, o, results, suites.Scores(counted, ks))
}

// noteUnmatched names the numbers of tasks without samples and of samples without a task.
func (o *evalOptions) noteUnmatched(command *cobra.Command, answers [][]string, unknown int) error {
	missing := 0
	for _, list := range answers {
		if len(list) == 0 {
			missing++
		}
	}
	for _, note := range []struct {
		n    int
		text string
	}{{missing, "tasks without samples, which count as failed"}, {unknown, "samples of tasks that are not there, which are left out"}} {
		if note.n > 0 {
			tell(command, "%d %s", note.n, note.text)
			if o.strict {
				return errors.New("--strict: tasks and samples do not match")
			}
		}
	}
	return nil
}

// readAnswers returns the answers to each task as whole programs.
func readAnswers(source *formats.File, set *task.Set, tasks []suites.Task) (answers [][]string, unknown int, err error) {
	answers = make([][]string, len(tasks))
	for {
		row, err := source.Next()
		if err == io.EOF {
			return answers, unknown, nil
		}
		if err != nil {
			return nil, 0, err
		}
		samples, err := source.Parse(row)
		if err != nil {
			return nil, 0, err
		}
		at, known := set.Find(samples.ID)
		if !known {
			unknown += len(samples.Outputs)
			continue
		}
		for _, text := range samples.Outputs {
			if source.Format() == formats.HumanEval { // completions, which continue the prompt
				text = tasks[at].Prompt + text
			}
			answers[at] = append(answers[at], text)
		}
	}
}

func execute(command *cobra.Command, o *evalOptions, suite suites.Suite, tasks []suites.Task, answers [][]string) (results [][]suites.Answer, skipped []string, err error) {
	ctx, cancel := context.WithCancelCause(command.Context())
	defer cancel(nil)
	options := suites.PoolOptions()
	options.Workers = o.workers
	options.Notice = notice(command)
	pool, err := sandbox.New(ctx, options)
	if err != nil {
		return nil, nil, err
	}
	defer pool.Close()
	runner := suites.New(suite, pool)
	lintOptions := lint.DefaultOptions()
	lintOptions.Release, lintOptions.Target = o.flake8, o.python
	linter, err := lint.New(lintOptions)
	if err != nil {
		return nil, nil, err
	}
	type checked struct {
		answers []suites.Answer
		skipped []string
	}
	newWorker := func() (func(int) checked, error) {
		own := linter.Clone()
		return func(i int) (c checked) {
			var failed error
			if c.answers, c.skipped, failed = executeTask(ctx, runner, own, &tasks[i], answers[i]); failed != nil {
				cancel(failed)
			}
			return c
		}, nil
	}
	progress := terminal.NewProgress(command.ErrOrStderr(), "tasks")
	defer progress.Clear()
	err = ordered.Do(ctx, cmp.Or(o.workers, runtime.GOMAXPROCS(0)), ordered.Numbers(0, len(tasks)), newWorker, func(c checked) error {
		results, skipped = append(results, c.answers), append(skipped, c.skipped...)
		progress.Set(len(results), len(tasks))
		return nil
	})
	return results, skipped, cmp.Or(context.Cause(ctx), err)
}

// answerBounds bound the memory for linting one answer.
var answerBounds = lint.Bounds{Tokens: 1 << 20, Findings: 10_000}

// executeTask checks and lints the answers to one task. Equal answers are
// checked once.
func executeTask(ctx context.Context, runner *suites.Runner, linter *lint.Linter, t *suites.Task, answers []string) ([]suites.Answer, []string, error) {
	if len(answers) == 0 {
		return nil, nil, nil
	}
	reference, err := runner.Reference(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	known := map[string]suites.Answer{}
	results := make([]suites.Answer, len(answers))
	for i, answer := range answers {
		result, again := known[answer]
		if !again {
			base, plus, err := runner.Check(ctx, reference, answer)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", t.ID, err)
			}
			first := base
			if base.Status == suites.Pass {
				first = plus
			}
			found := linter.Lint(lint.Input{Data: []byte(answer), CodesOnly: true, Bounds: answerBounds})
			findings := len(found.Findings)
			result = suites.Answer{Base: base.Status, Plus: plus.Status, Input: first.Input, Reason: first.Reason,
				Findings: findings, Clean: findings == 0 && !found.TooLarge}
			known[answer] = result
		}
		results[i] = result
	}
	return results, reference.Skipped, nil
}

// A suiteSummary is the output of eval --suite --json.
type suiteSummary struct {
	Suite    string                           `json:"suite"`
	Tasks    int                              `json:"tasks"`
	Answers  int                              `json:"answers"`
	Statuses map[string]map[suites.Status]int `json:"statuses"`
	Scores   []suites.Score                   `json:"scores"`
}

func printSuite(command *cobra.Command, o *evalOptions, results [][]suites.Answer, scores []suites.Score) error {
	summary := suiteSummary{Suite: string(o.suite), Tasks: len(results), Statuses: map[string]map[suites.Status]int{"base": {}, "plus": {}}, Scores: scores}
	for _, answers := range results {
		for _, a := range answers {
			summary.Answers++
			summary.Statuses["base"][a.Base]++
			summary.Statuses["plus"][a.Plus]++
		}
	}
	out := command.OutOrStdout()
	if o.json {
		_, err := out.Write(pyjson.AppendLine(nil, summary))
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d tasks, %d answers\n\n", summary.Suite, summary.Tasks, summary.Answers)
	for _, kind := range []string{"base", "plus"} {
		counts := summary.Statuses[kind]
		fmt.Fprintf(&b, "%-5s %6d pass %6d fail %6d timeout\n", kind, counts[suites.Pass], counts[suites.Fail], counts[suites.Timeout])
	}
	b.WriteString("\n")
	for _, score := range scores {
		fmt.Fprintf(&b, "%-15s pass@%-4d %.4f ± %.4f   %.4f to %.4f\n", score.Measure, score.K, score.Value, score.Error, score.Low, score.High)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
