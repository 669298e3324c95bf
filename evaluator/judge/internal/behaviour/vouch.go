package behaviour

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/evaluator"
	"codelinter/sandbox"
)

// Calls that reach all code may still not show what it does:
//
//	odd = len(str(n)[16:17])     # 0 in every call
//	text = text[:6000]           # always text
//	return int(float(total))     # always total
//
// So what an answer computes and the program does not must be seen to matter: a new
// expression has two values in the calls, and a value that none of its operands has.
// Otherwise the answer could have a constant or the operand in its place, and no call would
// tell. Conditions need none of this, as their outcomes are measured (coverage.go).
//
// A new expression may also stand for one that only the program has and of which the calls
// show as little: list(a) for [b for b in a].
//
// For this the program runs once more, with new expressions and their operands passed
// through vouch.py.

//go:embed vouch.py
var vouchPy string

// vouchBudget is the budget of a run that is watched, where the program used so many counts.
func vouchBudget(used int64) int64 { return 100*used + 50_000_000 }

// maxSites bounds the expressions that are watched in one program.
const maxSites = 2000

// maxOperands bounds the operands of an expression, with the operands of these.
const maxOperands = 12

// A site is an expression that is watched, and what the calls showed of it.
type site struct {
	expr     ast.Expr
	operands []ast.Expr
	reached  bool
	same     int    // the index of an operand that always has its value, or -1
	constant string // its one value, or ""
}

// idle reports whether the calls do not show what the expression does.
func (s *site) idle() bool { return s.reached && (s.same >= 0 || s.constant != "") }

// vouch requires that the calls of sessions show what an answer's new expressions do.
func (p *Plan) vouch(ctx context.Context, a *subject, sessions []*session) (Verdict, error) {
	pass := Verdict{Outcome: evaluator.Pass}
	if p.lesser.Load() {
		return pass, nil
	}
	programs := []*module{p.reference.module}
	if p.other != nil {
		programs = append(programs, p.other.module)
	}
	known := texts(programs...)
	sites := newSites(a.module, known, false)
	if len(sites) == 0 {
		return pass, nil
	}
	if ended, err := p.watchSites(ctx, a.module, sites, sessions, a.renamed); err != nil {
		return Verdict{}, err
	} else if !ended {
		return unknown("unreached", "what it computes could not be watched"), nil
	}
	sites = slices.DeleteFunc(sites, func(s *site) bool { return !s.idle() })
	if len(sites) == 0 {
		return pass, nil
	}
	own := texts(a.module)
	for _, program := range programs {
		dropped := newSites(program, own, true)
		if _, err := p.watchSites(ctx, program, dropped, sessions, nil); err != nil {
			return Verdict{}, err
		}
		sites = withoutPartners(sites, dropped)
	}
	if len(sites) == 0 {
		return pass, nil
	}
	s := sites[0]
	at := s.expr.Bounds()
	v := unknown("unreached", "no call was found for which %s is not %s", a.module.quote(s.expr), s.constant)
	if s.same >= 0 {
		v = unknown("unreached", "no call was found that tells %s from %s", a.module.quote(s.expr), a.module.quote(s.operands[s.same]))
	}
	v.Reasons[0].Line = strings.Count(a.module.text[:at.Start], "\n") + 1
	return v, nil
}

// quote returns the text of a node, for people.
func (m *module) quote(n ast.Node) string {
	at := n.Bounds()
	return clip(strings.Join(strings.Fields(m.text[at.Start:at.End]), " "))
}

// withoutPartners drops the sites in whose place a program has a dropped expression that shows
// the same. The new expression must not have a constant that the dropped one lacks.
func withoutPartners(sites, dropped []*site) []*site {
	return slices.DeleteFunc(sites, func(s *site) bool {
		i := slices.IndexFunc(dropped, func(d *site) bool {
			return d.idle() && (s.same >= 0) == (d.same >= 0) && (s.same >= 0 || s.constant == d.constant) && within(constantsOf(s.expr), constantsOf(d.expr))
		})
		if i >= 0 {
			dropped = slices.Delete(dropped, i, i+1)
		}
		return i >= 0
	})
}

// constantsOf returns the constants in an expression.
func constantsOf(e ast.Expr) names {
	found := names{}
	ast.Inspect(e, func(n ast.Node) bool {
		if c, is := n.(*ast.Constant); is {
			found[dumpOf(c)] = true
		}
		return true
	})
	return found
}

func within(a, b names) bool {
	for name := range a {
		if !b[name] {
			return false
		}
	}
	return true
}

// texts returns the statements and expressions of programs, dumped.
func texts(programs ...*module) names {
	found := names{}
	var walker ast.Walker
	for _, m := range programs {
		for _, s := range m.body {
			walker.Walk(s, func(n ast.Node) bool {
				switch n.(type) {
				case ast.Stmt, ast.Expr:
					found[dumpOf(n)] = true
				}
				return true
			})
		}
	}
	return found
}

// newSites returns the expressions in a program's functions that are not known. With all, it
// also returns conditions and expressions without a variable.
func newSites(m *module, known names, all bool) []*site {
	f := siteFinder{text: m.text, known: known, all: all}
	for _, s := range m.body {
		f.statement(s, nil)
	}
	return f.found[:min(len(f.found), maxSites)]
}

// A siteFinder finds sites.
type siteFinder struct {
	text  string
	known names
	all   bool
	found []*site
}

// statement finds the sites of a statement. locals are the variables of the functions around it,
// nil in the module.
func (f *siteFinder) statement(s ast.Stmt, locals names) {
	if f.known[dumpOf(s)] {
		return
	}
	switch s := ast.Plain(s).(type) {
	case *ast.FunctionDef:
		inner := union(locals, bound(s.Body, true))
		for _, arg := range parametersOf(s.Args) {
			inner[arg.Arg] = true
		}
		f.block(s.Body, inner)
		return
	case *ast.ClassDef:
		f.block(s.Body, locals)
		return
	case *ast.AnnAssign:
		f.value(s.Value, locals)
		return
	case *ast.ExprStmt: // its value is not used
		f.children(s.Value, locals)
		return
	}
	f.children(s, locals)
}

func (f *siteFinder) block(body []ast.Stmt, locals names) {
	for _, s := range body {
		f.statement(s, locals)
	}
}

// children finds the sites in the parts of a node.
func (f *siteFinder) children(n ast.Node, locals names) {
	switch n := n.(type) {
	case nil, *ast.TemplateStr:
		return
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp, *ast.Lambda:
		locals = union(locals, own(n))
	case *ast.JoinedStr:
		return
	case *ast.Call: // a method is no value
		if of, is := n.Func.(*ast.Attribute); is {
			f.value(of.Value, locals)
		} else {
			f.value(n.Func, locals)
		}
		for _, a := range n.Args {
			f.value(a, locals)
		}
		for _, k := range n.Keywords {
			f.value(k.Value, locals)
		}
		return
	}
	for _, child := range ast.AppendChildren(nil, n) {
		switch child := child.(type) {
		case ast.Stmt:
			f.statement(child, locals)
		case ast.Expr:
			f.value(child, locals)
		case *ast.Arguments, ast.Pattern:
		default:
			f.children(child, locals)
		}
	}
}

// value finds the sites in an expression. Outer ones come after inner ones.
func (f *siteFinder) value(e ast.Expr, locals names) {
	if e == nil {
		return
	}
	f.children(e, locals)
	operands, is := f.operands(e)
	for i := 0; i < len(operands) && len(operands) < maxOperands; i++ { // int(float(a)) may be a
		inner, _ := f.operands(operands[i])
		operands = append(operands, inner...)
	}
	operands = slices.DeleteFunc(operands, func(o ast.Expr) bool { return !watchable(o) })
	if is && locals != nil && (f.all || locals.hasAny(used(e))) && !f.known[dumpOf(e)] {
		f.found = append(f.found, &site{expr: e, operands: operands, same: -1})
	}
}

// operands returns the operands of an expression that computes a value. ok is false for others:
// names, constants, displays, and what decides by a condition.
func (f *siteFinder) operands(e ast.Expr) (operands []ast.Expr, ok bool) {
	switch e := e.(type) {
	case *ast.BinOp:
		operands = []ast.Expr{e.Left, e.Right}
	case *ast.UnaryOp:
		if e.Op == ast.Not {
			return nil, f.all
		}
		operands = []ast.Expr{e.Operand}
	case *ast.Attribute:
		if e.Ctx != ast.Load {
			return nil, false
		}
		operands = []ast.Expr{e.Value}
	case *ast.Subscript:
		if e.Ctx != ast.Load {
			return nil, false
		}
		operands = []ast.Expr{e.Value, e.Slice}
		switch display := e.Value.(type) { // [a, None][odd] has the value of an item
		case *ast.List:
			operands = display.Elts
		case *ast.Tuple:
			operands = display.Elts
		case *ast.Dict:
			operands = display.Values
		}
	case *ast.Call:
		if of, is := e.Func.(*ast.Attribute); is {
			operands = append(operands, of.Value)
		}
		operands = append(operands, e.Args...)
		for _, k := range e.Keywords {
			operands = append(operands, k.Value)
		}
	case *ast.JoinedStr:
		for _, value := range e.Values {
			if field, is := value.(*ast.FormattedValue); is && !showsItself(f.text, field.Value) {
				operands = append(operands, field.Value)
			}
		}
	case *ast.ListComp:
		operands = []ast.Expr{e.Generators[0].Iter}
	case *ast.SetComp:
		operands = []ast.Expr{e.Generators[0].Iter}
	case *ast.DictComp:
		operands = []ast.Expr{e.Generators[0].Iter}
	case *ast.Compare, *ast.BoolOp, *ast.IfExp:
		return nil, f.all
	default:
		return nil, false
	}
	return operands, true
}

// watchable reports whether an operand may be passed through a function, and is no constant.
func watchable(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Constant, *ast.Slice, *ast.Starred, *ast.GeneratorExp:
		return false
	}
	return true
}

// watchSites runs a program with its sites watched, and records what the sessions' calls show of
// them. ended is false if that run does not come to its end.
func (p *Plan) watchSites(ctx context.Context, m *module, sites []*site, sessions []*session, renamed *renaming) (ended bool, err error) {
	if len(sites) == 0 {
		return true, nil
	}
	// A name that no program can know.
	sum := sha256.Sum256([]byte(fmt.Sprint(p.seeds, m.text)))
	name := fmt.Sprintf("watched_%x", sum[:12])
	program := sandbox.Program{
		Source: m.watched(sites, name), Once: true,
		Before: strings.NewReplacer("watched_name", name, "Watched(0)", fmt.Sprintf("Watched(%d)", len(sites))).Replace(vouchPy),
	}
	used := int64(len(program.Source)+len(program.Before)) * compileCounts
	for _, s := range sessions {
		program.Calls = append(program.Calls, renamed.calls(s.calls)...)
		used += s.used
	}
	program.Calls = append(program.Calls, sandbox.Call{Expr: name + ".shown()"})
	program.Budget = vouchBudget(used)
	r, err := p.engine.Run(ctx, program)
	if err != nil || r.End != sandbox.Done || len(r.Calls) < len(program.Calls) {
		return false, err
	}
	shown := &r.Calls[len(r.Calls)-1].Value
	if len(shown.Items) != len(sites) {
		return false, nil
	}
	for i, s := range sites {
		of := shown.Items[i].Items
		if s.reached = len(of) == 2; s.reached {
			s.same, s.constant = int(of[0].Int.Int64()), of[1].Str
		}
	}
	return true, nil
}

// watched returns the program in which sites and their operands are passed through name.
func (m *module) watched(sites []*site, name string) string {
	type wrap struct {
		at            ast.Range
		before, after string
		order         int // inner ones come first
	}
	var wraps []wrap
	around := func(e ast.Expr, format string, numbers ...any) {
		before := name + fmt.Sprintf(format, numbers...) + "("
		wraps = append(wraps, wrap{e.Bounds(), before, "))", len(wraps)})
	}
	for i, s := range sites {
		for k, operand := range s.operands {
			around(operand, ".operand(%d, %d, ", i, k)
		}
		around(s.expr, ".site(%d, "+name+".mark(), ", i)
	}
	// At one place outer ones begin first and end last, and what ends comes before what begins.
	type insert struct {
		splice
		begins, other, order int
	}
	var inserts []insert
	for _, w := range wraps {
		start, end := int(w.at.Start), int(w.at.End)
		inserts = append(inserts, insert{splice{start, start, w.before}, 1, -end, -w.order}, insert{splice{end, end, w.after}, 0, -start, w.order})
	}
	slices.SortFunc(inserts, func(a, b insert) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.begins, b.begins), cmp.Compare(a.other, b.other), cmp.Compare(a.order, b.order))
	})
	list := make([]splice, len(inserts))
	for i := range inserts {
		list[i] = inserts[i].splice
	}
	return spliced(m.text, list)
}
