package behaviour

import (
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"codelinter/ast"
	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/parser"
	"codelinter/source"
)

// A generator writes expressions whose values have given facts. Its seed determines what it
// draws.
type generator struct {
	*inference
	rng    *rand.Rand
	sizes  []int    // small constants of the program, perhaps lengths
	caught []string // exceptions that the program catches
	rare   bool     // draw values for which otherwise equal functions differ
	turn   int      // the next of these
	strips bool     // the program strips blanks
	wraps  bool     // the program copies function names
	typed  bool     // the program compares exact types
	simple bool     // no call is an argument
	ties   map[string][]tie

	left   int // values that may still be drawn for one probe
	inside int // context managers around the step that is drawn

	// Values drawn for this probe. Programs often test whether two arguments are equal or
	// near each other, so drawn values are used again.
	texts []drawnText
	ints  []drawnInt
	lists [kinds][]string // the last items of each kind
	days  []string

	nested  bool // the result of a call is an argument
	derives bool // a subclass is made

	parser parser.Parser
}

// A drawnInt is an integer that was drawn for facts.
type drawnInt struct {
	n  int64
	of *facts
}

// A drawnText is a text that was drawn for facts.
type drawnText struct {
	text string
	of   *facts
}

// newGenerator returns a generator of calls of what a program defines.
func newGenerator(m *module, rng *rand.Rand) *generator {
	g := &generator{inference: infer(m), rng: rng, strips: strings.Contains(m.text, "strip("), wraps: strings.Contains(m.text, "wraps")}
	for _, c := range constants(m) {
		if c.value.kind == intLiteral && c.value.n > 2 && c.value.n <= 40 {
			g.sizes = append(g.sizes, int(c.value.n), 2*int(c.value.n))
		}
	}
	for _, s := range m.body {
		ast.Inspect(s, func(n ast.Node) bool {
			if compared, is := n.(*ast.Compare); is {
				g.typed = g.typed || asksType(compared.Left) || slices.ContainsFunc(compared.Comparators, asksType)
			}
			if h, is := n.(*ast.ExceptHandler); is && h.Type != nil {
				types := []ast.Expr{h.Type}
				if t, is := h.Type.(*ast.Tuple); is {
					types = t.Elts
				}
				for _, t := range types {
					// BaseException itself is not raised: it would end more than a test of
					// it should.
					if name, is := t.(*ast.Name); is && name.ID != "BaseException" && !slices.Contains(g.caught, name.ID) {
						g.caught = append(g.caught, name.ID)
					}
				}
			}
			return true
		})
	}
	return g
}

// asksType reports whether an expression is the exact type of a value.
func asksType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Call:
		return len(e.Args) == 1 && lastName(e.Func) == "type"
	case *ast.Attribute:
		return e.Attr == "__class__"
	}
	return false
}

// maxInt is the largest integer drawn for most calls. Some of these programs count up to
// their argument. For integers that floats cannot hold, n // 2 differs from int(n / 2),
// which people write for the same thing.
const maxInt = 1 << 31

// maxDepth bounds how deep values are nested.
const maxDepth = 4

// maxDrawn bounds the values that are drawn for one probe.
const maxDrawn = 250

func (g *generator) one(list ...string) string { return list[g.rng.IntN(len(list))] }

// kind draws a kind, weighted by the squares of its votes. If the program or a test says
// which kind it is, it draws no other.
func (g *generator) kind(f *facts) kind {
	least := 0
	if most := slices.Max(f.votes[:]); most >= sure {
		least = most / 20
	}
	// A value that is compared with None, or has None as its default, is mostly something
	// else.
	if n := f.votes[noneKind]; n > 0 && n >= least && g.rng.IntN(6) == 0 {
		return noneKind
	}
	var weights [kinds]int
	sum := 0
	for k, n := range f.votes {
		if n >= least && kind(k) != noneKind {
			weights[k] = n * n
			sum += n * n
		}
	}
	if sum == 0 {
		return []kind{intKind, strKind, listKind, intKind, strKind, floatKind}[g.rng.IntN(6)]
	}
	at := g.rng.IntN(sum)
	for k, n := range weights {
		if at -= n; at < 0 {
			return kind(k)
		}
	}
	return noneKind
}

// value returns an expression of a value that has the facts.
func (g *generator) value(f *facts, depth int) string {
	f = f.root()
	if g.left--; depth > maxDepth || g.left < 0 {
		if f.votes[noneKind] > 0 || len(f.classes) > 0 {
			return "None"
		}
		return g.int(f, depth)
	}
	if f.votes[objectKind] > 0 && len(f.classes) == 0 && len(f.attrs) > 0 {
		f.classes = g.classesWith(f)
	}
	if len(f.attrs) == 0 && len(f.classes) == 0 {
		f.votes[objectKind] = 0 // nothing is asked of it that numbers and texts do not have
	}
	k := g.kind(f)
	// An object with attributes that no built-in type has.
	if k != objectKind && len(f.classes) > 0 && g.rng.IntN(4) > 0 {
		k = objectKind
	}
	if f.votes[noneKind] > 0 && g.rng.IntN(5) == 0 { // if width: for if width is not None:
		if empty := emptyValues[k]; empty != "" {
			return empty
		}
	}
	if g.rng.IntN(12) == 0 && depth > 0 {
		if text := g.composed(k, depth); text != "" {
			return text
		}
	}
	if len(f.values) > 0 && g.rng.IntN(2) == 0 {
		v := f.values[g.rng.IntN(len(f.values))]
		switch {
		case v.kind >= listLiteral:
			return g.like(v).String()
		case v.valueKind() == k && k != intKind && k != strKind:
			return v.String()
		}
	}
	switch k {
	case intKind:
		return g.int(f, depth)
	case floatKind:
		if g.rare {
			g.turn++
			return []string{"float('nan')", "2.5", "-0.5", "float('inf')", "-0.0"}[g.turn%5]
		}
		for _, v := range f.values {
			if v.kind == floatLiteral && g.rng.IntN(3) == 0 {
				return v.String()
			}
		}
		return g.one("2.5", "0.5", "1.0", "0.0", "-1.5", "10.0", "3.75", "100.25", "0.125", "7.0", "0.3333333333333333", "2.718281828459045", strconv.FormatFloat(float64(g.rng.IntN(2000)-400)/8, 'f', 3, 64), g.int(f, depth))
	case strKind:
		return quoted(g.text(f, depth))
	case boolKind:
		return g.one("True", "False")
	case noneKind:
		return "None"
	case bytesKind:
		return "b" + quoted(g.one("", "a", "abc", "hello world", "12"))
	case listKind:
		return "[" + strings.Join(g.items(f, depth), ", ") + "]"
	case setKind:
		items := g.items(f, depth)
		if len(items) == 0 {
			return "set()"
		}
		return "{" + strings.Join(items, ", ") + "}"
	case tupleKind:
		if len(f.fields) > 0 {
			var items []string
			for _, field := range f.fields {
				items = append(items, g.value(field, depth+1))
			}
			return "(" + strings.Join(items, ", ") + ",)"
		}
		items := g.items(f, depth)
		if len(items) == 0 {
			return "()"
		}
		return "(" + strings.Join(items, ", ") + ",)"
	case dictKind:
		return g.dict(f, depth)
	case objectKind:
		return g.object(f, depth)
	case callKind:
		return g.function(f, depth)
	case fileKind:
		return "__import__('io').StringIO(" + quoted(g.one("abcdefg", "", "a b\nc d\n", "x\ny\nz", "1\n22\n333\n")) + ")"
	case dateKind:
		day := g.date()
		if f.attrs["hour"] != nil || f.attrs["minute"] != nil {
			return fmt.Sprintf("__import__('datetime').datetime(%s, %d, %d)", day, g.rng.IntN(24), g.rng.IntN(60))
		}
		return "__import__('datetime').date(" + day + ")"
	case deltaKind:
		return fmt.Sprintf("__import__('datetime').timedelta(%d, %d)", g.rng.IntN(9), g.rng.IntN(4000))
	case typeKind:
		return g.one("int", "str", "float", "list", "(int, str)")
	case matchKind:
		return "__import__('re').search(r'(\\w+)\\W+(\\w+)', 'see ab cd')"
	}
	return "None"
}

// composed returns a call of a function of the program that returns values of the kind,
// as in decode(encode('a')). It returns "" if there is no such function, or if the probe
// has such a call already.
func (g *generator) composed(k kind, depth int) string {
	if g.nested || g.simple || depth > 2 {
		return ""
	}
	var own []string
	for _, name := range sortedKeys(g.functions) {
		f := g.functions[name]
		if r := f.result.root(); len(g.ties[name]) == 0 && !f.async && !f.yields && len(f.def.DecoratorList) == 0 && r.votes[k] > 0 && r.best() == k {
			own = append(own, name)
		}
	}
	if len(own) == 0 {
		return ""
	}
	g.nested = true
	name := g.one(own...)
	return g.call(name, g.functions[name], depth)
}

// emptyValues has the false value of each kind.
var emptyValues = [kinds]string{intKind: "0", strKind: "''", listKind: "[]", dictKind: "{}", floatKind: "0.0", tupleKind: "()", boolKind: "False"}

// int returns an integer: a known constant, a number next to or between known ones, a
// small number, or a large one.
func (g *generator) int(f *facts, depth int) string {
	f = f.root()
	var known []int64
	for _, v := range f.values {
		switch {
		case v.kind == intLiteral && v.n < maxInt && v.n > -maxInt:
			known = append(known, v.n)
		case v.kind == floatLiteral && v.f < maxInt && v.f > -maxInt:
			known = append(known, int64(v.f))
		}
	}
	var before, alike []int64
	for _, other := range g.ints {
		before = append(before, other.n)
		if other.of == f && depth < 2 {
			alike = append(alike, other.n)
		}
	}
	choice := g.rng.IntN(16)
	if len(alike) > 0 && g.rng.IntN(5) < 2 {
		// A number that another argument has, such as an item to search for in a list.
		n := alike[g.rng.IntN(len(alike))] + []int64{0, 0, 0, 0, 1, -1}[g.rng.IntN(6)]
		if n > 0 && g.rng.IntN(2) == 0 { // or one below it, as an index
			n = g.rng.Int64N(n)
		}
		g.ints = append(g.ints, drawnInt{n, f})
		return strconv.FormatInt(n, 10)
	}
	if f.few && choice > 2 && len(known) == 0 {
		return strconv.Itoa(g.rng.IntN(5))
	}
	n := int64(0)
	switch {
	case g.rare && g.rng.IntN(2) == 0:
		g.turn++
		n = []int64{maxInt + 1, 0, 1, maxInt + 1, -1}[g.turn%5]
	case len(before) > 0 && g.rng.IntN(5) == 0:
		n = before[g.rng.IntN(len(before))]
		switch g.rng.IntN(7) {
		case 0:
			n++
		case 1:
			n--
		case 2:
			n *= 2 + g.rng.Int64N(2)
		case 3: // the edge of a + b <= c
			n += before[g.rng.IntN(len(before))]
		}
	case choice < 6 && len(known) > 0:
		n = known[g.rng.IntN(len(known))] + []int64{0, 0, 1, -1}[g.rng.IntN(4)]
	case choice < 9 && len(known) > 0:
		low, high := min(slices.Min(known), 0), max(slices.Max(known), 0)+2
		n = low + g.rng.Int64N(high-low+high/4+1)
	case choice < 10:
		n = g.rng.Int64N(10)
	case choice == 10:
		n = -g.rng.Int64N(12)
	case choice < 14:
		n = g.rng.Int64N(40)
	case choice == 14:
		n = g.rng.Int64N(200)
	default:
		n = g.rng.Int64N([]int64{1000, 3000, 20_000, 1_000_000}[g.rng.IntN(4)])
	}
	if n > 0 && slices.Contains(known, 0) && g.rng.IntN(5) == 0 { // the program tests the sign
		n = -n
	}
	g.ints = append(g.ints, drawnInt{n, f})
	return strconv.FormatInt(n, 10)
}

// date returns year, month and day. Most dates are within weeks of each other, or where a
// month or a year begins or ends, so that comparisons of two dates differ. Some are the
// day of another date in a later year.
func (g *generator) date() (day string) {
	defer func() { g.days = append(g.days, day) }()
	if len(g.days) > 0 && g.rng.IntN(4) == 0 {
		if _, rest, _ := strings.Cut(g.days[g.rng.IntN(len(g.days))], ", "); rest != "2, 29" {
			return fmt.Sprintf("%d, %s", 2024+g.rng.IntN(9), rest)
		}
	}
	switch g.rng.IntN(10) {
	case 0, 2:
		return g.one("2024, 2, 29", "2000, 2, 29", "2023, 12, 31", "2024, 1, 1", "2024, 12, 31", "2023, 2, 28", "1900, 3, 1")
	case 1, 3, 4:
		return fmt.Sprintf("%d, %d, %d", 1995+g.rng.IntN(35), 1+g.rng.IntN(12), 1+g.rng.IntN(28))
	}
	return fmt.Sprintf("2024, %d, %d", 2+g.rng.IntN(2), 1+g.rng.IntN(28))
}

func quoted(text string) string {
	return string(pytext.AppendRepr(nil, text, characters.Latest))
}

// text returns a string.
func (g *generator) text(f *facts, depth int) string {
	text := ""
	if g.left--; g.left < 0 {
		return "x"
	}
	if g.rare && g.rng.IntN(4) > 0 {
		g.turn++
		text = rareTexts[g.turn%len(rareTexts)]
	} else if same := g.alike(f); same != "" && g.rng.IntN(4) == 0 {
		text = same
	} else if len(g.texts) > 0 && g.rng.IntN(4) == 0 {
		text = g.near(g.texts[g.rng.IntN(len(g.texts))].text)
	} else {
		text = g.newText(f, depth)
		if g.strips && g.rng.IntN(6) == 0 {
			text = g.one(" ", "\n") + text + g.one("", " ")
		}
	}
	g.texts = append(g.texts, drawnText{text, f.root()})
	return text
}

// alike returns a text that was drawn for the same facts, or "".
func (g *generator) alike(f *facts) string {
	var list []string
	for _, other := range g.texts {
		if other.of == f.root() {
			list = append(list, other.text)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return list[g.rng.IntN(len(list))]
}

// rareTexts are texts for which functions differ that mostly agree: a$ and a\Z, strip()
// and strip(' '), isdigit and isdecimal, lower and casefold.
var rareTexts = []string{"\ra\x0bb\u00a0c\r", "ab\n", "\u0661\u00b2", "\u00df\U0001f600", "\u01c5\u00bd", "\u00bd"}

// near returns a text similar to another.
func (g *generator) near(text string) string {
	r := []rune(text)
	if len(r) == 0 {
		return text
	}
	at := g.rng.IntN(len(r))
	switch g.rng.IntN(8) {
	case 0, 1:
		g.rng.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
	case 2:
		slices.Reverse(r)
	case 3:
		r = slices.Delete(r, at, at+1)
	case 4:
		r = slices.Insert(r, at, r[g.rng.IntN(len(r))])
	case 5:
		r[at] = 'a' + rune(g.rng.IntN(4))
	case 6:
		r = r[:at+1]
	}
	return string(r)
}

// newText returns a text that fits the facts, or any text if there are none.
func (g *generator) newText(f *facts, depth int) string {
	f = f.root()
	if len(f.forms) > 0 && g.rng.IntN(4) > 0 {
		if text, ok := g.matching(f.forms[g.rng.IntN(len(f.forms))]); ok {
			if g.rng.IntN(5) == 0 {
				text += g.one(" ", "x", "1", "\n", text)
			}
			return text
		}
	}
	if f.format && g.rng.IntN(3) > 0 {
		return g.one("a%s", "%s b", "%s-%s", "%s", "done", "%r")
	}
	if f.parts != nil && depth <= maxDepth && g.rng.IntN(4) > 0 {
		return g.joined(f, depth)
	}
	// Digits alone, unless the program also looks for other characters.
	chars := f.characters()
	if others := len(f.values) + len(chars); f.number != nil && (others == 0 && g.rng.IntN(3) > 0 || others > 0 && g.rng.IntN(4) == 0) {
		number := f.number.root()
		if number.votes[floatKind] > number.votes[intKind] && g.rng.IntN(2) == 0 {
			return g.one("2.5", "0.125", "1.0", "-1.5", "3.75", "100.25", "2.675", "1e3")
		}
		return g.int(number, depth)
	}
	var known []string
	for _, v := range f.values {
		if v.kind == strLiteral && len(v.text) <= 200 {
			known = append(known, v.text)
		}
	}
	if len(chars) > 0 && !f.few && g.rng.IntN(4) == 0 {
		return g.written(slices.Concat(known, chars))
	}
	if text, ok := g.ofCharacters(f); ok && (len(known) == 0 || g.rng.IntN(2) == 0) {
		return text
	}
	if len(known) > 0 && !f.few && depth < 2 && g.rng.IntN(4) == 0 {
		return g.written(known)
	}
	if len(known) > 0 && g.rng.IntN(5) > 0 {
		return g.ofKnown(known, f.few)
	}
	if f.few && g.rng.IntN(4) > 0 {
		return g.one("a", "b", "c", "d")
	}
	if g.rng.IntN(8) == 0 {
		return g.written(known)
	}
	return g.anyText()
}

// joined returns the pieces into which the program splits a text, with separators between
// them.
func (g *generator) joined(f *facts, depth int) string {
	list := f.parts.root()
	var pieces []string
	if len(list.fields) > 0 {
		for _, field := range list.fields {
			pieces = append(pieces, g.text(field, depth+1))
		}
	} else {
		for range g.count(list.size) {
			pieces = append(pieces, g.text(list.items(), depth+1))
		}
	}
	sep := f.sep
	if sep == "" {
		sep = " "
	} else if g.strips && g.rng.IntN(3) == 0 {
		sep = g.one(" ", "") + sep + " "
	}
	return strings.Join(pieces, sep)
}

// ofKnown returns one or several texts that the program looks for. whole says that the
// program looks up the whole text.
func (g *generator) ofKnown(known []string, whole bool) string {
	text := known[g.rng.IntN(len(known))]
	more := 4
	if whole {
		more = 1
	}
	for g.rng.IntN(10) < more {
		text += known[g.rng.IntN(len(known))]
		if g.rng.IntN(3) == 0 {
			text += g.one("a", "b", "X", "1", " ")
		}
	}
	return text
}

// anyText returns a text without facts.
func (g *generator) anyText() string {
	letters, most := "aabcdexyzABZ019 _-.,!", 12
	switch g.rng.IntN(9) {
	case 8:
		return g.one("Crème brûlée", "naïve café", "ÀÉÎõü", "straße", "\u00a0x\u2003y", "٣", "日本 語", "x²", "Ünï-cödé")
	case 0, 1, 2: // few letters, so that texts are alike
		letters, most = "abcab", 7
	case 3:
		return g.one("", "a", "A", "1", " ", "z")
	case 4:
		return g.one("hello world", "Hello, World!", "The quick brown fox", "racecar", "Python 3.12", "a,b,c", "x=1; y=2", "one two  three", "(a[b]{c})", "ab12Cd34", "mary had a little lamb", "UPPER lower")
	case 5:
		return strconv.Itoa(g.rng.IntN(20000))
	}
	var text []byte
	for range g.rng.IntN(most) {
		text = append(text, letters[g.rng.IntN(len(letters))])
	}
	return string(text)
}

// written returns a text as people write it: words, numbers and known texts, with
// separators, in one row or several.
func (g *generator) written(known []string) string {
	var out strings.Builder
	for i := range 2 + g.rng.IntN(5) {
		if i > 0 {
			out.WriteString(g.one("", "", " ", " ", " ", "\n", "\n", ",", ", ", "  ", "\t", "."))
		}
		if len(known) > 0 && g.rng.IntN(2) == 0 {
			out.WriteString(known[g.rng.IntN(len(known))])
			continue
		}
		out.WriteString(g.one("a", "b1", "Ab", "x_2", "word", "12", "7", "0", "3.5", "Two", "b", "END", "-1", "'q'"))
	}
	return out.String()
}

// characters returns the characters that the program compares with a text's.
func (f *facts) characters() (known []string) {
	if f.item == nil {
		return nil
	}
	for _, v := range f.item.root().values {
		if v.kind == strLiteral && utf8.RuneCountInString(v.text) == 1 {
			known = append(known, v.text)
		}
	}
	return known
}

// ofCharacters returns a text of the characters that the program compares with the
// text's, sometimes with others among them.
func (g *generator) ofCharacters(f *facts) (text string, ok bool) {
	known := f.characters()
	if len(known) == 0 || g.rng.IntN(5) == 0 {
		return "", false
	}
	for range []int{1, 2, 2, 2, 3, 4, 4, 6}[g.rng.IntN(8)] {
		text += known[g.rng.IntN(len(known))]
		if g.rng.IntN(9) == 0 {
			text += g.one("a", "b", "X", "1", " ")
		}
	}
	return text, true
}

// matching returns a text that a regular expression matches or, if the program looks for
// several matches, a text with some matches, often equal ones. ok is false if Go cannot
// parse the expression.
func (g *generator) matching(of form) (text string, ok bool) {
	tree, err := syntax.Parse(of.pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	var out strings.Builder
	g.write(&out, tree)
	if of.many {
		found := []string{out.String()}
		for range g.rng.IntN(6) {
			out.WriteString(g.one(" ", " ", ", ", "\n"))
			at := out.Len()
			if g.rng.IntN(3) == 0 {
				out.WriteString(found[g.rng.IntN(len(found))])
			} else {
				g.write(&out, tree)
			}
			found = append(found, out.String()[at:])
		}
	}
	return out.String(), true
}

func (g *generator) write(out *strings.Builder, r *syntax.Regexp) {
	times := func(low, high int) {
		for range low + min(g.rng.IntN(high-low+1), g.rng.IntN(high-low+1)) {
			if out.Len() < 300 {
				g.write(out, r.Sub[0])
			}
		}
	}
	switch r.Op {
	case syntax.OpLiteral:
		for _, c := range r.Rune {
			if r.Flags&syntax.FoldCase != 0 && g.rng.IntN(2) == 0 {
				c = unicode.SimpleFold(c)
			}
			out.WriteRune(c)
		}
	case syntax.OpCharClass:
		// Printable ASCII characters, if the ranges have any.
		var usual []rune
		for i := 0; i+1 < len(r.Rune); i += 2 {
			for c := max(r.Rune[i], ' '); c <= min(r.Rune[i+1], '~'); c++ {
				usual = append(usual, c)
			}
		}
		if n := len(usual); n > 0 {
			out.WriteRune(usual[[]int{0, n - 1, g.rng.IntN(n), g.rng.IntN(n)}[g.rng.IntN(4)]])
		} else if len(r.Rune) > 0 {
			out.WriteRune(r.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteString(g.one("a", "b", "1", " ", "."))
	case syntax.OpStar:
		times(0, 3)
	case syntax.OpPlus:
		times(1, 4)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		high := r.Max
		if high < 0 || high > r.Min+6 {
			high = r.Min + 6
		}
		times(r.Min, high)
	case syntax.OpAlternate:
		g.write(out, r.Sub[g.rng.IntN(len(r.Sub))])
	default:
		for _, inner := range r.Sub {
			g.write(out, inner)
		}
	}
}

// count returns a length.
func (g *generator) count(size *facts) int {
	if size != nil {
		if values := size.root().values; len(values) > 0 && g.rng.IntN(4) > 0 {
			if v := values[g.rng.IntN(len(values))]; v.kind == intLiteral && v.n >= 0 && v.n <= 40 {
				return max(int(v.n)+[]int{0, 0, 0, 1, -1}[g.rng.IntN(5)], 0)
			}
		}
	}
	if len(g.sizes) > 0 && g.rng.IntN(5) == 0 {
		return g.sizes[g.rng.IntN(len(g.sizes))]
	}
	return []int{0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 9}[g.rng.IntN(15)]
}

// items returns the items of a list, tuple or set. They are of one kind, some are equal,
// and sometimes they are sorted.
func (g *generator) items(f *facts, depth int) []string {
	n := g.count(f.size)
	if depth > 1 {
		n = min(n, 4)
	}
	if g.rare && g.rng.IntN(4) == 0 {
		n = 0
	}
	if f.item == nil && len(f.fields) == 0 {
		f.item = &facts{}
	}
	if len(f.fields) > 0 && (f.item == nil || f.votes[tupleKind] > f.votes[listKind]) {
		var list []string
		for i := range max(n, len(f.fields)) {
			list = append(list, g.value(f.fields[min(i, len(f.fields)-1)], depth+1))
		}
		return list
	}
	item := f.item.root()
	// Without a vote, the items are all of one random kind.
	if item.votes == [kinds]int{} && len(item.attrs) == 0 {
		item = new(facts).vote(1, []kind{intKind, intKind, strKind}[g.rng.IntN(3)])
	}
	of := g.kind(item)
	if known := g.lists[of]; len(known) > 0 && depth < 2 && g.rng.IntN(4) == 0 {
		again := slices.Clone(known)
		switch g.rng.IntN(4) {
		case 0:
			g.rng.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		case 1:
			again = again[:g.rng.IntN(len(again))]
		case 2:
			again = append(again, g.value(item, depth+1))
		}
		return again
	}
	var list []string
	if of == intKind && n > 2 && g.rng.IntN(12) == 0 { // like a range
		first, step := g.rng.IntN(12)-2, g.rng.IntN(7)-2
		for i := range n {
			list = append(list, strconv.Itoa(first+i*step))
		}
		return list
	}
	width, again := -1, 7
	if g.rng.IntN(8) == 0 {
		again = 1 + g.rng.IntN(2) // most or all items are equal
	}
	for i := range n {
		if i > 0 && (g.rng.IntN(again) == 0) {
			list = append(list, list[g.rng.IntN(i)])
			continue
		}
		// The rows of a matrix have the same length.
		if k := g.kind(item); k == listKind && item.size == nil && g.rng.IntN(8) > 0 {
			if width < 0 {
				width = 1 + g.rng.IntN(4)
				if g.rng.IntN(2) == 0 {
					width = n
				}
			}
			row := *item
			row.size = &facts{}
			var cells []string
			for i := range width {
				if i > 0 && g.rng.IntN(again) == 0 {
					cells = append(cells, cells[g.rng.IntN(i)])
					continue
				}
				cells = append(cells, g.value(row.items(), depth+2))
			}
			list = append(list, "["+strings.Join(cells, ", ")+"]")
			continue
		}
		list = append(list, g.value(item, depth+1))
	}
	g.lists[of] = list
	if item.votes[intKind] > 0 && g.rng.IntN(4) == 0 {
		slices.SortFunc(list, func(a, b string) int {
			x, errX := strconv.Atoi(a)
			y, errY := strconv.Atoi(b)
			if errX != nil || errY != nil {
				return strings.Compare(a, b)
			}
			return x - y
		})
	}
	return list
}

func (g *generator) dict(f *facts, depth int) string {
	var pairs, values []string
	for _, key := range sortedKeys(f.entries) {
		if g.rng.IntN(8) > 0 {
			pairs = append(pairs, key+": "+g.value(f.entries[key], depth+1))
		}
	}
	if len(f.entries) == 0 || g.rng.IntN(4) == 0 {
		key := f.keys().root()
		if key.votes == [kinds]int{} {
			key.vote(1, strKind)
		}
		seen := map[string]bool{}
		for range g.count(nil) + g.rng.IntN(3) {
			// From few keys, so that another argument may refer to one.
			text := g.value(key, depth+2)
			if key.votes[strKind] > 0 && len(key.values) == 0 && g.rng.IntN(3) > 0 {
				text = g.one("'a'", "'b'", "'c'", "'d'")
			}
			if seen[text] && g.rng.IntN(8) > 0 {
				continue
			}
			seen[text] = true
			value := g.value(f.items(), depth+1)
			if len(values) > 0 && g.rng.IntN(4) == 0 {
				value = values[g.rng.IntN(len(values))]
			}
			values = append(values, value)
			pairs = append(pairs, text+": "+value)
		}
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// like returns a value shaped like v, with some texts and numbers changed.
func (g *generator) like(v literal) literal {
	v.items = slices.Clone(v.items)
	for i := range v.items {
		item := &v.items[i]
		switch {
		case item.kind == intLiteral && g.rng.IntN(2) == 0:
			item.n += int64(g.rng.IntN(7)) - 2
		case item.kind >= listLiteral:
			*item = g.like(*item)
		}
	}
	if len(v.items) > 0 && g.rng.IntN(10) == 0 && v.kind == tupleLiteral {
		v.items = v.items[1:]
	}
	return v
}

// classesWith returns the program's classes that have all attributes that f needs.
func (g *generator) classesWith(f *facts) (list []*class) {
	for _, c := range g.order {
		all := true
		for name := range f.attrs {
			all = all && (c.method(name) != nil || c.self.root().attrs[name] != nil)
		}
		if all {
			list = append(list, c)
		}
	}
	return list
}

// object returns an object with the attributes that f needs, of a class of the program if
// possible.
func (g *generator) object(f *facts, depth int) string {
	if len(f.classes) > 0 {
		if c := f.classes[g.rng.IntN(len(f.classes))]; !slices.ContainsFunc(c.def.Bases, func(e ast.Expr) bool { return lastName(e) == "Protocol" }) {
			return g.instance(c, depth)
		}
	}
	var list []string
	for _, name := range sortedKeys(f.attrs) {
		if !strings.HasPrefix(name, "__") {
			list = append(list, name+"="+g.value(f.attrs[name], depth+1))
		}
	}
	return "__import__('types').SimpleNamespace(" + strings.Join(list, ", ") + ")"
}

// instance returns an expression that makes an object of a class.
func (g *generator) instance(c *class, depth int) string {
	if members := c.members(); len(members) > 0 {
		return c.def.Name + "." + members[g.rng.IntN(len(members))]
	}
	name := c.def.Name
	if !g.typed && depth < 2 && g.rng.IntN(12) == 0 {
		name = g.derived(c)
	}
	if init := c.method("__init__"); init != nil {
		return g.call(name, init, depth)
	}
	if init := c.method("__new__"); init != nil {
		return g.call(name, init, depth)
	}
	var list []string
	for _, member := range c.fields() {
		if given, optional := isParameter(member); given && (!optional || g.rng.IntN(2) == 0) {
			name := member.Target.(*ast.Name).ID
			list = append(list, name+"="+g.value(c.self.attr(name), depth+1))
		}
	}
	return name + "(" + strings.Join(list, ", ") + ")"
}

// isParameter reports whether a field of a class is a parameter of its constructor, and
// whether that is optional. A field such as made: int = field(default=0, init=False) is
// none.
func isParameter(field *ast.AnnAssign) (given, optional bool) {
	call, is := field.Value.(*ast.Call)
	if !is || lastName(call.Func) != "field" {
		return true, field.Value != nil
	}
	given = true
	for _, k := range call.Keywords {
		switch k.Arg {
		case "init":
			c, is := k.Value.(*ast.Constant)
			given = !is || c.Type != ast.False
		case "default", "default_factory":
			optional = true
		}
	}
	return given, optional
}

// derived returns a subclass of c, sometimes with another value of an attribute. For such
// a class self.limit differs from C.limit, and cls() from C().
func (g *generator) derived(c *class) string {
	g.derives = true
	var attrs []string
	for _, s := range c.def.Body {
		if a, is := s.(*ast.Assign); is && len(a.Targets) == 1 && a.Value.Kind() == ast.KindConstant {
			if name, is := a.Targets[0].(*ast.Name); is && !strings.HasPrefix(name.ID, "__") {
				attrs = append(attrs, quoted(name.ID)+": "+g.value(c.self.attr(name.ID), 1))
			}
		}
	}
	if len(attrs) > 0 {
		attrs = attrs[g.rng.IntN(len(attrs)):][:1]
	}
	// The name is not made from the class's, which an answer may change (E742). It
	// contains no string literal, as those are varied.
	return "type(object.__name__, (" + c.def.Name + ",), {" + strings.Join(attrs, "") + "})"
}

// members returns the names of an enumeration's members.
func (c *class) members() (list []string) {
	if !slices.ContainsFunc(c.def.Bases, func(e ast.Expr) bool {
		switch lastName(e) {
		case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag":
			return true
		}
		return false
	}) {
		return nil
	}
	for _, s := range c.def.Body {
		if a, is := s.(*ast.Assign); is && len(a.Targets) == 1 {
			if name, is := a.Targets[0].(*ast.Name); is && !strings.HasPrefix(name.ID, "_") {
				list = append(list, name.ID)
			}
		}
	}
	return list
}

// fields returns the annotated attributes of a class, which are the parameters of a
// dataclass or a named tuple.
func (c *class) fields() (list []*ast.AnnAssign) {
	if len(c.def.DecoratorList) == 0 && len(c.def.Bases) == 0 {
		return nil
	}
	for _, base := range c.bases {
		list = append(list, base.fields()...)
	}
	for _, s := range c.def.Body {
		if a, is := s.(*ast.AnnAssign); is && a.Simple {
			list = append(list, a)
		}
	}
	return list
}

// function returns an expression of something callable that fits the facts.
func (g *generator) function(f *facts, depth int) string {
	if g.rng.IntN(3) == 0 {
		var own []string
		for _, name := range sortedKeys(g.functions) {
			if d := g.functions[name]; !d.async && len(d.list()) == len(f.params) && !d.yields {
				own = append(own, name)
			}
		}
		if len(own) > 0 {
			return g.one(own...)
		}
	}
	if len(f.params) < 2 && g.rng.IntN(5) == 0 { // a function that is the same object in every call
		return g.one("repr", "str")
	}
	if g.rng.IntN(5) == 0 { // functions that show when, how often and with what they are called, and fail at the first call or a later one
		return g.one("lambda *a, **k: print('called', a, k)", "lambda *a, **k: [print('called', a, k), *a][-1]",
			"(lambda n: lambda *a, **k: [n.append(1), 10 // (len(n) - 1), len(n)][2])([])", "(lambda n: lambda *a, **k: [n.append(1), 10 // (3 - len(n)), len(n)][2])([])")
	}
	if len(g.caught) > 0 && g.rng.IntN(4) == 0 {
		return "lambda *a, **k: (i for i in ()).throw(" + g.caught[g.rng.IntN(len(g.caught))] + "('no'))"
	}
	result := f.result
	if result == nil {
		result = &facts{}
	}
	switch r := result.root(); {
	case r.votes[boolKind] > r.votes[intKind]:
		return g.one("lambda *a, **k: bool(a and a[0])", "lambda *a, **k: not (a and a[0])", "lambda *a, **k: len(str(a)) % 2 == 0")
	case r.votes[strKind] > r.votes[intKind]:
		return g.one("lambda *a, **k: str(a[0]) if a else 'none'", "lambda *a, **k: '%s-%s' % (a, sorted(k))", "lambda *a, **k: "+g.value(result, depth+1))
	case r.votes == [kinds]int{} || r.votes[intKind] > 0:
		return g.one("lambda *a, **k: a[0] if a else 7", "lambda *a, **k: a[-1] if a else 0", "lambda *a, **k: len(a) + len(k)", "lambda *a, **k: sum(x for x in a if isinstance(x, (int, float))) + 1",
			"lambda *a, **k: (a, sorted(k.items()))", "lambda *a, **k: 10 // (len(a) - 1)")
	}
	return "lambda *a, **k: " + g.value(result, depth+1)
}

// call returns a call of a function or a constructor. Parameters with a default are
// sometimes left out, and *args and **kwargs get several arguments.
func (g *generator) call(callee string, f *function, depth int) string {
	var list []string
	before := len(g.texts)
	a := f.def.Args
	positional := slices.Concat(a.PosOnlyArgs, a.Args)
	required := len(positional) - len(a.Defaults)
	// An answer may rename parameters. So only parameters that the program or a test
	// passes by keyword are passed so.
	given := len(positional)
	for given > required && g.rng.IntN(5) < 2 {
		given--
	}
	for i, p := range positional {
		if i == 0 && f.class != nil && !decoratedBy(f.def, "staticmethod") {
			continue
		}
		switch named := f.named[p.Arg] && i >= len(a.PosOnlyArgs); {
		case i < given:
			list = append(list, g.value(f.params[p.Arg], depth+1))
		case named && g.rng.IntN(2) == 0:
			list = append(list, p.Arg+"="+g.value(f.params[p.Arg], depth+1))
		}
	}
	if a.VarArg != nil && given == len(positional) {
		n := g.count(nil)
		if last := len(g.texts) - 1; last >= before && strings.Contains(g.texts[last].text, "%") && g.rng.IntN(8) > 0 {
			n = strings.Count(g.texts[last].text, "%") // an argument for each % of the format
		}
		for range n {
			list = append(list, g.value(f.params[a.VarArg.Arg].items(), depth+1))
		}
	}
	for i, p := range a.KwOnlyArgs {
		if a.KwDefaults[i] == nil || g.rng.IntN(2) == 0 {
			list = append(list, p.Arg+"="+g.value(f.params[p.Arg], depth+1))
		}
	}
	if a.KwArg != nil {
		list = append(list, g.keywords(f, f.params[a.KwArg.Arg], depth)...)
	}
	return callee + "(" + strings.Join(list, ", ") + ")"
}

// keywords returns arguments for **kwargs: names that the program reads from them, as in
// kwargs.get("width"), and others.
func (g *generator) keywords(f *function, kwargs *facts, depth int) (list []string) {
	known := map[string]*facts{}
	for _, v := range kwargs.keys().root().values {
		known[v.text] = kwargs.items()
	}
	for key, value := range kwargs.root().entries {
		known[strings.Trim(key, "'")] = value
	}
	for _, name := range sortedKeys(known) {
		if isName(name) && f.params[name] == nil && g.rng.IntN(3) > 0 {
			list = append(list, name+"="+g.value(known[name], depth+1))
		}
	}
	for _, name := range []string{"alpha", "beta"}[:g.rng.IntN(3)] {
		if known[name] == nil { // else it may be there, and no call names an argument twice
			list = append(list, name+"="+g.value(kwargs.items(), depth+1))
		}
	}
	return list
}

// isName reports whether a text is an identifier, and no keyword.
func isName(text string) bool {
	e, ok := expression(text)
	name, is := e.(*ast.Name)
	return ok && is && name.ID == text
}

// sequence returns an object of a class, and some calls of its methods as items of a
// list.
func (g *generator) sequence(c *class) (receiver string, uses []string) {
	receiver = g.instance(c, 0)
	names := c.callable()
	if len(names) == 0 {
		return receiver, nil
	}
	return receiver, g.several(7, func() string { return g.step(c, names[g.rng.IntN(len(names))]) })
}

// several draws up to n uses of an object, each at most twice. The second use shows what
// the others between them changed.
func (g *generator) several(n int, draw func() string) (uses []string) {
	drawn := map[string]int{}
	for range 1 + g.rng.IntN(n) {
		if use := draw(); drawn[use] < 2 && (len(uses) == 0 || uses[len(uses)-1] != use) {
			drawn[use]++
			uses = append(uses, use)
		}
	}
	return uses
}

// used returns a call of a function, and uses of its result as items of a list: calls of
// it, of an object's methods, or of a tuple's items. The list is empty if the result has
// no such use.
func (g *generator) used(path string, f *function) (receiver string, list []string) {
	receiver = g.call(path, f, 0)
	r := f.result.root()
	if f.wrapped != nil {
		r, receiver = f.wrapped.root(), path
	}
	var uses []func() string
	add := func(name string, r *facts, f *function) {
		if f == nil {
			f = r.called
		}
		switch {
		case f != nil:
			uses = append(uses, func() string { return g.call(name, f, 1) })
			if made := f.result.root().called; made != nil { // retried(3)(f)(1)
				uses = append(uses, func() string { return g.call(g.call(name, f, 1), made, 1) })
			}
		case r.votes[callKind] > 0 && r.best() == callKind:
			uses = append(uses, func() string {
				var arguments []string
				for _, p := range r.params {
					arguments = append(arguments, g.value(p, 1))
				}
				return name + "(" + strings.Join(arguments, ", ") + ")"
			})
		}
		if (f != nil || r.votes[callKind] > 0) && g.wraps {
			uses = append(uses, func() string { return name + ".__name__" })
		}
		for _, attr := range sortedKeys(r.attrs) {
			if r.votes[callKind] > 0 {
				uses = append(uses, func() string { return name + "." + attr })
			}
		}
	}
	switch {
	case decoratedBy(f.def, "contextmanager"):
		// The with statement's value may change again at its end, so sometimes a copy is
		// shown.
		return receiver, []string{g.one("receiver.__enter__()", "__import__('copy').copy(receiver.__enter__())"), "receiver.__exit__(" + g.ends() + ")"}
	case f.yields && !f.async:
		return receiver, g.resumed(f)
	case f.async:
		return "", nil
	case f.wrapped != nil:
		add("receiver", r, f)
	case len(r.classes) > 0:
		for _, name := range r.classes[0].callable() {
			uses = append(uses, func() string { return g.step(r.classes[0], name) })
		}
	default:
		add("receiver", r, nil)
		for i, field := range r.fields {
			add(fmt.Sprintf("receiver[%d]", i), field.root(), nil)
		}
		if r.item != nil && r.best() == listKind && r.item.root().votes[callKind] > 0 {
			for i := range 3 {
				add(fmt.Sprintf("receiver[%d]", i), r.item.root(), nil)
			}
		}
	}
	if len(uses) == 0 {
		return "", nil
	}
	return receiver, g.several(6, func() string { return uses[g.rng.IntN(len(uses))]() })
}

// resumed returns uses of a generator that a call of f returns, beyond iteration: read
// its return value, send values to it, close it, throw an exception into it.
func (g *generator) resumed(f *function) []string {
	returns, receives, guards, raises := false, false, false, false
	for _, s := range f.def.Body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FunctionDef, *ast.Lambda, *ast.ClassDef, *ast.AsyncFunctionDef:
				return false
			case *ast.Return:
				returns = returns || n.Value != nil
			case *ast.Assign:
				receives = receives || n.Value.Kind() == ast.KindYield
			case *ast.NamedExpr:
				receives = receives || n.Value.Kind() == ast.KindYield
			case *ast.AugAssign:
				receives = receives || n.Value.Kind() == ast.KindYield
			case *ast.Try, *ast.With:
				guards = true
			case *ast.Raise:
				raises = true
			}
			return true
		})
	}
	var ways [][]string
	if returns {
		ways = append(ways, []string{"list(__import__('itertools').islice((lambda inner: (yield (yield from inner)))(receiver), 40))"})
	}
	if raises { // with its text
		ways = append(ways, []string{"list(__import__('itertools').islice(receiver, 40))"})
	}
	if receives {
		list := []string{"next(receiver)"}
		for range 1 + g.rng.IntN(4) {
			list = append(list, "receiver.send("+g.value(&facts{}, 1)+")")
		}
		ways = append(ways, list)
	}
	if guards {
		of := "ValueError"
		if len(g.caught) > 0 {
			of = g.one(g.caught...)
		}
		ways = append(ways, []string{"next(receiver)", "receiver.close()"}, []string{"next(receiver)", "receiver.throw(" + of + "('no'))"})
	}
	if len(ways) == 0 {
		return nil
	}
	return ways[g.rng.IntN(len(ways))]
}

// callable returns the methods, of a class and its bases, that sequences call.
func (c *class) callable() []string {
	found := map[string]bool{}
	var look func(c *class)
	look = func(c *class) {
		for name := range c.methods {
			switch name {
			case "__init__", "__new__", "__del__", "__init_subclass__", "__class_getitem__", "__post_init__", "__set_name__", "__getattribute__", "__await__", "__aenter__", "__aexit__", "__aiter__", "__anext__":
			default:
				found[name] = true
			}
		}
		for _, base := range c.bases {
			look(base)
		}
	}
	look(c)
	if decoratedBy(&ast.FunctionDef{DecoratorList: c.def.DecoratorList}, "total_ordering") {
		for _, name := range []string{"__lt__", "__le__", "__gt__", "__ge__"} {
			found[name] = true
		}
	}
	return sortedKeys(found)
}

// attribute reports whether a method is read like an attribute, not called.
func (f *function) attribute() bool {
	return slices.ContainsFunc(f.def.DecoratorList, func(e ast.Expr) bool {
		switch name := lastName(e); name {
		case "property", "cached_property", "setter", "getter", "deleter":
			return true
		}
		return false
	})
}

// step returns an expression that uses a method of the receiver.
func (g *generator) step(c *class, name string) string {
	f := c.method(name)
	if f == nil { // made by total_ordering
		return "receiver." + name + "(" + g.instance(c, 1) + ")"
	}
	if len(f.list()) == 0 && f.attribute() {
		if set := c.setters[name]; set != nil && len(set.list()) == 1 && g.rng.IntN(2) == 0 {
			return "setattr(receiver, " + quoted(name) + ", " + g.value(set.list()[0], 1) + ")"
		}
		if c.deletes[name] && g.rng.IntN(4) == 0 {
			return "delattr(receiver, " + quoted(name) + ")"
		}
		return "receiver." + name
	}
	switch name {
	case "__hash__":
		return "hash(receiver) == hash(" + g.instance(c, 1) + ")"
	case "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__sub__", "__mul__", "__truediv__", "__and__", "__or__", "__xor__":
		other := g.instance(c, 1)
		if list := f.list(); len(list) > 0 {
			r := list[0].root()
			if number := max(r.votes[intKind], r.votes[floatKind]) >= sure; number && g.rng.IntN(4) > 0 || g.rng.IntN(3) == 0 {
				other = g.value(r, 1)
			}
		}
		return "receiver." + name + "(" + other + ")"
	case "__exit__":
		return "receiver.__exit__(" + g.ends() + ")"
	case "__str__", "__repr__", "__len__", "__bool__", "__iter__":
		return map[string]string{"__str__": "str", "__repr__": "repr", "__len__": "len", "__bool__": "bool", "__iter__": "list"}[name] + "(receiver)"
	}
	text := g.call("receiver."+name, f, 1)
	if decoratedBy(f.def, "contextmanager") {
		var inside string
		if names := c.callable(); g.inside < 1 {
			g.inside++
			inside = g.step(c, names[g.rng.IntN(len(names))]) + ", "
			g.inside--
		}
		return "(lambda manager, receiver: [manager.__enter__(), " + inside + "manager.__exit__(" + g.ends() + ")])(" + text + ", receiver)"
	}
	if f.async {
		text = "__import__('asyncio').run(" + text + ")"
	}
	return text
}

// ends returns arguments for __exit__, for a normal end or an exception.
func (g *generator) ends() string {
	if g.rng.IntN(2) == 0 {
		return "None, None, None"
	}
	of := "KeyError"
	if len(g.caught) > 0 {
		of = g.one(g.caught...)
	}
	return of + ", " + of + "('no'), None"
}

// paths returns the names of the functions and classes for which calls are drawn.
func (g *generator) paths() []string {
	list := sortedKeys(g.functions)
	for _, c := range g.order {
		list = append(list, c.def.Name)
	}
	return list
}

// weight returns the share of draws for a path. A class has more than a function, as each
// method should be called before and after the others.
func (g *generator) weight(path string) int {
	if c := g.classes[path]; c != nil && g.functions[path] == nil {
		return 1 + len(c.callable())
	}
	return 2
}

// weights is the sum of the weights of all paths.
func (g *generator) weights() (sum int) {
	for _, path := range g.paths() {
		sum += g.weight(path)
	}
	return sum
}

// grow returns a sequence of method calls that ended well, with more calls added. It
// returns nil if p is no such sequence.
func (g *generator) grow(p *probe) *probe {
	c := g.classes[p.callee]
	if c == nil || len(p.parts) != 1 || p.parts[0].receiver == nil {
		return nil
	}
	names := c.callable()
	calls := p.parts[0].code.String()
	if len(names) == 0 || len(calls) < 2 || len(calls) > maxSequence {
		return nil
	}
	g.start()
	for i := range p.parts[0].code.holes {
		g.remember(&p.parts[0].code.holes[i].value, 0)
	}
	calls = strings.TrimSuffix(calls, "]")
	for range 1 + g.rng.IntN(3) {
		if calls != "[" {
			calls += ", "
		}
		calls += g.step(c, names[g.rng.IntN(len(names))])
	}
	list, ok := g.expression(calls + "]")
	if !ok {
		return nil
	}
	return &probe{callee: p.callee, derives: p.derives, parts: []part{{code: newCode(calls+"]", list), receiver: p.parts[0].receiver}}}
}

// maxSequence bounds the length of the text of a sequence that may grow.
const maxSequence = 600

// start forgets the values of the last probe.
func (g *generator) start() {
	g.left, g.nested, g.derives = maxDrawn, false, false
	g.texts, g.ints, g.days, g.lists = g.texts[:0], g.ints[:0], g.days[:0], [kinds][]string{}
}

// remember records a call's numbers and texts as if they had been drawn.
func (g *generator) remember(l *literal, depth int) {
	switch {
	case len(g.ints)+len(g.texts) > maxDrawn || depth > maxDepth:
	case l.kind == intLiteral:
		g.ints = append(g.ints, drawnInt{n: l.n})
	case l.kind == strLiteral:
		g.texts = append(g.texts, drawnText{text: l.text})
	case l.kind == otherCode:
		for i := range l.code.holes {
			g.remember(&l.code.holes[i].value, depth+1)
		}
	}
	for i := range l.items {
		g.remember(&l.items[i], depth+1)
	}
	for i := range l.keys {
		g.remember(&l.keys[i], depth+1)
	}
}

// draw returns a probe of a function or a class: a call, or an object and some calls of
// its methods. It returns nil if that failed.
func (g *generator) draw(path string) *probe {
	g.start()
	g.nested = len(g.ties[path]) > 0 // the length of a call's result is unknown
	probe := &probe{callee: path}
	f := g.functions[path]
	if f == nil {
		return probe.using(g.sequence(g.classes[path]))
	} else if g.rng.IntN(2) == 0 {
		if receiver, uses := g.used(path, f); len(uses) > 0 {
			return probe.using(receiver, uses)
		}
	}
	text := g.call(path, f, 0)
	if f.async {
		text = "__import__('asyncio').run(" + text + ")"
	}
	call, ok := g.expression(text)
	if !ok {
		return nil
	}
	if f.async {
		probe.parts = []part{{code: newCode(text, call)}}
	} else {
		probe.parts = []part{(&scriptBuilder{}).watched(text, call)}
	}
	return probe
}

// using makes the probe one of an object and its uses. It returns nil if these are not
// expressions.
func (p *probe) using(receiver string, uses []string) *probe {
	calls := "[" + strings.Join(uses, ", ") + "]"
	from, ok := expression(receiver)
	list, isList := expression(calls)
	if !ok || !isList {
		return nil
	}
	p.parts = []part{{code: newCode(calls, list), receiver: newCode(receiver, from)}}
	p.uses = uses
	return p
}

// shorter returns a probe with the first half of the uses, or nil if that is empty.
func (p *probe) shorter() *probe {
	if len(p.uses) < 2 {
		return nil
	}
	return (&probe{callee: p.callee, derives: p.derives}).using(p.parts[0].receiver.String(), p.uses[:len(p.uses)/2])
}

// expression parses an expression.
func expression(text string) (ast.Expr, bool) { return parsed(new(parser.Parser), text) }

// expression parses an expression. The tree is valid until the next one.
func (g *generator) expression(text string) (ast.Expr, bool) { return parsed(&g.parser, text) }

func parsed(p *parser.Parser, text string) (ast.Expr, bool) {
	tree, ok := p.ParseText(text, parser.Options{Target: source.Newest})
	if !ok || len(tree.Body) != 1 {
		return nil, false
	}
	e, is := tree.Body[0].(*ast.ExprStmt)
	if !is {
		return nil, false
	}
	return e.Value, true
}

// learnCall learns from the arguments of a known call.
func (g *generator) learnCall(p *probe) {
	call := p.last()
	if call == nil {
		return
	}
	f := g.functions[p.callee]
	if c := g.classes[p.callee]; c != nil {
		f = c.method("__init__")
	}
	if f == nil {
		return
	}
	list := f.list()
	for i := range call.arguments {
		a := &call.arguments[i]
		h := a.code.holes
		if len(h) != 1 || h[0].start != 0 || h[0].end != len(a.code.text) {
			continue
		}
		name, named := strings.CutSuffix(a.prefix, "=")
		switch {
		case named && f.params[name] != nil:
			f.named[name] = true
			g.learn(f.params[name], &h[0].value)
		case a.prefix == "" && i < len(list):
			g.learn(list[i], &h[0].value)
		case a.prefix == "" && f.def.Args.VarArg != nil:
			g.learn(f.params[f.def.Args.VarArg.Arg].items(), &h[0].value)
		}
	}
}
