package fix

import (
	"slices"
	"strings"

	"codelinter/ast"
)

// mentions is what a program mentions by which it may see an edit.
type mentions struct {
	words     map[string]mention
	modules   map[string]bool // imported modules, with those around them
	functions map[string][]ast.Node
	passesAny bool           // a call has **arguments
	imported  map[string]int // modules and names that imports bind, with their packages
	// listsModules says that something is done with sys.modules besides to look up a module that is
	// named.
	listsModules bool
}

// A mention is how a program mentions a word. One map has them all: to look up a word takes most of
// the time of mentions.
type mention uint8

const (
	anAttribute mention = 1 << iota // x.a, and what else may name one: from x import a
	aField                          // x.a and "a" alone
	aTarget                         // x.a = b, del x.a
	aText                           // a short text
)

// is reports whether the program mentions a word in a way.
func (l *mentions) is(how mention, word string) bool { return l.words[word]&how != 0 }

// hasAttribute reports whether the program mentions one of some words as an attribute.
func (l *mentions) hasAttribute(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return l.is(anAttribute, word) })
}

// mentions returns what the program mentions. It walks the tree once.
func (s *analysis) mentions() *mentions {
	if s.mentioned != nil {
		return s.mentioned
	}
	l := &mentions{words: map[string]mention{}, modules: map[string]bool{}, functions: map[string][]ast.Node{}, imported: map[string]int{}}
	s.mentioned = l
	lookups := map[ast.Node]bool{} // sys.modules in sys.modules["a"] and the like
	ast.Inspect(s.module, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Attribute:
			how := anAttribute | aField
			if n.Ctx != ast.Load {
				how |= aTarget
			}
			l.words[n.Attr] |= how
			l.listsModules = l.listsModules || isSysModules(n) && !lookups[n]
		case *ast.Constant:
			if n.Type != ast.Str {
				break
			}
			if len(n.Text) < 100 {
				l.words[n.Text] |= anAttribute | aField | aText
			}
			for _, word := range [...]string{"funcName", "<lambda>"} { // a logger's format
				if strings.Contains(n.Text, word) {
					l.words[word] |= anAttribute
				}
			}
		case *ast.Subscript:
			if isSysModules(n.Value) {
				lookups[n.Value] = isNamed(n.Slice)
			}
		case *ast.Compare:
			if len(n.Ops) == 1 && isNamed(n.Left) {
				lookups[n.Comparators[0]] = true
			}
		case *ast.Call:
			if method, is := n.Func.(*ast.Attribute); is && len(n.Args) > 0 && isSysModules(method.Value) {
				lookups[method.Value] = isNamed(n.Args[0])
			}
			if name, is := n.Func.(*ast.Name); is && name.ID == "help" {
				l.words["help()"] |= anAttribute
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
				l.words[alias.Name] |= anAttribute
				l.imported[n.Module+"."+alias.Name]++
			}
		case *ast.FunctionDef, *ast.AsyncFunctionDef:
			l.functions[ast.Binds(n)] = append(l.functions[ast.Binds(n)], n)
		}
		return true
	})
	return l
}

// isSysModules reports whether an expression is sys.modules.
func isSysModules(e ast.Expr) bool {
	n, is := e.(*ast.Attribute)
	return is && n.Attr == "modules" && lastName(n.Value) == "sys"
}

// reads reports whether the program has a chain of attributes, a.b.c.
func (s *analysis) reads(chain string) bool {
	last := chain[strings.LastIndexByte(chain, '.')+1:]
	found := false
	ast.Inspect(s.module, func(n ast.Node) bool {
		attribute, is := n.(*ast.Attribute)
		found = found || is && attribute.Attr == last && dotted(attribute) == chain
		return !found
	})
	return found
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
	return l.is(anAttribute, last)
}

// has reports whether one of some names is in a set.
func has(set map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return set[name] })
}

// This file has what a program may see of itself. Most edits rest on such an assumption, for
// example that nothing reads the name of a function. It is checked in the file, and in the project
// where that is read.
