package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// Sweep removes the hidden files in a folder that [Replace] left when its process was killed. Such
// a file has the new text, which the caller can make again, or the old one, which was replaced. If
// it may be another program's save that came in between, it stays, and kept has its path.
func Sweep(folder string) (kept []string, err error) {
	names, err := namesIn(folder)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if replacedState(name) == "" {
			continue
		}
		path := filepath.Join(folder, name)
		switch left, err := isLeft(path); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return kept, err
		case !left:
		case !isReplaced(folder, path, names):
			kept = append(kept, path)
		default:
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return kept, err
			}
		}
	}
	return kept, nil
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

// isLeft reports whether a hidden file's process has ended.
func isLeft(path string) (bool, error) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	file, err := open(path, os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer file.Close()
	if used, known := isUsed(file); known {
		return !used, nil
	}
	folder, err := os.Stat(filepath.Dir(path))
	return err == nil && time.Since(folder.ModTime()) > abandoned, err
}

// isReplaced reports whether a hidden file is the old file of the replacement that its name tells,
// or its new file, as the old file still has its own name. If it is neither, it may be what another
// program had saved.
func isReplaced(folder, hidden string, names []string) bool {
	state := replacedState(filepath.Base(hidden))
	is := func(path string) bool {
		info, err := os.Lstat(path)
		return err == nil && stateOf(info) == state
	}
	if is(hidden) {
		return true
	}
	for _, name := range names {
		if is(filepath.Join(folder, name)) {
			return true
		}
	}
	return false
}
