package guard

import (
	"codelinter/internal/equiv/scope"
	"slices"

	"codelinter/ast"
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

// A binding is one statement that binds a name in a place, or deletes it.
type binding struct {
	conditional bool // in a compound statement, or by a global statement
	deleted     bool
	offset      int32
	value       ast.Node // what the name is bound to: a definition, the alias of an import, an expression, or nil
}

// A namespace has the bindings of a module or a class.
type namespace struct {
	path     string // "" for the module, "Stack." for a class
	order    []string
	bindings map[string][]binding
	classes  map[string]*namespace // for each name, that of the last class bound to it
}

func newNamespace(path string) *namespace {
	return &namespace{path: path, bindings: map[string][]binding{}, classes: map[string]*namespace{}}
}

// namespaceOf returns the namespace of a text's module, with those of its classes.
func namespaceOf(table *scope.Table) *namespace {
	places := map[int32]*namespace{0: newNamespace("")} // by scope
	for i := range table.Bindings {
		found := &table.Bindings[i]
		s := &table.Symbols[found.Symbol]
		p := places[s.Scope]
		if p == nil || found.Effect == scope.Declares {
			continue
		}
		name := table.Names[s.Name].Text
		b := bindingOf(found, s.Scope)
		if class, is := b.value.(*ast.ClassDef); is {
			p.classes[name] = newNamespace(p.path + name + ".")
			places[table.ScopeOf(class)] = p.classes[name]
		}
		if p.bindings[name] == nil {
			p.order = append(p.order, name)
		}
		p.bindings[name] = append(p.bindings[name], b)
	}
	return places[0]
}

// bindingOf returns a binding in a scope. A function may bind a global name in any call.
func bindingOf(found *scope.Binding, in int32) binding {
	b := binding{conditional: found.Nested, deleted: found.Effect == scope.Deletes, offset: found.Offset, value: found.Value}
	if found.Scope != in {
		b.conditional, b.value = true, nil
	}
	return b
}

// args returns the parameters of a function or a lambda, or nil.
func (b *binding) args() *ast.Arguments {
	switch v := b.value.(type) {
	case *ast.FunctionDef:
		return v.Args
	case *ast.AsyncFunctionDef:
		return v.Args
	case *ast.Lambda:
		return v.Args
	}
	return nil
}

// last returns the last binding of a name, after following aliases. ok is false
// if the value is unknown.
func (p *namespace) last(name string) (b binding, ok bool) {
	for range 8 { // a = b; b = a leads nowhere
		all := p.bindings[name]
		if len(all) == 0 {
			return binding{}, false
		}
		b = all[len(all)-1]
		alias, is := b.value.(*ast.Name)
		if !is || alias.ID == name || p.bindings[alias.ID] == nil {
			return b, true // of itself or a builtin
		}
		name = alias.ID
	}
	return b, true
}

// isDefinition reports whether the name is bound to a function or a class.
func (b *binding) isDefinition() bool { return b.args() != nil || b.isClass() }

func (b *binding) isClass() bool { return b.value != nil && b.value.Kind() == ast.KindClassDef }

func (b *binding) kind() Kind {
	switch b.value.(type) {
	case *ast.AsyncFunctionDef:
		return AsyncFunction
	case *ast.ClassDef:
		return Class
	}
	return Function
}

// definitions appends the program's definitions in the order of their first
// lines.
func (p *namespace) definitions(list []Definition) []Definition {
	for _, name := range p.order {
		b, defined := p.definition(name)
		if !defined {
			continue
		}
		list = append(list, Definition{Kind: b.kind(), Path: p.path + name})
		if b.isClass() {
			list = p.classes[name].definitions(list)
		}
	}
	return list
}

// definition returns the last def, class or lambda bound to a name, even if a
// later statement wraps it, as in f = cache(f).
func (p *namespace) definition(name string) (binding, bool) {
	all := p.bindings[name]
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].isDefinition() {
			return all[i], true
		}
	}
	return binding{}, false
}

// match looks up the program's definitions in an answer and reports
// differences.
type match struct {
	callers     *scope.Callers
	top         *namespace // of the answer
	definitions []Definition
	report      func(name string, offset int32, format string, args ...any)
}

func (m *match) compare(program, answer *namespace, answerPath string) {
	for i, name := range program.order {
		want, defined := program.definition(name)
		if !defined {
			if program.path == "" && m.callers.Reads(name) && len(answer.bindings[name]) == 0 {
				m.report(MissingDefinition, -1, "%s is not bound at the top level, and the tests read it", name)
			}
			m.constant(name, program.bindings[name], answer.bindings[name])
			continue
		}
		found := name
		if len(answer.bindings[name]) == 0 {
			found = ""
			if scope.Ambiguous(name) {
				found = renamed(program, i, answer, want.kind())
			}
		}
		d := Definition{Kind: want.kind(), Path: program.path + name}
		if found != "" {
			d.Answer = answerPath + found
		}
		m.definitions = append(m.definitions, d)
		if found == "" {
			m.report(MissingDefinition, -1, "%s %s is not defined %s", want.kind(), name, where(program.path))
			if want.isClass() {
				m.missing(program.classes[name])
			}
			continue
		}
		m.one(program, name, want, answer, found)
		if want.isClass() {
			if inner := answer.classes[found]; inner != nil {
				m.compare(program.classes[name], inner, answerPath+found+".")
			} else {
				m.missing(program.classes[name])
			}
		}
	}
}

// constant compares a number, text or singleton that a name of a place is bound
// to once: a module that imports the program may read it, though no call shows
// it.
func (m *match) constant(name string, program, answer []binding) {
	if len(program) != 1 || len(answer) != 1 || program[0].conditional || answer[0].conditional {
		return
	}
	want, isConstant := program[0].value.(ast.Expr)
	got, is := answer[0].value.(ast.Expr)
	if isConstant && is && differentConstants(want, got) {
		m.report(Redefinition, answer[0].offset, "%s has another value than in the program", name)
	}
}

// bases reports a base class of the program that is not a base in the answer:
// inherited methods, and handlers that catch the class, depend on it.
func (m *match) bases(name string, want, got *ast.ClassDef, offset int32) {
	for _, base := range want.Bases {
		inherited := ast.DecoratorName(base)
		if inherited == "" || inherited == "object" || scope.Ambiguous(inherited) {
			continue
		}
		if !slices.ContainsFunc(got.Bases, func(e ast.Expr) bool { return ast.DecoratorName(e) == inherited }) {
			m.report(MissingDefinition, offset, "class %s is not derived from %s", name, inherited)
		}
	}
}

// missing lists the definitions in a class that is missing itself.
func (m *match) missing(class *namespace) {
	m.definitions = class.definitions(m.definitions)
}

func where(path string) string {
	if path == "" {
		return "at the top level"
	}
	return "in class " + path[:len(path)-1]
}

// one compares a definition with the answer's definition of the name.
func (m *match) one(program *namespace, name string, want binding, answer *namespace, found string) {
	last, _ := program.last(name)
	got, _ := answer.last(found)
	switch {
	case got.deleted:
		if !last.deleted {
			m.report(MissingDefinition, got.offset, "%s is deleted", found)
		}
		return
	case got.conditional && !anyConditional(program.bindings[name]):
		if _, defined := answer.definition(found); defined && !got.isDefinition() {
			m.report(Redefinition, got.offset, "%s may be bound to something else here", found)
		} else if direct(answer.bindings[found]) {
			m.report(Redefinition, got.offset, "%s is defined once more under a condition", found)
		} else {
			m.report(MissingDefinition, got.offset, "%s is defined only under a condition", found)
		}
		return
	case !got.isDefinition():
		if last.isDefinition() {
			m.report(Redefinition, got.offset, "%s is bound to something else than its definition", found)
		}
		return
	}
	if got.kind() != want.kind() {
		m.report(Signature, got.offset, "%s %s became %s", article(want.kind()), found, article(got.kind()))
		return
	}
	for _, decorator := range ast.Decorators(got.value) {
		if !knownDecorator(decorator, ast.Decorators(want.value)) || !answer.keeps(decorator, ast.Decorators(want.value)) || !m.top.keeps(decorator, ast.Decorators(want.value)) {
			m.report(Decorator, decorator.Bounds().Start, "%s has a decorator that the program does not give it", found)
			break
		}
	}
	if theirs, is := want.value.(*ast.ClassDef); is {
		if mine, is := got.value.(*ast.ClassDef); is {
			m.bases(found, theirs, mine, got.offset)
		}
	}
	if theirs, mine := want.args(), got.args(); theirs != nil && mine != nil {
		if text := m.signature(theirs, mine); text != "" {
			m.report(Signature, got.offset, "%s %s", found, text)
		}
	}
}

func article(k Kind) string {
	if k == AsyncFunction {
		return "an " + k.String()
	}
	return "a " + k.String()
}

func anyConditional(all []binding) bool {
	return slices.ContainsFunc(all, func(b binding) bool { return b.conditional })
}

// direct reports whether one of the definitions is unconditional.
func direct(all []binding) bool {
	return slices.ContainsFunc(all, func(b binding) bool { return !b.conditional && b.isDefinition() })
}

// renamed finds the answer's definition for the program's i-th name, an
// ambiguous one. It is a new definition of the same kind after the same known
// definition.
func renamed(program *namespace, i int, answer *namespace, kind Kind) string {
	before := ""
	skip := 0 // ambiguous names in between
	for j := i - 1; j >= 0; j-- {
		if _, defined := program.definition(program.order[j]); !defined {
			continue
		}
		if len(answer.bindings[program.order[j]]) > 0 {
			before = program.order[j]
			break
		}
		skip++
	}
	at := 0
	if before != "" {
		at = slices.Index(answer.order, before) + 1
	}
	for _, name := range answer.order[at:] {
		b, defined := answer.definition(name)
		if !defined {
			continue
		}
		if len(program.bindings[name]) > 0 {
			return ""
		}
		if skip > 0 {
			skip--
			continue
		}
		if b.kind() == kind {
			return name
		}
		return ""
	}
	return ""
}

// harmlessDecorators change nothing that a caller of plain functions can see,
// or nothing but what running them shows.
var harmlessDecorators = []string{"staticmethod", "lru_cache", "cache", "override", "final", "typechecked"}

// knownDecorator reports whether a decorator is the program's, or harmless.
func knownDecorator(decorator ast.Expr, program []ast.Expr) bool {
	name := ast.DecoratorName(decorator)
	if name == "" {
		return false
	}
	return slices.Contains(harmlessDecorators, name) ||
		slices.ContainsFunc(program, func(d ast.Expr) bool { return ast.DecoratorName(d) == name })
}

// keeps reports whether a harmless decorator is the one that its name says: the
// answer binds the name only by importing it. These are not:
//
//	def cache(f): ...
//	from operator import truth as final
func (p *namespace) keeps(decorator ast.Expr, program []ast.Expr) bool {
	if name := ast.DecoratorName(decorator); slices.ContainsFunc(program, func(d ast.Expr) bool { return ast.DecoratorName(d) == name }) {
		return true
	}
	if call, is := decorator.(*ast.Call); is {
		decorator = call.Func
	}
	root := scope.RootName(decorator)
	if root == nil {
		return false
	}
	return !slices.ContainsFunc(p.bindings[root.ID], func(b binding) bool {
		alias, is := b.value.(*ast.Alias)
		return !is || alias.AsName != "" || alias.Name != root.ID
	})
}
