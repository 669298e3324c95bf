package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"codelinter/evaluator"
)

// About says what a run was of, for files that other tools read.
type About struct {
	Title   string    // what was scored
	Model   string    // "" is "unknown", and in inspect_ai's own words "none/none"
	Created time.Time // of the samples; the files are the same for the same time
}

func (a *About) model() string {
	if a.Model == "" {
		return "unknown"
	}
	return a.Model
}

// The task's name in other tools, and the version of its rules there.
const (
	benchmark        = "codelintereval"
	benchmarkVersion = float(1)
)

// LMEval returns the sums as lm-evaluation-harness writes its results file: an
// object with the scores under "results", by the keys "pass@1,scoring" and
// "pass@1_stderr,scoring". They are those of the benchmark's own formula, which
// is what the harness computes, and a standard error of one task is "N/A".
//
// The fields and their order are the harness's. Those are left out that only a
// run of its own could fill, such as the versions of its libraries, and "name"
// and "sample_len" beside the scores, which the tables of its version 0.4.9, the
// benchmark's, take for metrics.
func LMEval(about About, s *evaluator.Summary) []byte {
	scores := object{{"alias", benchmark}}
	better := object{}
	metrics := []any{}
	for i := range s.Official {
		average := &s.Official[i]
		name := average.Name()
		stderr := any(float(average.Stderr))
		if math.IsNaN(average.Stderr) {
			stderr = "N/A"
		}
		scores = append(scores,
			field{name + ",scoring", float(average.Formula)},
			field{name + "_stderr,scoring", stderr})
		better = append(better, field{name, true})
		metrics = append(metrics, object{{"metric", name}, {"aggregation", "mean"}, {"higher_is_better", true}})
	}
	of := func(value any) object { return object{{benchmark, value}} }
	text := appendJSON(nil, object{
		{"results", of(scores)},
		{"group_subtasks", of([]any{})},
		{"configs", of(object{
			{"task", benchmark},
			{"num_fewshot", 0},
			{"metric_list", metrics},
			{"output_type", "generate_until"},
			{"repeats", s.Most},
			{"filter_list", []any{object{
				{"name", "scoring"},
				{"filter", []any{object{{"function", "rucodelinterevalscoring"}}}},
			}}},
			{"metadata", object{{"version", benchmarkVersion}}},
		})},
		{"versions", of(benchmarkVersion)},
		{"n-shot", of(0)},
		{"higher_is_better", of(better)},
		{"n-samples", of(object{{"original", s.Tasks}, {"effective", s.Tasks}})},
		// As of a model that was given to the harness as an object: its name,
		// and no kind.
		{"config", object{
			{"model", about.model()},
			{"model_args", "model=" + about.model()},
			{"limit", nil},
		}},
		{"git_hash", nil},
		{"date", float(float64(about.Created.UnixMilli()) / 1000)},
		{"task_hashes", object{}},
		{"model_source", "CUSTOM"},
		{"model_name", about.model()},
		{"model_name_sanitized", sanitized(about.model())},
	})
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		panic(err) // of what was just made
	}
	return indented.Bytes()
}

// sanitized is a model's name as the harness makes a folder's of it:
//
//	re.sub(r"[\"<>:/\|\\?\*\[\]]+", "__", name)
func sanitized(name string) string {
	var to strings.Builder
	after := false
	for _, r := range name {
		bad := strings.ContainsRune(`"<>:/|\?*[]`, r)
		if !bad {
			to.WriteRune(r)
		} else if !after {
			to.WriteString("__")
		}
		after = bad
	}
	return to.String()
}

// An object is one of JSON whose fields keep their order. Readers do not need
// it, but people do: pass@10 would come before pass@5.
type object []field

type field struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	dst := []byte{'{'}
	for i, field := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = bytes.TrimSuffix(appendJSON(dst, field.name), []byte{'\n'})
		dst = append(dst, ':')
		dst = bytes.TrimSuffix(appendJSON(dst, field.value), []byte{'\n'})
	}
	return append(dst, '}'), nil
}

// A float is written with a point, as Python does: its programs tell 1.0 from 1,
// and print them differently.
type float float64

func (f float) MarshalJSON() ([]byte, error) {
	text := strconv.FormatFloat(float64(f), 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return []byte(text), nil
}
