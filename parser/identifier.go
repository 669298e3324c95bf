package parser

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"codelinter/tokenizer"
)

// normalize returns the name that an identifier beyond ASCII stands for, and
// refuses what is no identifier.
func (p *Parser) normalize(name string) string {
	if !tokenizer.IsIdentifier(name) {
		refuse()
	}
	name = strings.Map(outlinedDigit, name)
	if !norm.NFKC.IsNormalString(name) {
		name = norm.NFKC.String(name)
	}
	switch name {
	case "None", "True", "False":
		refuse()
	}
	return name
}

// outlinedDigit returns the digit that an outlined one stands for. They are the
// only characters for identifiers that Unicode 16 normalises on its own and that
// Unicode 15, of package norm, does not know.
func outlinedDigit(r rune) rune {
	if 0x1ccf0 <= r && r <= 0x1ccf9 {
		return r - 0x1ccf0 + '0'
	}
	return r
}
