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
	a := &Edits{places: map[place]bool{}, names: map[named]bool{}, expressions: map[ast.Expr]replacement{}}
	var operators, blanks, formats []*rule.Finding
	for i := range findings {
		f := &findings[i]
		for i, r := range rulesOf(f.Code) {
			edit := r.Edit
			a.edits[edit] = edit != Replace
			switch edit {
			case Replace:
				if i == 0 {
					operators = append(operators, f)
				}
			case Trim:
				blanks = append(blanks, f)
			case DropArgument:
				formats = append(formats, f)
			case Rename:
				a.names[named{edit: edit, row: f.Row, name: strings.Clone(f.Values().Text)}] = true
			case DropImport:
				if parts := strings.Split(f.Message(), "'"); len(parts) == 3 { // 'name' imported but unused
					a.names[named{edit: edit, at: f.Start, name: parts[1]}] = true
				}
			case DropRedefined:
				a.names[named{edit: edit, row: f.Values().A, name: strings.Trim(strings.Clone(f.Values().Text), "'")}] = true
			default:
				a.places[place{edit, f.Start}] = true
			}
		}
	}
	if len(operators) > 0 {
		a.findExpressions(module, operators)
	}
	if len(formats) > 0 {
		a.findFormats(module, formats)
	}
	if len(blanks) > 0 {
		a.trim(module, text, blanks)
	}
	return a
}

// trim finds the texts with blanks at the ends of their lines, and their values without
// these: it parses the program without the blanks, and walks both trees.
func (a *Edits) trim(module *ast.Module, text string, blanks []*rule.Finding) {
	before := texts(module)
	var trimmed []byte
	at := int32(0)
	touched := false
	for _, f := range blanks {
		if f.Start < at || f.End > int32(len(text)) {
			continue
		}
		inside, _ := slices.BinarySearchFunc(before, f.Start, func(c *ast.Constant, at int32) int { return int(c.End) - int(at) })
		touched = touched || inside < len(before) && before[inside].Start < f.Start
		trimmed = append(trimmed, text[at:f.Start]...)
		at = f.End
	}
	if !touched {
		return
	}
	var file source.File
	if err := file.Load(append(trimmed, text[at:]...)); err != nil {
		return
	}
	without, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
	if !ok {
		return
	}
	after := texts(without)
	if len(before) != len(after) {
		return
	}
	a.trimmed = map[*ast.Constant]string{}
	for i, c := range before {
		if c.Text != after[i].Text {
			a.trimmed[c] = after[i].Text
		}
	}
}

// texts returns the texts of a tree in the order of their offsets.
func texts(module *ast.Module) []*ast.Constant {
	var list []*ast.Constant
	ast.Inspect(module, func(node ast.Node) bool {
		if c, is := node.(*ast.Constant); is && c.Type == ast.Str {
			list = append(list, c)
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b *ast.Constant) int { return int(a.Start) - int(b.Start) })
	return list
}

// findExpressions finds the innermost expression for each finding. pycodestyle reports E721 once
// in a statement, for all its comparisons of types.
func (a *Edits) findExpressions(module *ast.Module, findings []*rule.Finding) {
	slices.SortStableFunc(findings, func(x, y *rule.Finding) int { return int(x.Start) - int(y.Start) })
	var types *rule.Finding // the current statement's E721
	ast.Inspect(module, func(node ast.Node) bool {
		if _, is := node.(ast.Stmt); is {
			types = nil
		}
		c, is := node.(*ast.Compare)
		if !is || len(c.Ops) != 1 {
			return true
		}
		from, _ := slices.BinarySearchFunc(findings, c.Start, func(f *rule.Finding, at int32) int { return int(f.Start) - int(at) })
		for _, f := range findings[from:] {
			if f.Start >= c.End {
				break
			}
			if about(f, c) {
				a.replace(f.Code, c)
				if f.Code == rule.E721 {
					types = f
				}
			}
		}
		if types != nil && len(a.expressions[c].to) == 0 && about(types, c) {
			a.replace(types.Code, c)
		}
		return true
	})
}

// replace records the replacements of a comparison.
func (a *Edits) replace(code rule.Code, c *ast.Compare) {
	left, right := c.Left, c.Comparators[0]
	for _, r := range rulesOf(code) {
		operand := left
		switch {
		case r.From != c.Ops[0]:
			continue
		case r.Constant == "" || isConstant(right, r.Constant):
		case isConstant(left, r.Constant):
			operand = right
		default:
			continue
		}
		is := replacement{to: []ast.Expr{compared(left, r.To, right)}}
		if operand != left {
			is.to = []ast.Expr{compared(right, r.To, left), is.to[0]}
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

func compared(left ast.Expr, op ast.CompareOperator, right ast.Expr) ast.Expr {
	return &ast.Compare{Left: left, Ops: []ast.CompareOperator{op}, Comparators: []ast.Expr{right}}
}

// isConstant reports whether an expression is None, True or False.
func isConstant(e ast.Expr, text string) bool {
	c, is := e.(*ast.Constant)
	return is && c.Type < ast.Str && string(c.AppendRepr(nil, source.Newest)) == text
}

// findFormats finds the formats for the findings, and their form without unused named
// values.
func (a *Edits) findFormats(module *ast.Module, findings []*rule.Finding) {
	unused := map[place][]string{}
	for _, f := range findings {
		unused[place{DropArgument, f.Start}] = strings.Split(f.Values().Text, ", ")
	}
	ast.Inspect(module, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.BinOp: // 'a' % {'b': c}
			table, is := n.Right.(*ast.Dict)
			names := unused[place{DropArgument, n.Start}]
			if !is || n.Op != ast.Mod || names == nil {
				break
			}
			kept := &ast.Dict{}
			for i, key := range table.Keys {
				if c, is := key.(*ast.Constant); !is || c.Type != ast.Str || !slices.Contains(names, c.Text) || !isPlain(table.Values[i]) {
					kept.Keys, kept.Values = append(kept.Keys, key), append(kept.Values, table.Values[i])
				}
			}
			if len(kept.Keys) < len(table.Keys) {
				a.expressions[n] = replacement{to: []ast.Expr{&ast.BinOp{Left: n.Left, Op: n.Op, Right: kept}}}
			}
		case *ast.Call: // 'a'.format(b=c)
			names := unused[place{DropArgument, n.Start}]
			if method, is := n.Func.(*ast.Attribute); !is || method.Attr != "format" || names == nil {
				break
			}
			kept := slices.DeleteFunc(slices.Clone(n.Keywords), func(k *ast.Keyword) bool { return slices.Contains(names, k.Arg) && isPlain(k.Value) })
			if len(kept) < len(n.Keywords) {
				a.expressions[n] = replacement{to: []ast.Expr{&ast.Call{Func: n.Func, Args: n.Args, Keywords: kept}}}
			}
		}
		return true
	})
}

// isPlain reports whether an expression is a constant or a name, so without effect.
func isPlain(e ast.Expr) bool { return e.Kind() == ast.KindConstant || e.Kind() == ast.KindName }

// about reports whether a finding is about a comparison. pycodestyle points at the
// operator (E711, E712) or at a call of type in the comparison (E721), pyflakes at the
// start of the comparison (F632).
func about(f *rule.Finding, c *ast.Compare) bool {
	switch f.Code {
	case rule.E711, rule.E712:
		// If the left side is the constant, pycodestyle points at it.
		_, constant := c.Left.(*ast.Constant)
		return f.Start < c.Comparators[0].Bounds().Start && (f.Start >= c.Left.Bounds().End || constant && f.Start == c.Left.Bounds().Start)
	case rule.E721:
		return isTypeCall(c.Left) || isTypeCall(c.Comparators[0])
	}
	return f.Start == c.Start
}

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

// At reports whether an edit is asked for at an offset.
func (a *Edits) At(edit Edit, offset int32) bool { return a != nil && a.places[place{edit, offset}] }

// Import reports whether a name of the import statement at an offset should be removed.
// module is the module of a from import, with its dots.
func (a *Edits) Import(offset int32, module string, alias *ast.Alias) bool {
	if a == nil || len(a.names) == 0 {
		return false
	}
	text := alias.Name
	if module != "" {
		if !strings.HasSuffix(module, ".") {
			module += "."
		}
		text = module + text
	}
	return a.names[named{edit: DropImport, at: offset, name: text}] && (alias.AsName == "" || alias.AsName == alias.Name) ||
		alias.AsName != "" && a.names[named{edit: DropImport, at: offset, name: text + " as " + alias.AsName}]
}

// Renamed reports whether a name that is bound in a row should be renamed.
func (a *Edits) Renamed(row int32, name string) bool {
	return a != nil && a.names[named{edit: Rename, row: row, name: name}]
}

// Redefined reports whether a binding of name in a row should be removed, as name is
// bound again.
func (a *Edits) Redefined(row int32, name string) bool {
	return a != nil && a.names[named{edit: DropRedefined, row: row, name: name}]
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
