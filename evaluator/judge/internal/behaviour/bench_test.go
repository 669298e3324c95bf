package behaviour

import (
	"fmt"
	"testing"

	"codelinter/evaluator"
)

// benchmarkTask is of the size that tasks made from MBPP have.
var benchmarkTask = Task{
	ID: "benchmark",
	Program: `def smallest_missing(values, n):
    seen = set()
    for i in range(n) :
        if values[i]>0:
            seen.add(values[i])
    k=1
    while k in seen:
        k+=1
    return k
`,
	Tests: []string{
		"assert smallest_missing([1, 2, 4], 3) == 3",
		"assert smallest_missing([3, -1, 1], 3) == 2",
		"assert smallest_missing([], 0) == 1",
	},
}

// BenchmarkJudge judges an answer that has to be run: two instances, and what a
// plan keeps of calls in each.
func BenchmarkJudge(b *testing.B) {
	plan, err := newJudge(b, Options{}).Plan(b.Context(), &benchmarkTask)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		v, err := plan.judge(b.Context(), newPlainText(benchmarkTask.Program).text, nil, false) // not a kept verdict
		if err != nil || v.Outcome != evaluator.Pass {
			b.Fatal(v, err)
		}
	}
	var used int64
	steps := 0
	for _, s := range plan.sessions {
		used += s.used
		steps += len(s.steps)
	}
	b.ReportMetric(float64(used), "counts/op")
	b.ReportMetric(float64(steps), "calls/op")
}

// BenchmarkPlan makes the plan of a task.
func BenchmarkPlan(b *testing.B) {
	n := 0
	j := newJudge(b, Options{})
	for b.Loop() {
		n++
		task := benchmarkTask
		task.ID = fmt.Sprint(n)
		if _, err := j.Plan(b.Context(), &task); err != nil {
			b.Fatal(err)
		}
	}
}
