package dataset

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"codelinter/evaluator/task"
	"codelinter/internal/rows/packed"

	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	const e225 = `E225: missing whitespace around operator in 1 line`
	row := func(id, instruction, code, feedback, canonical string) string {
		return `{"instruction": "` + instruction + `", "inputs": {"code": "` + code + `", "feedback": "` + feedback + `"}, "outputs": "", "meta": {"id": ` + id + `, "canonical_code": "` + canonical + `"}}`
	}
	const both = "{code}{feedback}"
	text := strings.Join([]string{
		row("1", both, `x=1\n`, e225, `x = 1\n`),
		row("2", both, `x=1\n`, e225+`\n`, `x=1\n`), // the benchmark's form; no other program
		"",
		row("3", both, `x=1\n`, e225, ``),
		row("4", "{code}", `x=1\n`, e225, `x = 1\n`),
		row("5", "{ feedback }", `x=1\n`, e225, `x = 1\n`),
		row("6", both, `x=1\ny=1\n`, e225, `x = 1\n`),
		row("7", both, `x=1\n`, e225+`\nE225: `, `x = 1\n`),
		row("8", both, `x=1\n`, ``, `x = 1\n`),
		row("9", both, `x=1\n`, strings.Replace(e225, "225", "226", 1), `x = 1\n`),
		row("10", both, `x = 1\n`, ``, `x = 1\n`),
		row("11", both, `x=1\n`, e225, `x= 1\ny=2`),
		row("1", both, `x=1\n`, e225, `x = 1\n`),
		`{"instruction": 7}`,
		`{"instruction": "\ud800", "meta": {"id": 12`,
		"\xff",
		`{"instruction": "` + both + `", "inputs": {"code": "import os\n", "feedback": "F401: 'os' imported but unused in 1 line"}, "meta": {"id": 12, "test_list": ["assert 1"]}}`,
	}, "\n")
	got, err := Check("t", strings.NewReader(text), CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fault := func(line int, id task.ID, field, problem string) Fault { return Fault{line, 0, id, field, problem} }
	want := &Report{
		Format: packed.JSONL, Rows: 16, Tasks: 12, Instructions: 3, Findings: 12, Codes: 2, Tests: 1,
		NoCanonical: 2, SameCanonical: 2, CleanCanonical: 7,
		Faults: []Fault{
			fault(5, "4", "instruction", "has no {feedback}"),
			fault(6, "5", "instruction", "has no {code}"),
			fault(6, "5", "instruction", "has no {feedback}"),
			fault(7, "6", "inputs.feedback", `ends after 1 lines, the linter goes on: "E225: missing whitespace around operator in 2 line"`),
			fault(8, "7", "inputs.feedback", `line 2 is "E225: ", of which the linter says nothing`),
			fault(9, "8", "inputs.feedback", `ends after 0 lines, the linter goes on: "`+e225+`"`),
			fault(10, "9", "inputs.feedback", `line 1 is "E226: missing whitespace around operator in 1 line", the linter says "`+e225+`"`),
			fault(11, "10", "inputs.code", "has no findings: there is nothing to mend"),
			fault(12, "11", "meta.canonical_code", "is not clean: E225: missing whitespace around operator in 1 line, and 2 more"),
			fault(13, "1", "meta.id", "is already the id of line 1"),
			fault(14, "", "", "instruction: expected a text, found a number"),
			fault(15, "", "", "expected one whole JSON object, found a fault at byte 43: unexpected end of JSON input"),
			fault(16, "", "", "expected UTF-8, found other bytes"),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Rows are checked at once, and reported in their order. The judge is asked of the tasks whose
// canonical code has another tree, each once, and of none whose id is taken.
func TestCheckAtOnce(t *testing.T) {
	const rows = 300
	var text strings.Builder
	want := &Report{Format: packed.JSONL, Rows: rows, Undecidable: map[string]int{}, Instructions: 1, Codes: 1}
	for i := range rows {
		id, canonical := i, fmt.Sprintf("x = %d", i)
		switch i % 5 {
		case 1:
			canonical += "\\ny = 1"
		case 2:
			id-- // the last row's
		}
		fmt.Fprintf(&text, `{"instruction": "{code}{feedback}", "inputs": {"code": "x=%d\n", "feedback": "E225: missing whitespace around operator in 1 line"}, "meta": {"id": %d, "canonical_code": "%s\n"}}`+"\n", i, id, canonical)
		switch i % 5 {
		case 1:
			want.Undecidable[fmt.Sprint(id)]++
		case 2:
			want.Faults = append(want.Faults, Fault{i + 1, 0, task.ID(fmt.Sprint(id)), "meta.id", fmt.Sprintf("is already the id of line %d", i)})
			continue
		default:
			want.Decided++
			want.ByTree++
		}
		want.Tasks++
		want.Findings++
		want.CleanCanonical++
	}
	var last int
	options := CheckOptions{
		Undecidable: func(t *task.Task) (string, error) { return string(t.Meta.ID), nil },
		Progress:    func(rows int) { last = rows },
	}
	got, err := Check("t", strings.NewReader(text.String()), options)
	if err != nil || last != rows {
		t.Fatalf("%v after %d rows", err, last)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	broken := errors.New("no judge")
	options.Undecidable = func(t *task.Task) (string, error) {
		if t.Meta.ID == "101" {
			return "", broken
		}
		return "", nil
	}
	if got, err := Check("t", strings.NewReader(text.String()), options); err != broken || got.Rows != 101 || last != 101 {
		t.Errorf("%v after %d rows, progress %d", err, got.Rows, last)
	}
}

// A task is held to the options that it names.
func TestCheckOptions(t *testing.T) {
	const row = `{"instruction": "{code}{feedback}", "inputs": {"code": "def f(): return 1\n", "feedback": "FEEDBACK"}, "meta": {"id": 1, "canonical_code": "x=1\n", "options": OPTIONS}}`
	for _, test := range []struct{ options, feedback, want string }{
		{`{"max-complexity": 0, "extend-select": ["E704"], "ignore": ["E225"]}`,
			`C901: 'f' is too complex (1) in 1 line\nE704: multiple statements on one line (def) in 1 line`, ""},
		{`{"max-complexity": 0, "ignore": ["E225"]}`, // at one row and column in any order
			`E704: multiple statements on one line (def) in 1 line\nC901: 'f' is too complex (1) in 1 line`, ""},
		{`{"select": ["C"]}`, ``, "inputs.code has no findings: there is nothing to mend"},
		{`{"max-complexity": 0}`, `C901: 'f' is too complex (1) in 1 line`,
			"meta.canonical_code is not clean: E225: missing whitespace around operator in 1 line"},
		{`{"complexity": 0}`, ``, ` meta.options: unknown option "complexity"`},
	} {
		text := strings.NewReplacer("OPTIONS", test.options, "FEEDBACK", test.feedback).Replace(row)
		report, err := Check("t", strings.NewReader(text), CheckOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var faults []string
		for _, fault := range report.Faults {
			faults = append(faults, fault.Field+" "+fault.Problem)
		}
		if got := strings.Join(faults, "\n"); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.options, got, test.want)
		}
	}
}

// What ends the reading is an error, and what came before is reported.
func TestCheckRefuses(t *testing.T) {
	for _, test := range []struct {
		text, want string
		rows       int
	}{
		{"", "t: expected at least one task, found none", 0},
		{"[" + goodTask + ", " + goodTask, "t:1: row 2: expected the rest of the JSON, found the end of the file", 2},
		{"\x1f\x8b", "t: expected a whole gzip file: unexpected EOF", 0},
	} {
		report, err := Check("t", strings.NewReader(test.text), CheckOptions{})
		if err == nil || err.Error() != test.want || report.Rows != test.rows {
			t.Errorf("%.20q: %v after %d rows, want %s after %d", test.text, err, report.Rows, test.want, test.rows)
		}
	}
}

// What build writes has no faults, in either form.
func TestCheckOwn(t *testing.T) {
	source := `{"task_id": 1, "code": "x=1\r\nif x :\n  print( '{code} {feedback}' )"}` + "\n" + `{"task_id": 2, "code": "import os, sys"}`
	for _, o := range []BuildOptions{{}, {Normalize: true, Instructions: Instructions("ru")}} {
		var out strings.Builder
		if _, err := Build("m", strings.NewReader(source), &out, nil, o); err != nil {
			t.Fatal(err)
		}
		if report, err := Check("t", strings.NewReader(out.String()), CheckOptions{}); err != nil || len(report.Faults) > 0 || report.SameCanonical != 2 {
			t.Errorf("%+v: %+v, %v", o, report, err)
		}
	}
}
