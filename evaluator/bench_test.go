package evaluator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/eval/report"
	"codelinter/internal/tasks/dataset"
	"codelinter/internal/tasks/openset"
)

// snippet is 311 bytes, as an MBPP program is on average.
const snippet = `import heapq


def merge_sorted(first, second):
    heap = list(first) + list(second)
    return [heapq.heappop(heap) for _ in range(len(heap))]


def count_the_common(words):
    counts={}
    for word in words :
        counts[word] = counts.get(word,0) + 1
    return max(counts.items(), key=lambda x: x[1])
`

// From an answer to its verdict, on one thread.
func BenchmarkScore(b *testing.B) {
	if len(snippet) != 311 {
		b.Fatalf("the snippet has %d bytes", len(snippet))
	}
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{K: evaluator.DefaultK()})
	if err != nil {
		b.Fatal(err)
	}
	outputs := make([]string, 10)
	for i := range outputs {
		outputs[i] = "Here is the program:\n\n```python\n" + snippet + "```\n"
	}
	task := task.Task{Inputs: task.Inputs{Code: snippet}}
	b.SetBytes(int64(len(outputs) * len(outputs[0])))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := scorer.Score(b.Context(), &task, outputs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(outputs))/b.Elapsed().Seconds(), "samples/s")
}

// A file of samples for 974 tasks, one each, on all cores.
func BenchmarkRun(b *testing.B) {
	open, err := openset.Tasks()
	if err != nil {
		b.Fatal(err)
	}
	var taskText, sampleText bytes.Buffer
	tasksOut, samplesOut := json.NewEncoder(&taskText), json.NewEncoder(&sampleText)
	const n = 974
	for i := range n {
		made := *open.At(i % open.Len())
		made.Meta.ID = task.ID(strconv.Itoa(i))
		code := made.Inputs.Code
		if i/open.Len()%2 == 0 {
			code = "```python\n" + made.Meta.CanonicalCode + "```\n"
		}
		if err := tasksOut.Encode(made); err != nil {
			b.Fatal(err)
		}
		if err := samplesOut.Encode(map[string]any{"id": i, "outputs": []string{code}}); err != nil {
			b.Fatal(err)
		}
	}
	tasks, err := dataset.Read("tasks", &taskText)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		outputs []evaluator.Output
	}{{"verdicts", nil}, {"results", []evaluator.Output{{Encode: new(report.Results).Encode, Writer: io.Discard}}}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(sampleText.Len()))
			b.ReportAllocs()
			for b.Loop() {
				samples := evaluator.NewJSONL("samples", bytes.NewReader(sampleText.Bytes()))
				if _, err := evaluator.Run(context.Background(), tasks, samples, evaluator.Options{Outputs: c.outputs}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "samples/s")
		})
	}
}
