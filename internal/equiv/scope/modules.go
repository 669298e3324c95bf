package scope

import (
	_ "embed"
	"iter"
	"strings"

	"codelinter/internal/util/lazy"
)

//go:embed modules.txt
var modulesText string

//go:embed module_kinds.txt
var moduleKindsText string

// A Module is one of Python's own modules whose import only defines names.
type Module struct {
	Names []string
	Has   map[string]bool
	// Lines: it reads the program's lines.
	Lines bool
	// Quiet: nothing in it reads the program's names.
	Quiet bool
	// Free: every answer may use it. It has no clock, no randomness and no way
	// out of the program, and does not reveal the machine, as sizes in struct and
	// array do.
	Free bool
}

// Modules has the modules of modules.txt, "builtins" included.
func Modules() map[string]*Module { return modules.Get() }

var modules = lazy.Value[map[string]*Module]{Make: func() map[string]*Module {
	table := map[string]*Module{}
	for name, list := range rows(modulesText) {
		m := &Module{Names: list, Has: map[string]bool{}}
		for _, n := range list {
			m.Has[n] = true
		}
		table[name[0]] = m
	}
	for kind, names := range rows(moduleKindsText) {
		for _, name := range names {
			m := table[name]
			if m == nil {
				m = &Module{} // modules.txt lacks those that may be imported for an effect
				table[name] = m
			}
			m.Quiet, m.Lines, m.Free = m.Quiet || kind[0] == "Quiet", m.Lines || kind[0] == "Lines", m.Free || kind[0] == "Free"
		}
	}
	return table
}}

// rows yields the words before and after the colon of each line that is no comment.
func rows(text string) iter.Seq2[[]string, []string] {
	return func(yield func(before, after []string) bool) {
		for line := range strings.Lines(text) {
			before, after, found := strings.Cut(line, ": ")
			if found && line[0] != '#' && !yield(strings.Fields(before), strings.Fields(after)) {
				return
			}
		}
	}
}

// Importable reports whether an import of a module, or of a name from it, surely
// succeeds and has no other effect.
func Importable(moduleName, name string) bool {
	m := Modules()[moduleName]
	return m != nil && m.Has != nil && moduleName != "builtins" && (name == "" || m.Has[name])
}
