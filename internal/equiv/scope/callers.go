package scope

import (
	"codelinter/parser"
	"codelinter/source"
)

// Callers describes how other texts, such as the task's asserts, use a program's
// definitions.
type Callers struct {
	// free has the names that the texts read and do not bind.
	free map[string]bool
	// Bound has the names that the texts bind. They may replace the program's.
	Bound map[string]bool
	// Keywords has the names of keyword arguments.
	Keywords map[string]bool
	// spread reports whether a call passes **mapping, which may have any name.
	spread bool
	// Class is the union of the classes of all identifiers.
	Class Class
}

// Reads reports whether the texts read a name that they do not bind.
func (c *Callers) Reads(name string) bool { return c.free[name] }

// Keyword reports whether a call in the texts may have a keyword argument of that name.
func (c *Callers) Keyword(name string) bool { return c.Keywords[name] || c.spread }

// ReadCallers reads texts that use a program. One that is no Python may do anything.
func ReadCallers(texts []string) Callers {
	c := Callers{free: map[string]bool{}, Keywords: map[string]bool{}, Bound: map[string]bool{}}
	var file source.File
	var table Table
	for _, text := range texts {
		err := file.Load([]byte(text))
		module, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
		if err != nil || !ok {
			c.spread = true
			continue
		}
		table.Read(module, &Callers{})
		c.add(&table)
	}
	for name := range c.Bound {
		delete(c.free, name)
	}
	return c
}

// add adds what a text does.
func (c *Callers) add(t *Table) {
	c.Class |= t.Class
	if t.Facts.AttributesByText > 0 || t.Facts.ReadsDoc {
		c.Class |= SeesNames // getattr(f, "__na" + "me__")
	}
	c.spread = c.spread || t.Facts.spreads || t.Facts.TooDeep
	for i := range t.Symbols {
		s := &t.Symbols[i]
		c.Bound[t.Names[s.Name].Text] = true
		if s.Handlers > 0 {
			c.Class |= ReadsNames // an exception's text may contain a variable's name
		}
	}
	for i := range t.Names {
		if name := &t.Names[i]; name.Keyword {
			c.Keywords[name.Text] = true
		}
	}
	for i := range t.Uses {
		if u := &t.Uses[i]; t.Resolve(u.Scope, u.Name) < 0 {
			c.free[t.Names[u.Name].Text] = true
		}
	}
}
