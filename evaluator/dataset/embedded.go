package dataset

import (
	"bytes"
	_ "embed"
)

var (
	//go:embed embedded/tasks.jsonl
	embeddedTasks []byte
	//go:embed embedded/samples.jsonl
	embeddedSamples []byte
)

// EmbeddedTasks returns a few tasks of our own, as examples.
func EmbeddedTasks() (*Tasks, error) {
	return ReadTasks("embedded tasks", bytes.NewReader(embeddedTasks))
}

// EmbeddedSamples returns completions of our own for [EmbeddedTasks], as a file
// of samples: some pass, some do not, and their code stands in every kind of
// place. The caller must not change the bytes.
func EmbeddedSamples() []byte { return embeddedSamples }
