package flake8

import (
	"os"
	"slices"
	"strings"
)

// The patterns of files that flake8 excludes and includes by default.
var (
	DefaultExclude  = []string{".svn", "CVS", ".bzr", ".hg", ".git", "__pycache__", ".tox", ".nox", ".eggs", "*.egg"}
	DefaultFilename = []string{"*.py"}
)

// A target is one file to lint.
type target struct {
	name    string // as it is printed
	stdin   bool
	regular bool // known to be a regular file, which needs no care where it is opened
}

// discovery expands the paths of a command line to files, as flake8 does:
//
//   - Folders are walked. What a pattern excludes is left out, by its name or by
//     its absolute path, folders with all they hold. Links to folders are not
//     followed.
//   - Of the files in folders only those count that the file name patterns
//     match. Files named on the command line always count, unless excluded.
//   - Names are printed as they were written, with what the walk found after
//     them: "./a" gives "./a/b.py", "a//" gives "a//b.py".
//   - A file that is reached twice is linted twice.
type discovery struct {
	exclude, filename []pattern
	needsAbsolute     bool // a pattern may match a path and not its last name
	stdinName         string
	folder            string // the working one
	warn              func(error)
	targets           []target
}

func newDiscovery(o *Options, warn func(error)) *discovery {
	d := &discovery{
		exclude:   compile(o.Exclude, DefaultExclude),
		filename:  compile(o.Filename, DefaultFilename),
		stdinName: o.StdinDisplayName,
		warn:      warn,
	}
	d.folder, _ = workingFolder() // without one, paths stay as they are
	for i := range d.exclude {
		d.needsAbsolute = d.needsAbsolute || !d.exclude[i].sameForPath
	}
	return d
}

// expand returns the targets in the order in which flake8 reports them: by
// name. It compares bytes, which for UTF-8 is Python's order of code points.
func (d *discovery) expand(paths []string) []target {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, path := range paths {
		d.add(path)
	}
	if !slices.IsSortedFunc(d.targets, byName) { // a walk's are; those of several paths may not be
		slices.SortStableFunc(d.targets, byName)
	}
	return d.targets
}

// add expands one path of the command line.
func (d *discovery) add(path string) {
	subject := path
	if path == "-" {
		subject = d.stdinName
	}
	// Under its default name standard input is always read.
	if subject != "stdin" || path != "-" {
		if d.isExcluded(subject, false) {
			return
		}
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		d.walk(path)
	case path == "-":
		d.targets = append(d.targets, target{name: d.stdinName, stdin: true})
	default:
		d.targets = append(d.targets, target{name: path, regular: err == nil && info.Mode().IsRegular()})
	}
}

// walk adds the files below folder in the order of their names. A folder that cannot be
// read is skipped, as in flake8, which does not warn.
//
// A folder is sorted among its neighbours by what its files' names begin with: "a/" comes
// after "a.py", where "a" would not. So the files of a walk are in order as they are
// found, and sorting takes a third of the time of sorting them all at the end.
func (d *discovery) walk(folder string) {
	opened, err := os.Open(folder)
	if err != nil {
		d.warn(err)
		return
	}
	entries, err := opened.ReadDir(-1)
	opened.Close()
	if err != nil {
		d.warn(err)
	}
	prefix := join(folder, "")
	found := make([]target, 0, len(entries)) // folders too, with a separator at their ends
	for _, entry := range entries {
		path := prefix + entry.Name()
		kind := entry.Type()
		linked := kind&os.ModeSymlink != 0
		if linked {
			kind = os.ModeIrregular // a link to nothing
			if info, err := os.Stat(path); err == nil {
				kind = info.Mode().Type()
			}
		}
		switch {
		case !kind.IsDir() && len(d.filename) > 0 && !matchAny(d.filename, path), d.isExcluded(path, true):
		case !kind.IsDir():
			found = append(found, target{name: path, regular: kind.IsRegular()})
		case !linked:
			found = append(found, target{name: join(path, "")})
		}
	}
	slices.SortFunc(found, byName)
	for _, t := range found {
		if end := len(t.name) - 1; os.IsPathSeparator(t.name[end]) {
			d.walk(t.name[:end])
		} else {
			d.targets = append(d.targets, t)
		}
	}
}

func byName(a, b target) int { return strings.Compare(a.name, b.name) }

// isExcluded reports whether a pattern excludes path; walked means that path ends
// in a name that was read from a folder.
func (d *discovery) isExcluded(path string, walked bool) bool {
	if name := base(path); name != "." && name != ".." && matchAny(d.exclude, name) {
		return true
	}
	if walked && !d.needsAbsolute {
		return false
	}
	return matchAny(d.exclude, absoluteFrom(d.folder, path))
}
