package pytext

import "testing"

// What CPython 3.14 and CPython 3.12 show of a field in f”'{...=}”'.
func TestAppendWithoutComments(t *testing.T) {
	for _, test := range []struct{ text, quotes, anywhere string }{
		{"x=", "x=", "x="},
		{`"#"=`, `"#"=`, `"`},
		{"\"#a\", # b\nx=", "\"#a\", \nx=", "\"\nx="},
		{"x # b'\n=", "x \n=", "x \n="},
		{"\"a\\b#c\" \n=", "\"a\\b#c\" \n=", "\"a\\b\n="},
		{"\"a\\\"#c\"  # \\' \n=", "\"a\\\"\n=", "\"a\\\"\n="},
	} {
		if got := string(AppendWithoutComments(nil, test.text, true)); got != test.quotes {
			t.Errorf("%q: %q, want %q", test.text, got, test.quotes)
		}
		if got := string(AppendWithoutComments(nil, test.text, false)); got != test.anywhere {
			t.Errorf("before 3.14: %q: %q, want %q", test.text, got, test.anywhere)
		}
	}
}
