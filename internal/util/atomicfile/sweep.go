package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// hiddenStart begins the hidden names of [Replace]. After it comes which file was to be replaced.
const hiddenStart = ".codelinter-"

// hiddenPrefix returns the prefix of the hidden names for a replacement of a file.
func hiddenPrefix(old fs.FileInfo) string {
	return fmt.Sprintf("%s%s-", hiddenStart, stateOf(old))
}

// stateOf returns a text for a file and its time. What the system does not tell is 0.
func stateOf(info fs.FileInfo) string {
	return fmt.Sprintf("%x-%x", inode(info), info.ModTime().UnixNano())
}

// Sweep removes the hidden files in a folder that [Replace] or a [Rewriter] left when its process was
// killed. Such a file has the new text, which the caller can make again, or the old one, which was
// replaced. If it may be another program's save that came in between, it stays, and kept has its
// path.
func Sweep(folder string) (kept []string, err error) {
	names, err := namesIn(folder)
	if err != nil || !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, hiddenStart) }) {
		return nil, err
	}
	s := sweep{folder: folder, named: map[string]bool{}, planned: map[uint64][]string{}, replaced: map[string]bool{}}
	s.read(names)
	for _, name := range names {
		state := replacedState(name)
		if state == "" {
			continue
		}
		path := filepath.Join(folder, name)
		switch left, info, err := isLeft(path); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return kept, err
		case !left:
		case !s.isReplaced(info, state):
			if !s.lives {
				kept = append(kept, path)
			}
		default:
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return kept, err
			}
		}
	}
	for _, path := range s.records {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return kept, err
		}
	}
	return kept, nil
}

// A sweep is what [Sweep] knows of a folder.
type sweep struct {
	folder   string
	named    map[string]bool     // the states of files whose names are not hidden
	replaced map[string]bool     // the states that records have
	planned  map[uint64][]string // the same, by the inodes of the spare files
	records  []string            // paths of those whose processes have ended
	lives    bool                // another one's process goes on
}

// maxRecord bounds the bytes of a record that are read.
const maxRecord = 8 << 20

// read reads the states of files and the records.
func (s *sweep) read(names []string) {
	for _, name := range names {
		path := filepath.Join(s.folder, name)
		switch {
		case strings.HasPrefix(name, recordStart):
			if left, info, err := isLeft(path); err != nil || info == nil {
				continue
			} else if left {
				s.records = append(s.records, path)
			} else {
				s.lives = true
			}
			s.readRecord(path)
		case replacedState(name) == "":
			if info, err := look(path); err == nil {
				s.named[stateOf(info)] = true
			}
		}
	}
}

func (s *sweep) readRecord(path string) {
	file, err := open(path, os.O_RDONLY, 0)
	if err != nil {
		return
	}
	defer file.Close()
	for lines := bufio.NewScanner(io.LimitReader(file, maxRecord)); lines.Scan(); {
		number, state, _ := strings.Cut(lines.Text(), " ")
		if inode, err := strconv.ParseUint(number, 16, 64); err == nil {
			s.replaced[state] = true
			s.planned[inode] = append(s.planned[inode], state)
		}
	}
}

// isReplaced reports whether a hidden file is the old file of a replacement, or a new file whose old
// one still has its own name, or has nothing in it. If it is neither, it may be what another program
// had saved. state is that of the file for which it got its name.
func (s *sweep) isReplaced(hidden fs.FileInfo, state string) bool {
	is := stateOf(hidden)
	return hidden.Size() == 0 || is == state || s.named[state] || s.replaced[is] || slices.ContainsFunc(s.planned[inode(hidden)], func(state string) bool { return s.named[state] })
}

// replacedState returns the state of the file that a hidden name is for. It returns "" for other
// names, and on systems that do not tell which file is which.
func replacedState(name string) string {
	rest, is := strings.CutPrefix(name, hiddenStart)
	parts := strings.Split(rest, "-")
	if !is || len(parts) != 3 || parts[0] == "0" {
		return ""
	}
	for _, part := range parts {
		if part == "" || strings.Trim(part, "0123456789abcdef") != "" {
			return ""
		}
	}
	return parts[0] + "-" + parts[1]
}

func namesIn(folder string) ([]string, error) {
	opened, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return opened.Readdirnames(-1)
}

// abandoned is how long no name of a folder has changed when the processes of its hidden files are
// taken for dead, where the system does not tell.
const abandoned = time.Hour

// isLeft reports whether the process of a hidden file has ended, and returns the state of the file,
// nil if that is no regular one.
func isLeft(path string) (left bool, info fs.FileInfo, err error) {
	info, err = look(path)
	if err != nil || !info.Mode().IsRegular() {
		return false, nil, err
	}
	file, err := open(path, os.O_RDONLY, 0)
	if err != nil {
		return false, info, err
	}
	defer file.Close()
	if used, known := isUsed(file); known {
		return !used, info, nil
	}
	folder, err := os.Stat(filepath.Dir(path))
	return err == nil && time.Since(folder.ModTime()) > abandoned, info, err
}

// look is [os.Lstat].
func look(path string) (fs.FileInfo, error) {
	if looked != nil {
		looked()
	}
	return os.Lstat(path)
}

// looked is for tests.
var looked func()
