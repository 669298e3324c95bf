package ast

import (
	"fmt"
	"strconv"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/source"
)

// Dump returns what CPython of the target version prints for print(ast.dump(tree,
// include_attributes=True)), byte for byte. The file gives the positions;
// without one (nil) the dump has no attributes, as ast.dump's default.
func Dump(n Node, file *source.File, target source.Version) string {
	d := dumper{file: file, features: target.Features()}
	d.node(n)
	return string(d.out)
}

type dumper struct {
	out      []byte
	file     *source.File
	features *source.Features
	// spine holds the nodes that are open, each the first field of the one before:
	// a + b + c + ... nests to the left as deep as it is long, so that recursion is for
	// the other fields only.
	spine []Node
}

// node writes n: down the first fields of nodes, then back up with the other fields.
func (d *dumper) node(n Node) {
	base := len(d.spine)
	for n != nil {
		d.spine = append(d.spine, n)
		d.open(n.Kind().String())
		name, first := firstField(n)
		if first != nil {
			d.field(name)
		}
		n = first
	}
	for len(d.spine) > base {
		last := len(d.spine) - 1
		n := d.spine[last]
		d.spine = d.spine[:last]
		d.otherFields(n)
		d.end(n)
	}
}

// end closes a node, after its place if it has one in Python.
func (d *dumper) end(n Node) {
	switch n.Kind() {
	case KindModule:
		list(d, "type_ignores", []Stmt(nil))
	case KindComprehension, KindArguments, KindWithItem, KindMatchCase:
	default:
		if d.file == nil {
			break
		}
		r := n.Bounds()
		row := d.file.Row(r.Start)
		d.number("lineno", int64(row))
		d.number("col_offset", int64(d.file.ByteColumn(row, r.Start)))
		row = d.file.Row(r.End)
		d.number("end_lineno", int64(row))
		d.number("end_col_offset", int64(d.file.ByteColumn(row, r.End)))
	}
	d.close()
}

// open begins a node or an operator.
func (d *dumper) open(name string) { d.out = append(append(d.out, name...), '(') }

// close ends what open began.
func (d *dumper) close() { d.out = append(d.out, ')') }

// field begins a field of the node that was opened last.
func (d *dumper) field(name string) {
	if d.out[len(d.out)-1] != '(' {
		d.out = append(d.out, ", "...)
	}
	d.out = append(append(d.out, name...), '=')
}

// Each function below writes a field of one type. ast.dump leaves out fields that are
// None.

func (d *dumper) child(name string, n Node) {
	if n != nil {
		d.field(name)
		d.node(n)
	}
}

func (d *dumper) string(name, value string) {
	if value != "" {
		d.field(name)
		d.out = pytext.AppendRepr(d.out, value, characters.Of(d.features.Version))
	}
}

func (d *dumper) number(name string, value int64) {
	d.field(name)
	d.out = strconv.AppendInt(d.out, value, 10)
}

func (d *dumper) bool(name string, value bool) {
	number := int64(0)
	if value {
		number = 1
	}
	d.number(name, number)
}

// lazy writes whether an import is lazy, where the node has a field for it.
func (d *dumper) lazy(name string, is bool) {
	if d.features.LazyImports {
		d.bool(name, is)
	}
}

// operator writes an operator or a context, which are nodes in Python.
func (d *dumper) operator(name string, operator fmt.Stringer) {
	d.field(name)
	d.open(operator.String())
	d.close()
}

func (d *dumper) context(name string, c Context) {
	if c != Load || d.features.DumpsLoad {
		d.operator(name, c)
	}
}

// constant writes the value of a constant, and its kind if that is u.
func (d *dumper) constant(c *Constant) {
	d.field("value")
	d.out = c.AppendRepr(d.out, d.features.Version)
	if c.Unicode {
		d.string("kind", "u")
	}
}

// each writes a list by a function for its elements. Some versions leave out an empty one.
func each[T any](d *dumper, name string, values []T, write func(T)) {
	if len(values) == 0 && !d.features.DumpsEmptyLists {
		return
	}
	d.field(name)
	d.out = append(d.out, '[')
	for i, value := range values {
		if i > 0 {
			d.out = append(d.out, ", "...)
		}
		write(value)
	}
	d.out = append(d.out, ']')
}

func list[T Node](d *dumper, name string, nodes []T) {
	each(d, name, nodes, func(n T) { d.node(n) })
}

// exprs is list for expressions, some of which may be nil.
func (d *dumper) exprs(name string, nodes []Expr) {
	each(d, name, nodes, func(n Expr) {
		if n == nil {
			d.out = append(d.out, "None"...)
		} else {
			d.node(n)
		}
	})
}

func (d *dumper) strings(name string, values []string) {
	each(d, name, values, func(value string) { d.out = pytext.AppendRepr(d.out, value, characters.Of(d.features.Version)) })
}

func (d *dumper) operators(name string, operators []CompareOperator) {
	each(d, name, operators, func(operator CompareOperator) {
		d.open(operator.String())
		d.close()
	})
}

func (d *dumper) typeParams(name string, params []TypeParam) {
	if d.features.TypeParameters {
		list(d, name, params)
	}
}
