package samples

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"

	"codelinter/evaluator/dataset"
)

// This file reads JSON without encoding/json, for three reasons. Most of these
// tools are Python, whose json module also writes NaN, Infinity and -Infinity: a
// log with one such score must not be refused. Names of fields are what they are,
// and "ID" is not "id". And of a row that may hold a whole conversation three
// fields are wanted: they are found in one pass, which checks the rest on its way
// at ten times the speed of json.Unmarshal, and only answers are copied.

// maxDepth is how deep values may be nested, as in encoding/json.
const maxDepth = 10000

// tooDeep is what valueEnd returns for values nested deeper than that.
const tooDeep = math.MinInt

// valueEnd returns the end of the JSON value that begins at text[at]. If there is
// none it returns ^i, where text[i] is what cannot stand there or i is len(text),
// or tooDeep.
func valueEnd(text []byte, at int) int {
	if at == len(text) {
		return ^at
	}
	if text[at] != '{' && text[at] != '[' {
		return scalarEnd(text, at)
	}
	var objects [(maxDepth + 63) / 64]uint64 // a bit for each depth, set if it is an object
	depth := 0
	for {
		if at = skipBlanks(text, at); at == len(text) {
			return ^at
		}
		switch c := text[at]; c {
		case '{', '[':
			if depth == maxDepth {
				return tooDeep
			}
			word, bit := depth>>6, uint64(1)<<(depth&63)
			objects[word] &^= bit
			if c == '{' {
				objects[word] |= bit
			}
			depth++
			at = skipBlanks(text, at+1)
			if at < len(text) && text[at] == c+2 { // its closing bracket, below
				break
			}
			if c == '{' {
				if at = keyEnd(text, at); at < 0 {
					return at
				}
			}
			continue
		default:
			if at = scalarEnd(text, at); at < 0 {
				return at
			}
		}
		for next := false; !next; {
			if depth == 0 {
				return at
			}
			if at = skipBlanks(text, at); at == len(text) {
				return ^at
			}
			object := objects[(depth-1)>>6]>>((depth-1)&63)&1 != 0
			switch c := text[at]; {
			case c == ',':
				at = skipBlanks(text, at+1)
				if object {
					if at = keyEnd(text, at); at < 0 {
						return at
					}
				}
				next = true
			case object && c == '}', !object && c == ']':
				depth--
				at++
			default:
				return ^at
			}
		}
	}
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
	const ones = 0x0101010101010101
	at++
	for {
		for at+8 <= len(text) { // eight bytes that are neither quote, backslash nor control
			w := binary.LittleEndian.Uint64(text[at:])
			quote, escape := w^ones*'"', w^ones*'\\'
			found := ((w-ones*' ')&^w | (quote-ones)&^quote | (escape-ones)&^escape) & (ones << 7)
			if found != 0 { // the lowest bit is exact
				at += bits.TrailingZeros64(found) >> 3
				break
			}
			at += 8
		}
		if at == len(text) {
			return ^at
		}
		switch c := text[at]; {
		case c == '"':
			return at + 1
		case c < ' ':
			return ^at
		case c == '\\':
			if at++; at == len(text) {
				return ^at
			}
			switch text[at] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				for range 4 {
					if at++; at == len(text) || unhex[text[at]] == notHex {
						return ^at
					}
				}
			default:
				return ^at
			}
		}
		at++
	}
}

const (
	blanks = " \t\r\n"
	notHex = 0xff
)

// unhex is the value of each byte as a hexadecimal digit.
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

// eachField calls f for the fields of the object that text begins with, in their
// order: of those with one name the last counts, as in Python. A field whose value
// is not whole has nil. It returns the object's end, or as valueEnd does.
func eachField(text []byte, f func(key, value []byte)) int {
	if len(text) == 0 || text[0] != '{' {
		return ^0
	}
	at := skipBlanks(text, 1)
	if at < len(text) && text[at] == '}' {
		return at + 1
	}
	for {
		start := at
		if at = keyEnd(text, at); at < 0 {
			return at
		}
		end := stringEnd(text, start)
		key := text[start+1 : end-1]
		if bytes.IndexByte(key, '\\') >= 0 {
			decoded, _ := unquote(text[start:end])
			key = []byte(decoded)
		}
		at = skipBlanks(text, at)
		if end = valueEnd(text, at); end < 0 {
			f(key, nil)
			return end
		}
		f(key, text[at:end])
		if at = skipBlanks(text, end); at == len(text) {
			return ^at
		}
		switch text[at] {
		case '}':
			return at + 1
		case ',':
			at = skipBlanks(text, at+1)
		default:
			return ^at
		}
	}
}

// eachItem calls f for the items of the list that text is.
func eachItem(text []byte, f func(i int, item []byte) error) error {
	at := skipBlanks(text, 1)
	for i := 0; text[at] != ']'; i++ {
		end := valueEnd(text, at)
		if err := f(i, text[at:end]); err != nil {
			return err
		}
		if at = skipBlanks(text, end); text[at] == ',' {
			at = skipBlanks(text, at+1)
		}
	}
	return nil
}

// fields calls f for the fields of a row, none of which is nil, and tells whether
// the row is good.
func fields(line dataset.Line, f func(key, value []byte)) error {
	if !utf8.Valid(line.Text) {
		return line.Errorf("expected UTF-8, found other bytes")
	}
	if line.Text[0] != '{' {
		return line.Errorf("expected a JSON object, found %.40q", line.Text)
	}
	return check(line, eachField(line.Text, func(key, value []byte) {
		if value != nil {
			f(key, value)
		}
	}))
}

// check tells whether end, as valueEnd and eachField return it, is that of the
// row.
func check(line dataset.Line, end int) error {
	switch {
	case end == len(line.Text):
		return nil
	case end == tooDeep:
		return line.Errorf("expected JSON nested %d deep at most", maxDepth)
	case end < 0:
		end = ^end
	}
	fault := "unexpected end of JSON input"
	if end < len(line.Text) {
		r, _ := utf8.DecodeRune(line.Text[end:])
		fault = fmt.Sprintf("invalid character %q", r)
		end++
	}
	what := "object"
	if line.Text[0] == '[' {
		what = "list"
	}
	return line.Errorf("expected one whole JSON %s, found a fault at byte %d: %s", what, end, fault)
}

// unquote returns the text that a JSON string, quotes included, stands for. half
// tells whether it has a surrogate without its other half, which is no character
// and becomes U+FFFD.
func unquote(raw []byte) (text string, half bool) {
	raw = raw[1 : len(raw)-1]
	at := bytes.IndexByte(raw, '\\')
	if at < 0 {
		return string(raw), false
	}
	out := make([]byte, 0, len(raw))
	for at >= 0 {
		out = append(out, raw[:at]...)
		c := raw[at+1]
		raw = raw[at+2:]
		switch c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := hex4(raw)
			raw = raw[4:]
			if utf16.IsSurrogate(r) {
				whole := rune(utf8.RuneError)
				if len(raw) >= 6 && raw[0] == '\\' && raw[1] == 'u' {
					whole = utf16.DecodeRune(r, hex4(raw[2:]))
				}
				if whole == utf8.RuneError {
					half = true
				} else {
					raw = raw[6:]
				}
				r = whole
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
		at = bytes.IndexByte(raw, '\\')
	}
	return string(append(out, raw...)), half
}

func hex4(digits []byte) (r rune) {
	for _, c := range digits[:4] {
		r = r<<4 | rune(unhex[c])
	}
	return r
}

// appendQuoted appends text, which is UTF-8, as a JSON string.
func appendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', '0'+c>>4, "0123456789abcdef"[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// kind says what a JSON value is.
func kind(value []byte) string {
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
