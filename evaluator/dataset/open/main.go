// Command open makes the open set, embedded/open.jsonl.gz, from the tasks in
// this folder, and answers to it (see answers.go). After a change to any of them:
//
//	go run ./evaluator/dataset/open
//	evaluator/dataset/open/record
//
// The second asks the real flake8 and CPython about every row; the tests
// compare the linter with what it wrote down.
//
// A task is one txtar archive, NNN_name.txtar, whose number is its id:
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
// The first line says what the program does; it becomes the row's text.
// dirty.py must have findings and clean.py none, under flake8's defaults, and
// both must pass the tests. "options.json" above them holds other options of
// flake8, which the row has in its meta and names in its instruction. An archive cannot hold a file without a newline at
// its end: "dirty.py, unfinished" is dirty.py without it. What stands above the
// first assert in tests.py becomes the row's test_setup_code, and each assert
// with the lines up to the next one is a text of test_list.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"codelinter/evaluator/dataset"
	"codelinter/lint"
	"golang.org/x/tools/txtar"
)

// What is read and written, relative to the module's root.
const (
	folder      = "evaluator/dataset/open"
	tasksFile   = "evaluator/dataset/embedded/open.jsonl.gz"
	answersFile = "evaluator/dataset/embedded/open_answers.jsonl.gz"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "open:", err)
		os.Exit(1)
	}
}

func run() error {
	var rows, answers bytes.Buffer
	if err := build(&rows, &answers, os.DirFS(folder)); err != nil {
		return err
	}
	if err := pack(tasksFile, rows.Bytes()); err != nil {
		return err
	}
	return pack(answersFile, answers.Bytes())
}

// pack writes text to a file in gzip.
func pack(path string, text []byte) error {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := zip.Write(text); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.FromSlash(path), packed.Bytes(), 0o644)
}

// build writes a row for each task of the folder, in the order of their ids, with
// our English instructions in turn, and answers to it. The error names every task
// that is wrong.
func build(rows, answers io.Writer, tasks fs.FS) error {
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(rows)
	encoder.SetEscapeHTML(false)
	names, err := fs.Glob(tasks, "*.txtar")
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("expected tasks called NNN_name.txtar, found none")
	}
	prompts := dataset.Prompts("en")
	var faults []error
	var done []dataset.Task
	for i, name := range names {
		data, err := fs.ReadFile(tasks, name)
		if err != nil {
			return err
		}
		task, err := parse(name, data, linter)
		task.Instruction = prompts[i%len(prompts)]
		if task.Meta.Options != nil {
			task.Instruction = fmt.Sprintf(strictInstruction, task.Meta.Options)
		}
		if err == nil && string(task.Meta.ID) != fmt.Sprint(i+1) {
			err = fmt.Errorf("expected the number %03d: they go from 001 without a gap", i+1)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
			continue
		}
		if err := encoder.Encode(task); err != nil {
			return err
		}
		done = append(done, task)
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	return writeAnswers(answers, done)
}

// strictInstruction is the instruction of a task with options, which stand in the
// place of %s.
const strictInstruction = `The project runs flake8 with options of its own: %s

This program does not pass:
{code}

The findings:
{feedback}

Rewrite the program so that flake8, with these options, finds nothing. It must do what it does now.
Answer with the whole program in one block, and nothing after it:
` + "```python\n# the program\n```"

// number finds the id in a task's name.
var number = regexp.MustCompile(`^0*([1-9][0-9]*)_[a-z0-9_]+\.txtar$`)

// parse makes the row of one archive, but for its instruction.
func parse(name string, data []byte, linter *lint.Linter) (task dataset.Task, err error) {
	match := number.FindStringSubmatch(name)
	if match == nil {
		return task, errors.New("expected a name like 001_running_mean.txtar")
	}
	id := dataset.ID(match[1])
	archive := txtar.Parse(data)
	text := strings.TrimSuffix(string(archive.Comment), "\n")
	if text == "" || strings.Contains(text, "\n") {
		return task, errors.New("expected one line above the programs, on what they do")
	}
	var files []string
	for _, file := range archive.Files {
		files = append(files, file.Name)
	}
	if len(files) > 0 && files[0] == "options.json" {
		task.Meta.Options = new(dataset.Settings)
		if err := json.Unmarshal(archive.Files[0].Data, task.Meta.Options); err != nil {
			return task, fmt.Errorf("options.json: %w", err)
		}
		archive.Files, files = archive.Files[1:], files[1:]
	}
	task.Meta.Options.Apply(linter)
	listed := strings.Join(files, "; ")
	if listed != "dirty.py; clean.py; tests.py" && listed != "dirty.py, unfinished; clean.py; tests.py" {
		return task, fmt.Errorf("expected dirty.py, clean.py and tests.py, with no other file but options.json above them, found %s", listed)
	}
	dirty, clean := string(archive.Files[0].Data), string(archive.Files[1].Data)
	if archive.Files[0].Name != "dirty.py" {
		dirty = strings.TrimSuffix(dirty, "\n")
	}
	row := &dataset.Row{TaskID: id, Text: text}
	row.TestSetupCode, row.TestList = split(string(archive.Files[2].Data))
	if len(row.TestList) == 0 {
		return task, errors.New("expected an assert in tests.py")
	}
	if left := dataset.AppendFeedback(nil, linter.Lint([]byte(clean))); len(left) > 0 {
		return task, fmt.Errorf("clean.py has findings:\n%s", bytes.TrimSpace(left))
	}
	feedback := string(dataset.AppendFeedback(nil, linter.Lint([]byte(dirty))))
	if feedback == "" {
		return task, errors.New("dirty.py has no finding")
	}
	task.Inputs = dataset.Inputs{Code: dirty, Feedback: feedback}
	task.Outputs = json.RawMessage(`""`)
	task.Meta.ID, task.Meta.CanonicalCode, task.Meta.Row = id, clean, row
	return task, nil
}

// split parts tests.py at the lines that begin with assert.
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
