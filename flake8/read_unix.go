//go:build unix

package flake8

import (
	"io/fs"
	"slices"
	"syscall"

	"codelinter/source"
)

// readRegular reads a regular file, in memory if that is large enough; regular is false
// for what is none. It does without an os.File, which is registered with the poller and
// the garbage collector, and without the read that meets the end of a file whose size
// is known: half of what a process spends on reading small files.
func readRegular(name string, memory []byte) (data []byte, regular bool, err error) {
	file, err := open(name)
	if err != nil {
		return nil, true, err
	}
	defer syscall.Close(file)
	var info syscall.Stat_t
	if syscall.Fstat(file, &info) != nil || info.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, false, nil
	}
	size := int(min(info.Size, source.MaxSize+1))
	if size >= cap(memory) {
		memory = make([]byte, 0, size+1) // with a byte more to meet the end
	}
	for data = memory[:0]; len(data) <= source.MaxSize; {
		if len(data) == cap(data) {
			data = slices.Grow(data, len(data))
		}
		n, err := syscall.Read(file, data[len(data):min(cap(data), source.MaxSize+1)])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return nil, true, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		data = data[:len(data)+n]
		if n == 0 || len(data) == size { // files of /proc have no size
			break
		}
	}
	return data, true, nil
}

// open opens a file for reading. Without O_NONBLOCK it would hang on a pipe that nobody
// writes to.
func open(name string) (int, error) {
	for {
		file, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		if err == nil {
			return file, nil
		}
		if err != syscall.EINTR {
			return 0, &fs.PathError{Op: "open", Path: name, Err: err}
		}
	}
}
