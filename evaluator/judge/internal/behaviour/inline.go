package behaviour

import (
	"maps"
	"slices"
	"strings"

	"codelinter/ast"
)

// An unreached part of an answer is looked up in the program by its text. A model
// that repairs a program likes to name its parts:
//
//	condition = number < 0          |   if number < 0:
//	if condition:                   |       return NONE % number
//	    return refuse(number)       |
//
// So in a gap's key a variable that is bound once is replaced by its value. A call
// of a function that only returns an expression, and that the program does not
// have, is replaced by this expression.

// Bounds of inlining.
const (
	maxInlined = 10_000 // bytes of a key, and of its replacements
	maxInlines = 500    // names and calls of one function
	inlineRuns = 8      // nesting of inlined names
)

// An inliner has the values of a layout's names.
type inliner struct {
	units  []inlineUnit
	module *strings.Replacer
	global map[string]ast.Expr
	bound  map[*ast.Assign]bool      // assignments whose values are inlined
	bodies map[*ast.FunctionDef]bool // functions that are inlined in every call
}

// An inlineUnit is a top-level function or a method.
type inlineUnit struct {
	at       ast.Range
	values   map[string]ast.Expr
	replacer *strings.Replacer
}

// newInliner returns the inliner of a module; what measure defines is not inlined.
func newInliner(body []ast.Stmt, measure map[string]*ast.FunctionDef) *inliner {
	in := &inliner{bound: map[*ast.Assign]bool{}, bodies: map[*ast.FunctionDef]bool{}}
	var functions []ast.Stmt
	collect := func(body []ast.Stmt) {
		for _, s := range body {
			switch s.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef:
				functions = append(functions, s)
			}
		}
	}
	collect(body)
	for _, s := range body {
		if class, is := s.(*ast.ClassDef); is {
			collect(class.Body)
		}
	}
	helpers := in.helpers(body, measure)
	in.global = once(body, true, in.bound)
	in.module = in.replacer(body, in.global, helpers)
	for _, f := range functions {
		unit := []ast.Stmt{f}
		values := once(unit, false, in.bound)
		shadowed := bindings(unit, false)
		for name, value := range in.global {
			if shadowed[name] == 0 {
				values[name] = value
			}
		}
		in.units = append(in.units, inlineUnit{f.Bounds(), values, in.replacer(unit, values, helpers)})
	}
	return in
}

// unit returns the function that contains an offset, or nil in the module itself.
func (in *inliner) unit(offset int32) *inlineUnit {
	for i := range in.units {
		if u := &in.units[i]; u.at.Start <= offset && offset < u.at.End {
			return u
		}
	}
	return nil
}

// value returns the value of a name, or nil if it is unknown.
func (in *inliner) value(name *ast.Name) ast.Expr {
	if u := in.unit(name.Start); u != nil {
		return u.values[name.ID]
	}
	return in.global[name.ID]
}

// key returns the key of a gap at an offset, with names and calls inlined. Inlining may
// change the order of calls. Then the key says so:
//
//	right = stack.pop()             |   return stack.pop() - stack.pop()
//	left = stack.pop()              |
//	return left - right             |
func (in *inliner) key(key string, offset int32) string {
	replacer, values := in.module, in.global
	if u := in.unit(offset); u != nil {
		replacer, values = u.replacer, u.values
	}
	if reorders(key, values) {
		key = "reordered " + key
	}
	for range inlineRuns {
		next := replacer.Replace(key)
		if len(next) > maxInlined || next == key {
			break
		}
		key = next
	}
	return key
}

// reorders reports whether a key has two names whose values are calls, and the calls were
// made in the other order.
func reorders(key string, values map[string]ast.Expr) bool {
	const mark = "Name(id='"
	last := int32(0)
	for {
		_, rest, found := strings.Cut(key, mark)
		if !found {
			return false
		}
		name, _, _ := strings.Cut(rest, "'")
		if value := values[name]; value != nil && hasCall(value) {
			if value.Bounds().Start < last {
				return true
			}
			last = value.Bounds().Start
		}
		key = rest
	}
}

// hasCall reports whether e has a call.
func hasCall(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		found = found || n.Kind() == ast.KindCall
		return !found
	})
	return found
}

// once returns the variables that statements bind once, by a simple assignment,
// and read, with their values. With module, functions are skipped. The assignments
// are added to bound unless it is nil.
func once(body []ast.Stmt, module bool, bound map[*ast.Assign]bool) map[string]ast.Expr {
	count := bindings(body, module)
	read := names{}
	for _, s := range body {
		for name := range used(s) {
			read[name] = true
		}
	}
	values := map[string]ast.Expr{}
	var walker ast.Walker
	for _, s := range body {
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef:
				return !module
			case *ast.ClassDef:
				return false
			case *ast.Assign:
				if len(n.Targets) != 1 {
					break
				}
				if name, is := n.Targets[0].(*ast.Name); is && count[name.ID] == 1 && read[name.ID] && len(values) < maxInlines {
					values[name.ID] = settled(n.Value)
					if bound != nil {
						bound[n] = true
					}
				}
			}
			return true
		})
	}
	return values
}

// settled returns the arm that a constant chooses, as CPython's compiler does: B of
// A if False else B. Otherwise it returns e.
func settled(e ast.Expr) ast.Expr {
	for {
		choice, is := e.(*ast.IfExp)
		if !is {
			return e
		}
		switch constant, _ := choice.Test.(*ast.Constant); {
		case constant == nil:
			return e
		case constant.Type == ast.True:
			e = choice.Body
		case constant.Type == ast.False || constant.Type == ast.None:
			e = choice.Orelse
		default:
			return e
		}
	}
}

// bindings counts the bindings of each name by statements and in their functions,
// parameters included. A global or nonlocal declaration in a function counts
// twice. With module, only these declarations count in functions.
func bindings(body []ast.Stmt, module bool) map[string]int {
	count := map[string]int{}
	var walker ast.Walker
	for _, s := range body {
		walker.Walk(s, func(n ast.Node) bool {
			count[ast.Binds(n)]++
			switch n := n.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef:
				if module {
					declared(n, count)
				}
				return !module
			case *ast.Name:
				if n.Ctx == ast.Del {
					count[n.ID]++
				}
			}
			return true
		})
		declared(s, count)
	}
	return count
}

// declared counts the names of global and nonlocal statements.
func declared(n ast.Node, count map[string]int) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Global:
			for _, name := range n.Names {
				count[name] += 2
			}
		case *ast.Nonlocal:
			for _, name := range n.Names {
				count[name] += 2
			}
		}
		return true
	})
}

// helpers returns the functions of a module that only return an expression and
// that measure does not define.
func (in *inliner) helpers(body []ast.Stmt, measure map[string]*ast.FunctionDef) map[string]*ast.FunctionDef {
	found := map[string]*ast.FunctionDef{}
	count := bindings(body, true)
	for _, s := range body {
		f, is := s.(*ast.FunctionDef)
		if !is || measure[f.Name] != nil || count[f.Name] != 1 || len(f.DecoratorList) > 0 || len(found) == maxInlines {
			continue
		}
		args := f.Args
		if len(args.Defaults)+len(args.KwOnlyArgs) > 0 || args.VarArg != nil || args.KwArg != nil {
			continue
		}
		rest := f.Body
		if len(rest) > 1 && isDocstring(rest[0]) {
			rest = rest[1:]
		}
		if result, is := rest[0].(*ast.Return); is && len(rest) == 1 && result.Value != nil {
			found[f.Name] = f
			in.bodies[f] = true
		}
	}
	return found
}

// helperOf returns the helper that is called, or nil unless the call passes all
// parameters by position.
func helperOf(helpers map[string]*ast.FunctionDef, call *ast.Call) *ast.FunctionDef {
	name, is := call.Func.(*ast.Name)
	if !is || helpers[name.ID] == nil || len(call.Keywords) > 0 || len(call.Args) != len(parameters(helpers[name.ID])) {
		return nil
	}
	if slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return e.Kind() == ast.KindStarred }) {
		return nil
	}
	return helpers[name.ID]
}

// replacer returns a replacer of names by their values, and of calls of helpers in
// body by the expressions that these return.
func (in *inliner) replacer(body []ast.Stmt, values map[string]ast.Expr, helpers map[string]*ast.FunctionDef) *strings.Replacer {
	var pairs []string
	read := func(name string) string { return dumpOf(&ast.Name{ID: name, Ctx: ast.Load}) }
	if len(helpers) > 0 {
		called := map[*ast.Name]bool{}
		var walker ast.Walker
		for _, s := range body {
			walker.Walk(s, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Call:
					f := helperOf(helpers, n)
					if f == nil || len(pairs) > maxInlines {
						break
					}
					var arguments []string
					for i, name := range parameters(f) {
						arguments = append(arguments, read(name), dumpOf(n.Args[i]))
					}
					result := dumpOf(f.Body[len(f.Body)-1].(*ast.Return).Value)
					if result = strings.NewReplacer(arguments...).Replace(result); len(result) <= maxInlined {
						pairs = append(pairs, dumpOf(n), result)
						called[n.Func.(*ast.Name)] = true
					}
				case *ast.Name:
					if f := helpers[n.ID]; f != nil && !called[n] {
						delete(in.bodies, f) // it is also passed as a value
					}
				}
				return true
			})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if text := dumpOf(values[name]); len(text) <= maxInlined {
			pairs = append(pairs, read(name), text)
		}
	}
	return strings.NewReplacer(pairs...)
}
