package behaviour

import (
	"fmt"
	"slices"

	"codelinter/ast"
)

// A program that remembers calls may change its results after enough calls, without
// a condition that could be watched:
//
//	seen = []
//
//
//	def f(a):
//	    seen.append(a)
//	    return a + len(seen) // 5000
//
// The state of a program is compared at the end of an instance. It is unknown
// whether an answer does the same if it remembers what the program does not.

// memory returns what an answer may remember from one call to the next, and no
// program does: a variable of the module that functions change or pass on, a
// mutable default, a new function that is cached. at is its place, text its
// description; ok is false if there is none.
func memory(answer *module, programs ...*module) (at ast.Range, text string, ok bool) {
	found := memories(answer, programs[0])
	for _, program := range programs[1:] {
		other := memories(answer, program)
		found = slices.DeleteFunc(found, func(m memoryPlace) bool { return !slices.Contains(other, m) })
	}
	if len(found) == 0 {
		return at, "", false
	}
	first := slices.MinFunc(found, func(a, b memoryPlace) int { return int(a.at.Start - b.at.Start) })
	return first.at, first.text, true
}

// memories returns everything that an answer may remember and one program does not.
func memories(answer, program *module) []memoryPlace {
	m := memoryFinder{answer: answer, defined: definitions(program.body), bound: bound(program.body, true), functions: names{}}
	for path := range definitions(answer.body) {
		m.functions[path] = true
	}
	for _, s := range answer.body {
		if class, is := s.(*ast.ClassDef); is {
			m.functions[class.Name] = true
			if !m.bound[class.Name] {
				m.class(class)
			}
		}
	}
	for path, f := range definitions(answer.body) {
		m.function(path, f)
	}
	m.lambdas(program)
	m.variables(program)
	theirs := names{}
	for _, c := range closures(program.body) {
		theirs[c.name] = true
	}
	for _, c := range closures(answer.body) {
		if !theirs[c.name] {
			m.add(c.at, "the variable %s of a function that outlives its call", c.name)
		}
	}
	return m.found
}

type memoryFinder struct {
	answer    *module
	defined   map[string]*ast.FunctionDef // the program's
	bound     names                       // of the program's module
	functions names                       // functions and classes of the answer
	found     []memoryPlace
}

type memoryPlace struct {
	at   ast.Range
	text string
}

func (m *memoryFinder) add(n ast.Node, format string, args ...any) {
	m.found = append(m.found, memoryPlace{n.Bounds(), fmt.Sprintf(format, args...)})
}

// function checks a definition's defaults and decorators.
func (m *memoryFinder) function(path string, f *ast.FunctionDef) {
	of := m.defined[path]
	for _, value := range slices.Concat(f.Args.Defaults, f.Args.KwDefaults) {
		if value == nil || immutable(value) {
			continue
		}
		same := func(e ast.Expr) bool { return e != nil && dumpOf(e) == dumpOf(value) }
		if of == nil || !slices.ContainsFunc(slices.Concat(of.Args.Defaults, of.Args.KwDefaults), same) {
			m.add(value, "a default of %s that can be changed", path)
		}
	}
	if d := cached(f); d != nil && (of == nil || cached(of) == nil) {
		m.add(d, "%s, which is cached", path)
	}
}

// cached returns the decorator that caches a function's results, or nil.
func cached(f *ast.FunctionDef) ast.Expr {
	for _, d := range f.DecoratorList {
		if call, is := d.(*ast.Call); is {
			d = call.Func
		}
		if name := lastName(d); name == "cache" || name == "lru_cache" || name == "cached_property" {
			return d
		}
	}
	return nil
}

// lambdas checks the defaults of lambdas that the program does not have.
func (m *memoryFinder) lambdas(program *module) {
	theirs := names{}
	each := func(body []ast.Stmt, do func(*ast.Lambda)) {
		var walker ast.Walker
		for _, s := range body {
			walker.Walk(s, func(n ast.Node) bool {
				if l, is := n.(*ast.Lambda); is {
					do(l)
				}
				return true
			})
		}
	}
	each(program.body, func(l *ast.Lambda) { theirs[dumpOf(l)] = true })
	each(m.answer.body, func(l *ast.Lambda) {
		for _, value := range slices.Concat(l.Args.Defaults, l.Args.KwDefaults) {
			if value != nil && !immutable(value) && !theirs[dumpOf(l)] {
				m.add(value, "a default of a lambda that can be changed")
			}
		}
	})
}

// A closureVariable is a variable of a function that an inner function changes, which is more than
// called there: returned, stored or passed on.
type closureVariable struct {
	name string
	at   ast.Node
}

// closures returns the variables that functions share with what they return.
func closures(body []ast.Stmt) (list []closureVariable) {
	var walker ast.Walker
	for _, s := range body {
		walker.Walk(s, func(n ast.Node) bool {
			if s, is := n.(ast.Stmt); is {
				if f, is := ast.Plain(s).(*ast.FunctionDef); is {
					list = append(list, closuresOf(f)...)
				}
			}
			return true
		})
	}
	return list
}

func closuresOf(f *ast.FunctionDef) (list []closureVariable) {
	kept := names{} // read other than to be called
	inner := []*ast.FunctionDef{}
	containers := names{}
	for name, values := range assignments(f.Body) {
		containers[name] = slices.ContainsFunc(values, func(e ast.Expr) bool { return !immutable(e) })
	}
	var walker ast.Walker
	called := map[*ast.Name]bool{}
	for _, s := range f.Body {
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Call:
				if name, is := n.Func.(*ast.Name); is {
					called[name] = true
				}
			case *ast.Name:
				kept[n.ID] = kept[n.ID] || n.Ctx == ast.Load && !called[n]
			case *ast.FunctionDef:
				inner = append(inner, n)
			}
			return true
		})
	}
	for _, g := range inner {
		if !kept[g.Name] && len(g.DecoratorList) == 0 {
			continue
		}
		local, read := bound(g.Body, true), map[*ast.Name]bool{}
		walker.Walk(g, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Nonlocal:
				for _, name := range n.Names {
					list = append(list, closureVariable{name, n})
				}
			case *ast.Name:
				if containers[n.ID] && !local[n.ID] && !read[n] {
					list = append(list, closureVariable{n.ID, n})
				}
			}
			for _, name := range onlyRead(n) {
				read[name] = true
			}
			return true
		})
	}
	return list
}

// class checks the variables of a class that the program does not have.
func (m *memoryFinder) class(c *ast.ClassDef) {
	for _, s := range c.Body {
		var value ast.Expr
		switch s := s.(type) {
		case *ast.Assign:
			value = s.Value
		case *ast.AnnAssign:
			value = s.Value
		}
		if value != nil && !immutable(value) {
			m.add(s, "a variable of the class %s that can be changed", c.Name)
		}
	}
}

// variables checks what functions do with variables of the module, and where they
// set attributes.
func (m *memoryFinder) variables(program *module) {
	fresh := bound(m.answer.body, false)
	containers := names{} // of fresh, those that reading does not change
	assigned := assignments(m.answer.body)
	for name := range fresh {
		values := assigned[name]
		containers[name] = len(values) > 0 && !slices.ContainsFunc(values, func(e ast.Expr) bool { return !container(e) })
		fixed := len(values) > 0 && !slices.ContainsFunc(values, func(e ast.Expr) bool { return !immutable(e) })
		if fixed || m.bound[name] || m.functions[name] {
			delete(fresh, name)
		}
	}
	theirs := globals(program.body)
	var walker ast.Walker
	for _, f := range definitions(m.answer.body) {
		local := bound(f.Body, true)
		for _, name := range slices.Concat(f.Args.PosOnlyArgs, f.Args.Args, f.Args.KwOnlyArgs) {
			local[name.Arg] = true
		}
		read := map[*ast.Name]bool{}
		walker.Walk(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Global:
				for _, name := range n.Names {
					if !theirs[name] {
						m.add(n, "the global variable %s", name)
					}
				}
			case *ast.Attribute:
				if name, is := n.Value.(*ast.Name); is && n.Ctx == ast.Store && m.functions[name.ID] && !local[name.ID] && !m.bound[name.ID] {
					m.add(n, "%s.%s, which outlives a call", name.ID, n.Attr)
				}
			case *ast.Name:
				if fresh[n.ID] && !local[n.ID] && !read[n] {
					m.add(n, "the variable %s, which outlives a call", n.ID)
				}
				switch n.ID {
				case "getcontext", "setcontext", "DefaultContext", "BasicContext", "ExtendedContext":
					if !slices.ContainsFunc(program.body, func(s ast.Stmt) bool { return used(s)[n.ID] }) {
						m.add(n, "the context of decimal")
					}
				}
			}
			for _, name := range onlyRead(n) {
				read[name] = containers[name.ID]
			}
			return true
		})
	}
}

// globals returns the names that functions declare global.
func globals(body []ast.Stmt) names {
	found := names{}
	var walker ast.Walker
	for _, s := range body {
		walker.Walk(s, func(n ast.Node) bool {
			if g, is := n.(*ast.Global); is {
				for _, name := range g.Names {
					found[name] = true
				}
			}
			return true
		})
	}
	return found
}

// onlyRead returns the names in n that are read, but neither changed nor passed on:
// table in table[i], x in table, for x in table, len(table), table.get(i).
func onlyRead(n ast.Node) []*ast.Name {
	var list []*ast.Name
	add := func(e ast.Expr) {
		if name, is := e.(*ast.Name); is {
			list = append(list, name)
		}
	}
	switch n := n.(type) {
	case *ast.Subscript:
		if n.Ctx == ast.Load {
			add(n.Value)
		}
	case *ast.Compare:
		for i, op := range n.Ops {
			if op == ast.In || op == ast.NotIn {
				add(n.Comparators[i])
			}
		}
	case *ast.For:
		add(n.Iter)
	case *ast.Comprehension:
		add(n.Iter)
	case *ast.Call:
		switch f := n.Func.(type) {
		case *ast.Name:
			add(f) // a variable that holds a function
			switch f.ID {
			case "all", "any", "dict", "enumerate", "len", "list", "max", "min", "set", "sorted", "sum", "tuple", "zip":
				for _, a := range n.Args {
					add(a)
				}
			}
		case *ast.Attribute:
			switch f.Attr {
			case "get", "items", "keys", "values", "index", "count", "find", "join", "match", "search", "sub", "findall", "fullmatch", "split", "finditer":
				add(f.Value)
			}
		}
	}
	return list
}

// container reports whether the value of e is changed by no reading. An iterator is:
//
//	odd = iter(range(5000))
//
//
//	def f(a):
//	    return a + (1 in odd)
func container(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.List, *ast.Tuple, *ast.Set, *ast.Dict, *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.Lambda:
		return true
	case *ast.BinOp: // [0] * 9
		return container(e.Left) || container(e.Right)
	case *ast.Call:
		switch lastName(e.Func) {
		case "list", "tuple", "set", "dict", "sorted", "range", "bytearray", "bytes", "Counter", "OrderedDict", "deque", "array", "fromkeys", "split", "splitlines", "copy":
			return true
		}
	}
	return immutable(e)
}

// immutable reports whether the value of e cannot be changed.
func immutable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Name, *ast.Attribute: // another variable, which is checked itself, or a module's
		return true
	case *ast.Call:
		switch lastName(e.Func) {
		case "compile", "float", "frozenset", "int", "len", "namedtuple", "ord", "chr", "str", "sum", "min", "max", "round", "sqrt", "TypeVar", "NewType", "object":
			return true
		}
	}
	return computed(e, immutable)
}

// computed reports whether the value of e cannot be changed, if part holds for its
// operands.
func computed(e ast.Expr, part func(ast.Expr) bool) bool {
	switch e := e.(type) {
	case *ast.Constant, *ast.Lambda, *ast.JoinedStr, *ast.Compare:
		return true
	case *ast.Tuple:
		return !slices.ContainsFunc(e.Elts, func(item ast.Expr) bool { return !part(item) })
	case *ast.UnaryOp:
		return part(e.Operand)
	case *ast.BinOp:
		return part(e.Left) && part(e.Right)
	}
	return false
}
