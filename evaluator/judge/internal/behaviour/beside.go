package behaviour

import (
	"slices"

	"codelinter/ast"
	symbols "codelinter/internal/equiv/scope"
)

// An expression of an answer may differ in one part from one of the program's, which the answer does not
// have:
//
//	if size and total > LIMIT:     |  if size and total >= LIMIT:
//	name, value = line.split(":")  |  name, value = line.split(":", 1)
//	return text[:9] + end          |  return text[:10] + end
//
// Some call must tell the answer from the same with the program's expression in this place.

// An ownExpr is an expression of a program.
type ownExpr struct {
	ast.Expr
	text string // dumped
	of   *module
}

// ownParts are the statements and expressions of the programs, dumped, and their expressions that may stand
// in the place of an answer's, outer ones first.
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
				case *ast.Compare, *ast.BoolOp, *ast.BinOp, *ast.UnaryOp, *ast.Subscript, *ast.Call:
					p.ownParts.exprs = append(p.ownParts.exprs, ownExpr{n.(ast.Expr), dumpOf(n), m})
				}
				return true
			})
		}
	})
	return &p.ownParts
}

// restored returns the changes of an answer that put the program's expression in the place of a new one which
// differs from it in one part. None is in another.
func (p *Plan) restored(a *module) (list []change) {
	theirs := texts(a)
	lost := slices.DeleteFunc(slices.Clone(p.parts().exprs), func(d ownExpr) bool { return theirs[d.text] })
	p.eachNew(a, func(n ast.Node) bool {
		for _, d := range lost {
			e, is := n.(ast.Expr)
			if !is || e.Kind() != d.Kind() || p.parts().texts[dumpOf(e)] {
				continue
			}
			pair := pairing{text: a.text}
			if pair.compare(e, d.Expr); pair.changes == 1 {
				list = append(list, change{at: e.Bounds(), text: "(" + splicedAt(d.of.text, d.Bounds(), pair.splices) + ")", shown: d.of.quote(d)})
				return false
			}
		}
		return true
	})
	return list
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
	text    string   // the answer's
	changes int      // parts that differ; 2 for more
	splices []splice // of the program's text: operands as the answer writes them, with its names
}

// same makes an operand of the program that of the answer.
func (p *pairing) same(e, d ast.Node) {
	operand, is := e.(ast.Expr)
	if is && passable(operand) {
		p.splices = append(p.splices, splice{int(d.Bounds().Start), int(d.Bounds().End), "(" + p.text[e.Bounds().Start:e.Bounds().End] + ")"})
		return
	}
	theirs := ast.AppendChildren(nil, d)
	for i, child := range ast.AppendChildren(nil, e) {
		p.same(child, theirs[i])
	}
}

func (p *pairing) change(isOne bool) {
	p.changes++
	if !isOne {
		p.changes = 2
	}
}

func (p *pairing) compare(e, d ast.Node) {
	if p.changes > 1 {
		return
	}
	if ast.Equal(e, d) {
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
	mine, theirs := ast.AppendChildren(nil, e), ast.AppendChildren(nil, d)
	switch e := e.(type) {
	case *ast.Slice:
		d := d.(*ast.Slice)
		p.bound(e.Lower, d.Lower)
		p.bound(e.Upper, d.Upper)
		p.bound(e.Step, d.Step)
		return
	case *ast.Call:
		both := min(len(mine), len(theirs))
		for _, more := range slices.Concat(mine[both:], theirs[both:]) {
			p.added(more)
		}
		mine, theirs = mine[:both], theirs[:both]
	case *ast.Compare:
		d := d.(*ast.Compare)
		for i := range min(len(e.Ops), len(d.Ops)) {
			if e.Ops[i] != d.Ops[i] {
				p.change(e.Ops[i] <= ast.GtE && d.Ops[i] <= ast.GtE)
			}
		}
	case *ast.Tuple, *ast.List, *ast.Set:
		both := 0
		for both < min(len(mine), len(theirs)) && ast.Equal(mine[both], theirs[both]) {
			both++
		}
		switch len(mine) - len(theirs) {
		case 1:
			p.change(true)
			mine = slices.Delete(mine, both, both+1)
		case -1:
			p.change(true)
			theirs = slices.Delete(theirs, both, both+1)
		}
	case *ast.Constant:
		other := d.(*ast.Constant).Type
		p.change(e.Type == other || min(e.Type, other) == ast.Int && max(e.Type, other) == ast.Float)
	case *ast.Name:
		p.change(symbols.IsBuiltin(e.ID) && symbols.IsBuiltin(d.(*ast.Name).ID))
	default:
		if !ast.SameFields(e, d, nil) {
			p.change(e.Kind() == ast.KindBinOp || e.Kind() == ast.KindBoolOp || e.Kind() == ast.KindAttribute)
		}
	}
	if len(mine) != len(theirs) {
		p.change(false)
		return
	}
	for i := range mine {
		p.compare(mine[i], theirs[i])
	}
}

// bound compares bounds of slices, which may be nil.
func (p *pairing) bound(e, d ast.Expr) {
	switch {
	case e != nil && d != nil:
		p.compare(e, d)
	case e != nil:
		p.added(e)
	case d != nil:
		p.added(d)
	}
}

// added records that one of the two has an argument or a bound more: a constant.
func (p *pairing) added(n ast.Node) {
	if k, is := n.(*ast.Keyword); is {
		n = k.Value
	}
	e, is := n.(ast.Expr)
	_, constant := n.(*ast.Constant)
	if is && !constant {
		_, constant = fold(e, 0)
	}
	if !is || !isUsual(e) {
		p.change(constant)
	}
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
func withoutConstant(n ast.Node) ast.Expr {
	if sum, is := n.(*ast.BinOp); is {
		switch {
		case sum.Right.Kind() == ast.KindConstant:
			return sum.Left
		case sum.Left.Kind() == ast.KindConstant:
			return sum.Right
		}
	}
	return nil
}
