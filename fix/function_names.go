package fix

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/util/lazy"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// What shows the name of a function: of each, and of one that is given to a function of another
// module. Reports of profilers and threads have it, and what is pickled is found by it.
var (
	showNames   = []string{"__name__", "__qualname__", "__code__", "co_name", "co_qualname", "f_code", "func_name", "funcName", "<lambda>"}
	showFrames  = []string{"inspect", "traceback", "cProfile", "profile", "pstats", "trace", "dis", "faulthandler", "sys.monitoring"}
	showObjects = []string{"pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "multiprocessing", "concurrent.futures", "threading", "unittest", "doctest",
		"pydoc", "functools", "timeit", "argparse", "asyncio", "contextlib", "contextvars", "dataclasses", "optparse", "reprlib", "pprint", "sched", "tkinter", "typing", "warnings",
		"xmlrpc", "click", "typer", "fire", "flask", "fastapi", "celery", "numba", "pytest"}
)

// showsName reports whether the program may see that a lambda becomes a def: it reads names of
// functions, gets another error for a call with other arguments than the lambda takes, or keeps the
// function where a text may be made of it.
func (s *analysis) showsName(name *ast.Name, lambda *ast.Lambda) bool {
	l := s.mentions()
	if l.hasAttribute(showNames) || has(l.modules, showFrames) {
		return true
	}
	method := s.isInClass(name.Start)
	fine := map[ast.Expr]bool{} // uses that do not show it
	given, shown := false, false
	ast.Inspect(s.module, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Call:
			fine[n.Func] = n.Func.Kind() == ast.KindName && takes(lambda.Args, n, 0) || method && isSelf(lambda.Args) && takes(lambda.Args, n, 1)
			toOthers := s.callsOthers(n)
			s.eachArgument(n, func(argument ast.Expr, isFunction bool, count int) {
				fine[argument] = isFunction && takesCount(lambda.Args, count) || toOthers
				given = given || !isFunction && lastName(argument) == name.ID
			})
		case *ast.Name:
			shown = shown || n.ID == name.ID && n.Ctx == ast.Load && !fine[n]
		case *ast.Attribute:
			shown = shown || n.Attr == name.ID && n.Ctx == ast.Load && !fine[n] && method
		}
		return !shown
	})
	return shown || given && has(l.modules, showObjects)
}

// A functionPlace is the argument of one of Python's functions that is called with so many
// arguments, and not kept: by position, or by keyword.
type functionPlace struct {
	position int
	keyword  string
	count    int
}

// functionPlaces has the functions' places.
var functionPlaces = lazy.Value[map[string]functionPlace]{Make: func() map[string]functionPlace {
	return map[string]functionPlace{
		"map": {0, "", -1}, "filter": {0, "", 1}, "sorted": {-1, "key", 1}, "min": {-1, "key", 1}, "max": {-1, "key", 1}, "sort": {-1, "key", 1}, "iter": {0, "", 0}, "reduce": {0, "", 2},
		"groupby": {1, "key", 1}, "takewhile": {0, "", 1}, "dropwhile": {0, "", 1}, "filterfalse": {0, "", 1}, "accumulate": {1, "func", 2}, "nlargest": {-1, "key", 1}, "nsmallest": {-1, "key", 1},
	}
}}

// eachArgument yields the arguments of a call. isFunction says that the argument is a function
// which is called with so many arguments.
func (s *analysis) eachArgument(call *ast.Call, yield func(argument ast.Expr, isFunction bool, count int)) {
	name := ast.CalledName(call)
	place, is := functionPlaces.Get()[name]
	is = is && len(s.mentions().functions[name]) == 0
	count := place.count
	if count < 0 {
		count = len(call.Args) - 1
		is = is && !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return e.Kind() == ast.KindStarred })
	}
	for i, argument := range call.Args {
		yield(argument, is && i == place.position, count)
	}
	for _, k := range call.Keywords {
		yield(k.Value, is && k.Arg != "" && k.Arg == place.keyword, count)
	}
}

// callsOthers reports whether a call is of a function that another module defines: a name that is
// imported, or a method that the file does not define.
func (s *analysis) callsOthers(call *ast.Call) bool {
	l := s.mentions()
	switch callee := call.Func.(type) {
	case *ast.Name:
		s.findBindings()
		return s.bound[callee.ID] == 1 && slices.ContainsFunc(s.module.Body, func(n ast.Stmt) bool {
			return slices.ContainsFunc(imported(n), func(a *ast.Alias) bool { return a.Bound() == callee.ID })
		})
	case *ast.Attribute:
		return len(l.functions[callee.Attr]) == 0 && !slices.Contains(textMethods, callee.Attr)
	}
	return false
}

// textMethods are methods of Python's own types that make texts of what they are given, or keep it.
var textMethods = []string{"format", "append", "insert", "extend", "add", "setdefault", "update", "put", "send", "write", "join"}

// othersShow reports whether another file of the project uses a name of this one, and so may show
// it. No run of this file shows that. Other files do not find the variables of functions.
func (f *Fixer) othersShow(s *analysis, name *ast.Name) bool {
	return f.name != "" && !s.isInFunction(name.Start) && f.project.uses(f.name, name.ID)
}

// isSelf reports whether the first parameter is called self.
func isSelf(a *ast.Arguments) bool {
	first := slices.Concat(a.PosOnlyArgs, a.Args)
	return len(first) > 0 && first[0].Arg == "self"
}

// isInClass reports whether an offset is in the body of a class, but not in a function there.
func (s *analysis) isInClass(offset int32) bool {
	inside := false
	s.find(offset, func(n ast.Node) bool {
		if n.Bounds().Start <= offset && ast.OpensScope(n) {
			inside = n.Kind() == ast.KindClassDef
		}
		return false
	})
	return inside
}

// takes reports whether parameters take the arguments of a call, and some more before them. Calls
// with stars are supposed to fit.
func takes(a *ast.Arguments, call *ast.Call, more int) bool {
	named := 0
	for _, k := range call.Keywords {
		if k.Arg == "" {
			return true
		}
		is := func(p *ast.Arg) bool { return p.Arg == k.Arg }
		if slices.ContainsFunc(a.Args, is) {
			named++
		} else if a.KwArg == nil && !slices.ContainsFunc(a.KwOnlyArgs, is) {
			return false
		}
	}
	if slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return e.Kind() == ast.KindStarred }) {
		return true
	}
	for i, p := range a.KwOnlyArgs {
		if a.KwDefaults[i] == nil && !slices.ContainsFunc(call.Keywords, func(k *ast.Keyword) bool { return k.Arg == p.Arg }) {
			return false
		}
	}
	return takesCount(a, len(call.Args)+named+more)
}

// takesCount reports whether parameters take so many arguments by position.
func takesCount(a *ast.Arguments, n int) bool {
	most := len(a.PosOnlyArgs) + len(a.Args)
	return n >= most-len(a.Defaults) && (n <= most || a.VarArg != nil)
}

// namedLambda turns a lambda with a name into a def.
//
//	f = lambda x: x + 1      def f(x):
//	                             return x + 1
func namedLambda(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	l := &s.lines[s.lineAt(finding.Start)]
	assign := findNode(s, finding.Start, func(a *ast.Assign) bool { return a.Start == finding.Start })
	if assign == nil || len(assign.Targets) != 1 || assign.End < s.tokens[l.last-1].Start && s.tokens[l.last-1].Kind != tokenizer.COMMENT {
		return nil
	}
	name, is := assign.Targets[0].(*ast.Name)
	lambda, isLambda := assign.Value.(*ast.Lambda)
	if !is || !isLambda || assign.Value.Bounds().End != assign.End || s.isReported(rule.F841, assign.Start) && f.variant == 0 {
		return nil
	}
	if f.runs == 0 && s.showsName(name, lambda) || f.othersShow(s, name) {
		return f.keep(Named)
	}
	// The colon is the token before the body and its parentheses.
	colon := -1
	depth := 0
	for i := s.tokenAt(lambda.Start) + 1; i < l.last && s.tokens[i].Start < lambda.Body.Bounds().Start; i++ {
		t := &s.tokens[i]
		depth += t.Kind.Nesting()
		switch {
		case t.Keyword == tokenizer.Lambda && depth == 0:
			return nil // a default has a lambda
		case t.Kind == tokenizer.COLON && depth == 0:
			colon = i
		}
		if colon >= 0 {
			break
		}
	}
	if colon < 0 {
		return nil
	}
	parameters := strings.TrimSpace(s.text[lambda.Start+int32(len("lambda")) : s.tokens[colon].Start])
	if strings.ContainsAny(parameters, "\n#") {
		return nil
	}
	indent := s.indentOf(int(s.tokens[l.first].Row))
	body := s.text[s.tokens[colon+1].Start:assign.End]
	if strings.Contains(body, "\n") && !strings.HasPrefix(body, "(") {
		return nil
	}
	return []Edit{{assign.Start, s.tokens[colon+1].Start, "def " + name.ID + "(" + parameters + "):\n" + indent + strings.Repeat(" ", f.size) + "return "}}
}
