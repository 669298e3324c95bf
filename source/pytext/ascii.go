package pytext

import (
	"unicode/utf8"
	"unsafe"
)

// IsASCII reports whether text.isascii() is true. It tests eight bytes at a time.
func IsASCII(text string) bool {
	at := 0
	for ; at+8 <= len(text); at += 8 {
		if *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.StringData(text)), at))&0x8080808080808080 != 0 {
			return false
		}
	}
	for ; at < len(text); at++ {
		if text[at] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
