package scope

import (
	_ "embed"
	"strings"

	"codelinter/internal/util/lazy"
)

//go:embed attributes.txt
var attributesText string

// A Class says what a text with an identifier may do, whether it is
// a name, an attribute, an import or part of a string. Less is proven for such texts, and guards
// refuse such identifiers if only the answer has them.
type Class uint32

// The classes.
const (
	// SeesNames: reads names or code of the running program, as locals() does.
	SeesNames Class = 1 << iota
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

// classes has the identifiers whose class does not follow from their form.
var classes = lazy.Value[map[string]Class]{Make: func() map[string]Class {
	table := map[string]Class{}
	add := func(class Class, names ...string) {
		for _, name := range names {
			table[name] |= class
		}
	}
	add(Builtin, Modules()["builtins"].Names...)
	for line := range strings.Lines(attributesText) {
		if line[0] != '#' {
			add(Attribute, strings.Fields(line)...)
		}
	}

	add(SeesNames|Hides, "exec", "eval", "compile", "globals", "locals", "vars", "dir")
	add(Hides, "getattr", "setattr", "delattr")
	add(SeesNames|Reaches, "breakpoint", "help")
	add(Reaches, "exit", "quit", "open", "input", "copyright", "credits", "license",
		"SystemExit", "KeyboardInterrupt", "GeneratorExit")
	// These differ from machine to machine or from run to run. An answer that
	// reads them may behave differently while it is judged.
	add(Reaches, "id", "hash", "calcsize", "itemsize", "MAX_PREC", "MAX_EMAX", "MIN_EMIN", "MIN_ETINY")

	// Attributes of frames, code and the like, which show the running program.
	// Nothing else has attributes with these names, so no answer has them by
	// accident.
	add(SeesNames|SeesLines|Dunder,
		"f_back", "f_globals", "f_locals", "f_builtins", "f_code", "f_lineno", "f_lasti", "f_trace",
		"tb_frame", "tb_next", "tb_lineno", "tb_lasti",
		"gi_frame", "gi_code", "cr_frame", "cr_code", "ag_frame", "ag_code", "cr_origin",
		"co_code", "co_consts", "co_names", "co_varnames", "co_firstlineno", "co_lines",
		"_getframe", "_current_frames", "_getframemodulename", "settrace", "setprofile", "currentframe",
		"func_code", "func_globals", "mro")
	add(SeesNames|SeesLines, "exc_info", "format_exc", "print_exc", "extract_stack", "extract_tb", "getsource", "getsourcelines",
		"walk_tb", "walk_stack", "last_exc", "with_traceback", "excepthook", "getrefcount")
	add(SeesNames, "modules", "get_objects", "get_referrers", "get_referents", "monitoring", "setrecursionlimit")

	add(ReadsAnnotations, "get_type_hints", "get_annotations", "singledispatch", "singledispatchmethod", "ForwardRef",
		"signature", "make_dataclass", "NewType", "evaluate_forward_ref", "runtime_checkable")
	// Parts of the standard library that find attributes by text, run
	// annotations as code, or bind names in another module.
	add(Hides, "get_type_hints", "ForwardRef", "evaluate_forward_ref", "attrgetter", "methodcaller", "Formatter",
		"singledispatch", "singledispatchmethod", "update_wrapper", "WRAPPER_ASSIGNMENTS", "WRAPPER_UPDATES",
		"make_dataclass", "global_enum", "pickle_by_global_name", "pickle_by_enum_name")
	add(ReadsNames, "__exit__", "__aexit__", "exception", "return_exceptions")
	// Special names that a repair may add or remove, or that mean the same
	// everywhere.
	add(tame, "__name__", "__main__", "__init__", "__repr__", "__str__", "__post_init__", "__slots__", "__all__",
		"__version__", "__author__", "__future__", "__enter__", "__exit__")
	// Special names of a program that does not inspect itself.
	add(Dunder, "__len__", "__iter__", "__next__", "__getitem__", "__setitem__", "__delitem__", "__contains__", "__call__",
		"__aenter__", "__aexit__", "__aiter__", "__anext__", "__await__", "__reversed__", "__missing__",
		"__add__", "__radd__", "__iadd__", "__sub__", "__rsub__", "__isub__", "__mul__", "__rmul__", "__imul__",
		"__matmul__", "__truediv__", "__rtruediv__", "__floordiv__", "__rfloordiv__", "__mod__", "__rmod__", "__divmod__",
		"__pow__", "__rpow__", "__neg__", "__pos__", "__abs__", "__invert__", "__int__", "__float__", "__complex__",
		"__index__", "__round__", "__trunc__", "__floor__", "__ceil__", "__and__", "__or__", "__xor__",
		"__rand__", "__ror__", "__rxor__", "__lshift__", "__rshift__", "__bytes__", "__format__", "__new__", "__nonzero__",
		"__unicode__", "__div__", "__copy__", "__deepcopy__", "__match_args__")
	add(Dunder, "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__bool__",
		"__instancecheck__", "__subclasscheck__", "__del__")
	add(Dunder|SeesNames|SeesLines, "__file__", "__traceback__", "__code__", "__cached__")
	add(Dunder|ReadsNames, "__qualname__")
	add(Dunder|ReadsAnnotations|SeesNames, "__annotations__", "__annotate__")
	for name, class := range table {
		if IsDunder(name) && class&(Dunder|tame) == 0 {
			table[name] |= Dunder | SeesNames // __build_class__ and other builtins
		}
	}
	return table
}}

// tame marks a special name that is not dunder.
const tame Class = 1 << 31

// ClassOf returns an identifier's class. An unknown special name may do
// anything, so it counts as SeesNames.
func ClassOf(text string) Class {
	class, known := classes.Get()[text]
	if !known && IsDunder(text) {
		return Dunder | SeesNames
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
