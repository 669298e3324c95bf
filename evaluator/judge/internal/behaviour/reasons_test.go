package behaviour

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The page lists the names of all reasons that this package gives, and no others.
func TestReasonsAreListed(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/judge.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Reasons\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(table, -1) {
		listed = append(listed, row[1])
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources.Write(text)
	}
	given := regexp.MustCompile(`\b(?:fail|unknown)\("([a-z-]+)"|Reason\{Name: "([a-z-]+)"`).FindAllStringSubmatch(sources.String(), -1)
	if len(given) < 20 {
		t.Fatalf("%d reasons are given", len(given))
	}
	for _, g := range given {
		if name := g[1] + g[2]; !slices.Contains(listed, name) {
			t.Errorf("docs/judge.md does not list the reason %s", name)
		}
	}
	for _, name := range listed {
		if !strings.Contains(sources.String(), `"`+name+`"`) {
			t.Errorf("docs/judge.md lists %s, and nothing gives it", name)
		}
	}
}
