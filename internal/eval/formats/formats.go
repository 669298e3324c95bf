// Package formats reads samples in the formats of the tools that asked the models,
// and writes results in the formats of other tools. Readers and writers of one
// format are in NAME_read.go and NAME_write.go:
//
//	file, err := formats.Open("samples_codelintereval.jsonl", formats.Auto, tasks)
//	defer file.Close()
//	summary, err := evaluator.Run(ctx, tasks, file, options)
//	for _, note := range file.Notes() { ... }
//
// # Reading
//
// The content decides the format, and whether it is in .gz or .zip; the name does
// not. All formats are streamed, so memory does not grow with the number of samples.
// The exceptions are formats with samples in any order ([HumanEval], [EvalPlus],
// [Inspect] and [OpenAI]), which take some 30 bytes a sample. Their answers are
// fetched task by task from a temporary file.
//
// Nothing is dropped silently. The reader returns samples of unknown tasks under
// their own id, and the run counts them. Notes say what a reader omits or assumes. A
// fault is a [*rows.Error] with the file, the line and what was expected.
//
// # Writing
//
// [Files] says what a run writes in a format. A [SubmissionWriter] and an
// [InspectWriter] are outputs of a run and have all of its samples, so a reader of
// their files gets the same scores. [AppendInspectScores] and [LMEvalResults] write
// scores alone.
package formats

import (
	"archive/zip"
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/rows/packed"
)

// A Format is the name of a format of samples.
type Format string

// The formats. Instead of lines, a file may have the items of one JSON list.
const (
	// Auto detects the format.
	Auto Format = "auto"
	// JSONL is our own, a task a line: {"id": 7, "outputs": ["...", "..."]}.
	JSONL Format = "jsonl"
	// LMEval is the log of lm-evaluation-harness with --log_samples, a line for each
	// doc and filter. Samples are the raw resps.
	LMEval Format = "lm-eval"
	// Submission is the benchmark's format:
	// {"data": {"test": [{"outputs": [["..."]], "meta": {"id": 7}}]}}.
	Submission Format = "submission"
	// HumanEval has a line a sample: {"task_id": 7, "completion": "..."}.
	HumanEval Format = "human-eval"
	// EvalPlus has a line a sample with a solution or a completion, or is a folder
	// with a folder of programs for each task: 7/0.py, 7/1.py.
	EvalPlus Format = "evalplus"
	// BigCode is bigcode-evaluation-harness's generations.json, a list of
	// texts for each task in the order of the tasks.
	BigCode Format = "bigcode"
	// Inspect is a log of inspect_ai, .eval or .json; epochs are samples.
	Inspect Format = "inspect"
	// OpenAI is the output of OpenAI's batches and of vllm run-batch:
	// {"custom_id": "7-0", "response": {"body": {"choices": [...]}}}.
	OpenAI Format = "openai-batch"
)

// A tool is how a format is read and written. detect.go knows what identifies it.
type tool struct {
	format Format
	whole  bool     // the file is one value, not a row a line or an item
	inside []string // where in that value the list of rows is
	open   func(s *File, rows rows.Reader, tasks *task.Set) error
	write  func(path string, verdicts []evaluator.Verdict) []NewFile // nil: it is only read
}

// tools are the formats in the order in which users see them.
var tools = []tool{
	{format: JSONL, open: func(s *File, rows rows.Reader, _ *task.Set) error { return s.by(jsonlReader{Reader: rows}) }},
	{format: LMEval, open: func(s *File, rows rows.Reader, tasks *task.Set) error { return s.by(newLMEval(rows, tasks)) }, write: newLMEvalResults},
	{format: Submission, whole: true, inside: []string{"data", "test"}, open: func(s *File, rows rows.Reader, _ *task.Set) error { return s.by(submissionReader{rows}) }, write: newSubmission},
	{format: HumanEval, open: func(s *File, rows rows.Reader, tasks *task.Set) error {
		return s.group(rows, &completions{}, "", tasks)
	}},
	{format: EvalPlus, open: func(s *File, rows rows.Reader, tasks *task.Set) error {
		return s.group(rows, &completions{solutions: true}, "", tasks)
	}},
	{format: BigCode, whole: true, open: func(s *File, rows rows.Reader, tasks *task.Set) error {
		return s.by(&bigCodeReader{rows: rows, tasks: tasks})
	}},
	{format: Inspect, whole: true, inside: []string{"samples"}, open: func(s *File, rows rows.Reader, tasks *task.Set) error {
		return s.group(rows, newInspectReader(s.head), "epoch", tasks)
	}, write: newInspect},
	{format: OpenAI, open: func(s *File, rows rows.Reader, tasks *task.Set) error {
		return s.group(rows, &batchOutput{tasks: tasks}, "", tasks)
	}},
}

// by sets the reader of a format.
func (s *File) by(reader reader) error {
	s.reader = reader
	return nil
}

// Formats returns all formats, Auto first.
func Formats() []Format {
	formats := []Format{Auto}
	for i := range tools {
		formats = append(formats, tools[i].format)
	}
	return formats
}

// A File is an open file of samples.
type File struct {
	reader
	name    string
	format  Format
	closers []func() error
	head    []byte // the first bytes of a log of inspect_ai

	// Numbers of samples that were parsed, of those with half of a surrogate pair,
	// and of those that look like scores.
	parsed, halves, scores atomic.Int64
}

// A reader reads one format. Next is as in evaluator.SampleReader.
type reader interface {
	Next() (rows.Row, error)
	// parse reads what Next returned, or a copy of it, on any goroutine.
	parse(rows.Row) (evaluator.Samples, error)
	notes() []string
}

// Open opens the file or folder path, with answers to tasks. Formats without task
// ids need tasks to find the ids.
func Open(path string, format Format, tasks *task.Set) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &rows.Error{Err: err}
	}
	if info, err := file.Stat(); err != nil || !info.IsDir() {
		source := &File{name: path, closers: []func() error{file.Close}}
		return source.open(file, format, tasks)
	}
	file.Close()
	log, err := findLog(path, format)
	if err != nil {
		return nil, err
	}
	if log != "" {
		return Open(log, format, tasks)
	}
	folder, err := newFolder(path, tasks)
	if err != nil {
		return nil, err
	}
	return &File{reader: folder, name: path, format: EvalPlus}, nil
}

// Read reads samples from r. name is r's name in errors and notes.
func Read(name string, r io.Reader, format Format, tasks *task.Set) (*File, error) {
	return (&File{name: name}).open(r, format, tasks)
}

// Next returns the row of the next task's samples, as an evaluator.SampleReader does.
func (s *File) Next() (evaluator.Row, error) {
	row, err := s.reader.Next()
	return evaluator.Row(row), err
}

// Parse reads what Next returned, or a copy of it, on any goroutine.
func (s *File) Parse(row evaluator.Row) (evaluator.Samples, error) {
	samples, err := s.parse(rows.Row(row))
	scores := 0
	for _, output := range samples.Outputs {
		if output == "0" || output == "1" {
			scores++
		}
	}
	s.parsed.Add(int64(len(samples.Outputs)))
	s.halves.Add(int64(samples.Halves))
	s.scores.Add(int64(scores))
	return samples, err
}

// Notes returns sentences for the user about how the samples were read. They are
// complete when Next has returned io.EOF and all rows are parsed.
func (s *File) Notes() []string {
	var notes []string
	if s.format != JSONL {
		notes = append(notes, "read as "+string(s.format))
	}
	notes = append(notes, s.reader.notes()...)
	if halves := s.halves.Load(); halves > 0 {
		notes = append(notes, fmt.Sprintf("answers with half of a surrogate pair (\\ud800 to \\udfff), which is no character and is read as U+FFFD: %d", halves))
	}
	if scores := s.scores.Load(); scores > 0 && scores == s.parsed.Load() {
		note := "all answers are 0 or 1, as if they were scores"
		if s.format == LMEval {
			note += ": " + predictOnly
		}
		notes = append(notes, note)
	}
	for i := range notes {
		notes[i] = s.name + ": " + notes[i]
	}
	return notes
}

// Format returns the detected format, never Auto.
func (s *File) Format() Format { return s.format }

// Close closes the file. A concurrent Next then fails.
func (s *File) Close() (err error) {
	for _, close := range slices.Backward(s.closers) {
		if e := close(); err == nil {
			err = e
		}
	}
	s.closers = nil
	return err
}

// headBytes bounds the bytes that are read to detect the format.
const headBytes = 1 << 20

func (s *File) open(r io.Reader, format Format, tasks *task.Set) (source *File, err error) {
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	in := bufio.NewReaderSize(r, 64<<10)
	magic, _ := in.Peek(4)
	if string(magic) == "PK\x03\x04" || string(magic) == "PK\x05\x06" {
		at, size, err := s.seekable(r, in)
		if err != nil {
			return nil, err
		}
		from := &countedAt{ReaderAt: at}
		archive, err := zip.NewReader(from, size)
		if err != nil {
			return nil, &rows.Error{File: s.name, Err: err}
		}
		archive.RegisterDecompressor(zstd.ZipMethodWinZip, unzstd())
		if isInspect(archive) && (format == Auto || format == Inspect) {
			if s.head, err = inspectHead(s.name, archive); err != nil {
				return nil, err
			}
			return s, s.openRows(newInspectFiles(s.name, archive, from.read), Inspect, tasks)
		}
		if in, err = s.unzip(archive, from.read); err != nil {
			return nil, err
		}
	}
	if packed.IsParquet(magic) {
		return s, s.openParquet(r, in, format, tasks)
	}
	if in, _, err = packed.Gunzip(s.name, in); err != nil {
		return nil, err
	}

	// The first bytes of most files are enough. Readers of rows report faults, as
	// they know the place.
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
	switch {
	case readErr == io.EOF && len(bytes.Trim(head, pyjson.Blanks)) == 0:
		return nil, &rows.Error{File: s.name, Problem: "expected samples, found an empty file"}
	case format == Auto:
		return nil, s.unknown(shape)
	case toolOf(format).whole && !shape.bare:
		if format == Inspect && in.Size() < headBytes {
			in = bufio.NewReaderSize(in, headBytes)
		}
		if format == Inspect {
			head, _ = in.Peek(headBytes)
			s.head = bytes.TrimPrefix(head, []byte("\ufeff"))
		}
		return s, s.openRows(rows.NewList(s.name, in, toolOf(format).inside...), format, tasks)
	case shape.list:
		return s, s.openRows(rows.NewList(s.name, in), format, tasks)
	case spread(head):
		return nil, &rows.Error{File: s.name, Line: 1, Problem: "expected an object in each line, found one over several: " +
			"expected them in a list then, with commas between them, or as jq -c writes them"}
	}
	return s, s.openRows(rows.NewLines(s.name, in), format, tasks)
}

// openRows finds the reader for a format with rows.
func (s *File) openRows(rows rows.Reader, format Format, tasks *task.Set) error {
	s.format = format
	return toolOf(format).open(s, rows, tasks)
}

// toolOf returns the tool of a format.
func toolOf(format Format) tool {
	if i := slices.IndexFunc(tools, func(t tool) bool { return t.format == format }); i >= 0 {
		return tools[i]
	}
	return tool{open: func(*File, rows.Reader, *task.Set) error {
		return fmt.Errorf("no such format of samples: %q", string(format))
	}}
}

// columns are the fields that any format needs or is identified by.
var columns = []string{
	"id", "outputs", "meta", "instruction", "data", "version", "eval", "samples", "epoch", "output",
	"doc_id", "resps", "filtered_resps", "filter", "doc", "arguments", "task_id", "completion", "solution", "custom_id", "response",
}

// openParquet opens a Parquet file whose columns are the fields of a format's lines.
// It is r, of which in has read the start.
func (s *File) openParquet(r io.Reader, in *bufio.Reader, format Format, tasks *task.Set) error {
	file, _ := regular(r)
	if file == nil {
		r = in
	} else if _, err := file.Seek(0, io.SeekStart); err != nil {
		return &rows.Error{File: s.name, Err: err}
	}
	table, _, err := packed.Open(s.name, r, columns...)
	if err != nil {
		return err
	}
	first, err := table.Next()
	if err != nil && err != io.EOF {
		return err
	}
	first.Text = bytes.Clone(first.Text)
	shape, _ := detect(first.Text)
	if format == Auto {
		format = shape.format
	}
	switch format {
	case Auto:
		return s.unknown(shape)
	case Inspect, BigCode:
		return &rows.Error{File: s.name, Problem: fmt.Sprintf("expected a file of format %s, found a Parquet file", format)}
	}
	if err == nil {
		table = &prefixed{first, table}
	}
	return s.openRows(table, format, tasks)
}

// prefixed puts a row that was read already before other rows.
type prefixed struct {
	first rows.Row
	rows.Reader
}

func (p *prefixed) Next() (rows.Row, error) {
	if row := p.first; row.Text != nil {
		p.first.Text = nil
		return row, nil
	}
	return p.Reader.Next()
}

// unknown returns the error for a file of unknown format.
func (s *File) unknown(shape shape) error {
	return &rows.Error{File: s.name, Line: 1, Problem: fmt.Sprintf(
		"expected samples (%s), found %s; if it is one of them, say which by --samples-format", join(Formats()[1:]), shape.seen)}
}

func join(formats []Format) string {
	var names []string
	for _, format := range formats {
		names = append(names, string(format))
	}
	return strings.Join(names, ", ")
}
