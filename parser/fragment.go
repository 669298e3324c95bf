package parser

import (
	"codelinter/ast"
	"codelinter/tokenizer"
)

// Reset forgets the trees made so far, whose memory the next ones will use. Parse calls Reset
// itself. Callers that use only ParseExpression and ParseFragment must call it.
func (p *Parser) Reset() { p.nodes.reset() }

// ParseFragment is ParseText for a part of another text, such as an example in a docstring:
// it keeps earlier trees valid. The lines must end in "\n".
func (p *Parser) ParseFragment(text string, o Options) (*ast.Module, bool) {
	tokens, err := p.tokenizer.Tokenize(text, tokenizer.Options{Target: o.Target, ForParser: true})
	if err != nil {
		return nil, false
	}
	return p.parse(text, tokens, o.Target.Features())
}
