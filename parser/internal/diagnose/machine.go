package diagnose

import (
	"math/bits"
	"slices"

	"codelinter/internal/python/pytext"
	"codelinter/source"
	"codelinter/tokenizer"
)

// CPython's limits.
const (
	// maxLevel is how deep rules may be nested.
	maxLevel = 6000
	// shortcutLevel is the depth from which on shortcuts are off. A shortcut that skips a rule also
	// skips the levels that CPython enters to try it, so near the limit every rule is tried. No
	// rule that fails at its first token goes deeper than the difference to maxLevel.
	shortcutLevel = maxLevel - 100
	// descentLevel is where descending ends, which is a shortcut of many levels.
	descentLevel = shortcutLevel - 100
)

// A value is the match of a rule, an item or an alternative. 0 is no match, a positive number a
// node, and a negative number the complement of a token's number.
type value int32

// The first nodes of every parse.
const (
	dummy value = 1 // says "matched", and no more
	empty value = 2 // a sequence of nothing
)

// values are the values of an alternative's items.
type values [maxItems]value

// A nodeKind is the kind of a node, or of an expression that is one token.
type nodeKind uint8

// A node is a part of the program that an error might speak of.
type node struct {
	kind  nodeKind
	start int32 // first token
	end   int32 // last token
	cells int32 // the first of its children
}

// A cell is a link in a list of values.
type cell struct {
	value value
	next  int32 // 0 at the end
}

// A token is a token with the results memoized at it.
type token struct {
	symbol  symbol
	keyword tokenizer.Keyword
	flags   tokenizer.Flags
	level   uint8 // brackets open after it
	skipped bool  // it stands for a statement that is skipped
	start   int32
	end     int32
	row     int32
	memos   int32  // the last remembered result of a rule at this token
	known   uint64 // the memos that are remembered
}

// hasColumn reports whether CPython knows the token's column.
func (t *token) hasColumn() bool {
	switch tokenizer.Kind(t.symbol) {
	case tokenizer.INDENT, tokenizer.DEDENT, tokenizer.ENDMARKER:
		return false
	}
	return true
}

// A memo is a remembered result, which several rules may share: `x` matches as
// a name, a primary, a sum and so on up to an expression.
type memo struct {
	rules uint64 // their memo numbers
	value value
	mark  int32 // the token after the match
	next  int32 // an earlier memo at the same token
}

// A seed is the longest match so far of a left-recursive rule that is being matched. The rule gets
// it when it calls itself at its own beginning.
type seed struct {
	rule  int8
	start int32
	value value
	mark  int32
}

// A machine matches a grammar against a text: a parser of parsing expressions
// that reads tokens when it needs them, as CPython's does. It reports success
// or the first error.
type machine struct {
	grammar   *grammar
	file      *source.File
	tokenizer tokenizer.Tokenizer
	features  *source.Features

	tokens []token
	nodes  []node
	cells  []cell
	memos  []memo
	seeds  []seed

	skips    []skip // the statements that may be skipped, by their starts
	nextSkip int    // the first that does not begin before the last token

	field      *fieldPlace // if the text is that of an f-string's field
	rowsBefore int         // of the file, before the text
	inner      *machine    // for the fields of f-strings

	// Of an inner machine.
	fieldPlace fieldPlace
	fieldText  []byte
	fieldFile  source.File

	words   pytext.Words // of err, and of errors that were dropped
	shared  values       // the values of the current action
	decoded []byte       // of the string under way

	mark        int32 // the next token
	farthest    int32 // the last token that has had a memo
	level       int   // rules under way
	secondPass  bool  // alternatives that explain errors are tried
	lessGreater bool  // <> stands for !=
	failed      bool  // an error has been raised: everything fails
	longWay     bool  // no shortcuts: only tests want that
	final       bool  // and nothing later in the text can replace it
	err         SyntaxError
}

// reset prepares for a text.
func (m *machine) reset(file *source.File, target source.Version, rowsBefore int) {
	m.file = file
	m.rowsBefore = rowsBefore
	m.features = target.Features()
	m.tokenizer.Reset(file.Text, tokenizer.Options{Target: target, Strict: true, RowsBefore: rowsBefore})
	m.tokens = m.tokens[:0]
	m.words.Reset()
	m.lessGreater, m.failed, m.final = false, false, false
	m.restart(false)
}

// restart prepares for a pass over the text.
func (m *machine) restart(secondPass bool) {
	m.secondPass = secondPass
	m.mark, m.farthest, m.level = 0, 0, 0
	for i := range m.tokens {
		m.tokens[i].known = 0
	}
	m.seeds = m.seeds[:0]
	m.forget()
}

// forget drops everything remembered. No token may have a memo.
func (m *machine) forget() {
	m.memos = append(m.memos[:0], memo{})
	m.nodes = append(m.nodes[:0], node{}, node{kind: kindDummy}, node{kind: kindSequence})
	m.cells = append(m.cells[:0], cell{})
}

// ready makes sure that the next token has been read. It fails if the token is an error.
func (m *machine) ready() bool {
	return int(m.mark) < len(m.tokens) || m.read()
}

// read reads a token.
func (m *machine) read() bool {
	if m.failed {
		return false
	}
	t, ok := m.tokenizer.Next()
	if !ok {
		m.tokenizerError()
		return false
	}
	if len(m.tokens) == cap(m.tokens) {
		m.makeRoom(int(t.End))
	}
	m.tokens = append(m.tokens, token{
		symbol: symbolOf(t), keyword: t.Keyword, flags: t.Flags, level: uint8(m.tokenizer.Level()),
		start: t.Start, end: t.End, row: t.Row,
	})
	return true
}

// makeRoom makes room for more tokens. For a long text it estimates the number of all tokens from
// those up to offset at, so that the tokens are rarely copied.
func (m *machine) makeRoom(at int) {
	if n := len(m.tokens); n >= 1<<16 {
		all := float64(n) / float64(at) * float64(len(m.file.Text))
		m.tokens = slices.Grow(m.tokens, max(n/8, int(1.02*all)-n))
	}
}

// remembered returns the result of a rule at the next token, which must be read.
// It moves past the match. ok reports whether there is a result to remember.
func (m *machine) remembered(rule int8) (v value, ok bool) {
	if n := len(m.seeds) - 1; n >= 0 && m.seeds[n].rule == rule && m.seeds[n].start == m.mark {
		m.mark = m.seeds[n].mark
		return m.seeds[n].value, true
	}
	t := &m.tokens[m.mark]
	if t.known>>rule&1 == 0 {
		return 0, false
	}
	known := &m.memos[t.memos]
	for known.rules>>rule&1 == 0 {
		known = &m.memos[known.next]
	}
	m.mark = known.mark
	return known.value, true
}

// remember keeps the result of rules, by their memo numbers, at token at.
func (m *machine) remember(at int32, rules uint64, v value) {
	t := &m.tokens[at]
	m.farthest = max(m.farthest, at)
	next := t.memos
	if t.known == 0 {
		next = 0
	}
	t.known |= rules
	if last := &m.memos[next]; next != 0 && last.value == v && last.mark == m.mark {
		last.rules |= rules
		return
	}
	t.memos = int32(len(m.memos))
	m.memos = append(m.memos, memo{rules: rules, value: v, mark: m.mark, next: next})
}

// enter counts a level.
func (m *machine) enter() {
	if m.level == maxLevel {
		m.overflow()
	}
	m.level++
}

// call matches a rule at the next token.
func (m *machine) call(index uint16) value {
	r := &m.grammar.rules[index]
	m.enter()
	v := m.match(r)
	m.level--
	return v
}

func (m *machine) match(r *rule) value {
	if m.failed {
		return 0
	}
	shortcuts := m.level < shortcutLevel && !m.longWay
	switch r.shape {
	case repeat, repeatOne:
		return m.repeat(r, shortcuts)
	case gather:
		if shortcuts && (!m.ready() || !r.first.has(m.tokens[m.mark].symbol)) {
			return 0
		}
		return m.gather(r)
	}
	candidates := r.all
	if shortcuts {
		if !m.ready() {
			return 0
		}
		candidates = m.grammar.candidates[r.candidates+int(m.tokens[m.mark].symbol)]
	}
	if !m.secondPass {
		candidates &^= r.secondPass
	}
	if candidates == 0 {
		return 0
	}
	if r.memo < 0 {
		if r.quiet && m.secondPass {
			m.secondPass = false
			v := m.choose(r, candidates&^r.secondPass, shortcuts)
			m.secondPass = true
			return v
		}
		return m.choose(r, candidates, shortcuts)
	}
	if !m.ready() {
		return 0
	}
	if v, ok := m.remembered(r.memo); ok {
		return v
	}
	if r.below != 0 && shortcuts && m.level < descentLevel {
		if v, ok := m.descend(r, candidates); ok {
			return v
		}
	}
	if r.left {
		return m.grow(r, candidates, shortcuts)
	}
	start := m.mark
	v := m.choose(r, candidates, shortcuts)
	if !m.failed {
		m.remember(start, 1<<r.memo, v)
	}
	return v
}

// descend matches a rule that falls through to another rule, and so on down to the last: `x` is a
// disjunction that falls through to an atom. All these rules match the same as the last one, unless
// one of their operators follows; then ok is false. Without descend, fifteen nested rules are
// matched, and finding the error at the end of a short text takes 1.3 times as long.
func (m *machine) descend(r *rule, candidates alternatives) (v value, ok bool) {
	start, level := m.mark, m.level
	x := int(m.tokens[start].symbol)
	var rules uint64 // those that remember the result
	var operators symbolSet
	below := uint16(0)
	for r.below != 0 && candidates&^r.plain == 0 {
		if below != 0 {
			m.level++ // the level of r
		}
		below = r.below
		operators.addAll(r.operators)
		if r.left {
			m.level++ // the one that grow enters
		}
		if r.memo >= 0 {
			rules |= 1 << r.memo
		}
		r = &m.grammar.rules[below]
		if r.memo >= 0 && m.tokens[start].known>>r.memo&1 != 0 || r.shape != choice {
			break
		}
		candidates = m.grammar.candidates[r.candidates+x]
		if !m.secondPass {
			candidates &^= r.secondPass
		}
	}
	if below == 0 {
		return 0, false
	}
	v = m.call(below)
	m.level = level
	if m.failed {
		return 0, true
	}
	if v != 0 && operators != (symbolSet{}) {
		if !m.ready() {
			return 0, true
		}
		if operators.has(m.tokens[m.mark].symbol) {
			m.mark = start
			return 0, false
		}
	}
	m.remember(start, rules, v)
	return v, true
}

// grow matches a left-recursive rule. At first the rule's call of itself at its own beginning
// fails. Then each match becomes the result of that call in the next try, as long as matches get
// longer.
func (m *machine) grow(r *rule, candidates alternatives, shortcuts bool) value {
	start := m.mark
	m.seeds = append(m.seeds, seed{rule: r.memo, start: start, mark: start})
	var best *seed
	fresh := candidates
	if shortcuts {
		fresh &^= r.recursive
	}
	for {
		m.mark = start
		m.enter()
		v := value(0)
		if !m.failed {
			v = m.choose(r, fresh, shortcuts)
		}
		m.level--
		best = &m.seeds[len(m.seeds)-1] // may have moved
		if m.failed || v == 0 || m.mark <= best.mark {
			break
		}
		best.value, best.mark = v, m.mark
		if shortcuts && (!m.ready() || !r.more.has(m.tokens[m.mark].symbol)) {
			break
		}
		fresh = candidates
	}
	result := *best
	m.seeds = m.seeds[:len(m.seeds)-1]
	if m.failed {
		return 0
	}
	m.mark = result.mark
	m.remember(start, 1<<r.memo, result.value)
	return result.value
}

// choose tries the candidates among a rule's alternatives.
func (m *machine) choose(r *rule, candidates alternatives, shortcuts bool) value {
	start := m.mark
	var items values
	// The remembered match of the rule that the last alternative began with.
	leading, leadingValue, leadingMark := -1, value(0), int32(0)
next:
	for ; candidates != 0 && !m.failed; candidates &= candidates - 1 {
		a := &r.alternatives[bits.TrailingZeros16(uint16(candidates))]
		j := 0
		if a.leads {
			if lead := a.items[0].rule; leading != int(lead) {
				leading, leadingValue = int(lead), m.call(lead)
				leadingMark = m.mark
			}
			if leadingValue == 0 {
				m.mark = start
				continue
			}
			m.mark = leadingMark
			if shortcuts && !a.ends && (!m.ready() || !a.follows.has(m.tokens[m.mark].symbol)) {
				m.mark = start
				continue
			}
			items[0], j = leadingValue, 1
		}
		committed := false
		for ; j < len(a.items); j++ {
			it := &a.items[j]
			if it.op == opCut {
				committed = true
				continue
			}
			v, ok := m.item(it)
			if !ok {
				m.mark = start
				if committed {
					return 0
				}
				continue next
			}
			items[j] = v
		}
		return m.act(&a.action, start, &items)
	}
	return 0
}

// item matches an item. ok reports whether the alternative may continue. The value is also 0 if an
// optional item is missing.
func (m *machine) item(it *item) (v value, ok bool) {
	mark := m.mark
	switch it.op {
	case opToken:
		if m.ready() && m.tokens[m.mark].symbol == it.symbol {
			v = value(^m.mark)
			m.mark++
		}
	case opRule:
		v = m.call(it.rule)
	case opName:
		v = m.name()
	case opNumber:
		v = m.number()
	case opKeyword:
		if m.ready() && m.tokens[m.mark].keyword == it.keyword {
			v = m.name()
		}
	case opSoft:
		if m.ready() && m.isSoft(&m.tokens[m.mark]) {
			v = m.name()
		}
	}
	switch it.mode {
	case optional:
		return v, !m.failed
	case ahead:
		m.mark = mark
		return dummy, v != 0
	case notAhead:
		m.mark = mark
		return dummy, v == 0
	case forced:
		if v == 0 && !m.failed {
			m.raiseAt(mark, syntaxError, m.grammar.expected[it.symbol])
		}
	}
	return v, v != 0
}

// repeat matches a rule's items as often as possible. As in CPython, the rule matches even if an
// error ended the repetition.
func (m *machine) repeat(r *rule, shortcuts bool) value {
	a := &r.alternatives[0]
	statements := r == &m.grammar.rules[m.grammar.statements]
	top := statements && m.level == topLevel
	first, last, n := int32(0), int32(0), 0
	start := m.mark
	var items values
loop:
	for {
		mark := m.mark
		if shortcuts && !a.nullable && !m.failed {
			if !m.ready() || !a.first.has(m.tokens[mark].symbol) {
				break
			}
		}
		skipped := statements && m.skipStatement()
		if !skipped {
			for j := range a.items {
				v, ok := m.item(&a.items[j])
				if !ok {
					m.mark = mark
					break loop
				}
				items[j] = v
			}
		}
		n++
		if top {
			m.forgetStatement()
			continue
		}
		if skipped { // nobody looks at the values of statements
			continue
		}
		m.cells = append(m.cells, cell{value: items[a.action.item]})
		at := int32(len(m.cells) - 1)
		if first == 0 {
			first = at
		} else {
			m.cells[last].next = at
		}
		last = at
	}
	if r.shape == repeatOne && (n == 0 || m.failed) {
		return 0
	}
	if n == 0 {
		return empty
	}
	return m.newNode(kindSequence, start, first)
}

// gather matches an item, and then a rule for the others.
func (m *machine) gather(r *rule) value {
	start := m.mark
	items := r.alternatives[0].items
	v, ok := m.item(&items[0])
	if !ok {
		m.mark = start
		return 0
	}
	rest, ok := m.item(&items[1])
	if !ok {
		m.mark = start
		return 0
	}
	return m.newNode(kindSequence, start, m.link(v, m.nodes[rest].cells))
}

// topLevel is the level at which the statements of the file are matched:
// file, statements, its repetition.
const topLevel = 3

// forgetStatement drops the memoized results of a complete statement of the file. The parser never
// backtracks to before such a statement. At the token after it, the parser tried only keywords such
// as else, which are not memoized.
func (m *machine) forgetStatement() {
	for i := m.mark; i <= m.farthest; i++ {
		m.tokens[i].known = 0
	}
	m.forget()
}

// link adds a cell in front of a list.
func (m *machine) link(v value, list int32) int32 {
	m.cells = append(m.cells, cell{v, list})
	return int32(len(m.cells) - 1)
}

// newNode adds a node of the tokens from start up to the next one.
func (m *machine) newNode(kind nodeKind, start, cells int32) value {
	m.nodes = append(m.nodes, node{kind, start, m.mark - 1, cells})
	return value(len(m.nodes) - 1)
}

// act makes the value of an alternative that matched from token start on. It
// may be 0: then the rule does not match, and no other alternative is tried.
func (m *machine) act(a *action, start int32, items *values) value {
	switch a.do {
	case returnItem:
		return items[a.item]
	case makeNode:
		list := int32(0)
		for i := len(a.args) - 1; i >= 0; i-- {
			if a.args[i] >= 0 && items[a.args[i]] != 0 {
				list = m.prepend(items[a.args[i]], list)
			}
		}
		return m.newNode(a.kind, start, list)
	case raiseError:
		m.shared = *items
		m.raise(a, &m.shared)
		return 0
	case runFunction:
		m.shared = *items // so that items of rules stay off the heap
		return a.run(m, start, &m.shared)
	}
	return dummy
}

// prepend puts a value, or the values of a sequence, in front of a list.
func (m *machine) prepend(v value, list int32) int32 {
	if v < 0 || m.nodes[v].kind != kindSequence {
		return m.link(v, list)
	}
	first := m.nodes[v].cells
	if list == 0 || first == 0 {
		return max(first, list)
	}
	head, last := int32(0), int32(0)
	for at := first; at != 0; at = m.cells[at].next {
		m.cells = append(m.cells, cell{value: m.cells[at].value})
		copied := int32(len(m.cells) - 1)
		if head == 0 {
			head = copied
		} else {
			m.cells[last].next = copied
		}
		last = copied
	}
	m.cells[last].next = list
	return head
}
