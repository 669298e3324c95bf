package flake8

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonFormat is the format of the plugin flake8-json, to the byte: one object whose
// keys are the files, clean ones too.
//
//	{"spam.py": [{"code": "W291", "filename": "spam.py", "line_number": 1, "column_number": 6,
//	              "text": "trailing whitespace", "physical_line": "x = 1 \n"}], "eggs.py": []}
//
// but without line breaks.
type jsonFormat struct{}

func (jsonFormat) frame() frame { return frame{Start: "{", Between: ", ", End: "}", Document: true} }

func (jsonFormat) appendStart(dst []byte, file *lintedFile) []byte {
	return append(appendJSON(dst, file.Name), ": ["...)
}

func (jsonFormat) appendEnd(dst []byte, _ *lintedFile) []byte { return append(dst, ']') }

func (jsonFormat) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	finding := &file.Findings[i]
	if i > 0 {
		dst = append(dst, ", "...)
	}
	dst = append(dst, `{"code": "`...)
	dst = append(dst, finding.Code.String()...)
	dst = append(dst, `", "filename": `...)
	dst = appendJSON(dst, file.Name)
	dst = append(dst, `, "line_number": `...)
	dst = strconv.AppendInt(dst, int64(finding.Row), 10)
	dst = append(dst, `, "column_number": `...)
	dst = strconv.AppendInt(dst, int64(finding.Column), 10)
	dst = append(dst, `, "text": `...)
	dst = appendJSON(dst, finding.Message())
	dst = append(dst, `, "physical_line": `...)
	if line, found := file.Line(finding); found {
		dst = appendJSON(dst, line)
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, '}'), nil
}

// appendJSON appends text as Python's json.dumps writes it: in ASCII, with surrogates for
// characters beyond 16 bits and for bytes that are not UTF-8.
func appendJSON(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			r = 0xdc00 + rune(text[i])
		}
		short := strings.IndexRune("\"\\\n\r\t\b\f", r)
		switch {
		case short >= 0:
			dst = append(dst, '\\', `"\nrtbf`[short])
		case ' ' <= r && r < utf8.RuneSelf:
			dst = append(dst, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
	}
	return append(dst, '"')
}
