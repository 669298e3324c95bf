package lint

import (
	"strings"
	"testing"

	"codelinter/rule"
)

// What flake8's DecisionEngine answers, asked for each row.
func TestSelection(t *testing.T) {
	list := func(text string) []string {
		switch text {
		case "default":
			return nil
		case "empty":
			return []string{}
		}
		return strings.Fields(text)
	}
	for _, test := range []struct {
		selects, ignores, extendSelect, extendIgnore string
		on, off                                      string
	}{
		{"default", "default", "", "", "E501 F401 C901 W605 E902 E999", "E121 E123 E126 E226 E241 E242 E704 W503 W504"},
		{"default", "empty", "", "", "E501 E121 E226 W503 C901", ""},
		{"empty", "default", "", "", "", "E501 F401 C901 E902"},
		{"E", "default", "", "", "E501 E226 E241 E704", "W291 F401 C901"}, // explicit beats the default ignore list
		{"E226", "default", "", "", "E226", "E225 W291"},
		{"E,W", "default", "", "", "", "E501 W291"},           // a prefix that no code has
		{"e501", "default", "", "", "", "E501"},               // case counts
		{"E50111", "default", "", "", "", "E501"},             // too long to be a prefix
		{"E E501", "E50", "", "", "E501 E101", "E502"},        // the longer prefix wins
		{"E50", "E501", "", "", "E502", "E501"},               //
		{"E501", "E501", "", "", "", "E501"},                  // a tie is ignored
		{"default", "E", "", "", "W291 F401", "E501 E902"},    //
		{"default", "default", "E2", "", "E226 E241", "E121"}, //
		{"default", "default", "W50", "", "W503 W504 W505", "E121"},
		{"default", "default", "", "F", "E501 W291", "F401 W503"},
		{"default", "default", "F401", "F", "F401", "F811"},
		{"default", "default", "F", "F401", "F811", "F401"},
		{"default", "default", "F401", "F401", "", "F401"},
		{"E", "default", "W2", "E1", "E226 W291", "E101 W605"},
		{"default", "E1", "", "E2", "E501 W503", "E101 E226"},
		{"C", "default", "", "", "C901", "E501"},
		{"C9011", "default", "", "", "", "C901"},
	} {
		o := Options{
			Select: list(test.selects), Ignore: list(test.ignores),
			ExtendSelect: list(test.extendSelect), ExtendIgnore: list(test.extendIgnore),
		}
		set := selected(&o)
		for _, want := range []struct {
			codes string
			on    bool
		}{{test.on, true}, {test.off, false}} {
			for _, name := range strings.Fields(want.codes) {
				code, ok := rule.Find(name)
				if !ok {
					t.Fatalf("no code %s", name)
				}
				if set.Has(code) != want.on {
					t.Errorf("select %s, ignore %s, extended by %q and %q: %s is %v",
						test.selects, test.ignores, test.extendSelect, test.extendIgnore, name, !want.on)
				}
			}
		}
	}
}

// The catalogue's defaults are those of the decision, except for rules that
// stay silent until an option of their own speaks.
func TestCatalogDefaults(t *testing.T) {
	o := DefaultOptions()
	set := selected(&o)
	for i := range rule.Codes() {
		r := i.Rule()
		if r.Default && set.Has(i) != o.Release.Has(i) {
			t.Errorf("%s is on in the catalogue: selected %v, known to the release %v", r.Code, set.Has(i), o.Release.Has(i))
		}
		if !r.Default && r.Option == "" && set.Has(rule.Code(i)) {
			t.Errorf("%s is off in the catalogue and selected", r.Code)
		}
	}
}
