// Package guard judges an answer to a task by its text alone, beside the program
// that the task gave: does it cheat in a way that can be seen, and is it the same
// program? Nothing is run, and the verdict takes microseconds.
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
// A guard refuses what an honest mend has no reason to do: silencing the linter,
// hiding code from it, dropping or disguising what the program defines, reaching
// for the interpreter or the machine. What the program itself does is never held
// against an answer: a guard looks at what the answer adds or takes away. Each
// guard has a name and a section in docs/judge.md.
//
// Guards are no proof that the logic was kept. They keep an answer from fooling
// whoever looks for that proof by running it.
//
// # The same tree
//
// Both texts are brought into a normal form that undoes what mending style does
// without changing meaning, from blank lines to renamed variables; see normal.go
// for its rules. Equal normal forms prove that the answer does what the program
// does; different ones prove nothing.
//
// Besides, an answer is the same program if it differs by nothing but edits that
// the program's findings ask for; see asked.go.
package guard

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/evaluator"
	"codelinter/lint"
	"codelinter/parser"
	"codelinter/rewrite"
	"codelinter/rule"
	"codelinter/source"
)

// The guards, as reasons have their names, which do not change from version to
// version. docs/judge.md has a section for each.
const (
	Noqa              = "noqa"               // a comment silenced a finding, or exempts the file
	Encoding          = "encoding"           // a cookie or bytes that are not UTF-8
	Syntax            = "syntax"             // no Python
	Depth             = "depth"              // nested so deeply that CPython gives up
	Empty             = "empty"              // no statement that does something
	HiddenCode        = "hidden-code"        // code that the linter cannot see
	Import            = "import"             // modules that reach further than the program did
	Internals         = "internals"          // the interpreter's own attributes
	Reach             = "reach"              // builtins that leave the program: exit, open, input
	Patch             = "patch"              // changes what is not the program's: builtins, modules
	MissingDefinition = "missing-definition" // something the program defines is not there
	Redefinition      = "redefinition"       // a definition is bound to something else later
	Decorator         = "decorator"          // a definition is wrapped
	Signature         = "signature"          // calls that the program takes are not taken
)

// Names are all guards in the order of docs/judge.md.
func Names() []string {
	return []string{
		Noqa, Encoding, Syntax, Depth, Empty, HiddenCode, Import, Internals,
		Reach, Patch, MissingDefinition, Redefinition, Decorator, Signature,
	}
}

// A Kind is what a [Definition] is.
type Kind uint8

// The kinds of definitions.
const (
	Function      Kind = iota // def, and name = lambda
	AsyncFunction             // async def
	Class
)

// String returns the kind in lower case: "async function".
func (k Kind) String() string { return [...]string{"function", "async function", "class"}[k] }

// A Definition is a function, a class or a method of the program, at the top
// level or in classes there, and what it is in the answer.
type Definition struct {
	Kind Kind
	// Path is the name in the program: "f", or "Stack.push" for a method.
	Path string
	// Answer is the path in the answer: the same in most cases, another where
	// the name had to change (E742 and E743 forbid l, O and I) and the
	// definition was found by its place, and "" where it is missing.
	Answer string
}

// A Hash identifies a normal form; it is its SHA-256.
type Hash [sha256.Size]byte

// A Report is what a [Checker] finds in an answer. It shares memory with the
// Checker and with the answer's bytes: it is valid until the next Check, as long
// as those bytes are unchanged.
type Report struct {
	// Reasons are empty if no guard refuses the answer; else they are in the
	// order of lines, at most [MaxReasons].
	Reasons []evaluator.Reason
	// SameTree reports whether the answer is proven to do what the program
	// does. It is false for an answer that is refused.
	SameTree bool
	// Hash is the same for answers to one program that are proven to do the
	// same as each other, so that one of them needs to be judged. An answer that
	// does not parse has the hash of its bytes.
	Hash Hash
	// Definitions are those of the program, in its order; a later definition of
	// the same path stands for the earlier ones, as in Python.
	Definitions []Definition
}

// MaxReasons is how many reasons a [Report] has at most.
const MaxReasons = 20

// A Program is a task's own program, which answers are held against. It is not
// changed once it is made, so many Checkers may use it at once.
type Program struct {
	file     source.File
	module   *ast.Module
	place    *place
	callers  callers
	normal   normalizer
	form     form
	options  lint.Options   // that it was linted by
	silenced map[string]int // what its own noqa comments silence
	patterns []*pattern     // of the answers that are what its findings ask for
}

// Definitions returns what the program defines, as [Report.Definitions] lists it.
func (p *Program) Definitions() []Definition { return p.place.definitions(nil) }

// ErrSyntax says that a task's program does not parse.
var ErrSyntax = fmt.Errorf("the program does not parse as Python %v", source.Newest)

// A Checker judges one answer after the other and reuses its memory. The zero
// Checker is ready for use; it is not for concurrent use.
type Checker struct {
	file    source.File
	parser  parser.Parser
	normal  normalizer
	report  Report
	proven  bool // SameTree, were no answer refused, by the normal form
	asked   bool // and by the edits that findings ask for
	linter  *lint.Linter
	options lint.Options // of linter
}

// Program reads a task's program. callers are texts that call what it defines,
// such as its tests: what they read has to stay, and parameters that they give by
// keyword keep their names. Values that they pass are taken for Python's own,
// unless they define or import others. It returns [ErrSyntax], or
// [source.ErrTooLarge].
func (c *Checker) Program(program []byte, callers ...string) (*Program, error) {
	p, err := read(program, callers)
	if err != nil {
		return nil, err
	}
	asked, err := c.asks(p)
	if err != nil {
		return nil, err
	}
	p.patterns = p.normal.patternsOf(p.module, asked, &p.callers, p.file.Row)
	return p, nil
}

// ProgramOf is Program for a text that is not linted: findings are those whose edits count.
// [Program.Ask] gives it others.
func (c *Checker) ProgramOf(program []byte, findings []rule.Finding, callers ...string) (*Program, error) {
	p, err := read(program, callers)
	if err != nil {
		return nil, err
	}
	p.options = c.options
	p.Ask(findings)
	return p, nil
}

// Ask has the edits of other findings of the program count from now on. No Checker may use the
// program meanwhile. An answer that is proven by them has all of these edits.
func (p *Program) Ask(findings []rule.Finding) {
	p.patterns = p.normal.patternsOf(p.module, rewrite.Ask(p.module, p.file.Text, findings), &p.callers, p.file.Row)
}

// read reads a program, but for what its findings ask for.
func read(program []byte, callers []string) (*Program, error) {
	p := &Program{callers: readCallers(callers)}
	if err := p.file.Load(slices.Clone(program)); err != nil {
		return nil, err
	}
	module, ok := parser.Parse(&p.file, parser.Options{Target: source.Newest})
	if !ok {
		return nil, ErrSyntax
	}
	p.module = module
	p.place = findPlaces(module, p.file.Text)
	p.normal.keepsBindings = true
	p.normal.read(module, &p.callers)
	p.form = p.normal.form(module, p.file.Text, &p.callers)
	return p, nil
}

// asks lints a program and returns what its findings ask for.
func (c *Checker) asks(p *Program) (*rewrite.Asked, error) {
	if p.file.FellBack || p.file.Encoding != "" {
		return nil, nil // the text would be read otherwise than the file
	}
	if c.linter == nil {
		if err := c.Follow(lint.DefaultOptions()); err != nil {
			return nil, err
		}
	}
	p.options = c.options
	result := c.linter.Lint(lint.Input{Data: []byte(p.file.Text), Facts: true})
	asked := rewrite.Ask(p.module, p.file.Text, result.Findings)
	if result.Facts.Silenced {
		p.silenced = c.silencedIn(p.file.Text)
	}
	return asked, nil
}

// Check judges an answer to p. facts are what the linter knows of the answer's
// bytes, see [lint.Input]. The report is valid until the next call.
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
	top := findPlaces(module, c.file.Text)
	m := match{callers: &p.callers, top: top, definitions: r.Definitions, report: c.refuse}
	m.place(p.place, top, "")
	r.Definitions = m.definitions
	c.normal.read(module, &p.callers)
	c.reaches(p, module)
	form := c.normal.form(module, c.file.Text, &p.callers)
	r.Hash = form.hash
	c.proven = p.same(&form, &c.normal, r.Definitions)
	// The second look costs as much as the first, and saves a run where it succeeds.
	if len(r.Reasons) == 0 && !c.proven && len(p.patterns) > 0 && c.normal.literally(module, nil, &p.callers) {
		c.asked = slices.ContainsFunc(p.patterns, func(q *pattern) bool { return q.matches(c.normal.out) })
	}
	r.SameTree = len(r.Reasons) == 0 && (c.proven || c.asked)
	slices.SortStableFunc(r.Reasons, func(a, b evaluator.Reason) int { return a.Line - b.Line })
	return r
}

// A form is what normal forms are compared by.
type form struct {
	// stream is the hash of the normal form without the names that it has; of a
	// text that has no normal form, the hash of the text.
	stream Hash
	// hash is that of the normal form with its names.
	hash    Hash
	visible []visibleName
	normal  bool // the text has a normal form
}

// form makes the form of a text that was read.
func (n *normalizer) form(module *ast.Module, text string, callers *callers) form {
	normal := n.normalize(module, callers)
	if !normal {
		n.out = append(append(n.out[:0], opText), text...)
		n.visible = n.visible[:0]
	}
	f := form{stream: sha256.Sum256(n.out), visible: n.visible, normal: normal}
	n.out = append(n.out[:0], f.stream[:]...)
	for _, v := range n.visible {
		n.string(v.name)
	}
	f.hash = sha256.Sum256(n.out)
	return f
}

// same reports whether an answer's form proves that it is the same program: the
// same stream, and the same names where anybody may know them.
//
// The program's own names l, O and I are exempt, as no clean answer can keep
// them: a definition is found by its place, a global variable is the program's
// own affair as long as no caller has its name, and a parameter is if nobody gives it
// by keyword. The new name must not take away another's meaning: of a global, none
// that is a builtin's or that callers read; of a parameter, none that calls give
// to **kwargs.
func (p *Program) same(f *form, answer *normalizer, definitions []Definition) bool {
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

// refuse adds a reason; offset is where in the text, -1 for nowhere.
func (c *Checker) refuse(name string, offset int32, format string, args ...any) {
	line := 0
	if offset >= 0 {
		line = c.file.Row(offset)
	}
	c.refuseLine(name, line, format, args...)
}

// refuseLine adds a reason on a line, 0 for none.
func (c *Checker) refuseLine(name string, line int, format string, args ...any) {
	if len(c.report.Reasons) == MaxReasons {
		return
	}
	c.report.Reasons = append(c.report.Reasons, evaluator.Reason{Name: name, Line: line, Text: fmt.Sprintf(format, args...)})
}
