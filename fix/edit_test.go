package fix

import "testing"

func TestApply(t *testing.T) {
	for _, c := range []struct {
		text  string
		edits []Edit
		want  string
	}{
		{"x=1\n", nil, "x=1\n"},
		{"x=1\n", []Edit{{1, 1, " "}, {2, 2, " "}}, "x = 1\n"},
		{"x=1;\n", []Edit{{0, 0, "# a\n"}, {0, 0, "# b\n"}, {3, 4, ""}}, "# a\n# b\nx=1\n"},
		{"x=1", []Edit{{3, 3, "\n"}}, "x=1\n"},
	} {
		if got := string(Apply([]byte(">"), c.text, c.edits)); got != ">"+c.want {
			t.Errorf("Apply(%q, %v) = %q, expected %q", c.text, c.edits, got, ">"+c.want)
		}
	}
}
