package sandbox

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// suitePrograms returns the whole programs of a suite: each task's own solution, and its
// asserts. PROGRAMS names a file of MBPP or HumanEval as it is published, one task a line.
func suitePrograms(t testing.TB) []string {
	name := os.Getenv("PROGRAMS")
	if name == "" {
		t.Skip("PROGRAMS is not the name of MBPP's or HumanEval's file")
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var programs []string
	lines := bufio.NewScanner(file)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var task struct {
			Code  string   `json:"code"`
			Setup string   `json:"test_setup_code"`
			Tests []string `json:"test_list"`

			Prompt    string `json:"prompt"`
			Canonical string `json:"canonical_solution"`
			Test      string `json:"test"`
			Entry     string `json:"entry_point"`
		}
		if err := json.Unmarshal(lines.Bytes(), &task); err != nil {
			t.Fatal(err)
		}
		source := task.Code + "\n" + task.Setup + "\n" + strings.Join(task.Tests, "\n") + "\n"
		if task.Entry != "" {
			source = task.Prompt + task.Canonical + "\n" + task.Test + "\ncheck(" + task.Entry + ")\n"
		}
		programs = append(programs, source)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return programs
}

// BenchmarkSuite runs each program of a suite, one after the other, in a pool that is warm. It
// reports the median and the 99th percentile of the programs' times, each the least of its
// rounds, and how many ended well.
func BenchmarkSuite(b *testing.B) {
	programs := suitePrograms(b)
	for name, options := range map[string]Options{"child": {Workers: 1}, "inside": {Workers: 1, InProcess: true}} {
		b.Run(name, func(b *testing.B) {
			pool, err := New(b.Context(), options)
			if err != nil {
				b.Fatal(err)
			}
			defer pool.Close()
			least := make([]time.Duration, len(programs))
			done := 0
			for b.Loop() {
				done = 0
				for i, source := range programs {
					began := time.Now()
					result := run(b, pool, Program{Source: source})
					if took := time.Since(began); least[i] == 0 || took < least[i] {
						least[i] = took
					}
					if result.End == Done {
						done++
					}
				}
			}
			slices.Sort(least)
			b.ReportMetric(float64(least[len(least)/2].Microseconds()), "p50-us")
			b.ReportMetric(float64(least[len(least)*99/100].Microseconds()), "p99-us")
			b.ReportMetric(float64(done), "done")
		})
	}
}
