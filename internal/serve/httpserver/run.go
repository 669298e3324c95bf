package httpserver

import (
	"net/url"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/sandboxfusion"
)

// runCode is the route of SandboxFusion's clients. Some of them try again only after 504, and
// take other errors for a result of 0. So this route answers 504 where others answer 503 or 500.
const runCode = "POST /run_code"

// postRunCode answers with a program's result, or the reason why it is unknown.
func (s *Server) postRunCode(x *exchange) {
	var request sandboxfusion.Request
	if !x.read(noSettings, func(body []byte, _ url.Values) (cost int64, err error) {
		request, err = sandboxfusion.Decode(body)
		return request.Cost(), err
	}) {
		return
	}
	ctx, cancel := x.working()
	defer cancel()
	x.asked = 1
	pulse := x.pulse()
	defer pulse.end()
	reply, err := s.programs.Run(ctx, &request)
	headed := pulse.end()
	if err != nil {
		problem := "the program has no result: " + err.Error()
		if headed {
			x.cut(problem)
		}
		x.busy(problem)
		return
	}
	text := pyjson.AppendLine(nil, reply)
	switch err := x.hold.More(int64(len(text))); {
	case err != nil && headed:
		x.cut(err.Error())
	case err != nil:
		x.refuse(err)
	case headed:
		x.rest(text)
	default:
		x.json(text)
	}
}
