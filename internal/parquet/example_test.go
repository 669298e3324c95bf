package parquet_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"slices"
	"testing"

	library "github.com/parquet-go/parquet-go"

	"codelinter/internal/parquet"
)

type message struct {
	Role    string `json:"role" parquet:"role"`
	Content string `json:"content" parquet:"content"`
}

type conversation struct {
	ID       int64     `json:"id" parquet:"id"`
	Messages []message `json:"messages" parquet:"messages,list"`
}

func Example() {
	var file bytes.Buffer
	rows := []conversation{{1, []message{{"user", "x=1"}}}, {2, nil}}
	if err := parquet.Write(&file, slices.Values(rows)); err != nil {
		log.Fatal(err)
	}
	reader, err := parquet.Open(bytes.NewReader(file.Bytes()), int64(file.Len()), 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	for {
		row, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", row)
	}
	// Output:
	// {"id":1,"messages":[{"content":"x=1","role":"user"}]}
	// {"id":2,"messages":[]}
}

// benchmarkFile is 10,000 conversations, and how many bytes their JSON has.
func benchmarkFile(b *testing.B) (file []byte, size int64) {
	var rows []conversation
	for i := range int64(10_000) {
		row := conversation{ID: i}
		for j := range i % 4 {
			row.Messages = append(row.Messages, message{"user", fmt.Sprintf("x = %d\nif x == None:\n    print( \"%d\" )\n", i, j)})
		}
		rows = append(rows, row)
	}
	var out bytes.Buffer
	if err := parquet.Write(&out, slices.Values(rows)); err != nil {
		b.Fatal(err)
	}
	reader, err := parquet.Open(bytes.NewReader(out.Bytes()), int64(out.Len()), 1<<20)
	for err == nil {
		var row []byte
		row, err = reader.Next()
		size += int64(len(row))
	}
	if err != io.EOF {
		b.Fatal(err)
	}
	return out.Bytes(), size
}

func BenchmarkReader(b *testing.B) {
	file, size := benchmarkFile(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		reader, err := parquet.Open(bytes.NewReader(file), int64(len(file)), 1<<20)
		for err == nil {
			_, err = reader.Next()
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
}

// BenchmarkLibrary reads the same rows as values, without making JSON of them.
func BenchmarkLibrary(b *testing.B) {
	file, size := benchmarkFile(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		opened, err := library.OpenFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			b.Fatal(err)
		}
		reader := library.NewGenericReader[any](opened)
		rows := make([]any, 64)
		for err == nil {
			clear(rows)
			_, err = reader.Read(rows)
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
}
