package task

import (
	"strconv"

	"codelinter/lint"
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

// ParseCode returns the code that is written as text in feedback and results: one of flake8's own,
// or one of the form that flake8 asks of plugins, such as "B006".
func ParseCode(text string) (code rule.Code, ok bool) {
	if code, ok = rule.Find(text); ok || !lint.IsCodePrefix(text) || text[len(text)-1] > '9' {
		return code, ok
	}
	return rule.Named(text)
}
