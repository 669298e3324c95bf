package lsp

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// A header may have a Content-Type, before or after the length.
func TestContentType(t *testing.T) {
	const length, body = "Content-Length: 2\r\n", "{}"
	for _, test := range []struct{ header, err string }{
		{length, ""},
		{length + "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n", ""},
		{"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + length, ""},
		{"content-type: application/vscode-jsonrpc;charset=utf8\r\ncontent-length: 2\r\n", ""},
		{length + "Content-Type: application/vscode-jsonrpc\r\n", ""},
		{length + "Content-Type: application/vscode-jsonrpc; charset=utf-16\r\n", "expected UTF-8"},
		{length + "Content-Type: ;\r\n", "Content-Type \";\""},
		{"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n", "got \"\""},
		{"Content-Length: -1\r\n", "got \"-1\""},
		{"Content-Length: 268435457\r\n", "at most 268435456, got \"268435457\""},
		{"Content-Length: 99999999999\r\n", "at most 268435456, got \"99999999999\""},
		{"Content-Length: 3\r\n", "unexpected EOF"},
	} {
		message, err := newStream(strings.NewReader(test.header+"\r\n"+body), nil).Recv()
		if test.err == "" && (err != nil || string(message) != body) || test.err != "" && !strings.Contains(fmt.Sprint(err), test.err) {
			t.Errorf("%q: %q, %v", test.header, message, err)
		}
	}
}

// A session ends with an error for a message that is too large.
func TestLargeMessage(t *testing.T) {
	err := Serve(t.Context(), strings.NewReader("Content-Length: 99999999999\r\n\r\n{}"), closer{io.Discard}, Options{})
	if err == nil || !strings.Contains(err.Error(), "Content-Length") {
		t.Error(err)
	}
}

// What a stream sends, a stream receives.
func TestSend(t *testing.T) {
	var sent bytes.Buffer
	out := newStream(nil, closer{&sent})
	for _, message := range []string{"{}", "", "\"é\""} {
		if err := out.Send([]byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	if want := "Content-Length: 2\r\n\r\n{}Content-Length: 0\r\n\r\nContent-Length: 4\r\n\r\n\"é\""; sent.String() != want {
		t.Errorf("%q", sent.String())
	}
	in := newStream(&sent, nil)
	for _, want := range []string{"{}", "", "\"é\""} {
		if got, err := in.Recv(); err != nil || string(got) != want {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := in.Recv(); err != io.EOF {
		t.Error(err)
	}
}

type closer struct{ io.Writer }

func (closer) Close() error { return nil }
