package httpserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// refuse returns the status and the reason for refusing a request; problem is "" if
// the request is allowed.
func (s *Server) refuse(r *http.Request, guarded bool) (status int, problem string) {
	if !s.options.AnyHost && s.options.Token == "" && !isLoopback(r.Host) {
		return http.StatusForbidden, fmt.Sprintf("Host: expected a name of the loopback, such as 127.0.0.1, found %.100q", r.Host)
	}
	if err := s.origins.Check(r); err != nil {
		return http.StatusForbidden, "Origin: requests of other origins' pages are refused"
	}
	if guarded && s.options.Token != "" && !s.bearsToken(r) {
		return http.StatusUnauthorized, `expected "Authorization: Bearer TOKEN", or the token as the password in the URL, found ` + authorization(r)
	}
	return 0, ""
}

// bearsToken reports whether the request has the token: in the header, or as the
// password of basic authentication. A client that can configure only a URL sends it so
// (http://any:TOKEN@host:8414/slime).
func (s *Server) bearsToken(r *http.Request) bool {
	token := ""
	scheme, value, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		token = strings.TrimSpace(value)
	} else if _, password, ok := r.BasicAuth(); ok {
		token = password
	}
	// Hashes of tokens of any length are compared in constant time.
	given, wanted := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(s.options.Token))
	return subtle.ConstantTimeCompare(given[:], wanted[:]) == 1
}

func authorization(r *http.Request) string {
	if r.Header.Get("Authorization") == "" {
		return "none"
	}
	return "another"
}

// isLoopback reports whether a Host is a name of the loopback, or empty, as for a
// socket.
func isLoopback(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && address.Unmap().IsLoopback()
}
