package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"codelinter/internal/eval/ask"
)

// A model is a server that mends tasks of the form "x=1 # <id>". No two of its
// answers are equal.
type model struct {
	// faulty has one request in five fail, each time in another way.
	faulty bool
	// key is what requests must carry.
	key string
	// most is the number of answers after which requests wait until their client is
	// gone; 0: none.
	most atomic.Int64

	requests, answers atomic.Int64
}

var taskID = regexp.MustCompile(`x=1 # (\d+)`)

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet { // for its models, of which it says nothing
		http.NotFound(w, r)
		return
	}
	number := m.requests.Add(1)
	var in struct {
		N        int
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Messages) == 0 || r.Header.Get("Authorization") != m.key {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if m.faulty && number%5 == 0 {
		switch number / 5 % 5 {
		case 0:
			w.WriteHeader(http.StatusInternalServerError)
		case 1:
			w.Header().Set("Retry-After-Ms", "20")
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, `{"error":{"message":"slow down, `+strings.TrimPrefix(m.key, "Bearer ")+`"}}`)
		case 2:
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"choices":[{"mess`)
		case 3:
			fmt.Fprint(w, `{"choices":[{"message":{"content":"x = 1`)
		case 4:
			fmt.Fprint(w, `{"choices":[]}`)
		}
		return
	}
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	if most := m.most.Load(); most > 0 && m.answers.Load() >= most {
		<-r.Context().Done()
		return
	}
	var out struct {
		Choices []map[string]any `json:"choices"`
	}
	id := taskID.FindStringSubmatch(in.Messages[0].Content)[1]
	for range max(in.N, 1) {
		answer := fmt.Sprintf("```python\nx = %d  # %s\n```", m.answers.Add(1), id)
		out.Choices = append(out.Choices, map[string]any{"message": message{"assistant", answer}, "finish_reason": "stop"})
	}
	json.NewEncoder(w).Encode(out)
}

func writeTasks(t *testing.T, path string, n int) {
	t.Helper()
	var text bytes.Buffer
	for i := range n {
		fmt.Fprintf(&text, `{"instruction":"{feedback}\n{code}","inputs":{"code":"x=1 # %d\n","feedback":"E225"},"outputs":"","meta":{"id":%d}}`+"\n", i, i)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// patience returns a context that ends with the test, or a little before go test ends the
// test binary: the only bound of what waits for a process, so that a slow machine fails
// nothing, and a hang is said by the test that it is in.
func patience(t *testing.T) context.Context {
	deadline, ok := t.Deadline()
	if !ok {
		return t.Context()
	}
	ctx, cancel := context.WithDeadline(t.Context(), deadline.Add(-10*time.Second))
	t.Cleanup(cancel)
	return ctx
}

// until waits until what a process does is there to be seen.
func until(t *testing.T, seen func() bool) {
	t.Helper()
	for ctx := patience(t); !seen(); {
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			t.Fatal("it never comes")
		}
	}
}

// codelinter returns a process of this program.
func codelinter(t *testing.T, dir, key string, args ...string) (command *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command = exec.CommandContext(patience(t), program)
	command.Args = append([]string{"codelinter"}, args...) // TestMain knows it by this
	command.Dir = dir
	command.Env = append(os.Environ(), "OPENAI_API_KEY="+key)
	stderr = new(bytes.Buffer)
	command.Stdout, command.Stderr = stderr, stderr
	return command, stderr
}

// requireSamples requires n samples of each of the tasks, in order, no two the
// same, each in its task.
func requireSamples(t *testing.T, path string, tasks, n int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(plainSamples(text), "\n")
	if len(lines) != tasks+1 || lines[tasks] != "" {
		t.Fatalf("%d lines", len(lines))
	}
	seen := map[string]bool{}
	for i, line := range lines[:tasks] {
		var samples struct {
			ID      int
			Outputs []string
		}
		if err := json.Unmarshal([]byte(line), &samples); err != nil || samples.ID != i || len(samples.Outputs) != n {
			t.Fatalf("line %d: %v: %s", i+1, err, line)
		}
		for _, output := range samples.Outputs {
			if seen[output] || !strings.Contains(output, fmt.Sprintf("# %d\n", i)) {
				t.Errorf("line %d has %q", i+1, output)
			}
			seen[output] = true
		}
	}
}

// A server that fails one request in five, and a process that is killed twice:
// each sample is there once, what was there before a kill is not asked for
// again, and eval scores the result.
func TestGenerateKilled(t *testing.T) {
	const (
		tasks, n    = 40, 6
		perRequest  = 2
		concurrency = 4
		key         = "sk-very-secret"
	)
	dir := t.TempDir()
	writeTasks(t, filepath.Join(dir, "tasks.jsonl"), tasks)
	m := &model{faulty: true, key: "Bearer " + key}
	server := httptest.NewServer(m)
	defer server.Close()
	args := strings.Fields(fmt.Sprintf("generate --tasks tasks.jsonl --base-url %s/v1 --model m -o s.jsonl --samples %d --per-request %d --concurrency %d",
		server.URL, n, perRequest, concurrency))
	journal := filepath.Join(dir, "s.jsonl"+ask.Suffix)
	read := func() []byte {
		text, err := os.ReadFile(journal)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return text
	}

	for _, lines := range []int{tasks * n / 4, tasks * n / 2} {
		// The server gives a few more answers than these lines need, and then none: the run
		// cannot end before it is killed.
		m.most.Store(int64(lines + 2*concurrency*perRequest))
		before := read()
		command, stderr := codelinter(t, dir, key, args...)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		until(t, func() bool { return bytes.Count(read(), []byte("\n")) > lines })
		command.Process.Kill()
		if err := command.Wait(); err == nil || command.ProcessState.Exited() {
			t.Fatalf("the run ended before it was killed: %v, %s", err, stderr)
		}
		m.most.Store(0)
		after := read()
		if !bytes.HasPrefix(after, before) {
			t.Error("the journal was not only appended to")
		}
		if _, err := os.Stat(filepath.Join(dir, "s.jsonl")); err == nil {
			t.Error("there are samples already")
		}
		// As if it had been killed within a write: half a line, which goes again.
		if err := os.WriteFile(journal, append(after, `{"id":1,"sam`...), 0o666); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if now := read(); !bytes.HasPrefix(now, after) {
				t.Error("samples that were there before a kill are gone")
			}
		}()
		command, stderr = codelinter(t, dir, key, append(args, "--limit", "1", "--samples", "1")...)
		if err := command.Run(); err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		os.Remove(filepath.Join(dir, "s.jsonl"))
	}

	command, stderr := codelinter(t, dir, key, args...)
	if err := command.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	requireSamples(t, filepath.Join(dir, "s.jsonl"), tasks, n)
	if got := bytes.Count(read(), []byte("\n")); got != 2+tasks*n { // after the settings and the number of tasks
		t.Errorf("%d lines in the journal", got)
	}
	if most := int64(tasks*n + 2*concurrency*perRequest); m.answers.Load() > most {
		t.Errorf("asked for %d samples; with those under way at the kills, %d were needed at most", m.answers.Load(), most)
	}
	for _, text := range []string{stderr.String(), string(read())} {
		if strings.Contains(text, key) {
			t.Errorf("the key is in %s", text)
		}
	}

	// Once more: all is there, and nothing is asked for.
	before := m.requests.Load()
	command, stderr = codelinter(t, dir, key, args...)
	if err := command.Run(); err != nil || m.requests.Load() != before ||
		!strings.Contains(stderr.String(), "0 came in now, 240 were there before; 0 requests tried again") {
		t.Errorf("%v: %s", err, stderr)
	}

	command, stderr = codelinter(t, dir, "", "eval", "--tasks", "tasks.jsonl", "--samples", "s.jsonl", "--k", "1", "--json")
	if err := command.Run(); err != nil || !strings.Contains(stderr.String(), `"tasks":40,"samples":240,"fewest_samples":6,"most_samples":6,"passed":240,`) {
		t.Errorf("%v: %s", err, stderr)
	}
}

// An interrupt leaves whole files with what came in, and the next run goes on.
func TestGenerateInterrupted(t *testing.T) {
	dir := t.TempDir()
	writeTasks(t, filepath.Join(dir, "tasks.jsonl"), 3)
	var once sync.Once
	m := &model{}
	asked, ended := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m.requests.Load() == 2 && r.Method == http.MethodPost {
			once.Do(func() { close(asked) })
			<-ended // what was asked stays without an answer
			return
		}
		m.ServeHTTP(w, r)
	}))
	defer server.Close()
	args := []string{"generate", "--tasks", "tasks.jsonl", "--base-url", server.URL + "/v1", "--model", "m", "-o", "s.jsonl", "--concurrency", "1", "--samples", "1"}
	command, stderr := codelinter(t, dir, "", args...)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		<-asked
		command.Process.Signal(os.Interrupt)
	}()
	err := command.Wait()
	once.Do(func() { close(asked) })
	close(ended)
	if command.ProcessState.ExitCode() != 130 || !strings.Contains(stderr.String(), "codelinter generate: error: interrupted\n1 of 3 samples missing: run the same command to go on\n") {
		t.Errorf("%v: %s", err, stderr)
	}
	requireSamples(t, filepath.Join(dir, "s.jsonl"), 2, 1)

	m.requests.Add(1)
	command, stderr = codelinter(t, dir, "", args...)
	if err := command.Run(); err != nil {
		t.Errorf("%v: %s", err, stderr)
	}
	requireSamples(t, filepath.Join(dir, "s.jsonl"), 3, 1)
}

// What is said where the server wants another key.
func TestGenerateRefused(t *testing.T) {
	dir := t.TempDir()
	writeTasks(t, filepath.Join(dir, "tasks.jsonl"), 3)
	server := httptest.NewServer(&model{key: "Bearer other"})
	defer server.Close()
	command, stderr := codelinter(t, dir, "sk-very-secret", "generate", "--tasks", "tasks.jsonl", "--base-url", server.URL+"/v1", "--model", "m", "-o", "s.jsonl")
	err := command.Run()
	want := regexp.MustCompile(`codelinter generate: error: POST ` + server.URL + `/v1/chat/completions: expected 200 OK, found 401 Unauthorized\n30 of 30 samples missing: run the same command to go on\n$`)
	if command.ProcessState.ExitCode() != exitFound || !want.MatchString(stderr.String()) || strings.Contains(stderr.String(), "secret") {
		t.Errorf("%v: %s", err, stderr)
	}

	// A run that came to nothing leaves no samples, and binds the next to nothing.
	command, stderr = codelinter(t, dir, "", "generate", "--tasks", "tasks.jsonl", "--base-url", server.URL+"/v1", "--model", "n", "-o", "s.jsonl")
	err = command.Run()
	if command.ProcessState.ExitCode() != exitFound || !strings.Contains(stderr.String(), "401 Unauthorized: no key was sent: it is taken from the environment variable OPENAI_API_KEY\n") {
		t.Errorf("%v: %s", err, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "s.jsonl")); err == nil {
		t.Error("there is a file of no samples")
	}
}

// plainSamples returns a file of samples without digests, and without the lines of tasks that gave
// none.
func plainSamples(text []byte) string {
	plain := regexp.MustCompile(`"task_digest":"[0-9a-f]{8}-[0-9a-f]{8}",`).ReplaceAll(text, nil)
	return string(regexp.MustCompile(`(?m)^\{"id":\d+,"outputs":\[\]\}\n`).ReplaceAll(plain, nil))
}

// What is said of a run that has its faults: tasks that failed in the same way on
// one line, and what makes the samples doubtful.
func TestGenerateNotes(t *testing.T) {
	dir := t.TempDir()
	writeTasks(t, filepath.Join(dir, "tasks.jsonl"), 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		match := taskID.FindSubmatch(text)
		switch {
		case match == nil:
			fmt.Fprint(w, `{"object":"list","data":[{"id":"m"}]}`)
		case string(match[1]) > "1":
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error":{"code":400,"message":"the prompt has %s000 tokens too many","type":"exceed_context_size_error"}}`, match[1])
		default:
			fmt.Fprint(w, `{"model":"m-1","choices":[{"message":{"content":"<think>\nhm\n</think>\n\nx = 1\n"},"finish_reason":"length"}],"usage":{"prompt_tokens":5,"completion_tokens":7}}`)
		}
	}))
	defer server.Close()
	args := []string{"generate", "--tasks", "tasks.jsonl", "--base-url", server.URL + "/v1", "--model", "m", "-o", "s.jsonl", "--samples", "2", "--limit", "8", "--concurrency", "1"}
	command, stderr := codelinter(t, dir, "", args...)
	err := command.Run()
	said := regexp.MustCompile(`[\d.]+ a second`).ReplaceAllString(strings.ReplaceAll(stderr.String(), server.URL, "URL"), "N a second")
	want := `s.jsonl has 4 samples of 2 tasks: 4 cut off for their length, 0 empty
4 came in now, 0 were there before; 0 requests tried again; the server counts 28 tokens, N a second
note: the server calls the model that answered "m-1"
note: of the answers that came in now, the server cut off 4 before they had 1024 tokens: its context is too small
note: 4 samples with the model's thinking (<think>) before the answer, which counts as part of it: --strip-thinking leaves it out, and asks for nothing anew
note: all samples of a task are the same: is the temperature 0, or does the server not sample?
tasks 2, 3, 4, 5, 6 and 1 more: POST URL/v1/chat/completions: expected 200 OK, found 400 Bad Request: the prompt has 2000 tokens too many
codelinter generate: error: 12 of 16 samples missing: run the same command to ask for them again
`
	if command.ProcessState.ExitCode() != exitFound || said != want {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, said, want)
	}
	requireFile := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(filepath.Join(dir, "s.jsonl")); err != nil || plainSamples(got) != want {
			t.Errorf("%v: got %s, want %s", err, got, want)
		}
	}
	requireFile(strings.ReplaceAll(`{"id":0,"outputs":["THINKx = 1\n","THINKx = 1\n"]}`+"\n"+`{"id":1,"outputs":["THINKx = 1\n","THINKx = 1\n"]}`+"\n", "THINK", `<think>\nhm\n</think>\n\n`))

	command, stderr = codelinter(t, dir, "", append(args, "--limit", "2", "--strip-thinking")...)
	if err := command.Run(); err != nil || !strings.Contains(stderr.String(), "\n0 came in now, 4 were there before; 0 requests tried again\nnote: 4 samples with the model's thinking before the answer, which s.jsonl leaves out\n") {
		t.Errorf("%v: %s", err, stderr)
	}
	requireFile(`{"id":0,"outputs":["x = 1\n","x = 1\n"]}` + "\n" + `{"id":1,"outputs":["x = 1\n","x = 1\n"]}` + "\n")
}
