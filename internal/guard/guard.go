// Package guard judges an answer by comparing its text with the task's program.
// It finds tricks that the text shows, and decides whether both are the same
// program. It runs nothing and takes microseconds.
//
//	var checker guard.Checker
//	program, err := checker.Program(task, tests...)
//	if err != nil {
//		return err // the task's program is no Python: take its canonical one
//	}
//	result := linter.Lint(lint.Input{Data: answer, Facts: true})
//	report := checker.Check(program, answer, result.Facts)
//	switch {
//	case len(result.Findings) > 0:        // not even officially clean
//	case len(report.Reasons) > 0:  // refused: each says why, and in which line
//	case report.SameTree:          // proven to be the same program
//	default:                       // unknown: both have to be run
//	}
//
// # Guards
//
// A guard refuses what no honest repair does: silencing the linter, hiding code
// from it, dropping or disguising the program's definitions, reaching for the
// interpreter or the machine. Code that the program itself has is always allowed:
// a guard looks at what the answer adds or removes. Each guard has a name and a
// section in docs/judge.md.
//
// Guards do not prove that the logic is kept. They keep an answer from deceiving
// a judge that runs it.
//
// # The same tree
//
// Both texts are brought into a normal form that undoes edits of style that keep
// the meaning, from blank lines to renamed variables; see normal.go for the
// rules. Equal normal forms prove that the answer does the same as the program.
// Different ones prove nothing.
//
// An answer is also the same program if all its edits are those that the
// program's findings ask for; see asked.go.
package guard

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/lint"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// The names of the guards. They do not change from version to version.
// docs/judge.md has a section for each.
const (
	Noqa              = "noqa"               // a comment silenced a finding, or exempts the file
	Encoding          = "encoding"           // a cookie or bytes that are not UTF-8
	Syntax            = "syntax"             // not valid Python
	Depth             = "depth"              // nested too deeply for CPython
	Empty             = "empty"              // no statement that does something
	HiddenCode        = "hidden-code"        // code that the linter cannot see
	Import            = "import"             // modules that reach further than the program did
	Internals         = "internals"          // the interpreter's own attributes
	Reach             = "reach"              // builtins that leave the program: exit, open, input
	Patch             = "patch"              // changes objects that are not its own: builtins, modules
	MissingDefinition = "missing-definition" // a definition of the program is missing
	Redefinition      = "redefinition"       // a definition is bound to something else later
	Decorator         = "decorator"          // a definition is wrapped
	Signature         = "signature"          // calls that the program accepts are not accepted
)

// A Kind is the kind of a [Definition].
type Kind uint8

// The kinds of definitions.
const (
	Function      Kind = iota // def, and name = lambda
	AsyncFunction             // async def
	Class
)

// String returns the kind in lower case: "async function".
func (k Kind) String() string { return [...]string{"function", "async function", "class"}[k] }

// A Definition is a function, class or method of the program, at the top level or
// in classes there, and its counterpart in the answer.
type Definition struct {
	Kind Kind
	// Path is the name in the program: "f", or "Stack.push" for a method.
	Path string
	// Answer is the path in the answer. It is mostly the same. It differs if the
	// name had to change (E742 and E743 forbid l, O and I) and the definition was
	// found by its position. It is "" for a missing definition.
	Answer string
}

// A Hash identifies a normal form; it is its SHA-256.
type Hash [sha256.Size]byte

// A Report is what a [Checker] finds in an answer. It shares memory with the
// Checker and with the answer: it is valid until the next Check, and while the
// answer is unchanged.
type Report struct {
	// Reasons is empty if no guard refuses the answer. Otherwise it has at most
	// [MaxReasons] reasons in the order of lines.
	Reasons []Reason
	// SameTree reports whether the answer is proven to be the same program. It is
	// false for a refused answer.
	SameTree bool
	// Hash is the same for answers to one program that are proven to do the same, so only one of
	// them needs to be judged. For an answer that does not parse it is the hash
	// of its bytes.
	Hash Hash
	// Definitions are the program's, in its order. Of several definitions with
	// one path, the last one counts, as in Python.
	Definitions []Definition
}

// A Reason is why a guard refuses an answer.
type Reason struct {
	Name string // of the guard
	Line int    // of the answer, from 1; 0 for none
	Text string // for people
}

// MaxReasons bounds the reasons of a [Report].
const MaxReasons = 20

// A Program is a task's program. It does not change, so many Checkers may use it
// at once.
type Program struct {
	file      source.File
	module    *ast.Module
	namespace *namespace
	callers   callers
	normal    normalizer
	form      normalForm
	options   lint.Options   // of the linter
	silenced  map[string]int // findings that its own noqa comments silence
	patterns  []*pattern     // of the answers that its findings ask for
}

// Definitions returns what the program defines, as [Report.Definitions] lists it.
func (p *Program) Definitions() []Definition { return p.namespace.definitions(nil) }

// ErrSyntax is the error for a program that does not parse.
var ErrSyntax = fmt.Errorf("the program does not parse as Python %v", source.Newest)

// A Checker judges one answer after another and reuses its memory. The zero value
// is ready for use. It is not safe for concurrent use.
type Checker struct {
	file    source.File
	parser  parser.Parser
	normal  normalizer
	report  Report
	proven  bool // the normal forms are equal, though the answer may be refused
	asked   bool // or the edits are those that findings ask for
	linter  *lint.Linter
	options lint.Options // of linter
}

// Program reads a task's program. callers are texts that use its definitions,
// such as its tests. Names that they read must stay, and so must names of
// parameters that they pass by keyword. The values that they pass are assumed to
// be of Python's own types, unless they define or import others. The error is
// [ErrSyntax] or [source.ErrTooLarge].
func (c *Checker) Program(program []byte, callers ...string) (*Program, error) {
	p, err := read(program, callers)
	if err != nil {
		return nil, err
	}
	edits, err := c.asks(p)
	if err != nil {
		return nil, err
	}
	p.patterns = p.normal.patternsOf(p.module, edits, &p.callers, p.file.Row)
	return p, nil
}

// ProgramOf is Program with given findings, without linting. [Program.Ask]
// replaces the findings.
func (c *Checker) ProgramOf(program []byte, findings []rule.Finding, callers ...string) (*Program, error) {
	p, err := read(program, callers)
	if err != nil {
		return nil, err
	}
	p.options = c.options
	p.Ask(findings)
	return p, nil
}

// Ask replaces the findings whose edits count. No Checker may use the program
// meanwhile. An answer that is proven by such edits has all of them.
func (p *Program) Ask(findings []rule.Finding) {
	p.patterns = p.normal.patternsOf(p.module, asked.Ask(p.module, p.file.Text, findings), &p.callers, p.file.Row)
}

// read reads a program without its findings.
func read(program []byte, callers []string) (*Program, error) {
	p := &Program{callers: readCallers(callers)}
	if err := p.file.Load(slices.Clone(program)); err != nil {
		return nil, err
	}
	module, err := parser.Parse(&p.file, parser.Options{Target: source.Newest})
	if err != nil {
		return nil, ErrSyntax
	}
	p.module = module
	p.namespace = moduleNamespace(module, p.file.Text)
	p.normal.keepsBindings = true
	p.normal.read(module, &p.callers)
	p.form = p.normal.form(module, p.file.Text, &p.callers)
	return p, nil
}

// asks lints a program and returns the edits that its findings ask for.
func (c *Checker) asks(p *Program) (*asked.Edits, error) {
	if p.file.FellBack || p.file.Encoding != "" {
		return nil, nil // offsets in the text differ from those in the file
	}
	if c.linter == nil {
		if err := c.Follow(lint.Options{}); err != nil {
			return nil, err
		}
	}
	p.options = c.options
	result := c.linter.Lint(lint.Input{Data: []byte(p.file.Text), Facts: true})
	edits := asked.Ask(p.module, p.file.Text, result.Findings)
	if result.Facts.Silenced {
		p.silenced = c.silencedIn(p.file.Text)
	}
	return edits, nil
}

// Check judges an answer to p. facts are the linter's facts of the answer, see
// [lint.Input]. The report is valid until the next call.
func (c *Checker) Check(p *Program, answer []byte, facts lint.Facts) *Report {
	c.proven, c.asked = false, false
	r := &c.report
	*r = Report{Reasons: r.Reasons[:0], Definitions: r.Definitions[:0]}
	if facts.Silenced && c.silences(p, answer) {
		c.refuseLine(Noqa, facts.NoqaLine, "a noqa comment silences findings")
	} else if facts.Exempt {
		c.refuseLine(Noqa, facts.NoqaLine, "a noqa comment exempts the whole file")
	}
	if facts.Encoding != "" {
		c.refuse(Encoding, -1, "the file declares the encoding %q", facts.Encoding)
	} else if facts.FellBack {
		c.refuse(Encoding, -1, "the file is not UTF-8")
	}
	if err := c.file.Load(answer); err != nil {
		c.refuse(Syntax, -1, "%v", err)
		r.Hash = sha256.Sum256(answer)
		return r
	}
	module, ok := c.parser.ParseText(c.file.Text, parser.Options{Target: source.Newest})
	if !ok {
		c.refuse(Syntax, -1, "the code does not parse as Python %v", source.Newest)
		r.Hash = sha256.Sum256(answer)
		return r
	}
	top := moduleNamespace(module, c.file.Text)
	m := match{callers: &p.callers, top: top, definitions: r.Definitions, report: c.refuse}
	m.compare(p.namespace, top, "")
	r.Definitions = m.definitions
	c.normal.read(module, &p.callers)
	c.reaches(p, module)
	form := c.normal.form(module, c.file.Text, &p.callers)
	r.Hash = form.hash
	c.proven = p.same(&form, &c.normal, r.Definitions)
	// This costs as much as the normal form, and saves a run if it succeeds.
	if len(r.Reasons) == 0 && !c.proven && len(p.patterns) > 0 && c.normal.literally(module, nil, &p.callers) {
		c.asked = slices.ContainsFunc(p.patterns, func(q *pattern) bool { return q.matches(c.normal.out) })
	}
	r.SameTree = len(r.Reasons) == 0 && (c.proven || c.asked)
	slices.SortStableFunc(r.Reasons, func(a, b Reason) int { return a.Line - b.Line })
	return r
}

// A normalForm is what two texts are compared by.
type normalForm struct {
	// stream is the hash of the normal form without its names. For a text without
	// a normal form it is the hash of the text.
	stream Hash
	// hash includes the names.
	hash    Hash
	visible []visibleName
	normal  bool // the text has a normal form
}

// form makes the form of a text.
func (n *normalizer) form(module *ast.Module, text string, callers *callers) normalForm {
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
func (p *Program) same(f *normalForm, answer *normalizer, definitions []Definition) bool {
	if f.stream != p.form.stream || len(f.visible) != len(p.form.visible) {
		return false
	}
	for i, was := range p.form.visible {
		is := f.visible[i]
		if was.name == is.name {
			continue
		}
		if !ambiguous(was.name) || was.fixed || is.fixed || strings.HasPrefix(is.name, "__") {
			return false
		}
		if was.parameter || is.parameter {
			if p.callers.keyword(was.name) || p.callers.keyword(is.name) ||
				p.normal.isKeyword(was.name) || p.normal.isKeyword(is.name) || answer.isKeyword(was.name) || answer.isKeyword(is.name) {
				return false
			}
			continue
		}
		if classOf(is.name)&isBuiltin != 0 || p.callers.bound[was.name] || p.callers.bound[is.name] || p.callers.reads(is.name) || p.callers.reads(was.name) && !slices.Contains(definitions, Definition{Kind: Function, Path: was.name, Answer: is.name}) {
			return false
		}
	}
	return true
}

// refuse adds a reason. offset is its place in the text, or -1.
func (c *Checker) refuse(name string, offset int32, format string, args ...any) {
	line := 0
	if offset >= 0 {
		line = c.file.Row(offset)
	}
	c.refuseLine(name, line, format, args...)
}

// refuseLine adds a reason on a line, or on none if line is 0.
func (c *Checker) refuseLine(name string, line int, format string, args ...any) {
	if len(c.report.Reasons) == MaxReasons {
		return
	}
	c.report.Reasons = append(c.report.Reasons, Reason{Name: name, Line: line, Text: fmt.Sprintf(format, args...)})
}
