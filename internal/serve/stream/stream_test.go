package stream

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"codelinter/evaluator"
	"codelinter/internal/serve/api"
	"codelinter/internal/serve/service"
)

func start(t testing.TB) *service.Service {
	s, err := service.New(service.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

var official = api.Defaults{Verdict: evaluator.Official}

func TestReplies(t *testing.T) {
	in := "\ufeff" + `{"id": 1, "completion": "x = 1\n"}
no request

{"id": "b", "items": [{"completion": "x=1\n"}, {"completions": []}, 7]}
` + "{\"id\": 3, \"completion\": \"" + strings.Repeat("x", 300) + "\"}\n" +
		"{\"id\": 4, \"completion\": \"\xff\"}\r\n" +
		`{"id": 5, "lint": {"code": "x=1\n", "options": {"ignore": ["E225"]}}}
{"id": 6, "completion": ""}`
	in += "\n\ufeff\n" + `{"id": 7, "completion": "", "verdit": "official"}`
	const score = `{"reward": %s, "official": %t, "guarded": null, "proof": "", "reasons": [%s], "findings": %d, "fixed": 0, "left": 0, "introduced": %[4]d, "invalid": false, "empty": %[5]t, "noqa": false, "masked": %[6]t, "milliseconds": 0.0, "error": "%[7]s"}`
	want := strings.Join([]string{
		`{"id": 1, "scores": [` + fmt.Sprintf(score, "1.0", true, "", 0, false, false, "") + `]}`,
		`{"id": null, "line": 2, "error": "expected a JSON object, found \"no request\""}`,
		`{"id": "b", "scores": [[` + fmt.Sprintf(score, "0.0", false, `"official"`, 1, false, false, "") + `], [], [` + fmt.Sprintf(score, "0.0", false, "", 0, false, true, "items[2]: expected an object, found a number") + `]]}`,
		`{"id": null, "line": 5, "error": "expected a line of 200 bytes at most, found a longer one"}`,
		`{"id": null, "line": 6, "error": "expected UTF-8, found other bytes"}`,
		`{"id": 5, "findings": [], "found": 0, "error": ""}`,
		`{"id": 6, "scores": [` + fmt.Sprintf(score, "1.0", true, "", 0, true, false, "") + `]}`,
		`{"id": 7, "line": 10, "error": "unknown key \"verdit\": did you mean \"verdict\"?"}`,
	}, "\n") + "\n"
	var out strings.Builder
	if err := Run(t.Context(), start(t), strings.NewReader(in), &out, Options{Ordered: true, MaxLine: 200, Defaults: official}); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(out.String()) {
		for { // the time that it took
			before, after, found := strings.Cut(line, `"milliseconds": `)
			number := strings.IndexByte(after, ',')
			if !found || strings.HasPrefix(after, "0.0,") {
				break
			}
			line = before + `"milliseconds": 0.0` + after[number:]
		}
		got.WriteString(line)
	}
	if got.String() != want {
		t.Errorf("%s\nwant %s", got.String(), want)
	}
}

// Each line has one reply, whatever comes first.
func TestEachOnce(t *testing.T) {
	const n = 20_000
	from, to := io.Pipe()
	done := make(chan error)
	go func() {
		w := bufio.NewWriter(to)
		for i := range n {
			fmt.Fprintf(w, `{"id": %d, "completions": ["x = %d\n", "x=%d\n"]}`+"\n", i, i%100, i)
		}
		w.Flush()
		to.Close()
	}()
	replies, out := io.Pipe()
	s := start(t)
	go func() {
		err := Run(t.Context(), s, from, out, Options{Defaults: official})
		out.Close()
		done <- err
	}()
	seen := make([]bool, n)
	lines := bufio.NewScanner(replies)
	count := 0
	for ; lines.Scan(); count++ {
		var reply struct {
			ID     int
			Scores []struct{ Reward float64 }
		}
		if err := json.Unmarshal(lines.Bytes(), &reply); err != nil {
			t.Fatal(err)
		}
		if seen[reply.ID] || len(reply.Scores) != 2 || reply.Scores[0].Reward != 1 || reply.Scores[1].Reward != 0 {
			t.Fatalf("%s", lines.Bytes())
		}
		seen[reply.ID] = true
	}
	if err := <-done; err != nil || count != n {
		t.Errorf("%d replies, %v; want %d", count, err, n)
	}
}

// A reply comes while the input pauses.
func TestPause(t *testing.T) {
	from, to := io.Pipe()
	replies, out := io.Pipe()
	s := start(t)
	done := make(chan error)
	go func() { done <- Run(t.Context(), s, from, out, Options{Defaults: official}) }()
	lines := bufio.NewScanner(replies)
	for range 3 {
		io.WriteString(to, `{"id": 7, "completion": "x = 1\n"}`+"\n")
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), `{"id": 7, "scores": [{`) {
			t.Fatal(lines.Text())
		}
	}
	to.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// When the context ends, what was read is answered.
func TestStopped(t *testing.T) {
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	from, to := io.Pipe()
	var out strings.Builder
	s := start(t)
	done := make(chan error)
	go func() { done <- Run(ctx, s, from, &out, Options{Defaults: official}) }()
	io.WriteString(to, `{"id": 1, "completion": ""}`+"\n"+`{"id": 2`)
	cancel(stopped)
	to.CloseWithError(stopped) // as an input does whose context has ended
	if err := <-done; err != stopped {
		t.Error(err)
	}
	if got := out.String(); !strings.HasPrefix(got, `{"id": 1, "scores": [{`) || strings.Count(got, "\n") != 1 {
		t.Error(got)
	}
}

// An output that nobody reads ends the stream, however much comes in.
func TestBrokenOutput(t *testing.T) {
	replies, out := io.Pipe()
	replies.CloseWithError(io.ErrClosedPipe)
	in := endless(`{"id": 1, "completion": ""}` + "\n")
	s := start(t)
	done := make(chan error)
	go func() { done <- Run(t.Context(), s, in, out, Options{Defaults: official}) }()
	select {
	case err := <-done:
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
}

// It does so while the input pauses, too.
func TestBrokenOutputInPause(t *testing.T) {
	replies, out := io.Pipe()
	replies.CloseWithError(io.ErrClosedPipe)
	from, to := io.Pipe()
	defer to.Close()
	s := start(t)
	done := make(chan error)
	go func() { done <- Run(t.Context(), s, from, out, Options{Defaults: official}) }()
	io.WriteString(to, `{"id": 1, "completion": ""}`+"\n")
	select {
	case err := <-done:
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for more input")
	}
}

// So it does if nothing is written that could fail: no reply is ready, and no more input comes.
func TestUnread(t *testing.T) {
	from, to := io.Pipe()
	defer to.Close()
	var out strings.Builder
	s, unread, done := start(t), make(chan struct{}), make(chan error)
	go func() { done <- Run(t.Context(), s, from, &out, Options{Defaults: official, Unread: unread}) }()
	close(unread)
	if err := <-done; !errors.Is(err, errUnread) {
		t.Error(err)
	}
}

type endless string

func (e endless) Read(p []byte) (n int, err error) {
	for n+len(e) <= len(p) {
		n += copy(p[n:], e)
	}
	return n, nil
}

// A counted reader counts what was read.
type counted struct {
	from  io.Reader
	total atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.total.Add(int64(n))
	return n, err
}

func (c *counted) n() int64 { return c.total.Load() }

// What nobody reads keeps the input from being read.
func TestBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const room = 1 << 20
		s, err := service.New(service.Options{Workers: 2, MaxQueue: room})
		if err != nil {
			t.Fatal(err)
		}
		replies, out := io.Pipe()
		in := &counted{from: endless(`{"id": 1, "completion": "` + strings.Repeat("#", 10000) + `"}` + "\n")}
		done := make(chan error)
		go func() { done <- Run(t.Context(), s, in, out, Options{Defaults: official}) }()
		synctest.Wait()         // until everybody waits for the reader of replies
		const ahead = 256 << 10 // the reader's buffer
		if n := in.n(); n == 0 || n > room+ahead {
			t.Errorf("%d bytes were read, want %d at most", n, room+ahead)
		}
		if used := s.Stats().QueuedBytes; used < room/2 || used > room {
			t.Errorf("%d bytes are held, want some %d", used, room)
		}
		replies.Close()
		if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
		s.Close()
	})
}

// A request that does not fit is an error, and one whose findings do not is done again with
// room of its own, in order or not.
func TestRoom(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		s, err := service.New(service.Options{Workers: 2, MaxQueue: 64 << 10})
		if err != nil {
			t.Fatal(err)
		}
		many := `{"lint": {"code": "` + strings.Repeat("x;", 150) + `"}}` + "\n" // 50 kB of findings
		in := strings.Repeat(many, 20) +
			`{"id": "long", "completion": "` + strings.Repeat("#", 64<<10) + `"}` + "\n" +
			`{"id": "findings", "lint": {"code": "` + strings.Repeat("x;", 500) + `"}}` + "\n"
		var out strings.Builder
		if err := Run(t.Context(), s, strings.NewReader(in), &out, Options{Ordered: ordered, Defaults: official}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), `"found": 451, "error": ""}`); n != 20 {
			t.Errorf("%d replies with all findings, want 20", n)
		}
		for _, id := range []string{"long", "findings"} {
			if !strings.Contains(out.String(), `{"id": "`+id+`", "line": 2`) || !strings.Contains(out.String(), "expected 65536 bytes at most (--max-queue-bytes)") {
				t.Errorf("%s is not refused", id)
			}
		}
		if used := s.Stats().QueuedBytes; used != 0 {
			t.Errorf("%d bytes are held", used)
		}
		s.Close()
	}
}
