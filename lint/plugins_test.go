package lint

import (
	"testing"

	"codelinter/rule"
)

func named(t *testing.T, text string) rule.Code {
	code, ok := rule.Named(text)
	if !ok {
		t.Fatal(text)
	}
	return code
}

// Findings of plugins are selected as flake8's own are.
func TestSelects(t *testing.T) {
	for _, test := range []struct {
		change   func(*Options)
		code     string
		selected bool
	}{
		{nil, "B006", false},
		{func(o *Options) { o.PluginSelect = []string{"B"} }, "B006", true},
		{func(o *Options) { o.PluginSelect, o.PluginIgnore = []string{"B"}, []string{"B0"} }, "B006", false},
		{func(o *Options) { o.PluginSelect, o.Ignore = []string{"B"}, []string{"E"} }, "B006", true},
		{func(o *Options) {
			o.PluginSelect, o.PluginIgnore, o.Ignore = []string{"B"}, []string{"B0"}, []string{"E"}
		}, "B006", true},
		{func(o *Options) {
			o.PluginSelect, o.PluginIgnore, o.ExtendSelect = []string{"B"}, []string{"B0"}, []string{"B00"}
		}, "B006", true},
		{func(o *Options) { o.PluginSelect, o.Select = []string{"B"}, []string{"E"} }, "B006", false},
		{func(o *Options) { o.PluginSelect, o.ExtendIgnore = []string{"B"}, []string{"B006"} }, "B006", false},
	} {
		if got := newLinter(t, test.change).Selects(named(t, test.code)); got != test.selected {
			t.Errorf("%+v: %v", newLinter(t, test.change).Options(), got)
		}
	}
}

// A "# noqa" silences a plugin's findings by the rules for flake8's own.
func TestSilences(t *testing.T) {
	const text = "x = 1  # noqa: B006,E5\n" + // 1
		"y = 2  # noqa\n" + // 2
		"z = '''  # noqa:B9\n" + // 3, 4
		"'''\n" +
		"f(\n" + // 5
		"    1,  # NoQA : B1\n" + // 6: blanket
		")\n" + // 7
		"# noqa: b006\n" + // 8
		"w = 3  # noqa:X1 B0\n" // 9
	linter := newLinter(t, nil)
	result := linter.Lint(Input{Data: []byte(text)})
	for _, test := range []struct {
		row  int32
		code string
		want bool
	}{
		{1, "B006", true}, {1, "B007", false}, {1, "E501", true}, {1, "B00", false}, {2, "ANY1", true}, {3, "B9", true}, {4, "B950", true}, {4, "B006", false},
		{5, "B1", false}, {6, "C1", true}, {7, "C1", false}, {8, "B006", false}, {9, "B006", true}, {9, "X100", true}, {0, "B006", false}, {10, "B006", false}, {-1, "X", false},
	} {
		if got := result.Silences(test.row, named(t, test.code)); got != test.want {
			t.Errorf("row %d, %s: %v", test.row, test.code, got)
		}
	}
	loud := newLinter(t, func(o *Options) { o.DisableNoqa = true })
	if result := loud.Lint(Input{Data: []byte(text)}); result.Silences(2, named(t, "B006")) {
		t.Error("with DisableNoqa")
	}
}

// Plugins check what is Python and not exempt.
func TestRunsPlugins(t *testing.T) {
	linter := newLinter(t, func(o *Options) { o.Select = []string{"B"} })
	for text, want := range map[string]bool{"x = 1\n": true, "": true, "x = \n": false, "# flake8: noqa\nx = 1\n": false, "x = 1 \n": true, "(\n": false} {
		result := linter.Lint(Input{Data: []byte(text), CodesOnly: true})
		if got := result.RunsPlugins(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
