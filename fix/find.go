package fix

import (
	"sort"

	"codelinter/ast"
	"codelinter/rule"
)

// overBudget reports whether find has visited so many nodes that it gives up.
func (s *analysis) overBudget() bool { return s.work > 1<<16+64*len(s.text) }

// find returns the first wanted node in the module's statement at an offset. It skips nodes
// that end before the offset, and gives up after very many nodes.
func (s *analysis) find(offset int32, wanted func(ast.Node) bool) ast.Node {
	at := s.statementAt(offset)
	if at == len(s.module.Body) || s.overBudget() {
		return nil
	}
	var found ast.Node
	ast.Inspect(s.module.Body[at], func(n ast.Node) bool {
		s.work++
		if found != nil || n.Bounds().End <= offset {
			return false
		}
		if wanted(n) {
			found = n
		}
		return found == nil
	})
	return found
}

// findNode is find for nodes of one type.
func findNode[N ast.Node](s *analysis, offset int32, wanted func(N) bool) N {
	found, _ := s.find(offset, func(n ast.Node) bool {
		node, is := n.(N)
		return is && wanted(node)
	}).(N)
	return found
}

// isReported reports whether a finding of a code begins at an offset.
func (s *analysis) isReported(code rule.Code, offset int32) bool {
	row := s.file.Row(offset)
	i := sort.Search(len(s.findings), func(i int) bool { return int(s.findings[i].Row) >= row })
	for ; i < len(s.findings) && int(s.findings[i].Row) == row; i++ {
		if s.findings[i].Code == code && s.findings[i].Start == offset {
			return true
		}
	}
	return false
}
