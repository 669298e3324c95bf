package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codelinter/internal/serve/mcp"
	"codelinter/internal/serve/service"
	"codelinter/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.RunChild()
	m.Run()
}

// connect returns a session of the protocol's official client with a server.
func connect(t *testing.T) *sdk.ClientSession {
	t.Helper()
	s, err := service.New(service.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	ctx := context.WithoutCancel(t.Context()) // that of a test ends before its cleanup
	go func() { served <- mcp.Serve(ctx, fromClient, toClient, mcp.Options{Service: s}) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		toServer.Close()
		if err := <-served; err != nil {
			t.Errorf("the server ended with %v", err)
		}
		session.Close()
		s.Close()
	})
	return session
}

// call calls a tool, and returns its result as JSON, or its error.
func call(t *testing.T, session *sdk.ClientSession, tool, arguments string) string {
	t.Helper()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return "refused: " + err.Error()
	}
	text := result.Content[0].(*sdk.TextContent).Text
	if result.IsError {
		return "error: " + text
	}
	return text
}

func TestTools(t *testing.T) {
	session := connect(t)
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
		if tool.InputSchema == nil || tool.OutputSchema == nil || tool.Description == "" || !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
	}
	if got := strings.Join(names, " "); got != "lint fix check_edit run explain_rule" {
		t.Errorf("tools: %s", got)
	}
	for _, test := range []struct{ tool, arguments, want string }{
		{"lint", `{"code": "x=1\n"}`, `{"findings":[{"code":"E225","row":1,"column":2,"message":"missing whitespace around operator"}],"found":1}`},
		{"lint", `{"code": "x=1\n", "options": {"ignore": ["E225"]}}`, `{"findings":[],"found":0}`},
		{"lint", `{"code": "import os\n", "name": "__init__.py"}`, `{"findings":[{"code":"F401","row":1,"column":1,"message":"'os' imported but unused"}],"found":1}`},
		{"lint", `{"code": "x=1\n", "options": {"max-line": 1}}`, `error: options: `},
		{"lint", `{}`, `error: arguments: expected "code"`},
		{"lint", `{"code": "", "cod": 1}`, `error: arguments: unknown field "cod"`},
		{"lint", `{"code": 1}`, `error: arguments: `},
		{"lint", `{"code": "` + strings.Repeat(" ", service.DefaultMaxAnswer+1) + `"}`, `error: expected 1048576 bytes at most, found 1048577`},
		{"fix", `{"code": "x=1\n"}`, `{"code":"x = 1\n","changed":true,"fixed":[{"code":"E225","row":1,"column":2,"message":"missing whitespace around operator"}],"remaining":[]}`},
		{"fix", `{"code": "x = y\n"}`, `{"code":"x = y\n","changed":false,"fixed":[],"remaining":[{"code":"F821","row":1,"column":5,"message":"undefined name 'y'","reason":"no edit is known"}]}`},
		{"check_edit", `{"before": "x=1\n", "after": "x = 1\n"}`, `{"new":[],"gone":[{"code":"E225","row":1,"column":2,"message":"missing whitespace around operator"}],"found":0,"tree":"same","meaning":"same","proof":"tree","reasons":[]}`},
		{"check_edit", `{"before": "x = 1\n", "after": "x=2\n", "run": false}`, `{"new":[{"code":"E225","row":1,"column":2,"message":"missing whitespace around operator"}],"gone":[],"found":1,"tree":"other","meaning":"unknown","proof":"","reasons":[]}`},
		{"check_edit", `{"before": "x = 1\n"}`, `error: arguments: expected "after"`},
		{"explain_rule", `{"code": "E501"}`, `{"code":"E501","name":"overlong-line","markdown":"# E501`},
		{"explain_rule", `{"code": "E5"}`, `error: code: expected one of flake8's, such as E501, found "E5"`},
		{"run", `{"code": "", "timeout": 61}`, `error: timeout: expected 0.001 to 60, found 61`},
		{"delete", `{}`, `refused: `},
	} {
		if got := call(t, session, test.tool, test.arguments); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s %.100s: got\n%s, want\n%s", test.tool, test.arguments, got, test.want)
		}
	}
}

func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles CPython")
	}
	session := connect(t)
	for _, test := range []struct{ arguments, want string }{
		{`{"code": "import sys\nprint(input(), sys.argv[1:])", "stdin": "a\n", "arguments": ["b"]}`, `{"stdout":"a ['b']\n","stderr":"","end":"done","exit_code":0,`},
		{`{"code": "raise SystemExit(3)"}`, `{"stdout":"","stderr":"","end":"exited","exit_code":3,`},
		{`{"code": "while True: pass", "timeout": 0.01}`, `{"stdout":"","stderr":"","end":"budget","exit_code":-1,`},
	} {
		if got := call(t, session, "run", test.arguments); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: got\n%s, want\n%s", test.arguments, got, test.want)
		}
	}
	if got := call(t, session, "check_edit", `{"before": "def f(n):\n    return n + 1\n", "after": "def f(n):\n    return n + 2\n"}`); !strings.Contains(got, `"meaning":"other","proof":"","reasons":["`) {
		t.Errorf("an edit that is run: %s", got)
	}
}

// Many calls at once are all answered, more than the server reads at a time.
func TestManyCalls(t *testing.T) {
	session := connect(t)
	const n = 200
	answers := make(chan string, n)
	for i := range n {
		go func() {
			result, err := session.CallTool(context.WithoutCancel(t.Context()), &sdk.CallToolParams{Name: "lint", Arguments: json.RawMessage(fmt.Sprintf(`{"code": "x = y%d\n"}`, i))})
			if err != nil {
				answers <- err.Error()
				return
			}
			if text := result.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, fmt.Sprintf("undefined name 'y%d'", i)) {
				answers <- text
				return
			}
			answers <- ""
		}()
	}
	for range n {
		if answer := <-answers; answer != "" {
			t.Fatal(answer)
		}
	}
}

// What is no message of the protocol is answered with an error or ends the session, and nothing
// hangs.
func TestBadMessages(t *testing.T) {
	s, err := service.New(service.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for input, want := range map[string]string{
		"":                                      "",
		"\n\n":                                  "",
		"x\n":                                   `"error"`,
		`{"jsonrpc":"2.0","id":1,"method":"x"}`: "",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n":                                                       `"result":{}`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n":                                                          `"code":-32601`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":[1]}\n":                                  `"code":-32602`,
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}\n":                "",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2099-01-01\"}}\n": `"protocolVersion":"2025-11-25"`,
	} {
		var out strings.Builder
		if err := mcp.Serve(t.Context(), strings.NewReader(input), &out, mcp.Options{Service: s}); err != nil {
			t.Errorf("%q: %v", input, err)
		}
		if got := out.String(); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: answered %q, want %q", input, got, want)
		}
	}
	if err := mcp.Serve(t.Context(), strings.NewReader(strings.Repeat("x", 17<<20)), io.Discard, mcp.Options{Service: s}); err == nil || !strings.Contains(err.Error(), "expected messages of 16777216 bytes at most") {
		t.Errorf("a long message: %v", err)
	}
}
