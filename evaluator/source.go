package evaluator

import "codelinter/evaluator/dataset"

// A Source is a file of samples: [dataset.Lines] is one of our own format, and
// package samples opens those of others.
type Source interface {
	// Next returns the next task's samples as they stand in the file, in text
	// that is valid until the next call, or io.EOF after the last.
	Next() (dataset.Line, error)
	// Parse reads what Next returned, or a copy of it, on any goroutine.
	Parse(dataset.Line) (dataset.Samples, error)
}
