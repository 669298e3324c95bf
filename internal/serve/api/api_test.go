package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
)

func TestDecode(t *testing.T) {
	r, err := Decode([]byte(` {"id": [1, "\ud800"], "task_id": 7, "completions": ["a", null, "\u00e9"], "verdict": "official", "deadline_ms": 1500.0} `), Defaults{})
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

	r, err = Decode([]byte(`{"id": "b", "reward": "shaped", "items": [{"task": {"program": "x=1"}, "completion": "x = 1"}, 7, {"completion": "y", "task_id": []}, {"completions": []}, {"task": "{\"program\": \"\"}", "completion": ""}, {"task": true, "completion": "z"}]}`), Defaults{})
	if err != nil {
		t.Fatal(err)
	}
	var faults []string
	for _, item := range r.Items {
		faults = append(faults, string(item.Fault))
	}
	want := `|items[1]: expected an object, found a number|items[2]: task_id: expected an integer or a text, found []|||items[5]: task: expected an object, or an integer or a text for an id, found true`
	if got := strings.Join(faults, "|"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if !r.Batch || r.Items[0].Reward != judge.Shaped || r.Items[0].Verdict != evaluator.Guarded || string(r.Items[0].Task.Inline) != `{"program": "x=1"}` || string(r.Items[4].Task.Inline) != `{"program": ""}` {
		t.Errorf("%+v", r)
	}
	if !r.Items[1].Task.IsNone() || r.Items[3].Completions != nil {
		t.Errorf("%+v", r)
	}
}

// A null where a task is named names none: without a task, each clean answer would have the full
// reward. Whoever wants no task leaves the keys out.
func TestNullTask(t *testing.T) {
	for item, want := range map[string]string{
		`{"completion": "x", "task": null}`:                              "task: expected a task or the id of one, found null; leave the key out if the answers belong to no task",
		`{"completion": "x", "task_id": null}`:                           "task_id: expected a task or the id of one, found null; leave the key out if the answers belong to no task",
		`{"completion": "x", "task": null, "task_id": null}`:             "task: expected a task or the id of one, found null; leave the key out if the answers belong to no task",
		`{"completion": "x", "task": null, "task_id": 7}`:                "",
		`{"completion": "x", "task": {"program": "x"}, "task_id": null}`: "",
		`{"completion": "x"}`:                                            "",
		`{"completion": "x", "task": ""}`:                                `task: expected an object, or an integer or a text for an id, found ""`,
		`{"completion": "x", "task_id": ""}`:                             `task_id: expected an integer or a text, found ""`,
		`{"completion": "x", "task": false}`:                             "task: expected an object, or an integer or a text for an id, found false",
	} {
		for prefix, text := range map[string]string{"": item, "items[0]: ": `{"items": [` + item + `]}`} {
			r, err := Decode([]byte(text), Defaults{})
			if err != nil {
				t.Fatal(err)
			}
			if want != "" {
				want = prefix + want
			}
			if got := string(r.Items[0].Fault); got != want {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
			want = strings.TrimPrefix(want, prefix)
		}
	}
}

// A completion that is null is a missing answer, not a missing setting.
func TestNullCompletion(t *testing.T) {
	for _, text := range []string{`{"completion": null}`, `{"items": [{"completion": null}]}`} {
		r, err := Decode([]byte(text), Defaults{})
		want := []Completion{{Fault: "completion: expected a text, found null"}}
		if err != nil || r.Items[0].Fault != "" || !slices.Equal(r.Items[0].Completions, want) {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
	}
}

// What follows a prompt is the answer, and where that cannot be known there is none.
func TestPrompt(t *testing.T) {
	r, err := Decode([]byte(`{"items": [{"prompt": "Fix: x=1\n", "completions": ["Fix: x=1\nx = 1\n<|im_end|>", "x = 1\n", 7]}, {"prompt": 7, "completion": "x"}, {"prompt": null, "completion": "x<|im_end|>"}]}`), Defaults{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Completion{{Text: "x = 1\n"}, {Fault: `completions[1]: expected it to begin with the prompt, found "x = 1\n"`}, {Fault: "completions[2]: expected a text, found a number"}}
	if got := r.Items[0].Completions; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if got := r.Items[1].Fault; got != "items[1]: prompt: expected a text, found a number" {
		t.Error(got)
	}
	if got := r.Items[2].Completions[0].Text; got != "x<|im_end|>" {
		t.Error(got)
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
		`{"completion ": "x"}`:          `unknown key "completion ": did you mean "completion"?`,
		`{"items": {}}`:                 `items: expected a list, found an object`,
		`{"items": [], "verdict": "x"}`: `verdict: expected "guarded" or "official", found "x"`,
		`{"lint": 7}`:                   `lint: expected an object, found a number`,
		`{"lint": {}}`:                  `lint: expected "code" or "files"`,
		`{"lint": {"code": 1}}`:         `lint.code: expected a text, found a number`,
		`{"lint": {"code": "", "options": {"max-line-length": "x"}}}`: `lint.options: max-line-length: expected a whole number, found a text`,
		`{"completion": ` + strings.Repeat("[", 20000):                `expected JSON nested 10000 deep at most`,

		`{"completions": ["x"], "id": 7, "completions": ["y"]}`:                      `expected each key once in an object, found "completions" again at byte 33`,
		`{"items": [{"completion": "x"}, {"task_id": 1, "task_id": 2}]}`:             `expected each key once in an object, found "task_id" again at byte 48`,
		`{"task": {"program": "x", "options": {"a": 1, "a": 1}}, "completion": "y"}`: `expected each key once in an object, found "a" again at byte 47`,
		`{"lint": {"files": {"a": "", "a": ""}}}`:                                    `expected each key once in an object, found "a" again at byte 30`,

		// Nothing is guessed.
		`{"completion": "x", "verdict": "kind"}`:                         `verdict: expected "guarded" or "official", found "kind"`,
		`{"items": [{"completion": "x"}, {"reward": "other"}]}`:          `items[1]: reward: expected binary, shaped, or a formula of terms, found "other": unknown term "other": expected one of passed, graded, per_finding, meaning, tests, fixed, partial, introduced, invalid, empty, longer, edited`,
		`{"completion": "x", "deadline_ms": 0}`:                          `deadline_ms: expected a number above 0, found 0`,
		`{"completion": "x", "verdit": "official"}`:                      `unknown key "verdit": did you mean "verdict"?`,
		`{"completion": "x", "x": 1}`:                                    `unknown key "x": expected one of id, items, lint, edit, task, task_id, completion, completions, prompt, verdict, reward, on_unknown, details, deadline_ms`,
		`{"items": [{"completion": "x"}, {"completion": "x", "id": 1}]}`: `items[1]: unknown key "id": expected one of task, task_id, completion, completions, prompt, verdict, reward, on_unknown, details, deadline_ms`,
		`{"items": [], "task_id": 7}`:                                    `unknown key "task_id": expected one of id, items, verdict, reward, on_unknown, details, deadline_ms`,
		`{"lint": {"code": ""}, "verdict": "official"}`:                  `unknown key "verdict": expected one of id, lint`,
		`{"lint": {"code": "", "option": {}}}`:                           `lint: unknown key "option": did you mean "options"?`,
		`{"lint": {"code": "", "files": {}}}`:                            `lint: expected "code" or "files", found both`,
		`{"completion": "x", "completions": ["y"]}`:                      `expected "completion" or "completions", found both`,
		`{"items": [{"completion": "x", "task": 1, "task_id": 1}]}`:      `items[0]: expected "task" or "task_id", found both`,
		`{"id": NaN, "completion": "x"}`:                                 `id: expected JSON, found "NaN", which only Python takes for such`,
		`{"id": "` + strings.Repeat("x", MaxID) + `"}`:                   `id: expected JSON of 4096 bytes at most, found 4098`,
		"\ufeff\ufeff{}":    `expected a JSON object, found "\ufeff{}"`,
		"\ufeff {\"id\": 1": `expected one whole JSON object, found its end missing at byte 12`,
	} {
		_, err := Decode([]byte(text), Defaults{})
		if err == nil || err.Error() != want {
			t.Errorf("%.60q: %v\nwant %s", text, err, want)
		}
	}
}

// A request has so many answers, items and files in all, however they are written.
func TestMaxAnswers(t *testing.T) {
	const most = 3
	for text, fits := range map[string]bool{
		`{"completions": ["", "", ""]}`:                                 true,
		`{"completions": ["", "", "", ""]}`:                             false,
		`{"completions": [null, null, null]}`:                           true,
		`{"completions": [null, "", null, ""]}`:                         false,
		`{"items": [7, 7, 7]}`:                                          true,
		`{"items": [7, 7, 7, 7]}`:                                       false,
		`{"items": [{"completions": [""]}, {"completions": []}]}`:       true,
		`{"items": [{"completions": ["", ""]}, {"completions": [""]}]}`: false,
		`{"items": [{"completions": ["", "", null]}]}`:                  false,
		`{"lint": {"files": {"a": "", "b": "", "c": ""}}}`:              true,
		`{"lint": {"files": {"a": "", "b": "", "c": "", "d": ""}}}`:     false,
	} {
		_, err := Decode([]byte(text), Defaults{MaxAnswers: most})
		var failed *Error
		if errors.As(err, &failed) == fits || failed != nil && (!failed.TooLarge || err.Error() != "expected 3 answers or files at most in a request, found more") {
			t.Errorf("%s: %v", text, err)
		}
	}
	list := strings.Repeat(`"",`, DefaultMaxAnswers)
	if _, err := Decode([]byte(`{"completions": [`+list[:len(list)-1]+`]}`), Defaults{}); err != nil {
		t.Error(err)
	}
	if _, err := Decode([]byte(`{"completions": [`+list+`""]}`), Defaults{}); err == nil {
		t.Error("there is no bound")
	}
}

// Parts that replies repeat, or that take many times their length, are bounded.
func TestBounds(t *testing.T) {
	long := strings.Repeat("x", MaxTask)
	for text, want := range map[string]string{
		`{"completions": [], "task": "` + long + `"}`:                                                "task: expected JSON of 4194304 bytes at most, found 4194306",
		`{"completions": [], "task": {"program": "` + long + `"}}`:                                   "task: expected JSON of 4194304 bytes at most, found 4194319",
		`{"lint": {"files": {"` + long + `": ""}}}`:                                                  "lint.files: expected names of 4096 bytes at most, found one of 4194304",
		`{"lint": {"code": "", "options": {"ignore": ["` + strings.Repeat("E", MaxOptions) + `"]}}}`: "lint.options: expected JSON of 65536 bytes at most, found 65552",
		`{"completions": [], "` + long + `": 1}`:                                                     `unknown key "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"…: expected one of id, items, lint, edit, task, task_id, completion, completions, prompt, verdict, reward, on_unknown, details, deadline_ms`,
	} {
		request, err := Decode([]byte(text), Defaults{})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = string(request.Items[0].Fault)
		}
		if got != want {
			t.Errorf("%.40s: %s\nwant %s", text, got, want)
		}
	}
	if fault := Faultf("%s", long); len(fault) > longestFault+len("…") {
		t.Errorf("a fault of %d bytes", len(fault))
	}
}

// The shorter form of a task has no other keys; a row of a file may.
func TestTaskKeys(t *testing.T) {
	for text, want := range map[string]string{
		`{"program": "x", "test": ["assert x"]}`:                   `task: unknown key "test": did you mean "tests"?`,
		`{"program": "x", "difficulty": 3}`:                        `task: unknown key "difficulty": expected one of program, id, canonical, tests, setup, options, logic`,
		`{"prog": "x"}`:                                            `task: unknown key "prog": did you mean "program"?`,
		`{"text": "x"}`:                                            `task: field inputs is missing: expected an object`,
		`{"inputs": {"code": "x", "reference": ""}, "mine": true}`: "<nil>",
	} {
		if _, err := ParseTask([]byte(text)); fmt.Sprint(err) != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A reply in pieces is the reply.
func TestWriteReply(t *testing.T) {
	scores := make([]Score, 500)
	for i := range scores {
		scores[i] = Score{Findings: i, Error: strings.Repeat("é", i)}
	}
	findings := []byte("[" + strings.Repeat(" ", 100_000) + "]")
	for _, reply := range []Reply{
		{ID: []byte("1"), Scores: [][]Score{scores}},
		{Batch: true, Scores: [][]Score{scores, nil, scores[:3], scores}},
		{Lint: &Findings{Single: true, Files: []FileFindings{{JSON: findings, Found: 3}}}},
		{Lint: &Findings{Files: []FileFindings{{Name: "a", JSON: findings}, {Name: strings.Repeat("b", 70_000), JSON: []byte("[]")}, {Name: "c", JSON: findings}}}},
		{Error: "none"},
	} {
		whole := replyText(&reply)
		var out bytes.Buffer
		w := bufio.NewWriterSize(&out, 16)
		WriteReply(w, &reply)
		if err := w.Flush(); err != nil || out.String() != whole || !json.Valid(out.Bytes()) {
			t.Errorf("%d bytes, want %d: %v", out.Len(), len(whole), err)
		}
	}
}

func replyText(r *Reply) string {
	var out strings.Builder
	w := bufio.NewWriterSize(&out, 1<<24)
	WriteReply(w, r)
	w.Flush()
	return out.String()
}

func TestAppendScore(t *testing.T) {
	s := Score{Reward: 0.5, Guarded: "fail", Proof: "", Reasons: []string{"official"}, Findings: 2, Milliseconds: 0.12345}
	const want = `{"reward": 0.5, "official": false, "guarded": "fail", "proof": "", "reasons": ["official"], "findings": 2, "fixed": 0, "left": 0, "introduced": 0, "invalid": false, "empty": false, "noqa": false, "masked": false, "milliseconds": 0.123, "error": ""}`
	if got := string(s.AppendJSON(nil)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	s.Terms, s.Logic = []evaluator.Term{{Name: "graded_meaning", Value: 0.5}, {Name: "empty"}}, "kept"
	const terms = `"masked": false, "logic": "kept", "tests": null, "terms": {"graded_meaning": 0.5, "empty": 0.0}, "milliseconds": 0.123`
	if got := string(s.AppendJSON(nil)); got != strings.Replace(want, `"masked": false, "milliseconds": 0.123`, terms, 1) {
		t.Errorf("%s, want %s", got, terms)
	}
	for value, want := range map[float64]string{0: "0.0", 1: "1.0", 0.25: "0.25", 2: "2.0", 1e-7: "0.0000001"} {
		if got := string(AppendFloat(nil, value)); got != want {
			t.Errorf("%v is written as %s, want %s", value, got, want)
		}
	}
}
