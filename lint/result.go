package lint

import (
	"codelinter/ast"
	"codelinter/parser"
	"codelinter/pep8"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// An Input is a text and the options for it. All fields but Data may be left out.
type Input struct {
	// Data is the text as bytes: the content of a file.
	Data []byte
	// Name is the file's name. pyflakes has other rules for an __init__.py.
	Name string

	// Stdin says that the text came from standard input. flake8 decodes such a text
	// by other rules and shows it under a Name of the user's choice.
	//
	// If such a text does not tokenize, and for rows after the last NEWLINE, flake8 searches "#
	// noqa" in the file of that name: in an editor, the last saved text. Saved reads this file; nil
	// means that there is none.
	Stdin bool
	Saved func(name string) ([]byte, error)

	// CodesOnly is for callers that count findings and do not show them. The findings are
	// the same, except for the E999 of a text that is not Python. It has no message. Unless
	// the text has a "# noqa", which could be on its line, it is at 1:1 and its extent is
	// the whole text. Finding CPython's message and its position costs several times the
	// lint of a valid text.
	CodesOnly bool

	// Facts asks for Result.Facts. They cost nothing, except for a file that a comment
	// exempts: to know what the comment silences, the file is linted like any other.
	Facts bool
	// Tree asks for Result.Tree.
	Tree bool
	// Silenced asks for Result.Silenced.
	Silenced bool

	// Codes are the only codes to check for; nil stands for all that the options select. The
	// findings are those of a whole check with these codes, except with [Options.ReportNoqa], which
	// may give others too.
	Codes *rule.Set

	// Repeatable says that the text may be the one before of an Edited. It costs memory.
	Repeatable bool
	// Edited, if it is set, says that edits made the text of another one. Then only what they may
	// change is tokenized and checked again. The findings are the same as without it.
	Edited *Edited

	// SkipTree, if it is set, is called with the File and the Tokens of a text before it is parsed,
	// unless it has carriage returns. If it returns true, the caller knows that the text is Python.
	// If the text has Spans, it has the same tree as the text before, and its findings are those of
	// that; or else no rule about its tree finds anything. Then the text is not parsed, and these
	// rules do not run, see [Result.Parse].
	SkipTree func(*Result) bool
	// Proceed, if it is set, is called with the Tree, the File and the Tokens of a text that is
	// Python and that no comment exempts, before any rule runs. If it returns false, none runs: the
	// Result has no findings and no Tree.
	Proceed func(*Result) bool

	// KeepsTree, if it is set, is called after Proceed for a text with Spans. If it returns true,
	// the caller knows that the tree is the same as that of the text before. Then its findings are
	// those of that text, unless one stands in a span.
	KeepsTree func() bool

	// Bounds limit the memory that a hostile text can take.
	Bounds Bounds
}

// Bounds limit the memory that a hostile text can take. The zero Bounds limit nothing.
type Bounds struct {
	// Tokens is the maximal number of tokens of a text, see Result.TooLarge. Tokens, tree,
	// names and findings take 100 to 300 bytes for each token.
	Tokens int
	// Findings is the maximal number of findings returned. Later findings are counted in
	// Result.Omitted.
	Findings int
}

// A Result holds the findings of a text, and facts about it.
type Result struct {
	// Findings are the lines that flake8 prints, in its order.
	//
	// A finding's extent is in the bytes of Input.Data, with their byte order mark and
	// carriage returns, in UTF-8 and in encodings of one byte a character. In others,
	// such as Shift_JIS, UTF-16 or UTF-7, each finding's extent is all of them.
	Findings []rule.Finding
	// Silenced are the findings that a "# noqa" takes away, in the same order, if the Input
	// asks for them. A file that a "# flake8: noqa" exempts has none.
	Silenced []rule.Finding
	// Omitted is the number of findings beyond Bounds.Findings.
	Omitted int
	// Invalid reports whether the text is not Python. It has at most an E999.
	Invalid bool
	// TooLarge reports whether the text has more tokens than the bounds allow. It was
	// then not checked, and has no findings.
	TooLarge bool

	// Facts are there if the Input asks for them.
	Facts Facts
	// Tree is there if the Input asks for it. It is nil for a text that is not Python,
	// and for one that a comment exempts. Its nodes' places are offsets in File.Text.
	Tree *ast.Module
	File *source.File
	// Tokens are those of File.Text, if there is a Tree and Input.Data has no carriage returns.
	Tokens []tokenizer.Token
	// Spans are there if the Input has Edited, and that saves work: the tokens outside of them have
	// only moved.
	Spans []pep8.Span

	linter *Linter
}

// Parse returns the tree of a text that [Input.SkipTree] kept from being parsed. It is valid until
// the next call of Lint.
func (r *Result) Parse() *ast.Module {
	module, _ := r.linter.parser.Parse(r.File.Text, r.Tokens, parser.Options{Target: r.linter.options.Target})
	return module
}

// OmittedOf returns the number of omitted findings with a code.
func (r *Result) OmittedOf(code rule.Code) int {
	if r.Omitted == 0 {
		return 0
	}
	return r.linter.beyond[code]
}

// Facts are the parts of a text that control the linter: its "# noqa" comments and its coding
// cookie.
type Facts struct {
	// Silenced reports whether a "# noqa" or "# flake8: noqa" took a finding
	// away: whether flake8 would print more with --disable-noqa. A comment that
	// silences nothing does not count.
	Silenced bool
	// SilencedForeign reports whether comments silence more findings of plugins than those in the
	// program to which the text is an answer. A Linter leaves it false, as it does not know that.
	SilencedForeign bool
	// Exempt reports whether a "# flake8: noqa" exempts the whole file, even if there
	// is nothing to silence.
	Exempt bool
	// NoqaLine is the line, from 1, of the comment that exempts the file, or else of the
	// first comment that silenced a finding. It is 0 if there is neither. For standard
	// input that does not tokenize it is a line of the saved file, see [Input].
	NoqaLine int
	// Encoding is the encoding of the file's coding cookie, as it is spelt there,
	// whether Python knows it or not. It is "" for UTF-8 and for a file without a cookie.
	Encoding string
	// FellBack reports whether flake8 reads the bytes as latin-1, because the encoding of the
	// cookie or byte order mark is unknown or wrong.
	FellBack bool
}
