package fix

import (
	"slices"

	"codelinter/ast"
	"codelinter/tokenizer"
)

// dropStatement removes a statement, with its row if it has nothing else. The only statement
// of a block becomes pass. A statement above a string stays, as the string would become a
// docstring.
func (s *analysis) dropStatement(r ast.Range) []Edit { return s.dropFrom(r.Start, r) }

// dropFrom is dropStatement for a statement with decorators, which begin at start.
func (s *analysis) dropFrom(start int32, r ast.Range) []Edit {
	head, foot := &s.lines[s.lineAt(start)], &s.lines[s.lineAt(r.End-1)]
	last := foot.last - 1
	for last > foot.first && s.tokens[last].Kind == tokenizer.COMMENT {
		last--
	}
	if s.tokens[head.first].Start != start || s.tokens[last].End != r.End {
		return nil
	}
	body := s.blockOf(r)
	if len(body) == 1 {
		return []Edit{{start, r.End, "pass"}}
	}
	if body == nil {
		body = s.module.Body
	}
	if text := slices.IndexFunc(body, ast.IsText); text > 0 && r.Start < body[text].Bounds().Start && !slices.ContainsFunc(body[:text], stays) {
		return nil
	}
	return []Edit{{s.file.LineStart(int(s.tokens[head.first].Row)), s.tokens[foot.last].End, ""}}
}

// stays reports whether no edit removes a statement as a whole.
func stays(n ast.Stmt) bool {
	switch n.Kind() {
	case ast.KindImport, ast.KindImportFrom, ast.KindGlobal, ast.KindNonlocal, ast.KindAssign, ast.KindAnnAssign, ast.KindFunctionDef, ast.KindAsyncFunctionDef:
		return false
	}
	return true
}

// blockOf returns the block of a statement, if that is not the module's.
func (s *analysis) blockOf(r ast.Range) (block []ast.Stmt) {
	s.find(r.Start, func(n ast.Node) bool {
		statement, is := n.(ast.Stmt)
		if !is {
			return false
		}
		for _, body := range ast.Blocks(statement) {
			for _, statement := range body {
				if statement.Bounds() == r {
					block = body
					return true
				}
			}
		}
		return false
	})
	return block
}

// decoratedStart returns the start of a definition with its decorators.
func (s *analysis) decoratedStart(n ast.Node) int32 {
	list := ast.Decorators(n)
	if len(list) == 0 {
		return n.Bounds().Start
	}
	i := s.tokenAt(list[0].Bounds().Start)
	for i > 0 && s.tokens[i].Kind != tokenizer.AT {
		i--
	}
	return s.tokens[i].Start
}
