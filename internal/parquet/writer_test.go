package parquet

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	library "github.com/parquet-go/parquet-go"
)

type writtenMessage struct {
	Role string   `json:"role" parquet:"role"`
	Tags []string `json:"tags" parquet:"tags,list"`
}

type writtenRow struct {
	ID       int64            `json:"id" parquet:"id"`
	Messages []writtenMessage `json:"messages" parquet:"messages,list"`
	Meta     struct {
		Text string    `json:"text" parquet:"text"`
		N    [][]int64 `json:"n" parquet:"-"`
	} `json:"meta" parquet:"meta"`
}

func writtenRows() (rows []writtenRow) {
	for i := range int64(40) {
		row := writtenRow{ID: i - 20}
		row.Meta.Text = strings.Repeat("é\x00", int(i))
		row.Meta.N = [][][]int64{nil, {{1, 2}, {}, {3}}, {{}}}[i%3]
		for j := range i % 4 {
			row.Messages = append(row.Messages, writtenMessage{"user", []string{"a", "", "b"}[:j]})
		}
		rows = append(rows, row)
	}
	rows[17].Meta.Text = strings.Repeat("x", groupSize)
	rows[18].Meta.Text = strings.Repeat("y", groupSize)
	return rows
}

func TestWrite(t *testing.T) {
	rows := writtenRows()
	var file bytes.Buffer
	if err := Write(&file, slices.Values(rows)); err != nil {
		t.Fatal(err)
	}
	// By the library, which has no lists of lists.
	r := library.NewGenericReader[writtenRow](bytes.NewReader(file.Bytes()))
	got := make([]writtenRow, len(rows))
	if n, err := r.Read(got); n != len(rows) || err != nil && err != io.EOF {
		t.Fatal(n, err)
	}
	for i := range got {
		got[i].Meta.N = rows[i].Meta.N
	}
	empty := cmp.FilterValues(func(a, b []string) bool { return len(a)+len(b) == 0 }, cmp.Ignore())
	none := cmp.FilterValues(func(a, b []writtenMessage) bool { return len(a)+len(b) == 0 }, cmp.Ignore())
	if diff := cmp.Diff(rows, got, empty, none); diff != "" {
		t.Errorf("%.1000s", diff)
	}
	opened, err := library.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil || len(opened.RowGroups()) != 3 {
		t.Errorf("%d row groups, %v; want 3", len(opened.RowGroups()), err)
	}
	// By ourselves.
	reader, err := Open(bytes.NewReader(file.Bytes()), int64(file.Len()), 1<<28)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"id":-20,"messages":[],"meta":{"n":[],"text":""}}`,
		`{"id":-19,"messages":[{"role":"user","tags":[]}],"meta":{"n":[[1,2],[],[3]],"text":"é\u0000"}}`,
	} {
		row, err := reader.Next()
		if err != nil || string(row) != want {
			t.Errorf("%s, %v; want %s", row, err, want)
		}
	}
}

// A file of no rows is whole, and the writer's error is Write's.
func TestWriteEnds(t *testing.T) {
	var file bytes.Buffer
	if err := Write(&file, slices.Values([]writtenRow{})); err != nil {
		t.Fatal(err)
	}
	if rows, err := rowsOf(file.Bytes()); len(rows) != 0 || err != nil {
		t.Error(rows, err)
	}
	opened, err := library.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil || opened.NumRows() != 0 {
		t.Error(err)
	}
	full := errors.New("full")
	for n := range int64(300) {
		if err := Write(&failing{left: n, err: full}, slices.Values([]writtenRow{{ID: 1}})); err != full {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

// A failing writer takes some bytes.
type failing struct {
	left int64
	err  error
}

func (f *failing) Write(data []byte) (int, error) {
	if f.left -= int64(len(data)); f.left < 0 {
		return 0, f.err
	}
	return len(data), nil
}
