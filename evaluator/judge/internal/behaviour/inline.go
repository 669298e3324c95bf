package behaviour

import (
	"cmp"
	"slices"
	"strings"

	"codelinter/ast"
	symbols "codelinter/internal/equiv/scope"
)

// An unreached part of an answer is looked up in the program by its text. A model
// that repairs a program likes to name its parts:
//
//	condition = number < 0          |   if number < 0:
//	if condition:                   |       return NONE % number
//	    return refuse(number)       |
//
// So in a part's key a variable that is bound once is replaced by its value. A call
// of a function that only returns an expression, and that the program does not
// have, is replaced by this expression.

// Bounds of inlining.
const (
	maxInlined = 10_000 // bytes of a key, and of its replacements
	maxInlines = 500    // names and calls of one function
	inlineRuns = 8      // nesting of inlined names
)

// An inliner has the values of the names of a function or a module.
type inliner struct {
	values   map[string]ast.Expr
	replacer *strings.Replacer
}

// newInliner returns the inliner of a function of a module, whose own inliner is outer, or of the module
// itself if function is nil.
func (m *module) newInliner(function *ast.FunctionDef, outer *inliner, helpers map[string]*ast.FunctionDef) *inliner {
	body := m.body
	if function != nil {
		body = []ast.Stmt{function}
	}
	in := &inliner{values: m.once(function)}
	if outer != nil {
		for name, value := range outer.values {
			if _, shadowed := in.values[name]; !shadowed {
				in.values[name] = value
			}
		}
	}
	pairs := callsOf(helpers, body)
	for _, name := range sortedKeys(in.values) {
		if value := in.values[name]; value != nil && len(pairs) < 2*maxInlines {
			if text := dumpOf(value); len(text) <= maxInlined {
				pairs = append(pairs, dumpOf(&ast.Name{ID: name, Ctx: ast.Load}), text)
			}
		}
	}
	in.replacer = strings.NewReplacer(pairs...)
	return in
}

// once returns the names that a function and the functions in it bind, or the module. The value of one
// that is bound once, by an assignment, and read, is its value; that of others is nil.
func (m *module) once(function *ast.FunctionDef) map[string]ast.Expr {
	table := m.names()
	values, symbol := map[string]ast.Expr{}, map[string]int32{}
	at := 0
	if function != nil {
		at, _ = slices.BinarySearchFunc(table.Bindings, function.Start, func(b symbols.Binding, start int32) int { return cmp.Compare(b.Offset, start) })
	}
	for ; at < len(table.Bindings) && (function == nil || table.Bindings[at].Offset < function.End); at++ {
		b := &table.Bindings[at]
		s := &table.Symbols[b.Symbol]
		if function == nil && s.Scope != 0 {
			continue
		}
		name := table.Names[s.Name].Text
		value, _ := b.Value.(ast.Expr)
		other, known := symbol[name]
		if known && other != b.Symbol || s.Stores != 1 || s.Dels > 0 || s.Rebound || s.Loads == 0 || table.Scopes[s.Scope].Kind == symbols.ClassScope {
			value = nil
		}
		values[name], symbol[name] = live(value), b.Symbol
	}
	return values
}

// value returns the value of e if that is a name with a known value, or nil.
func (in *inliner) value(e ast.Expr) ast.Expr {
	if name, is := e.(*ast.Name); is {
		return in.values[name.ID]
	}
	return nil
}

// key returns a key with names and calls inlined. Inlining may change the order of calls. Then
// the key says so:
//
//	right = stack.pop()             |   return stack.pop() - stack.pop()
//	left = stack.pop()              |
//	return left - right             |
func (in *inliner) key(key string) string {
	last := int32(0)
	for _, rest := range strings.Split(key, "Name(id='")[1:] {
		name, _, _ := strings.Cut(rest, "'")
		if value := in.values[name]; value != nil && strings.Contains(dumpOf(value), "Call(") {
			if value.Bounds().Start < last {
				key = "reordered " + key
				break
			}
			last = value.Bounds().Start
		}
	}
	for range inlineRuns {
		next := in.replacer.Replace(key)
		if len(next) > maxInlined || next == key {
			break
		}
		key = next
	}
	return key
}

// helpers returns the functions of a module that only return an expression and
// that the program does not define.
func (m *module) helpers(program map[string]*ast.FunctionDef) map[string]*ast.FunctionDef {
	found := map[string]*ast.FunctionDef{}
	table := m.names()
	for _, s := range m.body {
		f, is := s.(*ast.FunctionDef)
		if !is || program[f.Name] != nil || len(f.DecoratorList) > 0 || len(parametersOf(f.Args)) != len(parameters(f)) || len(f.Args.Defaults) > 0 {
			continue
		}
		rest := withoutDoc(f.Body)
		if result, is := rest[0].(*ast.Return); is && len(rest) == 1 && result.Value != nil && table.Symbols[table.Lookup(0, f.Name)].Stores == 1 {
			found[f.Name] = f
		}
	}
	return found
}

// callsOf returns the calls of helpers in body that pass all parameters by position, each
// followed by the expression that it returns.
func callsOf(helpers map[string]*ast.FunctionDef, body []ast.Stmt) (pairs []string) {
	if len(helpers) == 0 {
		return nil
	}
	each(body, func(n ast.Node) bool {
		call, is := n.(*ast.Call)
		if !is || len(pairs) > maxInlines {
			return true
		}
		name, _ := call.Func.(*ast.Name)
		if name == nil || helpers[name.ID] == nil {
			return true
		}
		f := helpers[name.ID]
		if len(call.Keywords) > 0 || len(call.Args) != len(parameters(f)) || slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return e.Kind() == ast.KindStarred }) {
			return true
		}
		var arguments []string
		for i, name := range parameters(f) {
			arguments = append(arguments, dumpOf(&ast.Name{ID: name, Ctx: ast.Load}), dumpOf(call.Args[i]))
		}
		result := dumpOf(f.Body[len(f.Body)-1].(*ast.Return).Value)
		if result = strings.NewReplacer(arguments...).Replace(result); len(result) <= maxInlined {
			pairs = append(pairs, dumpOf(call), result)
		}
		return true
	})
	return pairs
}
