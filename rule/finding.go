package rule

import "strconv"

// A Finding is one line of flake8's output, as data. Its message is rendered
// late, by [Finding.AppendMessage], from the template of its code.
type Finding struct {
	Row    int32 // from 1; 0 where a file could not be read
	Column int32 // from 1, as flake8 prints it
	Code   Code
	A, B   int32  // numbers for {a} and {b} in the code's template
	Text   string // text for {text} in the code's template
}

// AppendMessage appends the finding's message, without the code, to dst.
func (f *Finding) AppendMessage(dst []byte) []byte {
	template := Catalog[f.Code].Template
	for i := 0; i < len(template); i++ {
		if template[i] == '{' {
			switch {
			case hasAt(template, i, "{a}"):
				dst = strconv.AppendInt(dst, int64(f.A), 10)
				i += len("{a}") - 1
				continue
			case hasAt(template, i, "{b}"):
				dst = strconv.AppendInt(dst, int64(f.B), 10)
				i += len("{b}") - 1
				continue
			case hasAt(template, i, "{text}"):
				dst = append(dst, f.Text...)
				i += len("{text}") - 1
				continue
			}
		}
		dst = append(dst, template[i])
	}
	return dst
}

func hasAt(s string, at int, part string) bool {
	return len(s)-at >= len(part) && s[at:at+len(part)] == part
}

// Message returns the finding's message, without the code.
func (f *Finding) Message() string { return string(f.AppendMessage(nil)) }
