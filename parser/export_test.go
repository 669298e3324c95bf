package parser

// Skipped returns how many valid statements the last Diagnose has passed over.
func (p *Parser) Skipped() int { return p.diagnoser.Skipped() }
