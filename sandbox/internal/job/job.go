// Package job has the requests to an interpreter and its reports, as data and
// as frames on a pipe. A frame is CBOR (RFC 8949) after its length. Values and
// exceptions are in the interpreter's encoding, see sandbox/internal/cpython/README.md.
package job

import (
	"bytes"
	"errors"
	"io"

	"github.com/fxamacker/cbor/v2"

	"codelinter/internal/util/confine"
	"codelinter/internal/util/lazy"
)

// A Job is one program.
type Job struct {
	Before     []byte // a program that runs first
	Source     []byte
	Calls      [][]byte // requests, encoded
	Budget     int64    // counts for everything
	Coverage   bool
	Once       bool
	Unfinished bool `cbor:",omitempty"` // without Finish
	Traceback  bool
	Machine    *Machine // nil: the program has none

	// Save asks for Report.Saved. Continue says that the program is a saved one, and that its
	// calls go on from where the last job left it; with Fresh, from where it was saved.
	Save, Continue, Fresh bool

	// Pauses says that after some of the calls a report so far is sent, which is Paused, and that
	// an Answer comes back. Enough gives it.
	Pauses bool                     `cbor:",omitempty"`
	Enough func(soFar *Report) bool `cbor:"-"`

	// Room, if set, is asked before a report of so many bytes is read. After an error the report is
	// dropped, and reading it returns an [*NoRoom].
	Room func(bytes int64) error `cbor:"-"`
}

// An Answer to a report so far says whether the calls that were made are enough.
type Answer struct{ Enough bool }

// firstPause is the number of calls before the first pause. Each later one comes after four times as
// many, as a pause costs what some calls cost, and each report so far has all calls.
const firstPause = 16

// IsPause reports whether there is a pause when so many of the calls have been made.
func (j *Job) IsPause(made int) bool {
	if j.Enough == nil || made >= len(j.Calls) {
		return false
	}
	at := firstPause
	for at < made {
		at *= 4
	}
	return at == made
}

// NoRoom is the error for a report that a job's Room refused.
type NoRoom struct{ Err error }

func (e *NoRoom) Error() string { return e.Err.Error() }

// Unwrap returns Room's error.
func (e *NoRoom) Unwrap() error { return e.Err }

// A Machine is the machine of an ordinary program.
type Machine struct {
	Arguments []string // the first is the program's name
	Path      string   // of the program's file
	Folder    string   // the current directory
	Input     []byte
	Files     []File
	Memory    int64    // bytes
	Picks     bool     // the report has the files of Wanted alone, changed or not
	Wanted    []string // absolute paths, each once
}

// A File is a file before or after a program.
type File struct {
	Name string // an absolute path
	Data Bytes
}

// Bytes are decoded in place: they are a part of their frame.
type Bytes []byte

// UnmarshalCBOR reads a byte string, or null.
func (b *Bytes) UnmarshalCBOR(data []byte) error {
	const null, bytesOf, short = 0xf6, 2 << 5, 24
	*b = nil
	switch head := data[0]; {
	case head == null:
		return nil
	case head < bytesOf || head > bytesOf+short+3:
		return errFrame
	case head < bytesOf+short:
		*b = data[1:]
	default: // a length of 1, 2, 4 or 8 bytes
		*b = data[1+1<<(head-bytesOf-short):]
	}
	return nil
}

// A Report is the result of a Job.
type Report struct {
	Exec      Step
	Calls     []Step // of the calls that were begun
	Finish    Step
	Output    Bytes
	Truncated bool
	Errors    Bytes  // written to descriptor 2; Output has the rest
	Files     []File // made or changed by a program with a machine
	Used      int64
	Resident  int64  // maximum memory in bytes of the interpreter's process so far; 0: unknown
	Failure   string // not "": the interpreter could not be run, and all other fields are meaningless
	Refused   string // not "": the job cannot be done as it is asked for, and all other fields are meaningless
	Reason    string // of a Stop of Unknown
	Saved     *Saved // what Job.Save asks for, if the module ended normally
	Paused    bool   `cbor:",omitempty"` // the program goes on, unless the Answer is that this is enough
}

// A Saved is the state of a program between two steps.
type Saved struct {
	Pages []byte // of memory that differ from the image: the index of each in 4 bytes, little endian, and the page
	Files []File // all there are
}

// A Step is one request to the interpreter.
type Step struct {
	_ struct{} `cbor:",toarray"` // without names, as a report has thousands

	Stop   Stop
	Code   uint32 // with Exit: of the process
	Reply  Bytes  // with Replied
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

// encoding is the form of frames. Names of files need not be UTF-8.
var encoding = lazy.Value[cbor.UserBufferEncMode]{Make: func() cbor.UserBufferEncMode {
	mode, _ := cbor.EncOptions{}.UserBufferEncMode() // the options are valid
	return mode
}}

// decoding reads frames whose lists have at most so many items, so that a short
// frame does not take much memory.
func decoding(items int) cbor.DecMode {
	mode, err := cbor.DecOptions{MaxArrayElements: max(items, minItems), UTF8: cbor.UTF8DecodeInvalid}.DecMode()
	if err != nil {
		panic(err) // of options that are invalid
	}
	return mode
}

// minItems is the least bound of the items in a list: a program may make some
// 20,000 files.
const minItems = 1 << 16

// Write writes a message as a frame of at most limit bytes.
func Write(w io.Writer, message any, limit int) error { return write(w, message, 512, limit) }

// write writes a message whose frame has about size bytes.
func write(w io.Writer, message any, size, limit int) error {
	b := bytes.NewBuffer(make([]byte, 4, size)) // the frame's length
	if err := encoding.Get().MarshalToBuffer(message, b); err != nil {
		return err
	}
	return confine.WriteFrame(w, b.Bytes(), limit)
}

// Read reads the frame of a message. It returns io.EOF if there is none.
func Read(r io.Reader, message any, limit int) error {
	b, err := confine.ReadFrame(r, limit)
	if err != nil {
		return err
	}
	if decoding(limit).Unmarshal(b, message) != nil { // perhaps io.EOF, which is not the pipe's
		return errFrame
	}
	return nil
}

// Write writes the frame of a job.
func (j *Job) Write(w io.Writer) error {
	size := 512 + len(j.Before) + len(j.Source)
	for _, call := range j.Calls {
		size += len(call) + 64
	}
	if m := j.Machine; m != nil {
		size += len(m.Input)
		for i := range m.Files {
			size += len(m.Files[i].Name) + len(m.Files[i].Data) + 64
		}
	}
	return write(w, j, size, MaxJob)
}

// Read reads the frame of a job. It returns io.EOF if there is none.
func (j *Job) Read(r io.Reader) error { return Read(r, j, MaxJob) }

// Write writes the frame of a report. A buffer that grew would take twice the memory.
func (r *Report) Write(w io.Writer) error {
	size := 512 + len(r.Output) + len(r.Errors) + len(r.Exec.Reply) + len(r.Finish.Reply)
	for i := range r.Calls {
		size += len(r.Calls[i].Reply) + 64
	}
	for i := range r.Files {
		size += len(r.Files[i].Name) + len(r.Files[i].Data) + 64
	}
	return write(w, r, size, MaxReport)
}

// Read reads the frame of a report on j. The writer is not trusted.
func (r *Report) Read(from io.Reader, j *Job) error {
	var refused error
	var keep func(int) bool
	if j.Room != nil {
		keep = func(bytes int) bool {
			refused = j.Room(int64(bytes))
			return refused == nil
		}
	}
	b, err := confine.ReadFrameIf(from, MaxReport, keep)
	if err == nil && refused != nil {
		err = &NoRoom{refused}
	}
	if err != nil {
		return err
	}
	return r.Decode(b, len(j.Calls))
}

// Decode reads a report on a job with so many calls.
func (r *Report) Decode(b []byte, calls int) error {
	valid := decoding(calls).Unmarshal(b, r) == nil && len(r.Calls) <= calls && r.holds(&r.Exec) && r.holds(&r.Finish)
	for i := range r.Calls {
		valid = valid && r.holds(&r.Calls[i])
	}
	if !valid {
		return errFrame
	}
	return nil
}

// holds reports whether a step is possible in the report.
func (r *Report) holds(s *Step) bool {
	within := func(part [2]int, text []byte) bool {
		return 0 <= part[0] && part[0] <= part[1] && part[1] <= len(text)
	}
	return s.Stop < stops && within(s.Output, r.Output) && within(s.Errors, r.Errors)
}
