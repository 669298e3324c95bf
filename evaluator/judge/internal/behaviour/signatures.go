package behaviour

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/util/lazy"
)

// The tables in this file say what calls of built-in functions, of methods of built-in types and
// of the standard library tell about their arguments and results.

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

// each returns the facts of the items in iteration over c.of.
func (c *call) each() *facts { return c.in.each(c.of) }

// A signature has what a call of certain functions tells.
type signature struct {
	names string // of the functions, with blanks between them
	of    votes  // for call.of
	gives votes  // for the result
	// also does the rest. It returns the facts of the result, or nil for new ones.
	also func(c *call) *facts
}

type votes = [kinds]int

// tell learns from a call and returns the facts of its result. Without a signature these are
// new.
func (s *signature) tell(c *call) *facts {
	if s == nil {
		return &facts{}
	}
	r := c.of.root()
	for k, n := range s.of {
		r.votes[k] += n
	}
	if s.also != nil {
		if result := s.also(c); result != nil {
			return result
		}
	}
	return &facts{votes: s.gives}
}

// A signatureTable has signatures by their names.
type signatureTable = lazy.Value[map[string]*signature]

func byName(list ...signature) map[string]*signature {
	table := map[string]*signature{}
	for i := range list {
		for _, name := range strings.Fields(list[i].names) {
			table[name] = &list[i]
		}
	}
	return table
}

// Common results.
func itself(c *call) *facts      { return c.of }
func items(c *call) *facts       { return c.each() }
func listOfItems(c *call) *facts { return listOf(c.of.items()) }
func listOf(items *facts) *facts { return (&facts{item: items}).vote(3, listKind) }

// takesItem records that an argument is an item of the object.
func takesItem(argument int) func(*call) *facts {
	return func(c *call) *facts {
		c.in.union(c.of.items(), c.arg(argument))
		return nil
	}
}

var builtins = signatureTable{Make: func() map[string]*signature {
	return byName(
		signature{names: "len", of: votes{listKind: 2, strKind: 2}, also: func(c *call) *facts { return c.of.length() }},
		signature{names: "range", also: rangeCall},
		signature{names: "int", of: votes{strKind: 4, intKind: 1, floatKind: 1}, also: func(c *call) *facts { return c.of.digits() }},
		signature{names: "float", of: votes{strKind: 3, floatKind: 3}, also: func(c *call) *facts { return c.of.digits().vote(4, floatKind) }},
		signature{names: "str repr", of: votes{intKind: 1}, gives: votes{strKind: 4}},
		signature{names: "ord", of: votes{strKind: 6}, gives: votes{intKind: 4}, also: func(c *call) *facts { return ofLength(1, c.of) }},
		signature{names: "chr bin hex oct", of: votes{intKind: 8}, gives: votes{strKind: 4}},
		signature{names: "abs round divmod pow", of: votes{intKind: 3, floatKind: 2}, also: itself},
		signature{names: "sum", of: votes{listKind: 2}, also: func(c *call) *facts { return c.each().vote(3, intKind) }},
		signature{names: "min max", also: extremeCall},
		signature{names: "sorted reversed list tuple set frozenset iter", of: votes{listKind: 2}, also: sortedCall},
		signature{names: "next", of: votes{listKind: 2}, also: items},
		signature{names: "enumerate", of: votes{listKind: 2}, also: enumerateCall},
		signature{names: "zip", also: zipCall},
		signature{names: "map filter", also: mapCall},
		signature{names: "any all", of: votes{listKind: 2}, gives: votes{boolKind: 2}, also: func(c *call) *facts { c.each(); return nil }},
		signature{names: "isinstance", also: isinstanceCall},
		signature{names: "dict", also: itself},
	)
}}

// ofLength records a text's length.
func ofLength(n int64, text *facts) *facts {
	text.length().add(literal{kind: intLiteral, n: n})
	return nil
}

func rangeCall(c *call) *facts {
	for _, a := range c.args {
		a.vote(8, intKind)
	}
	r := new(facts).vote(3, listKind)
	r.items().vote(5, intKind)
	for _, a := range c.args[:min(len(c.args), 2)] {
		c.in.union(r.items(), a)
	}
	return r
}

func extremeCall(c *call) *facts {
	if len(c.n.Args) > 1 {
		for _, a := range c.args[1:] {
			c.in.union(c.of, a)
		}
		return c.of.vote(2, intKind)
	}
	items := c.in.each(c.of.vote(2, listKind))
	c.in.keyed(c.keywords["key"], items)
	return items
}

func sortedCall(c *call) *facts {
	items := c.each()
	c.in.keyed(c.keywords["key"], items)
	if len(c.args) == 0 {
		return new(facts).vote(3, typeKinds.Get()[c.name])
	}
	return listOf(items)
}

func enumerateCall(c *call) *facts {
	r := &facts{}
	c.in.union(r.field(1), c.each())
	r.field(0).vote(5, intKind)
	return listOf(r)
}

func zipCall(c *call) *facts {
	r := &facts{}
	for i, a := range c.args {
		if c.n.Args[i].Kind() == ast.KindStarred {
			return listOf(a)
		}
		items := c.in.each(a.vote(2, listKind))
		for _, known := range a.root().values { // zip('abc', ...)
			if c.n.Args[i].Kind() == ast.KindConstant && known.kind == strLiteral {
				for _, r := range known.text {
					items.add(literal{kind: strLiteral, text: string(r)})
				}
			}
		}
		c.in.union(r.field(i), items)
	}
	return listOf(r)
}

func mapCall(c *call) *facts {
	if len(c.args) < 2 {
		return nil
	}
	c.in.keyed(c.of.vote(2, callKind), c.in.each(c.args[1].vote(2, listKind)))
	if f, is := c.n.Args[0].(*ast.Name); is && (f.ID == "int" || f.ID == "float") {
		return listOf(c.in.each(c.args[1]).vote(2, strKind).digits())
	}
	if c.name == "filter" {
		return listOf(c.in.each(c.args[1]))
	}
	return listOf(c.of.returns())
}

func isinstanceCall(c *call) *facts {
	if len(c.n.Args) != 2 {
		return nil
	}
	if name, is := c.n.Args[1].(*ast.Name); is && typeKinds.Get()[name.ID] == 0 && name.ID != "int" && c.in.classes[name.ID] == nil {
		c.arg(1).vote(8, typeKind)
		c.of.vote(2, intKind, strKind, floatKind)
	}
	types := []ast.Expr{c.n.Args[1]}
	if t, is := c.n.Args[1].(*ast.Tuple); is {
		types = t.Elts
	}
	for _, t := range types {
		if k, known := typeKinds.Get()[lastName(t)]; known {
			c.of.vote(2, k)
		} else if class := c.in.classes[lastName(t)]; class != nil {
			c.of.vote(2, objectKind)
			if r := c.of.root(); !slices.Contains(r.classes, class) {
				r.classes = append(r.classes, class)
			}
		}
	}
	return nil
}

// methods has the methods of built-in types.
var methods = signatureTable{Make: func() map[string]*signature {
	return byName(
		signature{names: "split rsplit splitlines partition rpartition", of: votes{strKind: 8}, also: splitCall},
		signature{names: "join", of: votes{strKind: 4}, gives: votes{strKind: 3}, also: func(c *call) *facts {
			c.arg(0).vote(2, listKind).items().vote(4, strKind)
			return nil
		}},
		signature{names: "strip lstrip rstrip lower upper title capitalize casefold swapcase removeprefix removesuffix expandtabs", of: votes{strKind: 8}, also: itself},
		signature{names: "replace startswith endswith find rfind rindex zfill ljust rjust center translate encode", of: votes{strKind: 6}, gives: votes{strKind: 3}, also: textCall},
		signature{names: "isdigit isdecimal isnumeric", of: votes{strKind: 8}, gives: votes{boolKind: 1}, also: func(c *call) *facts { c.of.digits(); return nil }},
		signature{names: "isalpha isalnum isupper islower isspace isidentifier istitle", of: votes{strKind: 8}, gives: votes{boolKind: 1}},
		signature{names: "format", of: votes{strKind: 4}, gives: votes{strKind: 3}},
		signature{names: "append appendleft remove", of: votes{listKind: 6}, also: takesItem(0)},
		signature{names: "insert", of: votes{listKind: 6}, also: takesItem(1)},
		signature{names: "extend", of: votes{listKind: 6}, also: func(c *call) *facts {
			c.in.union(c.of.items(), c.arg(0).vote(2, listKind).items())
			return nil
		}},
		signature{names: "sort reverse extendleft rotate", of: votes{listKind: 6}},
		signature{names: "count index", gives: votes{intKind: 3}, also: indexCall},
		signature{names: "pop popleft", of: votes{listKind: 2}, also: popCall},
		signature{names: "copy clear", of: votes{listKind: 1, dictKind: 1, setKind: 1}, also: itself},
		signature{names: "items", of: votes{dictKind: 8}, also: func(c *call) *facts {
			r := new(facts).vote(3, tupleKind)
			c.in.union(r.field(0), c.of.keys())
			c.in.union(r.field(1), c.of.items())
			return listOf(r)
		}},
		signature{names: "keys", of: votes{dictKind: 8}, also: func(c *call) *facts { return listOf(c.of.keys()) }},
		signature{names: "values", of: votes{dictKind: 8}, also: listOfItems},
		signature{names: "get setdefault", of: votes{dictKind: 6}, also: getCall},
		signature{names: "update", of: votes{dictKind: 3, setKind: 2}, also: func(c *call) *facts {
			c.in.union(c.of, c.arg(0))
			return nil
		}},
		signature{names: "move_to_end popitem", of: votes{dictKind: 4}},
		signature{names: "add discard", of: votes{setKind: 6}, also: takesItem(0)},
		signature{names: "union intersection difference issubset issuperset symmetric_difference", of: votes{setKind: 6}, also: itself},
		signature{names: "is_integer as_integer_ratio", of: votes{floatKind: 6}},
		signature{names: "bit_length bit_count to_bytes", of: votes{intKind: 8}, gives: votes{intKind: 3}},
		signature{names: "match fullmatch search findall finditer", also: func(c *call) *facts { return c.in.matched(c.of, c.arg(0), c.name) }},
		signature{names: "sub", also: func(c *call) *facts {
			c.in.matched(c.of, c.arg(1), c.name)
			return c.arg(1)
		}},
		signature{names: "groups", of: votes{matchKind: 3}, also: listOfTexts},
		signature{names: "group groupdict span start end", of: votes{matchKind: 3}, gives: votes{strKind: 3}},
		signature{names: "read readline write writelines seek", of: votes{fileKind: 6}, gives: votes{strKind: 3}},
		signature{names: "readlines", of: votes{fileKind: 6}, also: listOfTexts},
		signature{names: "weekday isoweekday strftime isoformat toordinal isocalendar timetuple", of: votes{dateKind: 6}, gives: votes{intKind: 2}},
		signature{names: "total_seconds", of: votes{deltaKind: 6}, gives: votes{floatKind: 2}},
		signature{names: "__init__ __new__"},
	)
}}

func listOfTexts(*call) *facts { return listOf(new(facts).vote(3, strKind)) }

func splitCall(c *call) *facts {
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

func textCall(c *call) *facts {
	for i := range c.n.Args {
		if a := c.arg(i).root(); len(a.values) > 0 && a.values[0].kind == strLiteral {
			c.of.add(a.values[0])
		}
	}
	switch c.name {
	case "replace":
		if len(c.n.Args) < 2 {
			return c.of
		}
		return (&facts{item: c.of.items()}).vote(3, strKind) // of the same characters
	case "ljust", "rjust", "center", "zfill":
		c.arg(0).vote(5, intKind)
		if len(c.n.Args) > 1 {
			return ofLength(1, c.arg(1).vote(5, strKind))
		}
	case "find", "rfind", "rindex":
		return new(facts).vote(3, intKind)
	case "startswith", "endswith":
		c.arg(0).vote(2, strKind)
		return new(facts).vote(3, boolKind)
	}
	return nil
}

func indexCall(c *call) *facts {
	for _, known := range c.of.root().values { // '0123456789abcdef'.index(c)
		if known.kind == strLiteral && len(known.text) > 3 && len(c.of.root().values) == 1 {
			c.in.characters(c.arg(0), known.text)
			return nil
		}
	}
	c.of.vote(3, listKind, strKind)
	c.in.union(c.each(), c.arg(0))
	return nil
}

func popCall(c *call) *facts {
	if len(c.n.Args) > 0 && c.name == "pop" {
		c.of.vote(2, dictKind)
		if len(c.n.Args) > 1 || c.of.root().best() == dictKind {
			return getCall(c)
		}
		c.in.union(c.of.keys(), c.arg(0))
	}
	return c.of.items()
}

func getCall(c *call) *facts {
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

// library has functions of the standard library: module.function, or module.* for all others of
// a module. Methods count as functions of the module: datetime.strptime.
var library = signatureTable{Make: func() map[string]*signature {
	return byName(
		signature{names: "re.compile", also: func(c *call) *facts { return flagged(c.of, c.n) }},
		signature{names: "re.match re.fullmatch re.search re.findall re.finditer re.split", also: func(c *call) *facts {
			return c.in.matched(flagged(c.of, c.n), c.arg(1), c.name)
		}},
		signature{names: "re.sub re.subn", also: func(c *call) *facts {
			c.in.matched(flagged(c.of, c.n), c.arg(2), c.name)
			return c.arg(2)
		}},
		signature{names: "math.*", gives: votes{floatKind: 2}, also: func(c *call) *facts { return c.all(votes{intKind: 3, floatKind: 2}) }},
		signature{names: "heapq.nlargest heapq.nsmallest", of: votes{intKind: 5}, also: func(c *call) *facts {
			c.in.keyed(c.keywords["key"], c.in.each(c.arg(1).vote(3, listKind)))
			return &facts{item: c.arg(1).items()}
		}},
		signature{names: "operator.itemgetter operator.attrgetter", also: func(c *call) *facts { return c.in.getter(c.name, c.args) }},
		signature{names: "functools.reduce", also: reduceCall},
		signature{names: "functools.partial", also: func(c *call) *facts { return c.of.returns() }},
		signature{names: "functools.wraps functools.update_wrapper functools.lru_cache functools.cache itertools.count itertools.repeat"},
		signature{names: "itertools.accumulate itertools.groupby", also: func(c *call) *facts { return c.applied(c.of, c.arg(1)) }},
		signature{names: "itertools.starmap itertools.takewhile itertools.dropwhile itertools.filterfalse", also: func(c *call) *facts { return c.applied(c.arg(1), c.of) }},
		signature{names: "statistics.*", of: votes{listKind: 2}, gives: votes{floatKind: 2}, also: func(c *call) *facts {
			c.each().vote(3, intKind).vote(2, floatKind)
			return nil
		}},
		signature{names: "bisect.*", of: votes{listKind: 2}, gives: votes{intKind: 3}, also: takesItem(1)},
		signature{names: "collections.Counter", of: votes{listKind: 2}, also: func(c *call) *facts {
			r := &facts{key: c.of.items()}
			r.items().vote(3, intKind)
			return r.vote(3, dictKind)
		}},
		signature{names: "collections.defaultdict collections.OrderedDict", of: votes{listKind: 2}, gives: votes{dictKind: 3}},
		signature{names: "heapq.heappop", of: votes{listKind: 2}, also: func(c *call) *facts { return c.of.items() }},
		signature{names: "heapq.heappush", of: votes{listKind: 2}, also: func(c *call) *facts {
			c.in.union(c.of.items(), c.arg(1))
			return &facts{item: c.of.items()}
		}},
		signature{names: "collections.* itertools.* functools.* heapq.* operator.*", of: votes{listKind: 2}, also: func(c *call) *facts { return &facts{item: c.of.items()} }},
		signature{names: "posixpath.* ntpath.* pathlib.*", gives: votes{strKind: 3}, also: pathCall},
		signature{names: "datetime.strptime", gives: votes{dateKind: 3}, also: func(c *call) *facts { return c.in.timed(c.of, c.arg(1)) }},
		signature{names: "datetime.fromisoformat", gives: votes{dateKind: 3}, also: func(c *call) *facts {
			return c.in.timed(c.of, &facts{values: []literal{{kind: strLiteral, text: "%Y-%m-%d"}}})
		}},
		signature{names: "datetime.date datetime.datetime", gives: votes{dateKind: 3}, also: func(c *call) *facts { return c.all(votes{intKind: 3}) }},
		signature{names: "datetime.timedelta", gives: votes{deltaKind: 3}, also: func(c *call) *facts { return c.all(votes{intKind: 3}) }},
		signature{names: "decimal.Decimal", also: decimalCall},
		signature{names: "fractions.Fraction", also: func(c *call) *facts {
			if len(c.args) == 1 {
				decimalCall(c)
			}
			return nil
		}},
		signature{names: "json.dumps", of: votes{dictKind: 3, listKind: 1}},
		signature{names: "json.loads", of: votes{strKind: 4}, also: func(c *call) *facts {
			c.of.add(literal{kind: strLiteral, text: `{"a": 1, "b": [2, 3]}`}, literal{kind: strLiteral, text: `[1, "x"]`})
			return nil
		}},
		signature{names: "io.*", also: func(c *call) *facts {
			c.in.union(new(facts).vote(3, strKind), c.of)
			return listOf(c.of)
		}},
		signature{names: "csv.*", also: csvCall},
	)
}}

// all votes for every argument.
func (c *call) all(v votes) *facts {
	for _, a := range c.args {
		for k, n := range v {
			a.vote(n, kind(k))
		}
	}
	return nil
}

// applied records that a function is called with each item of a list, as filter does. It returns the
// facts of the resulting list, which has some of the items.
func (c *call) applied(list, function *facts) *facts {
	items := c.in.each(list.vote(3, listKind))
	c.in.keyed(function.vote(1, callKind), items)
	return &facts{item: items}
}

// reduceCall reads reduce(lambda sum, x: sum + x, items, start).
func reduceCall(c *call) *facts {
	items := c.in.each(c.arg(1).vote(3, listKind))
	if r := c.of.vote(5, callKind).root(); len(r.params) > 1 {
		c.in.union(r.params[1], items)
		c.in.union(r.params[0], c.arg(2))
	} else if r.result == nil {
		r.params = []*facts{c.arg(2), items}
	}
	return c.in.union(c.of.returns(), c.arg(2))
}

func pathCall(c *call) *facts {
	for _, a := range c.args {
		a.vote(3, strKind)
		if forms := &a.root().forms; !slices.Contains(*forms, pathForm) {
			*forms = append(*forms, pathForm)
		}
	}
	return nil
}

func decimalCall(c *call) *facts {
	c.of.vote(3, strKind).vote(2, intKind).digits().vote(4, floatKind)
	return nil
}

func csvCall(c *call) *facts {
	r := new(facts).vote(3, dictKind)
	text := c.of.root()
	if text.item != nil && strings.HasSuffix(c.name, "eader") {
		text.item.add(literal{kind: strLiteral, text: "a,b,c\nx,1,2\ny,3,4\nx,5,6\n"})
		r.keys().add(literal{kind: strLiteral, text: "a"}, literal{kind: strLiteral, text: "b"}, literal{kind: strLiteral, text: "c"})
		r.keys().vote(3, strKind)
	}
	return &facts{item: r}
}

// imported learns from a call of a function of the standard library, such as re.match or
// os.path.join.
func (c *call) imported(path string) *facts {
	if name, is := strings.CutPrefix(path, "os.path."); is {
		path = "posixpath." + name
	}
	module, _, _ := strings.Cut(path, ".")
	c.name = path[strings.LastIndexByte(path, '.')+1:]
	s := library.Get()[module+"."+c.name]
	if s == nil {
		s = library.Get()[module+".*"]
	}
	return s.tell(c)
}
