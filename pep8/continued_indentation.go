package pep8

import (
	"slices"
	"sort"
	"strings"

	"codelinter/rule"
	"codelinter/tokenizer"
)

// E121 to E133: the indentation of a statement's rows after the first.
//
//	visual indent           hanging indent
//	x = call(a, b,          x = call(
//	         c)                 a, b,
//	                            c)
//
// A bracket with code after it in its row asks for a visual indent: what
// follows lines up with that code. A bracket that ends its row asks for a
// hanging indent: the rows within are indented by one level from the row that
// opened the bracket, and the first sets the measure for the others. Some
// columns are good everywhere: those of strings and comments above (a string may
// go on below its first part), of operators above, and the one after if, assert,
// raise and with.
//
// The check goes over the tokens once and keeps, for each open bracket, the
// column of its visual indent and the width of its hanging indent. It decides at
// the first token of each row, and again at the end, where a line that a colon
// ends must not be indented like the block below it.
//
// pycodestyle compares a row with the rows of all brackets opened at the same depth, the latest
// first. Only the indentation of these rows counts. So here a depth keeps each width once, the
// latest last, where pycodestyle keeps rows. That bounds the work on long tables.

// noHang is the width of a hanging indent that is not known yet.
const noHang = -1 << 30

// level is the state of one bracket depth.
type level struct {
	indent  int   // column of the visual indent, 0 if there is none
	hang    int   // width of the hanging indent, or noHang
	opening []int // indents of the rows that opened brackets here, see above
	first   int   // the first of them ever
}

// hanging returns the width of the hanging indent of a row with that indent, and whether the width
// is good. It is good if it is size or wide, measured from a row that opened a bracket at this
// depth, and the same as in the rows before.
func (l *level) hanging(indent, size, wide int) (hang int, good bool) {
	hang = indent - l.first
	for i := len(l.opening) - 1; i >= 0; i-- {
		if h := indent - l.opening[i]; h == size || h == wide {
			hang, good = h, true
			break
		}
	}
	if l.hang != noHang && l.hang != 0 {
		good = hang == l.hang
	}
	return hang, good
}

// A indentChoice is a column that a row may begin at, and why.
type indentChoice struct {
	column int
	kind   tokenizer.Kind // of the operator in that column, or one of the below
}

const (
	noChoice     tokenizer.Kind = tokenizer.ENDMARKER // no column of a indentChoice
	visualChoice tokenizer.Kind = tokenizer.NAME      // for a visual indent
	stringChoice tokenizer.Kind = tokenizer.STRING    // of a string or comment
)

// continuation is the reused memory of the check.
type continuation struct {
	levels  []level
	depth   int
	opened  []int // brackets that were opened in each row and are still open
	indents []int // of each row, relative to the first
	choices []indentChoice

	size, wide int              // the widths that a hanging indent may have
	indentNext bool             // a colon ends the line
	row        int              // the current one, from 0
	lastIndent int              // column of the current row's first token
	visual     tokenizer.Kind   // the kind of visual indent that the row may have
	last       *tokenizer.Token // of the line
}

func (n *continuation) reset(rows int) {
	n.depth = 0
	n.choices = n.choices[:0]
	n.opened = zeros(n.opened, rows)
	n.indents = zeros(n.indents, rows)
	n.forget(0)
	n.push().open(0)
}

// forget drops the opening rows of the levels from depth on.
func (n *continuation) forget(depth int) {
	for ; depth < len(n.levels) && len(n.levels[depth].opening) > 0; depth++ {
		n.levels[depth].opening = n.levels[depth].opening[:0]
	}
}

func zeros(s []int, n int) []int {
	if cap(s) < n {
		return make([]int, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// push makes the level at n.depth, keeping what it knows of opening rows.
func (n *continuation) push() *level {
	if len(n.levels) == n.depth {
		n.levels = append(n.levels, level{})
	}
	l := &n.levels[n.depth]
	l.indent, l.hang = 0, noHang
	return l
}

// open notes that a bracket was opened in a row of that indent.
func (l *level) open(indent int) {
	if len(l.opening) == 0 {
		l.first = indent
	}
	for i := len(l.opening) - 1; i >= 0; i-- {
		if l.opening[i] == indent {
			l.opening = append(l.opening[:i], l.opening[i+1:]...)
			break
		}
	}
	l.opening = append(l.opening, indent)
}

// find returns the indentChoice of a column.
func (n *continuation) find(column int) tokenizer.Kind {
	if i := n.place(column); i < len(n.choices) && n.choices[i].column == column {
		return n.choices[i].kind
	}
	return noChoice
}

// place returns the index of the first indentChoice at column or after it.
func (n *continuation) place(column int) int {
	if k := len(n.choices); k == 0 || n.choices[k-1].column < column {
		return k
	}
	return sort.Search(len(n.choices), func(i int) bool { return n.choices[i].column >= column })
}

// set makes column a indentChoice; one that is known is replaced only if told so.
func (n *continuation) set(column int, kind tokenizer.Kind, replace bool) {
	i := n.place(column)
	if i < len(n.choices) && n.choices[i].column == column {
		if replace {
			n.choices[i].kind = kind
		}
		return
	}
	n.choices = slices.Insert(n.choices, i, indentChoice{column, kind})
}

// relevantKinds are the kinds of tokens that continuedIndentation looks at wherever they stand:
// brackets, colons, comments and parts of strings. Half of the tokens are none of these.
var relevantKinds = func() (table [256]bool) {
	for kind := range tokenizer.UNKNOWN {
		table[kind] = kind.IsStringPart() || kind == tokenizer.COMMENT || kind == tokenizer.COLON || kind.Nesting() != 0
	}
	return table
}()

// continuedIndentation reports E121 to E133.
func (c *Checker) continuedIndentation() {
	n := &c.continuation
	tokens := c.tokens
	firstRow := int(tokens[0].Row)
	n.last = &tokens[len(tokens)-1]
	n.reset(c.endRow(n.last) - firstRow + 1)
	if c.moves != nil {
		c.moves.reset(len(n.indents))
	}
	n.indentNext = c.line&endsWithColon != 0
	n.size = c.options.IndentSize
	n.wide = n.size
	if c.tabIndented() {
		n.wide = 2 * n.size
	}
	n.row, n.visual = 0, noChoice
	n.lastIndent = c.file.Column(firstRow, tokens[0].Start)
	n.levels[0].indent = n.lastIndent
	likeBlock := n.indentNext && expandIndent(c.physical(n.last)) == c.indentLevel+n.size
	operators := likeBlock || c.beginsRowsWithOperators()
	row, rowStart := tokens[0].Row, c.file.LineStart(firstRow)
	opened := false // a bracket of this row waits for the code after it
	afterMultiline := false
	for i := range tokens {
		t := &tokens[i]
		newRow := t.Row > row
		isOp := t.Kind.IsOp()
		if !newRow && !opened && !relevantKinds[t.Kind] && !(isOp && operators) && (t.Keyword == tokenizer.NotKeyword || n.row > 0 || n.depth > 0) {
			continue
		}
		if newRow {
			opened = false
			row, rowStart = t.Row, c.file.LineStart(int(t.Row))
			n.row = int(row) - firstRow
			newRow = !afterMultiline && t.Kind != tokenizer.NEWLINE && t.Kind != tokenizer.NL
		}
		column := int(t.Start - rowStart)
		if !c.file.ASCII {
			column = c.file.Column(int(row), t.Start)
		}
		if c.moves != nil {
			column += c.moves.by[n.row]
		}
		if newRow {
			column = c.beginContinuation(t, column)
		}
		switch {
		case opened && t.Kind != tokenizer.NL && t.Kind != tokenizer.COMMENT:
			n.levels[n.depth].indent = column
			n.set(column, visualChoice, true)
			opened = false
		case !isOp || t.Kind == tokenizer.COLON:
			c.noteChoices(t, i, column)
		}
		if isOp {
			c.noteOperator(t, column, operators)
			opened = n.levels[n.depth].indent == 0 && n.opened[n.row] > 0
		}
		if afterMultiline = t.Flags&tokenizer.Multiline != 0 && c.endRow(t) != int(t.Row); afterMultiline {
			n.indents[c.endRow(t)-firstRow] = n.indents[n.row]
		}
	}
	if likeBlock {
		code := rule.E125
		if n.visual != noChoice {
			code = rule.E129
		}
		if c.enabled.Has(code) {
			column := n.levels[0].indent + n.size
			start := min(c.file.Offset(int(n.last.Row), column), n.last.Start)
			c.add(rule.Finding{Code: code, Start: start, End: n.last.Start}, int(n.last.Row), column)
		}
	}
}

// beginsRowsWithOperators reports whether a row of the logical line may begin with an operator or
// an opening bracket. Only such a row may line up with one above, so other lines need not note the
// columns of operators.
func (c *Checker) beginsRowsWithOperators() bool {
	if c.traits&hasContinuation != 0 {
		return true // not all of its rows are after one of lineEnds
	}
	for _, end := range c.lineEnds {
		if next := int(end) + 1; next < len(c.tokens) && c.tokens[next].Kind.IsOp() && !c.tokens[next].Kind.IsCloser() {
			return true
		}
	}
	return false
}

// beginContinuation checks the row that begins with t in a column. It returns the column, or that
// to which the row moves.
func (c *Checker) beginContinuation(t *tokenizer.Token, column int) int {
	n := &c.continuation
	l := &n.levels[n.depth]
	n.indents[n.row] = -c.indentLevel
	if n.last.Kind != tokenizer.ENDMARKER || t.Start != n.last.Start { // else it has no line, see endScan
		n.indents[n.row] += expandIndent(c.physical(t))
	}
	if c.moves != nil {
		column, n.visual = c.moveRow(t, l, column)
	} else {
		n.visual = c.checkRow(t, l, column, n.indents[n.row])
	}
	n.lastIndent = column
	return column
}

// noteChoices notes at which columns the next rows may begin because of t, the token at index i.
func (c *Checker) noteChoices(t *tokenizer.Token, i, column int) {
	n := &c.continuation
	switch {
	case t.Kind == tokenizer.STRING, t.Kind == tokenizer.COMMENT,
		t.Kind == tokenizer.FSTRING_START, t.Kind == tokenizer.TSTRING_START:
		n.set(column, stringChoice, true)
	case t.Kind == tokenizer.COLON:
		if c.endsRow(t) {
			n.levels[n.depth].open(n.indents[n.row])
		}
	case n.row == 0 && n.depth == 0 && (c.spells(t, tokenizer.Assert, tokenizer.Raise, tokenizer.With) ||
		c.spells(t, tokenizer.If) && len(n.choices) == 0 && !slices.ContainsFunc(c.tokens[:i], isOp)):
		n.set(c.file.Column(c.endRow(t), t.End)+1, visualChoice, true)
	}
}

func isOp(t tokenizer.Token) bool { return t.Kind.IsOp() }

// noteOperator opens or closes a bracket. If note is set, it also notes the operator's column.
func (c *Checker) noteOperator(t *tokenizer.Token, column int, note bool) {
	n := &c.continuation
	switch {
	case t.Kind.IsOpener():
		n.depth++
		n.push().open(n.indents[n.row])
		n.opened[n.row]++
		if c.moves != nil {
			c.moves.brackets = append(c.moves.brackets, n.row)
		}
	case t.Kind.IsCloser() && n.depth > 0:
		n.choices = n.choices[:n.place(n.closeBracket())]
		if n.depth > 0 {
			n.set(n.levels[n.depth].indent, visualChoice, true)
		}
		if c.moves != nil {
			c.moves.brackets = c.moves.brackets[:n.depth]
		}
	}
	if note && t.Row < n.last.Row { // nothing lines up with the last row
		n.set(column, t.Kind, false)
	}
}

// checkRow checks the row that begins with t, at the bracket depth of l. indent is the row's
// indentation relative to the logical line's first row. It returns the kind of visual indent
// that the row may have.
func (c *Checker) checkRow(t *tokenizer.Token, l *level, column, indent int) tokenizer.Kind {
	n := &c.continuation
	closer := t.Kind.IsCloser()

	hang, hanging := l.hanging(indent, n.size, n.wide)
	visual := noChoice
	if !closer && hang > 0 {
		visual = n.find(column)
	}
	switch {
	case closer && l.indent != 0:
		if column != l.indent {
			c.atToken(rule.E124, t)
		}
	case closer && hang == 0:
		if c.options.HangClosing {
			c.atToken(rule.E133, t)
		}
	case l.indent != 0 && column < l.indent:
		if visual != visualChoice {
			c.atToken(rule.E128, t)
		}
	case hanging || n.indentNext && indent == 2*n.size:
		if closer && !c.options.HangClosing {
			c.atToken(rule.E123, t)
		}
		l.hang = hang
	case visual == visualChoice:
		l.indent = column
	case visual == stringChoice, visual != noChoice && visual == t.Kind:
		// lines up with a string or the same operator above
	case hang <= 0:
		c.atToken(rule.E122, t)
	case l.indent != 0:
		c.atToken(rule.E127, t)
	case !closer && l.hang != noHang && l.hang != 0:
		c.atToken(rule.E131, t)
	default:
		l.hang = hang
		if hang > n.size {
			c.atToken(rule.E126, t)
		} else {
			c.atToken(rule.E121, t)
		}
	}
	return visual
}

// closeBracket leaves the innermost bracket's depth, and returns the column that no
// visual indent outside exceeds.
func (n *continuation) closeBracket() int {
	indent := n.levels[n.depth].indent
	if indent == 0 {
		indent = n.lastIndent
	}
	// A token outside must not be indented more than those inside.
	for d := range n.depth {
		if n.levels[d].indent > indent {
			n.levels[d].indent = 0
		}
	}
	n.forget(n.depth + 1)
	n.depth--
	for row := n.row; row >= 0; row-- {
		if n.opened[row] > 0 {
			n.opened[row]--
			break
		}
	}
	return indent
}

// spells reports whether the token reads like one of the keywords.
func (c *Checker) spells(t *tokenizer.Token, keywords ...tokenizer.Keyword) bool {
	keyword := c.wordOf(t)
	return keyword != tokenizer.NotKeyword && slices.Contains(keywords, keyword)
}

// endsRow reports whether only blanks and a newline stand after the token.
func (c *Checker) endsRow(t *tokenizer.Token) bool {
	rest := strings.TrimLeft(c.text[t.End:c.file.LineStart(int(t.Row)+1)], " \t\f\v\r")
	return rest == "\n" || rest == "" && int(t.End) < len(c.text)
}
