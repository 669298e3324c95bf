package behaviour

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/source"
)

// CPython tells which lines of a program were run, and which way its conditional
// jumps went; what happens within a line it does not tell:
//
//	try:
//	    wrong = (len(range(2 ** 40)), result := 0)   # the second part is never come to on 32 bits
//	except OverflowError:
//	    pass
//	return result + (number > 10 ** 11)              # never True
//
// So a program is laid out anew before it is watched. Each expression begins a line
// of its own, within parentheses where it had none; a comparison whose value is
// kept becomes a condition, (True if number > 10 ** 11 else False); and a try
// statement gets an else clause, to show that its body came to its end. None of
// these changes what the program does.

// A layout is a program that is laid out to be watched.
type layout struct {
	*module
	file   source.File
	breaks []int32 // ascending, where lines were inserted, in the laid out text

	measure map[string]*ast.FunctionDef // what the program defines; of an answer's layout see adopt
}

// newLayout lays a program out, or leaves it as it is where it looks at its own
// lines, or cannot be laid out.
func newLayout(m *module) *layout {
	w := layoutWriter{text: m.text, wraps: true}
	for name := range comparisons {
		w.wraps = w.wraps && !strings.Contains(m.text, name)
	}
	l := &layout{module: m}
	// In another encoding it would be another text.
	same := m.text == newlines.Replace(strings.TrimPrefix(m.source, "\ufeff"))
	if same && len(m.source) <= maxLaidOut && !looksAtLines(m.body) {
		w.block(m.body)
		text, breaks := w.write()
		if laid, ok := parse(text); ok {
			l.module, l.breaks = laid, breaks
		}
	}
	l.file.Load([]byte(l.source))
	return l
}

// newlines makes the ends of lines those that CPython reads.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// maxLaidOut is the size of a program in bytes that is laid out.
const maxLaidOut = 200_000

// comparisons are methods by which the value of a comparison may be no bool.
var comparisons = map[string]bool{"__eq__": true, "__ne__": true, "__lt__": true, "__le__": true, "__gt__": true, "__ge__": true}

// looksAtLines reports whether a program imports what tells it its own lines.
func looksAtLines(body []ast.Stmt) bool {
	looks := false
	var walker ast.Walker
	is := func(name string) bool {
		switch root, _, _ := strings.Cut(name, "."); root {
		case "bdb", "dis", "faulthandler", "inspect", "linecache", "logging", "pdb", "sys", "trace", "traceback", "tracemalloc", "warnings":
			return true
		}
		return false
	}
	for _, s := range body {
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

// row returns the row of the program as it was before it was laid out.
func (l *layout) row(offset int32) int {
	inserted, _ := slices.BinarySearch(l.breaks, offset)
	return l.file.Row(offset) - inserted
}

// A layoutWriter collects what is inserted.
type layoutWriter struct {
	text    string
	wraps   bool // values of comparisons are bools
	depth   int  // of wrapped comparisons
	inserts []insert
}

type insert struct {
	at   int32
	text string
}

func (w *layoutWriter) insert(at int32, text string) {
	w.inserts = append(w.inserts, insert{at, text})
}

// write returns the text with what is inserted, and where lines were. At one place
// what was inserted first comes first.
func (w *layoutWriter) write() (text string, breaks []int32) {
	slices.SortStableFunc(w.inserts, func(a, b insert) int { return int(a.at - b.at) })
	var out strings.Builder
	at := int32(0)
	for _, insert := range w.inserts {
		out.WriteString(w.text[at:insert.at])
		for _, c := range []byte(insert.text) {
			if c == '\n' {
				breaks = append(breaks, int32(out.Len()))
			}
			out.WriteByte(c)
		}
		at = insert.at
	}
	out.WriteString(w.text[at:])
	return out.String(), breaks
}

func (w *layoutWriter) block(body []ast.Stmt) {
	for _, s := range body {
		w.statement(s)
	}
}

func (w *layoutWriter) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.FunctionDef:
		w.block(s.Body)
	case *ast.AsyncFunctionDef:
		w.block(s.Body)
	case *ast.ClassDef:
		w.block(s.Body)
	case *ast.Return:
		w.top(s.Value, false)
	case *ast.Assign:
		w.top(s.Value, false)
	case *ast.AugAssign:
		w.top(s.Value, false)
	case *ast.AnnAssign:
		w.top(s.Value, false)
	case *ast.ExprStmt:
		if _, is := s.Value.(*ast.Constant); !is {
			w.top(s.Value, false)
		}
	case *ast.For:
		w.top(s.Iter, false)
		w.block(s.Body)
		w.block(s.Orelse)
	case *ast.AsyncFor:
		w.statement((*ast.For)(s))
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
	case *ast.AsyncWith:
		w.statement((*ast.With)(s))
	case *ast.Match:
		w.top(s.Subject, false)
		for _, c := range s.Cases {
			w.top(c.Guard, true)
			w.block(c.Body)
		}
	case *ast.Raise:
		w.top(s.Exc, false)
		w.top(s.Cause, false)
	case *ast.Try:
		w.block(s.Body)
		for _, h := range s.Handlers {
			w.block(h.Body)
		}
		w.block(s.Orelse)
		w.block(s.FinalBody)
		if len(s.Handlers) > 0 && len(s.Orelse) == 0 {
			line := strings.LastIndexByte(w.text[:s.Start], '\n') + 1
			if indent := w.text[line:s.Start]; strings.Trim(indent, " \t") == "" {
				last := s.Handlers[len(s.Handlers)-1].Body
				w.insert(last[len(last)-1].Bounds().End, "\n"+indent+"else:\n"+indent+" pass")
			}
		}
	case *ast.TryStar:
		w.statement((*ast.Try)(s))
	case *ast.Assert:
		w.top(s.Test, true)
		w.top(s.Msg, false)
	}
}

// top lays out an expression that stands in a statement, nil for none. boolean
// says that only its truth is asked for.
func (w *layoutWriter) top(e ast.Expr, boolean bool) {
	if e == nil {
		return
	}
	w.insert(e.Bounds().Start, "(")
	w.expr(e, boolean)
	w.insert(e.Bounds().End, ")")
}

// maxWrapped is how deep comparisons are wrapped within each other: CPython reads
// 200 open parentheses.
const maxWrapped = 20

func (w *layoutWriter) expr(e ast.Expr, boolean bool) {
	at := e.Bounds()
	if !boolean && w.isBool(e) && w.depth < maxWrapped {
		w.insert(at.Start, "(True if ")
		defer w.insert(at.End, " else False)")
		w.depth++
		defer func() { w.depth-- }()
	}
	if n := len(w.inserts); n == 0 || w.inserts[n-1] != (insert{at.Start, "\n"}) {
		w.insert(at.Start, "\n")
	}
	switch e := e.(type) {
	case *ast.BoolOp:
		for i, value := range e.Values {
			w.expr(value, boolean || i < len(e.Values)-1)
		}
	case *ast.UnaryOp:
		w.expr(e.Operand, e.Op == ast.Not)
	case *ast.IfExp:
		w.expr(e.Body, boolean)
		w.expr(e.Test, true)
		w.expr(e.Orelse, boolean)
	case *ast.Lambda:
		w.expr(e.Body, false)
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
		w.comprehension(e)
	case *ast.JoinedStr, *ast.TemplateStr, *ast.Constant, *ast.Name: // the lines of an f-string are its own
	default:
		for _, child := range ast.AppendChildren(nil, e) {
			w.child(child)
		}
	}
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
	for _, child := range ast.AppendChildren(nil, e) {
		c, is := child.(*ast.Comprehension)
		if !is {
			w.child(child)
			continue
		}
		w.expr(c.Iter, false)
		for _, condition := range c.Ifs {
			w.expr(condition, true)
		}
	}
}

// isBool reports whether the value of e is a bool that it computes itself.
func (w *layoutWriter) isBool(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryOp:
		return e.Op == ast.Not
	case *ast.Compare:
		return w.wraps || !slices.ContainsFunc(e.Ops, func(op ast.CompareOperator) bool { return op < ast.Is })
	}
	return false
}
