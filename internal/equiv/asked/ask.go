package asked

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// rulesOf returns the rules of a code.
func rulesOf(code rule.Code) (list []*Rule) {
	switch code { // pycodestyle has a code for each kind of definition
	case rule.E742, rule.E743:
		code = rule.E741
	}
	for i := range rules {
		if rules[i].Code == code {
			list = append(list, &rules[i])
		}
	}
	return list
}

// Ask returns the edits that a program's findings ask for. The findings' extents are
// offsets in text, from which module was parsed.
func Ask(module *ast.Module, text string, findings []rule.Finding) *Edits {
	a := &Edits{places: map[place]bool{}, expressions: map[ast.Expr]replacement{}}
	var expressions, blanks []*rule.Finding
	for i := range findings {
		f := &findings[i]
		for i, r := range rulesOf(f.Code) {
			edit := r.Edit
			a.edits[edit] = edit != Replace
			switch edit {
			case Replace, DropArgument:
				if i == 0 {
					expressions = append(expressions, f)
				}
			case Trim:
				blanks = append(blanks, f)
			case Rename:
				a.places[place{edit, f.Row, strings.Clone(f.Values().Text)}] = true
			case DropImport:
				if parts := strings.Split(f.Message(), "'"); len(parts) == 3 { // 'name' imported but unused
					a.places[place{edit, f.Start, parts[1]}] = true
				}
			case DropRedefined:
				a.places[place{edit, f.Values().A, strings.Trim(strings.Clone(f.Values().Text), "'")}] = true
			default:
				a.places[place{edit, f.Start, ""}] = true
			}
		}
	}
	if len(expressions) > 0 {
		a.findExpressions(module, sorted(expressions))
	}
	if len(blanks) > 0 {
		a.trim(module, text, sorted(blanks))
	}
	return a
}

func sorted(findings []*rule.Finding) []*rule.Finding {
	slices.SortStableFunc(findings, func(x, y *rule.Finding) int { return int(x.Start) - int(y.Start) })
	return findings
}

// within returns those of sorted findings that begin in a node.
func within(findings []*rule.Finding, n ast.Node) []*rule.Finding {
	compare := func(f *rule.Finding, at int32) int { return int(f.Start) - int(at) }
	from, _ := slices.BinarySearchFunc(findings, n.Bounds().Start, compare)
	count, _ := slices.BinarySearchFunc(findings[from:], n.Bounds().End, compare)
	return findings[from : from+count]
}

// trim finds the texts with blanks at the ends of their lines, and their values without
// these: it parses the program without the blanks, and walks both trees.
func (a *Edits) trim(module *ast.Module, text string, blanks []*rule.Finding) {
	before := texts(module)
	if !slices.ContainsFunc(before, func(c *ast.Constant) bool { return len(within(blanks, c)) > 0 }) {
		return
	}
	var trimmed []byte
	at := int32(0)
	for _, f := range blanks {
		if f.Start >= at && f.End <= int32(len(text)) {
			trimmed = append(trimmed, text[at:f.Start]...)
			at = f.End
		}
	}
	var file source.File
	if err := file.Load(append(trimmed, text[at:]...)); err != nil {
		return
	}
	without, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
	if !ok {
		return
	}
	if after := texts(without); len(before) == len(after) {
		a.trimmed = map[*ast.Constant]string{}
		for i, c := range before {
			if c.Text != after[i].Text {
				a.trimmed[c] = after[i].Text
			}
		}
	}
}

// texts returns the texts of a tree.
func texts(module *ast.Module) (list []*ast.Constant) {
	ast.Inspect(module, func(node ast.Node) bool {
		if c, is := node.(*ast.Constant); is && c.Type == ast.Str {
			list = append(list, c)
		}
		return true
	})
	return list
}

// findExpressions finds the expression for each finding. pycodestyle reports E721 once in a
// statement, for all its comparisons of types.
func (a *Edits) findExpressions(module *ast.Module, findings []*rule.Finding) {
	var types *rule.Finding // the current statement's E721
	ast.Inspect(module, func(node ast.Node) bool {
		switch n := node.(type) {
		case ast.Stmt:
			types = nil
		case *ast.Compare:
			if len(n.Ops) != 1 {
				break
			}
			for _, f := range within(findings, n) {
				a.replace(f, n)
				if f.Code == rule.E721 {
					types = f
				}
			}
			if types != nil {
				a.replace(types, n)
			}
		case *ast.BinOp: // 'a' % {'b': c}
			if table, is := n.Right.(*ast.Dict); is && n.Op == ast.Mod {
				a.dropValues(n, table, findings)
			}
		case *ast.Call: // 'a'.format(b=c)
			if method, is := n.Func.(*ast.Attribute); is && method.Attr == "format" {
				a.dropKeywords(n, findings)
			}
		}
		return true
	})
}

// replace records the replacements of a comparison, if a finding in it or in its statement is about
// it. pycodestyle points at the operator, pyflakes at the start of the comparison.
func (a *Edits) replace(f *rule.Finding, c *ast.Compare) {
	left, right := c.Left, c.Comparators[0]
	for _, r := range rulesOf(f.Code) {
		isAbout := r.isAbout(left) || r.isAbout(right)
		if f.Code == rule.F632 { // of a tuple too
			isAbout = f.Start == c.Start
		}
		if r.Edit != Replace || r.From != c.Ops[0] || !isAbout {
			continue
		}
		is := replacement{to: []ast.Expr{Compared(left, r.To, right)}}
		operand := left
		if r.Constant != "" && !r.isAbout(right) {
			operand = right
			is.to = []ast.Expr{Compared(right, r.To, left), is.to[0]}
		}
		switch {
		case r.Constant != "True" && r.Constant != "False":
		case (r.Constant == "True") == (r.From == ast.Eq):
			is.truth = []ast.Expr{operand}
		default:
			is.truth = []ast.Expr{&ast.UnaryOp{Op: ast.Not, Operand: operand}}
		}
		a.expressions[c] = is
		return
	}
}

// Compared returns a comparison.
func Compared(left ast.Expr, op ast.CompareOperator, right ast.Expr) ast.Expr {
	return &ast.Compare{Left: left, Ops: []ast.CompareOperator{op}, Comparators: []ast.Expr{right}}
}

// isConstant reports whether an expression is None, True or False.
func isConstant(e ast.Expr, text string) bool {
	c, is := e.(*ast.Constant)
	return is && c.Type < ast.Str && string(c.AppendRepr(nil, source.Newest)) == text
}

// unused returns the names that a finding says a format does not use.
func unused(findings []*rule.Finding, format ast.Expr) (names []string) {
	for _, f := range within(findings, format) {
		if (f.Code == rule.F504 || f.Code == rule.F522) && f.Start == format.Bounds().Start {
			names = strings.Split(f.Values().Text, ", ")
		}
	}
	return names
}

// dropValues records a % without the values that the format does not use.
func (a *Edits) dropValues(n *ast.BinOp, table *ast.Dict, findings []*rule.Finding) {
	names := unused(findings, n)
	kept := &ast.Dict{}
	for i, key := range table.Keys {
		if c, is := key.(*ast.Constant); !is || c.Type != ast.Str || !slices.Contains(names, c.Text) || !isPlain(table.Values[i]) {
			kept.Keys, kept.Values = append(kept.Keys, key), append(kept.Values, table.Values[i])
		}
	}
	if len(kept.Keys) < len(table.Keys) {
		a.expressions[n] = replacement{to: []ast.Expr{&ast.BinOp{Left: n.Left, Op: n.Op, Right: kept}}}
	}
}

// dropKeywords is dropValues for a call of format.
func (a *Edits) dropKeywords(n *ast.Call, findings []*rule.Finding) {
	names := unused(findings, n)
	kept := slices.DeleteFunc(slices.Clone(n.Keywords), func(k *ast.Keyword) bool { return slices.Contains(names, k.Arg) && isPlain(k.Value) })
	if len(kept) < len(n.Keywords) {
		a.expressions[n] = replacement{to: []ast.Expr{&ast.Call{Func: n.Func, Args: n.Args, Keywords: kept}}}
	}
}

// isPlain reports whether an expression is a constant or a name, so without effect.
func isPlain(e ast.Expr) bool { return e.Kind() == ast.KindConstant || e.Kind() == ast.KindName }

func isTypeCall(e ast.Expr) bool {
	call, is := e.(*ast.Call)
	if !is || len(call.Args) != 1 || len(call.Keywords) > 0 {
		return false
	}
	name, is := call.Func.(*ast.Name)
	return is && name.ID == "type"
}

// Any reports whether any edit is asked for.
func (a *Edits) Any() bool {
	return a != nil && (len(a.expressions) > 0 || slices.Contains(a.edits[:], true))
}

// Asks reports whether an edit is asked for anywhere.
func (a *Edits) Asks(edit Edit) bool { return a != nil && a.edits[edit] }

// Expressions returns the expressions that may replace an expression. truth says that
// only the truth of its value is used.
func (a *Edits) Expressions(e ast.Expr, truth bool) []ast.Expr {
	if a == nil || len(a.expressions) == 0 {
		return nil
	}
	r := a.expressions[e]
	if truth {
		return append(slices.Clip(r.to), r.truth...)
	}
	return r.to
}

// At reports whether an edit is asked for at a place, see place.
func (a *Edits) At(edit Edit, at int32, name string) bool {
	return a != nil && a.places[place{edit, at, name}]
}

// Import reports whether a name of the import statement at an offset should be removed.
// module is the module of a from import, with its dots.
func (a *Edits) Import(offset int32, module string, alias *ast.Alias) bool {
	if !a.Asks(DropImport) {
		return false
	}
	text := alias.Name
	if module != "" {
		if !strings.HasSuffix(module, ".") {
			module += "."
		}
		text = module + text
	}
	return a.places[place{DropImport, offset, text}] && (alias.AsName == "" || alias.AsName == alias.Name) ||
		alias.AsName != "" && a.places[place{DropImport, offset, text + " as " + alias.AsName}]
}

// Trimmed returns a text without the blanks at the ends of its lines, if a finding asks
// for that.
func (a *Edits) Trimmed(c *ast.Constant) (text string, is bool) {
	if a == nil {
		return "", false
	}
	text, is = a.trimmed[c]
	return text, is
}

// An Undone is a rule of comparisons, applied backwards: a comparison before its edit.
type Undone struct {
	Code rule.Code
	// Operator replaces the comparison's operator: "==" for a is None.
	Operator string
}

// spellings has the operators of the rules.
var spellings = [...]string{ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is", ast.IsNot: "is not"}

// Undo returns the comparisons from which an edit may have made c. Their findings also need
// certain operands: types on both sides for E721, a literal on one side for F632.
func Undo(c *ast.Compare) (list []Undone) {
	if len(c.Ops) != 1 {
		return nil
	}
	for i := range rules {
		r := &rules[i]
		if r.Edit == Replace && r.To == c.Ops[0] && (r.isAbout(c.Left) || r.isAbout(c.Comparators[0])) {
			list = append(list, Undone{r.Code, spellings[r.From]})
		}
	}
	return list
}

// isAbout reports whether the rule is about comparisons with an expression on one side.
func (r *Rule) isAbout(e ast.Expr) bool {
	switch r.Code {
	case rule.E721:
		return isTypeCall(e)
	case rule.F632:
		return isLiteral(e)
	}
	return isConstant(e, r.Constant)
}

// isLiteral reports whether an expression is a text, bytes or a number.
func isLiteral(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && c.Type >= ast.Str
}
