package behaviour

import (
	"slices"
	"strings"

	"codelinter/ast"
)

// What calls tell that signatures.txt cannot say: it depends on the values of arguments.

// A call is a call in the program.
type call struct {
	in       *inference
	n        *ast.Call
	name     string // of the callee
	of       *facts // the object of a method; the first argument of a function
	args     []*facts
	keywords map[string]*facts
}

// arg returns the facts of an argument, or new ones if there is no such argument.
func (c *call) arg(i int) *facts {
	if i < len(c.args) {
		return c.args[i]
	}
	return &facts{}
}

// tell learns from the call of what has the name in signatures.txt, and returns the facts of the result.
func (c *call) tell(name string) *facts {
	args := c.args
	if name[0] == '.' {
		args = append([]*facts{c.of}, args...)
	}
	result := c.in.tell(name, args, c.keywords)
	switch name {
	case "isinstance":
		c.isinstance()
	case ".split", ".rsplit", ".splitlines", ".partition", ".rpartition":
		return c.split()
	case ".count", ".index":
		c.index()
	case ".get", ".setdefault":
		return c.get()
	case "operator.itemgetter", "operator.attrgetter":
		return c.getter()
	}
	return result
}

func (c *call) isinstance() {
	if len(c.n.Args) != 2 {
		return
	}
	if name, is := c.n.Args[1].(*ast.Name); is && c.in.classes[name.ID] == nil && !isType(name.ID) {
		c.arg(1).vote(8, typeKind)
		c.of.vote(2, intKind, strKind, floatKind)
	}
	types := []ast.Expr{c.n.Args[1]}
	if t, is := c.n.Args[1].(*ast.Tuple); is {
		types = t.Elts
	}
	for _, t := range types {
		if class := c.in.classes[lastName(t)]; class != nil {
			c.of.vote(2, objectKind)
			if r := c.of.root(); !slices.Contains(r.classes, class) {
				r.classes = append(r.classes, class)
			}
			continue
		}
		(&typeReader{in: c.in, votes: 2}).read(c.of, t)
	}
}

func (c *call) split() *facts {
	r := c.of.root()
	parts := strings.HasSuffix(c.name, "partition")
	if by := c.arg(0).root(); len(by.values) > 0 && by.values[0].kind == strLiteral {
		r.sep = by.values[0].text
	} else if c.name == "splitlines" {
		r.sep = "\n"
	}
	if parts {
		result := new(facts).vote(3, tupleKind)
		for i, at := range []int{0, 2} {
			c.in.union(result.field(at), c.of.pieces().field(i)).vote(5, strKind)
		}
		return result
	}
	for _, known := range r.values { // 'red green blue'.split()
		if known.kind == strLiteral && len(known.text) <= maxSplit {
			for _, piece := range pieces(known.text, r.sep) {
				c.of.pieces().items().add(literal{kind: strLiteral, text: piece})
			}
		}
	}
	return c.of.pieces()
}

func (c *call) index() {
	for _, known := range c.of.root().values { // '0123456789abcdef'.index(c)
		if known.kind == strLiteral && len(known.text) > 3 && len(c.of.root().values) == 1 {
			c.in.characters(c.arg(0), known.text)
			return
		}
	}
	c.in.union(c.in.each(c.of), c.arg(0))
}

func (c *call) get() *facts {
	reader := literalReader{text: c.in.text, left: maxLiteral}
	result := c.of.items()
	if len(c.n.Args) > 0 {
		if key, ok := reader.read(c.n.Args[0], 0); ok && key.kind == strLiteral {
			result = c.of.entry(key.String())
		}
	}
	c.in.union(c.of.keys(), c.arg(0))
	if len(c.n.Args) > 1 {
		c.in.union(result, c.arg(1))
	}
	return result
}

// getter reads itemgetter("a", "b") as lambda of: (of["a"], of["b"]).
func (c *call) getter() *facts {
	parameter := &ast.Arg{Arg: "of"}
	body := &ast.Tuple{}
	for _, key := range c.n.Args {
		of := &ast.Name{ID: parameter.Arg}
		if name, is := key.(*ast.Constant); is && c.name == "attrgetter" {
			body.Elts = append(body.Elts, &ast.Attribute{Value: of, Attr: name.Text})
		} else {
			body.Elts = append(body.Elts, &ast.Subscript{Value: of, Slice: key})
		}
	}
	return c.in.expr(&ast.Lambda{Args: &ast.Arguments{Args: []*ast.Arg{parameter}}, Body: body}, c.in.module)
}

// imported learns from a call of a function of the standard library, such as re.match or
// os.path.join. Methods count as functions of the module: datetime.strptime.
func (c *call) imported(path string) *facts {
	if name, is := strings.CutPrefix(path, "os.path."); is {
		path = "posixpath." + name
	}
	module, _, _ := strings.Cut(path, ".")
	name := module + path[strings.LastIndexByte(path, '.'):]
	if len(signatures.Get()[name]) == 0 {
		name = module + ".*"
	}
	return c.tell(name)
}
