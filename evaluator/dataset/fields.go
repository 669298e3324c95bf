package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"codelinter/evaluator/pyjson"
)

// maxID is how many bytes an id may have as it stands in a file.
const maxID = 1000

// Find returns the values of fields of the line's object, as they stand there, and
// tells whether the line is one whole object.
func (l Line) Find(names ...string) (map[string][]byte, error) {
	values, end := pyjson.Find(l.Text, names...)
	if l.Text[0] != '{' && utf8.Valid(l.Text) {
		return nil, l.Errorf("expected a JSON object, found %s", brief(l.Text))
	}
	return values, l.Check(end)
}

// Check tells whether the line is UTF-8 and nothing but a value with this end, which
// is as from [pyjson.End].
func (l Line) Check(end int) error {
	switch {
	case !utf8.Valid(l.Text):
		return l.Errorf("expected UTF-8, found other bytes")
	case end == len(l.Text):
		return nil
	case end == pyjson.TooDeep:
		return l.Errorf("expected JSON nested %d deep at most", pyjson.MaxDepth)
	case end < 0:
		end = ^end
	}
	fault := "unexpected end of JSON input"
	if end < len(l.Text) {
		r, _ := utf8.DecodeRune(l.Text[end:])
		fault = fmt.Sprintf("invalid character %q", r)
		end++
	}
	what := "object"
	if l.Text[0] == '[' {
		what = "list"
	}
	return l.Errorf("expected one whole JSON %s, found a fault at byte %d: %s", what, end, fault)
}

// Missing returns an [*Error] for a field that is not there; kind is what it
// should be.
func (l Line) Missing(field, kind string) error {
	return l.Errorf("field %s is missing: expected %s", field, kind)
}

// ID reads an id, which field is called in errors; nil is missing.
func (l Line) ID(field string, value []byte) (id ID, err error) {
	switch {
	case value == nil:
		return "", l.Missing(field, "an integer or a text")
	case len(value) > maxID:
		return "", l.Errorf("%s: expected an id of %d bytes at most, found one of %d", field, maxID, len(value))
	case id.UnmarshalJSON(value) != nil:
		return "", l.Errorf("%s: expected an integer or a text, found %.40s", field, value)
	}
	return id, nil
}

// A reader reads the fields of a line, and keeps the first fault. path is what a
// field is called in errors.
type reader struct {
	Line
	err error
}

// kind tells whether a value is of a kind, as [pyjson.Kind] has it, and faults it if
// not. One that is missing or null is a fault if it is required.
func (r *reader) kind(path string, value []byte, kind string, required bool) bool {
	switch {
	case r.err != nil:
	case !pyjson.Present(value):
		if required {
			r.err = r.Missing(path, kind)
		}
	case pyjson.Kind(value) != kind:
		r.err = r.Errorf("%s: expected %s, found %s", path, kind, pyjson.Kind(value))
	default:
		return true
	}
	return false
}

func (r *reader) text(path string, value []byte, required bool) string {
	if !r.kind(path, value, "a text", required) {
		return ""
	}
	text, _ := pyjson.Unquote(value)
	return text
}

// texts reads a list of texts, which may be missing.
func (r *reader) texts(path string, value []byte) []string {
	if !r.kind(path, value, "a list", false) {
		return nil
	}
	texts := []string{}
	pyjson.Items(value, func(i int, item []byte) error {
		texts = append(texts, r.text(fmt.Sprintf("%s[%d]", path, i), item, true))
		return r.err
	})
	return texts
}

// object reads fields of an object, which is required.
func (r *reader) object(path string, value []byte, names ...string) map[string][]byte {
	if !r.kind(path, value, "an object", true) {
		return nil
	}
	values, _ := pyjson.Find(value, names...)
	return values
}

func (r *reader) id(path string, value []byte, required bool) (id ID) {
	if !pyjson.Present(value) {
		value = nil
	}
	if r.err == nil && (required || value != nil) {
		id, r.err = r.ID(path, value)
	}
	return id
}

// Decode reads the line's one JSON object into the struct that into points to. It is
// for rows that we wrote: see [pyjson].
func (l Line) Decode(into any) error {
	if _, err := l.Find(); err != nil {
		return err
	}
	err := json.Unmarshal(l.Text, into)
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind):
		return l.Errorf("%s: %s", kind.Field, mismatch(kind))
	}
	return l.Errorf("%v", err)
}

// mismatch says what encoding/json expected and what it found, as a user of JSON
// would.
func mismatch(err *json.UnmarshalTypeError) string {
	expected := "an object"
	switch err.Type.Kind().String() {
	case "string":
		expected = "a text"
	case "slice":
		expected = "a list"
	case "int":
		expected = "a whole number"
	case "bool":
		expected = "true or false"
	}
	found := "a " + err.Value // "number 12"
	switch err.Value {
	case "string":
		found = "a text"
	case "array":
		found = "a list"
	case "object":
		found = "an object"
	case "bool":
		found = "true or false"
	}
	return "expected " + expected + ", found " + found
}

// brief shows the start of some JSON.
func brief(data []byte) string {
	const limit = 40
	if len(data) > limit {
		return strconv.Quote(string(data[:limit])) + "…"
	}
	return strconv.Quote(string(data))
}
