package judge_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/judge/internal/behaviour"
	"codelinter/evaluator/task"
	"codelinter/internal/guard"
	"codelinter/internal/tasks/openset"
	"codelinter/internal/testenv/bench"
	"codelinter/sandbox"
)

// openTasks returns the tasks of the open set. Their programs end with a comment that
// no run has seen, so that no plan finds a report of the sandbox's in the cache.
func openTasks(b *testing.B) []*task.Task {
	set, err := openset.Tasks()
	if err != nil {
		b.Fatal(err)
	}
	var tasks []*task.Task
	for i := range set.Len() {
		made := *set.At(i)
		made.Inputs.Code += fmt.Sprintf("# %d\n", time.Now().UnixNano())
		tasks = append(tasks, &made)
	}
	return tasks
}

// BenchmarkCompletions gives guarded verdicts on completions as
// python/bench/completions.py has them, a task's program and its canonical code in
// turn, no two the same. What is reported is the processor time of this process, which
// has the sandbox in it. Each clean one has the tree of a canonical answer, so no plan is made.
func BenchmarkCompletions(b *testing.B) {
	tasks := openTasks(b)
	const completions = 2048
	for b.Loop() {
		judges := judge.New(judge.Options{Sandbox: sandbox.Options{InProcess: true, Workers: 1}})
		scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{Judges: judges.Makers()})
		if err != nil {
			b.Fatal(err)
		}
		if err := judges.Start(b.Context()); err != nil {
			b.Fatal(err)
		}
		begin := bench.CPU()
		proofs := map[string]int{}
		for i := range completions {
			of := tasks[i/2%len(tasks)]
			code := of.Inputs.Code
			if i%2 == 1 {
				code = of.Meta.CanonicalCode
			}
			result, err := scorer.Score(b.Context(), of, []string{fmt.Sprintf("```python\n%s# %d\n```", code, i)})
			if err != nil {
				b.Fatal(err)
			}
			proofs[result.Samples[0].Judgements[1].Proof]++
		}
		b.ReportMetric(float64((bench.CPU()-begin).Microseconds())/completions, "us-cpu/completion")
		b.ReportMetric(float64(judges.Stats().Programs), "programs")
		for proof, n := range proofs {
			if proof != "" {
				b.ReportMetric(float64(n), proof)
			}
		}
		judges.Close()
	}
}

// BenchmarkPlansAndRuns makes the plans of the open set's tasks and judges its answers
// by running them, whatever their trees say. It reports the processor time of a plan
// and of an answer.
func BenchmarkPlansAndRuns(b *testing.B) {
	tasks := openTasks(b)
	byID := map[string]*task.Task{}
	for _, t := range tasks {
		byID[string(t.Meta.ID)] = t
	}
	file, err := openset.Answers()
	if err != nil {
		b.Fatal(err)
	}
	outputs := map[string][]string{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var row struct {
			ID      json.RawMessage `json:"id"`
			Outputs []string        `json:"outputs"`
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			b.Fatal(err)
		}
		outputs[strings.Trim(string(row.ID), `"`)] = row.Outputs
	}
	pool, err := sandbox.New(b.Context(), sandbox.Options{InProcess: true, Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	for b.Loop() {
		judge := behaviour.New(pool, behaviour.Options{})
		var planned, judged time.Duration
		answers, passed := 0, 0
		for id, of := range byID {
			if of.Meta.Logic == task.FreeLogic {
				continue
			}
			t := behaviour.Task{ID: id, Program: of.Inputs.Code, Canonical: of.Meta.CanonicalCode}
			if of.Meta.Row != nil {
				t.Tests, t.Setup = of.Meta.TestList, of.Meta.TestSetupCode
			}
			begin := bench.CPU()
			plan, err := judge.Plan(b.Context(), &t)
			if err != nil {
				b.Fatal(err)
			}
			planned += bench.CPU() - begin
			seen := map[string]bool{}
			begin = bench.CPU()
			for _, code := range append([]string{of.Meta.CanonicalCode}, outputs[id]...) {
				code, _, _ = strings.Cut(strings.TrimPrefix(code, "```python\n"), "```")
				if seen[code] {
					continue
				}
				seen[code] = true
				answers++
				v, err := plan.Judge(b.Context(), code, new(guard.Report))
				if err != nil {
					b.Fatal(err)
				}
				if v.Outcome == evaluator.Pass {
					passed++
				}
			}
			judged += bench.CPU() - begin
		}
		b.ReportMetric(float64(planned.Microseconds())/1000/float64(len(byID)), "ms-cpu/plan")
		b.ReportMetric(float64(judged.Microseconds())/1000/float64(answers), "ms-cpu/answer")
		b.ReportMetric(float64(answers), "answers")
		b.ReportMetric(float64(passed), "passed")
	}
}
