package source

// Features are the differences between the CPython versions, each under a name that
// says what holds. Code asks for a feature, never for a version: only this file says in
// which versions a feature holds. The differences of the grammars are in
// parser/internal/diagnose/grammar.txt, those of characters in packages characters and
// charnames.
type Features struct {
	Version Version
	// ChecksCookieLines reports whether the lines that may hold a coding cookie
	// must be text in its encoding, without a NUL. Before, they must be UTF-8.
	ChecksCookieLines bool

	// PEP701 reports whether f-strings are tokens of their own, and that tokenize is the
	// parser's tokenizer. Before, an f-string was a STRING whose fields the parser
	// parsed apart, and tokenize was a tokenizer in Python.
	PEP701 bool
	// FieldErrorsInCharacters reports whether before PEP 701 the columns of errors in
	// fields are characters, not bytes.
	FieldErrorsInCharacters bool
	// ReplacesErrors reports whether an explained error replaces an error that the tokenizer raised
	// while the parser tried to prolong a list:
	//
	//	match x:
	//	    case A(b=c, d, 1e:
	ReplacesErrors bool
	// IndentsOfSecondPass reports whether the second pass decides that an unexplained error is one
	// of indentation: it is if the pass reached an INDENT or a DEDENT. Otherwise the first pass
	// decides:
	//
	//	with (a, as b):
	//	    c
	IndentsOfSecondPass bool
	// PlacesHighBytes reports whether the error of b'é' is at the string, not at the token after
	// it.
	PlacesHighBytes bool
	// NumbersRefuseLetters reports whether 1é is an error of the tokenizer's, as 1a is.
	NumbersRefuseLetters bool
	// NamesEmptyFields reports whether {!r} has a message of its own.
	NamesEmptyFields bool
	// RefusesControls reports whether a control character is an error of the tokenizer's,
	// not a token that no grammar has.
	RefusesControls bool
	// PEP646 reports whether stars may stand in a[*b] and in def f(*args: *Ts).
	PEP646 bool
	// ExceptStar is PEP 654: except* E.
	ExceptStar bool
	// NamesLimitOfDigits reports whether the message on too long a number says "limit (4300
	// digits)" and not "limit (4300)".
	NamesLimitOfDigits bool
	// TStrings is PEP 750: t'{x}' is a string.
	TStrings bool
	// PrefixClashes reports whether ub'' is an error of the tokenizer's own, not a
	// name in front of a string.
	PrefixClashes bool
	// EscapedQuoteHint asks of an unterminated 'it\' whether its end quote was
	// escaped.
	EscapedQuoteHint bool
	// SpecsEndAtNewline reports whether a newline ends the format spec of a
	// single-quoted f-string, where the field may still be closed:
	//
	//	f'{x:>9
	//	}'
	SpecsEndAtNewline bool
	// MisspellsExclamation names a message with a slip.
	MisspellsExclamation bool
	// FieldsCheckConversions reports whether the letter of {x!r} is checked after the whole field,
	// not at once.
	FieldsCheckConversions bool
	// UnescapesFieldTexts is a slip: the text that f'{x=}' shows of a field is
	// decoded as if it stood in the string itself.
	UnescapesFieldTexts bool
	// FieldTextsEndAtExclamation is a slip: of f'{x != y = :>9}' the text that is
	// shown ends at the !, because a colon comes.
	FieldTextsEndAtExclamation bool
	// FieldTextsEndOnce is a slip: the text that f'{x=}' shows ends at the first !,
	// colon or closing brace after the brace that began it, and at no later one.
	FieldTextsEndOnce bool
	// ChecksFieldBrackets reports whether tokenize fails at a bracket that would close the
	// brace of a field, f'{a)}', and not only the parser.
	ChecksFieldBrackets bool
	// ExactFieldTexts reports whether the text that f'{x=}' shows, and that a t-string keeps, is
	// exactly the text between the field's braces, without comments. Before, CPython kept one text
	// for all fields of a string, which caused the mistakes above.
	ExactFieldTexts bool
	// CommentsRespectQuotes reports whether a # in a string in a field begins no comment in the
	// text that is shown of the field.
	CommentsRespectQuotes bool
	// RawSpecs reports whether a backslash in a raw f-string's format spec is one.
	RawSpecs bool

	// UnparenthesizedExcept is PEP 758: except A, B needs no parentheses.
	UnparenthesizedExcept bool
	// TypeParameters is PEP 695: class A[T], def f[T] and the soft keyword type.
	TypeParameters bool
	// TypeParameterDefaults is PEP 696: class A[T = int].
	TypeParameterDefaults bool
	// SoftKeywordPrefixes is a mistake of the parser: where it expects any soft keyword, it accepts
	// a prefix of one, such as c for case.
	SoftKeywordPrefixes bool
	// ColumnsOfFirstLine is a slip where an error is placed after a token of
	// several rows: its column counts that many bytes as characters of the row
	// where the token begins.
	ColumnsOfFirstLine bool
	// DeferredAnnotations is PEP 649: an annotation may use a name that is defined later.
	DeferredAnnotations bool
	// LazyImports is PEP 810: lazy import a, and the soft keyword lazy.
	LazyImports bool
	// UnpackingComprehensions is PEP 798: [*x for x in y], {**x for x in y}.
	UnpackingComprehensions bool
	// PositivePatterns reports whether a number in a pattern may have a plus: case +1.
	PositivePatterns bool
	// TokenErrorsInBytes reports whether the errors that the tokenizer places at the
	// beginning of a token, 01 and ub'', count bytes, not characters.
	TokenErrorsInBytes bool
	// MissingCommaInLastRow reports whether the error of a missing comma is in the last row
	// of the expression before it, still at the column where that begins:
	//
	//	[f(
	//	    x) y]
	MissingCommaInLastRow bool
	// ExplainsUnpacking reports whether one explanation of errors asks for parentheses around a
	// conditional expression after a star, although they are not needed: f(*a if b else c).
	ExplainsUnpacking bool
	// IfExpIsRule reports whether the parser has a rule for a if b else c alone, which is
	// a level more of the 6,000 that it has.
	IfExpIsRule bool
	// SplitsLessGreater reports whether <> is two tokens, unless
	// from __future__ import barry_as_FLUFL makes it one.
	SplitsLessGreater bool
	// NamesOpenField reports whether the error of an f-string that ends within a field
	// names the row of the field's brace, if that is another one.
	NamesOpenField bool
	// PlacesFStringEscapes reports whether a bad escape in an f-string is an error at the
	// part of it that holds the escape, not at the last token read.
	PlacesFStringEscapes bool
	// TypedDictKeywords reports whether TypedDict("Spam", eggs=int) makes a type, and
	// NamedTupleKeywords the same of NamedTuple.
	TypedDictKeywords, NamedTupleKeywords bool
	// FirstLineNumbers reports whether the body of a class knows __firstlineno__.
	FirstLineNumbers bool
	// DumpsEmptyLists reports whether ast.dump shows fields that are empty lists.
	DumpsEmptyLists bool
	// DumpsLoad reports whether ast.dump shows that a context is Load.
	DumpsLoad bool
	// ParserKnowsFutures reports whether ast.parse looks at the names that come from
	// __future__: an unknown one is an error, and barry_as_FLUFL trades != for
	// <>. Before, the compiler did.
	ParserKnowsFutures bool
	// ConstantsAreNoNames reports whether a name whose normal form is None, True or
	// False makes ast.parse fail.
	ConstantsAreNoNames bool
}

// Features returns the features of the version.
func (v Version) Features() *Features { return &features[v.OrDefault()-oldest] }

var features = func() (table [newest - oldest + 1]Features) {
	for i := range table {
		v := oldest + Version(i)
		table[i] = Features{
			Version:                    v,
			ChecksCookieLines:          v >= Python314,
			PEP701:                     v >= Python312,
			FieldErrorsInCharacters:    v >= Python311,
			ReplacesErrors:             v <= Python310,
			IndentsOfSecondPass:        v <= Python310,
			PlacesHighBytes:            v >= Python311,
			NumbersRefuseLetters:       v <= Python310,
			NamesEmptyFields:           v >= Python311,
			RefusesControls:            v >= Python311,
			PEP646:                     v >= Python311,
			ExceptStar:                 v >= Python311,
			NamesLimitOfDigits:         v >= Python311,
			TStrings:                   v >= Python314,
			PrefixClashes:              v >= Python314,
			EscapedQuoteHint:           v >= Python313,
			SpecsEndAtNewline:          v <= Python313,
			MisspellsExclamation:       v <= Python313,
			FieldsCheckConversions:     v <= Python313,
			UnescapesFieldTexts:        v == Python312,
			FieldTextsEndAtExclamation: v != Python313 && v <= Python314,
			FieldTextsEndOnce:          v == Python312,
			ChecksFieldBrackets:        v >= Python315,
			ExactFieldTexts:            v >= Python315,
			CommentsRespectQuotes:      v >= Python314,
			RawSpecs:                   v >= Python314,
			UnparenthesizedExcept:      v >= Python314,
			TypeParameters:             v >= Python312,
			TypeParameterDefaults:      v >= Python313,
			SoftKeywordPrefixes:        v <= Python313,
			ColumnsOfFirstLine:         v <= Python313,
			DumpsEmptyLists:            v <= Python312,
			DumpsLoad:                  v <= Python314,
			DeferredAnnotations:        v >= Python314,
			LazyImports:                v >= Python315,
			UnpackingComprehensions:    v >= Python315,
			PositivePatterns:           v >= Python315,
			TokenErrorsInBytes:         v <= Python314,
			MissingCommaInLastRow:      v >= Python315,
			ExplainsUnpacking:          v >= Python315,
			IfExpIsRule:                v >= Python315,
			SplitsLessGreater:          v >= Python315,
			NamesOpenField:             v >= Python315,
			PlacesFStringEscapes:       v >= Python315,
			TypedDictKeywords:          v <= Python312,
			NamedTupleKeywords:         v <= Python314,
			FirstLineNumbers:           v >= Python313,
			ParserKnowsFutures:         v >= Python314,
			ConstantsAreNoNames:        v >= Python314,
		}
	}
	return table
}()
