package same

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file finds what is bound and never read.

// deadStore reports whether a bound value is never seen.
func (n *normalizer) deadStore(in int32, text string) bool {
	if n.literal || !n.plain || n.Class&scope.Finalizes != 0 || n.Facts.CleanedGenerator {
		return false
	}
	at := n.Lookup(in, text)
	if at < 0 {
		return false
	}
	s := &n.Symbols[at]
	return n.Scopes[s.Scope].Kind == scope.FunctionScope && s.Loads == 0 && s.Dels == 0 && !s.Pinned
}

// inert reports whether a statement only binds names, so no function runs in it
// and it reads no other name.
func (n *normalizer) inert(in int32, statement ast.Stmt) bool {
	switch s := ast.Plain(statement).(type) {
	case *ast.Pass:
		return true
	case *ast.FunctionDef:
		return inertFunction(s)
	case *ast.ExprStmt:
		return isLiteral(s.Value)
	case *ast.Assign:
		for _, target := range s.Targets {
			if _, is := target.(*ast.Name); !is {
				return false
			}
		}
		return isLiteral(s.Value)
	case *ast.AnnAssign:
		_, is := s.Target.(*ast.Name)
		return is && s.Simple && (s.Value == nil || isLiteral(s.Value))
	case *ast.Import:
		for _, alias := range s.Names {
			if !scope.Importable(alias.Name, "") {
				return false
			}
		}
		return true
	case *ast.ImportFrom:
		if s.Module == "__future__" && s.Level == 0 {
			return true
		}
		for _, alias := range s.Names {
			if s.Level > 0 || !scope.Importable(s.Module, alias.Name) {
				return false
			}
		}
		return true
	case *ast.ClassDef:
		if len(s.DecoratorList)+len(s.Bases)+len(s.Keywords) > 0 {
			return false
		}
		for _, inner := range s.Body {
			if !n.inert(in, inner) {
				return false
			}
		}
		return true
	}
	return false
}

func inertFunction(s *ast.FunctionDef) bool {
	return len(s.DecoratorList) == 0 && inertDefaults(s.Args)
}

// inertDefaults reports whether the parameters' defaults are literals.
func inertDefaults(a *ast.Arguments) bool {
	return allLiterals(a.Defaults, false) && allLiterals(a.KwDefaults, false)
}

// override records the statements of a block whose name is bound again after
// inert statements only, so that nothing can read it in between.
func (n *normalizer) override(in int32, body []ast.Stmt) {
	if n.literal || len(body) < 2 || n.readClass(in) {
		return
	}
	from := len(n.rebound)
	for i := len(body) - 1; i >= 0; i-- {
		if !n.inert(in, body[i]) {
			n.rebound = n.rebound[:from]
			continue
		}
		name := ""
		switch s := ast.Plain(body[i]).(type) {
		case *ast.FunctionDef:
			name = s.Name
		case *ast.Import:
			if len(s.Names) == 1 && s.Names[0].AsName == "" && !strings.Contains(s.Names[0].Name, ".") {
				name = s.Names[0].Name
			}
		}
		if name == "" {
			continue
		}
		at := n.Lookup(in, name)
		if at < 0 || n.Symbols[at].Scope != in {
			continue
		}
		if !slices.Contains(n.rebound[from:], at) {
			if len(n.rebound)-from < 64 { // enough in practice, and keeps the time linear
				n.rebound = append(n.rebound, at)
			}
			continue
		}
		if f, is := body[i].(*ast.FunctionDef); is && n.Scopes[n.ScopeOf(f)].Odd {
			continue
		}
		if _, is := body[i].(*ast.AsyncFunctionDef); is {
			continue
		}
		n.overridden[body[i]] = true
	}
	n.rebound = n.rebound[:from]
}

func (n *normalizer) isDead(in int32, target ast.Expr) bool {
	name, is := target.(*ast.Name)
	return is && n.deadStore(in, name.ID)
}

// deadHandler reports whether nothing reads the name of a handler and nothing
// else binds it. The handler deletes the name at its end.
func (n *normalizer) deadHandler(in int32, text string) bool {
	if n.literal {
		return false
	}
	at := n.Lookup(in, text)
	if at < 0 {
		return false
	}
	s := &n.Symbols[at]
	return n.unread(at) && s.Stores == s.Handlers && !s.Pinned
}
