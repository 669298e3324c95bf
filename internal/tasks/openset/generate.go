//go:build ignore

// Command generate makes embedded/tasks.jsonl.gz and embedded/answers.jsonl.gz from
// the folder tasks. go generate runs it in this folder. It belongs to no package of
// the module, so go install ./... does not install it.
package main

import (
	"bytes"
	"compress/gzip"
	"log"
	"os"

	"codelinter/internal/tools/opensetgen"
)

func main() {
	var tasks, answers bytes.Buffer
	if err := opensetgen.Generate(&tasks, &answers, os.DirFS("tasks")); err != nil {
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
	zip.Write(text) // cannot fail
	if err := zip.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(path, packed.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
