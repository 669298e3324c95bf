package fix

import (
	"slices"
	"strings"

	"codelinter/ast"
)

// mentions is what a program mentions by which it may see an edit.
type mentions struct {
	attributes map[string]bool // x.a, and "a" where a string is a name
	modules    map[string]bool // imported modules, with those around them
	strings    map[string]bool // short texts
	chains     map[string]bool // a.b.c, where it is read
	functions  map[string][]ast.Node
}

// mentions returns what the program mentions. It walks the tree once.
func (s *analysis) mentions() *mentions {
	if s.mentioned != nil {
		return s.mentioned
	}
	l := &mentions{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string][]ast.Node{}}
	s.mentioned = l
	ast.Inspect(s.module, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Attribute:
			l.attributes[n.Attr] = true
			if chain := dotted(n); chain != "" {
				l.chains[chain] = true
			}
		case *ast.Constant:
			if n.Type != ast.Str {
				break
			}
			if len(n.Text) < 100 {
				l.attributes[n.Text], l.strings[n.Text] = true, true
			}
			for _, word := range [...]string{"funcName", "<lambda>"} { // a logger's format
				if strings.Contains(n.Text, word) {
					l.attributes[word] = true
				}
			}
		case *ast.Call:
			if name, is := n.Func.(*ast.Name); is && name.ID == "help" {
				l.attributes["help()"] = true
			}
		case *ast.Import:
			for _, alias := range n.Names {
				l.module(alias.Name)
			}
		case *ast.ImportFrom:
			l.module(n.Module)
			for _, alias := range n.Names {
				l.attributes[alias.Name] = true
			}
		case *ast.FunctionDef, *ast.AsyncFunctionDef:
			l.functions[ast.Binds(n)] = append(l.functions[ast.Binds(n)], n)
		}
		return true
	})
	return l
}

func (l *mentions) module(name string) {
	for name != "" {
		l.modules[name] = true
		name = name[:max(0, strings.LastIndexByte(name, '.'))]
	}
}

// has reports whether one of some names is in a set.
func has(set map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return set[name] })
}

// This file has what a program may see of itself. Most edits rest on such an assumption, for example
// that nothing reads the name of a function. It is checked in the file, and in the project where
// that is read.
