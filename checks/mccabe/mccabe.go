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
// Statements that mccabe does not know are simple to it, whatever they hold:
// match, and try with except*. It never enters a finally, nor an expression.
// Functions in there are not found. On the other hand an if, a loop or a try
// outside all functions gets a graph of its own, named after its line, that
// the functions in it are part of.
//
// Graphs are kept under their name, so of two functions of one name in one
// class, or in classes of one name, only the last is reported.
package mccabe

import (
	"hash/maphash"
	"strconv"
	"unsafe"

	"codelinter/ast"
	"codelinter/checks/extent"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/source/characters"
	"codelinter/source/pytext"
)

// A Checker checks one module after the other and keeps its memory. The zero
// Checker is ready for use; it is not for concurrent use.
type Checker struct {
	entities []entity
	// table finds the functions and classes among entities by class and name.
	// It is a hash table with linear probing, of which zero is a free slot and
	// any other number an index in entities, plus one. With a map a check takes 1.5
	// times the instructions (CPython's asyncio).
	table []int32
	seed  maphash.Seed

	arena []byte // the texts of the findings

	classes     []*rule.SharedText // names of classes, for the findings
	classesUsed int                // how many of them are this module's
}

// An entity is what has a graph, or a class, which leads to what has.
type entity struct {
	hash  uint64
	class int32  // index in entities of the class around it; none
	name  string // "spam"; "If", "Loop" or "TryExcept" for a statement
	kind  entityKind
	// Where it was defined last, and its complexity there; 0 for a class.
	start      int32
	complexity int32
	shared     *rule.SharedText // of a class that was reported of, see classOf
}

type entityKind uint8

const (
	function entityKind = iota
	class
	statement
)

// none is the class of what is in no class.
const none = -1

// tableSize is the least size of a Checker's table; sizes are powers of two.
const tableSize = 64

// Check appends a finding for each function of the module, and for each if,
// loop and try outside of functions, whose complexity exceeds maxComplexity.
// They are in the order in which mccabe first met their names. Their texts are
// valid until the next Check. A negative maxComplexity turns the check off.
func (c *Checker) Check(file *source.File, module *ast.Module, maxComplexity int, enabled *rule.Set, findings []rule.Finding) []rule.Finding {
	if maxComplexity < 0 || !enabled.Has(rule.C901) {
		return findings
	}
	if c.table == nil {
		c.table, c.seed = make([]int32, tableSize), maphash.MakeSeed()
	}
	c.entities, c.arena, c.classesUsed = c.entities[:0], c.arena[:0], 0
	c.table = c.table[:tableSize]
	clear(c.table)

	c.scan(module.Body, none)
	for i := range c.entities {
		if e := &c.entities[i]; e.kind != class && int(e.complexity) > maxComplexity {
			row := file.Row(e.start)
			about := extent.Definition(file.Text, e.start)
			if e.kind == statement {
				about = extent.Name(file.Text, e.start)
			}
			finding := rule.Finding{
				Row: int32(row), Column: int32(file.ByteColumn(row, e.start)) + 1, Start: about.Start, End: about.End,
				Code: rule.C901, B: e.complexity, Text: c.nameOf(e, row),
			}
			if e.kind == function && e.class != none {
				finding.Shared = c.classOf(e)
			}
			findings = append(findings, finding)
		}
	}
	clear(c.entities) // keep no text alive
	return findings
}

// scan finds the entities in a body that is in no function.
func (c *Checker) scan(body []ast.Stmt, around int32) {
	for i, stmt := range body {
		switch n := stmt.(type) {
		case *ast.FunctionDef:
			c.define(function, around, n.Name, n.Start, 1+paths(n.Body))
		case *ast.AsyncFunctionDef:
			c.define(function, around, n.Name, n.Start, 1+paths(n.Body))
		case *ast.ClassDef:
			c.scan(n.Body, c.define(class, around, n.Name, n.Start, 0))
		case *ast.With:
			c.scan(n.Body, around)
		case *ast.AsyncWith:
			c.scan(n.Body, around)
		case *ast.If:
			c.add(entity{name: "If", kind: statement, start: n.Start, complexity: 1 + paths(body[i:i+1])})
		case *ast.For, *ast.AsyncFor, *ast.While:
			c.add(entity{name: "Loop", kind: statement, start: n.Bounds().Start, complexity: 1 + paths(body[i:i+1])})
		case *ast.Try:
			c.add(entity{name: "TryExcept", kind: statement, start: n.Start, complexity: 1 + paths(body[i:i+1])})
		}
	}
}

// paths returns what the statements of body add to the complexity of the
// function they are in.
func paths(body []ast.Stmt) int32 {
	var total int32
	for _, stmt := range body {
		switch n := stmt.(type) {
		case *ast.FunctionDef:
			total += 1 + paths(n.Body)
		case *ast.AsyncFunctionDef:
			total += 1 + paths(n.Body)
		case *ast.ClassDef:
			total += paths(n.Body)
		case *ast.With:
			total += paths(n.Body)
		case *ast.AsyncWith:
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
		case *ast.AsyncFor:
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

// define adds a function or a class, or replaces the one of the same name in
// the same class, and returns its index.
func (c *Checker) define(kind entityKind, around int32, name string, start, complexity int32) int32 {
	hash := maphash.String(c.seed, name) + uint64(2*around+int32(kind))*0x9e3779b97f4a7c15
	slot := c.slot(hash)
	for ; c.table[slot] != 0; slot = (slot + 1) & (len(c.table) - 1) {
		at := c.table[slot] - 1
		if e := &c.entities[at]; e.hash == hash && e.class == around && e.kind == kind && e.name == name {
			e.start, e.complexity = start, complexity
			return at
		}
	}
	at := c.add(entity{hash: hash, class: around, name: name, kind: kind, start: start, complexity: complexity})
	c.table[slot] = at + 1
	if 2*len(c.entities) > len(c.table) {
		c.grow()
	}
	return at
}

// add appends an entity and returns its index.
func (c *Checker) add(e entity) int32 {
	c.entities = append(c.entities, e)
	return int32(len(c.entities) - 1)
}

// slot returns where in the table the search for a hash begins.
func (c *Checker) slot(hash uint64) int { return int(hash>>16) & (len(c.table) - 1) }

// grow makes the table twice as large.
func (c *Checker) grow() {
	if size := 2 * len(c.table); size <= cap(c.table) {
		c.table = c.table[:size]
		clear(c.table)
	} else {
		c.table = make([]int32, size)
	}
	for i := range c.entities {
		if c.entities[i].kind == statement {
			continue // its line makes its name its own
		}
		slot := c.slot(c.entities[i].hash)
		for c.table[slot] != 0 {
			slot = (slot + 1) & (len(c.table) - 1)
		}
		c.table[slot] = int32(i) + 1
	}
}

// nameOf returns the name of e, which begins in row, without the classes around
// it.
func (c *Checker) nameOf(e *entity, row int) string {
	from := len(c.arena)
	if e.kind == statement {
		c.arena = append(append(c.arena, e.name...), ' ')
		c.arena = strconv.AppendInt(c.arena, int64(row), 10)
	} else {
		c.appendName(e.name)
	}
	return unsafe.String(&c.arena[from], len(c.arena)-from)
}

// classOf returns the names of the classes around e: "Outer.Inner.". All methods
// of a class share them.
func (c *Checker) classOf(e *entity) *rule.SharedText {
	class := &c.entities[e.class]
	if class.shared == nil {
		around := ""
		if class.class != none {
			around = c.classOf(class).Text
		}
		from := len(c.arena)
		c.arena = append(c.arena, around...)
		c.appendName(class.name)
		c.arena = append(c.arena, '.')
		if c.classesUsed == len(c.classes) {
			c.classes = append(c.classes, new(rule.SharedText))
		}
		class.shared = c.classes[c.classesUsed]
		c.classesUsed++
		class.shared.Text = unsafe.String(&c.arena[from], len(c.arena)-from)
	}
	return class.shared
}

// appendName appends name as Python's repr shows it, without the quotes.
func (c *Checker) appendName(name string) {
	from := len(c.arena)
	c.arena = pytext.AppendRepr(c.arena, name, characters.Latest) // which is printable in every Unicode
	c.arena = append(c.arena[:from], c.arena[from+1:len(c.arena)-1]...)
}
