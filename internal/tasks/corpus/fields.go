package corpus

import (
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// Fields are the names of the fields in rows. A name with a dot is a field of a
// field, as in "meta.id".
type Fields struct {
	ID, Code, Text, Setup, Tests, Challenge string
}

// MBPP is the fields of MBPP's rows.
var MBPP = Fields{"task_id", "code", "text", "test_setup_code", "test_list", "challenge_test_list"}

// Names returns the top-level fields that Parse needs.
func (f *Fields) Names() []string {
	names := []string{f.ID, f.Code, f.Text, f.Setup, f.Tests, f.Challenge}
	for _, name := range names {
		if outer, _, dotted := strings.Cut(name, "."); dotted {
			names = append(names, outer)
		}
	}
	return names
}

// Parse reads a row. Only the id and the code are required.
func (f *Fields) Parse(line rows.Row) (code string, row task.Row, err error) {
	fields, err := line.Find(f.Names()...)
	if err != nil {
		return "", row, err
	}
	r := rows.FieldReader{Row: line}
	r.ID(f.ID, field(fields, f.ID), true, &row.TaskID)
	code = r.Text(f.Code, field(fields, f.Code), true)
	row.Text = r.Text(f.Text, field(fields, f.Text), false)
	row.TestSetupCode = r.Text(f.Setup, field(fields, f.Setup), false)
	row.TestList = readTests(&r, f.Tests, field(fields, f.Tests))
	row.ChallengeTestList = readTests(&r, f.Challenge, field(fields, f.Challenge))
	return code, row, r.Err
}

// readTests reads a list of tests, or one test, as in HumanEval.
func readTests(r *rows.FieldReader, path string, value []byte) []string {
	if pyjson.Kind(value) == "a text" {
		return []string{r.Text(path, value, false)}
	}
	return r.Texts(path, value)
}

// field returns a field of an object, or of an object in it.
func field(object map[string][]byte, name string) []byte {
	if value, ok := object[name]; ok {
		return value
	}
	outer, inner, dotted := strings.Cut(name, ".")
	if !dotted {
		return nil
	}
	next, _, _ := strings.Cut(inner, ".")
	nested, _ := pyjson.Find(object[outer], inner, next)
	return field(nested, inner)
}
