package dataset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Both languages say the same ten things, with each input once and the block to
// answer in at the end, and no two are alike.
func TestInstructions(t *testing.T) {
	seen := map[string]bool{}
	english, russian := Instructions("en"), Instructions("ru")
	for _, prompts := range [][]string{english, russian} {
		if len(prompts) != 10 {
			t.Errorf("%d prompts, want 10", len(prompts))
		}
		for i, prompt := range prompts {
			if seen[prompt] {
				t.Errorf("prompt %d is there twice", i+1)
			}
			seen[prompt] = true
			if strings.Count(prompt, "{code}") != 1 || strings.Count(prompt, "{feedback}") != 1 || strings.Count(prompt, "{") != 2 {
				t.Errorf("prompt %d: %s", i+1, prompt)
			}
			if strings.Count(prompt, "```") != 2 || !strings.Contains(prompt, "\n```python\n") || !strings.HasSuffix(prompt, "\n```") {
				t.Errorf("prompt %d does not end with a block:\n%s", i+1, prompt)
			}
			if (strings.Index(prompt, "{code}") < strings.Index(prompt, "{feedback}")) != (strings.Index(english[i], "{code}") < strings.Index(english[i], "{feedback}")) {
				t.Errorf("prompt %d has its inputs in another order than in English", i+1)
			}
		}
	}
}

func TestReadInstructions(t *testing.T) {
	const a, b = "Mend {code}\n\n{feedback}", "{feedback} % {{x}} {code}"
	tests := []struct {
		text string
		want []string
		err  string
	}{
		{a, []string{a}, ""},
		{a + "\n", []string{a}, ""},
		{a + "\n%%\n" + b + "\n", []string{a, b}, ""},
		{"\ufeff" + strings.ReplaceAll(a+"\n%%\n"+b+"\n%%\n", "\n", "\r\n"), []string{a, b}, ""},
		{"\n" + a + "\n\n%%\n" + b, []string{"\n" + a + "\n", b}, ""},
		{` ["Mend {code}\n\n{feedback}"]`, []string{a}, ""},
		{"", nil, "p: expected at least one prompt, found none"},
		{"[]", nil, "p: expected at least one prompt, found none"},
		{a + "\n%%\nMend {code}", nil, "p: row 2: expected {feedback} in the prompt, found none"},
		{a + "\n%%\n%%\n", nil, "p: row 2: expected {code} in the prompt, found none"},
		{`["{feedback}"]`, nil, "p: row 1: expected {code} in the prompt, found none"},
		{`[1]`, nil, "p: expected a list of texts: json: cannot unmarshal number into Go value of type string"},
		{"{{code}} {feedback}", nil, "p: row 1: expected {code} in the prompt, found none"},
		{"\xff", nil, "p: expected UTF-8, found other bytes"},
	}
	for _, test := range tests {
		got, err := ReadInstructions("p", strings.NewReader(test.text))
		switch {
		case test.err != "":
			if err == nil || err.Error() != test.err {
				t.Errorf("%q: %v\nwant %s", test.text, err, test.err)
			}
		case err != nil:
			t.Errorf("%q: %v", test.text, err)
		default:
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%q: %s", test.text, diff)
			}
		}
	}
}
