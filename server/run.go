package server

import (
	"errors"
	"net/http"

	"codelinter/internal/programs"
	"codelinter/internal/pyjson"
)

// The routes of SandboxFusion's clients. Some of them try again only after 504, and
// take other errors for a result of 0. So these routes answer 504 where others answer
// 503 or 500.
const (
	runCode = "POST /run_code"
	submit  = "POST /submit"
)

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
	ctx, cancel := x.working()
	defer cancel()
	reply, err := s.programs.Run(ctx, &request)
	x.result(reply, err)
}

func (s *Server) postSubmit(x *exchange) {
	var submission *programs.Submission
	if !x.read(func(body []byte) (cost int64, err error) {
		if _, err = x.settings(noSettings); err != nil {
			return 0, err
		}
		if submission, err = programs.DecodeSubmission(body); err != nil {
			return 0, err
		}
		return submission.Cost(), nil
	}) {
		return
	}
	ctx, cancel := x.working()
	defer cancel()
	judgement, err := s.programs.Judge(ctx, submission)
	x.result(judgement, err)
}

// result answers with a program's result, or the reason why it is unknown.
func (x *exchange) result(reply any, err error) {
	x.asked = 1
	var notHere *programs.NotHereError
	switch {
	case errors.As(err, &notHere):
		x.fail(http.StatusUnprocessableEntity, err.Error())
		return
	case err != nil:
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
