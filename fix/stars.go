package fix

import (
	_ "embed"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
	"codelinter/internal/util/lazy"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// starsText is written by stars.py, which `make tables` runs.
//
//go:embed stars.txt
var starsText string

// stars has the names that an import * of a module binds, and whether all releases and systems have
// them.
var stars = lazy.Value[map[string]map[string]bool]{Make: func() map[string]map[string]bool {
	table := map[string]map[string]bool{}
	for line := range strings.Lines(starsText) {
		module, list, found := strings.Cut(line, ":")
		if !found || line[0] == '#' {
			continue
		}
		names := map[string]bool{}
		for name := range strings.FieldsSeq(list) {
			plain := strings.TrimSuffix(name, "?")
			names[plain] = plain == name
		}
		table[module] = names
	}
	return table
}}

// nameImports writes the names that the program uses in place of the star of an import from a
// module of Python's library:
//
//	from math import *      from math import pi, sqrt
//
// The other names must not matter: nothing looks up names by their texts, no other file uses them,
// and the program does not bind them before it uses them. The proof is that the trees are equal but
// for the names, see tree.rewritten.
func nameImports(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	if s.named == nil {
		s.named = f.namesOfStars(s)
	}
	f.kept = NoEdit // of a module that is not known
	for _, statement := range s.module.Body {
		from, names := ast.Node(statement), s.named[statement]
		if star, is := statement.(*ast.ImportFrom); is && star.Names[0].Name == "*" && stars.Get()[star.Module] != nil {
			f.kept = Named
		}
		is := func(other *rule.Finding) bool {
			return other.Code == rule.F403 && other.Start == from.Bounds().Start || other.Code == rule.F405 && slices.Contains(names, quoted(other))
		}
		if len(names) == 0 || !is(finding) || !f.once(int(from.Bounds().Start), rule.F403, "") {
			continue
		}
		f.mends(s, finding, 1, s.file.Lines(), is)
		star := imported(from)[0]
		return []Edit{{star.Start, star.End, strings.Join(names, ", ")}}
	}
	return nil
}

// namesOfStars returns the names that each import * may have in its place. A name that two of them
// have is of the later one, if there are only imports between them.
func (f *Fixer) namesOfStars(s *analysis) map[ast.Node][]string {
	named := map[ast.Node][]string{}
	if slices.ContainsFunc(dynamicNames, s.hasName) {
		return named
	}
	read := s.namesFromStars()
	later := map[string]bool{} // names of later stars; whether there are only imports between
	for _, statement := range slices.Backward(s.module.Body) {
		from, is := statement.(*ast.ImportFrom)
		if imported(statement) == nil {
			for name := range later {
				later[name] = false
			}
		}
		if !is || from.Names[0].Name != "*" {
			continue
		}
		names := f.namesOfStar(s, from, read)
		if slices.ContainsFunc(names, func(name string) bool { adjacent, taken := later[name]; return taken && !adjacent }) {
			continue
		}
		names = slices.DeleteFunc(names, func(name string) bool { return later[name] })
		for _, name := range names {
			later[name] = true
		}
		named[from] = names
	}
	return named
}

// dynamicNames are names by which a program finds names by their texts.
var dynamicNames = []string{"globals", "locals", "vars", "dir", "eval", "exec", "__dict__", "__all__", "__import__", "getattr", "modules", "import_module"}

// quoted returns the name that a finding's message quotes.
func quoted(finding *rule.Finding) string {
	if parts := strings.SplitN(finding.Message(), "'", 3); len(parts) == 3 {
		return parts[1]
	}
	return ""
}

// namesFromStars returns the names that the program may read of its import *: those of F405, those
// that it does not bind, and names of Python's own.
func (s *analysis) namesFromStars() map[string]bool {
	read := map[string]bool{}
	for i := range s.findings {
		if s.findings[i].Code == rule.F405 {
			read[quoted(&s.findings[i])] = true
		}
	}
	for _, finding := range s.hidden {
		if finding.Code == rule.F405 { // without its message
			read[s.text[finding.Start:finding.End]] = true
		}
	}
	s.findBindings()
	ast.Inspect(s.module, func(n ast.Node) bool {
		if name, is := n.(*ast.Name); is && name.Ctx == ast.Load && (s.bound[name.ID] == 0 || scope.IsBuiltin(name.ID)) {
			read[name.ID] = true
		}
		return true
	})
	return read
}

// namesOfStar returns the names that an import * may have in its place, in order, or nil.
func (f *Fixer) namesOfStar(s *analysis, from *ast.ImportFrom, read map[string]bool) []string {
	exported := stars.Get()[from.Module]
	if from.Level > 0 || exported == nil || !f.isLibrary(from.Module) {
		return nil
	}
	var names []string
	for name, everywhere := range exported {
		switch {
		case s.isInExample(name):
			return nil
		case read[name] && !everywhere:
			return nil
		case read[name]:
			names = append(names, name)
		case f.name != "" && f.project.uses(f.name, name):
			return nil
		}
		if !read[name] && s.hasName(name) && !s.bindsAfter(from, name) {
			return nil
		}
	}
	slices.Sort(names)
	return names
}

// bindsAfter reports whether the module does not bind a name, or only below an import and before
// anything has the name.
func (s *analysis) bindsAfter(from *ast.ImportFrom, name string) bool {
	below, used := false, false
	for _, statement := range s.module.Body {
		if statement == ast.Stmt(from) {
			below = true
			continue
		}
		n := s.count(statement, name)
		if n > 0 && bindsInModule(statement, name) {
			return below && !used && n == 1
		}
		used = used || n > 0
	}
	return true
}

// count returns how many tokens of a statement and its decorators are a name.
func (s *analysis) count(statement ast.Stmt, name string) (n int) {
	for i := s.tokenAt(s.decoratedStart(statement)); i < len(s.tokens) && s.tokens[i].Start < statement.Bounds().End; i++ {
		if s.tokens[i].Kind == tokenizer.NAME && s.tokens[i].Text(s.text) == name {
			n++
		}
	}
	return n
}

// bindsInModule reports whether a statement binds a name in the module's scope: it, a block of it,
// or a function that declares it global. A := in a comprehension does too.
func bindsInModule(n ast.Node, name string) bool {
	found := false
	inner := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Global:
			found = found || slices.Contains(n.Names, name)
		case *ast.NamedExpr:
			found = found || ast.Binds(n.Target) == name
		}
		return !found
	}
	ast.Inspect(n, func(n ast.Node) bool {
		variable, is := n.(*ast.Name)
		found = found || ast.Binds(n) == name || is && variable.Ctx == ast.Del && variable.ID == name
		if ast.OpensScope(n) {
			ast.Inspect(n, inner)
			return false
		}
		return !found
	})
	return found
}
