// Package codecache caches compiled code in the user's cache folder, so that
// only the first start compiles.
//
// Cached code is executed, so it is trusted only if nobody else can have
// written it: the folders and files must belong to the user, be writable by
// nobody else, and not be links. Each use also verifies checksums, which are
// written last, to detect damage by a crash or by a full or failing disk. They
// need not be cryptographic: CRC-32C takes 4 ms for the 53 MB of CPython's
// entry, SHA-256 36 ms. Holes are not read: 17 MB of the image. A damaged entry
// is made again. Processes that need an entry at the same time wait for the
// first of them to make it.
package codecache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"codelinter/internal/util/faults"
)

// sums is an entry's file of checksums: a line "CRC-32C size name" for each
// file, names ascending.
const sums = "CRC32C"

// maxEntry bounds the files of an entry, in bytes, and maxFiles their number.
// CPython's are 53 MB in three files.
const (
	maxEntry = 256 << 20
	maxFiles = 16
)

// Each build of the interpreter has another key and would leave an entry for ever. So an
// entry that was not used for the time unused is removed, and no more than maxEntries are
// kept: those that were used last.
const (
	unused     = 30 * 24 * time.Hour
	maxEntries = 4 // a home that unlike machines share has an entry for each kind of them
)

// Dir returns the default folder: codelinter/sandbox in the user's cache
// folder.
func Dir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "codelinter", "sandbox"), nil
}

// Key returns the name of an entry that depends on parts.
func Key(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Find returns the folder of an entry, and whether it exists; it may be
// damaged. Find records the use, see [Make].
func Find(dir, key string) (string, bool) {
	entry := filepath.Join(dir, key)
	if _, err := os.Lstat(filepath.Join(entry, sums)); err != nil {
		return entry, false
	}
	if info, err := os.Lstat(entry); err == nil {
		touch(entry, info, time.Second) // which of many was used last must be known
	}
	return entry, true
}

// Verify returns nil if an entry is undamaged, and it and its folder belong to
// the user. The content of those of its files that are unused is not looked at.
func Verify(entry string, unused ...string) error {
	if err := private(filepath.Dir(entry)); err != nil {
		return err
	}
	return verify(entry, unused...)
}

// Read returns the content of a file of an entry that has no folders, if that file is
// undamaged and everything belongs to the user. It costs less than [Verify] of all files.
func Read(entry, name string, limit int64) ([]byte, error) {
	for _, dir := range []string{filepath.Dir(entry), entry} {
		if err := private(dir); err != nil {
			return nil, err
		}
	}
	want, err := os.ReadFile(filepath.Join(entry, sums))
	if err != nil {
		return nil, err
	}
	data, err := Load(entry, name, limit)
	if err != nil {
		return nil, err
	}
	if line := sumLine(crc32.Checksum(data, castagnoli), int64(len(data)), name); !bytes.Contains(want, []byte(line)) {
		return nil, fmt.Errorf("%s: is not what was written there", filepath.Join(entry, name))
	}
	return data, nil
}

func sumLine(sum uint32, size int64, name string) string {
	return fmt.Sprintf("%08x %d %s\n", sum, size, name)
}

// Make calls fill to write an entry's files into an empty folder, which then
// replaces an existing entry. It returns the entry's folder, perhaps one that
// another process made meanwhile. It removes old entries: those that were not used
// for a month, and those beyond [maxEntries].
func Make(dir, key string, fill func(dir string) error) (string, error) {
	return MakeAmong(dir, key, maxEntries, fill)
}

// MakeAmong is Make where at most so many entries are kept.
func MakeAmong(dir, key string, most int, fill func(dir string) error) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := private(dir); err != nil {
		return "", err
	}
	defer lock(dir)()
	entry := filepath.Join(dir, key)
	if verify(entry) == nil { // another process made it meanwhile
		return entry, nil
	}
	clean(dir, key, most)
	if faults.Hit(faults.Full) {
		return "", faults.NoSpace
	}
	fresh, err := os.MkdirTemp(dir, key+".*.tmp")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	if err := fill(fresh); err != nil {
		return "", err
	}
	if err := seal(fresh); err != nil {
		return "", err
	}
	for range 3 {
		err = os.Rename(fresh, entry)
		if err == nil {
			return entry, nil
		}
		if verify(entry) == nil {
			return entry, nil
		}
		// Remove the damaged entry. It is renamed first, so that nobody finds
		// half of it.
		old, failed := os.MkdirTemp(dir, key+".*.tmp")
		if failed != nil {
			return "", failed
		}
		defer os.RemoveAll(old)
		if failed := os.Rename(entry, filepath.Join(old, "damaged")); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			return "", failed
		}
	}
	return "", err
}

// files lists the files of an entry, by slashed path, ascending.
func files(entry string) ([]string, error) {
	var names []string
	left := int64(maxEntry)
	err := filepath.WalkDir(entry, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return private(path)
		}
		name, err := filepath.Rel(entry, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: not a regular file", path)
		}
		if err := owned(path, info); err != nil {
			return err
		}
		left -= info.Size()
		if name = filepath.ToSlash(name); name != sums {
			names = append(names, name)
		}
		if left < 0 || len(names) > maxFiles {
			return fmt.Errorf("%s: more than code", entry)
		}
		return nil
	})
	return names, err
}

// list returns the expected content of an entry's file of checksums, without the lines of unused
// files.
func list(entry string, unused ...string) ([]byte, error) {
	names, err := files(entry)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, name := range names {
		if slices.Contains(unused, name) {
			continue
		}
		sum, size, err := checksum(filepath.Join(entry, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		b.WriteString(sumLine(sum, size, name))
	}
	if b.Len() == 0 {
		return nil, fmt.Errorf("%s: no files", entry)
	}
	return b.Bytes(), nil
}

// checksumBuffer is small enough for a processor's cache, and large enough for few calls of the
// system: code and images have tens of MB.
const checksumBuffer = 256 << 10

// checksum returns the CRC-32C and the size of a file.
func checksum(path string) (sum uint32, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, 0, err
	}
	if size = info.Size(); size > maxEntry {
		return 0, 0, fmt.Errorf("%s: more than code", path)
	}
	buffer := make([]byte, checksumBuffer)
	for at := int64(0); at < size; {
		from, to := nextData(file, at, size)
		sum = appendZeros(sum, from-at)
		for at = from; at < to; {
			n, err := file.ReadAt(buffer[:min(checksumBuffer, to-at)], at)
			if n == 0 {
				return 0, 0, err
			}
			sum = crc32.Update(sum, castagnoli, buffer[:n])
			at += int64(n)
		}
	}
	return sum, size, nil
}

// seal writes an entry's file of checksums.
func seal(entry string) error {
	text, err := list(entry)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(entry, sums), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}

// verify returns nil if an entry is undamaged, but for unused files, and belongs to the user.
func verify(entry string, unused ...string) error {
	if err := private(entry); err != nil {
		return err
	}
	want, err := os.ReadFile(filepath.Join(entry, sums))
	if err != nil {
		return err
	}
	got, err := list(entry, unused...)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, without(want, unused)) {
		return fmt.Errorf("%s: is not what was written there", entry)
	}
	return nil
}

// without returns lines of checksums without those of some files.
func without(lines []byte, names []string) []byte {
	if len(names) == 0 {
		return lines
	}
	var rest []byte
	for line := range bytes.Lines(lines) {
		if fields := bytes.SplitN(line, []byte(" "), 3); len(fields) < 3 || !slices.Contains(names, string(bytes.TrimSuffix(fields[2], []byte("\n")))) {
			rest = append(rest, line...)
		}
	}
	return rest
}

// private returns nil if path is a folder, not a link, that belongs to the user
// and that nobody else may write to.
func private(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s: not a folder", path)
	}
	return owned(path, info)
}

// clean removes unfinished entries that are older than an hour, unused entries, and
// entries for which there is no room beside a new one of the given key. A process that
// still uses such an entry notices, and makes it again.
func clean(dir, key string, most int) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	type entry struct {
		path string
		used time.Time
	}
	var entries []entry
	for _, file := range found {
		info, err := file.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(dir, file.Name())
		if strings.HasSuffix(path, ".tmp") && time.Since(info.ModTime()) > time.Hour {
			os.RemoveAll(path)
		} else if _, err := os.Lstat(filepath.Join(path, sums)); err == nil && file.Name() != key {
			entries = append(entries, entry{path, info.ModTime()})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return b.used.Compare(a.used) })
	for i, entry := range entries {
		if i >= most-1 || time.Since(entry.used) > unused {
			os.RemoveAll(entry.path)
		}
	}
}

// Size returns the bytes that an entry takes on the disk.
func Size(entry string) (size int64) {
	filepath.WalkDir(entry, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			size += allocated(info)
		}
		return nil
	})
	return size
}

// touch records a use, unless one was recorded within span, so that reading
// seldom writes.
func touch(path string, info fs.FileInfo, span time.Duration) {
	if now := time.Now(); now.Sub(info.ModTime()) > span {
		os.Chtimes(path, now, now)
	}
}
