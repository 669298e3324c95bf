// Package rule is the vocabulary of the linter: the codes that flake8 prints, their messages and
// documentation, and the Finding that carries one result. The logic of the rules is in packages
// pep8 and checks.
//
//	finding := rule.Finding{Row: 1, Column: 80, Code: rule.E501}.With(rule.Values{A: 86, B: 79})
//	finding.Message() // "line too long (86 > 79 characters)"
package rule

import (
	"iter"
	"sort"
	"strings"
)

//go:generate go run generate.go

// Code is one of flake8's codes; [Code.Rule] describes it. They are in the order of their linters:
// E and W (pycodestyle and flake8 itself), F (pyflakes), C (mccabe). [Release.Has] reports which a
// release has.
//
// Codes from [Count] on are those of plugins, see [Named].
type Code uint16

// A Rule describes one code.
type Rule struct {
	Code     string // "E501"
	Name     string // the pattern it flags; reads after "allow": "overlong-line"
	Template string // the message; {a}, {b}, {text} and {shared} stand for a Finding's [Values]
	Shape    string // the message with {words} for what varies; "" where Template says it all
	Tool     Tool   // whose rule it is
	Kind     Kind   // the part of the file that it checks
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
	Plugin // of flake8, written in Python
)

// String returns the tool's name: "pycodestyle".
func (t Tool) String() string {
	return [...]string{Pycodestyle: "pycodestyle", Flake8: "flake8", Pyflakes: "pyflakes", McCabe: "mccabe", Plugin: "plugin"}[t]
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
	E101: {Code: "E101", Name: "mixed-indentation-characters", Template: "indentation contains mixed spaces and tabs", Kind: Physical, Default: true},
	E111: {Code: "E111", Name: "uneven-indentation", Template: "indentation is not a multiple of {a}", Shape: "indentation is not a multiple of {size}", Kind: Logical, Default: true},
	E112: {Code: "E112", Name: "missing-indented-block", Template: "expected an indented block", Kind: Logical, Default: true},
	E113: {Code: "E113", Name: "stray-indentation", Template: "unexpected indentation", Kind: Logical, Default: true},
	E114: {Code: "E114", Name: "uneven-comment-indentation", Template: "indentation is not a multiple of {a} (comment)", Shape: "indentation is not a multiple of {size} (comment)", Kind: Logical, Default: true},
	E115: {Code: "E115", Name: "comment-outside-its-block", Template: "expected an indented block (comment)", Kind: Logical, Default: true},
	E116: {Code: "E116", Name: "stray-comment-indentation", Template: "unexpected indentation (comment)", Kind: Logical, Default: true},
	E117: {Code: "E117", Name: "over-indentation", Template: "{text}", Shape: "over-indented{ (comment)}", Kind: Logical, Default: true},
	E121: {Code: "E121", Name: "short-hanging-indent", Template: "continuation line under-indented for hanging indent", Kind: Tokens},
	E122: {Code: "E122", Name: "outdented-continuation", Template: "continuation line missing indentation or outdented", Kind: Tokens, Default: true},
	E123: {Code: "E123", Name: "indented-closing-bracket", Template: "closing bracket does not match indentation of opening bracket's line", Kind: Tokens},
	E124: {Code: "E124", Name: "closing-bracket-off-visual-indent", Template: "closing bracket does not match visual indentation", Kind: Tokens, Default: true},
	E125: {Code: "E125", Name: "continuation-level-with-body", Template: "continuation line with same indent as next logical line", Kind: Tokens, Default: true},
	E126: {Code: "E126", Name: "long-hanging-indent", Template: "continuation line over-indented for hanging indent", Kind: Tokens},
	E127: {Code: "E127", Name: "continuation-right-of-visual-indent", Template: "continuation line over-indented for visual indent", Kind: Tokens, Default: true},
	E128: {Code: "E128", Name: "continuation-left-of-visual-indent", Template: "continuation line under-indented for visual indent", Kind: Tokens, Default: true},
	E129: {Code: "E129", Name: "visual-indent-level-with-body", Template: "visually indented line with same indent as next logical line", Kind: Tokens, Default: true},
	E131: {Code: "E131", Name: "unaligned-hanging-indent", Template: "continuation line unaligned for hanging indent", Kind: Tokens, Default: true},
	E133: {Code: "E133", Name: "unindented-closing-bracket", Template: "closing bracket is missing indentation", Kind: Tokens, Option: "--hang-closing"},
	E201: {Code: "E201", Name: "space-after-opening-bracket", Template: "whitespace after '{text}'", Shape: "whitespace after '{bracket}'", Kind: Logical, Default: true},
	E202: {Code: "E202", Name: "space-before-closing-bracket", Template: "whitespace before '{text}'", Shape: "whitespace before '{bracket}'", Kind: Logical, Default: true},
	E203: {Code: "E203", Name: "space-before-punctuation", Template: "whitespace before '{text}'", Shape: "whitespace before '{mark}'", Kind: Logical, Default: true},
	E204: {Code: "E204", Name: "space-after-decorator-sign", Template: "whitespace after decorator '@'", Kind: Logical, Default: true},
	E211: {Code: "E211", Name: "space-before-call-or-subscript", Template: "whitespace before '{text}'", Shape: "whitespace before '{bracket}'", Kind: Tokens, Default: true},
	E221: {Code: "E221", Name: "wide-gap-before-operator", Template: "multiple spaces before operator", Kind: Logical, Default: true},
	E222: {Code: "E222", Name: "wide-gap-after-operator", Template: "multiple spaces after operator", Kind: Logical, Default: true},
	E223: {Code: "E223", Name: "tab-before-operator", Template: "tab before operator", Kind: Logical, Default: true},
	E224: {Code: "E224", Name: "tab-after-operator", Template: "tab after operator", Kind: Logical, Default: true},
	E225: {Code: "E225", Name: "unspaced-operator", Template: "missing whitespace around operator", Kind: Tokens, Default: true},
	E226: {Code: "E226", Name: "unspaced-arithmetic-operator", Template: "missing whitespace around arithmetic operator", Kind: Tokens},
	E227: {Code: "E227", Name: "unspaced-bitwise-operator", Template: "missing whitespace around bitwise or shift operator", Kind: Tokens, Default: true},
	E228: {Code: "E228", Name: "unspaced-modulo-operator", Template: "missing whitespace around modulo operator", Kind: Tokens, Default: true},
	E231: {Code: "E231", Name: "unspaced-punctuation", Template: "missing whitespace after '{text}'", Shape: "missing whitespace after '{mark}'", Kind: Tokens, Default: true},
	E241: {Code: "E241", Name: "wide-gap-after-punctuation", Template: "multiple spaces after '{text}'", Shape: "multiple spaces after '{mark}'", Kind: Logical},
	E242: {Code: "E242", Name: "tab-after-punctuation", Template: "tab after '{text}'", Shape: "tab after '{mark}'", Kind: Logical},
	E251: {Code: "E251", Name: "spaced-keyword-equals", Template: "unexpected spaces around keyword / parameter equals", Kind: Tokens, Default: true},
	E252: {Code: "E252", Name: "unspaced-annotated-default", Template: "missing whitespace around parameter equals", Kind: Tokens, Default: true},
	E261: {Code: "E261", Name: "cramped-inline-comment", Template: "at least two spaces before inline comment", Kind: Tokens, Default: true},
	E262: {Code: "E262", Name: "malformed-inline-comment", Template: "inline comment should start with '# '", Kind: Tokens, Default: true},
	E265: {Code: "E265", Name: "malformed-block-comment", Template: "block comment should start with '# '", Kind: Tokens, Default: true},
	E266: {Code: "E266", Name: "repeated-comment-hash", Template: "too many leading '#' for block comment", Kind: Tokens, Default: true},
	E271: {Code: "E271", Name: "wide-gap-after-keyword", Template: "multiple spaces after keyword", Kind: Logical, Default: true},
	E272: {Code: "E272", Name: "wide-gap-before-keyword", Template: "multiple spaces before keyword", Kind: Logical, Default: true},
	E273: {Code: "E273", Name: "tab-after-keyword", Template: "tab after keyword", Kind: Logical, Default: true},
	E274: {Code: "E274", Name: "tab-before-keyword", Template: "tab before keyword", Kind: Logical, Default: true},
	E275: {Code: "E275", Name: "unspaced-keyword", Template: "missing whitespace after keyword", Kind: Tokens, Default: true},
	E301: {Code: "E301", Name: "cramped-method", Template: "expected 1 blank line, found 0", Kind: Logical, Default: true},
	E302: {Code: "E302", Name: "cramped-top-level-definition", Template: "expected 2 blank lines, found {a}", Shape: "expected 2 blank lines, found {count}", Kind: Logical, Default: true},
	E303: {Code: "E303", Name: "excess-blank-lines", Template: "too many blank lines ({a})", Shape: "too many blank lines ({count})", Kind: Logical, Default: true},
	E304: {Code: "E304", Name: "blank-line-after-decorator", Template: "blank lines found after function decorator", Kind: Logical, Default: true},
	E305: {Code: "E305", Name: "cramped-code-after-definition", Template: "expected 2 blank lines after class or function definition, found {a}", Shape: "expected 2 blank lines after class or function definition, found {count}", Kind: Logical, Default: true},
	E306: {Code: "E306", Name: "cramped-nested-definition", Template: "expected 1 blank line before a nested definition, found 0", Kind: Logical, Default: true},
	E401: {Code: "E401", Name: "several-imports-on-one-line", Template: "multiple imports on one line", Kind: Logical, Default: true},
	E402: {Code: "E402", Name: "late-import", Template: "module level import not at top of file", Kind: Logical, Default: true},
	E501: {Code: "E501", Name: "overlong-line", Template: "line too long ({a} > {b} characters)", Shape: "line too long ({length} > {limit} characters)", Kind: Physical, Default: true},
	E502: {Code: "E502", Name: "redundant-backslash", Template: "the backslash is redundant between brackets", Kind: Tokens, Default: true},
	E701: {Code: "E701", Name: "one-line-block", Template: "multiple statements on one line (colon)", Kind: Logical, Default: true},
	E702: {Code: "E702", Name: "several-statements-on-one-line", Template: "multiple statements on one line (semicolon)", Kind: Logical, Default: true},
	E703: {Code: "E703", Name: "trailing-semicolon", Template: "statement ends with a semicolon", Kind: Logical, Default: true},
	E704: {Code: "E704", Name: "one-line-def", Template: "multiple statements on one line (def)", Kind: Logical},
	E711: {Code: "E711", Name: "equality-with-none", Template: "comparison to {text}", Shape: "comparison to None should be 'if cond is {not }None:'", Kind: Logical, Default: true},
	E712: {Code: "E712", Name: "equality-with-bool", Template: "comparison to {text}", Shape: "comparison to {bool} should be 'if cond is {not }{bool}:' or 'if {not }cond:'", Kind: Logical, Default: true},
	E713: {Code: "E713", Name: "negated-membership-test", Template: "test for membership should be 'not in'", Kind: Logical, Default: true},
	E714: {Code: "E714", Name: "negated-identity-test", Template: "test for object identity should be 'is not'", Kind: Logical, Default: true},
	E721: {Code: "E721", Name: "equality-of-types", Template: "do not compare types, for exact checks use `is` / `is not`, for instance checks use `isinstance()`", Kind: Logical, Default: true},
	E722: {Code: "E722", Name: "bare-except", Template: "do not use bare 'except'", Kind: Logical, Default: true},
	E731: {Code: "E731", Name: "named-lambda", Template: "do not assign a lambda expression, use a def", Kind: Logical, Default: true},
	E741: {Code: "E741", Name: "ambiguous-variable-name", Template: "ambiguous variable name '{text}'", Shape: "ambiguous variable name '{name}'", Kind: Tokens, Default: true},
	E742: {Code: "E742", Name: "ambiguous-class-name", Template: "ambiguous class definition '{text}'", Shape: "ambiguous class definition '{name}'", Kind: Tokens, Default: true},
	E743: {Code: "E743", Name: "ambiguous-function-name", Template: "ambiguous function definition '{text}'", Shape: "ambiguous function definition '{name}'", Kind: Tokens, Default: true},
	E902: {Code: "E902", Name: "unreadable-file", Template: "{text}", Shape: "{exception}: {message}", Tool: Flake8, Default: true},
	E999: {Code: "E999", Name: "syntax-error", Template: "{text}", Shape: "{SyntaxError, IndentationError or TabError}: {message}", Tool: Flake8, Default: true},
	W191: {Code: "W191", Name: "tab-indentation", Template: "indentation contains tabs", Kind: Physical, Default: true},
	W291: {Code: "W291", Name: "trailing-whitespace", Template: "trailing whitespace", Kind: Physical, Default: true},
	W292: {Code: "W292", Name: "missing-final-newline", Template: "no newline at end of file", Kind: Physical, Default: true},
	W293: {Code: "W293", Name: "whitespace-on-blank-line", Template: "blank line contains whitespace", Kind: Physical, Default: true},
	W391: {Code: "W391", Name: "blank-line-at-end-of-file", Template: "blank line at end of file", Kind: Physical, Default: true},
	W503: {Code: "W503", Name: "break-before-operator", Template: "line break before binary operator", Kind: Tokens},
	W504: {Code: "W504", Name: "break-after-operator", Template: "line break after binary operator", Kind: Tokens},
	W505: {Code: "W505", Name: "overlong-doc-line", Template: "doc line too long ({a} > {b} characters)", Shape: "doc line too long ({length} > {limit} characters)", Kind: Tokens, Option: "--max-doc-length"},
	W605: {Code: "W605", Name: "invalid-escape", Template: "invalid escape sequence '\\{text}'", Shape: "invalid escape sequence '\\{character}'", Kind: Tokens, Default: true},
	F401: {Code: "F401", Name: "unused-import", Template: "'{shared}{text}' imported but unused", Shape: "'{name}' imported but unused", Tool: Pyflakes, Kind: Tree, Default: true},
	F402: {Code: "F402", Name: "import-shadowed-by-loop", Template: "import {text} from line {a} shadowed by loop variable", Shape: "import '{name}' from line {row} shadowed by loop variable", Tool: Pyflakes, Kind: Tree, Default: true},
	F403: {Code: "F403", Name: "star-import", Template: "'from {text} import *' used; unable to detect undefined names", Shape: "'from {module} import *' used; unable to detect undefined names", Tool: Pyflakes, Kind: Tree, Default: true},
	F404: {Code: "F404", Name: "late-future-import", Template: "from __future__ imports must occur at the beginning of the file", Tool: Pyflakes, Kind: Tree, Default: true},
	F405: {Code: "F405", Name: "name-from-star-import", Template: "{text} may be undefined, or defined from star imports: {shared}", Shape: "'{name}' may be undefined, or defined from star imports: {modules}", Tool: Pyflakes, Kind: Tree, Default: true},
	F406: {Code: "F406", Name: "star-import-inside-function", Template: "'from {text} import *' only allowed at module level", Shape: "'from {module} import *' only allowed at module level", Tool: Pyflakes, Kind: Tree, Default: true},
	F407: {Code: "F407", Name: "unknown-future-feature", Template: "future feature {text} is not defined", Shape: "future feature {name} is not defined", Tool: Pyflakes, Kind: Tree, Default: true},
	F501: {Code: "F501", Name: "malformed-percent-format", Template: "'...' % ... has invalid format string: {text}", Shape: "'...' % ... has invalid format string: {reason}", Tool: Pyflakes, Kind: Tree, Default: true},
	F502: {Code: "F502", Name: "percent-format-without-mapping", Template: "'...' % ... expected mapping but got sequence", Tool: Pyflakes, Kind: Tree, Default: true},
	F503: {Code: "F503", Name: "percent-format-with-stray-mapping", Template: "'...' % ... expected sequence but got mapping", Tool: Pyflakes, Kind: Tree, Default: true},
	F504: {Code: "F504", Name: "percent-format-unused-name", Template: "'...' % ... has unused named argument(s): {text}", Shape: "'...' % ... has unused named argument(s): {names}", Tool: Pyflakes, Kind: Tree, Default: true},
	F505: {Code: "F505", Name: "percent-format-missing-name", Template: "'...' % ... is missing argument(s) for placeholder(s): {text}", Shape: "'...' % ... is missing argument(s) for placeholder(s): {names}", Tool: Pyflakes, Kind: Tree, Default: true},
	F506: {Code: "F506", Name: "percent-format-mixed-placeholders", Template: "'...' % ... has mixed positional and named placeholders", Tool: Pyflakes, Kind: Tree, Default: true},
	F507: {Code: "F507", Name: "percent-format-wrong-count", Template: "'...' % ... has {a} placeholder(s) but {b} substitution(s)", Shape: "'...' % ... has {count} placeholder(s) but {count} substitution(s)", Tool: Pyflakes, Kind: Tree, Default: true},
	F508: {Code: "F508", Name: "percent-format-star-with-mapping", Template: "'...' % ... `*` specifier requires sequence", Tool: Pyflakes, Kind: Tree, Default: true},
	F509: {Code: "F509", Name: "percent-format-unknown-character", Template: "'...' % ... has unsupported format character {text}", Shape: "'...' % ... has unsupported format character '{character}'", Tool: Pyflakes, Kind: Tree, Default: true},
	F521: {Code: "F521", Name: "malformed-format-call", Template: "'...'.format(...) has invalid format string: {text}", Shape: "'...'.format(...) has invalid format string: {reason}", Tool: Pyflakes, Kind: Tree, Default: true},
	F522: {Code: "F522", Name: "format-call-unused-name", Template: "'...'.format(...) has unused named argument(s): {text}", Shape: "'...'.format(...) has unused named argument(s): {names}", Tool: Pyflakes, Kind: Tree, Default: true},
	F523: {Code: "F523", Name: "format-call-unused-position", Template: "'...'.format(...) has unused arguments at position(s): {text}", Shape: "'...'.format(...) has unused arguments at position(s): {positions}", Tool: Pyflakes, Kind: Tree, Default: true},
	F524: {Code: "F524", Name: "format-call-missing-argument", Template: "'...'.format(...) is missing argument(s) for placeholder(s): {text}", Shape: "'...'.format(...) is missing argument(s) for placeholder(s): {names}", Tool: Pyflakes, Kind: Tree, Default: true},
	F525: {Code: "F525", Name: "format-call-mixed-numbering", Template: "'...'.format(...) mixes automatic and manual numbering", Tool: Pyflakes, Kind: Tree, Default: true},
	F541: {Code: "F541", Name: "f-string-without-fields", Template: "f-string is missing placeholders", Tool: Pyflakes, Kind: Tree, Default: true},
	F542: {Code: "F542", Name: "t-string-without-fields", Template: "t-string is missing placeholders", Tool: Pyflakes, Kind: Tree, Default: true},
	F601: {Code: "F601", Name: "repeated-literal-key", Template: "dictionary key {text} repeated with different values", Shape: "dictionary key {key} repeated with different values", Tool: Pyflakes, Kind: Tree, Default: true},
	F602: {Code: "F602", Name: "repeated-variable-key", Template: "dictionary key variable {text} repeated with different values", Shape: "dictionary key variable {name} repeated with different values", Tool: Pyflakes, Kind: Tree, Default: true},
	F621: {Code: "F621", Name: "too-many-names-before-star", Template: "too many expressions in star-unpacking assignment", Tool: Pyflakes, Kind: Tree, Default: true},
	F622: {Code: "F622", Name: "several-starred-targets", Template: "two starred expressions in assignment", Tool: Pyflakes, Kind: Tree, Default: true},
	F631: {Code: "F631", Name: "assert-on-tuple", Template: "assertion is always true, perhaps remove parentheses?", Tool: Pyflakes, Kind: Tree, Default: true},
	F632: {Code: "F632", Name: "identity-with-literal", Template: "use ==/!= to compare constant literals (str, bytes, int, float, tuple)", Tool: Pyflakes, Kind: Tree, Default: true},
	F633: {Code: "F633", Name: "print-with-shift", Template: "use of >> is invalid with print function", Tool: Pyflakes, Kind: Tree, Default: true},
	F634: {Code: "F634", Name: "condition-on-tuple", Template: "'if tuple literal' is always true, perhaps remove accidental comma?", Tool: Pyflakes, Kind: Tree, Default: true},
	F701: {Code: "F701", Name: "break-outside-loop", Template: "'break' outside loop", Tool: Pyflakes, Kind: Tree, Default: true},
	F702: {Code: "F702", Name: "continue-outside-loop", Template: "'continue' not properly in loop", Tool: Pyflakes, Kind: Tree, Default: true},
	F704: {Code: "F704", Name: "yield-outside-function", Template: "'yield' outside function", Tool: Pyflakes, Kind: Tree, Default: true},
	F706: {Code: "F706", Name: "return-outside-function", Template: "'return' outside function", Tool: Pyflakes, Kind: Tree, Default: true},
	F707: {Code: "F707", Name: "default-except-not-last", Template: "default 'except:' must be last", Tool: Pyflakes, Kind: Tree, Default: true},
	F708: {Code: "F708", Name: "lazy-import-below-module-level", Template: "lazy import must be at module scope", Tool: Pyflakes, Kind: Tree, Default: true, Since: Flake8750},
	F709: {Code: "F709", Name: "lazy-star-import", Template: "'lazy from {text} import *' is not allowed", Shape: "'lazy from {module} import *' is not allowed", Tool: Pyflakes, Kind: Tree, Default: true, Since: Flake8750},
	F721: {Code: "F721", Name: "doctest-syntax-error", Template: "syntax error in doctest", Tool: Pyflakes, Kind: Tree, Option: "--doctests"},
	F722: {Code: "F722", Name: "annotation-syntax-error", Template: "syntax error in forward annotation {text}", Shape: "syntax error in forward annotation {annotation}", Tool: Pyflakes, Kind: Tree, Default: true},
	F811: {Code: "F811", Name: "unused-redefinition", Template: "redefinition of unused {text} from line {a}", Shape: "redefinition of unused '{name}' from line {row}", Tool: Pyflakes, Kind: Tree, Default: true},
	F821: {Code: "F821", Name: "undefined-name", Template: "undefined name {text}", Shape: "undefined name '{name}'", Tool: Pyflakes, Kind: Tree, Default: true},
	F822: {Code: "F822", Name: "undefined-export", Template: "undefined name {text} in __all__", Shape: "undefined name '{name}' in __all__", Tool: Pyflakes, Kind: Tree, Default: true},
	F823: {Code: "F823", Name: "local-used-before-assignment", Template: "local variable {text} referenced before assignment", Shape: "local variable '{name}' {defined in an enclosing scope, or as a builtin} referenced before assignment", Tool: Pyflakes, Kind: Tree, Default: true},
	F824: {Code: "F824", Name: "unassigned-global", Template: "`{text}` is unused: name is never assigned in scope", Shape: "`{global or nonlocal} {names}` is unused: name is never assigned in scope", Tool: Pyflakes, Kind: Tree, Default: true},
	F831: {Code: "F831", Name: "duplicate-parameter", Template: "duplicate argument {text} in function definition", Shape: "duplicate argument '{name}' in function definition", Tool: Pyflakes, Kind: Tree, Default: true},
	F841: {Code: "F841", Name: "unused-variable", Template: "local variable {text} is assigned to but never used", Shape: "local variable '{name}' is assigned to but never used", Tool: Pyflakes, Kind: Tree, Default: true},
	F842: {Code: "F842", Name: "unused-annotation", Template: "local variable {text} is annotated but never used", Shape: "local variable '{name}' is annotated but never used", Tool: Pyflakes, Kind: Tree, Default: true},
	F851: {Code: "F851", Name: "eager-use-of-lazy-import", Template: "eager use of lazily imported {text} from line {a}", Shape: "eager use of lazily imported '{name}' from line {row}", Tool: Pyflakes, Kind: Tree, Default: true, Since: Flake8750},
	F901: {Code: "F901", Name: "raised-not-implemented", Template: "'raise NotImplemented' should be 'raise NotImplementedError'", Tool: Pyflakes, Kind: Tree, Default: true},
	C901: {Code: "C901", Name: "complex-function", Template: "'{shared}{text}' is too complex ({b})", Shape: "'{function}' is too complex ({complexity})", Tool: McCabe, Kind: Tree, Option: "--max-complexity"},
}

// String returns the code as flake8 prints it.
func (c Code) String() string {
	if c < Count {
		return catalog[c].Code
	}
	return foreignRule(c).Code
}

// Rule returns the description of the code. That of a plugin's has only the code and [Plugin].
func (c Code) Rule() Rule {
	if c < Count {
		return catalog[c]
	}
	return foreignRule(c)
}

// Codes yields every code of the catalogue, in its order.
func Codes() iter.Seq[Code] {
	return func(yield func(Code) bool) {
		for code := range Code(Count) {
			if !yield(code) {
				return
			}
		}
	}
}

// Find returns the code of the catalogue that is written as text: "E501".
func Find(text string) (Code, bool) {
	first, end := Span(text)
	if end-first == 1 && catalog[first].Code == text {
		return Code(first), true
	}
	return 0, false
}

// Span returns the codes that begin with prefix as the range [first, end): "E12" spans E121 to
// E129, "" spans all. It is empty, first == end, where no code does.
func Span(prefix string) (first, end int) {
	first = sort.Search(Count, func(i int) bool { return compare(catalog[i].Code, prefix) >= 0 })
	end = first + sort.Search(Count-first, func(i int) bool { return !strings.HasPrefix(catalog[first+i].Code, prefix) })
	return first, end
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
