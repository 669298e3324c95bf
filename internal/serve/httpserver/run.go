package httpserver

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"net/url"

	"codelinter/internal/serve/sandboxfusion"
	"codelinter/internal/serve/service"
	"codelinter/sandbox"
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
	waiting := x.keepAlive()
	defer waiting.end()
	before := x.hold.Has()
	reply, err := s.programs.Run(ctx, &request, func(bytes int64) error { return x.hold.Set(before + bytes) })
	request = sandboxfusion.Request{} // its memory is free
	write := func(w io.Writer) {
		out := bufio.NewWriter(w)
		reply.Write(out)
		out.Flush()
	}
	switch headed := waiting.end(); {
	case err != nil && headed:
		x.cut("the program has no result: " + err.Error())
	case errors.Is(err, sandbox.ErrInvalid):
		x.fail(http.StatusBadRequest, err.Error())
	case errors.Is(err, service.ErrTooLarge):
		x.refuse(err)
	case err != nil:
		x.busy("the program has no result: " + err.Error())
	case headed:
		x.rest(write)
	default:
		x.respond(http.StatusOK, "application/json", write)
	}
}
