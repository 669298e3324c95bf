// Package job has the requests to an interpreter and its reports, as data and
// as frames on a pipe. Values and exceptions are in the interpreter's encoding,
// see sandbox/internal/cpython/README.md.
package job

import (
	"encoding/binary"
	"errors"
	"io"

	"codelinter/internal/confine"
)

// A Job is one program.
type Job struct {
	Before    []byte // a program that runs first
	Source    []byte
	Calls     [][]byte // requests, encoded
	Budget    int64    // counts for everything
	Coverage  bool
	NewOnly   bool // with Coverage
	Shape     bool // with Coverage
	Once      bool
	Traceback bool
	Machine   *Machine // nil: the program has none
}

// A Machine is the machine of an ordinary program.
type Machine struct {
	Arguments []string // the first is the program's name
	Path      string   // of the program's file
	Folder    string   // the current directory
	Input     []byte
	Files     []File
	Memory    int64 // bytes
}

// A File is a file before or after a program.
type File struct {
	Name string // an absolute path
	Data []byte
}

// A Report is the result of a Job.
type Report struct {
	Exec      Step
	Calls     []Step // of the calls that were begun
	Finish    Step
	Output    []byte
	Truncated bool
	Errors    []byte // written to descriptor 2; Output has the rest
	Files     []File // made or changed by a program with a machine
	Used      int64
	Resident  int64  // maximum memory in bytes of the interpreter's process so far; 0: unknown
	Failure   string // not "": the interpreter could not be run, and all other fields are meaningless
	Reason    string // of a Stop of Unknown
}

// A Step is one request to the interpreter.
type Step struct {
	Stop   Stop
	Code   uint32 // with Exit: of the process
	Reply  []byte // with Replied
	Used   int64  // counts
	Output [2]int // the range of Report.Output that the step wrote
	Errors [2]int // the same for Report.Errors
}

// A Stop says how a Step ended.
type Stop byte

const (
	NotRun  Stop = iota // it was not begun
	Replied             // the interpreter replied, and lives
	Budget              // no counts were left
	Memory              // no memory was left
	Exit                // the program ended the process
	Crash               // the interpreter died
	Unknown             // its end is unknown
	stops
)

// Limits of frames in bytes. A frame's length is checked before memory is
// allocated.
const (
	MaxJob    = 160 << 20
	MaxReport = 256 << 20 // a healthy child stays far below: a reply has at most 8 MiB, and a job's memory holds only some
)

var errFrame = errors.New("a frame that makes no sense")

// Write writes the frame of a job.
func (j *Job) Write(w io.Writer) error {
	b := make([]byte, 4, 64+len(j.Source))
	b = binary.AppendVarint(b, j.Budget)
	b = append(b, bit(j.Coverage)|bit(j.Traceback)<<1|bit(j.Shape)<<2|bit(j.NewOnly)<<3|bit(j.Once)<<4|bit(j.Machine != nil)<<5)
	b = appendBytes(b, j.Before)
	b = appendBytes(b, j.Source)
	b = binary.AppendUvarint(b, uint64(len(j.Calls)))
	for _, call := range j.Calls {
		b = appendBytes(b, call)
	}
	if j.Machine != nil {
		b = j.Machine.append(b)
	}
	return confine.WriteFrame(w, b, MaxJob)
}

// Read reads the frame of a job. It returns io.EOF if there is none.
func (j *Job) Read(r io.Reader) error {
	b, err := confine.ReadFrame(r, MaxJob)
	if err != nil {
		return err
	}
	d := NewDecoder(b)
	j.Budget = d.Varint()
	flags := d.Byte()
	j.Coverage, j.Traceback, j.Shape, j.NewOnly, j.Once = flags&1 != 0, flags&2 != 0, flags&4 != 0, flags&8 != 0, flags&16 != 0
	j.Before = d.Bytes()
	j.Source = d.Bytes()
	j.Calls = make([][]byte, d.Count(1))
	for i := range j.Calls {
		j.Calls[i] = d.Bytes()
	}
	if flags&32 != 0 {
		j.Machine = new(Machine)
		j.Machine.decode(&d)
	}
	return d.End()
}

func (m *Machine) append(b []byte) []byte {
	b = binary.AppendVarint(b, m.Memory)
	b = appendBytes(b, []byte(m.Path))
	b = appendBytes(b, []byte(m.Folder))
	b = appendBytes(b, m.Input)
	b = binary.AppendUvarint(b, uint64(len(m.Arguments)))
	for _, argument := range m.Arguments {
		b = appendBytes(b, []byte(argument))
	}
	return appendFiles(b, m.Files)
}

func (m *Machine) decode(d *Decoder) {
	m.Memory = d.Varint()
	m.Path, m.Folder = string(d.Bytes()), string(d.Bytes())
	m.Input = d.Bytes()
	m.Arguments = make([]string, d.Count(1))
	for i := range m.Arguments {
		m.Arguments[i] = string(d.Bytes())
	}
	m.Files = decodeFiles(d)
}

func appendFiles(b []byte, files []File) []byte {
	b = binary.AppendUvarint(b, uint64(len(files)))
	for _, file := range files {
		b = appendBytes(b, []byte(file.Name))
		b = appendBytes(b, file.Data)
	}
	return b
}

func decodeFiles(d *Decoder) []File {
	n := d.Count(2)
	if n == 0 {
		return nil
	}
	files := make([]File, n)
	for i := range files {
		files[i] = File{string(d.Bytes()), d.Bytes()}
	}
	return files
}

// Write writes the frame of a report.
func (r *Report) Write(w io.Writer) error {
	b := make([]byte, 4, 256+len(r.Output))
	b = appendBytes(b, []byte(r.Failure))
	b = appendBytes(b, []byte(r.Reason))
	b = binary.AppendVarint(b, r.Resident)
	b = append(b, bit(r.Truncated))
	b = binary.AppendVarint(b, r.Used)
	b = appendBytes(b, r.Output)
	b = appendBytes(b, r.Errors)
	b = appendFiles(b, r.Files)
	b = r.Exec.append(b)
	b = r.Finish.append(b)
	b = binary.AppendUvarint(b, uint64(len(r.Calls)))
	for i := range r.Calls {
		b = r.Calls[i].append(b)
	}
	return confine.WriteFrame(w, b, MaxReport)
}

// Read reads the frame of a report on j. The writer is not trusted: a report
// with more calls than j is invalid. Slices in the report share one block of
// memory.
func (r *Report) Read(from io.Reader, j *Job) error {
	b, err := confine.ReadFrame(from, MaxReport)
	if err != nil {
		return err
	}
	return r.decode(b, len(j.Calls))
}

func (r *Report) decode(b []byte, calls int) error {
	d := NewDecoder(b)
	r.Failure = string(d.Bytes())
	r.Reason = string(d.Bytes())
	r.Resident = d.Varint()
	r.Truncated = d.Byte() != 0
	r.Used = d.Varint()
	r.Output = d.Bytes()
	r.Errors = d.Bytes()
	r.Files = decodeFiles(&d)
	r.Exec.decode(&d, r)
	r.Finish.decode(&d, r)
	n := d.Count(1)
	if n > calls {
		d.Fail() // before the allocation: a step takes ten times its minimum in the frame
		n = 0
	}
	r.Calls = make([]Step, n)
	for i := range r.Calls {
		r.Calls[i].decode(&d, r)
	}
	return d.End()
}

func (s *Step) append(b []byte) []byte {
	b = append(b, byte(s.Stop))
	b = binary.AppendUvarint(b, uint64(s.Code))
	b = binary.AppendVarint(b, s.Used)
	for _, part := range [...][2]int{s.Output, s.Errors} {
		b = binary.AppendUvarint(b, uint64(part[0]))
		b = binary.AppendUvarint(b, uint64(part[1]))
	}
	return appendBytes(b, s.Reply)
}

func (s *Step) decode(d *Decoder, of *Report) {
	s.Stop = Stop(d.Byte())
	s.Code = uint32(d.Uvarint())
	s.Used = d.Varint()
	s.Output = d.part(of.Output)
	s.Errors = d.part(of.Errors)
	if s.Stop >= stops {
		d.Fail()
		return
	}
	s.Reply = d.Bytes()
}

// part reads a range of text.
func (d *Decoder) part(text []byte) [2]int {
	from, to := d.Uvarint(), d.Uvarint()
	if from > to || to > uint64(len(text)) {
		d.Fail()
		return [2]int{}
	}
	return [2]int{int(from), int(to)}
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func appendBytes(b, s []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}
