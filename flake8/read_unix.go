//go:build unix

package flake8

import (
	"io/fs"
	"slices"
	"syscall"

	"codelinter/source"
)

// readRegular reads a file that was regular when it was found, in memory if that is large
// enough. It does without an os.File, which is registered with the poller and the garbage
// collector, and asks for the size only of a file that is larger than memory: the kernel
// takes twice as long for that as for the read that meets the end. So a file that grows,
// or that has no size, as those of /proc, is read to its end as well. What has taken the
// file's place meanwhile, a pipe or a device, is read as a file is, and cannot hold it up.
//
// Two ways to save 1 % of the time of small files each are not taken. A read that is not
// filled need not have met the end: a FUSE file system may give less. And a read and a close
// that go past Go's scheduler, as syscall.RawSyscall does, would stop it, and with it ^C,
// where a file system behind a network does not answer.
func readRegular(name string, memory []byte) ([]byte, error) {
	file, err := open(name)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(file)
	const limit = source.MaxSize + 1
	for data := memory[:0]; ; {
		if len(data) == cap(data) {
			more := max(smallest, len(data))
			var info syscall.Stat_t
			if cap(data) > 0 && syscall.Fstat(file, &info) == nil && info.Size >= int64(len(data)) {
				more = int(min(info.Size, limit)) - len(data) + 1 // one more to meet the end
			}
			data = slices.Grow(data, more)
		}
		n, err := syscall.Read(file, data[len(data):min(cap(data), limit)])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		data = data[:len(data)+n]
		if n == 0 || len(data) == limit {
			return data, nil
		}
	}
}

// smallest is how many bytes of the first file are read without a question for its size.
// The memory of a process that reads one small file should not be more.
const smallest = 4 << 10

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
