package parser

import (
	"strings"

	"codelinter/ast"
	"codelinter/internal/python/pytext"
	"codelinter/tokenizer"
)

// number uses the current token, a NUMBER.
func (p *Parser) number() *ast.Constant {
	start := p.token.Start
	text := p.text[start:p.token.End]
	if rest := p.text[p.token.End:]; rest != "" && !tokenizer.EndsNumber(rest, p.features) {
		refuse() // 1a
	}
	p.next()
	return p.nodes.constant.put(ast.Constant{Range: p.from(start), Type: numberType(text), Text: text})
}

// numberType returns the type of a literal. It refuses literals that only the tokenizer's loose
// mode accepts: 0777, and integers too long to convert.
func numberType(text string) ast.ConstantType {
	if len(text) == 1 {
		return ast.Int
	}
	if text[0] == '0' {
		switch text[1] | 0x20 {
		case 'x', 'o', 'b':
			return ast.Int
		}
	}
	nonzero := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == 'j' || c == 'J':
			return ast.Complex
		case c == '.' || c|0x20 == 'e':
			if text[len(text)-1]|0x20 == 'j' {
				return ast.Complex
			}
			return ast.Float
		case c != '0' && c != '_':
			nonzero = true
		}
	}
	if text[0] == '0' {
		if nonzero {
			refuse()
		}
		return ast.Int // zeros without limit
	}
	if len(text) > pytext.MaxIntDigits && len(text)-strings.Count(text, "_") > pytext.MaxIntDigits {
		refuse()
	}
	return ast.Int
}
