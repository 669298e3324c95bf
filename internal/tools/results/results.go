// Package results is a command: it measures the figures of docs/results.md and writes that page.
//
//	go run ./internal/tools/results/main.go                          # the page, from the figures in docs/results.json
//	go run ./internal/tools/results/main.go -measure parity,speed    # these anew, then the page
//
// It must run in the repository's root. Measuring needs CPythons (-pythons), for which
// it makes environments with the real flake8 and the other tools, by pip. It also needs
// the files of HumanEval and MBPP, from a folder (-suites) or downloaded. No product
// code uses this package.
//
// An interrupted run is resumed: what was measured today for the same commit is not
// measured again. A part that lacks something, such as a suite's file without a
// network, is left out. The command ends with a table of the parts.
//
// Measuring is a script: each step needs those before it. So a step that fails ends its
// part, by a panic with a [failure].
package results

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Where the figures and the page are.
const (
	figuresFile = "docs/results.json"
	pageFile    = "docs/results.md"
	chartFile   = "docs/speed.svg"
)

// Figures are all measured figures.
type Figures struct {
	Parts    []Part     `json:"parts"`
	Parity   []Parity   `json:"parity"`
	Ruff     *Ruff      `json:"ruff,omitempty"`
	Judge    []Labels   `json:"judge"`
	Families []Family   `json:"families"`
	Speed    []Speed    `json:"speed"`
	Programs []Programs `json:"programs"`
	Statuses []Statuses `json:"statuses"`
	Board    []Run      `json:"board"`
	Card     string     `json:"card"` // of synth's tasks, in Markdown

	Threads     []Thread      `json:"threads,omitempty"`
	Repairs     []Repairs     `json:"repairs,omitempty"`
	Determinism []Determinism `json:"determinism,omitempty"`
	Paid        string        `json:"paid,omitempty"` // what rewards pay for nasty answers, in Markdown
	Doors       []Door        `json:"doors,omitempty"`
	Growth      []Growth      `json:"growth,omitempty"`
}

// A Part says how a part of the figures was measured.
type Part struct {
	Name    string  `json:"name"`
	Commit  string  `json:"commit"` // of the measured code
	Seconds float64 `json:"seconds"`
	Load    float64 `json:"load"` // load average of the machine before, over a minute; 0: unknown
	Date    string  `json:"date"`
}

// Parity compares the output for one corpus with a real flake8's.
type Parity struct {
	Flake8  string `json:"flake8"`
	Python  string `json:"python"`
	Options string `json:"options,omitempty"`
	Files   int    `json:"files"`
	Died    int    `json:"died,omitempty"` // files on which flake8 itself ends with a traceback
	Lines   int    `json:"lines"`          // printed by flake8
	Differ  int    `json:"differ"`         // lines that only one of the two prints
	Commit  string `json:"commit"`
	Date    string `json:"date"`
}

// Ruff compares ruff's findings for one corpus with flake8's, by file, row and code.
type Ruff struct {
	Version string `json:"version"`
	Flake8  string `json:"flake8"`
	Files   int    `json:"files"`
	Same    int    `json:"same"`
	Missing int    `json:"missing"` // only flake8's
	Added   int    `json:"added"`   // only ruff's
	Date    string `json:"date"`
}

// Labels counts the judge's verdicts on answers that were labelled by others.
type Labels struct {
	Name    string `json:"name"`
	Keep    bool   `json:"keep"` // the logic is kept, so a pass is right
	Pass    int    `json:"pass"`
	Fail    int    `json:"fail"`
	Unknown int    `json:"unknown"`
	Date    string `json:"date"`
}

// Family counts how many answers of one kind each judge passes.
type Family struct {
	Name    string `json:"family"`
	Honest  bool   `json:"honest"`
	Tasks   int    `json:"tasks"`
	Number  int    `json:"number"`
	Lint    int    `json:"lint"`    // passed by flake8 alone
	Asserts int    `json:"asserts"` // by the task's asserts
	Plus    int    `json:"plus"`    // by EvalPlus, with its own inputs too
	Judge   int    `json:"judge"`   // by the guarded verdict
	Unknown int    `json:"unknown"` // to the guarded verdict
	Date    string `json:"date"`
}

// Speed is a tool's time for one corpus.
type Speed struct {
	Tool   string  `json:"tool"`
	Corpus string  `json:"corpus"`
	Files  int     `json:"files"`
	Bytes  int64   `json:"bytes"`
	CPU    float64 `json:"cpu"` // seconds of processor time, the best of some runs
	Date   string  `json:"date"`
}

// Programs are the times of a suite's programs, run one after another.
type Programs struct {
	Runner   string  `json:"runner"`
	Suite    string  `json:"suite"`
	Median   float64 `json:"median"` // in seconds, like P99
	P99      float64 `json:"p99"`
	Programs int     `json:"programs"`
	Ended    int     `json:"ended"` // without an error
	Date     string  `json:"date"`
}

// Statuses compares `eval --suite` with EvalPlus on the same answers. Each answer has a
// status for the original tests and one for the tests that EvalPlus added.
type Statuses struct {
	Suite    string  `json:"suite"`
	EvalPlus string  `json:"evalplus"`
	Answers  int     `json:"answers"`
	Same     int     `json:"same"`     // both statuses
	Timeouts int     `json:"timeouts"` // answers that differ, with a time-out in one of the two
	CPU      float64 `json:"cpu"`      // seconds of processor time
	TheirCPU float64 `json:"their_cpu"`
	Commit   string  `json:"commit"`
	Date     string  `json:"date"`
}

// Run is a tool's or a model's score on the open set.
type Run struct {
	Name    string  `json:"name"`
	Kind    string  `json:"kind"` // tool or model
	Samples int     `json:"samples"`
	Pass    float64 `json:"official"` // pass@1
	Guarded float64 `json:"guarded"`
	Unknown int     `json:"unknown"` // samples that are unknown to the guarded verdict
	NoCode  int     `json:"no_code"` // samples without a statement that pass officially
	Date    string  `json:"date"`
}

// A machine has what measuring needs.
type machine struct {
	context.Context
	folder  string   // for environments and copies
	pythons []string // interpreters, oldest first
	peers   []string // installed flake8s: release@python=command
	files   int      // number of a standard library's files to compare
	suites  string   // the folder of HumanEval's and MBPP's files; "" downloads them
	servers []string // other servers that run programs: name=URL
	busy    int      // processes beside what determinism judges the second time
	mirrors string   // the folder of clones of GitHub's repositories; "" clones them
	binary  string
	before  string // the binary of the release before; "" for none
	today   string
	commit  string // "" if the checkout has changes
}

// A kind is a part that can be measured.
type kind struct {
	name    string
	table   string // its heading on the page
	measure func(*machine, *Figures)
	suites  []string // files without which it is not measured
}

// kinds returns the parts that can be measured, in the order of `make results`: parts
// that measure time come last.
func kinds() []kind {
	return []kind{
		{name: "parity", table: "parity with flake8", measure: (*machine).parity},
		{name: "ruff", table: "parity, beside ruff's rules", measure: (*machine).ruff},
		{name: "judge", table: "the judge", measure: (*machine).judge},
		{name: "repairs", table: "the judge, on programs of others", measure: (*machine).repairs},
		{name: "threads", table: "one flake8 on two CPythons", measure: (*machine).threads},
		{name: "paid", table: "what rewards pay for nothing", measure: (*machine).paid},
		{name: "families", table: "the judge, by family", measure: (*machine).families, suites: []string{"mbpp.jsonl", "MbppPlus.jsonl"}},
		{name: "tools", table: "the board's tools", measure: (*machine).tools},
		{name: "card", table: "tasks that are made", measure: (*machine).card},
		{name: "evalplus", table: "programs, beside EvalPlus", measure: (*machine).evalplus, suites: []string{"HumanEvalPlus.jsonl", "MbppPlus.jsonl"}},
		{name: "determinism", table: "programs, on a busy machine", measure: (*machine).determinism, suites: []string{"HumanEvalPlus.jsonl"}},
		{name: "programs", table: "programs, their time", measure: (*machine).programs},
		{name: "speed", table: "speed of lint", measure: (*machine).speed},
		{name: "doors", table: "doors, and their growth", measure: (*machine).doors},
	}
}

func partNames() string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return strings.Join(names, ",")
}

// Main is the command.
func Main() {
	m := &machine{today: time.Now().UTC().Format(time.DateOnly)}
	measure := flag.String("measure", "", "what to measure anew, with commas: "+partNames()+"; all is all of these")
	pythons := flag.String("pythons", "python3.11,python3.12,python3.13,python3.14", "the CPythons to compare on, with commas")
	peers := flag.String("peers", "", "flake8s that are there already, with commas: RELEASE@PYTHON=COMMAND, such as 7.5.0@3.15.2=/opt/flake8")
	servers := flag.String("run-code", "", "servers that run programs by SandboxFusion's /run_code, to measure beside ours, with commas: NAME=URL")
	flag.IntVar(&m.files, "files", 200, "how many files of each standard library are compared; 0 is all")
	flag.StringVar(&m.suites, "suites", "", "the folder of HumanEval.jsonl, mbpp.jsonl, HumanEvalPlus.jsonl and MbppPlus.jsonl (default: they are downloaded)")
	flag.IntVar(&m.busy, "busy", 50, "how many busy processes run beside what determinism judges the second time")
	flag.StringVar(&m.mirrors, "mirrors", "", "the folder of clones of GitHub's repositories, OWNER+NAME/repo (default: they are cloned)")
	model := flag.String("model", "", "add a model to the board: NAME, which -base-url serves, or NAME=SAMPLES")
	url := flag.String("base-url", "", "a server that speaks OpenAI's protocol, for -model NAME")
	flag.StringVar(&m.before, "before", "", "the binary of the release before, to measure the doors with as well")
	flag.Parse()
	m.pythons, m.peers, m.servers = list(*pythons), list(*peers), list(*servers)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	m.Context = ctx
	if *measure == "all" {
		*measure = partNames()
	}
	if err := try(func() { m.all(list(*measure), *model, *url) }); err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
		os.Exit(1)
	}
}

// list splits text at commas.
func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

// A failure is the panic of a step that failed.
type failure struct{ error }

// must ends the script with an error, if it is one.
func must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// get returns a value that was made without an error.
func get[T any](value T, err error) T {
	must(err)
	return value
}

// fail ends the script with a message.
func fail(format string, args ...any) { must(fmt.Errorf(format, args...)) }

// try returns the error with which steps ended.
func try(steps func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			err = p.error
		default:
			panic(p)
		}
	}()
	steps()
	return nil
}

// lacking is the error of a part that lacks something which this machine cannot get.
type lacking struct{ error }

func lacks(err error) bool {
	_, is := errors.AsType[lacking](err)
	return is
}

// all measures parts and a model, and writes the page.
func (m *machine) all(parts []string, model, url string) {
	figures, err := read(figuresFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		must(err)
	}
	if len(parts) > 0 || model != "" {
		m.prepare()
	}
	m.parts(figures, parts)
	if model != "" {
		name, samples, is := strings.Cut(model, "=")
		switch {
		case !is && url == "":
			fail("-model: expected NAME=SAMPLES, or NAME with -base-url, found %q", model)
		case !is:
			samples = m.ask(name, url)
		}
		m.score(figures, name, "model", samples)
	}
	write(figures)
}

// parts measures parts one after another. A part that cannot be measured does not stop
// the others. In the end parts shows what became of each.
func (m *machine) parts(figures *Figures, names []string) {
	var ends, failed []string
	for _, name := range names {
		var end string
		if err := try(func() { end = m.part(figures, name) }); err != nil {
			if m.Err() != nil {
				must(err)
			}
			end = "not measured: " + err.Error()
			if !lacks(err) {
				failed = append(failed, name)
			}
		}
		ends = append(ends, fmt.Sprintf("%-10s %s", name, end))
		write(figures)
	}
	fmt.Fprintln(os.Stderr, strings.Join(ends, "\n"))
	if len(failed) > 0 {
		fail("failed: %s", strings.Join(failed, ", "))
	}
}

// prepare makes the folder and the binary, and finds the commit. CPythons that cannot be
// run are left out.
func (m *machine) prepare() {
	m.folder = filepath.Join(get(os.UserCacheDir()), "codelinter-results")
	must(os.MkdirAll(m.folder, 0o755))
	m.binary = get(filepath.Abs("codelinter"))
	m.pythons = slices.DeleteFunc(m.pythons, func(python string) bool {
		err := exec.CommandContext(m, python, "-c", "import venv").Run()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", python, err)
		}
		return err != nil
	})
	if len(m.pythons) == 0 {
		fail("-pythons: none can be run")
	}
	if m.output("git", "status", "--porcelain", "--", ".", ":!"+figuresFile, ":!"+pageFile, ":!"+chartFile) == "" {
		m.commit = m.line("git", "rev-parse", "--short", "HEAD")
	}
	m.run(nil, "make", "build")
}

// part measures a part, unless it was measured today with this commit, and says so.
func (m *machine) part(figures *Figures, name string) string {
	parts := kinds()
	at := slices.IndexFunc(parts, func(k kind) bool { return k.name == name })
	if at < 0 {
		fail("-measure: expected some of %s", partNames())
	}
	like := func(a, b Part) bool { return a.Name == b.Name }
	made := Part{Name: name, Commit: m.commit, Load: load(), Date: m.today}
	if slices.ContainsFunc(figures.Parts, func(p Part) bool { return like(p, made) && m.isDone(p.Commit, p.Date) }) {
		return "measured already"
	}
	for _, name := range parts[at].suites {
		m.suite(name)
	}
	began := time.Now()
	parts[at].measure(m, figures)
	made.Seconds = time.Since(began).Seconds()
	figures.Parts = put(figures.Parts, made, like)
	return "measured in " + took(made.Seconds)
}

// isDone reports whether a figure of a commit and a date is current.
func (m *machine) isDone(commit, date string) bool {
	return m.commit != "" && commit == m.commit && date == m.today
}

// load returns the machine's load average of the last minute, or 0 if it is unknown.
func load() float64 {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	var of float64
	fmt.Sscan(string(data), &of) //nolint:errcheck // stays 0
	return of
}

func read(name string) (*Figures, error) {
	figures := new(Figures)
	data, err := os.ReadFile(name)
	if err != nil {
		return figures, err
	}
	return figures, json.Unmarshal(data, figures)
}

// write writes the figures, the page and the chart.
func write(figures *Figures) {
	data := get(json.MarshalIndent(figures, "", " "))
	must(os.WriteFile(figuresFile, append(data, '\n'), 0o644))
	must(os.WriteFile(chartFile, chart(figures.Speed), 0o644))
	must(os.WriteFile(pageFile, page(figures), 0o644))
}

// put replaces the items of list that are like made, or adds made.
func put[T any](list []T, made T, like func(a, b T) bool) []T {
	if i := slices.IndexFunc(list, func(of T) bool { return like(of, made) }); i >= 0 {
		list[i] = made
		return list
	}
	return append(list, made)
}
