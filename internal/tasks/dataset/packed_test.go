package dataset

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"codelinter/evaluator/task"
	"codelinter/internal/rows/packed"
)

func TestMain(m *testing.M) {
	packed.RunChild()
	os.Exit(m.Run())
}

// A hubTask has the columns that the hub's files have: all are optional, as
// Arrow writes them, and a list's items are called element.
type hubTask struct {
	Instruction *string   `parquet:"instruction,optional"`
	Inputs      hubInputs `parquet:"inputs,optional"`
	Outputs     *string   `parquet:"outputs,optional"`
	Meta        hubMeta   `parquet:"meta,optional"`
}

type hubInputs struct {
	Code     *string `parquet:"code,optional,dict"`
	Feedback *string `parquet:"feedback,optional"`
}

type hubMeta struct {
	ID            *int64   `parquet:"id,optional"`
	CanonicalCode *string  `parquet:"canonical_code,optional"`
	TestList      []string `parquet:"test_list,optional,list"`
}

// parquetOf writes rows as Parquet.
func parquetOf[T any](t testing.TB, rows []T, options ...parquet.WriterOption) []byte {
	var out bytes.Buffer
	w := parquet.NewGenericWriter[T](&out, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func newHubTask(id int64, code string) hubTask {
	instruction, feedback, outputs := "{feedback} {code}", "f", ""
	return hubTask{&instruction, hubInputs{&code, &feedback}, &outputs, hubMeta{&id, nil, []string{"assert 1", "<é>"}}}
}

// The same tasks in every format, from a file and from a pipe, plain or not.
func TestTaskFormats(t *testing.T) {
	const n = 200 // several batches
	var rows []hubTask
	var want []task.Task
	var lines bytes.Buffer
	for i := range int64(n) {
		rows = append(rows, newHubTask(i-1, strings.Repeat("x=1\n", int(i)%7)))
		made := task.Task{Instruction: "{feedback} {code}", Inputs: task.Inputs{Code: *rows[i].Inputs.Code, Feedback: "f"}, Outputs: json.RawMessage(`""`), Meta: task.Meta{ID: task.ID(idText(i - 1))}}
		made.Meta.Row = &task.Row{TestList: rows[i].Meta.TestList}
		want = append(want, made)
		if err := json.NewEncoder(&lines).Encode(made); err != nil {
			t.Fatal(err)
		}
	}
	listed := "[\n" + strings.ReplaceAll(strings.TrimSpace(lines.String()), "}\n{", "},\n{") + "\n]\n"
	files := map[string][]byte{
		"JSONL":                  lines.Bytes(),
		"JSON":                   []byte("\ufeff " + listed),
		"Parquet":                parquetOf(t, rows),
		"Parquet, snappy":        parquetOf(t, rows, parquet.Compression(&parquet.Snappy)),
		"Parquet, zstd":          parquetOf(t, rows, parquet.Compression(&parquet.Zstd)),
		"Parquet, small groups":  parquetOf(t, rows, parquet.MaxRowsPerRowGroup(33)),
		"Parquet, pages of old":  parquetOf(t, rows, parquet.DataPageVersion(1)),
		"Parquet, texts unnamed": parquetOf(t, unnamed(rows)),
	}
	for name, text := range files {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write(text)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "tasks")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		file, err := Open(path)
		plain, plainErr := Read("t", iotest.HalfReader(bytes.NewReader(text)))
		gzipped, gzippedErr := Read("t", &packed)
		for from, read := range map[string]struct {
			tasks *task.Set
			err   error
		}{"file": {file, err}, "pipe": {plain, plainErr}, "gzip": {gzipped, gzippedErr}} {
			if read.err != nil {
				t.Errorf("%s from a %s: %v", name, from, read.err)
			} else if diff := cmp.Diff(want, list(read.tasks)); diff != "" {
				t.Errorf("%s from a %s: %s", name, from, diff)
			}
		}
	}
}

func idText(id int64) string {
	text, _ := json.Marshal(id)
	return string(text)
}

// unnamed is rows with columns of bytes.
func unnamed(rows []hubTask) []bytesTask {
	var all []bytesTask
	for _, row := range rows {
		task := bytesTask{Instruction: []byte(*row.Instruction), Outputs: []byte(*row.Outputs)}
		task.Inputs.Code, task.Inputs.Feedback = []byte(*row.Inputs.Code), []byte(*row.Inputs.Feedback)
		task.Meta.ID, task.Meta.TestList = []byte(idText(*row.Meta.ID)), row.Meta.TestList
		all = append(all, task)
	}
	return all
}

type bytesTask struct {
	Instruction []byte `parquet:"instruction"`
	Inputs      struct {
		Code     []byte `parquet:"code"`
		Feedback []byte `parquet:"feedback"`
	} `parquet:"inputs"`
	Outputs []byte `parquet:"outputs"`
	Meta    struct {
		ID       []byte   `parquet:"id"`
		TestList []string `parquet:"test_list,list"`
	} `parquet:"meta"`
}

func TestTaskFormatsRefuse(t *testing.T) {
	whole := parquetOf(t, []hubTask{newHubTask(1, "x"), newHubTask(2, "y")}, parquet.Compression(&parquet.Snappy))
	other := newHubTask(1, "x")
	other.Inputs.Code = nil
	bad := newHubTask(2, "\xff")
	tests := []struct {
		text []byte
		want string // the error begins with it
	}{
		{[]byte("PAR1"), "t: expected a whole Parquet file: "},
		{whole[:len(whole)-9], "t: expected a whole Parquet file: "},
		{append([]byte("PAR1 is how the text begins"), make([]byte, 100)...), "t: expected a whole Parquet file: "},
		{parquetOf(t, []hubTask{newHubTask(1, "x"), other}), "t: row 2: field inputs.code is missing: expected a text"},
		{parquetOf(t, []hubTask{newHubTask(1, "x"), newHubTask(1, "y")}), "t: row 2: meta.id 1 is already the id of row 1: expected unique ids"},
		{parquetOf(t, []hubTask{newHubTask(1, "x"), bad}), "t: row 2: expected UTF-8, found other bytes"},
		{parquetOf(t, []struct{ A int }{{1}}), "t: row 1: field instruction is missing: expected a text"},
		{parquetOf(t, []hubTask{}), "t: expected at least one task, found none"},
		{[]byte("[" + goodTask + "\n" + goodTask + "]"), "t:2: row 1: expected a ','"},
		{[]byte("[" + goodTask + ",\n" + goodTask + "]"), "t:2: row 2: meta.id 1 is already the id of row 1: expected unique ids"},
		{[]byte("[" + goodTask), "t:1: row 1: expected the rest of the JSON, found the end of the file"},
		{[]byte("[" + goodTask + "] x"), "t:1: row 1: expected the end of the file, found \"x\""},
		{[]byte("[" + goodTask + ",]"), "t:1: row 2: expected a value, found \"]\""},
		{[]byte("[\n\n7]"), "t:3: row 1: expected a JSON object, found \"7\""},
		{[]byte("[]"), "t: expected at least one task, found none"},
	}
	for _, test := range tests {
		_, err := Read("t", bytes.NewReader(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%.60q: %v\nwant %s", test.text, err, test.want)
		}
	}
	// A file that is cut anywhere is refused, and nothing panics.
	for cut := 0; cut < len(whole); cut += 1 + len(whole)/50 {
		if _, err := Read("t", bytes.NewReader(whole[:cut])); err == nil {
			t.Errorf("a Parquet file of %d bytes, cut after %d, is taken", len(whole), cut)
		}
	}
}
