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
	if problem := s.foreign(r, s.options.AnyHost || s.needsToken()); problem != "" {
		return http.StatusForbidden, problem
	}
	if guarded && s.needsToken() && !s.bearsToken(r) {
		return http.StatusUnauthorized, `expected "Authorization: Bearer TOKEN", or the token as the password in the URL, found ` + authorization(r)
	}
	return 0, ""
}

// foreign says why a request may come from a page in a browser that is not the server's; "" if it
// does not. The Host does not matter with anyHost.
func (s *Server) foreign(r *http.Request, anyHost bool) string {
	if !anyHost && !isLoopback(r.Host) {
		return fmt.Sprintf("Host: expected a name of the loopback, such as 127.0.0.1, found %.100q", r.Host)
	}
	if err := s.origins.Check(r); err != nil {
		return "Origin: requests of other origins' pages are refused"
	}
	return ""
}

func (s *Server) needsToken() bool { return s.options.Token != "" || s.tokens != nil }

// bearsToken reports whether the request has a token: in the header, or as the
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
	given, equal := sha256.Sum256([]byte(token)), 0
	if s.options.Token != "" {
		wanted := sha256.Sum256([]byte(s.options.Token))
		equal |= subtle.ConstantTimeCompare(given[:], wanted[:])
	}
	if s.tokens != nil {
		for _, wanted := range s.tokens.get() {
			equal |= subtle.ConstantTimeCompare(given[:], wanted[:])
		}
	}
	return equal == 1
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
