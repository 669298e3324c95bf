package behaviour

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codelinter/ast"
	"codelinter/evaluator/task"
	"codelinter/sandbox"
)

// A program's mutants measure its calls. A mutant is the program with one token changed. A
// call with another result in the mutant would detect an answer with that fault. All
// mutants are in one source, with a switch, so that they take one instance:
//
//	return ((a < b) if mutant__ != 3 else (a <= b))
//
// Only functions are mutated, as the values of a module's own statements are compared
// anyway.

//go:embed mutants.py
var mutantsPy string

// A mutant is a program with one change.
type mutant struct {
	text      string // "line 3: a <= b for a < b"
	row, last int    // the first row of its statement, and the row of its own end
}

// Bounds of the mutants that are tried.
const (
	maxMutants    = 100        // of one program
	mutantsBudget = 20_000_000 // counts for all of them
	mutantsRun    = 2_000_000  // counts for one instance that runs them
)

// A switcher writes a program with all its mutants.
type switcher struct {
	m       *module
	row     func(at int32) int
	plain   *plainText
	first   int // the row of the statement
	mutants []mutant
	inserts []switchInsert
}

// A switchInsert is a text to insert. At one place, ends come before starts.
type switchInsert struct {
	at    int32
	order int // 0: an end, 1: a start
	text  string
}

// switched returns a program with a switch for each of its mutants. ok is false if there
// are none, or if it cannot be written.
func switched(r *reference) (source string, list []mutant, ok bool) {
	m := r.module
	if m.text != m.source {
		return "", nil, false
	}
	w := &switcher{m: m, row: r.file.Row, plain: &r.plain}
	paths := definitions(m.body)
	seen := map[*ast.FunctionDef]bool{} // a class's path is its __init__'s too
	for _, path := range sortedKeys(paths) {
		if f := paths[path]; !seen[f] {
			seen[f] = true
			w.body(f.Body)
		}
	}
	if len(w.mutants) == 0 {
		return "", nil, false
	}
	slices.SortStableFunc(w.inserts, func(a, b switchInsert) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
	})
	var inserts []splice
	for _, in := range w.inserts {
		inserts = append(inserts, splice{int(in.at), int(in.at), in.text})
	}
	source = spliced(m.text, inserts)
	if _, ok := parse(source); !ok {
		return "", nil, false
	}
	return source, w.mutants, true
}

func (w *switcher) textOf(n ast.Node) string {
	b := n.Bounds()
	return w.m.text[b.Start:b.End]
}

// wrap makes the switch choose between e and the other texts.
func (w *switcher) wrap(e ast.Expr, others []string, inner func()) {
	b := e.Bounds()
	starts := ""
	ends := ""
	for i, other := range others {
		if len(w.mutants) >= 4*maxMutants {
			break
		}
		w.mutants = append(w.mutants, mutant{text: fmt.Sprintf("line %d: %s for %s", w.plain.row(w.row(b.Start)), clip(other), clip(w.textOf(e))), row: w.first, last: w.row(b.End)})
		starts += "("
		if i == 0 {
			starts += "("
			ends += ")"
		}
		ends += " if mutant__ != " + strconv.Itoa(len(w.mutants)) + " else (" + other + "))"
	}
	if starts != "" {
		w.inserts = append(w.inserts, switchInsert{b.Start, 1, starts})
	}
	inner()
	if ends != "" {
		w.inserts = append(w.inserts, switchInsert{b.End, 0, ends})
	}
}

func (w *switcher) statement(s ast.Stmt) {
	w.first = w.row(s.Bounds().Start)
	switch s := s.(type) {
	case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef, *ast.Match:
		for _, child := range ast.AppendChildren(nil, s) {
			if inner, is := child.(ast.Stmt); is {
				w.statement(inner)
			} else if c, is := child.(*ast.MatchCase); is {
				for _, inner := range c.Body {
					w.statement(inner)
				}
			}
		}
		return
	case *ast.AnnAssign:
		if s.Value != nil {
			w.expr(s.Value, nil)
		}
		return
	case *ast.Return:
		if s.Value != nil {
			if c, is := s.Value.(*ast.Constant); is && c.Type == ast.None {
				return
			}
			w.expr(s.Value, []string{"None"})
		}
		return
	case *ast.If:
		w.expr(s.Test, []string{"not (" + w.textOf(s.Test) + ")"})
		w.body(s.Body)
		w.body(s.Orelse)
		return
	case *ast.While:
		w.inserts = append(w.inserts, switchInsert{s.Test.Bounds().Start, 1, "tick__() and ("})
		w.expr(s.Test, []string{"not (" + w.textOf(s.Test) + ")"})
		w.inserts = append(w.inserts, switchInsert{s.Test.Bounds().End, 0, ")"})
		w.body(s.Body)
		w.body(s.Orelse)
		return
	case *ast.ExprStmt:
		if s.Value.Kind() == ast.KindConstant {
			return
		}
		if s.Value.Kind() == ast.KindCall {
			w.expr(s.Value, []string{"None"})
			return
		}
	case *ast.Import, *ast.ImportFrom, *ast.Global, *ast.Nonlocal:
		return
	}
	for _, child := range ast.AppendChildren(nil, s) {
		switch c := child.(type) {
		case ast.Stmt:
			w.statement(c)
		case ast.Expr:
			w.expr(c, nil)
		case *ast.ExceptHandler:
			w.body(c.Body)
		case *ast.WithItem:
			w.expr(c.ContextExpr, nil)
		}
	}
}

func (w *switcher) body(list []ast.Stmt) {
	for _, s := range list {
		w.statement(s)
	}
}

// switchedOperators has the text of an operator and of another one in its place; none for some.
var switchedOperators = [...][2]string{ast.Add: {"+", "-"}, ast.Sub: {"-", "+"}, ast.Mult: {"*", "+"}, ast.FloorDiv: {"//", "*"}, ast.Div: {"/", "*"}, ast.Mod: {"%", "//"}, ast.BitAnd: {"&", "|"}, ast.BitOr: {"|", "&"}, ast.LShift: {"<<", ">>"}, ast.RShift: {">>", "<<"}}

// expr mutates an expression and its parts. others are texts that replace the whole
// expression.
func (w *switcher) expr(e ast.Expr, others []string) {
	between := func(left, right ast.Expr, old, new string) {
		from, to := left.Bounds().End, right.Bounds().Start
		if at := strings.Index(w.m.text[from:to], old); at >= 0 && !strings.Contains(w.m.text[from:to], "#") {
			start := e.Bounds().Start
			mid := int32(at) + from
			others = append(others, w.m.text[start:mid]+new+w.m.text[int(mid)+len(old):e.Bounds().End])
		}
	}
	switch n := e.(type) {
	case nil:
		return
	case *ast.JoinedStr, *ast.TemplateStr, *ast.Lambda:
		w.wrap(e, others, func() {
			if l, is := e.(*ast.Lambda); is {
				w.expr(l.Body, nil)
			}
		})
		return
	case *ast.Constant:
		if other, ok := otherConstant(n); ok {
			others = append(others, other.String())
		}
	case *ast.Compare:
		if len(n.Ops) == 1 {
			switch n.Ops[0] {
			case ast.Lt:
				between(n.Left, n.Comparators[0], "<", "<=")
			case ast.LtE:
				between(n.Left, n.Comparators[0], "<=", "<")
			case ast.Gt:
				between(n.Left, n.Comparators[0], ">", ">=")
			case ast.GtE:
				between(n.Left, n.Comparators[0], ">=", ">")
			case ast.Eq:
				between(n.Left, n.Comparators[0], "==", "!=")
			case ast.NotEq:
				between(n.Left, n.Comparators[0], "!=", "==")
			}
		}
	case *ast.BinOp:
		if op := switchedOperators[n.Op]; op[0] != "" {
			between(n.Left, n.Right, op[0], op[1])
		}
	case *ast.BoolOp:
		old, new := "and", "or"
		if n.Op == ast.Or {
			old, new = new, old
		}
		between(n.Values[0], n.Values[1], old, new)
	case *ast.Call:
		text, start := w.textOf(n), n.Start
		if of, is := n.Func.(*ast.Attribute); is {
			swap := map[string]string{"append": "extend", "lower": "upper", "upper": "lower", "add": "discard", "startswith": "endswith", "lstrip": "rstrip", "appendleft": "append", "popleft": "pop", "keys": "values"}
			at := int(of.End-start) - len(of.Attr)
			if to := swap[of.Attr]; to != "" && at > 0 {
				others = append(others, text[:at]+to+text[at+len(of.Attr):])
			}
			if of.Attr == "append" && len(n.Args) == 1 && at > 0 {
				others = append(others, text[:at]+"insert(0, "+w.textOf(n.Args[0])+")")
			}
		}
		if name, is := n.Func.(*ast.Name); is {
			if to := map[string]string{"min": "max", "max": "min", "any": "all", "all": "any"}[name.ID]; to != "" {
				others = append(others, to+text[len(name.ID):])
			}
		}
	case *ast.IfExp:
		w.wrap(e, others, func() {
			w.expr(n.Body, nil)
			w.expr(n.Test, []string{"not (" + w.textOf(n.Test) + ")"})
			w.expr(n.Orelse, nil)
		})
		return
	}
	w.wrap(e, others, func() {
		for _, child := range ast.AppendChildren(nil, e) {
			switch c := child.(type) {
			case ast.Expr:
				w.expr(c, nil)
			case *ast.Keyword:
				w.expr(c.Value, nil)
			case *ast.Comprehension:
				w.expr(c.Iter, nil)
				for _, f := range c.Ifs {
					w.expr(f, []string{"not (" + w.textOf(f) + ")"})
				}
			}
		}
	})
}

// otherConstant returns a constant of the same type with another value. ok is false for one that has none.
func otherConstant(c *ast.Constant) (other literal, ok bool) {
	other, ok = constant(c)
	switch other.kind {
	case intLiteral:
		other.n++
	case boolLiteral:
		other.n ^= 1
	case floatLiteral:
		other.f = other.f*1.5 + 1
	case strLiteral:
		other.text += "x"
	default:
		ok = false
	}
	return other, ok
}

// text returns the probe as one expression, or "" if it is more than that.
func (p *probe) text() string {
	steps := p.steps()
	if len(steps) != 1 || steps[0].exec != "" {
		return ""
	}
	var names, values []string
	for _, b := range slices.Concat(steps[0].given, steps[0].bind) {
		names, values = append(names, b.Name), append(values, b.Expr)
	}
	after := ""
	for _, b := range steps[0].bind {
		after += ", " + b.Name
	}
	return "(lambda " + strings.Join(names, ", ") + ": [" + steps[0].expr + after + "])(" + strings.Join(values, ", ") + ")"
}

// Adequacy returns the share of mutants that the plan's calls detect. It is nil without
// [Options.Mutants], or if no mutant can be run.
func (p *Plan) Adequacy() *task.Adequacy { return p.adequacy }

// hunt runs the program's mutants with the calls that reach them. Of many mutants it takes
// some, spread over the program. The error is that of the engine.
func (p *Plan) hunt(ctx context.Context, list []trial) (*task.Adequacy, error) {
	if len(p.played) > 0 {
		return nil, nil // its stand-ins would have to be played here too
	}
	source, mutants, ok := switched(p.reference)
	if !ok {
		return nil, nil
	}
	var pending []int
	for i := 0; i < len(mutants); i += (len(mutants) + maxMutants - 1) / maxMutants {
		pending = append(pending, i)
	}
	found := &task.Adequacy{Mutants: len(pending)}
	var texts []string
	lines := make([]map[int]bool, len(list))
	for i := range list {
		text := list[i].probe.text()
		texts = append(texts, quoted(text))
		lines[i] = map[int]bool{}
		for _, key := range list[i].covered {
			if key>>63 == 0 && text != "" {
				lines[i][int(key)] = true
			}
		}
	}
	begin := sandbox.Call{Exec: p.script.imports + "\nmutants__.begin(globals(), [" + strings.Join(texts, ", ") + "])"}
	left := int64(mutantsBudget)
	for len(pending) > 0 && left > 0 {
		program := sandbox.Program{Source: source, Before: mutantsPy, Budget: p.moduleUsed + mutantsRun + compileCounts*int64(len(source)), Calls: []sandbox.Call{begin}, Keep: true}
		for _, i := range pending {
			var numbers []string
			for j := range list {
				for row := mutants[i].row; row <= mutants[i].last; row++ {
					if lines[j][row] {
						numbers = append(numbers, strconv.Itoa(j))
						break
					}
				}
			}
			program.Calls = append(program.Calls, sandbox.Call{Expr: fmt.Sprintf("mutants__.kill(%d, [%s])", i+1, strings.Join(numbers, ", "))})
		}
		r, err := p.engine.Run(ctx, program)
		if err != nil {
			return nil, err
		}
		left -= max(r.Used-p.moduleUsed, 1)
		if len(r.Calls) < 2 || r.Calls[0].End != sandbox.Done {
			return nil, nil
		}
		n := 0
	calls:
		for n < len(r.Calls)-1 {
			switch o := &r.Calls[n+1]; {
			case o.End == sandbox.Done && o.Value.Int != nil && o.Value.Int.Sign() >= 0: // this call detects it
			case o.End == sandbox.Done || o.End == sandbox.Raised:
				found.Alive = append(found.Alive, mutants[pending[n]].text)
			case o.End == sandbox.Budget && n > 0:
				break calls // others used most of the budget: run it again
			default: // it ends the interpreter, or does not end
				n++
				break calls
			}
			n++
		}
		pending = pending[n:]
	}
	for _, i := range pending {
		found.Alive = append(found.Alive, mutants[i].text)
	}
	return found, nil
}
