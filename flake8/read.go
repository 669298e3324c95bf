package flake8

import (
	"io"
	"os"
	"slices"
	"syscall"

	"codelinter/source"
)

// A worker reads some files before it lints the first of them. A processor that goes back
// and forth between the system and a linter forgets what it knows of the branches and the
// data of both: one read at a time, 4,000 files of 311 bytes took 1.14 times as long.

const (
	filesAhead = 8        // more of them save 1 % more
	bytesAhead = 32 << 10 // after which no other file is read
	keptInput  = 4 << 20  // bytes of a file after which a worker's memory is given back
)

// contents are the files that were read together.
type contents struct {
	memory []byte // of all
	files  [filesAhead]content
}

// A content is an input's content, or the error of reading it.
type content struct {
	data []byte
	err  error
}

// read reads the first of some inputs, and the following ones as long as they are small.
// The result is valid until the next call.
func (c *contents) read(r *run, inputs []input) []content {
	if len(inputs) > 1 && cap(c.memory) < 2*bytesAhead {
		c.memory = make([]byte, 0, 2*bytesAhead)
	}
	inputs = inputs[:min(len(inputs), filesAhead)]
	used := 0
	for n, t := range inputs {
		if n > 0 && (used > bytesAhead || t.stdin) { // which may take its time
			return c.files[:n]
		}
		room := c.memory[used:used]
		data, err := r.read(t, room)
		c.files[n] = content{slices.Clip(data), err}
		if t.stdin || err != nil {
			continue
		}
		if cap(data) > cap(room) { // there was none for it
			if c.memory = data[:0]; n > 0 && len(data) <= keptInput {
				c.memory = make([]byte, 0, bytesAhead+len(data)+len(data)/4)
			}
			return c.files[:n+1]
		}
		used += len(data)
	}
	return c.files[:len(inputs)]
}

// read returns the content of an input, in memory if that is large enough.
func (r *run) read(t input, memory []byte) ([]byte, error) {
	switch {
	case t.stdin:
		return r.stdin()
	case t.regular:
		return readRegular(t.name, memory)
	}
	return readAny(t.name, memory)
}

// readAny reads a file of any kind. Without O_NONBLOCK it would hang on a pipe that nobody
// writes to.
func readAny(name string, memory []byte) ([]byte, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		return nil, errNotSeekable
	}
	if size := int(min(info.Size(), source.MaxSize+1)); size >= cap(memory) {
		memory = make([]byte, 0, size+1) // with a byte more to meet the end
	}
	return readAll(file, memory[:0], source.MaxSize+1)
}

// readAll reads to the end, but no more than limit bytes, which is one more than
// a Linter accepts.
func readAll(from io.Reader, data []byte, limit int) ([]byte, error) {
	if cap(data) == 0 {
		data = make([]byte, 0, min(1<<16, limit))
	}
	for len(data) < limit {
		if len(data) == cap(data) {
			data = slices.Grow(data, max(1, min(len(data), limit-len(data))))
		}
		n, err := from.Read(data[len(data):min(cap(data), limit)])
		data = data[:len(data)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}
