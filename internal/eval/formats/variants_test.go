package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/testenv/bench"
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

// Every format is found to be what it is in each variant of its file, and gives the same.
func TestVariants(t *testing.T) {
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
	variants := map[string]func(w writer, text string) string{
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
	firsts := []string{"x = 1\n", huge}
	if testing.Short() {
		firsts = firsts[:1]
	}
	for i, w := range writers {
		for _, first := range firsts {
			text, err := json.Marshal(first)
			if err != nil {
				t.Fatal(err)
			}
			rows := []string{w.row("7", string(text)), w.row(`"T\/8"`, `"\u00e9\ud83d\udc0d\u2028\"\\\/\b\f\n\r\t\u0000"`)}
			want := []evaluator.Samples{{ID: "7", Outputs: []string{first}}, {ID: "T/8", Outputs: []string{"é🐍\u2028\"\\/\b\f\n\r\t\x00"}}}
			for n := 1; n <= len(rows); n++ {
				for name, vary := range variants {
					file := vary(w, w.file(rows[:n]...))
					path := filepath.Join(t.TempDir(), "f")
					if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
						t.Fatal(err)
					}
					for from, open := range map[string]func() (*File, error){
						"a file": func() (*File, error) { return Open(path, Auto, tasks) },
						"a pipe": func() (*File, error) {
							return Read("s", iotest.DataErrReader(strings.NewReader(file)), Auto, tasks)
						},
						"a pipe, named": func() (*File, error) { return Read("s", strings.NewReader(file), w.format, tasks) },
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
			var got []evaluator.Samples
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

// A file whose fields are many is looked at in time that grows as they do.
func TestManyNames(t *testing.T) {
	fields := func(size int) string {
		var text strings.Builder
		text.WriteString(`{"0": 0`)
		for i := 1; text.Len() < size; i++ {
			fmt.Fprintf(&text, `,"%x":0`, i)
		}
		text.WriteByte('}')
		return text.String()
	}
	tasks := newTasks(t, "7")
	bench.Linear(t, headBytes/4, func(n int) func() {
		text := fields(n - 20)
		return func() {
			if _, err := Read("s", strings.NewReader(text), Auto, tasks); err == nil || !strings.Contains(err.Error(), `found an object with "0", "1", "2", "3", "4", `) {
				t.Fatalf("%d bytes: %v", len(text), err)
			}
		}
	})
}

// Of two fields with one name, one would be lost: of two lists of answers, the first.
func TestSameFields(t *testing.T) {
	for text, want := range map[string]string{
		`{"id": 8, "outputs": ["b"], "outputs": ["a"]}`:                           `s:1: expected each key once in an object, found "outputs" again at byte 29`,
		"{\"id\": 7, \"outputs\": []}\n" + `{"id": 8, "outputs": ["b"], "id": 7}`: `s:2: expected each key once in an object, found "id" again at byte 29`,
		`{"task_id": 7, "completion": "b", "completion": "a"}`:                    `s:1: expected each key once in an object, found "completion" again at byte 35`,
		`{"doc_id": 1, "doc": {"meta": {"id": 8, "id": 7}}, "resps": [["b"]]}`:    `s:1: expected each key once in an object, found "id" again at byte 41`,
	} {
		source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7", "8"))
		if err == nil {
			_, err = drain(source)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Names are exact.
func TestNames(t *testing.T) {
	for _, text := range []string{
		`{"Outputs": ["c"], "ID": 9, "id": 7, "outputs": ["a"], "OUTPUTS": null}`,
		`{"Completion": "c", "task_id": 7, "completion": "a", "Task_ID": 9}`,
		`{"doc_id": 1, "doc": {"meta": {"id": 7, "Id": 9}}, "resps": [["a"]], "Resps": 1}`,
	} {
		source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7", "8", "9"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := drain(source)
		if err != nil || !cmp.Equal(got, []evaluator.Samples{{ID: "7", Outputs: []string{"a"}}}) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// Scores where answers should be have a note, also where they became texts.
func TestScoresForAnswers(t *testing.T) {
	const note = "s: all answers are 0 or 1, as if they were scores"
	for text, want := range map[string]string{
		`{"doc_id": 0, "doc": {}, "filtered_resps": [["1", "0"]]}`: note + ": log the run with --predict_only",
		`{"id": 7, "outputs": ["1", "0"]}`:                         note,
		`{"id": 7, "outputs": ["1", "x = 1"]}`:                     "",
		`{"id": 7, "outputs": []}`:                                 "",
	} {
		source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := drain(source); err != nil {
			t.Fatal(err)
		}
		notes := slices.DeleteFunc(source.Notes(), func(n string) bool { return !strings.HasPrefix(n, note) })
		if got := strings.Join(notes, "\n"); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// Ids that are no task's are remembered up to a number, where they must be.
func TestManyUnknown(t *testing.T) {
	ids := idMap{tasks: newTasks(t, "7")}
	var err error
	n := 0
	for ; err == nil && n < 2*maxUnknown; n++ {
		_, err = ids.find(rows.Row{File: "s", Line: n + 1}, task.ID(fmt.Sprint("x", n)))
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
		var want []evaluator.Samples
		for i, text := range []string{a, b, c} {
			want = append(want, evaluator.Samples{ID: task.ID(fmt.Sprint(7 + i)), Outputs: []string{strings.ToValidUTF8(text, "?")}})
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
