package behaviour

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"codelinter/ast"
	symbols "codelinter/internal/equiv/scope"
	"codelinter/parser"
	"codelinter/sandbox"
	"codelinter/source"
)

// A part is a piece of a probe: statements to run, or an expression to watch.
type part struct {
	statements bool
	code       *code // if its arguments are bound, only the callee
	call       bool
	arguments  []argument
	receiver   *code // the object that the code calls receiver, or nil
}

// An argument is one argument of a call: value, *value, name=value or **value.
type argument struct {
	prefix string // "", "*", "name=" or "**"
	code   *code
	same   int  // 1 + the index of an earlier argument that is the same object, or 0
	spent  bool // what is left of it is not compared
}

// A probe is a call, or statements with the calls that they prepare. Its parts
// run in order. Probes are independent of each other, unless the program
// remembers calls.
type probe struct {
	parts   []part
	callee  string   // for probes that are one call
	uses    []string // of an object, if drawn
	odd     bool     // an argument is of a type that no known call has
	unlike  bool     // the tests' calls have arguments of other types
	strange bool     // it is a strange object, or says which function is called
	derives bool     // it makes a subclass
	like    *probe   // a call with a list, where this has an iterator; it counts if the program gives the same
	reads   names    // names that the call reads
}

// steps returns the probe as calls of the sandbox.
func (p *probe) steps() []step {
	var steps []step
	var exec string
	for i := range p.parts {
		part := &p.parts[i]
		if part.statements {
			exec += part.code.String() + "\n"
			continue
		}
		s := step{exec: exec, odd: p.odd, unlike: p.unlike, strange: p.strange}
		exec = ""
		if part.call {
			part.render(&s)
		} else {
			s.expr = part.code.String()
			s.shown = s.expr
		}
		if part.receiver != nil {
			text := part.receiver.String()
			s.shown = "(lambda receiver: " + s.expr + ")(" + text + ")"
			s.bind = []sandbox.Binding{{Name: "receiver", Expr: text}}
		}
		steps = append(steps, s)
	}
	if exec != "" {
		steps = append(steps, step{exec: exec})
	}
	return steps
}

// A step is one call of the sandbox.
type step struct {
	exec  string // statements to run first
	expr  string // expression to watch; "" if there are only statements
	shown string // the step for people
	given []sandbox.Binding
	bind  []sandbox.Binding // variables to compare after the call

	odd       bool // as in probe
	unlike    bool // as in probe
	strange   bool // as in probe
	recording bool // reads the record of the stand-ins
	standing  standing
}

// render sets a step's call: with its arguments bound, so that most calls of a function have the same
// text; as people write it; and the bindings of immutable and of other arguments.
func (p *part) render(s *step) {
	var bound, shown []string
	for i, a := range p.arguments {
		name := fmt.Sprintf("argument%d", cmp.Or(a.same, i+1))
		text := name
		if a.same == 0 {
			text = a.code.String()
			binding := sandbox.Binding{Name: name, Expr: text}
			if a.mutable() && !a.spent {
				s.bind = append(s.bind, binding)
			} else {
				s.given = append(s.given, binding)
			}
			if slices.ContainsFunc(p.arguments[i+1:], func(later argument) bool { return later.same == i+1 }) {
				text = name + " := " + text
			}
		}
		bound, shown = append(bound, a.prefix+name), append(shown, a.prefix+text)
	}
	call := func(arguments []string) string { return p.code.String() + "(" + strings.Join(arguments, ", ") + ")" }
	s.expr, s.shown = call(bound), call(shown)
}

func (a *argument) mutable() bool {
	if h := a.code.holes; len(h) == 1 && h[0].start == 0 && h[0].end == len(a.code.text) {
		return h[0].value.mutable()
	}
	return true
}

// codes returns the probe's codes that have literals.
func (p *probe) codes() []**code {
	var codes []**code
	for i := range p.parts {
		part := &p.parts[i]
		if len(part.code.holes) > 0 && (part.receiver == nil || part.code.String() != "[]") { // an empty list of uses stays empty
			codes = append(codes, &part.code)
		}
		if part.receiver != nil && len(part.receiver.holes) > 0 {
			codes = append(codes, &part.receiver)
		}
		for j := range part.arguments {
			if len(part.arguments[j].code.holes) > 0 {
				codes = append(codes, &part.arguments[j].code)
			}
		}
	}
	return codes
}

// clone returns a copy whose codes may be replaced.
func (p *probe) clone() *probe {
	c := &probe{callee: p.callee, parts: slices.Clone(p.parts), odd: p.odd, unlike: p.unlike, strange: p.strange, derives: p.derives}
	for i := range c.parts {
		c.parts[i].arguments = slices.Clone(c.parts[i].arguments)
	}
	return c
}

// A test is one assert of a task: its condition with names for the values of calls, and these calls.
type test struct {
	shown  string // the assert
	text   string // the condition
	pieces []int  // numbers of the script's watched parts, see pieceName
	before int    // number of parts of the script before it
}

// pieceName is the name of a value in a condition.
func pieceName(piece int) string { return fmt.Sprintf("__piece%d__", piece) }

// A script is a task's tests without the expected values: their statements in
// order, with each assert replaced by those expressions of its condition that
// depend on the program.
type script struct {
	parts    []part
	tests    []test
	state    bool     // the tests have statements besides asserts, or setup code other than imports
	setup    []part   // statements before the first assert
	imports  string   // the imports of the tests, run first in every instance
	variable []string // names bound by the statements
	calls    []probe  // all calls of the program's definitions that need only setup
}

// A module is a program that was parsed.
type module struct {
	source  string // its bytes; of UTF-8 its text
	text    string // decoded
	body    []ast.Stmt
	defined names // top-level names, without imports
	async   names // of these, async functions
	classes names // of these, classes
	names   func() *symbols.Table
}

// parse parses a program.
func parse(program string) (*module, bool) {
	var file source.File
	if file.Load([]byte(program)) != nil {
		return nil, false
	}
	tree, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
	if !ok {
		return nil, false
	}
	m := &module{source: program, text: file.Text, body: tree.Body, defined: bound(tree.Body, false), async: names{}, classes: names{}}
	m.names = sync.OnceValue(func() *symbols.Table {
		table := new(symbols.Table)
		table.Read(&ast.Module{Body: m.body}, &symbols.Callers{})
		return table
	})
	for _, s := range tree.Body {
		switch s := s.(type) {
		case *ast.AsyncFunctionDef:
			m.async[s.Name] = true
		case *ast.ClassDef:
			m.classes[s.Name] = true
		}
	}
	return m, true
}

// newScript takes a task's tests apart. It skips texts that are not valid
// Python.
func newScript(m *module, setup string, tests []string) *script {
	b := scriptBuilder{module: m, ours: maps.Clone(m.defined), prepared: names{}}
	for _, text := range append([]string{setup}, tests...) {
		b.add(text)
	}
	return &b.script
}

type scriptBuilder struct {
	script
	module   *module
	ours     names // names that the program or the tests bind
	prepared names // names that the tests bind, without imports
	watches  int   // watched parts
	hidden   int   // asserts within other statements
}

func (b *scriptBuilder) add(text string) {
	m, ok := parse(text)
	if !ok {
		return
	}
	for _, s := range m.body {
		if assert, is := s.(*ast.Assert); is {
			b.gather(m.text, assert, nil)
			b.assert(m.text, assert)
			continue
		}
		part := part{statements: true}
		switch s := s.(type) {
		case *ast.Import, *ast.ImportFrom:
			part.code = &code{text: newCode(m.text, s).text}
			b.imports += part.code.text + "\n"
		default:
			b.gather(m.text, s, nil)
			for name := range bound([]ast.Stmt{s}, false) {
				if !b.prepared[name] {
					b.variable = append(b.variable, name)
				}
				b.prepared[name], b.ours[name] = true, true
			}
			b.state = true
			part.code = b.statement(m.text, s)
		}
		b.parts = append(b.parts, part)
		if len(b.tests) == 0 {
			b.setup = append(b.setup, part)
		}
	}
	slices.Sort(b.variable)
}

// statement returns the code of a statement. An assert within it becomes an
// assignment of the watched expressions, without the expected values.
func (b *scriptBuilder) statement(text string, s ast.Stmt) *code {
	c := newCode(text, s)
	from := int(s.Bounds().Start)
	if first, decorated := firstDecorator(s); decorated {
		from = int(first)
	}
	var cuts []splice
	ast.Inspect(s, func(n ast.Node) bool {
		assert, is := n.(*ast.Assert)
		if !is {
			return true
		}
		var watched []string
		for _, e := range b.operands(assert.Test) {
			watched = append(watched, "("+text[e.Bounds().Start:e.Bounds().End]+")")
		}
		b.hidden++
		name := fmt.Sprintf("watched%d", b.hidden)
		cuts = append(cuts, splice{int(assert.Start) - from, int(assert.End) - from,
			name + " = [" + strings.Join(watched, ", ") + "]"})
		b.variable = append(b.variable, name)
		return false
	})
	if len(cuts) == 0 {
		return c
	}
	// Literals have moved: read them again.
	again, ok := parse(spliced(c.text, cuts))
	if !ok || len(again.body) != 1 {
		return &code{text: "pass"}
	}
	return newCode(again.text, again.body[0])
}

// operands returns the parts of a condition that depend on the program. The
// rest, such as expected values, stays out.
func (b *scriptBuilder) operands(e ast.Expr) (mine []ast.Expr) {
	if !b.isOurs(e) {
		return nil
	}
	var inner []ast.Expr
	several, foreign := false, false
	switch n := e.(type) {
	case *ast.UnaryOp:
		if n.Op == ast.Not {
			inner = append(inner, n.Operand)
		}
	case *ast.BoolOp:
		inner, several = slices.Clone(n.Values), true
	case *ast.Compare: // of two values of the program perhaps by its own methods
		inner = append([]ast.Expr{n.Left}, n.Comparators...)
	case *ast.Call:
		// In round(f(x), 3), round is not the program's.
		if name := root(n.Func); name != "" && !b.ours[name] {
			foreign = true
			inner = slices.Clone(n.Args)
			for _, k := range n.Keywords {
				inner = append(inner, k.Value)
			}
		}
	}
	inner = slices.DeleteFunc(inner, func(e ast.Expr) bool { return !b.isOurs(e) })
	if len(inner) == 0 || len(inner) > 1 && !several || foreign && !b.isCall(inner[0]) {
		return []ast.Expr{e}
	}
	for _, e := range inner {
		mine = append(mine, b.operands(e)...)
	}
	return mine
}

// isOurs reports whether e depends on what the program defines.
func (b *scriptBuilder) isOurs(e ast.Node) bool { return b.ours.hasAny(used(e)) }

// isCall reports whether e is a call of something of the program that is not a
// coroutine, or part of its result.
func (b *scriptBuilder) isCall(e ast.Expr) bool {
	name := root(e)
	return name != "" && !b.module.async[name]
}

func (b *scriptBuilder) assert(text string, a *ast.Assert) {
	from := int(a.Test.Bounds().Start)
	t := test{shown: text[a.Start:a.End], before: len(b.parts)}
	var cuts []splice
	for _, e := range b.operands(a.Test) {
		at := e.Bounds()
		cuts = append(cuts, splice{int(at.Start) - from, int(at.End) - from, pieceName(b.watches)})
		t.pieces = append(t.pieces, b.watches)
		b.watches++
		one := b.watched(text, e)
		b.parts = append(b.parts, one)
		// An expression that is no plain call, such as [f(n) for n in
		// range(7)], is varied as it is.
		if call, is := e.(*ast.Call); !is || !b.module.defined[root(call)] || b.module.async[root(call)] {
			p := probe{callee: text[at.Start:at.End], parts: []part{one}}
			if b.prepared.hasAny(used(e)) {
				p.parts = slices.Concat(b.setup, p.parts)
			}
			b.calls = append(b.calls, p)
		}
	}
	t.text = spliced(text[from:a.Test.Bounds().End], cuts)
	b.tests = append(b.tests, t)
}

// watched returns a part that evaluates e.
func (b *scriptBuilder) watched(text string, e ast.Expr) part {
	call, is := e.(*ast.Call)
	if !is {
		return part{code: newCode(text, e)}
	}
	p := part{call: true, code: newCode(text, call.Func)}
	for _, a := range call.Args {
		if star, is := a.(*ast.Starred); is {
			p.arguments = append(p.arguments, argument{prefix: "*", code: newCode(text, star.Value)})
			continue
		}
		if g, is := a.(*ast.GeneratorExp); is {
			// The parentheses of sum(x for x in y) belong to the call.
			c := newCode(text, g)
			if !strings.HasPrefix(c.text, "(") || len(call.Args)+len(call.Keywords) == 1 {
				c = &code{text: "(" + c.text + ")", holes: shifted(c.holes, 1)}
			}
			p.arguments = append(p.arguments, argument{code: c})
			continue
		}
		p.arguments = append(p.arguments, argument{code: newCode(text, a)})
	}
	for _, k := range call.Keywords {
		prefix := "**"
		if k.Arg != "" {
			prefix = k.Arg + "="
		}
		p.arguments = append(p.arguments, argument{prefix: prefix, code: newCode(text, k.Value)})
	}
	return p
}

// gather finds the calls of the program's definitions in n, but for those with inner names, which
// comprehensions and lambdas bind.
func (b *scriptBuilder) gather(text string, n ast.Node, inner names) {
	switch n := n.(type) {
	case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef:
		return
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp, *ast.Lambda:
		inner = union(inner, own(n))
	case *ast.Call:
		name := root(n.Func)
		if !b.module.defined[name] || b.module.async[name] {
			break
		}
		reads := used(n)
		if reads.hasAny(inner) {
			break
		}
		p := probe{callee: text[n.Func.Bounds().Start:n.Func.Bounds().End], reads: reads}
		if b.prepared.hasAny(reads) {
			p.parts = append(p.parts, b.setup...)
		}
		p.parts = append(p.parts, b.watched(text, n))
		b.calls = append(b.calls, p)
	}
	for _, child := range ast.AppendChildren(nil, n) {
		b.gather(text, child, inner)
	}
}
