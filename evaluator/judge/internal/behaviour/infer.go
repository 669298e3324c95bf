package behaviour

import (
	"slices"
	"strings"

	"codelinter/ast"
)

// A kind is a kind of value.
type kind uint8

const (
	intKind kind = iota
	strKind
	listKind
	dictKind
	floatKind
	tupleKind
	setKind
	boolKind
	noneKind
	bytesKind
	objectKind // with attributes
	callKind   // can be called
	fileKind
	dateKind
	deltaKind
	matchKind // what re.match returns
	typeKind
	kinds
)

// Facts are what is known of the values of some expressions of a program. Expressions
// that may have the same values share their facts, wherever they are. After
//
//	for grade, limit in (('A', 90), ('B', 80)):
//	    if mark >= limit:
//
// mark is an integer near 90 and 80. So the facts of a parameter say which arguments
// to pass. They are votes, not proofs: a call with unsuitable arguments fails in the
// program and is dropped.
type facts struct {
	same    *facts // the facts that replaced these, or nil
	votes   [kinds]int
	few     bool              // draw values from a small set: keys, and values to look up
	values  []literal         // constants that the values are, or are compared with
	item    *facts            // items in iteration, and a dict's values
	key     *facts            // a dict's keys, and indices
	size    *facts            // its len
	fields  []*facts          // a tuple's items; nil if unknown
	entries map[string]*facts // a dict's values by constant keys
	attrs   map[string]*facts
	classes []*class  // of the program
	params  []*facts  // parameters of a callable
	result  *facts    // result of a call
	called  *function // the program's function that it is
	number  *facts    // the number that int or float makes of a text
	parts   *facts    // the pieces into which a text is split
	sep     string    // the separator of the pieces; "" for blanks
	forms   []form    // patterns that match a text
	format  bool      // a text is the left operand of %
}

// A form is a regular expression that is matched with texts.
type form struct {
	pattern string
	many    bool // all its matches in a text are used
}

// A class is a class of the program.
type class struct {
	def     *ast.ClassDef
	self    *facts // of its instances
	methods map[string]*function
	setters map[string]*function // of properties
	deletes map[string]bool      // properties that can be deleted
	bases   []*class
}

// A function is a function or method of the program.
type function struct {
	def     *ast.FunctionDef
	async   bool
	class   *class // nil for a function
	params  map[string]*facts
	named   map[string]bool // parameters that calls pass by keyword
	result  *facts
	wrapped *facts // what a decorator of the program makes of it, or nil
	yields  bool
}

// A scope has the names of a module or of a function.
type scope struct {
	vars   map[string]*facts
	up     *scope
	fn     *function
	blocks int // around the statement that is read
}

// An inference finds the facts of a program.
type inference struct {
	text      string // of the program
	module    *scope
	imports   map[string]string // full name of each imported name, such as "re" or "re.match"
	functions map[string]*function
	classes   map[string]*class
	order     []*class
	known     map[place]int // votes for places known to be dicts
	left      int           // unions that may still be made
}

// root returns the facts that replaced f, or f.
func (f *facts) root() *facts {
	for f.same != nil {
		if f.same.same != nil {
			f.same = f.same.same // path compression
		}
		f = f.same
	}
	return f
}

func (f *facts) vote(n int, list ...kind) *facts {
	r := f.root()
	for _, k := range list {
		r.votes[k] += n
	}
	return f
}

// sub returns the facts at place, and makes them if needed.
func sub(place **facts) *facts {
	if *place == nil {
		*place = &facts{}
	}
	return *place
}

func (f *facts) items() *facts   { return sub(&f.root().item) }
func (f *facts) length() *facts  { return sub(&f.root().size).vote(1, intKind) }
func (f *facts) returns() *facts { return sub(&f.root().result) }
func (f *facts) digits() *facts  { return sub(&f.root().number).vote(3, intKind) }

// pieces returns the facts of the list into which a text is split.
func (f *facts) pieces() *facts {
	list := sub(&f.root().parts).vote(3, listKind)
	list.items().vote(5, strKind)
	return list
}

func (f *facts) keys() *facts {
	k := sub(&f.root().key)
	k.root().few = true
	return k
}

func (f *facts) field(i int) *facts {
	r := f.root()
	for len(r.fields) <= i {
		r.fields = append(r.fields, &facts{})
	}
	return r.fields[i]
}

func (f *facts) attr(name string) *facts {
	r := f.root()
	if r.attrs == nil {
		r.attrs = map[string]*facts{}
	}
	if r.attrs[name] == nil {
		r.attrs[name] = &facts{}
	}
	return r.attrs[name]
}

func (f *facts) entry(key string) *facts {
	r := f.root()
	if r.entries == nil {
		r.entries = map[string]*facts{}
	}
	if r.entries[key] == nil {
		r.entries[key] = &facts{}
	}
	return r.entries[key]
}

// maxValues bounds the constants of one place.
const maxValues = 40

func (f *facts) add(values ...literal) {
	r := f.root()
	for _, v := range values {
		if len(r.values) < maxValues && !slices.ContainsFunc(r.values, v.equal) {
			r.values = append(r.values, v)
		}
	}
}

// best returns the kind with most votes.
func (f *facts) best() kind {
	best := noneKind
	for k, n := range f.votes {
		if n > f.votes[best] {
			best = kind(k)
		}
	}
	return best
}

// differs reports whether f and other are of kinds whose parts are unrelated.
func (f *facts) differs(other *facts) bool {
	class := func(f *facts) int {
		best := f.best()
		switch {
		case f.votes[best] < 3 || best == noneKind:
			return 0
		case best == listKind || best == tupleKind || best == setKind:
			return 2
		case best == dictKind:
			return 3
		case best == objectKind || best == callKind:
			return 4
		}
		return 1
	}
	a, b := class(f), class(other)
	return a != b && a > 0 && b > 0
}

// equal reports whether two literals have the same text.
func (l literal) equal(other literal) bool {
	return l.kind == other.kind && l.n == other.n && l.f == other.f && l.text == other.text && l.code == other.code &&
		slices.EqualFunc(l.items, other.items, literal.equal) && slices.EqualFunc(l.keys, other.keys, literal.equal)
}

// union merges the facts of a and b.
func (in *inference) union(a, b *facts) *facts {
	a, b = a.root(), b.root()
	if in.left--; a == b || in.left < 0 {
		return a
	}
	if a.differs(b) {
		// Values of several types, as in (1, (2, 3)): each keeps its own parts.
		for k, n := range b.votes {
			a.votes[k] += min(n, sure) / 2
		}
		a.add(b.values...)
		return a
	}
	b.same = a
	for k, n := range b.votes {
		a.votes[k] += n
	}
	a.few = a.few || b.few
	a.format = a.format || b.format
	if a.called == nil {
		a.called = b.called
	}
	a.add(b.values...)
	a.forms = append(a.forms, b.forms...)
	for _, c := range b.classes {
		if !slices.Contains(a.classes, c) {
			a.classes = append(a.classes, c)
		}
	}
	if a.sep == "" {
		a.sep = b.sep
	}
	join := func(x **facts, y *facts) {
		switch {
		case y == nil:
		case *x == nil:
			*x = y
		default:
			in.union(*x, y)
		}
	}
	// Another union may replace a on the way, so a is looked up again.
	for _, place := range []func(f *facts) **facts{
		func(f *facts) **facts { return &f.item }, func(f *facts) **facts { return &f.key }, func(f *facts) **facts { return &f.size },
		func(f *facts) **facts { return &f.result }, func(f *facts) **facts { return &f.parts }, func(f *facts) **facts { return &f.number },
	} {
		join(place(a.root()), *place(b))
	}
	for i, f := range b.fields {
		if r := a.root(); i < len(r.fields) {
			in.union(r.fields[i], f)
		} else {
			r.fields = append(r.fields, f)
		}
	}
	for i, f := range b.params {
		r := a.root()
		if i < len(r.params) {
			in.union(r.params[i], f)
		} else {
			r.params = append(r.params, f)
		}
	}
	// A part that a lacks is shared with b, not copied. b may contain itself, and a copy
	// would not end.
	joinAll := func(into *map[string]*facts, name string, f *facts) {
		if *into == nil {
			*into = map[string]*facts{}
		}
		if known := (*into)[name]; known != nil {
			in.union(known, f)
		} else {
			(*into)[name] = f
		}
	}
	for _, name := range sortedKeys(b.attrs) {
		joinAll(&a.root().attrs, name, b.attrs[name])
	}
	for _, name := range sortedKeys(b.entries) {
		joinAll(&a.root().entries, name, b.entries[name])
	}
	return a.root()
}

// infer returns the facts of a program. It makes two passes, because a statement that
// shows that a value is a dict may come late: until then its keys and its items would
// be mixed up.
func infer(m *module) *inference {
	dicts := inferKnowing(m, nil).dicts()
	return inferKnowing(m, dicts)
}

// A place is a parameter or an attribute.
type place struct {
	of   ast.Node // the function or class
	name string
}

// dicts returns the places whose values are dicts.
func (in *inference) dicts() map[place]int {
	found := map[place]int{}
	add := func(of ast.Node, name string, f *facts) {
		if r := f.root(); r.votes[dictKind] >= 6 && r.best() == dictKind {
			found[place{of, name}] = r.votes[dictKind]
		}
	}
	function := func(f *function) {
		for name, p := range f.params {
			add(f.def, name, p)
		}
	}
	for _, f := range in.functions {
		function(f)
	}
	for _, c := range in.order {
		for _, f := range c.methods {
			function(f)
		}
		for name, f := range c.self.root().attrs {
			add(c.def, name, f)
		}
	}
	return found
}

func inferKnowing(m *module, dicts map[place]int) *inference {
	body := m.body
	in := &inference{text: m.text, module: &scope{vars: map[string]*facts{}}, imports: map[string]string{}, functions: map[string]*function{}, classes: map[string]*class{}, known: dicts, left: 20_000}
	for name := range bound(body, false) {
		in.module.vars[name] = &facts{}
	}
	for _, s := range body {
		in.declare(s)
	}
	for _, c := range in.order {
		for _, base := range c.def.Bases {
			name, _ := base.(*ast.Name)
			if name == nil {
				continue
			}
			// Only an earlier class, so no class is its own base.
			if b := in.classes[name.ID]; b != nil && b.def.Start < c.def.Start {
				c.bases = append(c.bases, b)
				in.union(b.self, c.self)
			}
		}
	}
	// Twice, as facts of a value may come after its uses.
	in.body(body, in.module)
	in.body(body, in.module)
	return in
}

// each returns the facts of the items in iteration over f.
func (in *inference) each(f *facts) *facts {
	if r := f.root(); r.votes[dictKind] > r.votes[listKind]+r.votes[setKind]+r.votes[tupleKind] {
		return f.keys()
	}
	items := f.items()
	for i := range f.root().fields {
		items = in.union(items, f.field(i))
	}
	return items
}

// declare registers the functions and classes of a module's statement before their
// uses are read.
func (in *inference) declare(s ast.Stmt) {
	_, async := s.(*ast.AsyncFunctionDef)
	switch s := ast.Plain(s).(type) {
	case *ast.FunctionDef:
		f := in.function(s, nil)
		f.async = async
		in.functions[s.Name] = f
		f.callable(in.module.vars[s.Name])
	case *ast.ClassDef:
		c := &class{def: s, self: &facts{}, methods: map[string]*function{}, setters: map[string]*function{}, deletes: map[string]bool{}}
		c.self.vote(20, objectKind)
		c.self.classes = []*class{c}
		in.classes[s.Name] = c
		in.order = append(in.order, c)
		for at, votes := range in.known {
			if at.of == s {
				c.self.attr(at.name).vote(votes, dictKind)
			}
		}
		for _, member := range s.Body {
			switch m := member.(type) {
			case *ast.FunctionDef:
				switch {
				case decoratedBy(m, "setter"): // @celsius.setter
					c.setters[m.Name] = in.function(m, c)
				case decoratedBy(m, "deleter"):
					c.deletes[m.Name] = true
				case c.methods[m.Name] == nil || len(m.DecoratorList) == 0:
					c.methods[m.Name] = in.function(m, c)
				}
			case *ast.AsyncFunctionDef:
				f := in.function((*ast.FunctionDef)(m), c)
				f.async = true
				c.methods[m.Name] = f
			}
		}
		made := in.module.vars[s.Name].vote(3, callKind)
		made.root().result = c.self
		if init := c.methods["__init__"]; init != nil {
			made.root().params = init.list()
		} else {
			for _, member := range s.Body { // fields of a dataclass or a named tuple
				if a, is := member.(*ast.AnnAssign); is {
					if name, is := a.Target.(*ast.Name); is {
						in.annotate(c.self.attr(name.ID), a.Annotation)
						made.root().params = append(made.root().params, c.self.attr(name.ID))
					}
				}
			}
		}
	case *ast.Assign:
		if name, is := s.Targets[0].(*ast.Name); is {
			if value, is := s.Value.(*ast.Lambda); is {
				f := in.function(&ast.FunctionDef{Name: name.ID, Args: value.Args, Body: []ast.Stmt{&ast.Return{Value: value.Body}}}, nil)
				in.functions[name.ID] = f
				f.callable(in.module.vars[name.ID])
			}
		}
	case *ast.If:
		for _, inner := range slices.Concat(s.Body, s.Orelse) {
			in.declare(inner)
		}
	}
}

func (in *inference) function(def *ast.FunctionDef, c *class) *function {
	f := &function{def: def, class: c, params: map[string]*facts{}, named: map[string]bool{}, result: &facts{}}
	a := def.Args
	for i, arg := range parametersOf(a) {
		p := new(facts).vote(in.known[place{def, arg.Arg}], dictKind)
		f.params[arg.Arg] = p
		if i == 0 && c != nil && !decoratedBy(def, "staticmethod") {
			if !decoratedBy(def, "classmethod") {
				f.params[arg.Arg] = c.self
			}
			continue
		}
		switch arg {
		case a.VarArg:
			p.vote(20, tupleKind)
			in.annotate(p.items(), arg.Annotation)
		case a.KwArg:
			p.vote(20, dictKind)
			p.keys().vote(20, strKind)
			in.annotate(p.items(), arg.Annotation)
		default:
			in.annotate(p, arg.Annotation)
			p.vote(2, named(arg.Arg)...)
		}
	}
	return f
}

// list returns the facts of the function's positional parameters, without self.
func (f *function) list() (list []*facts) {
	for i, arg := range slices.Concat(f.def.Args.PosOnlyArgs, f.def.Args.Args) {
		if i == 0 && f.class != nil && !decoratedBy(f.def, "staticmethod") {
			continue
		}
		list = append(list, f.params[arg.Arg])
	}
	return list
}

// callable records that v is the function.
func (f *function) callable(v *facts) *facts {
	v.vote(3, callKind)
	r := v.root()
	r.params, r.result, r.called = f.list(), f.result, f
	return v
}

// method returns a method of the class or its bases, or nil.
func (c *class) method(name string) *function {
	if f := c.methods[name]; f != nil {
		return f
	}
	for _, base := range c.bases {
		if f := base.method(name); f != nil {
			return f
		}
	}
	return nil
}

func (s *scope) lookup(name string) *facts {
	for ; s != nil; s = s.up {
		if f := s.vars[name]; f != nil {
			return f
		}
	}
	return nil
}

func (in *inference) body(body []ast.Stmt, s *scope) {
	for _, stmt := range body {
		in.stmt(stmt, s)
	}
}

func (in *inference) stmt(stmt ast.Stmt, s *scope) {
	switch n := ast.Plain(stmt).(type) {
	case *ast.FunctionDef:
		in.define(n, s, in.functions[n.Name])
	case *ast.ClassDef:
		in.class(n, s)
	case *ast.Return:
		if n.Value != nil && s.fn != nil {
			in.union(s.fn.result, in.expr(n.Value, s))
		}
	case *ast.Assign:
		value := in.expr(n.Value, s)
		for _, t := range n.Targets {
			if name, is := t.(*ast.Name); is && s.replaces(name.ID, value) {
				s.vars[name.ID] = value
				continue
			}
			in.assign(t, value, s)
		}
	case *ast.AnnAssign:
		in.annotated(in.expr(n.Target, s), n, s)
	case *ast.AugAssign:
		in.binary(n.Op, in.expr(n.Target, s), in.expr(n.Value, s), n.Value)
	case *ast.For:
		in.assign(n.Target, in.each(in.expr(n.Iter, s).vote(1, listKind)), s)
		in.blocks(n, s)
	case *ast.With:
		for _, item := range n.Items {
			value := in.expr(item.ContextExpr, s)
			if item.OptionalVars != nil {
				in.assign(item.OptionalVars, value, s)
			}
		}
		in.body(n.Body, s)
	case *ast.Match:
		subject := in.expr(n.Subject, s)
		for _, c := range n.Cases {
			in.pattern(c.Pattern, subject, s)
			if c.Guard != nil {
				in.expr(c.Guard, s)
			}
			s.blocks++
			in.body(c.Body, s)
			s.blocks--
		}
	case *ast.Import:
		for _, a := range n.Names {
			in.imports[a.Bound()] = a.Name
		}
	case *ast.ImportFrom:
		for _, a := range n.Names {
			in.imports[a.Bound()] = n.Module + "." + a.Name
		}
	default:
		for _, child := range ast.AppendChildren(nil, stmt) {
			if e, is := child.(ast.Expr); is {
				in.expr(e, s)
			}
		}
		in.blocks(n, s)
	}
}

// replaces reports whether an assignment that is run once makes a name stand for a
// value of another type from there on: one with the same parts, but deeper or less
// deep.
//
//	rows = [cell for row in rows for cell in row]
//
// With the same facts for both, rows would be a list of lists of lists without end.
func (s *scope) replaces(name string, value *facts) bool {
	known := s.vars[name]
	if s.fn == nil || s.blocks > 0 || known == nil {
		return false
	}
	before, after := map[*facts]int{}, map[*facts]int{}
	known.depths(0, before)
	value.depths(0, after)
	for part, depth := range after {
		if was, shared := before[part]; shared && was != depth {
			return true
		}
	}
	return false
}

// maxParts bounds the depth at which parts are looked for.
const maxParts = 4

// depths notes f and its items, keys and fields with their least depth.
func (f *facts) depths(depth int, of map[*facts]int) {
	r := f.root()
	if known, is := of[r]; depth > maxParts || is && known <= depth {
		return
	}
	of[r] = depth
	for _, part := range append([]*facts{r.item, r.key}, r.fields...) {
		if part != nil {
			part.depths(depth+1, of)
		}
	}
}

// blocks reads the statements within a statement.
func (in *inference) blocks(n ast.Stmt, s *scope) {
	s.blocks++
	for _, body := range ast.Blocks(n) {
		in.body(body, s)
	}
	s.blocks--
}

// class reads a class's body.
func (in *inference) class(n *ast.ClassDef, s *scope) {
	c := in.classes[n.Name]
	if c == nil || c.def != n {
		return
	}
	for _, k := range n.Keywords {
		if f := c.method("__init_subclass__"); f != nil && f.params[k.Arg] != nil {
			in.union(f.params[k.Arg], in.expr(k.Value, s))
		}
	}
	for _, member := range n.Body {
		switch m := ast.Plain(member).(type) {
		case *ast.FunctionDef:
			if f := c.setters[m.Name]; f != nil && f.def == m {
				in.define(m, s, f)
				continue
			}
			in.define(m, s, c.methods[m.Name])
		case *ast.Assign:
			for _, t := range m.Targets {
				if name, is := t.(*ast.Name); is {
					in.union(c.self.attr(name.ID), in.expr(m.Value, s))
				}
			}
		case *ast.AnnAssign:
			if name, is := m.Target.(*ast.Name); is {
				in.annotated(c.self.attr(name.ID), m, s)
			}
		}
	}
}

// annotated learns from the annotation and value of a variable.
func (in *inference) annotated(f *facts, n *ast.AnnAssign, s *scope) {
	in.annotate(f, n.Annotation)
	if n.Value != nil {
		in.union(f, in.expr(n.Value, s))
	}
}

// define reads a function's body.
func (in *inference) define(def *ast.FunctionDef, s *scope, f *function) {
	if f == nil || f.def != def {
		f = in.function(def, nil)
		if v := s.lookup(def.Name); v != nil {
			f.callable(v)
		}
	}
	inner := &scope{vars: map[string]*facts{}, up: s, fn: f}
	for name := range bound(def.Body, false) {
		inner.vars[name] = &facts{}
	}
	for _, stmt := range def.Body {
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Global:
				for _, name := range n.Names {
					delete(inner.vars, name)
				}
			case *ast.Nonlocal:
				for _, name := range n.Names {
					delete(inner.vars, name)
				}
			}
			return true
		})
	}
	for name, p := range f.params {
		inner.vars[name] = p
	}
	a := def.Args
	positional := slices.Concat(a.PosOnlyArgs, a.Args)
	for i, value := range a.Defaults {
		in.union(f.params[positional[len(positional)-len(a.Defaults)+i].Arg], in.expr(value, s))
	}
	for i, value := range a.KwDefaults {
		if value != nil {
			in.union(f.params[a.KwOnlyArgs[i].Arg], in.expr(value, s))
		}
	}
	for _, d := range def.DecoratorList {
		in.decorated(d, f, s)
	}
	in.documented(def, f)
	in.body(def.Body, inner)
}

// decorated learns from a decorator of a function.
func (in *inference) decorated(d ast.Expr, f *function, s *scope) {
	value := in.expr(d, s)
	list := f.list()
	call, _ := d.(*ast.Call)
	if call != nil {
		d = call.Func
	}
	of, is := d.(*ast.Attribute)
	switch {
	case is && of.Attr == "register" && len(list) > 0: // functools.singledispatch
		name, _ := of.Value.(*ast.Name)
		if name == nil || in.functions[name.ID] == nil || len(in.functions[name.ID].list()) == 0 {
			break
		}
		first := in.functions[name.ID].list()[0]
		in.union(first, list[0])
		if call != nil && len(call.Args) > 0 {
			if inner, is := call.Args[0].(*ast.Call); is && len(inner.Args) == 1 {
				in.annotate(first, inner.Args[0]) // type(None)
			} else {
				in.annotate(first, call.Args[0])
			}
		}
	case value.root().called != nil:
		if params := value.root().params; len(params) > 0 {
			in.union(params[0], f.callable(&facts{}))
		}
		f.wrapped = value.root().called.result
	}
}

// documented takes the texts and numbers that a function's docstring quotes as values
// of its parameters.
func (in *inference) documented(def *ast.FunctionDef, f *function) {
	if !ast.IsText(def.Body[0]) {
		return
	}
	var texts []literal
	doc := def.Body[0].(*ast.ExprStmt).Value.(*ast.Constant).Text
	for _, quote := range []string{"'", "\"", "`"} {
		pieces := strings.Split(doc, quote)
		for i := 1; i+1 < len(pieces) && len(texts) < maxValues/2; i += 2 {
			if text := pieces[i]; len(text) > 0 && len(text) <= 60 && !strings.Contains(text, "\n") {
				texts = append(texts, literal{kind: strLiteral, text: text})
			}
		}
	}
	for _, p := range f.list() {
		if p.root().votes[strKind] > 0 {
			p.add(texts...)
		}
	}
}

func (in *inference) assign(target ast.Expr, value *facts, s *scope) {
	switch t := target.(type) {
	case *ast.Tuple:
		in.unpack(t.Elts, value, s)
	case *ast.List:
		in.unpack(t.Elts, value, s)
	case *ast.Starred:
		in.union(in.expr(t.Value, s).vote(3, listKind).items(), value)
	default:
		in.union(in.expr(target, s), value)
	}
}

func (in *inference) unpack(targets []ast.Expr, value *facts, s *scope) {
	value.vote(4, tupleKind)
	starred := false
	for i, t := range targets {
		if t.Kind() == ast.KindStarred || starred {
			starred = true
			in.assign(t, value.items(), s)
			continue
		}
		in.assign(t, value.field(i), s)
	}
}

func (in *inference) pattern(p ast.Pattern, subject *facts, s *scope) {
	bind := func(name string) {
		if v := s.lookup(name); name != "" && v != nil {
			in.union(v, subject)
		}
	}
	switch p := p.(type) {
	case *ast.MatchValue:
		in.union(subject, in.expr(p.Value, s))
	case *ast.MatchSingleton:
		switch p.Value {
		case ast.None:
			subject.vote(6, noneKind)
		default:
			subject.vote(1, boolKind)
		}
	case *ast.MatchAs:
		bind(p.Name)
		if p.Pattern != nil {
			in.pattern(p.Pattern, subject, s)
		}
	case *ast.MatchOr:
		for _, inner := range p.Patterns {
			in.pattern(inner, subject, s)
		}
	case *ast.MatchSequence:
		// A sequence pattern is kept as an example value.
		example := literal{kind: tupleLiteral}
		whole := true
		for i, inner := range p.Patterns {
			if inner.Kind() == ast.KindMatchStar {
				whole = false
				break
			}
			place := &facts{}
			in.pattern(inner, place, s)
			in.union(subject.field(i), place)
			example.items = append(example.items, place.example())
		}
		subject.vote(3, tupleKind)
		if whole {
			subject.add(example)
		}
	case *ast.MatchMapping:
		subject.vote(3, dictKind)
		example := literal{kind: dictLiteral}
		reader := literalReader{text: in.text, left: maxLiteral}
		for i, k := range p.Keys {
			place := &facts{}
			in.pattern(p.Patterns[i], place, s)
			if key, ok := reader.read(k, 0); ok {
				in.union(subject.entry(key.String()), place)
				example.keys, example.items = append(example.keys, key), append(example.items, place.example())
			}
		}
		subject.add(example)
	case *ast.MatchClass:
		name := lastName(p.Cls)
		if k, known := typeKinds.Get()[name]; known {
			subject.vote(4, k)
			for _, inner := range p.Patterns {
				in.pattern(inner, subject, s)
			}
			return
		}
		if c := in.classes[name]; c != nil {
			in.union(subject, c.self)
			list := in.module.vars[name].root().params
			for i, inner := range p.Patterns {
				if i < len(list) {
					in.pattern(inner, list[i], s)
				}
			}
			for i, inner := range p.KwdPatterns {
				in.pattern(inner, c.self.attr(p.KwdAttrs[i]), s)
			}
		}
	}
}

// example returns a value of f.
func (f *facts) example() literal {
	r := f.root()
	switch {
	case len(r.values) > 0:
		return r.values[0]
	case r.votes[strKind] > r.votes[intKind]:
		return literal{kind: strLiteral, text: "a"}
	}
	return literal{kind: intLiteral, n: 3}
}

// valueKind returns the kind of a literal.
func (l *literal) valueKind() kind {
	return [...]kind{noneLiteral: noneKind, boolLiteral: boolKind, intLiteral: intKind, floatLiteral: floatKind, strLiteral: strKind, bytesLiteral: bytesKind,
		listLiteral: listKind, tupleLiteral: tupleKind, setLiteral: setKind, dictLiteral: dictKind, otherCode: objectKind}[l.kind]
}

// learn records a known value of f.
func (in *inference) learn(f *facts, l *literal) {
	if l.kind == otherCode {
		return
	}
	f.vote(sure, l.valueKind())
	switch l.kind {
	case intLiteral, floatLiteral, strLiteral, bytesLiteral:
		f.add(*l)
	case listLiteral, setLiteral, tupleLiteral:
		for i := range l.items {
			if l.kind == tupleLiteral {
				in.learn(f.field(i), &l.items[i])
			}
			in.learn(f.items(), &l.items[i])
		}
	case dictLiteral:
		for i := range l.keys {
			in.learn(f.keys(), &l.keys[i])
			in.learn(f.items(), &l.items[i])
		}
	}
}

func sortedKeys[T any](m map[string]T) []string {
	list := make([]string, 0, len(m))
	for name := range m {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// named returns the kinds that a parameter's name suggests.
func named(name string) []kind {
	name = strings.ToLower(strings.TrimRight(name, "0123456789_"))
	switch name {
	case "n", "k", "m", "i", "j", "x", "y", "z", "num", "number", "count", "size", "a", "b", "c", "p", "q", "r", "length", "limit", "year", "month", "day", "index", "start", "end", "left", "right", "value", "base", "width", "height":
		return []kind{intKind}
	case "s", "st", "str", "string", "text", "word", "sentence", "line", "name", "char", "ch", "pattern", "title", "message", "sep", "path", "key", "expression":
		return []kind{strKind}
	case "l", "lst", "list", "arr", "array", "nums", "numbers", "items", "data", "values", "seq", "sequence", "words", "strings", "names", "lines", "texts", "matrix", "grid", "rows", "board", "mat", "table", "pairs", "tuples", "intervals", "edges", "points":
		return []kind{listKind}
	case "d", "dict", "dictionary", "mapping", "graph", "counts":
		return []kind{dictKind}
	case "t", "tup", "tuple", "point", "pair":
		return []kind{tupleKind}
	case "price", "rate", "ratio", "radius":
		return []kind{floatKind}
	case "flag":
		return []kind{boolKind}
	case "f", "func", "function", "fn", "callback", "handler", "predicate":
		return []kind{callKind}
	}
	return nil
}
