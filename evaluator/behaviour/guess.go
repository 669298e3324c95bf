package behaviour

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"codelinter/ast"
)

// guessed is how many guessed calls of a function that works are kept to start
// from, and guesses how many are tried to find them.
const (
	keptGuesses = 6
	guesses     = 48
)

// guess adds calls of those definitions that the probes to start from do not
// reach, and returns list, which is what the others did, with what these did. First what the program itself shows is
// looked at: calls at its top level, under if __name__ == '__main__', and in the
// examples of its docstrings. What is still not reached is called with values
// that its parameters' names, annotations, defaults and uses suggest; of those,
// calls that the program takes are kept.
func (p *Plan) guess(ctx context.Context, tries *trials, c *candidates, list []trial) []trial {
	targets := p.targets()
	reached := func(list []trial, t *target) bool {
		return slices.ContainsFunc(list, func(tr trial) bool {
			return tr.binding && (t.oneLine && tr.probe.callee == t.path || slices.ContainsFunc(tr.covered, func(key uint64) bool { return key>>63 == 0 && int(key) >= t.first && int(key) <= t.last }))
		})
	}
	var shown []*probe
	for _, own := range p.ownCalls() {
		if c.isNew(own) {
			shown = append(shown, own)
		}
	}
	for _, t := range tries.try(ctx, shown) {
		if t.binding {
			c.add(t.probe)
			list = append(list, t)
		}
	}
	for i := range targets {
		t := &targets[i]
		if reached(list, t) {
			continue
		}
		var guessed []*probe
		for n := range guesses {
			if probe := t.call(c.varier, n); probe != nil && c.isNew(probe) {
				guessed = append(guessed, probe)
			}
		}
		found := tries.try(ctx, guessed)
		found = slices.DeleteFunc(found, func(t trial) bool { return !t.binding || t.used > tries.dear })
		// Calls that come furthest first: most guesses are refused by the
		// program's first line.
		slices.SortStableFunc(found, func(a, b trial) int { return len(b.covered) - len(a.covered) })
		// Those with other results, or with arguments of other types, first.
		seen, n := map[string]bool{}, 0
		for _, fresh := range []bool{true, false} {
			found = slices.DeleteFunc(found, func(tr trial) bool {
				result, types := string(tr.print[:]), "types"
				for _, value := range tr.probe.argumentValues() {
					if value != nil {
						types += string('a' + rune(value.kind))
					}
				}
				if n == keptGuesses || fresh && seen[result] && seen[types] {
					return false
				}
				seen[result], seen[types] = true, true
				n++
				c.add(tr.probe)
				list = append(list, tr)
				return true
			})
		}
	}
	for i := range targets {
		if !reached(list, &targets[i]) {
			p.unreached = append(p.unreached, targets[i].path)
		}
	}
	return list
}

// ownCalls returns the calls that the program itself makes of its definitions at
// its top level and in docstrings.
func (p *Plan) ownCalls() []*probe {
	b := scriptBuilder{module: p.reference.module, ours: p.reference.defined, prepared: names{}}
	var walk func(body []ast.Stmt)
	walk = func(body []ast.Stmt) {
		for _, s := range body {
			switch s := s.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef:
			case *ast.If:
				walk(s.Body)
			default:
				b.gather(p.reference.text, s)
			}
		}
	}
	walk(p.reference.body)
	for _, s := range p.reference.body {
		ast.Inspect(s, func(n ast.Node) bool {
			constant, is := n.(*ast.Constant)
			if !is || constant.Type != ast.Str || !strings.Contains(constant.Text, ">>> ") {
				return true
			}
			for line := range strings.Lines(constant.Text) {
				if example, is := strings.CutPrefix(strings.TrimSpace(line), ">>> "); is {
					if m, ok := parse(example); ok {
						for _, s := range m.body {
							b.gather(m.text, s)
						}
					}
				}
			}
			return true
		})
	}
	// An answer may call variables otherwise, or have none.
	variables := names{}
	for name := range p.reference.defined {
		variables[name] = true
	}
	for _, s := range p.reference.body {
		switch s := s.(type) {
		case *ast.FunctionDef:
			delete(variables, s.Name)
		case *ast.AsyncFunctionDef:
			delete(variables, s.Name)
		case *ast.ClassDef:
			delete(variables, s.Name)
		}
	}
	var list []*probe
	for i := range b.calls[:min(len(b.calls), 200)] {
		if !variables.hasAny(b.calls[i].reads) {
			list = append(list, &b.calls[i])
		}
	}
	return list
}

// A target is a function, or a method of a class, that can be called.
type target struct {
	path        string // f, or Class.method
	class       *target
	first, last int  // rows of its body
	oneLine     bool // the body is on the row of the def, which the module runs, so that no call is seen there
	async       bool
	parameters  []parameter
}

type parameter struct {
	prefix string // "name=" for one that goes by name alone
	kinds  []int  // of values to try, the likeliest first; indices of samples
	spare  bool   // has a default
}

// targets returns the functions of the reference's top level, and its classes'
// methods.
func (p *Plan) targets() []target {
	var list []target
	m := p.reference
	for _, s := range m.body {
		switch s := s.(type) {
		case *ast.FunctionDef:
			list = append(list, m.target(s, "", nil))
		case *ast.AsyncFunctionDef:
			t := m.target((*ast.FunctionDef)(s), "", nil)
			t.async = true
			list = append(list, t)
		case *ast.ClassDef:
			class := &target{path: s.Name}
			for _, member := range s.Body {
				if f, is := member.(*ast.FunctionDef); is && f.Name == "__init__" {
					t := m.target(f, s.Name, nil)
					class.parameters, class.first, class.last = t.parameters, t.first, t.last
				}
			}
			if class.first > 0 {
				list = append(list, *class)
			}
			for _, member := range s.Body {
				if f, is := member.(*ast.FunctionDef); is && f.Name != "__init__" {
					list = append(list, m.target(f, s.Name, class))
				}
			}
		}
	}
	return list
}

// target returns f as a target; class is what makes the object that a method is
// called on.
func (m *reference) target(f *ast.FunctionDef, owner string, class *target) target {
	t := target{path: f.Name, class: class}
	if owner != "" {
		t.path = owner + "." + f.Name
	}
	first := f.Body[0]
	if len(f.Body) > 1 && isDocstring(first) {
		first = f.Body[1]
	}
	t.first, t.last = m.file.Row(first.Bounds().Start), m.file.Row(f.Body[len(f.Body)-1].Bounds().End)
	t.oneLine = t.first == m.file.Row(f.Start) && len(f.DecoratorList) == 0
	positional := slices.Concat(f.Args.PosOnlyArgs, f.Args.Args)
	plain := len(positional) - len(f.Args.Defaults)
	skip := 0
	if owner != "" && !decoratedBy(f, "staticmethod") {
		skip = 1
	}
	for i, a := range positional {
		if i < skip {
			continue
		}
		var value ast.Expr
		if i >= plain {
			value = f.Args.Defaults[i-plain]
		}
		t.parameters = append(t.parameters, parameter{kinds: m.suggest(f, a, value), spare: value != nil})
	}
	if a := f.Args.VarArg; a != nil {
		for range 2 {
			t.parameters = append(t.parameters, parameter{kinds: m.suggest(f, a, nil), spare: true})
		}
	}
	for i, a := range f.Args.KwOnlyArgs {
		value := f.Args.KwDefaults[i]
		t.parameters = append(t.parameters, parameter{prefix: a.Arg + "=", kinds: m.suggest(f, a, value), spare: value != nil})
	}
	return t
}

func isDocstring(s ast.Stmt) bool {
	e, is := s.(*ast.ExprStmt)
	if !is {
		return false
	}
	c, is := e.Value.(*ast.Constant)
	return is && c.Type == ast.Str
}

func decoratedBy(f *ast.FunctionDef, name string) bool {
	return slices.ContainsFunc(f.DecoratorList, func(e ast.Expr) bool { return lastName(e) == name })
}

// call returns guess n at a call of the target, nil if there are no more.
func (t *target) call(v *varier, n int) *probe {
	p := &probe{callee: t.path}
	text := t.path
	if t.class != nil {
		made := t.class.text(v, n)
		text = made + strings.TrimPrefix(t.path, t.class.path)
		name := t.path[len(t.class.path)+1:]
		if format, known := dunder(name); known {
			p.parts = []part{{code: &code{text: fmt.Sprintf(format, made, t.class.text(v, n+1))}}}
			return p
		}
		switch {
		case name == "__call__":
			text = made
		case strings.HasPrefix(name, "__"):
			return nil
		}
	}
	call := part{call: true, code: &code{text: text}}
	for i := range t.parameters {
		if a, ok := t.parameters[i].argument(v, n); ok {
			call.arguments = append(call.arguments, a)
		}
	}
	if t.async {
		var full strings.Builder
		_, shown, _, _ := call.render()
		full.WriteString("__import__('asyncio').run(" + shown + ")")
		p.parts = []part{{code: &code{text: full.String()}}}
		return p
	}
	p.parts = []part{call}
	return p
}

// dunder returns a format of the expression that calls a special method of an object, with
// another object beside it.
func dunder(method string) (format string, known bool) {
	switch method {
	case "__str__":
		return "str(%s)%.0s", true
	case "__repr__":
		return "repr(%s)%.0s", true
	case "__len__":
		return "len(%s)%.0s", true
	case "__iter__":
		return "list(%s)%.0s", true
	case "__bool__":
		return "bool(%s)%.0s", true
	case "__hash__":
		return "hash(%s) == hash(%s)", true
	case "__eq__":
		return "%s == %s", true
	case "__ne__":
		return "%s != %s", true
	case "__lt__":
		return "%s < %s", true
	case "__le__":
		return "%s <= %s", true
	case "__gt__":
		return "%s > %s", true
	case "__ge__":
		return "%s >= %s", true
	case "__add__":
		return "%s + %s", true
	case "__sub__":
		return "%s - %s", true
	case "__mul__":
		return "%s * %s", true
	case "__truediv__":
		return "%s / %s", true
	case "__neg__":
		return "-%s%.0s", true
	case "__abs__":
		return "abs(%s)%.0s", true
	}
	return "", false
}

// text returns an expression that makes an object of the class.
func (t *target) text(v *varier, n int) string {
	call := part{call: true, code: &code{text: t.path}}
	for i := range t.parameters {
		if a, ok := t.parameters[i].argument(v, n); ok {
			call.arguments = append(call.arguments, a)
		}
	}
	_, shown, _, _ := call.render()
	return shown
}

// argument returns the parameter's argument in guess n. The first guesses take
// the likeliest values of all parameters, the later ones any.
func (p *parameter) argument(v *varier, n int) (argument, bool) {
	if p.spare && n%3 == 2 {
		return argument{}, false
	}
	kind := p.kinds[0]
	if n >= 4 {
		// The likelier a kind is, the more often it comes.
		kind = p.kinds[min(v.rng.IntN(len(p.kinds)), v.rng.IntN(len(p.kinds)))]
	}
	value := pick(v, samples()[kind])
	for range v.rng.IntN(2) {
		value = v.vary(value)
	}
	text := value.String()
	return argument{p.prefix, &code{text: text, holes: []hole{{0, len(text), value}}}}, true
}

// The kinds of values that are tried for parameters.
const (
	sampleInt = iota
	sampleStr
	sampleInts
	sampleStrs
	sampleFloat
	sampleDict
	samplePairs
	sampleRows
	sampleTuple
	sampleSet
	sampleBool
	sampleNone
	sampleKinds
)

// samples are values of each kind, as they stand in tasks of this kind.
var samples = sync.OnceValue(func() (list [sampleKinds][]literal) {
	for kind, texts := range [sampleKinds][]string{
		sampleInt:   {"5", "3", "12", "2", "10", "7", "1"},
		sampleStr:   {"'hello world'", "'abc'", "'Python 3'", "'a,b,c'", "'racecar'", "'12'", "'x'"},
		sampleInts:  {"[3, 1, 2]", "[1, 2, 3, 4, 5]", "[5, -2, 7, 5, 0]", "[10]"},
		sampleStrs:  {"['a', 'bb', 'ccc']", "['pear', 'fig', 'apple']", "['x y', 'Z']"},
		sampleFloat: {"2.5", "0.5", "10.0"},
		sampleDict:  {"{'a': 1, 'b': 2}", "{'x': [1, 2], 'y': [3]}", "{1: 'one', 2: 'two'}", "{'a': ['b', 'c'], 'b': ['d'], 'c': [], 'd': []}"},
		samplePairs: {"[(1, 2), (3, 1), (2, 5)]", "[('a', 3), ('b', 1)]"},
		sampleRows:  {"[[1, 2, 3], [4, 5, 6], [7, 8, 9]]", "[[1, 2], [3, 4]]"},
		sampleTuple: {"(4, 1, 3)", "('a', 'b')", "(1, 2)"},
		sampleSet:   {"{1, 2, 3}", "{'a', 'b'}"},
		sampleBool:  {"True", "False"},
		sampleNone:  {"None"},
	} {
		for _, text := range texts {
			m, ok := parse(text)
			if !ok {
				panic("behaviour: sample " + text)
			}
			reader := literalReader{text: m.text, left: maxLiteral}
			value, _ := reader.read(m.body[0].(*ast.ExprStmt).Value, 0)
			list[kind] = append(list[kind], value)
		}
	}
	return list
})

// suggest returns all kinds, those first that what is said of a parameter and done
// with it speaks for.
func (m *reference) suggest(f *ast.FunctionDef, a *ast.Arg, value ast.Expr) []int {
	var points [sampleKinds]int
	give := func(n int, kinds ...int) {
		for _, k := range kinds {
			points[k] += n
		}
	}
	if a.Annotation != nil {
		give(100, annotated(a.Annotation)...)
	}
	if value != nil {
		reader := literalReader{text: m.text, left: maxLiteral}
		if l, ok := reader.read(value, 0); ok {
			give(50, kindsOf(&l)...)
		}
	}
	give(3, named(a.Arg)...)
	is := func(e ast.Node) bool {
		name, ok := e.(*ast.Name)
		return ok && name.ID == a.Arg
	}
	for _, s := range f.Body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Call:
				switch callee := lastName(n.Func); {
				case len(n.Args) > 0 && is(n.Args[0]):
					switch callee {
					case "len", "sorted", "list", "set", "enumerate", "reversed", "tuple":
						give(4, sampleInts, sampleStr, sampleStrs)
					case "sum", "max", "min":
						give(6, sampleInts)
					case "range", "chr", "abs", "sqrt", "bin", "factorial", "pow":
						give(8, sampleInt)
					case "ord", "int":
						give(6, sampleStr)
					case "str":
						give(4, sampleInt)
					}
				case callee == "range" && slices.ContainsFunc(n.Args, func(e ast.Expr) bool { return is(e) }):
					give(8, sampleInt)
				case callee == "isinstance":
				}
			case *ast.Attribute:
				if is(n.Value) {
					give(8, withMethod(n.Attr)...)
				}
			case *ast.Subscript:
				if is(n.Value) {
					give(4, sampleInts, sampleStr, sampleTuple, sampleRows)
					if c, ok := n.Slice.(*ast.Constant); ok && c.Type == ast.Str {
						give(8, sampleDict)
					}
				}
				if inner, ok := n.Value.(*ast.Subscript); ok && is(inner.Value) {
					give(9, sampleRows)
				}
				if is(n.Slice) {
					give(5, sampleInt)
				}
			case *ast.For:
				if is(n.Iter) {
					give(5, sampleInts, sampleStr, sampleStrs)
					if n.Target.Kind() == ast.KindTuple {
						give(8, samplePairs)
					}
				}
			case *ast.Comprehension:
				if is(n.Iter) {
					give(5, sampleInts, sampleStr, sampleStrs)
					if n.Target.Kind() == ast.KindTuple {
						give(8, samplePairs)
					}
				}
			case *ast.BinOp:
				if is(n.Left) || is(n.Right) {
					give(4, sampleInt, sampleFloat)
					if n.Op == ast.Mod || n.Op == ast.FloorDiv || n.Op >= ast.LShift {
						give(4, sampleInt)
					}
				}
			case *ast.Compare:
				sides := append([]ast.Expr{n.Left}, n.Comparators...)
				if slices.ContainsFunc(sides, func(e ast.Expr) bool { return is(e) }) {
					for _, side := range sides {
						reader := literalReader{text: m.text, left: maxLiteral}
						if l, ok := reader.read(side, 0); ok {
							if op := n.Ops[0]; op == ast.In || op == ast.NotIn {
								for i := range l.items { // t in (1, 2)
									give(4, kindsOf(&l.items[i])...)
								}
								continue
							}
							give(4, kindsOf(&l)...)
						}
					}
				}
			case *ast.AugAssign:
				if is(n.Target) {
					give(4, sampleInt)
				}
			}
			return true
		})
	}
	kinds := make([]int, sampleKinds)
	for i := range kinds {
		kinds[i] = i
	}
	slices.SortStableFunc(kinds, func(x, y int) int { return points[y] - points[x] })
	return kinds
}

// withMethod returns the kinds of values that have a method.
func withMethod(name string) []int {
	switch name {
	case "split", "upper", "lower", "strip", "replace", "find", "startswith", "endswith", "isalpha", "isdigit", "isalnum", "title",
		"capitalize", "encode", "splitlines", "join":
		return []int{sampleStr}
	case "append", "sort", "extend", "insert", "reverse":
		return []int{sampleInts}
	case "pop", "copy":
		return []int{sampleInts, sampleDict}
	case "items", "keys", "values", "get", "setdefault":
		return []int{sampleDict}
	case "update":
		return []int{sampleDict, sampleSet}
	case "add", "union", "intersection":
		return []int{sampleSet}
	case "count", "index":
		return []int{sampleStr, sampleInts}
	case "is_integer":
		return []int{sampleFloat}
	case "bit_length":
		return []int{sampleInt}
	}
	return nil
}

// annotated returns the kinds that an annotation means.
func annotated(e ast.Expr) []int {
	switch e := e.(type) {
	case *ast.Name:
		switch e.ID {
		case "int":
			return []int{sampleInt}
		case "str":
			return []int{sampleStr}
		case "float":
			return []int{sampleFloat}
		case "bool":
			return []int{sampleBool}
		case "list", "List", "Sequence", "Iterable":
			return []int{sampleInts, sampleStrs}
		case "dict", "Dict", "Mapping":
			return []int{sampleDict}
		case "tuple", "Tuple":
			return []int{sampleTuple}
		case "set", "Set":
			return []int{sampleSet}
		}
	case *ast.Subscript:
		inner := annotated(e.Slice)
		switch lastName(e.Value) {
		case "list", "List", "Sequence", "Iterable":
			switch {
			case slices.Contains(inner, sampleStr):
				return []int{sampleStrs}
			case slices.Contains(inner, sampleTuple):
				return []int{samplePairs}
			case slices.Contains(inner, sampleInts):
				return []int{sampleRows}
			}
			return []int{sampleInts}
		case "Optional":
			return inner
		}
		return annotated(e.Value)
	case *ast.BinOp:
		return annotated(e.Left)
	case *ast.Attribute:
		return annotated(&ast.Name{ID: e.Attr})
	}
	return nil
}

// kindsOf returns the kinds that a value is of.
func kindsOf(l *literal) []int {
	switch l.kind {
	case boolLiteral:
		return []int{sampleBool}
	case intLiteral:
		return []int{sampleInt}
	case floatLiteral:
		return []int{sampleFloat}
	case strLiteral:
		return []int{sampleStr}
	case listLiteral:
		return []int{sampleInts}
	case tupleLiteral:
		return []int{sampleTuple}
	case setLiteral:
		return []int{sampleSet}
	case dictLiteral:
		return []int{sampleDict}
	}
	return nil
}

// named returns the kinds that a parameter's name suggests.
func named(name string) []int {
	name = strings.ToLower(strings.TrimRight(name, "0123456789_"))
	switch name {
	case "n", "k", "m", "i", "j", "x", "y", "z", "num", "number", "count", "size", "a", "b", "c", "p", "q", "r", "length", "limit", "year", "month", "day", "index", "start", "end", "left", "right", "value", "base", "width", "height":
		return []int{sampleInt}
	case "s", "st", "str", "string", "text", "word", "sentence", "line", "name", "char", "ch", "pattern", "title", "message", "sep", "path", "key", "expression":
		return []int{sampleStr}
	case "l", "lst", "list", "arr", "array", "nums", "numbers", "items", "data", "values", "seq", "sequence":
		return []int{sampleInts}
	case "words", "strings", "names", "lines", "texts":
		return []int{sampleStrs}
	case "d", "dict", "dictionary", "mapping", "graph", "counts":
		return []int{sampleDict}
	case "matrix", "grid", "rows", "board", "mat", "table":
		return []int{sampleRows}
	case "pairs", "tuples", "intervals", "edges", "points":
		return []int{samplePairs}
	case "t", "tup", "tuple", "point", "pair":
		return []int{sampleTuple}
	case "price", "rate", "ratio", "radius":
		return []int{sampleFloat}
	case "flag":
		return []int{sampleBool}
	}
	return nil
}
