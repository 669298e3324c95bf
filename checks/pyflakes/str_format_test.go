package pyflakes

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"codelinter/internal/python/pytext"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

func TestStrFormat(t *testing.T) {
	testFormats(t, "'...'.format(...)", rule.F521, rule.F525, []formatTest{
		{`'{} {}'.format(1, 2)`, ""},
		{`'{1} {0} {1}'.format(1, 2)`, ""},
		{`'{a} {b}'.format(a=1, b=2)`, ""},
		{`'{}'.join(1, 2)`, ""},
		{`b'{'.format(1, 2)`, ""},
		{`f'{spam}'.format(1, 2)`, ""},
		{`spam.format(1, 2)`, ""},
		{`format('{', 1)`, ""},

		// Formats that Python cannot read.
		{`'{'.format(1)`, "F521 has invalid format string: Single '{' encountered in format string"},
		{`'}'.format(1)`, "F521 has invalid format string: Single '}' encountered in format string"},
		{`'{}}'.format(1)`, "F521 has invalid format string: Single '}' encountered in format string"},
		{`'} '.format(1)`, "F521 has invalid format string: Single '}' encountered in format string"},
		{`'{{}'.format(1)`, "F521 has invalid format string: Single '}' encountered in format string"},
		{`'{spam'.format(1)`, "F521 has invalid format string: expected '}' before end of string"},
		{`'{spam['.format(1)`, "F521 has invalid format string: expected '}' before end of string"},
		{`'{spam[}'.format(1)`, "F521 has invalid format string: expected '}' before end of string"},
		{`'{a{b}}'.format(1)`, "F521 has invalid format string: unexpected '{' in field name"},
		{`'{a!'.format(1)`, "F521 has invalid format string: end of string while looking for conversion specifier"},
		{`'{a!r'.format(1)`, "F521 has invalid format string: unmatched '{' in format spec"},
		{`'{a!rs}'.format(1)`, "F521 has invalid format string: expected ':' after conversion specifier"},
		{`'{a:{b}'.format(1)`, "F521 has invalid format string: unmatched '{' in format spec"},
		{`'{:{:{}}}'.format(1, 2, 3)`, "F521 has invalid format string: Max string recursion exceeded"},
		{`'{:{a!}}'.format(1, a=2)`, "F521 has invalid format string: unmatched '{' in format spec"},
		{`'{!é} {!\ud800}'.format(1, 2)`, ""},

		// Braces that are none.
		{`'{{ }} {}'.format(1)`, ""},
		{`'{0[{]} {0[}]}'.format(1)`, ""},
		{`'{0[a]b]} {0.a.b[c].d}'.format(1)`, ""},
		{`'{a!r:>{width}.{precision}}'.format(a=1, width=2, precision=3)`, ""},
		{`'{:{}} {:{}}'.format(1, 2, 3, 4)`, ""},

		// Numbers.
		{`'{}'.format()`, "F524 is missing argument(s) for placeholder(s): 0"},
		{`'{} {} {}'.format(1)`, "F524 is missing argument(s) for placeholder(s): 1, 2"},
		{`'{0} {11} {2}'.format(1)`, "F524 is missing argument(s) for placeholder(s): 11, 2"},
		{`'{.a} {[b]}'.format(1)`, "F524 is missing argument(s) for placeholder(s): 1"},
		{`'{}'.format(1, 2, 3)`, "F523 has unused arguments at position(s): 1, 2"},
		{`'{1}'.format(1, 2, 3)`, "F523 has unused arguments at position(s): 0, 2"},
		{`'spam'.format(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)`, "F523 has unused arguments at position(s): 0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9"},
		{`'{11} {9}'.format(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)`, "F523 has unused arguments at position(s): 0, 1, 10, 2, 3, 4, 5, 6, 7, 8"},
		{`'{} {0}'.format(1)`, "F525 mixes automatic and manual numbering"},
		{`'{0} {}'.format(1)`, "F525 mixes automatic and manual numbering"},
		{`'{0:{}}'.format(1)`, "F525 mixes automatic and manual numbering"},
		{`'{a} {}'.format(1, a=2)`, ""},

		// What int takes for a number.
		{`'{ 0 } {+1} {0_2} {٣} {00004}'.format(0, 1, 2, 3, 4)`, ""},
		{`'{-0} {-1}'.format(0)`, "F524 is missing argument(s) for placeholder(s): -1"},
		{`'{0_} {_0} {0__0} {- 1} {\x1f0} { }'.format()`, "F524 is missing argument(s) for placeholder(s): \x1f0,  , - 1, 0_, 0__0, _0"},
		{`'{\u00a00\u2003} {00}'.format(1)`, ""},
		{`'{99999999999999999999}'.format(1)`, "F523 has unused arguments at position(s): 0\nF524 is missing argument(s) for placeholder(s): 99999999999999999999"},

		// Names.
		{`'{a}'.format(b=1)`, "F522 has unused named argument(s): b\nF524 is missing argument(s) for placeholder(s): a"},
		{`'{a.b} {c[d]}'.format(a=1, c=2)`, ""},
		{`''.format(b=1, a=2, b=3)`, "F522 has unused named argument(s): a, b"},
		{`'{b} {a} {b} {0}'.format()`, "F524 is missing argument(s) for placeholder(s): 0, a, b"},
		{`'{a}'.format(1, b=2)`, "F523 has unused arguments at position(s): 0\nF522 has unused named argument(s): b\nF524 is missing argument(s) for placeholder(s): a"},

		// Arguments that cannot be seen.
		{`'{} {a}'.format(*spam)`, ""},
		{`'{} {a}'.format(1, 2, **spam)`, ""},
		{`'{'.format(*spam)`, "F521 has invalid format string: Single '{' encountered in format string"},
		{`'{} {0}'.format(**spam)`, "F525 mixes automatic and manual numbering"},
	})
}

// Python's int refuses more than 4300 digits, so that they are a name.
func TestLongNumbers(t *testing.T) {
	zeros := strings.Repeat("0", pytext.MaxIntDigits)
	testFormats(t, "'...'.format(...)", rule.F521, rule.F525, []formatTest{
		{"'{" + zeros + "}'.format(1)", ""},
		{"'{-" + zeros + "}'.format(1)", ""},
		{"'{" + zeros + "0}'.format()", "F524 is missing argument(s) for placeholder(s): " + zeros + "0"},
	})
}

// numbersAsText counts every number once, in the order of the texts.
func TestNumbersAsText(t *testing.T) {
	for n := range 1200 {
		var got, want []string
		for number := range numbersAsText(n) {
			got = append(got, strconv.Itoa(number))
		}
		for number := range n {
			want = append(want, strconv.Itoa(number))
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("below %d: %v", n, got)
		}
	}
}

// Once its memory has grown, a checker needs no more for formats.
func TestFormatsAllocateNothing(t *testing.T) {
	var file source.File
	if err := file.Load([]byte(`
'%(a)s %(b)*y' % {'c': 1, 'd': 2}
'%s %.*f %%' % (1,)
'%s %(a)s' % spam
'{} {:{}} {a.b[c]}'.format(1, 2, 3, 4, a=5, b=6)
'{ 7 } {+10} {a}'.format(1, 2, 3)
'{!r:{'.format(1)
`)); err != nil {
		t.Fatal(err)
	}
	module, err := parser.Parse(&file, parser.Options{})
	if err != nil {
		t.Fatal("not Python")
	}
	var enabled rule.Set
	for code := rule.F501; code <= rule.F525; code++ {
		enabled.Add(code)
	}
	var c Checker
	var findings []rule.Finding
	run := func() { findings = c.Check(&file, module, Options{}, &enabled, findings[:0]) }
	if allocations := testing.AllocsPerRun(10, run); allocations > 0 {
		t.Errorf("%v allocations a run", allocations)
	}
	if len(findings) != 11 {
		t.Errorf("%d findings, want 11: %v", len(findings), findings)
	}
}

// A list of names that takes more memory than a page of texts is reported whole.
func TestLongList(t *testing.T) {
	var names []string
	for i := range 3 * arenaPage / len("argument, ") {
		names = append(names, "spam"+strconv.Itoa(100000+i))
	}
	testFormats(t, "'...'.format(...)", rule.F521, rule.F525, []formatTest{
		{"'{}'.format(1, " + strings.Join(names, "=1, ") + "=1)", "F522 has unused named argument(s): " + strings.Join(names, ", ")},
	})
}
