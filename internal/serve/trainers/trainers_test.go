package trainers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/internal/serve/api"
)

func unbounded(int64) error { return nil }

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

const verify = `{"responses_create_params": {"input": [{"role": "user", "content": "Fix."}], "temperature": 1.0}, "response": {"id": "resp_1", "output": [` +
	`{"type": "reasoning", "summary": []}, {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "First.", "annotations": []}]}, ` +
	`{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x = 1\n", "annotations": []}, {"type": "refusal", "refusal": "no"}, {"type": "output_text", "text": "y = 2\n<|im_end|>"}]}]}%s}`

func TestNemoGymVerify(t *testing.T) {
	for _, test := range []struct{ rest, asked, added string }{
		{`, "task_id": 7, "_ng_task_index": 3, "reward": 9`,
			`task 7 answer "x = 1\ny = 2\n" fault "" ""`,
			`"mask_sample": false, "failure_kind": null, "failure_reason": null, "reward": 1.0, "official": true`},
		{`, "verifier_metadata": {"task": {"program": "x=1"}}, "instance_config": {"mask_sample": true}`,
			`task {"program": "x=1"} answer "x = 1\ny = 2\n" fault "" ""`,
			`"instance_config": {"mask_sample": true}, "mask_sample": false, "failure_kind": null`},
		{`, "instance_config": {"a": [1], "mask_sample": false}`,
			`task  answer "x = 1\ny = 2\n" fault "task: expected a task or the id of one, found nothing" ""`,
			`"instance_config": {"a": [1], "mask_sample": true}, "_ng_failure_class": "codelinter:bad_request", "mask_sample": true, "failure_kind": "codelinter:bad_request"`},
	} {
		body := fmt.Sprintf(verify, test.rest)
		call, err := NemoGymVerify([]byte(body), api.Defaults{})
		if err != nil {
			t.Fatal(err)
		}
		if got := asked(call); got != test.asked {
			t.Errorf("asked %s, want %s", got, test.asked)
		}
		got := string(call.Append(nil, reply(call)))
		if !strings.Contains(got, test.added) {
			t.Errorf("answered %s, want in it %s", got, test.added)
		}
		var sent, echoed map[string]any
		if err := json.Unmarshal([]byte(body), &sent); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(got), &echoed); err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		for name := range sent {
			if name != "reward" && name != "instance_config" && fmt.Sprint(sent[name]) != fmt.Sprint(echoed[name]) {
				t.Errorf("%s: sent %v, came back %v", name, sent[name], echoed[name])
			}
		}
		if n := strings.Count(got, `"reward": `); n != 1 {
			t.Errorf("%d rewards in %s", n, got)
		}
	}
}

// A model that gives no answer has earned its 0, and an error of ours measures nothing.
func TestNemoGymMask(t *testing.T) {
	none := strings.NewReplacer(`"assistant"`, `"user"`).Replace(fmt.Sprintf(verify, `, "task_id": 7`))
	call, err := NemoGymVerify([]byte(none), api.Defaults{})
	if err != nil {
		t.Fatal(err)
	}
	got := string(call.Append(nil, &api.Reply{Scores: [][]api.Score{{{Error: "response.output: expected ..."}}}}))
	if want := `"mask_sample": false, "failure_kind": "codelinter:no_answer", "failure_reason": "response.output: expected ...", "reward": 0.0`; !strings.Contains(got, want) {
		t.Errorf("%s, want in it %s", got, want)
	}
	call, err = NemoGymVerify(fmt.Appendf(nil, verify, `, "task_id": 7`), api.Defaults{})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 2*longestReason)
	got = string(call.Append(nil, &api.Reply{Scores: [][]api.Score{{{Error: long}}}}))
	if want := `"instance_config": {"mask_sample": true}, "_ng_failure_class": "verifier_error", "mask_sample": true, "failure_kind": "verifier_error", "failure_reason": "` +
		long[:longestReason] + `", "reward": 0.0`; !strings.Contains(got, want) {
		t.Errorf("%s, want in it %s", got, want)
	}
}

func TestNemoGymSession(t *testing.T) {
	for body, want := range map[string]string{
		`{}`: `{}`,
		`{"responses_create_params": {}, "task_id": 7}`:                                                  `{}`,
		`{"resources_session_id": "a\"b", "episode_id": {"x": 1}, "task_id": {"y": 2}, "task_data": {}}`: `{"resources_session_id": "a\"b"}`,
		`{"resources_session_id": ""}`:                                                                   "error: resources_session_id: expected a text that is not empty, found an empty text",
		`[]`:                                                                                             `error: expected a JSON object, found "[]"`,
	} {
		got, err := NemoGymSession([]byte(body))
		if err != nil {
			got = []byte("error: " + err.Error())
		}
		if string(got) != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

// The numbers were computed by hand from NeMo Gym's formulas: pandas' mean, max, min,
// median and std with n-1, which is left out where there is one value among columns
// that have more.
func TestNemoGymAggregate(t *testing.T) {
	const body = `{"verify_responses": [
	{"_ng_task_index": 0, "_ng_rollout_index": 0, "reward": 1.0, "official": true, "proof": "tree", "response": {"usage": {"output_tokens": 10}}, "mask_sample": false},
	{"_ng_task_index": 0, "_ng_rollout_index": 1, "reward": 0.0, "official": false, "response": {"usage": null}},
	{"_ng_task_index": 1, "_ng_rollout_index": 0, "reward": 1.0, "official": true},
	{"_ng_task_index": 2, "_ng_rollout_index": 0, "reward": 0.0, "official": true, "mask_sample": true}]}`
	got, err := NemoGymAggregate([]byte(body), api.Defaults{}, unbounded)
	if err != nil {
		t.Fatal(err)
	}
	const coverage = `"coverage/measured_rollouts":3,"coverage/masked_rollouts":1,"coverage/measured_tasks":2,"coverage/fully_masked_tasks":1`
	const means = `"mean/official":0.6666666666666666,"mean/output_tokens":10.0,"mean/reward":0.6666666666666666`
	want := `{"group_level_metrics":[` +
		`{"_ng_task_index":0,"num_rollouts":2,"mean/official":0.5,"mean/output_tokens":10.0,"mean/reward":0.5,"max/official":1.0,"max/output_tokens":10.0,"max/reward":1.0,` +
		`"min/official":0.0,"min/output_tokens":10.0,"min/reward":0.0,"median/official":0.5,"median/output_tokens":10.0,"median/reward":0.5,` +
		`"std/official":0.7071067811865476,"std/reward":0.7071067811865476},` +
		`{"_ng_task_index":1,"num_rollouts":1,"mean/official":1.0,"mean/reward":1.0,"max/official":1.0,"max/reward":1.0,"min/official":1.0,"min/reward":1.0,` +
		`"median/official":1.0,"median/reward":1.0,"std/official":0.0,"std/reward":0.0}],` +
		`"agent_metrics":{` + means + `,"max/official":1.0,"max/output_tokens":10.0,"max/reward":1.0,` +
		`"min/official":0.0,"min/output_tokens":10.0,"min/reward":0.0,"median/official":1.0,"median/output_tokens":10.0,"median/reward":1.0,` +
		`"std/official":0.5773502691896258,"std/reward":0.5773502691896258,"pass@1/accuracy":75.0,"pass@2/accuracy":100.0,` + coverage + `,"num_repeats":2},` +
		`"key_metrics":{` + means + `,"pass@1/accuracy":75.0,"pass@2/accuracy":100.0,` + coverage + `},"perf_summary":null,"repeat_level_metrics":[]}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, err := NemoGymAggregate([]byte(`{"verify_responses": []}`), api.Defaults{}, unbounded); err != nil ||
		string(got) != `{"group_level_metrics":[],"agent_metrics":{},"key_metrics":{},"perf_summary":null,"repeat_level_metrics":[]}` {
		t.Errorf("%s, %v", got, err)
	}
}

// What makes no sense as a whole is said.
func TestErrors(t *testing.T) {
	openRLHF := func(body []byte) error { _, err := OpenRLHF(body, api.Defaults{}); return err }
	slime := func(body []byte) error { _, err := Slime(body, false, api.Defaults{}); return err }
	gym := func(body []byte) error { _, err := NemoGymVerify(body, api.Defaults{}); return err }
	sums := func(body []byte) error { _, err := NemoGymAggregate(body, api.Defaults{}, unbounded); return err }
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
		{gym, `{"responses_create_params": {}}`, "response: expected an object, found nothing"},
		{gym, `{"response": {}}`, "responses_create_params: expected an object, found nothing"},
		{gym, `{"responses_create_params": {}, "response": {"output": "x"}}`, "response.output: expected a list, found a text"},
		{sums, `{"verify_responses": [1]}`, "verify_responses[0]: expected an object, found a number"},
		{sums, `{"verify_responses": [{"_ng_task_index": "a"}]}`, `verify_responses[0]._ng_task_index: expected an integer, found "a"`},
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

func FuzzNemoGymVerify(f *testing.F) {
	fuzz(f, fmt.Sprintf(verify, `, "task": {"program": "x=1"}, "instance_config": {"a": 1}`), func(body []byte) (Call, error) {
		return NemoGymVerify(body, api.Defaults{})
	})
}

func FuzzNemoGymAggregate(f *testing.F) {
	f.Add([]byte(`{"verify_responses": [{"_ng_task_index": 0, "_ng_rollout_index": 1, "reward": 0.5, "a": true, "response": {"usage": {"n": 1e308}}}, {"reward": 1}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		text, err := NemoGymAggregate(body, api.Defaults{}, unbounded)
		if err == nil && !json.Valid(text) {
			t.Fatalf("no JSON: %s", text)
		}
	})
}
