package behaviour

import (
	"slices"
	"strings"

	"codelinter/ast"
)

// expr returns the facts of an expression, and learns from how its parts are used.
func (in *inference) expr(e ast.Expr, s *scope) *facts {
	switch n := e.(type) {
	case nil:
		return &facts{}
	case *ast.Constant:
		if value, ok := constant(n); ok {
			return valueFacts(value)
		}
	case *ast.JoinedStr:
		in.children(n, s)
		return new(facts).vote(3, strKind)
	case *ast.FormattedValue:
		in.expr(n.Value, s)
	case *ast.Name:
		return in.nameFacts(n, s)
	case *ast.NamedExpr:
		value := in.expr(n.Value, s)
		in.assign(n.Target, value, s)
		return value
	case *ast.BoolOp:
		return in.boolOp(n, s)
	case *ast.BinOp:
		if value, ok := fold(n, 0); ok {
			return valueFacts(value)
		}
		return in.binary(n.Op, in.expr(n.Left, s), in.expr(n.Right, s), n.Right)
	case *ast.UnaryOp:
		return in.unary(n, s)
	case *ast.Lambda:
		inner := &scope{vars: map[string]*facts{}, up: s}
		f := new(facts).vote(3, callKind)
		for _, arg := range parametersOf(n.Args) {
			inner.vars[arg.Arg] = &facts{}
			f.params = append(f.params, inner.vars[arg.Arg])
		}
		f.result = in.expr(n.Body, inner)
		return f
	case *ast.IfExp:
		in.expr(n.Test, s)
		return in.union(in.expr(n.Body, s), in.expr(n.Orelse, s))
	case *ast.Dict:
		return in.dict(n, s)
	case *ast.Set:
		return in.display(setKind, n.Elts, s)
	case *ast.List:
		return in.display(listKind, n.Elts, s)
	case *ast.Tuple:
		return in.tuple(n, s)
	case *ast.ListComp:
		return in.comprehension(new(facts).vote(3, listKind), n.Generators, nil, n.Elt, s)
	case *ast.SetComp:
		return in.comprehension(new(facts).vote(3, setKind), n.Generators, nil, n.Elt, s)
	case *ast.GeneratorExp:
		return in.comprehension(new(facts).vote(2, listKind), n.Generators, nil, n.Elt, s)
	case *ast.DictComp:
		return in.comprehension(new(facts).vote(3, dictKind), n.Generators, n.Key, n.Value, s)
	case *ast.Await:
		return in.expr(n.Value, s)
	case *ast.Yield:
		if s.fn != nil {
			in.union(s.fn.result.vote(3, listKind).items(), in.expr(n.Value, s))
			s.fn.yields = true
		}
	case *ast.YieldFrom:
		value := in.expr(n.Value, s)
		if s.fn != nil {
			in.union(s.fn.result.vote(3, listKind).items(), value.vote(3, listKind).items())
			s.fn.yields = true
		}
		return value
	case *ast.Starred:
		return in.expr(n.Value, s).vote(3, listKind).items()
	case *ast.Compare:
		return in.compare(n, s)
	case *ast.Call:
		return in.call(n, s)
	case *ast.Attribute:
		return in.attribute(n, s)
	case *ast.Subscript:
		return in.subscript(n, s)
	default:
		in.children(e, s)
	}
	return &facts{}
}

// valueFacts returns the facts of a constant.
func valueFacts(value literal) *facts {
	f := new(facts).vote(3, value.valueKind())
	if value.kind != noneLiteral && value.kind != boolLiteral {
		f.add(value)
	}
	return f
}

// nameFacts returns the facts of a name. A built-in function may be passed as a value, as in
// key=sum.
func (in *inference) nameFacts(n *ast.Name, s *scope) *facts {
	if f := s.lookup(n.ID); f != nil {
		return f
	}
	f := &facts{}
	switch n.ID {
	case "sum", "len", "int", "float", "str", "ord", "chr", "abs", "sorted", "max", "min", "list", "tuple", "set", "reversed":
		first := &facts{}
		f.vote(3, callKind)
		f.params = []*facts{first}
		f.result = in.tell(n.ID, f.params, nil)
	}
	return f
}

// boolOp returns the facts of the last operand, or of all operands if one is a default for another:
// a or [].
func (in *inference) boolOp(n *ast.BoolOp, s *scope) *facts {
	f := in.expr(n.Values[0], s)
	for _, v := range n.Values[1:] {
		other := in.expr(v, s)
		if v.Kind() != ast.KindCompare && n.Op == ast.Or && n.Values[0].Kind() != ast.KindCompare {
			f = in.union(f, other)
		} else {
			f = other
		}
	}
	return f
}

func (in *inference) unary(n *ast.UnaryOp, s *scope) *facts {
	f := in.expr(n.Operand, s)
	if n.Op == ast.Not {
		return new(facts).vote(1, boolKind)
	}
	if c, is := n.Operand.(*ast.Constant); is {
		if value, ok := constant(c); ok {
			value.n, value.f = -value.n, -value.f
			f = new(facts).vote(3, value.valueKind())
			f.add(value)
		}
	}
	return f
}

func (in *inference) dict(n *ast.Dict, s *scope) *facts {
	f := new(facts).vote(3, dictKind)
	for i, k := range n.Keys {
		value := in.expr(n.Values[i], s)
		if k == nil {
			in.union(f, value)
			continue
		}
		in.union(f.keys(), in.expr(k, s))
		in.union(f.items(), value)
	}
	return f
}

func (in *inference) tuple(n *ast.Tuple, s *scope) *facts {
	f := new(facts).vote(3, tupleKind)
	for i, e := range n.Elts {
		if e.Kind() == ast.KindStarred {
			return in.display(tupleKind, n.Elts, s)
		}
		in.union(f.field(i), in.expr(e, s))
	}
	return f
}

// comprehension learns from a comprehension whose value has the facts f. key is nil unless it is a
// dict's.
func (in *inference) comprehension(f *facts, generators []*ast.Comprehension, key, value ast.Expr, s *scope) *facts {
	inner := in.generators(generators, s)
	if key != nil {
		in.union(f.keys(), in.expr(key, inner))
	}
	in.union(f.items(), in.expr(value, inner))
	return f
}

func (in *inference) compare(n *ast.Compare, s *scope) *facts {
	left := in.expr(n.Left, s)
	for i, c := range n.Comparators {
		right := in.expr(c, s)
		switch n.Ops[i] {
		case ast.In, ast.NotIn:
			in.contains(left, right, c)
		case ast.Is, ast.IsNot:
			if isNone(c) {
				left.vote(1, noneKind)
			} else {
				in.union(left, right)
			}
		case ast.Lt, ast.LtE, ast.Gt, ast.GtE:
			left.vote(1, intKind)
			in.union(left, right)
		default:
			in.union(left, right)
		}
		left = right
	}
	return new(facts).vote(1, boolKind)
}

func (in *inference) attribute(n *ast.Attribute, s *scope) *facts {
	if in.path(n, s) != "" {
		return &facts{}
	}
	if name, is := n.Value.(*ast.Name); is && in.classes[name.ID] != nil {
		if c := in.classes[name.ID]; !slices.Contains(c.members(), n.Attr) {
			return c.self.attr(n.Attr)
		}
		return in.classes[name.ID].self
	}
	value := in.expr(n.Value, s)
	for _, c := range value.root().classes {
		if f := c.method(n.Attr); f != nil {
			if f.attribute() {
				return f.result
			}
			return f.callable(&facts{})
		}
	}
	switch n.Attr {
	case "year", "month", "day":
		value.vote(4, dateKind)
		return value.attr(n.Attr).vote(3, intKind)
	case "days", "seconds":
		value.vote(2, deltaKind)
		return value.attr(n.Attr).vote(3, intKind)
	}
	if !strings.HasPrefix(n.Attr, "__") { // every object has those
		value.vote(2, objectKind)
	}
	return value.attr(n.Attr)
}

func (in *inference) children(e ast.Expr, s *scope) {
	for _, child := range ast.AppendChildren(nil, e) {
		if inner, is := child.(ast.Expr); is {
			in.expr(inner, s)
		}
	}
}

func (in *inference) display(k kind, elements []ast.Expr, s *scope) *facts {
	f := new(facts).vote(3, k)
	for _, e := range elements {
		in.union(f.items(), in.expr(e, s))
	}
	return f
}

func (in *inference) generators(list []*ast.Comprehension, s *scope) *scope {
	inner := &scope{vars: map[string]*facts{}, up: s, fn: s.fn}
	for _, g := range list {
		for name := range own(g) {
			inner.vars[name] = &facts{}
		}
	}
	for _, g := range list {
		in.assign(g.Target, in.each(in.expr(g.Iter, inner).vote(1, listKind)), inner)
		for _, condition := range g.Ifs {
			in.expr(condition, inner)
		}
	}
	return inner
}

// binary learns from an operator's operands.
func (in *inference) binary(op ast.Operator, left, right *facts, rightExpr ast.Expr) *facts {
	strong := func(f *facts) kind { return f.root().best() }
	switch op {
	case ast.Add:
		if strong(right) == deltaKind {
			return left.vote(4, dateKind)
		}
		left.vote(1, intKind)
		return in.union(left, right)
	case ast.Mult:
		switch {
		case strong(left) == listKind || strong(left) == strKind || strong(left) == tupleKind:
			right.vote(3, intKind)
			return left
		case strong(right) == listKind || strong(right) == strKind || strong(right) == tupleKind:
			left.vote(3, intKind)
			return right
		}
		left.vote(2, intKind)
		return in.union(left, right)
	case ast.Mod:
		if strong(left) == strKind {
			left.root().format = true
			return new(facts).vote(3, strKind)
		}
		if strong(right) == tupleKind || strong(right) == dictKind {
			left.vote(4, strKind).root().format = true
			return new(facts).vote(3, strKind)
		}
		left.vote(4, intKind)
		return in.union(left, right)
	case ast.Sub:
		switch {
		case strong(right) == deltaKind:
			return left.vote(4, dateKind)
		case strong(left) == dateKind || strong(right) == dateKind:
			return in.union(left, right).apart()
		}
		left.vote(1, intKind)
		right.vote(1, intKind)
		return &facts{}
	case ast.BitOr, ast.BitAnd, ast.BitXor:
		return in.union(left.vote(1, intKind), right)
	case ast.Div:
		left.vote(2, intKind, floatKind)
		right.vote(2, intKind, floatKind)
		return new(facts).vote(2, floatKind)
	}
	left.vote(4, intKind)
	right.vote(4, intKind)
	return new(facts).vote(2, intKind)
}

// apart returns the facts of the time between two dates.
func (f *facts) apart() *facts { return new(facts).vote(4, deltaKind) }

// characters records that f is one of a text's characters.
func (in *inference) characters(f *facts, text string) {
	f.vote(2, strKind)
	for _, r := range text {
		f.add(literal{kind: strLiteral, text: string(r)})
	}
}

// contains learns from left in right.
func (in *inference) contains(left, right *facts, container ast.Expr) {
	if c, is := container.(*ast.Constant); is && c.Type == ast.Str {
		in.characters(left, c.Text)
		return
	}
	switch votes := right.root().votes; {
	case votes[dictKind] > votes[listKind] && votes[dictKind] > votes[setKind]:
		in.union(left, right.keys())
	case votes[strKind] > votes[listKind]+votes[setKind]+votes[tupleKind]:
		left.vote(2, strKind)
	case len(right.root().fields) > 0:
		in.union(left, in.each(right))
	default:
		right.vote(1, listKind, setKind, dictKind)
		in.union(left, right.items())
		in.union(left, right.keys())
	}
}

func (in *inference) subscript(n *ast.Subscript, s *scope) *facts {
	value := in.expr(n.Value, s)
	if slice, is := n.Slice.(*ast.Slice); is {
		value.vote(2, listKind, strKind)
		for _, e := range []ast.Expr{slice.Lower, slice.Upper, slice.Step} {
			if e != nil {
				in.expr(e, s).vote(3, intKind)
			}
		}
		return value
	}
	reader := literalReader{text: in.text, left: maxLiteral}
	if index, ok := reader.read(n.Slice, 0); ok {
		switch {
		case index.kind == intLiteral && index.n >= 0 && index.n < 16 && value.root().votes[dictKind] == 0:
			value.vote(2, listKind, tupleKind)
			if len(value.root().fields) == 0 || value.root().votes[listKind] > value.root().votes[tupleKind] {
				in.union(value.field(int(index.n)), value.items())
			}
			return value.field(int(index.n))
		case index.kind == strLiteral:
			value.vote(6, dictKind)
			value.keys().vote(2, strKind)
			return value.entry(index.String())
		}
	}
	index := in.expr(n.Slice, s)
	if r := value.root(); r.item != nil && index.root() == r.item.root() && r.votes[listKind] < 3 {
		value.vote(6, dictKind) // for key in value: value[key]
	}
	votes := index.root().votes
	switch {
	case votes[strKind] > votes[intKind] || votes[tupleKind] > votes[intKind]:
		value.vote(4, dictKind)
		in.union(index, value.keys())
	case value.root().votes[dictKind] > value.root().votes[listKind]:
		in.union(index, value.keys())
	default:
		value.vote(3, listKind)
		index.vote(1, intKind)
		in.union(value.keys(), index)
	}
	return value.items()
}

// call learns from a call.
func (in *inference) call(n *ast.Call, s *scope) *facts {
	c := &call{in: in, n: n, keywords: map[string]*facts{}}
	for _, a := range n.Args {
		c.args = append(c.args, in.expr(a, s))
	}
	c.of = c.arg(0)
	for _, k := range n.Keywords {
		c.keywords[k.Arg] = in.expr(k.Value, s)
	}
	switch callee := n.Func.(type) {
	case *ast.Name:
		return c.function(callee.ID, s)
	case *ast.Attribute:
		return c.method(callee, s)
	}
	return in.apply(in.expr(n.Func, s).vote(2, callKind), n, c.args)
}

// function learns from a call of a name.
func (c *call) function(name string, s *scope) *facts {
	in := c.in
	if f := in.functions[name]; f != nil {
		for _, k := range c.n.Keywords {
			if k.Arg == "" {
				c.spread(f, c.keywords[""])
			}
			if p := f.params[k.Arg]; p != nil {
				f.named[k.Arg] = true
				in.union(p, c.keywords[k.Arg])
			}
		}
	}
	if known := s.lookup(name); known != nil {
		return in.apply(known.vote(2, callKind), c.n, c.args)
	}
	if path := in.imports[name]; path != "" {
		return c.imported(path)
	}
	c.name = name
	return c.tell(name)
}

// spread learns from **mapping: its values are those parameters of f that the call does not pass
// otherwise.
func (c *call) spread(f *function, mapping *facts) {
	mapping.vote(6, dictKind)
	a := f.def.Args
	positional := slices.Concat(a.PosOnlyArgs, a.Args)
	for _, p := range slices.Concat(positional[min(len(c.args), len(positional)):], a.KwOnlyArgs) {
		if c.keywords[p.Arg] == nil {
			f.named[p.Arg] = true
			c.in.union(f.params[p.Arg], mapping.entry("'"+p.Arg+"'"))
		}
	}
}

// method learns from a call of an attribute: of a module, of a base by super(), of an object of the
// program, or of a built-in type.
func (c *call) method(callee *ast.Attribute, s *scope) *facts {
	in, name := c.in, callee.Attr
	if path := in.path(callee, s); path != "" {
		return c.imported(path)
	}
	if of, is := callee.Value.(*ast.Call); is && lastName(of.Func) == "super" && s.fn != nil && s.fn.class != nil {
		for _, base := range s.fn.class.bases {
			if f := base.method(name); f != nil {
				return in.apply(f.callable(&facts{}), c.n, c.args)
			}
		}
		return &facts{}
	}
	value := in.expr(callee.Value, s)
	for _, class := range value.root().classes {
		if f := class.method(name); f != nil {
			return in.apply(f.callable(&facts{}), c.n, c.args)
		}
	}
	other := (name == "add" || name == "discard") && len(c.n.Args) != 1 // not a set's method
	if signatures.Get()["."+name] != nil && !other {
		c.of, c.name = value, name
		return c.tell("." + name)
	}
	value.vote(2, objectKind)
	return in.apply(value.attr(name).vote(2, callKind), c.n, c.args)
}

// apply unites arguments with the parameters of the callable.
func (in *inference) apply(f *facts, n *ast.Call, args []*facts) *facts {
	for i, a := range args {
		if n.Args[i].Kind() == ast.KindStarred {
			break
		}
		r := f.root()
		if i < len(r.params) {
			in.union(r.params[i], a)
		} else if r.result == nil || len(r.params) > 0 || r.votes[callKind] > 0 && i < 6 {
			if r.called == nil {
				r.params = append(r.params, a)
			}
		}
	}
	return f.returns()
}

// path returns the full name of an attribute of an imported module, or "":
// datetime.datetime.strptime for dt.datetime.strptime after import datetime as dt.
func (in *inference) path(e ast.Expr, s *scope) string {
	switch e := e.(type) {
	case *ast.Name:
		if s.lookup(e.ID) == nil {
			return in.imports[e.ID]
		}
	case *ast.Attribute:
		if module := in.path(e.Value, s); module != "" {
			return module + "." + e.Attr
		}
	}
	return ""
}

// pathForm matches typical paths.
var pathForm = form{pattern: `(/|)(a|b|lib|\.\.|\.|)(/(a|b|x\.py|\.\.|\.|)){0,3}`}

// maxSplit bounds in bytes the constant texts that are split, as each call of a program splits its
// own.
const maxSplit = 2000

// pieces returns what str.split makes of a text; sep is "" for blanks.
func pieces(text, sep string) []string {
	if sep == "" {
		return strings.Fields(text)
	}
	return strings.Split(text, sep)
}

// timed records that a text is parsed by formats of strptime.
func (in *inference) timed(text, formats *facts) {
	for _, f := range formats.root().values {
		if f.kind == strLiteral && strings.Contains(f.text, "%") {
			text.root().forms = append(text.root().forms, form{pattern: timeForm(f.text)})
		}
	}
}

// timeForm returns a regular expression of the texts that strptime reads by a format.
func timeForm(format string) string {
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			if strings.IndexByte(`.+*?()[]{}|^$\`, format[i]) >= 0 {
				out.WriteByte('\\')
			}
			out.WriteByte(format[i])
			continue
		}
		i++
		switch format[i] {
		case 'Y':
			out.WriteString("(19|20)[0-9][0-9]")
		case 'm':
			out.WriteString("(0[1-9]|1[0-2])")
		case 'd':
			out.WriteString("(0[1-9]|1[0-9]|2[0-8])")
		case 'H', 'I':
			out.WriteString("(0[1-9]|1[0-2])")
		case 'M', 'S', 'y':
			out.WriteString("[0-5][0-9]")
		case 'B':
			out.WriteString("(January|March|April|July|December)")
		case 'b':
			out.WriteString("(Jan|Mar|Apr|Jul|Dec)")
		case 'p':
			out.WriteString("(AM|PM)")
		default:
			out.WriteString("[0-9]")
		}
	}
	return out.String()
}

// matched records that a text is matched with a regular expression, perhaps in many places.
func (in *inference) matched(pattern, text *facts, many bool) {
	for _, p := range pattern.root().values {
		if strings.Contains(in.text, "re.I") {
			p.text = "(?i)" + p.text
		}
		if of := (form{p.text, many}); p.kind == strLiteral && !slices.Contains(text.root().forms, of) {
			text.root().forms = append(text.root().forms, of)
		}
	}
}
