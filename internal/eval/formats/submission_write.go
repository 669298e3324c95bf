package formats

import (
	"archive/zip"
	"bufio"
	"io"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
)

// A SubmissionWriter writes samples in the benchmark's format:
//
//	{"data": {"test": [{"outputs": [["...", "..."]], "meta": {"id": 7}}]}}
//
// in a zip, or bare. The text is byte for byte that of the benchmark's own
// script, by json.dump(…, ensure_ascii=False, indent=4), so any tool can compare
// two submissions. [SubmissionWriter.Encode] and [SubmissionWriter.Write] are an
// [evaluator.Output]. Close ends the file.
type SubmissionWriter struct {
	out     *bufio.Writer
	archive *zip.Writer // nil: bare
	after   bool        // a task was written
}

// NewSubmissionWriter begins a file on w.
func NewSubmissionWriter(w io.Writer, zipped bool) (*SubmissionWriter, error) {
	s := &SubmissionWriter{}
	if zipped {
		s.archive = zip.NewWriter(w)
		entry, err := s.archive.CreateHeader(&zip.FileHeader{
			Name:     "CodeLinterEval.json",
			Method:   zip.Deflate,
			Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), // constant: the earliest time of a zip
		})
		if err != nil {
			return nil, err
		}
		w = entry
	}
	s.out = bufio.NewWriterSize(w, 64<<10)
	_, err := s.out.WriteString("{\n    \"data\": {\n        \"test\": [")
	return s, err
}

// Encode appends a task's samples, on any goroutine.
func (s *SubmissionWriter) Encode(dst []byte, r *evaluator.Result) []byte {
	dst = append(dst, ",\n            {\n                \"outputs\": [\n                    ["...)
	for i := range r.Samples {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, "\n                        "...)
		dst = pyjson.AppendQuoted(dst, r.Samples[i].Output)
	}
	if len(r.Samples) > 0 {
		dst = append(dst, "\n                    "...)
	}
	dst = append(dst, "]\n                ],\n                \"meta\": {\n                    \"id\": "...)
	dst = appendPythonID(dst, r.Task.Meta.ID)
	return append(dst, "\n                }\n            }"...)
}

// Write writes the result of Encode.
func (s *SubmissionWriter) Write(tasks []byte) (int, error) {
	n := len(tasks)
	if !s.after && n > 0 {
		s.after = true
		tasks = tasks[1:] // the comma
	}
	_, err := s.out.Write(tasks)
	return n, err
}

// Close ends the file. It does not close the underlying writer.
func (s *SubmissionWriter) Close() error {
	end := "]\n    }\n}"
	if s.after {
		end = "\n        " + end
	}
	if _, err := s.out.WriteString(end); err != nil {
		return err
	}
	if err := s.out.Flush(); err != nil || s.archive == nil {
		return err
	}
	return s.archive.Close()
}

// appendPythonID appends an id: an integer as it is, and a text as Python's json
// writes it.
func appendPythonID(dst []byte, id task.ID) []byte {
	if text, err := id.MarshalJSON(); err == nil && text[0] != '"' {
		return append(dst, text...)
	}
	return pyjson.AppendQuoted(dst, string(id))
}
