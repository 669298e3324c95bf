package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A virtualNet is a listener whose connections are pipes: in a bubble of synctest, time
// passes on them only when nobody has anything to do. So no test that waits for the end of
// some time depends on how fast the machine is.
type virtualNet struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *virtualNet) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *virtualNet) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *virtualNet) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8414} }

// dial opens a connection and sends text, which needs a server that reads it.
func (l *virtualNet) dial(t testing.TB, text string) *virtualConn {
	t.Helper()
	toServer, fromClient := net.Pipe()
	fromServer, toClient := net.Pipe()
	conn := &virtualConn{read: fromServer, Conn: fromClient}
	l.conns <- &virtualConn{read: toServer, Conn: toClient}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// A virtualConn is one side of a connection: it reads from one pipe and writes to another,
// so that it can be closed for writing alone.
type virtualConn struct {
	net.Conn // to write to
	read     net.Conn
}

func (c *virtualConn) Read(p []byte) (int, error)         { return c.read.Read(p) }
func (c *virtualConn) SetReadDeadline(at time.Time) error { return c.read.SetReadDeadline(at) }
func (c *virtualConn) CloseWrite() error                  { return c.Conn.Close() }

func (c *virtualConn) SetDeadline(at time.Time) error {
	return errors.Join(c.read.SetReadDeadline(at), c.Conn.SetWriteDeadline(at))
}

func (c *virtualConn) Close() error {
	return errors.Join(c.read.Close(), c.Conn.Close())
}

// inVirtualTime runs a test with a server in virtual time. Whatever it leaves running
// fails the test.
func inVirtualTime(t *testing.T, o Options, test func(t *testing.T, s *Server, network *virtualNet, stop func() error)) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, o)
		s.starts = func(context.Context) error { return nil } // a child process is in real time
		network := &virtualNet{conns: make(chan net.Conn), closed: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Serve(ctx, network) }()
		stop := sync.OnceValue(func() error {
			cancel()
			return <-done
		})
		test(t, s, network, stop)
		stop()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if bytes := s.service.Stats().QueuedBytes; bytes != 0 || s.conns.Load() != 0 {
			t.Errorf("%d bytes, %d connections are held", bytes, s.conns.Load())
		}
	})
}

// Clients that do not do as they should are ended in time.
func TestSlowClients(t *testing.T) {
	const second = time.Second
	inVirtualTime(t, Options{HeaderTimeout: 10 * second, BodyTimeout: 20 * second, IdleTimeout: 30 * second, WriteTimeout: 40 * second},
		func(t *testing.T, s *Server, network *virtualNet, stop func() error) {
			ends := func(what string, conn *virtualConn, began time.Time, want time.Duration) {
				t.Helper()
				io.Copy(io.Discard, conn)
				if took := time.Since(began); took != want {
					t.Errorf("%s: the connection ended after %v, want %v", what, took, want)
				}
				conn.Close()
			}
			began := time.Now()
			ends("headers that do not end", network.dial(t, "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nX-Long: "), began, 10*second)

			began = time.Now()
			conn := network.dial(t, requestText(len(aRequest), aRequest))
			if status, body := answer(t, conn); status != 200 || !strings.Contains(body, `"reward": 1.0`) {
				t.Error(status, body)
			}
			ends("a pause between requests", conn, began, 30*second)

			began = time.Now()
			slow := network.dial(t, requestText(1000, aRequest))
			go func() {
				for range 100 {
					if _, err := io.WriteString(slow, " "); err != nil {
						return
					}
					time.Sleep(second)
				}
			}()
			if status, body := answer(t, slow); status != http.StatusRequestTimeout || body != `{"error": "expected the body in less time"}` {
				t.Error(status, body)
			}
			if took := time.Since(began); took != 20*second {
				t.Errorf("a body that comes slowly was refused after %v", took)
			}
			slow.Close()

			conn = network.dial(t, "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
			time.Sleep(41 * second) // without reading
			if text, err := io.ReadAll(conn); len(text) >= len(openAPI.Get()) || err != nil {
				t.Errorf("a client that does not read got %d bytes, %v", len(text), err)
			}
			conn.Close()
		})
}

// A client that closes its side and listens has its answer.
func TestHalfClosed(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *testing.T, s *Server, network *virtualNet, stop func() error) {
		const n = 20
		body := asking(n)
		conn := network.dial(t, requestText(len(body), body))
		conn.CloseWrite()
		if status, body := answer(t, conn); status != 200 || strings.Count(body, `"reward": 1.0`) != n {
			t.Error(status, len(body))
		}
		conn.Close()
	})
}

// What is not done within the grace is given up, and said.
func TestGrace(t *testing.T) {
	inVirtualTime(t, Options{Grace: 10 * time.Second, BodyTimeout: time.Hour}, func(t *testing.T, s *Server, network *virtualNet, stop func() error) {
		conn := network.dial(t, requestText(1000, aRequest))
		synctest.Wait() // until the server waits for the rest
		began := time.Now()
		if err := stop(); err == nil || err.Error() != "some requests were not answered within 10s" {
			t.Error(err)
		}
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("it took %v", took)
		}
		io.ReadAll(conn) // it ends
		conn.Close()
	})
}

// A client that is refused while it sends can send on, for some time and some bytes, and
// then read why: one that sends all before it reads, too. A server that stops does not wait.
func TestRefusedWhileSending(t *testing.T) {
	const most = 64 << 10
	options := Options{MaxBody: most, BodyTimeout: 20 * time.Second, Grace: 30 * time.Second}
	send := func(t *testing.T, network *virtualNet, length int) (conn *virtualConn, sent int) {
		conn = network.dial(t, requestText(10*length, ""))
		replied := make(chan struct{})
		go func() { // the reply waits in the client's buffers until it has sent
			defer close(replied)
			status, body := answer(t, conn)
			if status != http.StatusRequestEntityTooLarge || body != `{"error": "expected a body of 65536 bytes at most"}` {
				t.Error(status, body)
			}
		}()
		for sent < length {
			n, err := conn.Write(make([]byte, min(1<<10, length-sent)))
			if sent += n; err != nil {
				break
			}
		}
		<-replied
		return conn, sent
	}
	inVirtualTime(t, options, func(t *testing.T, s *Server, network *virtualNet, stop func() error) {
		conn, sent := send(t, network, 3*most)
		if sent != 3*most {
			t.Errorf("the client could send %d bytes, want all", sent)
		}
		began := time.Now()
		io.Copy(io.Discard, conn)
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("the connection ended after %v, want 20 s", took)
		}
		conn.Close()

		conn, sent = send(t, network, 10*most)
		if sent < discardBodies*most || sent > (discardBodies+1)*most {
			t.Errorf("the client could send %d bytes, want some %d", sent, discardBodies*most)
		}
		conn.Close()

		conn, _ = send(t, network, 2*most)
		synctest.Wait()
		began = time.Now()
		if err := stop(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("the server stopped after %v, want a second", took)
		}
		conn.Close()
	})
}

// An answer that is not judged in time is unknown, and is said to be. The deadline is that of
// the body, of the URL or of the header.
func TestDeadline(t *testing.T) {
	s := start(t, Options{})
	code := strings.Repeat("x = 1\n", 100_000)
	body, _ := json.Marshal(map[string]any{"completions": []string{code}, "verdict": "guarded"})
	own, _ := json.Marshal(map[string]any{"completions": []string{code}, "verdict": "guarded", "deadline_ms": 1e-9})
	for _, request := range []struct {
		path, body string
		headers    []string
	}{
		{"/v1/score", string(body), []string{DeadlineHeader, "0.000001"}},
		{"/v1/score?deadline_ms=1e-9", string(body), nil},
		{"/v1/score", string(own), nil},
	} {
		w := ask(s, "POST", request.path, request.body, request.headers...)
		if text := w.Body.String(); w.Code != 200 || !strings.Contains(text, `"guarded": "unknown"`) || !strings.Contains(text, `"error": "deadline"`) {
			t.Errorf("%s: %d %s", request.path, w.Code, text)
		}
	}
}
