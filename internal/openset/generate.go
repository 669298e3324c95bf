//go:build ignore

// Command generate makes embedded/tasks.jsonl.gz and embedded/answers.jsonl.gz from
// the folder tasks. It is run by go generate in this folder, and no package of the
// module, so that go install ./... installs none of it.
package main

import (
	"bytes"
	"compress/gzip"
	"log"
	"os"

	"codelinter/internal/openset/internal/generator"
)

func main() {
	var tasks, answers bytes.Buffer
	if err := generator.Generate(&tasks, &answers, os.DirFS("tasks")); err != nil {
		log.Fatal(err)
	}
	pack("embedded/tasks.jsonl.gz", tasks.Bytes())
	pack("embedded/answers.jsonl.gz", answers.Bytes())
}

// pack writes text to a file in gzip.
func pack(path string, text []byte) {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		log.Fatal(err)
	}
	zip.Write(text) // a buffer takes all
	if err := zip.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(path, packed.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
