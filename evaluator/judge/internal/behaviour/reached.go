package behaviour

import (
	"slices"

	"codelinter/ast"
	"codelinter/source"
)

// changed returns the path of a definition that no call reaches and that differs
// in the answer, or "". It is unknown what such a definition does.
func (p *Plan) changed(answer *module, r *renaming) string {
	theirs := definitions(answer.body)
	programs := []map[string]*ast.FunctionDef{definitions(p.reference.body)}
	if p.other != nil {
		programs = append(programs, definitions(p.other.body))
	}
	for _, path := range p.unreached {
		answers := theirs[path]
		if r != nil && r.names[path] != "" || answers == nil {
			return path
		}
		if !slices.ContainsFunc(programs, func(program map[string]*ast.FunctionDef) bool {
			mine := program[path]
			return mine != nil && dump(mine) == dump(answers)
		}) {
			return path
		}
	}
	return ""
}

// reordered returns a function of which a parameter stands at another place than in the program,
// or "": calls by keyword then mean something else.
func reordered(program, answer *module) string {
	theirs := definitions(answer.body)
	mine := definitions(program.body)
	for _, path := range sortedKeys(mine) {
		if theirs[path] == nil {
			continue
		}
		at := map[string]int{}
		for i, a := range theirs[path].Args.Args {
			at[a.Arg] = i
		}
		for i, a := range mine[path].Args.Args {
			if j, both := at[a.Arg]; both && i != j {
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
		types := []ast.Expr{h.Type}
		if t, is := h.Type.(*ast.Tuple); is {
			types = t.Elts
		}
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
	body := f.Body
	if len(body) > 1 && ast.IsText(body[0]) {
		body = body[1:]
	}
	text := ""
	for _, a := range f.Args.Defaults {
		text += ast.Dump(a, nil, source.Newest)
	}
	for _, s := range body {
		text += ast.Dump(s, nil, source.Newest)
	}
	return text
}
