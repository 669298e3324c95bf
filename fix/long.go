package fix

import (
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/rule"
	"codelinter/tokenizer"
)

// This file breaks rows that are too long.
//
// A statement is split as people do it, from the outside to the inside, and as late as
// possible. The content of the last brackets moves to rows of its own, one level deeper:
//
//	total = measure(first, second)      total = measure(
//	                                        first, second
//	                                    )
//
// If these rows are too long, they are broken after commas, or before operators of the
// lowest precedence, and each row is filled. Parts that are still too long are split in
// turn. Without brackets, or if operators are outside of brackets, parentheses are put
// around the value. A string that is too long becomes several adjacent strings.
//
// A comment is broken between words, unless it may not be prose. A comment behind a
// statement that fits without it moves above.
//
// The result is only a proposal: the rules for continuation lines and the comparison of
// trees decide later.

// shorten splits a row that is too long.
func shorten(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	at := s.lineAt(finding.Start)
	l := &s.lines[at]
	row := int(finding.Row)
	if l.first == l.last || row != s.file.Row(finding.Start) || !f.once(row, rule.E501, "") {
		return nil
	}
	if f.kept != Documented {
		f.kept = Worded
	}
	if i := s.lastIn(row); i >= 0 && s.tokens[i].Kind == tokenizer.COMMENT {
		return s.shortenComment(i, row, f.options.MaxLineLength, f.docLimit())
	}
	if l.comment || finding.Code == rule.W505 || !f.once(at, rule.E502, "") {
		return nil
	}
	b := breaker{limit: f.options.MaxLineLength, size: f.size, after: f.enabled.Has(rule.W503)}
	if int(s.tokens[l.first].Row) != int(s.tokens[l.last].Row) {
		if edits := b.breakRows(s, l); edits != nil {
			return edits
		}
	}
	return b.breakLine(s, l)
}

// docLimit returns how long the rows of comments and docstrings may be.
func (f *Fixer) docLimit() int {
	if f.enabled.Has(rule.W505) && f.options.MaxDocLength > 0 {
		return min(f.options.MaxLineLength, f.options.MaxDocLength)
	}
	return f.options.MaxLineLength
}

// lastIn returns the last token of a row besides its end, or -1.
func (s *analysis) lastIn(row int) int {
	if row >= s.file.Lines() {
		return -1
	}
	i := s.tokenAt(s.file.LineStart(row+1)-1) - 1
	for i >= 0 && (s.tokens[i].Kind == tokenizer.NL || s.tokens[i].Kind == tokenizer.NEWLINE) {
		i--
	}
	if i < 0 || int(s.tokens[i].Row) != row {
		return -1
	}
	return i
}

// shortenComment breaks a comment on its own row into rows of at most most characters, or moves a
// comment behind code above it.
func (s *analysis) shortenComment(i, row, limit, most int) []Edit {
	t := &s.tokens[i]
	text := t.Text(s.text)
	start := s.file.LineStart(row)
	indent := s.indentOf(row)
	if isDirective(text) || strings.Contains(indent, "\t") {
		return nil
	}
	code := strings.TrimRight(s.text[start:t.Start], " \t\f")
	if code == "" {
		rows := wrapComment(text, most-utf8.RuneCountInString(indent))
		if len(rows) < 2 {
			return nil
		}
		return []Edit{{t.Start, t.End, strings.Join(rows, "\n"+indent)}}
	}
	if utf8.RuneCountInString(code) > limit || i > 0 && s.tokens[i-1].Row != t.Row {
		return nil
	}
	// The row must begin with a token, not within a string or after a backslash.
	first := s.tokenAt(start)
	for first < len(s.tokens) && (s.tokens[first].Kind == tokenizer.INDENT || s.tokens[first].Kind == tokenizer.DEDENT) {
		first++
	}
	l := &s.lines[s.lineAt(t.Start)]
	if int(s.tokens[first].Row) != row || s.tokens[first].Start < start || first != l.first && !s.inBrackets(l, first) {
		return nil
	}
	rows := wrapComment(text, most-utf8.RuneCountInString(indent))
	if rows == nil {
		return nil
	}
	return []Edit{{start, start, indent + strings.Join(rows, "\n"+indent) + "\n"}, {start + int32(len(code)), t.End, ""}}
}

// inBrackets reports whether a token of a logical line is in brackets.
func (s *analysis) inBrackets(l *line, at int) bool {
	depth := 0
	for i := l.first; i < at; i++ {
		depth += s.tokens[i].Kind.Nesting()
	}
	return depth > 0
}

// wrapComment breaks a comment into rows of at most most characters. It returns nil if the
// comment may not be prose, or has a word that is too long.
func wrapComment(text string, most int) []string {
	mark := text[:len(text)-len(strings.TrimLeft(text, "#:!"))]
	said := strings.TrimSpace(text[len(mark):])
	if said == "" || mark != "#" {
		return nil
	}
	if utf8.RuneCountInString(text) <= most {
		return []string{text}
	}
	if slices.ContainsFunc(strings.Fields(said), isDashes) || strings.Contains(said, "  ") || strings.ContainsAny(said, "|\t") || strings.ContainsAny(said, "()[]{}=") && isCode(said) {
		return nil
	}
	lead := "# "
	switch blanks := text[1 : len(text)-len(strings.TrimLeft(text[1:], " "))]; {
	case len(blanks) > 1:
		lead = "#" + blanks
	case strings.HasPrefix(said, "- "), strings.HasPrefix(said, "* "):
		lead = "#   "
	}
	first := lead
	if lead == "#   " {
		first = "# "
	}
	return fillRows(strings.Fields(said), first, lead, most)
}

// fillRows puts words into rows of at most most characters, which begin with first or lead. It
// returns nil if a word is too long.
func fillRows(words []string, first, lead string, most int) (rows []string) {
	row := first + words[0]
	for _, word := range words[1:] {
		if utf8.RuneCountInString(row)+1+utf8.RuneCountInString(word) <= most {
			row += " " + word
			continue
		}
		rows = append(rows, row)
		row = lead + word
	}
	rows = append(rows, row)
	if slices.ContainsFunc(rows, func(row string) bool { return utf8.RuneCountInString(row) > most }) {
		return nil
	}
	return rows
}

// isDashes reports whether a word is a row of dashes or the like, which makes a comment a heading.
func isDashes(word string) bool {
	return len(word) > 3 && strings.Trim(word, word[:1]) == "" && strings.ContainsAny(word[:1], "-=*~_#+.")
}

// isCode reports whether a comment's text may be Python.
func isCode(said string) bool {
	var t tokenizer.Tokenizer
	tokens, err := t.Tokenize(said+"\n", tokenizer.Options{ForParser: true})
	if err != nil {
		return false
	}
	_, ok := parse(said+"\n", tokens, 0)
	if !ok && strings.HasSuffix(said, ":") {
		return isCode(said + " pass")
	}
	return ok
}

// A breaker breaks one logical line.
type breaker struct {
	limit, size int
	after       bool // keep operators at the end of rows
	work        int  // see maxWork
}

// maxWork bounds the pieces that a breaker looks at for one statement.
const maxWork = 1 << 18

// A piece is a token, or a whole f-string.
type piece struct {
	text  string
	gap   string // the blanks before it
	kind  tokenizer.Kind
	word  tokenizer.Keyword
	width int // of text
}

// pieces returns the tokens of a logical line without a comment at its end. It returns nil
// if there is a comment or a string of several rows within. end is the end of the last
// piece.
func (s *analysis) pieces(l *line) (list []piece, end int32) {
	last := l.last
	for last > l.first && (s.tokens[last-1].Kind == tokenizer.COMMENT || s.tokens[last-1].Kind == tokenizer.NL) {
		last--
		if s.tokens[last].Kind == tokenizer.COMMENT && last > l.first && s.tokens[last-1].Kind == tokenizer.NL {
			return nil, 0
		}
	}
	var prev *tokenizer.Token
	for i := l.first; i < last; i++ {
		t := &s.tokens[i]
		if t.Kind == tokenizer.NL {
			continue
		}
		i = s.stringEnd(i)
		p := piece{text: s.text[t.Start:s.tokens[i].End], kind: t.Kind, word: t.Keyword}
		if t.Kind == tokenizer.COMMENT || strings.Contains(p.text, "\n") {
			return nil, 0
		}
		if prev != nil {
			if p.gap = s.text[prev.End:t.Start]; strings.ContainsAny(p.gap, "\n\\") {
				p.gap = " "
				if prev.Kind.IsOpener() || t.Kind.IsCloser() || t.Kind == tokenizer.DOT || prev.Kind == tokenizer.DOT || t.Kind == tokenizer.COMMA {
					p.gap = ""
				}
			}
		}
		p.width = utf8.RuneCountInString(p.text)
		list = append(list, p)
		prev = &s.tokens[i]
	}
	return list, s.tokens[last-1].End
}

// breakLine breaks a whole logical line.
func (b *breaker) breakLine(s *analysis, l *line) []Edit {
	pieces, end := s.pieces(l)
	if pieces == nil {
		return nil
	}
	indent := s.indentOf(int(s.tokens[l.first].Row))
	if strings.Contains(indent, "\t") {
		return nil
	}
	rows := b.statement(pieces, len(indent))
	if rows == nil {
		return nil
	}
	start := s.tokens[l.first].Start
	return []Edit{{start, end, strings.Join(rows, "\n")[len(indent):]}}
}

// statement splits a statement into rows with their indentation.
func (b *breaker) statement(p []piece, indent int) []string {
	if row := b.row(p, indent, ""); row != nil {
		return row
	}
	head, value, tail := parts(p)
	if value != nil && b.hasOperators(value) {
		if rows := b.wrap(head, value, tail, indent); rows != nil {
			return rows
		}
	}
	if rows := b.brackets(p, indent, "", false); rows != nil {
		return rows
	}
	if value != nil {
		if rows := b.wrap(head, value, tail, indent); rows != nil {
			return rows
		}
	}
	return b.brackets(p, indent, "", true)
}

// row returns the only row of pieces that fit on one, or nil.
func (b *breaker) row(p []piece, indent int, suffix string) []string {
	if !b.fits(p, indent, suffix) {
		return nil
	}
	return []string{blanks(indent) + join(p) + suffix}
}

// nest puts a body between a head and a tail on rows of their own, one level deeper.
func (b *breaker) nest(head string, body []piece, tail string, indent int) []string {
	rows := b.split(body, indent+b.size, "")
	if rows == nil {
		return nil
	}
	return append(append([]string{blanks(indent) + head}, rows...), blanks(indent)+tail)
}

// wrap puts parentheses around the value of a statement.
func (b *breaker) wrap(head, value, tail []piece, indent int) []string {
	if !b.fits(head, indent, " (") || !b.fits(tail, indent, ")") {
		return nil
	}
	open := "("
	if len(head) > 0 {
		open = join(head) + " ("
	}
	return b.nest(open, value, ")"+join(tail), indent)
}

// parts finds the part of a statement that may get parentheses. head and tail are the rest.
func parts(p []piece) (head, value, tail []piece) {
	from, to := 0, len(p)
	depth, lambda := 0, 0
	colon, equal, in, comma, imported := -1, -1, -1, -1, -1
	for i := range p {
		t := &p[i]
		depth += t.kind.Nesting()
		switch {
		case depth > 0:
		case t.word == tokenizer.Lambda:
			lambda++
		case t.kind == tokenizer.COLON && lambda > 0:
			lambda--
		case t.kind == tokenizer.COLON:
			colon = i
		case lambda > 0:
		case t.kind == tokenizer.EQUAL || t.kind.IsAugAssign():
			equal = i
		case t.kind == tokenizer.COMMA && comma < 0:
			comma = i
		case t.word == tokenizer.In && in < 0:
			in = i
		case t.word == tokenizer.Import:
			imported = i
		case t.kind == tokenizer.SEMI:
			return nil, nil, nil
		}
	}
	block := colon == len(p)-1
	if block {
		to = colon
	}
	switch first := p[0].word; first {
	case tokenizer.Return, tokenizer.Raise, tokenizer.Del:
		from = 1
	case tokenizer.If, tokenizer.Elif, tokenizer.While, tokenizer.With:
		if !block {
			return nil, nil, nil
		}
		from = 1
	case tokenizer.Assert:
		from = 1
		if comma >= 0 {
			from = comma + 1
		}
	case tokenizer.For:
		if !block || in < 0 {
			return nil, nil, nil
		}
		from = in + 1
	case tokenizer.From:
		if imported < 0 {
			return nil, nil, nil
		}
		from = imported + 1
	case tokenizer.Async, tokenizer.Def, tokenizer.Class, tokenizer.Import, tokenizer.Global, tokenizer.Nonlocal, tokenizer.Except,
		tokenizer.Try, tokenizer.Else, tokenizer.Finally:
		return nil, nil, nil
	default:
		if block || p[0].kind == tokenizer.AT {
			return nil, nil, nil
		}
		from = equal + 1
	}
	if from >= to || to-from == 1 && !p[from].kind.IsStringPart() && from > 0 && p[from].kind == tokenizer.STAR {
		return nil, nil, nil
	}
	return p[:from], p[from:to], p[to:]
}

// Priorities of breaks. Higher ones are tried first.
const (
	noPriority = iota
	productPriority
	sumPriority
	shiftPriority
	bitPriority
	comparePriority
	stringPriority
	andPriority
	orPriority
	ternaryPriority
	clausePriority // of comprehensions
	commaPriority
)

// operatorPriorities and wordPriorities are the priorities of tokens that have the same everywhere.
var (
	operatorPriorities = [256]int{
		tokenizer.COMMA: commaPriority,
		tokenizer.PLUS:  sumPriority, tokenizer.MINUS: sumPriority,
		tokenizer.STAR: productPriority, tokenizer.SLASH: productPriority, tokenizer.DOUBLESLASH: productPriority,
		tokenizer.PERCENT: productPriority, tokenizer.AT: productPriority,
		tokenizer.LEFTSHIFT: shiftPriority, tokenizer.RIGHTSHIFT: shiftPriority,
		tokenizer.VBAR: bitPriority, tokenizer.AMPER: bitPriority, tokenizer.CIRCUMFLEX: bitPriority,
		tokenizer.EQEQUAL: comparePriority, tokenizer.NOTEQUAL: comparePriority, tokenizer.LESS: comparePriority,
		tokenizer.GREATER: comparePriority, tokenizer.LESSEQUAL: comparePriority, tokenizer.GREATEREQUAL: comparePriority,
	}
	wordPriorities = [256]int{
		tokenizer.And: andPriority, tokenizer.Or: orPriority, tokenizer.If: ternaryPriority, tokenizer.Else: ternaryPriority,
		tokenizer.For: clausePriority, tokenizer.Async: clausePriority, tokenizer.In: comparePriority, tokenizer.Is: comparePriority,
	}
)

// priority returns the priority of a break before piece i or, for a comma, after it.
func priority(p []piece, i int, clauses bool) int {
	t, before := &p[i], &piece{}
	if i > 0 {
		before = &p[i-1]
	}
	n := max(operatorPriorities[t.kind], wordPriorities[t.word])
	switch {
	case (n == sumPriority || n == productPriority) && !endsOperand(before),
		t.word == tokenizer.For && before.word == tokenizer.Async,
		t.word == tokenizer.In && (clauses || before.word == tokenizer.Not):
		return noPriority
	case t.kind.IsStringPart() && before.kind.IsStringPart():
		return stringPriority
	case t.word == tokenizer.If && clauses:
		return clausePriority
	case t.word == tokenizer.Not && i+1 < len(p) && p[i+1].word == tokenizer.In:
		return comparePriority
	}
	return n
}

// endsOperand reports whether an operator after the piece is binary.
func endsOperand(t *piece) bool {
	switch t.kind {
	case tokenizer.NAME:
		return !t.word.IsHard() || t.word == tokenizer.None || t.word == tokenizer.True || t.word == tokenizer.False
	case tokenizer.NUMBER:
		return true
	}
	return t.kind.IsStringPart() || t.kind.IsCloser() || t.kind == tokenizer.ELLIPSIS
}

// breaks calls found for each possible break outside of brackets.
func (b *breaker) breaks(p []piece, found func(i, priority int)) {
	depth, lambda := 0, 0
	clauses := false
	b.work += len(p)
	for i := range p {
		t := &p[i]
		depth += t.kind.Nesting()
		switch {
		case depth != 0:
		case t.word == tokenizer.Lambda:
			lambda++
		case lambda > 0 && t.kind == tokenizer.COLON:
			lambda--
		case lambda > 0:
		default:
			clauses = clauses || t.word == tokenizer.For
			if t.kind == tokenizer.COMMA {
				clauses = false
			}
			if n := priority(p, i, clauses); n > noPriority {
				found(i, n)
			}
		}
	}
}

// hasOperators reports whether there are operators, but no commas, outside of brackets.
func (b *breaker) hasOperators(p []piece) bool {
	highest := noPriority
	b.breaks(p, func(i, n int) { highest = max(highest, n) })
	return highest > noPriority && highest < commaPriority
}

// split splits the content of brackets into rows. suffix follows the last row.
func (b *breaker) split(p []piece, indent int, suffix string) []string {
	if row := b.row(p, indent, suffix); row != nil {
		return row
	}
	if b.work > maxWork || indent > b.limit {
		return nil
	}
	highest := noPriority
	b.breaks(p, func(i, n int) {
		if n != commaPriority || i+1 < len(p) {
			highest = max(highest, n)
		}
	})
	if highest > noPriority {
		if rows := b.fill(p, indent, suffix, highest); rows != nil {
			return rows
		}
	}
	if rows := b.brackets(p, indent, suffix, false); rows != nil {
		return rows
	}
	if p[0].kind == tokenizer.STRING && (len(p) == 1 || p[1].kind == tokenizer.DOT) {
		return splitString(p[0].text, indent, b.limit, join(p)[len(p[0].text):]+suffix)
	}
	if rows := b.member(p, indent, suffix); rows != nil {
		return rows
	}
	return b.brackets(p, indent, suffix, true)
}

// member puts parentheses around the value of a dictionary's item or an argument.
func (b *breaker) member(p []piece, indent int, suffix string) []string {
	depth := 0
	for i := range p {
		t := &p[i]
		depth += t.kind.Nesting()
		switch {
		case depth > 0:
		case t.word == tokenizer.Lambda:
			return nil
		case (t.kind == tokenizer.COLON || t.kind == tokenizer.EQUAL) && i > 0 && i+1 < len(p):
			value := p[i+1:]
			head := join(p[:i+1]) + value[0].gap + "("
			if indent+utf8.RuneCountInString(head) > b.limit || !b.fits(nil, indent, ")"+suffix) {
				return nil
			}
			return b.nest(head, value, ")"+suffix, indent)
		}
	}
	return nil
}

// fill breaks at a priority's places, and fills each row.
func (b *breaker) fill(p []piece, indent int, suffix string, at int) []string {
	var ends []int // of the parts
	b.breaks(p, func(i, n int) {
		switch {
		case n != at:
		case n == commaPriority || b.after && n != stringPriority && n != clausePriority && n != ternaryPriority:
			if i+1 < len(p) {
				ends = append(ends, i+1)
			}
		case i > 0:
			ends = append(ends, i)
		}
	})
	ends = append(ends, len(p))
	var rows []string
	from, taken := 0, 0 // start of the current row; end of what surely fits on it
	flush := func(to int, suffix string) bool {
		if part := p[from:to]; len(part) > 0 {
			more := b.one(part, indent, suffix)
			if more == nil {
				return false
			}
			rows = append(rows, more...)
		}
		from = to
		return true
	}
	for k, end := range ends {
		behind := ""
		if k == len(ends)-1 {
			behind = suffix
		}
		if b.fits(p[from:end], indent, behind) {
			taken = end
			continue
		}
		if taken > from && !flush(taken, "") {
			return nil
		}
		if b.fits(p[from:end], indent, behind) {
			taken = end
			continue
		}
		if from == 0 && end == len(p) || !flush(end, behind) { // a single part
			return nil
		}
		taken = end
		if end == len(p) {
			return rows
		}
	}
	if from < len(p) && !flush(len(p), suffix) {
		return nil
	}
	return rows
}

// one returns the rows of a part: a single row if it fits.
func (b *breaker) one(p []piece, indent int, suffix string) []string {
	if row := b.row(p, indent, suffix); row != nil {
		return row
	}
	last := len(p) - 1
	if p[last].kind == tokenizer.COMMA && last > 0 {
		return b.split(p[:last], indent, p[last].gap+","+suffix)
	}
	return b.split(p, indent, suffix)
}

// brackets splits at the last brackets that are not empty and leave rows that fit: at those of
// subscripts, which are read as a part of a name, or at all others.
func (b *breaker) brackets(p []piece, indent int, suffix string, subscripts bool) []string {
	type pair struct{ open, close int }
	var pairs []pair
	var stack []int
	b.work += len(p)
	for i := range p {
		if p[i].kind.IsOpener() {
			stack = append(stack, i)
		} else if p[i].kind.IsCloser() && len(stack) > 0 {
			open := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			isSubscript := p[open].kind == tokenizer.LSQB && open > 0 && endsOperand(&p[open-1])
			if len(stack) == 0 && i > open+1 && isSubscript == subscripts {
				pairs = append(pairs, pair{open, i})
			}
		}
	}
	if len(pairs) == 0 || len(stack) > 0 {
		return nil
	}
	definition := p[0].word == tokenizer.Def || p[0].word == tokenizer.Async
	if !definition {
		slices.Reverse(pairs)
	}
	// A short name alone in brackets is split only if no other brackets fit.
	for _, small := range [...]bool{false, true} {
		for _, at := range pairs {
			body := p[at.open+1 : at.close]
			if (len(body) == 1 && !body[0].kind.IsStringPart()) != small || b.work > maxWork {
				continue
			}
			head, tail := p[:at.open+1], p[at.close:]
			if !b.fits(head, indent, "") || !b.fits(tail, indent, suffix) {
				continue
			}
			if rows := b.nest(join(head), body, join(tail)+suffix, indent); rows != nil {
				return rows
			}
		}
	}
	return nil
}

func (b *breaker) fits(p []piece, indent int, suffix string) bool {
	width := indent + len(suffix)
	for i := range p {
		if i > 0 {
			width += len(p[i].gap)
		}
		if width += p[i].width; width > b.limit {
			b.work += i
			return false
		}
	}
	b.work += len(p)
	return width <= b.limit
}

func join(p []piece) string {
	var out strings.Builder
	for i := range p {
		if i > 0 {
			out.WriteString(p[i].gap)
		}
		out.WriteString(p[i].text)
	}
	return out.String()
}

func blanks(n int) string { return strings.Repeat(" ", n) }

// splitString splits a string that is too long into adjacent strings. If possible, all but
// the last end with a blank.
func splitString(text string, indent, limit int, suffix string) []string {
	at := strings.IndexAny(text, `'"`)
	if at < 0 || strings.HasPrefix(text[at:], `"""`) || strings.HasPrefix(text[at:], "'''") {
		return nil
	}
	prefix, quote := text[:at], text[at:at+1]
	room := limit - indent - len(prefix) - 2
	if room < 10 {
		return nil
	}
	isRaw := strings.ContainsAny(prefix, "rR")
	body := text[at+1 : len(text)-1]
	var rows []string
	for utf8.RuneCountInString(body)+len(suffix) > room || len(rows) == 0 {
		cut, n, last := 0, 0, 0
		for i := 0; i < len(body) && n < room; n++ {
			size := 1
			switch {
			case body[i] == '\\' && isRaw: // a backslash and what it keeps from ending the string
				size = min(2, len(body)-i)
				n += size - 1
			case body[i] == '\\':
				size = escapeLength(body[i:])
				n += size - 1
			default:
				_, size = utf8.DecodeRuneInString(body[i:])
			}
			if n >= room {
				break
			}
			i += size
			last = i
			if body[i-1] == ' ' {
				cut = i
			}
		}
		if cut == 0 {
			cut = last
		}
		if cut == 0 || cut >= len(body) || isInAddress(body, cut) {
			return nil
		}
		rows = append(rows, blanks(indent)+prefix+quote+body[:cut]+quote)
		body = body[cut:]
	}
	return append(rows, blanks(indent)+prefix+quote+body+quote+suffix)
}

// isInAddress reports whether an offset of a text is within a word that is an address, which stays
// whole.
func isInAddress(text string, at int) bool {
	start := strings.LastIndexByte(text[:at], ' ') + 1
	word, _, _ := strings.Cut(text[start:], " ")
	return start < at && strings.Contains(word, "://")
}

// escapeLength returns the length of the escape at the start of a text.
func escapeLength(text string) int {
	if len(text) < 2 {
		return len(text)
	}
	n := 2
	switch text[1] {
	case 'x':
		n = 4
	case 'u':
		n = 6
	case 'U':
		n = 10
	case 'N':
		if end := strings.IndexByte(text, '}'); end > 0 {
			n = end + 1
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		for n < 4 && n < len(text) && '0' <= text[n] && text[n] <= '7' {
			n++
		}
	}
	return min(n, len(text))
}

// breakRows breaks only the rows of a logical line that are too long, between its brackets.
func (b *breaker) breakRows(s *analysis, l *line) []Edit {
	type bracket struct{ column, indent int }
	var stack []bracket
	var edits []Edit
	var best Edit
	bestDepth, bestColumn := 1<<30, 0
	row, shift := -1, 0
	rowIndent := 0
	column := func(offset int32) int {
		return utf8.RuneCountInString(s.text[s.file.LineStart(s.file.Row(offset)):offset])
	}
	for i := l.first; i < l.last; i++ {
		t := &s.tokens[i]
		if t.Flags&tokenizer.Multiline != 0 {
			return nil
		}
		if int(t.Row) != row {
			row, shift = int(t.Row), 0
			bestDepth = 1 << 30
			rowIndent = column(t.Start)
		}
		if t.Kind == tokenizer.NL || t.Kind == tokenizer.COMMENT {
			continue
		}
		at := column(t.Start) + shift
		// Before Python 3.12 no field of an f-string can have a line break.
		i = s.stringEnd(i)
		text := s.text[t.Start:s.tokens[i].End]
		if strings.Contains(text, "\n") {
			return nil
		}
		end := at + utf8.RuneCountInString(text)
		// Must the row break before this token at the latest?
		if next := &s.tokens[i+1]; next.Kind == tokenizer.COMMA || next.Kind.IsCloser() && int(next.Row) == row {
			end++
		}
		if end > b.limit {
			if bestDepth == 1<<30 {
				return nil
			}
			edits = append(edits, best)
			moved := bestColumn - (column(best.End) + shift)
			shift += moved
			bestDepth = 1 << 30
			rowIndent = bestColumn
			at, end = at+moved, end+moved
			if end > b.limit {
				return nil
			}
		}
		if t.Kind.IsOpener() {
			inner := bracket{column: at + 1, indent: rowIndent}
			if isEnd(&s.tokens[i+1]) {
				inner.column = -1
			}
			stack = append(stack, inner)
		} else if t.Kind.IsCloser() && len(stack) > 0 {
			stack = stack[:len(stack)-1]
		}
		if n := len(stack); n > 0 && t.Kind == tokenizer.COMMA && n <= bestDepth && !isEnd(&s.tokens[i+1]) {
			to := stack[n-1].column
			if to < 0 {
				to = rowIndent
			}
			if to < at {
				bestDepth, bestColumn = n, to
				best = Edit{t.End, s.tokens[i+1].Start, "\n" + blanks(to)}
			}
		}
	}
	return edits
}

// stringEnd returns the last token of the f-string or t-string that begins with a token. Any other
// token is its own end.
func (s *analysis) stringEnd(i int) int {
	depth := 0
	for ; ; i++ {
		switch s.tokens[i].Kind {
		case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
			depth++
		case tokenizer.FSTRING_END, tokenizer.TSTRING_END:
			depth--
		}
		if depth == 0 || i+1 == len(s.tokens) {
			return i
		}
	}
}
