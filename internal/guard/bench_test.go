package guard_test

import (
	"testing"

	"codelinter/internal/guard"
	"codelinter/lint"
	"codelinter/parser"
	"codelinter/source"
)

// A program and an answer of the size that benchmarks have.
const (
	benchProgram = `import math
import os
def rank(l, target) :
    """Find target."""
    lo = 0; hi = len(l)
    found = False
    steps=0
    while lo<hi:
        steps += 1
        mid = (lo+hi)//2
        if l[mid] == None:
            hi = mid
        elif not l[mid] in (target,):
            if l[mid]<target: lo = mid+1
            else: hi = mid
        else:
            found = True
            hi = mid
    if found == True:
        return math.floor(lo)
    try:
        x = steps
        return -1
    except:
        pass
`
	benchAnswer = `import math


def rank(items, target):
    """Find target."""
    lo = 0
    hi = len(items)
    found = False
    steps = 0
    while lo < hi:
        steps += 1
        mid = (lo + hi) // 2
        if items[mid] is None:
            hi = mid
        elif items[mid] not in (target,):
            if items[mid] < target:
                lo = mid + 1
            else:
                hi = mid
        else:
            found = True
            hi = mid
    if found:
        return math.floor(lo)
    try:
        return -1
    except Exception:
        pass
`
)

// BenchmarkCheck judges an answer that is proven by its tree; BenchmarkParse only
// parses the same answer.
func BenchmarkCheck(b *testing.B) {
	var c guard.Checker
	p, err := c.Program([]byte(benchProgram), "assert rank([1, 2], 2) == 1")
	if err != nil {
		b.Fatal(err)
	}
	answer := []byte(benchAnswer)
	b.SetBytes(int64(len(answer)))
	b.ReportAllocs()
	for b.Loop() {
		if r := c.Check(p, answer, lint.Facts{}); !r.SameTree {
			b.Fatal(r.Reasons)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	var file source.File
	var p parser.Parser
	answer := []byte(benchAnswer)
	b.SetBytes(int64(len(answer)))
	b.ReportAllocs()
	for b.Loop() {
		if err := file.Load(answer); err != nil {
			b.Fatal(err)
		}
		if _, ok := p.ParseText(file.Text, parser.Options{}); !ok {
			b.Fatal("no Python")
		}
	}
}

// BenchmarkProgram reads a task's program, once a task.
func BenchmarkProgram(b *testing.B) {
	var c guard.Checker
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Program([]byte(benchProgram), "assert rank([1, 2], 2) == 1"); err != nil {
			b.Fatal(err)
		}
	}
}
