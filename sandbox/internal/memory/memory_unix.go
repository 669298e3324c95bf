//go:build unix

package memory

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A backing is a file with an image's content.
type backing struct{ file *os.File }

// open writes content to a file without a name and uses it.
func (im *Image) open(content []byte) error {
	file, err := anonymousFile()
	if err != nil {
		return fmt.Errorf("memory: a file to map: %w", err)
	}
	if err := writeSparse(file, content); err != nil {
		file.Close()
		return fmt.Errorf("memory: %w", err)
	}
	if err := im.use(file); err != nil {
		file.Close()
		return err
	}
	return nil
}

// use maps a file as the image's own view of its content, which shares the
// memories' pages, and keeps the file. The rest of the last page is zero.
func (im *Image) use(file *os.File) (err error) {
	im.backing.file = file
	if im.length > 0 {
		im.content, err = unix.Mmap(int(file.Fd()), 0, im.length, unix.PROT_READ, unix.MAP_SHARED)
	}
	if err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return nil
}

// Close frees the image. Its memories must have been freed.
func (im *Image) Close() error {
	im.written.close()
	var err error
	if im.content != nil {
		err = unix.Munmap(im.content)
		im.content = nil
	}
	return errors.Join(err, im.backing.file.Close())
}

// mapping returns a new private mapping: of the file, and of anonymous memory
// beyond its end. If the file extended to the end of memories, it would keep a
// page of zeros for each page that a program touches there.
func (im *Image) mapping() ([]byte, error) {
	data, err := unix.Mmap(-1, 0, im.size, protection, unix.MAP_PRIVATE|unix.MAP_ANON|noReserve)
	if err != nil {
		return nil, err
	}
	if im.edge > 0 {
		if err := im.remap(data, span{0, im.edge}); err != nil {
			unix.Munmap(data)
			return nil, err
		}
	}
	return data, nil
}

const protection = unix.PROT_READ | unix.PROT_WRITE

// drop drops the written pages of a span. Linux does so by MADV_DONTNEED.
// Elsewhere that is a hint without effect, and the span is mapped again.
func (im *Image) drop(data []byte, s span) error {
	if runtime.GOOS == "linux" {
		return unix.Madvise(data[s.from:s.to], unix.MADV_DONTNEED)
	}
	return im.remap(data, s)
}

func (im *Image) remap(data []byte, s span) error {
	fd, offset, flags := int(im.backing.file.Fd()), int64(s.from), unix.MAP_PRIVATE|unix.MAP_FIXED|noReserve
	if s.from >= im.edge {
		fd, offset, flags = -1, 0, flags|unix.MAP_ANON
	}
	_, err := unix.MmapPtr(fd, offset, unsafe.Pointer(&data[s.from]), uintptr(s.to-s.from), protection, flags)
	return err
}

func (im *Image) unmap(data []byte) { unix.Munmap(data) }

// unlinkedFile is anonymousFile for systems without files without a name.
func unlinkedFile() (*os.File, error) {
	file, err := os.CreateTemp("", "codelinter-sandbox-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
