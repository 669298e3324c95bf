package flake8

import (
	"crypto/md5"
	"fmt"
	"strconv"

	"codelinter/rule"
)

// gitlab is the format of GitLab's code quality reports: one array of all findings. Each has a
// fingerprint by which GitLab recognizes it when lines before it are added or removed.
type gitlab struct{ lines }

func (gitlab) frame() frame { return frame{Start: "[", Between: ",", End: "\n]\n", Document: true} }

func (gitlab) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	finding := &file.Findings[i]
	code := finding.Code.String()
	if i > 0 {
		dst = append(dst, ',')
	}
	severity := "minor"
	if isError(finding.Code) {
		severity = "major"
	}
	dst = append(dst, "\n  {\"description\": "...)
	dst = appendJSON(dst, code+" "+finding.Message())
	dst = append(dst, `, "check_name": "`...)
	dst = append(dst, code...)
	dst = append(dst, `", "fingerprint": "`...)
	dst = fmt.Appendf(dst, "%x", fingerprint(file, finding))
	dst = append(dst, `", "severity": "`...)
	dst = append(dst, severity...)
	dst = append(dst, `", "location": {"path": `...)
	dst = appendJSON(dst, slashed(file.Name))
	dst = append(dst, `, "lines": {"begin": `...)
	dst = strconv.AppendInt(dst, int64(max(finding.Row, 1)), 10)
	return append(dst, "}}}"...), nil
}

// fingerprint returns a digest that stays the same in another version of the file. It is made of
// the file's name, the code, the message and the line's text, without its number. Findings that
// agree in these are numbered.
func fingerprint(file *lintedFile, finding *rule.Finding) [md5.Size]byte {
	line, _ := file.Line(finding)
	digest := md5.Sum(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s",
		slashed(file.Name), finding.Code, finding.Message(), line))
	if n := file.ordinal(digest[:]); n > 0 {
		digest = md5.Sum(fmt.Appendf(digest[:], "\x00%d", n))
	}
	return digest
}
