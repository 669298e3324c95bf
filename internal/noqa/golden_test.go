package noqa_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codelinter/flake8"
)

// removed matches the codes that NQA103 lists. flake8-noqa has them in any order.
var removed = regexp.MustCompile(`(has unmatched codes?, remove )(.*)`)

// The findings are those that flake8 prints with the plugin flake8-noqa, see testdata/record.
func TestGoldens(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.out")
	if len(names) < 4 {
		t.Fatalf("found %d goldens", len(names))
	}
	t.Chdir("testdata")
	for _, name := range names {
		want, err := os.ReadFile(filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		}
		file := strings.TrimSuffix(filepath.Base(name), ".out") + ".py"
		for run := range strings.SplitSeq(string(want), "\n\n") {
			command, found, _ := strings.Cut(run, "\n")
			args := append(strings.Fields(command)[2:], "--isolated", "--report-unused-noqa", file)
			var stdout, stderr bytes.Buffer
			flake8.Main(context.Background(), flake8.Command{Name: "flake8", Args: args, Stdout: &stdout, Stderr: &stderr})
			got := removed.ReplaceAllStringFunc(stdout.String(), func(message string) string {
				parts := removed.FindStringSubmatch(message)
				codes := strings.Split(parts[2], ", ")
				slices.Sort(codes)
				return parts[1] + strings.Join(codes, ", ")
			})
			if strings.TrimRight(got, "\n") != strings.TrimRight(found, "\n") || stderr.Len() > 0 {
				t.Errorf("%s: %s prints\n%s%s\nwant\n%s", file, command, got, stderr.String(), found)
			}
		}
	}
}
