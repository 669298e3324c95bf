package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
)

// A Whole is a file that appears under its name, or replaces the file there, only
// when it is complete. Until then it has no name, if the system supports that (Linux,
// most file systems): it is invisible, and nothing is left of it even if the process
// is killed. On other systems it is a hidden file in the same folder.
type Whole struct {
	file   *os.File
	path   string
	mode   fs.FileMode
	hidden string // its name until it is complete; "" for none
}

// NewWhole begins the file path, whose mode will be mode.
func NewWhole(path string, mode fs.FileMode) (*Whole, error) {
	w := &Whole{path: path, mode: mode}
	var err error
	if w.file, w.hidden, err = beside(filepath.Dir(path), hiddenName(path), 0o600); err != nil {
		return nil, w.named(err)
	}
	return w, nil
}

// beside makes a file in a folder, without a name if the system supports that, or else with a
// hidden one of that prefix.
func beside(folder, prefix string, mode fs.FileMode) (file *os.File, hidden string, err error) {
	if file, err = nameless(folder, mode); err == nil {
		return file, "", nil
	}
	if file, err = os.CreateTemp(folder, prefix+"*"); err != nil {
		return nil, "", err
	}
	return file, file.Name(), nil
}

// hiddenName is the prefix of the hidden names beside path.
func hiddenName(path string) string { return "." + filepath.Base(path) + "." }

// Write writes to the file.
func (w *Whole) Write(p []byte) (int, error) {
	n, err := write(w.file, p)
	return n, w.named(err)
}

func (w *Whole) named(err error) error { return renamed(err, w.path) }

// Keep closes the file and gives it its name.
func (w *Whole) Keep() error {
	err := w.file.Chmod(w.mode)
	if err == nil && w.hidden == "" {
		w.hidden, err = named(w.file, w.path)
	}
	if e := w.file.Close(); err == nil {
		err = e
	}
	if err == nil && w.hidden != w.path {
		err = os.Rename(w.hidden, w.path)
	}
	if err != nil {
		w.remove()
	}
	return w.named(err)
}

// Abandon closes and removes the file.
func (w *Whole) Abandon() {
	w.file.Close()
	w.remove()
}

func (w *Whole) remove() {
	if w.hidden != "" && w.hidden != w.path {
		os.Remove(w.hidden)
	}
}
