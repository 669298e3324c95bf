package report

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/internal/util/terminal"
	"codelinter/rule"
)

func TestResults(t *testing.T) {
	result := &evaluator.Result{
		Task: &task.Task{
			Instruction: "Fix {code}.",
			Inputs:      task.Inputs{Code: "x=1\ny", Feedback: "E225"},
			Meta:        task.Meta{ID: "7"},
		},
		Given: []evaluator.Count{{Code: rule.E225, N: 1}, {Code: rule.E501, N: 2}},
		Scores: []evaluator.Score{{Verdict: evaluator.Official, Passes: evaluator.Passes{Passed: 1}, PassAt: []evaluator.Estimate{
			{K: 10, Value: math.NaN()}, {K: 1, Value: 0.5}, {K: 2, Value: 1},
		}}},
		Samples: []evaluator.Sample{
			{Judgements: []evaluator.Judgement{{Outcome: evaluator.Pass}}, Extraction: extract.Closed, Blocks: 2, Python: 1, Bytes: 7, Changes: evaluator.Changes{Given: 1, Fixed: 1}},
			{Judgements: []evaluator.Judgement{{}}, Bytes: 4, Output: "</script>", Saved: extract.ShortName | extract.CRLF, Found: 2, Findings: []rule.Finding{
				{Row: 1, Column: 2, Start: 1, End: 1, Code: rule.E225},
				rule.Finding{Row: 1, Column: 9, Start: 8, End: 9, Code: rule.E231}.With(rule.Values{Text: "<\"\u2028"}),
			}, Changes: evaluator.Changes{Given: 1, Left: 1, Introduced: 1}},
		},
	}
	want := `>{"id":7,"n":2,"official":{"c":1,"pass@10":null,"pass@1":0.5,"pass@2":1},"prompt":"9cd188cb","lines":2,"given":{"E225":1,"E501":2},"samples":[` +
		`{"official":true,"extraction":"closed","blocks":2,"python":1,"bytes":7,"fixed":1,"left":0,"introduced":0,"found":0,"findings":[]},` +
		`{"official":false,"extraction":"whole","blocks":0,"python":0,"bytes":4,"fixed":0,"left":1,"introduced":1,"saved":["py","CRLF"],"found":2,"findings":[` +
		`{"code":"E225","row":1,"column":2,"start":1,"end":1,"text":"missing whitespace around operator"},` +
		`{"code":"E231","row":1,"column":9,"start":8,"end":9,"text":"missing whitespace after '<\"\u2028'"}]}],"task_digest":"96a29a8f-6e3cb791"}` + "\n"
	want = strings.Replace(want, `<"`+"\u2028", `<\"\u2028`, 1)
	if got := string(new(Results).Encode([]byte(">"), result)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	empty := &evaluator.Result{Task: &task.Task{Meta: task.Meta{ID: "a<b"}}, Scores: []evaluator.Score{{Verdict: evaluator.Official}}}
	if got, want := string(new(Results).Encode(nil, empty)), `{"id":"a<b","n":0,"official":{"c":0},"prompt":"811c9dc5","lines":0,"given":{},"samples":[],"asked":true,"task_digest":"e3b0c442-6e340b9c"}`+"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// official is the totals of a run with the official verdict alone.
func official(passed int, passAt []evaluator.Average) []evaluator.Total {
	return []evaluator.Total{{Verdict: evaluator.Official, Passes: evaluator.Passes{Passed: passed}, PassAt: passAt}}
}

// some sums, with a k that is too large for some tasks.
func sums() *evaluator.Summary {
	s := &evaluator.Summary{
		Tasks: 1000, Asked: 1000, Samples: 1500, Fewest: 1, Most: 12,
		Totals: official(1499, []evaluator.Average{
			{K: 1, Value: 0.99996, Formula: 0.99996, Stderr: 0.0123, Interval: evaluator.Interval{Low: 0.75, High: 1}},
			{K: 10, Value: math.NaN(), Short: 1, Formula: 1},
			{K: 100, Value: 0.00001, Formula: 0.00001, Stderr: math.NaN()},
		}),
		Missing:    []task.ID{"7"},
		Unknown:    12,
		UnknownIDs: []task.ID{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"},
		Extraction: evaluator.Extraction{Closed: 1400, Open: 99, Whole: 1, NoPython: 1, Several: 2, Saved: 1},
		Prompts: []evaluator.Group{
			{Name: "\n Fix\tit.\nNow", Tasks: 900, Samples: 9, Totals: official(8, []evaluator.Average{{K: 1, Value: 0.25, Stderr: 0.1}, {K: 10, Value: math.NaN()}})},
			{Name: strings.Repeat("€", 60), Tasks: 100, Totals: official(0, []evaluator.Average{{K: 1, Value: 1, Stderr: math.NaN()}, {K: 10, Value: 1, Stderr: 0}})},
		},
	}
	s.Extraction.SavedBy[0], s.Extraction.SavedBy[3] = 1, 1
	*s.Codes.At(rule.E231) = evaluator.Changes{Given: 12, Fixed: 11, Left: 1}
	*s.Codes.At(rule.E501) = evaluator.Changes{Given: 12345, Fixed: 12344, Left: 1, Introduced: 199}
	*s.Codes.At(rule.W292) = evaluator.Changes{Introduced: 3}
	return s
}

func TestTable(t *testing.T) {
	want := `Title: 1000 tasks, 1500 samples (1 to 12 a task)

  pass@1     >99.9 %   ██████████████████████████████   ± 1.2   75.0 to 100.0
  pass@10   not known  1 of 1000 tasks had fewer than 10 samples (the official formula says 100.0 %)
  pass@100    <0.1 %   ······························

  ±: standard error over tasks; then an interval of 95 % confidence (bootstrap over tasks).

  1 task had no samples and counts as failed: 7

  12 lines of samples have no task's id and are left out: a, b, c, d, e, f, g, h, i, j and 2 more

  1499 of 1500 samples pass (99.9 %).
  Code: 1400 in closed fences, 99 in a fence left open, 1 with no fence.
  2 were joined from several blocks.
  1 had no python block, only other languages.
  1 fails and would pass if fences were read more forgivingly (py 1, CRLF 1); no score has it in it.

  by prompt                                         tasks           pass@1         pass@10
  Fix it.                                             900    25.0 % ± 10.0         -
  €€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€…    100   100.0 %          100.0 % ± 0.0

  code  given           fixed       left    introduced   flake8 flags
  E501  12345   12344 >99.9 %   1 <0.1 %   199  99.5 %   overlong line
  E231     12      11  91.7 %   1  8.3 %     0   0.0 %   unspaced punctuation
  W292      0       0       -   0      -     3 100.0 %   missing final newline
  all   12357   12355 >99.9 %   2 <0.1 %   202  99.0 %

  given: findings in the tasks' programs, once for each sample; given = fixed + left.
  introduced: findings that were not given, and their share of all in the answers.
`
	var got bytes.Buffer
	if err := Table(&got, "Title", sums(), false, "prompt"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestTableOfNothing(t *testing.T) {
	want := `Title: 1 task, 0 samples

  pass@1     0.0 %   ······························

  1 task had no samples and counts as failed: x
`
	var got bytes.Buffer
	if err := Table(&got, "Title", &evaluator.Summary{
		Tasks: 1, Asked: 1, Totals: official(0, []evaluator.Average{{K: 1, Stderr: math.NaN()}}), Missing: []task.ID{"x"},
	}, false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestSummary(t *testing.T) {
	want := `{"tasks":1000,"samples":1500,"fewest_samples":1,"most_samples":12,"passed":1499,` +
		`"official":{"pass@1":0.99996,"pass@10":null,"pass@100":0.00001},"official_formula":{"pass@1":0.99996,"pass@10":1,"pass@100":0.00001},` +
		`"official_stderr":{"pass@1":0.0123,"pass@10":0,"pass@100":null},"official_interval":{"pass@1":[0.75,1],"pass@10":[0,0],"pass@100":[0,0]},"official_strict":{},` +
		`"missing":[7],"asked":1000,"not_asked":[],"unknown":12,"extraction":{"closed":1400,"open":99,"whole":1,"no_python":1,"several":2,"saved_if_forgiving":1,"saved_by":{"CRLF":1,"py":1},"empty":0,"empty_passed":0,"noqa":0,"noqa_passed":0,"encoded":0,"encoded_passed":0,"blank":0,"hidden":0},` +
		`"codes":[{"code":"E501","given":12345,"fixed":12344,"left":1,"introduced":199},` +
		`{"code":"E231","given":12,"fixed":11,"left":1,"introduced":0},` +
		`{"code":"W292","given":0,"fixed":0,"left":0,"introduced":3}],` +
		`"by_prompt":[{"name":"\n Fix\tit.\nNow","tasks":900,"samples":9,"passed":8,"official":{"pass@1":0.25,"pass@10":null},"official_stderr":{"pass@1":0.1,"pass@10":0}},` +
		`{"name":"` + strings.Repeat("€", 60) + `","tasks":100,"samples":0,"passed":0,"official":{"pass@1":1,"pass@10":1},"official_stderr":{"pass@1":null,"pass@10":0}}],"by_length":[],"by_code":[]}` + "\n"
	want = strings.Replace(want, "\n Fix\t", `\n Fix\t`, 1)
	want = strings.Replace(want, "it.\nNow", `it.\nNow`, 1)
	if got := string(Summary(sums(), evaluator.About{})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = `{"tasks":0,"samples":0,"fewest_samples":0,"most_samples":0,"passed":0,"official":{},"official_formula":{},"official_stderr":{},"official_interval":{},"official_strict":{},` +
		`"missing":[],"asked":0,"not_asked":[],"unknown":0,"extraction":{"closed":0,"open":0,"whole":0,"no_python":0,"several":0,"saved_if_forgiving":0,"saved_by":{},"empty":0,"empty_passed":0,"noqa":0,"noqa_passed":0,"encoded":0,"encoded_passed":0,"blank":0,"hidden":0},"codes":[],"by_prompt":[],"by_length":[],"by_code":[]}` + "\n"
	if got := string(Summary(&evaluator.Summary{Totals: official(0, nil)}, evaluator.About{})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPercent(t *testing.T) {
	for _, test := range []struct {
		value float64
		want  string
	}{{0, "0.0 %"}, {1, "100.0 %"}, {0.5, "50.0 %"}, {1e-9, "<0.1 %"}, {1 - 1e-9, ">99.9 %"}, {0.1234, "12.3 %"}} {
		if got := percent(test.value); got != test.want {
			t.Errorf("percent(%v) = %s, want %s", test.value, got, test.want)
		}
	}
}

func TestBar(t *testing.T) {
	for _, test := range []struct {
		value float64
		want  string
	}{
		{0, "······························"}, {1, "██████████████████████████████"},
		{0.5, "███████████████···············"}, {1.0 / 240, "▏·····························"},
		{0.05, "█▌····························"},
	} {
		if got := bar(test.value, 30); got != test.want {
			t.Errorf("bar(%v) = %s, want %s", test.value, got, test.want)
		}
	}
}

// On a terminal nothing is wider than it, and nothing is a command to it.
func TestTablesFit(t *testing.T) {
	s := sums()
	s.Missing = []task.ID{"\x1b[2J", task.ID(strings.Repeat("日本", 40)), "e\u0301"}
	comparison := &Comparison{Tasks: 2, Verdicts: []Difference{{Scores: []ScorePair{{K: 1, A: 1}, {K: 10, Short: 1}}}}}
	for _, id := range s.Missing {
		comparison.Verdicts[0].Changed = append(comparison.Verdicts[0].Changed, Change{ID: id})
	}
	for _, columns := range []int{60, 80, 120} {
		var out bytes.Buffer
		if err := table(&out, columns, "Title\x07", s, true, Groupings()); err != nil {
			t.Fatal(err)
		}
		if err := comparison.table(&out, columns, "a\n", "b", true); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if terminal.Columns(line) > columns || line != strings.TrimRight(line, " ") || line != terminal.Printable(line) {
				t.Errorf("of %d columns, %q has %d", columns, line, terminal.Columns(line))
			}
		}
	}
}

// Of groups by code the table has those that have the most tasks, or, if asked for, all in
// the codes' order.
func TestFoldedGroups(t *testing.T) {
	s := sums()
	s.Given = nil
	for i := range shownGroups + 3 {
		group := s.Prompts[0]
		group.Name, group.Tasks = fmt.Sprintf("E%d", 101+i), 10+i%14
		s.Given = append(s.Given, group)
	}
	list := func(all bool) (names []string, text string) {
		var out bytes.Buffer
		if err := table(&out, 100, "Title", s, all, []string{"code"}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "  E1") {
				names = append(names, strings.Fields(line)[0])
			}
		}
		return names, out.String()
	}
	if names, _ := list(true); len(names) != 15 || names[0] != "E101" || names[14] != "E115" {
		t.Errorf("all: %q", names)
	}
	names, text := list(false)
	if len(names) != 12 || names[0] != "E114" || names[11] != "E103" || !strings.Contains(text, "\n  and 3 codes of fewer tasks, which --all, --json and --html show.\n") {
		t.Errorf("%q in\n%s", names, text)
	}
}
