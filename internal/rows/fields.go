package rows

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/python/pytext"
)

// maxID bounds the bytes of an id in a file.
const maxID = 1000

// Find returns the values of fields of the row's object, as they are written. The
// error says that the row is not a whole object.
func (r Row) Find(names ...string) (map[string][]byte, error) {
	values, end := pyjson.Find(r.Text, names...)
	return values, r.checkObject(end)
}

// Select is [Row.Find] without a map: values[i] is that of the field names[i], or nil.
func (r Row) Select(values [][]byte, names []string) error {
	return r.checkObject(pyjson.Select(values, r.Text, false, names))
}

// checkObject is [Row.Check] for a row that must be an object.
func (r Row) checkObject(end int) error {
	if r.Text[0] != '{' && utf8.Valid(r.Text) {
		return r.Errorf("expected a JSON object, found %s", pyjson.Brief(r.Text))
	}
	return r.Check(end)
}

// Check returns an error unless the row is UTF-8 and consists of one value. end is
// the value's end, as returned by pyjson.End.
func (r Row) Check(end int) error {
	switch {
	case !utf8.Valid(r.Text):
		return r.Errorf("expected UTF-8, found other bytes")
	case end == len(r.Text):
		return nil
	case end == pyjson.TooDeep || end == pyjson.Repeated:
		problem, _ := pyjson.Problem(r.Text, end, 0)
		return r.Errorf("%s", problem)
	case end < 0:
		end = ^end
	}
	fault := "unexpected end of JSON input"
	if end < len(r.Text) {
		r, _ := utf8.DecodeRune(r.Text[end:])
		fault = fmt.Sprintf("invalid character %q", r)
		end++
	}
	what := "object"
	if r.Text[0] == '[' {
		what = "list"
	}
	return r.Errorf("expected one whole JSON %s, found a fault at byte %d: %s", what, end, fault)
}

// Missing returns an [*Error] for a missing field. kind is the expected kind of
// value.
func (r Row) Missing(field, kind string) error {
	return r.Errorf("field %s is missing: expected %s", field, kind)
}

// ID reads an id into id, whose UnmarshalJSON says what an id is. field is its name in errors. A
// nil value is missing.
func (r Row) ID(field string, value []byte, id json.Unmarshaler) error {
	switch {
	case value == nil:
		return r.Missing(field, "an integer or a text")
	case len(value) > maxID:
		return r.Errorf("%s: expected an id of %d bytes at most, found one of %d", field, maxID, len(value))
	case id.UnmarshalJSON(value) != nil:
		return r.Errorf("%s: expected an integer or a text, found %.40s", field, value)
	}
	return nil
}

// Texts reads a list of strings, or of lists of strings, in order. field is its name
// in errors. A nil value is missing. halves counts the strings with half of a
// surrogate pair, which is not a character and is read as U+FFFD. All texts are parts of one
// allocation.
func (r Row) Texts(field string, value []byte) (texts []string, halves int, err error) {
	switch {
	case value == nil:
		return nil, 0, r.Missing(field, "a list of texts")
	case value[0] != '[':
		return nil, 0, r.Errorf("%s: expected a list, found %s", field, pyjson.Kind(value))
	}
	texts = []string{}
	memory := make([]byte, 0, len(value)) // of the texts, none of which is longer than its JSON
	depth, n := 0, 0
	var index [3]int // of the item in the list of each depth
	for at := 0; at < len(value); at++ {
		switch c := value[at]; {
		case c == '"':
			var end int
			var half bool
			start := len(memory)
			memory, end, half = pyjson.AppendUnquoted(memory, value[at:])
			at += end - 1
			if n++; n <= MaxTexts {
				texts = append(texts, pytext.View(memory[start:]))
			}
			if half {
				halves++
			}
		case c == '[' && depth < 2:
			depth++
			index[depth] = 0
		case c == ']':
			depth--
		case c == ',':
			index[depth]++
		case c > ' ': // null too: it must not count as an empty answer, which passes officially
			place := fmt.Sprintf("%s[%d]", field, index[1])
			if depth == 2 {
				place += fmt.Sprintf("[%d]", index[2])
			}
			return nil, 0, r.Errorf("%s: expected a text, found %s", place, pyjson.Kind(value[at:]))
		}
	}
	if err := r.checkTexts(field, n); err != nil {
		return nil, 0, err
	}
	return texts, halves, nil
}

// checkTexts returns an error if a list has more than [MaxTexts] texts.
func (r Row) checkTexts(field string, n int) error {
	if n <= MaxTexts {
		return nil
	}
	return r.Errorf("%s: expected %d texts at most, found %d", field, MaxTexts, n)
}

// A FieldReader reads the fields of a row and keeps the first fault. After a fault
// its methods return zero values. path is a field's name in errors. A required field
// must be neither missing nor null.
type FieldReader struct {
	Row Row
	Err error
}

// Text reads a text.
func (r *FieldReader) Text(path string, value []byte, required bool) string {
	if !r.kind(path, value, "a text", required) {
		return ""
	}
	text, _ := pyjson.Unquote(value)
	return text
}

// Texts reads a list of texts, which may be missing.
func (r *FieldReader) Texts(path string, value []byte) []string {
	if !r.kind(path, value, "a list", false) {
		return nil
	}
	texts, n := []string{}, 0
	pyjson.Items(value, func(i int, item []byte) error {
		if n++; n > MaxTexts {
			return nil
		}
		if pyjson.Kind(item) != "a text" { // only a fault needs the item's path
			r.kind(fmt.Sprintf("%s[%d]", path, i), item, "a text", true)
			return r.Err
		}
		text, _ := pyjson.Unquote(item)
		texts = append(texts, text)
		return nil
	})
	if r.Err == nil {
		r.Err = r.Row.checkTexts(path, n)
	}
	return texts
}

// Object reads fields of an object.
func (r *FieldReader) Object(path string, value []byte, required bool, names ...string) map[string][]byte {
	if !r.kind(path, value, "an object", required) {
		return nil
	}
	values, _ := pyjson.Find(value, names...)
	return values
}

// Select is [FieldReader.Object] without a map: values[i] is that of the field names[i], or nil.
func (r *FieldReader) Select(values [][]byte, path string, value []byte, required bool, names []string) {
	if r.kind(path, value, "an object", required) {
		pyjson.Select(values, value, true, names)
	}
}

// ID reads an id into id.
func (r *FieldReader) ID(path string, value []byte, required bool, id json.Unmarshaler) {
	if !pyjson.Present(value) {
		value = nil
	}
	if r.Err == nil && (required || value != nil) {
		r.Err = r.Row.ID(path, value, id)
	}
}

// kind reports whether a value is of a kind of pyjson.Kind, and records a fault if
// not.
func (r *FieldReader) kind(path string, value []byte, kind string, required bool) bool {
	switch {
	case r.Err != nil:
	case !pyjson.Present(value):
		if required {
			r.Err = r.Row.Missing(path, kind)
		}
	case pyjson.Kind(value) != kind:
		r.Err = r.Row.Errorf("%s: expected %s, found %s", path, kind, pyjson.Kind(value))
	default:
		return true
	}
	return false
}

// Decode reads the row's one JSON object into the struct that into points to, by
// encoding/json. It is for rows that this module wrote: field names are not
// case-sensitive, and Python's NaN is refused.
func (r Row) Decode(into any) error {
	if _, err := r.Find(); err != nil {
		return err
	}
	err := json.Unmarshal(r.Text, into)
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind):
		return r.Errorf("%s: %s", kind.Field, pyjson.Mismatch(kind))
	}
	return r.Errorf("%v", err)
}
