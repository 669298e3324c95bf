package flake8

import (
	"strconv"

	"codelinter/rule"
)

// A Formatter renders findings. It is used from several goroutines at once.
type Formatter interface {
	// AppendFinding appends the rendering of one finding in the file of that
	// name to dst.
	AppendFinding(dst []byte, name string, finding *rule.Finding) []byte
}

// Default is flake8's default format:
//
//	spam.py:1:80: E501 line too long (86 > 79 characters)
type Default struct{}

// AppendFinding implements [Formatter].
func (Default) AppendFinding(dst []byte, name string, finding *rule.Finding) []byte {
	dst = append(dst, name...)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(finding.Row), 10)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(finding.Column), 10)
	dst = append(dst, ": "...)
	dst = append(dst, rule.Catalog[finding.Code].Code...)
	dst = append(dst, ' ')
	dst = finding.AppendMessage(dst)
	return append(dst, '\n')
}
