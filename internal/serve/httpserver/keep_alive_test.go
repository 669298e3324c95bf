package httpserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// A client reads something in time, however long its program takes.
func TestKeepAlive(t *testing.T) {
	for _, test := range []struct {
		name  string
		takes time.Duration
		want  string
	}{
		{"ends soon", keepAlivePeriod - 1, ""},
		{"takes long", 3*keepAlivePeriod + 1, "   "},
	} {
		synctest.Test(t, func(t *testing.T) {
			recorder := httptest.NewRecorder()
			x := &exchange{server: &Server{metrics: newMetrics()}, writer: recorder, request: httptest.NewRequest("POST", "/run_code", nil), whole: true}
			x.control = http.NewResponseController(recorder)
			p := x.keepAlive()
			time.Sleep(test.takes)
			if sent := p.end(); sent != (test.want != "") || recorder.Body.String() != test.want || recorder.Flushed != sent {
				t.Errorf("%s: %v, %q", test.name, sent, recorder.Body)
			}
			time.Sleep(time.Minute)
			if recorder.Body.String() != test.want {
				t.Errorf("%s: %q after its end", test.name, recorder.Body)
			}
		})
	}
}

// What comes after the blanks is the reply or, after an error of ours, nothing that could be
// taken for one.
func TestAfterKeepAlive(t *testing.T) {
	s := start(t, Options{})
	failing := false
	s.handler = s.handle(runCode, false, func(x *exchange) {
		x.whole = true
		p := x.keepAlive()
		p.writeBlank()
		if !p.end() {
			t.Error("no head was sent")
		}
		if failing {
			x.cut("a fault")
		}
		x.rest(func(w io.Writer) { io.WriteString(w, `{"status": "Success"}`) })
	})
	server := httptest.NewServer(s.handler)
	defer server.Close()
	for _, failing = range []bool{false, true} {
		reply, err := http.Post(server.URL, "application/json", nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		want := ` {"status": "Success"}`
		if failing {
			want = " "
		}
		if string(body) != want || (err != nil) != failing {
			t.Errorf("%q, %v", body, err)
		}
	}
}
