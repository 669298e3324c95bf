package evaluator

import "strings"

// hasCode reports whether a text has code with an effect: more than blanks, form feeds,
// comments, "pass", "..." and statements that are one literal, such as a docstring. For a
// text that is not Python the result may be either. It reads up to the first code with an
// effect, with which most texts begin.
func hasCode(text string) bool {
	text = strings.TrimPrefix(text, "\ufeff")
	for text != "" {
		switch c := text[0]; {
		case strings.IndexByte(" \t\f\r\n;\\", c) >= 0:
			text = text[1:]
		case c == '#':
			text = text[len(text)-len(strings.TrimLeft(text, "#")):]
			end := strings.IndexAny(text, "\r\n")
			if end < 0 {
				return false
			}
			text = text[end:]
		case strings.HasPrefix(text, "..."):
			text = text[3:]
		case '0' <= c && c <= '9':
			text = text[wordEnd(text, "."):]
		default:
			end := wordEnd(text, "")
			switch word := text[:end]; {
			case word == "pass", word == "None", word == "True", word == "False":
				text = text[end:]
			case len(word) <= 2 && strings.Trim(word, "bBrRuU") == "" && end < len(text) && (text[end] == '"' || text[end] == '\''):
				text = text[end:]
				text = text[literalEnd(text):]
			default:
				return true
			}
		}
	}
	return false
}

// wordEnd returns the length of the letters, digits, underscores and bytes of more at the
// start of text.
func wordEnd(text, more string) int {
	for i := range len(text) {
		if c := text[i]; !isNameByte(c) && strings.IndexByte(more, c) < 0 {
			return i
		}
	}
	return len(text)
}

// isNameByte reports whether a name may have a byte; characters beyond ASCII count as letters.
func isNameByte(c byte) bool { return nameBytes[c>>6]>>(c&63)&1 != 0 }

// nameBytes has a bit for each byte.
var nameBytes = [4]uint64{
	(1<<10 - 1) << '0',
	(1<<26-1)<<('A'-64) | 1<<('_'-64) | (1<<26-1)<<('a'-64),
	1<<64 - 1,
	1<<64 - 1,
}

// literalEnd returns the length of the string literal at the start of text. An unclosed one
// extends to the end.
func literalEnd(text string) int {
	quote := text[:1]
	if len(text) >= 3 && text[1] == text[0] && text[2] == text[0] {
		quote = text[:3]
	}
	for i := len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == quote[0] && strings.HasPrefix(text[i:], quote):
			return i + len(quote)
		}
	}
	return len(text)
}
