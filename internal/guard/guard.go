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
// A Checker also compares the answer with the program by package same, and so reports whether
// both are proven to be the same program.
package guard

import (
	"codelinter/internal/equiv/same"
	"codelinter/internal/equiv/scope"
	"fmt"
	"slices"

	"codelinter/ast"
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

// A Renaming is the path of a function, class or method of the program, "f", or "Stack.push" for a
// method, and its path in the answer. The name had to change, as E742 and E743 forbid l, O and I, and
// the definition was found by its position.
type Renaming struct{ Path, Answer string }

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
	// Alike reports whether the answer is proven to do the same for ordinary values, see
	// [same.Comparer.Alike]. It is false with SameTree and for a refused answer.
	Alike bool
	// Renamed are the program's definitions that have another path in the answer, in their order.
	Renamed []Renaming
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
	same      *same.Original
	namespace *namespace
	options   lint.Options   // of the linter
	silenced  map[string]int // findings that its own noqa comments silence
}

// names returns the program's names.
func (p *Program) names() *scope.Table { return p.same.Names() }

// A Checker judges one answer after another and reuses its memory. The zero value
// is ready for use. It is not safe for concurrent use.
type Checker struct {
	file    source.File
	answer  *source.File // that is judged
	parser  parser.Parser
	same    same.Comparer
	names   *scope.Table // of the answer
	report  Report
	linter  *lint.Linter
	options lint.Options // of linter
}

// Program reads a task's program. callers are texts that use its definitions, such as its
// tests; see [Read]. The error is [ErrSyntax] or [source.ErrTooLarge].
func (c *Checker) Program(program []byte, callers ...string) (*Program, error) {
	original, err := same.Read(program, callers...)
	if err != nil {
		return nil, err
	}
	p := c.programOf(original)
	return p, c.lint(p)
}

// ProgramOf is Program with given findings, without linting. [Program.Ask]
// replaces the findings.
func (c *Checker) ProgramOf(program []byte, findings []rule.Finding, callers ...string) (*Program, error) {
	original, err := same.Read(program, callers...)
	if err != nil {
		return nil, err
	}
	p := c.programOf(original)
	p.Ask(findings)
	return p, nil
}

// ProgramOfTree is [Checker.ProgramOf] for a program that is parsed. It is valid as long as file
// and tree are.
func (c *Checker) ProgramOfTree(file *source.File, module *ast.Module, findings []rule.Finding) *Program {
	p := c.programOf(same.ReadTree(file, module))
	p.Ask(findings)
	return p
}

// Ask replaces the findings whose edits count. No Checker may use the program
// meanwhile. An answer that is proven by such edits has all of them.
func (p *Program) Ask(findings []rule.Finding) { p.same.Ask(findings) }

func (c *Checker) programOf(original *same.Original) *Program {
	return &Program{same: original, namespace: namespaceOf(original.Names()), options: c.options}
}

// lint lints a program for the edits that its findings ask for.
func (c *Checker) lint(p *Program) error {
	file := &p.same.File
	if file.FellBack || file.Encoding != "" {
		p.same.Ask(nil) // offsets in the text differ from those in the file
		return nil
	}
	if c.linter == nil {
		if err := c.Follow(lint.Options{}); err != nil {
			return err
		}
	}
	p.options = c.options
	result := c.linter.Lint(lint.Input{Data: []byte(file.Text), Facts: true})
	p.same.Ask(result.Findings)
	p.same.AskAlike(result.Findings)
	if result.Facts.Silenced {
		p.silenced = c.silencedIn(file.Text)
	}
	return nil
}

// Check judges an answer to p. facts are the linter's facts of the answer, see
// [lint.Input]. The report is valid until the next call.
func (c *Checker) Check(p *Program, answer []byte, facts lint.Facts) *Report {
	r := &c.report
	*r = Report{Reasons: r.Reasons[:0], Renamed: r.Renamed[:0]}
	if facts.SilencedForeign || facts.Silenced && c.silences(p, answer) {
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
		return r
	}
	module, ok := c.parser.ParseText(c.file.Text, parser.Options{Target: source.Newest})
	if !ok {
		c.refuse(Syntax, -1, "the code does not parse as Python %v", source.Newest)
		return r
	}
	r.SameTree = c.compare(p, &c.file, module)
	r.Alike = len(r.Reasons) == 0 && !r.SameTree && c.same.Alike(p.same)
	slices.SortStableFunc(r.Reasons, func(a, b Reason) int { return a.Line - b.Line })
	return r
}

// IsAlso reports whether the answer of the last Check is not proven to be the same program, but to be
// another text, which has the program's callers. nil stands for none.
func (c *Checker) IsAlso(other *same.Original) bool {
	r := &c.report
	return other != nil && len(r.Reasons) == 0 && !r.SameTree && c.same.Same(other)
}

// IsSame is [Report.SameTree] of an answer that is parsed, with the guards on its tree alone. It
// ends the last report.
func (c *Checker) IsSame(p *Program, answer *source.File, module *ast.Module) bool {
	c.report = Report{Reasons: c.report.Reasons[:0], Renamed: c.report.Renamed[:0]}
	return c.compare(p, answer, module)
}

// compare compares what an answer defines and uses with the program, and reports whether they are
// proven to be the same.
func (c *Checker) compare(p *Program, answer *source.File, module *ast.Module) bool {
	r := &c.report
	c.answer = answer
	c.names = c.same.Read(p.same, module, answer.Text)
	top := namespaceOf(c.names)
	m := match{callers: p.same.Callers(), top: top, renamed: r.Renamed, report: c.refuse}
	m.compare(p.namespace, top)
	r.Renamed = m.renamed
	c.reaches(p, module)
	return len(r.Reasons) == 0 && c.same.Same(p.same)
}

// refuse adds a reason. offset is its place in the text, or -1.
func (c *Checker) refuse(name string, offset int32, format string, args ...any) {
	line := 0
	if offset >= 0 {
		line = c.answer.Row(offset)
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
