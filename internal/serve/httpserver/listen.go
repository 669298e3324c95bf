package httpserver

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"
)

// Listen listens on an address such as 127.0.0.1:8414, or on the socket PATH for
// "unix:PATH". Only its owner can use a socket (mode 0600). A socket of a dead server
// is replaced. A socket on which a server answers, or another file of this name, is
// an error.
func Listen(address string) (net.Listener, error) {
	path, isSocket := strings.CutPrefix(address, "unix:")
	if !isSocket {
		return net.Listen("tcp", address)
	}
	if path == "" {
		return nil, errors.New("expected unix:PATH, found no path")
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.Mode().Type() != fs.ModeSocket:
		return nil, fmt.Errorf("%s: expected a socket or nothing of this name, found a file of another kind", path)
	default:
		conn, err := net.DialTimeout("unix", path, time.Second)
		if err == nil {
			conn.Close()
			return nil, fmt.Errorf("%s: %w: a server answers there", path, syscall.EADDRINUSE)
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			return nil, err
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	restore := ownerOnly()
	listener, err := net.Listen("unix", path)
	restore()
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		listener.Close()
		return nil, err
	}
	return listener, nil
}

// IsLocal reports whether only this machine can reach a listener.
func IsLocal(listener net.Listener) bool {
	switch address := listener.Addr().(type) {
	case *net.UnixAddr:
		return true
	case *net.TCPAddr:
		return address.IP.IsLoopback()
	}
	return false
}

// IsSocket reports whether a listener is a socket, which no browser can reach and for
// which Host means nothing.
func IsSocket(listener net.Listener) bool {
	_, is := listener.Addr().(*net.UnixAddr)
	return is
}

// overflow is the number of connections beyond the bound whose requests are read, and
// answered as busy. Further ones are answered unread, and closed at once.
const overflow = 512

// refusal is what further connections get. The route is not known, so the status is that
// after which clients of each route try again (see runCode).
const refusal = "HTTP/1.1 504 Gateway Timeout\r\nRetry-After: 1\r\nConnection: close\r\n" +
	"Content-Type: application/json\r\nContent-Length: 33\r\n\r\n" + `{"error": "too many connections"}`

// count counts the open connections and closes superfluous ones, as [http.Server.ConnState].
func (s *Server) count(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if s.conns.Add(1) > int64(s.options.MaxConnections)+overflow {
			s.metrics.refused.Inc()
			if s.certificate == nil { // a handshake would keep others waiting
				conn.SetWriteDeadline(time.Now().Add(time.Second)) // a new connection has room
				io.WriteString(conn, refusal)
			}
			conn.Close()
		}
	case http.StateClosed:
		s.conns.Add(-1)
	}
}
