package formats

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
)

// What tasks of the harness that ask for likelihoods log is no answer.
func TestLikelihoods(t *testing.T) {
	for _, text := range []string{
		`{"doc_id": 0, "doc": {}, "arguments": {"gen_args_0": {"arg_0": "a", "arg_1": " b"}, "gen_args_1": {"arg_0": "a", "arg_1": " c"}}, "resps": [[["-1.5", "True"]], [["-2.5", "False"]]]}`,
		`[{"doc_id": 0, "doc": {}, "arguments": [["a", " b"]], "resps": [[[-1.5, true]]]}]`,
		`{"doc_id": 0, "doc": {}, "arguments": {"gen_args_0": {"arg_0": "a"}}, "resps": [["-120.5"]]}`,
	} {
		source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7"))
		if err == nil {
			_, err = drain(source)
		}
		if err == nil || !strings.Contains(err.Error(), "resps: expected answers of a model, found likelihoods: the task's output_type must be generate_until") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Version 0.4.2 wrote a list, without names of filters; docs may begin anywhere.
func TestOldLMEval(t *testing.T) {
	const text = `[
  {
    "doc_id": 2,
    "doc": {"text": "b"},
    "target": "",
    "arguments": [["p", {"until": ["x"]}]],
    "resps": [["c", "d"]],
    "filtered_resps": [[1, 0]],
    "pass@1": NaN
  },
  {"doc_id": 1, "doc": {"text": "b"}, "arguments": [["p", {"until": ["x"]}]], "resps": [["a"], ["b"]], "filtered_resps": ["a", "b"], "pass@1": 0.5},
  {"doc_id": 2, "doc": {"text": "b"}, "arguments": [["p", {"until": ["x"]}]], "resps": [["c", "d"]], "filtered_resps": ["c"]}
]`
	source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7", "8", "9"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := drain(source)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]evaluator.Samples{{ID: "9", Outputs: []string{"c", "d"}}, {ID: "8", Outputs: []string{"a", "b"}}}, got); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"s: read as lm-eval",
		"s: lines that repeat a doc's generations for another filter, left out: 1",
		"s: docs without an id, whose doc_id is taken as the place of the task, from 0: 3",
	}
	if diff := cmp.Diff(want, source.Notes()); diff != "" {
		t.Error(diff)
	}
}

func TestLMEval(t *testing.T) {
	sums := &evaluator.Summary{Tasks: 12, Asked: 12, Samples: 120, Most: 10, Totals: []evaluator.Total{{Verdict: evaluator.Official, PassAt: []evaluator.Average{
		{K: 1, Formula: 0.46666666666666673, Stderr: 0.0915633026044735},
		{K: 10, Formula: 1, Stderr: 0},
		{K: 5, Formula: 0.8333333333333334, Stderr: math.NaN()},
	}}}}
	// In the form of lm-evaluation-harness 0.4.13, without what only it can fill.
	want := `{
  "results": {
    "codelintereval": {
      "alias": "codelintereval",
      "pass@1,scoring": 0.46666666666666673,
      "pass@1_stderr,scoring": 0.0915633026044735,
      "pass@10,scoring": 1.0,
      "pass@10_stderr,scoring": 0.0,
      "pass@5,scoring": 0.8333333333333334,
      "pass@5_stderr,scoring": "N/A"
    }
  },
  "group_subtasks": {
    "codelintereval": []
  },
  "configs": {
    "codelintereval": {
      "task": "codelintereval",
      "num_fewshot": 0,
      "metric_list": [
        {
          "metric": "pass@1",
          "aggregation": "mean",
          "higher_is_better": true
        },
        {
          "metric": "pass@10",
          "aggregation": "mean",
          "higher_is_better": true
        },
        {
          "metric": "pass@5",
          "aggregation": "mean",
          "higher_is_better": true
        }
      ],
      "output_type": "generate_until",
      "repeats": 10,
      "filter_list": [
        {
          "name": "scoring",
          "filter": [
            {
              "function": "rucodelinterevalscoring"
            }
          ]
        }
      ],
      "metadata": {
        "version": 1.0
      }
    }
  },
  "versions": {
    "codelintereval": 1.0
  },
  "n-shot": {
    "codelintereval": 0
  },
  "higher_is_better": {
    "codelintereval": {
      "pass@1": true,
      "pass@10": true,
      "pass@5": true
    }
  },
  "n-samples": {
    "codelintereval": {
      "original": 12,
      "effective": 12
    }
  },
  "config": {
    "model": "some/model <1>",
    "model_args": "model=some/model <1>",
    "limit": null
  },
  "git_hash": null,
  "date": 1700000000.25,
  "task_hashes": {},
  "model_source": "CUSTOM",
  "model_name": "some/model <1>",
  "model_name_sanitized": "some__model __1__"
}
`
	about := evaluator.About{Title: "Title", Model: "some/model <1>", Created: time.UnixMilli(1700000000250)}
	if diff := cmp.Diff(want, string(LMEvalResults(about, sums))); diff != "" {
		t.Error(diff)
	}
	if got := LMEvalResults(evaluator.About{}, &evaluator.Summary{}); !json.Valid(got) || !bytes.Contains(got, []byte(`"model": "unknown"`)) {
		t.Errorf("of nothing: %s", got)
	}
}

// The harness's results hold no samples: what [LMEval] reads is its log of them, a
// file of its own that only a run of the harness writes. So the results are read as
// the harness's tables read them, by their keys, and give the sums of the run bit for
// bit; as samples they are refused.
func TestLMEvalResultsRoundTrip(t *testing.T) {
	tasks, source := roundTripTasks(t)
	_, summary := scoreSource(t, tasks, source)
	text := LMEvalResults(evaluator.About{Model: "m"}, summary)
	var file struct {
		Results map[string]map[string]any
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	got := file.Results[benchmark]
	want := map[string]any{"alias": benchmark}
	for v, filter := range []string{"scoring", "short"} {
		if name := summary.Totals[v].Verdict; v > 0 && name != short {
			t.Fatalf("the second verdict is %s", name)
		}
		for _, average := range summary.Totals[v].PassAt {
			want[average.Name()+","+filter] = average.Formula
			want[average.Name()+"_stderr,"+filter] = average.Stderr
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 1+2*2*3 {
		t.Errorf("%d values: %s", len(got), diff)
	}
	if _, err := Read("results.json", bytes.NewReader(text), Auto, tasks); err == nil {
		t.Error("results were read as samples")
	}
}
