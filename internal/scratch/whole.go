package scratch

import (
	"io/fs"
	"os"
	"path/filepath"
)

// A Whole is a file that appears under its name, or replaces the one there, only
// when it is whole. Until then, where the system has files without a name (Linux,
// most file systems), nothing of it is to be seen, and nothing is left of it whatever
// ends the process; elsewhere it stands beside its place as a hidden file.
type Whole struct {
	file   *os.File
	path   string
	mode   fs.FileMode
	hidden string // the name that it has until it is whole; "" for none
}

// NewWhole begins the file called path, which has mode in the end.
func NewWhole(path string, mode fs.FileMode) (*Whole, error) {
	w := &Whole{path: path, mode: mode}
	var err error
	if w.file, err = nameless(filepath.Dir(path)); err == nil {
		return w, nil
	}
	if w.file, err = os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*"); err != nil {
		return nil, w.named(err)
	}
	w.hidden = w.file.Name()
	return w, nil
}

// Write writes to the file.
func (w *Whole) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
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

// Abandon closes the file and leaves nothing of it.
func (w *Whole) Abandon() {
	w.file.Close()
	w.remove()
}

func (w *Whole) remove() {
	if w.hidden != "" && w.hidden != w.path {
		os.Remove(w.hidden)
	}
}
