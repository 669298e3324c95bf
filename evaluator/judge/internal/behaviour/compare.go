package behaviour

import (
	"math"
	"slices"
	"strings"

	"codelinter/sandbox"
)

// A comparison compares the program's values with an answer's values for the same
// step.
//
// Two values are the same if they have the same type and content, with these
// exceptions:
//
//   - Floats are the same within 1e-9 of the larger. nan is nan.
//   - Sets have no order, dicts do, as printing a dict shows its order.
//   - An iterator is compared by what it yields, whether it is a map, a generator
//     or a zip.
//   - An instance is compared by its class and attributes. Attributes called l, O
//     or I in the program may have another name in the answer, as E741 asks for.
//   - One object in two places is the same as two equal objects, unless it is a
//     list, dict, set or bytearray of the answer: [[]] * n differs from [[] for _
//     in range(n)], as each list of the latter can be changed alone. An answer may
//     have two objects where the program has one. This is the usual repair.
//   - Addresses in texts are ignored: <Node object at 0x7f...>.
//   - Functions of the program are the same, as calls show what they do. They are no
//     evidence. Built-in ones are compared by name.
type comparison struct {
	renamed     *renaming // definitions with another name in the answer
	left, right map[int]*sandbox.Value
	open        map[[2]int]bool // pairs of objects that are being compared
	leftRoot    *sandbox.Value
	rightRoot   *sandbox.Value
	anyHint     bool // one hint is the same as another
}

// same reports whether the program's value and the answer's are the same.
func same(program, answer *sandbox.Value, renamed *renaming) bool {
	c := comparison{renamed: renamed, leftRoot: program, rightRoot: answer}
	return c.equal(program, answer)
}

// sameButHints is same for the values of variables, which may be the aliases of hints: typing.List[int] is
// the same as list[int], as nothing reads a hint. What calls do with one is compared.
func sameButHints(program, answer *sandbox.Value, renamed *renaming) bool {
	c := comparison{renamed: renamed, leftRoot: program, rightRoot: answer, anyHint: true}
	return c.equal(program, answer)
}

// isHint reports whether a value is a type with parameters, or typing's name for a type.
func isHint(v *sandbox.Value) bool {
	return strings.HasPrefix(v.Class, "typing.") && strings.HasSuffix(v.Class, "Alias") ||
		slices.Contains([]string{"types.GenericAlias", "types.UnionType", "collections.abc._CallableGenericAlias"}, v.Class)
}

// objects maps the values' numbers to the values.
func objects(root *sandbox.Value) map[int]*sandbox.Value {
	found := map[int]*sandbox.Value{}
	var walk func(v *sandbox.Value)
	walk = func(v *sandbox.Value) {
		if v.Kind != sandbox.Reference && v.ID != 0 {
			found[v.ID] = v
		}
		if v.Base != nil {
			walk(v.Base)
		}
		for i := range v.Keys {
			walk(&v.Keys[i])
		}
		for i := range v.Items {
			walk(&v.Items[i])
		}
	}
	walk(root)
	return found
}

// maxOpen bounds the depth at which objects that contain themselves are compared.
const maxOpen = 2000

func (c *comparison) equal(a, b *sandbox.Value) bool {
	if a.Kind == sandbox.Invalid && a.Class == anything {
		return true
	}
	if a.Kind == sandbox.Reference || b.Kind == sandbox.Reference {
		if c.left == nil {
			c.left, c.right, c.open = objects(c.leftRoot), objects(c.rightRoot), map[[2]int]bool{}
		}
		if a.Kind != sandbox.Reference {
			if one := c.right[b.ID]; one != nil && changeable(one.Kind) && !holds(one, b) {
				return false
			}
		}
		pair := [2]int{a.ID, b.ID}
		if c.open[pair] || len(c.open) > maxOpen {
			return true
		}
		if a.Kind == sandbox.Reference {
			a = c.left[a.ID]
		}
		if b.Kind == sandbox.Reference {
			b = c.right[b.ID]
		}
		if a == nil || b == nil {
			return a == b
		}
		c.open[pair] = true
		defer delete(c.open, pair)
	}
	if c.anyHint && isHint(a) && (isHint(b) || b.Kind == sandbox.Class) {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case sandbox.Bool, sandbox.Int:
		return a.Int.Cmp(b.Int) == 0
	case sandbox.Float:
		return sameFloat(a.Float[0], b.Float[0])
	case sandbox.Complex:
		return sameFloat(a.Float[0], b.Float[0]) && sameFloat(a.Float[1], b.Float[1])
	case sandbox.Str:
		return a.Str == b.Str || withoutAddresses(a.Str) == withoutAddresses(b.Str)
	case sandbox.Bytes, sandbox.ByteArray, sandbox.Module:
		return a.Str == b.Str
	case sandbox.Class:
		return c.renamed.class(a.Str) == b.Str
	case sandbox.Function:
		return a.Class != builtinFunction || b.Class != builtinFunction || a.Str == b.Str
	case sandbox.Invalid, sandbox.None, sandbox.Ellipsis, sandbox.NotImplemented:
		return true
	case sandbox.TooLarge, sandbox.Opaque:
		return c.renamed.class(a.Class) == b.Class
	case sandbox.Set, sandbox.FrozenSet:
		return c.items(a.Items, b.Items) || c.anyOrder(a.Items, b.Items)
	case sandbox.Dict:
		return c.items(a.Keys, b.Keys) && c.items(a.Items, b.Items)
	case sandbox.Iterator:
		return a.More == b.More && a.Raised == b.Raised && c.items(a.Items, b.Items)
	case sandbox.Instance:
		if c.renamed.class(a.Class) != b.Class || (a.Base == nil) != (b.Base == nil) || a.Base != nil && !c.equal(a.Base, b.Base) {
			return false
		}
		return c.attributes(a, b)
	}
	return c.items(a.Items, b.Items)
}

// builtinFunction is the class of len and of [].append.
const builtinFunction = "builtin_function_or_method"

// changeable reports whether a built-in object of that kind can be changed.
func changeable(kind sandbox.Kind) bool {
	switch kind {
	case sandbox.List, sandbox.Dict, sandbox.Set, sandbox.ByteArray:
		return true
	}
	return false
}

// holds reports whether part is v or a part of v. An object that contains itself
// is the same at every depth of unrolling.
func holds(v, part *sandbox.Value) bool {
	if v == part || v.Base != nil && holds(v.Base, part) {
		return true
	}
	for i := range v.Keys {
		if holds(&v.Keys[i], part) {
			return true
		}
	}
	for i := range v.Items {
		if holds(&v.Items[i], part) {
			return true
		}
	}
	return false
}

func sameFloat(a, b float64) bool {
	if a == b {
		return a != 0 || math.Signbit(a) == math.Signbit(b)
	}
	if math.IsNaN(a) && math.IsNaN(b) {
		return true
	}
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) && !math.IsInf(a, 0) && !math.IsInf(b, 0)
}

func (c *comparison) items(a, b []sandbox.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !c.equal(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

// anyOrder reports whether each item of a has a partner in b. Floats and renamed
// parts may change the order of a set.
func (c *comparison) anyOrder(a, b []sandbox.Value) bool {
	if len(a) != len(b) || len(a) > 200 {
		return false
	}
	taken := make([]bool, len(b))
next:
	for i := range a {
		for j := range b {
			if !taken[j] && c.equal(&a[i], &b[j]) {
				taken[j] = true
				continue next
			}
		}
		return false
	}
	return true
}

// attributes reports whether two instances have the same attributes.
func (c *comparison) attributes(a, b *sandbox.Value) bool {
	if len(a.Keys) != len(b.Keys) {
		return false
	}
	var left []int // attributes of a that E741 has renamed
	taken := make([]bool, len(b.Keys))
	for i := range a.Keys {
		name := a.Keys[i].Str
		j := slices.IndexFunc(b.Keys, func(key sandbox.Value) bool { return key.Str == name })
		switch {
		case j >= 0:
			taken[j] = true
			if !c.equal(&a.Items[i], &b.Items[j]) {
				return false
			}
		case name == "l" || name == "O" || name == "I":
			left = append(left, i)
		default:
			return false
		}
	}
next:
	for _, i := range left {
		for j := range b.Keys {
			if !taken[j] && c.equal(&a.Items[i], &b.Items[j]) {
				taken[j] = true
				continue next
			}
		}
		return false
	}
	return true
}

// withoutAddresses returns text without the addresses of objects, which differ in
// each run: "<Node object at 0x7f1c>" becomes "<Node object at 0x>".
func withoutAddresses(text string) string {
	const mark = " at 0x"
	at := strings.Index(text, mark)
	if at < 0 {
		return text
	}
	var out strings.Builder
	for at >= 0 {
		at += len(mark)
		out.WriteString(text[:at])
		text = text[at:]
		text = strings.TrimLeft(text, "0123456789abcdef")
		at = strings.Index(text, mark)
	}
	out.WriteString(text)
	return out.String()
}

// showsAddress reports whether what a program gives has an address in pieces, which withoutAddresses
// does not see: list(repr(object())).
func (s *session) showsAddress() bool {
	var text strings.Builder
	write := func(part string) { text.WriteString(withoutAddresses(part)) }
	var read func(v *sandbox.Value)
	read = func(v *sandbox.Value) {
		write(v.Str)
		for i := range v.Keys {
			read(&v.Keys[i])
		}
		for i := range v.Items {
			read(&v.Items[i])
		}
	}
	for i := range s.want {
		want := &s.want[i]
		if !want.binding {
			continue
		}
		read(&want.Value)
		for i := range want.After {
			read(&want.After[i])
		}
		text.WriteString(want.output.output)
	}
	dense := strings.NewReplacer(" ", "", ",", "", "'", "", `"`, "").Replace(text.String())
	for rest, found := dense, true; found; {
		if _, rest, found = strings.Cut(rest, "at0x"); rest != "" && strings.ContainsRune("0123456789abcdef", rune(rest[0])) {
			return true
		}
	}
	return false
}

// opaque reports whether a value or a part of it cannot be told from other
// values.
func opaque(v *sandbox.Value) bool {
	switch v.Kind {
	case sandbox.TooLarge, sandbox.Opaque:
		return true
	case sandbox.Function:
		return true
	}
	if v.Base != nil && opaque(v.Base) {
		return true
	}
	return slices.ContainsFunc(v.Items, func(item sandbox.Value) bool { return opaque(&item) })
}

// anything is the class of a value of the program that is not compared.
const anything = "anything"

// steady returns the expectation without the numbers and texts in objects that
// differ in another run of the same program. It returns nil if anything else
// differs, or if no number and no text is left.
func (want *expectation) steady(got *sandbox.Outcome) *expectation {
	if want.End != sandbox.Done || got.End != sandbox.Done || len(want.After) != len(got.After) {
		return nil
	}
	left := 0
	var clear func(a, b sandbox.Value) (sandbox.Value, bool)
	all := func(a, b []sandbox.Value) ([]sandbox.Value, bool) {
		if len(a) != len(b) {
			return nil, false
		}
		list := make([]sandbox.Value, len(a))
		for i := range a {
			var ok bool
			if list[i], ok = clear(a[i], b[i]); !ok {
				return nil, false
			}
		}
		return list, true
	}
	clear = func(a, b sandbox.Value) (sandbox.Value, bool) {
		if a.Kind != b.Kind || a.Class != b.Class || (a.Base == nil) != (b.Base == nil) {
			return a, false
		}
		switch a.Kind {
		case sandbox.Int, sandbox.Str:
			if !same(&a, &b, nil) {
				return sandbox.Value{Kind: sandbox.Invalid, Class: anything}, true
			}
			left++
			return a, true
		case sandbox.Instance, sandbox.List, sandbox.Tuple, sandbox.Dict:
			var ok bool
			a.Items, ok = all(a.Items, b.Items)
			return a, ok
		}
		return a, true // compared by the caller
	}
	e := *want
	var ok, okAfter bool
	e.Value, ok = clear(want.Value, got.Value)
	e.After, okAfter = all(want.After, got.After)
	if !ok || !okAfter || left == 0 {
		return nil
	}
	return &e
}
