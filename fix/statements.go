package fix

import (
	"strings"

	"codelinter/rule"
	"codelinter/tokenizer"
)

// dropSemicolon removes a semicolon at the end of a statement and the blanks before it.
func dropSemicolon(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	start, _ := s.gap(finding.Start, finding.Start)
	return []Edit{{start, finding.End, ""}}
}

// splitImports splits an import of several modules.
//
//	import os, sys      import os
//	                    import sys
func splitImports(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	l := &s.lines[s.lineAt(finding.Start)]
	if s.tokens[l.first].Keyword != tokenizer.Import {
		return nil
	}
	indent := s.indentOf(int(s.tokens[l.first].Row))
	var edits []Edit
	for i := l.first; i < l.last; i++ {
		switch t := &s.tokens[i]; t.Kind {
		case tokenizer.SEMI:
			return nil // the import must be split first
		case tokenizer.COMMA:
			edits = append(edits, Edit{t.Start, s.tokens[i+1].Start, "\n" + indent + "import "})
		}
	}
	return edits
}

// splitBlock moves the statements of a row to rows of their own.
//
//	if x: y = 1; z = 2      if x:
//	                            y = 1
//	                            z = 2
func splitBlock(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	at := s.lineAt(finding.Start)
	if !f.once(at, rule.E701, "") {
		return nil
	}
	l := &s.lines[at]
	indent := s.indentOf(int(s.tokens[l.first].Row))
	inner := indent + strings.Repeat(" ", f.size)
	if strings.HasSuffix(indent, "\t") {
		inner = indent + "\t"
	}
	compound := s.beginsBlock(l)
	depth, lambdas := 0, 0
	var edits []Edit
	for i := l.first; i < l.last; i++ {
		t, next := &s.tokens[i], &s.tokens[i+1]
		depth += t.Kind.Nesting()
		switch {
		case t.Keyword == tokenizer.Lambda && depth == 0:
			lambdas++
		case t.Kind == tokenizer.COLON && depth == 0 && lambdas > 0:
			lambdas--
		case t.Kind == tokenizer.COLON && depth == 0 && compound:
			compound = false
			if isEnd(next) {
				break
			}
			indent = inner
			edits = append(edits, Edit{t.End, next.Start, "\n" + indent})
		case t.Kind == tokenizer.SEMI && depth == 0 && !isEnd(next):
			start, _ := s.gap(t.Start, t.Start)
			edits = append(edits, Edit{start, next.Start, "\n" + indent})
		}
	}
	return edits
}

func isEnd(t *tokenizer.Token) bool {
	return t.Kind == tokenizer.NEWLINE || t.Kind == tokenizer.COMMENT || t.Kind == tokenizer.NL
}

// beginsBlock reports whether a logical line begins like the head of a block.
func (s *analysis) beginsBlock(l *line) bool {
	switch s.tokens[l.first].Keyword {
	case tokenizer.Async, tokenizer.Def, tokenizer.For, tokenizer.If, tokenizer.Elif, tokenizer.Else, tokenizer.Try,
		tokenizer.Except, tokenizer.Finally, tokenizer.With, tokenizer.Class, tokenizer.While:
		return true
	case tokenizer.Match, tokenizer.Case:
		// A soft keyword, unless the next token shows that it is a name.
		next := &s.tokens[l.first+1]
		return next.Kind != tokenizer.EQUAL && next.Kind != tokenizer.COLON && next.Kind != tokenizer.DOT && !next.Kind.IsAugAssign()
	}
	return false
}

// mendEscape makes a string with an invalid escape raw. If that would change another
// escape, it doubles the backslash instead.
func mendEscape(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	i := s.tokenAt(finding.Start)
	if i == len(s.tokens) {
		return nil
	}
	t := &s.tokens[i]
	double := []Edit{{finding.Start, finding.Start, "\\"}}
	if t.Kind != tokenizer.STRING {
		return double
	}
	text := t.Text(s.text)
	quote := strings.IndexAny(text, `'"`)
	if quote < 0 || strings.ContainsAny(text[:quote], "uUfFtT") {
		return double
	}
	for at := quote; at+1 < len(text); at++ {
		if text[at] != '\\' {
			continue
		}
		if strings.IndexByte("\n\r\\'\"abfnrtvx01234567NuU", text[at+1]) >= 0 && !(strings.ContainsAny(text[:quote], "bB") && strings.IndexByte("NuU", text[at+1]) >= 0) {
			return double
		}
		at++
	}
	return []Edit{{t.Start, t.Start, "r"}}
}
