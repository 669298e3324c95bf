package fix

import (
	"strings"
	"unicode/utf8"

	"codelinter/ast"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// docstringAt returns the docstring's token at an offset, or nil.
func (s *sight) docstringAt(offset int32) *tokenizer.Token {
	i := s.tokenAt(offset)
	if i == len(s.tokens) || s.tokens[i].Kind != tokenizer.STRING || s.tokens[i].Start > offset {
		return nil
	}
	t := &s.tokens[i]
	found := false
	s.find(t.Start, func(n ast.Node) bool {
		if statement, is := n.(ast.Stmt); is {
			for _, body := range ast.Blocks(statement) {
				found = found || isDocstring(n, body, t)
			}
		}
		return found
	})
	if !found && !isDocstring(s.module, s.module.Body, t) {
		return nil
	}
	return t
}

// isDocstring reports whether a token is the docstring of a node with the body.
func isDocstring(n ast.Node, body []ast.Stmt, t *tokenizer.Token) bool {
	switch n.Kind() {
	case ast.KindModule, ast.KindFunctionDef, ast.KindAsyncFunctionDef, ast.KindClassDef:
	default:
		return false
	}
	if len(body) == 0 {
		return false
	}
	e, is := body[0].(*ast.ExprStmt)
	return is && e.Start == t.Start && e.End == t.End
}

// shortenDocstring breaks a row of a docstring between words. The judge accepts docstrings with
// the same words as equal, unless the program reads them.
//
// It leaves rows that may not be prose: those with more indentation than the docstring, examples,
// tables, and rows with a word that is too long.
func shortenDocstring(s *sight, finding *rule.Finding, f *Fixer) []Edit {
	t := s.docstringAt(finding.Start)
	row := int(finding.Row)
	if t == nil || s.hasName("__doc__") || !f.once(row, rule.W505, "") {
		return nil
	}
	start := s.file.LineStart(row)
	text := strings.TrimRight(s.file.Line(row), "\n")
	indent := s.indentOf(int(t.Row))
	if strings.Contains(indent, "\t") || !strings.HasPrefix(text, indent) {
		return nil
	}
	open := strings.Index(t.Text(s.text), `"""`)
	if open < 0 || open > 1 || strings.ContainsAny(t.Text(s.text)[:open], "rRbB") && strings.HasSuffix(text, "\\") {
		return nil
	}
	first, last := row == int(t.Row), row == s.file.Row(t.End-1)
	said := text[len(indent):]
	if !first && (strings.HasPrefix(said, " ") || strings.HasPrefix(said, "\t")) || strings.HasSuffix(said, "\\") ||
		strings.Contains(strings.TrimSpace(said), "  ") || strings.Contains(said, ">>>") || strings.Contains(said, "::") || strings.ContainsAny(said, "|\t") {
		return nil
	}
	lead := strings.TrimLeft(said, `"`)
	for _, mark := range [...]string{"- ", "* ", "+ ", ":", ".. ", "@", "#", "...", "==="} {
		if strings.HasPrefix(lead, mark) {
			return nil
		}
	}
	limit := f.options.MaxLineLength
	var out []string
	line := ""
	for i, word := range strings.Fields(said) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			line = indent + word
		case utf8.RuneCountInString(line)+1+n <= limit:
			line += " " + word
		default:
			out = append(out, line)
			line = indent + word
		}
		if utf8.RuneCountInString(line) > limit {
			if !last || !strings.HasSuffix(word, `"""`) {
				return nil
			}
		}
	}
	if last && utf8.RuneCountInString(line) > limit {
		return nil
	}
	if out = append(out, line); len(out) < 2 {
		return nil
	}
	return []Edit{{start, start + int32(len(text)), strings.Join(out, "\n")}}
}

// trim removes the blanks at the end of a docstring's row. In other strings they may matter.
func trim(s *sight, finding *rule.Finding, _ *Fixer) []Edit {
	t := s.docstringAt(finding.Start)
	if t == nil || s.hasName("__doc__") || finding.End >= t.End || strings.Contains(t.Text(s.text), ">>>") {
		return nil
	}
	return []Edit{{finding.Start, finding.End, ""}}
}
