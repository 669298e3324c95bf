package reactor

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Most arguments of calls are literals and displays of literals, such as [1, 'a',
// (2.5,)], and few occur twice. CPython takes 2,000 counts to compile a short one,
// and a hundred to read its marshalled value. So they are marshalled here.
//
// The value equals the expression's, down to which strings are interned. CPython
// compiles everything that is not written in the plainest way, as repr writes it: hex
// numbers, raw and adjacent strings, and sets, whose order depends on how they are
// made.

// appendLiteral appends the value of an expression to b, as CPython marshals it. ok
// is false if the expression is no plain literal.
func appendLiteral(b []byte, text string) (marshalled []byte, ok bool) {
	r := literalReader{text: text, out: b}
	return r.out, r.value(0) && r.space() && r.at == len(text)
}

const (
	maxLiteralDepth = 20
	maxLiteralInt   = 18 // digits
)

// A literalReader reads an expression and marshals its value.
type literalReader struct {
	text string
	at   int
	out  []byte
}

// space skips blanks and returns true.
func (r *literalReader) space() bool {
	for r.at < len(r.text) && r.text[r.at] == ' ' {
		r.at++
	}
	return true
}

// next returns the next byte, or 0.
func (r *literalReader) next() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// take skips c after blanks, if it is next.
func (r *literalReader) take(c byte) bool {
	r.space()
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

func (r *literalReader) value(depth int) bool {
	r.space()
	switch c := r.next(); {
	case depth > maxLiteralDepth:
		return false
	case c == '[' || c == '(':
		return r.sequence(c, depth)
	case c == '{':
		return r.dict(depth)
	case c == '\'' || c == '"':
		return r.string(c)
	case c == '-' || '0' <= c && c <= '9':
		return r.number()
	}
	for name, code := range map[string]byte{"None": 'N', "True": 'T', "False": 'F'} {
		if strings.HasPrefix(r.text[r.at:], name) {
			r.at += len(name)
			r.out = append(r.out, code)
			return !isNameByte(r.next())
		}
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf
}

// sequence reads a list or a tuple.
func (r *literalReader) sequence(open byte, depth int) bool {
	closing := byte(']')
	if open == '(' {
		closing = ')'
	}
	r.at++
	r.out = append(r.out, open, 0, 0, 0, 0)
	size := len(r.out) - 4
	n, comma := uint32(0), true
	for !r.take(closing) {
		if !comma || !r.value(depth+1) {
			return false
		}
		n++
		comma = r.take(',')
	}
	binary.LittleEndian.PutUint32(r.out[size:], n)
	return open == '[' || n != 1 || comma // (1) is not a tuple
}

func (r *literalReader) dict(depth int) bool {
	r.at++
	r.out = append(r.out, '{')
	comma := true
	for !r.take('}') {
		if !comma || !r.key(depth+1) || !r.take(':') || !r.value(depth+1) {
			return false
		}
		comma = r.take(',')
	}
	r.out = append(r.out, '0')
	return true
}

// key reads a hashable value.
func (r *literalReader) key(depth int) bool {
	from := len(r.out)
	if !r.value(depth) {
		return false
	}
	switch r.out[from] {
	case '[', '{', '(': // a tuple may contain a list
		return false
	}
	return true
}

func (r *literalReader) number() bool {
	from := r.at
	if r.next() == '-' {
		r.at++
	}
	digits := r.at
	isFloat := false
scan:
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case '0' <= c && c <= '9':
		case c == '.' || c == 'e' || c == 'E':
			isFloat = true
		case (c == '+' || c == '-') && (r.text[r.at-1] == 'e' || r.text[r.at-1] == 'E') && r.at > digits:
		default:
			break scan
		}
	}
	text := r.text[from:r.at]
	if r.at == digits || isNameByte(r.next()) || r.text[digits] == '.' { // 0x1f, 1_000, 2j
		return false
	}
	if isFloat {
		f, err := strconv.ParseFloat(text, 64)
		r.out = binary.LittleEndian.AppendUint64(append(r.out, 'g'), math.Float64bits(f))
		return err == nil
	}
	if r.at-digits > maxLiteralInt || r.text[digits] == '0' && r.at-digits > 1 { // 007
		return false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return false
	}
	if n == int64(int32(n)) {
		r.out = binary.LittleEndian.AppendUint32(append(r.out, 'i'), uint32(n))
		return true
	}
	// The number of 15-bit digits, with the number's sign, and the digits.
	r.out = append(r.out, 'l', 0, 0, 0, 0)
	size, count := len(r.out)-4, int32(0)
	for rest := max(n, -n); rest > 0; rest >>= 15 {
		r.out = binary.LittleEndian.AppendUint16(r.out, uint16(rest&0x7fff))
		count++
	}
	if n < 0 {
		count = -count
	}
	binary.LittleEndian.PutUint32(r.out[size:], uint32(count))
	return true
}

// string reads a string with only the usual escapes.
func (r *literalReader) string(quote byte) bool {
	r.at++
	var text []byte
	for {
		c := r.next()
		r.at++
		switch {
		case c == quote:
			after := r.at
			if r.space(); r.next() == '\'' || r.next() == '"' { // """, or an adjacent string
				return false
			}
			r.at = after
			return r.marshalString(text)
		case c < ' ':
			return false
		case c != '\\':
			text = append(text, c)
			continue
		}
		c = r.next()
		r.at++
		switch c {
		case '\\', '\'', '"':
			text = append(text, c)
		case 'n':
			text = append(text, '\n')
		case 'r':
			text = append(text, '\r')
		case 't':
			text = append(text, '\t')
		case 'x':
			if r.at+2 > len(r.text) {
				return false
			}
			n, err := strconv.ParseUint(r.text[r.at:r.at+2], 16, 8)
			if err != nil {
				return false
			}
			text = utf8.AppendRune(text, rune(n))
			r.at += 2
		default:
			return false
		}
	}
}

// marshalString writes a string. As in the compiler, a string that looks like a name
// is interned.
func (r *literalReader) marshalString(text []byte) bool {
	isASCII, isName := true, true
	for _, c := range text {
		isASCII = isASCII && c < utf8.RuneSelf
		isName = isName && isNameByte(c)
	}
	code := byte('u')
	switch {
	case isASCII && isName:
		code = 'A'
	case isASCII:
		code = 'a'
	case !utf8.Valid(text):
		return false
	}
	r.out = append(binary.LittleEndian.AppendUint32(append(r.out, code), uint32(len(text))), text...)
	return true
}
