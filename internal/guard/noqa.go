package guard

import (
	"strings"
	"unicode"

	"codelinter/lint"
	"codelinter/rule"
)

// A program may have noqa comments of its own. An answer may keep them where they are: what they
// silence is no finding of the task.

// silencedIn counts the findings that noqa comments silence in a text. The key of a finding is its
// code and its message. Where the message would change with the layout, the key has the text of the
// line instead, without what formatters change.
func (c *Checker) silencedIn(text string) map[string]int {
	shown := map[rule.Finding]bool{}
	for _, f := range c.linter.Lint(lint.Input{Data: []byte(text)}).Findings {
		shown[f.Bare()] = true
	}
	options := c.options
	options.DisableNoqa = true
	if c.linter.SetOptions(options) != nil {
		return nil
	}
	silenced := map[string]int{}
	lines := strings.Split(text, "\n")
	for _, f := range c.linter.Lint(lint.Input{Data: []byte(text)}).Findings {
		if shown[f.Bare()] {
			continue
		}
		about := f.Message()
		if f.Code.Rule().Tool == rule.Pycodestyle && int(f.Row) <= len(lines) {
			about = lines[f.Row-1]
		}
		silenced[f.Code.String()+" "+withoutBlanks(about)]++
	}
	c.linter.SetOptions(c.options)
	return silenced
}

// withoutBlanks returns a line without blanks, quotes and digits.
func withoutBlanks(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsDigit(r) || r == '"' || r == '\'' {
			return -1
		}
		return r
	}, line)
}

// silences reports whether comments of an answer silence what those of the program do not.
func (c *Checker) silences(p *Program, answer []byte) bool {
	if len(p.silenced) == 0 || c.Follow(p.options) != nil {
		return true
	}
	for about, count := range c.silencedIn(string(answer)) {
		if count > p.silenced[about] {
			return true
		}
	}
	return false
}

// Follow sets the options of flake8 by which the programs to come, and the answers to them, are
// linted; they are flake8's defaults at first. What no finding asks for is no edit that is asked
// for.
func (c *Checker) Follow(o lint.Options) error {
	c.options = o
	if c.linter != nil {
		return c.linter.SetOptions(o)
	}
	var err error
	c.linter, err = lint.New(o)
	return err
}
