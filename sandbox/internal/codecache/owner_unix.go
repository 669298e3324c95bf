//go:build unix

package codecache

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// owned returns nil if a file belongs to the user and nobody else may write to
// it.
func owned(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%s: belongs to someone else", path)
	}
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf("%s: others may write to it (%o)", path, mode)
	}
	return nil
}

// allocated returns the bytes that a file takes on the disk: holes take none.
func allocated(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(stat.Blocks) * 512
	}
	return info.Size()
}

// noFollow makes open refuse links.
const noFollow = syscall.O_NOFOLLOW
