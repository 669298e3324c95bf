package codecache

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"codelinter/internal/util/atomicfile"
	"codelinter/internal/util/faults"
)

// Load returns data that Store stored. It is an error if there is none, if it
// has more than limit bytes, or if someone else could have written it. The
// caller checks whether it is damaged.
func Load(dir, name string, limit int64) ([]byte, error) {
	if err := private(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	file, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("%s: nothing that was kept here", path)
	}
	if err := owned(path, info); err != nil {
		return nil, err
	}
	touch(path, info, time.Hour) // used files stay, see Trim
	data, err := io.ReadAll(io.LimitReader(file, limit))
	if n := len(data); n > 0 && faults.Hit(faults.Corrupt) {
		data[n/2] ^= 1
	}
	return data, err
}

// Store stores data as name in dir.
func Store(dir, name string, data []byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := private(dir); err != nil {
		return err
	}
	file, err := atomicfile.NewWhole(filepath.Join(dir, name), 0o600)
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		file.Abandon()
		return err
	}
	return file.Keep()
}

// Trim removes the least recently used files of dir until those that are left take at most
// limit bytes on the disk.
func Trim(dir string, limit int64) {
	if private(dir) != nil {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var kept []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			kept = append(kept, info)
			limit -= allocated(info)
		}
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range kept {
		if limit >= 0 {
			return
		}
		limit += allocated(info)
		os.Remove(filepath.Join(dir, info.Name()))
	}
}
