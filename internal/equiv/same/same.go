// Package same proves, by their texts alone, that two programs do the same.
//
//	program, err := same.Read(text, tests...)
//	if err != nil {
//		return err // no Python
//	}
//	program.Ask(findings) // the edits that findings ask for are no change of logic
//	var c same.Comparer
//	c.Read(program, module, other)
//	proven := c.Same(program, nil) || c.Asked(program)
//
// # The normal form
//
// Both texts are brought into a normal form that undoes edits of style that keep the meaning,
// from blank lines to renamed variables; see normal.go for the rules. Equal normal forms prove
// that the texts do the same. Different ones prove nothing.
//
// # Edits that are asked for
//
// A text is also the same program if all its edits are those that the program's findings ask
// for; see asked.go.
package same

import (
	"codelinter/internal/equiv/scope"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// A digest identifies a normal form; it is its SHA-256.
type digest [sha256.Size]byte

// An Original is a text that others are compared with. It does not change, so many
// Comparers may use it at once.
type Original struct {
	File     source.File
	Module   *ast.Module
	normal   normalizer
	callers  scope.Callers
	form     normalForm
	patterns []*pattern // of the texts that findings ask for
}

// ErrSyntax is the error for an original that does not parse.
var ErrSyntax = fmt.Errorf("the program does not parse as Python %v", source.Newest)

// Read reads an original. callers are texts that use its definitions, such as its tests.
// Names that they read must stay, and so must names of parameters that they pass by keyword.
// The values that they pass are assumed to be of Python's own types, unless they define or
// import others. The error is [ErrSyntax] or [source.ErrTooLarge].
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
	p.File, p.Module, p.callers, p.patterns = *file, module, scope.ReadCallers(callers), nil
	p.normal.KeepsBindings = true
	p.normal.Read(module, &p.callers)
	p.form = p.normal.form(module, p.File.Text, &p.callers)
}

// Names has the original's names.
func (p *Original) Names() *scope.Table { return &p.normal.Table }

// HasForm reports whether the original has a normal form.
func (p *Original) HasForm() bool { return p.form.normal }

// Callers says how other texts use the original.
func (p *Original) Callers() *scope.Callers { return &p.callers }

// Ask sets the findings whose edits count. No Comparer may use the original meanwhile. A text
// that is proven by such edits has all of them.
func (p *Original) Ask(findings []rule.Finding) {
	p.ask(asked.Ask(p.Module, p.File.Text, findings))
}

func (p *Original) ask(edits *asked.Edits) {
	p.patterns = p.normal.patternsOf(p.Module, edits, &p.callers, p.File.Row)
}

// A Comparer compares one text after another and reuses its memory. The zero value is ready
// for use. It is not safe for concurrent use.
type Comparer struct {
	normal normalizer
	form   normalForm
	module *ast.Module
}

// Read reads a text that is compared with an original. It returns the text's names, which are valid until the next Read.
func (c *Comparer) Read(p *Original, module *ast.Module, text string) *scope.Table {
	c.module = module
	c.normal.Read(module, &p.callers)
	c.form = c.normal.form(module, text, &p.callers)
	return &c.normal.Table
}

// Same reports whether the text has the original's normal form. renamed are definitions that have another name in the text.
func (c *Comparer) Same(p *Original, renamed map[string]string) bool {
	return p.same(&c.form, &c.normal, renamed)
}

// Asked reports whether the text is the original with all edits that findings ask for. It costs as much as Read.
func (c *Comparer) Asked(p *Original) bool {
	n := &c.normal
	if n.Facts.OddAnnotation && !p.normal.Facts.OddAnnotation {
		return false // an annotation that CPython may not compile
	}
	for i, q := range p.patterns {
		if n.unsorted = q.unsorted; i == 0 || q.unsorted != p.patterns[i-1].unsorted {
			if !n.literally(c.module, nil, &p.callers) {
				return false
			}
		}
		if q.matches(n.out, n.hints) {
			n.unsorted = false
			return true
		}
	}
	n.unsorted = false
	return false
}

// A normalForm is what two texts are compared by.
type normalForm struct {
	// stream is the hash of the normal form without its names. For a text without
	// a normal form it is the hash of the text.
	stream digest
	// hash includes the names.
	hash    digest
	visible []visibleName
	normal  bool // the text has a normal form
}

// form makes the form of a text.
func (n *normalizer) form(module *ast.Module, text string, callers *scope.Callers) normalForm {
	normal := n.normalize(module, callers)
	if !normal {
		n.out = append(append(n.out[:0], opText), text...)
		n.visible = n.visible[:0]
	}
	f := normalForm{stream: sha256.Sum256(n.out), visible: n.visible, normal: normal}
	n.out = append(n.out[:0], f.stream[:]...)
	for _, v := range n.visible {
		n.string(v.name)
	}
	f.hash = sha256.Sum256(n.out)
	return f
}

// same reports whether an answer's form proves that it is the same program: both
// have the same stream, and the same names where others may know them.
//
// The names l, O and I are exempt, as no clean answer can keep them. A definition
// is found by its position. A global variable may change its name if no caller
// uses the name, and a parameter if no call passes it by keyword. The new name
// must not hide another meaning: a new global name must not be a builtin's or one
// that callers read. A new parameter's name must not be one that calls pass to
// **kwargs.
func (p *Original) same(f *normalForm, answer *normalizer, renamed map[string]string) bool {
	if f.stream != p.form.stream || len(f.visible) != len(p.form.visible) {
		return false
	}
	for i, was := range p.form.visible {
		is := f.visible[i]
		if was.name == is.name {
			continue
		}
		if !scope.Ambiguous(was.name) || was.fixed || is.fixed || strings.HasPrefix(is.name, "__") {
			return false
		}
		if was.parameter || is.parameter {
			if p.callers.Keyword(was.name) || p.callers.Keyword(is.name) ||
				p.normal.IsKeyword(was.name) || p.normal.IsKeyword(is.name) || answer.IsKeyword(was.name) || answer.IsKeyword(is.name) {
				return false
			}
			continue
		}
		if scope.ClassOf(is.name)&scope.Builtin != 0 || p.callers.Bound[was.name] || p.callers.Bound[is.name] || p.callers.Reads(is.name) || p.callers.Reads(was.name) && renamed[was.name] != is.name {
			return false
		}
	}
	return true
}
