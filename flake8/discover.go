package flake8

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The patterns of files that flake8 excludes and includes by default.
var (
	defaultExclude  = []string{".svn", "CVS", ".bzr", ".hg", ".git", "__pycache__", ".tox", ".nox", ".eggs", "*.egg"}
	defaultFilename = []string{"*.py"}
)

// An input is one file to lint.
type input struct {
	name    string // as it is printed
	stdin   bool
	regular bool // known to be a regular file, which needs no care where it is opened
}

// discovery expands the paths of a command line to files, as flake8 does:
//
//   - Folders are walked. Files and folders that a pattern excludes, by name or by absolute path, are left out. Links to folders are not followed.
//   - Of the files in folders only those count that the file name patterns
//     match. Files named on the command line always count, unless excluded.
//   - Names are printed as they were written, followed by the path that the walk found: "./a" gives "./a/b.py", "a//" gives "a//b.py".
//   - A file that is reached twice is linted twice.
type discovery struct {
	exclude, filename patterns
	stdinName         string
	folder            string // the working one
	warn              func(error)
	inputs            []input
}

func newDiscovery(s *settings, warn func(error)) *discovery {
	d := &discovery{
		exclude:   compile(slices.Concat(s.exclude, s.extendExclude)),
		filename:  compile(s.filename),
		stdinName: cmp.Or(s.stdinDisplayName, "stdin"),
		warn:      warn,
	}
	d.folder, _ = workingFolder() // without one, paths stay as they are
	return d
}

// expand returns the inputs in the order in which flake8 reports them: by
// name. It compares bytes, which for UTF-8 is Python's order of code points.
func (d *discovery) expand(paths []string) []input {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, path := range paths {
		d.add(path)
	}
	if !slices.IsSortedFunc(d.inputs, byName) { // as a folder is among its files, "a" before "a.py", but "a/b.py" after it
		slices.SortStableFunc(d.inputs, byName)
	}
	return d.inputs
}

// add expands one path of the command line.
func (d *discovery) add(path string) {
	subject := path
	if path == "-" {
		subject = d.stdinName
	}
	// Under its default name standard input is always read.
	if subject != "stdin" || path != "-" {
		if d.isExcluded(subject, base(subject), false) {
			return
		}
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		d.walk(path)
	case path == "-":
		d.inputs = append(d.inputs, input{name: d.stdinName, stdin: true})
	default:
		d.inputs = append(d.inputs, input{name: path, regular: err == nil && info.Mode().IsRegular()})
	}
}

// walk adds the files below folder. A folder that cannot be read is skipped, as in flake8,
// which does not warn.
func (d *discovery) walk(folder string) {
	prefix := join(folder, "")
	entries, err := os.ReadDir(folder)
	if err != nil {
		d.warn(err)
	}
	d.inputs = slices.Grow(d.inputs, len(entries))
	for _, entry := range entries {
		d.find(prefix+entry.Name(), entry.Name(), entry.Type())
	}
}

// find adds what a walk has found, unless a pattern leaves it out.
func (d *discovery) find(path, name string, kind os.FileMode) {
	linked := kind&os.ModeSymlink != 0
	if linked {
		kind = os.ModeIrregular // a link to nothing
		if info, err := os.Stat(path); err == nil {
			kind = info.Mode().Type()
		}
	}
	switch {
	case !kind.IsDir() && d.filename.any() && !d.filename.match(path), d.isExcluded(path, name, true), kind.IsDir() && linked:
	case kind.IsDir():
		d.walk(path)
	default:
		d.inputs = append(d.inputs, input{name: path, regular: kind.IsRegular()})
	}
}

func byName(a, b input) int { return strings.Compare(a.name, b.name) }

// isExcluded reports whether a pattern excludes a path with that last name; walked means
// that the name was read from a folder.
func (d *discovery) isExcluded(path, name string, walked bool) bool {
	if name != "." && name != ".." && d.exclude.match(name) {
		return true
	}
	if walked && !d.exclude.wholePath {
		return false
	}
	return d.exclude.match(absoluteFrom(d.folder, path))
}

// leavesOut reports whether a walk of the working folder leaves a file out: a pattern excludes the
// file, or a folder from the working one down to it.
func (d *discovery) leavesOut(path string) bool {
	for !d.isExcluded(path, base(path), false) {
		if path == "." || !filepath.IsLocal(path) {
			return false
		}
		path = filepath.Dir(path)
	}
	return true
}
