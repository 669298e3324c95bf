package behaviour

import (
	_ "embed"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/util/lazy"
)

// A program's annotations say which types its values have. The signatures of what Python has say it in the
// same form, so one reader reads both.

//go:embed signatures.txt
var signaturesText string

// typeKinds are the kinds that names of types stand for.
var typeKinds = lazy.Value[map[string]kind]{Make: func() map[string]kind {
	return map[string]kind{
		"int": intKind, "str": strKind, "float": floatKind, "bool": boolKind, "bytes": bytesKind, "complex": floatKind,
		"list": listKind, "List": listKind, "Sequence": listKind, "Iterable": listKind, "Iterator": listKind, "Collection": listKind, "MutableSequence": listKind, "deque": listKind,
		"dict": dictKind, "Dict": dictKind, "Mapping": dictKind, "MutableMapping": dictKind, "defaultdict": dictKind, "OrderedDict": dictKind, "Counter": dictKind,
		"tuple": tupleKind, "Tuple": tupleKind, "set": setKind, "Set": setKind, "frozenset": setKind, "FrozenSet": setKind, "AbstractSet": setKind,
		"Callable": callKind, "TextIO": fileKind, "IO": fileKind, "date": dateKind, "datetime": dateKind, "timedelta": deltaKind, "None": noneKind,
		"Number": intKind, "Real": floatKind, "Match": matchKind, "Sized": listKind,
	}
}}

// sure is the number of votes for an annotation or a known value.
const sure = 100

// isType reports whether a name is that of a type.
func isType(name string) bool {
	_, known := typeKinds.Get()[name]
	return known
}

// usual is the number of votes for a type in a signature, if the signature does not say another.
const usual = 3

// A typeReader reads types.
type typeReader struct {
	in    *inference
	votes int               // for a type
	vars  map[string]*facts // of a signature; nil for an annotation
	of    *facts            // the object of a method, or the first argument
}

// annotate learns from an annotation of f.
func (in *inference) annotate(f *facts, e ast.Expr) {
	(&typeReader{in: in, votes: sure}).read(f, e)
}

// read learns that f has a type.
func (t *typeReader) read(f *facts, e ast.Expr) {
	switch e := e.(type) {
	case *ast.Name:
		t.name(f, e.ID)
	case *ast.Attribute:
		t.name(f, e.Attr)
	case *ast.Constant:
		t.constant(f, e)
	case *ast.BinOp:
		if n, is := e.Right.(*ast.Constant); is && e.Op == ast.Mult && t.vars != nil {
			votes, _ := n.Int64()
			(&typeReader{t.in, int(votes), t.vars, t.of}).read(f, e.Left)
			return
		}
		t.read(f, e.Left)
		t.read(f, e.Right)
	case *ast.Subscript:
		list := []ast.Expr{e.Slice}
		if items, is := e.Slice.(*ast.Tuple); is {
			list = items.Elts
		}
		t.generic(f, lastName(e.Value), list)
	}
}

// name reads a type that is a name.
func (t *typeReader) name(f *facts, name string) {
	known, is := typeKinds.Get()[name]
	switch class := t.in.classes[name]; {
	case t.vars != nil && len(name) == 1:
		if t.vars[name] == nil {
			t.vars[name] = &facts{}
		}
		t.in.union(t.vars[name], f)
	case t.vars != nil && name == "Part":
		if values := f.root().values; len(values) > 0 && values[0].kind == strLiteral {
			t.of.add(values[0])
		}
	case t.vars != nil && name == "Path":
		if r := f.vote(t.votes, strKind).root(); !slices.Contains(r.forms, pathForm) {
			r.forms = append(r.forms, pathForm)
		}
	case t.vars != nil && (name == "Form" || name == "Forms"):
		t.in.matched(t.of, f, name == "Forms")
	case t.vars != nil && name == "Format":
		t.in.timed(t.of, f)
	case is:
		if f.vote(t.votes, known); name == "datetime" {
			f.attr("hour")
		}
	case class != nil && t.vars == nil:
		t.in.union(f, class.self)
	}
}

// constant reads None, an annotation in quotes, or a value of a signature.
func (t *typeReader) constant(f *facts, e *ast.Constant) {
	switch {
	case e.Type == ast.None:
		f.vote(t.votes/2, noneKind)
	case t.vars != nil:
		if value, ok := constant(e); ok {
			f.add(value)
		}
	case e.Type == ast.Str:
		if inner, ok := expression(e.Text); ok && inner.Kind() != ast.KindConstant {
			t.read(f, inner)
		}
	}
}

// generic reads a type with types in brackets.
func (t *typeReader) generic(f *facts, name string, list []ast.Expr) {
	switch name {
	case "Optional", "Union", "Final", "Annotated", "ClassVar":
		for _, inner := range list {
			t.read(f, inner)
		}
		if name == "Optional" {
			f.vote(t.votes/2, noneKind)
		}
		return
	case "Literal":
		reader := literalReader{left: maxLiteral}
		for _, inner := range list {
			if value, ok := reader.read(inner, 0); ok {
				f.add(value)
				f.vote(t.votes, value.valueKind())
			}
		}
		return
	case "Digits":
		t.read(f.digits(), list[0])
		return
	case "Text":
		t.read(f.items(), list[0])
		return
	case "Sized":
		f.vote(2, listKind, strKind)
		t.read(f.length(), list[0])
		return
	case "Iterable":
		if t.vars != nil {
			t.read(t.in.each(f.vote(2, listKind)), list[0])
			return
		}
	}
	k, known := typeKinds.Get()[name]
	if !known {
		return
	}
	f.vote(t.votes, k)
	switch k {
	case dictKind:
		t.read(f.keys(), list[0])
		if len(list) > 1 {
			t.read(f.items(), list[1])
		}
	case tupleKind:
		if len(list) == 2 && list[1].Kind() == ast.KindConstant {
			t.read(f.items(), list[0])
			break
		}
		for i, inner := range list {
			t.read(f.field(i), inner)
		}
	case callKind:
		t.callable(f, list)
	default:
		t.read(f.items(), list[0])
	}
}

// callable reads a callable's parameters and result.
func (t *typeReader) callable(f *facts, list []ast.Expr) {
	if parameters, is := list[0].(*ast.List); is {
		for i, inner := range parameters.Elts {
			r := f.root()
			if i == len(r.params) && r.called == nil && (i > 0 || r.result == nil) {
				r.params = append(r.params, &facts{})
			}
			if i < len(r.params) {
				t.read(r.params[i], inner)
			}
		}
	}
	if len(list) > 1 {
		t.read(f.returns(), list[len(list)-1])
	}
}

// A signature says what the calls of a function tell.
type signature struct {
	call   *ast.Call // with types as arguments
	result ast.Expr  // or nil
}

// signatures has the signatures of signatures.txt by the names there.
var signatures = lazy.Value[map[string][]signature]{Make: func() map[string][]signature {
	table := map[string][]signature{}
	for row := range strings.Lines(signaturesText) {
		head, result, _ := strings.Cut(strings.TrimSpace(row), " -> ")
		at := strings.IndexByte(head, '(')
		if at < 0 || head[0] == '#' {
			continue
		}
		var s signature
		call, _ := expression("of" + head[at:])
		s.call = call.(*ast.Call)
		s.result, _ = expression(result)
		for _, name := range strings.Fields(head[:at]) {
			table[name] = append(table[name], s)
		}
	}
	return table
}}

// parameter returns the type of an argument, or nil.
func (s *signature) parameter(i int) ast.Expr {
	list := s.call.Args
	if len(list) == 0 {
		return nil
	}
	if rest, is := list[len(list)-1].(*ast.Starred); is && i >= len(list)-1 {
		return rest.Value
	}
	if i < len(list) {
		return list[i]
	}
	return nil
}

// tell learns from a call of what has the name in signatures.txt, with the object of a method as the
// first argument. It returns the facts of the result.
func (in *inference) tell(name string, args []*facts, keywords map[string]*facts) *facts {
	list := signatures.Get()[name]
	if len(list) == 0 {
		return &facts{}
	}
	at := slices.IndexFunc(list, func(s signature) bool { return len(args) == 0 || s.parameter(len(args)-1) != nil })
	s := &list[max(at, 0)]
	t := &typeReader{in: in, votes: usual, vars: map[string]*facts{}}
	for i, a := range args {
		if i == 0 {
			t.of = a
		}
		if e := s.parameter(i); e != nil {
			t.read(a, e)
		}
	}
	for _, k := range s.call.Keywords {
		if a := keywords[k.Arg]; a != nil {
			t.read(a, k.Value)
		}
	}
	result := &facts{}
	t.read(result, s.result)
	return result.root()
}
