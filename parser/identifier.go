package parser

import (
	"golang.org/x/text/unicode/norm"

	"codelinter/tokenizer"
)

// normalize returns the name that an identifier beyond ASCII stands for, and
// refuses what is no identifier.
func (p *Parser) normalize(name string) string {
	if !tokenizer.IsIdentifier(name) {
		refuse()
	}
	if !norm.NFKC.IsNormalString(name) {
		name = norm.NFKC.String(name)
	}
	switch name {
	case "None", "True", "False":
		refuse()
	}
	return name
}
