package httpserver

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"codelinter/internal/serve/api"
	"codelinter/internal/serve/trainers"
)

// DeadlineHeader is the header with the client's deadline in milliseconds. Answers
// without a verdict by then are unknown.
const DeadlineHeader = "X-Deadline-Ms"

// The URL parameters of routes; see [exchange.settings].
var (
	noSettings    = []string{}
	scoreSettings = []string{"verdict", "reward", "on_unknown", "deadline_ms"}
	slimeSettings = []string{"full", "verdict", "reward", "on_unknown", "deadline_ms"}
)

// settings returns the URL's parameters. Each must be known and occur once: otherwise
// a misspelt setting, or one cut off at a ";", would silently be the default.
func (x *exchange) settings(known []string) (url.Values, error) {
	query, err := url.ParseQuery(x.request.URL.RawQuery)
	if err != nil {
		return nil, fmt.Errorf("?%.100s: expected parameters with & between them: %v", x.request.URL.RawQuery, err)
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(known, name) {
			if len(known) == 0 {
				return nil, fmt.Errorf("?%.40s: expected no parameters", name)
			}
			return nil, api.UnknownKey("URL", name, known)
		}
		if len(query[name]) > 1 {
			return nil, fmt.Errorf("?%s: expected it once, found it %d times", name, len(query[name]))
		}
	}
	return query, nil
}

// defaults returns the settings of items that have none of their own. They come from
// the server's options, from the header, and from the URL
// (?verdict=official&deadline_ms=2000), which comes before the header: some clients
// can configure only the URL.
func (x *exchange) defaults(query url.Values) (d api.Defaults, err error) {
	d = x.server.options.Defaults
	for _, choice := range api.Choices() {
		choice.Expected = strings.ReplaceAll(choice.Expected, `"`, "")
		if query.Has(choice.Name) {
			if err := d.Set(choice, query.Get(choice.Name)); err != nil {
				return d, fmt.Errorf("?%s: %w", choice.Name, err)
			}
		}
	}
	for _, said := range []struct{ from, ms string }{{DeadlineHeader, x.request.Header.Get(DeadlineHeader)}, {"?deadline_ms", query.Get("deadline_ms")}} {
		if said.ms == "" && !(said.from[0] == '?' && query.Has("deadline_ms")) {
			continue
		}
		n, err := strconv.ParseFloat(said.ms, 64)
		if err != nil || !(n > 0) || math.IsInf(n, 0) {
			return d, fmt.Errorf("%s: expected milliseconds above 0, found %.40q", said.from, said.ms)
		}
		d.Deadline = api.Milliseconds(n)
	}
	return d, nil
}

// A decoder reads a request. query has the URL's parameters, and defaults the settings that
// come from these and the header.
type decoder func(body []byte, query url.Values, defaults api.Defaults) (trainers.Call, error)

func decodeScore(body []byte, _ url.Values, defaults api.Defaults) (call trainers.Call, err error) {
	call.Request, err = api.Decode(body, defaults)
	if err == nil && call.Request.Lint != nil {
		found := "lint"
		if call.Request.Lint.Edit != nil {
			found = "edit"
		}
		err = &api.Error{Problem: fmt.Sprintf(`expected "completions" or "items", found "%s", which is for /v1/%[1]s`, found)}
	}
	return call, err
}

func decodeLint(body []byte, _ url.Values, defaults api.Defaults) (call trainers.Call, err error) {
	call.Request, err = api.DecodeLint(body, defaults)
	return call, err
}

func decodeEdit(body []byte, _ url.Values, defaults api.Defaults) (call trainers.Call, err error) {
	call.Request, err = api.DecodeEdit(body, defaults)
	return call, err
}

func decodeOpenRLHF(body []byte, _ url.Values, defaults api.Defaults) (trainers.Call, error) {
	return trainers.OpenRLHF(body, defaults)
}

func decodeSlime(body []byte, query url.Values, defaults api.Defaults) (trainers.Call, error) {
	full := query.Has("full")
	switch value := query.Get("full"); value {
	case "", "1", "true":
	case "0", "false":
		full = false
	default:
		return trainers.Call{}, fmt.Errorf("?full: expected nothing, true or false, found %.40q", value)
	}
	return trainers.Slime(body, full, defaults)
}

// serviceHandler returns a handler that passes the requests of a decoder to the service. known are
// the URL's parameters.
func serviceHandler(known []string, decode decoder) func(*exchange) {
	return func(x *exchange) {
		var call trainers.Call
		if !x.read(known, func(body []byte, query url.Values) (int64, error) {
			defaults, err := x.defaults(query)
			if err == nil {
				call, err = decode(body, query, defaults)
			}
			return x.server.service.Cost(&call.Request), err
		}) {
			return
		}
		reply, ok := x.do(&call.Request)
		switch {
		case !ok:
		case call.Append == nil:
			x.respond(http.StatusOK, "application/json", func(w io.Writer) {
				out := bufio.NewWriter(w)
				api.WriteReply(out, &reply)
				out.WriteString("\n")
				out.Flush()
			})
		default:
			if x.problem != "" { // a bare number has no place for the error
				x.writer.Header().Set(ErrorHeader, headerText(x.problem))
			}
			x.json(call.Append(nil, &reply))
		}
	}
}

// ErrorHeader is the header with the first error in a trainer's items.
const ErrorHeader = "X-Codelinter-Error"

// headerText makes a text valid in a header.
func headerText(text string) string {
	bytes := []byte(text)
	if len(bytes) > 500 {
		bytes = bytes[:500]
	}
	for i, c := range bytes {
		if c < ' ' || c > '~' {
			bytes[i] = '?'
		}
	}
	return string(bytes)
}

func (s *Server) getOpenAPI(x *exchange) { x.json(openAPI.Get()) }

// getHealth answers while the process lives.
func (s *Server) getHealth(x *exchange) { x.json([]byte(`{"status": "ok"}`)) }

// getReady answers whether more requests should come, and need not wait for the
// sandbox.
func (s *Server) getReady(x *exchange) {
	switch {
	case s.stopping.Load():
		x.busy("stopping")
	case !s.ready.Load():
		x.busy("the sandbox is starting")
	default:
		x.send(http.StatusOK, "application/json", []byte(`{"status": "ready"}`))
	}
}
