package formats

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"codelinter/evaluator"

	"github.com/google/go-cmp/cmp"
)

// EvalPlus's folder: the order is that of the numbers.
func TestFolder(t *testing.T) {
	write := func(dir, name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	write(dir, "HumanEval_8/0.py", "x = 1\r\n")
	for i := range 12 {
		write(dir, fmt.Sprintf("HumanEval_7/%d.py", i), strconv.Itoa(i))
	}
	write(dir, "HumanEval_7/notes.txt", "")
	write(dir, "HumanEval_10/0.py", "unknown")
	write(dir, "T_9/0.py", "named")
	write(dir, "eval_results.json", "")
	tasks := newTasks(t, "7", "8", "T/9")
	source, err := Open(dir, Auto, tasks)
	if err != nil {
		t.Fatal(err)
	}
	got, err := drain(source)
	if err != nil {
		t.Fatal(err)
	}
	want := []evaluator.Samples{
		{ID: "7", Outputs: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}},
		{ID: "8", Outputs: []string{"x = 1\r\n"}},
		{ID: "HumanEval_10", Outputs: []string{"unknown"}},
		{ID: "T/9", Outputs: []string{"named"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	wantNotes := []string{
		dir + ": read as evalplus",
		dir + ": files that are not called as samples are (0.py, 1.py), passed over: 2",
		dir + ": ids that are no task's, but whose last part is and is taken: 2, as HumanEval/7 for task 7",
	}
	if diff := cmp.Diff(wantNotes, source.Notes()); diff != "" {
		t.Error(diff)
	}

	if _, err := Open(dir, HumanEval, tasks); err == nil || err.Error() != dir+": expected a file of format human-eval, found a folder" {
		t.Error(err)
	}
	if _, err := Open(filepath.Join(dir, "T_9"), Auto, tasks); err == nil || !strings.Contains(err.Error(), "expected a folder for each task") {
		t.Error(err)
	}
	write(dir, "T_9/1.py", "\xff")
	source, err = Open(dir, Auto, tasks)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := drain(source); err == nil || err.Error() != filepath.Join(dir, "T_9/1.py")+": expected UTF-8, found other bytes" {
		t.Error(err)
	}
	if _, err := Open(filepath.Join(dir, "none"), Auto, tasks); err == nil || !strings.HasPrefix(err.Error(), "open ") {
		t.Error(err)
	}
}
