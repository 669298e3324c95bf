package atomicfile

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// spares are files that were replaced. Each keeps its hidden name, and is emptied and written again
// as the new file of another one.
//
// That is safe on file systems with a journal that keeps the order of changes, see keepsOrder. A
// file is emptied after it has lost its name, so after a power cut it has its old text or it has
// lost the name. Its old blocks get no new content before the journal has noted that they are free.
// Nobody else may have the file: it has no other link, no process has it open, and it is as it was
// when it was replaced. Its owner, mode, attributes and flags are those of the file that it
// replaces.
//
// A new file, in its place, costs more the more files were removed lately: ext4 looks at each of
// them before it takes a number that is free for long. That was a fifth of a fix of CPython's Lib.
//
// A hidden name says what its file replaces, see [Sweep]. A spare file of another folder gets a new
// name for that, and is emptied before, as others may read the new folder. If all files are of one
// folder, it keeps its name, and a record says what it replaces: that takes a quarter less.
type spares struct {
	list   []spare
	folder string   // of the record
	record *os.File // nil before one is needed
}

// A spare is a file of spares.
type spare struct {
	file     *os.File
	name     string
	info     fs.FileInfo // of when it was replaced
	recorded bool        // its name does not say what it replaced
}

// maxSpares bounds the spare files, which are open.
const maxSpares = 32

// recordStart begins the names of records. A record has a line for each replacement by a spare
// file: the inode of that, and the state of the file to be replaced. It is written before the spare
// file is emptied.
const recordStart = hiddenStart + "record-"

// give gives spare files to replacements.
func (s *spares) give(begun []*replacement) {
	records := false
	if folder := folderOf(begun); folder != "" {
		if folder != s.folder {
			s.leave()
			s.folder = folder
		}
		records = true
	}
	var lines strings.Builder
	for _, r := range begun {
		if r == nil {
			continue
		}
		spare, found := s.take(r)
		if !found {
			continue
		}
		if spare.recorded = records && filepath.Dir(spare.name) == s.folder; spare.recorded {
			fmt.Fprintf(&lines, "%x %s\n", inode(spare.info), stateOf(r.info))
		} else if spare.move(r) != nil {
			spare.remove()
			continue
		}
		r.file, r.hidden, r.reuses, r.recorded = spare.file, spare.name, true, spare.recorded
	}
	if lines.Len() == 0 || s.note(lines.String()) == nil {
		return
	}
	for _, r := range begun {
		if r != nil && r.recorded {
			(&spare{file: r.file, name: r.hidden}).remove()
			r.file, r.hidden, r.reuses, r.recorded = nil, "", false, false
		}
	}
}

// folderOf returns the folder of some replacements, "" if they are of several.
func folderOf(begun []*replacement) (folder string) {
	for _, r := range begun {
		switch {
		case r == nil:
		case folder == "":
			folder = filepath.Dir(r.path)
		case folder != filepath.Dir(r.path):
			return ""
		}
	}
	return folder
}

// move empties a spare file and gives it the hidden name for a replacement.
func (s *spare) move(r *replacement) error {
	if err := s.file.Truncate(0); err != nil {
		return err
	}
	to := filepath.Join(filepath.Dir(r.path), fmt.Sprintf("%s%08x", hiddenPrefix(r.info), rand.Uint32()))
	err := os.Rename(s.name, to)
	if err == nil {
		s.name = to
	}
	return err
}

// take returns a spare file that may replace another one, and removes those that may not.
func (s *spares) take(r *replacement) (found spare, ok bool) {
	for len(s.list) > 0 {
		last := s.list[len(s.list)-1]
		s.list = s.list[:len(s.list)-1]
		if last.mayReplace(r) {
			return last, true
		}
		last.remove()
	}
	return spare{}, false
}

func (s *spare) mayReplace(r *replacement) bool {
	if used, known := isUsed(s.file); used || !known {
		return false
	}
	now, err := s.file.Stat()
	return err == nil && sameState(now, s.info) && links(now) == 1 && sameMeta(s.file, now, r.old, r.info)
}

// note appends lines to the record, which the disk begins to write: after a power cut, too, it says
// what a spare file is, if that has got its new name.
func (s *spares) note(lines string) (err error) {
	if s.record == nil {
		if s.record, err = os.CreateTemp(s.folder, recordStart+"*"); err != nil {
			return err
		}
	}
	if _, err = s.record.WriteString(lines); err == nil {
		startWriting(s.record)
	}
	return err
}

// noted waits until the disk has the record.
func (s *spares) noted() {
	if s.record != nil {
		_ = endWriting(s.record) // without it, Sweep keeps more
	}
}

// add adds the old file of a replacement.
func (s *spares) add(r *replacement) {
	file, err := open(r.hidden, os.O_RDWR, 0)
	if err != nil {
		os.Remove(r.hidden)
		return
	}
	added := spare{file, r.hidden, r.was.Info, r.recorded}
	if len(s.list) == maxSpares {
		added.remove()
		return
	}
	s.list = append(s.list, added)
}

// leave removes the record, after the files whose names do not say what they replaced.
func (s *spares) leave() {
	s.list = slices.DeleteFunc(s.list, func(one spare) bool {
		if one.recorded {
			one.remove()
		}
		return one.recorded
	})
	if s.record != nil {
		s.record.Close()
		os.Remove(s.record.Name())
		s.record = nil
	}
}

// remove removes all.
func (s *spares) remove() {
	s.leave()
	for i := range s.list {
		s.list[i].remove()
	}
	*s = spares{}
}

func (s *spare) remove() {
	os.Remove(s.name)
	s.file.Close()
}
