// Package pytext has Python's functions and rules on texts: str.isspace, str.strip, str.splitlines,
// repr, int, the escapes of string literals, the normal form of names. They follow CPython's
// version of Unicode, which differs from that of Go's packages.
//
//	repr := pytext.AppendRepr(nil, "it's", characters.Latest)  // "it's", in double quotes
//	text, ok := pytext.AppendInt(nil, "٣_0", characters.Latest) // 30, true
//
// A str of Python may hold surrogates, which UTF-8 cannot encode. So here a str is WTF-8: a
// surrogate takes three bytes, like other characters of its size.
package pytext
