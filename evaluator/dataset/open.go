package dataset

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

//go:generate go run -C ../.. ./evaluator/dataset/open

var (
	//go:embed embedded/open.jsonl.gz
	openSet []byte
	//go:embed embedded/open_answers.jsonl.gz
	openAnswers []byte
)

// OpenSet returns the tasks of our own: small programs of many kinds, with
// between them most of the codes that flake8 can report in a program that runs.
// Each has a text, a clean canonical code, and tests that both its programs pass.
// Some have options. The folder open holds them as people write them.
func OpenSet() (*Tasks, error) {
	rows, err := gzip.NewReader(bytes.NewReader(openSet))
	if err != nil {
		return nil, err
	}
	return ReadTasks("open set", rows)
}

// OpenAnswers returns a file of samples of [OpenSet], ten a task, drawn from the
// tasks themselves: they stand in for a model's where there is none.
func OpenAnswers() (io.Reader, error) {
	return gzip.NewReader(bytes.NewReader(openAnswers))
}

// WriteOpenSet writes the tasks of OpenSet to w, a line of JSON each.
func WriteOpenSet(w io.Writer) error {
	rows, err := gzip.NewReader(bytes.NewReader(openSet))
	if err != nil {
		return err
	}
	_, err = io.Copy(w, rows)
	return err
}
