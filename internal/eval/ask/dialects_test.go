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
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What is said where the model or the address is wrong. Statuses and bodies are
// those of the servers named.
func TestWrongModelOrAddress(t *testing.T) {
	type answer struct {
		status int
		body   string
	}
	const vllm = `{"object":"list","data":[{"id":"tiny","object":"model","created":1,"owned_by":"vllm","root":"/models/tiny","parent":null,"max_model_len":4096,"permission":[{"id":"p","organization":"*"}]}]}`
	fastAPI := answer{404, `{"detail":"Not Found"}`}
	for name, test := range map[string]struct {
		base, model string
		chat        answer // to POST /v1/chat/completions
		models      answer // to GET /v1/models
		other       answer // to all else
		said        string
		requests    int64 // at most, of five tasks
	}{
		"vLLM": {"/v1", "nosuch",
			answer{404, "{\"error\":{\"message\":\"The model `nosuch` does not exist.\",\"type\":\"NotFoundError\",\"param\":\"model\",\"code\":404}}"},
			answer{200, vllm}, fastAPI,
			"The model `nosuch` does not exist. (the server lists no model \"nosuch\", but tiny)", 1},
		"an older vLLM": {"/v1", "nosuch",
			answer{404, "{\"object\":\"error\",\"message\":\"The model `nosuch` does not exist.\",\"type\":\"NotFoundError\",\"param\":null,\"code\":404}"},
			answer{200, vllm}, fastAPI,
			"The model `nosuch` does not exist. (the server lists no model \"nosuch\", but tiny)", 1},
		"Ollama": {"/v1", "nosuch",
			answer{404, `{"error":{"message":"model 'nosuch' not found","type":"api_error","param":null,"code":null}}`},
			answer{200, `{"object":"list","data":[{"id":"tiny:latest","object":"model","created":1,"owned_by":"library"}]}`}, answer{404, "404 page not found"},
			`model 'nosuch' not found (the server lists no model "nosuch", but tiny:latest)`, 1},
		"Ollama without models": {"/v1", "nosuch",
			answer{404, `{"error":{"message":"model 'nosuch' not found","type":"api_error","param":null,"code":null}}`},
			answer{200, `{"object":"list","data":[]}`}, answer{404, "404 page not found"},
			`(the server lists no model "nosuch", but none)`, 1},
		"LiteLLM": {"/v1", "tiny",
			answer{400, `{"error":{"message":"/chat/completions: Invalid model name passed in model=tiny. Call /v1/models to view available models for your key.","type":"invalid_request_error","param":"model","code":"400"}}`},
			answer{200, `{"data":[{"id":"tiny-proxied","object":"model","created":1,"owned_by":"openai"}],"object":"list"}`}, fastAPI,
			`(the server lists no model "tiny", but tiny-proxied)`, 1},
		// Its list is of no use: each request is refused for itself.
		"transformers": {"/v1", "nosuch",
			answer{400, `{"detail":"Server is pinned to 'tiny'; requested 'nosuch'."}`},
			answer{500, "Internal Server Error"}, fastAPI,
			"found 400 Bad Request: Server is pinned to 'tiny'; requested 'nosuch'.", 5},
		"a refusal for something else": {"/v1", "tiny",
			answer{400, `{"error":{"code":400,"message":"request (20895 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":20895,"n_ctx":4096}}`},
			answer{200, `{"models":[],"object":"list","data":[{"id":"tiny","aliases":["tiny"],"object":"model"}]}`}, fastAPI,
			"exceeds the available context size (4096 tokens), try increasing it", 5},
		"without v1": {"", "tiny", answer{200, "{}"}, answer{200, vllm}, fastAPI, "404 Not Found: Not Found (try URL/v1 as the base URL)", 1},
		"a slash":    {"/", "tiny", answer{200, "{}"}, answer{200, vllm}, fastAPI, "(try URL/v1 as the base URL)", 1},
		"elsewhere":  {"/api", "tiny", answer{200, "{}"}, answer{200, vllm}, answer{405, ""}, "405 Method Not Allowed (try URL/v1 as the base URL)", 1},
		"LM Studio": {"", "tiny", answer{200, "{}"}, answer{200, vllm}, answer{200, `{"error":"Unexpected endpoint or method. (POST /chat/completions)"}`},
			"found the error Unexpected endpoint or method. (POST /chat/completions) (try URL/v1 as the base URL)", 1},
		"nowhere": {"/api", "tiny", fastAPI, fastAPI, fastAPI, "(base URLs often end in /v1; is the model's name right?)", 1},
		"the model, and no endpoint": {"/v1", "tiny", fastAPI,
			answer{200, vllm}, fastAPI, "found 404 Not Found: Not Found", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var posts, gets atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer "+testKey {
					t.Errorf("%s %s without the key", r.Method, r.URL)
				}
				a := test.other
				switch r.Method + r.URL.Path {
				case "POST/v1/chat/completions":
					a = test.chat
				case "GET/v1/models":
					a = test.models
				}
				if r.Method == http.MethodPost {
					posts.Add(1)
				} else {
					gets.Add(1)
				}
				fail(a.status, a.body)(w)
			}))
			defer server.Close()
			summary, _, err := try(t, t.TempDir(), makeTasks(t, 5), Options{
				BaseURL: server.URL + test.base, Key: testKey, Concurrency: 1, Settings: Settings{Model: test.model}})
			if err == nil && len(summary.Failures) > 0 {
				err = summary.Failures[0].Err
			}
			if err == nil {
				t.Fatal("no error")
			}
			said := strings.ReplaceAll(err.Error(), server.URL, "URL")
			if !strings.HasSuffix(said, test.said) {
				t.Errorf("said %s\nwant %s", said, test.said)
			}
			if posts.Load() != test.requests || gets.Load() > 3 {
				t.Errorf("%d and %d requests", posts.Load(), gets.Load())
			}
		})
	}
}

// A server that has one model and answers to every name.
func TestUnlistedModel(t *testing.T) {
	for model, want := range map[string]string{"nosuch": "tiny\ufffd[2J", "tiny\x1b[2J": ""} {
		synctest.Test(t, func(t *testing.T) {
			server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					io.WriteString(w, `{"object":"list","data":[{"id":"tiny\u001b[2J","object":"model","owned_by":"me","permissions":[]}]}`)
					return
				}
				time.Sleep(time.Second) // in virtual time: until the list was read
				choose(w, "a")
			}))
			o := Options{BaseURL: "http://memory", dial: server.dial, Settings: Settings{Model: model}}
			summary, _, err := try(t, t.TempDir(), makeTasks(t, 2), o)
			if err != nil || summary.Listed != want {
				t.Errorf("%+v, %v", summary, err)
			}
		})
	}
}

func TestModelLists(t *testing.T) {
	many := modelList{ok: true}
	for i := range 20 {
		many.names = append(many.names, fmt.Sprintf("other-%d", i))
	}
	many.names = append(many.names, "org/qwen3-8b", "qwen2-7b")
	for _, test := range []struct {
		list       modelList
		name, want string
	}{
		{parseModels([]byte(`[{"id":"a"},{"id":"b"}]`)), "x", "a, b"},
		{parseModels([]byte(`{"data":[{"id":"a","aliases":["b","a"]},{}]}`)), "x", "a, b"},
		{parseModels([]byte(`{"data":null}`)), "x", "(nothing)"},
		{parseModels([]byte(`{"data":7}`)), "x", "(nothing)"},
		{parseModels([]byte(`{"models":[]}`)), "x", "(nothing)"},
		{parseModels([]byte(`<html>`)), "x", "(nothing)"},
		{many, "Qwen3-8B", "org/qwen3-8b, qwen2-7b, other-0, other-1, other-2 and 17 more"},
	} {
		got := "(nothing)"
		if test.list.ok {
			got = test.list.near(test.name)
		}
		if got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// Base URLs as people copy them.
func TestBaseURLs(t *testing.T) {
	url, _ := serve(t, func(w http.ResponseWriter, r *request) {
		if r.path != "/v1/chat/completions" {
			t.Errorf("path %s", r.path)
		}
		choose(w, "a")
	})
	for _, end := range []string{"", "/", "//", "/chat/completions", "/chat/completions/", "/completions"} {
		if summary, _, err := try(t, t.TempDir(), makeTasks(t, 1), Options{BaseURL: url + end}); err != nil || summary.Asked != 1 {
			t.Errorf("%s: %+v, %v", end, summary, err)
		}
	}
}

func TestNoKey(t *testing.T) {
	url, _ := serve(t, func(w http.ResponseWriter, _ *request) {
		fail(401, `{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}`)(w)
	})
	_, _, err := try(t, t.TempDir(), makeTasks(t, 1), Options{BaseURL: url})
	if !errors.Is(err, ErrNoKey) || !strings.HasSuffix(err.Error(), "401 Unauthorized: Invalid API Key: no key was sent") {
		t.Error(err)
	}
	if _, _, err := try(t, t.TempDir(), makeTasks(t, 1), Options{BaseURL: url, Key: testKey}); errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
}

// A server that was never there is given up soon; one that was there, and is
// started anew, is waited for.
func TestServerGone(t *testing.T) {
	o := Options{BaseURL: "http://" + deaf(t) + "/v1", Retries: 50, Concurrency: 1}
	if _, _, err := try(t, t.TempDir(), makeTasks(t, 1), o); err == nil || !strings.HasSuffix(err.Error(), refused+" (tried 4 times)") {
		t.Error(err)
	}

	synctest.Test(t, func(t *testing.T) {
		var server atomic.Pointer[listener]
		o.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			if l := server.Load(); l != nil {
				return l.dial(ctx, network, address)
			}
			return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
		}
		first, _ := handle(t, func(w http.ResponseWriter, _ *request) {
			server.Store(nil)
			w.Header().Set("Connection", "close")
			choose(w, "a")
		})
		second, _ := handle(t, func(w http.ResponseWriter, _ *request) { choose(w, "a") })
		server.Store(listen(t, first))
		knocks := 0
		o.Retrying = func(error, time.Duration) {
			if knocks++; knocks == 5 {
				server.Store(listen(t, second))
			}
		}
		summary, _, err := try(t, t.TempDir(), makeTasks(t, 3), o)
		if err != nil || summary.Asked != 3 || knocks != 5 {
			t.Errorf("%+v, %v, %d", summary, err, knocks)
		}
	})
}

// An address with https:// of a server that knows http:// only, which may answer
// or be silent.
func TestNoTLS(t *testing.T) {
	url, _ := serve(t, func(http.ResponseWriter, *request) {})
	o := Options{BaseURL: strings.Replace(url, "http:", "https:", 1), Retries: 3}
	_, _, err := try(t, t.TempDir(), makeTasks(t, 1), o)
	if err == nil || !strings.HasSuffix(err.Error(), "(is this a server for http://, not https://?)") {
		t.Error(err)
	}

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := newClient(Options{BaseURL: "https://" + listener.Addr().String() + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	client.http.Transport.(*http.Transport).TLSHandshakeTimeout = 20 * time.Millisecond
	tasks := makeTasks(t, 1)
	r := client.ask(t.Context(), tasks.At(0), []int{0})
	if r.err == nil || !strings.HasSuffix(r.err.Error(), "timeout (is this a server for http://, not https://?)") {
		t.Error(r.err)
	}
}

// A server that is too slow for all samples of a task at once is asked for fewer.
func TestTooSlowForMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, _ := serveInMemory(t, func(w http.ResponseWriter, r *request) {
			if r.N > 3 {
				time.Sleep(time.Second)
			}
			var texts []string
			for i := range max(r.N, 1) {
				texts = append(texts, fmt.Sprintf("%s %d.%d", r.prompt(), r.number, i))
			}
			choose(w, texts...)
		})
		o.Samples, o.Retries, o.Timeout, o.Concurrency = 10, 2, 500*time.Millisecond, 1
		summary, text, err := try(t, t.TempDir(), makeTasks(t, 2), o)
		if err != nil || summary.Asked != 20 || summary.Retries != 2 {
			t.Errorf("%+v, %v", summary, err)
		}
		requireWhole(t, text, 2, 10)
	})
}

// A null in the extra fields takes ours away.
func TestNoTemperature(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		if err != nil || bytes.Contains(text, []byte("temperature")) || !bytes.Contains(text, []byte(`"max_tokens":9`)) {
			t.Errorf("%s, %v", text, err)
		}
		choose(w, "a")
	}))
	defer server.Close()
	settings := Settings{Temperature: 0.6, MaxTokens: 9, Extra: map[string]json.RawMessage{"temperature": json.RawMessage("null")}}
	if _, _, err := try(t, t.TempDir(), makeTasks(t, 1), Options{BaseURL: server.URL, Settings: settings}); err != nil {
		t.Error(err)
	}
}

// What servers say beside their answers.
func TestHearsay(t *testing.T) {
	const cut = `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":%q,"system_fingerprint":"fp_ollama",` +
		`"choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"length"}],` +
		`"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":1}}`
	for name, test := range map[string]struct {
		prompts []int // tokens of each task's prompt, as the server counts them
		tokens  int   // of each answer
		model   string
		extra   map[string]json.RawMessage
		want    Summary
	}{
		"all is well":              {[]int{100, 200, 4000}, 9, "m", nil, Summary{Tokens: 27}},
		"another model":            {[]int{100}, 9, "m-2026-01-02", nil, Summary{Tokens: 9, Models: []string{"m-2026-01-02"}}},
		"no count":                 {[]int{0, 0}, 0, "", nil, Summary{}},
		"nonsense":                 {[]int{-1, -1}, -7, "", nil, Summary{}},
		"context full":             {[]int{100, 120}, 5, "m", nil, Summary{Tokens: 10, Early: 2}},
		"another limit":            {[]int{100}, 5, "m", map[string]json.RawMessage{"max_completion_tokens": json.RawMessage("5")}, Summary{Tokens: 5}},
		"cut prompts":              {[]int{100, 4096, 4096, 4096}, 9, "m", nil, Summary{Tokens: 36, CutPrompts: 3, CutAt: 4096}},
		"one may be a chance":      {[]int{100, 4096, 100}, 9, "m", nil, Summary{Tokens: 27}},
		"as long, but not round":   {[]int{4095, 4095}, 9, "m", nil, Summary{Tokens: 18}},
		"round, and one is longer": {[]int{4096, 4096, 4100}, 9, "m", nil, Summary{Tokens: 27}},
	} {
		t.Run(name, func(t *testing.T) {
			tasks := makeTasks(t, len(test.prompts))
			for i := range tasks.All() {
				tasks.At(i).Inputs.Code += strings.Repeat("x", i*100)
			}
			url, _ := serve(t, func(w http.ResponseWriter, r *request) {
				number := int(r.prompt()[len("Mend task")] - '0')
				fmt.Fprintf(w, cut, test.model, test.prompts[number], test.tokens)
			})
			settings := Settings{Model: "m", MaxTokens: 9, Extra: test.extra}
			got, _, err := try(t, t.TempDir(), tasks, Options{BaseURL: url, Settings: settings})
			if err != nil {
				t.Fatal(err)
			}
			test.want.Tasks, test.want.Asked = len(test.prompts), len(test.prompts)
			if diff := cmp.Diff(test.want, *got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStripThinking(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a", "a"},
		{"", ""},
		{"<think>hm</think>a", "a"},
		{"<think>\nhm\n</think>\n\n```python\nx = 1\n```", "```python\nx = 1\n```"},
		{"\n <think>\r\n\r\n</think>\r\n\r\n  x = 1\r\n", "  x = 1\r\n"},
		{"hm: `x`?\n</think>\n\na", "a"}, // the prompt ended in <think>
		{"<think>hm, but", ""},
		{"<think>hm</think>", ""},
		{"<think>hm</think>\n \n", ""},
		{"<think>a</think>b</think>c", "b</think>c"},
		{"x = '<think>hm</think>'", "x = '<think>hm</think>'"},
		{"Text <think>", "Text <think>"},
	} {
		if got := StripThinking(test.text); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// The journal has samples as they came in, and says what they are like.
func TestCounts(t *testing.T) {
	texts := []string{"<think>hm</think>\na", "<think>hm</think>\na", "<think>hm"}
	url, _ := serve(t, func(w http.ResponseWriter, r *request) {
		if r.prompt() == "Mend task0" {
			choose(w, texts...)
		} else {
			choose(w, "b", "b", "b")
		}
	})
	dir := t.TempDir()
	tasks := makeTasks(t, 2)
	if _, _, err := try(t, dir, tasks, Options{BaseURL: url, Samples: 3}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "s.jsonl")
	journal, err := Open(path, tasks, Settings{}) // as it is read again
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	want := Counts{Tasks: 2, Samples: 6, Thinking: 3, Several: 2, Alike: 1}
	if diff := cmp.Diff(want, journal.Counts()); diff != "" {
		t.Error(diff)
	}
	var whole, stripped bytes.Buffer
	if err := errors.Join(journal.Collect(&stripped, StripThinking), journal.Collect(&whole, nil)); err != nil {
		t.Fatal(err)
	}
	if got := stripped.String(); got != `{"id":0,"task_digest":"65b7da3c-6e340b9c","outputs":["a","a",""]}`+"\n"+`{"id":1,"task_digest":"943be81e-6e340b9c","outputs":["b","b","b"]}`+"\n" {
		t.Error(got)
	}
	kept, err := os.ReadFile(path + Suffix)
	if err != nil || strings.Count(whole.String(), "<think>") != 3 || bytes.Count(kept, []byte("<think>")) != 3 {
		t.Errorf("%s\n%s\n%v", whole.String(), kept, err)
	}
}

// A prompt that is too long costs its task alone, also where a task takes as many
// requests as it has samples.
func TestOneTooLong(t *testing.T) {
	url, requests := serve(t, func(w http.ResponseWriter, r *request) {
		if r.prompt() == "Mend task1" {
			fail(400, `{"error":{"message":"maximum context length"}}`)(w)
		} else {
			choose(w, fmt.Sprintf("%s %d", r.prompt(), r.number))
		}
	})
	summary, _, err := try(t, t.TempDir(), makeTasks(t, 3), Options{BaseURL: url, Samples: 20, PerRequest: 1, Concurrency: 2})
	if err != nil || summary.Asked != 40 || len(summary.Failures) != 1 || requests.Load() > 42 {
		t.Errorf("%+v, %v, %d requests", summary, err, requests.Load())
	}
}

// Failures come in the order of the tasks, whatever order they happened in.
func TestOrderOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, _ := serveInMemory(t, func(w http.ResponseWriter, r *request) {
			time.Sleep(time.Duration('5'-r.prompt()[len("Mend task")]) * time.Second)
			fail(400, "no")(w)
		})
		summary, _, err := try(t, t.TempDir(), makeTasks(t, 5), o)
		if err != nil || len(summary.Failures) != 5 ||
			!slices.IsSortedFunc(summary.Failures, func(a, b Failure) int { return strings.Compare(string(a.Task), string(b.Task)) }) {
			t.Errorf("%+v, %v", summary, err)
		}
	})
}
