package formats

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/rows"
	"codelinter/internal/tasks/dataset"

	"github.com/google/go-cmp/cmp"
)

// newTasks makes tasks with these ids.
func newTasks(t testing.TB, ids ...string) *task.Set {
	var text strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&text, `{"instruction": "{code}{feedback}", "inputs": {"code": "x=1\n", "feedback": ""}, "meta": {"id": %q}}`+"\n", id)
	}
	tasks, err := dataset.Read("tasks", strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// drain reads all samples. As in a run, Parse is given copies.
func drain(source *File) (all []evaluator.Samples, err error) {
	var lines []evaluator.Row
	for {
		line, err := source.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		line.Text = bytes.Clone(line.Text)
		lines = append(lines, line)
	}
	for _, line := range lines {
		samples, err := source.Parse(line)
		if err != nil {
			return nil, err
		}
		all = append(all, samples)
	}
	return all, nil
}

// The tasks of the tests are 7, 8 and 9; these are two answers to 7 and one to 8.
var answers = []evaluator.Samples{{ID: "7", Outputs: []string{"a\n```\"é", "b"}}, {ID: "8", Outputs: []string{""}}}

// A log of lm-evaluation-harness 0.4, of a task with a filter that scores.
const lmEvalLog = `{"doc_id": 0, "doc": {"instruction": "{code}", "inputs": {"code": "x=1", "feedback": ""}, "outputs": "", "meta": {"id": 7, "canonical_code": ""}}, "target": "", "arguments": {"gen_args_0": {"arg_0": "p", "arg_1": {"until": ["\n\n"], "do_sample": true}}}, "resps": [["a\n` + "```" + `\"é", "b"]], "filtered_resps": [[1, 0]], "filter": "scoring", "metrics": ["pass@1"], "doc_hash": "d", "prompt_hash": "p", "target_hash": "t", "pass@1": 0.5}
{"doc_id": 1, "doc": {"meta": {"id": 8}}, "target": "", "arguments": {}, "resps": [[""]], "filtered_resps": [[1]], "filter": "scoring", "metrics": ["pass@1"], "pass@1": 1.0}
`

func TestFormats(t *testing.T) {
	predictOnly := strings.NewReplacer(`"filtered_resps": [[1, 0]]`, `"filtered_resps": [["a", "b"]]`, `[[1]]`, `[[""]]`, `"metrics": ["pass@1"]`, `"bypass": 999`).Replace(lmEvalLog)
	otherFilter := strings.ReplaceAll(lmEvalLog, `"filter": "scoring"`, `"filter": "none"`)
	const lists = `[["a\n` + "```" + `\"é", "b"], [""]]`
	tests := []struct {
		name, text string
		format     Format
		notes      []string
	}{
		{"our own", `{"id": 7, "outputs": ["a\n` + "```" + `\"é", "b"]}` + "\n" + `{"id": "8", "outputs": [""]}`, JSONL, nil},
		{"our own, other fields first", `{"model": {"outputs": [1]}, "id": 7, "outputs": ["a\n` + "```" + `\"é", "b"]}` + "\n" + `{"id": "8", "outputs": [""]}`, JSONL, nil},
		{"our own, in a list", "\ufeff[\n" + `{"id": 7, "outputs": ["a\n` + "```" + `\"é", "b"]},` + "\n" + `{"id": "8", "outputs": [""]}]`, JSONL, nil},
		{"lm-eval", lmEvalLog, LMEval, nil},
		{"lm-eval, CRLF", strings.ReplaceAll(lmEvalLog, "\n", "\r\n"), LMEval, nil},
		{"lm-eval, predict only", predictOnly, LMEval, nil},
		{"lm-eval, two filters", lmEvalLog + otherFilter, LMEval, []string{"lines that repeat a doc's generations for another filter, left out: 2"}},
		{"lm-eval, docs without ids", strings.NewReplacer(`{"id": 7, "canonical_code": ""}`, `{}`, `{"meta": {"id": 8}}`, `{"id": [8]}`).Replace(lmEvalLog), LMEval,
			[]string{"docs without an id, whose doc_id is taken as the place of the task, from 0: 2"}},
		{"lm-eval, resps only filtered", strings.NewReplacer(`"resps": [["a`, `"filtered_resps": [["a`, `"resps": [[""]]`, `"filtered_resps": [""]`, `"filtered_resps": [[1, 0]], `, "", `"filtered_resps": [[1]], `, "").Replace(lmEvalLog), LMEval, nil},
		{"submission", `{"data": {"test": [{"outputs": [["a\n` + "```" + `\"é", "b"]], "meta": {"id": 7}}, {"outputs": [[""]], "meta": {"id": 8}}]}}`, Submission, nil},
		{"submission, indented, flat, with more in it", "{\n \"n\": \"}]\", \"data\": {\n  \"shots\": [],\n  \"test\": [\n   {\"instruction\": \"\", \"outputs\": [\"a\\n```\\\"é\", \"b\"],\n \"meta\": {\"id\": 7}},\n {\"outputs\": [[\"\"]], \"meta\": {\"id\": \"8\"}}\n  ],\n \"more\": 1},\n \"z\": [{}] }\n", Submission, nil},
		{"human-eval", `{"task_id": 7, "completion": "a\n` + "```" + `\"é"}` + "\n" + `{"task_id": 8, "completion": ""}` + "\n\n" + `{"task_id": "7", "completion": "b"}`, HumanEval, nil},
		{"human-eval, named", `{"task_id": "HumanEval/7", "completion": "a\n` + "```" + `\"é"}` + "\n" + `{"task_id": "HumanEval/8", "completion": ""}` + "\n" + `{"task_id": "HumanEval/7", "completion": "b"}`, HumanEval,
			[]string{"ids that are no task's, but whose last part is and is taken: 2, as HumanEval/7 for task 7"}},
		{"human-eval, in a list", `[{"completion": "a\n` + "```" + `\"é",` + "\n" + `"task_id": 7}, {"task_id": 8, "completion": ""},` + "\n" + `{"task_id": 7, "completion": "b"}]`, HumanEval, nil},
		{"evalplus", `{"task_id": "7", "solution": "a\n` + "```" + `\"é"}` + "\n" + `{"task_id": "7", "completion": "b"}` + "\n" + `{"task_id": "8", "solution": "", "completion": "c"}`, EvalPlus, nil},
		{"evalplus, completion first", `{"task_id": "7", "completion": "c", "solution": "a\n` + "```" + `\"é"}` + "\n" + `{"task_id": "7", "completion": "b"}` + "\n" + `{"task_id": "8", "solution": ""}`, EvalPlus, nil},
		{"bigcode", lists, BigCode, []string{"2 lists of generations for 3 tasks: they are taken in the order of the tasks, from the first"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			notes := test.notes
			if test.format != JSONL {
				notes = append([]string{"read as " + string(test.format)}, notes...)
			}
			check := func(what string, name string, source *File, err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				defer source.Close()
				got, err := drain(source)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				if diff := cmp.Diff(answers, got); diff != "" {
					t.Errorf("%s: %s", what, diff)
				}
				var want []string
				for _, note := range notes {
					want = append(want, name+": "+note)
				}
				if diff := cmp.Diff(want, source.Notes()); diff != "" {
					t.Errorf("%s: notes: %s", what, diff)
				}
				if source.Format() != test.format {
					t.Errorf("%s: read as %s, want %s", what, source.Format(), test.format)
				}
			}
			tasks := newTasks(t, "7", "8", "9")
			source, err := Read("s", strings.NewReader(test.text), Auto, tasks)
			check("found out", "s", source, err)
			source, err = Read("s", iotest.OneByteReader(strings.NewReader(test.text)), test.format, tasks)
			check("named", "s", source, err)

			packed := filepath.Join(t.TempDir(), "packed") // the name says nothing
			for what, text := range map[string][]byte{"as a file": []byte(test.text), "gzip": zipped(t, test.text)} {
				if err := os.WriteFile(packed, text, 0o666); err != nil {
					t.Fatal(err)
				}
				source, err = Open(packed, Auto, tasks)
				check(what, packed, source, err)
			}
			const name = "submission/CodeLinterEval.json"
			archive := archived(t, "submission/", "", "submission/ruHumanEval.json", "{", name, test.text, "logs.txt", "x")
			if err := os.WriteFile(packed, archive, 0o666); err != nil {
				t.Fatal(err)
			}
			source, err = Open(packed, Auto, tasks)
			check("zip", packed+"/"+name, source, err)
			source, err = Read("s", bytes.NewReader(archive), Auto, tasks)
			check("zip from a pipe", "s/"+name, source, err)
		})
	}
}

func zipped(t *testing.T, text string) []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// archived makes an archive of names and texts.
func archived(t *testing.T, files ...string) []byte {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for pair := range slices.Chunk(files, 2) {
		file, err := w.Create(pair[0])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(file, pair[1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}

func TestUnknownIDs(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"id": 70, "outputs": []}`, "70"},
		{`{"doc_id": 9, "doc": {"meta": {"id": 70}}, "resps": [["a"]]}`, "70"},
		{`{"doc_id": 9, "doc": {}, "resps": [["a"]]}`, "place 10 of 3"},
		{`{"doc_id": -1, "doc": {}, "resps": [["a"]]}`, "place 0 of 3"},
		{`{"data": {"test": [{"outputs": [[]], "meta": {"id": 70}}]}}`, "70"},
		{`{"task_id": "HumanEval/70", "completion": ""}`, "HumanEval/70"},
		{`[["a"], ["a"], ["a"], ["a"]]`, "7 8 9 place 4 of 3"},
	}
	tasks := newTasks(t, "7", "8", "9")
	for _, test := range tests {
		source, err := Read("s", strings.NewReader(test.text), Auto, tasks)
		if err != nil {
			t.Fatal(err)
		}
		all, err := drain(source)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
		var got []string
		for _, samples := range all {
			got = append(got, string(samples.ID))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: ids %q, want %s", test.text, got, test.want)
		}
	}
}

func TestRefuses(t *testing.T) {
	const lm = `{"doc_id": 0, "doc": {"meta": {"id": 7}}, "resps": [["a"]], "filter": "f"}` + "\n"
	const he = `{"task_id": 7, "completion": ""}` + "\n"
	tests := []struct {
		format     Format
		text, want string
	}{
		{Auto, "id,outputs\n", "s:1: expected samples (jsonl, lm-eval, submission, human-eval, evalplus, bigcode, inspect, openai-batch), found \"id,outputs\\n\"; if it is one of them, say which by --samples-format"},
		{Auto, "[1, 2]", "s:1: expected samples (jsonl, lm-eval, submission, human-eval, evalplus, bigcode, inspect, openai-batch), found \"[1, 2]\"; if it is one of them, say which by --samples-format"},
		{Auto, "\x1f\x8b\x08", "s: expected a whole gzip file: unexpected EOF"},
		{Auto, "PK\x03\x04", "s: zip: not a valid zip file"},
		{JSONL, he, "s:1: field id is missing: expected an integer or a text"},
		{JSONL, `{"id": 7, "outputs": ["a`, "s:1: expected one whole JSON object, found a fault at byte 24: unexpected end of JSON input"},

		{LMEval, `{"id": 7, "outputs": []}`, "s:1: field resps is missing: expected a list of texts"},
		{LMEval, `{"id": 7, "resps": []}`, "s:1: field doc_id is missing: expected an integer"},
		{LMEval, lm + lm, "s:2: doc 7 already stands in line 1 with filter f: expected one line for each doc and filter"},
		{LMEval, lm + strings.NewReplacer(`"a"`, `"b"`, `"f"`, `"g"`).Replace(lm), "s:2: doc 7 has other resps than in line 1: expected the log of one run"},
		{LMEval, lm + strings.NewReplacer(`"f"}`, `"g"}}`).Replace(lm), "s:2: expected one whole JSON object, found a fault at byte 75: invalid character '}'"},
		{LMEval, lm + lm[:40], "s:2: expected one whole JSON object, found a fault at byte 40: unexpected end of JSON input"},
		{LMEval, strings.Replace(lm, `"a"`, "\"\xff\"", 1), "s:1: expected UTF-8, found other bytes"},
		{LMEval, strings.Replace(lm, `"a"`, `-1.5, true`, 1), "s:1: resps[0][0]: expected a text, found a number, which is no answer of a model but its score: log the run with --predict_only"},
		{LMEval, strings.Replace(lm, `[["a"]]`, `"a"`, 1), "s:1: resps: expected a list, found a text"},
		{LMEval, `{"doc_id": 0, "doc": {"meta": {"id": 7}}}`, "s:1: field resps is missing: expected a list of texts"},
		{LMEval, `{"doc_id": "0", "doc": {}, "resps": []}`, `s:1: doc_id: expected an integer, found "0"`},
		{LMEval, lm + strings.Replace(lm, `7`, `"T/7"`, 1), "s:2: id T/7 means task 7, but so does 7: expected one name for a task"},

		{Submission, `{"data": {"train": []}}`, `s:1: expected the field data.test, found "}}"`},
		{Submission, `{"test": []}`, `s:1: expected the field data, found "}"`},
		{Submission, `{"data": {"test": {}}}`, `s:1: expected a '[', found "{}}}"`},
		{Submission, `{"data": {"test": [`, "s:1: expected the rest of the JSON, found the end of the file"},
		{Submission, `{"data": {"test": [{"outputs": [["a"]], "meta": {"id": 7}}`, "s:1: row 1: expected the rest of the JSON, found the end of the file"},
		{Submission, `{"data": {"test": [{"outputs": [["a`, "s:1: row 1: expected the rest of the JSON, found the end of the file"},
		{Submission, `{"data": {"test": []}`, "s:1: expected the rest of the JSON, found the end of the file"},
		{Submission, `{"data": {"test": []}} {}`, `s:1: expected the end of the file, found "{}"`},
		{Submission, "{\"data\": {\"test\": [\n{\"outputs\": [[1, 0]], \"meta\": {\"id\": 7}}]}}", "s:2: row 1: outputs[0][0]: expected a text, found a number"},
		{Submission, `{"data": {"test": [{"outputs": [null], "meta": {"id": 7}}]}}`, "s:1: row 1: outputs[0]: expected a text, found null"},
		{Submission, `{"data": {"test": [{"meta": {"id": 7}}]}}`, "s:1: row 1: field outputs is missing: expected a list of texts"},
		{Submission, `{"data": {"test": [{"outputs": []}]}}`, "s:1: row 1: field meta is missing: expected an object"},
		{Submission, `{"data": {"test": [{"outputs": [], "meta": {}}]}}`, "s:1: row 1: field meta.id is missing: expected an integer or a text"},
		{Submission, `{"data": {"test": [7]}}`, `s:1: row 1: expected a JSON object, found "7"`},
		{Submission, `{"data": {"test": [,]}}`, `s:1: row 1: expected a value, found ",]}}"`},

		{HumanEval, he + `{"task_id": 7}`, "s:2: field completion is missing: expected a text"},
		{HumanEval, `{"task_id": 7, "solution": ""}`, "s:1: field completion is missing: expected a text"},
		{HumanEval, `{"completion": ""}`, "s:1: field task_id is missing: expected an integer or a text"},
		{HumanEval, he + `{"task_id": 7, "completion": 1}`, "s:2: completion: expected a text, found a number"},
		{HumanEval, he + strings.Replace(he, `7`, `"A/7"`, 1), "s:2: id A/7 means task 7, but so does 7: expected one name for a task"},
		{HumanEval, he + he[:20], "s:2: expected one whole JSON object, found a fault at byte 20: unexpected end of JSON input"},
		{HumanEval, he + "{\"task_id\": 7, \"completion\": \"\xff\"}", "s:2: expected UTF-8, found other bytes"},
		{EvalPlus, `{"task_id": 7}`, "s:1: expected a solution or a completion, found neither"},

		{BigCode, `{"7": ["a"]}`, `s:1: expected a '[', found "{\"7\": [\"a\"]}"`},
		{BigCode, `[["a"], "b"]`, "s:1: row 2: generations: expected a list, found a text"},
		{BigCode, `[["a", null]]`, "s:1: row 1: generations[1]: expected a text, found null"},
		{BigCode, "[[\"a\"]\n[\"b\"]]", `s:2: row 1: expected a ',', found "[\"b\"]]"`},
		{BigCode, "[[\"\xff\"]]", "s:1: row 1: expected UTF-8, found other bytes"},
		{BigCode, `[["a"}]`, "s:1: row 1: expected one whole JSON list, found a fault at byte 5: invalid character '}'"},
	}
	tasks := newTasks(t, "7", "8")
	for _, test := range tests {
		source, err := Read("s", strings.NewReader(test.text), test.format, tasks)
		if err == nil {
			_, err = drain(source)
			source.Close()
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%s %q: %v\nwant %s", test.format, test.text, err, test.want)
		}
		if _, ok := err.(*rows.Error); !ok {
			t.Errorf("%s %q: error of type %T", test.format, test.text, err)
		}
	}
}

func TestArchives(t *testing.T) {
	const good, bad = `{"id": 7, "outputs": []}`, `?`
	tests := []struct {
		files []string
		want  string // the file that is read, or the error
	}{
		{[]string{"a.json", bad, "b/codelintereval.JSON", good, "samples_codelintereval.jsonl", bad}, "z/b/codelintereval.JSON"},
		{[]string{"a.json", bad, "samples_codelintereval_2025-01-01.jsonl", good, "__MACOSX/._samples_codelintereval.jsonl", bad}, "z/samples_codelintereval_2025-01-01.jsonl"},
		{[]string{"only.json", good, "notes.txt", bad}, "z/only.json"},
		{[]string{"a.json", good, "b.json", good}, "z: expected CodeLinterEval.json or a single file of JSON in the archive, found 2: \"a.json\", \"b.json\""},
		{[]string{"a.txt", good}, "z: expected CodeLinterEval.json or a single file of JSON in the archive, found none"},
		{nil, "z: expected CodeLinterEval.json or a single file of JSON in the archive, found none"},
	}
	for _, test := range tests {
		source, err := Read("z", bytes.NewReader(archived(t, test.files...)), Auto, newTasks(t, "7"))
		got := fmt.Sprint(err)
		if err == nil {
			got = source.name
			if _, err := drain(source); err != nil {
				t.Error(err)
			}
			source.Close()
		}
		if got != test.want {
			t.Errorf("%q: %s, want %s", test.files, got, test.want)
		}
	}
}

// A format's first fields may come late, after a prompt of any length.
func TestDetectsLate(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	for _, test := range []struct{ text, want string }{
		{`{"x": "` + long + `", "id": 7, "outputs": []}`, "jsonl"},
		{`{"x": "` + long + `", "doc_id": 0, "resps": [[]]}`, "lm-eval"},
		{`{"task_id": 7, "completion": "` + long + `", "solution": ""}`, "evalplus"},
		{`[` + strings.Repeat(" ", 10<<10) + `["a"]]`, "bigcode"},
	} {
		source, err := Read("s", strings.NewReader(test.text), Auto, newTasks(t, "7"))
		if err != nil || string(source.Format()) != test.want {
			t.Errorf("%.20s: %v, want %s", test.text, err, test.want)
		}
	}
}

// No temporary file is left, whenever a source is closed.
func TestClosing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	for _, text := range []string{`{"task_id": 7, "completion": ""}`, `{"task_id": 7}`, string(archived(t, "a.json", `{"task_id": 7, "completion": ""}`)), string(archived(t))} {
		for _, read := range []bool{false, true} {
			source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7"))
			if err != nil {
				continue
			}
			if read {
				drain(source)
			}
			if err := source.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d temporary files are left", len(left))
	}
}

// Whatever the bytes: no panic, no hang, and an error that names the file.
func FuzzRead(f *testing.F) {
	f.Add([]byte(lmEvalLog))
	f.Add([]byte(`{"id": 7, "outputs": ["a"]}`))
	f.Add([]byte(`{"data": {"x": [{}], "test": [{"outputs": [["a"]], "meta": {"id": 7}}]}, "y": 1}`))
	f.Add([]byte(`{"task_id": "T/7", "completion": "a"}` + "\n" + `{"task_id": 8, "solution": "\\\""}`))
	f.Add([]byte(`[["a", "b"], [], {"id": 7}]`))
	f.Add([]byte(`[{"id": 7, "outputs": []}, 1 ,2]`))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	tasks := newTasks(f, "7", "8")
	f.Fuzz(func(t *testing.T, text []byte) {
		detected, sure := detect(text)
		if again, _ := detect(append(slices.Clip(text), `{"id":`...)); sure && (again.format != detected.format || again.list != detected.list || again.bare != detected.bare) {
			t.Errorf("sure of %v, and with more text %v", detected, again)
		}
		for _, format := range Formats() {
			source, err := Read("s", bytes.NewReader(text), format, tasks)
			if err == nil {
				_, err = drain(source)
				source.Close()
			}
			if err != nil && !strings.HasPrefix(err.Error(), "s") {
				t.Errorf("%s: %v", format, err)
			}
		}
	})
}
