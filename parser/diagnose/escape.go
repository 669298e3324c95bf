package diagnose

import (
	"fmt"
	"strings"

	"codelinter/source/pytext"
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
	decoded, err := pytext.AppendUnescaped(m.decoded[:0], body, m.facts.Unicode)
	m.decoded = decoded
	if err == nil {
		return ""
	}
	return fmt.Sprintf("'unicodeescape' codec can't decode bytes in position %d-%d: %s", err.Start, err.End-1, err.Reason)
}

// undecodableBytes returns the message of the ValueError that the escapes of a
// bytes literal's body raise, "" if there is none.
func (m *machine) undecodableBytes(body string) string {
	decoded, err := pytext.AppendUnescapedBytes(m.decoded[:0], body)
	m.decoded = decoded
	if err == nil {
		return ""
	}
	return fmt.Sprintf("%s at position %d", err.Reason, err.Start)
}
