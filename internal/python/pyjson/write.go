package pyjson

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Object is a JSON object whose fields keep their order. This is for people: in
// alphabetical order pass@10 would come before pass@5.
type Object []Field

// A Field is a name and its value.
type Field = struct {
	Name  string
	Value any
}

// MarshalJSON writes the fields in their order, with no HTML escapes.
func (o Object) MarshalJSON() ([]byte, error) { return o.append(nil), nil }

func (o Object) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, field := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = Append(dst, field.Name)
		dst = append(dst, ':')
		dst = Append(dst, field.Value)
	}
	return append(dst, '}')
}

// A Float is written with a point, as in Python: Python programs print 1.0 and 1
// differently.
type Float float64

// MarshalJSON writes the number with as many digits as it needs.
func (f Float) MarshalJSON() ([]byte, error) { return f.Append(nil), nil }

// Append appends what MarshalJSON writes.
func (f Float) Append(dst []byte) []byte {
	from := len(dst)
	dst = strconv.AppendFloat(dst, float64(f), 'f', -1, 64)
	if bytes.IndexByte(dst[from:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}

// An ASCII is written as [AppendASCII] does, but bytes that are not UTF-8 become U+FFFD. Python
// alone reads the lone surrogates that AppendASCII writes for them: other readers refuse the
// document, or make texts of it that they cannot write.
type ASCII string

// MarshalJSON writes the text in ASCII.
func (a ASCII) MarshalJSON() ([]byte, error) { return a.append(nil), nil }

func (a ASCII) append(dst []byte) []byte {
	return AppendASCII(dst, strings.ToValidUTF8(string(a), string(utf8.RuneError)))
}

// Number returns value as JSON, and null for NaN, which JSON does not have.
func Number(value float64) json.RawMessage {
	if math.IsNaN(value) {
		return json.RawMessage("null")
	}
	return strconv.AppendFloat(nil, value, 'f', -1, 64)
}

// AppendLine appends value as JSON and a newline, without HTML escapes. It panics if
// JSON cannot express value.
func AppendLine(dst []byte, value any) []byte {
	buffer := bytes.NewBuffer(dst)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return buffer.Bytes()
}

// AppendText appends text as [Append] does. It differs from [AppendQuoted] only for
// U+2028, U+2029 and invalid UTF-8, which encoding/json escapes. Few texts have any
// of these.
func AppendText(dst []byte, text string) []byte {
	separated := strings.IndexByte(text, "\u2028"[0]) >= 0 && (strings.Contains(text, "\u2028") || strings.Contains(text, "\u2029"))
	if separated || !utf8.ValidString(text) {
		return Append(dst, text)
	}
	return AppendQuoted(dst, text)
}

// Append appends value as [AppendLine] does, without the newline.
func Append(dst []byte, value any) []byte {
	switch value := value.(type) { // encoding/json would check what they write once more
	case Object:
		return value.append(dst)
	case ASCII:
		return value.append(dst)
	}
	dst = AppendLine(dst, value)
	return dst[:len(dst)-1]
}
