// Package same proves, by their texts alone, that two programs do the same.
//
//	program, err := same.Read(text, tests...)
//	if err != nil {
//		return err // no Python
//	}
//	program.Ask(findings) // the edits that findings ask for are no change of logic; nil for none
//	var c same.Comparer
//	c.Read(program, module, other)
//	proven := c.Same(program)
//
// A program becomes a pattern: its tree, with places that may differ in a text that does the same.
// There are places for names, docstrings, annotations and the order of imports, and for what
// findings ask for, see edits.go. Everything else must be as it is. A few rewrites that keep the
// meaning everywhere are written in one way for all texts, see stream.go. A text that fits the
// pattern does the same. One that does not may do the same as well.
package same

import (
	"fmt"
	"slices"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/internal/equiv/scope"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// An Original is a text that others are compared with. It does not change, so many
// Comparers may use it at once.
type Original struct {
	File    source.File
	Module  *ast.Module
	writer  writer
	callers scope.Callers
	pattern *pattern
	alike   *pattern // for texts that do the same with ordinary values
}

// ErrSyntax is the error for an original that does not parse.
var ErrSyntax error = syntaxError{}

type syntaxError struct{}

func (syntaxError) Error() string {
	return fmt.Sprintf("the program does not parse as Python %v", source.Newest)
}

// Read reads an original. callers are texts that use its definitions, such as its tests.
// Names that they read must stay, and so must names of parameters that they pass by keyword.
// The error is [ErrSyntax] or [source.ErrTooLarge].
func Read(text []byte, callers ...string) (*Original, error) {
	var file source.File
	if err := file.Load(slices.Clone(text)); err != nil {
		return nil, err
	}
	module, err := parser.Parse(&file, parser.Options{Target: source.Newest})
	if err != nil {
		return nil, ErrSyntax
	}
	return ReadTree(&file, module, callers...), nil
}

// ReadTree is [Read] for a text that is parsed. The original is valid as long as file and tree are.
func ReadTree(file *source.File, module *ast.Module, callers ...string) *Original {
	p := &Original{}
	p.Reset(file, module, callers...)
	return p
}

// Reset is [ReadTree] for an original whose text is used no more. It reuses the memory.
func (p *Original) Reset(file *source.File, module *ast.Module, callers ...string) {
	p.File, p.Module, p.callers = *file, module, scope.ReadCallers(callers)
	p.writer.isOriginal = true
	p.writer.Read(module, &p.callers)
	p.writer.look(module)
	p.pattern, p.alike = nil, nil
}

// Names has the original's names.
func (p *Original) Names() *scope.Table { return &p.writer.Table }

// HasPattern reports whether other texts than the original itself may be proven.
func (p *Original) HasPattern() bool { return p.pattern != nil }

// Callers says how other texts use the original.
func (p *Original) Callers() *scope.Callers { return &p.callers }

// Ask sets the findings whose edits count; there may be none. It comes before the first text is
// compared, as only the original itself is proven without it. No Comparer may use the original
// meanwhile.
func (p *Original) Ask(findings []rule.Finding) {
	p.pattern = p.writer.patternOf(p.Module, asked.Ask(p.Module, p.File.Text, findings), &p.callers, p.File.Row)
}

// AskAlike is Ask for [Comparer.Alike].
func (p *Original) AskAlike(findings []rule.Finding) {
	p.writer.alike = true
	p.alike = p.writer.patternOf(p.Module, asked.Ask(p.Module, p.File.Text, findings), &p.callers, p.File.Row)
	p.writer.alike = false
}

// A Comparer compares one text after another and reuses its memory. The zero value is ready
// for use. It is not safe for concurrent use.
type Comparer struct {
	writer writer
	module *ast.Module
	text   string
	looked bool // the writer has looked at the text
}

// Read reads a text that is compared with an original. It returns the text's names, which are valid
// until the next Read.
func (c *Comparer) Read(p *Original, module *ast.Module, text string) *scope.Table {
	c.module, c.text, c.looked = module, text, false
	c.writer.Read(module, &p.callers)
	return &c.writer.Table
}

// Same reports whether the text is proven to do the same as the original.
func (c *Comparer) Same(p *Original) bool { return c.matches(p, p.pattern) }

// Alike reports whether the text does the same as the original for ordinary values, see alike.go: in
// all calls in which no operator of a value does anything else than one of Python's own types. It is
// false without [Original.AskAlike].
func (c *Comparer) Alike(p *Original) bool {
	c.writer.alike = true
	defer func() { c.writer.alike = false }()
	return c.matches(p, p.alike)
}

func (c *Comparer) matches(p *Original, pattern *pattern) bool {
	w := &c.writer
	if c.text == p.File.Text {
		return true
	}
	if w.Facts.OddAnnotation && !p.writer.Facts.OddAnnotation {
		return false // an annotation that CPython may not compile
	}
	if !c.looked {
		w.look(c.module)
		c.looked = true
	}
	w.moves = p.writer.moves
	return pattern != nil && w.write(c.module, &p.callers) && pattern.matches(w)
}
