package guard_test

import (
	"os"
	"strings"
	"testing"

	"codelinter/internal/guard"
)

// docs/judge.md has a section for each guard, in the order of Names, with a
// program, an answer that this guard alone refuses, and one that none does.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/judge.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n## What an answer may not have\n")
	part, _, _ = strings.Cut(part, "\n## ")
	sections := strings.Split(part, "\n### ")[1:]
	if len(sections) != len(guard.Names()) {
		t.Fatalf("%d sections, want %d", len(sections), len(guard.Names()))
	}
	for i, name := range guard.Names() {
		t.Run(name, func(t *testing.T) {
			title, body, _ := strings.Cut(sections[i], "\n")
			if title != name {
				t.Fatalf("section %q in its place", title)
			}
			code := map[string]string{}
			for _, label := range []string{"Program", "Refused", "Accepted"} {
				_, after, found := strings.Cut(body, "\n"+label+":\n\n```python\n")
				example, _, closed := strings.Cut(after, "```\n")
				if !found || !closed {
					t.Fatalf("no example %s", label)
				}
				code[label] = example
			}
			if name == guard.Depth {
				code["Refused"] = strings.Replace(code["Refused"], "...", strings.Repeat("1 + ", 2000)+"1", 1)
			}
			if got := names(check(t, code["Program"], code["Refused"])); got != name {
				t.Errorf("refused for %q, want %q", got, name)
			}
			if got := names(check(t, code["Program"], code["Accepted"])); got != "" {
				t.Errorf("the accepted example is refused for %q", got)
			}
		})
	}
}
