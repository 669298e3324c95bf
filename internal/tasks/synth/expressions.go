package synth

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/fix"
	"codelinter/internal/equiv/asked"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// This file has the faults of expressions: E7, W605, F541, and those of package asked's templates.

func (f *finder) expressions() {
	var w ast.Walker
	w.Walk(f.module, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDef:
			f.function(n.Body)
			f.lambda(n)
		case *ast.AsyncFunctionDef:
			f.function(n.Body)
		case *ast.If:
			f.test(n.Test)
			f.wrap(n.Test)
			f.truth(n.Test)
		case *ast.While:
			f.test(n.Test)
			f.truth(n.Test)
		case *ast.Assert:
			if n.Msg == nil {
				f.test(n.Test)
			}
		case *ast.Return:
			if n.Value != nil {
				f.test(n.Value)
			}
		case *ast.UnaryOp:
			if n.Op == ast.Not {
				f.test(n.Operand)
			}
		case *ast.Compare:
			f.compare(n)
		case *ast.ExceptHandler:
			if name, is := n.Type.(*ast.Name); is && n.Name == "" && (name.ID == "Exception" || name.ID == "BaseException") {
				f.add(rule.E722, remove(n.Start+int32(len("except")), name.End))
			}
		case *ast.JoinedStr, *ast.TemplateStr:
			return false
		}
		return true
	})
	for i := range f.tokens {
		if f.tokens[i].Kind == tokenizer.STRING {
			f.literal(i)
		}
	}
}

// test finds the fault of parentheses around a condition after a keyword, as in other languages.
func (f *finder) test(e ast.Expr) {
	b := e.Bounds()
	if b.Start < 2 || f.Text[b.Start-1] != ' ' || f.Text[b.Start-2] == ' ' || f.Row(b.Start) != f.Row(b.End-1) {
		return
	}
	if k := f.tokenAt(b.Start) - 1; k < 0 || !f.tokens[k].Keyword.IsHard() || f.tokens[k].End != b.Start-1 {
		return // it has parentheses already
	}
	if int(b.End) < len(f.Text) && f.Text[b.End] != ':' && f.Text[b.End] != '\n' {
		return
	}
	if c, is := e.(*ast.Constant); is && c.Type != ast.Str {
		return
	}
	if t, is := e.(*ast.Tuple); is && len(t.Elts) == 0 {
		return
	}
	f.add(rule.E275, replace(b.Start-1, b.Start, "("), insert(b.End, ")"))
}

// wrap finds a condition that may be broken within parentheses, so that its second row begins in
// the column of the body:
//
//	if (a and
//	    b):
//	    body
func (f *finder) wrap(e ast.Expr) {
	b, is := e.(*ast.BoolOp)
	if !is || b.Start < 4 || f.Text[b.Start-3:b.Start] != "if " || f.Text[b.Start-4] != ' ' && f.Text[b.Start-4] != '\n' || f.Row(b.Start) != f.Row(b.End-1) || f.Text[b.End] != ':' {
		return
	}
	for i, value := range b.Values[1:] {
		from, to := b.Values[i].Bounds().End, value.Bounds().Start
		if between := f.Text[from:to]; between == " and " || between == " or " {
			f.add(rule.E129, insert(b.Start, "("), replace(to-1, to, "\n"+strings.Repeat(" ", f.indent(f.Row(b.Start))+4)), insert(b.End, ")"))
		}
	}
}

// booleans are functions, and methods of text, that return True or False.
var booleans = []string{
	"isinstance", "issubclass", "callable", "hasattr", "any", "all",
	"startswith", "endswith", "isdigit", "isalpha", "isalnum", "isupper", "islower", "isspace",
}

// truth finds a boolean condition, which may be compared with True or False.
func (f *finder) truth(e ast.Expr) {
	to, start := " == True", e.Bounds().Start
	if not, is := e.(*ast.UnaryOp); is && not.Op == ast.Not {
		e, to = not.Operand, " == False"
	}
	call, is := e.(*ast.Call)
	if !is || f.Text[call.Start] == '(' {
		return
	}
	if !slices.Contains(booleans, ast.CalledName(call)) {
		return
	}
	edits := []fix.Edit{insert(call.End, to)}
	if start < call.Start {
		edits = append(edits, remove(start, call.Start))
	}
	f.add(rule.E712, edits...)
}

func (f *finder) compare(c *ast.Compare) {
	if len(c.Ops) != 1 {
		return
	}
	from, to := c.Left.Bounds().End, c.Comparators[0].Bounds().Start
	between := f.Text[from:to]
	if strings.TrimSpace(between) != strings.Trim(between, " ") || strings.ContainsAny(between, "()#\\") {
		return
	}
	for _, undone := range asked.Undo(c) {
		f.add(undone.Code, replace(from, to, " "+undone.Operator+" "))
	}
	switch c.Ops[0] {
	case ast.NotIn:
		f.negate(c, rule.E713, from, to, " in ")
	case ast.IsNot:
		f.negate(c, rule.E714, from, to, " is ")
	}
}

// negate finds a comparison that may be written the other way round with not.
func (f *finder) negate(c *ast.Compare, code rule.Code, from, to int32, operator string) {
	k := f.tokenAt(c.Start) - 1
	if k < 0 || f.tokens[k].Start >= c.Start {
		return
	}
	switch f.tokens[k].Keyword {
	case tokenizer.If, tokenizer.While, tokenizer.And, tokenizer.Or, tokenizer.Return, tokenizer.Assert, tokenizer.Elif:
		f.add(code, insert(c.Start, "not "), replace(from, to, operator))
	}
}

// lambda finds a function that may become a lambda with a name.
func (f *finder) lambda(d *ast.FunctionDef) {
	if len(d.DecoratorList) > 0 || d.Returns != nil || len(d.TypeParams) > 0 || len(d.Body) != 1 {
		return
	}
	r, is := d.Body[0].(*ast.Return)
	if !is || r.Value == nil || f.Row(r.Start) != f.Row(r.End-1) || f.Row(d.Start)+1 != f.Row(r.Start) || !f.endsRow(d.End) {
		return
	}
	switch r.Value.(type) {
	case *ast.Tuple, *ast.Yield, *ast.YieldFrom, *ast.NamedExpr, *ast.Await:
		return
	}
	annotated := false
	ast.Inspect(d.Args, func(n ast.Node) bool {
		a, is := n.(*ast.Arg)
		annotated = annotated || is && a.Annotation != nil
		return true
	})
	open := f.tokenAt(d.Start) + 2
	if annotated || open >= len(f.tokens) || f.tokens[open].Kind != tokenizer.LPAR {
		return
	}
	end := f.tokenAt(r.Start) - 1
	for end > open && f.tokens[end].Kind != tokenizer.RPAR {
		end--
	}
	parameters := f.Text[f.tokens[open].End:f.tokens[end].Start]
	if strings.ContainsAny(parameters, "\n#") {
		return
	}
	if parameters != "" {
		parameters = " " + parameters
	}
	f.add(rule.E731, replace(d.Start, r.Value.Bounds().Start, d.Name+" = lambda"+parameters+": "))
}

func (f *finder) literal(i int) {
	t := &f.tokens[i]
	text := t.Text(f.Text)
	quote := strings.IndexAny(text, "'\"")
	prefix, body := text[:quote], text[quote+1:]
	triple := strings.HasPrefix(text[quote:], `"""`) || strings.HasPrefix(text[quote:], "'''")
	if triple {
		return
	}
	body = body[:len(body)-1]
	switch prefix {
	case "r":
		if isInvalidEscapes(body) {
			f.add(rule.W605, remove(t.Start, t.Start+1))
		}
	case "":
		if !strings.ContainsAny(body, "{}\\") && body != "" && !f.isDoc(i) && !f.isConcatenated(i) {
			f.add(rule.F541, insert(t.Start, "f"))
		}
	}
}

// isDoc reports whether a string is a statement.
func (f *finder) isDoc(i int) bool {
	return f.firstOf[f.tokens[i].Row] == int32(i) && i+1 < len(f.tokens) && f.tokens[i+1].Kind == tokenizer.NEWLINE
}

// isConcatenated reports whether a string is next to another string.
func (f *finder) isConcatenated(i int) bool {
	for _, step := range [...]int{-1, 1} {
		j := i + step
		for j > 0 && j < len(f.tokens)-1 && (f.tokens[j].Kind == tokenizer.NL || f.tokens[j].Kind == tokenizer.COMMENT) {
			j += step
		}
		if j >= 0 && j < len(f.tokens) && (f.tokens[j].Kind == tokenizer.STRING || f.tokens[j].Kind == tokenizer.FSTRING_START || f.tokens[j].Kind == tokenizer.FSTRING_END) {
			return true
		}
	}
	return false
}

// isInvalidEscapes reports whether a raw string has backslashes but means the same without its r,
// as none of them begins an escape.
func isInvalidEscapes(body string) bool {
	found := false
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		if i++; i == len(body) || strings.IndexByte("\n\\'\"abfnrtv01234567xNuU", body[i]) >= 0 || body[i] >= 0x80 {
			return false
		}
		found = true
	}
	return found
}
