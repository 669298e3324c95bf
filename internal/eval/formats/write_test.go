package formats

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
)

// TestFiles has the files of each format that is written, and what is in those of a run without
// answers.
func TestFiles(t *testing.T) {
	verdicts := []evaluator.Verdict{evaluator.Official, evaluator.Guarded}
	begins := map[string]string{
		"submission x.json":  `{ "data": { "test": [] } }`,
		"submission x":       "PK",
		"lm-eval x":          `{ "results": {`,
		"inspect x":          `{"version":2,"status":"success",`,
		"inspect x.json":     `{"version":2,"status":"success",`,
		"inspect x.jsonl":    "",
		"inspect x.jsonl, 2": "",
	}
	for name, begin := range begins {
		format, path, _ := strings.Cut(strings.TrimSuffix(name, ", 2"), " ")
		files := Files(Format(format), path, verdicts)
		paths := []string{path}
		if path == "x.jsonl" {
			paths = append(paths, "x.guarded.jsonl")
		}
		var got []string
		for _, file := range files {
			got = append(got, file.Path)
		}
		if diff := cmp.Diff(paths, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
			continue
		}
		var text bytes.Buffer
		output, err := files[len(files)-1].Begin(&text, evaluator.About{})
		if err != nil {
			t.Fatal(err)
		}
		if err := output.Finish(&evaluator.Summary{Totals: make([]evaluator.Total, 2)}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if output.Close != nil {
			if err := output.Close(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := strings.Join(strings.Fields(text.String()), " "); !strings.HasPrefix(got, begin) || (begin == "" && got != "") {
			t.Errorf("%s: got %.60q, want %q", name, got, begin)
		}
	}
	for _, format := range []Format{Auto, JSONL, HumanEval, EvalPlus, BigCode, OpenAI} {
		if files := Files(format, "x", verdicts); files != nil {
			t.Errorf("%s: got %d files, want a format that is only read", format, len(files))
		}
	}
}
