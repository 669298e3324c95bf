package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// ErrChanged is the error for a file that another program saved, or is about to save.
var ErrChanged = errors.New("another program saved the file meanwhile, so it was left as it is")

// A Known is the state of a file in which a caller knows its content.
type Known struct {
	Info fs.FileInfo // of [os.Stat] before the content was read
	Data []byte
}

// Replace replaces the content of the regular file at path, which is no link, if the file is still
// the known one: the same file, with the same size, time and content. If not, it returns
// [ErrChanged] and leaves the file. It keeps the owner, the mode and the extended attributes, which
// are the access list too, and returns an error if it may not. The text is written to the disk
// before the new file takes the old one's name, so after a power cut the name has the old or the
// new text, whole. Which of them is certain after [SyncFolder].
//
// A save by another program is never lost. Other programs may save while Replace works in three
// ways:
//
//   - A program has the file open for writing. On Linux a lease tells, and Replace returns an error.
//     Under a lease the content is compared once, as nobody can change it.
//   - A program opens the file for writing. On Linux it waits for the lease, Replace sees that and
//     gives the file its name back, then the program goes on.
//   - A program gives its own file the name. Both names are exchanged in one step, so what had the
//     name at that moment still exists. If that is not the known file, the names are exchanged back.
//
// On systems without leases or without the exchange, all is compared right before the step.
//
// A process that is killed may leave a file with a hidden name, which [Sweep] removes.
func Replace(path string, was Known, text []byte) error {
	r, err := begin(path, was, text)
	if err == nil {
		err = r.write()
	}
	if err != nil {
		return err
	}
	return r.finish(r.sync())
}

// begin opens the old file.
func begin(path string, was Known, text []byte) (*replacement, error) {
	old, err := open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	info, err := old.Stat()
	if err != nil || !sameState(info, was.Info) {
		old.Close()
		return nil, ErrChanged
	}
	return &replacement{path: path, was: was, old: old, info: info, text: text}, nil
}

// sync writes the new file to the disk. It is open until it has a name.
func (r *replacement) sync() error {
	err := r.file.Sync()
	if r.hidden != "" {
		if e := r.file.Close(); err == nil {
			err = e
		}
	}
	return err
}

// finish gives the new file the name, unless it could not be written to the disk.
func (r *replacement) finish(synced error) error {
	defer r.close()
	if synced != nil {
		return renamed(synced, r.path)
	}
	return r.swap()
}

// close ends the lease, and removes the hidden file unless it is a spare one.
func (r *replacement) close() {
	gone := r.hidden == "" || r.keepHidden || r.isSpare || os.Remove(r.hidden) == nil
	r.old.Close() // and with it the lease
	if r.file != nil {
		r.file.Close()
	}
	if !gone { // Windows removes no file that is open
		os.Remove(r.hidden)
	}
}

// A replacement is the state of [Replace].
type replacement struct {
	path       string
	was        Known
	old        *os.File
	info       fs.FileInfo // of the old one, when it was opened
	held       lease
	text       []byte
	file       *os.File // the new one; nil before it is there
	hidden     string   // the other file's name; "" as long as it has none
	keepHidden bool     // it has a text that is nowhere else
	reuses     bool     // the new one is a spare one, see [Rewriter]
	recorded   bool     // and its hidden name does not say what it replaces
	ordered    bool     // the file system keeps the order of changes
	isSpare    bool     // the old one is a spare one now
}

// isKnown reports whether the old file is as it was known.
func (r *replacement) isKnown() bool {
	now, err := r.old.Stat()
	return err == nil && sameState(now, r.was.Info) && sameContent(r.old, r.was.Data)
}

// staysKnown reports whether the old file is still as isKnown found it. Under a lease no program
// has opened it for writing since.
func (r *replacement) staysKnown() bool {
	if r.held.isThere() {
		return !r.held.broken()
	}
	return r.isKnown()
}

// sameState reports whether a file is another one, with the same size and time.
func sameState(now, was fs.FileInfo) bool {
	return os.SameFile(now, was) && now.Size() == was.Size() && now.ModTime().Equal(was.ModTime())
}

// has reports whether the file at a path is the old one.
func (r *replacement) has(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && os.SameFile(info, r.was.Info)
}

// sameContent reports whether a file has a text.
func sameContent(file *os.File, text []byte) bool {
	part := parts.Get().(*[1 << 16]byte)
	defer parts.Put(part)
	for at := int64(0); ; {
		n, err := file.ReadAt(part[:min(len(part), len(text)+1)], at)
		if n > len(text) || !bytes.Equal(part[:n], text[:n]) {
			return false
		}
		at, text = at+int64(n), text[n:]
		if err != nil {
			return err == io.EOF && len(text) == 0
		}
	}
}

// parts are the buffers of sameContent.
var parts = sync.Pool{New: func() any { return new([1 << 16]byte) }}

// write writes the new file, which is not on the disk then. After an error all is closed.
func (r *replacement) write() error {
	err := r.fill()
	if err != nil {
		r.close()
	}
	return renamed(err, r.path)
}

// fill makes the new file, without a name if it can be, or empties the spare one, and gives it the
// text.
func (r *replacement) fill() (err error) {
	if r.reuses {
		if err = r.file.Truncate(0); err == nil {
			_, err = r.file.Write(r.text)
		}
		return err
	}
	if r.file, r.hidden, err = beside(filepath.Dir(r.path), hiddenPrefix(r.info), r.info.Mode().Perm()); err != nil {
		return err
	}
	if _, err = r.file.Write(r.text); err != nil {
		return err
	}
	return keepMeta(r.old, r.info, r.file)
}

// swap gives the new file the name. Only now it takes the lease: other programs do not wait until
// the disk has written the new file.
func (r *replacement) swap() (err error) {
	if r.held, err = hold(r.old); err != nil {
		return err
	}
	if !r.has(r.path) || !r.isKnown() {
		return ErrChanged
	}
	if betweenSteps != nil {
		betweenSteps(1)
	}
	if r.hidden == "" { // from here on a killed process leaves it
		if r.hidden, err = hide(r.file, filepath.Dir(r.path), hiddenPrefix(r.was.Info)); err != nil {
			return renamed(err, r.path)
		}
	}
	switch err := exchange(r.hidden, r.path); {
	case errors.Is(err, errors.ErrUnsupported):
		if err := os.Rename(r.hidden, r.path); err != nil {
			return err
		}
		r.keepHidden = true // it is the new file
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return ErrChanged
	case err != nil:
		return renamed(err, r.path)
	}
	if betweenSteps != nil {
		betweenSteps(2)
	}
	if !r.has(r.hidden) || !r.staysKnown() {
		return r.restore()
	}
	r.isSpare = r.ordered && r.held.isThere()
	return nil
}

// restore gives back the name to what had it.
func (r *replacement) restore() error {
	if err := exchange(r.hidden, r.path); err != nil {
		r.keepHidden = true
		return fmt.Errorf("%w; a save of another program is in %s", err, r.hidden)
	}
	if betweenSteps != nil {
		betweenSteps(3)
	}
	file, err := os.Open(r.hidden)
	if err != nil {
		return ErrChanged
	}
	defer file.Close()
	if !sameContent(file, r.text) {
		r.keepHidden = true
		return fmt.Errorf("%w; a second save is in %s", ErrChanged, r.hidden)
	}
	return ErrChanged
}

// betweenSteps is for tests.
var betweenSteps func(step int)

// SyncFolder writes a folder to the disk, so that what was replaced in it stays so after a power
// cut. Windows has no such call.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil && canSyncFolders {
		return err
	}
	return nil
}
