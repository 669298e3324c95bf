package parser

import "codelinter/tokenizer"

// normalize returns the name that an identifier beyond ASCII stands for, and
// refuses what is no identifier.
func (p *Parser) normalize(name string) string {
	if !tokenizer.IsIdentifier(name, p.facts.Unicode) {
		refuse()
	}
	if staysNormal(name) {
		return name
	}
	if !isNormal(name) {
		p.normal = appendNormal(p.normal[:0], name)
		name = p.nodes.text.keep(p.normal)
	}
	switch name {
	case "None", "True", "False":
		if p.facts.ConstantsAreNoNames {
			refuse()
		}
	}
	return name
}

// staysNormal tells of most names in most languages that normalising leaves them
// alone: none of their characters decomposes, or joins with its neighbour.
// Package norm, which knows of the others, allocates.
func staysNormal(name string) bool {
	for _, r := range name {
		switch {
		case r < 0x80, 0xc0 <= r && r <= 0x131, 0x391 <= r && r <= 0x3c9,
			0x400 <= r && r <= 0x481, 0x3041 <= r && r <= 0x3096, 0x30a1 <= r && r <= 0x30fa,
			0x4e00 <= r && r <= 0x9fff, 0xac00 <= r && r <= 0xd7a3:
		default:
			return false
		}
	}
	return true
}
