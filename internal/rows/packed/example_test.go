package packed_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"codelinter/internal/rows/packed"
)

func ExampleOpen() {
	var file bytes.Buffer
	zip := gzip.NewWriter(&file)
	io.WriteString(zip, "[{\"id\": 7},\n {\"id\": 8}]")
	zip.Close()
	reader, format, err := packed.Open("tasks.json.gz", &file)
	if err != nil {
		log.Fatal(err)
	}
	for row, err := reader.Next(); err == nil; row, err = reader.Next() {
		fmt.Println(format, row.Place(), string(row.Text))
	}
	// Output:
	// JSON 1 {"id": 7}
	// JSON 2 {"id": 8}
}

// Rows of Parquet are objects, whose columns that a row leaves out are no fields.
func TestParquet(t *testing.T) {
	type row struct {
		ID   int64    `parquet:"id"`
		Text *string  `parquet:"text,optional"`
		Tags []string `parquet:"tags,list"`
	}
	text := "é<\n"
	var file bytes.Buffer
	w := parquet.NewGenericWriter[row](&file)
	if _, err := w.Write([]row{{1, &text, []string{"a"}}, {2, nil, nil}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	reader, format, err := packed.Open("t", bytes.NewReader(file.Bytes()))
	if err != nil || format != packed.Parquet {
		t.Fatal(format, err)
	}
	for _, want := range []string{`{"id":1,"tags":["a"],"text":"é<\n"}`, `{"id":2,"tags":[]}`} {
		row, err := reader.Next()
		if err != nil || string(row.Text) != want || row.Line != 0 {
			t.Errorf("%s, %v; want %s", row.Text, err, want)
		}
	}
	if _, err := reader.Next(); err != io.EOF {
		t.Errorf("after the last row: %v", err)
	}
}

// What gzip says of a broken file names the file.
func TestGunzip(t *testing.T) {
	for _, text := range []string{"\x1f\x8b", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x00"} {
		in, _, err := packed.Gunzip("t", strings.NewReader(text))
		if err == nil {
			_, err = io.ReadAll(in)
		}
		if err == nil || !strings.Contains(err.Error(), "expected a whole gzip file") {
			t.Errorf("%q: %v", text, err)
		}
	}
	in, was, err := packed.Gunzip("t", strings.NewReader("plain"))
	if text, _ := io.ReadAll(in); err != nil || was || string(text) != "plain" {
		t.Errorf("%q, %v, %v", text, was, err)
	}
}
