package pyflakes

import (
	"testing"

	"codelinter/rule"
)

// Each message lists the modules that had been imported when its name was found,
// and a clone of the finding does when the list is gone.
func TestStarModules(t *testing.T) {
	var around, own starModules
	for _, name := range []string{"d", "b"} {
		around.add(name)
	}
	for _, name := range []string{"c", "e", "a"} {
		own.add(name)
	}
	own.around = &around
	around.sort()
	own.sort()
	for _, test := range []struct {
		a, b int32
		want string
	}{
		{0, 0, ""}, {1, 0, "c"}, {2, 0, "c, e"}, {3, 0, "a, c, e"}, {0, 2, "b, d"}, {1, 1, "c, d"}, {3, 2, "a, b, c, d, e"},
	} {
		finding := rule.Finding{Code: rule.F405}.With(rule.Values{Text: "'x'", Shared: &own, A: test.a, B: test.b})
		clone := finding.Clone()
		want := "'x' may be undefined, or defined from star imports: " + test.want
		if got := finding.Message(); got != want {
			t.Errorf("%d, %d: %q, want %q", test.a, test.b, got, want)
		}
		if length := finding.Length(); length < len("'x'"+test.want) || length > len("'x', "+test.want) {
			t.Errorf("%d, %d: %d bytes", test.a, test.b, length)
		}
		finding = finding.Bare()
		if got := clone.Message(); got != want {
			t.Errorf("%d, %d: the clone has %q, want %q", test.a, test.b, got, want)
		}
	}
}
