package fix

import (
	"strings"
	"testing"

	"codelinter/internal/testenv/bench"
	"codelinter/lint"
)

func TestMain(m *testing.M) { bench.Main(m) }

// A text takes time linear in its length, whatever findings it has and whether they can be
// mended.
func TestGrowth(t *testing.T) {
	for name, unit := range map[string]string{
		"blanks":      "x=f( a,b )\n",
		"refused":     "x = f(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,b)\n",
		"indentation": "if x:\n  y=1\n",
		"rows":        "x = f(a,\n   b)\n",
		"long":        "x = call(argument, argument, argument, argument, argument, argument, argument, argument)\n",
		"blank rows":  "def f():\n    return 1\n",
		"meaning":     "if x == None:\n    y()\n",
		"imports":     "import aa\n",
		"statements":  "x=1;",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixer(t, lint.DefaultOptions())
			bench.Linear(t, 1<<14, func(n int) func() {
				text := []byte(strings.Repeat(unit, n/len(unit)) + "\n")
				return func() { f.Fix(text) }
			})
		})
	}
}
