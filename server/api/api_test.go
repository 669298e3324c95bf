package api

import (
	"strings"
	"testing"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/guarded"
)

func TestDecode(t *testing.T) {
	r, err := Decode([]byte(` {"id": [1, "\ud800"], "task_id": 7, "completions": ["a", null, "\u00e9"], "verdict": "official", "deadline_ms": 1500.0, "x": NaN} `), Defaults{})
	if err != nil {
		t.Fatal(err)
	}
	item := r.Items[0]
	if string(r.ID) != `[1, "\ud800"]` || r.Batch || item.Task.ID != "7" || item.Verdict != evaluator.Official || item.Deadline != 1500*time.Millisecond || item.Fault != "" {
		t.Errorf("%+v", r)
	}
	if len(item.Completions) != 3 || item.Completions[0].Text != "a" || item.Completions[1].Fault != "completions[1]: expected a text, found null" || item.Completions[2].Text != "é" {
		t.Errorf("%+v", item.Completions)
	}

	r, err = Decode([]byte(`{"id": "b", "reward": "shaped", "items": [{"task": {"program": "x=1"}, "completion": "x = 1"}, 7, {"completion": "y", "reward": "other"}, {"completions": []}, {"task": "{\"program\": \"\"}", "completion": ""}, {"task": true, "completion": "z"}]}`), Defaults{})
	if err != nil {
		t.Fatal(err)
	}
	var faults []string
	for _, item := range r.Items {
		faults = append(faults, string(item.Fault))
	}
	want := `|items[1]: expected an object, found a number|items[2]: reward: expected "binary" or "shaped", found "other"|||items[5]: task: expected an object, or an integer or a text for an id, found true`
	if got := strings.Join(faults, "|"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if !r.Batch || r.Items[0].Reward != guarded.Shaped || r.Items[0].Verdict != evaluator.Guarded || string(r.Items[0].Task.Inline) != `{"program": "x=1"}` || string(r.Items[4].Task.Inline) != `{"program": ""}` {
		t.Errorf("%+v", r)
	}
	if !r.Items[1].Task.IsNone() || r.Items[3].Completions != nil {
		t.Errorf("%+v", r)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                              `expected a JSON object, found nothing`,
		" \t":                           `expected a JSON object, found nothing`,
		`[1]`:                           `expected a JSON object, found "[1]"`,
		`{"id": 1`:                      `expected one whole JSON object, found its end missing at byte 8`,
		`{"id": 1}}`:                    `expected one whole JSON object, found '}' at byte 10`,
		"{\"id\": \"\xff\"}":            `expected UTF-8, found other bytes`,
		`{"completion ": "x"}`:          `expected an object with "completions", "items" or "lint", found "completion "`,
		`{"items": {}}`:                 `items: expected a list, found an object`,
		`{"items": [], "verdict": "x"}`: `verdict: expected "guarded" or "official", found "x"`,
		`{"lint": 7}`:                   `lint: expected an object, found a number`,
		`{"lint": {}}`:                  `lint: expected "code" or "files"`,
		`{"lint": {"code": 1}}`:         `lint.code: expected a text, found a number`,
		`{"lint": {"code": "", "options": {"max-line-length": "x"}}}`: `lint.options: max-line-length: expected a whole number, found a text`,
		`{"completion": ` + strings.Repeat("[", 20000):                `expected JSON nested 10000 deep at most`,
	} {
		_, err := Decode([]byte(text), Defaults{})
		if err == nil || err.Error() != want {
			t.Errorf("%.60q: %v\nwant %s", text, err, want)
		}
	}
}

func TestAppendScore(t *testing.T) {
	s := Score{Reward: 0.5, Guarded: "fail", Proof: "", Reasons: []string{"official"}, Findings: 2, Milliseconds: 0.12345}
	const want = `{"reward": 0.5, "official": false, "guarded": "fail", "proof": "", "reasons": ["official"], "findings": 2, "fixed": 0, "left": 0, "introduced": 0, "invalid": false, "empty": false, "noqa": false, "milliseconds": 0.123, "error": ""}`
	if got := string(s.AppendJSON(nil)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for value, want := range map[float64]string{0: "0.0", 1: "1.0", 0.25: "0.25", 2: "2.0", 1e-7: "0.0000001"} {
		if got := string(AppendFloat(nil, value)); got != want {
			t.Errorf("%v is written as %s, want %s", value, got, want)
		}
	}
}
