package fix

import (
	"slices"
	"strconv"
	"strings"

	"codelinter/ast"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// boolFunctions are the functions that return True or False, and types the ones that are types.
var (
	boolFunctions = []string{"any", "all", "bool", "callable", "hasattr", "isinstance", "issubclass"}
	intFunctions  = []string{"len", "ord", "hash", "id", "int"}
	types         = []string{"bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple", "type"}
)

// Functions of Python's library whose results have Python's own ==: True and False, or None and a
// match or a text.
var (
	boolLibrary  = []string{"os.path.exists", "os.path.isfile", "os.path.isdir", "os.path.islink", "keyword.iskeyword", "math.isnan", "math.isinf", "math.isclose"}
	plainLibrary = []string{"re.match", "re.search", "re.fullmatch", "re.compile", "os.getenv", "shutil.which"}
)

// matchMethods are the methods of patterns that return a match or None.
var matchMethods = []string{"match", "search", "fullmatch"}

// An inference asks for the types of a program's values.
type inference struct {
	s *analysis
	f *Fixer
	// only says that the value is compared with None (E711), or with True and False (E712), which
	// numbers may equal.
	only rule.Code
}

// hasPlainEquality reports whether a comparison of a value with a singleton means the same with ==
// and is: the value is a literal, or the result of an operator or function whose type is known.
func (t *inference) hasPlainEquality(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Constant:
		return e.Type < ast.Int || t.only == rule.E711
	case *ast.JoinedStr, *ast.List, *ast.Tuple, *ast.Dict, *ast.Set, *ast.ListComp, *ast.DictComp, *ast.SetComp, *ast.GeneratorExp:
		return true
	case *ast.UnaryOp:
		return e.Op == ast.Not
	case *ast.BoolOp:
		return !slices.ContainsFunc(e.Values, func(v ast.Expr) bool { return !t.hasPlainEquality(v) })
	case *ast.IfExp:
		return t.hasPlainEquality(e.Body) && t.hasPlainEquality(e.Orelse)
	case *ast.NamedExpr:
		return t.hasPlainEquality(e.Value)
	case *ast.Compare: // other comparisons may return anything
		return !slices.ContainsFunc(e.Ops, func(op ast.CompareOperator) bool {
			return op != ast.In && op != ast.NotIn && op != ast.Is && op != ast.IsNot
		})
	case *ast.Call:
		return t.returnsPlain(e)
	case *ast.Name:
		return t.isPlainVariable(e.ID)
	}
	return false
}

// returnsPlain reports whether the result of a call has plain equality: a builtin or a function of
// Python's library is called, or one of the file that returns only such values.
func (t *inference) returnsPlain(call *ast.Call) bool {
	switch callee := call.Func.(type) {
	case *ast.Name:
		if slices.Contains(boolFunctions, callee.ID) || slices.Contains(intFunctions, callee.ID) && t.only == rule.E711 {
			return !t.s.binds(callee.ID)
		}
		return t.isPlainFunction(callee.ID)
	case *ast.Attribute:
		name := dotted(callee)
		if slices.Contains(boolLibrary, name) || slices.Contains(plainLibrary, name) && (len(call.Args) < 2 || name != "os.getenv") {
			return t.isModule(name)
		}
		return slices.Contains(matchMethods, callee.Attr) && t.isPattern(callee.Value)
	}
	return false
}

// isPattern reports whether an expression is a variable with regular expressions of module re.
func (t *inference) isPattern(e ast.Expr) bool {
	name, is := e.(*ast.Name)
	if !is {
		return false
	}
	return t.comesFrom(name.ID, func(value ast.Expr) bool {
		call, is := value.(*ast.Call)
		return is && dotted(call.Func) == "re.compile" && t.isModule("re.compile")
	})
}

// isModule reports whether the first part of a dotted name is a module of Python's library, which
// the file imports and binds to nothing else.
func (t *inference) isModule(name string) bool {
	top, _, _ := strings.Cut(name, ".")
	t.s.findBindings()
	return t.s.modules[top] && t.s.bound[top] == 1 && t.f.isLibrary(top) && !t.s.patched && !t.isUsed(top) && !t.s.mayPatch(name)
}

// mayPatch reports whether the program may replace a function of a module: it sets an attribute of
// the function's name, or has the function's name as a text.
func (s *analysis) mayPatch(function string) bool {
	last := function[strings.LastIndexByte(function, '.')+1:]
	l := s.mentions()
	return l.is(aTarget|aText, last) || l.is(aText, function)
}

// isUsed reports whether another file of the project uses a name of the file, and may bind it. Of a
// text without a file this is not known.
func (t *inference) isUsed(name string) bool {
	return t.f.name == "" || t.f.project.uses(t.f.name, name)
}

// isPlainVariable reports whether only plain values are assigned to a name.
func (t *inference) isPlainVariable(name string) bool {
	return t.comesFrom(name, t.hasPlainEquality)
}

// comesFrom reports whether a name is a variable that only some values are assigned to. Variables
// of modules and classes may be used elsewhere.
func (t *inference) comesFrom(name string, isSome func(ast.Expr) bool) bool {
	s := t.s
	s.findBindings()
	values := s.values[name]
	delete(s.values, name) // a value may have the name itself
	comes := len(values) > 0 && len(values) == s.bound[name] && !slices.ContainsFunc(values, func(v ast.Expr) bool { return !isSome(v) })
	s.values[name] = values
	return comes && (!isVisible(s.module, name, true) || !s.isSet(name) && !t.isUsed(name) && s.bound["*"] == 0)
}

// isSet reports whether something may set a variable of the module or a class from elsewhere.
func (s *analysis) isSet(name string) bool {
	l := s.mentions()
	return l.is(anAttribute, name) || l.is(anAttribute, "modules") || l.modules["__main__"] || slices.ContainsFunc(setters, s.hasName)
}

// setters are names by which a program may set names by their texts, or get its module.
var setters = []string{"globals", "vars", "setattr", "exec", "__dict__", "__import__", "import_module"}

// isPlainFunction reports whether a name is a function of the file that returns only plain values.
func (t *inference) isPlainFunction(name string) bool {
	s := t.s
	functions := s.mentions().functions[name]
	if len(functions) != 1 || s.bound[name] != 1 || s.isInside(functions[0]) || s.isSet(name) || t.isUsed(name) {
		return false
	}
	d, is := functions[0].(*ast.FunctionDef)
	if !is || len(d.DecoratorList) > 0 {
		return false
	}
	delete(s.mentions().functions, name) // it may call itself
	defer func() { s.mentions().functions[name] = functions }()
	plain := true
	for _, statement := range d.Body {
		ast.Inspect(statement, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Return:
				plain = plain && (n.Value == nil || t.hasPlainEquality(n.Value))
			case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef, *ast.Lambda:
				return false
			}
			return plain
		})
	}
	return plain
}

// isInside reports whether a definition is in a class or another function.
func (s *analysis) isInside(definition ast.Node) bool {
	return !slices.ContainsFunc(s.module.Body, func(n ast.Stmt) bool { return ast.Node(n) == definition })
}

// isInt reports whether a value is an int, and not a bool.
func (t *inference) isInt(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Constant:
		return e.Type == ast.Int
	case *ast.NamedExpr:
		return t.isInt(e.Value)
	case *ast.Call:
		name, is := e.Func.(*ast.Name)
		return is && slices.Contains(intFunctions, name.ID) && !t.s.binds(name.ID)
	case *ast.Name:
		return t.comesFrom(e.ID, t.isInt)
	}
	return false
}

// isSmallInt reports whether an expression is one of the ints of which CPython has one object each.
func isSmallInt(e ast.Expr) bool {
	least := 256
	if u, is := e.(*ast.UnaryOp); is && u.Op == ast.USub {
		e, least = u.Operand, 5
	}
	c, is := e.(*ast.Constant)
	if !is || c.Type != ast.Int {
		return false
	}
	n, err := strconv.Atoi(c.Text)
	return err == nil && n <= least
}

// binds reports whether a name of Python's own is bound, or may be.
func (s *analysis) binds(name string) bool {
	if s.bound == nil && !strings.Contains(s.text, name) && !strings.Contains(s.text, "builtins") && !s.importsAll() {
		return false
	}
	s.findBindings()
	return s.bound[name]+s.bound["*"] > 0 || s.patched
}

// importsAll reports whether the text has an import *.
func (s *analysis) importsAll() bool {
	for i := 1; i < len(s.tokens); i++ {
		if s.tokens[i].Kind == tokenizer.STAR && s.tokens[i-1].Keyword == tokenizer.Import {
			return true
		}
	}
	return false
}

// comparesTypes reports whether a metaclass of the file, or of the project, may define ==. What a
// run shows of the file does not count for the project.
func (f *Fixer) comparesTypes(s *analysis) bool {
	if s.typed == unknown {
		s.typed = answerOf(f.runs == 0 && (metaCompares(s.module) || givesEquality(s.module)) || f.name != "" && f.project.comparesTypes(f.name))
	}
	return s.typed == yes
}

// isBuiltins reports whether an expression is the module of Python's own names.
func isBuiltins(e ast.Expr) bool {
	name, is := e.(*ast.Name)
	return is && (name.ID == "builtins" || name.ID == "__builtins__")
}

// findBindings counts the bindings of each name, and collects the values of assignments. It finds
// out whether the program may bind names of Python's own in their module.
func (s *analysis) findBindings() {
	if s.bound != nil {
		return
	}
	s.bound, s.values, s.modules = map[string]int{}, map[string][]ast.Expr{}, map[string]bool{}
	assign := func(target, value ast.Expr) {
		if name, is := target.(*ast.Name); is && value != nil {
			s.values[name.ID] = append(s.values[name.ID], value)
		}
	}
	mentioned, read := 0, 0 // the module of Python's own names
	defer func() { s.patched = s.patched || mentioned > read }()
	ast.Inspect(s.module, func(n ast.Node) bool {
		if name := ast.Binds(n); name != "" {
			s.bound[name]++
		}
		switch n := n.(type) {
		case *ast.Attribute:
			if isBuiltins(n.Value) && n.Ctx == ast.Load {
				read++
			}
		case *ast.Name:
			if isBuiltins(n) {
				mentioned++
			}
		case *ast.Import:
			for _, alias := range n.Names {
				if alias.AsName == "" {
					top, _, _ := strings.Cut(alias.Name, ".")
					s.modules[top] = true
				}
			}
		case *ast.Alias:
			s.patched = s.patched || n.Name == "builtins" && n.AsName != ""
		case *ast.Constant:
			s.patched = s.patched || n.Type == ast.Str && (strings.HasPrefix(n.Text, "builtins.") || n.Text == "builtins" || n.Text == "__builtins__")
		case *ast.Assign:
			for _, target := range n.Targets {
				assign(target, n.Value)
			}
		case *ast.AnnAssign:
			assign(n.Target, n.Value)
		case *ast.NamedExpr:
			assign(n.Target, n.Value)
		}
		return true
	})
}

// isType reports whether a value is a type: a call of type, or a type of Python's own.
func (s *analysis) isType(e ast.Expr) bool {
	name, is := e.(*ast.Name)
	return isTypeCall(e) && !s.binds("type") || is && slices.Contains(types, name.ID) && !s.binds(name.ID)
}
