package pyflakes

import (
	"slices"
	"strings"

	"codelinter/rule"
)

// A starModules is the modules of a scope's star imports, which the message of F405 lists
// for each name that may come from one of them. All findings of a scope share the list. A
// finding's A is the number of modules imported so far when its name was found, its B the
// same number for the scopes around.
type starModules struct {
	modules []starModule // in the order in which they are shown, once all is visited
	around  *starModules // around a doctest, those of the module, shown among these; or nil
}

// A starModule is one of a scope's star imports.
type starModule struct {
	name  string
	order int32 // in which it was imported, from 0
}

func (s *starModules) add(name string) {
	s.modules = append(s.modules, starModule{name, int32(len(s.modules))})
}

// sort puts the modules in the order in which they are shown.
func (s *starModules) sort() {
	slices.SortFunc(s.modules, func(a, b starModule) int { return strings.Compare(a.name, b.name) })
}

func (s *starModules) reset() {
	clear(s.modules) // keep no text alive
	s.modules, s.around = s.modules[:0], nil
}

// AppendTo appends the modules that A and B count, with ", " between them.
func (s *starModules) AppendTo(dst []byte, v *rule.Values) []byte {
	own, first := s.modules, true
	var around []starModule
	if s.around != nil && v.B > 0 {
		around = s.around.modules
	}
	for {
		for len(own) > 0 && own[0].order >= v.A {
			own = own[1:]
		}
		for len(around) > 0 && around[0].order >= v.B {
			around = around[1:]
		}
		from := &own
		switch {
		case len(own) == 0 && len(around) == 0:
			return dst
		case len(own) == 0, len(around) > 0 && around[0].name < own[0].name:
			from = &around
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(dst, (*from)[0].name...)
		*from = (*from)[1:]
	}
}

// MaxLen returns how many bytes AppendTo appends at most.
func (s *starModules) MaxLen(v *rule.Values) int {
	n := s.length(v.A)
	if s.around != nil {
		n += s.around.length(v.B)
	}
	return n
}

// length returns how many bytes the first count modules take, each with a ", ".
func (s *starModules) length(count int32) int {
	n := 0
	for _, module := range s.modules {
		if module.order < count {
			n += len(module.name) + len(", ")
		}
	}
	return n
}
