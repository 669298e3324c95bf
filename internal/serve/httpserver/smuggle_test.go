package httpserver

import (
	"io"
	"net"
	"strings"
	"testing"
)

// After a request with both Content-Length and Transfer-Encoding the connection is closed: of what
// follows it is unknown whether a proxy took it for a part of the body.
func TestTwoLengths(t *testing.T) {
	s := start(t, Options{})
	address, _ := serve(t, s, "127.0.0.1:0")
	conn, err := net.Dial("tcp", address.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "POST /v1/score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
	replies, err := io.ReadAll(conn)
	if err != nil && len(replies) == 0 {
		t.Fatal(err)
	}
	if n := strings.Count(string(replies), "HTTP/1.1 "); n != 1 || !strings.Contains(string(replies), "Connection: close") {
		t.Errorf("%d replies: %s", n, replies)
	}
}
