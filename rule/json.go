package rule

import (
	"strconv"

	"codelinter/internal/python/pyjson"
)

// MarshalJSON returns the finding as [Finding.AppendJSON] writes it.
func (f Finding) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil), nil }

// AppendJSON appends the finding as a JSON object to dst, without blanks:
//
//	{"code":"E501","row":1,"column":80,"start":79,"end":86,"message":"line too long (86 > 79 characters)"}
//
// The numbers are the fields of the same names. What is not valid UTF-8
// in the message, such as a surrogate of a Python string, becomes U+FFFD.
func (f *Finding) AppendJSON(dst []byte) []byte {
	dst = pyjson.AppendQuoted(append(dst, `{"code":`...), f.Code.String())
	dst = append(dst, `,"row":`...)
	dst = strconv.AppendInt(dst, int64(f.Row), 10)
	dst = append(dst, `,"column":`...)
	dst = strconv.AppendInt(dst, int64(f.Column), 10)
	dst = append(dst, `,"start":`...)
	dst = strconv.AppendInt(dst, int64(f.Start), 10)
	dst = append(dst, `,"end":`...)
	dst = strconv.AppendInt(dst, int64(f.End), 10)
	dst = append(dst, `,"message":`...)
	// The message is written raw and then moved to its escaped form after
	// itself, so that no memory is needed but dst.
	from := len(dst)
	dst = f.AppendMessage(dst)
	to := len(dst)
	dst = pyjson.AppendQuoted(dst, dst[from:to])
	n := copy(dst[from:], dst[to:])
	return append(dst[:from+n], '}')
}
