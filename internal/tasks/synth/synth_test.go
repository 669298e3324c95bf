package synth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/fix"
	"codelinter/internal/guard"
	"codelinter/internal/tasks/corpus"
	"codelinter/internal/tasks/openset"
	"codelinter/internal/tasks/similar"
	"codelinter/internal/testenv/bench"
	"codelinter/lint"
	"codelinter/rule"
)

func TestMain(m *testing.M) { bench.Main(m) }

// allOptions are options under which all codes are found.
func allOptions(t testing.TB) *task.Options {
	options := lint.DefaultOptions()
	options.Ignore = []string{"W503", "W504"}
	o, err := task.NewOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	if o, err = o.Pinned(0, 0); err != nil {
		t.Fatal(err)
	}
	return o
}

func defaults(t testing.TB) *task.Options {
	o, err := (*task.Options)(nil).Pinned(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func program(text string) Program {
	return Program{Program: corpus.Program{Text: text}, Hash: sha256.Sum256([]byte(text))}
}

// corpusOf is every, and the corrected programs of the open set.
func corpusOf(t testing.TB) (programs []Program) {
	tasks, err := openset.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	programs = append(programs, program(every))
	for _, one := range tasks.All() {
		programs = append(programs, program(one.Meta.CanonicalCode))
	}
	return programs
}

// Each code has a fault that is what it says: alone it brings its finding, and the program without
// it is proven to be the same. Of all faults nearly all are so; the others are what a Maker draws
// again.
func TestFaults(t *testing.T) {
	o := allOptions(t)
	linter, err := lint.New(o.Lint())
	if err != nil {
		t.Fatal(err)
	}
	cleanLinter := linter.Clone() // whose findings stay while linter finds others
	var f finder
	var checker guard.Checker
	if err := checker.Follow(o.Lint()); err != nil {
		t.Fatal(err)
	}
	good, all := map[rule.Code]int{}, map[rule.Code]int{}
	for _, p := range corpusOf(t) {
		faults, ok := f.find([]byte(p.Text))
		if !ok {
			t.Fatalf("does not parse:\n%s", p.Text)
		}
		before := map[rule.Code]bool{}
		clean := cleanLinter.Lint(lint.Input{Data: []byte(p.Text), Facts: true})
		for _, finding := range clean.Findings {
			before[finding.Code] = true
		}
		seen := map[rule.Code]int{}
		for _, fault := range faults {
			if seen[fault.code]++; seen[fault.code] > 5 && p.Text != every {
				continue
			}
			all[fault.code]++
			faulty := fix.Apply(nil, p.Text, fault.edits)
			found, others := false, false
			for _, finding := range linter.Lint(lint.Input{Data: faulty}).Findings {
				found = found || finding.Code == fault.code
				others = others || finding.Code != fault.code && !slices.Contains(fault.also, finding.Code) && !before[finding.Code]
			}
			if !found || others {
				continue
			}
			program, err := checker.Program(faulty)
			if err != nil {
				t.Errorf("%s: %v\n%s", fault.code, err, faulty)
				continue
			}
			if checker.Check(program, []byte(p.Text), clean.Facts).SameTree {
				good[fault.code]++
			}
		}
	}
	total, fine := 0, 0
	for _, code := range Codes() {
		total, fine = total+all[code], fine+good[code]
		if good[code] == 0 {
			t.Errorf("%s: none of %d faults is one", code, all[code])
		}
		delete(all, code)
	}
	if len(all) > 0 {
		t.Errorf("faults of codes that Codes does not list: %v", all)
	}
	if share := float64(fine) / float64(total); share < 0.85 {
		t.Errorf("%d of %d faults are what they say, %.3f", fine, total, share)
	}
}

// run makes tasks in memory.
func run(t testing.TB, programs []Program, o RunOptions) (lines []string, r Report) {
	t.Helper()
	r, err := Run(context.Background(), programs, o, func(m Made) error {
		lines = append(lines, string(m.Line))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, r
}

// Tasks are what they promise: their feedback is what flake8 finds, their canonical code is clean
// and proven, also as the benchmark takes it out of an answer. They do not depend on the number of
// workers, and other seeds make others.
func TestRun(t *testing.T) {
	o := RunOptions{Options: Options{Lint: defaults(t), Instructions: []string{"{feedback}{code}"}}, N: 600, Workers: 1, Fit: 40}
	programs := corpusOf(t)[1:]
	one, report := run(t, programs, o)
	if len(one) != 600 || report.Tasks != 600 {
		t.Fatalf("%d tasks, %+v", len(one), report)
	}
	o.Workers = 4
	if four, _ := run(t, programs, o); !slices.Equal(one, four) {
		t.Error("four workers make other tasks than one")
	}
	o.Seed = 1
	if other, _ := run(t, programs, o); slices.Equal(one, other) {
		t.Error("another seed makes the same tasks")
	}
	linter, err := lint.New(o.Lint.Lint())
	if err != nil {
		t.Fatal(err)
	}
	var checker guard.Checker
	m, err := NewMaker(o.Options)
	if err != nil {
		t.Fatal(err)
	}
	programsSeen := map[string]bool{}
	for i := range 300 {
		made, ok := m.Make(&programs[i%len(programs)], i)
		if !ok {
			continue
		}
		if programsSeen[made.Inputs.Code] {
			continue
		}
		programsSeen[made.Inputs.Code] = true
		if got := string(task.AppendFeedback(nil, linter.Lint(lint.Input{Data: []byte(made.Inputs.Code)}).Findings)); got != made.Inputs.Feedback || got == "" {
			t.Errorf("%s: feedback is %q, flake8 finds %q", made.Meta.ID, made.Inputs.Feedback, got)
		}
		answer := extract.Code("```python\n" + made.Meta.CanonicalCode + "```\n").Text
		clean := linter.Lint(lint.Input{Data: []byte(answer), Facts: true})
		if found := clean.Findings; len(found) > 0 {
			t.Errorf("%s: the canonical code has %s in row %d", made.Meta.ID, found[0].Code, found[0].Row)
		}
		program, err := checker.Program([]byte(made.Inputs.Code))
		if err != nil {
			t.Fatal(err)
		}
		if r := checker.Check(program, []byte(answer), clean.Facts); !r.SameTree {
			t.Errorf("%s: the canonical code is not proven: %v", made.Meta.ID, r.Reasons)
		}
		if d := made.Meta.Difficulty; d <= 0 || d >= 1 {
			t.Errorf("%s: difficulty %v", made.Meta.ID, d)
		}
	}
}

// Of codes that are asked for, tasks have each as often as its weight says.
func TestWeights(t *testing.T) {
	weights := Weights{rule.W291: 2, rule.E231: 2, rule.E303: 1, rule.E201: 1}
	_, report := run(t, corpusOf(t)[1:], RunOptions{Options: Options{Lint: defaults(t), Weights: weights, Max: 2}, N: 2000, Workers: 2})
	for code, share := range report.Asked {
		if got := report.Share[code]; math.Abs(got-share) > 0.2*share {
			t.Errorf("%s: %.3f of the codes, asked for %.3f", code, got, share)
		}
	}
	if len(report.Asked) != len(weights) {
		t.Errorf("%v", report.Asked)
	}
}

// A run that was ended in the middle goes on, and makes the bytes of one that was not.
func TestJournal(t *testing.T) {
	programs := corpusOf(t)[1:]
	o := RunOptions{Options: Options{Lint: defaults(t)}, N: 500, Workers: 2, Fit: -1, Test: 0.3}
	folder := t.TempDir()
	name := func(of string) (string, string) {
		return filepath.Join(folder, of+".jsonl"), filepath.Join(folder, of+".test.jsonl")
	}
	write := func(of string, end int) error {
		train, test := name(of)
		o := o
		o.Seen = NewSeen()
		journal, from, err := OpenJournal(train, test, Digest(programs, o.Options), o.Seen)
		if err != nil {
			return err
		}
		o.From = from
		stop := errors.New("stop")
		_, err = Run(context.Background(), programs, o, func(m Made) error {
			if m.Next.Tasks > end {
				return stop
			}
			return journal.Write(m)
		})
		if errors.Is(err, stop) {
			return errors.Join(journal.Save(), journal.Close())
		}
		return errors.Join(err, journal.Done())
	}
	if err := write("whole", o.N); err != nil {
		t.Fatal(err)
	}
	for _, end := range []int{0, 1, 117, 333, o.N} {
		if err := write("parts", end); err != nil {
			t.Fatal(err)
		}
	}
	a, b := name("whole")
	c, d := name("parts")
	tests := 0
	for _, pair := range [][2]string{{a, c}, {b, d}} {
		whole, err := os.ReadFile(pair[0])
		if err != nil {
			t.Fatal(err)
		}
		parts, err := os.ReadFile(pair[1])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(whole, parts) {
			t.Errorf("%s: %d bytes in one run, %d in several", filepath.Base(pair[1]), len(whole), len(parts))
		}
		tests = bytes.Count(whole, []byte("\n"))
	}
	if tests < o.N/6 || tests > o.N/2 {
		t.Errorf("%d tests of %d tasks", tests, o.N)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"+Suffix+"*"))
	if len(files) > 0 || err != nil {
		t.Errorf("left: %v, %v", files, err)
	}
	// Another run must not write into this one's files.
	if err := write("other", 10); err != nil {
		t.Fatal(err)
	}
	programs = programs[1:]
	if err := write("other", 20); err == nil || !strings.Contains(err.Error(), "other.jsonl.part.json: is of a run with other programs or options") {
		t.Errorf("%v", err)
	}
}

// No program is in both splits, and none of its tasks twice.
func TestSplit(t *testing.T) {
	where := map[string]bool{}
	seen := map[string]bool{}
	_, err := Run(context.Background(), corpusOf(t)[1:], RunOptions{Options: Options{Lint: defaults(t)}, N: 1500, Workers: 2, Fit: -1, Test: 0.5}, func(m Made) error {
		var one struct {
			Inputs struct{ Code string }
			Meta   struct {
				Canonical string `json:"canonical_code"`
			}
		}
		if err := json.Unmarshal(m.Line, &one); err != nil {
			return err
		}
		if was, has := where[one.Meta.Canonical]; has && was != m.Test {
			return fmt.Errorf("a program is in both splits")
		}
		where[one.Meta.Canonical] = m.Test
		if seen[one.Inputs.Code] {
			return fmt.Errorf("a task is there twice")
		}
		seen[one.Inputs.Code] = true
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Collect takes what is clean or can be fixed, once.
func TestCollect(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"clean.py":  "def f(a):\n    return [a, a, a, a, a, a, a, a, a]\n",
		"again.py":  "def g(b):\n    return [b, b, b, b, b, b, b, b, b]\n",
		"faulty.py": "def h( a ):\n    return {a: a + 1, a + 2: a + 3}\n",
		"noqa.py":   "def n(a):\n    return a.append(a,a)  # noqa\n",
		"worse.py":  "def w(a):\n    return undefined(a, a, a, a, a, a, a)\n",
		"open.py":   corpusOf(t)[3].Text,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := CollectOptions{Lint: defaults(t), Workers: 2, Corpus: corpus.Options{FileUnit: corpus.Whole}, Exclude: newOpenIndex(t)}
	programs, census, err := Collect(context.Background(), []string{folder}, o)
	if err != nil {
		t.Fatal(err)
	}
	want := Census{Read: 6, Clean: 1, Fixed: 1, Unclean: 2, Excluded: 1, Repeated: 1, Programs: 2}
	if census != want {
		t.Errorf("%+v\nwant %+v", census, want)
	}
	for _, p := range programs {
		if strings.Contains(p.Text, "( a )") {
			t.Errorf("not fixed: %s", p.Text)
		}
	}
}

// newOpenIndex returns an index of the open set.
func newOpenIndex(t testing.TB) *similar.Index {
	index := similar.NewIndex()
	var print similar.Printer
	for _, p := range corpusOf(t)[1:] {
		index.Add(print.Shingles(p.Text))
	}
	return index
}

func FuzzFind(f *testing.F) {
	f.Add(every)
	for _, p := range corpusOf(f)[:20] {
		f.Add(p.Text)
	}
	var finder finder
	f.Fuzz(func(t *testing.T, text string) {
		faults, _ := finder.find([]byte(text))
		for _, fault := range faults {
			at := int32(0)
			for _, e := range fault.edits {
				if e.Start < at || e.End < e.Start || int(e.End) > len(finder.Text) {
					t.Fatalf("%s: %v in %q", fault.code, fault.edits, text)
				}
				at = e.End
			}
			fix.Apply(nil, finder.Text, fault.edits)
		}
	})
}

func BenchmarkMake(b *testing.B) {
	programs := corpusOf(b)[1:]
	m, err := NewMaker(Options{Lint: defaults(b)})
	if err != nil {
		b.Fatal(err)
	}
	made := 0
	for i := 0; b.Loop(); i++ {
		if _, ok := m.Make(&programs[i/50%len(programs)], i); ok {
			made++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(made), "us/task")
}
