package codecs

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// The codecs of this file have several tables. Escape sequences choose one each for G0 and G1 (and,
// in one codec, G2). In codes of two bytes the top bits are 0; other codecs set them.

// The sets of characters, by the last byte of their escape sequence. Sets of two bytes, whose
// sequences have a "$", have the top bit.
const (
	setASCII         = 'B'
	setLatin1        = 'A'
	setISO8859_7     = 'F'
	setRoman         = 'J' // JIS X 0201
	setKatakana      = 'I'
	double           = 0x80
	setJISX0208Of78  = '@' | double
	setJISX0208      = 'B' | double
	setGB2312        = 'A' | double
	setKSX1001       = 'C' | double
	setJISX0212      = 'D' | double
	setJISX0213      = 'O' | double
	setJISX0213Of04  = 'Q' | double
	setJISX0213Plane = 'P' | double
)

// variants are the codecs of the ISO 2022 family, with their sets besides ASCII.
var variants = map[string][]byte{
	"iso2022_jp":      {setRoman, setJISX0208Of78, setJISX0208},
	"iso2022_jp_1":    {setRoman, setJISX0208Of78, setJISX0208, setJISX0212},
	"iso2022_jp_2":    {setRoman, setJISX0208Of78, setJISX0208, setJISX0212, setGB2312, setKSX1001, setLatin1, setISO8859_7},
	"iso2022_jp_2004": {setJISX0208, setJISX0213Of04, setJISX0213Plane},
	"iso2022_jp_3":    {setJISX0208, setJISX0213, setJISX0213Plane},
	"iso2022_jp_ext":  {setRoman, setKatakana, setJISX0208Of78, setJISX0208, setJISX0212},
	"iso2022_kr":      {setKSX1001},
}

// The control characters that matter here.
const (
	shiftOut = 0x0e
	shiftIn  = 0x0f
	escape   = 0x1b
)

// isFinal reports whether c ends an escape sequence.
func isFinal(c byte) bool { return '@' <= c && c <= 'Z' }

// iso2022 decodes data by the codec of that name. Control characters stand for themselves in any
// set, and so do the bytes of escape sequences that CPython does not know.
func iso2022(dst, data []byte, name string) ([]byte, bool) {
	sets := variants[name]
	shifts := name == "iso2022_kr"  // shiftOut and shiftIn choose between G0 and G1
	hasG2 := name == "iso2022_jp_2" // ESC N takes a character of G2
	places := [3]byte{setASCII, setASCII, setASCII}
	shifted, unknown := 0, false
	for len(data) > 0 {
		c, n := data[0], 1
		switch {
		case unknown:
			if c >= utf8.RuneSelf {
				// CPython writes it as a character of its own.
				dst = utf8.AppendRune(dst, rune(c))
			} else {
				dst = append(dst, c)
			}
			unknown = !isFinal(c)
		case c == escape:
			switch {
			case len(data) < 2:
				return dst, false
			case strings.IndexByte("()$.&", data[1]) >= 0:
				place, set, size := designation(data, name)
				if size == 0 || set != setASCII && bytes.IndexByte(sets, set) < 0 || place == 2 && !hasG2 {
					return dst, false
				}
				places[place] = set
				n = size
			case hasG2 && data[1] == 'N':
				if len(data) < 3 {
					return dst, false
				}
				var ok bool
				if dst, ok = appendG2(dst, places[2], data[2]); !ok {
					return dst, false
				}
				n = 3
			default:
				dst = append(dst, c)
				unknown = true
			}
		case shifts && c == shiftOut:
			shifted = 1
		case shifts && c == shiftIn:
			shifted = 0
		case c == '\n':
			shifted = 0
			dst = append(dst, c)
		case c < ' ':
			dst = append(dst, c)
		case c >= utf8.RuneSelf:
			return dst, false
		default:
			var ok bool
			if dst, n, ok = appendFrom(dst, data, places[shifted]); !ok {
				return dst, false
			}
		}
		data = data[n:]
	}
	return dst, true
}

// maxEscape is the number of bytes in which an escape sequence must end.
const maxEscape = 16

// designation reads the escape sequence at the beginning of data. It returns the place, the set
// that takes it, and the sequence's size, which is 0 if it is malformed.
func designation(data []byte, name string) (place int, set byte, size int) {
	japanese := name != "iso2022_kr"
	for i := 1; i < maxEscape; i++ {
		if i >= len(data) {
			return 0, 0, 0
		}
		if isFinal(data[i]) {
			size = i + 1
			break
		}
		if japanese && i+1 < len(data) && data[i] == '&' && data[i+1] == '@' {
			i += 2
		}
	}
	switch size {
	case 3:
		switch data[1] {
		case '$':
			return 0, data[2] | double, size
		case '(':
			return 0, data[2], size
		case ')':
			return 1, data[2], size
		case '.':
			return 2, data[2], size
		}
	case 4:
		if data[1] == '$' && (data[2] == '(' || data[2] == ')') {
			return int(data[2] - '('), data[3] | double, size
		}
	case 6:
		if japanese && string(data[3:6]) == "\x1b$B" { // after "&@", which CPython does not look at
			return 0, setJISX0208, size
		}
	}
	return 0, 0, 0
}

// appendG2 appends a character of the set in G2.
func appendG2(dst []byte, set, c byte) ([]byte, bool) {
	switch {
	case set == setASCII && c < utf8.RuneSelf:
		return append(dst, c), true
	case set == setLatin1 && c < utf8.RuneSelf:
		return utf8.AppendRune(dst, rune(c|0x80)), true
	case set == setISO8859_7:
		if f := japanese(); f.tables[iso8859_7UpperHalf].single[c] != 0 {
			return f.add(dst, f.tables[iso8859_7UpperHalf].single[c]), true
		}
	}
	return dst, false
}

// appendFrom appends the character of set that data begins with, and returns the
// number of its bytes.
func appendFrom(dst, data []byte, set byte) ([]byte, int, bool) {
	c := data[0]
	switch set {
	case setASCII:
		return append(dst, c), 1, true
	case setRoman:
		switch c {
		case '\\':
			return append(dst, "¥"...), 1, true
		case '~':
			return append(dst, "‾"...), 1, true
		}
		return append(dst, c), 1, true
	case setKatakana:
		if c < 0x21 || c > 0x5f {
			return dst, 0, false
		}
		return utf8.AppendRune(dst, '｡'+rune(c-0x21)), 1, true
	case setLatin1, setISO8859_7:
		return dst, 0, false // they are good for G2 only
	}
	if len(data) < 2 || data[1] >= utf8.RuneSelf {
		return dst, 0, false
	}
	f, number := doubleTable(set)
	v := f.tables[number].two(c|0x80, data[1]|0x80)
	if v == 0 {
		return dst, 0, false
	}
	return f.add(dst, v), 2, true
}

// doubleTable returns the table of a set of two bytes, which has the top bits.
func doubleTable(set byte) (f *family, number int) {
	switch set {
	case setGB2312:
		return chinese(), gb2312Table
	case setKSX1001:
		return korean(), ksx1001Table
	case setJISX0212:
		return japanese(), eucJPPlane2
	case setJISX0213:
		return japanese(), jisx0213Plane1Of2000
	case setJISX0213Of04:
		return japanese(), jisx0213Plane1Of2004
	case setJISX0213Plane:
		return japanese(), jisx0213Plane2
	}
	return japanese(), eucJPTable
}

// hz decodes HZ: ASCII in which "~{" and "~}" enclose GB 2312.
func hz(dst, data []byte) ([]byte, bool) {
	set, n := byte(setASCII), 0
	for ; len(data) > 0; data = data[n:] {
		switch {
		case data[0] >= utf8.RuneSelf:
			return dst, false
		case data[0] != '~':
			var ok bool
			if dst, n, ok = appendFrom(dst, data, set); !ok {
				return dst, false
			}
			continue
		case len(data) < 2:
			return dst, false
		}
		n = 2
		switch next := data[1]; {
		case next == '~' && set == setASCII:
			dst = append(dst, '~')
		case next == '{' && set == setASCII:
			set = setGB2312
		case next == '}' && set == setGB2312:
			set = setASCII
		case next == '\n' && set == setASCII: // a continuation line
		default:
			return dst, false
		}
	}
	return dst, true
}
