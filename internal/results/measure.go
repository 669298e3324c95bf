package main

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// run runs a command and shows its output.
func (m *machine) run(name string, args ...string) error {
	fmt.Fprintln(os.Stderr, "+", name, strings.Join(args, " "))
	command := exec.CommandContext(m, name, args...)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	return command.Run()
}

// output returns a command's output, whatever its exit code.
func (m *machine) output(name string, args ...string) (string, error) {
	var out bytes.Buffer
	command := exec.CommandContext(m, name, args...)
	command.Stdout, command.Stderr = &out, os.Stderr
	err := command.Run()
	if _, exited := err.(*exec.ExitError); exited && m.Err() == nil {
		err = nil
	}
	return out.String(), err
}

// environment makes a virtual environment with packages, unless it exists, and
// returns its folder of programs.
func (m *machine) environment(python string, packages ...string) (string, error) {
	version, err := m.output(python, "-c", "import platform; print(platform.python_version())")
	if err != nil {
		return "", err
	}
	folder := filepath.Join(m.folder, "python-"+strings.TrimSpace(version)+"-"+strings.Join(packages, "-"))
	bin := filepath.Join(folder, "bin")
	if _, err := os.Stat(filepath.Join(folder, "made")); err == nil {
		return bin, nil
	}
	// Some CPythons have no pip.
	if err := m.run(python, "-m", "venv", "--without-pip", "--clear", folder); err != nil {
		return "", err
	}
	install := []string{"-m", "pip", "--python", filepath.Join(bin, "python"), "install", "--quiet", "--disable-pip-version-check"}
	if err := m.run("python3", append(install, packages...)...); err != nil {
		return "", err
	}
	return bin, os.WriteFile(filepath.Join(folder, "made"), nil, 0o644)
}

// library copies the files of an interpreter's standard library with the lowest
// hashes, and returns the folder, their number and their size.
func (m *machine) library(python string) (folder string, files int, size int64, err error) {
	of, err := m.output(python, "-c", "import platform, sysconfig; print(platform.python_version(), sysconfig.get_path('stdlib'))")
	if err != nil {
		return "", 0, 0, err
	}
	version, root, _ := strings.Cut(strings.TrimSpace(of), " ")
	folder = filepath.Join(m.folder, fmt.Sprintf("library-%s-%d", version, m.files))
	if err := os.RemoveAll(folder); err != nil {
		return "", 0, 0, err
	}
	var names []string
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == "site-packages" {
				return fs.SkipDir
			}
			return err
		}
		if name, err := filepath.Rel(root, path); err == nil && d.Type().IsRegular() && strings.HasSuffix(name, ".py") {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return "", 0, 0, err
	}
	slices.SortFunc(names, func(a, b string) int {
		x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
		return bytes.Compare(x[:], y[:])
	})
	if m.files > 0 && len(names) > m.files {
		names = names[:m.files]
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", 0, 0, err
		}
		to := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return "", 0, 0, err
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return "", 0, 0, err
		}
		size += int64(len(data))
	}
	return folder, len(names), size, nil
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
func (m *machine) parity(figures *Figures) error {
	var last Parity
	var newest, corpus string
	like := func(a, b Parity) bool {
		return a.Flake8 == b.Flake8 && minor(a.Python) == minor(b.Python) && a.Options == b.Options
	}
	compare := func(release, python, peer string, files int) error {
		last, newest = Parity{Flake8: release, Python: python, Files: files, Commit: m.commit, Date: m.today}, peer
		if slices.ContainsFunc(figures.Parity, func(p Parity) bool {
			return like(p, last) && p.Files == files && m.isDone(p.Commit, p.Date)
		}) {
			return nil
		}
		if err := m.compare(&last, peer, corpus); err != nil {
			return err
		}
		figures.Parity = put(figures.Parity, last, like)
		return write(figures)
	}
	files := 0
	for _, python := range m.pythons {
		var err error
		if corpus, files, _, err = m.library(python); err != nil {
			return err
		}
		for _, release := range []string{"7.3.0", "7.5.0"} {
			bin, err := m.environment(python, "flake8=="+release)
			if err != nil {
				fmt.Fprintf(os.Stderr, "flake8 %s cannot be installed on %s: %v\n", release, python, err)
				continue
			}
			version, err := m.output(filepath.Join(bin, "python"), "-c", "import platform; print(platform.python_version())")
			if err != nil {
				return err
			}
			if err := compare(release, strings.TrimSpace(version), filepath.Join(bin, "flake8"), files); err != nil {
				return err
			}
		}
	}
	for _, text := range m.peers {
		pair, command, is := strings.Cut(text, "=")
		release, python, also := strings.Cut(pair, "@")
		if !is || !also {
			return fmt.Errorf("-peers: expected RELEASE@PYTHON=COMMAND, found %q", text)
		}
		if err := compare(release, python, command, files); err != nil {
			return err
		}
	}
	for _, options := range commandLines {
		p := last
		p.Options = strings.Join(options, " ")
		if err := m.compareOptions(&p, newest, corpus, options); err != nil {
			return err
		}
		figures.Parity = put(figures.Parity, p, like)
	}
	slices.SortStableFunc(figures.Parity, func(a, b Parity) int {
		return cmp.Or(cmp.Compare(a.Options, b.Options), cmp.Compare(a.Flake8, b.Flake8), cmp.Compare(minor(a.Python), minor(b.Python)))
	})
	return nil
}

// minor returns 3.15 for 3.15.2.
func minor(version string) string { return strings.Join(strings.Split(version, ".")[:2], ".") }

var same = regexp.MustCompile(`the same (\d+) lines`)

// compare compares by .ci/parity, which goes on after flake8 dies on a file.
func (m *machine) compare(p *Parity, peer, folder string) error {
	out, err := m.output(".ci/parity", peer, folder, "--flake8-version", p.Flake8, "--target-version", minor(p.Python))
	if err != nil {
		return err
	}
	p.Died, p.Differ, p.Lines = 0, 0, 0
	for line := range strings.Lines(out) {
		switch {
		case strings.HasPrefix(line, "flake8 dies: "):
			p.Died++
		case strings.HasPrefix(line, "< "), strings.HasPrefix(line, "> "):
			p.Differ++
		}
	}
	if found := same.FindStringSubmatch(out); found != nil {
		p.Lines, err = strconv.Atoi(found[1])
	} else if p.Differ == 0 {
		return fmt.Errorf(".ci/parity %s %s: expected a comparison, found %q", peer, folder, out)
	}
	return err
}

// compareOptions compares whole outputs in order.
func (m *machine) compareOptions(p *Parity, peer, folder string, options []string) error {
	want, err := m.output(peer, slices.Concat([]string{"--isolated", "-j", "1"}, options, []string{folder})...)
	if err != nil {
		return err
	}
	got, err := m.output(m.binary, slices.Concat([]string{"check", "--isolated", "--flake8-version", p.Flake8, "--target-version", minor(p.Python)}, options, []string{folder})...)
	if err != nil {
		return err
	}
	a, b := slices.Collect(strings.Lines(want)), slices.Collect(strings.Lines(got))
	p.Lines, p.Differ, p.Died = len(a), max(len(a), len(b))-min(len(a), len(b)), 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			p.Differ++
		}
	}
	return nil
}

// ruff compares the findings of ruff's rules with the names of flake8's.
func (m *machine) ruff(figures *Figures) error {
	python := m.pythons[len(m.pythons)-1]
	folder, files, _, err := m.library(python)
	if err != nil {
		return err
	}
	bin, err := m.environment(python, "ruff")
	if err != nil {
		return err
	}
	out, err := m.output(filepath.Join(bin, "ruff"), "check", "--isolated", "--no-cache", "--preview", "--quiet", "--output-format", "json", "--select", "E,W,F", "--line-length", "79", folder)
	if err != nil {
		return err
	}
	var rows []struct {
		Filename, Code string
		Location       struct{ Row int }
	}
	if err := json.Unmarshal([]byte(out), &rows); err != nil {
		return err
	}
	theirs := map[string]int{}
	for _, r := range rows {
		theirs[fmt.Sprintf("%s:%d: %s", r.Filename, r.Location.Row, r.Code)]++
	}
	// codelinter's findings are flake8's, as parity shows.
	if out, err = m.output(m.binary, "check", "--isolated", "--ignore", "", "--format", "%(path)s:%(row)d: %(code)s", folder); err != nil {
		return err
	}
	flake8 := map[string]int{}
	for line := range strings.Lines(out) {
		flake8[strings.TrimSpace(line)]++
	}
	version, err := m.output(filepath.Join(bin, "ruff"), "--version")
	if err != nil {
		return err
	}
	r := &Ruff{Version: strings.TrimSpace(strings.TrimPrefix(version, "ruff ")), Flake8: "7.5.0", Files: files, Date: m.today}
	for key, n := range flake8 {
		r.Same += min(n, theirs[key])
		r.Missing += n - min(n, theirs[key])
	}
	for key, n := range theirs {
		r.Added += n - min(n, flake8[key])
	}
	figures.Ruff = r
	return nil
}

// speed measures the processor time of each tool over one standard library.
func (m *machine) speed(figures *Figures) error {
	python := m.pythons[len(m.pythons)-1]
	folder, files, size, err := m.library(python)
	if err != nil {
		return err
	}
	bin, err := m.environment(python, "flake8==7.5.0", "ruff")
	if err != nil {
		return err
	}
	version, err := m.output(filepath.Join(bin, "python"), "-c", "import platform; print(platform.python_version())")
	if err != nil {
		return err
	}
	ruff, err := m.output(filepath.Join(bin, "ruff"), "--version")
	if err != nil {
		return err
	}
	corpus := fmt.Sprintf("the standard library of CPython %s", strings.TrimSpace(version))
	for _, tool := range []struct {
		name string
		runs int
		args []string
	}{
		{"codelinter", 5, []string{m.binary, "check", "--isolated"}},
		{strings.TrimSpace(ruff), 5, []string{filepath.Join(bin, "ruff"), "check", "--isolated", "--no-cache", "--preview", "--quiet", "--select", "E,W,F"}},
		{"flake8 7.5.0", 1, []string{filepath.Join(bin, "flake8"), "--isolated", "-j", "1"}},
	} {
		best := time.Duration(0)
		for range tool.runs {
			command := exec.CommandContext(m, tool.args[0], append(tool.args[1:], folder)...)
			err := command.Run()
			if _, exited := err.(*exec.ExitError); err != nil && (!exited || m.Err() != nil) {
				return err
			}
			if took := command.ProcessState.UserTime() + command.ProcessState.SystemTime(); best == 0 || took < best {
				best = took
			}
		}
		s := Speed{Tool: tool.name, Corpus: corpus, Files: files, Bytes: size, CPU: best.Seconds(), Date: m.today}
		figures.Speed = put(figures.Speed, s, func(a, b Speed) bool { return strings.Fields(a.Tool)[0] == strings.Fields(b.Tool)[0] })
	}
	return nil
}

// judge runs tests of package judge that write the verdicts on labelled answers.
func (m *machine) judge(figures *Figures) error {
	name := filepath.Join(m.folder, "labels.jsonl")
	if err := os.RemoveAll(name); err != nil {
		return err
	}
	command := exec.CommandContext(m, "go", "test", "-count=1", "-run", "^Test(Changes|Mutants|Formatters)$", "./evaluator/judge")
	command.Env = append(os.Environ(), "CODELINTER_TALLY="+name)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	figures.Judge = nil
	for lines := bufio.NewScanner(file); lines.Scan(); {
		l := Labels{Date: m.today}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return err
		}
		figures.Judge = append(figures.Judge, l)
	}
	return nil
}

// families counts what several judges pass of answers that a script makes for tasks of
// MBPP+.
func (m *machine) families(figures *Figures) error {
	mbpp, err := m.suite("mbpp.jsonl")
	if err != nil {
		return err
	}
	plus, err := m.suite("MbppPlus.jsonl")
	if err != nil {
		return err
	}
	theirs, err := m.environment(m.pythons[0], "evalplus=="+evalPlus)
	if err != nil {
		return err
	}
	bin, err := m.environment(m.pythons[len(m.pythons)-1], "autopep8", "black", "flake8==7.5.0", "ruff", "yapf")
	if err != nil {
		return err
	}
	command := exec.CommandContext(m, filepath.Join(bin, "python"), "evaluator/judge/testdata/oracle/families.py", "60", "1", mbpp, plus, filepath.Join(theirs, "python"), m.binary)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return err
	}
	figures.Families = nil
	for line := range bytes.Lines(out) {
		f := Family{Date: m.today}
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		figures.Families = append(figures.Families, f)
	}
	return nil
}

// The numbers of tasks that the card describes, and of codes that it lists.
const (
	cardTasks = 2000
	cardCodes = 15
)

// card makes tasks of the last standard library, and keeps the output of `dataset
// card` without examples, which would be others' code.
func (m *machine) card(figures *Figures) error {
	folder, _, _, err := m.library(m.pythons[len(m.pythons)-1])
	if err != nil {
		return err
	}
	tasks := filepath.Join(m.folder, "tasks.jsonl")
	if err := m.run(m.binary, "dataset", "synth", folder, "-n", strconv.Itoa(cardTasks), "--seed", "1", "-o", tasks); err != nil {
		return err
	}
	text, err := m.output(m.binary, "dataset", "card", tasks)
	if err != nil {
		return err
	}
	figures.Card = shortCard(text)
	return nil
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

// The board's tools. Each edits a file in place.
var boardTools = []struct {
	name     string
	packages []string
	steps    [][]string
}{
	{"nothing at all", nil, nil},
	{"codelinter fix", nil, [][]string{{"codelinter", "fix", "-q", "--isolated", "--exit-zero"}}},
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
func (m *machine) tools(figures *Figures) error {
	open, err := m.output(m.binary, "dataset", "open")
	if err != nil {
		return err
	}
	bin, err := m.environment(m.pythons[len(m.pythons)-1], "autopep8", "black", "ruff", "yapf")
	if err != nil {
		return err
	}
	list, err := m.output("python3", "-m", "pip", "--python", filepath.Join(bin, "python"), "freeze")
	if err != nil {
		return err
	}
	for _, tool := range boardTools {
		samples, err := m.answers(open, bin, tool.steps)
		if err != nil {
			return err
		}
		file := filepath.Join(m.folder, "samples.jsonl")
		if err := os.WriteFile(file, samples, 0o644); err != nil {
			return err
		}
		name := tool.name
		for _, of := range tool.packages {
			version := regexp.MustCompile(`(?m)^` + of + `==(.*)$`).FindStringSubmatch(list)
			if version != nil {
				name += fmt.Sprintf(" (%s %s)", of, version[1])
			}
		}
		if err := m.score(figures, name, "tool", file); err != nil {
			return err
		}
	}
	return nil
}

// answers returns samples of what a tool's steps make of the tasks' programs.
func (m *machine) answers(tasks, bin string, steps [][]string) ([]byte, error) {
	var samples bytes.Buffer
	for line := range strings.Lines(tasks) {
		var task struct {
			Inputs struct{ Code string }
			Meta   struct{ ID json.RawMessage }
		}
		if err := json.Unmarshal([]byte(line), &task); err != nil {
			return nil, err
		}
		name := filepath.Join(m.folder, "answer.py")
		if err := os.WriteFile(name, []byte(task.Inputs.Code), 0o644); err != nil {
			return nil, err
		}
		for _, step := range steps {
			// A tool leaves a program that it refuses as it is.
			program := filepath.Join(bin, step[0])
			if step[0] == "codelinter" {
				program = m.binary
			}
			if _, err := m.output(program, append(slices.Clone(step[1:]), name)...); err != nil {
				return nil, err
			}
		}
		code, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		row, err := json.Marshal(map[string]any{"id": task.Meta.ID, "outputs": []string{"```python\n" + string(code) + "```\n"}})
		if err != nil {
			return nil, err
		}
		samples.Write(append(row, '\n'))
	}
	return samples.Bytes(), nil
}

// score puts the score of samples of the open set on the board.
func (m *machine) score(figures *Figures, name, kind, samples string) error {
	out := filepath.Join(m.folder, "results.jsonl")
	if err := m.run(m.binary, "eval", "--samples", samples, "-o", out); err != nil {
		return err
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	r := Run{Name: name, Kind: kind, Date: m.today}
	tasks := 0
	for line := range bytes.Lines(data) {
		var task struct {
			N                 int
			Official, Guarded struct{ C, Unknown int }
			Samples           []struct{ Official, Empty bool }
		}
		if err := json.Unmarshal(line, &task); err != nil {
			return err
		}
		tasks++
		r.Samples += task.N
		r.Unknown += task.Guarded.Unknown
		for _, answer := range task.Samples {
			if answer.Official && answer.Empty {
				r.NoCode++
			}
		}
		if task.N > 0 {
			r.Pass += float64(task.Official.C) / float64(task.N)
			r.Guarded += float64(task.Guarded.C) / float64(task.N)
		}
	}
	r.Pass, r.Guarded = r.Pass/float64(max(tasks, 1)), r.Guarded/float64(max(tasks, 1))
	short := func(name string) string { before, _, _ := strings.Cut(name, " ("); return before }
	figures.Board = put(figures.Board, r, func(a, b Run) bool { return short(a.Name) == short(b.Name) })
	slices.SortStableFunc(figures.Board, func(a, b Run) int { return cmp.Or(cmp.Compare(b.Guarded, a.Guarded), cmp.Compare(b.Pass, a.Pass)) })
	return nil
}
