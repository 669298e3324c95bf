package flake8

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"codelinter/internal/python/pytext"
)

// readFolder finds the entries of a folder, in no order; prefix is the beginning of their names. It
// does not use [os.File.ReadDir], which allocates four times for an entry. The allocations take as
// long as the kernel's work.
//
// An entry is
//
//	struct linux_dirent64 {
//		ino64_t        d_ino;    /* 64 bits, 0 for none */
//		off64_t        d_off;    /* 64 bits */
//		unsigned short d_reclen; /* of the whole entry */
//		unsigned char  d_type;
//		char           d_name[]; /* up to a NUL */
//	};
func (d *discovery) readFolder(folder, prefix string) error {
	const size, kind, name = 16, 18, 19 // offsets
	file, err := open(folder)
	if err != nil {
		return err
	}
	defer syscall.Close(file)
	if d.entries == nil {
		d.entries = make([]byte, 16<<10)
	}
	for {
		n, err := syscall.ReadDirent(file, d.entries)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return &fs.PathError{Op: "readdirent", Path: folder, Err: err}
		}
		if n <= 0 {
			return nil
		}
		for rest := d.entries[:n]; len(rest) > name; {
			entry := rest[:binary.NativeEndian.Uint16(rest[size:])]
			rest = rest[len(entry):]
			inode := binary.NativeEndian.Uint64(entry)
			text, _, _ := bytes.Cut(entry[name:], []byte{0})
			if inode == 0 || string(text) == "." || string(text) == ".." {
				continue
			}
			var mode fs.FileMode
			switch entry[kind] {
			case syscall.DT_REG:
			case syscall.DT_DIR:
				mode = fs.ModeDir
			case syscall.DT_LNK:
				mode = fs.ModeSymlink
			case syscall.DT_UNKNOWN: // the file system does not say
				info, err := os.Lstat(prefix + string(text))
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				if err != nil {
					return err
				}
				mode = info.Mode().Type()
			default: // a pipe, a socket or a device
				mode = fs.ModeIrregular
			}
			d.find(prefix, pytext.View(text), mode)
		}
	}
}
