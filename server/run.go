package server

import (
	"context"
	"time"

	"codelinter/internal/programs"
	"codelinter/internal/pyjson"
)

// runCode is the route of SandboxFusion's clients. Of all errors some of them ask again only
// after 504, and take the others for a result of 0; so what another route answers with
// 503 or 500 is 504 here.
const runCode = "POST /run_code"

// postRunCode answers POST /run_code.
func (s *Server) postRunCode(x *exchange) {
	var request programs.Request
	if !x.read(func(body []byte) (cost int64, err error) {
		if _, err = x.settings(noSettings); err != nil {
			return 0, err
		}
		request, err = programs.Decode(body)
		return request.Cost(), err
	}) {
		return
	}
	x.asked = 1
	ctx, cancel := context.WithCancel(context.WithoutCancel(x.request.Context()))
	defer cancel()
	defer context.AfterFunc(x.request.Context(), func() { time.AfterFunc(halfClosed, cancel) })()
	reply, err := s.programs.Run(ctx, &request)
	if err != nil {
		x.busy("the program has no result: " + err.Error())
		return
	}
	text := pyjson.AppendLine(nil, reply)
	if err := x.room(x.hold.Has() + int64(len(text))); err != nil {
		x.refuse(err)
		return
	}
	x.json(text)
}
