package fix

import (
	"slices"
	"strconv"
	"strings"

	"codelinter/ast"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// rename renames l, O or I in the outermost function or class around it, or in the whole
// module.
func rename(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	name := s.text[finding.Start:finding.End]
	if text := finding.Values().Text; text != "" {
		name = text
	}
	if len(name) != 1 {
		return nil
	}
	var around ast.Node = s.module
	at := 0
	if i := s.statementAt(finding.Start); i < len(s.module.Body) && s.module.Body[i].Bounds().Start <= finding.Start {
		switch statement := s.module.Body[i].(type) {
		case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef:
			around, at = statement, i+1
		}
	}
	if definition := s.tokenAt(finding.Start); definition > 0 && around.Bounds().Start == s.tokens[definition-1].Start {
		around, at = s.module, 0 // the outermost name is bound in the module
	}
	if !f.once(at, rule.E741, name) {
		return nil
	}
	if f.runs == 0 && (isVisible(around, name, true) && !f.isUnshared(s, around, name) || s.showsErrors(around) || f.showsVariables(s)) {
		return f.keep(Named)
	}
	if f.runs > 0 && isVisible(around, name, true) && (s.mentions().passesAny || f.name != "" && (f.project.uses(f.name, name) || f.project.passes(f.name, name))) {
		return f.keep(Used) // no run of this file shows what others do
	}
	if s.showsSource(around, name) {
		return f.keep(Named)
	}
	bounds := around.Bounds()
	f.mends(s, finding, 1, s.file.Lines(), func(other *rule.Finding) bool {
		switch other.Code {
		case rule.E741, rule.E742, rule.E743:
			return bounds.Start <= other.Start && other.Start < bounds.End && other.Values().Text == name
		}
		return false
	})
	other := s.freeName(name)
	var edits []Edit
	put := func(offset int32) {
		if i := s.tokenAt(offset); i < len(s.tokens) && s.tokens[i].Start == offset && s.tokens[i].Text(s.text) == name {
			edits = append(edits, Edit{offset, offset + int32(len(name)), other})
		}
	}
	occurrences(s, around, name, put)
	return sortEdits(edits)
}

// showsSource reports whether a field of a string shows the text of an expression with a name:
// f"{l=}", and any field of a t-string.
func (s *analysis) showsSource(around ast.Node, name string) bool {
	shows := false
	ast.Inspect(around, func(n ast.Node) bool {
		var value ast.Expr
		switch n := n.(type) {
		case *ast.FormattedValue:
			if after := strings.TrimLeft(s.text[n.Value.Bounds().End:], " )\t\n"); strings.HasPrefix(after, "=") {
				value = n.Value
			}
		case *ast.Interpolation:
			value = n.Value
		}
		if value != nil {
			ast.Inspect(value, func(n ast.Node) bool {
				variable, is := n.(*ast.Name)
				shows = shows || is && variable.ID == name
				return !shows
			})
		}
		return !shows
	})
	return shows
}

// isUnshared reports whether nothing but a file's own code can use a name that it binds as a
// parameter of functions without decorators, or in its module: no class binds it, nothing asks for
// the names of parameters, and no other file has the name and the module's.
func (f *Fixer) isUnshared(s *analysis, around ast.Node, name string) bool {
	if f.name == "" || s.isSet(name) || has(s.mentions().modules, showParameters) || s.mentions().hasAttribute(showNames) {
		return false
	}
	shared := false
	ast.Inspect(around, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ClassDef:
			shared = shared || slices.ContainsFunc(n.Body, func(n ast.Stmt) bool { return isVisible(n, name, true) })
		case *ast.FunctionDef, *ast.AsyncFunctionDef:
			shared = shared || len(ast.Decorators(n)) > 0 || ast.Binds(n) == name
		case *ast.TypeVar, *ast.ParamSpec, *ast.TypeVarTuple, *ast.Alias, *ast.Global:
			shared = shared || ast.Binds(n) == name || n.Kind() != ast.KindAlias
		}
		return !shared
	})
	return !shared && f.project.isAlone(f.name, name)
}

// showParameters are modules that read the names of parameters, or that pass arguments by them.
var showParameters = []string{"inspect", "fire", "click", "typer", "plac", "argh", "invoke", "fabric", "flask", "fastapi", "pytest", "unittest", "ctypes",
	"functools", "dataclasses", "attr", "attrs", "pydantic", "celery", "numba", "jax", "hypothesis", "multiprocessing", "threading", "asyncio", "tkinter"}

// isVisible reports whether code outside of a node may use a name that is bound in it: a parameter,
// which calls may pass by keyword, or a name of a module or class. The rest are variables of
// functions and comprehensions.
//
// outside says that names bound in the node belong to a module or class.
func isVisible(n ast.Node, name string, outside bool) bool {
	var body []ast.Stmt // of a function or class
	inside := false     // names of the body belong to a class
	var target ast.Node // of a comprehension
	switch n := n.(type) {
	case *ast.Arg:
		if n.Arg == name {
			return true
		}
	case *ast.Global:
		if slices.Contains(n.Names, name) {
			return true
		}
	case *ast.FunctionDef:
		body = n.Body
	case *ast.AsyncFunctionDef:
		body = n.Body
	case *ast.ClassDef:
		body, inside = n.Body, true
	case *ast.Comprehension:
		target = n.Target
	case *ast.TypeVar, *ast.ParamSpec, *ast.TypeVarTuple:
		return true
	}
	if outside && ast.Binds(n) == name {
		return true
	}
	for _, child := range ast.AppendChildren(nil, n) {
		belongs := outside && child != target
		if statement, is := child.(ast.Stmt); is && slices.Contains(body, statement) {
			belongs = inside
		}
		if isVisible(child, name, belongs) {
			return true
		}
	}
	return false
}

// freeName returns an unused name that begins with name.
func (s *analysis) freeName(name string) string {
	other := name + "_"
	for n := 1; s.hasName(other); n++ {
		other = name + "_" + strconv.Itoa(n)
	}
	return other
}

// occurrences calls put with the offset of each token that spells a name in a node.
func occurrences(s *analysis, around ast.Node, name string, put func(offset int32)) {
	within := func(r ast.Range) { // all tokens of a range
		for i := s.tokenAt(r.Start); i < len(s.tokens) && s.tokens[i].Start < r.End; i++ {
			put(s.tokens[i].Start)
		}
	}
	ast.Inspect(around, func(n ast.Node) bool {
		at := n.Bounds()
		binds := ast.Binds(n) == name
		switch n := n.(type) {
		case *ast.Name:
			if n.ID == name {
				put(at.Start)
			}
		case *ast.Arg:
			if binds {
				put(at.Start)
			}
		case *ast.FunctionDef, *ast.AsyncFunctionDef:
			if binds {
				s.putAfter(tokenizer.Def, at.Start, put)
			}
		case *ast.ClassDef:
			if binds {
				s.putAfter(tokenizer.Class, at.Start, put)
			}
		case *ast.ExceptHandler:
			if binds {
				s.putAfter(tokenizer.As, n.Type.Bounds().End, put)
			}
		case *ast.Global, *ast.Nonlocal:
			within(at)
		case *ast.Alias:
			if n.AsName == name {
				within(at)
			}
		}
		return true
	})
}

// putAfter calls put with the token after the next keyword from offset on.
func (s *analysis) putAfter(keyword tokenizer.Keyword, offset int32, put func(int32)) {
	for i := s.tokenAt(offset); i+1 < len(s.tokens) && s.tokens[i].Kind != tokenizer.NEWLINE; i++ {
		if s.tokens[i].Keyword == keyword {
			put(s.tokens[i+1].Start)
			return
		}
	}
}

// hasName reports whether a name occurs in the text.
func (s *analysis) hasName(name string) bool {
	if s.names == nil {
		s.names = map[string]bool{}
		for i := range s.tokens {
			if t := &s.tokens[i]; t.Kind == tokenizer.NAME {
				s.names[t.Text(s.text)] = true
			}
		}
	}
	return s.names[name]
}

// redefinition removes the first of two bindings of a name, or the second of two imports. No rule
// proves that the first one is not needed if the second may fail.
func redefinition(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	edits, first := s.redefinition(finding, f)
	if len(edits) > 0 && f.runs == 0 && f.variant == 0 && s.mayFailAfter(finding.Start, first) {
		return f.keep(Refused)
	}
	return edits
}

// redefinition returns the edits and the binding that they remove.
func (s *analysis) redefinition(finding *rule.Finding, f *Fixer) (edits []Edit, removed ast.Range) {
	name, offset := strings.Trim(finding.Values().Text, "'"), finding.Start
	if f.variant == 0 {
		row := int(finding.Values().A) // of the first binding
		if row > s.file.Lines() {
			return nil, removed
		}
		offset = s.file.LineStart(row)
	}
	var found ast.Node
	s.find(offset, func(n ast.Node) bool {
		if n.Bounds().Start < offset {
			return false
		}
		switch n.Kind() {
		case ast.KindFunctionDef, ast.KindAsyncFunctionDef:
			if ast.Binds(n) == name {
				found = n
			}
		case ast.KindImport, ast.KindImportFrom:
			found = n
		}
		return found != nil
	})
	if found != nil && f.runs == 0 && !isImportStatement(found) && !bindsPlainly(found.(ast.Stmt)) {
		return f.keep(Evaluated), removed // a decorator may keep it, and an annotation may call
	}
	if found == nil || s.isParameter(finding.Start) || !s.keepsLastBinding(found) || f.variant == 0 && s.file.Row(found.Bounds().Start) != s.file.Row(offset) {
		return nil, removed
	}
	if names := imported(found); names != nil {
		from, _ := found.(*ast.ImportFrom)
		return f.dropNames(s, found.Bounds(), names, func(a *ast.Alias) bool {
			return a.Bound() == name && (f.variant > 0 || !f.isLoaded(s, from, a, len(names) > 1))
		}), found.Bounds()
	}
	if f.variant > 0 {
		return nil, removed
	}
	return s.dropFrom(s.decoratedStart(found), found.Bounds()), found.Bounds()
}

// mayFailAfter reports whether an offset is in a try statement that a node is not in.
func (s *analysis) mayFailAfter(offset int32, outside ast.Range) bool {
	return s.find(offset, func(n ast.Node) bool {
		r := n.Bounds()
		return (n.Kind() == ast.KindTry || n.Kind() == ast.KindTryStar) && r.Start <= offset && (outside.End <= r.Start || r.End <= outside.Start)
	}) != nil
}

func isImportStatement(n ast.Node) bool {
	return n.Kind() == ast.KindImport || n.Kind() == ast.KindImportFrom
}

// isParameter reports whether the parameter of a function is at an offset. A test's parameter may
// be the name of an imported fixture.
func (s *analysis) isParameter(offset int32) bool {
	return s.find(offset, func(n ast.Node) bool { return n.Kind() == ast.KindArg && n.Bounds().Start == offset }) != nil
}

// plainBases are classes whose classes do not see that a name is bound twice in their bodies.
var plainBases = []string{"object", "Exception", "TestCase", "unittest.TestCase", "IsolatedAsyncioTestCase", "unittest.IsolatedAsyncioTestCase"}

// keepsLastBinding reports whether the block of a definition keeps only the last value of a name.
// The metaclass of a class may see each binding, and most bases may have one. The dictionary of a
// class has its names in the order of their first bindings.
func (s *analysis) keepsLastBinding(definition ast.Node) bool {
	class, is := s.find(definition.Bounds().Start, func(n ast.Node) bool {
		class, is := n.(*ast.ClassDef)
		return is && slices.ContainsFunc(class.Body, func(n ast.Stmt) bool { return n.Bounds() == definition.Bounds() })
	}).(*ast.ClassDef)
	return !is || len(class.Keywords) == 0 && !s.hasName("vars") && !s.mentions().is(aField, "__dict__") && !slices.ContainsFunc(class.Bases, func(e ast.Expr) bool { return !slices.Contains(plainBases, dotted(e)) })
}

// moveImport moves an import to the others at the top of the module. All imports that change places
// must be of Python's library: any other module may import this one, and then finds the names that
// are bound so far.
//
//	version = "1.0"
//	from .core import main      # core.py has from . import version
func moveImport(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	l := &s.lines[s.lineAt(finding.Start)]
	first := &s.tokens[l.first]
	start, end := s.file.LineStart(int(first.Row)), s.tokens[l.last].End
	if first.Start != start || s.tokens[l.last].Kind != tokenizer.NEWLINE || strings.Contains(s.text[start:end], ";") {
		return nil
	}
	// After the last import of the head, or the docstring.
	head := int32(0)
	for i, statement := range s.module.Body {
		is := imported(statement) != nil
		if e, isExpr := statement.(*ast.ExprStmt); isExpr && i == 0 {
			_, is = e.Value.(*ast.Constant)
		}
		if !is {
			break
		}
		head = s.lines[s.lineAt(statement.Bounds().Start)].end
	}
	if head == 0 && len(s.module.Body) > 0 {
		head = s.lines[s.lineAt(s.module.Body[0].Bounds().Start)].start
		for head < s.module.Body[0].Bounds().Start && s.isBlankRow(s.file.Row(head)) {
			head = s.file.LineStart(s.file.Row(head) + 1)
		}
	}
	if head > start || f.runs == 0 && !f.isOrderIrrelevant(s, head, end) || f.runs > 0 && !f.onlyBinds(s, head, end) {
		return f.keep(Ordered)
	}
	text := s.text[start:end]
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return []Edit{{head, head, text}, {start, end, ""}}
}

// dropDeclaration removes a global or nonlocal statement whose names the function does not
// bind. Reading the names means the same without it, unless a name is declared global and a
// function around binds it. The proof is that the trees are equal without such statements,
// see isUnneeded.
func dropDeclaration(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	n := s.find(finding.Start, func(n ast.Node) bool {
		return n.Bounds().Start == finding.Start && (n.Kind() == ast.KindGlobal || n.Kind() == ast.KindNonlocal)
	})
	if n == nil {
		return nil
	}
	if n.Kind() == ast.KindNonlocal && (f.showsVariables(s) || slices.ContainsFunc(showClosures, s.hasName)) {
		return f.keep(Named) // the function has the variable, though it does not use it
	}
	_, list, _ := strings.Cut(finding.Values().Text, " ") // global a, b
	var names []string
	switch n := n.(type) {
	case *ast.Global:
		names = n.Names
	case *ast.Nonlocal:
		names = n.Names
	}
	unused := strings.Split(list, ", ")
	if !s.isUnneeded(n, unused) {
		return nil
	}
	if s.unneeded == nil {
		s.unneeded = map[ast.Node][]string{}
	}
	s.unneeded[n] = unused
	var kept []string
	for _, name := range names {
		if !slices.Contains(unused, name) {
			kept = append(kept, name)
		}
	}
	if len(kept) > 0 {
		r := n.Bounds()
		keyword, _, _ := strings.Cut(s.text[r.Start:r.End], " ")
		return []Edit{{r.Start, r.End, keyword + " " + strings.Join(kept, ", ")}}
	}
	if len(s.blockOf(n.Bounds())) == 1 {
		return nil
	}
	return s.dropStatement(n.Bounds())
}

// showClosures are names by which a function may find the variables that it has of others.
var showClosures = []string{"locals", "vars", "dir", "eval", "exec", "__closure__", "co_freevars", "getclosurevars"}

// isUnneeded reports whether a function does not need the declaration of names: no function
// around binds those that are declared global.
func (s *analysis) isUnneeded(declaration ast.Node, names []string) bool {
	if declaration.Kind() == ast.KindNonlocal {
		return true
	}
	at := s.statementAt(declaration.Bounds().Start)
	if at == len(s.module.Body) || s.overBudget() {
		return false
	}
	unneeded := true
	ast.Inspect(s.module.Body[at], func(n ast.Node) bool {
		s.work++
		name := ast.Binds(n)
		switch n := n.(type) {
		case *ast.Name:
			if n.Ctx == ast.Del {
				name = n.ID
			}
		case *ast.TypeVar:
			name = n.Name
		case *ast.ParamSpec:
			name = n.Name
		case *ast.TypeVarTuple:
			name = n.Name
		}
		unneeded = unneeded && !slices.Contains(names, name)
		return unneeded
	})
	return unneeded
}

// dotted returns the text of a name with attributes, or an empty one for other expressions.
func dotted(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID
	case *ast.Attribute:
		if value := dotted(e.Value); value != "" {
			return value + "." + e.Attr
		}
	}
	return ""
}

// firstName returns the name that a chain of attributes begins with, or an empty text.
func firstName(e ast.Expr) string {
	first, _, _ := strings.Cut(dotted(e), ".")
	return first
}
