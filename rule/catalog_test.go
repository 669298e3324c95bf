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
	for i := range catalog {
		r := &catalog[i]
		if !code.MatchString(r.Code) {
			t.Errorf("entry %d: %q is not a code", i, r.Code)
			continue
		}
		if i > 0 && compare(catalog[i-1].Code, r.Code) >= 0 {
			t.Errorf("%s stands after %s", r.Code, catalog[i-1].Code)
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
		if r.Kind.String() == "" || r.Tool.String() == "" {
			t.Errorf("%s: no kind or no linter", r.Code)
		}
	}
}

// Names say what is flagged, so they never forbid it themselves.
func TestNamesReadAfterAllow(t *testing.T) {
	for i := range catalog {
		for _, cure := range []string{"no", "do-not", "avoid", "disallow", "use", "expected"} {
			if strings.HasPrefix(catalog[i].Name, cure+"-") {
				t.Errorf("%s: %q names the cure", catalog[i].Code, catalog[i].Name)
			}
		}
	}
}

// A rendered message has no placeholder left, and every template that has one
// is documented in words.
func TestTemplatesRender(t *testing.T) {
	for i := range catalog {
		r := &catalog[i]
		f := Finding{Code: Code(i), values: Values{A: 86, B: 79, Text: "spam"}}
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
		{Finding{Code: E111, values: Values{A: 2}}, "indentation is not a multiple of 2"},
		{Finding{Code: E231, values: Values{Text: ","}}, "missing whitespace after ','"},
		{Finding{Code: E501, values: Values{A: 86, B: 79}}, "line too long (86 > 79 characters)"},
		{Finding{Code: E711, values: Values{Text: "None should be 'if cond is None:'"}}, "comparison to None should be 'if cond is None:'"},
		{Finding{Code: W605, values: Values{Text: "d"}}, `invalid escape sequence '\d'`},
		{Finding{Code: W605, values: Values{Text: "{a}"}}, `invalid escape sequence '\{a}'`},
		{Finding{Code: F541}, "f-string is missing placeholders"},
	} {
		if got := test.finding.Message(); got != test.want {
			t.Errorf("%s: %q, want %q", test.finding.Code, got, test.want)
		}
	}
}

// A clone says the same when the text that it shared is another.
func TestClone(t *testing.T) {
	shared := &SharedText{"spam."}
	finding := Finding{Code: F401, values: Values{Text: "eggs", Shared: shared}}
	const want = "'spam.eggs' imported but unused"
	if length := finding.Length(); length != len("spam.eggs") {
		t.Errorf("%d bytes", length)
	}
	clone := finding.Clone()
	shared.Text = "ham."
	if got := clone.Message(); got != want {
		t.Errorf("the clone has %q, want %q", got, want)
	}
}
