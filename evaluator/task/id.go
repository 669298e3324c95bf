package task

import (
	"fmt"
	"strconv"
	"strings"

	"codelinter/internal/python/pyjson"
)

// An ID names a task. In the benchmark it is an integer; other text is accepted
// too. 7 and "7" are the same ID.
type ID string

// String returns the ID as messages show it: quoted if it is not plain text.
func (id ID) String() string {
	if quoted := strconv.Quote(string(id)); quoted != `"`+string(id)+`"` || strings.TrimSpace(string(id)) == "" {
		return quoted
	}
	return string(id)
}

// MarshalJSON writes integers as numbers and other IDs as text.
func (id ID) MarshalJSON() ([]byte, error) {
	if id.isInteger() {
		return []byte(id), nil
	}
	return pyjson.Append(nil, string(id)), nil // without HTML escapes, which the calling encoder makes
}

// UnmarshalJSON accepts an integer or a text that is not empty.
func (id *ID) UnmarshalJSON(data []byte) error {
	var text string
	if n := ID(data); n.isInteger() {
		text = string(data)
	} else if data[0] == '"' && pyjson.End(data, 0) == len(data) {
		text, _ = pyjson.Unquote(data)
	}
	if text == "" {
		return fmt.Errorf("an id must be an integer or a text, found %s", pyjson.Brief(data))
	}
	*id = ID(text)
	return nil
}

// isInteger reports whether id is written as JSON writes an integer.
func (id ID) isInteger() bool {
	digits := id
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || digits[0] == '0' && len(id) > 1 {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}
