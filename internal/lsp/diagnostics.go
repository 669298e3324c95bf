package lsp

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"codelinter/flake8"
	"codelinter/rule"
	"codelinter/source"
)

// work lints changed documents until ctx ends.
func (s *session) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		for d := s.next(); d != nil; d = s.next() {
			s.lint(ctx, d)
		}
	}
}

// next returns a document to lint, or nil.
func (s *session) next() *document {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, uri := range slices.Sorted(maps.Keys(s.documents)) {
		if d := s.documents[uri]; d.dirty {
			return d
		}
	}
	return nil
}

type diagnostic struct {
	Range    textRange `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code,omitempty"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Tags     []int     `json:"tags,omitempty"`

	CodeDescription *codeDescription `json:"codeDescription,omitempty"`
}

// A codeDescription is where an editor's link at a code leads.
type codeDescription struct {
	Href string `json:"href"`
}

// descriptions are the pages on which the tools list their codes. flake8's has those of pyflakes
// and mccabe too.
var descriptions = [...]*codeDescription{
	rule.Pycodestyle: {"https://pycodestyle.pycqa.org/en/stable/intro.html#error-codes"},
	rule.Flake8:      {"https://flake8.pycqa.org/en/stable/user/error-codes.html"},
}

func descriptionOf(code rule.Code) *codeDescription {
	switch tool := code.Rule().Tool; tool {
	case rule.Plugin:
		return nil
	case rule.Pycodestyle:
		return descriptions[tool]
	}
	return descriptions[rule.Flake8]
}

// Constants of the protocol.
const (
	severityError   = 1
	severityWarning = 2
	tagUnnecessary  = 1 // the editor fades it
)

// unnecessary are the codes of unneeded code.
var unnecessary = []rule.Code{rule.F401, rule.F811, rule.F841, rule.F842}

func (s *session) lint(ctx context.Context, d *document) {
	s.mutex.Lock()
	d.dirty = false
	text, version, closed := d.text, d.version, d.closed
	if closed {
		delete(s.documents, d.uri)
	}
	folder, name := s.place(d.uri)
	encoding := s.encoding
	s.mutex.Unlock()

	var found []rule.Finding
	if !closed {
		var err error
		if found, err = s.findings(folder, name, text); err != nil {
			s.say(ctx, err)
		}
	}
	s.mutex.Lock()
	d.linted, d.findings = text, found
	s.mutex.Unlock()

	lines := newLines(text)
	diagnostics := make([]diagnostic, len(found))
	for i := range found {
		diagnostics[i] = newDiagnostic(&found[i], lines, encoding)
	}
	published := map[string]any{"uri": d.uri, "diagnostics": diagnostics}
	if !closed {
		published["version"] = version
	}
	_ = s.rpc.Notify(ctx, "textDocument/publishDiagnostics", published) // an error means that the client has left, which ends the session
}

func newDiagnostic(f *rule.Finding, l *lines, e encoding) diagnostic {
	d := diagnostic{
		Range:    extent(f, l, e),
		Severity: severityWarning,
		Code:     f.Code.String(),
		Source:   "codelinter",
		Message:  f.Message(),

		CodeDescription: descriptionOf(f.Code),
	}
	if strings.HasPrefix(d.Code, "E9") {
		d.Severity = severityError
	}
	if slices.Contains(unnecessary, f.Code) {
		d.Tags = []int{tagUnnecessary}
	}
	return d
}

// extent returns the range of a finding. It has at least one character, unless it is at
// the end of a line.
func extent(f *rule.Finding, l *lines, e encoding) textRange {
	start, end := int(f.Start), int(f.End)
	if end == start && end < len(l.text) && l.text[end] != '\n' && l.text[end] != '\r' {
		end++
		for end < len(l.text) && l.text[end]&0xc0 == 0x80 { // the rest of the character
			end++
		}
	}
	return textRange{l.position(start, e), l.position(end, e)}
}

// findings returns what `codelinter check` would find in a folder if the file had the text.
func (s *session) findings(folder, name string, text []byte) ([]rule.Finding, error) {
	leave, err := s.enter(folder, name, text)
	if err != nil {
		return nil, err
	}
	defer leave()
	return flake8.LintText(s.options.Args, name, text)
}

// enter makes a folder the working folder until leave is called. A text that is too large is an
// error.
func (s *session) enter(folder, name string, text []byte) (leave func(), err error) {
	if len(text) > source.MaxSize {
		return nil, fmt.Errorf("%s: expected a text of at most %d bytes", name, source.MaxSize)
	}
	s.working.Lock()
	if folder != "" {
		err = os.Chdir(folder)
	}
	if err != nil {
		s.working.Unlock()
	}
	return s.working.Unlock, err
}

// say shows the user an error, once: most are about a configuration file, which each
// lint reads.
func (s *session) say(ctx context.Context, err error) {
	if s.said == err.Error() || ctx.Err() != nil {
		return
	}
	s.said = err.Error()
	_ = s.rpc.Notify(ctx, "window/showMessage", map[string]any{"type": severityError, "message": "codelinter: " + s.said})
}

// hover shows the page of each rule with a finding at the place.
func (s *session) hover(_ context.Context, p struct {
	TextDocument textDocument `json:"textDocument"`
	Position     position     `json:"position"`
}) (any, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	d := s.documents[p.TextDocument.URI]
	if d == nil {
		return nil, nil
	}
	lines := newLines(d.linted)
	var text []string
	var shown textRange
	for i := range d.findings {
		f := &d.findings[i]
		at := extent(f, lines, s.encoding)
		if p.Position.before(at.Start) || at.End.before(p.Position) {
			continue
		}
		page, _ := rule.Page(f.Code)
		if page.Markdown != "" && !slices.Contains(text, page.Markdown) {
			text, shown = append(text, page.Markdown), at
		}
	}
	if text == nil {
		return nil, nil
	}
	return map[string]any{
		"contents": map[string]string{"kind": "markdown", "value": strings.Join(text, "\n---\n\n")},
		"range":    shown,
	}, nil
}

func (p position) before(q position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}
