package behaviour

import (
	"cmp"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/source"
)

// CPython reports which lines of a program were run, and which way its conditional
// jumps went. It does not report what happens within a line, nor that a line failed
// before its end:
//
//	try:
//	    return number * 3 + 0 * len(range(2 ** 40))    # fails on 32 bits, after its line was run
//	except OverflowError:
//	    return number * 2 + (number > 10 ** 11)        # never True
//
// So before a program is watched, it is laid out anew, without a change to its
// behaviour:
//
//	try:
//	    return ([(
//	number * 3 + ...)][
//	0                                                  # this line is run when the value is there
//	])
//
// - Each expression begins a line of its own.
// - An expression that may not be evaluated (a returned value, a branch of a
//   conditional expression, an operand of and and or, the body of a lambda, an item
//   of a comprehension) is put into a list and taken out of it again on another
//   line. CPython would fold a tuple with constants into one of them.
// - A statement that binds, changes or calls is followed by a pass on another line.
// - A comparison whose value is used becomes a condition: (True if a < b else
//   False).
// - Bodies of try and with, and a match without a last case for everything, get a
//   clause that shows how they were left.

// A layout is a program that is laid out to be watched. Its tree is that of the
// original text; laid is the text that runs.
type layout struct {
	*module
	laid    string
	file    source.File      // of laid
	inserts []placed         // texts that laid has in addition, ascending
	ends    map[ast.Node]int // the line of laid that runs when a node has ended

	measure map[string]*ast.FunctionDef // the program's definitions; see adopt for an answer's layout
}

// newLayout lays a program out. It leaves a program as it is if that inspects its
// own lines or cannot be laid out.
func newLayout(m *module) *layout {
	l := &layout{module: m, laid: m.source, ends: map[ast.Node]int{}}
	if own, ok := parse(m.source); ok { // a copy, as adopt changes it
		l.module = own
	}
	w := layoutWriter{text: l.text, wraps: true}
	for name := range comparisons {
		w.wraps = w.wraps && !strings.Contains(l.text, name)
	}
	// The text must be UTF-8, or the layout would be decoded otherwise.
	if l.text == l.source && len(l.source) <= maxLaidOut && !looksAtLines(l.module) {
		w.block(l.body)
		laid := w.write()
		if _, ok := parse(laid); ok {
			l.laid, l.inserts = laid, w.inserts
		}
	}
	l.file.Load([]byte(l.laid))
	for i := range l.inserts {
		if p := &l.inserts[i]; p.ends != nil {
			l.ends[p.ends] = l.file.Row(p.laid + int32(len(strings.TrimRight(p.text, "\n]"))) - 1)
		}
	}
	return l
}

// maxLaidOut bounds in bytes the programs that are laid out.
const maxLaidOut = 200_000

// comparisons are methods whose result may be no bool.
var comparisons = map[string]bool{"__eq__": true, "__ne__": true, "__lt__": true, "__le__": true, "__gt__": true, "__ge__": true}

// looksAtLines reports whether a program imports a module that shows its own lines, or uses what
// shows them in sys, logging and its own objects.
func looksAtLines(m *module) bool {
	looks := slices.ContainsFunc([]string{"lineno", "exc_info", "stack_info", ".exception(", "_getframe", "settrace", "setprofile", "monitoring", "__code__", "tb_"},
		func(name string) bool { return strings.Contains(m.text, name) })
	var walker ast.Walker
	is := func(name string) bool {
		switch root, _, _ := strings.Cut(name, "."); root {
		case "bdb", "dis", "faulthandler", "inspect", "linecache", "pdb", "trace", "traceback", "tracemalloc", "warnings":
			return true
		}
		return false
	}
	for _, s := range m.body {
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Import:
				looks = looks || slices.ContainsFunc(n.Names, func(a *ast.Alias) bool { return is(a.Name) })
			case *ast.ImportFrom:
				looks = looks || is(n.Module)
			}
			return true
		})
	}
	return looks
}

// row returns the row in the original text.
func (l *layout) row(offset int32) int { return strings.Count(l.text[:offset], "\n") + 1 }

// out returns the offset in laid for an offset of the program.
func (l *layout) out(offset int32) int32 {
	n, _ := slices.BinarySearchFunc(l.inserts, offset+1, func(i placed, at int32) int { return cmp.Compare(i.at, at) })
	if n == 0 {
		return offset
	}
	last := &l.inserts[n-1]
	return offset - last.at + last.laid + int32(len(last.text))
}

// in returns the offset of the program for an offset in laid.
func (l *layout) in(offset int32) int32 {
	n, _ := slices.BinarySearchFunc(l.inserts, offset+1, func(i placed, at int32) int { return cmp.Compare(i.laid, at) })
	if n == 0 {
		return offset
	}
	last := &l.inserts[n-1]
	return last.at + max(offset-last.laid-int32(len(last.text)), 0)
}

// A layoutWriter collects inserts.
type layoutWriter struct {
	text    string
	wraps   bool // values of comparisons are bools
	depth   int  // of wrapped expressions
	inserts []placed
}

// An insert is a text to insert at an offset of the program.
type insert struct {
	at   int32
	text string
}

// A placed is an insert with its offset in laid, and the node whose end it shows.
type placed struct {
	insert
	laid int32
	ends ast.Node
}

func (w *layoutWriter) insert(at int32, text string) {
	w.inserts = append(w.inserts, placed{insert: insert{at, text}})
}

// end inserts a line that runs when n has ended.
func (w *layoutWriter) end(n ast.Node, at int32, text string) {
	w.inserts = append(w.inserts, placed{insert: insert{at, text}, ends: n})
}

// write returns the text with its inserts. Inserts at one place keep their order.
func (w *layoutWriter) write() string {
	slices.SortStableFunc(w.inserts, func(a, b placed) int { return int(a.at - b.at) })
	var out strings.Builder
	at := int32(0)
	for i := range w.inserts {
		insert := &w.inserts[i]
		out.WriteString(w.text[at:insert.at])
		insert.laid = int32(out.Len())
		out.WriteString(insert.text)
		at = insert.at
	}
	out.WriteString(w.text[at:])
	return out.String()
}

func (w *layoutWriter) block(body []ast.Stmt) {
	for _, s := range body {
		w.statement(s)
	}
}

func (w *layoutWriter) statement(s ast.Stmt) {
	_, several := s.(*ast.TryStar)
	switch s := ast.Plain(s).(type) {
	case *ast.FunctionDef:
		w.block(s.Body)
	case *ast.ClassDef:
		w.block(s.Body)
	case *ast.Return:
		if s.Value != nil {
			w.insert(s.Value.Bounds().Start, "(")
			w.part(s.Value, false)
			w.insert(s.Value.Bounds().End, ")")
		}
	case *ast.Assign:
		w.simple(s, s.Value)
	case *ast.AugAssign:
		w.simple(s, s.Value)
	case *ast.AnnAssign:
		w.simple(s, s.Value)
	case *ast.Delete:
		w.end(s, s.End, ";\\\npass")
	case *ast.ExprStmt:
		if _, is := s.Value.(*ast.Constant); !is {
			w.simple(s, s.Value)
		}
	case *ast.For:
		w.top(s.Iter, false)
		w.block(s.Body)
		w.block(s.Orelse)
	case *ast.While:
		w.top(s.Test, true)
		w.block(s.Body)
		w.block(s.Orelse)
	case *ast.If:
		w.top(s.Test, true)
		w.block(s.Body)
		w.block(s.Orelse)
	case *ast.With:
		for _, item := range s.Items {
			w.top(item.ContextExpr, false)
		}
		w.block(s.Body)
		last := s.Body[len(s.Body)-1]
		if indent, ok := w.indent(last); ok && isCompound(last) {
			w.end(s, s.End, "\n"+indent+"pass")
		}
	case *ast.Match:
		w.top(s.Subject, false)
		for _, c := range s.Cases {
			w.top(c.Guard, true)
			w.block(c.Body)
		}
		last := s.Cases[len(s.Cases)-1]
		if indent, ok := w.indent(last); ok && (last.Guard != nil || !takesAll(last.Pattern)) {
			w.end(s, s.End, "\n"+indent+"case _:\n"+indent+" pass")
		}
	case *ast.Raise:
		w.top(s.Exc, false)
		w.top(s.Cause, false)
	case *ast.Try:
		w.try(s, !several)
	case *ast.Assert:
		w.top(s.Test, true)
		w.top(s.Msg, false)
	}
}

// simple lays out a statement with at most one value.
func (w *layoutWriter) simple(s ast.Stmt, value ast.Expr) {
	if value != nil {
		w.top(value, false)
		w.end(value, s.Bounds().End, ";\\\npass")
	}
}

// try lays out a try statement. An else clause shows that the body ended. If
// finally drops exceptions, another clause shows that there was one.
func (w *layoutWriter) try(s *ast.Try, plain bool) {
	w.block(s.Body)
	for _, h := range s.Handlers {
		w.block(h.Body)
	}
	indent, ok := w.indent(s)
	drops := ok && plain && slices.ContainsFunc(s.FinalBody, leaves)
	last := s.Body[len(s.Body)-1].Bounds().End
	if n := len(s.Handlers); n > 0 {
		body := s.Handlers[n-1].Body
		last = body[len(body)-1].Bounds().End
		drops = drops && s.Handlers[n-1].Type != nil
	}
	if drops {
		w.end(s.FinalBody[0], last, "\n"+indent+"except BaseException:\n"+indent+" raise")
	}
	if ok && (drops || len(s.Handlers) > 0) && len(s.Orelse) == 0 {
		w.end(s, last, "\n"+indent+"else:\n"+indent+" pass")
	}
	w.block(s.Orelse)
	w.block(s.FinalBody)
}

// indent returns the white space before n; ok is false if n does not begin its line.
func (w *layoutWriter) indent(n ast.Node) (indent string, ok bool) {
	start := n.Bounds().Start
	indent = w.text[strings.LastIndexByte(w.text[:start], '\n')+1 : start]
	return indent, strings.Trim(indent, " \t") == ""
}

// leaves reports whether a statement may leave the finally clause around it.
func leaves(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.Return, *ast.Break, *ast.Continue:
			found = true
		}
		return !ast.OpensScope(n)
	})
	return found
}

func isCompound(s ast.Stmt) bool { return ast.Blocks(s) != nil && !ast.OpensScope(s) }

// takesAll reports whether a pattern matches everything.
func takesAll(p ast.Pattern) bool {
	switch p := p.(type) {
	case *ast.MatchAs:
		return p.Pattern == nil || takesAll(p.Pattern)
	case *ast.MatchOr:
		return slices.ContainsFunc(p.Patterns, takesAll)
	}
	return false
}

// top lays out an expression of a statement. boolean says that only its truth is
// used.
func (w *layoutWriter) top(e ast.Expr, boolean bool) {
	if e == nil {
		return
	}
	w.insert(e.Bounds().Start, "(")
	w.expr(e, boolean)
	w.insert(e.Bounds().End, ")")
}

// part lays out an expression that may not be evaluated, so that its end is seen.
// For conditions jumps show this.
func (w *layoutWriter) part(e ast.Expr, boolean bool) {
	switch e.(type) {
	case *ast.Constant, *ast.Lambda, *ast.IfExp, *ast.BoolOp:
		w.expr(e, boolean)
		w.insert(e.Bounds().End, "\n") // an attribute of what is around it is on another line
		return
	}
	if boolean {
		w.expr(e, true)
	} else {
		w.wrapped(e)
	}
}

// wrapped lays out an expression in a list, whose line runs before it, and shows its end.
func (w *layoutWriter) wrapped(e ast.Expr) {
	if w.isBool(e) || w.depth >= maxWrapped {
		w.expr(e, false)
		return
	}
	w.depth++
	w.insert(e.Bounds().Start, "[(")
	w.expr(e, false)
	w.end(e, e.Bounds().End, ")][\n0\n]") // the next token, such as the target of a comprehension, is on another line
	w.depth--
}

// maxWrapped bounds the nesting of wrapped expressions. CPython accepts 200 open
// parentheses.
const maxWrapped = 20

func (w *layoutWriter) expr(e ast.Expr, boolean bool) {
	at := e.Bounds()
	if !boolean && w.isBool(e) && w.depth < maxWrapped {
		w.insert(at.Start, "(True if ")
		defer w.insert(at.End, " else False)")
		w.depth++
		defer func() { w.depth-- }()
	}
	if n := len(w.inserts); n == 0 || w.inserts[n-1].at != at.Start || w.inserts[n-1].text != "\n" {
		w.insert(at.Start, "\n")
	}
	switch e := e.(type) {
	case *ast.BoolOp:
		w.expr(e.Values[0], true)
		for i, value := range e.Values[1:] {
			w.part(value, boolean || i < len(e.Values)-2)
		}
	case *ast.UnaryOp:
		w.expr(e.Operand, e.Op == ast.Not)
	case *ast.IfExp:
		w.part(e.Body, boolean)
		w.expr(e.Test, true)
		w.part(e.Orelse, boolean)
	case *ast.Lambda:
		w.part(e.Body, false)
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
		w.comprehension(e)
	case *ast.JoinedStr:
		w.fields(e)
	case *ast.TemplateStr, *ast.Constant, *ast.Name:
	default:
		for _, child := range ast.AppendChildren(nil, e) {
			w.child(child)
		}
	}
}

// fields lays out the fields of an f-string. Those of format specs stay as they are, and so does
// f"{x=}", which shows its text.
func (w *layoutWriter) fields(f *ast.JoinedStr) {
	for _, value := range f.Values {
		if field, is := value.(*ast.FormattedValue); is && !showsItself(w.text, field.Value) {
			w.expr(field.Value, false)
		}
	}
}

// showsItself reports whether a field of an f-string shows its text: {a=}.
func showsItself(text string, field ast.Expr) bool {
	return strings.HasPrefix(strings.TrimLeft(text[field.Bounds().End:], " \t\n)"), "=")
}

func (w *layoutWriter) child(n ast.Node) {
	switch n := n.(type) {
	case ast.Expr:
		w.expr(n, false)
	case *ast.Keyword:
		w.expr(n.Value, false)
	}
}

func (w *layoutWriter) comprehension(e ast.Expr) {
	first := true
	for _, child := range ast.AppendChildren(nil, e) {
		switch child := child.(type) {
		case ast.Expr: // an item, a key: CPython's jumps of the conditions are on its first line
			w.wrapped(child)
		case *ast.Comprehension:
			if first {
				w.expr(child.Iter, false)
			} else {
				w.part(child.Iter, false)
			}
			first = false
			for _, condition := range child.Ifs {
				w.expr(condition, true)
			}
		}
	}
}

// isBool reports whether an expression computes a bool itself.
func (w *layoutWriter) isBool(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryOp:
		return e.Op == ast.Not
	case *ast.Compare:
		return w.wraps || !slices.ContainsFunc(e.Ops, func(op ast.CompareOperator) bool { return op < ast.Is })
	}
	return false
}
