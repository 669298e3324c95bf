package openset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/rows"
	"codelinter/internal/tasks/dataset"
	"codelinter/lint"
	"codelinter/rule"
)

// golden is what the newest flake8 prints for the programs of the open set; record
// writes it, once they pass their tests under CPython. Where an older one prints something
// else, that stands in olderGolden.
const golden = "testdata/recorded.jsonl"

func olderGolden(release rule.Release) string {
	return "testdata/recorded." + release.String() + ".jsonl"
}

// A recording is a line of golden.
type recording struct {
	ID     task.ID  `json:"id"`
	SHA256 string   `json:"sha256"` // of the programs and tests that it is about
	Dirty  []string `json:"dirty"`  // "1:4: E225 missing whitespace around operator"
	Clean  []string `json:"clean"`
	// Answers counts what flake8 finds in each answer's code; the evaluator's
	// tests look at it.
	Answers []int `json:"answers"`
}

// The linter must agree with each release of flake8 on every program of the open set, and
// the feedback must be what it found.
func TestOpenSet(t *testing.T) {
	newest := readRecordings(t, golden)
	releases := rule.Releases()
	for _, release := range releases {
		t.Run(release.String(), func(t *testing.T) {
			recordings := maps.Clone(newest)
			if release != releases[len(releases)-1] {
				for id, r := range readRecordings(t, olderGolden(release)) {
					if cmp.Equal(r, newest[id]) {
						t.Errorf("%s: task %s is not needed: flake8 %v prints what the newest does", olderGolden(release), id, release)
					}
					recordings[id] = r
				}
			}
			testRelease(t, release, recordings)
		})
	}
}

func testRelease(t *testing.T, release rule.Release, recordings map[task.ID]recording) {
	tasks, err := Tasks()
	if err != nil {
		t.Fatal(err)
	}
	if len(recordings) != tasks.Len() {
		t.Errorf("%d recordings of %d tasks: run internal/tasks/openset/record", len(recordings), tasks.Len())
	}
	linter, err := lint.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	answers := readAnswers(t)
	for _, task := range tasks.All() {
		t.Run(string(task.Meta.ID), func(t *testing.T) {
			recorded, ok := recordings[task.Meta.ID]
			if !ok || recorded.SHA256 != digest(task, answers[task.Meta.ID]) {
				t.Fatal("not recorded as it is now: run internal/tasks/openset/record")
			}
			task.Meta.Options.Apply(linter, release, 0)
			if diff := cmp.Diff(recorded.Clean, findings(linter, task.Meta.CanonicalCode)); diff != "" {
				t.Errorf("clean program, flake8 and the linter:\n%s", diff)
			}
			found := findings(linter, task.Inputs.Code)
			if diff := cmp.Diff(settle(recorded.Dirty), settle(found)); diff != "" {
				t.Errorf("program with faults, flake8 and the linter:\n%s", diff)
			}
			if diff := cmp.Diff(strings.Join(asFeedback(t, found), ""), task.Inputs.Feedback); diff != "" {
				t.Errorf("the linter and the feedback:\n%s", diff)
			}
			if len(recorded.Clean) > 0 || len(recorded.Dirty) == 0 {
				t.Errorf("flake8 finds %d faults in the program with faults and %d in the clean one", len(recorded.Dirty), len(recorded.Clean))
			}
		})
	}
}

// What makes the open set worth having.
func TestOpenSetIsRich(t *testing.T) {
	tasks, err := Tasks()
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]int{} // the number of tasks that have it
	programs := map[string]task.ID{}
	for _, task := range tasks.All() {
		seen := map[string]bool{}
		for line := range strings.Lines(task.Inputs.Feedback) {
			seen[line[:4]] = true
		}
		for code := range seen {
			codes[code]++
		}
		for _, program := range []string{task.Inputs.Code, task.Meta.CanonicalCode} {
			if other, twice := programs[program]; twice {
				t.Errorf("tasks %s and %s have a program in common", other, task.Meta.ID)
			}
			programs[program] = task.Meta.ID
		}
		if lines := strings.Count(task.Inputs.Code, "\n"); lines < 3 || lines > 60 {
			t.Errorf("task %s: a program of %d lines, want 3 to 60", task.Meta.ID, lines)
		}
		if task.Meta.Row == nil || task.Meta.Text == "" || task.Meta.TaskID != task.Meta.ID || len(task.Meta.TestList) == 0 {
			t.Errorf("task %s: no text, no tests or another task_id", task.Meta.ID)
		}
	}
	t.Logf("%d tasks; tasks with each of %d codes: %v", tasks.Len(), len(codes), codes)
	if tasks.Len() < 110 {
		t.Errorf("%d tasks, want at least 110", tasks.Len())
	}
	var missing []string
	for code := range rule.Codes() {
		if r := code.Rule(); codes[r.Code] == 0 && !slices.Contains(refused, r.Code) && !slices.Contains(unasked, r.Code) {
			missing = append(missing, r.Code)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no task has %v", missing)
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if slices.Contains(refused, code) {
			t.Errorf("%s is in a task, and listed as out of reach", code)
		}
	}
}

// unasked lists the codes that no task's options ask for: E133 and W503 say the
// opposite of E123 and W504.
var unasked = []string{"E133", "W503"}

// refused lists the codes that only a program which does not run can have.
var refused = []string{
	"E112", "E113", "E902", "E999",
	"F404", "F406", "F407", "F621", "F622", "F701", "F702", "F704", "F706", "F707", "F831",
	"F708", "F709", "F851", // lazy imports, of a CPython later than the sandbox's
}

// readRecordings reads a golden. One that is not there holds nothing.
func readRecordings(t *testing.T, golden string) map[task.ID]recording {
	file, err := os.Open(golden)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	recordings := map[task.ID]recording{}
	for lines := rows.NewLines(golden, file); ; {
		line, err := lines.Next()
		if err == io.EOF {
			return recordings
		}
		if err != nil {
			t.Fatal(err)
		}
		var r recording
		if err := json.Unmarshal(line.Text, &r); err != nil {
			t.Fatal(err)
		}
		recordings[r.ID] = r
	}
}

// readAnswers returns the answers that are built in.
func readAnswers(t *testing.T) map[task.ID][]string {
	file, err := Answers()
	if err != nil {
		t.Fatal(err)
	}
	answers := map[task.ID][]string{}
	for lines := evaluator.NewJSONL("answers", file); ; {
		line, err := lines.Next()
		if err == io.EOF {
			return answers
		}
		if err != nil {
			t.Fatal(err)
		}
		samples, err := lines.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		answers[samples.ID] = samples.Outputs
	}
}

// digest returns what openset/record calls by that name.
func digest(task *task.Task, answers []string) string {
	asked := append([]string{task.Meta.Options.String(), task.Inputs.Code, task.Meta.CanonicalCode, task.Meta.TestSetupCode}, task.Meta.TestList...)
	asked = append(asked, answers...)
	sum := sha256.Sum256([]byte(strings.Join(asked, "\x00")))
	return hex.EncodeToString(sum[:])
}

// findings returns what the linter says of the program, as flake8 prints it.
func findings(linter *lint.Linter, program string) []string {
	printed := []string{}
	for _, finding := range linter.Lint(lint.Input{Data: []byte(program)}).Findings {
		printed = append(printed, fmt.Sprintf("%d:%d: %s %s",
			finding.Row, finding.Column, finding.Code.String(), finding.AppendMessage(nil)))
	}
	return printed
}

// settle puts findings at one row and column in the order of their texts: flake8
// prints them in the order of a hash.
func settle(printed []string) []string {
	place := func(line string) string {
		at, _, _ := strings.Cut(line, ": ")
		return at
	}
	printed = slices.Clone(printed)
	for start := 0; start < len(printed); {
		end := start + 1
		for end < len(printed) && place(printed[end]) == place(printed[start]) {
			end++
		}
		slices.Sort(printed[start:end])
		start = end
	}
	return printed
}

// asFeedback turns what is printed into the benchmark's form.
func asFeedback(t *testing.T, printed []string) []string {
	var feedback []string
	for _, line := range printed {
		place, finding, ok := strings.Cut(line, ": ")
		row, _, _ := strings.Cut(place, ":")
		code, message, ok2 := strings.Cut(finding, " ")
		if !ok || !ok2 {
			t.Fatalf("printed: %q, want a finding", line)
		}
		feedback = append(feedback, fmt.Sprintf("%s: %s in %s line\n", code, message, row))
	}
	return feedback
}

// The set has no fault, whatever release of flake8 scores it: its tasks name none, and
// what the prompts say is what each of them finds.
func TestCheck(t *testing.T) {
	var open strings.Builder
	if err := WriteTasks(&open); err != nil {
		t.Fatal(err)
	}
	for _, flake8 := range rule.Releases() {
		if report, err := dataset.Check("t", strings.NewReader(open.String()), dataset.CheckOptions{Release: flake8}); err != nil || len(report.Faults) > 0 || report.CleanCanonical != report.Rows {
			t.Errorf("flake8 %v: open set: %+v, %v", flake8, report, err)
		}
	}
}
