package sandboxfusion

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// submission returns the body of a submission with cases, which are pairs of stdin and stdout.
func submission(completion, config string, cases ...string) []byte {
	list := []Case{}
	for i := 0; i < len(cases); i += 2 {
		list = append(list, Case{map[string]string{"stdin": cases[i]}, map[string]string{"stdout": cases[i+1]}})
	}
	text, err := json.Marshal(map[string]any{"test": list})
	if err != nil {
		panic(err)
	}
	return fmt.Appendf(nil, `{"dataset": "mine", "id": 7, "completion": %q, "config": {"dataset_type": "CommonOJDataset", "language": "python", "provided_data": %s%s}}`, completion, text, config)
}

func TestDecodeSubmissionRefuses(t *testing.T) {
	whole := `{"dataset": "mine", "id": 7, "completion": "", "config": {"dataset_type": "CommonOJDataset", "language": "python", "provided_data": {"test": [{"input": {"stdin": ""}, "output": {"stdout": ""}}]}}}`
	if _, err := DecodeSubmission([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, with, want string }{
		{`"dataset": "mine", `, ``, "dataset: expected a text"},
		{`7`, `null`, "id: expected"},
		{`7`, `1.5`, "id: expected"},
		{`"completion": "", `, ``, "completion: expected"},
		{`"CommonOJDataset"`, `"AutoEvalDataset"`, `found "AutoEvalDataset": other classes`},
		{`"CommonOJDataset"`, `null`, "config.dataset_type: expected CommonOJDataset"},
		{`"language": "python"`, `"language": "cpp"`, `found "cpp"`},
		{`"language": "python"`, `"run_timeout": 1`, "config.language: expected python"},
		{`"language": "python"`, `"language": "python", "run_timeout": 121`, "config.run_timeout: expected seconds"},
		{`"language": "python"`, `"language": "python", "custom_extract_logic": "1"`, "custom_extract_logic"},
		{`"language": "python"`, `"language": "python", "compiler": 1`, "unknown field"},
		{`{"test": [{"input": {"stdin": ""}, "output": {"stdout": ""}}]}`, `null`, `the data set "mine" is not here`},
		{`{"test": [{"input": {"stdin": ""}, "output": {"stdout": ""}}]}`, `[]`, "the object of one problem"},
		{`[{"input": {"stdin": ""}, "output": {"stdout": ""}}]`, `[]`, "one at least"},
		{`[{"input": {"stdin": ""}, "output": {"stdout": ""}}]`, `"[{]"`, "an array of cases"},
		{`{"stdin": ""}`, `{"stdin": "", "a.txt": ""}`, "test[0].input: expected stdin alone"},
		{`{"stdout": ""}`, `{}`, "test[0].output: expected stdout alone"},
		{`{"stdout": ""}`, `{"stdout": "` + strings.Repeat("x", maxOutput+1) + `"}`, "test[0].output: expected at most"},
	} {
		if _, err := DecodeSubmission([]byte(strings.Replace(whole, test.old, test.with, 1))); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.with[:min(len(test.with), 100)], err, test.want)
		}
	}
	registered := strings.NewReplacer(`"dataset_type": "CommonOJDataset", `, ``, `"mine"`, `"code_contests"`).Replace(whole)
	if _, err := DecodeSubmission([]byte(registered)); err != nil {
		t.Error(err)
	}
}

func TestJudge(t *testing.T) {
	runner := New(Options{Workers: 2})
	t.Cleanup(func() { runner.Close() })
	double := "Here it is:\n```python\nprint(int(input()) * 2)\n```\n"
	for _, test := range []struct {
		name string
		body []byte
		want string // accepted, and P or F for each case that was run
	}{
		{"all pass", submission(double, "", "1", "2", "21", "42\n"), "true PP"},
		{"the second fails", submission(double, "", "1", "2", "2", "5", "3", "6"), "false PF"},
		{"and the rest is run", submission(double, `, "extra": {"run_all_cases": true}`, "1", "2", "2", "5", "3", "6"), "false PFP"},
		{"a failing end", submission("```py\nprint(4)\nraise SystemExit(1)\n```", "", "", "4"), "false F"},
		{"too slow", submission("```\nwhile True: pass\n```", `, "run_timeout": 0.05`, "", ""), "false F"},
		{"too much", submission("```\nprint('x' * (5 << 20))\n```", "", "", "x"), "false F"},
		{"no program", submission("none", "", "", "1"), "false F"},
		{"a text as the cases", []byte(`{"dataset": "code_contests", "id": "a", "completion": "` + "```\\nprint(1)\\n```" + `", "config": {"language": "python", "provided_data": {"test": "[{\"input\": {\"stdin\": \"\"}, \"output\": {\"stdout\": \"1\"}}]"}}}`), "true P"},
	} {
		s, err := DecodeSubmission(test.body)
		if err != nil {
			t.Fatal(err)
		}
		j, err := again(func() (*Judgement, error) { return runner.Judge(t.Context(), s) })
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := fmt.Sprint(j.Accepted, " ")
		kept := 0
		for _, one := range j.Tests {
			got += map[bool]string{true: "P", false: "F"}[one.Passed]
			kept += len(one.Run.Run.Stdout) + len(one.Run.Run.Stderr)
		}
		if got != test.want || kept > maxOutput+100 {
			t.Errorf("%s: %s, want %s; %d bytes of output", test.name, got, test.want, kept)
		}
	}
	// A program can look where it likes: what is expected is nowhere.
	look := "import gc, sys, os\nprint('24-eldeen'[::-1] in repr([gc.get_objects(), sys.argv, dict(os.environ), os.listdir('.'), sys.stdin.read()]))"
	s, err := DecodeSubmission(submission("```\n"+look+"\n```", "", "hay", "needle-42"))
	if err != nil {
		t.Fatal(err)
	}
	if j, err := again(func() (*Judgement, error) { return runner.Judge(t.Context(), s) }); err != nil || j.Accepted || j.Tests[0].Run.Run.Stdout != "False\n" {
		t.Errorf("%+v, %v", j, err)
	}
}

// What is not known of a program is an error, and no result.
func TestJudgeErrors(t *testing.T) {
	runner := New(Options{Workers: 1})
	s, err := DecodeSubmission(submission("```\nimport numpy\n```", "", "", ""))
	if err != nil {
		t.Fatal(err)
	}
	var notHere *NotHereError
	if j, err := again(func() (*Judgement, error) { return runner.Judge(t.Context(), s) }); !errors.As(err, &notHere) || !strings.Contains(err.Error(), "numpy") {
		t.Errorf("%+v, %v", j, err)
	}
	runner.Close()
	if j, err := runner.Judge(t.Context(), s); err != ErrClosed {
		t.Errorf("%+v, %v", j, err)
	}
}

func TestSamePrint(t *testing.T) {
	for _, test := range []struct {
		got, want string
		same      bool
	}{
		{"", "", true}, {"", "\n", true}, {"1\n", "1", true}, {"\n 1 \n\n2\n", "1\n\n2", true}, {"1 \t\n2\r\n", "1\n2", true},
		{"YES", "yes", true}, {"1 2", "1  2", false}, {"1\n2", "1 2", false}, {"1", "1\n2", false}, {"1\n\n2", "1\n2", false},
		{"0.333333", "0.3333334", true}, {"0.33", "0.34", false}, {"1e3", "1000.0", true}, {"1_000", "1000.001", true}, {"100000", "100002", false},
		{"0", "0.0", true}, {"0", "-0", true}, {"1e-12", "0", false}, {"inf", "Infinity", false}, {"inf", "INF", true}, {"nan", "NaN", true},
		{"0x10", "16", false}, {"1.", ".1e1", true}, {"1.0 2.0", "1 2", false}, {"1e999", "1e998", false},
	} {
		if samePrint(test.got, test.want) != test.same {
			t.Errorf("%q, %q: %v", test.got, test.want, !test.same)
		}
	}
}

func TestExtract(t *testing.T) {
	for completion, want := range map[string]string{
		"":                                     "",
		"print(1)":                             "",
		"```\na\n```":                          "a",
		"```python\na\n```\n```python\nb\n```": "a",
		"```cpp\na\n```\n``` py \nb\n  ```":    "b",
		"```cpp\na\n```\n```go\nb\n```":        "a",
		"```python\na\n\nb\n```":               "a\n\nb",
		"so:\n```python\na\nb":                 "a\nb",
		"```cpp\na\n```\n```python\nb":         "a",
		"so:\nimport os\n\ndef f():\n\n    x\n    y\nclass C:\n    z\n": "import os\ndef f():\n    x\n    y\n",
		"def f(): pass\nx\n": "",
	} {
		if got := extract(completion); got != want {
			t.Errorf("%q: %q, want %q", completion, got, want)
		}
	}
}

func TestMiddleOut(t *testing.T) {
	long := strings.Repeat("é", 600) + strings.Repeat("ü", 600)
	if got := []rune(middleOut(long)); len(got) != 999 || string(got[497:503]) != "é...üü" {
		t.Errorf("%d, %q", len(got), string(got[495:505]))
	}
	if same := long[:1000]; middleOut(same) != same {
		t.Error("a text of 500 characters is cut")
	}
}
