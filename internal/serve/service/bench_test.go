package service

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/internal/eval/formats"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/api"
	"codelinter/internal/tasks/openset"
	"codelinter/internal/testenv/bench"
)

// answer is 311 bytes, as an MBPP program is on average, with a name that tells one
// from another.
const answer = `import heapq


def merge_sorted(first, second):
    heap = list(first) + list(second)
    return [heapq.heappop(heap) for _ in range(len(heap))]


def count_the_common(words):
    counts={}
    for word in words :
        counts[word] = counts.get(word,0) + 1
    return max(counts.items(), key=lambda x: x[1])
`

// From a request's bytes to its reply's, with all answers different, in batches of
// one task's. The metric is processor time of all threads.
func BenchmarkBatch(b *testing.B) {
	for _, n := range []int{1, 16, 256, 4096} {
		for _, verdict := range []evaluator.Verdict{evaluator.Official, evaluator.Guarded} {
			b.Run(fmt.Sprintf("%s/%d", verdict, n), func(b *testing.B) {
				s := start(b, Options{})
				request := func(i int) []byte {
					text := pyjson.AppendQuoted([]byte(`{"id": 1, "task": {"program": `), answer)
					text = fmt.Appendf(text, `}, "verdict": %q, "completions": [`, verdict)
					for k := range n {
						if k > 0 {
							text = append(text, ", "...)
						}
						name := fmt.Sprintf("words_%d", i*n+k)
						text = pyjson.AppendQuoted(text, "Here it is:\n\n```python\n"+strings.ReplaceAll(answer, "words", name)+"```\n")
					}
					return append(text, "]}"...)
				}
				b.ReportAllocs()
				out := bufio.NewWriter(io.Discard)
				i := 0
				cpu := bench.CPU()
				for b.Loop() {
					b.StopTimer()
					before := bench.CPU()
					text := request(i)
					cpu += bench.CPU() - before
					i++
					b.StartTimer()
					r, err := api.Decode(text, api.Defaults{})
					if err != nil {
						b.Fatal(err)
					}
					reply, err := s.Do(b.Context(), "me", &r)
					if err != nil {
						b.Fatal(err)
					}
					api.WriteReply(out, &reply)
				}
				b.ReportMetric(float64((bench.CPU()-cpu).Microseconds())/float64(i*n), "cpu-us/answer")
			})
		}
	}
}

// The open set's answers by the official verdict, in batches that go from task to task:
// what a trainer sends that mixes prompts. Nothing is remembered.
func BenchmarkOpenSet(b *testing.B) {
	set, err := openset.Tasks()
	if err != nil {
		b.Fatal(err)
	}
	answers, err := openset.Answers()
	if err != nil {
		b.Fatal(err)
	}
	file, err := formats.Read("answers", answers, formats.JSONL, set)
	if err != nil {
		b.Fatal(err)
	}
	var items []string
	for {
		row, err := file.Next()
		if err == io.EOF {
			break
		}
		samples, err := file.Parse(row)
		if err != nil {
			b.Fatal(err)
		}
		for _, output := range samples.Outputs {
			item := append([]byte(`{"task_id": `), samples.ID...)
			items = append(items, string(pyjson.AppendQuoted(append(item, `, "completion": `...), output))+"}")
		}
	}
	for _, n := range []int{1, 256} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var requests [][]byte
			for from := 0; from+n <= len(items); from += n {
				requests = append(requests, []byte(`{"verdict": "official", "items": [`+strings.Join(items[from:from+n], ", ")+"]}"))
			}
			s := start(b, Options{Tasks: set, Cache: -1})
			b.ReportAllocs()
			out := bufio.NewWriter(io.Discard)
			i := 0
			cpu := bench.CPU()
			for b.Loop() {
				r, err := api.Decode(requests[i%len(requests)], api.Defaults{})
				if err != nil {
					b.Fatal(err)
				}
				reply, err := s.Do(b.Context(), "me", &r)
				if err != nil {
					b.Fatal(err)
				}
				api.WriteReply(out, &reply)
				i++
			}
			b.ReportMetric(float64((bench.CPU()-cpu).Microseconds())/float64(i*n), "cpu-us/answer")
		})
	}
}
