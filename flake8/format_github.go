package flake8

import (
	"path/filepath"
	"strconv"
	"strings"
)

// github is the format of GitHub's workflow commands, which puts findings beside
// the lines of a change:
//
//	::warning file=spam.py,line=1,col=80,title=E501::line too long (86 > 79 characters)
type github struct{ lines }

func (github) frame() frame { return frame{} }

var (
	escapeGitHub         = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeGitHubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func (github) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	finding := &file.Findings[i]
	if isError(finding.Code) {
		dst = append(dst, "::error file="...)
	} else {
		dst = append(dst, "::warning file="...)
	}
	dst = append(dst, escapeGitHubProperty.Replace(strings.TrimPrefix(filepath.ToSlash(file.Name), "./"))...)
	if finding.Row > 0 { // a file that cannot be read has no rows
		dst = append(dst, ",line="...)
		dst = strconv.AppendInt(dst, int64(finding.Row), 10)
		dst = append(dst, ",col="...)
		dst = strconv.AppendInt(dst, int64(max(finding.Column, 1)), 10)
	}
	dst = append(dst, ",title="...)
	dst = append(dst, finding.Code.String()...)
	dst = append(dst, "::"...)
	dst = append(dst, escapeGitHub.Replace(finding.Message())...)
	return append(dst, '\n'), nil
}
