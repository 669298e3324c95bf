package diagnose

import (
	_ "embed"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	"codelinter/source"
	"codelinter/tokenizer"
)

//go:embed grammar.txt
var grammarText string

// pythonGrammar returns the grammar of a version. It compiles grammar.txt on the
// first call for that version.
func pythonGrammar(target source.Version) *grammar {
	g := &grammars[target.OrDefault()-source.Python310]
	g.once.Do(func() { g.grammar = compile(grammarText, target.OrDefault()) })
	return g.grammar
}

var grammars [source.Python315 - source.Python310 + 1]struct {
	once    sync.Once
	grammar *grammar
}

// A symbol is a token as the parser distinguishes it: the token's kind, or the hard keyword that a
// NAME spells.
type symbol uint8

const (
	// typeComment is a kind in the grammar that no token has. CPython makes such tokens only for
	// type comments.
	typeComment  = symbol(tokenizer.UNKNOWN) + 1
	firstKeyword = typeComment + 1
)

func symbolOf(token tokenizer.Token) symbol {
	if token.Keyword.IsHard() {
		return firstKeyword + symbol(token.Keyword)
	}
	return symbol(token.Kind)
}

// A symbolSet is a set of symbols. There are fewer than 128.
type symbolSet [2]uint64

func (s *symbolSet) has(x symbol) bool { return s[x>>6&1]>>(x&63)&1 != 0 }
func (s *symbolSet) add(x symbol)      { s[x>>6&1] |= 1 << (x & 63) }
func (s *symbolSet) addAll(o symbolSet) {
	s[0] |= o[0]
	s[1] |= o[1]
}

// An op is the kind of text that an item matches.
type op uint8

const (
	opToken   op = iota // a symbol
	opName              // a NAME, which must make an identifier
	opNumber            // a NUMBER, which must make a number
	opKeyword           // one soft keyword
	opSoft              // any soft keyword
	opRule              // a rule
	opCut               // nothing: forbids the later alternatives
)

// A mode is the use of an item's match.
type mode uint8

const (
	plain    mode = iota
	optional      // no match is fine too
	ahead         // must match, consumes nothing
	notAhead      // must not match, consumes nothing
	forced        // no match is an error
)

// An item is one element of an alternative.
type item struct {
	op      op
	mode    mode
	symbol  symbol            // for opToken
	keyword tokenizer.Keyword // for opKeyword
	rule    uint16            // for opRule
}

// maxItems is the length of the longest alternative.
const maxItems = 12

// An alternative is a sequence of items and the action on their values.
type alternative struct {
	items      []item
	first      symbolSet // the symbols it may begin with
	nullable   bool      // it may match nothing, so that first says little
	secondPass bool      // tried only when looking for an explanation
	recursive  bool      // begins with the rule that it belongs to
	leads      bool      // begins with a rule whose result is remembered, and more may follow
	ends       bool      // leads, and nothing need follow
	follows    symbolSet // leads: the symbols that may follow that rule, unless ends is set
	action     action
}

// alternatives is a set of a rule's alternatives by their places.
type alternatives uint16

// An action makes an alternative's value.
type action struct {
	do     actionKind
	item   int8     // the item to return, or where the error is
	args   [2]int8  // children of a node
	kind   nodeKind // of a node
	place  place
	indent bool   // IndentationError, not SyntaxError
	text   string // of an error
	run    func(m *machine, start int32, items *values) value
}

type actionKind uint8

const (
	returnDummy actionKind = iota // a value that only says "matched"
	returnItem
	makeNode
	raiseError
	runFunction
)

// A place says where an error is.
type place uint8

const (
	atItem place = iota // at an item's first character
	atItemEnd
	atLast // at the last token read
	atNext // at the next token
)

// A shape says how a rule is matched.
type shape uint8

const (
	choice    shape = iota // the first alternative that matches
	repeat                 // its only alternative any number of times
	repeatOne              // at least once
	gather                 // an item, then a repeat rule of separator and item
)

// A rule is a rule of the grammar file, or a group or repetition in it, as in CPython. Each rule is
// a level of the parser's stack.
type rule struct {
	name         string
	shape        shape
	alternatives []alternative
	memo         int8 // number of the memo, -1: the result is not remembered
	left         bool // left-recursive
	quiet        bool // no second-pass alternatives below
	first        symbolSet
	nullable     bool      // of a choice none is
	more         symbolSet // left: the symbols that can prolong a match

	// Of a choice.
	all        alternatives
	secondPass alternatives // those tried only when looking for an explanation
	recursive  alternatives
	candidates int // where its part of the grammar's candidates begins

	// below is the rule of the next higher precedence: term, for sum. A text without sum's
	// operators is matched by term directly. It is 0 for a rule that is no operator's. All
	// other plain alternatives begin with this rule or the one below, and need one of
	// operators next.
	below     uint16
	plain     alternatives
	operators symbolSet
}

// A grammar is a compiled grammar file.
type grammar struct {
	rules []rule
	file  uint16 // the start rule
	// field is the start rule of the text of an f-string's field.
	field uint16
	// statements is the repetition of the rule statements.
	statements uint16
	// candidates are the alternatives that may begin with each symbol, of one choice
	// after the other. Asking each alternative took twice the instructions that choose
	// takes.
	candidates []alternatives
	// expected are the messages of items that must match.
	expected map[symbol]string
}

// compile compiles the grammar of a version. It panics on an error in text, which would be a bug.
func compile(text string, target source.Version) *grammar {
	c := compiler{rules: make([]rule, 0, 640), index: map[string]uint16{}, symbols: symbolNames(), target: target, expected: map[symbol]string{}}
	c.split(text)
	c.declare()
	for i := range c.sources {
		c.parseRule(i)
	}
	g := &grammar{rules: c.rules, file: c.index["file"], field: c.index["fstring_expression"]}
	g.expected = c.expected
	g.statements = g.rules[c.index["statements"]].alternatives[0].items[0].rule
	g.findFirst()
	g.findCandidates()
	return g
}

// symbolNames maps the spellings and kinds of tokens to symbols.
func symbolNames() map[string]symbol {
	names := map[string]symbol{"TYPE_COMMENT": typeComment}
	for k := tokenizer.ENDMARKER; !k.IsOp(); k++ {
		names[k.Name()] = symbol(k)
	}
	for i, spelling := range strings.Fields(operators) {
		names[spelling] = symbol(int(tokenizer.LPAR) + i)
	}
	for k := tokenizer.False; k.IsHard(); k++ {
		names[k.String()] = firstKeyword + symbol(k)
	}
	return names
}

// operatorOf returns an operator's spelling.
func operatorOf(x symbol) string { return strings.Fields(operators)[int(x)-int(tokenizer.LPAR)] }

// operators are the operators in the order of their kinds.
const operators = "( [ { ) ] } : , ; . ... -> @ ~ ! + - * / | & % ^ ** // << >> < > == != <= >= := = " +
	"+= -= *= /= %= &= |= ^= <<= >>= **= //= @="

// A compiler turns the text of a grammar into rules.
type compiler struct {
	sources []written
	rules   []rule
	index   map[string]uint16
	symbols map[string]symbol
	memos   int8
	target  source.Version

	expected map[symbol]string // see grammar

	owner int    // the rule being parsed
	word  string // the next word of its source, "" at the end
	rest  string // what comes after it
}

// A written is a rule's name, flags and alternatives as written.
type written struct {
	name  string
	flags []string
	text  string // its lines, which are indented
}

// split cuts text into rules.
func (c *compiler) split(text string) {
	start := 0 // of the rule's lines
	at := 0
	end := func() {
		if len(c.sources) > 0 {
			c.sources[len(c.sources)-1].text = text[start:at]
		}
	}
	for line := range strings.Lines(text) {
		if line[0] != ' ' && line[0] != '#' && line[0] != '\n' {
			end()
			head := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), ":"))
			c.sources = append(c.sources, written{name: head[0], flags: head[1:]})
			start = at + len(line)
		}
		at += len(line)
	}
	end()
}

// cutWord returns the first word of text, a name, a quoted thing or punctuation, and what comes after
// it. It is "" at the end.
func cutWord(text string) (word, after string) {
	text = strings.TrimLeft(text, " \n")
	for text != "" && text[0] == '#' {
		_, text, _ = strings.Cut(text, "\n")
		text = strings.TrimLeft(text, " \n")
	}
	if text == "" {
		return "", ""
	}
	n := 1
	switch b := text[0]; {
	case b == '\'' || b == '"':
		for text[n] != b || text[n-1] == '\\' {
			n++
		}
		n++
	case isWord(b):
		for isWord(text[n]) {
			n++
		}
	case b == '<':
		n = strings.IndexByte(text, '>') + 1
	case strings.HasPrefix(text, "=>") || strings.HasPrefix(text, "&&"):
		n = 2
	}
	return text[:n], text[n:]
}

func isWord(b byte) bool {
	return b == '_' || b == '@' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// declare gives every named rule its number and its flags.
func (c *compiler) declare() {
	for i, s := range c.sources {
		r := rule{name: s.name, memo: -1}
		for _, flag := range s.flags {
			switch flag {
			case "memo", "again":
				r.memo = c.newMemo()
			case "left":
				r.left = true
				r.memo = c.newMemo()
			case "quiet":
				r.quiet = true
			default:
				panic("grammar: unknown flag " + flag)
			}
		}
		c.rules = append(c.rules, r)
		c.index[s.name] = uint16(i)
	}
}

func (c *compiler) newMemo() int8 {
	c.memos++
	return c.memos - 1
}

// take returns the next word and moves on.
func (c *compiler) take() string {
	word := c.word
	if word == "" {
		panic("grammar: rule " + c.rules[c.owner].name + " ends too soon")
	}
	c.word, c.rest = cutWord(c.rest)
	return word
}

// accept moves over word if it comes next.
func (c *compiler) accept(word string) bool {
	if c.word != word {
		return false
	}
	c.word, c.rest = cutWord(c.rest)
	return true
}

// expect moves over word, which must come next.
func (c *compiler) expect(word string) {
	if got := c.take(); got != word {
		panic(fmt.Sprintf("grammar: rule %s: %s, want %s", c.rules[c.owner].name, got, word))
	}
}

func (c *compiler) parseRule(i int) {
	c.owner = i
	c.word, c.rest = cutWord(c.sources[i].text)
	c.expect("|")
	alternatives := c.alternatives()
	if c.word != "" {
		c.expect("|")
	}
	for j := range alternatives {
		a := &alternatives[j]
		head := a.items[0]
		a.recursive = c.rules[i].left && head.op == opRule && head.mode == plain && int(head.rule) == i
	}
	c.rules[i].alternatives = alternatives
}

// alternatives parses alternatives up to a closing bracket or the end.
func (c *compiler) alternatives() []alternative {
	var buffer [8]alternative // most rules have fewer
	list := buffer[:0]
	for {
		holds := c.versions()
		if a := c.alternative(); holds {
			list = append(list, a)
		}
		if !c.accept("|") {
			return slices.Clone(list)
		}
	}
}

// versions parses a mark such as <3.12..3.13>, if there is one, and reports whether it includes the
// target.
func (c *compiler) versions() bool {
	mark := c.word
	if mark == "" || mark[0] != '<' {
		return true
	}
	c.take()
	from, to, ok := strings.Cut(strings.Trim(mark, "<>"), "..")
	if !ok {
		panic("grammar: rule " + c.rules[c.owner].name + ": mark " + mark)
	}
	return (from == "" || mustVersion(from) <= c.target) && (to == "" || c.target <= mustVersion(to))
}

func mustVersion(text string) source.Version {
	v, err := source.ParseVersion(text)
	if err != nil {
		panic("grammar: " + err.Error())
	}
	return v
}

func (c *compiler) alternative() alternative {
	var a alternative
	a.secondPass = c.accept("?")
	var buffer [maxItems]item
	items := buffer[:0]
	for {
		switch c.word {
		case "", "|", ")", "]":
			a.items, a.action = slices.Clone(items), defaultAction(items)
			return a
		case "=>":
			c.take()
			a.items, a.action = slices.Clone(items), c.action()
			return a
		case "~":
			c.take()
			items = append(items, item{op: opCut})
		default:
			items = append(items, c.item())
		}
		if len(items) > maxItems {
			panic("grammar: rule " + c.rules[c.owner].name + ": too many items")
		}
	}
}

// defaultAction returns the value of the only item that has one.
func defaultAction(items []item) action {
	only := -1
	for i, it := range items {
		if it.mode == ahead || it.mode == notAhead {
			continue
		}
		if only >= 0 {
			return action{}
		}
		only = i
	}
	return action{do: returnItem, item: int8(only)}
}

// item parses an item with its prefix and suffix.
func (c *compiler) item() item {
	var it item
	switch word := c.word; word {
	case "&&", "&", "!":
		c.take()
		it = c.atom()
		it.mode = map[string]mode{"&&": forced, "&": ahead, "!": notAhead}[word]
		if it.mode == forced {
			c.expected[it.symbol] = "expected '" + operatorOf(it.symbol) + "'"
		}
		return it
	case "[":
		c.take()
		it = c.group("]")
		it.mode = optional
		return it
	}
	it = c.atom()
	switch c.word {
	case "*":
		c.take()
		return c.anonymous(repeat, []alternative{single(it)})
	case "+":
		c.take()
		return c.anonymous(repeatOne, []alternative{single(it)})
	case ".":
		c.take()
		element := c.atom()
		c.expect("+")
		rest := c.anonymous(repeat, []alternative{{
			items: []item{it, element}, action: action{do: returnItem, item: 1},
		}})
		return c.anonymous(gather, []alternative{{items: []item{element, rest}}})
	}
	return it
}

func single(it item) alternative {
	return alternative{items: []item{it}, action: action{do: returnItem}}
}

// anonymous adds a rule without a name.
func (c *compiler) anonymous(s shape, alternatives []alternative) item {
	c.rules = append(c.rules, rule{shape: s, alternatives: alternatives, memo: -1})
	return item{op: opRule, rule: uint16(len(c.rules) - 1)}
}

// group parses alternatives up to the closing bracket. A single item needs no
// rule of its own.
func (c *compiler) group(closing string) item {
	list := c.alternatives()
	c.expect(closing)
	if len(list) == 1 && len(list[0].items) == 1 && list[0].action.do == returnItem {
		return list[0].items[0]
	}
	return c.anonymous(choice, list)
}

// atom parses a token, a rule's name or a group.
func (c *compiler) atom() item {
	word := c.take()
	switch word {
	case "(":
		return c.group(")")
	case "NAME":
		return item{op: opName}
	case "NUMBER":
		return item{op: opNumber}
	case "SOFT":
		return item{op: opSoft}
	}
	if word[0] == '"' {
		for k := tokenizer.Underscore; k <= tokenizer.Lazy; k++ {
			if k.String() == word[1:len(word)-1] {
				return item{op: opKeyword, keyword: k}
			}
		}
	}
	if i, ok := c.index[word]; ok {
		return item{op: opRule, rule: i}
	}
	x, ok := c.symbols[strings.Trim(word, "'")]
	if !ok {
		panic("grammar: rule " + c.rules[c.owner].name + ": unknown " + word)
	}
	return item{op: opToken, symbol: x}
}

// action parses the action after =>.
func (c *compiler) action() action {
	word := c.take()
	switch {
	case word[0] == '@':
		run, ok := actions[word[1:]]
		if !ok {
			panic("grammar: unknown action " + word)
		}
		return action{do: runFunction, run: run}
	case word == "error" || word == "indent":
		a := action{do: raiseError, indent: word == "indent"}
		switch where := c.take(); where {
		case "last":
			a.place = atLast
		case "next":
			a.place = atNext
		case "end":
			a.place = atItemEnd
			a.item = number(c.take()) - 1
		default:
			a.item = number(where) - 1
		}
		a.text = c.text()
		return a
	case '0' <= word[0] && word[0] <= '9':
		return action{do: returnItem, item: number(word) - 1}
	}
	a := action{do: makeNode, kind: kindNamed(word), args: [2]int8{-1, -1}}
	if c.accept("(") {
		for i := 0; !c.accept(")"); i++ {
			a.args[i] = number(c.take()) - 1
		}
	}
	return a
}

// text parses the text of an error: one for all versions, or several with marks.
func (c *compiler) text() (text string) {
	for {
		holds := c.versions()
		t, err := strconv.Unquote(c.take())
		if err != nil {
			panic("grammar: rule " + c.rules[c.owner].name + ": " + err.Error())
		}
		if holds {
			text = t
		}
		if !strings.HasPrefix(c.word, "<") {
			return text
		}
	}
}

func number(word string) int8 {
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > maxItems {
		panic("grammar: not an item's number: " + word)
	}
	return int8(n)
}

// findFirst computes which symbols each rule and alternative may begin with,
// and which may match nothing, by going round until nothing changes.
func (g *grammar) findFirst() {
	for changed := true; changed; {
		changed = false
		for i := len(g.rules) - 1; i >= 0; i-- { // rules are listed before those they use
			r := &g.rules[i]
			first, nullable := symbolSet{}, r.shape == repeat
			for j := range r.alternatives {
				a := &r.alternatives[j]
				a.first, a.nullable = g.firstOf(a.items)
				first.addAll(a.first)
				nullable = nullable || a.nullable
			}
			if first != r.first || nullable != r.nullable {
				r.first, r.nullable = first, nullable
				changed = true
			}
		}
	}
	for i := range g.rules {
		r := &g.rules[i]
		if !r.left {
			continue
		}
		direct := false
		for j := range r.alternatives {
			if a := &r.alternatives[j]; a.recursive {
				direct = true
				more, _ := g.firstOf(a.items[1:])
				r.more.addAll(more)
			}
		}
		if !direct { // recursive through another rule
			r.more = symbolSet{^uint64(0), ^uint64(0)}
		}
	}
}

// symbols is the number of symbols.
const symbols = firstKeyword + symbol(tokenizer.Yield) + 1

// findCandidates computes the sets of alternatives, and the symbols that may follow their first
// rules.
func (g *grammar) findCandidates() {
	g.candidates = make([]alternatives, 0, len(g.rules)*int(symbols))
	for i := range g.rules {
		g.findBelow(uint16(i))
		r := &g.rules[i]
		if r.shape != choice {
			continue
		}
		if r.nullable { // it would have to be tried before a token is read
			panic("grammar: rule " + r.name + " may match nothing")
		}
		r.candidates = len(g.candidates)
		g.candidates = g.candidates[:len(g.candidates)+int(symbols)]
		list := g.candidates[r.candidates:]
		for j := range r.alternatives {
			a, bit := &r.alternatives[j], alternatives(1)<<j
			r.all |= bit
			if a.secondPass {
				r.secondPass |= bit
			}
			if a.recursive {
				r.recursive |= bit
			}
			for half, set := range a.first {
				for ; set != 0; set &= set - 1 {
					list[64*half+bits.TrailingZeros64(set)] |= bit
				}
			}
			head := a.items[0]
			if head.op != opRule || head.mode != plain {
				continue
			}
			if g.rules[head.rule].memo >= 0 {
				a.leads = true
				a.follows, a.ends = g.firstOf(a.items[1:])
			}
		}
	}
}

// findBelow sets the rule that a rule falls through to.
func (g *grammar) findBelow(i uint16) {
	r := &g.rules[i]
	if r.shape != choice || r.quiet {
		return
	}
	for _, a := range r.alternatives {
		if head := a.items[0]; len(a.items) == 1 && head.op == opRule && head.mode == plain && !a.secondPass && a.action.do == returnItem {
			r.below = head.rule
		}
	}
	if r.below == 0 {
		return
	}
	for j, a := range r.alternatives {
		head := a.items[0]
		if head.op != opRule || head.mode != plain || head.rule != i && head.rule != r.below {
			continue
		}
		follows, ends := g.firstOf(a.items[1:])
		if len(a.items) > 1 {
			if ends {
				continue
			}
			r.operators.addAll(follows)
		}
		r.plain |= 1 << j
	}
	if r.left {
		r.operators.addAll(r.more)
	}
}

// firstOf returns the symbols that a sequence of items may begin with. A lookahead is ignored, as
// the item after it begins with the same token.
func (g *grammar) firstOf(items []item) (first symbolSet, nullable bool) {
	for _, it := range items {
		if it.mode == ahead || it.mode == notAhead || it.op == opCut {
			continue
		}
		if it.mode == forced {
			return symbolSet{}, true
		}
		empty := false
		switch it.op {
		case opToken:
			first.add(it.symbol)
		case opName, opKeyword, opSoft:
			first.add(symbol(tokenizer.NAME))
		case opNumber:
			first.add(symbol(tokenizer.NUMBER))
		case opRule:
			r := &g.rules[it.rule]
			first.addAll(r.first)
			empty = r.nullable
		}
		if !empty && it.mode == plain {
			return first, false
		}
	}
	return first, true
}
