package fix

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// What shows the name of a function: of each, and of one that is given away. Reports of
// profilers and threads have it, and what is pickled is found by it.
var (
	showNames   = []string{"__name__", "__qualname__", "__code__", "co_name", "co_qualname", "f_code", "func_name", "funcName", "<lambda>"}
	showFrames  = []string{"inspect", "traceback", "cProfile", "profile", "pstats", "trace", "dis", "faulthandler", "sys.monitoring"}
	showObjects = []string{"pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "multiprocessing", "concurrent.futures", "threading", "unittest", "doctest",
		"pydoc", "functools", "timeit"}
)

// showsName reports whether the program may see that a lambda becomes a def: it reads names of functions, or
// gets another error for a call with other arguments than the lambda takes.
func (s *analysis) showsName(name *ast.Name, lambda *ast.Lambda) bool {
	l := s.mentions()
	method := s.isInClass(name.Start)
	if has(l.attributes, showNames) || has(l.modules, showFrames) {
		return true
	}
	called := map[ast.Expr]bool{}
	given, fits := false, true
	ast.Inspect(s.module, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Call:
			called[n.Func] = true
			switch {
			case ast.CalledName(n) != name.ID:
			case n.Func.Kind() == ast.KindName:
				fits = fits && takes(lambda.Args, n, 0)
			case method:
				fits = fits && isSelf(lambda.Args) && takes(lambda.Args, n, 1)
			}
		case *ast.Name:
			given = given || n.ID == name.ID && n.Ctx == ast.Load && !called[n]
		case *ast.Attribute:
			given = given || n.Attr == name.ID && n.Ctx == ast.Load && !called[n]
		}
		return true
	})
	return !fits || given && has(l.modules, showObjects)
}

// othersShow reports whether a file of the project uses a name of this one, and reads names of functions. No
// run of this file shows that. Other files do not find the variables of functions.
func (f *Fixer) othersShow(s *analysis, name *ast.Name) bool {
	return f.name != "" && !s.isInFunction(name.Start) && f.project.usesAnd(f.name, name.ID, showNames)
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

// takes reports whether parameters take the arguments of a call, and some more before them. Calls with stars
// are supposed to fit.
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
	n, most := len(call.Args)+named+more, len(a.PosOnlyArgs)+len(a.Args)
	for i, p := range a.KwOnlyArgs {
		if a.KwDefaults[i] == nil && !slices.ContainsFunc(call.Keywords, func(k *ast.Keyword) bool { return k.Arg == p.Arg }) {
			return false
		}
	}
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
