package diagnose

import (
	"strings"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
)

// undecodable returns the message of the UnicodeDecodeError that the escapes of
// a str literal's body raise, "" if there is none.
//
// A part of an f-string may end in a backslash, which then stands for itself:
// `\{x}`. CPython completes it to an escape.
func (m *machine) undecodable(body string) string {
	if slashes := len(body) - len(strings.TrimRight(body, `\`)); slashes%2 != 0 {
		body += "u005c"
	}
	decoded, err, ok := pytext.AppendUnescaped(m.decoded[:0], body, characters.Of(m.features.Version))
	m.decoded = decoded
	if ok {
		return ""
	}
	return m.words.Format("'unicodeescape' codec can't decode bytes in position %d-%d: %s", err.Start, err.End-1, err.Reason)
}

// undecodableBytes returns the message of the ValueError that the escapes of a
// bytes literal's body raise, "" if there is none.
func (m *machine) undecodableBytes(body string) string {
	decoded, err, ok := pytext.AppendUnescapedBytes(m.decoded[:0], body)
	m.decoded = decoded
	if ok {
		return ""
	}
	return m.words.Format("%s at position %d", err.Reason, err.Start)
}
