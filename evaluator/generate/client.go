package generate

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"codelinter/evaluator/dataset"
)

const (
	maxAnswer   = 64 << 20 // bytes of a response
	maxBackoff  = 30 * time.Second
	maxPatience = 10 * time.Minute // that a server may ask for
	maxSaid     = 300              // bytes of a server's message that we show
	maxKnocks   = 3                // retries at a server that never said anything
)

// A client asks one server. It may be used on many goroutines.
type client struct {
	http    http.Client
	base    *url.URL
	url     *url.URL // the endpoint's
	shown   string   // url without what may be secret
	options Options

	// Servers ask for peace by Retry-After, and mean all of us: no request
	// goes out before this time, in nanoseconds since 1970.
	peace atomic.Int64
	// OpenAI's newer models know max_tokens as max_completion_tokens only.
	newLimit atomic.Bool
	// Whether the server ever said anything.
	heard atomic.Bool

	explaining sync.Mutex
	lists      map[string]modelList // by URL, what explain asked for
}

// An answer is one sample as it came in.
type answer struct {
	text   string
	finish string // "length" if the model was cut off
}

// A reply is what a server says with 200 OK.
type reply struct {
	answers []answer
	model   string // as the server calls it; "": it does not say
	// What the server counted; 0: it does not say. Where a request has several
	// answers, llama.cpp counts the tokens of one.
	promptTokens, tokens int64
}

// A fault is why a request failed.
type fault struct {
	err      error
	kind     faultKind
	patience time.Duration // the server's Retry-After, 0 for none
	// slow: the time was over. Fewer samples would take less of it.
	slow bool
	// unknown: that may be for the model's name or the base URL.
	unknown bool
}

type faultKind uint8

const (
	passing  faultKind = iota // may go away by itself
	lasting                   // this request will never succeed
	hopeless                  // nor will any other
	unheard                   // no server was reached: passing, but hopeless if it stays
	fewer                     // lasting, unless fewer samples are asked for at a time
	renamed                   // lasting, unless max_completion_tokens is sent
)

// ErrNoKey is in the error of a run that was refused for want of a key.
var ErrNoKey = errors.New("no key was sent")

// A hopelessError is of a request after which no other can succeed.
type hopelessError struct{ error }

func (e *hopelessError) Unwrap() error { return e.error }

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

// parseBase takes a base URL apart. One with an endpoint at its end, as a
// server's manual shows it, is as good as one without.
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

// Check tells what is wrong with the base URL or the key, if anything, and shows
// neither: both may be secret.
func (o Options) Check() error {
	base, err := parseBase(o.BaseURL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return errors.New("the base URL: expected http://host:port/v1 or the like, found something else")
	}
	if strings.ContainsFunc(o.Key, func(r rune) bool { return r < ' ' || r > '~' }) {
		return errors.New("the key: expected printable ASCII, found characters that no request can carry")
	}
	return nil
}

func newClient(o Options) (*client, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	base, err := parseBase(o.BaseURL)
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
	transport.MaxIdleConns = 0
	transport.MaxIdleConnsPerHost = o.Concurrency
	c.http.Transport = transport
	// A redirected POST becomes a GET without a body, or takes the key
	// somewhere that nobody named.
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

func (c *client) close() { c.http.CloseIdleConnections() }

// shown returns a URL for messages: passwords and keys may stand before the host
// and in the query.
func shown(u *url.URL) string {
	plain := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return plain.String()
}

// ask asks for samples of a task until there are some, as long as the options
// allow. It may return fewer than it was asked for, and at least one if there is
// no error.
func (c *client) ask(ctx context.Context, task *dataset.Task, samples []int) (r result) {
	n := len(samples)
	prompt := task.Prompt()
	fail := func(f *fault) {
		r.err = fmt.Errorf("POST %s: %w", c.shown, f.err)
		if f.kind == hopeless || f.kind == unheard {
			r.err = &hopelessError{r.err}
		}
	}
	for {
		if !c.keepPeace(ctx) {
			fail(&fault{err: ctx.Err()})
			return r
		}
		newLimit := c.newLimit.Load()
		body, err := c.body(prompt, n, samples[0], newLimit)
		if err != nil {
			fail(&fault{err: err, kind: hopeless})
			return r
		}
		reply, f := c.post(ctx, body, n)
		if f == nil {
			r.reply = reply
			return r
		}
		f.err = c.scrub(f.err)
		retries := c.options.Retries
		if f.kind == unheard && !c.heard.Load() {
			// A server that restarts is worth a wait; one that was never
			// there mostly has another address.
			retries = min(retries, maxKnocks)
		}
		switch {
		case ctx.Err() != nil:
			fail(&fault{err: ctx.Err()})
			return r
		case f.kind == fewer && n > 1:
			n /= 2
			continue
		case f.kind == renamed && !newLimit:
			c.newLimit.Store(true)
			continue
		case f.kind != passing && f.kind != unheard, r.retries >= retries:
			if f.unknown {
				c.explain(ctx, f)
			}
			if r.retries > 0 {
				f.err = fmt.Errorf("%w (tried %d times)", f.err, r.retries+1)
			}
			if f.slow {
				f.err = fmt.Errorf("%w: a longer --timeout or a lower --concurrency may help", f.err)
			}
			fail(f)
			return r
		}
		if f.slow && n > 1 {
			n /= 2
		}
		wait := c.options.Backoff << min(r.retries, 10)
		wait = min(wait, max(maxBackoff, c.options.Backoff))
		wait = wait/2 + rand.N(wait/2+1) // lest all come back at once
		r.retries++
		if f.patience > 0 {
			c.askPeace(time.Now().Add(f.patience))
			wait += f.patience
		}
		if c.options.Retrying != nil {
			c.options.Retrying(fmt.Errorf("task %s: POST %s: %w", task.Meta.ID, c.shown, f.err), wait)
		}
		if !sleep(ctx, wait) {
			fail(&fault{err: ctx.Err()})
			return r
		}
	}
}

// askPeace has no request go out before a time.
func (c *client) askPeace(until time.Time) {
	for {
		old := c.peace.Load()
		if old >= until.UnixNano() || c.peace.CompareAndSwap(old, until.UnixNano()) {
			return
		}
	}
}

// keepPeace waits for that time, unless ctx ends first.
func (c *client) keepPeace(ctx context.Context) bool {
	for {
		wait := time.Until(time.Unix(0, c.peace.Load()))
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

// body returns a request for n samples, the first of which has the number first.
func (c *client) body(prompt string, n, first int, newLimit bool) ([]byte, error) {
	s := c.options.Settings
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
		if isNull(value) { // leaves out a field that the model does not take
			delete(fields, name)
		} else {
			fields[name] = value
		}
	}
	return json.Marshal(fields)
}

// post makes one request and returns up to n answers.
func (c *client) post(ctx context.Context, body []byte, n int) (*reply, *fault) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url.String(), bytes.NewReader(body))
	if err != nil {
		return nil, &fault{err: withoutURL(err), kind: hopeless}
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
		// What there is of a message is good enough.
		return nil, c.statusFault(response, text, n)
	case err != nil:
		return nil, c.transportFault(ctx, fmt.Errorf("the answer broke off after %d bytes: %w", len(text), err))
	case len(text) > maxAnswer:
		return nil, &fault{err: fmt.Errorf("expected an answer of %d MiB at most, found a longer one", maxAnswer>>20), kind: lasting}
	}
	reply, err := c.parseReply(text, n)
	if err != nil {
		if strings.Contains(err.Error(), unexpectedEndpoint) {
			return nil, &fault{err: err, kind: hopeless, unknown: true}
		}
		if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind != "" && kind != "application/json" {
			err = fmt.Errorf("%w (its type is %s)", err, c.brief(kind))
		}
		return nil, &fault{err: err}
	}
	return reply, nil
}

// sign adds what each request has in its header.
func (c *client) sign(request *http.Request) {
	request.Header.Set("Accept", "application/json")
	if c.options.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.options.Key)
	}
}

// unexpectedEndpoint is what LM Studio says where others say 404. Its status is
// 200 OK.
const unexpectedEndpoint = "Unexpected endpoint or method"

// withoutURL returns what was wrong, without the URL it was wrong with.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// transportFault tells of a request that got no whole answer.
func (c *client) transportFault(ctx context.Context, err error) *fault {
	err = withoutURL(err)
	var (
		certificate *tls.CertificateVerificationError
		name        x509.HostnameError
		record      tls.RecordHeaderError
		network     *net.OpError
	)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &fault{err: fmt.Errorf("expected the whole answer within %v", c.options.Timeout), slow: true}
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return &fault{err: fmt.Errorf("%w (is this a server for http://, not https://?)", err), kind: hopeless}
	case err.Error() == "net/http: TLS handshake timeout" && !c.heard.Load():
		// llama.cpp's server is silent when it is spoken to in TLS.
		return &fault{err: fmt.Errorf("%w (is this a server for http://, not https://?)", err), kind: unheard}
	case errors.As(err, &certificate), errors.As(err, &name):
		return &fault{err: err, kind: hopeless}
	case errors.As(err, &network) && (network.Op == "dial" || network.Op == "proxyconnect"):
		return &fault{err: err, kind: unheard}
	}
	return &fault{err: err}
}

// statusFault tells of an answer that is not 200 OK.
func (c *client) statusFault(response *http.Response, text []byte, n int) *fault {
	code := response.StatusCode
	message := c.errorMessage(text)
	err := fmt.Errorf("expected 200 OK, found %d %s", code, http.StatusText(code))
	if message != "" {
		err = fmt.Errorf("%w: %s", err, message)
	}
	f := &fault{err: err}
	switch {
	case code/100 == 3:
		to := "nowhere"
		if location, err := response.Location(); err == nil {
			to = shown(location)
		}
		f.err = fmt.Errorf("%w: redirects are not followed, and this one is to %s", f.err, to)
		f.kind = hopeless
	case code == http.StatusNotFound, code == http.StatusMethodNotAllowed:
		f.unknown = true
		f.kind = hopeless
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		if c.options.Key == "" {
			f.err = fmt.Errorf("%w: %w", f.err, ErrNoKey)
		}
		f.kind = hopeless
	case code == http.StatusPaymentRequired, code == http.StatusGone,
		code == http.StatusTooManyRequests && bytes.Contains(text, []byte("insufficient_quota")):
		f.kind = hopeless
	case code == http.StatusBadRequest && bytes.Contains(text, []byte("max_completion_tokens")):
		f.kind = renamed
	case code == http.StatusBadRequest && refusedField(text) == "temperature":
		// OpenAI's models that think have one temperature. Which one the
		// samples have is not for us to choose.
		f.err = fmt.Errorf(`%w (try --temperature 1, or --extra '{"temperature": null}' to send none)`, f.err)
		f.kind = hopeless
	case n > 1 && (code == http.StatusBadRequest || code == http.StatusUnprocessableEntity || code == http.StatusNotImplemented),
		// An older llama.cpp says "Only one completion choice is allowed". A
		// newer one has a limit, the number of its slots.
		n > 1 && code == http.StatusInternalServerError && strings.Contains(message, "choice"):
		f.kind = fewer
	case code == http.StatusRequestTimeout, code == http.StatusConflict, code == http.StatusTooEarly,
		code == http.StatusTooManyRequests, code >= 500:
		f.patience = patience(response.Header, time.Now())
		if f.patience > maxPatience {
			f.err = fmt.Errorf("%w: the server asks to be left alone for %v: go on after that", f.err, f.patience.Round(time.Second))
			f.kind = hopeless
		}
	default:
		f.unknown = code == http.StatusBadRequest // so LiteLLM and others refuse a model
		f.kind = lasting
	}
	return f
}

// refusedField returns the field of a request that OpenAI says its model does
// not take, or not with that value.
func refusedField(text []byte) string {
	var response struct {
		Error struct {
			Param string          `json:"param"`
			Code  json.RawMessage `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(text, &response) != nil {
		return ""
	}
	switch string(response.Error.Code) {
	case `"unsupported_value"`, `"unsupported_parameter"`:
		return response.Error.Param
	}
	return ""
}

// patience returns how long the server asks us to wait: whole seconds, a date,
// or, in headers that OpenAI has, milliseconds, or when what there is none left
// of comes back, as in 1m30.5s. 0: it does not.
func patience(header http.Header, now time.Time) time.Duration {
	const forever = 365 * 24 * time.Hour // longer than anyone waits, and no overflow
	number := func(text string, unit time.Duration) (time.Duration, bool) {
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(n >= 0) {
			return 0, false
		}
		return time.Duration(min(n*float64(unit), float64(forever))), true
	}
	if wait, ok := number(header.Get("Retry-After-Ms"), time.Millisecond); ok {
		return wait
	}
	after := header.Get("Retry-After")
	if wait, ok := number(after, time.Second); ok {
		return wait
	}
	if date, err := http.ParseTime(after); err == nil {
		return max(date.Sub(now), 0)
	}
	var wait time.Duration
	for _, of := range []string{"Requests", "Tokens"} {
		if header.Get("X-Ratelimit-Remaining-"+of) == "0" {
			reset, err := time.ParseDuration(header.Get("X-Ratelimit-Reset-" + of))
			if err == nil {
				wait = max(wait, reset)
			}
		}
	}
	return min(wait, forever)
}

// errorMessage takes the message out of what servers send with an error:
//
//	{"error": {"message": "..."}}                      OpenAI, vLLM, llama.cpp
//	{"error": "..."}                                   Ollama
//	{"object": "error", "message": "..."}              older vLLM
//	{"detail": "..."} or {"detail": [{"msg": "..."}]}  FastAPI
//
// and anything else as it is.
func (c *client) errorMessage(text []byte) string {
	text = bytes.TrimSpace(text)
	var top map[string]json.RawMessage
	if json.Unmarshal(text, &top) == nil {
		for _, name := range []string{"error", "message", "detail"} {
			if message := innerMessage(top[name]); message != "" {
				return c.brief(message)
			}
		}
	}
	return c.brief(string(text))
}

func innerMessage(value json.RawMessage) string {
	var (
		text   string
		object struct {
			Message string `json:"message"`
			Msg     string `json:"msg"`
		}
		list []json.RawMessage
	)
	switch {
	case json.Unmarshal(value, &text) == nil:
		return text
	case json.Unmarshal(value, &object) == nil && object.Message+object.Msg != "":
		return object.Message + object.Msg
	case json.Unmarshal(value, &list) == nil && len(list) > 0 && json.Unmarshal(list[0], &object) == nil:
		return object.Message + object.Msg
	}
	return ""
}

// brief makes a server's words fit for a line of a terminal. The key goes before
// the end does, as the start of a key is telling too.
func (c *client) brief(text string) string {
	if c.options.Key != "" {
		text = strings.ReplaceAll(text, c.options.Key, "***")
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
	cut := ""
	if len(text) > maxSaid {
		end := maxSaid
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text, cut = text[:end], "…"
	}
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, text) + cut
}

// A scrubbedError is another error without the key in its text.
type scrubbedError struct {
	error
	text string
}

func (e *scrubbedError) Error() string { return e.text }
func (e *scrubbedError) Unwrap() error { return e.error }

// scrub takes the key out of an error: servers that refuse a key may say it.
func (c *client) scrub(err error) error {
	if c.options.Key == "" || !strings.Contains(err.Error(), c.options.Key) {
		return err
	}
	return &scrubbedError{err, strings.ReplaceAll(err.Error(), c.options.Key, "***")}
}

// parseReply reads what a server says with 200 OK. Fields that we have no use
// for may be missing or of any type: the dialects differ in them.
func (c *client) parseReply(text []byte, n int) (*reply, error) {
	var response struct {
		Choices []struct {
			Message *struct {
				Content json.RawMessage `json:"content"`
			} `json:"message"`
			Text         *string         `json:"text"`
			FinishReason json.RawMessage `json:"finish_reason"`
		} `json:"choices"`
		Model json.RawMessage `json:"model"`
		Usage json.RawMessage `json:"usage"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(text, &response); err != nil {
		return nil, fmt.Errorf("expected a JSON object with choices, found %d bytes that begin %s", len(text), c.brief(string(text)))
	}
	if len(response.Choices) == 0 {
		if message := innerMessage(response.Error); message != "" {
			return nil, fmt.Errorf("expected choices, found the error %s", c.brief(message))
		}
		return nil, errors.New("expected at least one of choices, found none")
	}
	r := &reply{}
	for i, choice := range response.Choices[:min(n, len(response.Choices))] {
		var a answer
		// A reason that is no text is as good as none.
		_ = json.Unmarshal(choice.FinishReason, &a.finish)
		ok := false
		switch {
		case choice.Message != nil:
			a.text, ok = contentText(choice.Message.Content)
			// null is what is left of a model that spent all its tokens on
			// thinking, or said no. That is its answer if it ended.
			ok = ok || a.finish != "" && isNull(choice.Message.Content)
		case choice.Text != nil:
			a.text, ok = *choice.Text, true
		}
		if !ok {
			return nil, fmt.Errorf("choices[%d]: expected message.content or text, found neither", i)
		}
		r.answers = append(r.answers, a)
	}
	// These are good to know, and no more.
	var usage struct {
		Prompt     int64 `json:"prompt_tokens"`
		Completion int64 `json:"completion_tokens"`
	}
	_ = json.Unmarshal(response.Usage, &usage)
	_ = json.Unmarshal(response.Model, &r.model)
	r.promptTokens, r.tokens = max(usage.Prompt, 0), max(usage.Completion, 0)
	return r, nil
}

func isNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// contentText returns a message's text, which may come in parts.
func contentText(content json.RawMessage) (text string, ok bool) {
	if isNull(content) {
		return "", false
	}
	if json.Unmarshal(content, &text) == nil {
		return text, true
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return "", false
	}
	for _, part := range parts {
		if part.Type == "text" {
			text += part.Text
		}
	}
	return text, true
}
