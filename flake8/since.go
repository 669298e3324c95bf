package flake8

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"codelinter/internal/newfindings"
	"codelinter/internal/util/git"
	"codelinter/internal/util/patch"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// This file reports only what is new: the findings that a file did not have in an older state. flake8
// does not do that. Up to 5.0 its --diff reported the findings in changed rows, which are others: an
// edit can cause a finding in another row, and a changed row can keep an old one.

// A comparison is what the files are compared with, by the options. At most one is set.
type comparison struct {
	uncommitted   bool // with the last commit, or the one before if nothing has changed since
	revision      string
	branch        string // with the commit from which HEAD left it
	patch         string // a file with changes, "-" for standard input
	old           string // a file with the older text of the only file, "-" for standard input
	baseline      string // a file with the findings that are known
	writeBaseline string
}

// given returns the options of a comparison that are set.
func (c *comparison) given() (names []string) {
	for _, o := range comparisonOptions {
		if o.isSet(c) {
			names = append(names, o.name)
		}
	}
	return names
}

// A comparisonOption is an option of the command line for a comparison.
type comparisonOption struct {
	name, value, help string
	field             func(*comparison) *string // nil for --new
}

func (o *comparisonOption) isSet(c *comparison) bool {
	if o.field == nil {
		return c.uncommitted
	}
	return *o.field(c) != ""
}

var comparisonOptions = []comparisonOption{
	{"--new", "", "report only what is new since the last commit or, if nothing has changed since, what is new in it", nil},
	{"--new-from-rev", "REV", "report only what is new since this commit of git", func(c *comparison) *string { return &c.revision }},
	{"--new-from-merge-base", "BRANCH", "report only what is new since HEAD left this branch", func(c *comparison) *string { return &c.branch }},
	{"--new-from-patch", "FILE", "report only what the changes of this unified diff bring in; - reads standard input", func(c *comparison) *string { return &c.patch }},
	{"--old", "FILE", "report only what is new compared with this older text of the only file; - reads standard input", func(c *comparison) *string { return &c.old }},
	{"--baseline", "FILE", "report only what this file, which --write-baseline wrote, does not have", func(c *comparison) *string { return &c.baseline }},
	{"--write-baseline", "FILE", "write all findings to this file, and report none", func(c *comparison) *string { return &c.writeBaseline }},
}

// newFindingsOptions returns the options of this file.
func newFindingsOptions() (list []*option) {
	for _, c := range comparisonOptions {
		o := &option{names: []string{c.name}, value: c.value, help: c.help, own: true, group: "new findings"}
		o.apply = func(s *settings, value string) error {
			if c.field == nil {
				s.comparison.uncommitted = true
				return nil
			}
			if value == "" {
				return errors.New("expected a name, found nothing")
			}
			*c.field(&s.comparison) = value
			return nil
		}
		list = append(list, o)
	}
	return list
}

// checkComparison refuses options that cannot stand together.
func (s *settings) checkComparison(c *Command) error {
	names := s.comparison.given()
	switch {
	case len(names) > 1:
		return usageErrorf("argument %s: not allowed with argument %s", names[1], names[0])
	case len(names) == 1 && !c.compares:
		return usageErrorf("argument %s: only check has it", names[0])
	case slices.Contains(s.paths, "-") && (s.comparison.old == "-" || s.comparison.patch == "-"):
		return usageErrorf("argument %s: standard input is already the file", names[0])
	}
	return s.checkNoqa(c)
}

// A past has the older texts of files.
type past interface {
	// mayDiffer reports whether the file of an absolute path may have new findings.
	mayDiffer(path string) bool
	// mayHold reports whether a folder, by its absolute path, may have such files.
	mayHold(folder string) bool
	// read returns the older text of a file, given the new one. name is the file's name at that time. It
	// returns false if there was no such file.
	read(path string, text []byte) (name string, older []byte, found bool, err error)
	close()
}

// openPast returns what the options compare with, nil for nothing.
func (s *settings) openPast(ctx context.Context, folder string, stdin io.Reader) (past, error) {
	c := &s.comparison
	switch {
	case c.patch != "":
		return openPatch(c.patch, folder, stdin)
	case c.old != "":
		text, err := readNamed(c.old, stdin, source.MaxSize+1)
		if err != nil {
			return nil, fmt.Errorf("--old: %s", osErrorText(err, c.old))
		}
		return olderText(text), nil
	case c.uncommitted || c.revision != "" || c.branch != "":
		return openCommit(ctx, c, folder)
	}
	return nil, nil
}

// readNamed returns the first bytes of a file, or of standard input for "-".
func readNamed(name string, stdin io.Reader, most int) ([]byte, error) {
	if name == "-" {
		return readAll(stdin, nil, most)
	}
	return readAny(name, nil)
}

// olderText is the older text of the only file.
type olderText []byte

func (o olderText) mayDiffer(string) bool { return true }
func (o olderText) mayHold(string) bool   { return true }
func (o olderText) close()                {}

func (o olderText) read(path string, _ []byte) (string, []byte, bool, error) {
	return path, o, true, nil
}

// A commitPast has the files of a commit of git.
type commitPast struct {
	repository *git.Repository
	commit     string
	changes    map[string]string // see git.Changes
	holders    map[string]bool   // the folders of the changed files, and those around them
	folders    map[string]string // without links
}

// openCommit finds the commit that the options name, and what has changed since.
func openCommit(ctx context.Context, c *comparison, folder string) (past, error) {
	repository, err := git.Open(ctx, folder, source.MaxSize)
	if err != nil {
		return nil, err
	}
	p := &commitPast{repository: repository, folders: map[string]string{}}
	switch {
	case c.uncommitted:
		err = p.uncommitted()
	case c.branch != "":
		p.commit, err = repository.MergeBase(c.branch)
	default:
		p.commit, err = repository.Resolve(c.revision)
	}
	if err == nil && p.changes == nil {
		p.changes, err = repository.Changes(p.commit)
	}
	p.holders = map[string]bool{}
	for name := range p.changes {
		for folder := path.Dir(name); !p.holders[folder] && folder != "."; folder = path.Dir(folder) {
			p.holders[folder] = true
		}
	}
	return p, err
}

func (p *commitPast) mayHold(folder string) bool {
	inside := p.inRepository(folder)
	return filepath.IsAbs(inside) || p.holders[inside]
}

// uncommitted compares with the last commit or, if nothing has changed since, with the one before.
func (p *commitPast) uncommitted() (err error) {
	for _, revision := range []string{"HEAD", "HEAD~1"} {
		if p.commit, err = p.repository.Resolve(revision); err != nil { // there is none yet
			if p.commit, err = p.repository.Empty(); err != nil {
				return err
			}
		}
		if p.changes, err = p.repository.Changes(p.commit); err != nil || len(p.changes) > 0 {
			return err
		}
	}
	return nil
}

// inRepository returns the path of a file in the repository, with slashes.
func (p *commitPast) inRepository(path string) string {
	folder := strings.TrimSuffix(path, base(path))
	real, known := p.folders[folder]
	if !known {
		var err error
		if real, err = filepath.EvalSymlinks(folder); err != nil {
			real = folder
		}
		p.folders[folder] = real
	}
	inside, is := strings.CutPrefix(join(real, base(path)), join(p.repository.Root, ""))
	if !is { // a file that is in no commit
		return path
	}
	return filepath.ToSlash(inside)
}

func (p *commitPast) mayDiffer(path string) bool {
	_, differs := p.changes[p.inRepository(path)]
	return differs
}

func (p *commitPast) read(path string, _ []byte) (string, []byte, bool, error) {
	now := p.inRepository(path)
	name, differs := p.changes[now]
	if !differs { // standard input under a name whose file has not changed
		name = now
	}
	if name == "" {
		return "", nil, false, nil
	}
	text, found, err := p.repository.Read(p.commit, name)
	return name, text, found, err
}

func (p *commitPast) close() { p.repository.Close() }

// A patchPast undoes a patch.
type patchPast map[string]*patch.File // by absolute paths

// mostPatch is the size of a patch that is read.
const mostPatch = 256 << 20

// openPatch reads a patch. Its names are relative to the working folder or, as git's are, to a folder
// above it.
func openPatch(name, folder string, stdin io.Reader) (past, error) {
	data, err := readNamed(name, stdin, mostPatch)
	if err != nil {
		return nil, fmt.Errorf("--new-from-patch: %s", osErrorText(err, name))
	}
	if name == "-" {
		name = "stdin"
	}
	files, err := patch.Read(name, data)
	if err != nil {
		return nil, err
	}
	p := patchPast{}
	for _, file := range files {
		p[locate(folder, filepath.FromSlash(file.Name))] = file
	}
	return p, nil
}

// locate returns the absolute path of a file that is named relative to a folder or one above it.
func locate(folder, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	for at := folder; ; at = filepath.Dir(at) {
		path := filepath.Join(at, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		if at == filepath.Dir(at) {
			return filepath.Join(folder, name)
		}
	}
}

func (p patchPast) mayDiffer(path string) bool { return p[path] != nil }
func (p patchPast) mayHold(string) bool        { return true }
func (p patchPast) close()                     {}

func (p patchPast) read(path string, text []byte) (string, []byte, bool, error) {
	file := p[path]
	if file == nil {
		return path, text, true, nil
	}
	if file.Added {
		return "", nil, false, nil
	}
	before, err := file.Undo(text)
	return path, before, true, err
}

// since removes the inputs that have not changed, and returns those that may have new findings.
func (r *run) since(inputs []input) []input {
	if r.past == nil {
		return inputs
	}
	return slices.DeleteFunc(inputs, func(t input) bool {
		return !t.stdin && !r.past.mayDiffer(absoluteFrom(r.folder, t.name))
	})
}

// compare removes the findings that are not new from those of the worker's file.
func (r *run) compare(w *worker, g int, t *input, text []byte) error {
	if w.file.Compared = r.past != nil || r.baseline != nil; len(w.file.Findings) == 0 {
		return nil
	}
	if r.baseline != nil {
		r.dropKnown(&w.file, text)
	}
	if r.past != nil {
		return r.dropOld(w, g, t, text)
	}
	return nil
}

// dropOld removes the findings that the file's older text had.
func (r *run) dropOld(w *worker, g int, t *input, text []byte) error {
	r.pastMutex.Lock()
	name, older, found, err := r.past.read(absoluteFrom(r.folder, t.name), text)
	r.pastMutex.Unlock()
	if err != nil || !found {
		return err
	}
	if bytes.Equal(older, text) {
		w.file.Findings = nil
		return nil
	}
	if w.older == nil {
		w.older = make([]*lint.Linter, len(r.guides))
	}
	if w.older[g] == nil {
		w.older[g] = r.guides[g].linter.Clone()
	}
	before := w.older[g].Lint(lint.Input{Name: name, Data: older})
	added, _ := newfindings.Compare(
		newfindings.Version{Data: older, Findings: before.Findings, Invalid: before.Invalid},
		newfindings.Version{Data: text, Findings: w.file.Findings},
	)
	kept := w.file.Findings[:0]
	for i, finding := range w.file.Findings {
		if added[i] {
			kept = append(kept, finding)
		}
	}
	w.file.Findings = kept
	return nil
}

// dropKnown removes the findings that the baseline has. When one is written, it gets all.
func (r *run) dropKnown(file *lintedFile, text []byte) {
	rows := newfindings.Rows(text)
	r.pastMutex.Lock()
	defer r.pastMutex.Unlock()
	path := r.baseline.relative(absoluteFrom(r.folder, file.Name))
	file.Findings = slices.DeleteFunc(file.Findings, func(f rule.Finding) bool {
		return r.baseline.settles(knownOf(path, &f, rows))
	})
}
