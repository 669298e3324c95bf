package pep8

import (
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// Options are the settings of pycodestyle's rules, under flake8's names.
type Options struct {
	MaxLineLength int  // characters; E501
	MaxDocLength  int  // characters; W505, off at 0
	IndentSize    int  // columns
	HangClosing   bool // E133 in place of E123
}

// Check appends the findings of the enabled rules to findings.
func (c *Checker) Check(file *source.File, tokens []tokenizer.Token, o Options, enabled *rule.Set, findings []rule.Finding) []rule.Finding {
	return findings
}

// A Checker holds memory.
type Checker struct{}
