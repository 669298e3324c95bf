package rule

import (
	"strconv"
	"strings"
)

// A Finding is one line of flake8's output, as data. Its message is rendered
// late, by [Finding.AppendMessage], from the template of its code.
type Finding struct {
	Row    int32 // from 1; 0 where a file could not be read
	Column int32 // from 1, as flake8 prints it: in characters for E and W, in UTF-8 bytes for F and C

	// Start and End are the extent of what the finding is about, as byte
	// offsets in the file as it was given: data[Start:End]. It begins where
	// flake8's row and column point, if they point at anything:
	//
	//	E501   what exceeds the limit         E225   nothing, where a blank is missing
	//	F821   the name                       F401   the import statement
	//	C901   "def spam"                     W391   the blank line
	//
	// 0 <= Start <= End <= len(data). In a file of an encoding whose
	// characters do not stand byte by byte, such as Shift_JIS, they are all of it.
	Start, End int32

	A, B int32 // numbers for {a} and {b} in the code's template
	Code Code
	Text string // text for {text} in the code's template

	// Shared is what {shared} in the code's template stands for, or nil.
	Shared Shared
}

// Shared is a part that many findings' messages have in common, such as the
// modules of a file's star imports, which pyflakes lists for each name that may
// come from one of them. Written out, such messages can be longer than the file
// by as much as it has lines.
type Shared interface {
	// AppendTo appends the part as it reads in the finding's message.
	AppendTo(dst []byte, f *Finding) []byte
	// MaxLen returns how many bytes AppendTo appends at most.
	MaxLen(f *Finding) int
}

// SharedText is a [Shared] that reads the same in all messages.
type SharedText struct{ Text string }

// AppendTo appends the text.
func (s *SharedText) AppendTo(dst []byte, _ *Finding) []byte { return append(dst, s.Text...) }

// MaxLen returns the text's length in bytes.
func (s *SharedText) MaxLen(*Finding) int { return len(s.Text) }

// Clone returns the finding with texts of its own, which stay valid when its Linter
// goes on to another file.
func (f *Finding) Clone() Finding {
	clone := *f
	clone.Text = strings.Clone(f.Text)
	if f.Shared != nil {
		clone.Shared = &SharedText{string(f.Shared.AppendTo(nil, f))}
	}
	return clone
}

// Message returns the finding's message, without the code.
func (f *Finding) Message() string { return string(f.AppendMessage(nil)) }

// AppendMessage appends the finding's message, without the code, to dst.
func (f *Finding) AppendMessage(dst []byte) []byte {
	template := catalog[f.Code].Template
	for {
		at := strings.IndexByte(template, '{')
		if at < 0 {
			return append(dst, template...)
		}
		dst = append(dst, template[:at]...)
		template = template[at:]
		switch {
		case cut(&template, "{a}"):
			dst = strconv.AppendInt(dst, int64(f.A), 10)
		case cut(&template, "{b}"):
			dst = strconv.AppendInt(dst, int64(f.B), 10)
		case cut(&template, "{text}"):
			dst = append(dst, f.Text...)
		case cut(&template, "{shared}"):
			if f.Shared != nil {
				dst = f.Shared.AppendTo(dst, f)
			}
		case cut(&template, "{"):
			dst = append(dst, '{')
		}
	}
}

// cut cuts a prefix from s, and reports whether s had it.
func cut(s *string, prefix string) (found bool) {
	*s, found = strings.CutPrefix(*s, prefix)
	return found
}

// Length returns an upper bound on the bytes that the finding's texts have in its
// message.
func (f *Finding) Length() int {
	length := len(f.Text)
	if f.Shared != nil {
		length += f.Shared.MaxLen(f)
	}
	return length
}
