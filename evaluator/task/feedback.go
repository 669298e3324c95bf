package task

import (
	"strconv"

	"codelinter/rule"
)

// AppendFeedback appends the findings to dst in the benchmark's words, a line
// each:
//
//	E225: missing whitespace around operator in 1 line
//
// The last line, too, ends with a newline.
func AppendFeedback(dst []byte, findings []rule.Finding) []byte {
	for i := range findings {
		dst = append(dst, findings[i].Code.String()...)
		dst = append(dst, ": "...)
		dst = findings[i].AppendMessage(dst)
		dst = append(dst, " in "...)
		dst = strconv.AppendInt(dst, int64(findings[i].Row), 10)
		dst = append(dst, " line\n"...)
	}
	return dst
}
