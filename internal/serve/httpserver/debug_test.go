package httpserver

import (
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// The debug listener has what the tools of Go and Prometheus read, for this machine's programs and
// for no page in a browser.
func TestDebug(t *testing.T) {
	s := start(t, Options{Token: "s3cret"})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.ServeDebug(ctx, listener) }()
	base := "http://" + listener.Addr().String()
	for _, test := range []struct {
		path, host string
		status     int
		want       string
	}{
		{"/debug/pprof/", "", 200, "/debug/pprof/goroutine?debug=1 ("},
		{"/debug/pprof/goroutine?debug=1", "", 200, "goroutine profile: total "},
		{"/debug/pprof/heap", "", 200, "\x1f\x8b"},
		{"/debug/pprof/profile?seconds=0.01", "", 200, "\x1f\x8b"},
		{"/debug/pprof/trace?seconds=0.01", "", 200, "go 1."},
		{"/debug/pprof/nothing", "", 404, `there is no profile "nothing"`},
		{"/debug/pprof/profile?seconds=1e9", "", 400, "?seconds: expected a number above 0 and 300 at most"},
		{"/debug/pprof/heap?debug=x", "", 400, "?debug: expected a whole number"},
		{"/metrics", "", 200, "# HELP codelinter_"},
		{"/metrics", "evil.example", 403, "Host: expected a name of the loopback"},
		{"/v1/score", "", 404, ""},
	} {
		request, _ := http.NewRequest("GET", base+test.path, nil)
		request.Host = test.host
		request.Header.Set("Accept-Encoding", "identity")
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil || reply.StatusCode != test.status || !strings.Contains(string(text), test.want) {
			t.Errorf("%s: %d %.100q, %v", test.path, reply.StatusCode, text, err)
		}
		if test.want == "\x1f\x8b" {
			if _, err := gzip.NewReader(strings.NewReader(string(text))); err != nil {
				t.Error(test.path, err)
			}
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if w := ask(s, "GET", "/debug/pprof/", "", "Authorization", "Bearer s3cret"); w.Code != 404 {
		t.Errorf("the server itself has profiles: %d", w.Code)
	}
}
