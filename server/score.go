package server

import (
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"codelinter/internal/api"
	"codelinter/internal/trainers"
)

// DeadlineHeader is the header with the client's deadline in milliseconds. Answers
// without a verdict by then are unknown.
const DeadlineHeader = "X-Deadline-Ms"

// The URL parameters of routes; see [exchange.settings].
var (
	noSettings    = []string{}
	scoreSettings = []string{"verdict", "reward", "on_unknown", "deadline_ms"}
	slimeSettings = append([]string{"full"}, scoreSettings...)
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
		if value := query.Get(choice.Name); query.Has(choice.Name) && !d.Set(choice.Name, value) {
			return d, fmt.Errorf("?%s: expected %s, found %.40q", choice.Name, strings.ReplaceAll(choice.Expected, `"`, ""), value)
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

// decodeInto returns a function for [exchange.read] that decodes a request with the
// defaults of the URL and the header.
func (x *exchange) decodeInto(request *api.Request, known []string, decode func(body []byte, query url.Values, defaults api.Defaults) (api.Request, error)) func([]byte) (int64, error) {
	return func(body []byte) (int64, error) {
		query, err := x.settings(known)
		if err != nil {
			return 0, err
		}
		defaults, err := x.defaults(query)
		if err != nil {
			return 0, err
		}
		if *request, err = decode(body, query, defaults); err != nil {
			return 0, err
		}
		return x.server.service.Cost(request), nil
	}
}

func (s *Server) postScore(x *exchange) {
	var request api.Request
	x.answer(&request, x.decodeInto(&request, scoreSettings, func(body []byte, _ url.Values, defaults api.Defaults) (api.Request, error) {
		request, err := api.Decode(body, defaults)
		if err == nil && request.Lint != nil {
			err = &api.Error{Problem: `expected "completions" or "items", found "lint", which is for /v1/lint`}
		}
		return request, err
	}))
}

func (s *Server) postLint(x *exchange) {
	var request api.Request
	x.answer(&request, x.decodeInto(&request, noSettings, func(body []byte, _ url.Values, defaults api.Defaults) (api.Request, error) {
		return api.DecodeLint(body, defaults)
	}))
}

// answer reads a request, passes it to the service, and writes its reply.
func (x *exchange) answer(request *api.Request, decode func(body []byte) (int64, error)) {
	if !x.read(decode) {
		return
	}
	if reply, ok := x.do(request); ok {
		x.respond(http.StatusOK, "application/json", func(w io.Writer) {
			api.WriteReply(w, nil, &reply)
			io.WriteString(w, "\n")
		})
	}
}

// call answers a trainer's request.
func (x *exchange) call(known []string, decode func(body []byte, query url.Values, defaults api.Defaults) (trainers.Call, error)) {
	var call trainers.Call
	if !x.read(x.decodeInto(&call.Request, known, func(body []byte, query url.Values, defaults api.Defaults) (request api.Request, err error) {
		call, err = decode(body, query, defaults)
		return call.Request, err
	})) {
		return
	}
	if err := x.room(x.hold.Has() + int64(call.Echo)); err != nil {
		x.refuse(err)
		return
	}
	reply, ok := x.do(&call.Request)
	if !ok {
		return
	}
	if x.problem != "" { // a bare number has no place for the error
		x.writer.Header().Set(ErrorHeader, headerText(x.problem))
	}
	x.json(call.Append(nil, &reply))
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

func (s *Server) postOpenRLHF(x *exchange) {
	x.call(scoreSettings, func(body []byte, _ url.Values, defaults api.Defaults) (trainers.Call, error) {
		return trainers.OpenRLHF(body, defaults)
	})
}

func (s *Server) postSlime(x *exchange) {
	x.call(slimeSettings, func(body []byte, query url.Values, defaults api.Defaults) (trainers.Call, error) {
		full := query.Has("full")
		switch value := query.Get("full"); value {
		case "", "1", "true":
		case "0", "false":
			full = false
		default:
			return trainers.Call{}, fmt.Errorf("?full: expected nothing, true or false, found %.40q", value)
		}
		return trainers.Slime(body, full, defaults)
	})
}

func (s *Server) postVerify(x *exchange) {
	x.call(scoreSettings, func(body []byte, _ url.Values, defaults api.Defaults) (trainers.Call, error) {
		return trainers.NemoGymVerify(body, defaults)
	})
}

func (s *Server) postSession(x *exchange) { x.translate(trainers.NemoGymSession) }

func (s *Server) postAggregate(x *exchange) {
	x.translate(func(body []byte) ([]byte, error) {
		return trainers.NemoGymAggregate(body, s.options.Defaults, x.hold.More)
	})
}

// translate answers a request that needs no scores.
func (x *exchange) translate(translate func(body []byte) ([]byte, error)) {
	var reply []byte
	if x.read(func(body []byte) (int64, error) {
		if _, err := x.settings(noSettings); err != nil {
			return 0, err
		}
		var err error
		reply, err = translate(body)
		return 2 * int64(cap(reply)), err
	}) {
		x.json(reply)
	}
}

func (s *Server) getReverifyMode(x *exchange) { x.json([]byte(trainers.NemoGymReverifyMode)) }

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
