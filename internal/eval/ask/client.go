package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"codelinter/evaluator/task"
)

const (
	maxAnswer    = 64 << 20 // bytes of a response
	maxBackoff   = 30 * time.Second
	maxUnreached = 3 // retries at a server that never answered
)

// A client asks one server. It is safe for concurrent use.
type client struct {
	http    http.Client
	base    *url.URL
	url     *url.URL // the endpoint's
	shown   string   // the URL without secrets
	options Options

	// hold is the time in nanoseconds since 1970 before which no request is sent. A
	// server's Retry-After holds all requests.
	hold atomic.Int64
	// newLimit says to send max_completion_tokens in place of max_tokens, which
	// OpenAI's newer models do not know.
	newLimit atomic.Bool
	// heard says that the server has answered before.
	heard atomic.Bool

	explaining sync.Mutex
	lists      map[string]modelList // by URL, for explain
}

const (
	chat       = "chat/completions"
	completion = "completions"
)

func endpoint(s Settings) string {
	if s.Completions {
		return completion
	}
	return chat
}

// parseBase parses a base URL. A URL with the endpoint, as in a server's manual, is
// accepted too.
func parseBase(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	path := strings.TrimRight(base.Path, "/")
	for _, end := range []string{chat, completion} {
		if before, ok := strings.CutSuffix(path, "/"+end); ok {
			base.Path, base.RawPath = before, ""
			break
		}
	}
	return base, nil
}

// Check returns an error if the base URL or the key is invalid. The error contains
// neither, as both may be secret.
func (o Options) Check() error {
	_, err := o.base()
	return err
}

// base returns the base URL, or the error of [Options.Check].
func (o Options) base() (*url.URL, error) {
	base, err := parseBase(o.BaseURL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, errors.New("the base URL: expected http://host:port/v1 or the like, found something else")
	}
	if strings.ContainsFunc(o.Key, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, errors.New("the key: expected printable ASCII, found characters that no request can carry")
	}
	return base, nil
}

func newClient(o Options) (*client, error) {
	base, err := o.base()
	if err != nil {
		return nil, err
	}
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Minute
	}
	if o.Backoff <= 0 {
		o.Backoff = 500 * time.Millisecond
	}
	c := &client{options: o, base: base, url: base.JoinPath(endpoint(o.Settings)), lists: map[string]modelList{}}
	c.shown = shown(c.url)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if o.dial != nil {
		transport.DialContext = o.dial
	}
	transport.MaxIdleConns = 0
	transport.MaxIdleConnsPerHost = o.Concurrency
	c.http.Transport = transport
	// Redirects are not followed: a POST would become a GET without a body, or the
	// key would go to another server.
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

func (c *client) close() { c.http.CloseIdleConnections() }

// shown returns a URL for messages, without its user and query, which may have
// secrets.
func shown(u *url.URL) string {
	plain := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return plain.String()
}

// ask asks for samples of a task, and retries as the options allow. It may return
// fewer samples than it was asked for. Without an error it returns at least one.
func (c *client) ask(ctx context.Context, task *task.Task, samples []int) (r result) {
	prompt := task.Prompt()
	for n := len(samples); ; {
		newLimit := c.newLimit.Load()
		reply, f := c.post(ctx, prompt, n, samples[0], newLimit)
		if f == nil {
			r.reply = reply
			return r
		}
		f.err = c.scrub(f.err)
		switch {
		case ctx.Err() != nil:
			f.err = ctx.Err()
		case f.kind == fewer && n > 1:
			n /= 2
			continue
		case f.kind == renamed && !newLimit:
			c.newLimit.Store(true)
			continue
		case c.retries(f, r.retries):
			if f.slow && n > 1 {
				n /= 2
			}
			wait := c.backoff(f, r.retries)
			r.retries++
			if c.options.Retrying != nil {
				c.options.Retrying(fmt.Errorf("task %s: POST %s: %w", task.Meta.ID, c.shown, f.err), wait)
			}
			if sleep(ctx, wait) {
				continue
			}
			f.err = ctx.Err()
		default:
			if f.unknown {
				c.explain(ctx, f)
			}
			if r.retries > 0 {
				f.err = fmt.Errorf("%w (tried %d times)", f.err, r.retries+1)
			}
			if f.slow {
				f.err = fmt.Errorf("%w: a longer --timeout or a lower --concurrency may help", f.err)
			}
			r.fatal = f.kind == fatal || f.kind == unreached
		}
		r.err = fmt.Errorf("POST %s: %w", c.shown, f.err)
		return r
	}
}

// retries reports whether a request is sent again after a fault and some retries.
func (c *client) retries(f *fault, retries int) bool {
	switch {
	case f.kind == unreached && !c.heard.Load():
		// A server that restarts is worth waiting for. One that never answered
		// probably has another address.
		return retries < min(c.options.Retries, maxUnreached)
	case f.kind == transient, f.kind == unreached:
		return retries < c.options.Retries
	}
	return false
}

// backoff returns the time to wait before the next try. A server's Retry-After holds all requests,
// so cenkalti/backoff would replace only a few lines.
func (c *client) backoff(f *fault, retries int) time.Duration {
	wait := c.options.Backoff << min(retries, 10)
	wait = min(wait, max(maxBackoff, c.options.Backoff))
	wait = wait/2 + rand.N(wait/2+1) // so that not all requests are sent at once
	if f.retryAfter > 0 {
		c.holdUntil(time.Now().Add(f.retryAfter))
		wait += f.retryAfter
	}
	return wait
}

// holdUntil holds all requests until a time.
func (c *client) holdUntil(until time.Time) {
	for {
		old := c.hold.Load()
		if old >= until.UnixNano() || c.hold.CompareAndSwap(old, until.UnixNano()) {
			return
		}
	}
}

// waitForGate waits while requests are held. It returns false if ctx ends before.
func (c *client) waitForGate(ctx context.Context) bool {
	for {
		wait := time.Until(time.Unix(0, c.hold.Load()))
		if wait <= 0 {
			return ctx.Err() == nil
		}
		if !sleep(ctx, wait) {
			return false
		}
	}
}

func sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// body returns the body of a request for n samples; first is the number of the
// first one.
func (s *Settings) body(prompt string, n, first int, newLimit bool) ([]byte, error) {
	fields := map[string]any{
		"model":       s.Model,
		"temperature": s.Temperature,
		"stream":      false,
	}
	if newLimit {
		fields["max_completion_tokens"] = s.MaxTokens
	} else {
		fields["max_tokens"] = s.MaxTokens
	}
	if n > 1 { // not every server knows the field
		fields["n"] = n
	}
	if s.Seed != nil {
		fields["seed"] = *s.Seed + int64(first)
	}
	if s.Completions {
		fields["prompt"] = prompt
	} else {
		messages := []message{{"user", prompt}}
		if s.System != "" {
			messages = []message{{"system", s.System}, {"user", prompt}}
		}
		fields["messages"] = messages
	}
	for name, value := range s.Extra {
		if isNull(value) { // omits a field that the model does not accept
			delete(fields, name)
		} else {
			fields[name] = value
		}
	}
	return json.Marshal(fields)
}

// post sends one request when none is held, and returns up to n answers. first and newLimit
// are as in [Settings.body].
func (c *client) post(ctx context.Context, prompt string, n, first int, newLimit bool) (*reply, *fault) {
	if !c.waitForGate(ctx) {
		return nil, &fault{err: ctx.Err()}
	}
	body, err := c.options.Settings.body(prompt, n, first, newLimit)
	if err != nil {
		return nil, &fault{err: err, kind: fatal}
	}
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url.String(), bytes.NewReader(body))
	if err != nil {
		return nil, &fault{err: withoutURL(err), kind: fatal}
	}
	request.Header.Set("Content-Type", "application/json")
	c.sign(request)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.transportFault(ctx, err)
	}
	defer response.Body.Close()
	c.heard.Store(true)
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case response.StatusCode != http.StatusOK:
		// The part of the message that arrived is enough.
		return nil, c.statusFault(response, text, n)
	case err != nil:
		return nil, c.transportFault(ctx, fmt.Errorf("the answer broke off after %d bytes: %w", len(text), err))
	case len(text) > maxAnswer:
		return nil, &fault{err: fmt.Errorf("expected an answer of %d MiB at most, found a longer one", maxAnswer>>20), kind: permanent}
	}
	reply, err := c.parseReply(text, n)
	if err != nil {
		if strings.Contains(err.Error(), unexpectedEndpoint) {
			return nil, &fault{err: err, kind: fatal, unknown: true}
		}
		if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind != "" && kind != "application/json" {
			err = fmt.Errorf("%w (its type is %s)", err, c.brief(kind))
		}
		return nil, &fault{err: err}
	}
	return reply, nil
}

// sign adds the headers of every request.
func (c *client) sign(request *http.Request) {
	request.Header.Set("Accept", "application/json")
	if c.options.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.options.Key)
	}
}
