package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/stats"
)

// newRun reads a run of a model in which passes samples pass on each task: of n samples
// by the official verdict, and one less by the guarded. Tasks have ids from 1.
func newRun(t testing.TB, model string, n int, passes ...int) *Run {
	t.Helper()
	var text strings.Builder
	for i, c := range passes {
		if c < 0 {
			continue // not in this run
		}
		sample := func(pass bool, guarded string) string {
			return fmt.Sprintf(`{"official":%v,"extraction":"whole","findings":[],"guarded":%q,"reward":0}`, pass, guarded)
		}
		var samples []string
		for s := range n {
			guarded := "fail"
			if s < c-1 {
				guarded = "pass"
			}
			samples = append(samples, sample(s < c, guarded))
		}
		fmt.Fprintf(&text, `{"id":%d,"n":%d,"official":{"c":%d,"pass@1":0,"pass@2":0,"pass@5":0},"guarded":{"c":%d,"unknown":0},"prompt":"","lines":%d,"given":{},"samples":[%s],"run":{"model":%q}}`+"\n",
			i+1, n, c, max(c-1, 0), i+1, strings.Join(samples, ","), model)
	}
	run, err := ReadRun(model, strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func board(t testing.TB, files []string, runs ...*Run) *Leaderboard {
	t.Helper()
	l, err := NewLeaderboard(files, runs)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A run's scores are those that it has alone, tests those of each two, and places follow
// from both.
func TestLeaderboard(t *testing.T) {
	passes := [3][]int{}
	for i := range 40 {
		passes[0] = append(passes[0], i%3)     // about 1 of 4
		passes[1] = append(passes[1], 2+i%3)   // about 3
		passes[2] = append(passes[2], 2+i*7%3) // the same rates on other tasks
	}
	runs := []*Run{newRun(t, "weak", 4, passes[0]...), newRun(t, "a", 4, passes[1]...), newRun(t, "b", 4, passes[2]...)}
	l := board(t, []string{"1", "2", "3"}, runs...)
	if len(l.Verdicts) != 2 || l.Tasks != 40 || l.size() != "3 runs of 40 tasks, 4 samples a task" {
		t.Fatalf("%d verdicts of %s", len(l.Verdicts), l.size())
	}
	if want := []string{"pass@5 is left out: 3 runs have tasks with samples, but fewer than 5."}; !slices.Equal(l.Notes, want) {
		t.Errorf("notes: %q", l.Notes)
	}
	for v := range l.Verdicts {
		s := &l.Verdicts[v]
		if !slices.Equal(s.K, []int{1, 2}) {
			t.Errorf("%s: k is %v", s.Verdict, s.K)
		}
		for i := range s.Ranked {
			standing := &s.Ranked[i]
			alone := runs[standing.Entry].Summary.Totals[v].PassAt
			if got := standing.PassAt; got[0] != alone[0] || got[1] != alone[1] {
				t.Errorf("%s: %+v in the leaderboard, %+v alone", s.Verdict, got, alone)
			}
		}
		if last := s.Ranked[2]; last.Entry != 0 || last.places() != "3" || s.Ranked[0].places() != "1-2" || s.Ranked[1].places() != "1-2" {
			t.Errorf("%s: places %+v", s.Verdict, s.Ranked)
		}
		for i := range s.Pairings {
			p := &s.Pairings[i]
			d := difference(s.Verdict, runs[s.Ranked[p.B].Entry], v, runs[s.Ranked[p.A].Entry], v)
			if d.Test != p.Test || p.Adjusted < p.P || math.Abs(d.Scores[0].B-d.Scores[0].A-s.by(p)) > 1e-12 {
				t.Errorf("%s: %+v, alone %+v", s.Verdict, p, d.Test)
			}
		}
	}
}

// The shares of tasks are parts of the variance between runs, and add up to 1.
func TestSpreads(t *testing.T) {
	// The second task alone makes the difference; the third works against it, the fourth
	// separates nothing, all pass the fifth and none the last.
	l := board(t, []string{"1", "2", "3"},
		newRun(t, "x", 4, 2, 0, 3, 2, 4, 0), newRun(t, "y", 4, 2, 2, 2, 2, 4, 0), newRun(t, "z", 4, 2, 4, 1, 2, 4, 0))
	s := &l.Verdicts[0]
	sum := 0.0
	var ids []task.ID
	for _, spread := range s.Spreads {
		sum += spread.Share
		ids = append(ids, spread.ID)
	}
	if math.Abs(sum-1) > 1e-12 || !slices.Equal(ids, []task.ID{"2", "1", "4", "5", "6", "3"}) || s.Solved != 1 || s.Unsolved != 1 {
		t.Errorf("tasks %v with shares of %v, %d solved, %d not", ids, sum, s.Solved, s.Unsolved)
	}
	// Rates go 0, 0.5, 1 and 0.75, 0.5, 0.25: pass@1 by twice and minus once the same.
	if first, last := s.Spreads[0], s.Spreads[5]; math.Abs(first.Share-2) > 1e-12 || math.Abs(last.Share+1) > 1e-12 ||
		!slices.Equal(first.Rates, []stats.Rate{{C: 4, N: 4}, {C: 2, N: 4}, {C: 0, N: 4}}) {
		t.Errorf("first %+v, last %+v", first, last)
	}
	equal := board(t, []string{"1", "2", "3"}, newRun(t, "x", 3, 1, 2, 3), newRun(t, "y", 3, 3, 1, 2), newRun(t, "z", 3, 2, 3, 1))
	if spreads := equal.Verdicts[0].Spreads; spreads != nil {
		t.Errorf("runs of the same pass@1 are separated by %+v", spreads)
	}
}

// What can be compared is, and the rest is said.
func TestLeaderboardOfDifferentRuns(t *testing.T) {
	a, b, c := newRun(t, "", 5, 1, 2, 3, 4), newRun(t, "", 6, 2, -1, 3, 4, 5), newRun(t, "", 5, 3, 3, 0, -1)
	files := []string{"x/1/results.jsonl", "x/2/results.jsonl", "other.jsonl"}
	l := board(t, files, a, b, c)
	if got := []string{l.Entries[0].Name, l.Entries[1].Name, l.Entries[2].Name}; !slices.Equal(got, []string{"1/results", "2/results", "other"}) {
		t.Errorf("names %q", got)
	}
	if want := []string{
		"2 tasks of 5 are in all runs and compared: 1/results has 4, 2/results has 4, other has 3.",
		"The runs have different numbers of samples a task (1/results 5, 2/results 6, other 5): pass@k is estimated without bias from each, but less surely from fewer.",
	}; !slices.Equal(l.Notes, want) {
		t.Errorf("notes:\n%s", strings.Join(l.Notes, "\n"))
	}
	if got := l.Verdicts[0].Ranked; l.Tasks != 2 || got[0].Entry != 1 || math.Abs(got[0].PassAt[0].Formula-5.0/12) > 1e-12 || got[2].PassAt[0].Formula != 0.3 {
		t.Errorf("of %d tasks: %+v", l.Tasks, got)
	}

	d := newRun(t, "", 0, 0, 0, 0)
	d.Summary.Totals = d.Summary.Totals[:1] // no guarded verdict
	l = board(t, []string{"a", "d"}, d, a)
	if want := []string{
		"3 tasks of 4 are in all runs and compared: d has 4.",
		"The runs have different numbers of samples a task (a 0, d 5): pass@k is estimated without bias from each, but less surely from fewer.",
		"Tasks without samples count as failed: a on 3 tasks.",
		"The guarded verdict is left out: a has none.",
	}; !slices.Equal(l.Notes, want) || len(l.Verdicts) != 1 {
		t.Errorf("notes:\n%s", strings.Join(l.Notes, "\n"))
	}

	other := newRun(t, "", 5, 1, 1)
	other.given["2"] = a.given["1"]
	elsewhere := newRun(t, "", 5, -1, -1, -1, -1, -1, -1, 3)
	first, second := newRun(t, "", 5, 3, -1, 3), newRun(t, "", 5, -1, 3, 3)
	for _, test := range []struct {
		files []string
		runs  []*Run
		want  string
	}{
		{[]string{"a", "b", "a"}, []*Run{a, b, a}, "a: expected each file once, found it twice"},
		{[]string{"a", "b", "c"}, []*Run{a, b, other}, "c: expected the tasks of a, found another program for task 2"},
		{[]string{"a", "b", "e"}, []*Run{a, b, elsewhere}, "e: expected tasks of a, found none of them"},
		{[]string{"a", "b", "c"}, []*Run{first, second, newRun(t, "", 1, 1, 1)}, "expected tasks that all runs have, found none"},
	} {
		if _, err := NewLeaderboard(test.files, test.runs); err == nil || err.Error() != test.want {
			t.Errorf("%v: error %v, want %s", test.files, err, test.want)
		}
	}
}

// A run is called by its model where no other run has the same, and else by its file.
func TestEntryNames(t *testing.T) {
	for _, test := range []struct{ files, models, want []string }{
		{[]string{"x/a.jsonl", "x/b.jsonl"}, []string{"m", "n"}, []string{"m", "n"}},
		{[]string{"x/a.jsonl", "x/b.jsonl", "c.jsonl"}, []string{"m", "m", "n"}, []string{"a", "b", "n"}},
		{[]string{"x/a.jsonl", "y/a.jsonl", "c.jsonl"}, []string{"", "", "n"}, []string{"x/a", "y/a", "n"}},
		{[]string{"x/n.jsonl", "c.jsonl"}, []string{"", "n"}, []string{"x/n", "n"}},
		{[]string{"n.jsonl", "c.jsonl"}, []string{"", "n"}, []string{"n.jsonl", "c.jsonl"}},
	} {
		var runs []*Run
		for _, model := range test.models {
			runs = append(runs, &Run{About: evaluator.About{Model: model}})
		}
		if got := entryNames(test.files, runs); !slices.Equal(got, test.want) {
			t.Errorf("%q of %q are called %q, want %q", test.files, test.models, got, test.want)
		}
	}
}

func TestSetSteps(t *testing.T) {
	runs := []*Run{newRun(t, "m-step900", 2, 1, 1, 0), newRun(t, "m", 2, 0, 0, 0), newRun(t, "m", 2, 2, 2, 0)}
	files := []string{"last.jsonl", "step1e3.jsonl", `step50.jsonl`}
	l := board(t, files, runs...)
	if err := l.SetSteps(regexp.MustCompile(`step([0-9.e]+[0-9])`)); err != nil {
		t.Fatal(err)
	}
	var steps []string
	for i := range l.Entries {
		steps = append(steps, l.Entries[i].step()+" "+l.Entries[i].File)
	}
	if want := []string{"50 step50.jsonl", "900 last.jsonl", "1000 step1e3.jsonl"}; !slices.Equal(steps, want) {
		t.Errorf("steps %q", steps)
	}
	if s := &l.Verdicts[0]; l.Entries[s.Ranked[0].Entry].File != files[2] || !slices.Equal(l.order(s), []int{0, 1, 2}) {
		t.Errorf("ranked %+v, in the order %v", s.Ranked, l.order(s))
	}
	for pattern, want := range map[string]string{
		"step([0-9])":   "step9e3.jsonl: expected another step than that of last.jsonl, found 9 for both",
		"(last|step.*)": `last.jsonl: expected the number of a step by (last|step.*), found "last"`,
		"step(9e3|50)":  `last.jsonl: expected a step by step(9e3|50) in its name or in that of its model, "m-stepX", found none`,
		"()step":        `last.jsonl: expected the number of a step by ()step, found ""`,
	} {
		model := "m-step900"
		if strings.Contains(want, "X") {
			model = "m-stepX"
		}
		l := board(t, []string{"last.jsonl", "step9e3.jsonl", "step50.jsonl"}, newRun(t, model, 2, 1), newRun(t, "m", 2, 1), newRun(t, "m", 2, 2))
		if err := l.SetSteps(regexp.MustCompile(pattern)); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", pattern, err, want)
		}
	}
}

func checkpoints(t testing.TB) *Leaderboard {
	t.Helper()
	l := board(t, []string{"step-10.jsonl", "step-200.jsonl", "<i>step-3000.jsonl"},
		newRun(t, "m", 4, 1, 0, 0, 2, 1), newRun(t, "m", 4, 4, 3, 0, 2, 4), newRun(t, "m", 4, 4, 4, 0, 4, 4))
	if err := l.SetSteps(regexp.MustCompile(`step-([0-9]+)`)); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLeaderboardTable(t *testing.T) {
	l := checkpoints(t)
	l.Entries[0].Name = "step-\x1b[31m10"
	l.Verdicts = l.Verdicts[:1]
	for _, test := range []struct {
		width int
		want  string
	}{
		{0, `3 runs of 5 tasks, 4 samples a task

     run            step   pass@1   95 % interval   place   pass@2   5                                      100 %
  1  step-�[31m10     10   20.0 %     5.0 to 35.0     1-3   36.7 %   ───────●───────
  2  step-200        200   65.0 %    30.0 to 95.0     1-3   76.7 %              ────────────────●──────────────
  3  <i>step-3000   3000   80.0 %   40.0 to 100.0     1-3   80.0 %                   ──────────────────●─────────

  place: the first and the last that the run may have, as only runs that differ with a corrected p below 0.05 are told apart.

  pass@5 is left out: 3 runs have tasks with samples, but fewer than 5.

     p                1     2
  1  step-�[31m10
  2  step-200      .500
  3  <i>step-3000  .375  .500

  p: were the two equals, the chance that pass@1 differs by so much (paired permutation test, counted over all signs), corrected for 3 pairs (Holm).

     task     share   1-3
  1  2      33.33 %   ·▇█
  2  1      26.92 %   ▃██
  3  5      26.92 %   ▃██
  4  4      12.82 %   ▅▅█
  5  3       0.00 %   ···
  The tasks that separate the runs most. share: of the variance of pass@1 between runs, together 100.0 %; then each run's samples that pass, from none (·) to all (█).
  All samples of all runs pass on 0 tasks, none on 1: these separate nothing.
`},
		{60, `3 runs of 5 tasks, 4 samples a task

     run            step   pass@1   95 % interval   place
  1  step-�[31m10     10   20.0 %     5.0 to 35.0     1-3
`},
	} {
		var out bytes.Buffer
		if err := l.table(&out, test.width, false); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("in %d columns:\n%s\nwant\n%s", test.width, got, test.want)
		}
	}
	for width := 50; width < 130; width++ {
		var out bytes.Buffer
		if err := l.table(&out, width, true); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
				t.Errorf("a line of %d columns in %d: %s", n, width, line)
			}
		}
	}
}

// The tables for programs have all runs and numbers.
func TestLeaderboardCSV(t *testing.T) {
	l := checkpoints(t)
	l.Entries[1].Name = "a \"name\",\nof two lines"
	var out bytes.Buffer
	if err := l.CSV(&out); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(lines) != 4 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	of := func(line int, column string) string { return lines[line][slices.Index(lines[0], column)] }
	if of(2, "run") != l.Entries[1].Name || of(2, "step") != "200" || of(2, "official_pass@1") != "0.65" || of(3, "guarded_pass@2") != "0.8" ||
		of(1, "official_place_first") != "1" || of(1, "samples") != "20" || of(1, "model") != "m" {
		t.Errorf("%q", lines)
	}

	var read struct {
		Tasks int
		Runs  []struct {
			Name string
			Step float64
		}
		Verdicts []struct {
			Verdict evaluator.Verdict
			Ranking []struct {
				Run    int
				Places [2]int
				At1    struct {
					Value    float64
					Interval [2]float64
				} `json:"pass@1"`
			}
			Pairs []struct {
				A, B          int
				Difference, P float64
				Holm          float64 `json:"p_holm"`
			}
			Tasks []struct {
				ID    task.ID
				Share float64
				Rates [][2]int
			}
		}
	}
	if err := json.Unmarshal(l.JSON(), &read); err != nil {
		t.Fatal(err)
	}
	official := read.Verdicts[0]
	if read.Tasks != 5 || read.Runs[2].Step != 3000 || official.Ranking[0].Run != 2 || official.Ranking[0].At1.Value != 0.8 ||
		len(official.Pairs) != 3 || official.Pairs[0].A != 2 || official.Pairs[0].B != 1 || official.Pairs[0].Holm != 0.5 ||
		official.Tasks[0].ID != "2" || official.Tasks[0].Rates[1] != [2]int{3, 4} {
		t.Errorf("%+v", read)
	}
}

func TestLaTeX(t *testing.T) {
	for text, want := range map[string]string{
		"Qwen2.5-Coder_7B":   `Qwen2.5-Coder\_7B`,
		`\input{x} $1 & #2%`: `\textbackslash{}input\{x\} \$1 \& \#2\%`,
		"a--b ''c'' ,,":      `a-{}-b '{}'c'{}' ,{},`,
		"?`~^<>|\"":          "?{}`\\textasciitilde{}\\textasciicircum{}\\textless{}\\textgreater{}\\textbar{}\\char34{}",
		"a\nb\x00c\u2028d":   "a b c d",
		"модель-é":           "модель-é",
	} {
		if got := latexText(text); got != want {
			t.Errorf("latexText(%q) = %s, want %s", text, got, want)
		}
	}
	l := checkpoints(t)
	l.Entries[0].Name = "[x]%"
	var out bytes.Buffer
	if err := l.LaTeX(&out); err != nil {
		t.Fatal(err)
	}
	want := `\begin{tabular}{lrr@{\hspace{0.5em}}lrr@{\hspace{0.5em}}lr}
\toprule
& & \multicolumn{3}{c}{official} & \multicolumn{3}{c}{guarded} \\
\cmidrule(lr){3-5} \cmidrule(lr){6-8}
Run & Step & \multicolumn{2}{c}{pass@1} & pass@2 & \multicolumn{2}{c}{pass@1} & pass@2 \\
\midrule
{}[x]\% & 10 & \textbf{20.0} & {\scriptsize [5.0, 35.0]} & 36.7 & `
	if _, table, _ := strings.Cut(out.String(), "a task.\n"); !strings.HasPrefix(table, want) || !strings.HasSuffix(table, " \\\\\n\\bottomrule\n\\end{tabular}\n") {
		t.Errorf("got\n%s\nwant\n%s", table, want)
	}
	for line := range strings.Lines(out.String()) {
		if n := strings.Count(strings.ReplaceAll(line, `\&`, ""), "&"); strings.HasPrefix(line, "{}") && n != 7 {
			t.Errorf("%d cells: %s", n+1, line)
		}
	}
}

func FuzzLaTeXText(f *testing.F) {
	f.Add("a\\b{}$&#%_^~<>|\"--``''")
	f.Fuzz(func(t *testing.T, text string) {
		plain := strings.NewReplacer(`\textbackslash{}`, "", `\textasciicircum{}`, "", `\textasciitilde{}`, "", `\textless{}`, "", `\textgreater{}`, "",
			`\textbar{}`, "", `\char34{}`, "", "{}", "", `\{`, "", `\}`, "", `\$`, "", `\&`, "", `\#`, "", `\%`, "", `\_`, "").Replace(latexText(text))
		if strings.ContainsAny(plain, "\\{}$&#%_^~<>|\"\n\r\x00") {
			t.Errorf("%q becomes %q, of which %q is not text", text, latexText(text), plain)
		}
	})
}

func TestPoints(t *testing.T) {
	for by, want := range map[float64]string{0: "0.0", 1e-17: "0.0", 0.056: "+5.6", -0.056: "-5.6", 0.0001: "0.0", -0.0001: "0.0"} {
		if got := points(by); got != want {
			t.Errorf("points(%v) = %q, want %q", by, got, want)
		}
	}
}
