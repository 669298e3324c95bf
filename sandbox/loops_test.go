package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"codelinter/internal/util/cputime"
)

// loops returns the kinds of loop of testdata/loops.txtar.
func loops(t testing.TB) []txtar.File {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/loops.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return archive.Files
}

// rounds makes a loop do n rounds.
func rounds(loop txtar.File, n int) string { return fmt.Sprintf("N = %d\n%s", n, loop.Data) }

// Every kind of endless loop ends when its budget is used up, be it that of a time limit or
// of a call, and uses it to the last count.
func TestLoops(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{})
	for _, loop := range loops(t) {
		const budget = 500_000
		program := Program{Source: rounds(loop, 1<<50), Budget: budget}
		for _, machine := range []*Machine{nil, {}} {
			program.Machine = machine
			if r := run(t, p, program); r.End != Budget || r.Used != budget {
				t.Errorf("%s: %v after %d counts", loop.Name, r.End, r.Used)
			}
		}
	}
}

// BenchmarkLoops reports the nanoseconds of processor time that a count takes: here, and
// with the environment's PYTHON in that CPython, from which [CountTime] was taken:
//
//	PYTHON=python3.13 go test ./sandbox -run '^$' -bench Loops
func BenchmarkLoops(b *testing.B) {
	p := newPool(b, Options{Workers: 1})
	python := os.Getenv("PYTHON")
	for _, loop := range loops(b) {
		b.Run(loop.Name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n += 100_000
			}
			counts, here := p.measured(b, rounds(loop, n))
			few, start := p.measured(b, rounds(loop, 0))
			b.ReportMetric((here-start)/float64(counts-few), "ns/count")
			if python != "" {
				b.ReportMetric(native(b, python, rounds(loop, n))/float64(counts-few), "python-ns/count")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// measured runs a program, and returns the counts that it used and its child's nanoseconds
// of processor time.
func (p *Pool) measured(b *testing.B, source string) (counts int64, ns float64) {
	run(b, p, Program{Source: "x = 1"}) // there is a child
	pid := p.idle[0].process.cmd.Process.Pid
	before, _ := cputime.Of(pid)
	r := run(b, p, Program{Source: source, Budget: 1 << 60, Machine: &Machine{}})
	after, _ := cputime.Of(pid)
	if r.End != Done {
		b.Fatalf("%+v", r)
	}
	return r.Used, float64(after - before)
}

// native returns the nanoseconds of processor time that a program takes in a CPython.
func native(b *testing.B, python, source string) float64 {
	clock := "import time as clock_\nbegan_ = clock_.process_time_ns()\n" + source + "print('\\n', clock_.process_time_ns() - began_)\n"
	out, err := exec.CommandContext(b.Context(), python, "-c", clock).Output()
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(out))
	ns, err := strconv.ParseFloat(fields[len(fields)-1], 64)
	if err != nil {
		b.Fatal(err)
	}
	return ns
}
