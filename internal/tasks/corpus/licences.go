package corpus

import (
	"bufio"
	"cmp"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// licences has the licences of installed packages, by the name of the package's folder or module.
type licences struct{ byPackage map[string]string }

// readFolder reads the *.dist-info in a folder. A folder of sources has a PKG-INFO instead, which
// covers all of it.
func (l *licences) readFolder(root string) {
	clear(l.byPackage)
	if in, err := os.Open(filepath.Join(root, "PKG-INFO")); err == nil {
		l.byPackage["."] = licenceIn(in)
		in.Close()
	}
	infos, err := filepath.Glob(filepath.Join(filepath.Clean(root), "*.dist-info"))
	if err != nil {
		return
	}
	for _, info := range infos {
		metadata, err := os.Open(filepath.Join(info, "METADATA"))
		if err != nil {
			continue
		}
		licence := licenceIn(metadata)
		metadata.Close()
		if licence == "" {
			continue
		}
		record, err := os.Open(filepath.Join(info, "RECORD"))
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(io.LimitReader(record, 16<<20))
		for lines.Scan() {
			file, _, _ := strings.Cut(lines.Text(), ",")
			l.byPackage[topOf(file)] = licence
		}
		record.Close()
	}
}

// of returns the licence of a file, or otherwise if it is unknown.
func (l *licences) of(file, otherwise string) string {
	return cmp.Or(l.byPackage[topOf(file)], cmp.Or(l.byPackage["."], otherwise))
}

// topOf returns the first part of a path.
func topOf(file string) string {
	top, _, _ := strings.Cut(path.Clean(file), "/")
	return top
}

// isMetadata reports whether a file of an archive is a package's metadata.
func isMetadata(name string) bool {
	base, folder := path.Base(name), path.Base(path.Dir(name))
	return base == "METADATA" && strings.HasSuffix(folder, ".dist-info") || base == "PKG-INFO" && strings.Count(path.Clean(name), "/") == 1
}

// licenceIn returns the licence that a package's metadata names: License-Expression, else a short
// License, else the last part of the classifier.
func licenceIn(in io.Reader) string {
	expression, short, classifier := "", "", ""
	lines := bufio.NewScanner(io.LimitReader(in, 1<<20))
	for lines.Scan() {
		line := lines.Text()
		if line == "" {
			break
		}
		key, value, _ := strings.Cut(line, ": ")
		value = strings.TrimSpace(value)
		switch {
		case key == "License-Expression":
			expression = value
		case key == "License" && len(value) <= 60:
			short = value
		case key == "Classifier" && strings.HasPrefix(value, "License :: "):
			classifier = value[strings.LastIndex(value, ":: ")+3:]
		}
	}
	return cmp.Or(expression, cmp.Or(short, classifier))
}
