package flake8

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// A report is where the findings go: standard output, a file, or both.
type report struct {
	stdout io.Writer // nil for none
	clear  func()    // called before something is written to stdout; may be nil
	file   *os.File  // nil for none
	whole  int64     // size of file up to which it holds whole lines
}

// openReport opens the file of that name to append to it, with the folders it
// lies in; without a name, the report goes to stdout.
func openReport(name string, tee bool, stdout io.Writer) (*report, error) {
	if name == "" {
		return &report{stdout: stdout}, nil
	}
	folder := filepath.Dir(absolute(name))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		if info, statErr := os.Stat(folder); statErr == nil && !info.IsDir() {
			err = syscall.EEXIST
		}
		return nil, fmt.Errorf("--output-file: %s", osErrorText(err, folder))
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("--output-file: %s", osErrorText(err, name))
	}
	r := &report{file: file}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		r.whole = info.Size()
	}
	if tee {
		r.stdout = stdout
	}
	return r, nil
}

// Write writes whole lines. A line that could not be written whole is removed
// again.
func (r *report) Write(p []byte) (int, error) {
	if r.file != nil {
		n, err := r.file.Write(p)
		if err != nil {
			r.whole += int64(bytes.LastIndexByte(p[:n], '\n') + 1)
			r.file.Truncate(r.whole) // if that fails too, there is nothing to be done
			// Not %w: only standard output's reader may go away without a word.
			return n, fmt.Errorf("--output-file: %v", err)
		}
		r.whole += int64(n)
	}
	if r.stdout != nil {
		if r.clear != nil {
			r.clear()
		}
		return r.stdout.Write(p)
	}
	return len(p), nil
}

// close closes the file, which may be when its system finds that there is no room.
func (r *report) close() error {
	if r.file == nil {
		return nil
	}
	if err := r.file.Close(); err != nil {
		return fmt.Errorf("--output-file: %w", err)
	}
	return nil
}
