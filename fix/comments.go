package fix

import (
	"strings"

	"codelinter/rule"
	"codelinter/tokenizer"
)

// mendComment makes a comment begin with "# ".
//
//	#spam       # spam
//	## spam     # spam
func mendComment(s *sight, finding *rule.Finding, _ *Fixer) []Edit {
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
	if speaks(mended) && !speaks(text) {
		return nil // it would begin to silence findings
	}
	end := t.Start + int32(len(text)-len(said))
	return []Edit{{t.Start, end, mended[:len(mended)-len(said)]}}
}

// speaks reports whether a comment is a directive for a tool.
func speaks(comment string) bool {
	lower := strings.ToLower(comment)
	for _, word := range directives {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// directives are comments for tools. They apply to their own row.
var directives = []string{
	"# noqa", "# type:", "# flake8:", "# flake8=", "# pragma", "# pylint:", "# fmt:", "# isort:", "# mypy:", "# pyright:", "# ruff:", "# nosec", "# yapf:",
	"# pyre-", "# pytype:", "# nosemgrep", "# nopycln", "# autopep8:", "# doctest:", "# cython:", "# pycln:", "# noinspection",
}
