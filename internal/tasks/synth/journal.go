package synth

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"codelinter/internal/python/pyjson"
)

// Suffix is that of the files of an unfinished run.
const Suffix = ".part"

// A Journal writes tasks to files so that a run can be resumed.
type Journal struct {
	name   string // of the file of its state
	digest string
	files  []*part // train and, with a name, test
	last   Place
	since  int // tasks since the state was written
}

type part struct {
	name string
	file *os.File
	out  *bufio.Writer
	size int64
}

// state is the content of the journal's file.
type state struct {
	Digest string  `json:"digest"` // of the run's programs and options
	Sizes  []int64 `json:"sizes"`
	Next   Place   `json:"next"`
}

// Digest identifies a run by its programs and options. JSON must be able to write the options.
func Digest(programs []Program, options any) string {
	h := sha256.New()
	for i := range programs {
		h.Write(programs[i].Hash[:])
	}
	text, err := json.Marshal(options)
	if err != nil {
		panic(err) // cannot fail: the options came from JSON or flags
	}
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// OpenJournal opens the journal of a run that makes the file train and, unless it is "", the file
// test. It returns the place where an earlier run ended, and adds that run's tasks to seen. An
// earlier run with another digest is an error.
func OpenJournal(train, test, digest string, seen *Seen) (*Journal, Place, error) {
	j := &Journal{name: train + Suffix + ".json", digest: digest}
	names := []string{train}
	if test != "" {
		names = append(names, test)
	}
	var was state
	text, err := os.ReadFile(j.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, Place{}, err
	default:
		if err := pyjson.Unmarshal(text, &was); err != nil || len(was.Sizes) != len(names) || was.Digest != digest {
			return nil, Place{}, fmt.Errorf("%s: is of a run with other programs or options: repeat that run, or remove the file", j.name)
		}
	}
	for i, name := range names {
		p := &part{name: name}
		if p.file, err = os.OpenFile(name+Suffix, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
			return nil, Place{}, errors.Join(err, j.Close())
		}
		j.files = append(j.files, p)
		if len(was.Sizes) > 0 {
			p.size = was.Sizes[i]
		}
		if err := p.file.Truncate(p.size); err != nil {
			return nil, Place{}, errors.Join(err, j.Close())
		}
		if err := seen.Remember(name+Suffix, io.LimitReader(p.file, p.size)); err != nil {
			return nil, Place{}, errors.Join(err, j.Close())
		}
		if _, err := p.file.Seek(p.size, io.SeekStart); err != nil {
			return nil, Place{}, errors.Join(err, j.Close())
		}
		p.out = bufio.NewWriterSize(p.file, 1<<18)
	}
	j.last = was.Next
	return j, was.Next, nil
}

// often is the number of tasks after which the state is written.
const often = 2000

// Write writes a task.
func (j *Journal) Write(m Made) error {
	p := j.files[0]
	if m.Test && len(j.files) > 1 {
		p = j.files[1]
	}
	if _, err := p.out.Write(m.Line); err != nil {
		return err
	}
	p.size += int64(len(m.Line))
	j.last = m.Next
	if j.since++; j.since < often {
		return nil
	}
	return j.Save()
}

// Save writes the state of the run.
func (j *Journal) Save() error {
	j.since = 0
	now := state{Digest: j.digest, Next: j.last}
	for _, p := range j.files {
		if err := p.out.Flush(); err != nil {
			return err
		}
		now.Sizes = append(now.Sizes, p.size)
	}
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if err := os.WriteFile(j.name+"~", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(j.name+"~", j.name)
}

// Done renames the files and removes the journal.
func (j *Journal) Done() error {
	for _, p := range j.files {
		if err := p.out.Flush(); err != nil {
			return err
		}
		if err := p.file.Close(); err != nil {
			return err
		}
		p.file = nil
		if err := os.Rename(p.name+Suffix, p.name); err != nil {
			return err
		}
	}
	if err := os.Remove(j.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Close closes the files and keeps them for a later run.
func (j *Journal) Close() (err error) {
	for _, p := range j.files {
		if p.file != nil {
			err = errors.Join(err, p.file.Close())
		}
	}
	return err
}
