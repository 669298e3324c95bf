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
	if staysNormal(name) {
		return name
	}
	name = strings.Map(outlinedDigit, name)
	if !norm.NFKC.IsNormalString(name) {
		p.normal = norm.NFKC.AppendString(p.normal[:0], name)
		name = p.nodes.text.keep(p.normal)
	}
	switch name {
	case "None", "True", "False":
		refuse()
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

// outlinedDigit returns the digit that an outlined one stands for. They are the
// only characters for identifiers that Unicode 16 normalises on its own and that
// Unicode 15, of package norm, does not know.
func outlinedDigit(r rune) rune {
	if 0x1ccf0 <= r && r <= 0x1ccf9 {
		return r - 0x1ccf0 + '0'
	}
	return r
}
