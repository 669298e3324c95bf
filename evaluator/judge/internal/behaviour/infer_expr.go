package behaviour

import (
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/ast"
)

// expr returns the facts of an expression, and takes what its parts say of each
// other.
func (in *inference) expr(e ast.Expr, s *scope) *facts {
	switch n := e.(type) {
	case nil:
		return &facts{}
	case *ast.Constant:
		f := &facts{}
		if value, ok := constant(n); ok {
			f.vote(3, value.valueKind())
			if value.kind != noneLiteral && value.kind != boolLiteral {
				f.add(value)
			}
		}
		return f
	case *ast.JoinedStr:
		in.children(n, s)
		return new(facts).vote(3, strKind)
	case *ast.FormattedValue:
		in.expr(n.Value, s)
		return &facts{}
	case *ast.Name:
		if f := s.lookup(n.ID); f != nil {
			return f
		}
		f := &facts{}
		switch n.ID {
		case "sum", "len", "int", "float", "str", "ord", "chr", "abs", "sorted", "max", "min", "list", "tuple", "set", "reversed":
			first := &facts{} // as of key=sum
			f.vote(3, callKind)
			f.params = []*facts{first}
			f.result = in.builtin(n.ID, &ast.Call{Args: []ast.Expr{n}}, f.params, nil, func(int) *facts { return first })
		}
		return f
	case *ast.NamedExpr:
		value := in.expr(n.Value, s)
		in.assign(n.Target, value, s)
		return value
	case *ast.BoolOp:
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
	case *ast.BinOp:
		if value, ok := fold(n, 0); ok {
			f := new(facts).vote(3, value.valueKind())
			f.add(value)
			return f
		}
		return in.binary(n.Op, in.expr(n.Left, s), in.expr(n.Right, s), n.Right)
	case *ast.UnaryOp:
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
	case *ast.Lambda:
		f := &facts{}
		f.vote(3, callKind)
		inner := &scope{vars: map[string]*facts{}, up: s}
		for _, arg := range slices.Concat(n.Args.PosOnlyArgs, n.Args.Args, n.Args.KwOnlyArgs, []*ast.Arg{n.Args.VarArg, n.Args.KwArg}) {
			if arg != nil {
				inner.vars[arg.Arg] = &facts{}
				f.params = append(f.params, inner.vars[arg.Arg])
			}
		}
		f.result = in.expr(n.Body, inner)
		return f
	case *ast.IfExp:
		in.expr(n.Test, s)
		return in.union(in.expr(n.Body, s), in.expr(n.Orelse, s))
	case *ast.Dict:
		f := new(facts).vote(3, dictKind)
		for i, k := range n.Keys {
			value := in.expr(n.Values[i], s)
			if k == nil {
				in.union(f, value)
				continue
			}
			in.union(f.keys(), in.expr(k, s))
			in.union(f.items(), value)
			if a, ok := character(k); ok {
				if b, ok := character(n.Values[i]); ok && len(f.key.root().pairs) < maxValues {
					f.key.root().pairs = append(f.key.root().pairs, [2]string{a, b})
				}
			}
		}
		return f
	case *ast.Set:
		return in.display(setKind, n.Elts, s)
	case *ast.List:
		return in.display(listKind, n.Elts, s)
	case *ast.Tuple:
		f := new(facts).vote(3, tupleKind)
		for i, e := range n.Elts {
			if e.Kind() == ast.KindStarred {
				return in.display(tupleKind, n.Elts, s)
			}
			in.union(f.field(i), in.expr(e, s))
		}
		return f
	case *ast.ListComp:
		inner := in.generators(n.Generators, s)
		f := new(facts).vote(3, listKind)
		in.union(f.items(), in.expr(n.Elt, inner))
		return f
	case *ast.SetComp:
		inner := in.generators(n.Generators, s)
		f := new(facts).vote(3, setKind)
		in.union(f.items(), in.expr(n.Elt, inner))
		return f
	case *ast.GeneratorExp:
		inner := in.generators(n.Generators, s)
		f := new(facts).vote(2, listKind)
		in.union(f.items(), in.expr(n.Elt, inner))
		return f
	case *ast.DictComp:
		inner := in.generators(n.Generators, s)
		f := new(facts).vote(3, dictKind)
		in.union(f.keys(), in.expr(n.Key, inner))
		in.union(f.items(), in.expr(n.Value, inner))
		return f
	case *ast.Await:
		return in.expr(n.Value, s)
	case *ast.Yield:
		if s.fn != nil {
			in.union(s.fn.result.vote(3, listKind).items(), in.expr(n.Value, s))
			s.fn.yields = true
		}
		return &facts{}
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
		left := in.expr(n.Left, s)
		for i, c := range n.Comparators {
			right := in.expr(c, s)
			switch n.Ops[i] {
			case ast.In, ast.NotIn:
				in.contains(left, right, c)
			case ast.Is, ast.IsNot:
				if constant, is := c.(*ast.Constant); is && constant.Type == ast.None {
					left.vote(1, noneKind)
					break
				}
				in.union(left, right)
			case ast.Lt, ast.LtE, ast.Gt, ast.GtE:
				left.vote(1, intKind)
				in.union(left, right)
			default:
				in.union(left, right)
			}
			left = right
		}
		return new(facts).vote(1, boolKind)
	case *ast.Call:
		return in.call(n, s)
	case *ast.Attribute:
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
		if strings.HasPrefix(n.Attr, "__") { // all objects have those
			return value.attr(n.Attr)
		}
		value.vote(2, objectKind)
		return value.attr(n.Attr)
	case *ast.Subscript:
		return in.subscript(n, s)
	}
	in.children(e, s)
	return &facts{}
}

// character returns the text of a constant of one character.
func character(e ast.Expr) (string, bool) {
	if c, is := e.(*ast.Constant); is && c.Type == ast.Str {
		return c.Text, utf8.RuneCountInString(c.Text) == 1
	}
	return "", false
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

// binary takes what an operator says of its operands.
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

// characters takes that f is one of a text's characters.
func (in *inference) characters(f *facts, text string) {
	f.vote(2, strKind)
	for _, r := range text {
		f.add(literal{kind: strLiteral, text: string(r)})
	}
}

// contains takes what left in right says of both.
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

// call takes what a call says of its arguments.
func (in *inference) call(n *ast.Call, s *scope) *facts {
	var args []*facts
	for _, a := range n.Args {
		args = append(args, in.expr(a, s))
	}
	arg := func(i int) *facts {
		if i < len(args) {
			return args[i]
		}
		return &facts{}
	}
	keywords := map[string]*facts{}
	for _, k := range n.Keywords {
		keywords[k.Arg] = in.expr(k.Value, s)
	}
	switch callee := n.Func.(type) {
	case *ast.Name:
		if f := in.functions[callee.ID]; f != nil {
			for name, value := range keywords {
				if p := f.params[name]; p != nil {
					f.named[name] = true
					in.union(p, value)
				}
			}
		}
		if known := s.lookup(callee.ID); known != nil {
			known.vote(2, callKind)
			return in.apply(known, n, args)
		}
		if path := in.imports[callee.ID]; path != "" {
			return in.imported(path, n, args, keywords)
		}
		return in.builtin(callee.ID, n, args, keywords, arg)
	case *ast.Attribute:
		if path := in.path(callee, s); path != "" {
			return in.imported(path, n, args, keywords)
		}
		if c, is := callee.Value.(*ast.Call); is && lastName(c.Func) == "super" && s.fn != nil && s.fn.class != nil {
			for _, base := range s.fn.class.bases {
				if f := base.method(callee.Attr); f != nil {
					return in.apply(f.callable(&facts{}), n, args)
				}
			}
			return &facts{}
		}
		value := in.expr(callee.Value, s)
		for _, c := range value.root().classes {
			if f := c.method(callee.Attr); f != nil {
				return in.apply(f.callable(&facts{}), n, args)
			}
		}
		if result := in.methodCall(value, callee.Attr, n, arg, s); result != nil {
			return result
		}
		value.vote(2, objectKind)
		return in.apply(value.attr(callee.Attr).vote(2, callKind), n, args)
	}
	return in.apply(in.expr(n.Func, s).vote(2, callKind), n, args)
}

// apply unites arguments with the parameters of what is called.
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

// builtin takes what a call of a built-in function says.
func (in *inference) builtin(name string, n *ast.Call, args []*facts, keywords map[string]*facts, arg func(int) *facts) *facts {
	first := arg(0)
	iterable := func() *facts { return in.each(first.vote(2, listKind)) }
	list := func(items *facts) *facts { return (&facts{item: items}).vote(3, listKind) }
	switch name {
	case "len":
		first.vote(2, listKind, strKind)
		return first.length()
	case "range":
		for _, a := range args {
			a.vote(8, intKind)
		}
		r := new(facts).vote(3, listKind)
		r.items().vote(5, intKind)
		if len(args) > 0 {
			in.union(r.items(), args[0])
		}
		if len(args) > 1 {
			in.union(r.items(), args[1])
		}
		return r
	case "int":
		first.vote(4, strKind)
		first.vote(1, intKind, floatKind)
		return first.digits()
	case "float":
		first.vote(3, strKind, floatKind)
		return first.digits().vote(4, floatKind)
	case "str", "repr":
		first.vote(1, intKind)
		return new(facts).vote(4, strKind)
	case "ord":
		first.vote(6, strKind)
		first.length().add(literal{kind: intLiteral, n: 1})
		return new(facts).vote(4, intKind)
	case "chr", "bin", "hex", "oct":
		first.vote(8, intKind)
		return new(facts).vote(4, strKind)
	case "abs", "round", "divmod", "pow":
		first.vote(3, intKind)
		first.vote(2, floatKind)
		return first
	case "sum":
		return iterable().vote(3, intKind)
	case "min", "max":
		if len(n.Args) > 1 {
			for _, a := range args[1:] {
				in.union(first, a)
			}
			return first.vote(2, intKind)
		}
		items := iterable()
		in.keyed(keywords["key"], items)
		return items
	case "sorted", "reversed", "list", "tuple", "set", "frozenset", "iter":
		items := iterable()
		in.keyed(keywords["key"], items)
		if len(args) == 0 {
			return new(facts).vote(3, typeKinds[name])
		}
		return list(items)
	case "next":
		return iterable()
	case "enumerate":
		r := &facts{}
		in.union(r.field(1), iterable())
		r.field(0).vote(5, intKind)
		return list(r)
	case "zip":
		r := &facts{}
		for i, a := range args {
			if n.Args[i].Kind() == ast.KindStarred {
				return list(a)
			}
			items := in.each(a.vote(2, listKind))
			for _, known := range a.root().values { // zip('abc', ...)
				if n.Args[i].Kind() == ast.KindConstant && known.kind == strLiteral {
					for _, c := range known.text {
						items.add(literal{kind: strLiteral, text: string(c)})
					}
				}
			}
			in.union(r.field(i), items)
		}
		return list(r)
	case "map", "filter":
		if len(args) > 1 {
			in.keyed(first.vote(2, callKind), in.each(args[1].vote(2, listKind)))
			if c, is := n.Args[0].(*ast.Name); is && (c.ID == "int" || c.ID == "float") {
				return list(in.each(args[1]).vote(2, strKind).digits())
			}
			if name == "filter" {
				return list(in.each(args[1]))
			}
			return list(first.returns())
		}
	case "any", "all":
		iterable()
		return new(facts).vote(2, boolKind)
	case "isinstance":
		if len(n.Args) == 2 {
			if name, is := n.Args[1].(*ast.Name); is && typeKinds[name.ID] == 0 && name.ID != "int" && in.classes[name.ID] == nil {
				arg(1).vote(8, typeKind)
				first.vote(2, intKind, strKind, floatKind)
			}
			types := []ast.Expr{n.Args[1]}
			if t, is := n.Args[1].(*ast.Tuple); is {
				types = t.Elts
			}
			for _, t := range types {
				if k, known := typeKinds[lastName(t)]; known {
					first.vote(2, k)
				} else if c := in.classes[lastName(t)]; c != nil {
					first.vote(2, objectKind)
					if r := first.root(); !slices.Contains(r.classes, c) {
						r.classes = append(r.classes, c)
					}
				}
			}
		}
	case "dict":
		return first
	case "super":
		return &facts{}
	}
	return &facts{}
}

// path returns what an attribute of an imported module is: datetime.datetime.strptime
// of dt.datetime.strptime after import datetime as dt; "" if it is no such thing.
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

// keyed takes that items are passed to what a key= or the like stands for.
func (in *inference) keyed(f, items *facts) {
	if f != nil {
		if r := f.root(); len(r.params) > 0 {
			in.union(r.params[0], items)
		} else if r.result == nil {
			r.params = []*facts{items}
		}
	}
}

// imported takes what a call of a function of the standard library says.
func (in *inference) imported(path string, n *ast.Call, args []*facts, keywords map[string]*facts) *facts {
	arg := func(i int) *facts {
		if i < len(args) {
			return args[i]
		}
		return &facts{}
	}
	module, name, _ := strings.Cut(path, ".")
	switch module {
	case "re":
		switch name {
		case "compile":
			return flagged(arg(0), n)
		case "match", "fullmatch", "search", "findall", "finditer", "split":
			return in.matched(flagged(arg(0), n), arg(1), name)
		case "sub", "subn":
			in.matched(flagged(arg(0), n), arg(2), name)
			return arg(2)
		}
	case "math":
		for _, a := range args {
			a.vote(3, intKind)
			a.vote(2, floatKind)
		}
		return new(facts).vote(2, floatKind)
	case "collections", "itertools", "functools", "heapq", "bisect", "statistics", "operator":
		if name == "nlargest" || name == "nsmallest" {
			arg(0).vote(5, intKind)
			in.keyed(keywords["key"], in.each(arg(1).vote(3, listKind)))
			return &facts{item: arg(1).items()}
		}
		switch name {
		case "itemgetter", "attrgetter":
			return in.getter(name, args)
		case "reduce": // reduce(lambda sum, x: sum + x, items, start)
			items := in.each(arg(1).vote(3, listKind))
			if r := arg(0).vote(5, callKind).root(); len(r.params) > 1 {
				in.union(r.params[1], items)
				in.union(r.params[0], arg(2))
			} else if r.result == nil {
				r.params = []*facts{arg(2), items}
			}
			return in.union(arg(0).returns(), arg(2))
		case "partial":
			return arg(0).returns()
		case "wraps", "update_wrapper", "lru_cache", "cache", "count", "repeat":
			return &facts{}
		case "starmap", "accumulate", "takewhile", "dropwhile", "filterfalse", "groupby":
			list, function := arg(0), arg(1)
			if name == "starmap" || name == "takewhile" || name == "dropwhile" || name == "filterfalse" {
				list, function = function, list
			}
			items := in.each(list.vote(3, listKind))
			in.keyed(function.vote(1, callKind), items)
			return &facts{item: items}
		}
		arg(0).vote(2, listKind)
		if module == "statistics" {
			in.each(arg(0)).vote(3, intKind).vote(2, floatKind)
			return new(facts).vote(2, floatKind)
		}
		if module == "bisect" {
			in.union(arg(0).items(), arg(1))
			return new(facts).vote(3, intKind)
		}
		if name == "Counter" {
			r := &facts{key: arg(0).items()}
			r.items().vote(3, intKind)
			return r.vote(3, dictKind)
		}
		if name == "defaultdict" || name == "OrderedDict" {
			return new(facts).vote(3, dictKind)
		}
		if module == "heapq" && name == "heappop" {
			return arg(0).items()
		}
		if module == "heapq" && name == "heappush" {
			in.union(arg(0).items(), arg(1))
		}
		return &facts{item: arg(0).items()}
	case "os", "posixpath", "ntpath", "pathlib":
		if module == "os" && !strings.HasPrefix(name, "path.") {
			break
		}
		for _, a := range args {
			a.vote(3, strKind)
			if forms := &a.root().forms; !slices.Contains(*forms, pathForm) {
				*forms = append(*forms, pathForm)
			}
		}
		return new(facts).vote(3, strKind)
	case "datetime":
		switch name[strings.LastIndexByte(name, '.')+1:] {
		case "strptime":
			in.timed(arg(0), arg(1))
			return new(facts).vote(3, dateKind)
		case "date", "datetime":
			for _, a := range args {
				a.vote(3, intKind)
			}
			return new(facts).vote(3, dateKind)
		case "fromisoformat":
			f := &facts{}
			f.add(literal{kind: strLiteral, text: "%Y-%m-%d"})
			in.timed(arg(0), f)
			return new(facts).vote(3, dateKind)
		case "timedelta":
			for _, a := range args {
				a.vote(3, intKind)
			}
			return new(facts).vote(3, deltaKind)
		}
	case "decimal", "fractions":
		if name == "Decimal" || name == "Fraction" && len(args) == 1 {
			arg(0).vote(3, strKind).vote(2, intKind).digits().vote(4, floatKind)
		}
	case "json":
		if name == "dumps" {
			arg(0).vote(3, dictKind).vote(1, listKind)
		}
		if name == "loads" {
			arg(0).vote(4, strKind)
			arg(0).add(literal{kind: strLiteral, text: `{"a": 1, "b": [2, 3]}`}, literal{kind: strLiteral, text: `[1, "x"]`})
		}
	case "io":
		in.union(new(facts).vote(3, strKind), arg(0))
		return (&facts{item: arg(0)}).vote(3, listKind)
	case "csv":
		r := new(facts).vote(3, dictKind)
		text := arg(0).root()
		if text.item != nil && strings.HasSuffix(name, "eader") {
			text.item.add(literal{kind: strLiteral, text: "a,b,c\nx,1,2\ny,3,4\nx,5,6\n"})
			r.keys().add(literal{kind: strLiteral, text: "a"}, literal{kind: strLiteral, text: "b"}, literal{kind: strLiteral, text: "c"})
			r.keys().vote(3, strKind)
		}
		return &facts{item: r}
	}
	return &facts{}
}

// getter returns what operator.itemgetter and attrgetter make: of what the keys are asked,
// it has these.
func (in *inference) getter(name string, keys []*facts) *facts {
	of, result := &facts{}, &facts{}
	for _, key := range keys {
		for _, v := range key.root().values {
			switch {
			case name == "attrgetter" && v.kind == strLiteral:
				result = of.vote(3, objectKind).attr(v.text)
			case v.kind == strLiteral:
				result = of.vote(5, dictKind).entry(v.String())
			case v.kind == intLiteral && v.n >= 0 && v.n < 8:
				result = of.vote(3, tupleKind).field(int(v.n))
			}
		}
	}
	return (&facts{params: []*facts{of}, result: result}).vote(3, callKind)
}

// pathForm is what paths look like.
var pathForm = form{pattern: `(/|)(a|b|lib|\.\.|\.|)(/(a|b|x\.py|\.\.|\.|)){0,3}`}

// maxSplit bounds the constant texts that are split, in bytes: each call of a program splits its own again.
const maxSplit = 2000

// pieces returns what str.split makes of a text; sep is "" for blanks.
func pieces(text, sep string) []string {
	if sep == "" {
		return strings.Fields(text)
	}
	return strings.Split(text, sep)
}

// timed takes that a text is read by formats of strptime.
func (in *inference) timed(text, formats *facts) {
	text.vote(4, strKind)
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

// flagged returns the facts of a regular expression with the flags of a call.
func flagged(pattern *facts, n *ast.Call) *facts {
	folds := false
	look := func(n ast.Node) bool {
		if e, is := n.(*ast.Attribute); is {
			folds = folds || e.Attr == "I" || e.Attr == "IGNORECASE"
		}
		return true
	}
	for _, e := range n.Args {
		ast.Inspect(e, look)
	}
	for _, k := range n.Keywords {
		ast.Inspect(k.Value, look)
	}
	if !folds {
		return pattern
	}
	f := new(facts).vote(3, strKind)
	for _, value := range pattern.root().values {
		value.text = "(?i)" + value.text
		f.add(value)
	}
	return f
}

// matched takes that a text is matched with a regular expression.
func (in *inference) matched(pattern, text *facts, function string) *facts {
	text.vote(5, strKind)
	for _, p := range pattern.root().values {
		of := form{p.text, function != "match" && function != "fullmatch"}
		if p.kind == strLiteral && !slices.Contains(text.root().forms, of) {
			text.root().forms = append(text.root().forms, of)
		}
	}
	switch function {
	case "findall", "split":
		r := new(facts).vote(3, listKind)
		r.items().vote(3, strKind)
		return r
	case "finditer":
		return (&facts{item: new(facts).vote(3, matchKind)}).vote(3, listKind)
	}
	return new(facts).vote(3, matchKind)
}

// methodCall takes what a call of a method says of its object, if that is one of a
// built-in type. It returns nil if no such type has the method.
func (in *inference) methodCall(value *facts, name string, n *ast.Call, arg func(int) *facts, s *scope) *facts {
	text := func() *facts { return new(facts).vote(3, strKind) }
	list := func(items *facts) *facts { return (&facts{item: items}).vote(3, listKind) }
	switch name {
	case "split", "rsplit", "splitlines", "partition", "rpartition":
		value.vote(8, strKind)
		if c := arg(0).root(); len(c.values) > 0 && c.values[0].kind == strLiteral {
			value.root().sep = c.values[0].text
		} else if name == "splitlines" {
			value.root().sep = "\n"
		}
		for _, known := range value.root().values { // 'red green blue'.split()
			if sep := value.root().sep; known.kind == strLiteral && len(known.text) <= maxSplit && !strings.HasSuffix(name, "partition") {
				for _, piece := range pieces(known.text, sep) {
					value.pieces().items().add(literal{kind: strLiteral, text: piece})
				}
			}
		}
		if strings.HasSuffix(name, "partition") {
			r := new(facts).vote(3, tupleKind)
			for i, at := range []int{0, 2} {
				in.union(r.field(at), value.pieces().field(i)).vote(5, strKind)
			}
			return r
		}
		return value.pieces()
	case "join":
		value.vote(4, strKind)
		arg(0).vote(2, listKind).items().vote(4, strKind)
		return text()
	case "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold", "swapcase", "removeprefix", "removesuffix", "expandtabs":
		value.vote(8, strKind)
		return value
	case "replace", "startswith", "endswith", "find", "rfind", "rindex", "zfill", "ljust", "rjust", "center", "translate", "encode":
		value.vote(6, strKind)
		for i := range n.Args {
			if c := arg(i).root(); len(c.values) > 0 && c.values[0].kind == strLiteral {
				value.add(c.values[0])
			}
		}
		if name == "replace" && len(n.Args) < 2 {
			return value
		}
		switch name {
		case "ljust", "rjust", "center", "zfill":
			arg(0).vote(5, intKind)
			if len(n.Args) > 1 {
				arg(1).vote(5, strKind).length().add(literal{kind: intLiteral, n: 1})
			}
		case "find", "rfind", "rindex":
			return new(facts).vote(3, intKind)
		case "startswith", "endswith":
			arg(0).vote(2, strKind)
			return new(facts).vote(3, boolKind)
		}
		return text()
	case "isdigit", "isdecimal", "isnumeric":
		value.vote(8, strKind).digits()
		return new(facts).vote(1, boolKind)
	case "isalpha", "isalnum", "isupper", "islower", "isspace", "isidentifier", "istitle":
		value.vote(8, strKind)
		return new(facts).vote(1, boolKind)
	case "format":
		value.vote(4, strKind)
		return text()
	case "append", "appendleft", "insert", "extend", "remove", "sort", "reverse", "extendleft", "rotate":
		value.vote(6, listKind)
		switch name {
		case "append", "appendleft", "remove":
			in.union(value.items(), arg(0))
		case "insert":
			in.union(value.items(), arg(1))
		case "extend":
			in.union(value.items(), arg(0).vote(2, listKind).items())
		}
		return &facts{}
	case "count", "index":
		for _, known := range value.root().values { // '0123456789abcdef'.index(c)
			if known.kind == strLiteral && len(known.text) > 3 && len(value.root().values) == 1 {
				in.characters(arg(0), known.text)
				return new(facts).vote(3, intKind)
			}
		}
		value.vote(3, listKind, strKind)
		in.union(in.each(value), arg(0))
		return new(facts).vote(3, intKind)
	case "pop", "popleft":
		value.vote(2, listKind)
		if len(n.Args) > 0 && name == "pop" {
			value.vote(2, dictKind)
			in.union(value.keys(), arg(0))
		}
		return value.items()
	case "copy", "clear":
		value.vote(1, listKind, dictKind, setKind)
		return value
	case "items":
		value.vote(8, dictKind)
		r := new(facts).vote(3, tupleKind)
		in.union(r.field(0), value.keys())
		in.union(r.field(1), value.items())
		return list(r)
	case "keys":
		value.vote(8, dictKind)
		return list(value.keys())
	case "values":
		value.vote(8, dictKind)
		return list(value.items())
	case "get", "setdefault":
		value.vote(6, dictKind)
		reader := literalReader{text: in.text, left: maxLiteral}
		result := value.items()
		if len(n.Args) > 0 {
			if key, ok := reader.read(n.Args[0], 0); ok && key.kind == strLiteral {
				result = value.entry(key.String())
			}
		}
		in.union(value.keys(), arg(0))
		if len(n.Args) > 1 {
			in.union(result, arg(1))
		}
		return result
	case "update":
		value.vote(3, dictKind)
		value.vote(2, setKind)
		in.union(value, arg(0))
		return &facts{}
	case "move_to_end", "popitem":
		value.vote(4, dictKind)
		return &facts{}
	case "add", "discard":
		if len(n.Args) != 1 {
			return nil
		}
		value.vote(6, setKind)
		in.union(value.items(), arg(0))
		return &facts{}
	case "union", "intersection", "difference", "issubset", "issuperset", "symmetric_difference":
		value.vote(6, setKind)
		return value
	case "is_integer", "as_integer_ratio":
		value.vote(6, floatKind)
		return &facts{}
	case "bit_length", "bit_count", "to_bytes":
		value.vote(8, intKind)
		return new(facts).vote(3, intKind)
	case "match", "fullmatch", "search", "findall", "finditer":
		return in.matched(value, arg(0), name)
	case "sub":
		in.matched(value, arg(1), name)
		return arg(1)
	case "group", "groups", "groupdict", "span", "start", "end":
		value.vote(3, matchKind)
		if name == "groups" {
			r := new(facts).vote(3, listKind)
			r.items().vote(3, strKind)
			return r
		}
		return text()
	case "read", "readline", "readlines", "write", "writelines", "seek":
		value.vote(6, fileKind)
		if name == "readlines" {
			return list(text())
		}
		return text()
	case "weekday", "isoweekday", "strftime", "isoformat", "toordinal", "isocalendar", "timetuple":
		value.vote(6, dateKind)
		return new(facts).vote(2, intKind)
	case "total_seconds":
		value.vote(6, deltaKind)
		return new(facts).vote(2, floatKind)
	case "__init__", "__new__":
		return &facts{}
	}
	return nil
}
