package api

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"codelinter/evaluator"
)

// Whatever a request is, it is read or refused, and its reply is JSON.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"id": 1, "task_id": 7, "completions": ["x = 1\n", null, 7], "verdict": "official", "reward": "shaped", "deadline_ms": 1e3}`,
		`{"id": {"a": [NaN]}, "completion": "\ud800\u0000", "completion": "y", "task": "{\"program\": \"x=1\"}"}`,
		`{"items": [{"completion": "x", "task": {"inputs": {"code": ""}, "meta": {"options": {"select": []}}}}, 7, [], {"items": 1}], "id": "\n"}`,
		`{"lint": {"code": "", "options": {"max-line-length": 10}}}`,
		`{"lint": {"files": {"a\ud800.py": "x", "a\ud800.py": "y"}}}`,
		"\ufeff{\"id\":\r\n[1,\t2],\"completions\":[[[[]]]]}",
		`{"task": {"program": "x", "tests": ["a", 1], "id": -0, "logic": "free"}, "completion": ""}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Decode(text, Defaults{})
		reply := Reply{ID: r.ID, Batch: r.Batch}
		if err != nil {
			reply.Error, reply.Line = err.Error(), 1
		}
		for i := range r.Items {
			item := &r.Items[i]
			if item.Verdict != evaluator.Official && item.Verdict != evaluator.Guarded && item.Fault == "" {
				t.Errorf("the verdict %q", item.Verdict)
			}
			if item.Fault == "" && item.Task.Inline != nil {
				if _, err := ParseTask(item.Task.Inline); err != nil && !utf8.ValidString(err.Error()) {
					t.Errorf("an error that is no UTF-8: %q", err)
				}
			}
			reply.Scores = append(reply.Scores, []Score{{Error: string(item.Fault), Reasons: []string{"a"}}})
		}
		if r.Lint != nil && err == nil {
			reply.Lint = &Findings{Single: r.Lint.Single}
			for _, file := range r.Lint.Files {
				reply.Lint.Files = append(reply.Lint.Files, FileFindings{Name: file.Name, JSON: []byte("[]")})
			}
		}
		if out := replyText(&reply); !json.Valid([]byte(out)) {
			t.Errorf("a reply that is no JSON: %s", out)
		}
	})
}
