// Package pytext holds what Python's own functions and syntax make of a text:
// str.isspace, str.strip, str.splitlines, repr, int, the escapes of string
// literals, the normal form of names. Each is that of CPython 3.14, whose Unicode
// is not that of Go's packages.
//
//	repr := pytext.AppendRepr(nil, "it's", characters.Latest)  // "it's", in double quotes
//	text, ok := pytext.AppendInt(nil, "٣_0", characters.Latest) // 30, true
//
// A str of Python may hold surrogates, which UTF-8 cannot encode. Such a str is WTF-8
// here: a surrogate takes three bytes, as any other character of its size would.
package pytext
