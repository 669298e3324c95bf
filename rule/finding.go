package rule

import (
	"strconv"
	"strings"
)

// A Finding is one line of flake8's output, as data. Its message is rendered
// late, by [Finding.AppendMessage], from the template of its code and its [Values].
type Finding struct {
	Row    int32 // from 1; 0 where a file could not be read
	Column int32 // from 1, as flake8 prints it: in characters for E and W, in UTF-8 bytes for F and C

	// Start and End are the extent of the finding, as byte offsets in the file as
	// it was given: data[Start:End]. It begins at flake8's row and column, if that
	// is a place in the file:
	//
	//	E501   what exceeds the limit         E225   nothing, where a blank is missing
	//	F821   the name                       F401   the import statement
	//	C901   "def spam"                     W391   the blank line
	//
	// 0 <= Start <= End <= len(data). If the encoding does not keep characters byte
	// by byte, as with Shift_JIS, the extent is the whole file.
	Start, End int32

	Code Code

	foreign bool // a plugin made it: the message is values.Text

	values Values
}

// Values replace {a}, {b}, {text} and {shared} in the template of a finding's code.
// The checkers set them.
type Values struct {
	A, B   int32
	Text   string
	Shared Shared // may be nil
}

// With returns the finding with other values.
func (f Finding) With(values Values) Finding {
	f.values = values
	return f
}

// Values returns the finding's values.
func (f *Finding) Values() Values { return f.values }

// Shared is a part that many findings' messages have in common, such as the
// modules of a file's star imports, which pyflakes lists for each name that may
// come from one of them. Such a message is made when it is read: a file of n lines can have n
// messages of n modules each.
type Shared interface {
	// AppendTo appends the part as it reads in the finding's message.
	AppendTo(dst []byte, values *Values) []byte
	// MaxLen returns the maximal number of bytes that AppendTo appends.
	MaxLen(values *Values) int
}

// SharedText is a [Shared] that reads the same in all messages.
type SharedText struct{ Text string }

// AppendTo appends the text.
func (s *SharedText) AppendTo(dst []byte, _ *Values) []byte { return append(dst, s.Text...) }

// MaxLen returns the text's length in bytes.
func (s *SharedText) MaxLen(*Values) int { return len(s.Text) }

// NewForeign returns a finding of a plugin. It has no extent. Its code may be one of the catalogue:
// plugins find what flake8's own tools are called for, too.
func NewForeign(row, column int32, code Code, message string) Finding {
	return Finding{Row: row, Column: column, Code: code, foreign: true, values: Values{Text: message}}
}

// IsForeign reports whether a plugin made the finding.
func (f *Finding) IsForeign() bool { return f.foreign }

// Bare returns the finding without its texts. Bare findings can be compared with ==, and
// keep no memory of a Linter.
func (f Finding) Bare() Finding {
	f.values.Text, f.values.Shared = "", nil
	return f
}

// Clone returns the finding with texts of its own, which remain valid when its
// Linter lints another file.
func (f *Finding) Clone() Finding {
	clone := *f
	clone.values.Text = strings.Clone(f.values.Text)
	if shared := f.values.Shared; shared != nil {
		clone.values.Shared = &SharedText{string(shared.AppendTo(nil, &f.values))}
	}
	return clone
}

// Message returns the finding's message, without the code.
func (f *Finding) Message() string { return string(f.AppendMessage(nil)) }

// AppendMessage appends the finding's message, without the code, to dst.
func (f *Finding) AppendMessage(dst []byte) []byte {
	if f.foreign {
		return append(dst, f.values.Text...)
	}
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
			dst = strconv.AppendInt(dst, int64(f.values.A), 10)
		case cut(&template, "{b}"):
			dst = strconv.AppendInt(dst, int64(f.values.B), 10)
		case cut(&template, "{text}"):
			dst = append(dst, f.values.Text...)
		case cut(&template, "{shared}"):
			if f.values.Shared != nil {
				dst = f.values.Shared.AppendTo(dst, &f.values)
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
	length := len(f.values.Text)
	if f.values.Shared != nil {
		length += f.values.Shared.MaxLen(&f.values)
	}
	return length
}
