// Package pyflakes checks a module's names and its slips that show in the tree,
// as pyflakes 3.4.0 does and with its messages: every F code of flake8.
package pyflakes

import (
	"unsafe"

	"codelinter/ast"
	"codelinter/rule"
	"codelinter/source"
)

// Options are what flake8 lets its users say about these checks.
type Options struct {
	// Filename is the file's name as flake8 shows it. A file called
	// __init__.py may use __path__ and export what it does not define.
	Filename string
	// Builtins are names to take as defined, beside those of Python.
	Builtins []string
	// Doctests asks for the examples in docstrings to be checked as well.
	Doctests bool
	// Target is the CPython version to follow; zero means 3.14.
	Target source.Version
}

// A Checker checks one module after the other and keeps its memory. The zero
// Checker is ready for use; it is not for concurrent use.
type Checker struct {
	file     *source.File
	options  Options
	enabled  *rule.Set
	findings []rule.Finding

	// arena holds the texts of the findings until the next Check.
	arena []byte
}

// Check appends the module's findings to findings, in the order in which
// pyflakes makes its messages. Their texts are valid until the next Check.
func (c *Checker) Check(file *source.File, module *ast.Module, o Options, enabled *rule.Set, findings []rule.Finding) []rule.Finding {
	c.file, c.options, c.enabled, c.findings = file, o, enabled, findings
	c.arena = c.arena[:0]
	findings = c.findings
	c.findings = nil
	return findings
}

// report adds a finding at a node. Text is all of the message that its template
// leaves open.
func (c *Checker) report(code rule.Code, at ast.Node, text string) {
	c.reportLine(code, at, text, 0)
}

// reportLine is report for templates with a number.
func (c *Checker) reportLine(code rule.Code, at ast.Node, text string, a int32) {
	if !c.enabled.Has(code) {
		return
	}
	start := at.Bounds().Start
	row := c.file.Row(start)
	c.findings = append(c.findings, rule.Finding{
		Row: int32(row), Column: int32(c.file.ByteColumn(row, start)) + 1,
		Code: code, A: a, Text: text,
	})
}

// mark returns the place in the arena where a new text begins. What is appended
// to c.arena from there on is the text, which written returns:
//
//	mark := c.mark()
//	c.arena = append(c.arena, "undefined name "...)
//	c.arena = ast.AppendRepr(c.arena, name)
//	c.report(rule.F821, n, c.written(mark))
func (c *Checker) mark() int { return len(c.arena) }

// written returns the text from mark to the arena's end.
func (c *Checker) written(mark int) string {
	if mark == len(c.arena) {
		return ""
	}
	return unsafe.String(&c.arena[mark], len(c.arena)-mark)
}
