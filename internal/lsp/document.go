package lsp

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/creachadair/jrpc2"

	"codelinter/rule"
	"codelinter/source"
)

// A document is open in the editor.
type document struct {
	uri     string
	version int32
	text    []byte
	closed  bool
	dirty   bool // it must be linted

	// The findings that were published last, and their text.
	linted   []byte
	findings []rule.Finding
}

type textDocument struct {
	URI        string `json:"uri"`
	LanguageID string `json:"languageId"`
	Version    int32  `json:"version"`
	Text       string `json:"text"`
}

type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
}

func (s *session) didOpen(_ context.Context, p documentParams) error {
	if p.TextDocument.LanguageID != "python" {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.documents[p.TextDocument.URI] = &document{uri: p.TextDocument.URI, version: p.TextDocument.Version, text: []byte(p.TextDocument.Text)}
	s.lintSoon(s.documents[p.TextDocument.URI])
	return nil
}

type changeParams struct {
	TextDocument   textDocument `json:"textDocument"`
	ContentChanges []struct {
		Range *textRange `json:"range"` // nil: Text is the whole text
		Text  string     `json:"text"`
	} `json:"contentChanges"`
}

func (s *session) didChange(_ context.Context, p changeParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	d := s.documents[p.TextDocument.URI]
	if d == nil {
		return nil
	}
	text := d.text
	for _, change := range p.ContentChanges {
		if change.Range == nil {
			text = []byte(change.Text)
			continue
		}
		lines := newLines(text)
		start := lines.offset(change.Range.Start, s.encoding)
		end := max(start, lines.offset(change.Range.End, s.encoding))
		if start > len(text) || len(text)-end+start+len(change.Text) > source.MaxSize {
			return fmt.Errorf("%s: expected a text of at most %d bytes", d.uri, source.MaxSize)
		}
		// A new slice, as the old text may be being linted.
		text = append(append(append(make([]byte, 0, start+len(change.Text)+len(text)-end), text[:start]...), change.Text...), text[end:]...)
	}
	d.text, d.version = text, p.TextDocument.Version
	s.lintSoon(d)
	return nil
}

func (s *session) didClose(_ context.Context, p documentParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if d := s.documents[p.TextDocument.URI]; d != nil {
		d.closed = true
		s.lintSoon(d)
	}
	return nil
}

// didSave lints all documents, as the saved file may be a configuration file.
func (s *session) didSave(context.Context, documentParams) error {
	s.lintAll()
	return nil
}

// didChangeConfiguration lints all documents, as flake8's or the editor's configuration
// has changed.
func (s *session) didChangeConfiguration(context.Context, *jrpc2.Request) error {
	s.lintAll()
	return nil
}

func (s *session) lintAll() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, d := range s.documents {
		s.lintSoon(d)
	}
}

// lintSoon tells the worker to lint a document. The caller holds the mutex.
func (s *session) lintSoon(d *document) {
	d.dirty = true
	select {
	case s.wake <- struct{}{}:
	default: // the worker is awake
	}
}

// An encoding is the unit in which positions count characters.
type encoding uint8

const (
	utf16Encoding encoding = iota
	utf8Encoding
)

func (e encoding) String() string {
	if e == utf8Encoding {
		return "utf-8"
	}
	return "utf-16"
}

// A position is a place between two characters. Both fields count from 0.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// lines is a text with the starts of its lines. A line ends with a line feed, a carriage
// return, or both.
type lines struct {
	text   []byte
	starts []int
}

func newLines(text []byte) *lines {
	l := &lines{text: text, starts: []int{0}}
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// offset returns the offset of a position, or of the nearest valid one.
func (l *lines) offset(p position, e encoding) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(l.starts) {
		return len(l.text)
	}
	at, end := l.starts[p.Line], len(l.text)
	if p.Line+1 < len(l.starts) {
		for end = l.starts[p.Line+1]; end > at && (l.text[end-1] == '\n' || l.text[end-1] == '\r'); end-- {
		}
	}
	for n := 0; at < end && n < p.Character; {
		r, size := utf8.DecodeRune(l.text[at:end])
		n += e.width(r, size)
		at += size
	}
	return at
}

func (l *lines) position(offset int, e encoding) position {
	line, found := slices.BinarySearch(l.starts, offset)
	if !found {
		line--
	}
	p := position{Line: line}
	for at := l.starts[line]; at < offset; {
		r, size := utf8.DecodeRune(l.text[at:offset])
		p.Character += e.width(r, size)
		at += size
	}
	return p
}

// width returns the units of a character of size bytes.
func (e encoding) width(r rune, size int) int {
	switch {
	case e == utf8Encoding:
		return size
	case r > 0xffff:
		return 2
	}
	return 1
}
