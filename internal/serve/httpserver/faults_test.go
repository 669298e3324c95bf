package httpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"codelinter/internal/serve/api"
)

// dial opens a connection and sends text.
func dial(t testing.TB, address net.Addr, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial(address.Network(), address.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// answer reads a reply and what ends the connection.
func answer(t testing.TB, conn net.Conn) (status int, body string) {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// requestText is a request for a score as it is sent.
func requestText(length int, body string) string {
	return fmt.Sprintf("POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", length, body)
}

const aRequest = `{"completion": "x = 1\n"}`

// large is a request that takes some time.
func large() string {
	return asking(200)
}

// asking is the body of a request for so many slow answers.
func asking(n int) string {
	text, _ := json.Marshal(map[string]any{"completions": slowAnswers(n)})
	return string(text)
}

func slowAnswers(n int) (list []string) {
	for i := range n {
		list = append(list, strings.Repeat(fmt.Sprintf("x%d = 1\n", i), 2000))
	}
	return list
}

// Clients that do not do as they should are answered or ended, and the others notice nothing.
// Those that are slow have tests in virtual time.
func TestFaults(t *testing.T) {
	before := runtime.NumGoroutine()
	s := start(t, Options{})
	address, stop := serve(t, s, "127.0.0.1:0")

	t.Run("headers without bound", func(t *testing.T) {
		conn := dial(t, address, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
		go func() {
			for range 200 {
				if _, err := io.WriteString(conn, "X-Long: "+strings.Repeat("x", 1000)+"\r\n"); err != nil {
					return
				}
			}
		}()
		if status, _ := answer(t, conn); status != http.StatusRequestHeaderFieldsTooLarge {
			t.Error(status)
		}
	})
	t.Run("a length that is too long, and the end", func(t *testing.T) {
		conn := dial(t, address, requestText(1000, aRequest))
		conn.(*net.TCPConn).CloseWrite()
		if status, body := answer(t, conn); status != 400 || !strings.Contains(body, "expected a body of 1000 bytes, found 25 and then: unexpected EOF") {
			t.Error(status, body)
		}
	})
	t.Run("a length that is too short", func(t *testing.T) {
		conn := dial(t, address, requestText(10, aRequest))
		if status, body := answer(t, conn); status != 400 || !strings.Contains(body, "expected one whole JSON object") {
			t.Error(status, body)
		}
	})
	t.Run("a length that is none", func(t *testing.T) {
		conn := dial(t, address, "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n"+aRequest)
		if status, _ := answer(t, conn); status != 400 {
			t.Error(status)
		}
	})
	t.Run("a length beyond the bound", func(t *testing.T) {
		conn := dial(t, address, requestText(1<<40, aRequest))
		if status, _ := answer(t, conn); status != http.StatusRequestEntityTooLarge {
			t.Error(status)
		}
	})
	t.Run("two lengths", func(t *testing.T) {
		conn := dial(t, address, "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 25\r\nContent-Length: 2\r\n\r\n"+aRequest)
		if status, _ := answer(t, conn); status != 400 {
			t.Error(status)
		}
	})
	t.Run("clients that vanish", func(t *testing.T) {
		body := large()
		for i := range 50 {
			conn := dial(t, address, requestText(len(body), body[:len(body)*min(i, 40)/40]))
			if i%2 == 0 {
				conn.(*net.TCPConn).SetLinger(0) // by a reset
			}
			conn.Close()
		}
	})
	t.Run("no HTTP", func(t *testing.T) {
		conn := dial(t, address, "\x16\x03\x01\x00\xa5 hello\r\n\r\n")
		if status, _ := answer(t, conn); status != 400 {
			t.Error(status)
		}
	})
	t.Run("everybody else", func(t *testing.T) {
		conn := dial(t, address, requestText(len(aRequest), aRequest))
		if status, body := answer(t, conn); status != 200 || !strings.Contains(body, `"reward": 1.0`) {
			t.Error(status, body)
		}
	})
	if err := stop(); err != nil {
		t.Error(err)
	}
	s.Close()
	goroutines(t, before)
	if bytes := s.service.Stats().QueuedBytes; bytes != 0 || s.conns.Load() != 0 {
		t.Errorf("%d bytes, %d connections are held", bytes, s.conns.Load())
	}
}

// Connections beyond the bound are told so, and those far beyond it are told so unread and closed.
func TestConnections(t *testing.T) {
	before := runtime.NumGoroutine()
	s := start(t, Options{MaxConnections: 20})
	address, stop := serve(t, s, "127.0.0.1:0")
	var conns []net.Conn
	for range 20 + overflow + 100 {
		conn, err := net.Dial("tcp", address.String())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	for s.conns.Load() < 20+overflow {
		time.Sleep(time.Millisecond)
	}
	// Before a connection ends, whose place the last one could take.
	last := conns[len(conns)-1]
	last.SetDeadline(time.Now().Add(time.Minute))
	if text, err := io.ReadAll(last); err != nil || string(text) != refusal {
		t.Errorf("%q, %v", text, err)
	}
	conns[0].SetDeadline(time.Now().Add(time.Minute))
	io.WriteString(conns[0], requestText(len(aRequest), aRequest))
	response, err := http.ReadResponse(bufio.NewReader(conns[0]), nil)
	if err != nil || response.StatusCode != 503 || response.Header.Get("Retry-After") == "" || !response.Close {
		t.Error(err, response)
	}
	response, err = http.ReadResponse(bufio.NewReader(strings.NewReader(refusal)), nil)
	if err != nil || response.StatusCode != 504 || !response.Close {
		t.Fatal(err, response)
	}
	if body, err := io.ReadAll(response.Body); err != nil || !json.Valid(body) || int64(len(body)) != response.ContentLength {
		t.Errorf("%q, %v", body, err)
	}
	for _, conn := range conns {
		conn.Close()
	}
	for s.conns.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	conn := dial(t, address, requestText(len(aRequest), aRequest))
	if status, _ := answer(t, conn); status != 200 {
		t.Error(status)
	}
	conn.Close()
	stop()
	s.Close()
	goroutines(t, before)
}

// When the server is stopped, what is in flight is answered, each request once, and
// nothing else is taken.
func TestStop(t *testing.T) {
	before := runtime.NumGoroutine()
	s := start(t, Options{Grace: time.Hour, Defaults: api.Defaults{Deadline: time.Hour}})
	address, stop := serve(t, s, "127.0.0.1:0")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	var (
		working           sync.WaitGroup
		answered, refused atomic.Int64
		body              = large()
	)
	for range 16 {
		working.Go(func() {
			for {
				response, err := client.Post("http://"+address.String()+"/v1/score", "application/json", strings.NewReader(body))
				if err != nil {
					refused.Add(1)
					return
				}
				text, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil || response.StatusCode != 200 || bytes.Count(text, []byte(`"reward": 1.0`)) != 200 {
					t.Error(err, response.StatusCode, len(text))
					return
				}
				answered.Add(1)
			}
		})
	}
	for answered.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	working.Wait()
	if refused.Load() != 16 {
		t.Errorf("%d of 16 clients ended with a connection that was refused", refused.Load())
	}
	if w := ask(s, "GET", "/readyz", ""); w.Code != 503 || w.Body.String() != `{"error": "stopping"}` {
		t.Error(w.Code, w.Body)
	}
	s.Close()
	if w := ask(s, "POST", "/v1/score", aRequest); w.Code != 503 {
		t.Error(w.Code, w.Body)
	}
	client.CloseIdleConnections()
	goroutines(t, before)
}

// Clients take turns, and a client is a connection.
func TestClients(t *testing.T) {
	s := start(t, Options{})
	var names []string
	s.handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { names = append(names, clientOf(r)) })
	address, _ := serve(t, s, "127.0.0.1:0")
	for range 2 {
		conn := dial(t, address, "")
		reader := bufio.NewReader(conn)
		for range 2 {
			io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
			if _, err := http.ReadResponse(reader, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(names) != 4 || names[0] != names[1] || names[2] != names[3] || names[0] == names[2] {
		t.Errorf("%q", names)
	}
}

func TestSocket(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the mode of files is Unix's")
	}
	path := filepath.Join(t.TempDir(), "judge.sock")
	s := start(t, Options{AnyHost: true})
	address, stop := serve(t, s, "unix:"+path)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(err, info.Mode())
	}
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	response, err := client.Post("http://judge/slime", "application/json", strings.NewReader(`{"response": "x = 1\n", "label": 7}`))
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := io.ReadAll(response.Body); string(text) != "1.0" {
		t.Errorf("%s", text)
	}
	response.Body.Close()
	if _, err := Listen("unix:" + path); err == nil || !strings.Contains(err.Error(), "a server answers there") {
		t.Error(err)
	}
	client.CloseIdleConnections()
	stop()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("the socket is left behind")
	}

	// One that a server left behind which died.
	stale, err := net.ListenUnix("unix", address.(*net.UnixAddr))
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	stale.Close()
	listener, err := Listen("unix:" + path)
	for err != nil && strings.Contains(err.Error(), "a server answers there") {
		time.Sleep(time.Millisecond) // a child of this process that is just being started has the socket until it executes
		listener, err = Listen("unix:" + path)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !IsLocal(listener) || !IsSocket(listener) {
		t.Error("not local")
	}
	listener.Close()

	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen("unix:" + path); err == nil || !strings.Contains(err.Error(), "found a file of another kind") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Error("a file is lost")
	}
	if _, err := Listen("unix:"); err == nil {
		t.Error("no path is no error")
	}
}
