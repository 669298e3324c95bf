package web

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/guarded"
	"codelinter/server/api"
	"codelinter/server/trainers"
)

// DeadlineHeader is the header in which a client says how many milliseconds it waits.
// What has no verdict by then is answered as unknown.
const DeadlineHeader = "X-Deadline-Ms"

// defaults returns what items have that do not say it: of the server's options, of the
// URL (?verdict=official&reward=shaped&deadline_ms=2000), which is all that can be
// configured of some clients, and of the header.
func (x *exchange) defaults() (d api.Defaults, err error) {
	d = x.server.options.Defaults
	ms := x.request.Header.Get(DeadlineHeader)
	from := DeadlineHeader
	if x.request.URL.RawQuery != "" {
		query := x.request.URL.Query()
		if verdict := query.Get("verdict"); verdict != "" {
			d.Verdict = evaluator.Verdict(verdict)
			if d.Verdict != evaluator.Official && d.Verdict != evaluator.Guarded {
				return d, fmt.Errorf("?verdict: expected guarded or official, found %.40q", verdict)
			}
		}
		if reward := query.Get("reward"); reward != "" {
			if d.Reward, err = guarded.ParseReward(reward); err != nil {
				return d, fmt.Errorf("?reward: expected binary or shaped, found %.40q", reward)
			}
		}
		if query.Has("deadline_ms") {
			ms, from = query.Get("deadline_ms"), "?deadline_ms"
		}
	}
	if ms != "" {
		n, err := strconv.ParseFloat(ms, 64)
		if err != nil || !(n > 0 && n <= 1e9) {
			return d, fmt.Errorf("%s: expected milliseconds above 0, found %.40q", from, ms)
		}
		d.Deadline = time.Duration(n * float64(time.Millisecond))
	}
	if d.Verdict == evaluator.Official {
		d.Reward = guarded.Binary // there is no other
	}
	return d, nil
}

// postScore answers POST /v1/score.
func (x *exchange) score() {
	var request api.Request
	decoded := x.read(func(body []byte) error {
		defaults, err := x.defaults()
		if err != nil {
			return err
		}
		if request, err = api.Decode(body, defaults); err != nil {
			return err
		}
		if request.Lint != nil {
			return &api.Error{Problem: `expected "completions" or "items", found "lint", which is for /v1/lint`}
		}
		return nil
	})
	if decoded {
		x.answer(&request)
	}
}

// lint answers POST /v1/lint.
func (x *exchange) lint() {
	var request api.Request
	decoded := x.read(func(body []byte) (err error) {
		request, err = api.DecodeLint(body)
		return err
	})
	if decoded {
		x.answer(&request)
	}
}

// answer has a request done, and writes its reply.
func (x *exchange) answer(request *api.Request) {
	if reply, ok := x.do(request); ok {
		x.json(append(api.AppendReply(nil, &reply), '\n'))
	}
}

func (s *Server) postScore(x *exchange) { x.score() }
func (s *Server) postLint(x *exchange)  { x.lint() }

// call answers what a trainer asked.
func (x *exchange) call(decode func(body []byte, defaults api.Defaults) (trainers.Call, error)) {
	var call trainers.Call
	decoded := x.read(func(body []byte) error {
		defaults, err := x.defaults()
		if err == nil {
			call, err = decode(body, defaults)
		}
		return err
	})
	if !decoded {
		return
	}
	reply, ok := x.do(&call.Request)
	if !ok {
		return
	}
	if x.problem != "" { // a bare number has no place for it
		x.writer.Header().Set(ErrorHeader, headerText(x.problem))
	}
	x.json(call.Append(nil, &reply))
}

// ErrorHeader is the header that says why the first of a trainer's items has no score
// that was earned.
const ErrorHeader = "X-Codelinter-Error"

// headerText returns a text as a header can have it.
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

func (s *Server) postOpenRLHF(x *exchange) { x.call(trainers.OpenRLHF) }

func (s *Server) postSlime(x *exchange) {
	full := x.request.URL.Query().Has("full")
	x.call(func(body []byte, defaults api.Defaults) (trainers.Call, error) {
		return trainers.Slime(body, full, defaults)
	})
}

func (s *Server) postVerify(x *exchange) { x.call(trainers.NemoGymVerify) }

func (s *Server) postSession(x *exchange)   { x.translate(trainers.NemoGymSession) }
func (s *Server) postAggregate(x *exchange) { x.translate(trainers.NemoGymAggregate) }

// translate answers what needs no scores.
func (x *exchange) translate(translate func(body []byte) ([]byte, error)) {
	var reply []byte
	decoded := x.read(func(body []byte) (err error) {
		reply, err = translate(body)
		return err
	})
	if decoded {
		x.json(reply)
	}
}

func (s *Server) getReverifyMode(x *exchange) { x.json([]byte(trainers.NemoGymReverifyMode)) }

// getHealth answers that the process lives.
func (s *Server) getHealth(x *exchange) { x.json([]byte(`{"status": "ok"}`)) }

// getReady answers whether requests are answered without waiting for the sandbox, and
// whether more of them should come.
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
