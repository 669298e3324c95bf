// Package samples opens files of samples, what models answered, in the formats
// of the tools that write them:
//
//	source, err := samples.Open("samples_codelintereval.jsonl", samples.Auto, tasks)
//	defer source.Close()
//	summary, err := evaluator.Run(ctx, tasks, source, options)
//	for _, note := range source.Notes() { ... }
//
// The format is told by the content, never by the name; so is a .gz or a .zip
// around it. All are streams: memory does not grow with the number of samples,
// but for some 30 bytes a sample where a file has them in any order ([HumanEval] and
// [EvalPlus]), which is then read a second time, task by task.
//
// Nothing is dropped in silence. Samples that are no task's come out of the
// source under the id that they have, for the run to count, and what a reader
// leaves out or takes for granted stands in the notes. What is broken is a
// [*dataset.Error] with the file, the line and what was expected.
package samples

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"codelinter/evaluator/dataset"
)

// A Format is the name of a way to write samples.
type Format string

// The formats. A file of lines may also be one JSON list of what would be the
// lines.
const (
	// Auto is whatever the content looks like.
	Auto Format = "auto"
	// JSONL is our own, a task a line: {"id": 7, "outputs": ["...", "..."]}.
	JSONL Format = "jsonl"
	// LMEval is what lm-evaluation-harness writes with --log_samples, a line
	// for each doc and filter. Samples are the raw resps.
	LMEval Format = "lm-eval"
	// Submission is what the benchmark takes:
	// {"data": {"test": [{"outputs": [["..."]], "meta": {"id": 7}}]}}.
	Submission Format = "submission"
	// HumanEval has a line a sample: {"task_id": 7, "completion": "..."}.
	HumanEval Format = "human-eval"
	// EvalPlus has a line a sample with a solution or a completion, or is a
	// folder with one of programs for each task: 7/0.py, 7/1.py.
	EvalPlus Format = "evalplus"
	// BigCode is bigcode-evaluation-harness's generations.json, a list of
	// texts for each task in the order of the tasks.
	BigCode Format = "bigcode"
)

// Formats lists the formats, Auto first.
var Formats = []Format{Auto, JSONL, LMEval, Submission, HumanEval, EvalPlus, BigCode}

// A Source is an open file of samples.
type Source struct {
	reader
	name    string
	format  Format
	closers []func() error
}

// A reader reads one format. Next and Parse are those of evaluator.Source.
type reader interface {
	Next() (dataset.Line, error)
	Parse(dataset.Line) (dataset.Samples, error)
	notes() []string
}

// Open opens the file or folder called path. Its samples are answers to tasks,
// which the ids are looked up in where a format has other ids, or none.
func Open(path string, format Format, tasks *dataset.Tasks) (*Source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &dataset.Error{Err: err}
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, &dataset.Error{Err: err}
	}
	if info.IsDir() {
		file.Close()
		if format != Auto && format != EvalPlus {
			return nil, &dataset.Error{File: path, Problem: fmt.Sprintf("expected a file of format %s, found a folder", format)}
		}
		folder, err := newFolder(path, tasks)
		if err != nil {
			return nil, err
		}
		return &Source{reader: folder, name: path, format: EvalPlus}, nil
	}
	var at io.ReaderAt
	if info.Mode().IsRegular() {
		at = file
	}
	source := &Source{name: path, closers: []func() error{file.Close}}
	return source.open(file, at, info.Size(), format, tasks)
}

// Read reads samples from r, which is called name in errors and notes.
func Read(name string, r io.Reader, format Format, tasks *dataset.Tasks) (*Source, error) {
	source := &Source{name: name}
	return source.open(r, nil, 0, format, tasks)
}

// Notes returns what the user should know of how the samples were read, a
// sentence each. It is complete once Next returned io.EOF.
func (s *Source) Notes() []string {
	var notes []string
	if s.format != JSONL {
		notes = append(notes, "read as "+string(s.format))
	}
	notes = append(notes, s.reader.notes()...)
	for i := range notes {
		notes[i] = s.name + ": " + notes[i]
	}
	return notes
}

// Format returns the format that is read, which is not Auto.
func (s *Source) Format() Format { return s.format }

// Close closes the file. It may be called while a Next is under way, which then
// fails.
func (s *Source) Close() (err error) {
	for _, close := range slices.Backward(s.closers) {
		if e := close(); err == nil {
			err = e
		}
	}
	s.closers = nil
	return err
}

// headBytes is how much of a file is looked at to tell its format, if as much is
// needed.
const headBytes = 1 << 20

// open finds the reader for what is in r. at is the same file, if it can be read
// out of order.
func (s *Source) open(r io.Reader, at io.ReaderAt, size int64, format Format, tasks *dataset.Tasks) (source *Source, err error) {
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	in := bufio.NewReaderSize(r, 64<<10)
	magic, _ := in.Peek(4)
	if string(magic) == "PK\x03\x04" || string(magic) == "PK\x05\x06" {
		if at == nil {
			if at, size, err = s.spool(in); err != nil {
				return nil, err
			}
		}
		if in, err = s.unzip(at, size); err != nil {
			return nil, err
		}
		at = nil
	}
	in, packed, err := dataset.Decompress(s.name, in)
	if err != nil {
		return nil, err
	}
	if packed {
		at = nil
	}

	// Most files show what they are at once. Faults are for the rows to report,
	// which know where they are.
	head, readErr := in.Peek(4 << 10)
	shape, sure := detect(head)
	if !sure && readErr == nil {
		in = bufio.NewReaderSize(in, headBytes)
		head, _ = in.Peek(headBytes)
		shape, _ = detect(head)
	}
	if format == Auto {
		format = shape.format
	}
	if format == Auto {
		return nil, &dataset.Error{File: s.name, Line: 1, Problem: fmt.Sprintf(
			"expected samples (%s), found %.40q", join(Formats[1:]), head)}
	}
	s.format = format

	rows := func(r io.Reader) dataset.Rows {
		if shape.list {
			return dataset.NewList(s.name, r)
		}
		return dataset.NewLines(s.name, r)
	}
	switch format {
	case JSONL:
		s.reader = ours{rows(in)}
	case LMEval:
		s.reader = newLMEval(rows(in), tasks)
	case Submission:
		s.reader = submission{dataset.NewList(s.name, in, "data", "test")}
	case BigCode:
		s.reader = &bigCode{rows: dataset.NewList(s.name, in), tasks: tasks}
	case HumanEval, EvalPlus:
		c := &completions{tasks: tasks, solutions: format == EvalPlus, file: at}
		if at == nil {
			spooled, err := s.temporary()
			if err != nil {
				return nil, err
			}
			c.file = spooled
			c.spool = bufio.NewWriterSize(spooled, 64<<10)
			c.rows = rows(io.TeeReader(in, c.spool))
		} else {
			c.rows = rows(in)
		}
		s.reader = c
	default:
		return nil, fmt.Errorf("no such format of samples: %q", string(format))
	}
	return s, nil
}

func join(formats []Format) string {
	var names []string
	for _, format := range formats {
		names = append(names, string(format))
	}
	return strings.Join(names, ", ")
}

// temporary makes a file that is gone once the source is closed, or already if
// the system lets open files be removed.
func (s *Source) temporary() (*os.File, error) {
	file, err := os.CreateTemp("", "codelinter-samples-*")
	if err != nil {
		return nil, err
	}
	removed := os.Remove(file.Name()) == nil
	s.closers = append(s.closers, func() error {
		err := file.Close()
		if !removed {
			os.Remove(file.Name())
		}
		return err
	})
	return file, nil
}

// spool copies r to a file that can be read out of order.
func (s *Source) spool(r io.Reader) (io.ReaderAt, int64, error) {
	file, err := s.temporary()
	if err != nil {
		return nil, 0, err
	}
	size, err := io.Copy(file, r)
	if err != nil {
		return nil, 0, &dataset.Error{File: s.name, Err: err}
	}
	return file, size, nil
}

// unzip opens the benchmark's file in a submission: CodeLinterEval.json, or the
// one whose name has that in it, or the only one.
func (s *Source) unzip(at io.ReaderAt, size int64) (*bufio.Reader, error) {
	archive, err := zip.NewReader(at, size)
	if err != nil {
		return nil, &dataset.Error{File: s.name, Err: err}
	}
	var all, named, exact []*zip.File
	for _, file := range archive.File {
		name := strings.ToLower(path.Base(strings.ReplaceAll(file.Name, `\`, "/")))
		if !strings.HasSuffix(name, ".json") && !strings.HasSuffix(name, ".jsonl") || strings.HasPrefix(name, "._") {
			continue
		}
		all = append(all, file)
		if strings.Contains(name, "codelintereval") {
			named = append(named, file)
		}
		if name == "codelintereval.json" {
			exact = append(exact, file)
		}
	}
	for _, found := range [][]*zip.File{exact, named, all} {
		if len(found) != 1 {
			continue
		}
		file, err := found[0].Open()
		if err != nil {
			return nil, &dataset.Error{File: s.name, Err: err}
		}
		s.closers = append(s.closers, file.Close)
		s.name += "/" + found[0].Name
		return bufio.NewReaderSize(file, 64<<10), nil
	}
	return nil, &dataset.Error{File: s.name, Problem: fmt.Sprintf(
		"expected CodeLinterEval.json or a single file of JSON in the archive, found %d", len(all))}
}
