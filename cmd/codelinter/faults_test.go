package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"codelinter/internal/serve/httpserver"
	"codelinter/internal/util/faults"
)

var (
	faultTime = flag.Duration("faults", 0, "how long TestFaults goes on, with another seed each round; 0: one round with few faults")
	faultSeed = flag.Uint64("seed", 1, "the first seed of TestFaults")
)

// failed is the outcome of what ended with an error of ours.
const failed = "error"

// A door is a way in to what runs programs. It returns an outcome for each thing that it is
// asked: the result, or failed.
type door struct {
	name string
	ask  func(t *testing.T) []string
}

// TestFaults makes faults on purpose behind every door. What comes out is then as without
// faults, or an error; no 0 is without an error; and when nothing fails any more, everything
// is as without faults.
func TestFaults(t *testing.T) {
	doors := faultDoors(t)
	want := map[string][]string{}
	for _, d := range doors {
		want[d.name] = d.ask(t)
		if slices.Contains(want[d.name], failed) || len(want[d.name]) == 0 {
			t.Fatalf("%s, where nothing fails: %q", d.name, want[d.name])
		}
	}
	classes := map[string]int{}
	for seed, began := *faultSeed, time.Now(); seed == *faultSeed || time.Since(began) < *faultTime; seed++ {
		for _, d := range doors {
			end := faults.Begin(faults.Plan{Seed: seed, Every: faultRates(seed)})
			got := d.ask(t)
			counts := faults.Counts()
			end()
			compareOutcomes(t, fmt.Sprintf("%s, seed %d, %v", d.name, seed, counts), want[d.name], got, classes)
		}
		for _, d := range doors {
			again := d.ask(t)
			compareOutcomes(t, fmt.Sprintf("%s, after seed %d", d.name, seed), want[d.name], again, map[string]int{})
			if slices.Contains(again, failed) {
				t.Errorf("%s, after seed %d: an error stays: %q", d.name, seed, again)
			}
		}
	}
	t.Logf("%v", classes)
	if classes[failed] == 0 || classes["own result"] == 0 {
		t.Errorf("%v: expected results and errors", classes)
	}
}

// faultRates has few faults in a short run, and others with each seed in a long one.
func faultRates(seed uint64) faults.Rates {
	if *faultTime == 0 {
		return faults.Rates{faults.Kill: 5, faults.Cut: 13, faults.Full: 4, faults.Stop: 17}
	}
	n := seed % 4
	return faults.Rates{faults.Kill: 2 + 3*n, faults.Cut: 5 + 6*n, faults.Full: 2 + n, faults.Corrupt: 200 + 100*n, faults.Stop: 7 + 5*n}
}

func compareOutcomes(t *testing.T, what string, want, got []string, classes map[string]int) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d outcomes, want %d: %q", what, len(got), len(want), got)
		return
	}
	for i := range got {
		switch got[i] {
		case want[i]:
			classes["own result"]++
		case failed:
			classes[failed]++
		default:
			classes["another's result"]++
			t.Errorf("%s: outcome %d is %q, want %q", what, i, got[i], want[i])
		}
	}
}

// faultDoors returns all doors, over the files of the scripts' tests.
func faultDoors(t *testing.T) []door {
	dir := t.TempDir()
	if *faultTime > 0 { // the cache is damaged
		t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	}
	for _, script := range []string{"eval_guarded", "fix", "synth"} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", "script", script+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, script), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			path := filepath.Join(dir, script, file.Name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, file.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	tasks, samples := filepath.Join(dir, "eval_guarded", "tasks.jsonl"), filepath.Join(dir, "eval_guarded", "samples.jsonl")
	requests := scoreRequests(t, tasks, samples)
	server, err := httpserver.New(httpserver.Options{AnyHost: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	listening := httptest.NewServer(server.Handler())
	t.Cleanup(listening.Close)
	// post returns a reply as a client sees it, or an error for a connection that is cut.
	post := func(path, body string) (status int, reply string, err error) {
		response, err := http.Post(listening.URL+path, "application/json", strings.NewReader(body))
		if err != nil {
			return 0, "", err
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		return response.StatusCode, strings.TrimLeft(string(text), " "), err // blanks are sent while a program runs
	}
	return []door{
		{"run", func(t *testing.T) (outcomes []string) {
			for _, program := range faultPrograms {
				outcomes = append(outcomes, ranAs(t, exitEnded, program, "run", "--json", "-"))
			}
			return outcomes
		}},
		{"run_code", func(t *testing.T) (outcomes []string) {
			for _, program := range faultPrograms {
				body, _ := json.Marshal(map[string]string{"code": program, "language": "python"})
				switch status, reply, err := post("/run_code", string(body)); {
				case err != nil:
					outcomes = append(outcomes, failed)
				case status == http.StatusOK:
					outcomes = append(outcomes, reply)
				default:
					outcomes = append(outcomes, failedStatus(t, status, reply))
				}
			}
			return outcomes
		}},
		{"score", func(t *testing.T) (outcomes []string) {
			for _, request := range requests {
				status, reply, err := post("/v1/score", request)
				if err != nil || status != http.StatusOK {
					t.Fatalf("%d %s (%v)", status, reply, err)
				}
				outcomes = append(outcomes, scoresIn(t, reply)...)
			}
			return outcomes
		}},
		{"stream", func(t *testing.T) (outcomes []string) {
			code, stdout, stderr := command(strings.Join(requests, "\n")+"\n", "stream", "--ordered")
			if code != exitOK {
				t.Errorf("stream ended with %d: %s", code, stderr)
			}
			for line := range strings.Lines(stdout) {
				outcomes = append(outcomes, scoresIn(t, line)...)
			}
			return outcomes
		}},
		{"eval", func(t *testing.T) []string { return evaluated(t, tasks, samples, filepath.Join(dir, "results.jsonl")) }},
		{"dataset check", func(t *testing.T) []string {
			return []string{ranAs(t, exitFound, "", "dataset", "check", "--mutants", tasks)}
		}},
		{"synth", func(t *testing.T) []string { return []string{synthesized(t, filepath.Join(dir, "synth", "src"))} }},
		{"fix --unsafe", func(t *testing.T) []string {
			return []string{ranAs(t, exitFound, "", "fix", "--unsafe", "--diff", filepath.Join(dir, "fix", "order.py"), filepath.Join(dir, "fix", "names.py"))}
		}},
	}
}

// faultPrograms end in the ways in which programs end.
var faultPrograms = []string{
	"print(sum(range(1000)))\n",
	"print('out')\nraise KeyError(7)\n",
	"import sys\nsys.exit(5)\n",
	"import json\nopen('new', 'w').write(json.dumps({'a': [1, 2.5]}))\nprint(open('new').read())\n",
}

// command runs a command line in this process.
func command(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, says bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &says)
	return code, out.String(), says.String()
}

// ranAs runs a command. It returns its output and exit code, or failed if it ended with an
// error's exit code and message.
func ranAs(t *testing.T, errorCode int, stdin string, args ...string) string {
	t.Helper()
	code, stdout, stderr := command(stdin, args...)
	if strings.Contains(stderr, "error: ") {
		if code != errorCode {
			t.Errorf("%q: exit code %d, want %d: %s", args, code, errorCode, stderr)
		}
		return failed
	}
	return fmt.Sprint(code, " ", stdout)
}

// failedStatus returns failed for a reply that says that there is no result.
func failedStatus(t *testing.T, status int, reply string) string {
	t.Helper()
	if status < 500 || !strings.Contains(reply, `"error": "`) {
		t.Errorf("%d %s", status, reply)
	}
	return failed
}

// scoreRequests returns a request for each task with its samples.
func scoreRequests(t *testing.T, tasks, samples string) (requests []string) {
	t.Helper()
	read := func(path string) (rows []map[string]json.RawMessage) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var row map[string]json.RawMessage
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
		return rows
	}
	given := read(samples)
	for i, task := range read(tasks) {
		for _, reward := range []string{"binary", "shaped"} {
			text, err := json.Marshal(map[string]any{"task": task, "completions": given[i]["outputs"], "reward": reward})
			if err != nil {
				t.Fatal(err)
			}
			requests = append(requests, string(text))
		}
	}
	return requests
}

// scoresIn returns the outcomes of a reply's scores.
func scoresIn(t *testing.T, reply string) (outcomes []string) {
	t.Helper()
	var read struct {
		Scores []struct {
			Reward  float64
			Guarded string
			Reasons []string
			Error   string
			Masked  bool
		}
		Error string
	}
	if err := json.Unmarshal([]byte(reply), &read); err != nil || read.Error != "" {
		t.Fatalf("%v: %s", err, reply)
	}
	for _, s := range read.Scores {
		switch {
		case s.Error == "":
			outcomes = append(outcomes, fmt.Sprintf("%v %s %v %v", s.Reward, s.Guarded, s.Reasons, s.Masked))
		case !s.Masked || s.Reward != 0 || s.Guarded != "unknown":
			outcomes = append(outcomes, fmt.Sprintf("an error that is a score: %+v", s))
		default:
			outcomes = append(outcomes, failed)
		}
	}
	return outcomes
}

// evaluated returns the outcome of each sample in eval's results, which are whole or not there.
func evaluated(t *testing.T, tasks, samples, results string) (outcomes []string) {
	t.Helper()
	const all = 12
	os.Remove(results)
	code, _, stderr := command("", "eval", "--tasks", tasks, "--samples", samples, "--k", "1", "-o", results)
	text, err := os.ReadFile(results)
	if err != nil {
		if code != exitFound || !strings.Contains(stderr, "error: ") {
			t.Errorf("eval has no results, and ended with %d: %s", code, stderr)
		}
		return slices.Repeat([]string{failed}, all)
	}
	for line := range strings.Lines(string(text)) {
		var row struct{ Samples []json.RawMessage }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		for _, sample := range row.Samples {
			if !bytes.Contains(sample, []byte(`"name":"error"`)) {
				outcomes = append(outcomes, string(sample))
				continue
			}
			if code != exitFound || !strings.Contains(stderr, "for an error of codelinter itself") || !bytes.Contains(sample, []byte(`"reward":null`)) {
				t.Errorf("eval has an error, and ended with %d: %s\n%s", code, stderr, sample)
			}
			outcomes = append(outcomes, failed)
		}
	}
	return outcomes
}

// synthesized returns the tasks that are made of a folder.
func synthesized(t *testing.T, folder string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "tasks.jsonl")
	code, _, stderr := command("", "dataset", "synth", folder, "-n", "10", "-o", to)
	if strings.Contains(stderr, "error: ") {
		if _, err := os.Stat(to); err == nil || code != exitFound {
			t.Errorf("synth ended with %d, and left a file: %s", code, stderr)
		}
		return failed
	}
	text, err := os.ReadFile(to)
	if err != nil {
		t.Error(err)
	}
	return fmt.Sprint(code, " ", string(text))
}
