// Package pyjson reads and writes JSON as Python's json module does. There are three
// reasons not to read other tools' files with encoding/json. Most of these tools are
// Python programs, which also write NaN, Infinity and -Infinity: a row with one such
// score must not be refused. Field names are case-sensitive: "ID" is not "id". And three
// fields are needed of a row that may hold a whole conversation. Find finds them in one
// pass, which checks the rest at ten times the speed of json.Unmarshal, and copies only
// the texts that are needed.
//
//	row, end := pyjson.Find(text, "id", "answer")
//	if end == len(text) && pyjson.Kind(row["answer"]) == "a text" {
//		answer, _ := pyjson.Unquote(row["answer"])
//	}
//
// Text must be UTF-8; the caller checks that.
package pyjson

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth bounds the nesting of values, as in encoding/json.
const MaxDepth = 10000

// TooDeep is the result of [End] for deeper values.
const TooDeep = math.MinInt

// Blanks are the white space of JSON.
const Blanks = " \t\r\n"

// End returns the end of the JSON value that begins at text[at]. If there is none, it
// returns [TooDeep], or ^i, where text[i] is not allowed or i is len(text).
func End(text []byte, at int) int { return valueEnd(text, at, MaxDepth) }

// valueEnd is End for a value nested depth deep at most.
func valueEnd(text []byte, at, depth int) int {
	switch {
	case at == len(text):
		return ^at
	case text[at] != '{' && text[at] != '[':
		return scalarEnd(text, at)
	case depth == 0:
		return TooDeep
	}
	return membersEnd(text, at, depth-1, nil)
}

// membersEnd returns the end of the object or list that begins at text[at], whose values are
// nested depth deep at most. If f is not nil, it is an object, and f gets its fields as in
// [Fields].
func membersEnd(text []byte, at, depth int, f func(name, value []byte)) int {
	closing := text[at] + 2
	at = skipBlanks(text, at+1)
	if at < len(text) && text[at] == closing {
		return at + 1
	}
	for {
		start := at
		if closing == '}' {
			if at = keyEnd(text, at); at < 0 {
				return at
			}
			at = skipBlanks(text, at)
		}
		end := valueEnd(text, at, depth)
		if f != nil {
			var value []byte
			if end >= 0 {
				value = text[at:end]
			}
			f(fieldName(text, start), value)
		}
		if end < 0 {
			return end
		}
		if at = skipBlanks(text, end); at == len(text) {
			return ^at
		}
		switch text[at] {
		case closing:
			return at + 1
		case ',':
			at = skipBlanks(text, at+1)
		default:
			return ^at
		}
	}
}

// fieldName returns the name that begins at text[at].
func fieldName(text []byte, at int) []byte {
	quoted := text[at:stringEnd(text, at)]
	name := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		decoded, _ := Unquote(quoted)
		name = []byte(decoded)
	}
	return name
}

// keyEnd returns the end of a field's name and colon.
func keyEnd(text []byte, at int) int {
	if at == len(text) || text[at] != '"' {
		return ^at
	}
	if at = stringEnd(text, at); at < 0 {
		return at
	}
	if at = skipBlanks(text, at); at == len(text) || text[at] != ':' {
		return ^at
	}
	return at + 1
}

func scalarEnd(text []byte, at int) int {
	switch c := text[at]; {
	case c == '"':
		return stringEnd(text, at)
	case c == 't':
		return wordEnd(text, at, "true")
	case c == 'f':
		return wordEnd(text, at, "false")
	case c == 'n':
		return wordEnd(text, at, "null")
	case c == 'N':
		return wordEnd(text, at, "NaN")
	case c == 'I':
		return wordEnd(text, at, "Infinity")
	case c == '-' || '0' <= c && c <= '9':
		return numberEnd(text, at)
	}
	return ^at
}

func wordEnd(text []byte, at int, word string) int {
	for i := range len(word) {
		if at+i == len(text) || text[at+i] != word[i] {
			return ^(at + i)
		}
	}
	return at + len(word)
}

func numberEnd(text []byte, at int) int {
	digits := func() bool {
		start := at
		for at < len(text) && '0' <= text[at] && text[at] <= '9' {
			at++
		}
		return at > start
	}
	if text[at] == '-' {
		at++
		if at < len(text) && text[at] == 'I' {
			return wordEnd(text, at, "Infinity")
		}
	}
	if at < len(text) && text[at] == '0' {
		at++
	} else if !digits() {
		return ^at
	}
	if at < len(text) && text[at] == '.' {
		if at++; !digits() {
			return ^at
		}
	}
	if at < len(text) && text[at]|0x20 == 'e' {
		if at++; at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		if !digits() {
			return ^at
		}
	}
	return at
}

// stringEnd returns the end of the text in quotes that begins at text[at].
func stringEnd(text []byte, at int) int {
	for at++; ; at++ {
		if at = specialAt(text, at); at == len(text) {
			return ^at
		}
		switch text[at] {
		case '\\':
			if at++; at == len(text) {
				return ^at
			}
			if escapes[text[at]] != 0 {
				break
			}
			if text[at] != 'u' {
				return ^at
			}
			for range 4 {
				if at++; at == len(text) || unhex[text[at]] == notHex {
					return ^at
				}
			}
		case '"':
			return at + 1
		default:
			return ^at
		}
	}
}

// specialAt returns the offset of the first quote, backslash or control character, from
// an offset on, or the length of text.
func specialAt(text []byte, at int) int {
	for ; at+8 <= len(text); at += 8 {
		w := binary.LittleEndian.Uint64(text[at : at+8])
		if found := marks(w) | controls(w); found != 0 {
			return at + bits.TrailingZeros64(found)>>3
		}
	}
	for at < len(text) && text[at] >= ' ' && text[at] != '"' && text[at] != '\\' {
		at++
	}
	return at
}

const ones = 0x0101010101010101 // 1 in each byte of a word

// marks sets the highest bit of each byte of w that is a quote or a backslash. Only the
// lowest bit that is set is reliable.
func marks(w uint64) uint64 {
	quote, escape := w^ones*'"', w^ones*'\\'
	return ((quote-ones)&^quote | (escape-ones)&^escape) & (ones << 7)
}

// controls is marks for characters below the blank.
func controls(w uint64) uint64 { return (w - ones*' ') &^ w & (ones << 7) }

// escapes has the character for each byte after a backslash; 0 for 'u' and for invalid
// ones.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

const notHex = 0xff

// unhex has the value of each byte as a hexadecimal digit.
var unhex = func() (table [256]byte) {
	for c := range table {
		table[c] = notHex
	}
	for i, c := range []byte("0123456789abcdef") {
		table[c] = byte(i)
	}
	for i, c := range []byte("ABCDEF") {
		table[c] = byte(10 + i)
	}
	return table
}()

func skipBlanks(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
		at++
	}
	return at
}

// Fields calls f for the fields of the object at the beginning of text, in order. The
// value is nil if the text ends or is invalid within it. Fields returns the object's end,
// or another result of [End].
func Fields(text []byte, f func(name, value []byte)) int {
	if len(text) == 0 || text[0] != '{' {
		return ^0
	}
	return membersEnd(text, 0, MaxDepth, f)
}

// Find returns the values of fields of the object at the beginning of text, as they are
// written. The last field of a name counts, as in Python. end is the result of [Fields].
func Find(text []byte, names ...string) (values map[string][]byte, end int) {
	values = make(map[string][]byte, len(names))
	end = Fields(text, func(name, value []byte) {
		for _, wanted := range names {
			if string(name) == wanted && value != nil {
				values[wanted] = value
			}
		}
	})
	return values, end
}

// Get returns the value of a field of the object text, or nil if text is not an object or
// has no such field.
func Get(text []byte, name string) []byte {
	values, _ := Find(text, name)
	return values[name]
}

// Items calls f for the items of the complete list text, until f returns an error, which
// Items returns.
func Items(text []byte, f func(i int, item []byte) error) error {
	at := skipBlanks(text, 1)
	for i := 0; text[at] != ']'; i++ {
		end := End(text, at)
		if err := f(i, text[at:end]); err != nil {
			return err
		}
		if at = skipBlanks(text, end); text[at] == ',' {
			at = skipBlanks(text, at+1)
		}
	}
	return nil
}

// Unquote returns the text of a JSON string in quotes. half reports whether it has half
// of a surrogate pair, which is not a character and becomes U+FFFD.
func Unquote(raw []byte) (text string, half bool) {
	if inside := raw[1 : len(raw)-1]; bytes.IndexByte(inside, '\\') < 0 {
		return string(inside), false
	}
	unquoted, _, half := AppendUnquoted(make([]byte, 0, len(raw)), raw)
	return string(unquoted), half
}

// AppendUnquoted appends the text of the complete JSON string that text begins with. It also
// returns the string's end, and half as Unquote does.
func AppendUnquoted(dst, text []byte) (_ []byte, end int, half bool) {
	for at := 1; ; {
		start := at
		at = specialAt(text, at)
		dst = append(dst, text[start:at]...)
		switch {
		case text[at] == '"':
			return dst, at + 1, half
		case text[at+1] != 'u':
			dst = append(dst, escapes[text[at+1]])
			at += 2
		default:
			r := hex4(text[at+2:])
			at += 6
			if utf16.IsSurrogate(r) {
				whole := rune(utf8.RuneError)
				if len(text)-at >= 6 && text[at] == '\\' && text[at+1] == 'u' {
					whole = utf16.DecodeRune(r, hex4(text[at+2:]))
				}
				if whole == utf8.RuneError {
					half = true
				} else {
					at += 6
				}
				r = whole
			}
			dst = utf8.AppendRune(dst, r)
		}
	}
}

func hex4(digits []byte) (r rune) {
	for _, c := range digits[:4] {
		r = r<<4 | rune(unhex[c])
	}
	return r
}

// AppendQuoted appends text as Python does with ensure_ascii=False: only
// the quote, the backslash and characters below the blank are escaped. What is
// not UTF-8 becomes U+FFFD.
func AppendQuoted[T string | []byte](dst []byte, text T) []byte {
	dst = append(dst, '"')
	copied := 0 // end of what is in dst
	for at := plainEnd(text, 0); at < len(text); at = plainEnd(text, at) {
		c := text[at]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(string(text[at:min(at+utf8.UTFMax, len(text))]))
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, text[copied:at]...), string(utf8.RuneError)...)
				copied = at + 1
			}
			at += size
			continue
		}
		dst = appendEscape(append(dst, text[copied:at]...), c)
		at++
		copied = at
	}
	dst = append(dst, text[copied:]...)
	return append(dst, '"')
}

// AppendASCII appends text as Python's json.dumps does: what is not ASCII is escaped, with
// surrogates for characters beyond 16 bits and for bytes that are not UTF-8.
func AppendASCII(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for {
		plain := plainEnd(text, 0)
		dst = append(dst, text[:plain]...)
		text = text[plain:]
		if text == "" {
			return append(dst, '"')
		}
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r < utf8.RuneSelf:
			dst = appendEscape(dst, text[0])
		case r == utf8.RuneError && size == 1:
			dst = fmt.Appendf(dst, `\udc%x`, text[0])
		default:
			for _, unit := range utf16.AppendRune(nil, r) {
				dst = fmt.Appendf(dst, `\u%04x`, unit)
			}
		}
		text = text[size:]
	}
}

// appendEscape appends the escape of a quote, a backslash or a control character.
func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	if short := shortEscapes[c]; short != 0 {
		return append(dst, '\\', short)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// shortEscapes is what stands after the backslash for a character, where that is one.
var shortEscapes = ['\\' + 1]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// IsPlain reports whether text is ASCII and needs no escapes.
func IsPlain(text []byte) bool { return plainEnd(text, 0) == len(text) }

// plainEnd returns the offset of the first byte, from an offset on, that is a quote, a
// backslash, a control character or not ASCII, or the length of text.
func plainEnd[T string | []byte](text T, at int) int {
	for at+8 <= len(text) {
		s := text[at : at+8] // one load
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if found := marks(w) | controls(w) | w&(ones<<7); found != 0 {
			return at + bits.TrailingZeros64(found)>>3
		}
		at += 8
	}
	for at < len(text) && text[at] >= ' ' && text[at] < utf8.RuneSelf && text[at] != '"' && text[at] != '\\' {
		at++
	}
	return at
}

// Kind returns the kind of a value in words: "a text", "a list", "null".
func Kind(value []byte) string {
	if len(value) == 0 {
		return "nothing"
	}
	switch value[0] {
	case '"':
		return "a text"
	case '[':
		return "a list"
	case '{':
		return "an object"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// Present reports whether a field is present and not null.
func Present(value []byte) bool { return value != nil && value[0] != 'n' }
