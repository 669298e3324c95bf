package httpserver

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/serve/api"
	"codelinter/internal/serve/service"
	"codelinter/internal/testenv/bench"
	"codelinter/sandbox"
)

// The sandbox's children are this binary.
func TestMain(m *testing.M) {
	sandbox.RunChild()
	bench.Main(m)
}

func knownTasks(t testing.TB) *task.Set {
	set, err := task.NewSet([]task.Task{
		{Inputs: task.Inputs{Code: "def double(x) :\n    return 2*x\n"}, Meta: task.Meta{ID: "7"}},
		{Inputs: task.Inputs{Code: "import os\nx=1\n"}, Meta: task.Meta{ID: "other"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// start returns a server that gives the official verdict, unless options say other.
func start(t testing.TB, o Options) *Server {
	t.Helper()
	if o.Defaults.Verdict == "" {
		o.Defaults.Verdict = evaluator.Official
	}
	if o.Service.Workers == 0 {
		o.Service.Workers = 2
	}
	o.Service.Tasks = knownTasks(t)
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// serve has a server listen, and returns its address and what ends it.
func serve(t testing.TB, s *Server, address string) (at net.Addr, stop func() error) {
	t.Helper()
	listener, err := Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, listener) }()
	stopped, result := false, error(nil)
	stop = func() error {
		if !stopped {
			stopped = true
			cancel()
			result = <-done
		}
		return result
	}
	t.Cleanup(func() { stop() })
	return listener.Addr(), stop
}

// ask sends a request to the handler.
func ask(s *Server, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:8414"
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// askAgain asks until the answer is not 504, as clients of SandboxFusion do. On a busy machine the
// first program has no result in time, as its sandbox is compiled then.
func askAgain(s *Server, method, path, body string) *httptest.ResponseRecorder {
	for {
		if w := ask(s, method, path, body); w.Code != http.StatusGatewayTimeout {
			return w
		}
	}
}

const aScore = `"reasons": [], "findings": 0, "fixed": 0, "left": 0, "introduced": 0, "invalid": false, "empty": false, "noqa": false, "masked": true, "milliseconds": 0.0, `

func TestReplies(t *testing.T) {
	s := start(t, Options{Defaults: api.Defaults{MaxAnswers: 100}})
	for _, test := range []struct {
		request, body string
		status        int
		want          string // "~" begins what the reply begins with, after which times follow
	}{
		{"POST /v1/score", `{"id": [1], "task_id": 7, "completions": ["def double(x):\n    return 2*x\n"]}`, 200,
			`~{"id": [1], "scores": [{"reward": 1.0, "official": true, "guarded": null, "proof": "", "reasons": [], "findings": 0, "fixed": 1, "left": 0, "introduced": 0, "invalid": false, "empty": false, "noqa": false, "masked": false, "milliseconds": `},
		{"POST /v1/score", `{"task_id": "nope", "completion": "x"}`, 200,
			`{"id": null, "scores": [{"reward": 0.0, "official": false, "guarded": null, "proof": "", ` + aScore + `"error": "task nope: expected the id of a known task, such as 7"}]}`},
		{"POST /v1/score", `{"items": [{"completions": []}, {"completions": [null]}], "verdict": "official"}`, 200,
			`{"id": null, "scores": [[], [{"reward": 0.0, "official": false, "guarded": null, "proof": "", ` + aScore + `"error": "completions[0]: expected a text, found null"}]]}`},
		{"POST /v1/score", "{\"id\": 1,\n \"completions\": [}", 400, `{"error": "expected one whole JSON object, found '}' at byte 28 (line 2, column 18)"}`},
		{"POST /v1/score", `{"lint": {"code": ""}}`, 400, `{"error": "expected \"completions\" or \"items\", found \"lint\", which is for /v1/lint"}`},
		{"POST /v1/score", `{"completion": "x", "verdict": "kind"}`, 400, `{"error": "verdict: expected \"guarded\" or \"official\", found \"kind\""}`},
		{"POST /v1/score?verdict=kind", `{"completion": "x"}`, 400, `{"error": "?verdict: expected guarded or official, found \"kind\""}`},
		{"POST /v1/score?reward=kind", `{"completion": "x"}`, 400, `{"error": "?reward: expected binary, shaped, or a formula of terms, found \"kind\": unknown term \"kind\": expected one of passed, graded, per_finding, meaning, tests, fixed, partial, introduced, invalid, empty, longer, edited"}`},
		{"POST /v1/score?deadline_ms=-1", `{"completion": "x"}`, 400, `{"error": "?deadline_ms: expected milliseconds above 0, found \"-1\""}`},
		{"POST /v1/score?verdit=official", `{"completion": "x"}`, 400, `{"error": "URL: unknown key \"verdit\": did you mean \"verdict\"?"}`},
		{"POST /v1/score?verdict=official;reward=shaped", `{"completion": "x"}`, 400, `{"error": "?verdict=official;reward=shaped: expected parameters with & between them: invalid semicolon separator in query"}`},
		{"POST /v1/score?verdict=official&verdict=guarded", `{"completion": "x"}`, 400, `{"error": "?verdict: expected it once, found it 2 times"}`},
		{"POST /v1/score?verdict=", `{"completion": "x"}`, 400, `{"error": "?verdict: expected guarded or official, found \"\""}`},
		{"POST /v1/score?deadline_ms=", `{"completion": "x"}`, 400, `{"error": "?deadline_ms: expected milliseconds above 0, found \"\""}`},
		{"POST /v1/score?full", `{"completion": "x"}`, 400, `{"error": "URL: unknown key \"full\": expected one of verdict, reward, on_unknown, deadline_ms"}`},
		{"POST /v1/lint?verdict=official", `{"code": ""}`, 400, `{"error": "?verdict: expected no parameters"}`},
		{"POST /slime?full=false", `{"response": "x = 1\n", "label": 7}`, 200, "1.0"},
		{"POST /slime?full=maybe", `{"response": "x = 1\n", "label": 7}`, 400, `{"error": "?full: expected nothing, true or false, found \"maybe\""}`},
		{"POST /slime", `{"response": "x = 1\n", "lable": 7}`, 400, `{"error": "unknown key \"lable\": did you mean \"label\"?"}`},
		{"POST /openrlhf", `{"query": [], "prompts": [], "labels": [], "verdict": "official"}`, 400, `{"error": "unknown key \"verdict\": expected one of query, prompts, labels"}`},
		{"POST /v1/score", `{"completion": "x", "completions": ["x"]}`, 400, `{"error": "expected \"completion\" or \"completions\", found both"}`},
		{"POST /v1/score", "\ufeff" + `{"completions": []}`, 200, `{"id": null, "scores": []}`},
		{"POST /v1/score", `{"id": NaN, "completions": []}`, 400, `{"error": "id: expected JSON, found \"NaN\", which only Python takes for such"}`},
		{"POST /v1/score", `{"completions": [` + strings.Repeat(`"",`, 100) + `""]}`, 413, `{"error": "expected 100 answers or files at most in a request, found more"}`},
		{"POST /v1/score", "", 400, `{"error": "expected a JSON object, found nothing"}`},
		{"POST /v1/score", "\xff", 400, `{"error": "expected UTF-8, found other bytes"}`},
		{"POST /v1/lint", `{"code": "import os\n", "id": "a"}`, 200,
			`{"id": "a", "findings": [{"code":"F401","row":1,"column":1,"start":0,"end":9,"message":"'os' imported but unused"}], "found": 1, "error": ""}`},
		{"POST /v1/lint", `{"lint": {"files": {"a.py": "x=1\n"}, "options": {"ignore": ["E225"]}}}`, 200,
			`{"id": null, "files": {"a.py": []}, "found": {"a.py": 0}, "errors": {"a.py": ""}}`},
		{"POST /v1/edit", `{"before": "x=1\n", "after": "import os\nx=1\n", "run": false}`, 200,
			`{"id": null, "new": [{"code":"F401","row":1,"column":1,"start":0,"end":9,"message":"'os' imported but unused"}], "gone": [], "found": 2, "tree": "other", "meaning": "same", "proof": "form", "reasons": [], "error": ""}`},
		{"POST /v1/edit", `{"id": 1, "before": "x=1\n", "after": "x = 1\n"}`, 200,
			`{"id": 1, "new": [], "gone": [{"code":"E225","row":1,"column":2,"start":1,"end":1,"message":"missing whitespace around operator"}], "found": 0, "tree": "same", "meaning": "same", "proof": "tree", "reasons": [], "error": ""}`},
		{"POST /v1/edit", `{"before": "x=1\n"}`, 400, `{"error": "edit: expected \"before\" and \"after\""}`},
		{"POST /v1/score", `{"edit": {"before": "", "after": ""}}`, 400, `{"error": "expected \"completions\" or \"items\", found \"edit\", which is for /v1/edit"}`},
		{"POST /v1/lint", `{"code": 1}`, 400, `{"error": "lint.code: expected a text, found a number"}`},
		{"POST /v1/lint", `{"lint": null}`, 400, `{"error": "lint: expected an object, found null"}`},
		{"POST /openrlhf", `{"query": ["p x = 1\n<|im_end|>"], "prompts": ["p "], "labels": ["7"]}`, 200,
			`{"rewards": [1.0], "scores": [1.0], "extra_logs": {"official": [1.0], "guarded": [0.0], "unknown": [0.0], "findings": [0.0], "fixed": [1.0], "left": [0.0], "introduced": [0.0], "invalid": [0.0], "empty": [0.0], "noqa": [0.0], "masked": [0.0], "error": [0.0]}}`},
		{"POST /openrlhf", `{"query": "p"}`, 400, `{"error": "query: expected a list, found a text"}`},
		{"POST /slime", `{"prompt": "p", "response": "x = 1\n", "label": "{\"program\": \"x=1\\n\"}"}`, 200, `1.0`},
		{"POST /slime", `{"prompt": "p", "response": "x=1\n", "label": 7}`, 200, `0.0`},
		{"POST /slime?full", `{"prompt": "p", "response": null, "label": 7}`, 200,
			`{"reward": 0.0, "official": false, "guarded": null, "proof": "", ` + aScore + `"error": "response: expected a text, found null"}`},
		{"GET /healthz", "", 200, `{"status": "ok"}`},
		{"GET /readyz", "", 503, `{"error": "the sandbox is starting"}`},
		{"GET /v1/score", "", 405, `{"error": "/v1/score: expected POST, found GET"}`},
		{"DELETE /", "", 404, `{"error": "/: there is no such path; /openapi.json lists those there are"}`},
		{"GET /nope", "", 404, `{"error": "/nope: there is no such path; /openapi.json lists those there are"}`},
	} {
		method, path, _ := strings.Cut(test.request, " ")
		w := ask(s, method, path, test.body)
		got := strings.TrimSuffix(w.Body.String(), "\n")
		want, prefix := strings.CutPrefix(test.want, "~")
		if w.Code != test.status || got != want && !(prefix && strings.HasPrefix(got, want)) {
			t.Errorf("%s %s: %d\n%s\nwant %d\n%s", test.request, test.body, w.Code, got, test.status, want)
		}
		if kind := w.Header().Get("Content-Type"); kind != "application/json" || w.Header().Get("X-Content-Type-Options") != "nosniff" ||
			!regexp.MustCompile(`^codelinter/[0-9.]+ \(flake8 [0-9.]+ on CPython [0-9.]+\)$`).MatchString(w.Header().Get("Server")) {
			t.Errorf("%s: Content-Type %q", test.request, kind)
		}
		if w.Code == 503 && w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", test.request)
		}
	}
	w := ask(s, "POST", "/slime", `{"response": "x", "label": "é\n"}`)
	if got, want := w.Header().Get(ErrorHeader), `task "??\n": expected the id of a known task, such as 7`; w.Body.String() != "0.0" || got != want {
		t.Errorf("%s, %s: %q, want %q", w.Body, ErrorHeader, got, want)
	}
}

// Every item has a score, by the guarded verdict too, and what is known is not done again.
func TestGuarded(t *testing.T) {
	s := start(t, Options{Defaults: api.Defaults{Verdict: evaluator.Guarded}, Service: service.Options{Sandbox: sandbox.Options{InProcess: true}}})
	const body = `{"task_id": 7, "completions": ["def double(x):\n    return 2 * x\n", "def double(x):\n    return x + x\n", "def double(x):\n    return 4\n", "x = 1  # noqa\n"]}`
	for range 2 {
		var reply struct {
			Scores []struct{ Guarded, Proof string }
		}
		w := ask(s, "POST", "/v1/score", body)
		if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil {
			t.Fatal(err, w.Body)
		}
		if got, want := fmt.Sprint(reply.Scores), "[{pass tree} {pass runs} {fail } {fail }]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	metrics := ask(s, "GET", "/metrics", "").Body.String()
	for _, want := range []string{
		"codelinter_cache_hits_total 4\n",
		`codelinter_answers_total{outcome="pass",verdict="guarded"} 4`,
		`codelinter_answers_total{outcome="fail",verdict="guarded"} 4`,
		`codelinter_proofs_total{proof="runs"} 2`,
		`codelinter_requests_total{route="POST /v1/score",status="200"} 2`,
		`codelinter_stage_seconds_count{stage="work"} 8`,
		`codelinter_request_seconds_count{route="POST /v1/score"} 2`,
		`codelinter_answer_seconds_count{verdict="guarded",outcome="pass",proof="tree"} 1`,
		`codelinter_answer_seconds_count{verdict="guarded",outcome="pass",proof="runs"} 1`,
		`codelinter_answer_seconds_count{verdict="guarded",outcome="fail",proof=""} 2`,
		`codelinter_sandbox_failures_total{pool="judge"} 0`,
		`codelinter_sandbox_restarts_total{pool="judge"} 0`,
		`codelinter_sandbox_workers{pool="judge"} `,
		`codelinter_sandbox_busy_workers{pool="judge"} 0`,
		`codelinter_sandbox_waiting{pool="judge"} 0`,
		`codelinter_sandbox_workers{pool="run_code"} 0`,
		`codelinter_build_info{version="`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %q in\n%s", want, metrics)
		}
	}
}

func TestBodies(t *testing.T) {
	s := start(t, Options{MaxBody: 4 << 20, Service: service.Options{MaxQueue: 16 << 20}})
	squeeze := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, text)
		w.Close()
		return b.String()
	}
	request := `{"completion": "x = 1\n"}`
	for _, test := range []struct {
		name, encoding, body string
		status               int
		want                 string
	}{
		{"gzip", "gzip", squeeze(request), 200, ""},
		{"gzip in two parts", "GZIP", squeeze(request[:5]) + squeeze(request[5:]), 200, ""},
		{"none", "identity", request, 200, ""},
		{"no gzip", "gzip", request, 400, "expected a body in gzip, as Content-Encoding says: "},
		{"half", "gzip", squeeze(request)[:20], 400, "expected a body in gzip, as Content-Encoding says: unexpected EOF"},
		{"other", "br", request, 415, `Content-Encoding: expected gzip or none, found "br"`},
		{"bomb", "gzip", squeeze(`{"completion": "` + strings.Repeat("x", 3<<20) + `"}`), 413, "expected a body that gzip made at most 300 times shorter"},
		{"large", "", `{"completion": "` + strings.Repeat("x", 4<<20) + `"}`, 413, "expected a body of 4194304 bytes at most"},
		{"large in gzip", "gzip", squeeze(`{"completion": "` + noise(5<<20) + `"}`), 413, "expected a body of 4194304 bytes at most"},
	} {
		w := ask(s, "POST", "/v1/score", test.body, "Content-Encoding", test.encoding)
		var reply struct{ Error string }
		json.Unmarshal(w.Body.Bytes(), &reply)
		if w.Code != test.status || !strings.HasPrefix(reply.Error, test.want) {
			t.Errorf("%s: %d %s", test.name, w.Code, w.Body)
		}
		if held := s.service.Stats().QueuedBytes; held != 0 {
			t.Errorf("%s: %d bytes are held", test.name, held)
		}
	}
	others := s.service.Hold()
	defer others.Release()
	if err := others.More(14 << 20); err != nil {
		t.Fatal(err)
	}
	if w := ask(s, "POST", "/v1/score", `{"completion": "`+strings.Repeat("x", 3<<20)+`"}`); w.Code != 503 || w.Header().Get("Retry-After") != "1" {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	if w := ask(s, "POST", "/v1/score", request); w.Code != 200 {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

// noise is text that does not compress well.
func noise(n int) string {
	b := make([]byte, n)
	state := uint32(1)
	for i := range b {
		state = state*1664525 + 1013904223
		b[i] = "abcdefghijklmnopqrstuvwxyz012345"[state>>27]
	}
	return string(b)
}

// What is read, decoded and answered comes out of one room. What does not fit even alone is
// too large, and what is more than its bytes is known before it is decoded.
func TestRoom(t *testing.T) {
	const room = 1 << 20
	s := start(t, Options{Service: service.Options{MaxQueue: room}})
	for name, test := range map[string]struct {
		path, body string
		status     int
		want       string
	}{
		"long":         {"/v1/score", `{"completion": "` + strings.Repeat("x", room) + `"}`, 413, "take too much memory: expected 1048576 bytes at most (--max-queue-bytes)"},
		"once more":    {"/v1/score", `{"completion": "` + strings.Repeat("x", room*6/10) + `"}`, 413, "--max-queue-bytes"},
		"many":         {"/v1/score", `{"completions": [` + strings.Repeat(`"",`, 3000) + `""]}`, 413, "--max-queue-bytes"},
		"not too many": {"/v1/score", `{"completions": [` + strings.Repeat(`"",`, 1500) + `""]}`, 200, `"scores"`},
		"items":        {"/v1/score", `{"items": [` + strings.Repeat(`7,`, 3000) + `7]}`, 413, "--max-queue-bytes"},
		"findings":     {"/v1/lint", `{"code": "` + strings.Repeat("x;", 10000) + `"}`, 413, "--max-queue-bytes"},
	} {
		w := ask(s, "POST", test.path, test.body)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s: %d %.200s", name, w.Code, w.Body)
		}
		if bytes := s.service.Stats().QueuedBytes; bytes != 0 {
			t.Errorf("%s: %d bytes are held", name, bytes)
		}
	}
}

// A long reply goes out in pieces, squeezed or not, and is whole.
func TestLongReplies(t *testing.T) {
	s := start(t, Options{})
	const n = 2000
	body := `{"completions": [` + strings.Repeat(`"x = 1\n", `, n-1) + `"x = 1\n"]}`
	for _, accepts := range []string{"", "gzip"} {
		w := ask(s, "POST", "/v1/score", body, "Accept-Encoding", accepts)
		reply := io.Reader(w.Body)
		if accepts != "" {
			var err error
			if reply, err = gzip.NewReader(w.Body); err != nil {
				t.Fatal(err)
			}
		}
		var scores struct{ Scores []struct{ Reward float64 } }
		if err := json.NewDecoder(reply).Decode(&scores); err != nil || len(scores.Scores) != n {
			t.Errorf("%q: %d scores, %v", accepts, len(scores.Scores), err)
		}
		if got := w.Header().Get("Content-Length"); w.Code != 200 || got != "" || w.Header().Get("Content-Encoding") != accepts {
			t.Errorf("%q: %d, Content-Length %q, Content-Encoding %q", accepts, w.Code, got, w.Header().Get("Content-Encoding"))
		}
	}
}

// Headers take many times their length, so there are few.
func TestManyHeaders(t *testing.T) {
	s := start(t, Options{})
	headers := []string{}
	for i := range maxHeaders + 1 {
		headers = append(headers, fmt.Sprintf("X-%d", i), "")
	}
	if w := ask(s, "POST", "/v1/score", `{"completions": []}`, headers[:2*maxHeaders]...); w.Code != 200 {
		t.Error(w.Code, w.Body)
	}
	if w := ask(s, "POST", "/v1/score", `{"completions": []}`, headers...); w.Code != http.StatusRequestHeaderFieldsTooLarge {
		t.Error(w.Code, w.Body)
	}
}

func TestGzipReplies(t *testing.T) {
	s := start(t, Options{})
	for accepts, want := range map[string]string{
		"gzip, deflate": "gzip", "deflate, GZIP;q=0.5": "gzip", "gzip;q=0": "", "": "", "br": "",
	} {
		w := ask(s, "GET", "/openapi.json", "", "Accept-Encoding", accepts)
		if got := w.Header().Get("Content-Encoding"); got != want || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %q, want %q", accepts, got, want)
		}
		body := io.Reader(w.Body)
		if want == "gzip" {
			var err error
			if body, err = gzip.NewReader(w.Body); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := io.ReadAll(body); err != nil || !bytes.Equal(text, openAPI.Get()) {
			t.Errorf("%q: %d bytes, %v", accepts, len(text), err)
		}
	}
	if w := ask(s, "GET", "/healthz", "", "Accept-Encoding", "gzip"); w.Header().Get("Content-Encoding") != "" {
		t.Error("a short reply is compressed")
	}
}

func TestAccess(t *testing.T) {
	const score = `{"completion": "x = 1\n"}`
	open := start(t, Options{})
	secret := start(t, Options{Token: "s3cret", AnyHost: true})
	socket := start(t, Options{AnyHost: true})
	for _, test := range []struct {
		name    string
		server  *Server
		method  string
		path    string
		headers []string
		status  int
	}{
		{"plain", open, "POST", "/v1/score", nil, 200},
		{"a name", open, "POST", "/v1/score", []string{"Host", "LocalHost:8414"}, 200},
		{"no port", open, "POST", "/v1/score", []string{"Host", "127.1.2.3"}, 200},
		{"version 6", open, "POST", "/v1/score", []string{"Host", "[::1]:8414"}, 200},
		{"version 6, no port", open, "POST", "/v1/score", []string{"Host", "[::1]"}, 200},
		{"rebound", open, "POST", "/v1/score", []string{"Host", "evil.example:8414"}, 403},
		{"rebound to something like it", open, "POST", "/v1/score", []string{"Host", "localhost.evil.example"}, 403},
		{"rebound, 127.0.0.1 as a name", open, "GET", "/metrics", []string{"Host", "127.0.0.1.evil.example"}, 403},
		{"rebound, a page", open, "GET", "/", []string{"Host", "evil.example"}, 403},
		{"its own page", open, "POST", "/v1/score", []string{"Origin", "http://127.0.0.1:8414"}, 200},
		{"its own page, as browsers say", open, "POST", "/v1/score", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"another's page", open, "POST", "/v1/score", []string{"Origin", "http://evil.example"}, 403},
		{"another port's page", open, "POST", "/v1/score", []string{"Origin", "http://127.0.0.1:9999"}, 403},
		{"another's page, as browsers say", open, "POST", "/v1/score", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"a file", open, "POST", "/v1/score", []string{"Origin", "null"}, 403},
		{"no token", secret, "POST", "/v1/score", nil, 401},
		{"another token", secret, "POST", "/v1/score", []string{"Authorization", "Bearer s3cres"}, 401},
		{"a token's start", secret, "POST", "/v1/score", []string{"Authorization", "Bearer s3cre"}, 401},
		{"an empty token", secret, "POST", "/v1/score", []string{"Authorization", "Bearer "}, 401},
		{"the token", secret, "POST", "/v1/score", []string{"Authorization", "bearer s3cret", "Host", "judge.example"}, 200},
		{"as a password", secret, "POST", "/v1/score", []string{"Authorization", "Basic YW55OnMzY3JldA=="}, 200},
		{"another password", secret, "POST", "/v1/score", []string{"Authorization", "Basic YW55OnMzY3JlVA=="}, 401},
		{"metrics", secret, "GET", "/metrics", nil, 401},
		{"health", secret, "GET", "/healthz", nil, 200},
		{"OpenAPI", secret, "GET", "/openapi.json", nil, 200},
		{"a token and another's page", secret, "POST", "/v1/score", []string{"Authorization", "Bearer s3cret", "Origin", "http://evil.example"}, 403},
		{"a socket", socket, "POST", "/v1/score", []string{"Host", "judge"}, 200},
	} {
		w := ask(test.server, test.method, test.path, score, test.headers...)
		if w.Code != test.status {
			t.Errorf("%s: %d %s, want %d", test.name, w.Code, w.Body, test.status)
		}
		if strings.Contains(w.Body.String(), "s3cre") {
			t.Errorf("%s: the token is told: %s", test.name, w.Body)
		}
		if w.Code == 401 && w.Header().Get("WWW-Authenticate") == "" {
			t.Errorf("%s: no WWW-Authenticate", test.name)
		}
	}
}

// Answers' texts are in no log, unless they were asked for.
func TestLog(t *testing.T) {
	for _, answers := range []bool{false, true} {
		var text bytes.Buffer
		s := start(t, Options{LogAnswers: answers, Log: slog.New(slog.NewJSONHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		ask(s, "POST", "/v1/score", `{"completion": "private = 1\n"}`)
		ask(s, "POST", "/v1/score", `{"completion": "private", "task_id": "nope"}`)
		ask(s, "POST", "/v1/score", `{"completion": private}`)
		if got := strings.Contains(text.String(), "private ="); got != answers {
			t.Errorf("%v: %s", answers, &text)
		}
		if n := strings.Count(text.String(), `"msg":"request"`); n != 3 || strings.Count(text.String(), `"level":"WARN"`) != 2 {
			t.Errorf("%d requests in %s", n, &text)
		}
	}
}

// A log that nobody reads, or that cannot be written, keeps nobody waiting.
func TestLogWriter(t *testing.T) {
	for name, to := range map[string]io.Writer{"blocked": blocked{}, "broken": broken{}} {
		l := NewLogWriter(to)
		for range 3 * queuedLines {
			if n, err := l.Write([]byte("line\n")); n != 5 || err != nil {
				t.Fatal(name, n, err)
			}
		}
		now := make(chan struct{})
		if name == "blocked" {
			close(now)
		}
		l.Close(now)
		l.Write([]byte("late\n"))
		if lost := l.Dropped(); lost < 2*queuedLines-2 {
			t.Errorf("%s: %d lines lost", name, lost)
		}
	}
	var text bytes.Buffer
	l := NewLogWriter(&text)
	fmt.Fprint(l, "a\n")
	fmt.Fprint(l, "b\n")
	l.Close(nil)
	if text.String() != "a\nb\n" || l.Dropped() != 0 {
		t.Errorf("%q, %d lost", text.String(), l.Dropped())
	}
}

type blocked struct{}

func (blocked) Write([]byte) (int, error) { select {} }

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// A panic of ours is an answer, and a number.
func TestPanic(t *testing.T) {
	s := start(t, Options{})
	handler := s.handle("POST /test", true, func(*exchange) { panic("secret state") })
	r := httptest.NewRequest("POST", "/test", nil)
	r.Host = "localhost"
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	if want := `{"error": "an error of ours, which is logged"}`; w.Code != 500 || w.Body.String() != want {
		t.Errorf("%d %s, want %s", w.Code, w.Body, want)
	}
	if metrics := ask(s, "GET", "/metrics", "").Body.String(); !strings.Contains(metrics, "codelinter_panics_total 1\n") {
		t.Error("the panic is not counted")
	}
}

// goroutines waits until there are no more of them than before, and ends what hangs.
func goroutines(t *testing.T, before int) {
	t.Helper()
	for range 6000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines, before %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

// FuzzBody requires an answer, of JSON, to any body in any dress.
func FuzzBody(f *testing.F) {
	s := start(f, Options{MaxBody: 1 << 20})
	paths := []string{"/v1/score", "/v1/lint", "/openrlhf", "/slime", "/slime?full"}
	var squeezed bytes.Buffer
	w := gzip.NewWriter(&squeezed)
	io.WriteString(w, `{"completion": "x=1"}`)
	w.Close()
	f.Add(uint8(0), true, squeezed.Bytes())
	f.Add(uint8(1), false, []byte(`{"files": {"a.py": "x=1"}}`))
	f.Add(uint8(2), false, []byte(`{"query": ["p x"], "prompts": ["p "], "labels": [7]}`))
	f.Add(uint8(4), false, []byte(`{"response": "x", "label": {"program": "x=1", "tests": ["assert x"]}}`))
	f.Fuzz(func(t *testing.T, path uint8, isGzip bool, body []byte) {
		headers := []string{"X-Deadline-Ms", "60000"}
		if isGzip {
			headers = append(headers, "Content-Encoding", "gzip")
		}
		w := ask(s, "POST", paths[int(path)%len(paths)], string(body), headers...)
		switch w.Code {
		case http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		default:
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if !json.Valid(w.Body.Bytes()) && !bytes.ContainsAny(w.Body.Bytes(), "NI") {
			t.Fatalf("no JSON: %s", w.Body)
		}
		if s.service.Stats().QueuedBytes != 0 {
			t.Fatal("memory is still held")
		}
	})
}
