package pyflakes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// A formatTest is an expression and the findings on its formats, a line each:
// code, blank, the message without what all messages on such formats begin with.
type formatTest struct{ text, want string }

// testFormats checks each test's expression for the codes from first to last.
func testFormats(t *testing.T, prefix string, first, last rule.Code, tests []formatTest) {
	t.Helper()
	var enabled rule.Set
	for code := first; code <= last; code++ {
		enabled.Add(code)
	}
	var c Checker
	for _, test := range tests {
		var file source.File
		if err := file.Load([]byte(test.text)); err != nil {
			t.Fatal(err)
		}
		module, err := parser.Parse(&file, parser.Options{})
		if err != nil {
			t.Errorf("not Python: %s", test.text)
			continue
		}
		var got []string
		for _, f := range c.Check(&file, module, Options{}, &enabled, nil) {
			message := f.Message()
			if !strings.HasPrefix(message, prefix) {
				t.Errorf("%s: message %q", test.text, message)
			}
			got = append(got, fmt.Sprint(f.Code, strings.TrimPrefix(message, prefix)))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s\n(-want +got)\n%s", test.text, diff)
		}
	}
}

func TestPercentFormat(t *testing.T) {
	testFormats(t, "'...' % ...", rule.F501, rule.F509, []formatTest{
		{`'%s' % spam`, ""},
		{`'%s %s' % spam`, ""},
		{`'%s' + (1, 2)`, ""},
		{`b'%s' % (1, 2)`, ""},
		{`f'%s' % (1, 2)`, ""},
		{`spam % (1, 2)`, ""},
		{`'100%%' % spam`, ""},

		// Formats that are cut off.
		{`'%' % spam`, "F501 has invalid format string: incomplete format"},
		{`'%s%' % (1,)`, "F501 has invalid format string: incomplete format"},
		{`'%y %-08.3l' % (1,)`, "F501 has invalid format string: incomplete format"},
		{`'%(spam)' % {}`, "F501 has invalid format string: incomplete format"},

		// Conversions.
		{`'%d %i %o %u %x %X %e %E %f %F %g %G %c %r %s %a' % spam`, ""},
		{`'%hd %ld %Ld' % spam`, ""},
		{`'%lld' % spam`, "F509 has unsupported format character 'l'"},
		{`'%y' % spam`, "F509 has unsupported format character 'y'"},
		{`'%y %Z' % (1, 2)`, "F509 has unsupported format character 'y'\nF509 has unsupported format character 'Z'"},
		{`"%'" % spam`, `F509 has unsupported format character "'"`},
		{`'%\n %é %\ud800s' % spam`, `F509 has unsupported format character '\n'` + "\n" +
			"F509 has unsupported format character 'é'\n" + `F509 has unsupported format character '\ud800'`},
		{`'%(a' % {'a': 1}`, "F509 has unsupported format character '('"},
		{`'%٣٤d %.٣f' % (1, 2)`, ""},

		// Counts.
		{`'%s' % (1,)`, ""},
		{`'%s %s' % (1,)`, "F507 has 2 placeholder(s) but 1 substitution(s)"},
		{`'%s %%' % [1, 2]`, "F507 has 1 placeholder(s) but 2 substitution(s)"},
		{`'%s %s' % (*spam,)`, ""},
		{`'%*d' % (1, 2)`, ""},
		{`'%*.*f' % (1, 2)`, "F507 has 3 placeholder(s) but 2 substitution(s)"},
		{`'%s %s' % {1, 2}`, ""},

		// Names.
		{`'%(a)s %(b)s' % {'a': 1, 'b': 2}`, ""},
		{`'%(a)s %(a)d' % {'a': 1}`, ""},
		{`'%()s' % {'': 1}`, ""},
		{`'%(a)%' % {}`, ""},
		{`'%(b)s %(a)s' % {}`, "F505 is missing argument(s) for placeholder(s): a, b"},
		{`'%(a)s' % {'c': 1, 'b': 2, 'c': 3}`, "F504 has unused named argument(s): b, c\nF505 is missing argument(s) for placeholder(s): a"},
		{`'%(b)s' % {'B': 1, 'é': 2, '😀': 3, '\uffff': 4}`, "F504 has unused named argument(s): B, é, \uffff, 😀\nF505 is missing argument(s) for placeholder(s): b"},
		{`'%(a)s' % {'b': 1, **spam}`, ""},
		{`'%(a)s' % {b: 1}`, ""},
		{`'%(a)s' % {b'a': 1}`, ""},
		{`'spam' % {'a': 1}`, "F504 has unused named argument(s): a"},

		// One in the place of the other.
		{`'%(a)s' % (1,)`, "F502 expected mapping but got sequence"},
		{`'spam' % ()`, "F502 expected mapping but got sequence"},
		{`'%(a)s' % [1]`, "F502 expected mapping but got sequence"},
		{`'%(a)s' % (*spam,)`, ""},
		{`'%s' % {'a': 1}`, ""},
		{`'%s %s' % {'a': 1}`, "F503 expected sequence but got mapping"},
		{`'%s %s' % {**spam}`, ""},
		{`'%(a)s %s' % spam`, "F506 has mixed positional and named placeholders"},
		{`'%s %(a)s' % (1,)`, "F506 has mixed positional and named placeholders"},
		{`'%s %(a)y' % (1,)`, "F509 has unsupported format character 'y'\nF506 has mixed positional and named placeholders"},
		{`'%(a)*d' % {'a': 1}`, "F508 `*` specifier requires sequence"},
		{`'%(a)*.*d' % {'a': 1}`, "F508 `*` specifier requires sequence\nF508 `*` specifier requires sequence"},
		{`'%(a)s %*d' % {'a': 1}`, "F508 `*` specifier requires sequence\nF506 has mixed positional and named placeholders"},
	})
}
