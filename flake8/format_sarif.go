package flake8

import (
	"fmt"
	"net/url"
	"path/filepath"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/version"
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
	var rules []any
	for code := range rule.Codes() {
		if !s.Release.Has(code) {
			continue
		}
		r := code.Rule()
		help := pyjson.Object{{"text", "`codelinter rule " + r.Code + "` explains it."}}
		if page, found := rule.Page(code); found {
			help = append(help, pyjson.Field{"markdown", pyjson.ASCII(page.Markdown)})
		}
		rules = append(rules, pyjson.Object{
			{"id", r.Code},
			{"name", r.Name},
			{"shortDescription", sarifText(r.Message())},
			{"help", help},
			{"defaultConfiguration", pyjson.Object{{"enabled", r.Default}, {"level", sarifLevel(code)}}},
		})
	}
	driver := pyjson.Object{
		{"name", "codelinter"},
		{"version", version.Version()},
		{"fullName", "codelinter " + version.Version() + " as " + rule.Reference(s.Release, s.Target)},
		{"rules", rules},
	}
	start := pyjson.Append([]byte(`{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":`), pyjson.Object{{"driver", driver}})
	return frame{Start: string(start) + `,"columnKind":"unicodeCodePoints","results":[`, Between: ",", End: "\n]}]}\n", Document: true}
}

func sarifText(text string) pyjson.Object { return pyjson.Object{{"text", pyjson.ASCII(text)}} }

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
	place := pyjson.Object{{"artifactLocation", pyjson.Object{{"uri", pyjson.ASCII(sarifURI(file.Name))}}}}
	if finding.Row > 0 { // a file that cannot be read has no rows
		place = append(place, pyjson.Field{"region", pyjson.Object{{"startLine", finding.Row}, {"startColumn", max(finding.Column, 1)}}})
	}
	result := pyjson.Object{{"ruleId", finding.Code.String()}}
	if !finding.IsForeign() { // plugins do not describe their rules
		result = append(result, pyjson.Field{"ruleIndex", s.index(finding.Code)})
	}
	result = append(result, pyjson.Object{
		{"level", sarifLevel(finding.Code)},
		{"message", sarifText(finding.Message())},
		{"locations", []any{pyjson.Object{{"physicalLocation", place}}}},
		{"partialFingerprints", pyjson.Object{{"lineText/v1", fmt.Sprintf("%x", fingerprint(file, finding))}}},
	}...)
	if file.Compared {
		result = append(result, pyjson.Field{"baselineState", "new"})
	}
	return pyjson.Append(append(dst, '\n'), result), nil
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
