// Package parser builds the syntax tree of Python 3.10 to 3.15 from tokens.
//
// It accepts what CPython's ast.parse accepts, no more and no less, and gives
// the same tree. For a text that CPython refuses it returns the exception that CPython raises.
//
//	var file source.File
//	file.Load([]byte("print('spam')\n"))
//	module, err := parser.Parse(&file, parser.Options{})
//
// [Parse] allocates, and its tree may be kept. A [Parser] parses file after file and reuses its
// memory. It only says that it refuses a text. Which exception CPython raises depends on how
// CPython's own parser searches, and takes longer to find, so [Parser.Diagnose] is asked for it:
//
//	var p parser.Parser
//	module, ok := p.Parse(file.Text, tokens, parser.Options{})
//	if !ok {
//		failure := p.Diagnose(&file, parser.Options{}, true)
//	}
//
// # How it works
//
// Statements are parsed by recursive descent on the first token, expressions by operator
// precedence, in one pass. Only two places need lookahead: a line that begins with the name match,
// and the parentheses after with.
//
// Names, literals and calls come first and are judged later: an expression turns out to be
// a target once a = follows, and its contexts are changed then. CPython's grammar instead
// has a rule for targets beside the rule for expressions.
//
// The tokens are those of the tokenizer's loose mode, which flake8's other checks read too.
// CPython's strict tokenizer would refuse some of them, such as a number glued to a name. The
// parser refuses these where it uses the token.
package parser

import (
	"strings"

	"codelinter/ast"
	"codelinter/internal/python/pytext"
	"codelinter/parser/internal/diagnose"
	"codelinter/source"
	"codelinter/tokenizer"
)

// Options choose what to accept.
type Options struct {
	// Target is the CPython version to follow; zero means the default.
	Target source.Version
}

// A Parser parses one file after the other. The zero Parser is ready for use. It is not
// safe for concurrent use.
type Parser struct {
	text     string
	tokens   []tokenizer.Token
	features *source.Features

	// The current token. A hard keyword has a kind of its own here (kwIf).
	pos   int // index in tokens
	kind  tokenizer.Kind
	token tokenizer.Token

	last        int32 // end of the last token that was used, line structure apart
	levels      int   // of maxLevels; above their 16 bits, the open brackets
	tooDeep     bool  // there were more
	lessGreater bool  // from __future__ import barry_as_FLUFL was seen

	nodes

	// Of a text that was refused.
	cut        bool        // the tokens end where the tokenizer failed
	stopped    bool        // by stop
	unfinished []ast.Stmt  // on the stack of statements
	valid      []ast.Range // what refused returns
	diagnoser  diagnose.Diagnoser

	copied    int // bytes copied into nodes.text
	scratch   []byte
	normal    []byte // of normalized, while scratch holds a dotted name
	parts     []part // of the string literals being joined
	tokenizer tokenizer.Tokenizer

	// Of f-strings before 3.12.
	fields      tokenizer.Tokenizer
	fieldText   []byte            // that is being tokenized
	fieldTokens []tokenizer.Token // of the fields under way
}

// Parse tokenizes and parses file. The tree may be kept as long as file.Text is left alone.
// The error is a [*SyntaxError], or [ErrTooDeep].
func Parse(file *source.File, o Options) (*ast.Module, error) {
	var p Parser
	if module, ok := p.ParseText(file.Text, o); ok {
		return module, nil
	}
	if failure := p.Diagnose(file, o, true); failure != nil {
		return nil, failure
	}
	return nil, ErrTooDeep
}

// ParseText is Parser.Parse for text that is not tokenized yet.
func (p *Parser) ParseText(text string, o Options) (*ast.Module, bool) {
	tokens, _ := p.tokenizer.Tokenize(text, tokenizer.Options{Target: o.Target, ForParser: true})
	return p.Parse(text, tokens, o)
}

// Parse parses text from its tokens, which are those of the tokenizer's loose mode, made
// ForParser. The tree is valid until the next Parse. Parse returns false if ast.parse
// raises an exception. It also returns false if the tokens end without an ENDMARKER,
// because the tokenizer failed.
func (p *Parser) Parse(text string, tokens []tokenizer.Token, o Options) (module *ast.Module, ok bool) {
	p.nodes.reset()
	if max(cap(p.scratch), cap(p.parts)) > keptItems {
		p.scratch, p.parts = nil, nil
	}
	return p.parse(text, tokens, o.Target.Features())
}

// refused returns the tokens of the text that the last Parse or ParseText has refused, and
// the places of the statements that are valid before the first fault. These are the
// statements of the module and of the blocks around the fault, in their order. A
// statement within a listed one is not listed. A decorated definition begins with its
// first decorator's expression. A text that is Python throughout has no such places.
// Both slices are valid until the next call of a method.
func (p *Parser) refused() (tokens []tokenizer.Token, valid []ast.Range) {
	if p.cut {
		end := int32(len(p.text))
		p.parse(p.text, append(p.tokens, tokenizer.Token{Kind: tokenizer.ENDMARKER, Start: end, End: end}), p.features)
	}
	p.noteValid()
	return p.tokens, p.valid
}

// noteValid notes the statements that are valid where a parse was refused: those on
// the stack, without the last one if its line is not over.
func (p *Parser) noteValid() {
	if cap(p.valid) > keptItems {
		p.valid = nil
	}
	p.valid = p.valid[:0]
	for i, statement := range p.unfinished {
		at := statement.Bounds()
		if decorators := ast.Decorators(statement); len(decorators) > 0 {
			at.Start = decorators[0].Bounds().Start
		}
		if i == len(p.unfinished)-1 && !p.lineEnded(at.End) {
			return
		}
		p.valid = append(p.valid, at)
	}
}

// lineEnded reports whether a NEWLINE has been used after offset end.
func (p *Parser) lineEnded(end int32) bool {
	for i := p.pos - 1; i >= 0 && p.tokens[i].Start >= end; i-- {
		if p.tokens[i].Kind == tokenizer.NEWLINE {
			return true
		}
	}
	return false
}

// ParseExpression parses text, the value of a string annotation, as ast.parse would. It
// returns the expression, and false if text is not exactly one expression. Its positions
// are offsets in text. The tree is valid until the next Parse, and leaves earlier trees
// alone.
func (p *Parser) ParseExpression(text string, o Options) (ast.Expr, bool) {
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	tokens, err := p.tokenizer.Tokenize(text, tokenizer.Options{Target: o.Target, ForParser: true})
	if err != nil {
		return nil, false
	}
	module, ok := p.parse(text, tokens, o.Target.Features())
	if !ok || len(module.Body) != 1 {
		return nil, false
	}
	statement, ok := module.Body[0].(*ast.ExprStmt)
	if !ok {
		return nil, false
	}
	return statement.Value, true
}

// refusal is the value with which refuse panics.
type refusal struct{}

// refuse ends the parse: the text is not Python.
func refuse() { panic(refusal{}) }

func (p *Parser) parse(text string, tokens []tokenizer.Token, features *source.Features) (module *ast.Module, ok bool) {
	p.text, p.tokens, p.features = text, tokens, features
	p.nodes.parsed += len(text)
	p.unfinished, p.stopped, p.tooDeep = p.unfinished[:0], false, false
	n := len(tokens)
	if p.cut = n == 0 || tokens[n-1].Kind != tokenizer.ENDMARKER; p.cut {
		return nil, false
	}
	p.pos, p.last = -1, 0
	p.levels, p.lessGreater, p.copied = 0, false, 0
	if p.features.IfExpIsRule {
		p.levels = 1 // the level of the innermost expression
	}
	p.parts, p.fieldTokens = p.parts[:0], p.fieldTokens[:0]
	defer func() {
		if caught := recover(); caught != nil {
			if !p.stopped {
				p.noteUnfinished()
			}
			p.dropStacks()
			if _, is := caught.(refusal); !is {
				panic(caught)
			}
			module, ok = nil, false
		}
	}()
	p.next()
	p.last = 0
	module = p.module()
	if p.stopped || p.features.ParserKnowsFutures && !knownFutures(module) {
		return nil, false
	}
	return module, true
}

// stop is refuse between statements. It returns where refuse panics, which saves two
// thirds of the time for a short faulty text: a panic unwinds nine frames, twice. The
// caller returns too. All open blocks end, as at a DEDENT that nothing uses, and the tree
// is thrown away.
func (p *Parser) stop() {
	p.noteUnfinished()
	p.stopped = true
	p.kind = tokenizer.DEDENT
}

// noteUnfinished keeps the statements that a refusal leaves on the stack.
func (p *Parser) noteUnfinished() {
	if cap(p.unfinished) > keptItems {
		p.unfinished = nil
	}
	p.unfinished = p.unfinished[:0]
	if !p.lessGreater {
		p.unfinished = append(p.unfinished, p.stmts.stack...)
	}
}

// module: [statements] ENDMARKER
func (p *Parser) module() *ast.Module {
	mark := p.stmts.mark()
	for p.kind != tokenizer.ENDMARKER && !p.stopped {
		p.statement()
	}
	return p.nodes.module.put(ast.Module{Range: ast.Range{Start: 0, End: int32(len(p.text))}, Body: p.stmts.take(mark)})
}

// The kinds of the hard keywords, after those of the tokens.
const (
	kwBase     = tokenizer.UNKNOWN
	kwFalse    = kwBase + tokenizer.Kind(tokenizer.False)
	kwNone     = kwBase + tokenizer.Kind(tokenizer.None)
	kwTrue     = kwBase + tokenizer.Kind(tokenizer.True)
	kwAnd      = kwBase + tokenizer.Kind(tokenizer.And)
	kwAs       = kwBase + tokenizer.Kind(tokenizer.As)
	kwAssert   = kwBase + tokenizer.Kind(tokenizer.Assert)
	kwAsync    = kwBase + tokenizer.Kind(tokenizer.Async)
	kwAwait    = kwBase + tokenizer.Kind(tokenizer.Await)
	kwBreak    = kwBase + tokenizer.Kind(tokenizer.Break)
	kwClass    = kwBase + tokenizer.Kind(tokenizer.Class)
	kwContinue = kwBase + tokenizer.Kind(tokenizer.Continue)
	kwDef      = kwBase + tokenizer.Kind(tokenizer.Def)
	kwDel      = kwBase + tokenizer.Kind(tokenizer.Del)
	kwElif     = kwBase + tokenizer.Kind(tokenizer.Elif)
	kwElse     = kwBase + tokenizer.Kind(tokenizer.Else)
	kwExcept   = kwBase + tokenizer.Kind(tokenizer.Except)
	kwFinally  = kwBase + tokenizer.Kind(tokenizer.Finally)
	kwFor      = kwBase + tokenizer.Kind(tokenizer.For)
	kwFrom     = kwBase + tokenizer.Kind(tokenizer.From)
	kwGlobal   = kwBase + tokenizer.Kind(tokenizer.Global)
	kwIf       = kwBase + tokenizer.Kind(tokenizer.If)
	kwImport   = kwBase + tokenizer.Kind(tokenizer.Import)
	kwIn       = kwBase + tokenizer.Kind(tokenizer.In)
	kwIs       = kwBase + tokenizer.Kind(tokenizer.Is)
	kwLambda   = kwBase + tokenizer.Kind(tokenizer.Lambda)
	kwNonlocal = kwBase + tokenizer.Kind(tokenizer.Nonlocal)
	kwNot      = kwBase + tokenizer.Kind(tokenizer.Not)
	kwOr       = kwBase + tokenizer.Kind(tokenizer.Or)
	kwPass     = kwBase + tokenizer.Kind(tokenizer.Pass)
	kwRaise    = kwBase + tokenizer.Kind(tokenizer.Raise)
	kwReturn   = kwBase + tokenizer.Kind(tokenizer.Return)
	kwTry      = kwBase + tokenizer.Kind(tokenizer.Try)
	kwWhile    = kwBase + tokenizer.Kind(tokenizer.While)
	kwWith     = kwBase + tokenizer.Kind(tokenizer.With)
	kwYield    = kwBase + tokenizer.Kind(tokenizer.Yield)
)

// keywordKind is the number that a token's keyword adds to its kind. NAME becomes kwIf; a soft
// keyword remains a NAME.
var keywordKind = func() (table [256]tokenizer.Kind) {
	for k := tokenizer.False; k.IsHard(); k++ {
		table[k] = kwBase + tokenizer.Kind(k) - tokenizer.NAME
	}
	return table
}()

// next consumes the current token and moves to the next one that is part of the grammar.
func (p *Parser) next() {
	p.last = p.token.End
	p.skip()
}

// skip is next for a current NEWLINE, INDENT or DEDENT, which is part of no node.
func (p *Parser) skip() {
	i := p.pos + 1
	t := &p.tokens[i]
	for t.Kind.IsIgnored() {
		i++
		t = &p.tokens[i]
	}
	p.kind = t.Kind + keywordKind[t.Keyword] // first: what is stored might be t, to the compiler
	p.token = *t
	p.pos = i
}

// expect uses the current token, which must be of the kind.
func (p *Parser) expect(kind tokenizer.Kind) {
	if p.kind != kind {
		refuse()
	}
	p.next()
}

// accept uses the current token if it is of the kind.
func (p *Parser) accept(kind tokenizer.Kind) bool {
	if p.kind != kind {
		return false
	}
	p.next()
	return true
}

// peek returns the kind of the token after the current one.
func (p *Parser) peek() tokenizer.Kind { return p.tokens[p.after(p.pos)].Kind }

// after returns the index of the token after the one at i.
func (p *Parser) after(i int) int {
	i++
	for p.tokens[i].Kind.IsIgnored() {
		i++
	}
	return i
}

// back makes the token at index pos the current one again.
func (p *Parser) back(pos int, last int32) {
	p.pos = pos - 1
	p.skip()
	p.last = last
}

// from returns the range from start to the last token used.
func (p *Parser) from(start int32) ast.Range { return ast.Range{Start: start, End: p.last} }

// identifier uses the current token, a NAME, and returns its name.
func (p *Parser) identifier() string {
	if p.kind != tokenizer.NAME {
		refuse()
	}
	name := p.spelled()
	p.next()
	return name
}

// spelled returns the name that the current token, a NAME, spells.
func (p *Parser) spelled() string {
	if p.token.Flags&tokenizer.NonASCII != 0 {
		return p.normalized()
	}
	return p.text[p.token.Start:p.token.End]
}

// CPython's limits. Its parser raises a MemoryError when 6,000 rules are nested. We count
// as many levels for a construct as its rules take there, so that chains end at the same
// length: in 3.14 after 5,969 times not, or 2,984 times lambda. For mixtures of constructs
// the counts are close, not exact.
const (
	maxLevels     = 5969
	lambdaLevels  = 2
	powerLevels   = 2
	defaultLevels = 6 // of a parameter
	elifLevels    = 4 // of a whole chain
	blockLevels   = 6
	bracketLevels = 1<<16 + 26 // and one of maxBrackets
	maxBrackets   = 200
)

// deepen counts levels of nesting.
func (p *Parser) deepen(levels int) {
	if p.levels += levels; p.levels&0xFFFF > maxLevels {
		p.tooDeep = true
		refuse()
	}
}

// open uses an opening bracket.
func (p *Parser) open() {
	if p.levels>>16 == maxBrackets {
		refuse()
	}
	p.deepen(bracketLevels)
	p.next()
}

// close uses the closing bracket, which must be of the kind. (Calling expect, it would
// not be inlined.)
func (p *Parser) close(kind tokenizer.Kind) {
	p.levels -= bracketLevels
	if p.kind != kind {
		refuse()
	}
	p.next()
}

// knownFutures reports whether every feature is known that is imported from
// __future__ at the head of the file.
func knownFutures(module *ast.Module) bool {
	for i, statement := range module.Body {
		if i == 0 {
			if e, is := statement.(*ast.ExprStmt); is {
				if c, is := e.Value.(*ast.Constant); is && c.Type == ast.Str {
					continue // the docstring
				}
			}
		}
		n, is := statement.(*ast.ImportFrom)
		if !is || n.Level != 0 || n.Module != "__future__" {
			return true
		}
		for _, alias := range n.Names {
			if !pytext.IsFutureFeature(alias.Name) {
				return false
			}
		}
	}
	return true
}
