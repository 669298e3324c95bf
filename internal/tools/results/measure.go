package results

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// command returns a command with more environment variables. It shows what it prints on
// standard error.
func (m *machine) command(environment []string, name string, args ...string) *exec.Cmd {
	command := exec.CommandContext(m, name, args...)
	command.Env = append(os.Environ(), environment...)
	command.Stderr = os.Stderr
	return command
}

// run runs a command, shows its output, and returns its processor time in seconds, with
// that of its children.
func (m *machine) run(environment []string, name string, args ...string) float64 {
	fmt.Fprintln(os.Stderr, "+", name, strings.Join(args, " "))
	command := m.command(environment, name, args...)
	command.Stdout = os.Stderr
	if err := command.Run(); err != nil {
		fail("%s: %w", name, err)
	}
	return seconds(command)
}

// seconds returns the processor time of a command that has ended.
func seconds(command *exec.Cmd) float64 {
	return (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds()
}

// output returns a command's output.
func (m *machine) output(name string, args ...string) string {
	out, err := m.command(nil, name, args...).Output()
	if err != nil {
		fail("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(out)
}

// line returns a command's output, which is one line.
func (m *machine) line(name string, args ...string) string {
	return strings.TrimSpace(m.output(name, args...))
}

// found returns the output of a linter, whose exit code says only that it found something.
func (m *machine) found(name string, args ...string) string {
	out, err := m.command(nil, name, args...).Output()
	m.ended(err)
	return string(out)
}

// ended ends the script if a command could not be run. Its exit code does not matter.
func (m *machine) ended(err error) {
	if _, exited := errors.AsType[*exec.ExitError](err); !exited || m.Err() != nil {
		must(err)
	}
}

// rows returns the rows of a text in JSON, a line each.
func rows[T any](text string) []T {
	var all []T
	for line := range strings.Lines(text) {
		var row T
		must(json.Unmarshal([]byte(line), &row))
		all = append(all, row)
	}
	return all
}

// newest returns the newest CPython.
func (m *machine) newest() string { return m.pythons[len(m.pythons)-1] }

// version returns the version of a CPython.
func (m *machine) version(python string) string {
	return m.line(python, "-c", "import platform; print(platform.python_version())")
}

// environment makes a virtual environment with packages, unless it exists, and
// returns its folder of programs.
func (m *machine) environment(python string, packages ...string) string {
	folder := filepath.Join(m.folder, "python-"+m.version(python)+"-"+strings.Join(packages, "-"))
	bin, made := filepath.Join(folder, "bin"), filepath.Join(folder, "made")
	if _, err := os.Stat(made); err == nil {
		return bin
	}
	// Some CPythons have no pip.
	m.run(nil, python, "-m", "venv", "--without-pip", "--clear", folder)
	install := []string{"-m", "pip", "--python", filepath.Join(bin, "python"), "install", "--quiet", "--disable-pip-version-check"}
	m.run(nil, "python3", append(install, packages...)...)
	must(os.WriteFile(made, nil, 0o644))
	return bin
}

// A library is a copy of a part of a CPython's standard library.
type library struct {
	folder  string
	version string // of the CPython
	files   int
	size    int64
}

// library copies the files of an interpreter's standard library with the lowest hashes.
func (m *machine) library(python string) library {
	root := m.line(python, "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))")
	l := library{version: m.version(python)}
	l.folder = filepath.Join(m.folder, fmt.Sprintf("library-%s-%d", l.version, m.files))
	must(os.RemoveAll(l.folder))
	var names []string
	must(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case d != nil && d.Name() == "site-packages" && (err != nil || d.IsDir()):
			return fs.SkipDir
		case err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".py"):
			return err
		}
		names = append(names, get(filepath.Rel(root, path)))
		return nil
	}))
	slices.SortFunc(names, func(a, b string) int {
		x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
		return bytes.Compare(x[:], y[:])
	})
	if m.files > 0 && len(names) > m.files {
		names = names[:m.files]
	}
	for _, name := range names {
		data := get(os.ReadFile(filepath.Join(root, name)))
		to := filepath.Join(l.folder, name)
		must(os.MkdirAll(filepath.Dir(to), 0o755))
		must(os.WriteFile(to, data, 0o644))
		l.size += int64(len(data))
	}
	l.files = len(names)
	return l
}

// commandLines are further options for comparing with the newest pair.
var commandLines = [][]string{
	{"--max-complexity", "10", "--max-line-length", "100"},
	{"--select", "E,W", "--ignore", "E203", "--show-source"},
	{"--doctests", "--statistics"},
	{"--hang-closing", "--max-doc-length", "72", "--indent-size", "2"},
	{"--disable-noqa", "--format", "pylint", "--count"},
}

// parity compares with the flake8s that can be installed, each over the standard
// library of its CPython. Then it compares with installed flake8s, over the last of
// these libraries, and with the last flake8 and commandLines.
func (m *machine) parity(figures *Figures) {
	var last Parity
	var newest string
	var corpus library
	like := func(a, b Parity) bool {
		return a.Flake8 == b.Flake8 && minor(a.Python) == minor(b.Python) && a.Options == b.Options
	}
	compare := func(release, python, peer string) {
		last, newest = Parity{Flake8: release, Python: python, Files: corpus.files, Commit: m.commit, Date: m.today}, peer
		if slices.ContainsFunc(figures.Parity, func(p Parity) bool {
			return like(p, last) && p.Files == last.Files && m.isDone(p.Commit, p.Date)
		}) {
			return
		}
		m.compare(&last, peer, corpus.folder)
		figures.Parity = put(figures.Parity, last, like)
		write(figures)
	}
	for _, python := range m.pythons {
		corpus = m.library(python)
		for _, release := range []string{"7.3.0", "7.5.0"} {
			var bin string
			if err := try(func() { bin = m.environment(python, "flake8=="+release) }); err != nil {
				fmt.Fprintf(os.Stderr, "flake8 %s cannot be installed on %s: %v\n", release, python, err)
				continue
			}
			compare(release, corpus.version, filepath.Join(bin, "flake8"))
		}
	}
	for _, text := range m.peers {
		pair, command, is := strings.Cut(text, "=")
		release, python, also := strings.Cut(pair, "@")
		if !is || !also {
			fail("-peers: expected RELEASE@PYTHON=COMMAND, found %q", text)
		}
		compare(release, python, command)
	}
	for _, options := range commandLines {
		p := last
		p.Options = strings.Join(options, " ")
		m.compareOptions(&p, newest, corpus.folder, options)
		figures.Parity = put(figures.Parity, p, like)
	}
	slices.SortStableFunc(figures.Parity, func(a, b Parity) int {
		return cmp.Or(cmp.Compare(a.Options, b.Options), cmp.Compare(a.Flake8, b.Flake8), cmp.Compare(minor(a.Python), minor(b.Python)))
	})
}

// minor returns 3.15 for 3.15.2.
func minor(version string) string { return strings.Join(strings.Split(version, ".")[:2], ".") }

var same = regexp.MustCompile(`the same (\d+) lines`)

// compare compares by .ci/parity, which goes on after flake8 dies on a file.
func (m *machine) compare(p *Parity, peer, folder string) {
	out := m.found(".ci/parity", peer, folder, "--flake8-version", p.Flake8, "--target-version", minor(p.Python))
	p.Died, p.Differ, p.Lines = 0, 0, 0
	for line := range strings.Lines(out) {
		switch {
		case strings.HasPrefix(line, "flake8 dies: "):
			p.Died++
		case strings.HasPrefix(line, "< "), strings.HasPrefix(line, "> "):
			p.Differ++
		}
	}
	if lines := same.FindStringSubmatch(out); lines != nil {
		p.Lines = get(strconv.Atoi(lines[1]))
	} else if p.Differ == 0 {
		fail(".ci/parity %s %s: expected a comparison, found %q", peer, folder, out)
	}
}

// compareOptions compares whole outputs in order.
func (m *machine) compareOptions(p *Parity, peer, folder string, options []string) {
	want := m.found(peer, slices.Concat([]string{"--isolated", "-j", "1"}, options, []string{folder})...)
	got := m.found(m.binary, slices.Concat([]string{"check", "--isolated", "--flake8-version", p.Flake8, "--target-version", minor(p.Python)}, options, []string{folder})...)
	a, b := slices.Collect(strings.Lines(want)), slices.Collect(strings.Lines(got))
	p.Lines, p.Differ, p.Died = len(a), max(len(a), len(b))-min(len(a), len(b)), 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			p.Differ++
		}
	}
}

// ruff compares the findings of ruff's rules with the names of flake8's.
func (m *machine) ruff(figures *Figures) {
	corpus := m.library(m.newest())
	ruff := filepath.Join(m.environment(m.newest(), "ruff"), "ruff")
	out := m.found(ruff, "check", "--isolated", "--no-cache", "--preview", "--quiet", "--output-format", "json", "--select", "E,W,F", "--line-length", "79", corpus.folder)
	var findings []struct {
		Filename, Code string
		Location       struct{ Row int }
	}
	must(json.Unmarshal([]byte(out), &findings))
	theirs := map[string]int{}
	for _, f := range findings {
		theirs[fmt.Sprintf("%s:%d: %s", f.Filename, f.Location.Row, f.Code)]++
	}
	// codelinter's findings are flake8's, as parity shows.
	flake8 := map[string]int{}
	for line := range strings.Lines(m.found(m.binary, "check", "--isolated", "--ignore", "", "--format", "%(path)s:%(row)d: %(code)s", corpus.folder)) {
		flake8[strings.TrimSpace(line)]++
	}
	r := &Ruff{Version: strings.TrimPrefix(m.line(ruff, "--version"), "ruff "), Flake8: "7.5.0", Files: corpus.files, Date: m.today}
	for key, n := range flake8 {
		r.Same += min(n, theirs[key])
		r.Missing += n - min(n, theirs[key])
	}
	for key, n := range theirs {
		r.Added += n - min(n, flake8[key])
	}
	figures.Ruff = r
}

// speed measures the processor time of each tool over one standard library.
func (m *machine) speed(figures *Figures) {
	corpus := m.library(m.newest())
	bin := m.environment(m.newest(), "flake8==7.5.0", "ruff")
	ruff := filepath.Join(bin, "ruff")
	for _, tool := range []struct {
		name string
		runs int
		args []string
	}{
		{"codelinter", 5, []string{m.binary, "check", "--isolated"}},
		{m.line(ruff, "--version"), 5, []string{ruff, "check", "--isolated", "--no-cache", "--preview", "--quiet", "--select", "E,W,F"}},
		{"flake8 7.5.0", 1, []string{filepath.Join(bin, "flake8"), "--isolated", "-j", "1"}},
	} {
		best := math.Inf(1)
		for range tool.runs {
			command := m.command(nil, tool.args[0], append(tool.args[1:], corpus.folder)...)
			m.ended(command.Run())
			best = min(best, seconds(command))
		}
		s := Speed{Tool: tool.name, Corpus: "the standard library of CPython " + corpus.version, Files: corpus.files, Bytes: corpus.size, CPU: best, Date: m.today}
		figures.Speed = put(figures.Speed, s, func(a, b Speed) bool { return strings.Fields(a.Tool)[0] == strings.Fields(b.Tool)[0] })
	}
}

// judge runs tests of package judge that write the verdicts on labelled answers.
func (m *machine) judge(figures *Figures) {
	name := filepath.Join(m.folder, "labels.jsonl")
	must(os.RemoveAll(name))
	m.run([]string{"CODELINTER_TALLY=" + name}, "go", "test", "-count=1", "-run", "^Test(Changes|Mutants|Formatters)$", "./evaluator/judge")
	figures.Judge = rows[Labels](string(get(os.ReadFile(name))))
	for i := range figures.Judge {
		figures.Judge[i].Date = m.today
	}
}

// families counts what several judges pass of answers that a script makes for tasks of
// MBPP+.
func (m *machine) families(figures *Figures) {
	mbpp, plus := m.suite("mbpp.jsonl"), m.suite("MbppPlus.jsonl")
	theirs := m.environment(m.pythons[0], "evalplus=="+evalPlus)
	bin := m.environment(m.newest(), "autopep8", "black", "flake8==7.5.0", "ruff", "yapf")
	figures.Families = rows[Family](m.output(filepath.Join(bin, "python"), "evaluator/judge/testdata/oracle/families.py", "60", "1", mbpp, plus, filepath.Join(theirs, "python"), m.binary))
	for i := range figures.Families {
		figures.Families[i].Date = m.today
	}
}

// The numbers of tasks that the card describes, and of codes that it lists.
const (
	cardTasks = 2000
	cardCodes = 15
)

// card makes tasks of the last standard library, and keeps the output of `dataset
// card` without examples, which would be others' code.
func (m *machine) card(figures *Figures) {
	tasks := filepath.Join(m.folder, "tasks.jsonl")
	m.run(nil, m.binary, "dataset", "synth", m.library(m.newest()).folder, "-n", strconv.Itoa(cardTasks), "--seed", "1", "-o", tasks)
	figures.Card = shortCard(m.output(m.binary, "dataset", "card", tasks))
}

// shortCard returns a card's sentences, its table of sizes and its most frequent
// codes.
func shortCard(card string) string {
	_, card, _ = strings.Cut(card, "\n\n") // its title
	sizes, rest, _ := strings.Cut(card, "\n## Codes\n\n")
	codes, _, _ := strings.Cut(rest, "\n\n")
	rows := strings.SplitAfter(codes+"\n", "\n")
	return sizes + "\n" + strings.Join(rows[:min(len(rows), cardCodes+2)], "")
}

// The board's tools. Each edits a file in place, beside which a .flake8 has the task's options, if
// it has any.
var boardTools = []struct {
	name     string
	packages []string
	steps    [][]string
}{
	{"nothing at all", nil, nil},
	{"codelinter fix", nil, [][]string{{"codelinter", "fix", "-q", "--exit-zero"}}},
	{"codelinter fix --unsafe", nil, [][]string{{"codelinter", "fix", "-q", "--exit-zero", "--unsafe"}}},
	{"black", []string{"black"}, [][]string{{"black", "-q", "-l", "79"}}},
	{"yapf", []string{"yapf"}, [][]string{{"yapf", "-i"}}},
	{"autopep8", []string{"autopep8"}, [][]string{{"autopep8", "-i"}}},
	{"autopep8 -a -a", []string{"autopep8"}, [][]string{{"autopep8", "-i", "-a", "-a"}}},
	{"ruff format", []string{"ruff"}, [][]string{{"ruff", "format", "-q", "--isolated", "--line-length", "79"}}},
	{"ruff check --fix", []string{"ruff"}, [][]string{{"ruff", "check", "-q", "--isolated", "--preview", "--select", "E,W,F", "--line-length", "79", "--fix"}}},
	{"ruff check --fix --unsafe-fixes, ruff format", []string{"ruff"}, [][]string{
		{"ruff", "check", "-q", "--isolated", "--preview", "--select", "E,W,F", "--line-length", "79", "--fix", "--unsafe-fixes"},
		{"ruff", "format", "-q", "--isolated", "--line-length", "79"},
	}},
	{"autopep8 -a -a, ruff check --fix --unsafe-fixes", []string{"autopep8", "ruff"}, [][]string{
		{"autopep8", "-i", "-a", "-a"},
		{"ruff", "check", "-q", "--isolated", "--preview", "--select", "E,W,F", "--line-length", "79", "--fix", "--unsafe-fixes"},
	}},
}

// tools puts the tools' scores on the board: what each makes of the open set's
// programs.
func (m *machine) tools(figures *Figures) {
	open := m.output(m.binary, "dataset", "open")
	bin := m.environment(m.newest(), "autopep8", "black", "ruff", "yapf")
	list := m.output("python3", "-m", "pip", "--python", filepath.Join(bin, "python"), "freeze")
	for _, tool := range boardTools {
		file := filepath.Join(m.folder, "samples.jsonl")
		must(os.WriteFile(file, m.answers(open, bin, tool.steps), 0o644))
		name := tool.name
		for _, of := range tool.packages {
			version := regexp.MustCompile(`(?m)^` + of + `==(.*)$`).FindStringSubmatch(list)
			if version != nil {
				name += fmt.Sprintf(" (%s %s)", of, version[1])
			}
		}
		m.score(figures, name, "tool", file)
	}
}

// answers returns samples of what a tool's steps make of the tasks' programs.
func (m *machine) answers(tasks, bin string, steps [][]string) []byte {
	var samples bytes.Buffer
	type task struct {
		Inputs struct{ Code string }
		Meta   struct {
			ID      json.RawMessage
			Options map[string]any
		}
	}
	for _, t := range rows[task](tasks) {
		folder := filepath.Join(m.folder, "answer")
		must(os.RemoveAll(folder))
		must(os.MkdirAll(folder, 0o755))
		name := filepath.Join(folder, "answer.py")
		must(os.WriteFile(name, []byte(t.Inputs.Code), 0o644))
		must(os.WriteFile(filepath.Join(folder, ".flake8"), configuration(t.Meta.Options), 0o644))
		for _, step := range steps {
			program := filepath.Join(bin, step[0])
			if step[0] == "codelinter" {
				program = m.binary
			}
			// A tool leaves a program that it refuses as it is.
			command := m.command(nil, program, append(slices.Clone(step[1:]), "answer.py")...)
			command.Dir = folder
			_, err := command.Output()
			m.ended(err)
		}
		code := get(os.ReadFile(name))
		row := get(json.Marshal(map[string]any{"id": t.Meta.ID, "outputs": []string{"```python\n" + string(code) + "```\n"}}))
		samples.Write(append(row, '\n'))
	}
	return samples.Bytes()
}

// configuration returns a flake8 configuration file with a task's options.
func configuration(options map[string]any) []byte {
	text := []byte("[flake8]\n")
	for _, name := range slices.Sorted(maps.Keys(options)) {
		value := options[name]
		if list, is := value.([]any); is {
			words := make([]string, len(list))
			for i, word := range list {
				words[i] = fmt.Sprint(word)
			}
			value = strings.Join(words, ",")
		}
		text = fmt.Appendf(text, "%s = %v\n", name, value)
	}
	return text
}

// score puts the score of samples of the open set on the board.
func (m *machine) score(figures *Figures, name, kind, samples string) {
	out := filepath.Join(m.folder, "results.jsonl")
	m.run(nil, m.binary, "eval", "--samples", samples, "-o", out)
	type task struct {
		N                 int
		Official, Guarded struct{ C, Unknown int }
		Samples           []struct{ Official, Empty bool }
	}
	tasks := rows[task](string(get(os.ReadFile(out))))
	r := Run{Name: name, Kind: kind, Date: m.today}
	for _, t := range tasks {
		r.Samples += t.N
		r.Unknown += t.Guarded.Unknown
		for _, answer := range t.Samples {
			if answer.Official && answer.Empty {
				r.NoCode++
			}
		}
		if t.N > 0 {
			r.Pass += float64(t.Official.C) / float64(t.N)
			r.Guarded += float64(t.Guarded.C) / float64(t.N)
		}
	}
	r.Pass, r.Guarded = r.Pass/float64(max(len(tasks), 1)), r.Guarded/float64(max(len(tasks), 1))
	short := func(name string) string { before, _, _ := strings.Cut(name, " ("); return before }
	figures.Board = put(figures.Board, r, func(a, b Run) bool { return short(a.Name) == short(b.Name) })
	slices.SortStableFunc(figures.Board, func(a, b Run) int { return cmp.Or(cmp.Compare(b.Guarded, a.Guarded), cmp.Compare(b.Pass, a.Pass)) })
}
