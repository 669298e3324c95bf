package flake8

import (
	"bytes"
	"cmp"
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

// This file reports only what is new: the findings that a file did not have in an older state.
// flake8 does not do that. Up to 5.0 its --diff reported the findings in changed rows, which are
// others: an edit can cause a finding in another row, and a changed row can keep an old one.

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
	// among returns the names in a folder, by its absolute path, of such files and of the folders
	// that have some. It returns false if that is not known.
	among(folder string) (names []string, known bool)
	// read returns the older text of a file, given its path and the new text. former is the path
	// that it had then, "" for the same. It returns false if there was no such file.
	read(path string, text []byte) (former string, older []byte, found bool, err error)
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
		return openCommit(ctx, c, folder, s.paths)
	}
	return nil, nil
}

// readNamed returns the first bytes of a file, of standard input for "-", or of a pipe by the name
// that a shell gives it: "<(git show HEAD:spam.py)" is /dev/fd/63.
func readNamed(name string, stdin io.Reader, most int) ([]byte, error) {
	if name == "-" {
		return readAll(stdin, nil, most)
	}
	if !strings.HasPrefix(name, "/dev/fd/") {
		return readAny(name, nil)
	}
	pipe, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer pipe.Close()
	return readAll(pipe, nil, most)
}

// olderText is the older text of the only file.
type olderText []byte

func (o olderText) mayDiffer(string) bool { return true }
func (o olderText) close()                {}

func (o olderText) among(string) ([]string, bool) { return nil, false }

func (o olderText) read(path string, _ []byte) (string, []byte, bool, error) {
	return "", o, true, nil
}

// A commitPast has the files of a commit of git.
type commitPast struct {
	repository *git.Repository
	commit     string
	changes    map[string]string   // see git.Changes
	names      map[string][]string // see among; by the paths of folders in the repository, "." for its root
	folders    map[string]string   // without links
}

// openCommit finds the commit that the options name, and what has changed since.
func openCommit(ctx context.Context, c *comparison, folder string, paths []string) (past, error) {
	revision := cmp.Or(c.revision, c.branch, "HEAD")
	repository, commit, err := git.Open(ctx, folder, revision, source.MaxSize)
	if err != nil {
		return nil, err
	}
	p := &commitPast{repository: repository, commit: commit, folders: map[string]string{}, names: map[string][]string{}}
	outside := firstOutside(repository.Root, folder, paths)
	switch {
	case outside != "":
		err = fmt.Errorf("expected files in the repository %s, found %s, of whose past git knows nothing", repository.Root, outside)
	case c.uncommitted:
		err = p.uncommitted()
	case commit == "":
		err = git.NoCommit(revision)
	case c.branch != "":
		err = p.branched(revision)
	default:
		p.changes, err = repository.Changes(commit)
	}
	if err != nil {
		repository.Close()
		return nil, err
	}
	for name := range p.changes {
		for known := false; name != "." && !known; name = path.Dir(name) {
			folder := path.Dir(name)
			p.names[folder], known = append(p.names[folder], path.Base(name)), len(p.names[folder]) > 0
		}
	}
	return p, nil
}

// firstOutside returns the first path that is outside a folder, "" for none. Paths that are not
// there are in it.
func firstOutside(root, folder string, paths []string) string {
	for _, path := range paths {
		real, err := filepath.EvalSymlinks(absoluteFrom(folder, path))
		if path != "-" && err == nil && real != root && !strings.HasPrefix(real, join(root, "")) {
			return path
		}
	}
	return ""
}

func (p *commitPast) among(folder string) (names []string, known bool) {
	real := p.withoutLinks(folder)
	if real == p.repository.Root {
		return p.names["."], true
	}
	inside, known := strings.CutPrefix(real, join(p.repository.Root, ""))
	return p.names[filepath.ToSlash(inside)], known
}

// uncommitted compares with the last commit or, if nothing has changed since, with the one before.
// Before the first commit there is nothing.
func (p *commitPast) uncommitted() (err error) {
	for before := range 2 {
		if before > 0 && p.commit != "" {
			p.commit, err = p.beforeLast()
		}
		if p.commit == "" && err == nil {
			p.commit, err = p.repository.Empty()
		}
		if err == nil {
			p.changes, err = p.repository.Changes(p.commit)
		}
		if err != nil || len(p.changes) > 0 {
			return err
		}
	}
	return nil
}

// beforeLast returns the commit before the last one, "" if there is none.
func (p *commitPast) beforeLast() (commit string, err error) {
	const revision = "HEAD~1"
	if commit, err = p.repository.Resolve(revision); commit != "" || err != nil {
		return commit, err
	}
	shallow, err := p.repository.IsShallow()
	if shallow {
		err = git.NoCommit(revision)
	}
	return "", err
}

// branched compares with the commit from which HEAD left the branch.
func (p *commitPast) branched(branch string) (err error) {
	if p.commit, err = p.repository.MergeBase(p.commit); err != nil {
		return err
	}
	if p.commit == "" {
		return fmt.Errorf("git: %q and HEAD have no commit in common; a shallow clone may lack it", branch)
	}
	p.changes, err = p.repository.Changes(p.commit)
	return err
}

// withoutLinks returns the path of a folder without links in it.
func (p *commitPast) withoutLinks(folder string) string {
	real, known := p.folders[folder]
	if !known {
		var err error
		if real, err = filepath.EvalSymlinks(folder); err != nil {
			real = folder
		}
		p.folders[folder] = real
	}
	return real
}

// inRepository returns the path of a file in the repository, with slashes.
func (p *commitPast) inRepository(path string) string {
	real := p.withoutLinks(strings.TrimSuffix(path, base(path)))
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

func (p *commitPast) read(path string, _ []byte) (former string, older []byte, found bool, err error) {
	now := p.inRepository(path)
	name, differs := p.changes[now]
	switch {
	case !differs: // standard input under a name whose file has not changed
		name = now
	case name == "":
		return "", nil, false, nil
	case name != now:
		former = filepath.Join(p.repository.Root, filepath.FromSlash(name))
	}
	older, found, err = p.repository.Read(p.commit, name)
	return former, older, found, err
}

func (p *commitPast) close() { p.repository.Close() }

// A patchPast undoes a patch.
type patchPast map[string]*patch.File // by absolute paths

// mostPatch is the size of a patch that is read.
const mostPatch = 256 << 20

// openPatch reads a patch. Its names are relative to the working folder or, as git's are, to a
// folder above it.
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
		path := locate(folder, filepath.FromSlash(file.Name))
		switch {
		case path != "":
			p[path] = file
		case strings.HasSuffix(file.Name, ".py"):
			return nil, fmt.Errorf("%s:%d: the patch changes %s: expected this file in %s or a folder above it", name, file.Row, file.Name, folder)
		}
	}
	return p, nil
}

// locate returns the absolute path of a file that is named relative to a folder or one above it, ""
// if it is not there.
func locate(folder, name string) string {
	for at := folder; ; at = filepath.Dir(at) {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(at, name)
		}
		if _, err := os.Stat(path); err == nil {
			return path
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

func (p patchPast) mayDiffer(path string) bool { return p[path] != nil }
func (p patchPast) close()                     {}

func (p patchPast) among(string) ([]string, bool) { return nil, false }

func (p patchPast) read(path string, text []byte) (string, []byte, bool, error) {
	file := p[path]
	if file == nil {
		return "", text, true, nil
	}
	if file.Added {
		return "", nil, false, nil
	}
	before, err := file.Undo(text)
	return "", before, true, err
}

// since removes the inputs that have not changed, and returns those that may have new findings.
// Files that are not there remain, for their E902.
func (r *run) since(inputs []input) []input {
	if r.past == nil {
		return inputs
	}
	return slices.DeleteFunc(inputs, func(t input) bool {
		if t.stdin || r.past.mayDiffer(absoluteFrom(r.folder, t.name)) {
			return false
		}
		_, err := os.Lstat(t.name)
		return t.regular || err == nil
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

// An older is a worker's memory for older texts.
type older struct {
	comparer newfindings.Comparer
	kept     []rule.Finding // those of the new text
	plugins  PluginWorker   // of their own: what plugins remember of an older text must not change what they find in a new one
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
	w.older.comparer.Read(older, text)
	if !slices.ContainsFunc(w.file.Findings, func(f rule.Finding) bool { return !w.older.comparer.IsNew(&f) }) {
		return nil
	}
	w.older.keep(&w.file)
	linter := w.linters[g]
	w.file.again = func() lint.Result { return linter.Lint(lint.Input{Name: t.name, Data: text, Stdin: t.stdin}) }
	before := r.checkOlder(w, linter, lint.Input{Name: r.olderName(t, name), Data: older})
	added, _ := w.older.comparer.Compare(before, newfindings.Findings{List: w.file.Findings})
	at := 0
	for i, isNew := range added {
		if isNew {
			w.file.Findings[at] = w.file.Findings[i]
			at++
		}
	}
	w.file.Findings = w.file.Findings[:at]
	return nil
}

// keep gives the findings of a file memory of their own, as its Linter lints the older text next.
// Another Linter would need as much memory again, and twice as many pages to be zeroed in a short
// run.
func (o *older) keep(file *lintedFile) {
	o.kept = o.kept[:0]
	for i := range file.Findings {
		o.kept = append(o.kept, file.Findings[i].Clone())
	}
	file.Findings = o.kept
}

// checkOlder returns those findings of an older text that those of the worker's file can have as
// twins.
func (r *run) checkOlder(w *worker, linter *lint.Linter, text lint.Input) newfindings.Findings {
	var codes rule.Set
	for i := range w.file.Findings {
		codes.Add(w.file.Findings[i].Code)
	}
	text.Codes = &codes
	result, said := r.check(linter, &w.older.plugins, text)
	if said.isFailed() {
		r.warn(fmt.Errorf("%s: plugins could not check its older text, so what they find in rows that stayed is taken for old: %s", w.file.Name, cmp.Or(said.Failed, fmt.Sprint(said.Err))))
	}
	return newfindings.Findings{List: result.Findings, Invalid: result.Invalid || said.isFailed()}
}

// olderName returns what to call a file's older text: the name of the file or, if it was renamed,
// the former path, which is relative if the name is.
func (r *run) olderName(t *input, former string) string {
	if former == "" {
		return t.name
	}
	if name, err := filepath.Rel(r.folder, former); err == nil && !filepath.IsAbs(t.name) {
		return name
	}
	return former
}

// dropKnown removes the findings that the baseline has. When one is written, it gets all.
func (r *run) dropKnown(file *lintedFile, text []byte) {
	var rows source.File
	if rows.Load(text) != nil { // it is too large, and its only finding is in no row
		rows.Load(nil)
	}
	r.pastMutex.Lock()
	defer r.pastMutex.Unlock()
	path := r.baseline.relative(absoluteFrom(r.folder, file.Name))
	file.Findings = slices.DeleteFunc(file.Findings, func(f rule.Finding) bool {
		return r.baseline.settles(knownOf(path, &f, &rows))
	})
}
