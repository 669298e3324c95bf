package httpserver

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Tokens come and go with their file. One that is being written, or that has none, changes nothing,
// and what is wrong with it is logged once.
func TestTokenFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "tokens")
	replace(t, name, "# trainers\nfirst\n\n  second\r\n")
	var said bytes.Buffer
	s := start(t, Options{TokenFile: name, Log: slog.New(slog.NewTextHandler(&said, nil))})
	expect := func(what string, bear, refuse []string) {
		t.Helper()
		for status, tokens := range map[int][]string{200: bear, 401: refuse} {
			for _, token := range tokens {
				if w := ask(s, "POST", "/v1/score", aRequest, "Authorization", "Bearer "+token, "Host", "judge"); w.Code != status {
					t.Errorf("%s: %s: %d %s", what, token, w.Code, w.Body)
				}
			}
		}
		if w := ask(s, "POST", "/v1/score", aRequest); w.Code != 401 {
			t.Errorf("%s: no token: %d", what, w.Code)
		}
	}
	expect("at first", []string{"first", "second"}, []string{"third", "# trainers", ""})
	replace(t, name, "second\nthird\n")
	s.look()
	expect("one look", []string{"first", "second"}, []string{"third"})
	s.look()
	expect("two looks", []string{"second", "third"}, []string{"first"})
	replace(t, name, "thi\n")
	s.look()
	replace(t, name, "third\nfourth\n")
	s.look()
	expect("half a file was seen", []string{"second", "third"}, []string{"thi", "fourth"})
	s.look()
	expect("the whole file", []string{"third", "fourth"}, []string{"thi", "second"})
	for _, bad := range []string{"", "# none\n", "two words\n", "third\né\n", strings.Repeat("t\n", maxTokens+1)} {
		replace(t, name, bad)
		said.Reset()
		for range 4 {
			s.look()
		}
		expect("a bad file", []string{"third", "fourth"}, []string{"t", "words"})
		if n := strings.Count(said.String(), "level=ERROR"); n != 1 || strings.Contains(said.String(), "third") {
			t.Errorf("%.20q: logged %d times: %s", bad, n, &said)
		}
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		s.look()
	}
	expect("no file", []string{"third", "fourth"}, nil)
	replace(t, name, "fifth")
	s.look()
	s.look()
	expect("again", []string{"fifth"}, []string{"third"})
}

// No call fails while tokens and certificates change and metrics are read. Each client has the
// new token before the old one goes, as in any rotation.
func TestRotation(t *testing.T) {
	const clients, rounds = 64, 20
	folder := t.TempDir()
	tokens := filepath.Join(folder, "tokens")
	replace(t, tokens, "token0")
	cert, key, _ := writeCertificate(t, folder, 0)
	s := start(t, Options{TokenFile: tokens, CertFile: cert, KeyFile: key})
	address, _ := serve(t, s, "127.0.0.1:0")
	tokensNow := &bearers{now: &bearer{token: "token0"}}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var calls, failed atomic.Int64
	call := func(client *http.Client, method, path, body string) {
		b := tokensNow.take()
		defer b.calls.Done()
		request, _ := http.NewRequest(method, "https://"+address.String()+path, strings.NewReader(body))
		request.Header.Set("Authorization", "Bearer "+b.token)
		reply, err := client.Do(request)
		calls.Add(1)
		if err != nil {
			failed.Add(1)
			t.Error(err)
			return
		}
		defer reply.Body.Close()
		if text, err := io.ReadAll(reply.Body); err != nil || reply.StatusCode != 200 {
			failed.Add(1)
			t.Errorf("%s: %v %s %v", path, reply.StatusCode, text, err)
		}
	}
	anyCertificate := &tls.Config{InsecureSkipVerify: true} // TestTLS looks at certificates
	var working sync.WaitGroup
	for i := range clients {
		working.Go(func() {
			// Half of the clients keep their connection, half shake hands for each call.
			transport := &http.Transport{TLSClientConfig: anyCertificate, DisableKeepAlives: i%2 == 0}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport}
			for ctx.Err() == nil {
				call(client, "POST", "/v1/score", aRequest)
			}
		})
	}
	scraper := &http.Client{Transport: &http.Transport{TLSClientConfig: anyCertificate, DisableKeepAlives: true}}
	for round := 1; round <= rounds; round++ {
		until := calls.Load() + 2*clients
		next := &bearer{token: fmt.Sprint("token", round)}
		writeCertificate(t, folder, int64(round))
		replace(t, tokens, next.token+"\n"+tokensNow.now.token)
		s.look()
		s.look()
		old := tokensNow.swap(next)
		for calls.Load() < until && failed.Load() == 0 {
			call(scraper, "GET", "/metrics", "")
		}
		old.calls.Wait()
		replace(t, tokens, next.token)
	}
	stop()
	working.Wait()
	t.Logf("%d calls by %d clients during %d rotations, %d failed", calls.Load(), clients, rounds, failed.Load())
}

// A bearer is a token with the calls that use it.
type bearer struct {
	token string
	calls sync.WaitGroup
}

// bearers have the token that clients use now.
type bearers struct {
	mu  sync.Mutex
	now *bearer
}

func (b *bearers) take() *bearer {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now.calls.Add(1)
	return b.now
}

func (b *bearers) swap(next *bearer) (old *bearer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old, b.now = b.now, next
	return old
}
