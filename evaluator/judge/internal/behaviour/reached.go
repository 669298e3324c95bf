package behaviour

import (
	"slices"

	"codelinter/ast"
)

// changed returns the path of a definition that no call reaches and that differs
// in the answer, or "". It is unknown what such a definition does.
func (p *Plan) changed(answer *module, r *renaming) string {
	theirs := definitions(answer.body)
	for _, path := range p.unreached {
		of := theirs[path]
		if of == nil || r != nil && r.names[path] != "" || !slices.ContainsFunc(p.programs(), func(m *module) bool {
			mine := definitions(m.body)[path]
			return mine != nil && dump(mine) == dump(of)
		}) {
			return path
		}
	}
	return ""
}

// reordered returns a function of which a parameter stands at another place than in the program,
// or "": calls by keyword then mean something else.
func reordered(program, answer *module) string {
	mine, theirs := definitions(program.body), definitions(answer.body)
	for _, path := range sortedKeys(mine) {
		if theirs[path] == nil {
			continue
		}
		list := parameters(theirs[path])
		for i, name := range parameters(mine[path]) {
			if j := slices.Index(list, name); j >= 0 && i != j {
				return path
			}
		}
	}
	return ""
}

// isWide reports whether an exception's handler catches others too.
func isWide(name string) bool {
	switch name {
	case "ArithmeticError", "BaseException", "Exception", "LookupError", "OSError":
		return true
	}
	return false
}

// widened returns an exception that an answer catches beside others, or in place of a narrower one,
// and that the program does not name: no call shows that it is caught. A bare except catches all.
func widened(program, answer *module) string {
	mine, _ := caught(program)
	if mine["BaseException"] {
		mine["Exception"] = true
	}
	_, theirs := caught(answer)
	for _, name := range sortedKeys(theirs) {
		if !mine[name] {
			return name
		}
	}
	return ""
}

// caught returns the exceptions that a program's handlers name, and those that are wide or beside
// others.
func caught(m *module) (all, wider names) {
	all, wider = names{}, names{}
	each(m.body, func(n ast.Node) bool {
		if call, is := n.(*ast.Call); is && ast.CalledName(call) == "suppress" {
			for _, t := range call.Args {
				all[exceptionName(t)] = true
			}
		}
		h, is := n.(*ast.ExceptHandler)
		if !is {
			return true
		}
		types := caughtBy(h)
		for _, t := range types {
			name := exceptionName(t)
			all[name] = true
			if isWide(name) || len(types) > 1 {
				wider[name] = true
			}
		}
		return true
	})
	return all, wider
}

// caughtBy returns the types of a handler: nil for a bare one.
func caughtBy(h *ast.ExceptHandler) []ast.Expr {
	if t, is := h.Type.(*ast.Tuple); is {
		return t.Elts
	}
	return []ast.Expr{h.Type}
}

// exceptionName returns the name of an exception in a handler, which is nil if the handler is bare.
func exceptionName(t ast.Expr) string {
	if t == nil {
		return "BaseException"
	}
	switch name := ast.LastName(t); name {
	case "EnvironmentError", "IOError", "error":
		return "OSError"
	default:
		return name
	}
}

// definitions returns the functions of a module and the methods of its classes,
// by path.
func definitions(body []ast.Stmt) map[string]*ast.FunctionDef {
	found := map[string]*ast.FunctionDef{}
	add := func(prefix string, body []ast.Stmt) {
		for _, s := range body {
			if f, is := ast.Plain(s).(*ast.FunctionDef); is {
				found[prefix+f.Name] = f
			}
		}
	}
	add("", body)
	for _, s := range body {
		if class, is := s.(*ast.ClassDef); is {
			add(class.Name+".", class.Body)
			if init := found[class.Name+".__init__"]; init != nil {
				found[class.Name] = init
			}
		}
	}
	return found
}

// dump returns a function's parameters and body as text, without docstring.
func dump(f *ast.FunctionDef) string {
	text := ""
	for _, a := range f.Args.Defaults {
		text += dumpOf(a)
	}
	for _, s := range withoutDoc(f.Body) {
		text += dumpOf(s)
	}
	return text
}
