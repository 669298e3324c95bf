package stream_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"codelinter/internal/serve/service"
	"codelinter/internal/serve/stream"
)

// Each line has a reply, also one that is not a request.
func Example() {
	s, err := service.New(service.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	in := strings.NewReader(`{"id": 1, "lint": {"code": "x = 1\n"}}
{"id": 2, "lint": {"code": "x=1\n"}}
x = 1
`)
	if err := stream.Run(context.Background(), s, in, os.Stdout, stream.Options{Ordered: true}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"id": 1, "findings": [], "found": 0, "error": ""}
	// {"id": 2, "findings": [{"code":"E225","row":1,"column":2,"start":1,"end":1,"message":"missing whitespace around operator"}], "found": 1, "error": ""}
	// {"id": null, "line": 3, "error": "expected a JSON object, found \"x = 1\""}
}
