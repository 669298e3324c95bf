package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/stats"
)

// A Leaderboard compares any number of runs, on the tasks that all have.
type Leaderboard struct {
	Entries []Entry
	Tasks   int // of all runs
	// Notes say what is left out, and why.
	Notes    []string
	Verdicts []Standings // for each verdict that all runs have, the official first
	// Steps reports whether the entries are checkpoints, see [Leaderboard.SetSteps].
	Steps bool

	ids []task.ID // of the compared tasks
}

// An Entry is a run of a leaderboard.
type Entry struct {
	// Name is the model's name, if no other run has the same. Otherwise it is the file's name
	// without .jsonl, with as many folders as needed to be unique.
	Name string
	File string
	Step float64 // of a checkpoint
	Run  *Run
	// Fewest and Most are the extremes of samples for a compared task. Samples is the number of all
	// samples, and Missing the number of tasks without any.
	Fewest, Most, Samples, Missing int
	// LeftOut is the number of tasks that the run was asked and that are not compared.
	LeftOut int
}

// Standings are the runs by one verdict.
type Standings struct {
	Verdict evaluator.Verdict
	// K are 1 and the other k that all files have and for which all runs have enough samples.
	K []int
	// Ranked has the runs by descending pass@1.
	Ranked []Standing
	// Pairings has a paired test of pass@1 for each two runs, by their indices in Ranked,
	// corrected for the number of tests.
	Pairings []stats.Pairing
	// Spreads are the tasks, those that separate the runs most first. It is empty if all runs
	// have the same pass@1.
	Spreads []Spread
	// Solved and Unsolved count the tasks that all samples of all runs pass, and that none
	// passes. They separate nothing.
	Solved, Unsolved int
}

// A Standing is one run's place by one verdict.
type Standing struct {
	Entry int // index in [Leaderboard.Entries]
	// First and Last bound the run's place: after the runs that are better and before those that
	// are worse, with a corrected p-value below [Significance].
	First, Last int
	PassAt      []evaluator.Average // one for each of [Standings.K]
}

// Significance is the level of corrected p-values below which one run counts as better
// than another.
const Significance = 0.05

// A Spread is a task's contribution to the differences between runs.
type Spread struct {
	ID task.ID
	// Share is the task's share of the variance of pass@1 between runs; all shares add up to
	// 1. A run's pass@1 is the mean of its rates over T tasks, so the variance of pass@1 is
	// the sum over the tasks of Cov(rate, pass@1) / T. The share is negative if weaker runs
	// pass more often.
	Share float64
	Rates []stats.Rate // in the order of [Standings.Ranked]
}

// NewLeaderboard compares runs, which were read from files of these names. Tasks that are not in
// all runs are left out and noted. It is an error if no task is left, or if a task has different
// programs in two runs.
func NewLeaderboard(files []string, runs []*Run) (*Leaderboard, error) {
	l := &Leaderboard{}
	for i, name := range entryNames(files, runs) {
		if j := slices.Index(files[:i], files[i]); j >= 0 {
			return nil, fmt.Errorf("%s: expected each file once, found it twice", files[i])
		}
		l.Entries = append(l.Entries, Entry{Name: name, File: files[i], Run: runs[i]})
	}
	ids, err := l.shared()
	if err != nil {
		return nil, err
	}
	l.ids, l.Tasks = ids, len(ids)
	for i := range l.Entries {
		l.Entries[i].countSamples(ids)
	}
	l.noteSamples()
	l.noteReferences()
	var verdicts []evaluator.Verdict
	for _, run := range runs {
		for _, verdict := range run.verdicts() {
			if !slices.Contains(verdicts, verdict) {
				verdicts = append(verdicts, verdict)
			}
		}
	}
	for _, verdict := range verdicts {
		without := slices.IndexFunc(runs, func(run *Run) bool { return !slices.Contains(run.verdicts(), verdict) })
		if without < 0 {
			l.Verdicts = append(l.Verdicts, l.standings(verdict, ids))
		} else {
			l.note("The %s verdict is left out: %s has none.", verdict, l.Entries[without].Name)
		}
	}
	return l, nil
}

func (l *Leaderboard) note(format string, args ...any) {
	l.Notes = append(l.Notes, fmt.Sprintf(format, args...))
}

// entryNames returns the names of the runs in files.
func entryNames(files []string, runs []*Run) []string {
	distinct := func(names []string) bool {
		sorted := slices.Clone(names)
		slices.Sort(sorted)
		return sorted[0] != "" && len(slices.Compact(sorted)) == len(names)
	}
	named := map[string]int{}
	for _, run := range runs {
		named[run.About.Model]++
	}
	names := make([]string, len(files))
	// The model; else the last element of each path, or the last two, and so on.
	for elements := 1; ; elements++ {
		whole := true
		for i, file := range files {
			if model := runs[i].About.Model; model != "" && named[model] == 1 {
				names[i] = model
				continue
			}
			parts := strings.Split(filepath.ToSlash(strings.TrimSuffix(file, ".jsonl")), "/")
			whole = whole && len(parts) <= elements
			names[i] = strings.Join(parts[max(0, len(parts)-elements):], "/")
		}
		if distinct(names) {
			return names
		}
		if whole {
			return files
		}
	}
}

// shared returns the tasks that all runs have, in the order of the first run.
func (l *Leaderboard) shared() (ids []task.ID, err error) {
	first := map[task.ID]int{} // the first entry with the task
	for i := range l.Entries {
		run := l.Entries[i].Run
		for _, id := range run.ids {
			j, seen := first[id]
			if !seen {
				first[id] = i
			} else if was := &l.Entries[j]; was.Run.given[id].Value().differs(run.given[id].Value()) {
				return nil, fmt.Errorf("%s: expected the tasks of %s, found another program for task %s", l.Entries[i].File, was.File, id)
			}
		}
	}
	for _, id := range l.Entries[0].Run.ids {
		if !slices.ContainsFunc(l.Entries, func(e Entry) bool { return e.Run.rates[id] == nil }) {
			ids = append(ids, id)
		}
	}
	if len(ids) > 0 && len(ids) == len(first) {
		return ids, nil
	}
	if len(ids) == 0 {
		for i := range l.Entries[1:] {
			if e := &l.Entries[i+1]; !slices.ContainsFunc(e.Run.ids, func(id task.ID) bool { return l.Entries[0].Run.rates[id] != nil }) {
				return nil, fmt.Errorf("%s: expected tasks of %s, found none of them", e.File, l.Entries[0].File)
			}
		}
		return nil, errors.New("expected tasks that all runs have, found none")
	}
	var some []string
	for i := range l.Entries {
		if e := &l.Entries[i]; len(e.Run.ids) > len(ids) {
			some = append(some, fmt.Sprintf("%s has %d", e.Name, len(e.Run.ids)))
		}
	}
	l.note("%s of %d %s in all runs and compared: %s.", count(len(ids), "task"), len(first), verb(len(ids), "is", "are"), enumerate(some))
	return ids, nil
}

// enumerate joins the first few of texts.
func enumerate(texts []string) string {
	const few = 5
	list := strings.Join(texts[:min(len(texts), few)], ", ")
	if more := len(texts) - few; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

func (e *Entry) countSamples(ids []task.ID) {
	e.Fewest = e.Run.rates[ids[0]][0].N
	e.LeftOut = len(e.Run.ids) - len(ids)
	for _, id := range ids {
		n := e.Run.rates[id][0].N
		if n == 0 {
			e.Missing++
		}
		e.Fewest, e.Most = min(e.Fewest, n), max(e.Most, n)
		e.Samples += n
	}
}

// samplesEach returns the number of samples for a task, as in "10" or "8 to 10".
func (e *Entry) samplesEach() string {
	if e.Fewest == e.Most {
		return strconv.Itoa(e.Most)
	}
	return fmt.Sprintf("%d to %d", e.Fewest, e.Most)
}

// size describes the comparison: "10 runs of 121 tasks, 10 samples a task".
func (l *Leaderboard) size() string {
	all := Entry{Fewest: math.MaxInt}
	for i := range l.Entries {
		all.Fewest, all.Most = min(all.Fewest, l.Entries[i].Fewest), max(all.Most, l.Entries[i].Most)
	}
	return fmt.Sprintf("%s of %s, %s samples a task", count(len(l.Entries), "run"), count(l.Tasks, "task"), all.samplesEach())
}

// namedSamples bounds the runs that are noted by name with their numbers of samples.
const namedSamples = 5

// countEach counts the runs by their samples a task: "10 in 6 runs", "5 to 8 in 1 run".
func countEach(entries []Entry) (each []string) {
	runs := map[string]int{}
	var order []string
	for i := range entries {
		samples := entries[i].samplesEach()
		if runs[samples] == 0 {
			order = append(order, samples)
		}
		runs[samples]++
	}
	for _, samples := range order {
		each = append(each, samples+" in "+count(runs[samples], "run"))
	}
	return each
}

// noteSamples notes different numbers of samples, and tasks without samples.
func (l *Leaderboard) noteSamples() {
	var each, without []string
	different := false
	for i := range l.Entries {
		e := &l.Entries[i]
		each = append(each, e.Name+" "+e.samplesEach())
		different = different || e.samplesEach() != l.Entries[0].samplesEach()
		if e.Missing > 0 {
			without = append(without, fmt.Sprintf("%s on %s", e.Name, count(e.Missing, "task")))
		}
	}
	if len(each) > namedSamples {
		each = countEach(l.Entries)
	}
	if different {
		l.note("The runs have different numbers of samples a task (%s): pass@k is estimated without bias from each, but less surely from fewer.", enumerate(each))
	}
	if len(without) > 0 {
		l.note("Tasks without samples count as failed: %s.", enumerate(without))
	}
}

// noteReferences notes runs that different versions of flake8 or CPython scored.
func (l *Leaderboard) noteReferences() {
	var each []string
	different := false
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Run.About.References != nil {
			each = append(each, e.Name+" by "+by(e.Run.About.References))
		}
		different = different || !sameReferences(l.Entries[0].Run, e.Run)
	}
	if different {
		l.note("The runs were not scored by the same linter (%s): what differs need not be the model.", enumerate(each))
	}
}

// standings compares the runs on common tasks by a verdict.
func (l *Leaderboard) standings(verdict evaluator.Verdict, ids []task.ID) Standings {
	s := Standings{Verdict: verdict}
	rates := make([][]stats.Rate, len(l.Entries))
	for i := range l.Entries {
		run := l.Entries[i].Run
		place := slices.Index(run.verdicts(), verdict)
		for _, id := range ids {
			rates[i] = append(rates[i], run.rates[id][place])
		}
	}
	s.K = l.commonK(verdict, rates)
	for i := range rates {
		scores := make([]evaluator.TaskScore, len(ids))
		for t, r := range rates[i] {
			scores[t] = evaluator.TaskScore{N: r.N, Passes: []evaluator.Passes{{Passed: r.C}}}
		}
		var summary evaluator.Summary
		summary.SetScores([]evaluator.Verdict{verdict}, scores, s.K)
		s.Ranked = append(s.Ranked, Standing{Entry: i, First: 1, Last: len(rates), PassAt: summary.Totals[0].PassAt})
	}
	slices.SortStableFunc(s.Ranked, func(a, b Standing) int { return cmp.Compare(b.PassAt[0].Formula, a.PassAt[0].Formula) })
	ranked := make([][]stats.Rate, len(rates))
	for place := range s.Ranked {
		ranked[place] = rates[s.Ranked[place].Entry]
	}
	s.Pairings = stats.Pairwise(ranked)
	for i := range s.Pairings {
		if p := &s.Pairings[i]; p.Adjusted < Significance {
			s.Ranked[p.A].Last--
			s.Ranked[p.B].First++
		}
	}
	s.setSpreads(ids, ranked)
	return s
}

// commonK returns 1 and the other k that all files have and for which all runs have enough
// samples.
func (l *Leaderboard) commonK(verdict evaluator.Verdict, rates [][]stats.Rate) []int {
	common := []int{1}
	for _, average := range l.Entries[0].Run.Summary.Totals[0].PassAt {
		k := average.K
		absent := slices.IndexFunc(l.Entries, func(e Entry) bool {
			return !slices.ContainsFunc(e.Run.Summary.Totals[0].PassAt, func(a evaluator.Average) bool { return a.K == k })
		})
		if k == 1 || absent >= 0 {
			continue
		}
		var short []string
		for i, run := range rates {
			if slices.ContainsFunc(run, func(r stats.Rate) bool { return 0 < r.N && r.N < k }) {
				short = append(short, l.Entries[i].Name)
			}
		}
		who := strings.Join(short, "")
		if len(short) > 1 {
			who = count(len(short), "run")
		}
		if len(short) == 0 {
			common = append(common, k)
		} else if verdict == evaluator.Official { // the same samples for every verdict
			l.note("pass@%d is left out: %s %s tasks with samples, but fewer than %d.", k, who, verb(len(short), "has", "have"), k)
		}
	}
	slices.Sort(common)
	return common
}

// by returns the difference of pass@1 between the pairing's A and B.
func (s *Standings) by(p *stats.Pairing) float64 {
	return s.Ranked[p.A].PassAt[0].Formula - s.Ranked[p.B].PassAt[0].Formula
}

// setSpreads sets Spreads, Solved and Unsolved from the rates on the tasks.
func (s *Standings) setSpreads(ids []task.ID, ranked [][]stats.Rate) {
	var deviation []float64 // of each run's pass@1 from the mean of all
	mean := 0.0
	for i := range s.Ranked {
		mean += s.Ranked[i].PassAt[0].Formula / float64(len(s.Ranked))
	}
	variance := 0.0 // times the number of runs
	for i := range s.Ranked {
		d := s.Ranked[i].PassAt[0].Formula - mean
		deviation = append(deviation, d)
		variance += d * d
	}
	separable := variance > 1e-20 // more than rounding errors
	for t, id := range ids {
		spread := Spread{ID: id}
		mean := 0.0
		for i := range ranked {
			mean += ranked[i][t].Value() / float64(len(ranked))
		}
		covariance := 0.0 // times the number of runs
		solved, unsolved := true, true
		for i := range ranked {
			r := ranked[i][t]
			spread.Rates = append(spread.Rates, r)
			covariance += (r.Value() - mean) * deviation[i]
			solved = solved && r.Value() == 1
			unsolved = unsolved && r.Value() == 0
		}
		switch {
		case solved:
			s.Solved++
		case unsolved:
			s.Unsolved++
		}
		if separable {
			spread.Share = covariance / variance / float64(len(ids))
			s.Spreads = append(s.Spreads, spread)
		}
	}
	slices.SortStableFunc(s.Spreads, func(a, b Spread) int { return cmp.Compare(b.Share, a.Share) })
}

// SetSteps makes the entries checkpoints, in the order of their steps. pattern is searched in the
// path of each entry's file, and then in its model's name. The match of its first group is the
// number of the step. It is an error if a step is no number, or if two entries have the same step.
// SetSteps panics if pattern has no group.
func (l *Leaderboard) SetSteps(pattern *regexp.Regexp) error {
	files := map[float64]string{}
	for i := range l.Entries {
		e := &l.Entries[i]
		found := pattern.FindStringSubmatch(filepath.ToSlash(e.File))
		if found == nil {
			found = pattern.FindStringSubmatch(e.Run.About.Model)
		}
		if found == nil {
			return fmt.Errorf("%s: expected a step by %s in its name or in that of its model, %q, found none", e.File, pattern, e.Run.About.Model)
		}
		step, err := strconv.ParseFloat(found[1], 64)
		if err != nil || math.IsInf(step, 0) || math.IsNaN(step) {
			return fmt.Errorf("%s: expected the number of a step by %s, found %q", e.File, pattern, found[1])
		}
		if other, twice := files[step]; twice {
			return fmt.Errorf("%s: expected another step than that of %s, found %v for both", e.File, other, step)
		}
		files[step], e.Step = e.File, step
	}
	before := slices.Clone(l.Entries)
	slices.SortFunc(l.Entries, func(a, b Entry) int { return cmp.Compare(a.Step, b.Step) })
	l.Steps = true
	for v := range l.Verdicts {
		for i := range l.Verdicts[v].Ranked {
			entry := &l.Verdicts[v].Ranked[i].Entry
			*entry = slices.IndexFunc(l.Entries, func(e Entry) bool { return e.File == before[*entry].File })
		}
	}
	return nil
}

// places returns the places of a standing as text, such as "1" or "2-4".
func (s *Standing) places() string {
	if s.First == s.Last {
		return strconv.Itoa(s.First)
	}
	return fmt.Sprintf("%d-%d", s.First, s.Last)
}

// step returns the number of an entry's step as text.
func (e *Entry) step() string { return strconv.FormatFloat(e.Step, 'f', -1, 64) }

// order returns the indices in Ranked in the order in which the runs are shown: checkpoints by
// their steps.
func (l *Leaderboard) order(s *Standings) []int {
	order := make([]int, len(s.Ranked))
	for place := range order {
		if l.Steps {
			order[s.Ranked[place].Entry] = place
		} else {
			order[place] = place
		}
	}
	return order
}

// JSON returns the leaderboard as one line. "run" and the order of "rates" are indices in
// "runs"; rates are [passed, samples].
func (l *Leaderboard) JSON() []byte {
	runs := []pyjson.Object{}
	for i := range l.Entries {
		e := &l.Entries[i]
		object := pyjson.Object{{"name", e.Name}, {"file", e.File}}
		if l.Steps {
			object = append(object, pyjson.Field{Name: "step", Value: e.Step})
		}
		object = append(object, pyjson.Object{
			{"tasks", len(e.Run.ids)}, {"left_out", e.LeftOut}, {"missing", e.Missing}, {"samples", e.Samples}, {"fewest_samples", e.Fewest}, {"most_samples", e.Most},
		}...)
		if run := newOrigin(e.Run.About); run != nil {
			object = append(object, pyjson.Field{Name: "run", Value: run})
		}
		runs = append(runs, object)
	}
	verdicts := []pyjson.Object{}
	for i := range l.Verdicts {
		verdicts = append(verdicts, l.Verdicts[i].object())
	}
	return pyjson.AppendLine(nil, pyjson.Object{
		{"tasks", l.Tasks}, {"notes", append([]string{}, l.Notes...)}, {"runs", runs}, {"verdicts", verdicts},
	})
}

func (s *Standings) object() pyjson.Object {
	ranking, pairs, tasks := []pyjson.Object{}, []pyjson.Object{}, []pyjson.Object{}
	for i := range s.Ranked {
		standing := &s.Ranked[i]
		object := pyjson.Object{{"run", standing.Entry}, {"places", [2]int{standing.First, standing.Last}}}
		for _, a := range standing.PassAt {
			object = append(object, pyjson.Field{Name: a.Name(), Value: pyjson.Object{
				{"value", a.Formula}, {"stderr", pyjson.Number(a.Stderr)}, {"interval", a.Interval},
			}})
		}
		ranking = append(ranking, object)
	}
	for i := range s.Pairings {
		p := &s.Pairings[i]
		pairs = append(pairs, pyjson.Object{
			{"a", s.Ranked[p.A].Entry}, {"b", s.Ranked[p.B].Entry}, {"difference", s.by(p)},
			{"p", p.P}, {"p_holm", p.Adjusted}, {"exact", p.Exact},
		})
	}
	for i := range s.Spreads {
		spread := &s.Spreads[i]
		rates := make([]stats.Rate, len(spread.Rates))
		for place, r := range spread.Rates {
			rates[s.Ranked[place].Entry] = r
		}
		tasks = append(tasks, pyjson.Object{{"id", spread.ID}, {"share", spread.Share}, {"rates", rates}})
	}
	return pyjson.Object{
		{"verdict", s.Verdict}, {"k", s.K}, {"ranking", ranking}, {"pairs", pairs},
		{"solved", s.Solved}, {"unsolved", s.Unsolved}, {"tasks", tasks},
	}
}
