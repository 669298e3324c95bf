package pytext

// A Literal is a string literal taken apart: its text is prefix, quotes, body,
// quotes.
type Literal struct {
	Body  string // what stands between the quotes
	Bytes bool   // b'...'
	Raw   bool   // r'...'
}

// ParseLiteral splits a string literal, which must not be an f- or t-string. It may panic if text
// is not a literal.
func ParseLiteral(text string) Literal {
	var l Literal
	i := 0
	for ; text[i] != '\'' && text[i] != '"'; i++ {
		switch text[i] | 0x20 {
		case 'b':
			l.Bytes = true
		case 'r':
			l.Raw = true
		}
	}
	quote := 1
	if len(text)-i >= 6 && text[i+1] == text[i] && text[i+2] == text[i] {
		quote = 3
	}
	l.Body = text[i+quote : len(text)-quote]
	return l
}
