package source

import (
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/source/internal/codecs"
)

// decode returns the text of data with universal newlines. The text shares
// data's memory when nothing had to change, else f.decoded.
//
// Python finds a file's encoding from a UTF-8 byte order mark and from a cookie ("# coding:
// latin-1") in the first two lines. After any error there or in decoding, flake8 reads the
// file again as latin-1, where every byte is a character. It reads standard input as UTF-8
// instead, without universal newlines.
func (f *File) decode(data []byte, stdin bool) string {
	text := pytext.View(data)
	codec, encoding, head, ok := declared(text, characters.Of(f.Target.OrDefault()))
	f.FellBack, f.Encoding = false, encoding
	checked := f.Target.Features().ChecksCookieLines
	switch {
	case !ok:
	case checked && strings.IndexByte(head, 0) >= 0:
	case !checked && !utf8.ValidString(head):
	case codec == codecs.UTF8:
		f.ASCII = pytext.IsASCII(text)
		if f.ASCII || utf8.ValidString(text) {
			text, marked := strings.CutPrefix(text, byteOrderMark)
			if marked {
				f.given.front = int32(len(byteOrderMark))
			}
			return f.universalNewlines(text)
		}
	case codec == codecs.Latin1:
		return f.latin1(text)
	default:
		// Since 3.14 Python decodes the head of a file separately first. This changes the result
		// for codecs in which a line end is not one byte.
		piece := codecs.FilePiece
		if stdin {
			piece = codecs.Whole
		}
		f.decoded = slices.Grow(f.decoded[:0], len(data))
		if checked {
			f.decoded, ok = codec.Decode(f.decoded, data[:len(head)], codecs.Whole)
		}
		if ok {
			f.decoded, ok = codec.Decode(f.decoded[:0], data, piece)
		}
		if ok {
			f.given.width = anyWidth
			if codec.SingleByte() {
				f.given.width = oneByte
			}
			return f.universalNewlines(pytext.View(f.decoded))
		}
	}
	f.FellBack = true
	if stdin && utf8.ValidString(text) {
		f.CarriageReturns = strings.IndexByte(text, '\r') >= 0
		return text
	}
	return f.latin1(text)
}

const byteOrderMark = "\xef\xbb\xbf"

// declared returns the codec that Python's tokenize.detect_encoding finds, the cookie if it names
// anything but UTF-8, and the lines read for that. It returns false if the Python with the Unicode
// u does not know the codec, or if the codec contradicts a byte order mark. (That a codec is no
// text encoding is found later.)
func declared(text string, u characters.Unicode) (codec codecs.Codec, encoding, head string, ok bool) {
	rest, marked := strings.CutPrefix(text, byteOrderMark)
	for range 2 {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		head = text[:len(text)-len(rest)]
		for line != "" && (line[0] == ' ' || line[0] == '\t' || line[0] == '\f') {
			line = line[1:]
		}
		if encoding = cookie(line); encoding != "" {
			name := normalName(encoding)
			if name == "utf-8" {
				return codecs.UTF8, "", head, true
			}
			if codec, ok = codecs.Lookup(name, u); codec == codecs.UTF8 {
				encoding = "" // another of its names
			}
			return codec, encoding, head, ok && !marked
		}
		if line != "" && line[0] != '#' && line[0] != '\r' {
			break // only after a blank line or a comment may it stand on the second
		}
	}
	return codecs.UTF8, "", head, true
}

// cookie returns the encoding that a comment line without the blanks before it declares, or
// "". It reads
//
//	#.*?coding[:=][ \t]*([-\w.]+)
//
// with \w in ASCII.
func cookie(line string) string {
	rest, is := strings.CutPrefix(line, "#")
	if !is {
		return ""
	}
	for {
		at := strings.Index(rest, "coding")
		if at < 0 {
			return ""
		}
		rest = rest[at+len("coding"):]
		if rest == "" || rest[0] != ':' && rest[0] != '=' {
			continue
		}
		value := strings.TrimLeft(rest[1:], " \t")
		n := 0
		for n < len(value) && isCookieByte(value[n]) {
			n++
		}
		if n > 0 {
			return value[:n]
		}
	}
}

func isCookieByte(c byte) bool {
	return c == '-' || c == '.' || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// normalName normalizes the spellings of UTF-8 and latin-1 that Python recognizes before it looks
// up a codec. Any other name is returned unchanged.
func normalName(cookie string) string {
	var head [12]byte
	n := copy(head[:], cookie)
	for i, c := range head[:n] {
		if head[i] = pytext.Lower(c); c == '_' {
			head[i] = '-'
		}
	}
	name := string(head[:n])
	for _, known := range [...]string{"utf-8", "latin-1", "iso-8859-1", "iso-latin-1"} {
		if tail, ok := strings.CutPrefix(name, known); ok && (tail == "" || tail[0] == '-') {
			if known == "utf-8" {
				return known
			}
			return "iso-8859-1"
		}
	}
	return cookie
}

// latin1 decodes each byte of text as the character of that number.
func (f *File) latin1(text string) string {
	f.given.width = oneByte
	if pytext.IsASCII(text) {
		return f.universalNewlines(text)
	}
	out := f.decoded[:0]
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= utf8.RuneSelf:
			out = append(out, 0xc0|c>>6, 0x80|c&0x3f)
		case c != '\r':
			out = append(out, c)
		case i+1 == len(text) || text[i+1] != '\n':
			out = append(out, '\n')
		default:
			f.given.crlfs = append(f.given.crlfs, int32(len(out)))
		}
	}
	f.decoded = out
	return pytext.View(out)
}

// universalNewlines turns "\r\n" and a lone "\r" into "\n".
func (f *File) universalNewlines(text string) string {
	at := strings.IndexByte(text, '\r')
	if at < 0 {
		return text
	}
	out := f.decoded[:0]
	for at >= 0 {
		out = append(out, text[:at]...)
		text = text[at+1:]
		if strings.HasPrefix(text, "\n") {
			f.given.crlfs = append(f.given.crlfs, int32(len(out)))
		} else {
			out = append(out, '\n')
		}
		at = strings.IndexByte(text, '\r')
	}
	out = append(out, text...)
	f.decoded = out
	return pytext.View(out)
}
