package pep8

import (
	"strings"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
)

// The blank lines around definitions.
const (
	topLevelBlanks = 2
	methodBlanks   = 1
)

// checkBlankLines reports E301 to E306.
//
//	import os
//	def f():          E302, and E305 for code right after it
//	    x = 1
//	    def g():      E306, in a class E301
//
// Comments above a definition do not separate it from the blank lines above
// them: blankBefore counts those, blankLines only the ones right above.
func (c *Checker) checkBlankLines() {
	nested := c.indentLevel > 0
	switch {
	case c.previous&hasCode == 0 && c.blankBefore < topLevelBlanks:
		// nothing is expected before the first line
	case c.previous&isDecoration != 0:
		if c.blankLines > 0 {
			c.atFirst(rule.Finding{Code: rule.E304})
		}
	case c.blankLines > topLevelBlanks || nested && c.blankLines == methodBlanks+1:
		c.atFirst(rule.Finding{Code: rule.E303}.With(rule.Values{A: int32(c.blankLines)}))
	case c.line&beginsDefinition != 0:
		if c.blankBefore == 0 && c.isOneLineDefinition() {
			return // one of a group: def f(): pass
		}
		if !nested {
			if c.blankBefore != topLevelBlanks {
				c.atFirst(rule.Finding{Code: rule.E302}.With(rule.Values{A: int32(c.blankBefore)}))
			}
			return
		}
		if c.blankBefore == methodBlanks || c.previousIndent < c.indentLevel || c.previous&isDocstring != 0 {
			return
		}
		if c.definitionAround() {
			c.atFirst(rule.Finding{Code: rule.E306})
		} else {
			c.atFirst(rule.Finding{Code: rule.E301})
		}
	case c.line&hasCode != 0 && !nested && c.blankBefore != topLevelBlanks && c.unindentedDef:
		c.atFirst(rule.Finding{Code: rule.E305}.With(rule.Values{A: int32(c.blankBefore)}))
	}
}

// span caches a search. From any row from first on, the result is row found; found is 0 if there is
// none.
type span struct {
	first, through int // the rows that were looked at
	found          int
}

// search returns the first row from row on that ok accepts, or 0. If the arguments rise, it checks
// no row twice.
func (c *Checker) search(s *span, row int, ok func(line string) bool) int {
	if s.first != 0 && s.first <= row && row <= s.through {
		return s.found
	}
	s.first = row
	for s.found = 0; row <= c.file.Lines(); row++ {
		if ok(c.file.Line(row)) {
			s.found = row
			break
		}
	}
	s.through = row
	return s.found
}

// isOneLineDefinition reports whether the definition has its body in its own row, by pycodestyle's
// approximation: after the next row that begins like a definition, the code is not indented deeper
// than this line.
//
//	def f(): pass
//	def g(): pass
func (c *Checker) isOneLineDefinition() bool {
	row := c.lastRow
	if row > 1 && expandIndent(c.file.Line(row-1)) > c.indentLevel {
		return false
	}
	c.reach = int32(c.file.Lines())
	definition := c.search(&c.nextDefinition, row, isDefinitionLine)
	if definition == 0 {
		return false
	}
	filled := c.search(&c.nextFilled, definition+1, func(line string) bool { return pytext.TrimSpace(line) != "" })
	if filled > 0 {
		c.reach = int32(filled - row)
	}
	return filled == 0 || expandIndent(c.file.Line(filled)) <= c.indentLevel
}

// isDefinitionLine reports whether a row begins with def, async def or class.
func isDefinitionLine(line string) bool {
	line = pytext.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "async"); ok {
		trimmed := pytext.TrimLeftSpace(rest)
		if trimmed == rest || !strings.HasPrefix(trimmed, "def") {
			return false
		}
		line = trimmed
	}
	rest, ok := strings.CutPrefix(line, "def")
	if !ok {
		rest, ok = strings.CutPrefix(line, "class")
	}
	return ok && pytext.TrimLeftSpace(rest) != rest
}

// An ancestor is a row and the width of its indentation.
type ancestor struct {
	row, indent int
}

// definitionAround reports whether the logical line lies within a function. It searches backwards
// through rows that are each indented less than the one before, up to a row that begins with def or
// is not indented.
//
// The rows of such searches are kept on a stack, which grows with the file: a new row removes all
// rows that are indented as much or more.
func (c *Checker) definitionAround() bool {
	last := c.lastRow - 1
	for row := c.ancestorsThrough + 1; row <= last; row++ {
		start := int(c.file.LineStart(row))
		if c.text[start] == '\n' {
			continue
		}
		indent, ok := plainIndent(c.text[start:])
		if !ok {
			line := c.file.Line(row)
			if pytext.TrimSpace(line) == "" {
				continue
			}
			indent = expandIndent(line)
		}
		n := len(c.ancestors)
		for n > 0 && c.ancestors[n-1].indent >= indent {
			n--
		}
		c.ancestors = append(c.ancestors[:n], ancestor{row, indent})
	}
	c.ancestorsThrough = max(c.ancestorsThrough, last)
	level := c.indentLevel
	for i := len(c.ancestors) - 1; i >= 0; i-- {
		a := c.ancestors[i]
		if a.indent >= level {
			continue
		}
		level = a.indent
		if isFunctionLine(c.file.Line(a.row), c.unicode()) {
			return true
		}
		if level == 0 {
			return false
		}
	}
	return false
}

// isFunctionLine reports whether a row begins with the word def, or async def.
func isFunctionLine(line string, u characters.Unicode) bool {
	line = pytext.TrimLeftSpace(line)
	if rest, ok := strings.CutPrefix(line, "async"); ok {
		if trimmed := pytext.TrimLeftSpace(rest); trimmed != rest {
			line = trimmed
		}
	}
	rest, ok := strings.CutPrefix(line, "def")
	return ok && wordEnd(rest, 0, u) == 0
}

// minOverIndent is how much deeper than the line above the first line of a block may be indented,
// in a file indented by spaces.
const minOverIndent = 4

// indentation reports E111 to E117.
//
//	if x:
//	  y = 1       E111, for a comment E114
func (c *Checker) indentation() {
	size := c.options.IndentSize
	codes := [...]rule.Code{rule.E111, rule.E112, rule.E113}
	over := "over-indented"
	if c.line&hasCode == 0 {
		codes = [...]rule.Code{rule.E114, rule.E115, rule.E116}
		over = "over-indented (comment)"
	}
	if !c.isWholeIndent() {
		c.atFirst(rule.Finding{Code: codes[0]}.With(rule.Values{A: int32(size)}))
	}
	expected := c.previous&endsWithColon != 0
	switch {
	case expected && c.indentLevel <= c.previousIndent:
		c.atFirst(rule.Finding{Code: codes[1]})
	case !expected && c.indentLevel > c.previousIndent:
		c.atFirst(rule.Finding{Code: codes[2]})
	}
	if expected {
		amount := minOverIndent
		if c.tabIndented() {
			amount = 8
		}
		if c.indentLevel > c.previousIndent+amount {
			c.atFirst(rule.Finding{Code: rule.E117}.With(rule.Values{Text: over}))
		}
	}
}
