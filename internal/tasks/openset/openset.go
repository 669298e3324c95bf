// Package openset is the open set: tasks of our own, and answers to them. Both are in
// the binary, so there is something to score without any file:
//
//	tasks, err := openset.Tasks()
//	answers, err := openset.Answers()
//	summary, err := evaluator.Run(ctx, tasks, evaluator.NewJSONL("answers", answers), evaluator.Options{})
//
// The folder tasks has the tasks as people write them. Package opensetgen makes the
// rows and answers from it. After a change to either:
//
//	go generate ./internal/tasks/openset
//	internal/tasks/openset/record
//
// The second command records what the real flake8 and CPython find in every row; the
// tests compare this with the linter.
package openset

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"

	"codelinter/evaluator/task"
	"codelinter/internal/tasks/dataset"
)

//go:generate go run generate.go

var (
	//go:embed embedded/tasks.jsonl.gz
	packedTasks []byte
	//go:embed embedded/answers.jsonl.gz
	packedAnswers []byte
)

// Tasks returns the tasks: small programs of many kinds, which together have most
// codes that flake8 can report in a program that runs. Each has a text, a clean
// canonical code, and tests that both programs pass. Some have options.
func Tasks() (*task.Set, error) {
	rows, err := unpack(packedTasks)
	if err != nil {
		return nil, err
	}
	return dataset.Read("open set", rows)
}

// Answers returns a file of samples for [Tasks], ten a task, in place of a model's.
// They are made from the tasks.
func Answers() (io.Reader, error) { return unpack(packedAnswers) }

// WriteTasks writes the tasks to w, a line of JSON each.
func WriteTasks(w io.Writer) error {
	rows, err := unpack(packedTasks)
	if err == nil {
		_, err = io.Copy(w, rows)
	}
	return err
}

func unpack(data []byte) (io.Reader, error) { return gzip.NewReader(bytes.NewReader(data)) }
