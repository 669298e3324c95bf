package rule

import (
	"regexp"
	"strings"
	"testing"
)

// Every code of the catalogue is unique, in order, and described in full.
func TestCatalog(t *testing.T) {
	code := regexp.MustCompile(`^[EWFC][0-9]{3}$`)
	name := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
	option := regexp.MustCompile(`^(--[a-z]+(-[a-z]+)*)?$`)
	names := map[string]string{}
	for i := range Catalog {
		r := &Catalog[i]
		if !code.MatchString(r.Code) {
			t.Errorf("entry %d: %q is not a code", i, r.Code)
			continue
		}
		if i > 0 && compare(Catalog[i-1].Code, r.Code) >= 0 {
			t.Errorf("%s stands after %s", r.Code, Catalog[i-1].Code)
		}
		if Code(i).String() != r.Code {
			t.Errorf("%s is printed as %s", r.Code, Code(i))
		}
		if other := names[r.Name]; other != "" {
			t.Errorf("%s and %s share the name %s", other, r.Code, r.Name)
		}
		names[r.Name] = r.Code
		if !name.MatchString(r.Name) {
			t.Errorf("%s: the name %q is not words joined by hyphens", r.Code, r.Name)
		}
		if !option.MatchString(r.Option) {
			t.Errorf("%s: %q is not an option", r.Code, r.Option)
		}
		if r.Option != "" && r.Default {
			t.Errorf("%s needs %s and cannot be on by default", r.Code, r.Option)
		}
		if r.Kind.String() == "" || r.Linter.String() == "" {
			t.Errorf("%s: no kind or no linter", r.Code)
		}
	}
}

// Names say what is flagged, so they never forbid it themselves.
func TestNamesReadAfterAllow(t *testing.T) {
	for i := range Catalog {
		for _, cure := range []string{"no", "do-not", "avoid", "disallow", "use", "expected"} {
			if strings.HasPrefix(Catalog[i].Name, cure+"-") {
				t.Errorf("%s: %q names the cure", Catalog[i].Code, Catalog[i].Name)
			}
		}
	}
}

// A rendered message has no placeholder left, and every template that has one
// is documented in words.
func TestTemplatesRender(t *testing.T) {
	for i := range Catalog {
		r := &Catalog[i]
		f := Finding{Code: Code(i), A: 86, B: 79, Text: "spam"}
		message := f.Message()
		if message == "" || strings.ContainsAny(message, "{}") {
			t.Errorf("%s renders as %q", r.Code, message)
		}
		if varies := message != r.Template; varies != (r.Shape != "") {
			t.Errorf("%s: template %q, shape %q", r.Code, r.Template, r.Shape)
		}
		if strings.Contains(r.Message(), "{a}") || strings.Contains(r.Message(), "{text}") {
			t.Errorf("%s is documented as %q", r.Code, r.Message())
		}
	}
}

func TestMessages(t *testing.T) {
	for _, test := range []struct {
		finding Finding
		want    string
	}{
		{Finding{Code: E111, A: 2}, "indentation is not a multiple of 2"},
		{Finding{Code: E231, Text: ","}, "missing whitespace after ','"},
		{Finding{Code: E501, A: 86, B: 79}, "line too long (86 > 79 characters)"},
		{Finding{Code: E711, Text: "None should be 'if cond is None:'"}, "comparison to None should be 'if cond is None:'"},
		{Finding{Code: W605, Text: "d"}, `invalid escape sequence '\d'`},
		{Finding{Code: W605, Text: "{a}"}, `invalid escape sequence '\{a}'`},
		{Finding{Code: F541}, "f-string is missing placeholders"},
	} {
		if got := test.finding.Message(); got != test.want {
			t.Errorf("%s: %q, want %q", test.finding.Code, got, test.want)
		}
	}
}

// A clone says the same when what it shared is gone.
func TestShared(t *testing.T) {
	around := &Shared{Parts: []Part{{"b", 0}, {"d", 1}}}
	shared := &Shared{Parts: []Part{{"a", 2}, {"c", 0}, {"e", 1}}, Around: around}
	for _, test := range []struct {
		a, b int32
		want string
	}{
		{0, 0, ""}, {1, 0, "c"}, {2, 0, "c, e"}, {3, 0, "a, c, e"}, {0, 2, "b, d"}, {1, 1, "b, c"}, {3, 2, "a, b, c, d, e"},
	} {
		finding := Finding{Code: F405, Text: "'x'", Shared: shared, A: test.a, B: test.b}
		clone := finding.Clone()
		want := "'x' may be undefined, or defined from star imports: " + test.want
		if got := finding.Message(); got != want {
			t.Errorf("%d, %d: %q, want %q", test.a, test.b, got, want)
		}
		if length := finding.Length(); length < len("'x'"+test.want) || length > len("'x', "+test.want) {
			t.Errorf("%d, %d: %d bytes", test.a, test.b, length)
		}
		finding.Shared = nil
		if got := clone.Message(); got != want {
			t.Errorf("%d, %d: the clone has %q, want %q", test.a, test.b, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	for i := range Catalog {
		if code, ok := Find(Catalog[i].Code); !ok || code != Code(i) {
			t.Errorf("Find(%s) = %v, %v", Catalog[i].Code, code, ok)
		}
	}
	for _, text := range []string{"", "E", "E1", "E10", "E100", "E5011", "e501", "W601", "F999", "C90", "C902", "Z", "é"} {
		if code, ok := Find(text); ok {
			t.Errorf("Find(%q) = %v", text, code)
		}
	}
}

// A span holds exactly the codes that begin with its prefix.
func TestSpan(t *testing.T) {
	prefixes := []string{"", "A", "Z", "e", "E0", "E4", "W9", "F99", "C9", "C90", "E5011", "é"}
	for i := range Catalog {
		for n := 1; n <= len(Catalog[i].Code); n++ {
			prefixes = append(prefixes, Catalog[i].Code[:n])
		}
	}
	for _, prefix := range prefixes {
		first, end := Span(prefix)
		if first > end {
			t.Errorf("Span(%q) = %d, %d", prefix, first, end)
		}
		for i := range Catalog {
			in := first <= i && i < end
			if in != strings.HasPrefix(Catalog[i].Code, prefix) {
				t.Errorf("Span(%q) and %s: %v", prefix, Catalog[i].Code, in)
			}
		}
	}
}
