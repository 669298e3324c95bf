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
	reply, err := s.programs.Run(ctx, &request)
	if err != nil {
		x.busy("the program has no result: " + err.Error())
		return
	}
	text := pyjson.AppendLine(nil, reply)
	if err := x.hold.More(int64(len(text))); err != nil {
		x.refuse(err)
		return
	}
	x.json(text)
}
