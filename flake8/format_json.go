package flake8

import (
	"strconv"
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
	const hex = "0123456789abcdef"
	unit := func(dst []byte, u rune) []byte {
		return append(dst, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			case '\b':
				dst = append(dst, '\\', 'b')
			case '\f':
				dst = append(dst, '\\', 'f')
			default:
				if c < ' ' {
					dst = unit(dst, rune(c))
				} else {
					dst = append(dst, c)
				}
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			dst = unit(dst, 0xdc00+rune(c))
		case r > 0xffff:
			r -= 0x10000
			dst = unit(unit(dst, 0xd800+r>>10), 0xdc00+r&0x3ff)
		default:
			dst = unit(dst, r)
		}
	}
	return append(dst, '"')
}
