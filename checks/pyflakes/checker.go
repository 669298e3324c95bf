// Package pyflakes checks a module's names, and other mistakes that show in the tree, as pyflakes
// does and with its messages. It has every F code of flake8. rule.Features names the differences
// between releases.
//
//	var c pyflakes.Checker
//	findings := c.Check(&file, module, pyflakes.Options{Filename: "spam.py"}, &enabled, nil)
//
// # How it works
//
// The module is walked once, in pyflakes's order. A node that binds, reads or deletes a name does
// so in the innermost scope around it. Code that Python runs later waits in a queue until the rest
// of the module is known: bodies of functions, annotations, the code in strings and in docstrings.
// It is visited in the scope in which it was found, and may add to the queue. At the end each scope
// reports the names that were bound in it and never used.
//
// pyflakes is followed exactly, with its mistakes, because users know its messages and have
// silenced some. Where pyflakes would crash, the checks continue here as if nothing had happened.
//
// # How it is stored
//
// Nothing is allocated but slices and two maps, which the next file uses again. They
// refer to each other by index:
//
//   - names.go: the file's names as small numbers, in a hash table of ours.
//   - scope.go: scopes, the slots where they hold names, and records, which tell
//     where a binding stands in the tree, since nodes do not know their parents.
//   - binding.go: bindings, and what reading, binding and deleting a name does.
//   - imports.go and exports.go: the same for imports and for __all__, and what
//     is found when a scope is left.
//   - statement.go, expression.go, annotation.go, postpone.go: the walk.
//   - doctest.go: examples in docstrings.
//   - dict.go, percent_format.go, str_format.go: checks that need no names.
package pyflakes

import (
	"codelinter/ast"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// Options are flake8's options for these checks.
type Options struct {
	// Filename is the file's name as flake8 shows it. A file called __init__.py may use __path__
	// and export names that it does not define.
	Filename string
	// Builtins are names to treat as defined, in addition to Python's.
	Builtins []string
	// Doctests asks for the examples in docstrings to be checked as well.
	Doctests bool
	// Release is the flake8 whose pyflakes to follow, and Target the CPython; zero means
	// the default.
	Release rule.Release
	Target  source.Version
}

// A Checker checks one module after the other and keeps its memory. The zero Checker is ready for
// use. It is not safe for concurrent use.
type Checker struct {
	file     *source.File
	options  Options
	features *source.Features
	release  *rule.Features
	enabled  *rule.Set
	findings []rule.Finding

	names    names
	scopes   []scope
	slots    []slot
	entered  map[scopeName]slotID      // where scopes other than the module's have their names, see findEntered
	visibles map[scopeName]visibleSlot // remembered finds in deep scopes
	bindings []binding
	dead     []scopeID // scopes in the order they were left

	// What bindings and scopes refer to, and memory to work in.
	globals       []global
	imports       []imported
	redefinitions []redefinition
	exports       []exported
	exportNames   []nameID
	exportScratch []nameID
	exportChain   []int32
	stars         pool[starModules]
	prefixes      pool[rule.SharedText] // "spam." of from spam import eggs
	undefined     []undefined
	withdrawn     bool // some finding was

	// Where we are.
	stack   []frame // from the module, or the postponed node, to the current node
	records []record
	queue   []postponement
	units   []unit
	rows    []int32 // where rows of examples begin
	scope   scopeID
	unit    unitID

	functions         int32 // seen so far
	deferred          bool  // the queue is being visited
	conditional       bool  // within an if or a while
	inLoop            bool  // where break may stand
	nameErrorCaught   bool  // within a try that handles NameError
	inString          bool  // within an f-string or t-string
	inAnnotation      annotationState
	states            []annotationState // around the subscripts under way
	casts             int               // whose first argument this is part of
	typing            bool              // something was imported from typing
	futureAnnotations bool              // from __future__ import annotations was seen

	parser   parser.Parser // of annotations in strings and of examples
	parsed   bool          // something of this file
	doctests doctests
	keys     keyGroups // of a dictionary
	values   keyGroups // of one of its keys
	formats  formats

	// arena holds the texts of the findings until the next Check.
	arena []byte
	// told is the last text of quoted.
	told struct {
		name nameID
		text string
	}
}

// Check appends the module's findings to findings, in the order in which
// pyflakes makes its messages. Their texts are valid until the next Check.
func (c *Checker) Check(file *source.File, module *ast.Module, o Options, enabled *rule.Set, findings []rule.Finding) []rule.Finding {
	c.reset(file, o, enabled)
	first := len(findings)
	c.findings = findings

	c.enterScope(moduleScope)
	c.records = append(c.records, record{node: module, parent: none, around: none, kind: ast.KindModule})
	c.stack = append(c.stack, frame{node: module, kind: ast.KindModule})
	c.visitModule(module.Body)
	c.visitPostponed()
	c.dead = append(c.dead, 0)
	c.judgeScopes()
	for _, stars := range c.stars.taken() {
		stars.sort()
	}
	if c.withdrawn {
		c.dropWithdrawn(first)
	}

	findings = c.findings
	c.findings = nil
	return findings
}

// rootRecord is the record of the module.
const rootRecord = recordID(0)

func (c *Checker) reset(file *source.File, o Options, enabled *rule.Set) {
	c.file, c.options, c.enabled = file, o, enabled
	c.features, c.release = o.Target.Features(), o.Release.Features()

	c.names.reset(c.features.Version, o.Builtins)
	c.arena = c.arena[:0]
	c.told.text = ""
	if c.entered == nil {
		c.entered, c.visibles = map[scopeName]slotID{}, map[scopeName]visibleSlot{}
	}
	clear(c.entered)
	clear(c.visibles)
	c.scopes = c.scopes[:0]
	c.slots = c.slots[:0]
	c.bindings = c.bindings[:0]
	c.globals = c.globals[:0]
	clear(c.imports) // keep no text alive
	c.imports = c.imports[:0]
	c.redefinitions = c.redefinitions[:0]
	c.exports, c.exportNames = c.exports[:0], c.exportNames[:0]
	for _, stars := range c.stars.taken() {
		stars.reset()
	}
	c.stars.reset()
	c.prefixes.reset()
	c.undefined = c.undefined[:0]
	c.dead = c.dead[:0]
	clear(c.records)
	c.records = c.records[:0]
	c.stack, c.states = c.stack[:0], c.states[:0]
	if len(c.units) != 1 {
		clear(c.units)
		c.units = append(c.units[:0], unit{kind: moduleUnit})
	}
	c.rows = c.rows[:0]
	if c.parsed {
		c.parser.Reset()
		c.parsed = false
	}

	c.scope, c.unit = none, 0
	c.functions, c.casts, c.deferred = 0, 0, false
	c.conditional, c.inLoop, c.nameErrorCaught, c.inString = false, false, false, false
	c.inAnnotation = outsideAnnotation
	c.typing, c.futureAnnotations, c.withdrawn = false, false, false
}

// A pool lends values to a file and to the next one again.
type pool[T any] struct {
	values []*T
	used   int
}

// next returns a value that holds anything.
func (p *pool[T]) next() *T {
	if p.used == len(p.values) {
		p.values = append(p.values, new(T))
	}
	p.used++
	return p.values[p.used-1]
}

// taken returns what next has returned since the last reset.
func (p *pool[T]) taken() []*T { return p.values[:p.used] }

func (p *pool[T]) reset() { p.used = 0 }
