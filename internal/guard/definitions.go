package guard

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file finds the definitions of a text, and looks up a program's
// definitions in an answer.
//
// A place is the module, or a class directly in a place. The last binding of a
// name counts:
//
//	def area(side): ...        # the definition
//	Area = area                # an alias: Area is a definition too
//	perimeter = lambda n: ...  # as good as a def
//	area = None                # area is no definition any more
//
// A definition in an if, a loop, a try or a with may not be executed. It counts
// only if the program's own definition is in such a statement too.

// A namespace has the bindings of a module or a class.
type namespace struct {
	path     string // "" for the module, "Stack." for a class
	order    []string
	bindings map[string][]binding
	classes  map[string]*namespace // for each name, that of the last class bound to it
}

// A binding is one statement that binds a name in a place, or deletes it. Nested says that it may
// not run.
type binding struct{ scope.Binding }

func newNamespace(path string) *namespace {
	return &namespace{path: path, bindings: map[string][]binding{}, classes: map[string]*namespace{}}
}

// namespaceOf returns the namespace of a text's module, with those of its classes.
func namespaceOf(table *scope.Table) *namespace {
	places := map[int32]*namespace{0: newNamespace("")} // by scope
	for _, found := range table.Bindings {
		s := &table.Symbols[found.Symbol]
		p := places[s.Scope]
		if p == nil || found.Effect == scope.Declares {
			continue
		}
		if found.Scope != s.Scope { // a function may bind a global name in any call
			found.Nested, found.Value = true, nil
		}
		name := table.Names[s.Name].Text
		if class, is := found.Value.(*ast.ClassDef); is {
			p.classes[name] = newNamespace(p.path + name + ".")
			places[table.ScopeOf(class)] = p.classes[name]
		}
		if p.bindings[name] == nil {
			p.order = append(p.order, name)
		}
		p.bindings[name] = append(p.bindings[name], binding{found})
	}
	return places[0]
}

// args returns the parameters of a function or a lambda, or nil.
func (b *binding) args() *ast.Arguments {
	switch v := b.Value.(type) {
	case *ast.FunctionDef:
		return v.Args
	case *ast.AsyncFunctionDef:
		return v.Args
	case *ast.Lambda:
		return v.Args
	}
	return nil
}

// last returns the last binding of a name, after following aliases.
func (p *namespace) last(name string) (b binding) {
	for range 8 { // a = b; b = a leads nowhere
		all := p.bindings[name]
		if len(all) == 0 {
			return b
		}
		b = all[len(all)-1]
		alias, is := b.Value.(*ast.Name)
		if !is || alias.ID == name || p.bindings[alias.ID] == nil {
			return b // of itself or a builtin
		}
		name = alias.ID
	}
	return b
}

// kind says what a definition defines; it is "" for other bindings.
func (b *binding) kind() string {
	switch b.Value.(type) {
	case *ast.AsyncFunctionDef:
		return "an async function"
	case *ast.ClassDef:
		return "a class"
	case *ast.FunctionDef, *ast.Lambda:
		return "a function"
	}
	return ""
}

// definition returns the last def, class or lambda bound to a name, even if a
// later statement wraps it, as in f = cache(f).
func (p *namespace) definition(name string) (b binding, defined bool) {
	for _, b = range slices.Backward(p.bindings[name]) {
		if b.kind() != "" {
			return b, true
		}
	}
	return binding{}, false
}

// once returns the expression to which a name is bound, if one statement does that and surely runs, or nil.
func (p *namespace) once(name string) ast.Expr {
	if all := p.bindings[name]; len(all) == 1 && !all[0].Nested {
		value, _ := all[0].Value.(ast.Expr)
		return value
	}
	return nil
}

// constant returns what an expression is if it is a name of a constant, else the expression.
func (p *namespace) constant(e ast.Expr) ast.Expr {
	if name, is := e.(*ast.Name); is && p.once(name.ID) != nil {
		return p.once(name.ID)
	}
	return e
}

// match looks up the program's definitions in an answer and reports
// differences.
type match struct {
	callers *scope.Callers
	top     *namespace // of the answer
	renamed []Renaming
	report  func(name string, offset int32, format string, args ...any)
}

func (m *match) compare(program, answer *namespace) {
	before := "" // the answer's last definition that is the program's too
	for _, name := range program.order {
		want, defined := program.definition(name)
		found, mine := name, answer.bindings[name]
		if len(mine) == 0 {
			found = ""
			if defined && scope.Ambiguous(name) {
				found = renamed(program, want.kind(), answer, before)
			}
		}
		switch {
		case !defined && len(mine) > 0:
			// a module that imports the program may read it, though no call shows it
			if differentConstants(program.once(name), answer.once(name)) {
				m.report(Redefinition, mine[0].Offset, "%s has another value than in the program", name)
			}
			continue
		case !defined:
			if program.path == "" && m.callers.Reads(name) {
				m.report(MissingDefinition, -1, "%s is not bound at the top level, and the tests read it", name)
			}
			continue
		case found == "":
			_, kind, _ := strings.Cut(want.kind(), " ")
			m.report(MissingDefinition, -1, "%s %s is not defined %s", kind, name, where(program.path))
			continue
		case found != name || program.path != answer.path:
			m.renamed = append(m.renamed, Renaming{program.path + name, answer.path + found})
		}
		before = found
		m.one(program, name, want, answer, found)
		if inner := answer.classes[found]; inner != nil && program.classes[name] != nil {
			m.compare(program.classes[name], inner)
		}
	}
}

// renamed finds the answer's definition for one of the program whose name must change: a new one of
// its kind, which is the next after the definition before.
func renamed(program *namespace, kind string, answer *namespace, before string) string {
	for _, name := range answer.order[slices.Index(answer.order, before)+1:] {
		if b, defined := answer.definition(name); defined {
			if len(program.bindings[name]) == 0 && b.kind() == kind {
				return name
			}
			break
		}
	}
	return ""
}

// bases reports a base class of the program that is not a base in the answer:
// inherited methods, and handlers that catch the class, depend on it.
func (m *match) bases(name string, want, got *ast.ClassDef) {
	for _, base := range want.Bases {
		inherited := ast.DecoratorName(base)
		if inherited == "" || inherited == "object" || scope.Ambiguous(inherited) {
			continue
		}
		if !slices.ContainsFunc(got.Bases, func(e ast.Expr) bool { return ast.DecoratorName(e) == inherited }) {
			m.report(MissingDefinition, got.Start, "class %s is not derived from %s", name, inherited)
		}
	}
}

func where(path string) string {
	if path == "" {
		return "at the top level"
	}
	return "in class " + path[:len(path)-1]
}

// one compares a definition with the answer's definition of the name.
func (m *match) one(program *namespace, name string, want binding, answer *namespace, found string) {
	last, got := program.last(name), answer.last(found)
	if got.Effect == scope.Deletes {
		if last.Effect != scope.Deletes {
			m.report(MissingDefinition, got.Offset, "%s is deleted", found)
		}
		return
	}
	if got.Nested && !slices.ContainsFunc(program.bindings[name], func(b binding) bool { return b.Nested }) {
		_, defined := answer.definition(found)
		switch {
		case defined && got.kind() == "":
			m.report(Redefinition, got.Offset, "%s may be bound to something else here", found)
		case slices.ContainsFunc(answer.bindings[found], func(b binding) bool { return !b.Nested && b.kind() != "" }):
			m.report(Redefinition, got.Offset, "%s is defined once more under a condition", found)
		default:
			m.report(MissingDefinition, got.Offset, "%s is defined only under a condition", found)
		}
		return
	}
	switch got.kind() {
	case want.kind():
	case "":
		if last.kind() != "" {
			m.report(Redefinition, got.Offset, "%s is bound to something else than its definition", found)
		}
		return
	default:
		m.report(Signature, got.Offset, "%s %s became %s", want.kind(), found, got.kind())
		return
	}
	theirs := ast.Decorators(want.Value)
	for _, decorator := range ast.Decorators(got.Value) {
		isTheirs := slices.ContainsFunc(theirs, func(d ast.Expr) bool { return ast.DecoratorName(d) == ast.DecoratorName(decorator) })
		if ast.DecoratorName(decorator) == "" || !isTheirs && !(answer.isHarmless(decorator) && m.top.isHarmless(decorator)) {
			m.report(Decorator, decorator.Bounds().Start, "%s has a decorator that the program does not give it", found)
			break
		}
	}
	if mine, is := got.Value.(*ast.ClassDef); is {
		m.bases(found, want.Value.(*ast.ClassDef), mine)
		return
	}
	if text := m.signature(program, want.args(), answer, got.args()); text != "" {
		m.report(Signature, got.Offset, "%s %s", found, text)
	}
}

// harmlessDecorators change nothing that a caller of plain functions can see,
// or nothing but what running them shows.
var harmlessDecorators = []string{"staticmethod", "lru_cache", "cache", "override", "final", "typechecked"}

// isHarmless reports whether a decorator is a harmless one, and the one that its name says: the
// answer binds the name only by importing it. These are not:
//
//	def cache(f): ...
//	from operator import truth as final
func (p *namespace) isHarmless(decorator ast.Expr) bool {
	if call, is := decorator.(*ast.Call); is {
		decorator = call.Func
	}
	root := scope.RootName(decorator)
	return root != nil && slices.Contains(harmlessDecorators, ast.DecoratorName(decorator)) && !slices.ContainsFunc(p.bindings[root.ID], func(b binding) bool {
		alias, is := b.Value.(*ast.Alias)
		return !is || alias.AsName != "" || alias.Name != root.ID
	})
}
