// Package mccabe reports functions that are too complex, C901, as mccabe 0.7.0
// does when flake8 runs it with --max-complexity.
//
//	var checker mccabe.Checker
//	findings = checker.Check(&file, module, 10, &enabled, findings)
//
// # How it counts
//
// mccabe draws a graph of each function's statements and takes edges - nodes +
// 2 as its complexity. The graph need not be drawn, as every statement adds a
// fixed amount of edges less nodes:
//
//   - A function begins as one node, which is a complexity of 1.
//   - A simple statement is one node with one edge to it: nothing. So is with,
//     whose body comes after that node, and class has no node at all.
//   - An if or a loop is a node with an edge to it. Its body and its else, or
//     the node itself if there is no else, each end in an edge to one more
//     node: 2 edges to 1 node, so 1.
//   - A try does the same with one more edge for each handler: 1 + handlers.
//   - A def within a function has an edge from its beginning and one from its
//     end to one more node: 1, and its statements count as the outer function's.
//
// No edge is ever lost: mccabe empties a node's list of edges when something is
// connected to it, but only connects to nodes that have none yet.
//
// # What it does not see
//
// Statements that mccabe does not know are simple to it, whatever they hold: match, and try
// with except*. It never enters a finally or an expression, so functions in there are not
// found. An if, a loop or a try outside all functions gets a graph of its own, named after
// its line. Functions in it are part of that graph.
//
// Graphs are kept by name. So if a class, or classes of the same name, have two functions of the
// same name, only the last is reported.
package mccabe

import (
	"strconv"

	"codelinter/ast"
	"codelinter/checks/internal/extent"
	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
	"codelinter/source"
)

// A Checker checks one module after the other and keeps its memory. The zero Checker is ready
// for use. It is not safe for concurrent use.
type Checker struct {
	entities   []entity
	tooComplex bool                 // one of the entities is
	known      map[definition]int32 // the functions and classes among entities

	arena []byte // the texts of the findings

	classes     []*rule.SharedText // names of classes, for the findings
	classesUsed int                // how many of them the current module uses
}

// An entity is a function or statement with a graph, or a class that may hold some.
type entity struct {
	node       ast.Stmt // where it was defined last, once entities are merged
	class      int32    // index in entities of the class around it; none
	complexity int32    // 0 for a class
	first      int32    // index in entities of the first one of its name, see merge
	shared     int32    // of a class that was reported of, number in classes, from 1
}

// none is the class of an entity outside all classes.
const none = -1

// Check appends a finding for each function of the module, and for each if,
// loop and try outside of functions, whose complexity exceeds maxComplexity.
// They are in the order in which mccabe first met their names. Their texts are
// valid until the next Check. A negative maxComplexity turns the check off.
func (c *Checker) Check(file *source.File, module *ast.Module, maxComplexity int, enabled *rule.Set, findings []rule.Finding) []rule.Finding {
	if maxComplexity < 0 || !enabled.Has(rule.C901) {
		return findings
	}
	// Each statement that adds to a complexity has a row of its own, so a file of few rows has
	// nothing too complex.
	if file.Lines() < maxComplexity {
		return findings
	}
	c.entities, c.tooComplex = c.entities[:0], false
	c.scan(module.Body, none, maxComplexity)
	if c.tooComplex {
		c.merge()
		findings = c.report(file, maxComplexity, findings)
	}
	clear(c.entities) // keep no text alive
	return findings
}

// report appends the findings.
func (c *Checker) report(file *source.File, maxComplexity int, findings []rule.Finding) []rule.Finding {
	c.arena, c.classesUsed = c.arena[:0], 0
	for i := range c.entities {
		e := &c.entities[i]
		if int(e.complexity) <= maxComplexity || e.first != int32(i) || e.node.Kind() == ast.KindClassDef {
			continue
		}
		start := e.node.Bounds().Start
		row := file.Row(start)
		finding := rule.Finding{
			Row: int32(row), Column: int32(file.ByteColumn(row, start)) + 1, Start: start, Code: rule.C901,
		}
		values := rule.Values{B: e.complexity}
		if name := definedName(e.node); name != "" {
			finding.End, values.Text = extent.Definition(file.Text, start).End, c.functionName(name)
			if e.class != none {
				values.Shared = c.classOf(e)
			}
		} else {
			finding.End, values.Text = extent.Name(file.Text, start).End, c.statementName(e.node, row)
		}
		findings = append(findings, finding.With(values))
	}
	return findings
}

// definedName returns the name of a function or a class, "" for another statement.
func definedName(n ast.Stmt) string {
	switch n.Kind() {
	case ast.KindFunctionDef, ast.KindAsyncFunctionDef, ast.KindClassDef:
		return ast.Binds(n)
	}
	return ""
}

// scan finds the entities in a body that is in no function.
func (c *Checker) scan(body []ast.Stmt, around int32, maxComplexity int) {
	for i, stmt := range body {
		complexity := int32(0)
		switch n := plain(stmt).(type) {
		case *ast.FunctionDef:
			complexity = 1 + paths(n.Body)
		case *ast.ClassDef:
			c.entities = append(c.entities, entity{node: n, class: around})
			c.scan(n.Body, int32(len(c.entities))-1, maxComplexity)
			continue
		case *ast.With:
			c.scan(n.Body, around, maxComplexity)
			continue
		case *ast.If, *ast.For, *ast.While, *ast.Try:
			complexity = 1 + paths(body[i:i+1])
		default:
			continue
		}
		c.entities = append(c.entities, entity{node: stmt, class: around, complexity: complexity})
		c.tooComplex = c.tooComplex || int(complexity) > maxComplexity
	}
}

// plain is [ast.Plain], except for a try with except*, which mccabe does not know.
func plain(n ast.Stmt) ast.Stmt {
	if n.Kind() == ast.KindTryStar {
		return n
	}
	return ast.Plain(n)
}

// paths returns how much the statements of body add to the complexity of their function.
func paths(body []ast.Stmt) int32 {
	var total int32
	for _, stmt := range body {
		switch n := plain(stmt).(type) {
		case *ast.FunctionDef:
			total += 1 + paths(n.Body)
		case *ast.ClassDef:
			total += paths(n.Body)
		case *ast.With:
			total += paths(n.Body)
		case *ast.If:
			total += 1 + paths(n.Body)
			// Each elif is an If in the else of the one before. Their depth is
			// bounded by nothing but the file's length, unlike indentation's.
			for len(n.Orelse) == 1 {
				elif, ok := n.Orelse[0].(*ast.If)
				if !ok {
					break
				}
				n = elif
				total += 1 + paths(n.Body)
			}
			total += paths(n.Orelse)
		case *ast.For:
			total += 1 + paths(n.Body) + paths(n.Orelse)
		case *ast.While:
			total += 1 + paths(n.Body) + paths(n.Orelse)
		case *ast.Try:
			total += 1 + paths(n.Body) + paths(n.Orelse)
			for _, handler := range n.Handlers {
				total += 1 + paths(handler.Body)
			}
		}
	}
	return total
}

// A definition is what mccabe takes for one: functions, or classes, of one name in one class.
type definition struct {
	name    string
	class   int32
	isClass bool
}

// merge replaces the first function of a name and class by the last, and merges classes of the same
// name. It runs only if there is something to report; otherwise no names are looked up, which saves
// a third of a check (of 300 bytes).
func (c *Checker) merge() {
	if c.known == nil {
		c.known = map[definition]int32{}
	}
	for i := range c.entities {
		e := &c.entities[i]
		e.first = int32(i)
		name := definedName(e.node)
		if e.class != none {
			e.class = c.entities[e.class].first
		}
		if name == "" { // a statement, whose name has its line
			continue
		}
		key := definition{name, e.class, e.node.Kind() == ast.KindClassDef}
		if at, found := c.known[key]; found {
			e.first = at
			c.entities[at].node, c.entities[at].complexity = e.node, e.complexity
		} else {
			c.known[key] = e.first
		}
	}
	clear(c.known) // keep no text alive
}

// functionName returns the name of a function, without the classes around it.
func (c *Checker) functionName(name string) string {
	from := len(c.arena)
	c.appendName(name)
	return pytext.View(c.arena[from:])
}

// statementName returns mccabe's name for the graph of a statement in row.
func (c *Checker) statementName(n ast.Stmt, row int) string {
	name := "Loop "
	switch n.Kind() {
	case ast.KindIf:
		name = "If "
	case ast.KindTry:
		name = "TryExcept "
	}
	from := len(c.arena)
	c.arena = strconv.AppendInt(append(c.arena, name...), int64(row), 10)
	return pytext.View(c.arena[from:])
}

// classOf returns the names of the classes around e: "Outer.Inner.". All methods
// of a class share them.
func (c *Checker) classOf(e *entity) *rule.SharedText {
	class := &c.entities[e.class]
	if class.shared == 0 {
		around := ""
		if class.class != none {
			around = c.classOf(class).Text
		}
		from := len(c.arena)
		c.arena = append(c.arena, around...)
		c.appendName(definedName(class.node))
		c.arena = append(c.arena, '.')
		if c.classesUsed == len(c.classes) {
			c.classes = append(c.classes, new(rule.SharedText))
		}
		c.classes[c.classesUsed].Text = pytext.View(c.arena[from:])
		c.classesUsed++
		class.shared = int32(c.classesUsed)
	}
	return c.classes[class.shared-1]
}

// appendName appends name as Python's repr shows it, without the quotes.
func (c *Checker) appendName(name string) {
	from := len(c.arena)
	c.arena = pytext.AppendRepr(c.arena, name, characters.Latest) // which is printable in every Unicode
	c.arena = append(c.arena[:from], c.arena[from+1:len(c.arena)-1]...)
}
