package behaviour

import (
	"fmt"
	"slices"
	"strings"

	"codelinter/ast"
)

// An expression of an answer may differ in one part from one of the program's, which the answer does not
// have:
//
//	if size and total > LIMIT:     |  if size and total >= LIMIT:
//	name, value = line.split(":")  |  name, value = line.split(":", 1)
//	return text[:9] + end          |  return text[:10] + end
//
// In most calls the two have one value. So the watched answer evaluates both, and some call must give them
// two values. Operands that they share, and that may have an effect, are evaluated once.

// An ownExpr is an expression of a program.
type ownExpr struct {
	ast.Expr
	text string // dumped
	of   *module
}

// ownParts are the statements and expressions of the programs, dumped, and their expressions that may be
// watched beside those of an answer, outer ones first.
type ownParts struct {
	texts names
	exprs []ownExpr
}

// parts returns the parts of the programs, which are found once.
func (p *Plan) parts() *ownParts {
	p.own.Do(func() {
		p.ownParts.texts = texts(p.programs()...)
		for _, m := range p.programs() {
			each(m.body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Compare, *ast.BoolOp, *ast.BinOp, *ast.UnaryOp, *ast.Subscript, *ast.Call, *ast.IfExp:
					p.ownParts.exprs = append(p.ownParts.exprs, ownExpr{n.(ast.Expr), dumpOf(n), m})
				}
				return true
			})
		}
	})
	return &p.ownParts
}

// lost returns the expressions of the programs that an answer does not have.
func (p *Plan) lost(answer *module) (list []ownExpr) {
	theirs := texts(answer)
	for _, e := range p.parts().exprs {
		if !theirs[e.text] {
			list = append(list, e)
		}
	}
	return list
}

// beside watches a new expression of an answer and the program's that differs in one part. truth says that
// only the truth of the value is used. It returns what ends the visit of the expression, in which
// nothing else is watched so.
func (f *siteFinder) beside(e ast.Expr, truth bool) (end func()) {
	if f.besides || f.locals == nil || len(f.lost) == 0 || !passable(e) || f.known[dumpOf(e)] {
		return func() {}
	}
	for _, d := range f.lost {
		if e.Kind() != d.Kind() {
			continue
		}
		pair := pairing{f: f, of: d.of}
		if pair.compare(e, d.Expr); pair.changes != 1 {
			continue
		}
		at := d.Bounds()
		f.add(&site{kind: siteEnd, at: e.Bounds(), key: "beside " + dumpOf(e), other: d.of.quote(d), function: f.function})
		other := splicedAt(d.of.text, at, pair.splices)
		for i, operand := range pair.kept {
			f.around(operand, f.call("keep", i))
		}
		f.around(e, fmt.Sprintf("%s, %d, lambda: (%s)", f.call("beside"), btoi(truth), other))
		f.besides = true
		return func() { f.besides = false }
	}
	return func() {}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// splicedAt is spliced for a part of a text.
func splicedAt(text string, at ast.Range, splices []splice) string {
	for i := range splices {
		splices[i].start -= int(at.Start)
		splices[i].end -= int(at.Start)
	}
	slices.SortFunc(splices, func(a, b splice) int { return a.start - b.start })
	return spliced(text[at.Start:at.End], splices)
}

// A pairing compares an expression of an answer with one of a program.
type pairing struct {
	f       *siteFinder
	of      *module
	changes int        // parts that differ; 2 for more
	splices []splice   // of the program's text: operands as the answer writes them
	kept    []ast.Expr // operands that are evaluated once
}

// same makes an operand of the program that of the answer.
func (p *pairing) same(e, d ast.Expr) {
	text := "(" + p.f.text[e.Bounds().Start:e.Bounds().End] + ")"
	if !p.f.isPure(e) {
		text = fmt.Sprintf("%s.kept[%d, %d]", p.f.name, len(p.f.sites), len(p.kept))
		p.kept = append(p.kept, e)
	}
	if e.Kind() != ast.KindConstant && e.Kind() != ast.KindSlice {
		p.splices = append(p.splices, splice{int(d.Bounds().Start), int(d.Bounds().End), text})
	}
}

func (p *pairing) change(isOne bool) {
	p.changes++
	if !isOne {
		p.changes = 2
	}
}

func (p *pairing) compare(e, d ast.Expr) {
	switch {
	case p.changes > 1:
		return
	case e == nil && d == nil:
		return
	case d == nil: // a bound of a slice
		p.change(!isUsual(e))
		return
	case e == nil:
		_, constant := fold(d, 0)
		p.change(constant && !isUsual(d))
		return
	case ast.Equal(e, d):
		p.same(e, d)
		return
	}
	if operand := withoutConstant(e); operand != nil && ast.Equal(operand, d) {
		p.change(true)
		p.same(operand, d)
		return
	}
	if operand := withoutConstant(d); operand != nil && ast.Equal(e, operand) {
		p.change(true)
		p.same(e, operand)
		return
	}
	if e.Kind() != d.Kind() {
		p.change(false)
		return
	}
	switch e := e.(type) {
	case *ast.Constant:
		p.change(e.Type == d.(*ast.Constant).Type)
	case *ast.BinOp:
		d := d.(*ast.BinOp)
		if e.Op != d.Op {
			p.change(true)
		}
		p.compare(e.Left, d.Left)
		p.compare(e.Right, d.Right)
	case *ast.UnaryOp:
		d := d.(*ast.UnaryOp)
		if e.Op != d.Op {
			p.change(false)
		}
		p.compare(e.Operand, d.Operand)
	case *ast.BoolOp:
		d := d.(*ast.BoolOp)
		if e.Op != d.Op {
			p.change(true)
		}
		p.all(e.Values, d.Values)
	case *ast.Compare:
		d := d.(*ast.Compare)
		if len(e.Ops) != len(d.Ops) {
			p.change(false)
			return
		}
		for i, op := range e.Ops {
			if op != d.Ops[i] {
				p.change(op <= ast.GtE && d.Ops[i] <= ast.GtE)
			}
		}
		p.compare(e.Left, d.Left)
		p.all(e.Comparators, d.Comparators)
	case *ast.IfExp:
		d := d.(*ast.IfExp)
		p.all([]ast.Expr{e.Test, e.Body, e.Orelse}, []ast.Expr{d.Test, d.Body, d.Orelse})
	case *ast.Subscript:
		d := d.(*ast.Subscript)
		p.all([]ast.Expr{e.Value, e.Slice}, []ast.Expr{d.Value, d.Slice})
	case *ast.Slice:
		d := d.(*ast.Slice)
		p.all([]ast.Expr{e.Lower, e.Upper, e.Step}, []ast.Expr{d.Lower, d.Upper, d.Step})
	case *ast.Call:
		p.call(e, d.(*ast.Call))
	default:
		p.change(false)
	}
}

func (p *pairing) all(e, d []ast.Expr) {
	if len(e) != len(d) {
		p.change(false)
		return
	}
	for i := range e {
		p.compare(e[i], d[i])
	}
}

// call compares calls of functions without effects. One may have an argument more, which is a constant.
func (p *pairing) call(e, d *ast.Call) {
	if !p.f.isPureFunction(e) || !p.f.isPureFunction(d) || e.Func.Kind() != d.Func.Kind() {
		p.change(false)
		return
	}
	if lastName(e.Func) != lastName(d.Func) {
		p.change(true)
	}
	if of, is := e.Func.(*ast.Attribute); is {
		p.compare(of.Value, d.Func.(*ast.Attribute).Value)
	}
	mine, theirs := arguments(e), arguments(d)
	both := min(len(mine), len(theirs))
	for _, more := range slices.Concat(mine[both:], theirs[both:]) {
		if !isUsual(more.value) {
			p.change(more.value.Kind() == ast.KindConstant)
		}
	}
	for i := range both {
		if mine[i].name != theirs[i].name {
			p.change(false)
			return
		}
		p.compare(mine[i].value, theirs[i].value)
	}
}

// An argumentOf is an argument of a call in the text; name is "" for one by position.
type argumentOf struct {
	name  string
	value ast.Expr
}

func arguments(call *ast.Call) (list []argumentOf) {
	for _, value := range call.Args {
		list = append(list, argumentOf{"", value})
	}
	for _, k := range call.Keywords {
		list = append(list, argumentOf{k.Arg, k.Value})
	}
	return list
}

// isUsual reports whether an expression is what a call or a slice mostly has without it: 0, -1, an empty
// text, None or False.
func isUsual(e ast.Expr) bool {
	if c, is := e.(*ast.Constant); is && (c.Type == ast.None || c.Type == ast.False) {
		return true
	}
	value, ok := fold(e, 0)
	return ok && (value.kind == intLiteral && (value.n == 0 || value.n == -1) || value.kind == strLiteral && value.text == "")
}

// withoutConstant returns the operand of an operation with a constant, or nil.
func withoutConstant(e ast.Expr) ast.Expr {
	if sum, is := e.(*ast.BinOp); is {
		switch {
		case sum.Right.Kind() == ast.KindConstant:
			return sum.Left
		case sum.Left.Kind() == ast.KindConstant:
			return sum.Right
		}
	}
	return nil
}

// isPure reports whether an expression may be evaluated twice.
func (f *siteFinder) isPure(e ast.Expr) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Name, *ast.Constant, *ast.Attribute, *ast.Subscript, *ast.Slice, *ast.BinOp, *ast.UnaryOp, *ast.Compare, *ast.BoolOp, *ast.IfExp, *ast.Tuple, *ast.List, *ast.Keyword:
		case *ast.Call:
			pure = pure && f.isPureFunction(n)
		default:
			pure = false
		}
		return pure
	})
	return pure
}

// isPureFunction reports whether a call has no effect, by the name of what it calls.
func (f *siteFinder) isPureFunction(call *ast.Call) bool {
	name := lastName(call.Func)
	if call.Func.Kind() == ast.KindAttribute {
		return strings.Contains(pureMethods, " "+name+" ")
	}
	return call.Func.Kind() == ast.KindName && strings.Contains(pureFunctions, " "+name+" ") && !f.locals[name] && !f.defined[name]
}

const (
	pureFunctions = " abs bool chr divmod float int isinstance len max min ord pow range repr round sorted str sum tuple "
	pureMethods   = " bisect bisect_left bisect_right casefold center count decode encode endswith expandtabs find findall fullmatch get index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isspace istitle isupper join ljust lower lstrip match nlargest nsmallest partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip search split splitlines startswith strip sub swapcase title upper zfill "
)
