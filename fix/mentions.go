package fix

import (
	"slices"
	"strings"

	"codelinter/ast"
)

// mentions is what a program mentions by which it may see an edit.
type mentions struct {
	attributes map[string]bool // x.a, and "a" where a string is a name, and from x import a
	fields     map[string]bool // x.a and "a" alone
	sets       map[string]bool // x.a = b, del x.a
	modules    map[string]bool // imported modules, with those around them
	strings    map[string]bool // short texts
	chains     map[string]bool // a.b.c, where it is read
	functions  map[string][]ast.Node
	passesAny  bool           // a call has **arguments
	imported   map[string]int // modules and names that imports bind, with their packages
	// listsModules says that something is done with sys.modules besides to look up a module that is
	// named.
	listsModules bool
}

// mentions returns what the program mentions. It walks the tree once.
func (s *analysis) mentions() *mentions {
	if s.mentioned != nil {
		return s.mentioned
	}
	l := &mentions{attributes: map[string]bool{}, fields: map[string]bool{}, sets: map[string]bool{}, modules: map[string]bool{}, strings: map[string]bool{}, chains: map[string]bool{},
		functions: map[string][]ast.Node{}, imported: map[string]int{}}
	s.mentioned = l
	lookups := map[ast.Node]bool{} // sys.modules in sys.modules["a"] and the like
	ast.Inspect(s.module, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Attribute:
			l.attributes[n.Attr], l.fields[n.Attr] = true, true
			l.sets[n.Attr] = l.sets[n.Attr] || n.Ctx != ast.Load
			l.listsModules = l.listsModules || n.Attr == "modules" && lastName(n.Value) == "sys" && !lookups[n]
			if chain := dotted(n); chain != "" {
				l.chains[chain] = true
			}
		case *ast.Constant:
			if n.Type != ast.Str {
				break
			}
			if len(n.Text) < 100 {
				l.attributes[n.Text], l.fields[n.Text], l.strings[n.Text] = true, true, true
			}
			for _, word := range [...]string{"funcName", "<lambda>"} { // a logger's format
				if strings.Contains(n.Text, word) {
					l.attributes[word] = true
				}
			}
		case *ast.Subscript:
			lookups[n.Value] = isNamed(n.Slice)
		case *ast.Compare:
			if len(n.Ops) == 1 && isNamed(n.Left) {
				lookups[n.Comparators[0]] = true
			}
		case *ast.Call:
			if method, is := n.Func.(*ast.Attribute); is && len(n.Args) > 0 {
				lookups[method.Value] = isNamed(n.Args[0])
			}
			if name, is := n.Func.(*ast.Name); is && name.ID == "help" {
				l.attributes["help()"] = true
			}
		case *ast.Keyword:
			l.passesAny = l.passesAny || n.Arg == ""
		case *ast.Import:
			for _, alias := range n.Names {
				l.module(alias.Name)
				if alias.AsName != "" {
					l.imported[alias.Name]++
				} else {
					top, _, _ := strings.Cut(alias.Name, ".")
					l.imported[top]++
				}
			}
		case *ast.ImportFrom:
			l.module(n.Module)
			for _, alias := range n.Names {
				l.attributes[alias.Name] = true
				l.imported[n.Module+"."+alias.Name]++
			}
		case *ast.FunctionDef, *ast.AsyncFunctionDef:
			l.functions[ast.Binds(n)] = append(l.functions[ast.Binds(n)], n)
		}
		return true
	})
	return l
}

// isNamed reports whether an expression is the name of a module: a text, or __name__.
func isNamed(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && c.Type == ast.Str || lastName(e) == "__name__"
}

func (l *mentions) module(name string) {
	for name != "" {
		l.modules[name] = true
		name = name[:max(0, strings.LastIndexByte(name, '.'))]
	}
}

// mentionsModule reports whether the program imports a module, or a name, with a last part.
func (l *mentions) mentionsModule(last string) bool {
	for name := range l.modules {
		if name[strings.LastIndexByte(name, '.')+1:] == last {
			return true
		}
	}
	return l.attributes[last]
}

// has reports whether one of some names is in a set.
func has(set map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return set[name] })
}

// This file has what a program may see of itself. Most edits rest on such an assumption, for
// example that nothing reads the name of a function. It is checked in the file, and in the project
// where that is read.
