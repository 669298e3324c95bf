package flake8

import (
	"crypto/md5"
	"fmt"

	"codelinter/internal/python/pyjson"
	"codelinter/rule"
)

// gitlab is the format of GitLab's code quality reports: one array of all findings. Each has a
// fingerprint by which GitLab recognizes it when lines before it are added or removed.
type gitlab struct{ lines }

func (gitlab) frame() frame { return frame{Start: "[", Between: ",", End: "\n]\n", Document: true} }

func (gitlab) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	finding := &file.Findings[i]
	code := finding.Code.String()
	severity := "minor"
	if isError(finding.Code) {
		severity = "major"
	}
	if i > 0 {
		dst = append(dst, ',')
	}
	return pyjson.Append(append(dst, "\n  "...), pyjson.Object{
		{"description", pyjson.ASCII(code + " " + finding.Message())},
		{"check_name", code},
		{"fingerprint", fmt.Sprintf("%x", fingerprint(file, finding))},
		{"severity", severity},
		{"location", pyjson.Object{
			{"path", pyjson.ASCII(slashed(file.Name))},
			{"lines", pyjson.Object{{"begin", max(finding.Row, 1)}}},
		}},
	}), nil
}

// fingerprint returns a digest that stays the same in another version of the file. It is made of
// the file's name, the code, the message and the line's text, without its number. Findings that
// agree in these are numbered.
func fingerprint(file *lintedFile, finding *rule.Finding) [md5.Size]byte {
	line, _ := file.Line(finding)
	digest := md5.Sum(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s",
		slashed(file.Name), finding.Code.String(), finding.Message(), line))
	if n := file.ordinal(digest[:]); n > 0 {
		digest = md5.Sum(fmt.Appendf(digest[:], "\x00%d", n))
	}
	return digest
}
