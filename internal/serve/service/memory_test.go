package service

import (
	"fmt"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/internal/serve/api"
)

// Whatever is asked has a question of its own: by text, verdict, reward and task.
func TestAsk(t *testing.T) {
	seen := map[question]string{}
	var memory []byte
	byPlace := &known{Task: new(task.Task)}
	byPlace.key[0] = 17 // the task in place 17
	// An answer that is all that a question with a task has after its first bytes.
	disguised := string(make([]byte, 8)) + "\x01\x00\x00\x00\x00\x00\x00\x00" + "y"
	for _, text := range []string{"", "x", "y", disguised} {
		for _, verdict := range evaluator.Verdicts() {
			for _, task := range []*known{nil, byPlace, {Task: new(task.Task), key: digest{1}}} {
				for reward := range 2 {
					item := &api.Item{Verdict: verdict}
					if reward == 1 {
						item.Reward = judge.Shaped
					}
					what := fmt.Sprintf("%q, %s, %v, %v", text, verdict, task, item.Reward)
					q := ask(&memory, &unit{item: item, task: task, text: text})
					if other, ok := seen[q]; ok {
						t.Errorf("%s and %s are one question", what, other)
					}
					seen[q] = what
				}
			}
		}
	}
	u := unit{item: &api.Item{}, text: string(make([]byte, 500))}
	if n := testing.AllocsPerRun(10, func() { ask(&memory, &u) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
