package main

import "testing"

func TestDiffName(t *testing.T) {
	for name, want := range map[string]string{
		"a.py":          "a.py",
		"a b.py":        "a b.py\t",
		"ä.py":          "ä.py",
		"a\nb.py":       `"a\nb.py"`,
		"a \"\\\x01.py": "\"a \\\"\\\\\\001.py\"\t",
	} {
		if got := diffName(name); got != want {
			t.Errorf("%q became %q, expected %q", name, got, want)
		}
	}
}
