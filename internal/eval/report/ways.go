package report

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/rule"
)

// This file finds the ways in which a run's samples fail, with an example of each. It is for the
// pages of two and of many runs.

// ways are the marks by which a run's samples fail, see [failsBy].
type ways struct {
	names    []string
	indices  map[string]int          // in names
	tasks    map[task.ID][]markCount // by mark, each task's samples with it
	examples []*example              // of each name; nil if the results have no texts
}

// A markCount counts samples of a task with a mark.
type markCount struct{ mark, samples int32 }

// An example is a sample with a mark.
type example struct {
	id     task.ID
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

// index returns the index of a mark, or -1 if there are too many.
func (w *ways) index(mark string) int {
	if at, known := w.indices[mark]; known {
		return at
	}
	if len(w.names) == maxWays {
		return -1
	}
	if w.indices == nil {
		w.indices, w.tasks = map[string]int{}, map[task.ID][]markCount{}
	}
	w.indices[mark] = len(w.names)
	w.names, w.examples = append(w.names, mark), append(w.examples, nil)
	return len(w.names) - 1
}

// add counts the marks of a task's samples.
func (w *ways) add(r *record) {
	var counts []markCount
	for i := range r.Samples {
		marks := sampleMarks(r, i)
		var task json.RawMessage
		for _, mark := range marks {
			if !failsBy(&r.Samples[i], mark) {
				continue
			}
			index := w.index(mark)
			if index < 0 {
				continue
			}
			at := slices.IndexFunc(counts, func(c markCount) bool { return int(c.mark) == index })
			if at < 0 {
				at = len(counts)
				counts = append(counts, markCount{mark: int32(index)})
			}
			counts[at].samples++
			rank := len(marks)
			if r.Samples[i].Official() && !strings.Contains(mark, ":") {
				rank += 100 // prefer a sample that fails
			}
			if old := w.examples[index]; r.bare() || old != nil && old.rank <= rank {
				continue
			}
			if task == nil {
				one := r.only(i)
				view := newPageTask(one, exampleBytes)
				view.Prompt = ""
				view.Runs = []any{newPageRun(one, view.Code, exampleBytes/2)}
				task = marshal(view)
			}
			w.examples[index] = &example{r.line.ID, task, i, rank}
		}
	}
	if counts != nil {
		w.tasks[r.line.ID] = counts
	}
}

// A boardWay is a mark in all runs of a leaderboard.
type boardWay struct {
	Mark    string `json:"mark"`
	Samples []int  `json:"samples"` // of each run
	// Shares are, for each run, the mean over the tasks that it has samples of: which share of
	// a task's samples fails and has the mark. So tasks and runs count the same, however many
	// samples they have, as in pass@1.
	Shares  []float64     `json:"shares"`
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
		if code, found := task.ParseCode(name); found && !seen[code] {
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

// mostFrequent weighs a way to fail by its mean share in all runs, and mostApart by the difference
// of its shares in two.
func mostFrequent(shares []float64) (sum float64) {
	for _, share := range shares {
		sum += share
	}
	return sum
}

func mostApart(shares []float64) float64 { return math.Abs(shares[1] - shares[0]) }

// boardWays returns the marks that weigh most, and of equal ones the most frequent, on the tasks
// with these ids. Each has an example from the run with the largest share.
func boardWays(entries []Entry, ids []task.ID, weight func(shares []float64) float64) []boardWay {
	all := map[string]*boardWay{}
	for i := range entries {
		run := entries[i].Run
		answered := 0.0 // tasks with samples
		for _, id := range ids {
			n := run.rates[id][0].N
			if n == 0 {
				continue
			}
			answered++
			for _, count := range run.ways.tasks[id] {
				mark := run.ways.names[count.mark]
				way := all[mark]
				if way == nil {
					way = &boardWay{Mark: mark, Samples: make([]int, len(entries)), Shares: make([]float64, len(entries))}
					all[mark] = way
				}
				way.Samples[i] += int(count.samples)
				way.Shares[i] += float64(count.samples) / float64(n)
			}
		}
		for _, way := range all {
			way.Shares[i] /= max(answered, 1)
		}
	}
	marks := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		of, with := all[a].Shares, all[b].Shares
		return cmp.Or(cmp.Compare(weight(with), weight(of)), cmp.Compare(mostFrequent(with), mostFrequent(of)), cmp.Compare(a, b))
	})
	common := map[task.ID]bool{}
	for _, id := range ids {
		common[id] = true
	}
	shown := []boardWay{}
	kinds := map[string]int{}
	for _, mark := range marks {
		if mark == "new:E999" {
			continue // E999 has a mark of its own
		}
		kind, _, _ := strings.Cut(mark, ":")
		kinds[kind]++
		if len(shown) == shownWays || codeMark(mark) && kinds[kind] > shownChanges {
			continue
		}
		way := all[mark]
		most := 0.0
		for i := range entries {
			of := &entries[i].Run.ways
			if at, has := of.indices[mark]; has && way.Shares[i] > most && of.examples[at] != nil && common[of.examples[at].id] {
				most = way.Shares[i]
				way.Example = &boardExample{i, of.examples[at].sample, of.examples[at].task}
			}
		}
		shown = append(shown, *way)
	}
	return shown
}
