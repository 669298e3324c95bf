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
	if len(body) > 1 && isDocstring(body[0]) {
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
