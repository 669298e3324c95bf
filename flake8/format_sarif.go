package flake8

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"

	"codelinter/internal/release"
	"codelinter/rule"
	"codelinter/source"
)

// sarif is the format of the Static Analysis Results Interchange Format, 2.1.0: one run of
// one tool, with all rules and their pages in its description and a result for each
// finding. A result has a fingerprint that stays the same when lines before it are added or
// removed, see fingerprint.
type sarif struct {
	lines
	// Release and Target are the flake8 and the CPython whose findings these are, which
	// the tool's full name says; zero means the default.
	Release rule.Release
	Target  source.Version
}

func (s sarif) frame() frame {
	fullName := "codelinter " + release.Version() + " as " + rule.Reference(s.Release, s.Target)
	start := []byte(`{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{` +
		"\n" + `"tool": {"driver": {"name": "codelinter", "version": "` + release.Version() + `", "fullName": "` + fullName + `", "rules": [`)
	for code := range rule.Codes() {
		if !s.Release.Has(code) {
			continue
		}
		r := code.Rule()
		if code > 0 {
			start = append(start, ',')
		}
		start = append(start, "\n{\"id\": \""+r.Code+`", "name": "`+r.Name+`", "shortDescription": {"text": `...)
		start = appendJSON(start, r.Message())
		start = append(start, `}, "help": {"text": `...)
		start = appendJSON(start, "`codelinter rule "+r.Code+"` explains it.")
		if page, found := rule.Page(code); found {
			start = append(start, `, "markdown": `...)
			start = appendJSON(start, page.Markdown)
		}
		start = append(start, `}, "defaultConfiguration": {"enabled": `+strconv.FormatBool(r.Default)+
			`, "level": "`+sarifLevel(code)+`"}}`...)
	}
	start = append(start, "]}},\n\"columnKind\": \"unicodeCodePoints\",\n\"results\": ["...)
	return frame{Start: string(start), Between: ",", End: "\n]}]}\n", Document: true}
}

// index returns the place of a code among the rules, which are those that the release has.
func (s sarif) index(of rule.Code) (i int) {
	for code := range of {
		if s.Release.Has(code) {
			i++
		}
	}
	return i
}

func sarifLevel(code rule.Code) string {
	if isError(code) {
		return "error"
	}
	return "warning"
}

func (s sarif) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	finding := &file.Findings[i]
	if i > 0 {
		dst = append(dst, ',')
	}
	dst = append(dst, "\n{\"ruleId\": \""+finding.Code.String()+`", "ruleIndex": `...)
	dst = strconv.AppendInt(dst, int64(s.index(finding.Code)), 10)
	dst = append(dst, `, "level": "`+sarifLevel(finding.Code)+`", "message": {"text": `...)
	dst = appendJSON(dst, finding.Message())
	dst = append(dst, `}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": `...)
	dst = appendJSON(dst, sarifURI(file.Name))
	dst = append(dst, '}')
	if finding.Row > 0 { // a file that cannot be read has no rows
		dst = append(dst, `, "region": {"startLine": `...)
		dst = strconv.AppendInt(dst, int64(finding.Row), 10)
		dst = append(dst, `, "startColumn": `...)
		dst = strconv.AppendInt(dst, int64(max(finding.Column, 1)), 10)
		dst = append(dst, '}')
	}
	dst = append(dst, `}}], "partialFingerprints": {"lineText/v1": "`...)
	return fmt.Appendf(dst, `%x"}}`, fingerprint(file, finding)), nil
}

// sarifURI returns the reference to a file: relative as its name is, or whole.
func sarifURI(name string) string {
	whole := filepath.IsAbs(name)
	name = slashed(name)
	if whole {
		if windows { // a drive: file:///C:/a.py
			name = "/" + name
		}
		return (&url.URL{Scheme: "file", Path: name}).String()
	}
	return (&url.URL{Path: name}).String()
}
