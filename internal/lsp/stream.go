package lsp

import (
	"bufio"
	"fmt"
	"io"
	"mime"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/creachadair/jrpc2/channel"
)

// maxMessage bounds the bytes of a message. A text of the largest size fits, unless most of it is
// escaped.
const maxMessage = 256 << 20

// A stream carries messages in the framing of the base protocol: a header with the message's
// length, an empty line, and the message.
type stream struct {
	in  *bufio.Reader
	out io.WriteCloser
}

func newStream(in io.Reader, out io.WriteCloser) channel.Channel {
	return &stream{bufio.NewReader(in), out}
}

// Send implements [channel.Channel].
func (s *stream) Send(message []byte) error {
	_, err := fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(message), message)
	return err
}

// Recv implements [channel.Channel].
func (s *stream) Recv() ([]byte, error) {
	header, err := textproto.NewReader(s.in).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	if err := checkContentType(header.Get("Content-Type")); err != nil {
		return nil, err
	}
	length := header.Get("Content-Length")
	size, err := strconv.ParseUint(length, 10, 64)
	if err != nil || size > maxMessage {
		return nil, fmt.Errorf("expected a Content-Length of at most %d, got %q", maxMessage, length)
	}
	message := make([]byte, size)
	_, err = io.ReadFull(s.in, message)
	return message, err
}

// Close implements [channel.Channel].
func (s *stream) Close() error { return s.out.Close() }

// checkContentType returns an error for a type of message other than UTF-8. The protocol's first
// version called UTF-8 "utf8".
func checkContentType(value string) error {
	if value == "" {
		return nil
	}
	_, parameters, err := mime.ParseMediaType(value)
	if err != nil {
		return fmt.Errorf("Content-Type %q: %w", value, err)
	}
	switch strings.ToLower(parameters["charset"]) {
	case "", "utf-8", "utf8":
		return nil
	}
	return fmt.Errorf("Content-Type %q: expected UTF-8", value)
}
