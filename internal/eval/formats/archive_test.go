package formats

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"codelinter/evaluator"
	"codelinter/internal/rows/packed"
	"codelinter/internal/testenv/bench"
)

func TestMain(m *testing.M) {
	packed.RunChild()
	bench.Main(m)
}

// Tables, as the datasets library writes them, have fields as columns.
func TestParquet(t *testing.T) {
	type own struct {
		ID      int64    `parquet:"id"`
		Outputs []string `parquet:"outputs,list"`
	}
	type completion struct {
		TaskID     string `parquet:"task_id"`
		Completion string `parquet:"completion"`
	}
	files := map[Format][]byte{
		JSONL:     table(t, []own{{7, []string{"a", "é\n"}}, {8, nil}}),
		HumanEval: table(t, []completion{{"Mbpp/7", "a"}, {"Mbpp/8", "b"}, {"Mbpp/7", "é\n"}}),
	}
	want := map[Format][]evaluator.Samples{
		JSONL:     {{ID: "7", Outputs: []string{"a", "é\n"}}, {ID: "8", Outputs: []string{}}},
		HumanEval: {{ID: "7", Outputs: []string{"a", "é\n"}}, {ID: "8", Outputs: []string{"b"}}},
	}
	tasks := newTasks(t, "7", "8")
	for format, file := range files {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		fromFile, err := Open(path, Auto, tasks)
		fromPipe, pipeErr := Read("s", bytes.NewReader(file), Auto, tasks)
		if err != nil || pipeErr != nil {
			t.Fatal(err, pipeErr)
		}
		for _, source := range []*File{fromFile, fromPipe} {
			got, err := drain(source)
			source.Close()
			if err != nil || source.Format() != format {
				t.Errorf("%s: read as %s: %v", format, source.Format(), err)
			}
			if diff := cmp.Diff(want[format], got); diff != "" {
				t.Errorf("%s: %s", format, diff)
			}
		}
	}
	source, err := Read("s", bytes.NewReader(table(t, []completion{{"7", "a"}, {"", "b"}})), Auto, tasks)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := drain(source); err == nil || err.Error() != `s: row 2: task_id: expected an integer or a text, found ""` {
		t.Error(err)
	}
	if _, err := Read("s", bytes.NewReader(files[JSONL]), Inspect, tasks); err == nil || err.Error() != "s: expected a file of format inspect, found a Parquet file" {
		t.Error(err)
	}
}

func table[T any](t *testing.T, rows []T) []byte {
	var out bytes.Buffer
	w := parquet.NewGenericWriter[T](&out)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A folder of results has one log, or the one of the benchmark among others.
func TestFolderOfLogs(t *testing.T) {
	const (
		good  = `{"doc_id": 0, "doc": {"meta": {"id": 7}}, "resps": [["a"]]}`
		other = "?"

		inspectLog = `{"version": 2, "eval": {}, "samples": [{"id": 7, "epoch": 1, "output": {"choices": [{"message": {"content": "a"}}]}}]}`
	)
	tests := []struct {
		files  []string // names and texts
		format Format
		want   string // the file that is read, or the error after the folder
	}{
		{[]string{"m/samples_x_2026-01-01T00-00-00.1.jsonl", good, "m/results_2026-01-01T00-00-00.1.json", other}, Auto, "m/samples_x_2026-01-01T00-00-00.1.jsonl"},
		{[]string{"samples_x.json", good, "results.json", other}, LMEval, "samples_x.json"},
		{[]string{"m/samples_x.jsonl", other, "m/samples_codelintereval_1.jsonl", good}, Auto, "m/samples_codelintereval_1.jsonl"},
		{[]string{"m/samples_x.jsonl", good, "n/samples_x.jsonl", good}, Auto, `: expected one log of samples in the folder, found 2: "m/samples_x.jsonl", "n/samples_x.jsonl"`},
		{[]string{"results.json", good}, LMEval, ": expected one log of samples in the folder, found none"},
		{[]string{"results.json", good}, Auto, ": expected a folder for each task with its programs in it, 0.py and so on; found none"},
		{[]string{"m/samples_x.jsonl", good}, BigCode, ": expected a file of format bigcode, found a folder"},
		{[]string{"m/samples_x.jsonl", good}, EvalPlus, ": expected a folder for each task with its programs in it, 0.py and so on; found none"},
		{[]string{"x.eval", string(archived(t, "header.json", "{}", "samples/7_epoch_1.json", inspectSamples[:strings.IndexByte(inspectSamples, '\n')]))}, Auto, "x.eval"},
		{[]string{"2025-01-31T12-00-00_codelintereval_1.json", inspectLog, "logs.json", other}, Auto, "2025-01-31T12-00-00_codelintereval_1.json"},
		{[]string{"2025-01-31T12-00-00+00-00_x.json", inspectLog}, Inspect, "2025-01-31T12-00-00+00-00_x.json"},
		{[]string{"2025-01-31T12-00-00_x.json", inspectLog}, LMEval, ": expected one log of samples in the folder, found none"},
	}
	for _, test := range tests {
		dir := t.TempDir()
		for i := 0; i < len(test.files); i += 2 {
			path := filepath.Join(dir, test.files[i])
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(test.files[i+1]), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		source, err := Open(dir, test.format, newTasks(t, "7"))
		got := strings.TrimPrefix(fmt.Sprint(err), dir)
		if err == nil {
			got, _ = filepath.Rel(dir, source.name)
			if all, err := drain(source); err != nil || len(all) != 1 || all[0].ID != "7" {
				t.Errorf("%q: %v, %v", test.files, all, err)
			}
			source.Close()
		}
		got = filepath.ToSlash(strings.ReplaceAll(got, `\\`, `\`)) // quoted, on Windows
		if got != test.want {
			t.Errorf("%q as %s: %s\nwant %s", test.files, test.format, got, test.want)
		}
	}
}

// Archives that are not what they seem.
func TestOddArchives(t *testing.T) {
	good := archived(t, "../../x.json", `{"id": 7, "outputs": ["a"]}`)
	central := bytes.Index(good, []byte("PK\x01\x02"))
	change := func(at int, b ...byte) []byte {
		archive := bytes.Clone(good)
		copy(archive[at:], b)
		return archive
	}
	tests := []struct {
		archive []byte
		want    string
	}{
		{good, "<nil>"},
		{good[:len(good)-1], "s: zip: not a valid zip file"},
		{change(central+8, 1), "s/../../x.json: expected a file that can be read without a password, found an encrypted one"},
		{change(central+10, 14), "s/../../x.json: expected a file that is deflated, in zstd or as it is, found compression method 14"},
		{change(central+16, 0, 0, 0, 0), "s/../../x.json:1: zip: checksum error"},
		{archived(t, "a\x1b[2J.json", "?"), `s/"a\x1b[2J.json":1: expected samples (jsonl, lm-eval, submission, human-eval, evalplus, bigcode, inspect, openai-batch), found "?"; if it is one of them, say which by --samples-format`},
	}
	for _, test := range tests {
		source, err := Read("s", bytes.NewReader(test.archive), Auto, newTasks(t, "7"))
		if err == nil {
			_, err = drain(source)
			source.Close()
		}
		if fmt.Sprint(err) != test.want {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}
