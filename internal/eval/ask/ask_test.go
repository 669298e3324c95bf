package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/rows"
	"codelinter/internal/tasks/dataset"
)

const testKey = "sk-very-secret"

func makeTasks(t *testing.T, n int) *task.Set {
	t.Helper()
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `{"instruction":"Mend {code}","inputs":{"code":"task%d","feedback":""},"outputs":"","meta":{"id":%d}}`+"\n", i, i)
	}
	tasks, err := dataset.Read("tasks.jsonl", strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// A request is what a server of ours reads of one.
type request struct {
	number              int // from 1
	Model               string
	Temperature         *float64
	MaxTokens           int `json:"max_tokens"`
	MaxCompletionTokens int `json:"max_completion_tokens"`
	N                   int
	Seed                *int64
	Stream              *bool
	Prompt              string
	Messages            []message
	TopK                int `json:"top_k"`
	path, key           string
}

// prompt is the user's, of either endpoint.
func (r *request) prompt() string {
	if len(r.Messages) > 0 {
		return r.Messages[len(r.Messages)-1].Content
	}
	return r.Prompt
}

// handle returns a handler that answers as it is told to, and the number of requests so far.
func handle(t *testing.T, answer func(w http.ResponseWriter, r *request)) (handler http.Handler, requests *atomic.Int64) {
	requests = new(atomic.Int64)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // for its models, of which it says nothing
			http.NotFound(w, r)
			return
		}
		in := &request{number: int(requests.Add(1)), path: r.URL.RequestURI(), key: r.Header.Get("Authorization")}
		body, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(body, in) != nil {
			t.Errorf("request %q", body)
		}
		answer(w, in)
	}), requests
}

// serve starts a server that answers as it is told to, and returns its base URL
// and the number of requests so far.
func serve(t *testing.T, answer func(w http.ResponseWriter, r *request)) (url string, requests *atomic.Int64) {
	handler, requests := handle(t, answer)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + "/v1", requests
}

// A listener takes connections that are made in memory. In a bubble of synctest a
// server and a client that are joined by it wait in virtual time: that passes only when
// nobody has anything to do, however slow the machine is.
type listener struct {
	conns chan net.Conn
	done  chan struct{} // closed with the listener
	once  sync.Once
}

// listen starts a server in memory, and returns what its clients call.
func listen(t *testing.T, handler http.Handler) *listener {
	l := &listener{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: handler}
	go server.Serve(l)
	t.Cleanup(func() { server.Shutdown(context.Background()) }) // when all handlers have ended
	return l
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: "memory"} }

func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serveInMemory is serve for a test in a bubble: the options lead to the server.
func serveInMemory(t *testing.T, answer func(w http.ResponseWriter, r *request)) (o Options, requests *atomic.Int64) {
	handler, requests := handle(t, answer)
	return Options{BaseURL: "http://memory/v1", dial: listen(t, handler).dial}, requests
}

// choose answers a chat with texts.
func choose(w io.Writer, texts ...string) {
	type choice map[string]any
	var choices []choice
	for i, text := range texts {
		choices = append(choices, choice{"index": i, "message": message{"assistant", text}, "finish_reason": "stop"})
	}
	json.NewEncoder(w).Encode(map[string]any{"id": "x", "object": "chat.completion", "choices": choices, "usage": nil})
}

// try runs over a file in dir with options fit for tests, and returns the
// collected samples.
func try(t *testing.T, dir string, tasks *task.Set, o Options) (*Summary, string, error) {
	t.Helper()
	journal, err := Open(filepath.Join(dir, "s.jsonl"), tasks, o.Settings)
	if err != nil {
		return nil, "", err
	}
	defer journal.Close()
	if o.Samples == 0 {
		o.Samples = 1
	}
	if o.Backoff == 0 {
		o.Backoff = time.Millisecond
	}
	if o.Timeout == 0 {
		o.Timeout = time.Hour // a hang ends with the test binary's own
	}
	summary, runErr := Ask(t.Context(), tasks, journal, o)
	var out bytes.Buffer
	if err := journal.Collect(&out, nil); err != nil {
		t.Fatal(err)
	}
	return summary, plain(out.String()), runErr
}

var (
	digestField = regexp.MustCompile(`"task_digest":"[0-9a-f]{8}-[0-9a-f]{8}",`)
	emptyLine   = regexp.MustCompile(`(?m)^\{"id":[^\n]*"outputs":\[\]\}\n`)
)

// plain returns samples without digests, and without the lines of tasks that gave none.
func plain(samples string) string {
	return emptyLine.ReplaceAllString(digestField.ReplaceAllString(samples, ""), "")
}

// The file of samples has a line for each task that was asked, with its digest; the journal refuses
// another task's.
func TestAsked(t *testing.T) {
	dir, tasks := t.TempDir(), makeTasks(t, 4)
	url, _ := serve(t, func(w http.ResponseWriter, r *request) {
		if strings.HasSuffix(r.prompt(), "task1") {
			fail(400, "no")(w)
		} else {
			choose(w, "a")
		}
	})
	if _, _, err := try(t, dir, tasks, Options{BaseURL: url, Limit: 2}); err != nil {
		t.Fatal(err)
	}
	journal, err := Open(filepath.Join(dir, "s.jsonl"), tasks, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = journal.Collect(&out, nil)
	journal.Close()
	want := fmt.Sprintf(`{"id":0,"task_digest":%q,"outputs":["a"]}`+"\n"+`{"id":1,"task_digest":%q,"outputs":[]}`+"\n", tasks.At(0).Digest(), tasks.At(1).Digest())
	if err != nil || out.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out.String(), want)
	}

	name := filepath.Join(dir, "s.jsonl"+Suffix)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(tasks.At(0).Digest()), []byte("00000000-00000000"), 1)
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = Open(filepath.Join(dir, "s.jsonl"), tasks, Settings{})
	if err == nil || !strings.Contains(err.Error(), "id 0 was asked of a task with the digest 00000000-00000000, and has "+tasks.At(0).Digest()+" now") {
		t.Errorf("another task: %v", err)
	}
}

func TestRequest(t *testing.T) {
	seed := int64(40)
	for _, test := range []struct {
		name     string
		settings Settings
		key      string
		want     request
	}{
		{"chat", Settings{Model: "m", Temperature: 0.6, MaxTokens: 1024}, testKey,
			request{Model: "m", MaxTokens: 1024, N: 3, path: "/v1/chat/completions", key: "Bearer " + testKey,
				Messages: []message{{"user", "Mend task0"}}}},
		{"system, seed and more", Settings{Model: "m", System: "Be brief.", Seed: &seed, MaxTokens: 5,
			Extra: map[string]json.RawMessage{"top_k": json.RawMessage("20")}}, "",
			request{Model: "m", MaxTokens: 5, N: 3, Seed: &seed, TopK: 20, path: "/v1/chat/completions",
				Messages: []message{{"system", "Be brief."}, {"user", "Mend task0"}}}},
		{"completions", Settings{Model: "m", Completions: true, MaxTokens: 5}, "",
			request{Model: "m", MaxTokens: 5, N: 3, path: "/v1/completions", Prompt: "Mend task0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got request
			url, _ := serve(t, func(w http.ResponseWriter, r *request) {
				got = *r
				choose(w, "a", "b", "c")
			})
			_, samples, err := try(t, t.TempDir(), makeTasks(t, 1), Options{BaseURL: url, Key: test.key, Settings: test.settings, Samples: 3})
			if err != nil || samples != `{"id":0,"outputs":["a","b","c"]}`+"\n" {
				t.Errorf("%s, %v", samples, err)
			}
			if *got.Temperature != test.settings.Temperature || *got.Stream {
				t.Errorf("temperature %v, stream %v", *got.Temperature, *got.Stream)
			}
			test.want.number, test.want.Temperature, test.want.Stream = 1, got.Temperature, got.Stream
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(request{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What servers say that have no field too many, and none too few.
func TestDialects(t *testing.T) {
	for _, test := range []struct{ name, answer, want string }{
		{"OpenAI", `{"id":"c-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":1},"service_tier":"default"}`, "a"},
		{"vLLM", `{"choices":[{"index":0,"message":{"role":"assistant","reasoning_content":"hm","content":"a","tool_calls":[]},"finish_reason":"length","stop_reason":null}],"prompt_logprobs":null,"kv_transfer_params":null}`, "a"},
		{"vLLM, cut off while thinking", `{"choices":[{"message":{"role":"assistant","reasoning_content":"hm","content":null},"finish_reason":"length"}]}`, ""},
		{"llama.cpp", `{"choices":[{"finish_reason":"stop","index":0,"message":{"role":"assistant","content":"a\n"}}],"timings":{"prompt_n":1},"__verbose":{}}`, "a\n"},
		{"Ollama", `{"id":"chatcmpl-1","system_fingerprint":"fp_ollama","choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"stop"}]}`, ""},
		{"vLLM 0.32", `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a","refusal":null,"annotations":null,"audio":null,"function_call":null,"reasoning":"hm"},"logprobs":null,"finish_reason":"length","stop_reason":null,"token_ids":null,"routed_experts":null}],"service_tier":null,"system_fingerprint":"vllm-0.32.0-0","usage":{"prompt_tokens":24,"total_tokens":30,"completion_tokens":6,"prompt_tokens_details":null,"completion_tokens_details":null},"prompt_logprobs":null,"kv_transfer_params":null}`, "a"},
		{"vLLM 0.32, cut off while thinking", `{"choices":[{"index":0,"message":{"role":"assistant","content":null,"reasoning":"hm"},"finish_reason":"length","stop_reason":null}]}`, ""},
		{"llama.cpp, thinking", `{"choices":[{"finish_reason":"stop","index":0,"message":{"role":"assistant","reasoning_content":"hm","content":"a"}}],"created":1,"model":"m","system_fingerprint":"b1","object":"chat.completion","usage":{"completion_tokens":2,"prompt_tokens":27,"total_tokens":29,"prompt_tokens_details":{"cached_tokens":26}},"id":"c","timings":{"cache_n":26,"prompt_ms":0.3}}`, "a"},
		{"llama-cpp-python", `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"content":"a","role":"assistant"},"logprobs":null,"finish_reason":"length"}],"usage":{"prompt_tokens":26,"completion_tokens":3,"total_tokens":29}}`, "a"},
		{"transformers", `{"id":"1","choices":[{"finish_reason":"length","index":0,"message":{"content":"a","role":"assistant"}}],"created":1,"model":"m@main","object":"chat.completion","usage":{"completion_tokens":3,"prompt_tokens":24,"total_tokens":27}}`, "a"},
		{"SGLang", `{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a","reasoning_content":null,"tool_calls":null},"logprobs":null,"finish_reason":"stop","matched_stop":151645}],"usage":{"prompt_tokens":1,"total_tokens":2,"completion_tokens":1,"prompt_tokens_details":null},"metadata":{"weight_version":"default"}}`, "a"},
		{"usage of another type", `{"model":["m"],"choices":[{"text":"a"}],"usage":"none"}`, "a"},
		{"completion", `{"object":"text_completion","choices":[{"text":"a","index":0,"logprobs":null,"finish_reason":"stop"}]}`, "a"},
		{"hardly anything", `{"choices":[{"message":{"content":"a"}}]}`, "a"},
		{"hardly any completion", ` {"choices":[{"text":""}]} `, ""},
		{"parts", `{"choices":[{"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`, "ab"},
		{"reason of another type", `{"choices":[{"message":{"content":"a"},"finish_reason":{"type":"stop"}}],"error":null}`, "a"},
		{"escapes", `{"choices":[{"text":"\u003c\u2028\ud83d\ude00\u0000</b>"}]}`, "<\u2028😀\x00</b>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			url, _ := serve(t, func(w http.ResponseWriter, _ *request) { io.WriteString(w, test.answer) })
			_, text, err := try(t, t.TempDir(), makeTasks(t, 1), Options{BaseURL: url})
			if err != nil {
				t.Fatal(err)
			}
			line, err := rows.NewLines("s.jsonl", strings.NewReader(text)).Next()
			if err != nil {
				t.Fatal(err)
			}
			samples, err := evaluator.ParseSamples(evaluator.Row(line), "outputs")
			if err != nil || len(samples.Outputs) != 1 || samples.Outputs[0] != test.want {
				t.Errorf("%s, %v, want %q", text, err, test.want)
			}
		})
	}
}

// hijack writes text as the connection's whole answer and cuts it.
func hijack(w http.ResponseWriter, text string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	io.WriteString(conn, text)
	conn.Close()
}

// fail answers with a status and a body.
func fail(status int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func body(text string) func(http.ResponseWriter) { return fail(http.StatusOK, text) }

// Faults that may go away by themselves: each request fails twice and then
// succeeds; and what is said where it never does.
func TestPassingFaults(t *testing.T) {
	for name, test := range map[string]struct {
		fault func(http.ResponseWriter)
		said  string
	}{
		"500":                 {fail(500, `{"error":{"message":"out of memory","type":"server_error"}}`), "expected 200 OK, found 500 Internal Server Error: out of memory (tried 3 times)"},
		"502 of a proxy":      {fail(502, "<html>\n<b>Bad\x1b[31m Gateway</b>"), "found 502 Bad Gateway: <html> <b>Bad\ufffd[31m Gateway</b> (tried"},
		"503, no body":        {fail(503, ""), "found 503 Service Unavailable (tried 3 times)"},
		"429":                 {fail(429, `{"error":"too many"}`), "found 429 Too Many Requests: too many"},
		"408":                 {fail(408, `{"detail":[{"msg":"slow"}]}`), "found 408 Request Timeout: slow"},
		"cut before a header": {func(w http.ResponseWriter) { hijack(w, "") }, "EOF"},
		"cut in the header":   {func(w http.ResponseWriter) { hijack(w, "HTTP/1.1 200 OK\r\nContent-Le") }, "connection broken"},
		"cut in the body": {func(w http.ResponseWriter) {
			hijack(w, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"choices\":")
		}, "the answer broke off after 11 bytes: unexpected EOF"},
		"no HTTP":        {func(w http.ResponseWriter) { hijack(w, "220 mail.example.com\r\n") }, "malformed HTTP"},
		"malformed JSON": {body(`{"choices":[{"text":"a"}`), `expected a JSON object with choices, found 24 bytes that begin {"choices":[{"text":"a"}`},
		"more than JSON": {body(`{"choices":[{"text":"a"}]} {}`), "expected a JSON object with choices"},
		"another type":   {body(`["a"]`), "expected a JSON object with choices"},
		"wrong type of choices": {body(`{"choices":{"text":"a"}}`),
			"expected a JSON object with choices"},
		"empty":           {body(""), "found 0 bytes"},
		"no choices":      {body(`{}`), "expected at least one of choices, found none"},
		"empty choices":   {body(`{"choices":[]}`), "expected at least one of choices, found none"},
		"an error in 200": {body(`{"error":{"message":"overloaded"}}`), "found the error overloaded"},
		"no text":         {body(`{"choices":[{"finish_reason":"stop"}]}`), "choices[0]: expected message.content or text, found neither"},
		"null":            {body(`{"choices":[{"message":{"content":null},"finish_reason":null}]}`), "found neither"},
		"a number":        {body(`{"choices":[{"message":{"content":7},"finish_reason":"stop"}]}`), "found neither"},
		"a web page": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<html>Log in")
		}, "found 12 bytes that begin <html>Log in (its type is text/html)"},
		"a stream": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: {}\n\n")
		}, "(its type is text/event-stream)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, _ := serve(t, func(w http.ResponseWriter, r *request) {
				if r.number <= 2 {
					test.fault(w)
				} else {
					choose(w, "a")
				}
			})
			o := Options{BaseURL: url, Retries: 2}
			summary, samples, err := try(t, t.TempDir(), makeTasks(t, 1), o)
			if err != nil || summary.Retries != 2 || samples != `{"id":0,"outputs":["a"]}`+"\n" {
				t.Errorf("%+v, %s, %v", summary, samples, err)
			}

			url, requests := serve(t, func(w http.ResponseWriter, _ *request) { test.fault(w) })
			o.BaseURL = url
			summary, samples, err = try(t, t.TempDir(), makeTasks(t, 1), o)
			if err != nil || samples != "" || len(summary.Failures) != 1 || requests.Load() != 3 {
				t.Fatalf("%+v, %s, %v, %d requests", summary, samples, err, requests.Load())
			}
			got := summary.Failures[0].Err.Error()
			if summary.Failures[0].Task != "0" || !strings.HasPrefix(got, "POST "+url+"/chat/completions: ") || !strings.Contains(got, test.said) {
				t.Errorf("said %s\nwant %s", got, test.said)
			}
		})
	}
}

// An answer may begin in time, and not end.
func TestSlowBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slowly := func(w http.ResponseWriter) {
			for {
				if _, err := io.WriteString(w, " "); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		}
		o, _ := serveInMemory(t, func(w http.ResponseWriter, r *request) {
			if r.number <= 2 {
				slowly(w)
			} else {
				choose(w, "a")
			}
		})
		o.Retries, o.Timeout = 2, 200*time.Millisecond
		summary, samples, err := try(t, t.TempDir(), makeTasks(t, 1), o)
		if err != nil || summary.Retries != 2 || samples != `{"id":0,"outputs":["a"]}`+"\n" {
			t.Errorf("%+v, %s, %v", summary, samples, err)
		}

		never, requests := serveInMemory(t, func(w http.ResponseWriter, _ *request) { slowly(w) })
		o.dial = never.dial
		start := time.Now()
		summary, _, err = try(t, t.TempDir(), makeTasks(t, 1), o)
		const said = "expected the whole answer within 200ms (tried 3 times): a longer --timeout or a lower --concurrency may help"
		if err != nil || len(summary.Failures) != 1 || requests.Load() != 3 || !strings.HasSuffix(summary.Failures[0].Err.Error(), said) {
			t.Errorf("%+v, %v, %d requests", summary, err, requests.Load())
		}
		if took := time.Since(start); took < 3*o.Timeout || took > 3*o.Timeout+10*time.Millisecond {
			t.Errorf("gave up after %v", took)
		}
	})
}

// Answers after which no other request is made.
func TestHopelessFaults(t *testing.T) {
	for name, test := range map[string]struct {
		fault func(http.ResponseWriter)
		said  string
	}{
		"401": {fail(401, `{"error":{"message":"no such key: sk-very-secret","code":"invalid_api_key"}}`), "found 401 Unauthorized: no such key: ***"},
		"403": {fail(403, ""), "found 403 Forbidden"},
		"404": {fail(404, `{"object":"error","message":"The model does not exist"}`), "found 404 Not Found: The model does not exist (base URLs often end in /v1"},
		"302": {func(w http.ResponseWriter) {
			w.Header().Set("Location", "https://user:password@other.example.com/v1?key=1")
			w.WriteHeader(302)
		}, "redirects are not followed, and this one is to https://other.example.com/v1"},
		"307": {func(w http.ResponseWriter) { w.Header().Set("Location", "/v2"); w.WriteHeader(307) }, "this one is to http://127.0.0.1"},
		"no money, and no end of it": {func(w http.ResponseWriter) {
			w.Header().Set("X-Ratelimit-Remaining-Requests", "0")
			w.Header().Set("X-Ratelimit-Reset-Requests", "24h0m0s")
			w.WriteHeader(429)
		}, "left alone for 24h0m0s"},
		"one temperature": {fail(400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0.6 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`),
			"Only the default (1) value is supported. (try --temperature 1, or --extra '{\"temperature\": null}' to send none)"},
		"no money":   {fail(429, `{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}`), "You exceeded your quota"},
		"in an hour": {func(w http.ResponseWriter) { w.Header().Set("Retry-After", "3600"); w.WriteHeader(429) }, "left alone for 1h0m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, requests := serve(t, func(w http.ResponseWriter, _ *request) { test.fault(w) })
			_, samples, err := try(t, t.TempDir(), makeTasks(t, 5), Options{BaseURL: url, Key: testKey, Retries: 3, Concurrency: 1})
			if err == nil || !strings.Contains(err.Error(), test.said) || strings.Contains(err.Error(), testKey) {
				t.Errorf("said %v\nwant %s", err, test.said)
			}
			if samples != "" || requests.Load() != 1 {
				t.Errorf("%s, %d requests", samples, requests.Load())
			}
		})
	}
}

// refused ends what the system says of a port that nobody listens at.
var refused = func() string {
	if runtime.GOOS == "windows" {
		return "refused it."
	}
	return "refused"
}()

// deaf returns an address that nobody listens at, nor can before the test ends: a
// connection goes out from there.
func deaf(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.LocalAddr().String()
}

func TestNoServer(t *testing.T) {
	o := Options{BaseURL: "http://user:" + testKey + "@" + deaf(t) + "/v1?key=" + testKey, Retries: 2}
	summary, _, err := try(t, t.TempDir(), makeTasks(t, 50), o)
	if err == nil || !strings.Contains(err.Error(), refused+" (tried 3 times)") || strings.Contains(err.Error(), testKey) {
		t.Errorf("%+v, %v", summary, err)
	}
}

func TestBadOptions(t *testing.T) {
	for _, test := range []struct {
		o    Options
		said string
	}{
		{Options{BaseURL: "localhost:8000/v1"}, "expected http://host:port/v1"},
		{Options{BaseURL: "/v1"}, "expected http://host:port/v1"},
		{Options{BaseURL: "chat/completions"}, "expected http://host:port/v1"},
		{Options{BaseURL: "ftp://a/v1"}, "expected http://host:port/v1"},
		{Options{BaseURL: "http://a:" + testKey + "/\x7f"}, "the base URL: expected"},
		{Options{BaseURL: "http://a/v1", Key: testKey + "\n"}, "expected printable ASCII"},
	} {
		_, _, err := try(t, t.TempDir(), makeTasks(t, 1), test.o)
		if err == nil || !strings.Contains(err.Error(), test.said) || strings.Contains(err.Error(), testKey) {
			t.Errorf("%+v: %v", test.o, err)
		}
	}
}

// A request that the server refuses for what it is costs its own samples alone;
// many in a row end the run.
func TestLastingFaults(t *testing.T) {
	url, requests := serve(t, func(w http.ResponseWriter, r *request) {
		if strings.HasSuffix(r.prompt(), "task1") {
			fail(400, `{"error":{"message":"maximum context length"}}`)(w)
		} else {
			choose(w, r.prompt())
		}
	})
	summary, samples, err := try(t, t.TempDir(), makeTasks(t, 3), Options{BaseURL: url, Retries: 5})
	if err != nil || summary.Asked != 2 || summary.Retries != 0 || requests.Load() != 3 {
		t.Errorf("%+v, %v", summary, err)
	}
	if want := `{"id":0,"outputs":["Mend task0"]}` + "\n" + `{"id":2,"outputs":["Mend task2"]}` + "\n"; samples != want {
		t.Errorf("got %s", samples)
	}
	if len(summary.Failures) != 1 || summary.Failures[0].Task != "1" {
		t.Errorf("%v", summary.Failures)
	}

	url, requests = serve(t, func(w http.ResponseWriter, _ *request) { fail(400, "no")(w) })
	_, _, err = try(t, t.TempDir(), makeTasks(t, 100), Options{BaseURL: url, Concurrency: 2})
	if err == nil || !strings.Contains(err.Error(), "10 tasks failed one after the other") || requests.Load() > 12 {
		t.Errorf("%v after %d requests", err, requests.Load())
	}
}

// Whatever a server makes of n, each sample is asked for once.
func TestSamplesPerRequest(t *testing.T) {
	texts := func(r *request, n int) (texts []string) {
		for i := range n {
			texts = append(texts, fmt.Sprintf("%s %d.%d", r.prompt(), r.number, i))
		}
		return texts
	}
	refuse := func(most, status int, text string) func(w http.ResponseWriter, r *request) {
		return func(w http.ResponseWriter, r *request) {
			if r.N > most {
				fail(status, text)(w)
			} else {
				choose(w, texts(r, max(r.N, 1))...)
			}
		}
	}
	for name, test := range map[string]struct {
		answer       func(w http.ResponseWriter, r *request)
		per          int
		wantRequests int64
	}{
		"knows n":      {func(w http.ResponseWriter, r *request) { choose(w, texts(r, max(r.N, 1))...) }, 0, 3},
		"ignores n":    {func(w http.ResponseWriter, r *request) { choose(w, texts(r, 1)...) }, 0, 21},
		"gives three":  {func(w http.ResponseWriter, r *request) { choose(w, texts(r, min(max(r.N, 1), 3))...) }, 0, 9},
		"gives ten":    {func(w http.ResponseWriter, r *request) { choose(w, texts(r, 10)...) }, 0, 3},
		"asked one":    {func(w http.ResponseWriter, r *request) { choose(w, texts(r, max(r.N, 1))...) }, 1, 21},
		"asked four":   {func(w http.ResponseWriter, r *request) { choose(w, texts(r, max(r.N, 1))...) }, 4, 6},
		"refuses n":    {refuse(1, 400, `{"error":{"message":"n is not supported"}}`), 0, 23},
		"old llama":    {refuse(1, 500, `{"error":{"code":500,"message":"Only one completion choice is allowed"}}`), 0, 23},
		"FastAPI does": {refuse(1, 422, `{"detail":[{"loc":["body","n"],"msg":"must be 1"}]}`), 0, 23},
		// Its slots are the limit: 7, then 3 and 3 and 1 of each.
		"llama.cpp": {refuse(4, 400, `{"error":{"code":400,"message":"Field 'n': Value must be between 1 <= value <= 4, but got 7","type":"invalid_request_error"}}`), 0, 10},
	} {
		t.Run(name, func(t *testing.T) {
			url, requests := serve(t, test.answer)
			summary, text, err := try(t, t.TempDir(), makeTasks(t, 3), Options{BaseURL: url, Samples: 7, PerRequest: test.per, Concurrency: 1})
			if err != nil || summary.Asked != 21 || requests.Load() != test.wantRequests {
				t.Errorf("%+v, %v, %d requests", summary, err, requests.Load())
			}
			requireWhole(t, text, 3, 7)
		})
	}
}

// requireWhole requires n different samples of each task, each in its own task.
func requireWhole(t *testing.T, text string, tasks, n int) {
	t.Helper()
	seen := map[string]bool{}
	lines := rows.NewLines("s.jsonl", strings.NewReader(text))
	for i := range tasks {
		line, err := lines.Next()
		if err != nil {
			t.Fatal(err)
		}
		samples, err := evaluator.ParseSamples(evaluator.Row(line), "outputs")
		if err != nil || string(samples.ID) != strconv.Itoa(i) || len(samples.Outputs) != n {
			t.Fatalf("line %d: %.200s, %v", i+1, line.Text, err)
		}
		for _, output := range samples.Outputs {
			if seen[output] || !strings.HasPrefix(output, fmt.Sprintf("Mend task%d ", i)) {
				t.Errorf("task %d: %q", i, output)
			}
			seen[output] = true
		}
	}
	if _, err := lines.Next(); err != io.EOF {
		t.Errorf("more than %d lines", tasks)
	}
}

func TestSeeds(t *testing.T) {
	var lock sync.Mutex
	got := map[string]string{}
	url, _ := serve(t, func(w http.ResponseWriter, r *request) {
		lock.Lock()
		defer lock.Unlock()
		if r.number == 2 {
			fail(500, "")(w)
			return
		}
		got[r.prompt()] += fmt.Sprintf(" %d", *r.Seed)
		choose(w, "a")
	})
	seed := int64(7)
	_, _, err := try(t, t.TempDir(), makeTasks(t, 2), Options{BaseURL: url, Samples: 3, Concurrency: 1, Retries: 1, Settings: Settings{Seed: &seed}})
	if diff := cmp.Diff(map[string]string{"Mend task0": " 7 8 9", "Mend task1": " 7 8 9"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestNewNameOfTheLimit(t *testing.T) {
	url, requests := serve(t, func(w http.ResponseWriter, r *request) {
		if r.MaxTokens != 0 {
			fail(400, `{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}`)(w)
			return
		}
		if r.MaxCompletionTokens != 9 {
			t.Errorf("max_completion_tokens %d", r.MaxCompletionTokens)
		}
		choose(w, "a")
	})
	summary, _, err := try(t, t.TempDir(), makeTasks(t, 3), Options{BaseURL: url, Concurrency: 1, Settings: Settings{MaxTokens: 9}})
	if err != nil || summary.Asked != 3 || requests.Load() != 4 {
		t.Errorf("%+v, %v, %d requests", summary, err, requests.Load())
	}
}

// Where the server asks for a pause, none of the workers breaks it.
func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const hold = 30 * time.Second
		var until, early atomic.Int64
		o, _ := serveInMemory(t, func(w http.ResponseWriter, r *request) {
			switch {
			case r.number == 3:
				until.Store(time.Now().Add(hold).UnixNano())
				w.Header().Set("Retry-After", strconv.Itoa(int(hold/time.Second)))
				fail(429, `{"error":{"message":"slow down"}}`)(w)
				return
			case r.number > 3+3 && time.Now().UnixNano() < until.Load(): // three may be under way
				early.Add(1)
			}
			time.Sleep(5 * time.Millisecond)
			choose(w, "a")
		})
		var told atomic.Int64
		o.Concurrency, o.Retries = 4, 1
		o.Retrying = func(err error, wait time.Duration) {
			if told.Add(1); wait < hold || !strings.Contains(err.Error(), "slow down") {
				t.Errorf("%v, %v", wait, err)
			}
		}
		summary, _, err := try(t, t.TempDir(), makeTasks(t, 40), o)
		if err != nil || summary.Asked != 40 || summary.Retries != 1 || early.Load() > 0 || told.Load() != 1 {
			t.Errorf("%+v, %v, %d early, %d told", summary, err, early.Load(), told.Load())
		}
	})
}

func TestRetryAfterHeaders(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, test := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "7", 7 * time.Second},
		{"Retry-After", " 0.5 ", 500 * time.Millisecond},
		{"Retry-After", "Fri, 02 Jan 2026 03:05:05 GMT", time.Minute},
		{"Retry-After", "Fri, 02 Jan 2026 03:00:05 GMT", 0},
		{"Retry-After", "-3", 0},
		{"Retry-After", "NaN", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After", "", 0},
		{"Retry-After", "1e300", 365 * 24 * time.Hour},
		{"Retry-After-Ms", "20", 20 * time.Millisecond},
		// OpenAI's, where there are no requests left. Tokens there are.
		{"X-Ratelimit-Reset-Requests", "1m30.5s", 90*time.Second + 500*time.Millisecond},
		{"X-Ratelimit-Reset-Requests", "20ms", 20 * time.Millisecond},
		{"X-Ratelimit-Reset-Requests", "soon", 0},
		{"X-Ratelimit-Reset-Requests", "-1s", 0},
		{"X-Ratelimit-Reset-Requests", "100000h", 365 * 24 * time.Hour},
		{"X-Ratelimit-Reset-Tokens", "7s", 0},
	} {
		header := http.Header{
			test.name:                        {test.value},
			"X-Ratelimit-Remaining-Requests": {"0"},
			"X-Ratelimit-Remaining-Tokens":   {"1499"},
		}
		if got := retryAfter(header, now); got != test.want {
			t.Errorf("%s: %s: got %v, want %v", test.name, test.value, got, test.want)
		}
	}
}

// What ends the run ends it at once: the server holds each answer but three until Ask
// has returned, so an Ask that waited for one would never return. No request is begun
// after the end but those that were under way.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tasks := makeTasks(t, 10)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := make(chan struct{})
		o, requests := serveInMemory(t, func(w http.ResponseWriter, r *request) {
			if r.number <= 3 {
				choose(w, "a")
				return
			}
			time.Sleep(time.Second) // in virtual time: until the first three are recorded
			cancel()
			<-done
		})
		defer close(done)
		journal, err := Open(filepath.Join(t.TempDir(), "s.jsonl"), tasks, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		defer journal.Close()
		o.Samples, o.Concurrency = 1, 2
		summary, err := Ask(ctx, tasks, journal, o)
		if !errors.Is(err, context.Canceled) || summary.Asked != 3 || len(summary.Failures) > 0 {
			t.Errorf("%+v, %v", summary, err)
		}
		if n := requests.Load(); n > int64(3+o.Concurrency) {
			t.Errorf("%d requests", n)
		}
		if counts := journal.Counts(); counts.Samples != 3 {
			t.Errorf("%+v", counts)
		}
	})
}

// The key and what else is secret stand in no file, error or note.
func TestSecrets(t *testing.T) {
	long := strings.Repeat("x ", maxQuoted/2-5) // so that the key lies where messages are cut
	for name, answer := range map[string]func(w http.ResponseWriter){
		"error":  fail(500, `{"error":{"message":"`+long+testKey+`"}}`),
		"text":   fail(503, testKey),
		"JSON":   body(long + testKey),
		"type":   func(w http.ResponseWriter) { w.Header().Set("Content-Type", testKey); io.WriteString(w, "<") },
		"status": func(w http.ResponseWriter) { hijack(w, "HTTP/1.1 "+testKey+"\r\n\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			url, _ := serve(t, func(w http.ResponseWriter, r *request) {
				if r.path != "/v1/chat/completions?api-version=1" || r.key != "Bearer "+testKey {
					t.Errorf("%s, %s", r.path, r.key)
				}
				if r.number%2 == 0 {
					choose(w, "a")
				} else {
					answer(w)
				}
			})
			var said strings.Builder
			o := Options{BaseURL: strings.Replace(url, "//", "//user:"+testKey+"@", 1) + "?api-version=1", Key: testKey, Concurrency: 1, Retries: 1}
			o.Retrying = func(err error, _ time.Duration) { fmt.Fprintln(&said, err) }
			summary, _, err := try(t, dir, makeTasks(t, 1), o)
			if err != nil || summary.Retries != 1 {
				t.Errorf("%+v, %v", summary, err)
			}
			journal, err := os.ReadFile(filepath.Join(dir, "s.jsonl"+Suffix))
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{said.String(), string(journal)} {
				if strings.Contains(text, testKey[:6]) || text == "" {
					t.Errorf("%s", text)
				}
			}
		})
	}
}
