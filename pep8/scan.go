package pep8

import (
	"codelinter/rule"
	"codelinter/tokenizer"
)

// Traits of operators for the rules on missing whitespace, as bits.
const (
	opNeedsSpace = 1 << iota // x = y
	opOptional               // x*y, where both sides must agree
	opUnary                  // optional, and may be unary: -x
	opArithmetic             // E226 rather than E227
)

var operatorTraits = [256]uint8{
	tokenizer.DOUBLESTAREQUAL: opNeedsSpace, tokenizer.STAREQUAL: opNeedsSpace, tokenizer.SLASHEQUAL: opNeedsSpace,
	tokenizer.DOUBLESLASHEQUAL: opNeedsSpace, tokenizer.PLUSEQUAL: opNeedsSpace, tokenizer.MINEQUAL: opNeedsSpace,
	tokenizer.NOTEQUAL: opNeedsSpace, tokenizer.LESS: opNeedsSpace, tokenizer.GREATER: opNeedsSpace,
	tokenizer.PERCENTEQUAL: opNeedsSpace, tokenizer.CIRCUMFLEXEQUAL: opNeedsSpace, tokenizer.AMPEREQUAL: opNeedsSpace,
	tokenizer.VBAREQUAL: opNeedsSpace, tokenizer.EQEQUAL: opNeedsSpace, tokenizer.LESSEQUAL: opNeedsSpace,
	tokenizer.GREATEREQUAL: opNeedsSpace, tokenizer.LEFTSHIFTEQUAL: opNeedsSpace, tokenizer.RIGHTSHIFTEQUAL: opNeedsSpace,
	tokenizer.EQUAL: opNeedsSpace, tokenizer.RARROW: opNeedsSpace, tokenizer.COLONEQUAL: opNeedsSpace,

	tokenizer.DOUBLESTAR: opUnary | opArithmetic, tokenizer.STAR: opUnary | opArithmetic,
	tokenizer.PLUS: opUnary | opArithmetic, tokenizer.MINUS: opUnary | opArithmetic, tokenizer.RIGHTSHIFT: opUnary,

	tokenizer.SLASH: opOptional | opArithmetic, tokenizer.DOUBLESLASH: opOptional | opArithmetic, tokenizer.AT: opOptional | opArithmetic,
	tokenizer.CIRCUMFLEX: opOptional, tokenizer.AMPER: opOptional, tokenizer.VBAR: opOptional,
	tokenizer.LEFTSHIFT: opOptional, tokenizer.PERCENT: opOptional,
}

// keywordTraits are the traits of a line that holds the keyword.
var keywordTraits = [256]trait{
	tokenizer.None: hasSingleton, tokenizer.True: hasSingleton, tokenizer.False: hasSingleton,
	tokenizer.Not: hasNot, tokenizer.In: hasInOrIs, tokenizer.Is: hasInOrIs,
	tokenizer.Type: hasType,
}

// keywordOperators holds the traits of the keywords that are operators.
var keywordOperators = [256]uint8{
	tokenizer.And: opNeedsSpace, tokenizer.In: opNeedsSpace, tokenizer.Is: opNeedsSpace, tokenizer.Or: opNeedsSpace,
}

// The brackets other than ( [ and { that scan keeps on its stack.
const (
	inFString = 'f'
	inTString = 't'
	inLambda  = 'l' // between lambda and its colon
)

// A need is whether the operator before must be followed by a blank.
type need uint8

const (
	spaceFree     need = iota
	spaceNeeded        // x = y
	spaceUnwanted      // x*y: none stood before it
	spaceWanted        // x *y: one stood before it
)

// scan goes over the tokens of the next logical line once. It checks the physical
// lines that end there, notes the logical line's traits, and keeps what it finds for the
// rules that every line needs, until their turn:
//
//	E211         print (x)
//	E225 - E228  x=1, x*y, x&y, x%y
//	E231         f(x,y)
//	E275         from x import(y)
//
// rest holds the tokens from the line's first to the file's last. The line lies in the
// first end of them. scan returns how many tokens the line has, and whether a NEWLINE or
// NL ended it; otherwise the tokens ran out. found is false if the line holds nothing but
// indentation and line ends.
//
// Nearly all tokens are names, brackets, dots and commas, with one blank before them or
// none. Plain tokens are skipped while the token before them does not ask for a look.
// Locals are what every token needs, so that they stay in registers. The rest is in
// c.state: with all of it in locals, each token took twice the instructions.
func (c *Checker) scan(rest []tokenizer.Token, end int) (n int, ended, found bool) {
	tokens := rest[:end]
	c.beginScan(rest)
	i, ended := c.findHead(end)
	prev := &beforeLine // the last significant token
	skipPlain := false  // Plain tokens need no look
	if head := c.head; head != nil && head.Flags&tokenizer.Plain != 0 && !c.state.slowPath {
		skipPlain = true
		for i < len(tokens) && tokens[i].Flags&tokenizer.Plain != 0 {
			i++
		}
		if i < len(tokens) && c.endsPlainLine(&tokens[i]) { // as more than half of the lines
			c.tokens = tokens[:i+1]
			c.summarize(&tokens[i-1])
			return i + 1, true, true
		}
	}
	for ; i < len(tokens) && !ended; i++ {
		if skipPlain {
			for i < len(tokens) && tokens[i].Flags&tokenizer.Plain != 0 {
				i++
			}
			prev = &tokens[i-1]
			if i == len(tokens) {
				break
			}
		}
		t := &tokens[i]
		if t.Row != c.state.row {
			if c.state.row != 0 {
				c.afterBackslash(i)
			}
			c.state.row = t.Row
		}
		if isStructure(t) {
			skipPlain = false
			ended = c.lineStructure(t, i)
			continue
		}
		blank := t.Start != prev.End && prev != &beforeLine && c.hasBlank(prev, t, i)
		var op uint8
		skipPlain = !c.state.slowPath
		if t.Kind == tokenizer.NAME {
			op = c.name(prev, t, i)
		} else if t.Kind == tokenizer.ERRORTOKEN {
			// A blank or a part of a name, as it may be. Rules on blanks and on
			// words have to look at the text; those on operators do not see it.
			c.traits |= wideGap | bracketBlank | brokenName | hasSingleton | hasNot | hasType
			skipPlain = false
			continue
		} else if t.Kind != tokenizer.NUMBER && t.Kind != tokenizer.DOT {
			var asks bool
			op, asks = c.mark(prev, t, i, blank)
			skipPlain = skipPlain && !asks
		}
		if c.state.need != spaceFree {
			c.state.need = c.afterOperator(prev, t, c.state.need)
			skipPlain = skipPlain && c.state.need == spaceFree
		} else if op != 0 && prev != &beforeLine && !c.betweenBlanks(prev, t) {
			c.state.need = c.operator(prev, i, op)
			skipPlain = skipPlain && c.state.need == spaceFree
		}
		prev = t
	}
	return c.endScan(prev, i, ended)
}

// beginScan forgets the logical line before. The next one begins tokens.
func (c *Checker) beginScan(tokens []tokenizer.Token) {
	c.tokens = tokens
	c.significant = c.significant[:0]
	c.lineEnds = c.lineEnds[:0]
	c.scanned = c.scanned[:0]
	c.line = 0
	c.head = nil
	c.traits = 0
	c.state = scanState{slowPath: c.careful}
}

// endsPlainLine reports whether t ends the logical line and its only row, about which there
// is nothing to say. The tokens from the line's head on are Plain. t may stand in an empty row
// after a backslash, and the row above has then to be checked too.
func (c *Checker) endsPlainLine(t *tokenizer.Token) bool {
	return t.Kind == tokenizer.NEWLINE && t.Row == c.state.row && c.traits == 0 && len(c.lineEnds) == 0 &&
		c.isPlainRow(int(t.Row), t.Start)
}

// findHead handles what stands before the logical line's head, the first token of its text.
// It returns the index of the next token, and whether the line ended without a head, as that
// of a comment does. The line lies in the first end tokens.
func (c *Checker) findHead(end int) (i int, ended bool) {
	for ; i < end; i++ {
		t := &c.tokens[i]
		if t.Row != c.state.row {
			if c.state.row != 0 {
				c.afterBackslash(i)
			}
			c.state.row = t.Row
		}
		if !isStructure(t) {
			if !c.state.started {
				c.begin(t)
			}
			c.head = t
			c.state.slowPath = c.state.slowPath || t.Keyword != tokenizer.NotKeyword && mayBeGeneric(c.tokens[i:])
			break
		}
		if t.Kind != tokenizer.INDENT && t.Kind != tokenizer.DEDENT && c.lineStructure(t, i) {
			return i + 1, true
		}
	}
	return i, false
}

// afterBackslash checks the row above the token at index i. That row ended with a backslash, so it
// has no token for its line end.
func (c *Checker) afterBackslash(i int) {
	c.physicalLines(i - 1)
	c.traits |= hasContinuation | newRows
}

// isStructure reports whether t is a line end, indentation or a comment.
func isStructure(t *tokenizer.Token) bool {
	return t.Kind-tokenizer.NEWLINE <= tokenizer.COMMENT-tokenizer.NEWLINE
}

// lineStructure handles t at index i: a line end, indentation or a comment. It reports whether
// the logical line ends there.
func (c *Checker) lineStructure(t *tokenizer.Token, i int) (ended bool) {
	switch t.Kind {
	case tokenizer.NEWLINE, tokenizer.NL:
		if !c.isPlainRow(int(t.Row), t.Start) {
			c.lineEnd(i)
		}
		c.state.row = 0
		if c.head == nil || !c.careful && t.Kind == tokenizer.NEWLINE || c.careful && c.depth(i) == 0 {
			if c.state.started {
				return true
			}
			if t.Kind == tokenizer.NEWLINE {
				c.blankBefore = 0
			}
		}
		if t.Start != t.End {
			c.lineEnds = append(c.lineEnds, int32(i))
		}
	case tokenizer.COMMENT:
		c.comment(t)
	}
	return false
}

// hasBlank looks at the space between prev and t, the token at index i. It reports whether
// the logical line has a blank there.
func (c *Checker) hasBlank(prev, t *tokenizer.Token, i int) (blank bool) {
	gap := t.Start - prev.End
	if gap == 1 && t.Row == prev.Row && c.text[prev.End] == ' ' {
		blank = !isMiddle(prev) // a brace may stand after it, never a blank
	} else if gap > 0 && !isMiddle(prev) {
		blank = c.wideGap(prev, t)
	}
	if prev.Kind >= tokenizer.LPAR {
		if blank && prev.Kind.IsOpener() {
			c.traits |= bracketBlank
		}
		if prev.Kind == tokenizer.EQUAL && c.depth(i) > 0 {
			c.traits |= equalInBrackets
		}
	}
	return blank
}

// name notes the traits that t, the NAME at index i, gives its line. It returns the kind of
// operator that t is.
func (c *Checker) name(prev, t *tokenizer.Token, i int) (op uint8) {
	if t.Keyword == tokenizer.NotKeyword {
		if t.Flags&tokenizer.NonASCII != 0 {
			if name := t.Text(c.text); wordEnd(name, 0, c.unicode()) < len(name) {
				// There may be a keyword in it, to regular expressions.
				c.traits |= brokenName | hasSingleton | hasNot | hasType
			}
		} else if t.End-t.Start == 1 {
			if b := c.text[t.Start]; b == 'l' || b == 'O' || b == 'I' {
				c.traits |= ambiguousName
			}
		}
		return 0
	}
	switch traits := keywordTraits[t.Keyword]; {
	case traits&hasNot != 0 && prev.Keyword == tokenizer.Is && t.Start-prev.End == 1:
		// E714 and E713 are not about is not,
	case traits&hasInOrIs != 0 && prev.Keyword == tokenizer.Not && c.traits&wideGap == 0:
		// nor about not in.
	default:
		c.traits |= traits
	}
	if end := int(t.End); end < len(c.text) && c.text[end] != ' ' && t.Keyword.IsHard() {
		c.blankAfterKeyword(t, c.tokens[i+1:])
	}
	return keywordOperators[t.Keyword]
}

// mark notes the traits that t, the bracket, separator, string or operator at index i, gives its
// line. It returns the kind of operator that t is, and whether the tokens after it must be checked
// even if they are Plain.
func (c *Checker) mark(prev, t *tokenizer.Token, i int, blank bool) (op uint8, asks bool) {
	switch t.Kind {
	case tokenizer.LPAR, tokenizer.LSQB, tokenizer.LBRACE:
		if t.Kind != tokenizer.LBRACE && t.Start != prev.End && i > 0 {
			c.blankBeforeBracket(t, i)
		}
		return 0, !c.isTight(t)
	case tokenizer.RPAR, tokenizer.RSQB, tokenizer.RBRACE:
		if blank {
			c.traits |= bracketBlank
		}
	case tokenizer.COMMA, tokenizer.COLON, tokenizer.SEMI:
		c.separator(i, blank)
	case tokenizer.EQUAL:
		if c.depth(i) == 0 {
			return opNeedsSpace, false
		}
		if t.Start != prev.End {
			c.traits |= equalInBrackets
		}
		return opNeedsSpace, !c.isTight(t)
	case tokenizer.STRING, tokenizer.FSTRING_START, tokenizer.FSTRING_MIDDLE, tokenizer.FSTRING_END,
		tokenizer.TSTRING_START, tokenizer.TSTRING_MIDDLE, tokenizer.TSTRING_END:
		if t.Kind != tokenizer.STRING || t.Flags&(tokenizer.Multiline|tokenizer.Backslash) != 0 {
			if c.stringPart(i) {
				c.state.row = 0
				return 0, true
			}
		}
	default:
		if t.Kind == tokenizer.EQEQUAL || t.Kind == tokenizer.NOTEQUAL {
			c.traits |= hasEquality
		}
		return operatorTraits[t.Kind], false
	}
	return 0, false
}

// separator notes the traits that the comma, colon or semicolon at index i gives its line.
func (c *Checker) separator(i int, blank bool) {
	t := &c.tokens[i]
	switch t.Kind {
	case tokenizer.COLON:
		if !c.isBeforeNewline(t) && c.depth(i) == 0 {
			c.state.colons++
		}
	case tokenizer.SEMI:
		c.traits |= hasSemicolon
	}
	if blank {
		c.traits |= bracketBlank
	}
	if end := int(t.End); end < len(c.text) && c.text[end] != ' ' && c.text[end] != '\n' {
		c.blankAfterSeparator(i)
	}
}

// betweenBlanks reports whether t, which follows prev, has blanks on both sides. Nothing is
// wrong with an operator that has.
func (c *Checker) betweenBlanks(prev, t *tokenizer.Token) bool {
	return t.Start != prev.End && int(t.End) < len(c.text) && c.text[t.End] == ' '
}

// beforeLine stands for the significant token before a line's first.
var beforeLine = tokenizer.Token{End: -1}

// scanState is the part of scan's state that is not in locals.
type scanState struct {
	row        int32 // a row to check when it ends, 0 for none
	slowPath   bool  // Plain tokens need a look too: Checker.careful, or see mayBeGeneric
	stacked    int32 // the number of tokens covered by Checker.brackets, see stack
	depth      int32 // the number of those brackets that are neither strings nor lambdas
	need       need  // of blanks after the operator before, see spaceFree
	started    bool  // the line has a token that is no indentation or line end
	colons     int32 // outside of brackets, without one at the end of a row
	needRow    int32 // where the token before the last operator ends
	needOffset int32 // its offset
}

// endScan notes the traits that show at the end of a logical line of n tokens, not counting an
// ENDMARKER. prev is the last significant token. row is a row that is still to be checked, or 0.
//
// A last line of blanks, before 3.12, is a logical line without text, of the ENDMARKER
// and of the DEDENTs before it. None of them has a physical line, so none is indented.
// It has rows above where a backslash stands alone, whose NEWLINE ends nothing:
//
//	x = 1
//	\
//
//	<blanks, and the end of the text>
func (c *Checker) endScan(prev *tokenizer.Token, n int, ended bool) (int, bool, bool) {
	if !ended && n < len(c.tokens) {
		end := &c.tokens[n]
		if row := c.state.row; row != 0 && row != end.Row {
			c.physicalLines(n - 1)
		}
		if !c.state.started {
			c.state.started = true
			c.first, c.firstEnd, c.firstRow, c.indentLevel = end.Start, end.End, int(end.Row), 0
		}
		n++
	}
	c.tokens = c.tokens[:n]
	if !c.state.started {
		return n, ended, false
	}
	if c.tokens[n-1].Row != c.tokens[0].Row {
		c.traits |= manyRows
	}
	if !ended || len(c.lineEnds) > 0 {
		c.traits |= newRows
	}
	if c.head != nil {
		if prev == &beforeLine { // nothing but ERRORTOKENs
			prev = c.head
		}
		c.summarize(prev)
		if colons := c.state.colons; colons > 1 || colons == 1 && (c.line&endsWithColon == 0 || c.isBeforeNewline(prev)) {
			c.traits |= innerColon
		}
	}
	return n, ended, true
}

// lineEnd checks the row that the NEWLINE or NL at an index ends.
func (c *Checker) lineEnd(i int) {
	if t := &c.tokens[i]; t.Start == t.End {
		c.physicalLines(i)
		c.traits |= newRows
	} else {
		c.physicalLine(int(t.Row), false)
	}
}

// isPlainRow reports whether physicalLine has nothing to say about a row whose newline
// is at an offset: it is short, not the last, and without tabs or blanks at its end.
func (c *Checker) isPlainRow(row int, newline int32) bool {
	return row < c.file.Lines() && newline-c.file.LineStart(row) <= c.plainLength && (newline == 0 || isNonBlank(c.text[newline-1]))
}

// isNonBlank reports whether a byte before a newline is not a blank. The newline of an empty row
// has the newline of the row above before it, which is not one.
func isNonBlank(b byte) bool { return b > ' ' || b == '\n' }

// isTight reports whether the token t has no blank and no backslash after it. A newline
// may follow.
func (c *Checker) isTight(t *tokenizer.Token) bool {
	end := int(t.End)
	return end < len(c.text) && c.text[end] > ' ' && c.text[end] != '\\'
}

// comment notes the line's comment t.
func (c *Checker) comment(t *tokenizer.Token) {
	c.traits |= hasComment
	if !c.state.started {
		c.begin(t)
	}
	if c.text[t.End-1] == '\\' {
		c.traits |= hasContinuation
	}
}

// wideGap notes a gap between two tokens that is not one blank, and reports whether
// the logical line has a blank there.
func (c *Checker) wideGap(prev, t *tokenizer.Token) bool {
	if !c.sameRow(prev, t) {
		return c.joinsWithBlank(prev, t)
	}
	if t.Start-prev.End > 1 || c.text[prev.End] == '\t' {
		c.traits |= wideGap
	}
	return true
}

// isBeforeNewline reports whether the row ends right after the token t.
func (c *Checker) isBeforeNewline(t *tokenizer.Token) bool {
	return int(t.End) < len(c.text) && c.text[t.End] == '\n'
}

// mayBeGeneric reports whether a statement that begins with tokens may declare type
// parameters, where an = needs blanks though it stands in brackets:
//
//	async def f[T = int](): pass
func mayBeGeneric(tokens []tokenizer.Token) bool {
	switch tokens[0].Keyword {
	case tokenizer.Def, tokenizer.Class, tokenizer.Type, tokenizer.Async:
		for _, t := range tokens[1:min(4, len(tokens))] {
			if t.Kind == tokenizer.LSQB {
				return true
			}
		}
	}
	return false
}

// mayHaveDefault reports whether tokens have an = that may need blanks, as it has an
// annotation or type parameters before it.
//
//	def f(x: int = 1): pass        type X[T = int] = T
func mayHaveDefault(tokens []tokenizer.Token) bool {
	seen := false
	for i := range tokens {
		switch tokens[i].Kind {
		case tokenizer.COLON, tokenizer.LSQB:
			seen = true
		case tokenizer.EQUAL:
			if seen {
				return true
			}
		}
	}
	return false
}

// stack returns the brackets, f-strings and lambdas that are open before the token at
// index i. Few lines need it for any token, so it is not kept up to date.
func (c *Checker) stack(i int) []byte {
	s := &c.state
	if s.stacked == 0 {
		c.brackets = c.brackets[:0]
	}
	for ; int(s.stacked) < i; s.stacked++ {
		switch t := &c.tokens[s.stacked]; t.Kind {
		case tokenizer.LPAR, tokenizer.LSQB, tokenizer.LBRACE:
			s.depth++
			c.brackets = append(c.brackets, c.text[t.Start])
		case tokenizer.RPAR, tokenizer.RSQB, tokenizer.RBRACE:
			s.depth--
			c.popBracket()
		case tokenizer.NAME:
			if t.Keyword == tokenizer.Lambda {
				c.brackets = append(c.brackets, inLambda)
			}
		case tokenizer.COLON:
			if n := len(c.brackets); n > 0 && c.brackets[n-1] == inLambda {
				c.popBracket()
			}
		case tokenizer.FSTRING_START:
			c.brackets = append(c.brackets, inFString)
		case tokenizer.TSTRING_START:
			c.brackets = append(c.brackets, inTString)
		case tokenizer.FSTRING_END, tokenizer.TSTRING_END:
			c.popBracket()
		}
	}
	return c.brackets
}

// depth returns how many brackets are open before the token at index i.
func (c *Checker) depth(i int) int32 {
	c.stack(i)
	return c.state.depth
}

// popBracket takes the innermost bracket off the stack.
func (c *Checker) popBracket() {
	if n := len(c.brackets); n > 0 {
		c.brackets = c.brackets[:n-1]
	}
}

// stringPart notes the string or its part at an index. It returns true if what may be
// checked of the row has been.
func (c *Checker) stringPart(i int) (checked bool) {
	t := &c.tokens[i]
	if t.Flags&tokenizer.Backslash != 0 {
		c.traits |= hasBackslash
	}
	switch t.Kind {
	case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
	case tokenizer.FSTRING_END, tokenizer.TSTRING_END:
		if i+1 < len(c.tokens) && c.tokens[i+1].Row != t.Row {
			c.traits |= hasContinuation | newRows
		}
	default:
		if t.Flags&tokenizer.Multiline == 0 {
			return false
		}
		if len(c.stack(i)) > 0 {
			c.traits |= hasContinuation
		}
		if t.Kind != tokenizer.STRING {
			if i > 0 {
				if prev := &c.tokens[i-1]; !mayEndRow[prev.Kind] && prev.Flags&tokenizer.Multiline == 0 && prev.Row == t.Row {
					c.physicalLines(i - 1)
				}
			}
			c.lineEnds = append(c.lineEnds, int32(i))
		}
	}
	c.physicalLines(i)
	return true
}

// operator notes which blanks the operator at index i needs, whose traits are op. It
// returns what must follow it.
func (c *Checker) operator(prev *tokenizer.Token, i int, op uint8) need {
	t := &c.tokens[i]
	adjacent := t.Start == prev.End
	switch {
	case t.Kind == tokenizer.EQUAL && takesPlainEqual(c.stack(i)):
	case t.Kind == tokenizer.NOTEQUAL && c.text[t.Start] == '<': // pycodestyle does not know <>
	case op&opNeedsSpace != 0:
		if !adjacent {
			return spaceNeeded
		}
		c.keep(rule.E225, c.endRow(prev), prev.End, prev.End)
	case op&opUnary == 0 || c.isOperand(prev):
		c.state.needRow, c.state.needOffset = int32(c.endRow(prev)), prev.End
		if adjacent {
			return spaceUnwanted
		}
		return spaceWanted
	}
	return spaceFree
}

// afterOperator judges the blanks around the operator prev by the token after it.
func (c *Checker) afterOperator(prev, t *tokenizer.Token, need need) need {
	row, offset := int(c.state.needRow), c.state.needOffset
	switch {
	case t.Start != prev.End:
		if need == spaceUnwanted {
			c.keep(rule.E225, row, offset, offset)
		}
	case prev.Kind == tokenizer.SLASH && (t.Kind == tokenizer.COMMA || t.Kind == tokenizer.RPAR || t.Kind == tokenizer.COLON),
		prev.Kind == tokenizer.RPAR && t.Kind == tokenizer.COLON:
		return need // def f(a, /): the slash is no operator
	case need != spaceUnwanted:
		c.keep(rule.E225, c.endRow(prev), prev.End, prev.End)
	case prev.Kind != tokenizer.DOUBLESTAR:
		code := rule.E227
		switch {
		case prev.Kind == tokenizer.PERCENT:
			code = rule.E228
		case operatorTraits[prev.Kind]&opArithmetic != 0:
			code = rule.E226
		}
		c.keep(code, row, offset, offset)
	}
	return spaceFree
}

// begin notes where the logical line begins: at t, be it a comment.
func (c *Checker) begin(t *tokenizer.Token) {
	c.state.started = true
	c.first, c.firstEnd = t.Start, t.End
	c.firstRow = int(t.Row)
	start := c.file.LineStart(c.firstRow)
	c.indentLevel = int(t.Start - start)
	if c.indentLevel > 0 && c.file.Tabs {
		c.indentLevel = expandTabs(c.text[start:t.Start])
	}
}

// significantTokens returns the indexes of the tokens that make up the text of the
// logical line. Most lines do without.
func (c *Checker) significantTokens() []int32 {
	if len(c.significant) == 0 {
		for i := range c.tokens {
			if isSignificant(&c.tokens[i]) {
				c.significant = append(c.significant, int32(i))
			}
		}
	}
	return c.significant
}

// isSignificant reports whether the token is part of a logical line's text.
func isSignificant(t *tokenizer.Token) bool {
	return t.Kind-tokenizer.NEWLINE > tokenizer.COMMENT-tokenizer.NEWLINE && t.Kind != tokenizer.ENDMARKER
}

// A kept finding waits for the turn of its rule. A line may have a waiting finding for each byte,
// so it takes 16 bytes; a Finding takes 64.
type kept struct {
	row, start, end int32
	code            rule.Code
}

// keep keeps a finding of scan for the turn of its rule.
func (c *Checker) keep(code rule.Code, row int, start, end int32) {
	if c.enabled.Has(code) {
		c.scanned = append(c.scanned, kept{int32(row), start, end, code})
	}
}

// missingWhitespace, missingWhitespaceAfterKeyword and whitespaceBeforeParameters
// report what scan has found.
func (c *Checker) missingWhitespace()             { c.release(rule.E225, rule.E231) }
func (c *Checker) missingWhitespaceAfterKeyword() { c.release(rule.E275, rule.E275) }
func (c *Checker) whitespaceBeforeParameters()    { c.release(rule.E211, rule.E211) }

// release reports those findings of scan whose codes lie between first and last.
func (c *Checker) release(first, last rule.Code) {
	for i := range c.scanned {
		k := &c.scanned[i]
		if k.code < first || last < k.code {
			continue
		}
		text := ""
		switch k.code {
		case rule.E231: // about the operator itself
			text = c.text[k.start:k.end]
		case rule.E211: // about what is in front of the bracket
			text = c.text[k.end : k.end+1]
		}
		c.textAt(k.code, int(k.row), k.start, k.end, text)
	}
}

// summarize notes the facts about this line that later lines need, and the traits that show
// at its beginning. last is its last significant token.
func (c *Checker) summarize(last *tokenizer.Token) {
	traits, line := hasText, hasCode
	if last.Kind == tokenizer.COLON {
		line |= endsWithColon
		traits |= newRows
	}
	if c.indentLevel == 0 {
		traits |= atTopLevel
	}
	switch first := c.head; first.Kind {
	case tokenizer.AT:
		line |= isDecoration | beginsDefinition
		traits |= isDecorator
	case tokenizer.STRING:
		if isDocstringQuote(first.Text(c.text)) {
			line |= isDocstring
		}
	case tokenizer.NAME:
		switch first.Keyword {
		case tokenizer.Def, tokenizer.Class:
			line |= beginsDefinition
		case tokenizer.Async:
			if next := c.second(); next != nil && next.Keyword == tokenizer.Def {
				line |= beginsDefinition
			}
		case tokenizer.Import:
			traits |= beginsImport
		case tokenizer.Except:
			traits |= beginsExcept
		}
	}
	c.line = line
	c.traits |= traits
	if (line&beginsDefinition != 0 || c.traits&brokenName != 0 || c.head.Keyword == tokenizer.Type || c.head.Keyword == tokenizer.Async) &&
		mayHaveDefault(c.tokens) {
		c.traits |= equalInBrackets
	}
}

// isDocstringQuote reports whether u?r?["'] matches at the string's beginning.
func isDocstringQuote(s string) bool {
	if s != "" && s[0] == 'u' {
		s = s[1:]
	}
	if s != "" && s[0] == 'r' {
		s = s[1:]
	}
	return s != "" && (s[0] == '"' || s[0] == '\'')
}

func (c *Checker) sameRow(prev, t *tokenizer.Token) bool {
	return prev.Row == t.Row || prev.Flags&tokenizer.Multiline != 0 && c.endRow(prev) == int(t.Row)
}

// joinsWithBlank reports whether a blank stands in the logical line between
// tokens of different rows.
func (c *Checker) joinsWithBlank(prev, t *tokenizer.Token) bool {
	return prev.Kind == tokenizer.COMMA || !prev.Kind.IsOpener() && !t.Kind.IsCloser() && t.Start != t.End
}

// isMiddle reports whether the token is literal text of an f- or t-string.
func isMiddle(t *tokenizer.Token) bool {
	return t.Kind == tokenizer.FSTRING_MIDDLE || t.Kind == tokenizer.TSTRING_MIDDLE
}

// takesPlainEqual reports whether an = within the brackets of stack needs no
// blanks: f(x=1), lambda x=1: x, f'{x=}'.
func takesPlainEqual(stack []byte) bool {
	n := len(stack)
	if n == 0 {
		return false
	}
	return stack[n-1] == inLambda || stack[n-1] == '(' || inField(stack)
}

// inField reports whether the innermost bracket is a replacement field's brace.
func inField(stack []byte) bool {
	n := len(stack)
	return n > 1 && stack[n-1] == '{' && (stack[n-2] == inFString || stack[n-2] == inTString)
}

// isOperand reports whether an operator after the token is a binary one.
func (c *Checker) isOperand(t *tokenizer.Token) bool {
	if t.Kind.IsOp() {
		return t.Kind.IsCloser()
	}
	if t.Kind != tokenizer.NAME {
		return true
	}
	switch t.Keyword {
	case tokenizer.NotKeyword:
		return t.Text(c.text) != "print"
	case tokenizer.True, tokenizer.False, tokenizer.None:
		return true
	}
	return !t.Keyword.IsHard() && !t.Keyword.IsSoft(c.options.Target.Features())
}

// blankAfterSeparator reports E231 for the comma, semicolon or colon at index i.
//
//	f(x,y)    a[1:2] and (x,) are let through, f'{x:>3}' too
func (c *Checker) blankAfterSeparator(i int) {
	t := &c.tokens[i]
	stack := c.stack(i + 1)
	if int(t.End) >= len(c.text) {
		return
	}
	next := c.text[t.End]
	switch next {
	case ' ', '\t', '\n', '\r':
		return
	}
	switch t.Kind {
	case tokenizer.COLON:
		if len(stack) > 0 && stack[len(stack)-1] == '[' || inField(stack) {
			return
		}
	case tokenizer.COMMA:
		if next == ')' || next == ']' {
			return
		}
	}
	c.keep(rule.E231, int(t.Row), t.Start, t.End)
}

// blankAfterKeyword reports E275 for a keyword with something else than a blank
// after it.
func (c *Checker) blankAfterKeyword(t *tokenizer.Token, rest []tokenizer.Token) {
	if len(rest) == 0 || rest[0].Start != t.End {
		return
	}
	next := &rest[0]
	switch {
	case next.Kind == tokenizer.COLON, next.Start == next.End,
		next.Kind == tokenizer.NEWLINE && c.text[next.Start] == '\n', next.Kind == tokenizer.NL && c.text[next.Start] == '\n', // not "\r\n"
		t.Keyword == tokenizer.Except && next.Kind == tokenizer.STAR,
		t.Keyword == tokenizer.Yield && next.Kind == tokenizer.RPAR,
		t.Keyword == tokenizer.True, t.Keyword == tokenizer.False, t.Keyword == tokenizer.None:
		return
	}
	c.keep(rule.E275, c.endRow(t), t.End, t.End)
}

// blankBeforeBracket reports E211 for the opening parenthesis or square bracket at index i
// of the line's tokens, unless a blank is allowed after the token before it.
//
//	print (x)    return (x) and class A (B) are let through
//
// The token before it may be a DEDENT. pycodestyle takes a DEDENT for a closing bracket, as it has
// no text. Before 3.12 there can be rows between the two:
//
//	    y
//	\
//	(x)
func (c *Checker) blankBeforeBracket(t *tokenizer.Token, i int) {
	prev := &c.tokens[i-1]
	if prev.End == t.Start {
		return
	}
	switch prev.Kind {
	case tokenizer.NAME:
		if prev.Keyword.IsHard() || prev.Keyword != tokenizer.Type && prev.Keyword.IsSoft(c.options.Target.Features()) {
			return
		}
	case tokenizer.RPAR, tokenizer.RSQB, tokenizer.RBRACE, tokenizer.DEDENT:
	default:
		return
	}
	if i >= 2 && c.tokens[i-2].Text(c.text) == "class" {
		return
	}
	c.keep(rule.E211, c.endRow(prev), prev.End, t.Start)
}
