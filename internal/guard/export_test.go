package guard

// Proven reports whether the last answer has the program's normal form, be it
// refused by guards or not.
func (c *Checker) Proven() bool { return c.proven }

// HasForm reports whether the program has a normal form.
func (p *Program) HasForm() bool { return p.same.HasForm() }

// Names returns all guards in the order of docs/judge.md.
func Names() []string {
	return []string{
		Noqa, Encoding, Syntax, Depth, Empty, HiddenCode, Import, Internals,
		Reach, Patch, MissingDefinition, Redefinition, Decorator, Signature,
	}
}
