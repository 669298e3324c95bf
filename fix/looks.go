package fix

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/guard"
	"codelinter/parser"
	"codelinter/source"
	"codelinter/tokenizer"
)

// This file has what a program may see of itself. Most edits rest on such an assumption, for example
// that nothing reads the name of a function. It is checked in the file, and in the project where
// that is read.

// looks is what a program mentions by which it may see an edit.
type looks struct {
	attributes map[string]bool // x.a, and "a" where a string is a name
	modules    map[string]bool // imported modules, with those around them
	strings    map[string]bool // short texts
	chains     map[string]bool // a.b.c, where it is read
	functions  map[string][]ast.Node
}

// looks returns what the program mentions. It walks the tree once.
func (s *sight) looks() *looks {
	if s.seen != nil {
		return s.seen
	}
	l := &looks{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string][]ast.Node{}}
	s.seen = l
	ast.Inspect(s.module, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Attribute:
			l.attributes[n.Attr] = true
			if chain := dotted(n); chain != "" {
				l.chains[chain] = true
			}
		case *ast.Constant:
			if n.Type != ast.Str {
				break
			}
			if len(n.Text) < 100 {
				l.attributes[n.Text], l.strings[n.Text] = true, true
			}
			for _, word := range [...]string{"funcName", "<lambda>"} { // a logger's format
				if strings.Contains(n.Text, word) {
					l.attributes[word] = true
				}
			}
		case *ast.Call:
			if name, is := n.Func.(*ast.Name); is && name.ID == "help" {
				l.attributes["help()"] = true
			}
		case *ast.Import:
			for _, alias := range n.Names {
				l.module(alias.Name)
			}
		case *ast.ImportFrom:
			l.module(n.Module)
			for _, alias := range n.Names {
				l.attributes[alias.Name] = true
			}
		case *ast.FunctionDef, *ast.AsyncFunctionDef:
			l.functions[ast.Binds(n)] = append(l.functions[ast.Binds(n)], n)
		}
		return true
	})
	return l
}

func (l *looks) module(name string) {
	for name != "" {
		l.modules[name] = true
		name = name[:max(0, strings.LastIndexByte(name, '.'))]
	}
}

// has reports whether one of some names is in a set.
func has(set map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return set[name] })
}

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
func (s *sight) showsName(name *ast.Name, lambda *ast.Lambda) bool {
	l := s.looks()
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
// run of this file shows that.
func (f *Fixer) othersShow(name string) bool {
	return f.name != "" && f.project.usesAnd(f.name, name, showNames)
}

// isSelf reports whether the first parameter is called self.
func isSelf(a *ast.Arguments) bool {
	first := slices.Concat(a.PosOnlyArgs, a.Args)
	return len(first) > 0 && first[0].Arg == "self"
}

// isInClass reports whether an offset is in the body of a class, but not in a function there.
func (s *sight) isInClass(offset int32) bool {
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

// metaCompares reports whether a class of a module may be a metaclass that defines ==.
func metaCompares(module *ast.Module) bool {
	var classes []*ast.ClassDef
	metas := map[string]bool{}
	ast.Inspect(module, func(n ast.Node) bool {
		if c, is := n.(*ast.ClassDef); is {
			classes = append(classes, c)
			for _, k := range c.Keywords {
				metas[lastName(k.Value)] = true
			}
		}
		return true
	})
	for range classes { // a metaclass may have another as its base
		for _, c := range classes {
			if slices.ContainsFunc(c.Bases, func(e ast.Expr) bool { return metas[lastName(e)] || isMetaName(lastName(e)) }) {
				metas[c.Name] = true
			}
		}
	}
	return slices.ContainsFunc(classes, func(c *ast.ClassDef) bool { return definesEquality(c, metas[c.Name]) })
}

// givesEquality reports whether a module sets the == of a class that is there already, or makes classes with
// one by a call.
func givesEquality(module *ast.Module) bool {
	gives := false
	ast.Inspect(module, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Attribute:
			gives = gives || n.Ctx == ast.Store && isEquality(n.Attr)
		case *ast.Constant:
			gives = gives || n.Type == ast.Str && isEquality(n.Text)
		}
		return !gives
	})
	return gives
}

// definesEquality reports whether a class that may be a metaclass defines ==. One whose methods call their
// first parameter cls is one too.
func definesEquality(c *ast.ClassDef, meta bool) bool {
	found := false
	ast.Inspect(c, func(n ast.Node) bool {
		name := ast.Binds(n)
		if !isEquality(name) {
			return true
		}
		if d, is := n.(*ast.FunctionDef); is && !meta {
			first := slices.Concat(d.Args.PosOnlyArgs, d.Args.Args)
			found = found || len(first) > 0 && (first[0].Arg == "cls" || first[0].Arg == "mcs")
			return true
		}
		found = found || meta
		return true
	})
	return found
}

func isEquality(name string) bool { return name == "__eq__" || name == "__ne__" }

func isMetaName(name string) bool {
	return name == "type" || strings.HasSuffix(name, "Meta") || strings.HasSuffix(name, "Type") || strings.Contains(strings.ToLower(name), "metaclass")
}

// lastName returns the last part of a dotted name.
func lastName(e ast.Expr) string {
	chain := dotted(e)
	return chain[strings.LastIndexByte(chain, '.')+1:]
}

// What reads docstrings besides __doc__.
var (
	docNames   = []string{"__doc__", "getdoc", "getcomments", "help()"}
	docModules = []string{"doctest", "pydoc", "cmd", "docopt", "click", "typer", "fire", "plac", "argh", "ply", "cyclopts", "invoke", "fabric"}
)

// readsDocs reports whether something may read the program's docstrings.
func (s *sight) readsDocs() bool {
	l := s.looks()
	return s.hasName("__doc__") || has(l.attributes, docNames) || has(l.modules, docModules)
}

// lifetimes are what tells when an object is freed.
var lifetimes = []string{"__del__", "getrefcount", "get_referrers", "weakref", "gc", "tracemalloc"}

// tellsLifetimes reports whether the program may see when an object is freed.
func (s *sight) tellsLifetimes() bool {
	l := s.looks()
	return has(l.attributes, lifetimes) || has(l.modules, lifetimes) || s.hasName("__del__")
}

// mayHold reports whether a value may do something until it is freed, or when it is: see isHolder. A
// function of the file returns what it calls.
func (s *sight) mayHold(e ast.Expr) bool {
	calls := false
	ast.Inspect(e, func(n ast.Node) bool {
		calls = calls || n.Kind() == ast.KindCall || n.Kind() == ast.KindAwait
		return !calls
	})
	if calls && s.tellsLifetimes() {
		return true
	}
	return isHolder(e) || s.returnsHolder(e, map[string]bool{})
}

// returnsHolder reports whether functions of the file that an expression calls have a call of a holder.
func (s *sight) returnsHolder(n ast.Node, seen map[string]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, is := n.(*ast.Call)
		if !is || found {
			return !found
		}
		name := ast.CalledName(call)
		if seen[name] {
			return true
		}
		seen[name] = true
		for _, function := range s.looks().functions[name] {
			found = found || returnsOne(function) || s.returnsHolder(function, seen) || s.startsOne(function)
		}
		return !found
	})
	return found
}

// returnsOne reports whether a function may return what a holder returns: it calls one, and neither raises the
// result nor ends it by a with statement.
func returnsOne(function ast.Node) bool {
	found := false
	ast.Inspect(function, func(n ast.Node) bool {
		if n.Kind() == ast.KindRaise || n.Kind() == ast.KindWithItem {
			return false
		}
		call, is := n.(*ast.Call)
		found = found || is && isHolder(call)
		return !found
	})
	return found
}

// startsOne reports whether a function calls a generator of the file that does something when it is freed.
func (s *sight) startsOne(function ast.Node) bool {
	found := false
	ast.Inspect(function, func(n ast.Node) bool {
		call, is := n.(*ast.Call)
		if !is {
			return !found
		}
		for _, generator := range s.looks().functions[ast.CalledName(call)] {
			found = found || endsLate(generator)
		}
		return !found
	})
	return found
}

// endsLate reports whether a function is a generator with a yield in a with, or in a try with a finally.
func endsLate(function ast.Node) bool {
	late := false
	ast.Inspect(function, func(n ast.Node) bool {
		block := n.Kind() == ast.KindWith || n.Kind() == ast.KindAsyncWith
		if t, is := n.(*ast.Try); is {
			block = len(t.FinalBody)+len(t.Handlers) > 0
		}
		if block {
			ast.Inspect(n, func(n ast.Node) bool {
				late = late || n.Kind() == ast.KindYield || n.Kind() == ast.KindYieldFrom
				return !late
			})
		}
		return !late
	})
	return late
}

// frames are what shows the variables of functions that call, or that end by an error.
var frames = []string{"getargvalues", "formatargvalues", "capture_locals", "show_locals", "settrace", "setprofile", "cgitb", "set_trace", "breakpoint", "f_locals"}

// showsVariables reports whether the program may see the variables of a function by their names.
func (s *sight) showsVariables() bool {
	l := s.looks()
	return has(l.attributes, frames) || s.hasName("breakpoint") || s.hasName("capture_locals") || l.modules["cgitb"]
}

// naming are exceptions whose texts have the names of variables.
var naming = []string{"Exception", "BaseException", "NameError", "UnboundLocalError", "StandardError"}

// showsErrors reports whether a node, or the program, may see the text of an error that names a variable.
func (s *sight) showsErrors(around ast.Node) bool {
	shows := s.hasName("NameError") || s.hasName("UnboundLocalError")
	ast.Inspect(around, func(n ast.Node) bool {
		if h, is := n.(*ast.ExceptHandler); is && h.Name != "" && h.Type != nil {
			types := []ast.Expr{h.Type}
			if tuple, is := h.Type.(*ast.Tuple); is {
				types = tuple.Elts
			}
			shows = shows || slices.ContainsFunc(types, func(e ast.Expr) bool { return slices.Contains(naming, lastName(e)) })
		}
		return !shows
	})
	return shows
}

// searches are what finds a name by its text.
var searches = []string{"__import__", "import_module", "modules", "getattr", "attrgetter", "globals", "__dict__", "vars"}

// isSearched reports whether the program may look up a name of the module by its text.
func (s *sight) isSearched(name string) bool {
	return s.looks().strings[name] && slices.ContainsFunc(searches, s.hasName)
}

// loaded are modules that programs import for what happens when they are loaded.
var loaded = []string{"antigravity", "this", "__hello__", "readline", "rlcompleter", "setuptools", "gnureadline", "pyreadline", "pyreadline3", "mpl_toolkits.mplot3d",
	"tensorflow_text", "pretty_errors", "pysqlite3", "sitecustomize", "usercustomize", "better_exceptions", "cmocean", "hdf5plugin", "pillow_heif", "rioxarray", "pint_xarray"}

// isLoaded reports whether a program needs that a module is loaded, though it does not use its name: it
// reads a submodule by way of the package, or asks for the module by its name, or the module is known
// for what it does, or is beside the program and does something.
func (f *Fixer) isLoaded(s *sight, from *ast.ImportFrom, alias *ast.Alias) bool {
	l := s.looks()
	modules := []string{alias.Name}
	level := int32(0)
	if from != nil {
		modules = []string{from.Module, strings.TrimPrefix(from.Module+"."+alias.Name, ".")}
		level = int32(from.Level)
	}
	for _, module := range modules {
		if module == "" {
			continue
		}
		top, _, _ := strings.Cut(module, ".")
		if level == 0 && (slices.Contains(loaded, module) || slices.Contains(loaded, top) || l.attributes[module] && s.hasName("modules")) {
			return true
		}
		if strings.Contains(module, ".") && l.chains[module] {
			return true
		}
		if f.doesSomething(int(level), module) {
			return true
		}
	}
	return false
}

// doesSomething reports whether a module beside the program, or in its package, does something when it is
// loaded, besides binding names of its own.
func (f *Fixer) doesSomething(level int, module string) bool {
	if f.name == "" {
		return false
	}
	folder := filepath.Dir(f.name)
	path := strings.Split(module, ".")
	if level > 0 {
		for range level - 1 {
			folder = filepath.Join(folder, "..")
		}
		return f.fileDoes(filepath.Join(folder, filepath.Join(path...)))
	}
	for ; ; folder = filepath.Join(folder, "..") {
		if _, err := os.Stat(filepath.Join(folder, "__init__.py")); err != nil {
			break
		}
	}
	return f.fileDoes(filepath.Join(folder, filepath.Join(path...)))
}

// fileDoes is doesSomething for a path without its suffix. It asks each file once.
func (f *Fixer) fileDoes(path string) bool {
	for _, name := range [...]string{path + ".py", filepath.Join(path, "__init__.py")} {
		if does, known := f.effects[name]; known {
			return does
		}
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		var file source.File
		var p parser.Parser
		f.effects[name] = true
		if file.Load(data) == nil {
			if module, ok := p.ParseText(file.Text, parser.Options{Target: f.options.Target}); ok {
				f.effects[name] = !isQuietBlock(module.Body)
			}
		}
		return f.effects[name]
	}
	return false
}

// isQuietBlock reports whether statements only bind names. What a call in an assignment or decorator does
// is supposed to be for its result.
func isQuietBlock(body []ast.Stmt) bool {
	for _, statement := range body {
		switch n := statement.(type) {
		case *ast.ExprStmt:
			if !guard.CallsNothing(n.Value) {
				return false
			}
		case *ast.Assign:
			if slices.ContainsFunc(n.Targets, func(e ast.Expr) bool { return e.Kind() == ast.KindAttribute || e.Kind() == ast.KindSubscript }) {
				return false
			}
		case *ast.If:
			if isMain(n.Test) {
				break
			}
			if !isQuietBlock(n.Body) || !isQuietBlock(n.Orelse) {
				return false
			}
		case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef:
			if !slices.ContainsFunc(ast.Decorators(n), isRegistering) {
				break
			}
			return false
		case *ast.Try:
			if !isQuietBlock(n.Body) || !isQuietBlock(n.Orelse) || !isQuietBlock(n.FinalBody) ||
				slices.ContainsFunc(n.Handlers, func(h *ast.ExceptHandler) bool { return !isQuietBlock(h.Body) }) {
				return false
			}
		case *ast.For, *ast.While, *ast.With, *ast.Delete, *ast.AugAssign, *ast.Raise:
			return false
		}
	}
	return true
}

// isMain reports whether a test is __name__ == "__main__".
func isMain(test ast.Expr) bool {
	c, is := test.(*ast.Compare)
	if !is {
		return false
	}
	name, is := c.Left.(*ast.Name)
	return is && name.ID == "__name__"
}

// isRegistering reports whether a decorator may keep what it decorates: it is an attribute of a variable,
// as in @app.route("/"), or is called like it registers.
func isRegistering(e ast.Expr) bool {
	if call, is := e.(*ast.Call); is {
		e = call.Func
	}
	lower := strings.ToLower(dotted(e))
	return slices.ContainsFunc([]string{"register", "route", "command", "hook", "handler", "listen", "receiver", "subscribe", "plugin", "task", "on_", "implements"},
		func(word string) bool { return strings.Contains(lower, word) })
}

// isDocPlace reports whether the expression at an offset is the first statement of a module, class or
// function, where a string is a docstring.
func (s *sight) isDocPlace(offset int32) bool {
	first := func(body []ast.Stmt) bool {
		if len(body) == 0 || offset < body[0].Bounds().Start || offset >= body[0].Bounds().End {
			return false
		}
		e, is := body[0].(*ast.ExprStmt)
		return is && e.Value.Kind() == ast.KindJoinedStr
	}
	return first(s.module.Body) || s.find(offset, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDef:
			return first(n.Body)
		case *ast.AsyncFunctionDef:
			return first(n.Body)
		case *ast.ClassDef:
			return first(n.Body)
		}
		return false
	}) != nil
}

// isAnnotation reports whether an offset is in an annotation, whose text may be kept.
func (s *sight) isAnnotation(offset int32) bool {
	in := func(e ast.Expr) bool { return e != nil && e.Bounds().Start <= offset && offset < e.Bounds().End }
	return s.find(offset, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AnnAssign:
			return in(n.Annotation)
		case *ast.Arg:
			return in(n.Annotation)
		case *ast.FunctionDef:
			return in(n.Returns)
		case *ast.AsyncFunctionDef:
			return in(n.Returns)
		}
		return false
	}) != nil
}

// decoratedStart returns the start of a definition with its decorators.
func (s *sight) decoratedStart(n ast.Node) int32 {
	list := ast.Decorators(n)
	if len(list) == 0 {
		return n.Bounds().Start
	}
	i := s.tokenAt(list[0].Bounds().Start)
	for i > 0 && s.tokens[i].Kind != tokenizer.AT {
		i--
	}
	return s.tokens[i].Start
}
