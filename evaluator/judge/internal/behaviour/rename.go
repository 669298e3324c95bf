package behaviour

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/guard"
	"codelinter/sandbox"
)

// E741, E742 and E743 forbid the names l, O and I, so definitions may have
// other names in an answer. A renaming maps the names.
type renaming struct {
	names      map[string]string // top-level names
	attributes map[string]string // names in classes
}

// renames returns the renaming that guards found, or nil.
func renames(report *guard.Report) *renaming {
	var r *renaming
	for _, d := range report.Definitions {
		if d.Answer == "" || d.Answer == d.Path {
			continue
		}
		if r == nil {
			r = &renaming{map[string]string{}, map[string]string{}}
		}
		from, to := strings.Split(d.Path, "."), strings.Split(d.Answer, ".")
		if len(from) != len(to) {
			continue
		}
		r.names[from[0]] = to[0]
		for i := 1; i < len(from); i++ {
			if from[i] != to[i] {
				r.attributes[from[i]] = to[i]
			}
		}
	}
	return r
}

// class returns the answer's name for the program's class.
func (r *renaming) class(name string) string {
	if r == nil {
		return name
	}
	if bare, mine := strings.CutPrefix(name, "__main__."); mine {
		if other, is := r.names[bare]; is {
			return "__main__." + other
		}
	}
	return name
}

// calls translates calls of the program into calls of the answer.
func (r *renaming) calls(list []sandbox.Call) []sandbox.Call {
	if r == nil {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		c := &list[i]
		c.Exec, c.Expr = r.text(c.Exec), r.text(c.Expr)
		c.Bind = slices.Clone(c.Bind)
		for j := range c.Bind {
			c.Bind[j].Expr = r.text(c.Bind[j].Expr)
		}
	}
	return list
}

// text returns an expression or statements with the answer's names.
func (r *renaming) text(text string) string {
	m, ok := parse(text)
	if !ok || text == "" {
		return text
	}
	var changes []splice
	for _, s := range m.body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Name:
				if name := r.names[n.ID]; name != "" {
					changes = append(changes, splice{int(n.Start), int(n.End), name})
				}
			case *ast.Attribute:
				if name := r.attributes[n.Attr]; name != "" {
					changes = append(changes, splice{int(n.End) - len(n.Attr), int(n.End), name})
				}
			}
			return true
		})
	}
	slices.SortFunc(changes, func(a, b splice) int { return a.start - b.start })
	return spliced(m.text, changes)
}

// A splice replaces a part of a text.
type splice struct {
	start, end int
	text       string
}

// spliced applies splices, which must be in order.
func spliced(text string, list []splice) string {
	var out strings.Builder
	at := 0
	for _, s := range list {
		out.WriteString(text[at:s.start] + s.text)
		at = s.end
	}
	return out.String() + text[at:]
}
