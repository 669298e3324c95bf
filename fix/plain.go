package fix

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// boolFunctions are the functions that return True or False, and types the ones that are types.
var (
	boolFunctions = []string{"any", "all", "bool", "callable", "hasattr", "isinstance", "issubclass"}
	types         = []string{"bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple", "type"}
)

// hasPlainEquality reports whether a comparison of a value with a singleton means the same with == and is:
// the value is a literal, or the result of an operator or function whose type is known. Numbers may
// equal True and False, so they are plain only for None (E711).
func (s *analysis) hasPlainEquality(e ast.Expr, code rule.Code) bool {
	switch e := e.(type) {
	case *ast.Constant:
		return e.Type < ast.Int || code == rule.E711
	case *ast.JoinedStr:
		return true
	case *ast.UnaryOp:
		return e.Op == ast.Not
	case *ast.BoolOp:
		return !slices.ContainsFunc(e.Values, func(v ast.Expr) bool { return !s.hasPlainEquality(v, code) })
	case *ast.IfExp:
		return s.hasPlainEquality(e.Body, code) && s.hasPlainEquality(e.Orelse, code)
	case *ast.Compare: // other comparisons may return anything
		return !slices.ContainsFunc(e.Ops, func(op ast.CompareOperator) bool {
			return op != ast.In && op != ast.NotIn && op != ast.Is && op != ast.IsNot
		})
	case *ast.Call:
		name, is := e.Func.(*ast.Name)
		return is && (slices.Contains(boolFunctions, name.ID) || name.ID == "len" && code == rule.E711) && !s.binds(name.ID)
	case *ast.Name:
		return s.isPlainVariable(e.ID)
	}
	return false
}

// isPlainVariable reports whether a name is a variable of functions that only plain values are assigned
// to.
func (s *analysis) isPlainVariable(name string) bool {
	s.findBindings()
	values := s.values[name]
	delete(s.values, name) // a value may have the name itself
	plain := len(values) > 0 && len(values) == s.bound[name] && !isVisible(s.module, name, true) &&
		!slices.ContainsFunc(values, func(v ast.Expr) bool { return !s.hasPlainEquality(v, rule.E712) })
	s.values[name] = values
	return plain
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

// comparesTypes reports whether a metaclass of the file, or of the project, may define ==. What a run shows of the
// file does not count for the project.
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

// findBindings counts the bindings of each name, and collects the values of assignments. It finds out whether
// the program may bind names of Python's own in their module.
func (s *analysis) findBindings() {
	if s.bound != nil {
		return
	}
	s.bound, s.values = map[string]int{}, map[string][]ast.Expr{}
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
		}
		return true
	})
}

// isType reports whether a value is a type: a call of type, or a type of Python's own.
func (s *analysis) isType(e ast.Expr) bool {
	name, is := e.(*ast.Name)
	return isTypeCall(e) && !s.binds("type") || is && slices.Contains(types, name.ID) && !s.binds(name.ID)
}
