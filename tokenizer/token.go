package tokenizer

//go:generate go tool stringer -type=Keyword -linecomment -output=keyword_string.go

import "codelinter/source"

// Kind is a token's exact type, under CPython's own names.
type Kind uint8

// The kinds. Those from LPAR on are operators and delimiters, for which
// Python's tokenize says OP.
const (
	ENDMARKER Kind = iota
	NAME           // spam, and every keyword
	NUMBER         // 0x1F, 1_000.5e3j
	STRING         // rb'...', from prefix to closing quote
	NEWLINE        // ends a logical line
	INDENT
	DEDENT
	NL             // ends a line that is blank, a comment, or inside brackets
	COMMENT        // # spam, without the line's end
	FSTRING_START  // rf"
	FSTRING_MIDDLE // literal text; ends after the first brace of a doubled pair
	FSTRING_END    // "
	TSTRING_START  // t"
	TSTRING_MIDDLE
	TSTRING_END
	ERRORTOKEN // a character that begins no token, before 3.12; TokenError since

	LPAR             // (
	LSQB             // [
	LBRACE           // {
	RPAR             // )
	RSQB             // ]
	RBRACE           // }
	COLON            // :
	COMMA            // ,
	SEMI             // ;
	DOT              // .
	ELLIPSIS         // ...
	RARROW           // ->
	AT               // @
	TILDE            // ~
	EXCLAMATION      // !
	PLUS             // +
	MINUS            // -
	STAR             // *
	SLASH            // /
	VBAR             // |
	AMPER            // &
	PERCENT          // %
	CIRCUMFLEX       // ^
	DOUBLESTAR       // **
	DOUBLESLASH      // //
	LEFTSHIFT        // <<
	RIGHTSHIFT       // >>
	LESS             // <
	GREATER          // >
	EQEQUAL          // ==
	NOTEQUAL         // != or <>
	LESSEQUAL        // <=
	GREATEREQUAL     // >=
	COLONEQUAL       // :=
	EQUAL            // =
	PLUSEQUAL        // +=
	MINEQUAL         // -=
	STAREQUAL        // *=
	SLASHEQUAL       // /=
	PERCENTEQUAL     // %=
	AMPEREQUAL       // &=
	VBAREQUAL        // |=
	CIRCUMFLEXEQUAL  // ^=
	LEFTSHIFTEQUAL   // <<=
	RIGHTSHIFTEQUAL  // >>=
	DOUBLESTAREQUAL  // **=
	DOUBLESLASHEQUAL // //=
	ATEQUAL          // @=
	UNKNOWN          // $, ? or a backquote: a token, but of no grammar
)

// IsOp reports whether Python's tokenize gives the kind as OP.
func (k Kind) IsOp() bool { return k >= LPAR }

// IsOpener reports whether the kind is one of ( [ {.
func (k Kind) IsOpener() bool { return k-LPAR <= LBRACE-LPAR }

// IsCloser reports whether the kind is one of ) ] }.
func (k Kind) IsCloser() bool { return k-RPAR <= RBRACE-RPAR }

// Nesting returns 1 for an opening bracket, -1 for a closing one, and 0 for other kinds.
func (k Kind) Nesting() int {
	switch {
	case k.IsOpener():
		return 1
	case k.IsCloser():
		return -1
	}
	return 0
}

// IsIgnored reports whether the kind is NL or COMMENT, which Python's grammar does not
// have.
func (k Kind) IsIgnored() bool { return k-NL <= COMMENT-NL }

// IsAugAssign reports whether the kind is an augmented assignment: += to @=.
func (k Kind) IsAugAssign() bool { return k >= PLUSEQUAL && k <= ATEQUAL }

// IsStringPart reports whether the kind is a STRING or a part of an f- or
// t-string.
func (k Kind) IsStringPart() bool {
	return k == STRING || k >= FSTRING_START && k <= TSTRING_END
}

// Keyword names the keyword that a NAME token spells; NotKeyword for any other
// token.
type Keyword uint8

// The keywords of all CPythons, the hard ones first, then the soft ones. A CPython that lacks a
// soft keyword takes it for a name. Each comment is Python's spelling. String is generated from the
// comments, and the table of [LookupKeyword] is made from String.
const (
	NotKeyword Keyword = iota //
	False                     // False
	None                      // None
	True                      // True
	And                       // and
	As                        // as
	Assert                    // assert
	Async                     // async
	Await                     // await
	Break                     // break
	Class                     // class
	Continue                  // continue
	Def                       // def
	Del                       // del
	Elif                      // elif
	Else                      // else
	Except                    // except
	Finally                   // finally
	For                       // for
	From                      // from
	Global                    // global
	If                        // if
	Import                    // import
	In                        // in
	Is                        // is
	Lambda                    // lambda
	Nonlocal                  // nonlocal
	Not                       // not
	Or                        // or
	Pass                      // pass
	Raise                     // raise
	Return                    // return
	Try                       // try
	While                     // while
	With                      // with
	Yield                     // yield

	Underscore // _
	Case       // case
	Match      // match
	Type       // type
	Lazy       // lazy

	keywordCount = int(iota)
)

// IsHard reports whether the keyword is reserved (keyword.iskeyword in Python).
func (k Keyword) IsHard() bool { return k-1 < Underscore-1 }

// IsSoft reports whether the keyword is reserved only in places, in the CPython of the
// features (keyword.issoftkeyword there).
func (k Keyword) IsSoft(features *source.Features) bool {
	switch k {
	case Type:
		return features.TypeParameters
	case Lazy:
		return features.LazyImports
	}
	return k >= Underscore
}

// Flags are what the scan saw inside a token.
type Flags uint8

const (
	// Multiline marks a token that holds a newline: a string part.
	Multiline Flags = 1 << iota
	// NonASCII marks a NAME with a byte of 0x80 or above. Whether it is a valid
	// identifier is checked only in strict mode, as in CPython.
	NonASCII
	// Backslash marks a STRING or a MIDDLE that holds a backslash.
	Backslash
	// Plain marks tokens that no rule on blanks, words and operators reports, so the rules can skip
	// them. Such a token has nothing or one space before it in its row, and is
	//   - a NUMBER, a STRING without other flags, or a NAME of ASCII that is neither a
	//     keyword nor hard to tell from a digit (l, O, I);
	//   - a hard keyword with a space, a colon or a newline after it, but no constant and
	//     none of the operators and, in, is, not and or;
	//   - an operator or delimiter of one byte with the blanks around it, or none, that
	//     pycodestyle wants there: a bracket, comma, dot, binary operator, a : in
	//     brackets or at a row's end, an = outside of brackets or, taken for that of a
	//     parameter without an annotation, in them.
	//
	// Not all such tokens have it.
	Plain
)

// A Token is one token of the stream. Its text is Text[Start:End].
type Token struct {
	Kind    Kind
	Keyword Keyword
	Flags   Flags
	Start   int32 // byte offset of the first byte
	End     int32 // byte offset after the last byte
	Row     int32 // row of Start, from 1
}

// Text returns the token's text as a part of text, the tokenized text.
func (t Token) Text(text string) string { return text[t.Start:t.End] }
