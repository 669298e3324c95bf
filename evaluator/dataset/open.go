package dataset

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

//go:generate go run -C ../.. ./evaluator/dataset/open

//go:embed embedded/open.jsonl.gz
var openSet []byte

// OpenSet returns the tasks of our own: small programs of many kinds, with
// between them most of the codes that flake8 reports by default in a program
// that runs. Each has a text, a clean canonical code, and tests that both its
// programs pass. The folder open holds them as people write them.
func OpenSet() (*Tasks, error) {
	rows, err := gzip.NewReader(bytes.NewReader(openSet))
	if err != nil {
		return nil, err
	}
	return ReadTasks("open set", rows)
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
