package rule

import (
	"iter"
	"strings"
)

// A Rule describes one code.
type Rule struct {
	Code     string // "E501"
	Name     string // the pattern it flags; reads after "allow": "overlong-line"
	Template string // the message; {a}, {b}, {text} and {shared} stand for a Finding's fields
	Shape    string // the message with {words} for what varies; "" where Template says it all
	Tool     Tool   // whose rule it is
	Kind     Kind   // what it looks at
	Default  bool   // reported under flake8's defaults
	Option   string // the option without which it is silent: "--max-doc-length"
	// Since is the first release of flake8 that has the code; zero means that all of
	// [Releases] have it.
	Since Release
}

// Message returns the rule's message as documentation shows it, with {words}
// for the parts that vary: "line too long ({length} > {limit} characters)".
func (r *Rule) Message() string {
	if r.Shape != "" {
		return r.Shape
	}
	return r.Template
}

// A Tool is one of the programs whose findings flake8 prints. A [Release] has the
// version of each.
type Tool uint8

// The tools.
const (
	Pycodestyle Tool = iota
	Flake8           // flake8 itself, for files that it cannot read or parse
	Pyflakes
	McCabe
)

// String returns the tool's name: "pycodestyle".
func (t Tool) String() string {
	return [...]string{Pycodestyle: "pycodestyle", Flake8: "flake8", Pyflakes: "pyflakes", McCabe: "mccabe"}[t]
}

// A Kind is the form of a file that a rule looks at.
type Kind uint8

// The kinds, from the bytes to the tree.
const (
	File     Kind = iota // the file as a whole: can it be read, does it parse
	Physical             // one line of the file as it stands
	Logical              // one statement, joined into a line, its strings blanked out
	Tokens               // the tokens of one statement
	Tree                 // the syntax tree
)

// String returns the kind in words: "physical line".
func (k Kind) String() string {
	return [...]string{"file", "physical line", "logical line", "tokens", "tree"}[k]
}

// catalog describes every code. Within a letter it is in the order of the codes,
// which [Find] and [Span] rely on.
var catalog = [Count]Rule{
	E101: {"E101", "mixed-indentation-characters", "indentation contains mixed spaces and tabs", "", Pycodestyle, Physical, true, "", 0},
	E111: {"E111", "uneven-indentation", "indentation is not a multiple of {a}", "indentation is not a multiple of {size}", Pycodestyle, Logical, true, "", 0},
	E112: {"E112", "missing-indented-block", "expected an indented block", "", Pycodestyle, Logical, true, "", 0},
	E113: {"E113", "stray-indentation", "unexpected indentation", "", Pycodestyle, Logical, true, "", 0},
	E114: {"E114", "uneven-comment-indentation", "indentation is not a multiple of {a} (comment)", "indentation is not a multiple of {size} (comment)", Pycodestyle, Logical, true, "", 0},
	E115: {"E115", "comment-outside-its-block", "expected an indented block (comment)", "", Pycodestyle, Logical, true, "", 0},
	E116: {"E116", "stray-comment-indentation", "unexpected indentation (comment)", "", Pycodestyle, Logical, true, "", 0},
	E117: {"E117", "over-indentation", "{text}", "over-indented{ (comment)}", Pycodestyle, Logical, true, "", 0},
	E121: {"E121", "short-hanging-indent", "continuation line under-indented for hanging indent", "", Pycodestyle, Tokens, false, "", 0},
	E122: {"E122", "outdented-continuation", "continuation line missing indentation or outdented", "", Pycodestyle, Tokens, true, "", 0},
	E123: {"E123", "indented-closing-bracket", "closing bracket does not match indentation of opening bracket's line", "", Pycodestyle, Tokens, false, "", 0},
	E124: {"E124", "closing-bracket-off-visual-indent", "closing bracket does not match visual indentation", "", Pycodestyle, Tokens, true, "", 0},
	E125: {"E125", "continuation-level-with-body", "continuation line with same indent as next logical line", "", Pycodestyle, Tokens, true, "", 0},
	E126: {"E126", "long-hanging-indent", "continuation line over-indented for hanging indent", "", Pycodestyle, Tokens, false, "", 0},
	E127: {"E127", "continuation-right-of-visual-indent", "continuation line over-indented for visual indent", "", Pycodestyle, Tokens, true, "", 0},
	E128: {"E128", "continuation-left-of-visual-indent", "continuation line under-indented for visual indent", "", Pycodestyle, Tokens, true, "", 0},
	E129: {"E129", "visual-indent-level-with-body", "visually indented line with same indent as next logical line", "", Pycodestyle, Tokens, true, "", 0},
	E131: {"E131", "unaligned-hanging-indent", "continuation line unaligned for hanging indent", "", Pycodestyle, Tokens, true, "", 0},
	E133: {"E133", "unindented-closing-bracket", "closing bracket is missing indentation", "", Pycodestyle, Tokens, false, "--hang-closing", 0},
	E201: {"E201", "space-after-opening-bracket", "whitespace after '{text}'", "whitespace after '{bracket}'", Pycodestyle, Logical, true, "", 0},
	E202: {"E202", "space-before-closing-bracket", "whitespace before '{text}'", "whitespace before '{bracket}'", Pycodestyle, Logical, true, "", 0},
	E203: {"E203", "space-before-punctuation", "whitespace before '{text}'", "whitespace before '{mark}'", Pycodestyle, Logical, true, "", 0},
	E204: {"E204", "space-after-decorator-sign", "whitespace after decorator '@'", "", Pycodestyle, Logical, true, "", 0},
	E211: {"E211", "space-before-call-or-subscript", "whitespace before '{text}'", "whitespace before '{bracket}'", Pycodestyle, Tokens, true, "", 0},
	E221: {"E221", "wide-gap-before-operator", "multiple spaces before operator", "", Pycodestyle, Logical, true, "", 0},
	E222: {"E222", "wide-gap-after-operator", "multiple spaces after operator", "", Pycodestyle, Logical, true, "", 0},
	E223: {"E223", "tab-before-operator", "tab before operator", "", Pycodestyle, Logical, true, "", 0},
	E224: {"E224", "tab-after-operator", "tab after operator", "", Pycodestyle, Logical, true, "", 0},
	E225: {"E225", "unspaced-operator", "missing whitespace around operator", "", Pycodestyle, Tokens, true, "", 0},
	E226: {"E226", "unspaced-arithmetic-operator", "missing whitespace around arithmetic operator", "", Pycodestyle, Tokens, false, "", 0},
	E227: {"E227", "unspaced-bitwise-operator", "missing whitespace around bitwise or shift operator", "", Pycodestyle, Tokens, true, "", 0},
	E228: {"E228", "unspaced-modulo-operator", "missing whitespace around modulo operator", "", Pycodestyle, Tokens, true, "", 0},
	E231: {"E231", "unspaced-punctuation", "missing whitespace after '{text}'", "missing whitespace after '{mark}'", Pycodestyle, Tokens, true, "", 0},
	E241: {"E241", "wide-gap-after-punctuation", "multiple spaces after '{text}'", "multiple spaces after '{mark}'", Pycodestyle, Logical, false, "", 0},
	E242: {"E242", "tab-after-punctuation", "tab after '{text}'", "tab after '{mark}'", Pycodestyle, Logical, false, "", 0},
	E251: {"E251", "spaced-keyword-equals", "unexpected spaces around keyword / parameter equals", "", Pycodestyle, Tokens, true, "", 0},
	E252: {"E252", "unspaced-annotated-default", "missing whitespace around parameter equals", "", Pycodestyle, Tokens, true, "", 0},
	E261: {"E261", "cramped-inline-comment", "at least two spaces before inline comment", "", Pycodestyle, Tokens, true, "", 0},
	E262: {"E262", "malformed-inline-comment", "inline comment should start with '# '", "", Pycodestyle, Tokens, true, "", 0},
	E265: {"E265", "malformed-block-comment", "block comment should start with '# '", "", Pycodestyle, Tokens, true, "", 0},
	E266: {"E266", "repeated-comment-hash", "too many leading '#' for block comment", "", Pycodestyle, Tokens, true, "", 0},
	E271: {"E271", "wide-gap-after-keyword", "multiple spaces after keyword", "", Pycodestyle, Logical, true, "", 0},
	E272: {"E272", "wide-gap-before-keyword", "multiple spaces before keyword", "", Pycodestyle, Logical, true, "", 0},
	E273: {"E273", "tab-after-keyword", "tab after keyword", "", Pycodestyle, Logical, true, "", 0},
	E274: {"E274", "tab-before-keyword", "tab before keyword", "", Pycodestyle, Logical, true, "", 0},
	E275: {"E275", "unspaced-keyword", "missing whitespace after keyword", "", Pycodestyle, Tokens, true, "", 0},
	E301: {"E301", "cramped-method", "expected 1 blank line, found 0", "", Pycodestyle, Logical, true, "", 0},
	E302: {"E302", "cramped-top-level-definition", "expected 2 blank lines, found {a}", "expected 2 blank lines, found {count}", Pycodestyle, Logical, true, "", 0},
	E303: {"E303", "excess-blank-lines", "too many blank lines ({a})", "too many blank lines ({count})", Pycodestyle, Logical, true, "", 0},
	E304: {"E304", "blank-line-after-decorator", "blank lines found after function decorator", "", Pycodestyle, Logical, true, "", 0},
	E305: {"E305", "cramped-code-after-definition", "expected 2 blank lines after class or function definition, found {a}", "expected 2 blank lines after class or function definition, found {count}", Pycodestyle, Logical, true, "", 0},
	E306: {"E306", "cramped-nested-definition", "expected 1 blank line before a nested definition, found 0", "", Pycodestyle, Logical, true, "", 0},
	E401: {"E401", "several-imports-on-one-line", "multiple imports on one line", "", Pycodestyle, Logical, true, "", 0},
	E402: {"E402", "late-import", "module level import not at top of file", "", Pycodestyle, Logical, true, "", 0},
	E501: {"E501", "overlong-line", "line too long ({a} > {b} characters)", "line too long ({length} > {limit} characters)", Pycodestyle, Physical, true, "", 0},
	E502: {"E502", "redundant-backslash", "the backslash is redundant between brackets", "", Pycodestyle, Tokens, true, "", 0},
	E701: {"E701", "one-line-block", "multiple statements on one line (colon)", "", Pycodestyle, Logical, true, "", 0},
	E702: {"E702", "several-statements-on-one-line", "multiple statements on one line (semicolon)", "", Pycodestyle, Logical, true, "", 0},
	E703: {"E703", "trailing-semicolon", "statement ends with a semicolon", "", Pycodestyle, Logical, true, "", 0},
	E704: {"E704", "one-line-def", "multiple statements on one line (def)", "", Pycodestyle, Logical, false, "", 0},
	E711: {"E711", "equality-with-none", "comparison to {text}", "comparison to None should be 'if cond is {not }None:'", Pycodestyle, Logical, true, "", 0},
	E712: {"E712", "equality-with-bool", "comparison to {text}", "comparison to {bool} should be 'if cond is {not }{bool}:' or 'if {not }cond:'", Pycodestyle, Logical, true, "", 0},
	E713: {"E713", "negated-membership-test", "test for membership should be 'not in'", "", Pycodestyle, Logical, true, "", 0},
	E714: {"E714", "negated-identity-test", "test for object identity should be 'is not'", "", Pycodestyle, Logical, true, "", 0},
	E721: {"E721", "equality-of-types", "do not compare types, for exact checks use `is` / `is not`, for instance checks use `isinstance()`", "", Pycodestyle, Logical, true, "", 0},
	E722: {"E722", "bare-except", "do not use bare 'except'", "", Pycodestyle, Logical, true, "", 0},
	E731: {"E731", "named-lambda", "do not assign a lambda expression, use a def", "", Pycodestyle, Logical, true, "", 0},
	E741: {"E741", "ambiguous-variable-name", "ambiguous variable name '{text}'", "ambiguous variable name '{name}'", Pycodestyle, Tokens, true, "", 0},
	E742: {"E742", "ambiguous-class-name", "ambiguous class definition '{text}'", "ambiguous class definition '{name}'", Pycodestyle, Tokens, true, "", 0},
	E743: {"E743", "ambiguous-function-name", "ambiguous function definition '{text}'", "ambiguous function definition '{name}'", Pycodestyle, Tokens, true, "", 0},
	E902: {"E902", "unreadable-file", "{text}", "{exception}: {message}", Flake8, File, true, "", 0},
	E999: {"E999", "syntax-error", "{text}", "{SyntaxError, IndentationError or TabError}: {message}", Flake8, File, true, "", 0},
	W191: {"W191", "tab-indentation", "indentation contains tabs", "", Pycodestyle, Physical, true, "", 0},
	W291: {"W291", "trailing-whitespace", "trailing whitespace", "", Pycodestyle, Physical, true, "", 0},
	W292: {"W292", "missing-final-newline", "no newline at end of file", "", Pycodestyle, Physical, true, "", 0},
	W293: {"W293", "whitespace-on-blank-line", "blank line contains whitespace", "", Pycodestyle, Physical, true, "", 0},
	W391: {"W391", "blank-line-at-end-of-file", "blank line at end of file", "", Pycodestyle, Physical, true, "", 0},
	W503: {"W503", "break-before-operator", "line break before binary operator", "", Pycodestyle, Tokens, false, "", 0},
	W504: {"W504", "break-after-operator", "line break after binary operator", "", Pycodestyle, Tokens, false, "", 0},
	W505: {"W505", "overlong-doc-line", "doc line too long ({a} > {b} characters)", "doc line too long ({length} > {limit} characters)", Pycodestyle, Tokens, false, "--max-doc-length", 0},
	W605: {"W605", "invalid-escape", "invalid escape sequence '\\{text}'", "invalid escape sequence '\\{character}'", Pycodestyle, Tokens, true, "", 0},
	F401: {"F401", "unused-import", "'{shared}{text}' imported but unused", "'{name}' imported but unused", Pyflakes, Tree, true, "", 0},
	F402: {"F402", "import-shadowed-by-loop", "{text}", "import '{name}' from line {row} shadowed by loop variable", Pyflakes, Tree, true, "", 0},
	F403: {"F403", "star-import", "{text}", "'from {module} import *' used; unable to detect undefined names", Pyflakes, Tree, true, "", 0},
	F404: {"F404", "late-future-import", "from __future__ imports must occur at the beginning of the file", "", Pyflakes, Tree, true, "", 0},
	F405: {"F405", "name-from-star-import", "{text} may be undefined, or defined from star imports: {shared}", "'{name}' may be undefined, or defined from star imports: {modules}", Pyflakes, Tree, true, "", 0},
	F406: {"F406", "star-import-inside-function", "{text}", "'from {module} import *' only allowed at module level", Pyflakes, Tree, true, "", 0},
	F407: {"F407", "unknown-future-feature", "{text}", "future feature {name} is not defined", Pyflakes, Tree, true, "", 0},
	F501: {"F501", "malformed-percent-format", "{text}", "'...' % ... has invalid format string: {reason}", Pyflakes, Tree, true, "", 0},
	F502: {"F502", "percent-format-without-mapping", "'...' % ... expected mapping but got sequence", "", Pyflakes, Tree, true, "", 0},
	F503: {"F503", "percent-format-with-stray-mapping", "'...' % ... expected sequence but got mapping", "", Pyflakes, Tree, true, "", 0},
	F504: {"F504", "percent-format-unused-name", "{text}", "'...' % ... has unused named argument(s): {names}", Pyflakes, Tree, true, "", 0},
	F505: {"F505", "percent-format-missing-name", "{text}", "'...' % ... is missing argument(s) for placeholder(s): {names}", Pyflakes, Tree, true, "", 0},
	F506: {"F506", "percent-format-mixed-placeholders", "'...' % ... has mixed positional and named placeholders", "", Pyflakes, Tree, true, "", 0},
	F507: {"F507", "percent-format-wrong-count", "{text}", "'...' % ... has {count} placeholder(s) but {count} substitution(s)", Pyflakes, Tree, true, "", 0},
	F508: {"F508", "percent-format-star-with-mapping", "'...' % ... `*` specifier requires sequence", "", Pyflakes, Tree, true, "", 0},
	F509: {"F509", "percent-format-unknown-character", "{text}", "'...' % ... has unsupported format character '{character}'", Pyflakes, Tree, true, "", 0},
	F521: {"F521", "malformed-format-call", "{text}", "'...'.format(...) has invalid format string: {reason}", Pyflakes, Tree, true, "", 0},
	F522: {"F522", "format-call-unused-name", "{text}", "'...'.format(...) has unused named argument(s): {names}", Pyflakes, Tree, true, "", 0},
	F523: {"F523", "format-call-unused-position", "{text}", "'...'.format(...) has unused arguments at position(s): {positions}", Pyflakes, Tree, true, "", 0},
	F524: {"F524", "format-call-missing-argument", "{text}", "'...'.format(...) is missing argument(s) for placeholder(s): {names}", Pyflakes, Tree, true, "", 0},
	F525: {"F525", "format-call-mixed-numbering", "'...'.format(...) mixes automatic and manual numbering", "", Pyflakes, Tree, true, "", 0},
	F541: {"F541", "f-string-without-fields", "f-string is missing placeholders", "", Pyflakes, Tree, true, "", 0},
	F542: {"F542", "t-string-without-fields", "t-string is missing placeholders", "", Pyflakes, Tree, true, "", 0},
	F601: {"F601", "repeated-literal-key", "{text}", "dictionary key {key} repeated with different values", Pyflakes, Tree, true, "", 0},
	F602: {"F602", "repeated-variable-key", "{text}", "dictionary key variable {name} repeated with different values", Pyflakes, Tree, true, "", 0},
	F621: {"F621", "too-many-names-before-star", "too many expressions in star-unpacking assignment", "", Pyflakes, Tree, true, "", 0},
	F622: {"F622", "several-starred-targets", "two starred expressions in assignment", "", Pyflakes, Tree, true, "", 0},
	F631: {"F631", "assert-on-tuple", "assertion is always true, perhaps remove parentheses?", "", Pyflakes, Tree, true, "", 0},
	F632: {"F632", "identity-with-literal", "use ==/!= to compare constant literals (str, bytes, int, float, tuple)", "", Pyflakes, Tree, true, "", 0},
	F633: {"F633", "print-with-shift", "use of >> is invalid with print function", "", Pyflakes, Tree, true, "", 0},
	F634: {"F634", "condition-on-tuple", "'if tuple literal' is always true, perhaps remove accidental comma?", "", Pyflakes, Tree, true, "", 0},
	F701: {"F701", "break-outside-loop", "'break' outside loop", "", Pyflakes, Tree, true, "", 0},
	F702: {"F702", "continue-outside-loop", "'continue' not properly in loop", "", Pyflakes, Tree, true, "", 0},
	F704: {"F704", "yield-outside-function", "'yield' outside function", "", Pyflakes, Tree, true, "", 0},
	F706: {"F706", "return-outside-function", "'return' outside function", "", Pyflakes, Tree, true, "", 0},
	F707: {"F707", "default-except-not-last", "default 'except:' must be last", "", Pyflakes, Tree, true, "", 0},
	F708: {"F708", "lazy-import-below-module-level", "lazy import must be at module scope", "", Pyflakes, Tree, true, "", Flake8750},
	F709: {"F709", "lazy-star-import", "'lazy from {text} import *' is not allowed", "'lazy from {module} import *' is not allowed", Pyflakes, Tree, true, "", Flake8750},
	F721: {"F721", "doctest-syntax-error", "syntax error in doctest", "", Pyflakes, Tree, false, "--doctests", 0},
	F722: {"F722", "annotation-syntax-error", "{text}", "syntax error in forward annotation {annotation}", Pyflakes, Tree, true, "", 0},
	F811: {"F811", "unused-redefinition", "{text}", "redefinition of unused '{name}' from line {row}", Pyflakes, Tree, true, "", 0},
	F821: {"F821", "undefined-name", "{text}", "undefined name '{name}'", Pyflakes, Tree, true, "", 0},
	F822: {"F822", "undefined-export", "{text}", "undefined name '{name}' in __all__", Pyflakes, Tree, true, "", 0},
	F823: {"F823", "local-used-before-assignment", "{text}", "local variable '{name}' {defined in an enclosing scope, or as a builtin} referenced before assignment", Pyflakes, Tree, true, "", 0},
	F824: {"F824", "unassigned-global", "{text}", "`{global or nonlocal} {names}` is unused: name is never assigned in scope", Pyflakes, Tree, true, "", 0},
	F831: {"F831", "duplicate-parameter", "{text}", "duplicate argument '{name}' in function definition", Pyflakes, Tree, true, "", 0},
	F841: {"F841", "unused-variable", "{text}", "local variable '{name}' is assigned to but never used", Pyflakes, Tree, true, "", 0},
	F842: {"F842", "unused-annotation", "{text}", "local variable '{name}' is annotated but never used", Pyflakes, Tree, true, "", 0},
	F851: {"F851", "eager-use-of-lazy-import", "{text}", "eager use of lazily imported '{name}' from line {row}", Pyflakes, Tree, true, "", Flake8750},
	F901: {"F901", "raised-not-implemented", "'raise NotImplemented' should be 'raise NotImplementedError'", "", Pyflakes, Tree, true, "", 0},
	C901: {"C901", "complex-function", "'{shared}{text}' is too complex ({b})", "'{function}' is too complex ({complexity})", McCabe, Tree, false, "--max-complexity", 0},
}

// String returns the code as flake8 prints it.
func (c Code) String() string { return catalog[c].Code }

// Rule returns the description of the code.
func (c Code) Rule() Rule { return catalog[c] }

// Codes yields every code, in the catalogue's order.
func Codes() iter.Seq[Code] {
	return func(yield func(Code) bool) {
		for code := range Code(Count) {
			if !yield(code) {
				return
			}
		}
	}
}

// Find returns the code that is written as text: "E501".
func Find(text string) (Code, bool) {
	first, end := Span(text)
	if end-first == 1 && catalog[first].Code == text {
		return Code(first), true
	}
	return 0, false
}

// Span returns the codes that begin with prefix as the range [first, end): "E12" spans E121 to E129, "" spans all. It is empty, first ==
// end, where no code does.
func Span(prefix string) (first, end int) {
	first = search(func(code string) bool { return compare(code, prefix) >= 0 })
	end = search(func(code string) bool {
		return compare(code, prefix) >= 0 && !strings.HasPrefix(code, prefix)
	})
	return first, end
}

// search returns the index of the first code for which after is true, where
// after is false for all codes before it and true from there on.
func search(after func(code string) bool) int {
	low, high := 0, Count
	for low < high {
		if middle := (low + high) / 2; after(catalog[middle].Code) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// compare orders codes, and prefixes of codes, as the catalogue does: by the
// place of their letter, then by their digits.
func compare(a, b string) int {
	if a == "" || b == "" {
		return len(a) - len(b)
	}
	if d := letter(a) - letter(b); d != 0 {
		return d
	}
	return strings.Compare(a[1:], b[1:])
}

// letter returns the place of a code's letter in the catalogue; letters that
// begin no code come last.
func letter(code string) int {
	const letters = "EWFC"
	if i := strings.IndexByte(letters, code[0]); i >= 0 {
		return i
	}
	return len(letters)
}
