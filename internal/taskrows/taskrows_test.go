package taskrows

import (
	"fmt"
	"testing"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
)

// Tasks share the texts and options that are equal, and only those; what is wrong with one is said
// each time.
func TestRecent(t *testing.T) {
	read := func(instruction, options string) (task.Task, error) {
		text := fmt.Sprintf(`{"instruction": %q, "inputs": {"code": "", "feedback": ""}, "meta": {"id": 1, "options": %s}}`, instruction, options)
		return Parse(rows.Row{Text: []byte(text)}, true)
	}
	first, err := read("a", `{"max-complexity": 5}`)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 { // more than there are places
		instruction := fmt.Sprint("fix ", i)
		got, err := read(instruction, fmt.Sprintf(`{"max-complexity": %d}`, i))
		if err != nil || got.Instruction != instruction || got.Meta.Options.Lint().MaxComplexity != i {
			t.Fatalf("%d: %+v, %v", i, got, err)
		}
		again, err := read(instruction, fmt.Sprintf(`{"max-complexity": %d}`, i))
		if err != nil || again.Meta.Options != got.Meta.Options {
			t.Errorf("%d: other options for the same text, %v", i, err)
		}
		if got.Meta.Options == first.Meta.Options && i != 5 {
			t.Errorf("%d: the options of another text", i)
		}
	}
	for range 2 {
		if _, err := read("a", `{"no": 1}`); err == nil {
			t.Error("an unknown option is no error")
		}
	}
}
