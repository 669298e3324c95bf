//go:build unix

package flake8

import (
	"io/fs"
	"slices"
	"syscall"

	"codelinter/source"
)

// readRegular reads a file that was regular when it was found, into memory if that is
// large enough. It avoids os.File, which is registered with the poller and the garbage
// collector. It asks for the size only if the file is larger than memory, as the kernel
// takes twice as long for that as for the read that finds the end. So a file that grows,
// or has no size, such as those in /proc, is read to its end too. If a pipe or a device
// has replaced the file meanwhile, it is read like a file and cannot block.
//
// Two ways to save 1 % of the time of small files each are not used. A read that does not
// fill the buffer may not have reached the end: a FUSE file system may return less. A read
// and a close that bypass Go's scheduler, as syscall.RawSyscall does, would block it, and
// ^C with it, if a network file system does not answer.
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

// smallest is the number of bytes of the first file that are read before its size is asked
// for. It is small to save memory in a process that reads one small file.
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
