package scope

import (
	_ "embed"
	"strings"

	"codelinter/internal/util/lazy"
)

//go:embed attributes.txt
var attributesText string

//go:embed classes.txt
var classesText string

// A Class says what a text with an identifier may do, whether it is
// a name, an attribute, an import or part of a string. Less is proven for such texts, and guards
// refuse such identifiers if only the answer has them.
type Class uint32

// The classes.
const (
	// SeesNames: reads names or code of the running program, as locals() does.
	SeesNames Class = 1 << iota
	// SeesModule: reads names of the module, or of objects, as globals() does.
	SeesModule
	// SeesLines: reads its own lines, as frame.f_lineno does.
	SeesLines
	// ReadsAnnotations: reads annotations, as get_type_hints does.
	ReadsAnnotations
	// ReadsNames: reads the names of functions, as f.__name__ does.
	ReadsNames
	// MakesTypes: type(name, bases, dict).
	MakesTypes

	// Dunder: a special name that no repair of style adds.
	Dunder
	// Hides: a builtin that runs text as code or looks up names by text.
	Hides
	// Reaches: a builtin that leaves the program.
	Reaches
	// CopiesByText: wraps(f, names) copies the attributes that texts name.
	CopiesByText
	// Builtin: a name that Python defines.
	Builtin
	// Attribute: a public attribute of one of Python's types.
	Attribute
)

// classNames has the classes by their names in classes.txt.
var classNames = lazy.Value[map[string]Class]{Make: func() map[string]Class {
	return map[string]Class{
		"SeesNames": SeesNames, "SeesModule": SeesModule, "SeesLines": SeesLines, "ReadsAnnotations": ReadsAnnotations, "ReadsNames": ReadsNames,
		"Dunder": Dunder, "Hides": Hides, "Reaches": Reaches, "tame": tame,
	}
}}

// classes has the identifiers whose class does not follow from their form.
var classes = lazy.Value[map[string]Class]{Make: func() map[string]Class {
	table := map[string]Class{}
	for _, name := range Modules()["builtins"].Names {
		table[name] = Builtin
	}
	for line := range strings.Lines(attributesText) {
		if line[0] != '#' {
			for _, name := range strings.Fields(line) {
				table[name] |= Attribute
			}
		}
	}
	for kinds, names := range rows(classesText) {
		for _, kind := range kinds {
			for _, name := range names {
				table[name] |= classNames.Get()[kind]
			}
		}
	}
	return table
}}

// tame marks a special name that is not dunder.
const tame Class = 1 << 31

// ClassOf returns an identifier's class. An unknown special name may read the names of functions.
func ClassOf(text string) Class {
	class := classes.Get()[text]
	if class&(Dunder|tame) == 0 && IsDunder(text) {
		class |= Dunder | ReadsNames
	}
	return class
}

// IsDunder reports whether text is of the form __x__.
func IsDunder(text string) bool {
	return len(text) > 4 && text[0] == '_' && text[1] == '_' && text[len(text)-1] == '_' && text[len(text)-2] == '_'
}

// IsBuiltin reports whether Python defines a name.
func IsBuiltin(name string) bool { return ClassOf(name)&(Builtin|Dunder) != 0 }

// Ambiguous reports whether pycodestyle forbids the name (E741, E742, E743), so
// that a repair must change it.
func Ambiguous(name string) bool { return name == "l" || name == "O" || name == "I" }
