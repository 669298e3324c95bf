package httpserver

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"net/http"
	"strings"
)

//go:embed page/page.html
var pageText string

//go:embed openapi.json
var openAPI []byte

// A page is a page for browsers with its content security policy.
type page struct {
	text   []byte
	policy string
}

// newPage returns the page, which shows the version. Its policy allows only the style and
// script in it, and nothing from elsewhere.
func newPage(version string) page {
	text := strings.Replace(pageText, "{{version}}", html.EscapeString(version), 1)
	hash := func(tag string) string {
		_, rest, _ := strings.Cut(text, "<"+tag+">")
		inside, _, _ := strings.Cut(rest, "</"+tag+">")
		sum := sha256.Sum256([]byte(inside))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return page{[]byte(text), "default-src 'none'; style-src " + hash("style") + "; script-src " + hash("script") +
		"; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}
}

func (s *Server) getPage(x *exchange) {
	header := x.writer.Header()
	header.Set("Content-Security-Policy", s.page.policy)
	header.Set("Referrer-Policy", "no-referrer")
	x.send(http.StatusOK, "text/html; charset=utf-8", s.page.text)
}

func (s *Server) getOpenAPI(x *exchange) { x.json(openAPI) }
