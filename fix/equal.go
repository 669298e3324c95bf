package fix

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// hasTreeOf reports whether a later text surely has the tree of s, and no finding about it, or the
// same ones: it has the same tokens, but for blanks in docstrings that nothing reads. It returns
// false if not only tokens count: in f-strings, which may show their own text, where tabs may be
// inconsistent, and where a backslash may end the text.
func (f *Fixer) hasTreeOf(s *analysis, next *lint.Result) bool {
	if s.file.Tabs || strings.IndexByte(s.text, '\f') >= 0 || strings.HasSuffix(next.File.Text, "\\\n") {
		return false
	}
	if len(next.Spans) == 0 {
		return !s.hasTreeFindings() && f.hasTokensOf(s, s.tokens, next.Tokens, next.File.Text)
	}
	for _, span := range next.Spans {
		if !f.hasTokensOf(s, s.tokens[span.OldFirst:span.OldEnd], next.Tokens[span.First:span.End], next.File.Text) {
			return false
		}
	}
	return true
}

// hasTokensOf is hasTreeOf for the tokens of some logical lines.
func (f *Fixer) hasTokensOf(s *analysis, before, after []tokenizer.Token, text string) bool {
	k := -1
	depth, from, to := 0, int32(0), int32(0) // f-strings around, and where the outermost begins
	for i := range before {
		t := &before[i]
		if t.Kind.IsIgnored() {
			continue
		}
		for k++; k < len(after) && after[k].Kind.IsIgnored(); k++ {
		}
		if k == len(after) || t.Kind != after[k].Kind {
			return false
		}
		u := &after[k]
		switch t.Kind {
		case tokenizer.INDENT, tokenizer.DEDENT, tokenizer.NEWLINE, tokenizer.ENDMARKER:
			continue
		case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
			if depth++; depth == 1 {
				from, to = t.Start, u.Start
			}
		case tokenizer.FSTRING_END, tokenizer.TSTRING_END:
			if depth--; depth == 0 && s.text[from:t.End] != text[to:u.End] {
				return false
			}
		case tokenizer.NUMBER: // 1if x
			if int(u.End) < len(text) && isWordByte(text[u.End]) && !isWordByte(s.text[t.End]) {
				return false
			}
		}
		if was, is := t.Text(s.text), u.Text(text); was != is && !f.isSameDoc(s, t, was, is) {
			return false
		}
	}
	for k++; k < len(after) && after[k].Kind.IsIgnored(); k++ {
	}
	return k >= len(after)
}

// isSameDoc reports whether a token is a docstring that nothing reads, and another one has its
// words. An escaped line end would be none of the blanks between them.
func (f *Fixer) isSameDoc(s *analysis, t *tokenizer.Token, was, is string) bool {
	return t.Kind == tokenizer.STRING && !f.options.Doctests && s.docstringAt(t.Start) != nil && !s.isDocRead(t.Start) &&
		strings.IndexByte(was, '\\') < 0 && strings.IndexByte(is, '\\') < 0 && slices.Equal(strings.Fields(was), strings.Fields(is))
}

// hasTreeFindings reports whether there are findings about the tree, or were but for a comment.
func (s *analysis) hasTreeFindings() bool {
	isTree := func(finding rule.Finding) bool { return finding.Code.Rule().Tool != rule.Pycodestyle }
	return slices.ContainsFunc(s.findings, isTree) || slices.ContainsFunc(s.hidden, isTree)
}

// differ compares two trees without their positions. It returns the first node of the first
// tree that differs, or nil. An import of several modules equals several imports. Numbers are
// compared by their spelling, which no edit of layout changes, and other constants by their
// values.
func differ(before, after *analysis) ast.Node {
	type pair struct{ a, b ast.Node }
	stack := []pair{{before.module, after.module}}
	t := tree{before: before, gone: map[ast.Node]bool{}, unneeded: map[ast.Node][]string{}}
	for n, names := range before.unneeded {
		switch r := n.Bounds(); {
		case isWithin(after.edits, r.Start, r.End):
			t.gone[n] = true
		case isEdited(after.edits, r.Start):
			t.unneeded[n] = names
		}
	}
	var left, right []ast.Node
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if isSameText(before, after, p.a, p.b) {
			continue
		}
		if !t.alike(p.a, p.b) {
			if left, right = t.rewritten(left[:0], right[:0], p.a, p.b); len(left) == 0 {
				return p.a
			}
			for i := range left {
				stack = append(stack, pair{left[i], right[i]})
			}
			continue
		}
		left, right = t.oneByOne(ast.AppendChildren(left[:0], p.a)), t.oneByOne(ast.AppendChildren(right[:0], p.b))
		if len(left) != len(right) {
			return p.a
		}
		for i := len(left) - 1; i >= 0; i-- {
			stack = append(stack, pair{left[i], right[i]})
		}
	}
	return nil
}

// isSameText reports whether two nodes are statements with the same text, and so with the same
// tree.
func isSameText(before, after *analysis, a, b ast.Node) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	if _, is := a.(ast.Stmt); !is {
		return false
	}
	r, q := a.Bounds(), b.Bounds()
	return before.text[r.Start:r.End] == after.text[q.Start:q.End] && len(ast.Decorators(a))+len(ast.Decorators(b)) == 0
}

// A tree has what a comparison of trees ignores.
type tree struct {
	before *analysis // whose docstrings may have other blanks between their words
	// By dropDeclaration: ignored statements, and names that other declarations may lack.
	gone     map[ast.Node]bool
	unneeded map[ast.Node][]string
}

// alike reports whether two nodes have the same kind, the same fields besides nodes, and the
// same number of children in each field.
func (t *tree) alike(a, b ast.Node) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a := a.(type) {
	case *ast.Import: // the block's statements are compared one by one
		return a.IsLazy == b.(*ast.Import).IsLazy
	case *ast.ImportFrom:
		if t.before.named[a] != nil {
			return false // see rewritten
		}
	case *ast.Constant:
		b := b.(*ast.Constant)
		return a.Type == b.Type && a.Unicode == b.Unicode && (a.Text == b.Text ||
			t.before.isDocstring(a) && !t.before.isDocRead(a.Start) && slices.Equal(strings.Fields(a.Text), strings.Fields(b.Text)))
	case *ast.Global:
		return slices.Equal(t.declared(a, a.Names), b.(*ast.Global).Names)
	case *ast.Nonlocal:
		return slices.Equal(t.declared(a, a.Names), b.(*ast.Nonlocal).Names)
	}
	return ast.SameFields(a, b, t.sameBlock)
}

// sameBlock reports whether two blocks have as many statements.
func (t *tree) sameBlock(a, b []ast.Stmt) bool { return t.statements(a) == t.statements(b) }

// rewritten returns the parts of two nodes that must be equal, if the second one is another way to
// write the first, which means the same everywhere:
//
//	not a in b      a not in b
//	f"text"         "text"
//	except:         except BaseException:
//
// or as nameImports, dropArguments and dropCapture say of this program.
func (t *tree) rewritten(left, right []ast.Node, a, b ast.Node) ([]ast.Node, []ast.Node) {
	switch a := a.(type) {
	case *ast.ImportFrom:
		is, from := b.(*ast.ImportFrom)
		if from && t.before.named[a] != nil && a.Module == is.Module && a.Level == is.Level && a.IsLazy == is.IsLazy &&
			slices.EqualFunc(t.before.named[a], is.Names, func(name string, alias *ast.Alias) bool { return alias.Name == name && alias.AsName == "" }) {
			return append(left, b), append(right, b)
		}
	case *ast.MatchAs:
		if is, wildcard := b.(*ast.MatchAs); wildcard && t.before.unread[a] && is.Name == "" && is.Pattern == nil {
			return append(left, b), append(right, b)
		}
	case *ast.Call, *ast.Dict:
		kept, children := ast.AppendChildren(nil, a), ast.AppendChildren(nil, b)
		all := len(kept)
		kept = slices.DeleteFunc(kept, func(n ast.Node) bool { return t.before.surplus[n] })
		if a.Kind() == b.Kind() && len(kept) < all && len(kept) == len(children) && !unpacks(a) && !unpacks(b) {
			return append(left, kept...), append(right, children...)
		}
	case *ast.UnaryOp:
		was, isCompare := a.Operand.(*ast.Compare)
		is, negated := b.(*ast.Compare)
		if isCompare && negated && a.Op == ast.Not && len(was.Ops) == 1 && len(is.Ops) == 1 &&
			(was.Ops[0] == ast.In && is.Ops[0] == ast.NotIn || was.Ops[0] == ast.Is && is.Ops[0] == ast.IsNot) {
			return append(left, was.Left, was.Comparators[0]), append(right, is.Left, is.Comparators[0])
		}
	case *ast.JoinedStr:
		c, is := b.(*ast.Constant)
		if text, plain := plainText(a); plain && is && c.Type == ast.Str && !c.Unicode && c.Text == text {
			return append(left, c), append(right, c)
		}
	case *ast.ExceptHandler:
		h, is := b.(*ast.ExceptHandler)
		if !is || a.Type != nil || h.Name != "" || len(h.Body) != len(a.Body) || t.before.catchesAll != yes {
			break
		}
		if name, is := h.Type.(*ast.Name); is && name.ID == "BaseException" {
			for i := range a.Body {
				left, right = append(left, a.Body[i]), append(right, h.Body[i])
			}
		}
	}
	return left, right
}

// unpacks reports whether a node is a dictionary with ** in it.
func unpacks(n ast.Node) bool {
	d, is := n.(*ast.Dict)
	return is && slices.Contains(d.Keys, nil)
}

// plainText returns the text of an f-string without fields.
func plainText(e *ast.JoinedStr) (text string, plain bool) {
	var b strings.Builder
	for _, value := range e.Values {
		c, is := value.(*ast.Constant)
		if !is || c.Type != ast.Str {
			return "", false
		}
		b.WriteString(c.Text)
	}
	return b.String(), true
}

// statements counts the statements of a block. An import of several modules counts as several.
func (t *tree) statements(body []ast.Stmt) int {
	n := len(body)
	for _, statement := range body {
		if i, is := statement.(*ast.Import); is {
			n += len(i.Names) - 1
		} else if t.gone[statement] {
			n--
		}
	}
	return n
}

// oneByOne returns the nodes with each import of several modules split.
func (t *tree) oneByOne(nodes []ast.Node) []ast.Node {
	several := slices.IndexFunc(nodes, func(n ast.Node) bool {
		i, is := n.(*ast.Import)
		return is && len(i.Names) > 1 || t.gone[n]
	})
	if several < 0 {
		return nodes
	}
	list := slices.Clone(nodes[:several])
	for _, n := range nodes[several:] {
		i, is := n.(*ast.Import)
		if !is {
			if !t.gone[n] {
				list = append(list, n)
			}
			continue
		}
		for _, name := range i.Names {
			list = append(list, &ast.Import{Range: i.Range, IsLazy: i.IsLazy, Names: []*ast.Alias{name}})
		}
	}
	return list
}

// declared returns the names of a declaration without those that may be missing.
func (t *tree) declared(n ast.Node, names []string) []string {
	unneeded := t.unneeded[n]
	if unneeded == nil {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(unneeded, name) })
}
