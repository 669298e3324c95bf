// Package opensetgen makes the open set's rows, and the answers to them (see
// answers.go), from a folder of tasks. A task is a txtar archive, NNN_name.txtar,
// whose number is its id:
//
//	The mean of every window of a list.
//	-- dirty.py --
//	def running_mean(values,window):
//	    ...
//	-- clean.py --
//	def running_mean(values, window):
//	    ...
//	-- tests.py --
//	assert running_mean([1, 3], 2) == [2.0]
//
// The first line says what the program does; it becomes the row's text. dirty.py
// must have findings and clean.py none, under flake8's defaults, and both must pass
// the tests. An "options.json" above them has other options of flake8; the row has
// them in its meta and names them in its instruction. A file of an archive always
// ends with a newline: "dirty.py, unfinished" is a dirty.py without it. In tests.py
// the lines above the first assert become the row's test_setup_code. Each assert,
// with the lines up to the next one, becomes an item of test_list.
package opensetgen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"

	"codelinter/evaluator/task"
	"codelinter/internal/tasks/dataset"
	"codelinter/lint"
)

// Generate writes a row for each task of the folder, in the order of their ids, with
// our English instructions in turn, and a line of answers for each row. The error
// names every invalid task.
func Generate(rows, answers io.Writer, folder fs.FS) error {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(rows)
	encoder.SetEscapeHTML(false)
	names, err := fs.Glob(folder, "*.txtar")
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("expected tasks called NNN_name.txtar, found none")
	}
	instructions := dataset.Instructions("en")
	var faults []error
	var done []task.Task
	for i, name := range names {
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		t, err := parse(name, data, linter)
		t.Instruction = instructions[i%len(instructions)]
		if t.Meta.Options != nil {
			t.Instruction = fmt.Sprintf(strictInstruction, t.Meta.Options)
		}
		if err == nil && string(t.Meta.ID) != fmt.Sprint(i+1) {
			err = fmt.Errorf("expected the number %03d: they go from 001 without a gap", i+1)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
			continue
		}
		if err := encoder.Encode(t); err != nil {
			return err
		}
		done = append(done, t)
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	return writeAnswers(answers, done)
}

// strictInstruction is the instruction of a task with options, which replace %s.
const strictInstruction = `The project runs flake8 with options of its own: %s

This program does not pass:
{code}

The findings:
{feedback}

Rewrite the program so that flake8, with these options, finds nothing. It must do what it does now.
Answer with the whole program in one block, and nothing after it:
` + "```python\n# the program\n```"

// number matches a task's file name. Its group is the id.
var number = regexp.MustCompile(`^0*([1-9][0-9]*)_[a-z0-9_]+\.txtar$`)

// parse makes the row of an archive, without its instruction.
func parse(name string, data []byte, linter *lint.Linter) (t task.Task, err error) {
	match := number.FindStringSubmatch(name)
	if match == nil {
		return t, errors.New("expected a name like 001_running_mean.txtar")
	}
	id := task.ID(match[1])
	archive := txtar.Parse(data)
	text := strings.TrimSuffix(string(archive.Comment), "\n")
	if text == "" || strings.Contains(text, "\n") {
		return t, errors.New("expected one line above the programs, on what they do")
	}
	var files []string
	for _, file := range archive.Files {
		files = append(files, file.Name)
	}
	if len(files) > 0 && files[0] == "options.json" {
		t.Meta.Options = new(task.Options)
		if err := json.Unmarshal(archive.Files[0].Data, t.Meta.Options); err != nil {
			return t, fmt.Errorf("options.json: %w", err)
		}
		archive.Files, files = archive.Files[1:], files[1:]
	}
	t.Meta.Options.Apply(linter, 0, 0)
	listed := strings.Join(files, "; ")
	if listed != "dirty.py; clean.py; tests.py" && listed != "dirty.py, unfinished; clean.py; tests.py" {
		return t, fmt.Errorf("expected dirty.py, clean.py and tests.py, with no other file but options.json above them, found %s", listed)
	}
	dirty, clean := string(archive.Files[0].Data), string(archive.Files[1].Data)
	if archive.Files[0].Name != "dirty.py" {
		dirty = strings.TrimSuffix(dirty, "\n")
	}
	row := &task.Row{TaskID: id, Text: text}
	row.TestSetupCode, row.TestList = split(string(archive.Files[2].Data))
	if len(row.TestList) == 0 {
		return t, errors.New("expected an assert in tests.py")
	}
	if left := task.AppendFeedback(nil, linter.Lint(lint.Input{Data: []byte(clean)}).Findings); len(left) > 0 {
		return t, fmt.Errorf("clean.py has findings:\n%s", bytes.TrimSpace(left))
	}
	feedback := string(task.AppendFeedback(nil, linter.Lint(lint.Input{Data: []byte(dirty)}).Findings))
	if feedback == "" {
		return t, errors.New("dirty.py has no finding")
	}
	t.Inputs = task.Inputs{Code: dirty, Feedback: feedback}
	t.Outputs = json.RawMessage(`""`)
	t.Meta.ID, t.Meta.CanonicalCode, t.Meta.Row = id, clean, row
	return t, nil
}

// split splits tests.py at the lines that begin with assert.
func split(text string) (setup string, tests []string) {
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "assert "):
			tests = append(tests, line)
		case len(tests) > 0:
			tests[len(tests)-1] += line
		default:
			setup += line
		}
	}
	for i := range tests {
		tests[i] = strings.TrimRight(tests[i], "\n")
	}
	return setup, tests
}
