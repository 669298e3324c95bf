package formats

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// A folder is a folder of EvalPlus. It has a folder for each task, named after
// the task with "_" for each "/", with the samples 0.py, 1.py and so on.
type folder struct {
	ownRows
	path   string
	tasks  *task.Set
	called map[string]task.ID // tasks by folder name
	names  []string           // of the folders that exist
	next   int
	others int // number of files that are not samples
	ids    idMap
	list   []byte
	text   []byte
}

func newFolder(path string, tasks *task.Set) (*folder, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, &rows.Error{Err: err}
	}
	f := &folder{path: path, tasks: tasks, called: map[string]task.ID{}, ids: idMap{tasks: tasks}}
	for i := range tasks.All() {
		id := tasks.At(i).Meta.ID
		f.called[strings.ReplaceAll(string(id), "/", "_")] = id
	}
	for _, entry := range entries {
		if entry.IsDir() {
			f.names = append(f.names, entry.Name())
		} else {
			f.others++
		}
	}
	slices.SortFunc(f.names, natural)
	return f, nil
}

// natural orders names by the numbers at their ends.
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

// id returns the task's id for a folder's name.
func (f *folder) id(name string) task.ID {
	if _, ok := f.tasks.Find(task.ID(name)); ok {
		return task.ID(name)
	}
	if id, ok := f.called[name]; ok {
		return id
	}
	if id := task.ID(strings.ReplaceAll(name, "_", "/")); resolve(f.tasks, id) != id {
		return id
	}
	return task.ID(name)
}

// isProgram reports whether a file is a sample.
func isProgram(entry os.DirEntry) (number string, ok bool) {
	number, ok = strings.CutSuffix(entry.Name(), ".py")
	if _, err := strconv.ParseUint(number, 10, 32); !ok || err != nil || entry.IsDir() {
		return "", false
	}
	return number, true
}

func (f *folder) Next() (row rows.Row, err error) {
	if f.next == len(f.names) {
		return row, io.EOF
	}
	name := f.names[f.next]
	f.next++
	row.File = filepath.Join(f.path, name)
	id, err := f.ids.find(row, f.id(name))
	if err != nil {
		return row, err
	}
	entries, err := os.ReadDir(row.File)
	if err != nil {
		return row, &rows.Error{Err: err}
	}
	var numbers []string
	for _, entry := range entries {
		if number, ok := isProgram(entry); ok {
			numbers = append(numbers, number)
		} else {
			f.others++
		}
	}
	slices.SortFunc(numbers, natural)
	f.list = append(f.list[:0], '[')
	for i, number := range numbers {
		program, err := readProgram(filepath.Join(row.File, number+".py"))
		if err != nil {
			return row, err
		}
		if i > 0 {
			f.list = append(f.list, ',')
		}
		if f.list = pyjson.AppendQuoted(f.list, program); len(f.list) > 2*rows.MaxLength {
			return row, row.Errorf("expected samples of %d MiB at most for one task, found more", rows.MaxLength>>20)
		}
	}
	f.list = append(f.list, ']')
	f.text = ownRow(f.text[:0], id, f.list)
	row.Text = f.text
	return row, nil
}

func readProgram(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", &rows.Error{Err: err}
	}
	if !info.Mode().IsRegular() || info.Size() > rows.MaxLength {
		return "", &rows.Error{File: path, Problem: fmt.Sprintf("expected a file of %d MiB at most", rows.MaxLength>>20)}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", &rows.Error{Err: err}
	}
	if !utf8.Valid(text) {
		return "", &rows.Error{File: path, Problem: "expected UTF-8, found other bytes"}
	}
	return string(text), nil
}

func (f *folder) notes() []string {
	return append(numbered("files that are not called as samples are (0.py, 1.py), passed over: %d", f.others), f.ids.notes()...)
}
