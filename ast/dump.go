package ast

import (
	"strconv"

	"codelinter/internal/pytext"
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
	// spine holds the nodes that have been opened and wait for their leftmost child. a + b + c +
	// ... nests to the left as deep as it is long, so only other children are visited by recursion.
	spine []Node
}

// open begins a node or an operator.
func (d *dumper) open(name string) {
	d.out = append(append(d.out, name...), '(')
}

// field begins a field of the node that was opened last.
func (d *dumper) field(name string) {
	if d.out[len(d.out)-1] != '(' {
		d.out = append(d.out, ", "...)
	}
	d.out = append(append(d.out, name...), '=')
}

// close ends a node that has no position in Python.
func (d *dumper) close() { d.out = append(d.out, ')') }

// closeAt ends a node that has a position.
func (d *dumper) closeAt(r Range) {
	if d.file != nil {
		row := d.file.Row(r.Start)
		d.number("lineno", int64(row))
		d.number("col_offset", int64(d.file.ByteColumn(row, r.Start)))
		row = d.file.Row(r.End)
		d.number("end_lineno", int64(row))
		d.number("end_col_offset", int64(d.file.ByteColumn(row, r.End)))
	}
	d.close()
}

func (d *dumper) number(name string, value int64) {
	d.field(name)
	d.out = strconv.AppendInt(d.out, value, 10)
}

// operator writes an operator or a context, which are nodes in Python.
func (d *dumper) operator(name, operator string) {
	d.field(name)
	d.open(operator)
	d.close()
}

func (d *dumper) context(c Context) {
	if c != Load || d.features.DumpsLoad {
		d.operator("ctx", c.String())
	}
}

func (d *dumper) string(name, value string) {
	d.field(name)
	d.out = pytext.AppendRepr(d.out, value, d.features.Unicode)
}

// optionalString writes a string that "" stands for the absence of.
func (d *dumper) optionalString(name, value string) {
	if value != "" {
		d.string(name, value)
	}
}

func (d *dumper) strings(name string, values []string) {
	if len(values) == 0 && !d.features.DumpsEmptyLists {
		return
	}
	d.field(name)
	d.out = append(d.out, '[')
	for i, value := range values {
		if i > 0 {
			d.out = append(d.out, ", "...)
		}
		d.out = pytext.AppendRepr(d.out, value, d.features.Unicode)
	}
	d.out = append(d.out, ']')
}

func (d *dumper) child(name string, n Node) {
	d.field(name)
	d.node(n)
}

func (d *dumper) optional(name string, n Expr) {
	if n != nil {
		d.child(name, n)
	}
}

// list writes a list of nodes, nothing for an empty one where ast.dump leaves
// those out.
func list[T Node](d *dumper, name string, nodes []T) {
	if len(nodes) == 0 && !d.features.DumpsEmptyLists {
		return
	}
	d.field(name)
	d.out = append(d.out, '[')
	for i, n := range nodes {
		if i > 0 {
			d.out = append(d.out, ", "...)
		}
		d.node(n)
	}
	d.out = append(d.out, ']')
}

func (d *dumper) typeParams(params []TypeParam) {
	if d.features.TypeParameters {
		list(d, "type_params", params)
	}
}

// lazy writes whether an import is lazy, where the node has a field for it.
func (d *dumper) lazy(is bool) {
	if d.features.LazyImports {
		d.bool("is_lazy", is)
	}
}

// exprs is list for expressions of which some are nil: None in Python.
func (d *dumper) exprs(name string, nodes []Expr) {
	if len(nodes) == 0 && !d.features.DumpsEmptyLists {
		return
	}
	d.field(name)
	d.out = append(d.out, '[')
	for i, n := range nodes {
		if i > 0 {
			d.out = append(d.out, ", "...)
		}
		if n == nil {
			d.out = append(d.out, "None"...)
		} else {
			d.node(n)
		}
	}
	d.out = append(d.out, ']')
}

// node writes n: down its left spine, then back up.
func (d *dumper) node(n Node) {
	base := len(d.spine)
	for {
		var left Expr
		switch n := n.(type) {
		case *BinOp:
			left = n.Left
			d.open("BinOp")
			d.field("left")
		case *Attribute:
			left = n.Value
			d.open("Attribute")
			d.field("value")
		case *Subscript:
			left = n.Value
			d.open("Subscript")
			d.field("value")
		case *Call:
			left = n.Func
			d.open("Call")
			d.field("func")
		}
		if left == nil {
			break
		}
		d.spine = append(d.spine, n)
		n = left
	}
	d.other(n)
	for len(d.spine) > base {
		last := len(d.spine) - 1
		n := d.spine[last]
		d.spine = d.spine[:last]
		switch n := n.(type) {
		case *BinOp:
			d.operator("op", n.Op.String())
			d.child("right", n.Right)
		case *Attribute:
			d.string("attr", n.Attr)
			d.context(n.Ctx)
		case *Subscript:
			d.child("slice", n.Slice)
			d.context(n.Ctx)
		case *Call:
			list(d, "args", n.Args)
			list(d, "keywords", n.Keywords)
		}
		d.closeAt(n.Bounds())
	}
}

// other writes a node that nests on no left spine.
func (d *dumper) other(n Node) {
	d.open(n.Kind().String())
	switch n := n.(type) {
	case *Module:
		list(d, "body", n.Body)
		list(d, "type_ignores", []Stmt(nil))
		d.close()
		return

	case *FunctionDef:
		d.function(n)
	case *AsyncFunctionDef:
		d.function((*FunctionDef)(n))
	case *ClassDef:
		d.string("name", n.Name)
		list(d, "bases", n.Bases)
		list(d, "keywords", n.Keywords)
		list(d, "body", n.Body)
		list(d, "decorator_list", n.DecoratorList)
		d.typeParams(n.TypeParams)
	case *Return:
		d.optional("value", n.Value)
	case *Delete:
		list(d, "targets", n.Targets)
	case *Assign:
		list(d, "targets", n.Targets)
		d.child("value", n.Value)
	case *TypeAlias:
		d.child("name", n.Name)
		d.typeParams(n.TypeParams)
		d.child("value", n.Value)
	case *AugAssign:
		d.child("target", n.Target)
		d.operator("op", n.Op.String())
		d.child("value", n.Value)
	case *AnnAssign:
		d.child("target", n.Target)
		d.child("annotation", n.Annotation)
		d.optional("value", n.Value)
		d.bool("simple", n.Simple)
	case *For:
		d.loop(n)
	case *AsyncFor:
		d.loop((*For)(n))
	case *While:
		d.child("test", n.Test)
		list(d, "body", n.Body)
		list(d, "orelse", n.Orelse)
	case *If:
		d.child("test", n.Test)
		list(d, "body", n.Body)
		list(d, "orelse", n.Orelse)
	case *With:
		list(d, "items", n.Items)
		list(d, "body", n.Body)
	case *AsyncWith:
		list(d, "items", n.Items)
		list(d, "body", n.Body)
	case *Match:
		d.child("subject", n.Subject)
		list(d, "cases", n.Cases)
	case *Raise:
		d.optional("exc", n.Exc)
		d.optional("cause", n.Cause)
	case *Try:
		d.try(n)
	case *TryStar:
		d.try((*Try)(n))
	case *Assert:
		d.child("test", n.Test)
		d.optional("msg", n.Msg)
	case *Import:
		list(d, "names", n.Names)
		d.lazy(n.IsLazy)
	case *ImportFrom:
		d.optionalString("module", n.Module)
		list(d, "names", n.Names)
		d.number("level", int64(n.Level))
		d.lazy(n.IsLazy)
	case *Global:
		d.strings("names", n.Names)
	case *Nonlocal:
		d.strings("names", n.Names)
	case *ExprStmt:
		d.child("value", n.Value)

	case *BoolOp:
		d.operator("op", n.Op.String())
		list(d, "values", n.Values)
	case *NamedExpr:
		d.child("target", n.Target)
		d.child("value", n.Value)
	case *UnaryOp:
		d.operator("op", n.Op.String())
		d.child("operand", n.Operand)
	case *Lambda:
		d.child("args", n.Args)
		d.child("body", n.Body)
	case *IfExp:
		d.child("test", n.Test)
		d.child("body", n.Body)
		d.child("orelse", n.Orelse)
	case *Dict:
		d.exprs("keys", n.Keys)
		list(d, "values", n.Values)
	case *Set:
		list(d, "elts", n.Elts)
	case *ListComp:
		d.child("elt", n.Elt)
		list(d, "generators", n.Generators)
	case *SetComp:
		d.child("elt", n.Elt)
		list(d, "generators", n.Generators)
	case *DictComp:
		d.child("key", n.Key)
		d.optional("value", n.Value)
		list(d, "generators", n.Generators)
	case *GeneratorExp:
		d.child("elt", n.Elt)
		list(d, "generators", n.Generators)
	case *Await:
		d.child("value", n.Value)
	case *Yield:
		d.optional("value", n.Value)
	case *YieldFrom:
		d.child("value", n.Value)
	case *Compare:
		d.child("left", n.Left)
		d.field("ops")
		d.out = append(d.out, '[')
		for i, op := range n.Ops {
			if i > 0 {
				d.out = append(d.out, ", "...)
			}
			d.open(op.String())
			d.close()
		}
		d.out = append(d.out, ']')
		list(d, "comparators", n.Comparators)
	case *FormattedValue:
		d.child("value", n.Value)
		d.number("conversion", int64(n.Conversion))
		d.optional("format_spec", n.FormatSpec)
	case *Interpolation:
		d.child("value", n.Value)
		d.string("str", n.Str)
		d.number("conversion", int64(n.Conversion))
		d.optional("format_spec", n.FormatSpec)
	case *JoinedStr:
		list(d, "values", n.Values)
	case *TemplateStr:
		list(d, "values", n.Values)
	case *Constant:
		d.field("value")
		d.out = n.AppendRepr(d.out, d.features.Unicode)
		if n.Unicode {
			d.string("kind", "u")
		}
	case *Starred:
		d.child("value", n.Value)
		d.context(n.Ctx)
	case *Name:
		d.string("id", n.ID)
		d.context(n.Ctx)
	case *List:
		list(d, "elts", n.Elts)
		d.context(n.Ctx)
	case *Tuple:
		list(d, "elts", n.Elts)
		d.context(n.Ctx)
	case *Slice:
		d.optional("lower", n.Lower)
		d.optional("upper", n.Upper)
		d.optional("step", n.Step)

	case *MatchValue:
		d.child("value", n.Value)
	case *MatchSingleton:
		d.field("value")
		d.out = (&Constant{Type: n.Value}).AppendRepr(d.out, d.features.Unicode)
	case *MatchSequence:
		list(d, "patterns", n.Patterns)
	case *MatchMapping:
		list(d, "keys", n.Keys)
		list(d, "patterns", n.Patterns)
		d.optionalString("rest", n.Rest)
	case *MatchClass:
		d.child("cls", n.Cls)
		list(d, "patterns", n.Patterns)
		d.strings("kwd_attrs", n.KwdAttrs)
		list(d, "kwd_patterns", n.KwdPatterns)
	case *MatchStar:
		d.optionalString("name", n.Name)
	case *MatchAs:
		if n.Pattern != nil {
			d.child("pattern", n.Pattern)
		}
		d.optionalString("name", n.Name)
	case *MatchOr:
		list(d, "patterns", n.Patterns)

	case *TypeVar:
		d.string("name", n.Name)
		d.optional("bound", n.Bound)
		d.optional("default_value", n.Default)
	case *ParamSpec:
		d.string("name", n.Name)
		d.optional("default_value", n.Default)
	case *TypeVarTuple:
		d.string("name", n.Name)
		d.optional("default_value", n.Default)

	case *Comprehension:
		d.child("target", n.Target)
		d.child("iter", n.Iter)
		list(d, "ifs", n.Ifs)
		d.bool("is_async", n.IsAsync)
		d.close()
		return
	case *ExceptHandler:
		d.optional("type", n.Type)
		d.optionalString("name", n.Name)
		list(d, "body", n.Body)
	case *Arguments:
		list(d, "posonlyargs", n.PosOnlyArgs)
		list(d, "args", n.Args)
		if n.VarArg != nil {
			d.child("vararg", n.VarArg)
		}
		list(d, "kwonlyargs", n.KwOnlyArgs)
		d.exprs("kw_defaults", n.KwDefaults)
		if n.KwArg != nil {
			d.child("kwarg", n.KwArg)
		}
		list(d, "defaults", n.Defaults)
		d.close()
		return
	case *Arg:
		d.string("arg", n.Arg)
		d.optional("annotation", n.Annotation)
	case *Keyword:
		d.optionalString("arg", n.Arg)
		d.child("value", n.Value)
	case *Alias:
		d.string("name", n.Name)
		d.optionalString("asname", n.AsName)
	case *WithItem:
		d.child("context_expr", n.ContextExpr)
		d.optional("optional_vars", n.OptionalVars)
		d.close()
		return
	case *MatchCase:
		d.child("pattern", n.Pattern)
		d.optional("guard", n.Guard)
		list(d, "body", n.Body)
		d.close()
		return
	}
	d.closeAt(n.Bounds())
}

func (d *dumper) bool(name string, value bool) {
	if value {
		d.number(name, 1)
	} else {
		d.number(name, 0)
	}
}

func (d *dumper) function(n *FunctionDef) {
	d.string("name", n.Name)
	d.child("args", n.Args)
	list(d, "body", n.Body)
	list(d, "decorator_list", n.DecoratorList)
	d.optional("returns", n.Returns)
	d.typeParams(n.TypeParams)
}

func (d *dumper) loop(n *For) {
	d.child("target", n.Target)
	d.child("iter", n.Iter)
	list(d, "body", n.Body)
	list(d, "orelse", n.Orelse)
}

func (d *dumper) try(n *Try) {
	list(d, "body", n.Body)
	list(d, "handlers", n.Handlers)
	list(d, "orelse", n.Orelse)
	list(d, "finalbody", n.FinalBody)
}
