package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"codelinter/internal/tasks/openset"
)

// A Door is a way into codelinter, and what it costs beside a peer that does the same work. Each
// figure is the median of pairs that ran in turn, so a busy machine moves it little.
type Door struct {
	Name   string  `json:"name"`
	Peer   string  `json:"peer,omitempty"` // "" if there is none
	Each   float64 `json:"each"`           // seconds of processor time for a file, answer or row
	Ratio  float64 `json:"ratio,omitempty"`
	Low    float64 `json:"low,omitempty"` // the lowest and the highest of the pairs
	High   float64 `json:"high,omitempty"`
	Before float64 `json:"before,omitempty"` // the ratio of the binary of -before, or its time for each if there is no peer
	Load   float64 `json:"load"`
	Commit string  `json:"commit"`
	Date   string  `json:"date"`
}

// Growth is how the processor time of a door grows with the size of its input.
type Growth struct {
	Name    string     `json:"name"`
	N       int        `json:"n"`
	Seconds [3]float64 `json:"seconds"` // at n, 4n and 16n, the least of some runs each
	Date    string     `json:"date"`
}

// Step returns the time of a further unit between 4n and 16n, in times of one between n and 4n: 1
// if the door is linear.
func (g Growth) Step() float64 {
	return (g.Seconds[2] - g.Seconds[1]) / (g.Seconds[1] - g.Seconds[0]) / 4
}

// doorPairs is the number of pairs of a door. The first, which fills the page cache, does not
// count.
const doorPairs = 9

// A door is what is measured of a [Door].
type door struct {
	name  string
	units int
	times int      // how often a command runs in a pair
	args  []string // of codelinter
	peer  []string // the peer's command line
	reset func()   // before each command, if it changes its files
	label string   // of the peer
}

// doors measures all doors and their growth.
func (m *machine) doors(figures *Figures) {
	ruff := filepath.Join(m.environment(m.newest(), "ruff"), "ruff")
	version := m.line(ruff, "--version")
	lint := []string{ruff, "check", "--isolated", "--no-cache", "--preview", "--quiet", "--exit-zero", "--select", "E,W,F"}
	check := []string{"check", "--isolated", "--exit-zero"}
	library := m.library(m.newest())
	work := filepath.Join(m.folder, "doors")
	must(os.RemoveAll(work))
	// A file that a linker wrote lies in the page cache in small pieces, which costs each start a
	// fifth. Installed programs, such as the peers, were copied.
	m.binary, m.before = installed(m.binary, filepath.Join(work, "codelinter")), installed(m.before, filepath.Join(work, "before"))
	one := filepath.Join(m.copies(filepath.Join(work, "one"), 1), "a0.py") // as editors name it; a folder takes threads
	answers := m.samples(work, 4*openTasks, 4)
	defer os.Setenv("XDG_CACHE_HOME", os.Getenv("XDG_CACHE_HOME"))
	forget := m.ownCache(filepath.Join(work, "cache"))
	run := m.runAnswers(work)
	known := m.judged(filepath.Join(work, "known"), run, openTasks, 10)
	planned := m.judged(filepath.Join(work, "planned"), run, 20, 1)
	first := m.judged(filepath.Join(work, "first"), run, 1, 1)
	fixed := filepath.Join(work, "fixed")
	copyLibrary := func() {
		must(os.RemoveAll(fixed))
		must(os.CopyFS(fixed, os.DirFS(library.folder)))
	}
	for _, d := range []door{
		{name: "start of check, one small file", units: 1, times: 11, args: slices.Concat(check, []string{one}), peer: slices.Concat(lint, []string{one}), label: version},
		{name: "check, a library's files", units: library.files, times: 1, args: slices.Concat(check, []string{"-j1", library.folder}), peer: slices.Concat(lint, []string{library.folder}), label: version},
		{name: "eval --no-guard, an answer", units: answers.count, times: 1, args: answers.args, peer: slices.Concat(lint, []string{answers.folder}), label: version + ", the answers' code as files"},
		{name: "fix, a library's files", units: library.files, times: 1, args: []string{"fix", "--isolated", "--exit-zero", "--quiet", fixed},
			peer: slices.Concat(lint, []string{"--fix", fixed}), reset: copyLibrary, label: version + " --fix"},
		{name: "dataset check, a row", units: openTasks, times: 1, args: []string{"dataset", "check", answers.open}},
		{name: "eval, an answer that is run", units: known.count, times: 1, args: known.args},
		{name: "eval, a new task with an answer that is run", units: planned.count, times: 1, args: planned.args, reset: forget},
		{name: "eval, the first verdict of a new task", units: 1, times: 1, args: first.args, reset: forget},
	} {
		figures.Doors = put(figures.Doors, m.door(d), func(a, b Door) bool { return a.Name == b.Name })
		write(figures)
	}
	for _, g := range growths {
		made := Growth{Name: g.name, N: g.n, Date: m.today}
		for i := range made.Seconds {
			args := g.args(m, filepath.Join(work, "growth"), g.n<<(2*i))
			made.Seconds[i] = m.least(3, append([]string{m.binary}, args...))
		}
		figures.Growth = put(figures.Growth, made, func(a, b Growth) bool { return a.Name == b.Name })
		write(figures)
	}
}

// door measures a door: codelinter, its peer and the binary of -before in turn.
func (m *machine) door(d door) Door {
	made := Door{Name: d.name, Peer: d.label, Load: load(), Commit: m.commit, Date: m.today}
	cost := func(command []string) float64 {
		if len(command) == 0 {
			return 0
		}
		total := 0.0
		for range d.times {
			if d.reset != nil {
				d.reset()
			}
			total += m.least(1, command)
		}
		return total
	}
	var each, ratios, before []float64
	for pair := range doorPairs + 1 {
		own, peer, old := cost(append([]string{m.binary}, d.args...)), cost(d.peer), 0.0
		if m.before != "" {
			old = cost(append([]string{m.before}, d.args...))
		}
		if pair == 0 {
			continue
		}
		each = append(each, own/float64(d.units*d.times))
		if peer > 0 {
			ratios, before = append(ratios, own/peer), append(before, old/peer)
		} else {
			before = append(before, old/float64(d.units*d.times))
		}
	}
	made.Each, made.Before = median(each), median(before)
	if len(ratios) > 0 {
		made.Ratio, made.Low, made.High = median(ratios), slices.Min(ratios), slices.Max(ratios)
	}
	return made
}

// installed copies a program, if there is one, and returns the copy.
func installed(program, to string) string {
	if program == "" {
		return ""
	}
	must(os.MkdirAll(filepath.Dir(to), 0o755))
	must(os.WriteFile(to, get(os.ReadFile(program)), 0o755))
	return to
}

// median returns the median of a list, which it sorts.
func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// least returns the least processor time of some runs of a command, with that of its children.
func (m *machine) least(runs int, command []string) float64 {
	least := 0.0
	for run := range runs {
		c := m.command(nil, command[0], command[1:]...)
		c.Stderr = nil
		m.ended(c.Run())
		if took := seconds(c); run == 0 || took < least {
			least = took
		}
	}
	return least
}

// copies fills a folder with n copies of a small program, and returns the folder.
func (m *machine) copies(folder string, n int) string {
	text := get(os.ReadFile("internal/testenv/bench/snippet.py"))
	must(os.RemoveAll(folder))
	must(os.MkdirAll(folder, 0o755))
	for i := range n {
		must(os.WriteFile(filepath.Join(folder, fmt.Sprintf("a%d.py", i)), text, 0o644))
	}
	return folder
}

// openTasks is the number of the open set's tasks.
const openTasks = 121

// A scored is a set of tasks with answers.
type scored struct {
	args   []string // of codelinter, which score them
	open   string   // the open set's tasks
	tasks  string
	folder string // of the answers' code
	count  int    // of answers
}

// samples makes n tasks of the open set's, as `dataset build` writes them, with answers to each:
// the canonical code and the program itself, in turn. Each has a comment of its own, as answers with
// the same code are scored once.
func (m *machine) samples(folder string, n, answers int) scored {
	must(os.MkdirAll(folder, 0o755))
	s := scored{open: filepath.Join(folder, "open.jsonl"), tasks: filepath.Join(folder, "tasks.jsonl"), folder: filepath.Join(folder, "answers"), count: n * answers}
	open := m.output(m.binary, "dataset", "open")
	must(os.WriteFile(s.open, []byte(open), 0o644))
	must(os.RemoveAll(s.folder))
	must(os.MkdirAll(s.folder, 0o755))
	var tasks, samples bytes.Buffer
	taskRows := rows[map[string]any](open)
	for i := range n {
		task := taskRows[i%len(taskRows)]
		meta := task["meta"].(map[string]any)
		meta["id"] = fmt.Sprint(i)
		meta["options"] = map[string]string{"flake8-version": "7.5.0", "target-version": "3.15"}
		codes := []string{meta["canonical_code"].(string), task["inputs"].(map[string]any)["code"].(string)}
		var outputs []string
		for k := range answers {
			code := codes[k%len(codes)] + fmt.Sprintf("# %d\n", k)
			outputs = append(outputs, "```python\n"+code+"```\n")
			must(os.WriteFile(filepath.Join(s.folder, fmt.Sprintf("a%d_%d.py", i, k)), []byte(code), 0o644))
		}
		tasks.Write(append(get(json.Marshal(task)), '\n'))
		samples.Write(append(get(json.Marshal(map[string]any{"id": fmt.Sprint(i), "outputs": outputs})), '\n'))
	}
	must(os.WriteFile(s.tasks, tasks.Bytes(), 0o644))
	file := filepath.Join(folder, "samples.jsonl")
	must(os.WriteFile(file, samples.Bytes(), 0o644))
	s.args = []string{"eval", "--no-guard", "--tasks", s.tasks, "--samples", file}
	return s
}

// ownCache gives all later commands a cache folder in which CPython is compiled, and returns what
// makes them forget each program that they ran.
func (m *machine) ownCache(folder string) (forget func()) {
	must(os.Setenv("XDG_CACHE_HOME", folder))
	for _, binary := range []string{m.binary, m.before} {
		if binary != "" {
			m.run(nil, binary, "warm")
		}
	}
	return func() { must(os.RemoveAll(filepath.Join(folder, "codelinter", "sandbox", "reports"))) }
}

// runAnswers returns the built-in answers that pass because they were run, by task.
func (m *machine) runAnswers(work string) map[string][]string {
	tasks, samples, results := filepath.Join(work, "tasks.jsonl"), filepath.Join(work, "samples.jsonl"), filepath.Join(work, "results.jsonl")
	must(os.WriteFile(tasks, []byte(strings.Join(m.uncorrected(), "")), 0o644))
	must(os.WriteFile(samples, get(io.ReadAll(get(openset.Answers()))), 0o644))
	m.run(nil, m.binary, "eval", "--tasks", tasks, "--samples", samples, "-o", results)
	outputs := map[string][]string{}
	for _, row := range rows[struct {
		ID      json.Number
		Outputs []string
	}](string(get(io.ReadAll(get(openset.Answers()))))) {
		outputs[row.ID.String()] = row.Outputs
	}
	run := map[string][]string{}
	for _, row := range rows[struct {
		ID      json.Number
		Samples []struct{ Proof string }
	}](string(get(os.ReadFile(results)))) {
		for i, sample := range row.Samples {
			if id := row.ID.String(); sample.Proof == "runs" {
				run[id] = append(run[id], outputs[id][i])
			}
		}
	}
	return run
}

// uncorrected returns the open set's tasks without their canonical code. Answers with its tree are not run.
func (m *machine) uncorrected() (lines []string) {
	for line := range strings.Lines(m.output(m.binary, "dataset", "open")) {
		var task map[string]any
		must(json.Unmarshal([]byte(line), &task))
		delete(task["meta"].(map[string]any), "canonical_code")
		lines = append(lines, string(get(json.Marshal(task)))+"\n")
	}
	return lines
}

// judged writes the first n tasks of the open set's that have answers, with at most so many
// answers each.
func (m *machine) judged(folder string, answers map[string][]string, n, each int) scored {
	must(os.MkdirAll(folder, 0o755))
	tasks, samples := filepath.Join(folder, "tasks.jsonl"), filepath.Join(folder, "samples.jsonl")
	s := scored{args: []string{"eval", "--tasks", tasks, "--samples", samples}}
	var taken, given bytes.Buffer
	for _, line := range m.uncorrected() {
		var task struct{ Meta struct{ ID json.Number } }
		must(json.Unmarshal([]byte(line), &task))
		outputs := answers[task.Meta.ID.String()]
		if n == 0 || len(outputs) == 0 {
			continue
		}
		outputs = outputs[:min(each, len(outputs))]
		n, s.count = n-1, s.count+len(outputs)
		taken.WriteString(line)
		given.Write(append(get(json.Marshal(map[string]any{"id": task.Meta.ID, "outputs": outputs})), '\n'))
	}
	must(os.WriteFile(tasks, taken.Bytes(), 0o644))
	must(os.WriteFile(samples, given.Bytes(), 0o644))
	return s
}

// growths are the doors whose growth is measured: with n units, four times and sixteen times as
// many. args makes the input in a folder and returns codelinter's arguments.
var growths = []struct {
	name string
	n    int
	args func(m *machine, folder string, n int) []string
}{
	{"check: files", 250, func(m *machine, folder string, n int) []string {
		return []string{"check", "--isolated", "--exit-zero", "-j1", m.copies(folder, n)}
	}},
	{"check: lines of one file, each with a finding", 5000, func(m *machine, folder string, n int) []string {
		m.copies(folder, 0)
		must(os.WriteFile(filepath.Join(folder, "a.py"), []byte(strings.Repeat("x=1\n", n)), 0o644))
		return []string{"check", "--isolated", "--exit-zero", "-j1", folder}
	}},
	{"fix: lines of one file, each with a finding", 500, func(m *machine, folder string, n int) []string {
		m.copies(folder, 0)
		must(os.WriteFile(filepath.Join(folder, "a.py"), []byte(strings.Repeat("x=1\n", n)), 0o644))
		return []string{"fix", "--isolated", "--exit-zero", "--diff", folder}
	}},
	{"eval --no-guard: tasks with an answer each", 250, func(m *machine, folder string, n int) []string { return m.samples(folder, n, 1).args }},
	{"eval --no-guard: answers to each of 20 tasks", 50, func(m *machine, folder string, n int) []string { return m.samples(folder, 20, n).args }},
	{"dataset check --no-guard: rows", 250, func(m *machine, folder string, n int) []string {
		return []string{"dataset", "check", "--no-guard", m.samples(folder, n, 0).tasks}
	}},
}
