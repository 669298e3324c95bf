package lint

import "testing"

// The zero Options lint as flake8 does, and zero numbers are meant in DefaultOptions.
func TestZeroOptions(t *testing.T) {
	text := []byte("def f(a):\n   if a:\n      return 1\n" + "x = '" + "a" + "'\n")
	lint := func(o Options) string {
		l, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		var codes string
		for _, f := range l.Lint(Input{Data: text}).Findings {
			codes += f.Code.String() + " "
		}
		again, err := New(l.Options())
		if err != nil || len(again.Lint(Input{Data: text}).Findings) != len(l.Lint(Input{Data: text}).Findings) {
			t.Errorf("a Linter's own options lint otherwise (%v)", err)
		}
		return codes
	}
	zero, standard := lint(Options{}), lint(DefaultOptions())
	if zero != standard || zero == "" {
		t.Errorf("zero: %q, flake8's defaults: %q", zero, standard)
	}
	o := DefaultOptions()
	o.Select = []string{"C901", "E501"}
	o.MaxComplexity, o.MaxLineLength = 0, 0
	if got := lint(o); got != "C901 E501 E501 E501 E501 " {
		t.Errorf("complexity and length 0: %q", got)
	}
	o = Options{Select: []string{"C901", "E501"}}
	if got := lint(o); got != "" {
		t.Errorf("zero but for Select: %q", got)
	}
}
