package report

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"codelinter/rule"
)

// This file finds the ways in which a run's samples fail, with an example of each. It is for the
// pages of two and of many runs.

// ways are the marks of a run's samples that do not pass by all verdicts, see [sampleMarks].
type ways map[string]*way

// A way counts the samples with a mark.
type way struct {
	samples, tasks int
	example        *example // nil if the results have no texts
}

// An example is a sample with a mark.
type example struct {
	task   json.RawMessage // a [pageTask] with one run of one sample
	sample int             // index in its task, from 0
	rank   int             // the lowest is the best: a sample with few marks shows the mark clearly
}

const (
	// maxWays bounds the marks of a run: a verdict may have a reason for each sample.
	maxWays = 1000
	// exampleBytes is about the bytes of an example's texts.
	exampleBytes = 16 << 10
)

// codeMark reports whether a mark says that samples introduce or leave a code.
func codeMark(mark string) bool {
	return strings.HasPrefix(mark, "new:") || strings.HasPrefix(mark, "left:")
}

// add counts the marks of a task's samples.
func (w *ways) add(r *record) {
	if *w == nil {
		*w = ways{}
	}
	seen := map[string]bool{} // marks of this task
	for i := range r.Samples {
		if r.Samples[i].state() == passing {
			continue
		}
		marks := sampleMarks(r, i)
		var task json.RawMessage
		for _, mark := range marks {
			of := (*w)[mark]
			if of == nil {
				if len(*w) == maxWays {
					continue
				}
				of = &way{}
				(*w)[mark] = of
			}
			of.samples++
			if !seen[mark] {
				seen[mark] = true
				of.tasks++
			}
			rank := len(marks)
			if r.Samples[i].Official && !strings.Contains(mark, ":") {
				rank += 100 // prefer a sample that fails
			}
			if r.Samples[i].Empty && codeMark(mark) {
				rank += 100 // prefer a sample with code
			}
			if r.Task == nil || of.example != nil && of.example.rank <= rank {
				continue
			}
			if task == nil {
				one := *r
				one.N, one.Samples = 1, r.Samples[i:i+1]
				view := newPageTask(&one, exampleBytes)
				view.Prompt = ""
				view.Runs = []any{newPageRun(&one, view.Code, exampleBytes/2)}
				task = marshal(view)
			}
			of.example = &example{task, i, rank}
		}
	}
}

// A boardWay is a mark in all runs of a leaderboard.
type boardWay struct {
	Mark    string        `json:"mark"`
	Samples []int         `json:"samples"` // of each run
	Tasks   []int         `json:"tasks"`
	Example *boardExample `json:"example,omitempty"`
}

type boardExample struct {
	Run    int             `json:"run"`
	Sample int             `json:"sample"`
	Task   json.RawMessage `json:"task"`
}

// A codeNamed is a code and what flake8 flags with it.
type codeNamed struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// namedCodes describes the codes in marks.
func namedCodes(ways []boardWay) []codeNamed {
	named, seen := []codeNamed{}, map[rule.Code]bool{}
	for _, way := range ways {
		_, name, _ := strings.Cut(way.Mark, ":")
		if code, found := rule.Find(name); found && !seen[code] {
			seen[code] = true
			named = append(named, codeNamed{name, codeName(code)})
		}
	}
	return named
}

const (
	// shownWays bounds the marks on a page of many runs.
	shownWays = 40
	// shownChanges bounds those that introduce codes, and those that leave codes. Without it,
	// they would take the room of all others.
	shownChanges = 3
)

// boardWays returns the marks with the most samples in all runs, each with an example
// from the run with most.
func boardWays(entries []Entry) []boardWay {
	sums := map[string]int{}
	for i := range entries {
		for mark, way := range entries[i].Run.ways {
			sums[mark] += way.samples
		}
	}
	marks := make([]string, 0, len(sums))
	for mark := range sums {
		marks = append(marks, mark)
	}
	slices.SortFunc(marks, func(a, b string) int { return cmp.Or(sums[b]-sums[a], cmp.Compare(a, b)) })
	all, none := []boardWay{}, &way{}
	kinds := map[string]int{}
	for _, mark := range marks {
		kind, _, _ := strings.Cut(mark, ":")
		kinds[kind]++
		if len(all) == shownWays || codeMark(mark) && kinds[kind] > shownChanges {
			continue
		}
		of := boardWay{Mark: mark}
		most := 0
		for i := range entries {
			way := entries[i].Run.ways[mark]
			if way == nil {
				way = none
			}
			of.Samples, of.Tasks = append(of.Samples, way.samples), append(of.Tasks, way.tasks)
			if way.example != nil && way.samples > most {
				most = way.samples
				of.Example = &boardExample{i, way.example.sample, way.example.task}
			}
		}
		all = append(all, of)
	}
	return all
}
