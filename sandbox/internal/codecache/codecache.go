// Package codecache keeps compiled code in the user's cache folder, so that
// only the first start has to compile.
//
// What is in the cache is executed, so it is believed only if nobody else can
// have written it: the folders and files must be the user's own, writable by
// nobody else, and no links. And it is used only if it is whole: a file of
// checksums is written last, and every use verifies it, which finds what a
// crash, a full disk or a failing one left. That is what checksums are for
// here, and not to tell who wrote a file; so they are CRC-32C, which takes 4 ms
// for the 53 MB of CPython's entry, where SHA-256 takes 36. An entry that is
// not right is made anew. Two processes may make an entry at once; one of them comes last to the
// renaming, finds the other's, and uses that.
package codecache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// sums is the file of an entry that lists its files: a line "CRC-32C size name"
// for each, names ascending.
const sums = "CRC32C"

// formerSums is the same of releases before, whose entries are only removed.
const formerSums = "SHA256SUMS"

// maxEntry bounds the files of an entry, in bytes, and maxFiles their number.
// CPython's are 53 MB in three files.
const (
	maxEntry = 256 << 20
	maxFiles = 16
)

// unused is how long an entry stays that nobody finds.
const unused = 30 * 24 * time.Hour

// Dir returns the folder to keep code in if nobody names one: codelinter/sandbox
// in the user's cache folder.
func Dir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "codelinter", "sandbox"), nil
}

// Key is the name of an entry that depends on all of parts.
func Key(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Find returns the folder of an entry, and whether there is one, which need not
// be whole. It notes on the folder that it was used, see [Make].
func Find(dir, key string) (string, bool) {
	entry := filepath.Join(dir, key)
	if _, err := os.Lstat(filepath.Join(entry, sums)); err != nil {
		return entry, false
	}
	if info, err := os.Lstat(entry); err == nil {
		touch(entry, info, 24*time.Hour)
	}
	return entry, true
}

// Verify returns nil if the entry in a folder is whole, and it and the folder
// around it are the user's own.
func Verify(entry string) error {
	if err := private(filepath.Dir(entry)); err != nil {
		return err
	}
	return verify(entry)
}

// Make has fill write an entry's files into an empty folder, which then takes
// the place of the entry that there was, if any. It returns the entry's
// folder, which may also be one that another process made meanwhile. Entries
// that nobody has used for [unused] are removed: a new release has another key,
// and would leave 34 MB on the disk each time.
func Make(dir, key string, fill func(dir string) error) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := private(dir); err != nil {
		return "", err
	}
	clean(dir)
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
	entry := filepath.Join(dir, key)
	for range 3 {
		err = os.Rename(fresh, entry)
		if err == nil {
			return entry, nil
		}
		if verify(entry) == nil {
			return entry, nil
		}
		// Out of the way with what is damaged: first by renaming, so that no
		// one finds half of it.
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

// list returns what the file of checksums of an entry should hold.
func list(entry string) ([]byte, error) {
	names, err := files(entry)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	room := make([]byte, 256<<10)
	for _, name := range names {
		sum, size, err := checksum(filepath.Join(entry, filepath.FromSlash(name)), room)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%08x %d %s\n", sum, size, name)
	}
	if b.Len() == 0 {
		return nil, fmt.Errorf("%s: no files", entry)
	}
	return b.Bytes(), nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns the CRC-32C and the size of a file, which it reads piece by
// piece into room.
func checksum(path string, room []byte) (sum uint32, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	for size <= maxEntry {
		n, err := file.Read(room)
		sum = crc32.Update(sum, castagnoli, room[:n])
		size += int64(n)
		if err == io.EOF {
			return sum, size, nil
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return 0, 0, fmt.Errorf("%s: more than code", path)
}

// seal writes the file of checksums of an entry.
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

// verify returns nil if an entry is whole and the user's own.
func verify(entry string) error {
	if err := private(entry); err != nil {
		return err
	}
	want, err := os.ReadFile(filepath.Join(entry, sums))
	if err != nil {
		return err
	}
	got, err := list(entry)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%s: is not what was written there", entry)
	}
	return nil
}

// private returns nil if path is a folder, no link to one, that is the user's
// own and that no one else may write to.
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

// clean removes what makers that did not come to their end left in dir, unless
// it was made within the last hour, and entries that nobody uses any more.
// Whoever does use one still finds out that it is gone, and makes it anew.
func clean(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			continue
		}
		age, path := time.Since(info.ModTime()), filepath.Join(dir, entry.Name())
		stale := age > time.Hour && strings.HasSuffix(path, ".tmp")
		for _, name := range [...]string{sums, formerSums} {
			if age > unused && !stale {
				_, err := os.Lstat(filepath.Join(path, name))
				stale = err == nil
			}
		}
		if stale {
			os.RemoveAll(path)
		}
	}
}

// touch notes on what info describes that it was used, unless that was noted
// within the last span, so that reading seldom writes.
func touch(path string, info fs.FileInfo, span time.Duration) {
	if now := time.Now(); now.Sub(info.ModTime()) > span {
		os.Chtimes(path, now, now)
	}
}
