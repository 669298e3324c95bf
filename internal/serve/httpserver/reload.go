package httpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// reloadPeriod is the time from one look at the files of tokens and certificates to the next.
const reloadPeriod = time.Second

// A reloaded value is made from files, and made again when their contents change. The server goes
// on with the last value while the files cannot be used.
//
// Files are compared by their contents: a time or a size can stay the same. A change counts when
// two looks have found the same, so a file that is being written is not used.
type reloaded[T any] struct {
	what  string   // for the log
	names []string // of the files
	from  func(texts [][]byte) (T, error)
	value atomic.Pointer[T]
	mu    sync.Mutex // of a look
	seen  digest     // of the last look
	tried digest     // of the last contents that were used or refused
}

type digest [sha256.Size]byte

// load returns a reloaded value, made from its files for the first time.
func load[T any](what string, names []string, from func(texts [][]byte) (T, error)) (*reloaded[T], error) {
	r := &reloaded[T]{what: what, names: names, from: from}
	texts, seen, err := r.read()
	if err == nil {
		err = r.use(texts)
	}
	r.seen, r.tried = seen, seen
	return r, err
}

// get returns the value.
func (r *reloaded[T]) get() T { return *r.value.Load() }

// read returns the contents of the files and their digest. An error counts as contents, so it is
// logged once.
func (r *reloaded[T]) read() (texts [][]byte, d digest, err error) {
	hash := sha256.New()
	for _, name := range r.names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, sha256.Sum256([]byte(err.Error())), err
		}
		texts = append(texts, text)
		sum := sha256.Sum256(text)
		hash.Write(sum[:])
	}
	return texts, digest(hash.Sum(nil)), nil
}

func (r *reloaded[T]) use(texts [][]byte) error {
	value, err := r.from(texts)
	if err == nil {
		r.value.Store(&value)
	}
	return err
}

// look makes the value again if the files have changed, and have not changed since the last look.
func (r *reloaded[T]) look(log *slog.Logger) {
	r.mu.Lock()
	defer r.mu.Unlock()
	texts, found, err := r.read()
	changing := found != r.seen
	r.seen = found
	if changing || found == r.tried {
		return
	}
	r.tried = found
	if err == nil {
		err = r.use(texts)
	}
	if err != nil {
		log.Error("the files changed and cannot be used; the last ones stay in use", "files", r.what, "error", err.Error())
		return
	}
	log.Info("the files changed and are in use", "files", r.what)
}

// watch looks at the files until ctx ends.
func (s *Server) watch(ctx context.Context) {
	if s.tokens == nil && s.certificate == nil {
		return
	}
	ticker := time.NewTicker(reloadPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.look()
		}
	}
}

// look looks at all files once.
func (s *Server) look() {
	if s.tokens != nil {
		s.tokens.look(s.options.Log)
	}
	if s.certificate != nil {
		s.certificate.look(s.options.Log)
	}
}

// A FileError says which file of tokens or certificates cannot be used.
type FileError struct{ Err error }

func (e *FileError) Error() string { return e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// open reads the files of tokens and certificates. The error is a [*FileError].
func (s *Server) open() (err error) {
	o := &s.options
	if o.TokenFile != "" {
		s.tokens, err = load("tokens", []string{o.TokenFile}, func(texts [][]byte) ([]digest, error) { return parseTokens(o.TokenFile, texts[0]) })
	}
	if err == nil && o.CertFile != "" {
		s.certificate, err = load("certificate and key", []string{o.CertFile, o.KeyFile}, func(texts [][]byte) (*tls.Certificate, error) {
			pair, err := tls.X509KeyPair(texts[0], texts[1])
			if err != nil {
				return nil, fmt.Errorf("%s, %s: expected a certificate and its key in PEM: %w", o.CertFile, o.KeyFile, err)
			}
			return &pair, nil
		})
	}
	if err != nil {
		return &FileError{err}
	}
	return nil
}

// maxTokens bounds the tokens of a file, as a request is compared with each.
const maxTokens = 1000

// parseTokens reads a file with a token a line. Blank lines and lines that begin with # are
// skipped. The errors do not have the tokens.
func parseTokens(name string, text []byte) ([]digest, error) {
	var tokens []digest
	n := 0
	for line := range bytes.Lines(text) {
		n++
		token := strings.TrimSpace(string(line))
		switch {
		case token == "" || token[0] == '#':
			continue
		case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
			return nil, fmt.Errorf("%s:%d: expected one token of printable ASCII, found a blank or another character in it", name, n)
		case len(tokens) == maxTokens:
			return nil, fmt.Errorf("%s:%d: expected at most %d tokens", name, n, maxTokens)
		}
		tokens = append(tokens, sha256.Sum256([]byte(token)))
	}
	if len(tokens) == 0 {
		return nil, errors.New(name + ": expected a token a line, found none")
	}
	return tokens, nil
}

// tlsConfig returns the configuration of TLS, or nil. Each handshake has the last certificate.
func (s *Server) tlsConfig() *tls.Config {
	if s.certificate == nil {
		return nil
	}
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.certificate.get(), nil },
	}
}
