package fix

import (
	"path/filepath"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// lookups are what finds a name by its text.
var lookups = []string{"__import__", "import_module", "modules", "getattr", "attrgetter", "globals", "__dict__", "vars"}

// isLookedUp reports whether the program may look up a name of the module by its text.
func (s *analysis) isLookedUp(name string) bool {
	l := s.mentions()
	return l.is(aText, name) && slices.ContainsFunc(lookups, s.hasName) || l.is(aField, name) && l.modules["__main__"]
}

// mayFail reports whether an offset is in a try or with statement.
func (s *analysis) mayFail(offset int32) bool {
	around := s.find(offset, func(n ast.Node) bool {
		switch n.Kind() {
		case ast.KindTry, ast.KindTryStar, ast.KindWith, ast.KindAsyncWith:
			return n.Bounds().Start <= offset
		}
		return false
	})
	return around != nil || s.overBudget()
}

// isMarkedKept reports whether a row has a comment that says why an import is there: noqa, another
// linter's word for it, or what it is good for.
func (s *analysis) isMarkedKept(row int) bool {
	i := s.tokenAt(s.file.LineStart(row+1)-1) - 1
	for ; i >= 0 && int(s.tokens[i].Row) == row; i-- {
		t := &s.tokens[i]
		if t.Kind != tokenizer.COMMENT {
			continue
		}
		comment := strings.ToLower(t.Text(s.text))
		if slices.ContainsFunc(keepMarks, func(word string) bool { return strings.Contains(comment, word) }) {
			return true
		}
	}
	return false
}

// keepMarks are words of comments for imports that are not used by name.
var keepMarks = []string{"noqa", "unused", "w0611", "nopycln", "noinspection", "side effect", "side-effect", "export"}

// dropImport removes the unused names of an import statement. A name imported as itself is
// for other files, and so are all imports of an __init__.py or conftest.py, and those that other
// files use:
//
//	from a import b as b
func dropImport(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	if keepsImports(f.name) {
		return f.keep(ForOthers)
	}
	var names []*ast.Alias
	module := ""
	var from *ast.ImportFrom
	n := s.find(finding.Start, func(n ast.Node) bool {
		names = imported(n)
		var is bool
		if from, is = n.(*ast.ImportFrom); is {
			module = strings.Repeat(".", int(from.Level)) + from.Module
		}
		return names != nil && n.Bounds().Start == finding.Start
	})
	if n == nil {
		return nil
	}
	if module != "" && !strings.HasSuffix(module, ".") {
		module += "."
	}
	called := func(alias *ast.Alias) string { // the name in the finding's message
		if alias.AsName != "" && alias.AsName != alias.Name {
			return module + alias.Name + " as " + alias.AsName
		}
		return module + alias.Name
	}
	kept := map[string]bool{}
	for _, alias := range names {
		if alias.AsName == alias.Name {
			kept[called(alias)] = true
		}
	}
	unused := map[string]bool{}
	isUnused := func(finding *rule.Finding) bool {
		parts := strings.Split(finding.Message(), "'")
		if len(parts) != 3 || kept[parts[1]] {
			return false
		}
		unused[parts[1]] = true
		return true
	}
	if !isUnused(finding) {
		return f.keep(ForOthers)
	}
	if !f.once(s.lineAt(finding.Start), rule.F401, "") {
		return nil
	}
	f.mends(s, finding, int(finding.Row), int(finding.Row), func(other *rule.Finding) bool {
		return other.Code == rule.F401 && other.Start == finding.Start && isUnused(other)
	})
	inside := s.isInFunction(finding.Start)
	stays := slices.ContainsFunc(names, func(alias *ast.Alias) bool { return !unused[called(alias)] })
	return f.dropNames(s, n.Bounds(), names, func(alias *ast.Alias) bool {
		switch name := alias.Bound(); {
		case !unused[called(alias)]:
		case s.isFoundByName(name) || s.isLookedUp(name) || !inside && isTestFile(f.name) && isTestName(name):
			f.kept = Named
		case f.isLoaded(s, from, alias, stays):
			f.kept = Loaded
		case !inside && f.name != "" && f.project.uses(f.name, name):
			f.kept = Used
		default:
			return true
		}
		return false
	})
}

func (s *analysis) isInFunction(offset int32) bool {
	return s.find(offset, func(n ast.Node) bool {
		return (n.Kind() == ast.KindFunctionDef || n.Kind() == ast.KindAsyncFunctionDef) && n.Bounds().Start <= offset
	}) != nil
}

// isFoundByName reports whether code that pyflakes does not follow may use a name: an example in a
// docstring, or pytest for a parameter.
func (s *analysis) isFoundByName(name string) bool { return s.isInExample(name) || s.arguments[name] }

// isInExample reports whether an example in a docstring may use a name.
func (s *analysis) isInExample(name string) bool {
	if s.examples == nil {
		s.examples, s.arguments = map[string]bool{}, map[string]bool{}
		ast.Inspect(s.module, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Arg:
				s.arguments[n.Arg] = true
			case *ast.Constant:
				if n.Type == ast.Str && strings.Contains(n.Text, ">>>") {
					for _, word := range strings.FieldsFunc(n.Text, func(c rune) bool { return c < 0x80 && !isWordByte(byte(c)) }) {
						s.examples[word] = true
					}
				}
			}
			return true
		})
	}
	return s.examples[name]
}

// isTestFile reports whether a test runner may look for tests in a file.
func isTestFile(name string) bool {
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".py")
	return strings.HasPrefix(base, "test") || strings.HasSuffix(base, "test") || strings.HasSuffix(base, "tests")
}

// isTestName reports whether a test runner may run an imported name, or obey it.
func isTestName(name string) bool {
	lower := strings.ToLower(name)
	return strings.Contains(lower, "test") || strings.HasPrefix(lower, "setup") || strings.HasPrefix(lower, "teardown")
}

// imported returns the names of an import statement, or nil.
func imported(n ast.Node) []*ast.Alias {
	switch n := n.(type) {
	case *ast.Import:
		return n.Names
	case *ast.ImportFrom:
		return n.Names
	}
	return nil
}

// dropNames removes some names of an import statement, or all of it. All stay if a comment in the
// row of one says why it is there, and in a try or with statement, which may catch that the import
// fails.
func (f *Fixer) dropNames(s *analysis, r ast.Range, names []*ast.Alias, unused func(*ast.Alias) bool) []Edit {
	if s.mayFail(r.Start) {
		return f.keep(Tried)
	}
	if s.isMarkedKept(s.file.Row(r.Start)) || s.isMarkedKept(s.file.Row(r.End-1)) {
		return f.keep(Marked)
	}
	drop := make([]bool, len(names))
	for i, alias := range names {
		if drop[i] = unused(alias); drop[i] && s.isMarkedKept(s.file.Row(alias.Start)) {
			return f.keep(Marked)
		}
	}
	if !slices.Contains(drop, true) {
		return nil
	}
	if !slices.Contains(drop, false) {
		return s.dropStatement(r)
	}
	list := make([]ast.Range, len(names))
	for i, alias := range names {
		list[i] = alias.Range
	}
	return dropItems(list, drop)
}

// dropItems removes some items of a list with commas, of which at least one stays.
func dropItems(items []ast.Range, drop []bool) (edits []Edit) {
	kept := len(drop) - 1
	for kept >= 0 && drop[kept] {
		kept--
	}
	for i, r := range items {
		switch {
		case !drop[i]:
		case i < kept: // up to the next item
			edits = append(edits, Edit{r.Start, items[i+1].Start, ""})
		default: // from the kept item before
			edits = append(edits, Edit{items[i-1].End, r.End, ""})
		}
	}
	return edits
}
