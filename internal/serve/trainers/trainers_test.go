package trainers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/internal/serve/api"
)

// asked says what became of a request: for each item its task, answer and fault.
func asked(call Call) string {
	var lines []string
	for _, item := range call.Request.Items {
		c := item.Completions[0]
		lines = append(lines, fmt.Sprintf("task %s%s answer %q fault %q %q", string(item.Task.ID), item.Task.Inline, c.Text, item.Fault, c.Fault))
	}
	return strings.Join(lines, "\n")
}

// reply is one that has a score for each item: the first passes, the second fails, the
// third has an error.
func reply(call Call) *api.Reply {
	scores := []api.Score{
		{Reward: 1, Official: true, Guarded: "pass", Proof: "tree", Fixed: 2},
		{Reward: 0.25, Guarded: "fail", Reasons: []string{"official"}, Findings: 3, Left: 1, Introduced: 2, Invalid: true, Noqa: true, Empty: true},
		{Guarded: "unknown", Masked: true, Error: "the sandbox failed"},
	}
	r := &api.Reply{Batch: call.Request.Batch}
	for i := range call.Request.Items {
		r.Scores = append(r.Scores, scores[i%3:i%3+1])
	}
	return r
}

func TestOpenRLHF(t *testing.T) {
	// As SingleTurnAgentExecutor sends it, with a tokenizer of Qwen's.
	const body = `{"query": ["<|im_start|>user\nFix this.<|im_end|>\n<|im_start|>assistant\nx = 1\n<|im_end|>", "Fix that. y", 7],` +
		` "prompts": ["<|im_start|>user\nFix this.<|im_end|>\n<|im_start|>assistant\n", "Fix that. ", "p"],` +
		` "labels": ["7", {"program": "y=1"}, "{\"program\": \"z=1\"}"]}`
	call, err := OpenRLHF([]byte(body), api.Defaults{Verdict: evaluator.Guarded})
	if err != nil {
		t.Fatal(err)
	}
	want := `task 7 answer "x = 1\n" fault "" ""
task {"program": "y=1"} answer "y" fault "" ""
task {"program": "z=1"} answer "" fault "" "query[2]: expected a text, found a number"`
	if got := asked(call); got != want {
		t.Errorf("asked\n%s\nwant\n%s", got, want)
	}
	const answered = `{"rewards": [1.0, 0.25, 0.0], "scores": [1.0, 0.25, 0.0], "extra_logs": {"official": [1.0, 0.0, 0.0], "guarded": [1.0, 0.0, 0.0], ` +
		`"unknown": [0.0, 0.0, 0.0], "findings": [0.0, 3.0, 0.0], "fixed": [2.0, 0.0, 0.0], "left": [0.0, 1.0, 0.0], "introduced": [0.0, 2.0, 0.0], ` +
		`"invalid": [0.0, 1.0, 0.0], "empty": [0.0, 1.0, 0.0], "noqa": [0.0, 1.0, 0.0], "masked": [0.0, 0.0, 1.0], "error": [0.0, 0.0, 1.0]}}`
	if got := string(call.Append(nil, reply(call))); got != answered {
		t.Errorf("answered\n%s\nwant\n%s", got, answered)
	}
}

func TestSlime(t *testing.T) {
	const body = `{"prompt": [{"role": "user", "content": "Fix this."}], "response": "x = 1\n<|im_end|>", "label": 7}`
	for full, want := range map[bool]string{
		false: "1.0",
		true: `{"reward": 1.0, "official": true, "guarded": "pass", "proof": "tree", "reasons": [], "findings": 0, "fixed": 2, "left": 0, "introduced": 0, ` +
			`"invalid": false, "empty": false, "noqa": false, "masked": false, "milliseconds": 0.0, "error": ""}`,
	} {
		call, err := Slime([]byte(body), full, api.Defaults{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := asked(call), `task 7 answer "x = 1\n" fault "" ""`; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		if got := string(call.Append(nil, reply(call))); got != want {
			t.Errorf("answered %s, want %s", got, want)
		}
	}
}

// What makes no sense as a whole is said.
func TestErrors(t *testing.T) {
	openRLHF := func(body []byte) error { _, err := OpenRLHF(body, api.Defaults{}); return err }
	slime := func(body []byte) error { _, err := Slime(body, false, api.Defaults{}); return err }
	for _, test := range []struct {
		read       func([]byte) error
		body, want string
	}{
		{openRLHF, `{"query": "x"}`, "query: expected a list, found a text"},
		{openRLHF, `{"query": []}`, "prompts: expected a list, found nothing"},
		{openRLHF, `{"query": ["a"], "prompts": ["a", "b"], "labels": []}`, "expected as many prompts and labels as queries, found 2, 0 and 1"},
		{openRLHF, `{"query": [}`, `expected one whole JSON object, found '}' at byte 12`},
		{slime, `{"prompt": "x"}`, `expected an object with "response" and "label"`},
		{slime, ``, "expected a JSON object, found nothing"},
	} {
		if err := test.read([]byte(test.body)); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.body, err, test.want)
		}
	}
}

// Labels that name no task are no licence to be scored without one.
func TestLabels(t *testing.T) {
	for label, want := range map[string]string{
		`null`:            "label: expected a task or the id of one, found null",
		`""`:              "label: expected a task or the id of one, found an empty text",
		`true`:            "label: task: expected an object, or an integer or a text for an id, found true",
		`"{\"program\":"`: `label: task: expected a JSON object in the text, found "{\"program\":"`,
		`"p 1"`:           "",
	} {
		call, err := Slime([]byte(`{"response": "x", "label": `+label+`}`), false, api.Defaults{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(call.Request.Items[0].Fault); got != want {
			t.Errorf("%s: %s, want %s", label, got, want)
		}
	}
}

// fuzz requires of a reader of requests that it survives anything, and that what it
// writes is JSON.
func fuzz(f *testing.F, seed string, read func(body []byte) (Call, error)) {
	f.Add([]byte(seed))
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"a": NaN, "a": [`))
	f.Fuzz(func(t *testing.T, body []byte) {
		before := string(body)
		call, err := read(body)
		if string(body) != before {
			t.Fatal("the body was written to")
		}
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without a text")
			}
			return
		}
		for _, item := range call.Request.Items {
			if len(item.Completions) != 1 {
				t.Fatalf("%d completions of an item", len(item.Completions))
			}
		}
		// Python's NaN comes back as it came, which json.Valid does not know.
		if text := call.Append(nil, reply(call)); !json.Valid(text) && !strings.Contains(before, "N") && !strings.Contains(before, "I") {
			t.Fatalf("no JSON: %s", text)
		}
	})
}

func FuzzOpenRLHF(f *testing.F) {
	fuzz(f, `{"query": ["p x<|im_end|>"], "prompts": ["p "], "labels": ["{\"program\": \"x=1\"}"]}`, func(body []byte) (Call, error) {
		return OpenRLHF(body, api.Defaults{})
	})
}

func FuzzSlime(f *testing.F) {
	fuzz(f, `{"prompt": "p", "response": "x</s>", "label": 7}`, func(body []byte) (Call, error) { return Slime(body, true, api.Defaults{}) })
}
