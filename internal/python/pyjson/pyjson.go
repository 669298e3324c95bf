// Package pyjson reads and writes JSON as Python's json module does. There are three
// reasons not to read other tools' files with encoding/json. Most of these tools are
// Python programs, which also write NaN, Infinity and -Infinity: a row with one such
// score must not be refused. Field names are case-sensitive: "ID" is not "id". And three
// fields are needed of a row that may hold a whole conversation. Find finds them in one
// pass, which checks the rest at ten times the speed of json.Unmarshal, and copies only
// the texts that are needed.
//
// In one respect it is stricter than Python: an object with two fields of one name is an
// error, see [Repeated]. Of two rewards or two lists of answers one would be lost.
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
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"codelinter/internal/python/pytext"
)

// MaxDepth bounds the nesting of values, as in encoding/json.
const MaxDepth = 10000

// Results of [End] besides ends and places of faults; [Problem] says more.
const (
	TooDeep  = math.MinInt     // the value is nested more than MaxDepth deep
	Repeated = math.MinInt + 1 // an object in the value has two fields of one name
)

// Blanks are the white space of JSON.
const Blanks = " \t\r\n"

// End returns the end of the JSON value that begins at text[at]. If there is none, it
// returns [TooDeep], [Repeated], or ^i, where text[i] is not allowed or i is len(text).
func End(text []byte, at int) int {
	var s scanner
	return s.valueEnd(text, at, MaxDepth)
}

// A scanner finds the ends of values.
type scanner struct {
	complete bool // the value is part of one that was scanned before, so nothing is wrong with it
	repeated int  // where an object begins that is Repeated
}

// valueEnd is End for a value nested depth deep at most.
func (s *scanner) valueEnd(text []byte, at, depth int) int {
	switch {
	case at == len(text):
		return ^at
	case text[at] == '"':
		return s.stringEnd(text, at)
	case text[at] != '{' && text[at] != '[':
		return scalarEnd(text, at)
	case depth == 0:
		return TooDeep
	case text[at] == '[':
		return s.listEnd(text, at, depth-1)
	}
	return s.objectEnd(text, at, depth-1, nil)
}

// listEnd returns the end of the list that begins at text[at], whose values are nested depth deep
// at most.
func (s *scanner) listEnd(text []byte, at, depth int) int {
	at = skipBlanks(text, at+1)
	if at < len(text) && text[at] == ']' {
		return at + 1
	}
	for {
		end := s.valueEnd(text, at, depth)
		if end < 0 {
			return end
		}
		at = skipBlanks(text, end)
		switch {
		case at < len(text) && text[at] == ']':
			return at + 1
		case at == len(text) || text[at] != ',':
			return ^at
		}
		at = skipBlanks(text, at+1)
	}
}

// objectEnd returns the end of the object that begins at text[at], whose values are nested depth
// deep at most. f, if not nil, gets its fields as in [Fields].
func (s *scanner) objectEnd(text []byte, at, depth int, f func(name, value []byte)) int {
	begin := at
	at = skipBlanks(text, at+1)
	if at < len(text) && text[at] == '}' {
		return at + 1
	}
	var few [16]uint64
	names := few[:0] // their hashes
	for {
		name, end := s.key(text, at)
		if end < 0 {
			return end
		}
		if !s.complete {
			names = append(names, maphash.Bytes(nameSeed, name))
		}
		at = skipBlanks(text, end)
		end = s.valueEnd(text, at, depth)
		if f != nil && end < 0 {
			f(name, nil)
		} else if f != nil {
			f(name, text[at:end])
		}
		if end < 0 {
			return end
		}
		at = skipBlanks(text, end)
		switch {
		case at < len(text) && text[at] == '}':
			if repeat(names) {
				s.repeated = begin
				return Repeated
			}
			return at + 1
		case at == len(text) || text[at] != ',':
			return ^at
		}
		at = skipBlanks(text, at+1)
	}
}

var nameSeed = maphash.MakeSeed()

// repeat reports whether two of an object's names are the same, by their hashes. (That two of a
// million names have one hash happens once in 10^7 runs.)
func repeat(names []uint64) bool {
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			return true
		}
	}
	return false
}

// Problem says what is wrong with a value that text begins with, perhaps after blanks, if end, its
// result of [End], is TooDeep or Repeated. For other ends it returns "". at is where a name stands
// for the second time, start bytes into what people see; with TooDeep it is 0.
func Problem(text []byte, end, start int) (problem string, at int) {
	switch end {
	case TooDeep:
		return fmt.Sprintf("expected JSON nested %d deep at most", MaxDepth), 0
	case Repeated:
		var s scanner
		s.valueEnd(text, skipBlanks(text, 0), MaxDepth)
		name, at := secondOf(text, s.repeated)
		at += start
		return fmt.Sprintf("expected each key once in an object, found %.80q again at byte %d", name, at+1), at
	}
	return "", 0
}

// secondOf returns the first name that the object at text[at] has again, and where.
func secondOf(text []byte, at int) (name []byte, again int) {
	seen := map[string]bool{}
	var s scanner
	for text[at] != '}' {
		again = skipBlanks(text, at+1) // after the brace or a comma
		if name, at = s.key(text, again); seen[string(name)] {
			break
		}
		seen[string(name)] = true
		at = skipBlanks(text, End(text, skipBlanks(text, at)))
	}
	return name, again
}

// key returns the name of a field that begins at text[at], and the end of its colon or ^i as End
// does.
func (s *scanner) key(text []byte, at int) (name []byte, end int) {
	if at == len(text) || text[at] != '"' {
		return nil, ^at
	}
	if end = s.stringEnd(text, at); end < 0 {
		return nil, end
	}
	quoted := text[at:end]
	name = quoted[1 : len(quoted)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		decoded, _ := Unquote(quoted)
		name = []byte(decoded)
	}
	if end = skipBlanks(text, end); end == len(text) || text[end] != ':' {
		return nil, ^end
	}
	return name, end + 1
}

// scalarEnd returns the end of a value that is no text, list or object.
func scalarEnd(text []byte, at int) int {
	switch c := text[at]; {
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
func (s *scanner) stringEnd(text []byte, at int) int {
	if s.complete {
		return closingQuote(text, at) + 1
	}
	for at = markAt(text, at+1); at < len(text); at = markAt(text, at+1) {
		switch {
		case text[at] == '"':
			return at + 1
		case text[at] != '\\':
			return ^at
		}
		if at++; at == len(text) {
			break
		}
		if escapes[text[at]] == 0 {
			if text[at] != 'u' {
				return ^at
			}
			for range 4 {
				if at++; at == len(text) || unhex[text[at]] == notHex {
					return ^at
				}
			}
		}
	}
	return ^len(text)
}

// closingQuote returns the offset of the quote that closes the JSON string at text[at], or
// len(text).
func closingQuote(text []byte, at int) int {
	for at++; ; at++ {
		n := bytes.IndexByte(text[at:], '"')
		if n < 0 {
			return len(text)
		}
		at += n
		before := at
		for text[before-1] == '\\' { // ends at the first quote
			before--
		}
		if (at-before)%2 == 0 {
			return at
		}
	}
}

// markAt returns the offset of the first quote, backslash or control character, from an offset on,
// or the length of text. One search for all three takes half of the instructions of one for each,
// as some 20 bytes stand between two of them.
func markAt(text []byte, at int) int {
	view := pytext.View(text)
	for ; at+8 <= len(view); at += 8 {
		if found := marks(pytext.WordAt(view, at)); found != 0 {
			return at + bits.TrailingZeros64(found)>>3
		}
	}
	for at < len(text) && text[at] >= ' ' && text[at] != '"' && text[at] != '\\' {
		at++
	}
	return at
}

const ones = 0x0101010101010101 // 1 in each byte of a word

// marks sets the highest bit of each byte of w that is a quote, a backslash or a control character.
// Only the lowest bit that is set is reliable.
func marks(w uint64) uint64 {
	low, escape := w^ones*2, w^ones*'\\' // ^2 puts the quote below the blank, next to the control characters
	return ((low - ones*('"'^2+1)) | (escape - ones)) &^ w & (ones << 7)
}

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
	var s scanner
	return s.objectEnd(text, 0, MaxDepth, f)
}

// Find returns the values of fields of the object at the beginning of text, as they are
// written. end is the result of [Fields].
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

// Select sets values[i] to the value of the field names[i] of the object at the beginning of text,
// as it is written, or to nil if it is missing. It returns the result of [Fields]. complete says
// that the object is part of a value whose end is known: its texts are then passed over faster.
func Select(values [][]byte, text []byte, complete bool, names []string) (end int) {
	clear(values)
	if len(text) == 0 || text[0] != '{' {
		return ^0
	}
	s := scanner{complete: complete}
	return s.objectEnd(text, 0, MaxDepth, func(name, value []byte) {
		for i, wanted := range names {
			if string(name) == wanted {
				values[i] = value
			}
		}
	})
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
	s := scanner{complete: true}
	at := skipBlanks(text, 1)
	for i := 0; text[at] != ']'; i++ {
		end := s.valueEnd(text, at, MaxDepth)
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
	if len(unquoted) < len(raw)-len(raw)/8 {
		return string(unquoted), half // the memory of many escapes would stay
	}
	return pytext.View(unquoted), half
}

// AppendUnquoted appends the text of the complete JSON string that text begins with. It also
// returns the string's end, and half as Unquote does.
func AppendUnquoted(dst, text []byte) (_ []byte, end int, half bool) {
	dst = slices.Grow(dst, len(text)) // at least, as no text is longer than its JSON
	view, to := pytext.View(text), dst[len(dst):cap(dst)]
	n := 0 // bytes written
	for at := 1; ; {
		// Words are copied whole, with what follows in them: that is overwritten.
		for at+8 <= len(view) {
			w := pytext.WordAt(view, at)
			binary.LittleEndian.PutUint64(to[n:n+8], w)
			found := marks(w)
			if found == 0 {
				at, n = at+8, n+8
				continue
			}
			plain := bits.TrailingZeros64(found) >> 3
			at, n = at+plain, n+plain
			if text[at] != '\\' || escapes[text[at+1]] == 0 {
				break
			}
			to[n] = escapes[text[at+1]] // in most texts a newline
			at, n = at+2, n+1
		}
		for text[at] != '"' && text[at] != '\\' {
			to[n] = text[at]
			at, n = at+1, n+1
		}
		switch {
		case text[at] == '"':
			return dst[:len(dst)+n], at + 1, half
		case text[at+1] != 'u':
			to[n] = escapes[text[at+1]]
			at, n = at+2, n+1
		default:
			r, size := escapedRune(text[at:])
			half = half || r == utf8.RuneError && hex4(text[at+2:]) != r
			at, n = at+size, len(utf8.AppendRune(to[:n], r))
		}
	}
}

// escapedRune returns the character of the escape \uXXXX, or of two for a surrogate pair, that text
// begins with, and their length. Half of a pair is U+FFFD.
func escapedRune(text []byte) (r rune, size int) {
	r, size = hex4(text[2:]), len(`\uXXXX`)
	if !utf16.IsSurrogate(r) {
		return r, size
	}
	if rest := text[size:]; len(rest) >= size && rest[0] == '\\' && rest[1] == 'u' {
		if whole := utf16.DecodeRune(r, hex4(rest[2:])); whole != utf8.RuneError {
			return whole, 2 * size
		}
	}
	return utf8.RuneError, size
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
		if found := marks(w) | w&(ones<<7); found != 0 {
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
