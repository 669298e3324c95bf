package fix

import (
	"path/filepath"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
	"codelinter/parser"
	"codelinter/source"
)

// This file finds out whether a program needs that a module is loaded, though it does not use the
// name that the import binds. Modules of the project are read, with those that they import. Of
// other modules it is supposed that they only define something, unless they are known, or called,
// for what they do.

// loaded are modules that programs import for what happens when they are loaded.
var loaded = []string{"antigravity", "this", "__hello__", "readline", "rlcompleter", "setuptools", "gnureadline", "pyreadline", "pyreadline3", "mpl_toolkits.mplot3d",
	"tensorflow_text", "pretty_errors", "pysqlite3", "sitecustomize", "usercustomize", "better_exceptions", "cmocean", "cmasher", "cmcrameri", "colorcet", "scienceplots",
	"hdf5plugin", "pillow_heif", "rioxarray", "pint_xarray", "pint_pandas", "hvplot", "cufflinks", "janitor", "swifter", "pandarallel", "pyarrow_hotfix", "unsloth", "comet_ml",
	"intel_extension_for_pytorch", "torch_npu", "torch_xla", "torch_tensorrt", "habana_frameworks", "onnxruntime_extensions", "ale_py", "pybullet_envs", "gym_minigrid", "minigrid",
	"gymnasium_robotics", "vtkmodules", "win32timezone", "pyximport", "sklearnex"}

// loadedParts are what the last part of a module's name is called if programs import it for what
// happens then.
var loadedParts = []string{"signals", "receivers", "handlers", "tasks", "models", "admin", "checks", "plugins", "hooks", "patch", "patches", "monkeypatch", "monkey_patch", "monkey",
	"autoinit", "auto", "experimental", "register", "registry", "registration", "enable"}

// isLoaded reports whether a program needs that a module is loaded, though it does not use its
// name: it reads a submodule by way of the package, or asks for the module by its name, or the
// module is known for what it does, or is of the project and does something. stays says that the
// statement stays, without the name.
func (f *Fixer) isLoaded(s *analysis, from *ast.ImportFrom, alias *ast.Alias, stays bool) bool {
	modules, level := []string{alias.Name}, 0
	if from != nil {
		modules, level = []string{from.Module, strings.TrimPrefix(from.Module+"."+alias.Name, ".")}, int(from.Level)
		if stays {
			modules = modules[1:]
		}
	}
	for i, module := range modules {
		if module == "" {
			continue
		}
		top, _, _ := strings.Cut(module, ".")
		ofModule := from != nil && module != from.Module // it may be a name of the module, and no module
		if level == 0 && (slices.Contains(loaded, module) || slices.Contains(loaded, top) || s.asksForModules(module)) {
			return true
		}
		if level == 0 && (!ofModule || !f.isLibrary(module) || library.Get()[module]) && s.readsSubmodule(module, from == nil && alias.AsName == "") {
			return true
		}
		paths := f.modulePaths(level, module)
		if ofModule {
			paths = paths[len(f.modulePaths(level, from.Module)):]
		}
		if slices.ContainsFunc(paths, f.project.hasEffects) {
			return true
		}
		if len(paths) == 0 && (i == 0 || stays) && level == 0 && !f.isLibrary(module) && hasLoadedPart(module) && !isCapital(alias.Name) {
			return true
		}
	}
	return false
}

func isCapital(name string) bool { return 'A' <= name[0] && name[0] <= 'Z' }

// hasLoadedPart reports whether a part of a module's name below its package is one of the
// loadedParts.
func hasLoadedPart(module string) bool {
	_, below, _ := strings.Cut(module, ".")
	for part := range strings.SplitSeq(below, ".") {
		if slices.Contains(loadedParts, part) || strings.HasPrefix(part, "enable_") {
			return true
		}
	}
	return false
}

// asksForModules reports whether the program may see in sys.modules that a module was loaded.
func (s *analysis) asksForModules(module string) bool {
	return s.mentions().is(aField, module) && s.hasName("modules") || s.mentions().listsModules
}

// readsSubmodule reports whether the program may read a module, or a package around it, as an
// attribute of an outer package that another import binds: import xml, then xml.dom.minidom.
// bindsTop says that the import itself binds the outermost package.
func (s *analysis) readsSubmodule(module string, bindsTop bool) bool {
	l := s.mentions()
	if strings.Contains(module, ".") && s.reads(module) {
		return true
	}
	for {
		dot := strings.LastIndexByte(module, '.')
		if dot < 0 {
			return false
		}
		outer, last := module[:dot], module[dot+1:]
		others := l.imported[outer]
		if bindsTop && !strings.Contains(outer, ".") {
			others--
		}
		if others > 0 && l.is(aField, last) {
			return true
		}
		module = outer
	}
}

// modulePaths returns the paths, without suffixes, of the project's modules that the import of a
// module loads: it, and the packages around it. The packages around the program are there already.
func (f *Fixer) modulePaths(level int, module string) []string {
	if f.name == "" {
		return nil
	}
	return f.project.modulePaths(f.name, level, module)
}

// modulePaths is Fixer.modulePaths for the file at a path.
func (p *Project) modulePaths(path string, level int, module string) (paths []string) {
	folder := filepath.Dir(path)
	if absolute, err := filepath.Abs(folder); err == nil {
		folder = absolute
	}
	places := []string{folder}
	if level > 0 {
		for range level - 1 {
			places[0] = filepath.Dir(places[0])
		}
	} else {
		for up := folder; p.isThere(up, "__init__.py") && filepath.Dir(up) != up; {
			up = filepath.Dir(up)
			places = append(places, up)
		}
		if root, marked := p.rootOf(folder); marked {
			places = append(places, root, filepath.Join(root, "src"))
		}
	}
	for _, place := range places {
		at := place
		for part := range strings.SplitSeq(module, ".") {
			at = filepath.Join(at, part)
			if strings.HasPrefix(folder+string(filepath.Separator), at+string(filepath.Separator)) {
				continue
			}
			if p.isModule(at) {
				paths = append(paths, at)
			} else if !p.isThere(at, "") { // else it may be a package without an __init__.py
				break
			}
		}
		if len(paths) > 0 {
			break
		}
	}
	return paths
}

// isModule reports whether there is a module at a path without its suffix.
func (p *Project) isModule(path string) bool {
	return p.isThere(filepath.Dir(path), filepath.Base(path)+".py") || p.isThere(path, "__init__.py")
}

// hasEffects reports whether a module's file, or one of the project that it imports, does something
// when it is loaded, besides binding names of its own. The path has no suffix. It asks each file
// once.
func (p *Project) hasEffects(path string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.effectsOf(path)
}

func (p *Project) effectsOf(path string) bool {
	does, known := p.effects[path]
	if known {
		return does
	}
	p.effects[path] = false // while it is asked: modules may import each other
	for _, name := range [...]string{path + ".py", filepath.Join(path, "__init__.py")} {
		if data, err := p.readAll(name, 0); err == nil {
			does = p.fileHasEffects(name, data)
			break
		}
	}
	p.effects[path] = does
	return does
}

func (p *Project) fileHasEffects(path string, data []byte) bool {
	var file source.File
	if file.Load(data) != nil {
		return true
	}
	module, ok := p.parser.ParseText(file.Text, parser.Options{})
	if !ok {
		return true
	}
	l := loading{project: p, path: path, outside: map[string]bool{}, library: map[string]bool{}, classes: map[string]bool{}, inside: map[string]bool{}}
	l.findNames(module.Body)
	return !l.onlyDefines(module.Body) || slices.ContainsFunc(l.loads, p.effectsOf)
}

// A loading asks what a module does when it is loaded.
type loading struct {
	project *Project
	path    string
	outside map[string]bool // names that are imported from outside of the project
	library map[string]bool // of them, those from Python's library
	classes map[string]bool // classes of the module
	inside  map[string]bool // other names that the module binds
	loads   []string        // paths of the project's modules that it imports
}

// findNames sorts the names that a module's statements bind, and finds the modules of the project
// that it loads.
func (l *loading) findNames(body []ast.Stmt) {
	for _, statement := range body {
		switch n := statement.(type) {
		case *ast.Import:
			for _, alias := range n.Names {
				l.imports(0, alias.Name, alias.Bound())
			}
		case *ast.ImportFrom:
			for _, alias := range n.Names {
				l.imports(int(n.Level), strings.TrimPrefix(n.Module+"."+alias.Name, "."), alias.Bound())
			}
		case *ast.If:
			if !isTypeChecking(n.Test) {
				l.findNames(n.Body)
			}
			l.findNames(n.Orelse)
		default:
			for _, block := range ast.Blocks(statement) {
				if !ast.OpensScope(statement) {
					l.findNames(block)
				}
			}
			ast.Inspect(statement, func(n ast.Node) bool {
				if name := ast.Binds(n); name != "" {
					l.inside[name] = true
					l.classes[name] = l.classes[name] || n.Kind() == ast.KindClassDef
				}
				return n == ast.Node(statement) || !ast.OpensScope(n)
			})
		}
	}
}

func (l *loading) imports(level int, module, name string) {
	paths := l.project.modulePaths(l.path, level, module)
	l.loads = append(l.loads, paths...)
	if level > 0 || len(paths) > 0 {
		l.inside[name] = true
	} else {
		top, _, _ := strings.Cut(module, ".")
		l.outside[name], l.library[name] = true, library.Get()[top]
	}
}

// onlyDefines reports whether statements only bind names of the module.
func (l *loading) onlyDefines(body []ast.Stmt) bool {
	return !slices.ContainsFunc(body, func(n ast.Stmt) bool { return !l.defines(n) })
}

func (l *loading) defines(statement ast.Stmt) bool {
	switch n := statement.(type) {
	case *ast.Import, *ast.ImportFrom, *ast.Pass, *ast.Global, *ast.Nonlocal, *ast.TypeAlias:
		return true
	case *ast.ExprStmt:
		return n.Value.Kind() == ast.KindConstant
	case *ast.Assign:
		return l.isQuiet(n.Value) && !slices.ContainsFunc(n.Targets, func(e ast.Expr) bool { return !bindsNames(e) })
	case *ast.AnnAssign:
		return bindsNames(n.Target) && l.isQuiet(n.Annotation) && (n.Value == nil || l.isQuiet(n.Value))
	case *ast.AugAssign:
		name, is := n.Target.(*ast.Name)
		return is && name.ID == "__all__" && l.isQuiet(n.Value)
	case *ast.If:
		if isMain(n.Test) || isTypeChecking(n.Test) {
			return l.onlyDefines(n.Orelse)
		}
		return l.isQuiet(n.Test) && l.onlyDefines(n.Body) && l.onlyDefines(n.Orelse)
	case *ast.Try:
		return l.onlyDefines(n.Body) && l.onlyDefines(n.Orelse) && l.onlyDefines(n.FinalBody) &&
			!slices.ContainsFunc(n.Handlers, func(h *ast.ExceptHandler) bool { return !l.onlyDefines(h.Body) })
	case *ast.FunctionDef:
		return n.Name != "__init_subclass__" && n.Name != "__set_name__" && l.isQuiet(n.Args) && !slices.ContainsFunc(n.DecoratorList, l.mayKeep)
	case *ast.AsyncFunctionDef:
		return l.isQuiet(n.Args) && !slices.ContainsFunc(n.DecoratorList, l.mayKeep)
	case *ast.ClassDef:
		return l.onlyDefines(n.Body) && !slices.ContainsFunc(n.DecoratorList, l.mayKeep) && !slices.ContainsFunc(n.Bases, l.mayRegister) &&
			!slices.ContainsFunc(n.Keywords, func(k *ast.Keyword) bool { return l.mayRegister(k.Value) })
	}
	return false
}

// bindsNames reports whether a target of an assignment only binds names.
func bindsNames(target ast.Expr) bool {
	switch n := target.(type) {
	case *ast.Name:
		return true
	case *ast.Tuple:
		return !slices.ContainsFunc(n.Elts, func(e ast.Expr) bool { return !bindsNames(e) })
	}
	return false
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

// isTypeChecking reports whether a test only holds for type checkers.
func isTypeChecking(test ast.Expr) bool { return lastName(test) == "TYPE_CHECKING" }

// isQuiet reports whether to evaluate an expression, or a function's parameters, has only its value
// as a result. A call of what comes from outside of the project is supposed to be for its result,
// but for the actions.
func (l *loading) isQuiet(n ast.Node) bool {
	quiet := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Lambda:
			quiet = quiet && l.isQuiet(n.Args)
			return false
		case *ast.Call:
			name, isBuiltin := l.rootOf(n.Func)
			quiet = quiet && !isAction(ast.CalledName(n)) && (l.outside[name] || isBuiltin)
		case *ast.Await, *ast.Yield, *ast.YieldFrom, *ast.NamedExpr:
			quiet = false
		}
		return quiet
	})
	return quiet
}

// rootOf returns the name that a chain of attributes, calls and items begins with. isBuiltin says
// that Python defines it, or that the chain begins with a literal.
func (l *loading) rootOf(e ast.Expr) (name string, isBuiltin bool) {
	for {
		switch n := e.(type) {
		case *ast.Attribute:
			e = n.Value
		case *ast.Subscript:
			e = n.Value
		case *ast.Call:
			e = n.Func
		case *ast.Name:
			return n.ID, !l.inside[n.ID] && !l.outside[n.ID] && scope.IsBuiltin(n.ID)
		default:
			return "", e.Kind() == ast.KindConstant || e.Kind() == ast.KindJoinedStr
		}
	}
}

// actions are words of functions that are not called for their results.
var actions = []string{"print", "input", "open", "exec", "eval", "setattr", "delattr", "breakpoint", "help", "exit", "quit", "signal", "system", "popen", "run", "call", "check_call",
	"chdir", "mkdir", "makedirs", "remove", "unlink", "write", "append", "insert", "extend", "update", "setdefault", "pop", "add", "discard", "clear", "install", "patch", "basicConfig",
	"dictConfig", "fileConfig", "settrace", "setprofile", "setlocale", "seed", "filterwarnings", "simplefilter", "use", "enable", "start", "connect", "subscribe", "init", "setup", "configure"}

// isAction reports whether a function that is called does something, going by its name.
func isAction(name string) bool { return slices.Contains(actions, name) || isRegistering(name) }

// mayKeep reports whether a decorator may keep what it decorates: it is of the project, an
// attribute of a variable, as in @app.route("/"), or is called like it registers.
func (l *loading) mayKeep(e ast.Expr) bool {
	if attribute, is := e.(*ast.Attribute); is && (attribute.Attr == "setter" || attribute.Attr == "getter" || attribute.Attr == "deleter") {
		return false
	}
	called := e
	if call, is := e.(*ast.Call); is {
		called = call.Func
	}
	name, isBuiltin := l.rootOf(e)
	return !l.outside[name] && !isBuiltin || isRegistering(dotted(called)) || !l.isQuiet(e)
}

// isRegistering reports whether a function is called like it keeps what it is given.
func isRegistering(name string) bool {
	lower := strings.ToLower(name)
	return slices.ContainsFunc([]string{"register", "route", "command", "hook", "handler", "listen", "receiver", "subscribe", "plugin", "task", "on_", "implements"},
		func(word string) bool { return strings.Contains(lower, word) })
}

// mayRegister reports whether a base or metaclass of a class may keep the class: Python's own,
// those of its library and those of the module do not.
func (l *loading) mayRegister(e ast.Expr) bool {
	name, isBuiltin := l.rootOf(e)
	return !isBuiltin && !l.library[name] && !l.classes[name] || !l.isQuiet(e)
}
