package pytext

import "strings"

// An FString splits the body of an f-string as CPython did before 3.12, when an f-string was one
// token and its fields were found by looking for braces:
//
//	body:  (literal field)* literal
//	field: '{' expression ['=' blanks] ['!' letter] [':' body] '}'
//
// It stops where CPython would raise an error; Err is then the error's message. The caller decodes
// literals and parses expressions between the calls, as CPython does each of these before it reads
// on. For each body the caller calls Literal until More is false. After each literal that a field
// follows, it calls Expression, Rest and Close. If Rest says that a format spec follows, the spec's
// body is read before Close.
type FString struct {
	// NamesEmpty says that {!r} is told apart from {}, as it is from 3.11 on.
	NamesEmpty bool
	// Err is the message of the error that ended the f-string.
	Err string

	text    string
	at, end int
	raw     bool
	depth   int // of format specs
}

// maxFieldDepth is how deep fields may be nested in format specs.
const maxFieldDepth = 2

// maxParentheses is how deep brackets may be nested in an expression.
const maxParentheses = 200

// NewFString returns the FString of the body text[start:end].
func NewFString(text string, start, end int, raw bool) FString {
	return FString{text: text, at: start, end: end, raw: raw}
}

func (f *FString) fail(message string) bool {
	f.Err = message
	return false
}

// Literal moves past literal text, text[start:end]. If a doubled brace follows, its first brace is
// included and again is true: the literal text continues after the pair.
func (f *FString) Literal() (start, end int, again, ok bool) {
	start = f.at
	i := start
	for i < f.end {
		c := f.text[i]
		i++
		if c == '\\' && !f.raw && i < f.end {
			c = f.text[i]
			i++
			if c == 'N' {
				// The braces of \N{DASH} are no field's. Without a brace it is
				// an error, which shows when the text is decoded.
				if i < f.end {
					i++
					if f.text[i-1] == '{' {
						for i < f.end {
							i++
							if f.text[i-1] == '}' {
								break
							}
						}
					}
				}
				continue
			}
		}
		if c != '{' && c != '}' {
			continue
		}
		if f.depth == 0 {
			if i < f.end && f.text[i] == c {
				f.at = i + 1
				return start, i, true, true
			}
			if c == '}' {
				return 0, 0, false, f.fail("f-string: single '}' is not allowed")
			}
		}
		i--
		break
	}
	f.at = i
	return start, i, false, true
}

// More reports whether a field follows; otherwise the body has ended.
func (f *FString) More() bool { return f.at < f.end && f.text[f.at] == '{' }

// Expression moves past a field's brace and its expression, which is
// text[start:end].
func (f *FString) Expression() (start, end int, ok bool) {
	if f.depth >= maxFieldDepth {
		return 0, 0, f.fail("f-string: expressions nested too deeply")
	}
	start = f.at + 1
	if ok := f.skipExpression(start); !ok {
		return 0, 0, false
	}
	end = f.at
	if strings.Trim(f.text[start:end], " \t\n\f") == "" {
		switch c := f.text[end]; {
		case f.NamesEmpty && c != '}':
			return 0, 0, f.fail("f-string: expression required before '" + string(c) + "'")
		}
		return 0, 0, f.fail("f-string: empty expression not allowed")
	}
	return start, end, true
}

// skipExpression finds the end of the expression that begins at i: one of ! : = } that is outside
// of brackets and strings and belongs to no operator.
func (f *FString) skipExpression(i int) bool {
	var open [maxParentheses]byte
	depth := 0
	quote, size := byte(0), 0
loop:
	for ; i < f.end; i++ {
		c := f.text[i]
		if c == '\\' {
			return f.fail("f-string expression part cannot include a backslash")
		}
		triple := i+2 < f.end && f.text[i+1] == c && f.text[i+2] == c
		if quote != 0 {
			if c == quote && (size == 1 || triple) {
				i += size - 1
				quote = 0
			}
			continue
		}
		switch c {
		case '\'', '"':
			quote, size = c, 1
			if triple {
				size = 3
				i += 2
			}
		case '[', '{', '(':
			if depth >= maxParentheses {
				return f.fail("f-string: too many nested parenthesis")
			}
			open[depth] = c
			depth++
		case '#':
			return f.fail("f-string expression part cannot include '#'")
		case '!', ':', '=', '>', '<', ']', '}', ')':
			if depth == 0 && c != ']' && c != ')' {
				if c != ':' && c != '}' && i+1 < f.end && f.text[i+1] == '=' {
					i++ // != == <= >=
					continue
				}
				if c == '<' || c == '>' {
					continue
				}
				break loop
			}
			if c != ']' && c != '}' && c != ')' {
				continue
			}
			if depth == 0 {
				return f.fail("f-string: unmatched '" + string(c) + "'")
			}
			depth--
			if closing := strings.IndexByte("([{", open[depth]); c != ")]}"[closing] {
				return f.fail("f-string: closing parenthesis '" + string(c) + "' does not match opening parenthesis '" + string(open[depth]) + "'")
			}
		}
	}
	f.at = min(i, f.end)
	switch {
	case quote != 0:
		return f.fail("f-string: unterminated string")
	case depth > 0:
		return f.fail("f-string: unmatched '" + string(open[depth-1]) + "'")
	case f.at >= f.end:
		return f.fail("f-string: expecting '}'")
	}
	return true
}

// Rest moves past the part of a field after its expression, such as = !r of {x = !r}. debug is the
// offset after the = and its blanks, or 0; conversion is the letter, or 0. spec says that a format
// spec follows.
func (f *FString) Rest() (debug int, conversion byte, spec, ok bool) {
	runsOut := func() (int, byte, bool, bool) { return 0, 0, false, f.fail("f-string: expecting '}'") }
	if f.text[f.at] == '=' {
		f.at++
		for f.at < f.end && (f.text[f.at] == ' ' || '\t' <= f.text[f.at] && f.text[f.at] <= '\r') {
			f.at++
		}
		if f.at >= f.end {
			return runsOut()
		}
		debug = f.at
	}
	if f.text[f.at] == '!' {
		if f.at+1 >= f.end {
			return runsOut()
		}
		conversion = f.text[f.at+1]
		f.at += 2
		if conversion != 's' && conversion != 'r' && conversion != 'a' {
			return 0, 0, false, f.fail("f-string: invalid conversion character: expected 's', 'r', or 'a'")
		}
		if f.at >= f.end { // at the closing quote
			return debug, conversion, false, true
		}
	}
	if f.text[f.at] == ':' {
		f.at++
		if f.at >= f.end {
			return runsOut()
		}
		f.depth++
		return debug, conversion, true, true
	}
	return debug, conversion, false, true
}

// EndSpec ends the body of a format spec.
func (f *FString) EndSpec() bool {
	if f.at >= f.end || f.text[f.at] != '}' {
		return f.fail("f-string: expecting '}'")
	}
	f.depth--
	return true
}

// Close moves over the brace that ends a field.
func (f *FString) Close() bool {
	if f.at >= f.end || f.text[f.at] != '}' {
		return f.fail("f-string: expecting '}'")
	}
	f.at++
	return true
}

// AppendWithoutComments appends the text of a field without its comments, as CPython since 3.12
// shows it for {x=}. CPython finds comments by counting quotes. If quotes is false, every # begins
// a comment.
func AppendWithoutComments(out []byte, text string, quotes bool) []byte {
	if quotes && !hasComment(text) {
		return append(out, text...)
	}
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if quotes && (c == '\'' || c == '"') {
			quote = toggle(quote, c)
		} else if c == '#' && quote == 0 {
			n := strings.IndexByte(text[i:], '\n')
			if n < 0 {
				break
			}
			i += n
			c = '\n'
		}
		out = append(out, c)
	}
	return out
}

// hasComment reports whether there is a # outside of quotes.
func hasComment(text string) bool {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '\'' || c == '"':
			quote = toggle(quote, c)
		case c == '#' && quote == 0:
			return true
		}
	}
	return false
}

// toggle returns the quote that is open after c, a quote.
func toggle(open, c byte) byte {
	switch open {
	case 0:
		return c
	case c:
		return 0
	}
	return open
}
