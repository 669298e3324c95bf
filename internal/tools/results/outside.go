package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Thread is a public report that flake8 says otherwise on another CPython, with the shortest
// program of its kind.
type Thread struct {
	Link   string   `json:"link"` // such as PyCQA/pycodestyle/issues/1190
	Code   string   `json:"code"`
	Python []string `json:"python"` // the CPythons, oldest first
	Flake8 []string `json:"flake8"` // what flake8 finds on each
	Ours   []string `json:"ours"`   // what codelinter finds where each is the machine's python
	Told   []string `json:"told"`   // what it finds if --target-version says each
	Date   string   `json:"date"`
}

// Repairs counts what judges pass of answers that others wrote, see repairs.py.
type Repairs struct {
	Programs  string         `json:"programs"`
	What      string         `json:"what"`
	Keeps     bool           `json:"keeps"`
	Number    int            `json:"number"`
	Tests     int            `json:"tests"` // answers that pass the tests
	Pass      int            `json:"pass"`  // by the guarded verdict, like Fail and Unknown
	Fail      int            `json:"fail"`
	Unknown   int            `json:"unknown"`
	CrossHair map[string]int `json:"crosshair"` // pass, fail and unknown of some of them
	Date      string         `json:"date"`
}

// Looked returns the number of answers that CrossHair compared.
func (r Repairs) Looked() int {
	return r.CrossHair["pass"] + r.CrossHair["fail"] + r.CrossHair["unknown"]
}

// Determinism counts the verdicts that change when the same answers are judged on a busy machine.
type Determinism struct {
	Judge   string `json:"judge"`
	Answers int    `json:"answers"`
	Busy    int    `json:"busy"` // processes beside it the second time
	Changed int    `json:"changed"`
	Date    string `json:"date"`
}

// publicThreads are reports of one release of flake8 that depends on its CPython. The programs are
// ours.
var publicThreads = []Thread{
	{Link: "PyCQA/pycodestyle/issues/1190", Code: "name = 1\ntext = f'{ name }'\n"},
	{Link: "PyCQA/pycodestyle/issues/1243", Code: "name = 1\ntext = f'{name = }'\n"},
	{Link: "PyCQA/pycodestyle/issues/1314", Code: "text = (f\"\"\"{', '.join(str(n)\n    for n in range(9))}\"\"\" if text else '')\n"},
}

// threads re-enacts public reports on the CPythons 3.11 and 3.12: what flake8 finds there, and
// what codelinter finds.
func (m *machine) threads(figures *Figures) {
	figures.Threads = nil
	for _, thread := range publicThreads {
		file := filepath.Join(m.folder, "thread.py")
		must(os.WriteFile(file, []byte(thread.Code), 0o644))
		thread.Date = m.today
		for _, python := range m.pythons {
			version := minor(m.version(python))
			if version != "3.11" && version != "3.12" {
				continue
			}
			bin := m.environment(python, "flake8==7.5.0")
			format := []string{"--isolated", "--select", "E,W,F", "--format", "%(code)s", file}
			thread.Python = append(thread.Python, version)
			thread.Flake8 = append(thread.Flake8, m.codes(nil, filepath.Join(bin, "flake8"), format...))
			path := []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
			thread.Ours = append(thread.Ours, m.codes(path, m.binary, append([]string{"check"}, format...)...))
			thread.Told = append(thread.Told, m.codes(path, m.binary, append([]string{"check", "--target-version", version}, format...)...))
		}
		if len(thread.Python) < 2 {
			must(lacking{fmt.Errorf("-pythons has no 3.11 and 3.12, whose flake8s differ")})
		}
		figures.Threads = append(figures.Threads, thread)
	}
}

// codes returns the codes that a linter finds, or "nothing".
func (m *machine) codes(environment []string, name string, args ...string) string {
	out, err := m.command(environment, name, args...).Output()
	m.ended(err)
	codes := strings.Fields(string(out))
	if len(codes) == 0 {
		return "nothing"
	}
	return strings.Join(codes, ", ")
}

// The answers of each kind that repairs compares, and how many CrossHair looks at.
const (
	repairAnswers = 30
	crossHairs    = 10
	crossHair     = "crosshair-tool==0.0.113"
)

// repairs counts what judges say about the programs of students and of QuixBugs.
func (m *machine) repairs(figures *Figures) {
	students, quixBugs := m.clone("githubhuyang/refactory"), m.clone("jkoppel/QuixBugs")
	data := filepath.Join(m.folder, "students")
	m.run(nil, "python3", "-m", "zipfile", "-e", filepath.Join(students, "data.zip"), data)
	bin := m.environment(m.newest(), crossHair)
	figures.Repairs = rows[Repairs](m.output(filepath.Join(bin, "python"), "internal/tools/results/repairs.py", data, quixBugs,
		strconv.Itoa(repairAnswers), "1", m.binary, filepath.Join(bin, "crosshair"), strconv.Itoa(crossHairs)))
	for i := range figures.Repairs {
		figures.Repairs[i].Date = m.today
	}
}

// clone returns a checkout of a repository of GitHub, or of -mirrors.
func (m *machine) clone(name string) string {
	folder := filepath.Join(m.folder, strings.ReplaceAll(name, "/", "+"))
	if _, err := os.Stat(folder); err == nil {
		return folder
	}
	from := "https://github.com/" + name
	if m.mirrors != "" {
		from = filepath.Join(m.mirrors, strings.ReplaceAll(name, "/", "+"), "repo")
	}
	if err := try(func() { m.run(nil, "git", "clone", "--quiet", "--depth", "1", from, folder) }); err != nil {
		must(lacking{fmt.Errorf("%s: %w; -mirrors names a folder of clones", name, err)})
	}
	return folder
}

// The tasks whose answers are judged twice are those whose tests take EvalPlus this long, in
// seconds. A load changes no status of shorter ones, and with longer ones the second time takes
// hours.
const steadyLeast, steadyMost = "0.05", "2"

// determinism judges the same answers on the machine as it is, and beside busy processes.
func (m *machine) determinism(figures *Figures) {
	bin := m.environment(m.pythons[0], "evalplus=="+evalPlus)
	all := m.suite("HumanEvalPlus.jsonl")
	heavy := m.output(filepath.Join(bin, "python"), script, "heavy", all, steadyLeast, steadyMost)
	tasks, samples := filepath.Join(m.folder, "steady.tasks.jsonl"), filepath.Join(m.folder, "steady.jsonl")
	must(os.WriteFile(tasks, []byte(rowsOf(string(get(os.ReadFile(all))), strings.Fields(heavy))), 0o644))
	must(os.WriteFile(samples, []byte(m.output(filepath.Join(bin, "python"), script, "answers", tasks, "1")), 0o644))
	judges := []struct {
		name  string
		judge func() []string
	}{
		{"codelinter eval --suite humaneval", func() []string { return m.ourStatuses(tasks, samples) }},
		{"EvalPlus " + evalPlus, func() []string { return m.theirStatuses(bin, tasks, samples) }},
	}
	before, after, errs := make([][]string, len(judges)), make([][]string, len(judges)), make([]error, len(judges))
	for i, j := range judges {
		before[i] = j.judge()
	}
	stop := m.keepBusy(m.busy)
	var both sync.WaitGroup // which ends sooner than one after the other
	for i, j := range judges {
		both.Go(func() { errs[i] = try(func() { after[i] = j.judge() }) })
	}
	both.Wait()
	stop()
	must(errors.Join(errs...))
	figures.Determinism = nil
	for i, j := range judges {
		d := Determinism{Judge: j.name, Answers: len(before[i]), Busy: m.busy, Date: m.today}
		for _, status := range before[i] {
			if !slices.Contains(after[i], status) {
				fmt.Fprintf(os.Stderr, "%s: no longer %s\n", j.name, status)
				d.Changed++
			}
		}
		figures.Determinism = append(figures.Determinism, d)
	}
}

// keepBusy starts processes that use a processor each, and returns what ends them.
func (m *machine) keepBusy(n int) (stop func()) {
	var started []*exec.Cmd
	for range n {
		command := m.command(nil, "python3", "-c", "while True: pass")
		must(command.Start())
		started = append(started, command)
	}
	return func() {
		for _, command := range started {
			command.Process.Kill() //nolint:errcheck // it may have ended
			command.Wait()         //nolint:errcheck // it was killed
		}
	}
}

// ourStatuses returns the statuses of answers to HumanEval+, by name.
func (m *machine) ourStatuses(tasks, samples string) []string {
	results := filepath.Join(m.folder, "steady.results.jsonl")
	m.run(nil, m.binary, "eval", "--suite", "humaneval", "--tasks", tasks, "--samples", samples, "-o", results)
	var found []string
	for _, t := range rows[struct {
		ID      string `json:"task_id"`
		Answers []status
	}](string(get(os.ReadFile(results)))) {
		for i, s := range t.Answers {
			found = append(found, fmt.Sprint(t.ID, i, s))
		}
	}
	slices.Sort(found)
	return found
}

// theirStatuses is ourStatuses by EvalPlus, without its caches of results.
func (m *machine) theirStatuses(bin, tasks, samples string) []string {
	results := strings.TrimSuffix(samples, ".jsonl") + "_eval_results.json"
	must(os.RemoveAll(results))
	m.run([]string{"HUMANEVAL_OVERRIDE_PATH=" + tasks}, filepath.Join(bin, "evalplus.evaluate"), "--dataset", "humaneval", "--samples", samples)
	var evaluated struct{ Eval map[string][]status }
	must(json.Unmarshal(get(os.ReadFile(results)), &evaluated))
	var found []string
	for id, answers := range evaluated.Eval {
		for i, s := range answers {
			found = append(found, fmt.Sprint(id, i, s))
		}
	}
	slices.Sort(found)
	return found
}

// rowsOf returns the rows of tasks with these ids.
func rowsOf(text string, ids []string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		task := rows[struct {
			ID string `json:"task_id"`
		}](line)[0]
		if slices.Contains(ids, task.ID) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// paid keeps the table of what rewards pay for nasty answers.
func (m *machine) paid(figures *Figures) {
	command := m.command([]string{"CODELINTER_BINARY=" + m.binary, "PYTHONPATH=src"}, m.newest(), "-m", "tests.nasty")
	command.Dir = "python"
	figures.Paid = string(get(command.Output()))
}

// ask has a model answer the open set, and returns its samples. An interrupted run goes on where
// it was, by the journal of `codelinter generate`.
func (m *machine) ask(model, url string) string {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == os.PathSeparator {
			return '-'
		}
		return r
	}, model)
	samples := filepath.Join(m.folder, "model-"+name+".jsonl")
	m.run(nil, m.binary, "generate", "--base-url", url, "--model", model, "-o", samples)
	return samples
}
