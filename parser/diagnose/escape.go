package diagnose

import (
	"fmt"
	"strings"

	"codelinter/parser"
)

// literalBody takes prefix and quotes off a STRING.
func literalBody(literal string) (body string, raw, isBytes bool) {
	i := 0
	for literal[i] != '\'' && literal[i] != '"' {
		switch literal[i] | 0x20 {
		case 'r':
			raw = true
		case 'b':
			isBytes = true
		}
		i++
	}
	body = literal[i:]
	if len(body) >= 6 && body[1] == body[0] && body[2] == body[0] {
		return body[3 : len(body)-3], raw, isBytes
	}
	return body[1 : len(body)-1], raw, isBytes
}

// undecodable returns the message of the UnicodeDecodeError that the escapes of
// a str literal's body raise, "" if there is none.
//
// A part of an f-string may end in a backslash, which then stands for itself:
// `\{x}`. CPython completes it to an escape.
func (m *machine) undecodable(body string) string {
	if slashes := len(body) - len(strings.TrimRight(body, `\`)); slashes%2 != 0 {
		body += "u005c"
	}
	decoded, err := parser.AppendUnescaped(m.decoded[:0], body, m.facts.Unicode)
	m.decoded = decoded
	if err == nil {
		return ""
	}
	return fmt.Sprintf("'unicodeescape' codec can't decode bytes in position %d-%d: %s", err.Start, err.End-1, err.Reason)
}

// undecodableBytes returns the message of the ValueError that the escapes of a
// bytes literal's body raise, "" if there is none.
func (m *machine) undecodableBytes(body string) string {
	decoded, err := parser.AppendUnescapedBytes(m.decoded[:0], body)
	m.decoded = decoded
	if err == nil {
		return ""
	}
	return fmt.Sprintf("%s at position %d", err.Reason, err.Start)
}
