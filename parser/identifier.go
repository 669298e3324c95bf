package parser

import (
	"codelinter/internal/pytext"
	"codelinter/tokenizer"
)

// identifierBeyondASCII is identifier for a NAME with other characters.
func (p *Parser) identifierBeyondASCII() string {
	name := p.normalize(p.text[p.token.Start:p.token.End])
	p.next()
	return name
}

// normalize returns the NFKC form of an identifier beyond ASCII, and refuses a text that is no
// identifier.
func (p *Parser) normalize(name string) string {
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
