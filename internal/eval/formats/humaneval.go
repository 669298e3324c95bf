package formats

import (
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// completions are files of human-eval and EvalPlus, a row a sample:
//
//	{"task_id": "HumanEval/7", "completion": "..."}
//	{"task_id": "HumanEval/7", "solution": "..."}
type completions struct {
	solutions bool // some rows have solutions
}

func (c *completions) answers(row rows.Row, f func(answer) error) error {
	fields, err := row.Find("task_id", "completion", "solution")
	if err != nil {
		return err
	}
	var a answer
	if err = row.ID("task_id", fields["task_id"], &a.id); err != nil {
		return err
	}
	field := "completion"
	if c.solutions && (pyjson.Present(fields["solution"]) || fields["completion"] == nil) {
		field = "solution"
	}
	a.text = fields[field]
	switch {
	case a.text == nil && c.solutions:
		return row.Errorf("expected a solution or a completion, found neither")
	case a.text == nil:
		return row.Missing(field, "a text")
	case a.text[0] != '"':
		return row.Errorf("%s: expected a text, found %s", field, pyjson.Kind(a.text))
	}
	return f(a)
}

func (c *completions) asked() []task.ID { return nil }

func (c *completions) notes() []string { return nil }
