package corpus

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
)

// This file cuts a module into programs of the size of a task: each top-level function or class,
// with what it needs of the module.
//
//	import os, re                     import re
//	from a import b, c
//	                                  WORD = re.compile(r"\w+")
//	WORD = re.compile(r"\w+")
//	TABLE = b()                  →
//	                                  def words(text):
//	def words(text):                      return WORD.findall(text)
//	    return WORD.findall(text)
//
// A definition needs the top-level statements that bind names which it reads, and what those need
// in turn. An import keeps only the names that are read. Comments above a statement belong to it.

// A definer cuts modules. It reuses its memory.
type definer struct {
	file   source.File
	parser parser.Parser
	walker ast.Walker

	binders map[string][]int // top-level statements that bind each name
	needs   [][]string       // names that each statement reads
	reads   map[string]bool
}

// most bounds the statements that a definition may need, and mostModule the bytes of a module.
const (
	most       = 40
	mostModule = 1 << 20
)

// cut calls yield with each definition of a module whose length is in the bounds. It reports
// whether the module parses.
func (d *definer) cut(text []byte, least, longest int, yield func(program string, row int)) bool {
	if len(text) > mostModule || d.file.Load(text) != nil || d.file.FellBack {
		return false
	}
	module, ok := d.parser.ParseText(d.file.Text, parser.Options{})
	if !ok {
		return false
	}
	d.find(module)
	for i, s := range module.Body {
		if b := d.extent(s); !isDefinition(s) || int(b.End-b.Start) > longest {
			continue
		}
		if program, ok := d.program(module, i, longest); ok && len(program) >= least && len(program) <= longest {
			yield(program, d.file.Row(s.Bounds().Start))
		}
	}
	return true
}

// find fills binders and needs.
func (d *definer) find(module *ast.Module) {
	d.binders = map[string][]int{}
	d.needs = make([][]string, len(module.Body))
	for i, s := range module.Body {
		seen := map[string]bool{}
		read := func(name string) {
			if !seen[name] {
				seen[name] = true
				d.needs[i] = append(d.needs[i], name)
			}
		}
		d.walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Name:
				read(n.ID)
			case *ast.Constant:
				if n.Type == ast.Str && isAnnotation(n.Text) { // a quoted type
					for _, name := range strings.FieldsFunc(n.Text, func(r rune) bool { return !isNamePart(r) }) {
						read(name)
					}
				}
			}
			return true
		})
		bindings(s, func(name string) {
			if list := d.binders[name]; len(list) == 0 || list[len(list)-1] != i {
				d.binders[name] = append(list, i)
			}
		})
	}
}

func isDefinition(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef:
		return true
	}
	return false
}

func isNamePart(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// isAnnotation reports whether a text may be a type.
func isAnnotation(text string) bool {
	return len(text) <= 80 && text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return !isNamePart(r) && !strings.ContainsRune("[].,| ", r)
	})
}

// bindings calls bind with each name that a statement binds in the module.
func bindings(s ast.Stmt, bind func(string)) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef, *ast.Alias:
			bind(ast.Binds(n))
		case *ast.Name:
			if n.Ctx != ast.Load {
				bind(n.ID)
			}
		}
		return !ast.OpensScope(n)
	})
}

// program returns the text of a definition with what it needs. ok is false if that is too much, or
// if a name comes from a star import.
func (d *definer) program(module *ast.Module, definition, longest int) (text string, ok bool) {
	chosen, ok := d.choose(module, definition, longest)
	if !ok {
		return "", false
	}
	var out strings.Builder
	wasDefinition, wasImport := false, false
	for _, i := range chosen {
		s := module.Body[i]
		part := d.part(s)
		if part == "" {
			continue
		}
		_, _, isImport := importParts(s)
		switch {
		case out.Len() == 0:
		case isDefinition(s) || wasDefinition:
			out.WriteString("\n\n")
		case isImport != wasImport:
			out.WriteString("\n")
		}
		out.WriteString(part)
		wasDefinition, wasImport = isDefinition(s), isImport
	}
	return out.String(), true
}

// choose returns the indices of a definition and of the statements that it needs, ascending, and
// sets reads.
func (d *definer) choose(module *ast.Module, definition, longest int) (chosen []int, ok bool) {
	d.reads = map[string]bool{}
	chosen = []int{definition}
	size := 0
	for at := 0; at < len(chosen); at++ {
		s := module.Body[chosen[at]]
		if _, _, is := importParts(s); is {
			continue // it binds the name itself
		}
		b := s.Bounds()
		if size += int(b.End - b.Start); size > longest {
			return nil, false
		}
		for _, name := range d.needs[chosen[at]] {
			d.reads[name] = true
			for _, binder := range d.binders[name] {
				if !slices.Contains(chosen, binder) {
					chosen = append(chosen, binder)
				}
			}
			if len(chosen) > most {
				return nil, false
			}
		}
	}
	if len(d.binders["*"]) > 0 {
		return nil, false
	}
	for i, s := range module.Body { // imports from __future__ change the meaning of the rest
		if from, is := s.(*ast.ImportFrom); is && from.Module == "__future__" && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	slices.Sort(chosen)
	return chosen, true
}

// extent returns the range of a statement with its decorators, from the start of its row.
func (d *definer) extent(s ast.Stmt) ast.Range {
	b := s.Bounds()
	if decorators := ast.Decorators(s); len(decorators) > 0 {
		b.Start = decorators[0].Bounds().Start
	}
	b.Start = d.file.LineStart(d.file.Row(b.Start))
	return b
}

// part returns the rows of a statement with the comments right above it. An import has only the
// names that are read.
func (d *definer) part(s ast.Stmt) string {
	text := d.file.Text
	b := d.extent(s)
	first, last := d.file.Row(b.Start), d.file.Row(max(b.End-1, b.Start))
	if rest := strings.TrimSpace(text[b.End:d.rowEnd(last)]); rest != "" && rest[0] != '#' {
		return "" // a row with several statements
	}
	if names, module, is := importParts(s); is {
		return d.imports(s, names, module, text[b.Start:d.rowEnd(last)])
	}
	for first > 1 && strings.HasPrefix(d.file.Line(first-1), "#") && !strings.HasPrefix(d.file.Line(first-1), "#!") {
		first--
	}
	return text[d.file.LineStart(first):d.rowEnd(last)] + "\n"
}

func (d *definer) rowEnd(row int) int32 {
	return d.file.LineStart(row) + int32(len(strings.TrimSuffix(d.file.Line(row), "\n")))
}

// importParts returns the parts of an import.
func importParts(s ast.Stmt) (names []*ast.Alias, module string, is bool) {
	switch s := s.(type) {
	case *ast.Import:
		return s.Names, "", true
	case *ast.ImportFrom:
		return s.Names, strings.Repeat(".", int(s.Level)) + s.Module, true
	}
	return nil, "", false
}

// imports returns an import with only the names that are read. written is the whole statement.
func (d *definer) imports(s ast.Stmt, names []*ast.Alias, module, written string) string {
	var kept []string
	for _, a := range names {
		if module != "__future__" && !d.reads[a.Bound()] {
			continue
		}
		name := a.Name
		if a.AsName != "" {
			name += " as " + a.AsName
		}
		kept = append(kept, name)
	}
	switch {
	case len(kept) == 0:
		return ""
	case len(kept) == len(names):
		return written + "\n"
	case module == "":
		return "import " + strings.Join(kept, "\nimport ") + "\n"
	}
	line := "from " + module + " import " + strings.Join(kept, ", ")
	if len(line) <= 79 {
		return line + "\n"
	}
	return "from " + module + " import (\n    " + strings.Join(kept, ",\n    ") + ",\n)\n"
}
