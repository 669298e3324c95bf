// Package pep8 holds the E and W rules: what pycodestyle reports when flake8
// drives it.
//
//	var checker pep8.Checker
//	options := pep8.Options{MaxLineLength: 79, MaxDocLength: pep8.NoLimit, IndentSize: 4}
//	findings := checker.Check(&file, tokens, options, &enabled, nil)
//
// # Physical and logical lines
//
// The rules look at two kinds of line. A physical line is a row of the file. A
// logical line is a statement, or a comment that stands alone: the tokens from
// one NEWLINE to the next, comments dropped, strings muted to "xxx", the rows
// joined by single blanks.
//
//	total = (price +  # per piece
//	         tax)              is the logical line    total = (price + tax)
//
// pycodestyle runs some twenty functions with a dozen regular expressions over each logical
// line. Nearly all of them need a line with a simple trait: E711 needs a comparison with
// None, E241 two blanks in a row. So one scan of the line's tokens collects its traits
// (scan.go) and runs the rules that every line needs. A family of rules runs only on lines
// with the traits that it lists (families, below). The text of a logical line is made only
// for the few rules that match text; all others look at tokens and the gaps between them.
//
// # Columns
//
// Inside, positions are byte offsets. pycodestyle's columns count characters; an offset becomes a
// column when a finding is made.
package pep8

import (
	"math"
	"math/bits"

	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// Options are the settings of pycodestyle's rules, under flake8's names.
type Options struct {
	MaxLineLength int  // in characters, for E501
	MaxDocLength  int  // in characters, for W505; NoLimit turns it off
	IndentSize    int  // in columns
	HangClosing   bool // E133 in place of E123

	Release rule.Release   // the flake8 whose pycodestyle to follow; zero means the default
	Target  source.Version // the CPython to follow; zero means the default

	// Repeatable says that Recheck will be asked about a text that edits make of this one.
	Repeatable bool

	// Full, if set, is called as soon as there are Room findings. Those that were passed
	// to Check count too. Full gets all findings and returns those to keep.
	Full func([]rule.Finding) []rule.Finding
	Room int
}

// NoLimit is a MaxDocLength that allows lines of any length.
const NoLimit = math.MinInt32

// A trait is a property of a logical line that some rules depend on.
type trait uint32

const (
	manyRows        trait = 1 << iota // it spans physical lines
	hasText                           // it is more than a comment
	hasComment                        // it has a comment
	wideGap                           // two blanks or a tab between tokens
	bracketBlank                      // a blank after an opener or before a closer, comma, colon or semicolon
	innerColon                        // a colon outside of brackets with code after it
	hasSemicolon                      // x; y
	brokenName                        // a name that is not one word, see nextWord
	equalInBrackets                   // f(x = 1), or any in a definition
	hasEquality                       // == or !=
	hasSingleton                      // None, True or False
	hasType                           // type
	hasNot                            // not
	hasInOrIs                         // in or is
	ambiguousName                     // l, O or I
	hasBackslash                      // a string with a backslash
	scanFindings                      // scan found something
	hasContinuation                   // a backslash within brackets may end one of its rows
	newRows                           // a row may begin in it outside of strings, or the next be indented for its colon
	atTopLevel                        // it has text and is not indented
	isDecorator                       // @spam
	beginsImport                      // import spam
	beginsExcept                      // except spam:
	unusualBlanks                     // blank lines above it, or of a kind that wants some
	unusualIndent                     // it may be indented by an unusual amount
)

// A family is a set of rules that share a scan.
type family struct {
	codes []rule.Code
	needs trait // a line without all of these cannot violate the rules
	run   func(*Checker)
}

// families lists the rules over logical lines in the order in which flake8 runs
// them, which is the order of findings at one place. Those that every line needs
// are part of (*Checker).scan; their findings wait for their turn here.
var families = [...]family{
	{[]rule.Code{rule.E741, rule.E742, rule.E743}, ambiguousName, (*Checker).ambiguousIdentifiers},
	{[]rule.Code{rule.E722}, beginsExcept, (*Checker).bareExcept},
	{[]rule.Code{rule.E301, rule.E302, rule.E303, rule.E304, rule.E305, rule.E306}, unusualBlanks, (*Checker).checkBlankLines},
	{[]rule.Code{rule.W504}, manyRows | hasText, (*Checker).breakAfterOperator},
	{[]rule.Code{rule.W503}, manyRows | hasText, (*Checker).breakBeforeOperator},
	{[]rule.Code{rule.E713, rule.E714}, hasNot | hasInOrIs, (*Checker).negatedComparisons},
	{[]rule.Code{rule.E711, rule.E712}, hasEquality | hasSingleton, (*Checker).singletonComparisons},
	{[]rule.Code{rule.E721}, hasEquality | hasType, (*Checker).typeComparisons},
	{[]rule.Code{rule.E701, rule.E704, rule.E731}, innerColon, (*Checker).colonStatements},
	{[]rule.Code{rule.E702, rule.E703}, hasSemicolon, (*Checker).semicolons},
	{continuationCodes, manyRows | newRows, (*Checker).continuedIndentation},
	{[]rule.Code{rule.E502}, manyRows | hasContinuation, (*Checker).redundantBackslashes},
	{[]rule.Code{rule.E201, rule.E202, rule.E203}, bracketBlank, (*Checker).extraneousWhitespace},
	{[]rule.Code{rule.E204}, isDecorator, (*Checker).whitespaceAfterDecorator},
	{[]rule.Code{rule.E401}, beginsImport, (*Checker).importsOnOneLine},
	{[]rule.Code{rule.E111, rule.E112, rule.E113, rule.E114, rule.E115, rule.E116, rule.E117}, unusualIndent, (*Checker).indentation},
	{[]rule.Code{rule.W505}, 0, (*Checker).docLineLength},
	{[]rule.Code{rule.E225, rule.E226, rule.E227, rule.E228, rule.E231}, scanFindings, (*Checker).missingWhitespace},
	{[]rule.Code{rule.E275}, scanFindings, (*Checker).missingWhitespaceAfterKeyword},
	{[]rule.Code{rule.E402}, atTopLevel, (*Checker).importsBelowCode},
	{[]rule.Code{rule.W605}, hasBackslash, (*Checker).invalidEscapes},
	{[]rule.Code{rule.E241, rule.E242}, wideGap, (*Checker).whitespaceAfterComma},
	{[]rule.Code{rule.E271, rule.E272, rule.E273, rule.E274}, wideGap, (*Checker).whitespaceAroundKeywords},
	{[]rule.Code{rule.E251, rule.E252}, equalInBrackets, (*Checker).namedParameterEquals},
	{[]rule.Code{rule.E221, rule.E222, rule.E223, rule.E224}, wideGap, (*Checker).whitespaceAroundOperators},
	{[]rule.Code{rule.E261, rule.E262, rule.E265, rule.E266}, hasComment, (*Checker).whitespaceBeforeComments},
	{[]rule.Code{rule.E211}, scanFindings, (*Checker).whitespaceBeforeParameters},
}

// A plan is which of the active families run on lines with some traits. Few
// combinations of traits occur, so plans are made once and then looked up, which
// took lint of CPython's Lib from 168 to 163 instructions a byte.
type plan struct {
	made   bool
	traits trait
	run    uint32 // a bit for each of Checker.active
}

// planFor returns the families to run on a line with the traits.
func (c *Checker) planFor(traits trait) uint32 {
	p := &c.plans[uint32(traits)*0x9e3779b1>>24]
	if !p.made || p.traits != traits {
		*p = plan{made: true, traits: traits}
		for i, f := range c.active {
			if traits&f.needs == f.needs {
				p.run |= 1 << i
			}
		}
	}
	return p.run
}

// A Checker checks one file after the other and reuses its memory. The zero Checker is
// ready for use. It is not safe for concurrent use.
type Checker struct {
	file     *source.File
	text     string
	options  Options
	enabled  *rule.Set
	findings []rule.Finding
	room     int       // findings to have before options.Full is asked
	active   []*family // those with an enabled code of activeFor
	plans    [256]plan // families to run by traits, see plan

	activeFor  rule.Set // the rules for which active and plans were made
	activeDocs bool     // and whether that has W505

	// The file so far.
	careful          bool  // brackets may not match, or a line end within them not be an NL
	plainLength      int32 // in bytes, of the longest rows that isPlainRow may let pass
	indentChar       byte  // the first blank that begins a row, 0 if none does
	indentRow        int   // its row
	fstringRow       int   // row of the last FSTRING_START
	tstringRow       int   // row of the last TSTRING_START
	blankLines       int   // directly before the logical line
	blankBefore      int   // before it and the comments above it
	previous         summary
	previousIndent   int  // indent level of previous
	wholeLevel       int  // an indent level that is a multiple of the indent size
	unindentedDef    bool // the last unindented logical line begins with def or class
	seenDocstring    bool // for E402
	seenNonImport    bool // for E402
	nextDefinition   span // for E30x, see isOneLineDefinition
	nextFilled       span
	ancestors        []ancestor // for E301 and E306, see definitionAround
	ancestorsThrough int

	// The logical line.
	all         []tokenizer.Token // of the file
	begins      int               // index in all of the logical line's first token, or of the next one's
	markers     int               // ENDMARKERs at the end of all
	tokens      []tokenizer.Token
	head        *tokenizer.Token // the first that is part of its text, or nil
	significant []int32          // indexes of all those, once somebody asked, see significantTokens
	lineEnds    []int32          // indexes of line ends and of literal text with line ends
	first       int32            // offset of its first token, comments included
	firstEnd    int32            // offset of that token's end
	firstRow    int
	lastRow     int // the last row that the tokenizer has read
	indentLevel int
	traits      trait
	line        summary
	logical     logicalText
	state       scanState
	scanned     []kept // the findings of scan
	brackets    []byte // scan's stack

	continuation continuation
	moves        *moves  // of Realign, else nil
	places       []place // see Options.Repeatable
	reach        int32   // of the line, see place
}

// A summary holds the facts about a logical line that later lines need.
type summary uint8

const (
	hasCode          summary = 1 << iota // there is one, and it is more than a comment
	isDecoration                         // begins with @
	isDocstring                          // begins with a plain string
	endsWithColon                        //
	beginsDefinition                     // begins with async def, def, class or @
)

// Check appends the findings of the enabled rules to findings, in the order in which flake8
// reports them. tokens are all tokens of a non-strict stream over file's text. Python must
// be able to parse the file; otherwise nothing breaks, but the findings mean little.
func (c *Checker) Check(file *source.File, tokens []tokenizer.Token, o Options, enabled *rule.Set, findings []rule.Finding) []rule.Finding {
	c.reset(file, o, enabled, findings)
	c.setTokens(tokens)
	for c.begins < len(c.all) {
		c.checkNext()
	}
	return c.finish()
}

// setTokens sets the tokens to check.
func (c *Checker) setTokens(tokens []tokenizer.Token) {
	rows := c.file.Lines()
	for len(tokens) > 0 && int(tokens[len(tokens)-1].Row) > rows {
		tokens = tokens[:len(tokens)-1]
	}
	c.all = tokens
	// Before 3.12 the ENDMARKER stands in a last line of blanks: a logical line
	// without text, see endScan.
	c.markers = 0
	if end := len(tokens); end > 0 && tokens[end-1].Kind == tokenizer.ENDMARKER {
		c.markers = 1
	}
	c.begins = 0
}

// checkNext checks the next logical line, or a blank row.
func (c *Checker) checkNext() {
	rest := c.all[c.begins:]
	if t := &rest[0]; t.Kind == tokenizer.NL {
		if !c.isPlainRow(int(t.Row), t.Start) {
			c.physicalLines(0)
		}
		c.blankLines++
		c.begins++
		return
	}
	n, ended, found := c.scan(rest, len(rest)-c.markers)
	c.begins += n
	last := &rest[n-1]
	row := c.file.Lines()
	if ended {
		row = int(last.Row)
	} else {
		c.physicalLine(row, false)
	}
	if found {
		c.logicalLine(row)
	}
	if last.Kind == tokenizer.NEWLINE {
		c.blankBefore = 0
	}
	if c.options.Repeatable {
		c.places = append(c.places, c.place())
		c.reach = 0
	}
}

// finish returns the findings, and lets go of the text.
func (c *Checker) finish() []rule.Finding {
	findings := c.findings
	c.file, c.text, c.enabled, c.findings, c.all, c.tokens, c.head = nil, "", nil, nil, nil, nil, nil
	return findings
}

func (c *Checker) reset(file *source.File, o Options, enabled *rule.Set, findings []rule.Finding) {
	c.file, c.text, c.options, c.enabled, c.findings = file, file.Text, o, enabled, findings
	c.room = math.MaxInt
	if o.Full != nil {
		c.room = o.Room
	}
	if docs := o.MaxDocLength != NoLimit; c.active == nil || c.activeFor != *enabled || c.activeDocs != docs {
		c.activeFor, c.activeDocs = *enabled, docs
		c.active = c.active[:0]
		for i := range families {
			if f := &families[i]; enabled.Any(f.codes...) && (f.codes[0] != rule.W505 || docs) {
				c.active = append(c.active, f)
			}
		}
		c.plans = [256]plan{}
	}
	c.indentChar, c.indentRow = 0, 0
	c.fstringRow, c.tstringRow = 0, 0
	c.blankLines, c.blankBefore = 0, 0
	c.previous, c.previousIndent, c.unindentedDef = 0, 0, false
	c.seenDocstring, c.seenNonImport = false, false
	c.nextDefinition, c.nextFilled = span{}, span{}
	c.ancestors, c.ancestorsThrough = c.ancestors[:0], 0
	c.indentLevel, c.wholeLevel = 0, 0
	c.places, c.reach = c.places[:0], 0
	c.careful = file.CarriageReturns || !o.Target.Features().PEP701
	c.plainLength = -1
	if !file.Tabs && !file.CarriageReturns {
		c.plainLength = int32(min(max(o.MaxLineLength, -1), math.MaxInt32))
	}
	for row := 1; row <= file.Lines() && c.text != ""; row++ {
		if b := c.text[file.LineStart(row)]; b == ' ' || b == '\t' {
			c.indentChar, c.indentRow = b, row
			break
		}
	}
}

// logicalLine checks the logical line that scan has read. row is the last row that
// the tokenizer has read.
func (c *Checker) logicalLine(row int) {
	c.lastRow = row
	c.logical.made = false
	traits, line := c.traits, c.line
	if len(c.scanned) > 0 {
		traits |= scanFindings
	}
	if c.blankLines > c.blankBefore {
		c.blankBefore = c.blankLines
	}
	if c.indentLevel == 0 && c.unindentedDef || c.blankLines > 1 || line&beginsDefinition|c.previous&isDecoration != 0 {
		traits |= unusualBlanks
	}
	if c.indentLevel != c.wholeLevel {
		if c.isWholeIndent() {
			c.wholeLevel = c.indentLevel
		} else {
			traits |= unusualIndent
		}
	}
	least, most := math.MinInt, 0 // what it may be indented more than the line above
	if c.previous&endsWithColon != 0 {
		least, most = 1, minOverIndent
	}
	if more := c.indentLevel - c.previousIndent; more < least || more > most {
		traits |= unusualIndent
	}
	c.traits = traits
	for run := c.planFor(traits); run != 0; run &= run - 1 {
		c.active[bits.TrailingZeros32(run)].run(c)
	}
	if line&hasCode != 0 {
		c.previous = line
		c.previousIndent = c.indentLevel
		if c.indentLevel == 0 {
			c.unindentedDef = line&beginsDefinition != 0 && (c.beginsWith(tokenizer.Def) || c.beginsWith(tokenizer.Class))
		}
	}
	c.blankLines = 0
}

// isWholeIndent reports whether the logical line is indented by a multiple of the indent
// size. That is nearly always 4 or another power of two, which needs no division.
func (c *Checker) isWholeIndent() bool {
	size := c.options.IndentSize
	if size&(size-1) == 0 {
		return size == 0 || c.indentLevel&(size-1) == 0
	}
	return c.indentLevel%size == 0
}

// tabIndented reports whether the file's first indentation, as far as it has been
// read, is a tab.
func (c *Checker) tabIndented() bool { return c.indentChar == '\t' && c.indentRow <= c.lastRow }

func (c *Checker) endRow(t *tokenizer.Token) int {
	if t.Flags&tokenizer.Multiline == 0 {
		return int(t.Row)
	}
	return c.file.Row(t.End)
}

// physical returns the text of the physical lines that hold the token.
func (c *Checker) physical(t *tokenizer.Token) string {
	return c.text[c.file.LineStart(int(t.Row)):c.file.LineStart(c.endRow(t)+1)]
}

// at reports a finding about the text from start, which lies in row, to end.
func (c *Checker) at(code rule.Code, row int, start, end int32) {
	c.textAt(code, row, start, end, "")
}

// textAt is at with a text for the message.
func (c *Checker) textAt(code rule.Code, row int, start, end int32, text string) {
	if c.enabled.Has(code) {
		c.add(rule.Finding{Code: code, Start: start, End: end}.With(rule.Values{Text: text}), row, c.file.Column(row, start))
	}
}

// atToken reports a finding about the token.
func (c *Checker) atToken(code rule.Code, t *tokenizer.Token) { c.at(code, int(t.Row), t.Start, t.End) }

// afterToken reports a finding about the text from the token's end to an offset.
func (c *Checker) afterToken(code rule.Code, t *tokenizer.Token, end int32) {
	c.at(code, c.endRow(t), t.End, end)
}

// atFirst reports a finding about the logical line's first token, be it a
// comment.
func (c *Checker) atFirst(f rule.Finding) { c.fromFirst(f, c.firstEnd) }

// atLine reports a finding about all of the logical line.
func (c *Checker) atLine(f rule.Finding) {
	c.fromFirst(f, c.significantToken(len(c.significantTokens())-1).End)
}

// fromFirst reports a finding about the text from the logical line's first token
// to end.
func (c *Checker) fromFirst(f rule.Finding, end int32) {
	if c.enabled.Has(f.Code) {
		f.Start, f.End = c.first, end
		c.add(f, c.firstRow, c.file.Column(c.firstRow, c.first))
	}
}

// add puts a finding at row and column, in characters from 0.
func (c *Checker) add(f rule.Finding, row, column int) {
	f.Row, f.Column = int32(row), int32(column)+1
	c.put(&f)
}

// put appends a finding, and makes room for it first.
func (c *Checker) put(f *rule.Finding) {
	if len(c.findings) >= c.room {
		c.findings = c.options.Full(c.findings)
	}
	c.findings = append(c.findings, *f)
}
