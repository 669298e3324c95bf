package behaviour

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/sandbox"
)

// Calls are drawn for the program's regular expressions. Few of them tell r'\d+$' from r'[0-9]+\Z',
// which an answer may have in its place. So patterns.py looks for texts that two patterns match
// otherwise. The program makes more calls with these. If no call tells, it is unknown which of the two
// does what the program needs.

//go:embed patterns.py
var patternsPy string

// Bounds of the search for texts.
const (
	maxPatterns   = 6           // pairs of patterns that are compared
	patternBudget = 200_000_000 // counts for all of them
)

// A pattern is a use of a regular expression, as patterns.py takes it.
type pattern struct {
	function string // of the module re; not compile if there is one method alone that patterns are used by
	text     string
	flags    string // names of flags, a list in Python
	in       string // the top-level function or class, or ""
}

// patternFunctions are the functions of re that take a pattern.
var patternFunctions = []string{"compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"}

// patterns returns the regular expressions that a program gives to functions of re as constants.
func (m *module) patterns() (list []pattern) {
	table := m.names()
	of := map[string]string{} // what names stand for: re, or a function of it
	for i := range table.Imports {
		if imported := &table.Imports[i]; imported.Module == "re" && imported.Symbol >= 0 {
			of[imported.Alias.Bound()] = imported.Name
		}
	}
	if len(of) == 0 {
		return nil
	}
	values := m.once(nil)
	methods := names{} // of compiled patterns
	for _, s := range m.body {
		in := ""
		if ast.OpensScope(s) {
			in = ast.Binds(s)
		}
		ast.Inspect(s, func(n ast.Node) bool {
			call, is := n.(*ast.Call)
			if !is || len(call.Args) == 0 {
				return true
			}
			e, function := call.Func, ""
			if attribute, is := e.(*ast.Attribute); is {
				e, function = attribute.Value, attribute.Attr
			}
			name, is := e.(*ast.Name)
			imported := false
			if is {
				from, known := of[name.ID]
				function, imported = cmp.Or(function, from), known
			}
			if !slices.Contains(patternFunctions, function) {
				return true
			}
			if !imported {
				methods[function] = true
				return true
			}
			text := call.Args[0]
			if name, is := text.(*ast.Name); is && values[name.ID] != nil {
				text = values[name.ID]
			}
			if value, ok := fold(text, 0); ok && value.kind == strLiteral {
				list = append(list, pattern{function, value.text, flagsOf(call), in})
			}
			return true
		})
	}
	delete(methods, "split") // texts have it too
	if len(methods) == 1 {
		for i := range list {
			if list[i].function == "compile" {
				list[i].function = sortedKeys(methods)[0]
			}
		}
	}
	return list
}

// flagsOf returns the names of the flags that a call passes, as a list in Python.
func flagsOf(call *ast.Call) string {
	found := names{}
	for _, n := range ast.AppendChildren(nil, call)[1:] {
		ast.Inspect(n, func(n ast.Node) bool {
			if e, is := n.(ast.Expr); is {
				switch name := lastName(e); name {
				case "A", "ASCII", "I", "IGNORECASE", "M", "MULTILINE", "S", "DOTALL", "X", "VERBOSE":
					found[quoted(name[:1])] = true
				}
			}
			return true
		})
	}
	return "[" + strings.Join(sortedKeys(found), ", ") + "]"
}

// morePatterns returns the patterns that a has more often than b.
func morePatterns(a, b []pattern) (more []pattern) {
	left := map[[2]string]int{}
	for _, p := range b {
		left[[2]string{p.text, p.flags}]++
	}
	for _, p := range a {
		key := [2]string{p.text, p.flags}
		if left[key]--; left[key] < 0 {
			more = append(more, p)
		}
	}
	return more
}

// A patternChange is a pattern of an answer in the place of others, with texts that tell them apart.
type patternChange struct {
	pattern
	of    string // one of the others
	texts []string
}

// patternChanges returns the patterns of an answer that stand in the place of the program's, and that
// match other texts than each of those.
func (p *Plan) patternChanges(ctx context.Context, answer *module) (list []patternChange, err error) {
	mine := p.reference.module.patterns()
	theirs := answer.patterns()
	dropped, added := morePatterns(mine, theirs), morePatterns(theirs, mine)
	if p.other != nil {
		added = morePatterns(added, morePatterns(p.other.module.patterns(), mine))
	}
	if len(dropped)*len(added) == 0 {
		return nil, nil
	}
	program := sandbox.Program{Before: patternsPy, Budget: patternBudget, Once: true, Unfinished: true}
	for _, a := range added {
		for _, d := range dropped {
			program.Calls = append(program.Calls, sandbox.Call{Expr: fmt.Sprintf("differ__((%s, %s, %s), (%s, %s, %s))", quoted(d.function), quoted(d.text), d.flags, quoted(a.function), quoted(a.text), a.flags)})
		}
	}
	program.Calls = program.Calls[:min(len(program.Calls), maxPatterns)]
	r, err := p.engine.Run(ctx, program)
	if err != nil {
		return nil, err
	}
	for i, a := range added {
		change := &patternChange{pattern: a}
		for k, d := range dropped {
			at := i*len(dropped) + k
			switch {
			case at >= len(r.Calls) || r.Calls[at].End != sandbox.Done: // not known
				change.of = d.text
			case change != nil && len(r.Calls[at].Value.Items) == 0:
				change = nil
			case change != nil:
				change.of = d.text
				for _, text := range r.Calls[at].Value.Items {
					change.texts = append(change.texts, text.Str)
				}
			}
			if change == nil {
				break
			}
		}
		if change != nil {
			list = append(list, *change)
		}
	}
	return list, nil
}

// probes returns known calls with the texts that tell the patterns apart.
func (p *Plan) patternProbes(changes []patternChange, made shownCalls) (probes []*probe) {
	for i := range changes {
		var list []constantIn
		for _, text := range changes[i].texts {
			list = append(list, constantIn{literal{kind: strLiteral, text: text}, changes[i].in})
		}
		probes = append(probes, p.ownProbes(list, made)...)
	}
	return probes
}
