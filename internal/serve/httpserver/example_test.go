package httpserver_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"codelinter/internal/serve/httpserver"
)

// The server's handler, asked to lint. Serve adds the bounds on connections.
func Example() {
	server, err := httpserver.New(httpserver.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	listening := httptest.NewServer(server.Handler())
	defer listening.Close()
	response, err := http.Post(listening.URL+"/v1/lint", "application/json", strings.NewReader(`{"code": "import os\n"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, err)
	fmt.Printf("%s\n", body)
	// Output:
	// 200 <nil>
	// {"id": null, "findings": [{"code":"F401","row":1,"column":1,"start":0,"end":9,"message":"'os' imported but unused"}], "found": 1, "error": ""}
}
