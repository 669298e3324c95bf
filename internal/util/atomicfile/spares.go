package atomicfile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// spares are files of a folder that were replaced. Each keeps its hidden name, and is emptied and
// written again as the new file of another one.
//
// That is safe on file systems with a journal that keeps the order of changes, see keepsOrder. A
// file is emptied after it has lost its name, so after a power cut it has its old text or it has
// lost the name. Its old blocks get no new content before the journal has noted that they are free.
// Nobody else may have the file: it has no other link, no process has it open, and it is as it was
// when it was replaced. Its owner, mode, attributes and flags are those of the file that it
// replaces.
//
// The hidden name of such a file does not say what it replaces, see [Sweep]. The record does.
type spares struct {
	folder string
	list   []spare
	record *os.File // nil before one is needed
}

// A spare is a file of spares.
type spare struct {
	file *os.File
	name string
	info fs.FileInfo // of when it was replaced
}

// maxSpares bounds the spare files, which are open.
const maxSpares = 32

// recordStart begins the names of records. A record has a line for each replacement by a spare
// file: the inode of that, and the state of the file to be replaced. It is written before the spare
// file is emptied.
const recordStart = hiddenStart + "record-"

// give gives spare files to replacements in their folder.
func (s *spares) give(begun []*replacement) {
	var lines strings.Builder
	for _, r := range begun {
		if r == nil || filepath.Dir(r.path) != s.folder {
			continue
		}
		if spare, found := s.take(r); found {
			r.file, r.hidden, r.reuses = spare.file, spare.name, true
			fmt.Fprintf(&lines, "%x %s\n", inode(spare.info), stateOf(r.info))
		}
	}
	if lines.Len() == 0 || s.note(lines.String()) == nil {
		return
	}
	for _, r := range begun {
		if r != nil && r.reuses {
			(&spare{file: r.file, name: r.hidden}).remove()
			r.file, r.hidden, r.reuses = nil, "", false
		}
	}
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
	if folder := filepath.Dir(r.path); folder != s.folder {
		s.remove()
		s.folder = folder
	}
	file, err := open(r.hidden, os.O_RDWR, 0)
	if err != nil {
		os.Remove(r.hidden)
		return
	}
	added := spare{file, r.hidden, r.was.Info}
	if len(s.list) == maxSpares {
		added.remove()
		return
	}
	s.list = append(s.list, added)
}

// remove removes all, the record last: it says what the others are.
func (s *spares) remove() {
	for i := range s.list {
		s.list[i].remove()
	}
	if s.record != nil {
		s.record.Close()
		os.Remove(s.record.Name())
	}
	*s = spares{}
}

func (s *spare) remove() {
	os.Remove(s.name)
	s.file.Close()
}
