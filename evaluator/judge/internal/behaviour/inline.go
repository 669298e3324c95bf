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

// newInliner returns the inliner of statements: of a function of the module whose inliner is
// outer, or of the module itself if that is nil.
func newInliner(body []ast.Stmt, outer *inliner, helpers map[string]*ast.FunctionDef) *inliner {
	in := &inliner{values: once(body, outer == nil)}
	if outer != nil {
		shadowed := bindings(body, false)
		for name, value := range outer.values {
			if shadowed[name] == 0 {
				in.values[name] = value
			}
		}
	}
	pairs := callsOf(helpers, body)
	for _, name := range slices.Sorted(maps.Keys(in.values)) {
		if text := dumpOf(in.values[name]); len(text) <= maxInlined {
			pairs = append(pairs, dumpOf(&ast.Name{ID: name, Ctx: ast.Load}), text)
		}
	}
	in.replacer = strings.NewReplacer(pairs...)
	return in
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
	if reorders(key, in.values) {
		key = "reordered " + key
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

// reorders reports whether a key has two names whose values are calls, and the calls were
// made in the other order.
func reorders(key string, values map[string]ast.Expr) bool {
	last := int32(0)
	for _, rest := range strings.Split(key, "Name(id='")[1:] {
		name, _, _ := strings.Cut(rest, "'")
		if value := values[name]; value != nil && hasCall(value) {
			if value.Bounds().Start < last {
				return true
			}
			last = value.Bounds().Start
		}
	}
	return false
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
// and read, with their values. With module, functions are skipped.
func once(body []ast.Stmt, module bool) map[string]ast.Expr {
	count := bindings(body, module)
	read := names{}
	for _, s := range body {
		maps.Copy(read, used(s))
	}
	values := map[string]ast.Expr{}
	each(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDef, *ast.AsyncFunctionDef:
			return !module
		case *ast.ClassDef:
			return false
		case *ast.Assign:
			name, is := n.Targets[0].(*ast.Name)
			if is && len(n.Targets) == 1 && count[name.ID] == 1 && read[name.ID] && len(values) < maxInlines {
				values[name.ID] = live(n.Value)
			}
		}
		return true
	})
	return values
}

// bindings counts the bindings of each name by statements and in their functions,
// parameters included. A global or nonlocal declaration in a function counts
// twice. With module, only these declarations count in functions.
func bindings(body []ast.Stmt, module bool) map[string]int {
	count := map[string]int{}
	each(body, func(n ast.Node) bool {
		count[ast.Binds(n)]++
		if name, is := n.(*ast.Name); is && name.Ctx == ast.Del {
			count[name.ID]++
		}
		return !module || !ast.OpensScope(n)
	})
	each(body, func(n ast.Node) bool {
		var declared []string
		switch n := n.(type) {
		case *ast.Global:
			declared = n.Names
		case *ast.Nonlocal:
			declared = n.Names
		}
		for _, name := range declared {
			count[name] += 2
		}
		return true
	})
	return count
}

// helpers returns the functions of a module that only return an expression and
// that the program does not define.
func helpers(body []ast.Stmt, program map[string]*ast.FunctionDef) map[string]*ast.FunctionDef {
	found := map[string]*ast.FunctionDef{}
	count := bindings(body, true)
	for _, s := range body {
		f, is := s.(*ast.FunctionDef)
		if !is || program[f.Name] != nil || count[f.Name] != 1 || len(f.DecoratorList) > 0 || len(found) == maxInlines {
			continue
		}
		if a := f.Args; len(a.Defaults)+len(a.KwOnlyArgs) > 0 || a.VarArg != nil || a.KwArg != nil {
			continue
		}
		rest := f.Body
		if len(rest) > 1 && ast.IsText(rest[0]) {
			rest = rest[1:]
		}
		if result, is := rest[0].(*ast.Return); is && len(rest) == 1 && result.Value != nil {
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
