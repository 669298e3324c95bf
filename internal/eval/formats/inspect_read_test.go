package formats

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"codelinter/evaluator"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// A log of inspect_ai: epochs are samples, whatever the order; some samples have
// parts, several choices, no content, or ended in an error.
const inspectSamples = `{"id": 7, "epoch": 2, "output": {"choices": [{"message": {"content": "b"}}]}}
{"id": "T/8", "epoch": 1, "output": {"choices": [{"message": {"content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "one\n"}, {"type": "text", "text": "two \u00e9"}]}}]}}
{"id": 7, "epoch": 1, "output": {"choices": [{"message": {"content": "a"}}, {"message": {"content": "A"}}]}}
{"id": 7, "epoch": 4, "output": {"model": "m", "choices": [], "completion": ""}, "error": {"message": "e"}}
{"id": 7, "epoch": 10, "output": {"choices": [{"message": {"role": "assistant"}}]}, "metadata": {"x": Infinity}}`

func TestReadInspect(t *testing.T) {
	tasks := newTasks(t, "7", "T/8")
	want := []evaluator.Samples{{ID: "7", Outputs: []string{"a", "A", "b", ""}}, {ID: "T/8", Outputs: []string{"one\n\ntwo é"}}}
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
