package asked

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/util/lazy"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// A template is a parsed rule of expressions.
type template struct {
	rule      *Rule
	from      *ast.Compare
	to, truth []ast.Expr
}

// templates has the rules of expressions by code.
var templates = lazy.Value[map[rule.Code][]template]{Make: func() map[rule.Code][]template {
	table := map[rule.Code][]template{}
	for i := range rules {
		r := &rules[i]
		if r.Edit != Replace {
			continue
		}
		t := template{rule: r, from: parse(r.From).(*ast.Compare)}
		for _, text := range r.To {
			t.to = append(t.to, parse(text))
		}
		for _, text := range r.Truth {
			t.truth = append(t.truth, parse(text))
		}
		table[r.Code] = append(table[r.Code], t)
	}
	return table
}}

// parse parses an expression of the table.
func parse(text string) ast.Expr {
	var file source.File
	if err := file.Load([]byte(text + "\n")); err != nil {
		panic(err)
	}
	module, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
	if !ok || len(module.Body) != 1 {
		panic("rewrite: no expression: " + text)
	}
	return module.Body[0].(*ast.ExprStmt).Value
}

// edits returns the edits of a code that are found by place.
func edits(code rule.Code) []Edit {
	switch code { // pycodestyle has a code for each kind of definition
	case rule.E742, rule.E743:
		code = rule.E741
	}
	var list []Edit
	for i := range rules {
		if rules[i].Code == code && rules[i].Edit != Replace {
			list = append(list, rules[i].Edit)
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
		if templates.Get()[f.Code] != nil {
			operators = append(operators, f)
			continue
		}
		for _, edit := range edits(f.Code) {
			a.edits[edit] = true
			switch edit {
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
	for _, t := range templates.Get()[code] {
		bound := map[string]ast.Expr{}
		if !matches(t.from, c, bound) {
			continue
		}
		r := a.expressions[c]
		for _, to := range t.to {
			r.to = append(r.to, fill(to, bound))
		}
		for _, to := range t.truth {
			r.truth = append(r.truth, fill(to, bound))
		}
		a.expressions[c] = r
		return
	}
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

// matches matches an expression with a template, and binds the template's names.
func matches(t, e ast.Expr, bound map[string]ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Name:
		bound[t.ID] = e
		return true
	case *ast.Constant:
		c, is := e.(*ast.Constant)
		return is && c.Type == t.Type
	case *ast.Compare:
		c, is := e.(*ast.Compare)
		return is && len(c.Ops) == 1 && c.Ops[0] == t.Ops[0] && matches(t.Left, c.Left, bound) && matches(t.Comparators[0], c.Comparators[0], bound)
	}
	return false
}

// fill returns a template with its names replaced by expressions.
func fill(t ast.Expr, bound map[string]ast.Expr) ast.Expr {
	switch t := t.(type) {
	case *ast.Name:
		return bound[t.ID]
	case *ast.Compare:
		return &ast.Compare{Left: fill(t.Left, bound), Ops: t.Ops, Comparators: []ast.Expr{fill(t.Comparators[0], bound)}}
	case *ast.UnaryOp:
		return &ast.UnaryOp{Op: t.Op, Operand: fill(t.Operand, bound)}
	}
	return t
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
