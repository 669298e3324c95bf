package samples

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/evaluator/dataset"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// What tasks of the harness that ask for likelihoods log is no answer.
func TestLikelihoods(t *testing.T) {
	for _, text := range []string{
		`{"doc_id": 0, "doc": {}, "arguments": {"gen_args_0": {"arg_0": "a", "arg_1": " b"}, "gen_args_1": {"arg_0": "a", "arg_1": " c"}}, "resps": [[["-1.5", "True"]], [["-2.5", "False"]]]}`,
		`[{"doc_id": 0, "doc": {}, "arguments": [["a", " b"]], "resps": [[[-1.5, true]]]}]`,
		`{"doc_id": 0, "doc": {}, "arguments": {"gen_args_0": {"arg_0": "a"}}, "resps": [["-120.5"]]}`,
	} {
		source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7"))
		if err == nil {
			_, err = drain(source)
		}
		if err == nil || !strings.Contains(err.Error(), "resps: expected answers of a model, found likelihoods: the task's output_type must be generate_until") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Version 0.4.2 wrote a list, without names of filters; docs may begin anywhere.
func TestOldLMEval(t *testing.T) {
	const text = `[
  {
    "doc_id": 2,
    "doc": {"text": "b"},
    "target": "",
    "arguments": [["p", {"until": ["x"]}]],
    "resps": [["c", "d"]],
    "filtered_resps": [[1, 0]],
    "pass@1": NaN
  },
  {"doc_id": 1, "doc": {"text": "b"}, "arguments": [["p", {"until": ["x"]}]], "resps": [["a"], ["b"]], "filtered_resps": ["a", "b"], "pass@1": 0.5},
  {"doc_id": 2, "doc": {"text": "b"}, "arguments": [["p", {"until": ["x"]}]], "resps": [["c", "d"]], "filtered_resps": ["c"]}
]`
	source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7", "8", "9"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := drain(source)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]dataset.Samples{{ID: "9", Outputs: []string{"c", "d"}}, {ID: "8", Outputs: []string{"a", "b"}}}, got); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"s: read as lm-eval",
		"s: lines that repeat a doc's generations for another filter, left out: 1",
		"s: docs without an id, whose doc_id is taken as the place of the task, from 0: 3",
	}
	if diff := cmp.Diff(want, source.Notes()); diff != "" {
		t.Error(diff)
	}
}

// A log of inspect_ai: epochs are samples, whatever the order; some samples have
// parts, several choices, no content, or ended in an error.
const inspectSamples = `{"id": 7, "epoch": 2, "output": {"choices": [{"message": {"content": "b"}}]}}
{"id": "T/8", "epoch": 1, "output": {"choices": [{"message": {"content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "one\n"}, {"type": "text", "text": "two \u00e9"}]}}]}}
{"id": 7, "epoch": 1, "output": {"choices": [{"message": {"content": "a"}}, {"message": {"content": "A"}}]}}
{"id": 7, "epoch": 4, "output": {"model": "m", "choices": [], "completion": ""}, "error": {"message": "e"}}
{"id": 7, "epoch": 10, "output": {"choices": [{"message": {"role": "assistant"}}]}, "metadata": {"x": Infinity}}`

func TestInspect(t *testing.T) {
	tasks := newTasks(t, "7", "T/8")
	want := []dataset.Samples{{ID: "7", Outputs: []string{"a", "A", "b", ""}}, {ID: "T/8", Outputs: []string{"one\n\ntwo é"}}}
	rows := strings.Split(inspectSamples, "\n")
	files := map[string][]byte{"json": []byte(`{"version": 2, "status": "success", "eval": {}, "samples": [` + strings.Join(rows, ",\n") + `]}`)}
	for method, name := range map[uint16]string{zip.Deflate: "deflate", zstd.ZipMethodWinZip: "zstd", zip.Store: "store"} {
		var archive bytes.Buffer
		w := zip.NewWriter(&archive)
		w.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
		add := func(name, text string) {
			file, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(file, text)
		}
		add("_journal/start.json", "{}")
		add("samples/7_epoch_2.json", rows[0])
		add("samples/T/8_epoch_1.json", strings.Replace(rows[1], "two", "superseded", 1))
		add("samples/7_epoch_1.json", rows[2])
		add("samples/T/8_epoch_1.json", rows[1])
		add("samples/7_epoch_4/sample.json", rows[3])
		add("samples/7_epoch_4/events/stats.json", "{}")
		add("samples/7_epoch_4/messages/0.json", "[]")
		add("_journal/summaries/1.json", "[]")
		add("samples/7_epoch_10.json", "\n"+rows[4])
		add("header.json", `{"version": 2}`)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		files[name] = archive.Bytes()
	}
	for name, file := range files {
		for _, format := range []Format{Auto, Inspect} {
			source, err := Read("s", bytes.NewReader(file), format, tasks)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := drain(source)
			source.Close()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			notes := []string{
				"s: read as inspect",
				"s: samples without an output, as their runs ended in errors: 1",
				"s: messages without content, as of a model that only thought, taken for empty answers: 1",
			}
			if diff := cmp.Diff(notes, source.Notes()); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

func TestInspectRefuses(t *testing.T) {
	tests := []struct{ row, want string }{
		{`{"epoch": 1}`, "field id is missing: expected an integer or a text"},
		{`{"id": 7}`, "field epoch is missing: expected an integer"},
		{`{"id": 7, "epoch": 1.5}`, "epoch: expected an integer up to 2097150, found 1.5"},
		{`{"id": 7, "epoch": 1}`, "field output is missing: expected an object"},
		{`{"id": 7, "epoch": 1, "output": {"choices": {}}}`, "output.choices: expected a list, found an object"},
		{`{"id": 7, "epoch": 1, "output": {"choices": [{}]}}`, "field output.choices[0].message is missing: expected an object"},
		{`{"id": 7, "epoch": 1, "output": {"choices": [{"message": 1}]}}`, "output.choices[0].message: expected an object, found a number"},
		{`{"id": 7, "epoch": 1, "output": {"choices": [{"message": {"content": 1}}]}}`, "output.choices[0].message.content: expected a text or a list, found a number"},
		{`{"id": 7, "epoch": 1, "output": {"choices": [{"message": {"content": [{"type": "text", "text": 1}]}}]}}`, "output.choices[0].message.content[0].text: expected a text, found a number"},
		{inspectSamples[:strings.IndexByte(inspectSamples, '\n')] + "," + inspectSamples[:strings.IndexByte(inspectSamples, '\n')], "task 7 has two samples with the same epoch: expected one"},
	}
	for _, test := range tests {
		source, err := Read("s", strings.NewReader(`{"version": 2, "eval": {}, "samples": [`+test.row+`]}`), Auto, newTasks(t, "7"))
		if err == nil {
			_, err = drain(source)
		}
		if err == nil || err.Error() != "s:1: row 1: "+test.want {
			t.Errorf("%s: %v\nwant %s", test.row, err, test.want)
		}
	}
}

// Requests come back in any order, and some fail. Custom ids are what users make
// of a task's and a sample's.
func TestBatch(t *testing.T) {
	const text = `{"id": "b1", "custom_id": "7-10", "response": {"status_code": 200, "request_id": "r", "body": {"choices": [{"index": 0, "message": {"role": "assistant", "content": "c"}}]}}, "error": null}
{"custom_id": "7-2", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "a"}}, {"message": {"content": "b"}}]}}, "error": null}
{"custom_id": "request-T/8", "response": {"status_code": 200, "body": {"choices": [{"index": 0, "text": "e"}]}}}
{"custom_id": "run:T/8_3", "response": {"body": {"choices": [{"message": {"content": null, "reasoning_content": "hm"}}]}}}
{"custom_id": "7-3", "response": {"status_code": 429, "body": {"error": {"message": "m"}}}, "error": null}
{"custom_id": "7-4", "response": null, "error": {"code": "batch_expired", "message": "m"}}
{"custom_id": "request-70", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "x"}}]}}}
`
	source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7", "T/8"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := drain(source)
	source.Close()
	if err != nil {
		t.Fatal(err)
	}
	want := []dataset.Samples{{ID: "7", Outputs: []string{"a", "b", "c"}}, {ID: "T/8", Outputs: []string{"e", ""}}, {ID: "request-70", Outputs: []string{"x"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	notes := []string{
		"s: read as openai-batch",
		"s: requests that failed and have no answer: 2",
		"s: messages without content, as of a model that only thought, taken for empty answers: 1",
		"s: custom ids that are more than a task's id, which is looked for in them: 4, as 7-10 for task 7",
	}
	if diff := cmp.Diff(notes, source.Notes()); diff != "" {
		t.Error(diff)
	}
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
	want := map[Format][]dataset.Samples{
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
		for _, source := range []*Source{fromFile, fromPipe} {
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
