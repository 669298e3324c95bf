package flake8

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// flake8 handles file names by Python's os.path and fnmatch, whose results depend
// on the system. On Windows os.path is ntpath: both slashes separate, a walk joins
// by the backward one, and patterns match whatever the slashes and the case:
//
//	>>> ntpath.join(".", "a.py"), fnmatch.fnmatch("A/B.py", "a\\*")
//	('.\\a.py', True)
//
// This file does what package path/filepath does differently from os.path. The main
// difference is cleaning.
const windows = runtime.GOOS == "windows"

// join returns os.path.join(folder, name) for the name of an entry of folder.
func join(folder, name string) string {
	if folder == "" || os.IsPathSeparator(folder[len(folder)-1]) || windows && folder[len(folder)-1] == ':' {
		return folder + name
	}
	return folder + string(os.PathSeparator) + name
}

func base(name string) string {
	start := len(filepath.VolumeName(name))
	for i := len(name); i > start; i-- {
		if os.IsPathSeparator(name[i-1]) {
			return name[i:]
		}
	}
	return name[start:]
}

// hasSeparator reports whether a path is more than a name.
func hasSeparator(path string) bool {
	return strings.Contains(path, "/") || windows && strings.Contains(path, `\`)
}

// slashed returns a path as formats of other tools have it: with forward slashes, and
// cleaned.
func slashed(name string) string { return path.Clean(filepath.ToSlash(name)) }

// normCase returns os.path.normcase(name), which fnmatch compares.
func normCase(name string) string {
	if windows {
		return strings.ToLower(filepath.FromSlash(name))
	}
	return name
}

// isRooted reports whether os.path.join drops the part before a path.
func isRooted(path string) bool {
	return path != "" && os.IsPathSeparator(path[0]) || filepath.VolumeName(path) != ""
}

// normalizePaths makes paths that are more than a name absolute, relative to
// folder, and removes slashes from their ends.
func normalizePaths(paths []string, folder string) []string {
	for i, path := range paths {
		paths[i] = normalizePath(path, folder)
	}
	return paths
}

func normalizePath(path, folder string) string {
	if path == "." || hasSeparator(path) {
		if !isRooted(path) {
			path = join(folder, path)
		}
		path = absolute(path)
	}
	if windows {
		return strings.TrimRight(path, `/\`)
	}
	return strings.TrimRight(path, "/")
}

func absolute(name string) string {
	folder := ""
	if !isRooted(name) {
		folder, _ = workingFolder() // without one, name stays as it is
	}
	return absoluteFrom(folder, name)
}

// absoluteFrom is absolute for the working folder that is given.
func absoluteFrom(folder, name string) string {
	if !isRooted(name) && folder != "" {
		name = join(folder, name)
	}
	if windows {
		if whole, err := filepath.Abs(name); err == nil { // asks the system, as Python does: only it knows each drive's folder
			return whole
		}
		return name
	}
	clean := path.Clean(name)
	if strings.HasPrefix(name, "//") && !strings.HasPrefix(name, "///") { // POSIX's third kind of path
		clean = "/" + clean
	}
	return clean
}
