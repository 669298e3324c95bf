package packed

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"codelinter/internal/rows"
	"codelinter/internal/util/confine"
)

// The library that decodes Parquet's metadata trusts its input. A hostile file can make it allocate
// until the process ends, which Go cannot catch. So a child reads the file: another
// process of this executable. It gets the file on standard input and writes frames, one
// a row. On Linux its memory and processor time are bounded, and it may only read and
// write its open files. If it dies, the caller gets an error about the file.

// childName is the name (argv[0]) under which a child is started. Its arguments are
// the columns to read.
const childName = "codelinter: Parquet"

// Bounds on a child.
const (
	maxParquet   = 1 << 30 // bytes read into memory if the input is not a file
	childMemory  = 4 << 30 // bytes of address space
	childSeconds = 30      // of processor time, and one more for each MiB of the file
)

// maxFrame bounds a frame, in bytes.
const maxFrame = rows.MaxLength + 1<<20

// A frame begins with its kind.
const (
	frameRow   = 'r' // a row as JSON
	frameFault = 'f' // an error in a row; others follow
	frameError = 'e' // an error in the file; the last frame
	frameBound = 'b' // a row exceeds a bound; the last frame
	frameEnd   = '.' // the end of the rows
)

// isChildAware is whether main called RunChild.
var isChildAware bool

// RunChild reads Parquet and does not return, if the process was started for this.
// Otherwise it does nothing. A program that opens Parquet calls it first thing in main,
// and a test in TestMain.
func RunChild() {
	isChildAware = true
	confine.Serve(childName, func(columns []string) error { return serveParquet(os.Stdin, os.Stdout, columns) })
}

// serveParquet writes the frames of a file. The error is out's.
func serveParquet(in *os.File, out io.Writer, columns []string) error {
	w := bufio.NewWriterSize(out, 64<<10)
	var memory []byte
	frame := func(kind byte, text []byte) error {
		memory = append(append(memory[:0], 0, 0, 0, 0, kind), text...)
		return confine.WriteFrame(w, memory, maxFrame)
	}
	last := func(kind byte, text string) error {
		return errors.Join(frame(kind, fmt.Appendf(nil, "%.500s", text)), w.Flush())
	}
	var file io.ReaderAt = in
	var size int64
	if info, err := in.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	confine.Process(confine.Limits{Memory: childMemory, CPU: (childSeconds + time.Duration(size>>20)) * time.Second})
	if size == 0 {
		text, err := io.ReadAll(io.LimitReader(in, maxParquet+1))
		switch {
		case err != nil:
			return last(frameError, err.Error())
		case len(text) > maxParquet:
			return last(frameError, fmt.Sprintf("expected at most %d MiB that are compressed or not in a file", maxParquet>>20))
		}
		file, size = bytes.NewReader(text), int64(len(text))
	}
	t, err := openTable(file, size, columns)
	for err == nil {
		var text []byte
		if text, err = t.next(); err != nil {
			break
		}
		if t.fault == nil {
			err = frame(frameRow, text)
		} else {
			err = frame(frameFault, []byte(t.fault.Error()))
		}
		if err != nil {
			return err
		}
	}
	switch {
	case err == io.EOF:
		return last(frameEnd, "")
	case errors.As(err, new(boundError)):
		return last(frameBound, err.Error())
	}
	return last(frameError, err.Error())
}

// IsParquet reports whether a file that begins with head is Parquet.
func IsParquet(head []byte) bool { return bytes.HasPrefix(head, []byte("PAR1")) }

// parquetRows reads the rows of a Parquet file as JSON: groups are objects and repeated
// columns lists. An abandoned child ends when its pipe is closed, by the garbage
// collector or by the end of this process.
type parquetRows struct {
	name  string
	in    *bufio.Reader
	words *confine.Words
	ended chan error // gets the result of the child's Wait
	row   int
	err   error // the error that ended the rows
}

func newParquet(name string, in io.Reader, columns []string) (rows.Reader, error) {
	if !isChildAware {
		return nil, errors.New("packed: main must call packed.RunChild")
	}
	failed := func(err error) (rows.Reader, error) {
		return nil, &rows.Error{File: name, Err: fmt.Errorf("cannot start a process that reads Parquet: %w", err)}
	}
	command, words, err := confine.Command(childName, columns...)
	if err != nil {
		return failed(err)
	}
	from, to, err := os.Pipe()
	if err != nil {
		return failed(err)
	}
	command.Stdin, command.Stdout = in, to
	err = command.Start()
	to.Close()
	if err != nil {
		from.Close()
		return failed(err)
	}
	p := &parquetRows{name: name, in: bufio.NewReaderSize(from, 64<<10), words: words, ended: make(chan error, 1)}
	go func() { p.ended <- command.Wait() }()
	return p, nil
}

func (p *parquetRows) Next() (rows.Row, error) {
	if p.err != nil {
		return rows.Row{}, p.err
	}
	frame, err := confine.ReadFrame(p.in, maxFrame)
	if err != nil || len(frame) == 0 {
		p.err = p.broken(p.death())
		return rows.Row{}, p.err
	}
	row := rows.Row{File: p.name, Number: p.row + 1}
	switch kind, text := frame[0], frame[1:]; kind {
	case frameRow:
		p.row++
		row.Text = text
		return row, nil
	case frameFault:
		p.row++
		return row, row.Errorf("%s", text)
	case frameBound:
		p.err = row.Errorf("%s", text)
	case frameEnd:
		p.err = io.EOF
	default:
		p.err = p.broken(errors.New(string(text)))
	}
	return rows.Row{}, p.err
}

// broken returns the error for a file or row that is not valid Parquet.
func (p *parquetRows) broken(err error) error {
	row := 0
	if p.row > 0 {
		row = p.row + 1
	}
	return &rows.Error{File: p.name, Row: row, Err: fmt.Errorf("expected a whole Parquet file: %w", err)}
}

// death returns the error for a child that ended without a last frame.
func (p *parquetRows) death() error {
	err := <-p.ended
	first, _, _ := strings.Cut(p.words.String(), "\n")
	return fmt.Errorf("the process that read it, with %d GiB of memory, ended: %v: %s", childMemory>>30, err, first)
}
