package source

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// decode returns the text of data with universal newlines. The text shares
// data's memory when nothing had to change, else f.decoded.
//
// Python finds a file's encoding from a UTF-8 byte order mark and from a cookie
// ("# coding: latin-1") in the first two lines. Whatever goes wrong there or in
// decoding makes flake8 read the file again as latin-1, where every byte is a
// character; from standard input it tries UTF-8 instead.
func (f *File) decode(data []byte, stdin bool) string {
	text := view(data)
	name, found := declaredEncoding(text)
	f.FellBack = false
	if found {
		switch name {
		case "utf-8":
			if utf8.ValidString(text) {
				return f.universalNewlines(strings.TrimPrefix(text, byteOrderMark))
			}
		case "iso-8859-1":
			return f.latin1(text)
		default:
			if decoded, ok := decodeAs(name, data); ok {
				return f.universalNewlines(decoded)
			}
		}
	}
	f.FellBack = true
	if stdin && utf8.ValidString(text) {
		return f.universalNewlines(text)
	}
	return f.latin1(text)
}

const byteOrderMark = "\xef\xbb\xbf"

// declaredEncoding returns the encoding that Python's tokenize.detect_encoding
// finds, "utf-8" and "iso-8859-1" in just these spellings; false where Python
// raises a SyntaxError.
func declaredEncoding(text string) (name string, ok bool) {
	text, marked := strings.CutPrefix(text, byteOrderMark)
	for range 2 {
		line, rest, _ := strings.Cut(text, "\n")
		if line == "" && rest == "" && text == "" {
			break
		}
		if !utf8.ValidString(line) {
			return "", false
		}
		if cookie := cookie(line); cookie != "" {
			name = normalEncodingName(cookie)
			if name != "utf-8" && name != "iso-8859-1" && !isKnownEncoding(name) {
				return "", false
			}
			if marked && name != "utf-8" {
				return "", false
			}
			return name, true
		}
		if !isBlankOrComment(line) {
			break
		}
		text = rest
	}
	return "utf-8", true
}

// cookie returns the encoding that a comment line declares, or "". It reads
//
//	^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)
//
// with \w in ASCII.
func cookie(line string) string {
	comment := strings.TrimLeft(line, " \t\f")
	if !strings.HasPrefix(comment, "#") {
		return ""
	}
	for rest := comment[1:]; ; {
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

// isBlankOrComment tells whether a cookie may still follow on the second line.
func isBlankOrComment(line string) bool {
	line = strings.TrimLeft(line, " \t\f")
	return line == "" || line[0] == '#' || line[0] == '\r'
}

// normalEncodingName folds the spellings of UTF-8 and latin-1 that Python
// knows before it asks its codecs; any other name stays as it is.
func normalEncodingName(cookie string) string {
	name := strings.ReplaceAll(strings.ToLower(cookie[:min(len(cookie), 12)]), "_", "-")
	if name == "utf-8" || strings.HasPrefix(name, "utf-8-") {
		return "utf-8"
	}
	for _, latin := range [...]string{"latin-1", "iso-8859-1", "iso-latin-1"} {
		if name == latin || strings.HasPrefix(name, latin+"-") {
			return "iso-8859-1"
		}
	}
	return cookie
}

// latin1 decodes each byte of text as the character of that number.
func (f *File) latin1(text string) string {
	if isASCII(text) {
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
		}
	}
	f.decoded = out
	return view(out)
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
		if !strings.HasPrefix(text, "\n") {
			out = append(out, '\n')
		}
		at = strings.IndexByte(text, '\r')
	}
	out = append(out, text...)
	f.decoded = out
	return view(out)
}

// view returns data as a string that shares its memory.
func view(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }
