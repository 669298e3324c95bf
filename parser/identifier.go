package parser

import (
	"codelinter/internal/python/pytext"
	"codelinter/tokenizer"
)

// normalized returns the NFKC form of the current token, a NAME beyond ASCII, and refuses a text
// that is no identifier.
func (p *Parser) normalized() string {
	name := p.text[p.token.Start:p.token.End]
	if !tokenizer.IsIdentifier(name, p.features.Version) {
		refuse()
	}
	if !pytext.IsNormalName(name) {
		if p.normal = pytext.AppendNormalName(p.normal[:0], name); string(p.normal) != name {
			name = pytext.View(p.nodes.text.keep(p.normal))
		}
	}
	switch name {
	case "None", "True", "False":
		if p.features.ConstantsAreNoNames {
			refuse()
		}
	}
	return name
}
