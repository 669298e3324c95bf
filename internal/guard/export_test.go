package guard

// Proven reports whether the last answer is proven to be the program, be it
// refused by guards or not.
func (c *Checker) Proven(p *Program) bool { return c.same.Same(p.same) }

// HasPattern reports whether another text may be proven to be the program.
func (p *Program) HasPattern() bool { return p.same.HasPattern() }

// Names returns all guards in the order of docs/judge.md.
func Names() []string {
	return []string{
		Noqa, Encoding, Syntax, Depth, Empty, HiddenCode, Import, Internals,
		Reach, Patch, MissingDefinition, Redefinition, Decorator, Signature,
	}
}
