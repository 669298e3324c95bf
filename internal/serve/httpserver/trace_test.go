package httpserver

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"regexp"
	"strings"
	"testing"
)

// A reply and the log have the client's ids where it has valid ones, and new ones otherwise.
func TestIDs(t *testing.T) {
	const trace, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	var said bytes.Buffer
	s := start(t, Options{Log: slog.New(slog.NewJSONHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	form := regexp.MustCompile(`^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$`)
	id := regexp.MustCompile(`^[0-9a-f]{32}$`)
	for _, test := range []struct {
		traceparent, request string
		keeps, names         bool // the trace, the request
	}{
		{"", "", false, false},
		{"00-" + trace + "-" + span + "-01", "step-7/rank 3", true, false},
		{"00-" + trace + "-" + span + "-01", "step-7/rank:3", true, true},
		{"cc-" + trace + "-" + span + "-01-what-comes", strings.Repeat("x", maxRequestID), true, true},
		{"cc-" + trace + "-" + span + "-01.what", strings.Repeat("x", maxRequestID+1), false, false},
		{"00-" + trace + "-" + span + "-01-more", "é", false, false},
		{"ff-" + trace + "-" + span + "-01", "a\tb", false, false},
		{"00-" + strings.ToUpper(trace) + "-" + span + "-01", "", false, false},
		{"00-" + strings.Repeat("0", 32) + "-" + span + "-01", "", false, false},
		{"00-" + trace + "-" + strings.Repeat("0", 16) + "-01", "", false, false},
		{"00-" + trace + "-" + span, "", false, false},
		{"00-" + trace[1:] + "--" + span + "-01", "", false, false},
	} {
		said.Reset()
		w := ask(s, "POST", "/v1/score", `{"completion": 7}`, TraceparentHeader, test.traceparent, RequestIDHeader, test.request)
		parent, name := form.FindStringSubmatch(w.Header().Get(TraceparentHeader)), w.Header().Get(RequestIDHeader)
		if parent == nil || w.Code != 200 {
			t.Fatalf("%d, Traceparent %q", w.Code, w.Header().Get(TraceparentHeader))
		}
		if keeps := parent[1] == trace; keeps != test.keeps || keeps && parent[3] != "01" || parent[2] == span {
			t.Errorf("%q: %q", test.traceparent, parent[0])
		}
		if names := name == test.request; names != test.names || !names && !id.MatchString(name) {
			t.Errorf("%q: %q", test.request, name)
		}
		var line struct {
			Request string `json:"request_id"`
			Trace   string `json:"trace_id"`
			Span    string `json:"span_id"`
		}
		if err := json.Unmarshal(said.Bytes(), &line); err != nil || line.Request != name || line.Trace != parent[1] || line.Span != parent[2] {
			t.Errorf("%+v, %v: %s", line, err, &said)
		}
	}
	if a, b := ask(s, "GET", "/nope", ""), ask(s, "GET", "/nope", ""); a.Header().Get(RequestIDHeader) == b.Header().Get(RequestIDHeader) {
		t.Error("two requests have one id")
	}
}
