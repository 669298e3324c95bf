package fix

import (
	"slices"
	"sort"
	"strings"

	"codelinter/ast"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// mendComment makes a comment begin with "# ".
//
//	#spam       # spam
//	## spam     # spam
func mendComment(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	i := s.tokenAt(finding.Start)
	if i == len(s.tokens) || s.tokens[i].Kind != tokenizer.COMMENT {
		return nil
	}
	t := &s.tokens[i]
	text := t.Text(s.text)
	said := strings.TrimLeft(text, "#")
	mark := "#"
	if finding.Code == rule.E262 && strings.HasPrefix(text, "#:") {
		mark, said = "#:", text[len("#:"):]
	}
	said = strings.TrimLeft(said, "! \t\u00a0")
	if strings.HasPrefix(strings.TrimLeft(text, "#"), "!") {
		said = "!" + said
	}
	if said == "" || strings.HasPrefix(text, "##") && strings.HasSuffix(text, "#") {
		return nil // a frame has two sides
	}
	mended := mark + " " + said
	if isDirective(mended) && !isDirective(text) {
		return nil // it would begin to silence findings
	}
	end := t.Start + int32(len(text)-len(said))
	return []Edit{{t.Start, end, mended[:len(mended)-len(said)]}}
}

// isDirective reports whether a comment is a directive for a tool.
func isDirective(comment string) bool {
	lower := strings.ToLower(comment)
	for {
		_, after, found := strings.Cut(lower, "# ") // as all begin
		if !found {
			return false
		}
		if slices.ContainsFunc(directives, func(word string) bool { return strings.HasPrefix(after, word[len("# "):]) }) {
			return true
		}
		lower = after
	}
}

// directives are comments for tools. They apply to their own row.
var directives = []string{
	"# noqa", "# type:", "# flake8:", "# flake8=", "# pragma", "# pylint:", "# fmt:", "# isort:", "# mypy:", "# pyright:", "# ruff:", "# nosec", "# yapf:",
	"# pyre-", "# pytype:", "# nosemgrep", "# nopycln", "# autopep8:", "# doctest:", "# cython:", "# pycln:", "# noinspection",
}

// isUnformatted reports whether a finding of layout is in rows that a comment exempts from
// formatters: those from "# fmt: off" to "# fmt: on", and statements with "# fmt: skip".
func (s *analysis) isUnformatted(finding *rule.Finding) bool {
	if s.unformatted == nil {
		s.findUnformatted()
	}
	name := finding.Code.String()
	if name[0] == 'F' || name[:2] == "E7" && name[:3] != "E70" {
		return false
	}
	i := sort.Search(len(s.unformatted), func(i int) bool { return s.unformatted[i].End > finding.Start })
	return i < len(s.unformatted) && s.unformatted[i].Start <= finding.Start
}

// findUnformatted finds the ranges of isUnformatted.
func (s *analysis) findUnformatted() {
	s.unformatted = []ast.Range{}
	if s.parent != nil && !s.parent.mentionsFormatters {
		return // edits do not write such comments
	}
	if s.mentionsFormatters = strings.Contains(s.text, "fmt:") || strings.Contains(s.text, "yapf:"); !s.mentionsFormatters {
		return
	}
	from := int32(-1)
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.Kind != tokenizer.COMMENT {
			continue
		}
		switch word := strings.TrimSpace(strings.TrimPrefix(t.Text(s.text), "#")); word {
		case "fmt: off", "fmt:off", "yapf: disable":
			if from < 0 && s.isAlone(i) {
				from = t.Start
			}
		case "fmt: on", "fmt:on", "yapf: enable":
			if from >= 0 {
				s.unformatted = append(s.unformatted, ast.Range{Start: from, End: t.End})
				from = -1
			}
		case "fmt: skip", "fmt:skip":
			if l := &s.lines[s.lineAt(t.Start)]; from < 0 {
				s.unformatted = append(s.unformatted, ast.Range{Start: l.start, End: l.end})
			}
		}
	}
	if from >= 0 {
		s.unformatted = append(s.unformatted, ast.Range{Start: from, End: int32(len(s.text)) + 1})
	}
}

// isAlone reports whether a comment has its row for itself.
func (s *analysis) isAlone(i int) bool {
	return strings.TrimSpace(s.text[s.file.LineStart(int(s.tokens[i].Row)):s.tokens[i].Start]) == ""
}
