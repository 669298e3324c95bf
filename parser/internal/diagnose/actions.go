package diagnose

import (
	"strings"

	"codelinter/internal/python/pytext"
	"codelinter/tokenizer"
)

// The kinds of nodes. The first ones are Python's expressions.
const (
	kindDummy nodeKind = iota
	kindAttribute
	kindSubscript
	kindStarred
	kindName
	kindList
	kindTuple
	kindLambda
	kindCall
	kindBoolOp
	kindBinOp
	kindUnaryOp
	kindGeneratorExp
	kindYield
	kindAwait
	kindListComp
	kindSetComp
	kindDictComp
	kindDict
	kindSet
	kindJoinedStr
	kindTemplateStr
	kindString
	kindBytes
	kindNumber
	kindNone
	kindTrue
	kindFalse
	kindEllipsis
	kindCompare
	kindIfExp
	kindNamedExpr
	kindSequence      // a list of values
	kindIn            // `in x` of a comparison
	kindArguments     // of a call
	kindKeyword       // name=x of a call
	kindDoubleStarred // **x of a call
	kindPattern
)

// kinds holds the name that the grammar has for a kind, and how CPython calls
// it in a message.
var kinds = [...]struct{ name, called string }{
	kindAttribute:     {"Attribute", "attribute"},
	kindSubscript:     {"Subscript", "subscript"},
	kindStarred:       {"Starred", "starred"},
	kindName:          {"Name", "name"},
	kindList:          {"List", "list"},
	kindTuple:         {"Tuple", "tuple"},
	kindLambda:        {"Lambda", "lambda"},
	kindCall:          {"Call", "function call"},
	kindBoolOp:        {"BoolOp", "expression"},
	kindBinOp:         {"BinOp", "expression"},
	kindUnaryOp:       {"UnaryOp", "expression"},
	kindGeneratorExp:  {"GeneratorExp", "generator expression"},
	kindYield:         {"Yield", "yield expression"},
	kindAwait:         {"Await", "await expression"},
	kindListComp:      {"ListComp", "list comprehension"},
	kindSetComp:       {"SetComp", "set comprehension"},
	kindDictComp:      {"DictComp", "dict comprehension"},
	kindDict:          {"Dict", "dict literal"},
	kindSet:           {"Set", "set display"},
	kindJoinedStr:     {"JoinedStr", "f-string expression"},
	kindTemplateStr:   {"TemplateStr", "t-string expression"},
	kindString:        {"String", "literal"},
	kindBytes:         {"Bytes", "literal"},
	kindNumber:        {"Number", "literal"},
	kindNone:          {"None", "None"},
	kindTrue:          {"True", "True"},
	kindFalse:         {"False", "False"},
	kindEllipsis:      {"Ellipsis", "ellipsis"},
	kindCompare:       {"Compare", "comparison"},
	kindIfExp:         {"IfExp", "conditional expression"},
	kindNamedExpr:     {"NamedExpr", "named expression"},
	kindSequence:      {"Sequence", ""},
	kindIn:            {"In", ""},
	kindArguments:     {"Arguments", ""},
	kindKeyword:       {"Keyword", ""},
	kindDoubleStarred: {"DoubleStarred", ""},
	kindPattern:       {"Pattern", ""},
}

func kindNamed(name string) nodeKind {
	for k, kind := range kinds {
		if kind.name == name {
			return nodeKind(k)
		}
	}
	panic("grammar: unknown kind " + name)
}

// kindOf returns the kind of an expression.
func (m *machine) kindOf(v value) nodeKind {
	if v >= 0 {
		return m.nodes[v].kind
	}
	switch m.tokens[^v].symbol {
	case symbol(tokenizer.NAME):
		return kindName
	case symbol(tokenizer.NUMBER):
		return kindNumber
	case symbol(tokenizer.ELLIPSIS):
		return kindEllipsis
	case firstKeyword + symbol(tokenizer.None):
		return kindNone
	case firstKeyword + symbol(tokenizer.True):
		return kindTrue
	case firstKeyword + symbol(tokenizer.False):
		return kindFalse
	}
	return kindDummy
}

// children returns the first cell of a node's children, 0 for a token.
func (m *machine) children(v value) int32 {
	if v < 0 {
		return 0
	}
	return m.nodes[v].cells
}

// firstToken returns the number of the first token of a value, or of a sequence's first element.
func (m *machine) firstToken(v value) int32 {
	for v > 0 && m.nodes[v].kind == kindSequence && m.nodes[v].cells != 0 {
		v = m.cells[m.nodes[v].cells].value
	}
	if v < 0 {
		return int32(^v)
	}
	return m.nodes[v].start
}

func (m *machine) lastToken(v value) int32 {
	if v < 0 {
		return int32(^v)
	}
	return m.nodes[v].end
}

func (m *machine) text(t *token) string { return m.file.Text[t.start:t.end] }

// actions are the functions that the grammar names.
var actions = map[string]func(m *machine, start int32, items *values) value{
	"importFrom":             importFrom,
	"notEqual":               notEqual,
	"lessGreater":            lessGreater,
	"realNumber":             realNumber,
	"imaginaryNumber":        imaginaryNumber,
	"orPattern":              orPattern,
	"conversion":             conversion,
	"field":                  field,
	"formatSpec":             formatSpec,
	"formattedString":        formattedString,
	"string":                 stringLiteral,
	"strings":                concatenation,
	"literals":               literals,
	"mixedStrings":           mixedStrings,
	"bareGenerator":          bareGenerator,
	"positionalAfterKeyword": positionalAfterKeyword,
	"legacyStatement":        legacyStatement,
	"missingComma":           missingComma,
	"boundOfTuple":           func(m *machine, _ int32, items *values) value { return bound(m, items, "TypeVarTuple") },
	"boundOfParamSpec":       func(m *machine, _ int32, items *values) value { return bound(m, items, "ParamSpec") },
	"assignTo2":              func(m *machine, _ int32, items *values) value { return badTarget(m, items[1], assigning) },
	"assignTo3":              func(m *machine, _ int32, items *values) value { return badTarget(m, items[2], assigning) },
	"loopOver3":              func(m *machine, _ int32, items *values) value { return badTarget(m, items[2], looping) },
	"delete2":                func(m *machine, _ int32, items *values) value { return badTarget(m, items[1], deleting) },
}

// name matches a NAME. CPython makes an identifier of it at once, and dies if
// that is None, True or False only in its normal form.
func (m *machine) name() value {
	if !m.ready() || m.tokens[m.mark].symbol != symbol(tokenizer.NAME) {
		return 0
	}
	t := &m.tokens[m.mark]
	m.mark++
	if t.flags&tokenizer.NonASCII != 0 && m.features.ConstantsAreNoNames {
		switch id := m.identifier(t); id {
		case "None", "True", "False":
			m.die("ValueError", m.words.Format("identifier field can't represent '%s' constant", id))
			return 0
		}
	}
	return value(^(m.mark - 1))
}

// identifier returns the name of a NAME.
func (m *machine) identifier(t *token) string {
	if t.flags&tokenizer.NonASCII == 0 {
		return m.text(t)
	}
	return pytext.NormalName(m.text(t))
}

// isSoft reports whether the parser takes a token for some soft keyword.
func (m *machine) isSoft(t *token) bool {
	if t.symbol != symbol(tokenizer.NAME) {
		return false
	}
	if !m.features.SoftKeywordPrefixes {
		return t.keyword.IsSoft(m.features)
	}
	for k := tokenizer.Underscore; k <= tokenizer.Lazy; k++ {
		if k.IsSoft(m.features) && strings.HasPrefix(k.String(), m.text(t)) {
			return true
		}
	}
	return false
}

// number matches a NUMBER.
func (m *machine) number() value {
	if !m.ready() || m.tokens[m.mark].symbol != symbol(tokenizer.NUMBER) {
		return 0
	}
	t := &m.tokens[m.mark]
	m.mark++
	if n := t.end - t.start; n > pytext.MaxIntDigits && m.text(t)[0] != '0' {
		digits := 0
		for _, c := range []byte(m.text(t)) {
			switch {
			case '0' <= c && c <= '9':
				digits++
			case c != '_': // a float or an imaginary number
				return value(^(m.mark - 1))
			}
		}
		if digits > pytext.MaxIntDigits {
			unit := ""
			if m.features.NamesLimitOfDigits {
				unit = " digits"
			}
			m.place(syntaxError, m.words.Format("Exceeds the limit (%d%s) for integer string"+
				" conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit"+
				" - Consider hexadecimal for huge integer literals to avoid decimal conversion limits.", pytext.MaxIntDigits, unit, digits), int(t.row), 0)
			return 0
		}
	}
	return value(^(m.mark - 1))
}

// importFrom handles `from __future__ import barry_as_FLUFL`, after which <> means !=.
func importFrom(m *machine, _ int32, items *values) value {
	module := m.firstToken(items[3])
	if !m.features.ParserKnowsFutures || items[2] != empty || m.lastToken(items[3]) != module || m.identifier(&m.tokens[module]) != "__future__" {
		return dummy
	}
	if items[0] != 0 {
		m.raiseAt(m.firstToken(items[0]), syntaxError, "lazy from __future__ import is not allowed")
		return 0
	}
	for i := module + 2; i < m.mark; i++ {
		t := &m.tokens[i]
		if t.symbol == symbol(tokenizer.NAME) && m.tokens[i-1].symbol != firstKeyword+symbol(tokenizer.As) &&
			m.identifier(t) == "barry_as_FLUFL" {
			m.lessGreater = true
			m.tokenizer.JoinLessGreater()
		}
	}
	return dummy
}

// notEqual tells != from <>, which are one kind of token if <> is one.
func notEqual(m *machine, start int32, items *values) value {
	spelling := m.text(&m.tokens[start])
	if m.lessGreater && spelling != "<>" {
		m.raiseLast(syntaxError, "with Barry as BDFL, use '<>' instead of '!='")
		return 0
	}
	if !m.lessGreater && spelling != "!=" {
		return 0
	}
	return items[0]
}

// lessGreater complains of `a <> b`.
func lessGreater(m *machine, start int32, _ *values) value {
	if m.tokens[start].end == m.tokens[start+1].start {
		m.raiseAt(start, syntaxError, "invalid syntax.  Maybe you meant '!=' instead of '<>'?")
	}
	return 0
}

func isImaginary(number string) bool { return number[len(number)-1]|0x20 == 'j' }

// realNumber checks the first part of a pattern such as `case 1 + 2j`.
func realNumber(m *machine, start int32, items *values) value {
	if isImaginary(m.text(&m.tokens[start])) {
		m.raiseAt(start, syntaxError, "real number required in complex literal")
		return 0
	}
	return items[0]
}

// imaginaryNumber checks the second part.
func imaginaryNumber(m *machine, start int32, items *values) value {
	if !isImaginary(m.text(&m.tokens[start])) {
		m.raiseAt(start, syntaxError, "imaginary number required in complex literal")
		return 0
	}
	return items[0]
}

// orPattern joins the alternatives of a pattern; a single one is returned as it
// is.
func orPattern(m *machine, start int32, items *values) value {
	list := m.children(items[0])
	if m.cells[list].next == 0 {
		return m.cells[list].value
	}
	return m.newNode(kindPattern, start, 0)
}

// letter returns the prefix letter of the innermost open string.
func (m *machine) letter() byte {
	letter, _ := m.tokenizer.FString()
	return letter
}

// conversion checks the `!r` of a replacement field.
func conversion(m *machine, start int32, items *values) value {
	mark, name := &m.tokens[start], &m.tokens[start+1]
	if mark.row != name.row || mark.end != name.start {
		mark := "exclamation mark"
		if m.features.MisspellsExclamation {
			mark = "exclamanation mark"
		}
		m.raiseAt(start, syntaxError, m.words.Format("%c-string: conversion type must come right after the %s", m.letter(), mark))
		return 0
	}
	if m.features.FieldsCheckConversions || m.checkConversion(items[1]) {
		return items[1]
	}
	return 0
}

// checkConversion refuses a NAME that no conversion has.
func (m *machine) checkConversion(name value) bool {
	switch id := m.identifier(&m.tokens[^name]); id {
	case "s", "r", "a":
		return true
	default:
		m.raiseAt(int32(^name), syntaxError, m.words.Format("%c-string: invalid conversion character '%s': expected 's', 'r', or 'a'", m.letter(), id))
		return false
	}
}

// field lets CPython die of a `{x=}` within the format spec of a field within a
// format spec: of those it does not keep the text.
func field(m *machine, _ int32, items *values) value {
	if m.features.FieldsCheckConversions && items[3] != 0 && !m.checkConversion(items[3]) {
		return 0
	}
	justRead := int(m.mark) == len(m.tokens) // else the tokenizer is elsewhere
	if items[2] != 0 && justRead && m.tokenizer.Fields() > 1 {
		m.die("ValueError", "field 'value' is required for Constant")
		return 0
	}
	return dummy
}

// formatSpec decodes a literal part of a format spec. CPython forgets to turn
// a failure into a SyntaxError.
func formatSpec(m *machine, start int32, items *values) value {
	t := &m.tokens[start]
	if _, raw := m.tokenizer.FString(); raw && m.features.RawSpecs || t.flags&tokenizer.Backslash == 0 {
		return items[0]
	}
	if message := m.undecodable(m.text(t)); message != "" {
		m.die("UnicodeDecodeError", message)
		return 0
	}
	return items[0]
}

// formattedString decodes the literal parts of an f- or t-string, which runs
// from token start up to the next one. Parts of format specs are not among
// them: they lie within braces.
func formattedString(m *machine, start int32, items *values) value {
	kind := kindJoinedStr
	if m.tokens[start].symbol == symbol(tokenizer.TSTRING_START) {
		kind = kindTemplateStr
	}
	v := m.newNode(kind, start, 0)
	if strings.ContainsAny(m.text(&m.tokens[start]), "rR") {
		return v
	}
	depth := 0
	field, last := start, start // the brace of the field, and its last ! if there was one
	for i := start + 1; i < m.mark-1; i++ {
		switch t := &m.tokens[i]; tokenizer.Kind(t.symbol) {
		case tokenizer.LBRACE, tokenizer.LPAR, tokenizer.LSQB:
			if depth == 0 {
				field, last = i, start
			}
			depth++
		case tokenizer.RBRACE, tokenizer.RPAR, tokenizer.RSQB:
			depth--
		case tokenizer.NOTEQUAL:
			if depth == 1 {
				last = i
			}
		case tokenizer.EQUAL:
			if depth == 1 && m.features.UnescapesFieldTexts {
				end := m.tokens[i+1].start
				if m.tokens[i+1].symbol == symbol(tokenizer.COLON) && last > start {
					end = m.tokens[last].start
				}
				m.decoded = pytext.AppendWithoutComments(m.decoded[:0], m.file.Text[m.tokens[field].end:end], m.features.CommentsRespectQuotes)
				if message := m.undecodable(string(m.decoded)); message != "" {
					m.raiseLast(syntaxError, m.words.Format("(unicode error) %s", message))
					return 0
				}
			}
		case tokenizer.FSTRING_MIDDLE, tokenizer.TSTRING_MIDDLE:
			if depth > 0 || t.flags&tokenizer.Backslash == 0 {
				continue
			}
			if message := m.undecodable(m.text(t)); message != "" {
				at := int32(len(m.tokens) - 1)
				if m.features.PlacesFStringEscapes {
					at = i
				}
				m.raiseNear(at, syntaxError, m.words.Format("(unicode error) %s", message))
				return 0
			}
		}
	}
	return v
}

// stringLiteral decodes a STRING.
func stringLiteral(m *machine, start int32, _ *values) value {
	kind, ok := m.decodeLiteral(start)
	if !ok {
		return 0
	}
	return m.newNode(kind, start, 0)
}

// decodeLiteral decodes the STRING at a token, which is no f-string.
func (m *machine) decodeLiteral(at int32) (kind nodeKind, ok bool) {
	t := &m.tokens[at]
	literal := pytext.ParseLiteral(m.text(t))
	kind = kindString
	if literal.Bytes {
		kind = kindBytes
		if !pytext.IsASCII(literal.Body) {
			const message = "bytes can only contain ASCII literal characters"
			if m.features.PlacesHighBytes {
				m.raiseAt(at, syntaxError, message)
			} else {
				m.raiseLast(syntaxError, message)
			}
			return 0, false
		}
	}
	if literal.Raw || t.flags&tokenizer.Backslash == 0 {
		return kind, true
	}
	message := ""
	if literal.Bytes {
		if message = m.undecodableBytes(literal.Body); message != "" {
			message = m.words.Format("(value error) %s", message)
		}
	} else if message = m.undecodable(literal.Body); message != "" {
		message = m.words.Format("(unicode error) %s", message)
	}
	if message != "" {
		m.raiseLast(syntaxError, message)
		return 0, false
	}
	return kind, true
}

// concatenation joins adjacent strings.
func concatenation(m *machine, start int32, items *values) value {
	list := m.children(items[0])
	if m.cells[list].next == 0 {
		return m.cells[list].value
	}
	kind, text, bytes := kindString, false, false
	for at := list; at != 0; at = m.cells[at].next {
		switch m.kindOf(m.cells[at].value) {
		case kindBytes:
			bytes = true
		case kindJoinedStr:
			kind = kindJoinedStr
			text = true
		default:
			text = true
		}
	}
	if text && bytes {
		m.raiseLast(syntaxError, "cannot mix bytes and nonbytes literals")
		return 0
	}
	if bytes {
		kind = kindBytes
	}
	return m.newNode(kind, start, 0)
}

// mixedStrings complains of a t-string next to another string, at the last one
// before the clash.
func mixedStrings(m *machine, _ int32, items *values) value {
	at := m.children(items[0])
	for m.cells[at].next != 0 {
		at = m.cells[at].next
	}
	m.raiseAt(m.firstToken(m.cells[at].value), syntaxError, "cannot mix t-string literals with string or bytes literals")
	return 0
}

// bareGenerator complains of `f(a, b for b in c)`. The grammar gets here for
// `f(b for b in c)` as well, which is fine.
func bareGenerator(m *machine, _ int32, items *values) value {
	n, last := 0, value(0)
	for at := m.children(items[0]); at != 0; at = m.cells[at].next {
		switch v := m.cells[at].value; m.kindOf(v) {
		case kindKeyword, kindDoubleStarred:
		default:
			n++
			last = v
		}
	}
	if n > 1 {
		m.raiseAt(m.firstToken(last), syntaxError, "Generator expression must be parenthesized")
	}
	return 0
}

// positionalAfterKeyword complains of `f(a=1, b)`.
func positionalAfterKeyword(m *machine, _ int32, items *values) value {
	message := "positional argument follows keyword argument"
	for at := m.children(items[0]); at != 0; at = m.cells[at].next {
		if m.kindOf(m.cells[at].value) == kindDoubleStarred {
			message = "positional argument follows keyword argument unpacking"
		}
	}
	m.raiseLast(syntaxError, message)
	return 0
}

// isLegacy reports whether an expression is a bare print or exec.
func (m *machine) isLegacy(v value) bool {
	if m.kindOf(v) != kindName {
		return false
	}
	name := m.identifier(&m.tokens[m.firstToken(v)])
	return name == "print" || name == "exec"
}

// legacyStatement complains of `print x`.
func legacyStatement(m *machine, start int32, items *values) value {
	if m.isLegacy(items[0]) {
		name := m.identifier(&m.tokens[start])
		m.raiseAt(start, syntaxError, m.words.Format("Missing parentheses in call to '%s'. Did you mean %s(...)?", name, name))
	}
	return 0
}

// missingComma complains of `(a b)`. Outside of brackets two expressions in a
// row are no sign of a missing comma.
func missingComma(m *machine, _ int32, items *values) value {
	if m.isLegacy(items[1]) || m.tokens[m.mark-1].level == 0 {
		return 0
	}
	const message = "invalid syntax. Perhaps you forgot a comma?"
	first, last := &m.tokens[m.firstToken(items[1])], &m.tokens[m.lastToken(items[1])]
	row := int(last.row) + strings.Count(m.text(last), "\n")
	if !m.features.MissingCommaInLastRow || row == int(first.row) {
		m.raiseAt(m.firstToken(items[1]), syntaxError, message)
		return 0
	}
	m.place(syntaxError, message, row, int(first.start-m.file.LineStart(int(first.row)))+1)
	return 0
}

// bound complains of `*T: x` or `**P: x` among type parameters.
func bound(m *machine, items *values, what string) value {
	text := "cannot use bound with %s"
	if m.kindOf(items[3]) == kindTuple {
		text = "cannot use constraints with %s"
	}
	m.raiseAt(m.firstToken(items[2]), syntaxError, m.words.Format(text, what))
	return 0
}

// A targetKind is the use of a target.
type targetKind uint8

const (
	assigning targetKind = iota
	deleting
	looping // `for x in`
)

// badTarget raises the error for the first part of an expression that cannot be assigned to or
// deleted, if there is one.
func badTarget(m *machine, v value, kind targetKind) value {
	if bad := m.invalidTarget(v, kind); bad != 0 {
		text := "cannot assign to %s"
		if kind == deleting {
			text = "cannot delete %s"
		}
		m.raiseAt(m.firstToken(bad), syntaxError, m.words.Format(text, kinds[m.kindOf(bad)].called))
	}
	return 0
}

// invalidTarget returns the first part of an expression that is no target.
func (m *machine) invalidTarget(v value, kind targetKind) value {
	switch m.kindOf(v) {
	case kindName, kindAttribute, kindSubscript:
		return 0
	case kindList, kindTuple:
		for at := m.children(v); at != 0; at = m.cells[at].next {
			if bad := m.invalidTarget(m.cells[at].value, kind); bad != 0 {
				return bad
			}
		}
		return 0
	case kindStarred:
		if kind != deleting {
			return m.invalidTarget(m.cells[m.children(v)].value, kind)
		}
	case kindCompare:
		// `for x in y` reads `x in y` as a comparison.
		if kind == looping {
			left := m.children(v)
			if m.kindOf(m.cells[m.cells[left].next].value) == kindIn {
				return m.invalidTarget(m.cells[left].value, kind)
			}
			return 0
		}
	}
	return v
}
