package pep8

import (
	"bytes"
	"unicode/utf8"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// singletonComparisons reports E711 and E712.
//
//	x == None        None != x        x == True
//
// That is where the logical line matches
//
//	(\bNone|\bFalse|\bTrue)?\s*([=!]=)\s*(?(1)|(None|False|True))\b
//
// The match has the singleton before the operator if a word follows, and otherwise the one after
// it. A singleton is matched only once, so x == None == y is one finding.
func (c *Checker) singletonComparisons() {
	line := c.logicalText()
	used := 0 // the end of the match before
	for at := 0; at+1 < len(line); at++ {
		if line[at+1] != '=' || line[at] != '=' && line[at] != '!' {
			continue
		}
		operator := at
		at++
		next := skipSpace(line, operator+2)
		end := wordEnd(line, next, c.unicode())
		if end == next {
			continue
		}
		singleton := singletonBefore(line[used:operator], c.unicode())
		if singleton != tokenizer.NotKeyword {
			used = next
		} else if singleton = keywordOf(line[next:end]); isSingleton(singleton) {
			used = end
		} else {
			continue
		}
		code, text := singletonText(singleton, line[operator] == '=')
		c.atLogical(rule.Finding{Code: code}.With(rule.Values{Text: text}), operator, 2)
	}
}

// singletonBefore returns the singleton that a text ends with, white space aside.
func singletonBefore(text []byte, u characters.Unicode) tokenizer.Keyword {
	text = bytes.TrimRight(text, " \t\f")
	for _, name := range [...]string{"None", "False", "True"} {
		if rest, ok := bytes.CutSuffix(text, []byte(name)); ok && !endsInWord(rest, u) {
			return tokenizer.LookupKeyword(name)
		}
	}
	return tokenizer.NotKeyword
}

// endsInWord reports whether \w matches a text's last character.
func endsInWord(text []byte, u characters.Unicode) bool {
	c, size := utf8.DecodeLastRune(text)
	return size > 0 && u.IsWord(c)
}

func isSingleton(k tokenizer.Keyword) bool {
	return k == tokenizer.None || k == tokenizer.True || k == tokenizer.False
}

// singletonText returns the code of the comparison and the end of its message.
func singletonText(singleton tokenizer.Keyword, equal bool) (rule.Code, string) {
	switch {
	case singleton == tokenizer.None && equal:
		return rule.E711, "None should be 'if cond is None:'"
	case singleton == tokenizer.None:
		return rule.E711, "None should be 'if cond is not None:'"
	case singleton == tokenizer.True && equal:
		return rule.E712, "True should be 'if cond is True:' or 'if cond:'"
	case singleton == tokenizer.True:
		return rule.E712, "True should be 'if cond is not True:' or 'if not cond:'"
	case equal:
		return rule.E712, "False should be 'if cond is False:' or 'if not cond:'"
	}
	return rule.E712, "False should be 'if cond is not False:' or 'if cond:'"
}

// negatedComparisons reports E713 and E714, the first of a line.
//
//	not x in y        not x is y
//
// That is where the logical line first matches
//
//	\b(?<!is\s)(not)\s+[^][)(}{ ]+\s+(in|is)\s
func (c *Checker) negatedComparisons() {
	if !c.mayNegate() {
		return
	}
	line := c.logicalText()
	for at := 0; at < len(line); {
		var start int
		start, at = nextWord(line, at, c.unicode())
		if string(line[start:at]) != "not" {
			continue
		}
		if start >= 3 && pytext.IsTokenSpace(line[start-1]) && line[start-2] == 's' && line[start-3] == 'i' {
			continue
		}
		if operator := negatedOperator(line, at); operator != 0 {
			code := rule.E714
			if operator == 'n' {
				code = rule.E713
			}
			c.atLogical(rule.Finding{Code: code}, start, len("not"))
			return
		}
	}
}

// mayNegate reports whether in or is follows not without a bracket between them, which
// spares most lines their text.
func (c *Checker) mayNegate() bool {
	if c.traits&brokenName != 0 {
		return true
	}
	negated := false
	for i := range c.tokens {
		switch t := &c.tokens[i]; {
		case t.Keyword == tokenizer.Not:
			negated = true
		case t.Keyword == tokenizer.In || t.Keyword == tokenizer.Is:
			if negated {
				return true
			}
		case t.Kind.IsOpener() || t.Kind.IsCloser():
			negated = false
		}
	}
	return false
}

// negatedOperator matches the text after not, up to in or is. It returns the second letter of in or
// is, or 0 if there is no match. The longest operand counts.
//
// An operand may hold tabs and form feeds, or be a single one.
func negatedOperator(line []byte, at int) (found byte) {
	start := skipSpace(line, at)
	if start == at {
		return 0
	}
	if start-at > 2 && bytes.ContainsAny(line[at+1:start-1], "\t\f") {
		found = inOrIs(line, start)
	}
	for end := start; end < len(line) && !isBracket(line[end]); end++ {
		if !pytext.IsTokenSpace(line[end]) {
			continue
		}
		word := skipSpace(line, end)
		if end > start {
			if operator := inOrIs(line, word); operator != 0 {
				found = operator
			}
		}
		if bytes.IndexByte(line[end:word], ' ') >= 0 {
			break
		}
		end = word - 1
	}
	return found
}

// inOrIs returns the second letter of the word in or is at an offset, 0 if there
// is none with white space after it.
func inOrIs(line []byte, at int) byte {
	if at+2 < len(line) && line[at] == 'i' && (line[at+1] == 'n' || line[at+1] == 's') && pytext.IsTokenSpace(line[at+2]) {
		return line[at+1]
	}
	return 0
}

func isBracket(b byte) bool {
	switch b {
	case '[', ']', '(', ')', '{', '}':
		return true
	}
	return false
}

// typeComparisons reports E721, the first of a line.
//
//	type(a) == type(b)
//
// That is where the logical line first matches
//
//	[=!]=\s+type(?:\s*\(\s*([^)]*[^\s)])\s*\))
//	|(?<!\.)\btype(?:\s*\(\s*([^)]*[^\s)])\s*\))\s+[=!]=
//
// unless the first alternative matches with a plain name in its parentheses.
func (c *Checker) typeComparisons() {
	line := c.logicalText()
	for at := 0; at < len(line); at++ {
		switch {
		case line[at] == '=' || line[at] == '!':
			if at+2 >= len(line) || line[at+1] != '=' || !pytext.IsTokenSpace(line[at+2]) {
				continue
			}
			argument, end := typeCall(line, skipSpace(line, at+2))
			if end < 0 {
				continue
			}
			if !tokenizer.IsIdentifier(string(argument), c.options.Target) || isSingleton(tokenizer.LookupKeyword(string(argument))) {
				c.atLogical(rule.Finding{Code: rule.E721}, at, 2)
			}
			return
		case line[at] == 't' && (at == 0 || line[at-1] != '.' && !endsInWord(line[:at], c.unicode())):
			_, end := typeCall(line, at)
			if end < 0 || end >= len(line) || !pytext.IsTokenSpace(line[end]) {
				continue
			}
			end = skipSpace(line, end)
			if end+1 < len(line) && (line[end] == '=' || line[end] == '!') && line[end+1] == '=' {
				c.atLogical(rule.Finding{Code: rule.E721}, at, len("type"))
				return
			}
		}
	}
}

// typeCall matches type(...) at an offset. It returns the argument, without the white space
// around it, and the offset after the call, or -1 if there is no match. The argument ends
// at the first closing parenthesis.
func typeCall(line []byte, at int) (argument []byte, end int) {
	if !bytes.HasPrefix(line[at:], []byte("type")) {
		return nil, -1
	}
	open := skipSpace(line, at+len("type"))
	if open >= len(line) || line[open] != '(' {
		return nil, -1
	}
	n := bytes.IndexByte(line[open:], ')')
	if n < 0 {
		return nil, -1
	}
	argument = bytes.Trim(line[open+1:open+n], " \t\f")
	if len(argument) == 0 {
		return nil, -1
	}
	return argument, open + n + 1
}
