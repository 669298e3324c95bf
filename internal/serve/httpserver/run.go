package httpserver

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/sandboxfusion"
)

// The routes of SandboxFusion's clients. Some of them try again only after 504, and
// take other errors for a result of 0. So these routes answer 504 where others answer
// 503 or 500.
const (
	runCode = "POST /run_code"
	submit  = "POST /submit"
)

func (s *Server) postRunCode(x *exchange) {
	var request sandboxfusion.Request
	x.run(func(body []byte) (cost int64, err error) {
		request, err = sandboxfusion.Decode(body)
		return request.Cost(), err
	}, func(ctx context.Context) (any, error) { return s.programs.Run(ctx, &request) })
}

func (s *Server) postSubmit(x *exchange) {
	var submission *sandboxfusion.Submission
	x.run(func(body []byte) (cost int64, err error) {
		if submission, err = sandboxfusion.DecodeSubmission(body); err != nil {
			return 0, err
		}
		return submission.Cost(), nil
	}, func(ctx context.Context) (any, error) { return s.programs.Judge(ctx, submission) })
}

// run decodes a request, and answers with its program's result or the reason why it is
// unknown.
func (x *exchange) run(decode func(body []byte) (cost int64, err error), run func(context.Context) (any, error)) {
	if !x.read(noSettings, func(body []byte, _ url.Values) (int64, error) { return decode(body) }) {
		return
	}
	ctx, cancel := x.working()
	defer cancel()
	reply, err := run(ctx)
	x.asked = 1
	switch {
	case errors.As(err, new(*sandboxfusion.NotHereError)):
		x.fail(http.StatusUnprocessableEntity, err.Error())
		return
	case err != nil:
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
