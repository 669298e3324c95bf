package guard_test

import (
	"testing"

	"codelinter/internal/guard"
	"codelinter/lint"
)

// A program's own noqa comments may stay where they are, and nowhere else.
func TestOwnNoqa(t *testing.T) {
	const program = "import os, sys  # noqa: F401\nfrom re import (match,  # noqa\n                search)\nx=1\n" +
		"long = \"123456789 123456789 123456789 123456789 123456789 123456789 123456789\" + f(1, 2)  # noqa\n"
	for _, test := range []struct {
		name, answer string
		want         bool // it is refused
	}{
		{"in its place", "import os  # noqa: F401\nimport sys  # noqa: F401\nfrom re import (  # noqa\n    match,\n    search,\n)\nx = 1\n" +
			"long = '123456789 123456789 123456789 123456789 123456789 123456789 123456789' + f(1, 2)  # noqa\n", false},
		{"one less", "x = 1\nlong = '123456789 123456789 123456789 123456789 123456789 123456789 123456789' + f(1, 2)  # noqa\n", false},
		{"on another line", "x=1  # noqa\n", true},
		{"of another name", "import re  # noqa: F401\nx = 1\n", true},
		{"with more in it", "import os, sys, json  # noqa: F401\nx = 1\n", true},
		{"twice", "long = '123456789 123456789 123456789 123456789 123456789 123456789 123456789' + f(1, 2)  # noqa\n" +
			"long = '123456789 123456789 123456789 123456789 123456789 123456789 123456789' + f(1, 2)  # noqa\n", true},
		{"another long line", "x = 1\nlong = '123456789 123456789 123456789 123456789 123456789 123456789 123456789' + f(x, 2)  # noqa\n", true},
		{"for the whole file", "# flake8: noqa\nimport os\nx=1\n", true},
	} {
		var reader, c guard.Checker
		options := lint.DefaultOptions()
		options.Ignore = []string{"W1"}
		if err := reader.Follow(options); err != nil {
			t.Fatal(err)
		}
		p, err := reader.Program([]byte(program))
		if err != nil {
			t.Fatal(err)
		}
		linter, err := lint.New(options)
		if err != nil {
			t.Fatal(err)
		}
		result := linter.Lint(lint.Input{Data: []byte(test.answer), Facts: true})
		report := c.Check(p, []byte(test.answer), result.Facts)
		got := false
		for _, r := range report.Reasons {
			got = got || r.Name == guard.Noqa
		}
		if got != test.want {
			t.Errorf("%s: refused: %v, want %v", test.name, got, test.want)
		}
	}
}
