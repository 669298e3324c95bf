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
	name  string // as it is printed
	stdin bool
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
	slices.SortStableFunc(d.targets, func(a, b target) int { return strings.Compare(a.name, b.name) })
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
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		d.walk(path)
	} else if path == "-" {
		d.targets = append(d.targets, target{name: d.stdinName, stdin: true})
	} else {
		d.targets = append(d.targets, target{name: path})
	}
}

// walk adds the files below folder. A folder that cannot be read is skipped, as in
// flake8, which does not warn.
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
	for _, entry := range entries {
		path := prefix + entry.Name()
		kind := entry.Type()
		isFolder := kind.IsDir()
		if kind&os.ModeSymlink != 0 {
			info, err := os.Stat(path)
			isFolder = err == nil && info.IsDir()
		}
		switch {
		case !isFolder && len(d.filename) > 0 && !matchAny(d.filename, path), d.isExcluded(path, true):
		case !isFolder:
			d.targets = append(d.targets, target{name: path})
		case kind.IsDir():
			d.walk(path)
		}
	}
}

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
