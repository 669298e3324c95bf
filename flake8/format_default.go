package flake8

import (
	"strconv"
	"strings"
)

// defaultFormat is flake8's default format without colours:
//
//	spam.py:1:80: E501 line too long (86 > 79 characters)
type defaultFormat struct{ lines }

// defaultTemplate is the same as a template, and has the colours.
const defaultTemplate = "%(bold)s%(path)s%(reset)s%(cyan)s:%(reset)s%(row)d%(cyan)s:%(reset)s%(col)d%(cyan)s:%(reset)s " +
	"%(bold)s%(red)s%(code)s%(reset)s %(text)s"

func isDefault(name string) bool { return strings.EqualFold(name, "default") }

func (defaultFormat) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	finding := &file.Findings[i]
	dst = append(dst, file.Name...)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(finding.Row), 10)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(finding.Column), 10)
	dst = append(dst, ": "...)
	dst = append(dst, finding.Code.String()...)
	dst = append(dst, ' ')
	dst = finding.AppendMessage(dst)
	return append(dst, '\n'), nil
}
