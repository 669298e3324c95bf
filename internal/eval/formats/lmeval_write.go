package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"regexp"

	"codelinter/evaluator"
	"codelinter/internal/python/pyjson"
)

// benchmarkVersion is the version of the task's rules in the harness.
const benchmarkVersion = pyjson.Float(1)

// LMEvalResults returns the sums as lm-evaluation-harness writes its results file. The scores are
// under "results", with the keys "pass@1,scoring" and "pass@1_stderr,scoring", and "pass@1,x" for
// another verdict x. They follow the benchmark's own formula, as in the harness, and are over the
// tasks that were asked. The standard error for one task is "N/A".
//
// The fields and their order are the harness's. Fields that only its own run can fill
// are omitted, such as the versions of its libraries. So are "name" and "sample_len"
// beside the scores: the tables of version 0.4.9, the benchmark's, show them as
// metrics.
func LMEvalResults(about evaluator.About, s *evaluator.Summary) []byte {
	model := cmp.Or(about.Model, "unknown")
	scores := pyjson.Object{{"alias", benchmark}}
	better := pyjson.Object{}
	metrics := []any{}
	filters := []any{}
	for v := range s.Totals {
		total := &s.Totals[v]
		filter := lmEvalFilter(total.Verdict)
		for i := range total.PassAt {
			average := &total.PassAt[i]
			name := average.Name()
			stderr := any(pyjson.Float(average.Stderr))
			if math.IsNaN(average.Stderr) {
				stderr = "N/A"
			}
			scores = append(scores,
				pyjson.Field{Name: name + "," + filter, Value: pyjson.Float(average.Formula)},
				pyjson.Field{Name: name + "_stderr," + filter, Value: stderr})
			if v == 0 {
				better = append(better, pyjson.Field{Name: name, Value: true})
				metrics = append(metrics, pyjson.Object{{"metric", name}, {"aggregation", "mean"}, {"higher_is_better", true}})
			}
		}
		filters = append(filters, pyjson.Object{
			{"name", filter},
			{"filter", []any{pyjson.Object{{"function", "rucodelinterevalscoring"}}}},
		})
	}
	of := func(value any) pyjson.Object { return pyjson.Object{{benchmark, value}} }
	text := pyjson.AppendLine(nil, pyjson.Object{
		{"results", of(scores)},
		{"group_subtasks", of([]any{})},
		{"configs", of(pyjson.Object{
			{"task", benchmark},
			{"num_fewshot", 0},
			{"metric_list", metrics},
			{"output_type", "generate_until"},
			{"repeats", s.Most},
			{"filter_list", filters},
			{"metadata", pyjson.Object{{"version", benchmarkVersion}}},
		})},
		{"versions", of(benchmarkVersion)},
		{"n-shot", of(0)},
		{"higher_is_better", of(better)},
		{"n-samples", of(pyjson.Object{{"original", s.Tasks}, {"effective", s.Asked}})},
		// As for a model that was passed to the harness as an object: a name and no
		// kind.
		{"config", pyjson.Object{
			{"model", model},
			{"model_args", "model=" + model},
			{"limit", lmEvalLimit(s)},
		}},
		{"git_hash", nil},
		{"date", pyjson.Float(float64(about.Created.UnixMilli()) / 1000)},
		{"task_hashes", pyjson.Object{}},
		{"model_source", "CUSTOM"},
		{"model_name", model},
		{"model_name_sanitized", sanitized(model)},
	})
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		panic(err) // cannot fail
	}
	return indented.Bytes()
}

// lmEvalLimit is the harness's --limit: null if all tasks were asked.
func lmEvalLimit(s *evaluator.Summary) any {
	if s.Asked == s.Tasks {
		return nil
	}
	return pyjson.Float(float64(s.Asked))
}

// lmEvalFilter is the harness's name for a way of scoring. The benchmark's own is
// "scoring".
func lmEvalFilter(verdict evaluator.Verdict) string {
	if verdict == evaluator.Official {
		return "scoring"
	}
	return string(verdict)
}

// sanitized returns the harness's folder name for a model:
//
//	re.sub(r"[\"<>:/\|\\?\*\[\]]+", "__", name)
func sanitized(name string) string {
	return regexp.MustCompile(`["<>:/|\\?*\[\]]+`).ReplaceAllString(name, "__")
}
