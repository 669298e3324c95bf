package plugins

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"codelinter/sandbox"
)

// Folders in the guest.
const (
	guestFolder = "/codelinter"
	siteFolder  = guestFolder + "/site"   // the user's wheels, unpacked
	ownFolder   = guestFolder + "/flake8" // flake8 and what it needs
)

// maxFiles bounds the bytes of all files that plugins consist of: 60 MB, except in tests.
var maxFiles = 60 << 20

// builtin has the wheels of flake8 7.5.0, pycodestyle, pyflakes and mccabe as they are
// published, with their licences. Plugins import them.
//
//go:embed flake8/*.whl
var builtin embed.FS

// own are the distributions that are part of codelinter. The user's are not used: findings
// of these are codelinter's.
var own = []string{"flake8", "pycodestyle", "pyflakes", "mccabe"}

// IsOwn reports whether a distribution is flake8 or a part of it.
func IsOwn(name string) bool { return slices.Contains(own, normalized(name)) }

// A Distribution is a wheel, or an installed package of a site-packages folder.
type Distribution struct {
	Name, Version string
	License       string
	From          string   // the wheel or folder
	Compiled      []string // files of machine code, which cannot be used
	Own           bool     // flake8 or a part of it, which is not used
}

// A site is what the folders of plugins hold.
type site struct {
	wheels []string        // absolute names
	loose  []looseFile     // of unpacked packages
	stats  strings.Builder // names, sizes and times of all, for the digest
}

// A looseFile is a file of an unpacked site-packages.
type looseFile struct {
	name string // below the site folder, with slashes
	path string
}

// findSite lists the wheels and packages of folders. A folder may be named twice, by the command
// line and a configuration.
func findSite(folders []string) (*site, error) {
	s := new(site)
	var seen []fs.FileInfo
	for _, folder := range folders {
		if info, err := os.Stat(folder); err == nil {
			if slices.ContainsFunc(seen, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
				continue
			}
			seen = append(seen, info)
		}
		before := len(s.wheels) + len(s.loose)
		if err := s.add(folder); err != nil {
			return nil, err
		}
		if len(s.wheels)+len(s.loose) == before {
			return nil, fmt.Errorf("%s: expected wheels (*.whl) or installed packages (*.dist-info), found none", folder)
		}
	}
	return s, nil
}

func (s *site) add(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("expected a folder of wheels or installed packages: %w", err)
	}
	installed := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.IsDir() && strings.HasSuffix(e.Name(), ".dist-info") })
	for _, entry := range entries {
		at := filepath.Join(folder, entry.Name())
		switch name := entry.Name(); {
		case strings.HasSuffix(name, ".whl"):
			s.wheels = append(s.wheels, at)
			if err := s.stat(at, entry); err != nil {
				return err
			}
		case strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".zip"):
			return fmt.Errorf("%s: expected a wheel, found a source archive: pip wheel makes a wheel of it", at)
		case installed && !isLeftOut(name):
			if err := s.addLoose(folder, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// isLeftOut reports whether a file or folder of a site-packages is no plugin and nothing
// that one needs.
func isLeftOut(name string) bool {
	base, _, _ := strings.Cut(name, "-")
	base = strings.TrimSuffix(base, ".py")
	return base == "pip" || strings.HasPrefix(name, "__pycache__") || strings.HasSuffix(name, ".pth") || slices.Contains(own, base)
}

func (s *site) addLoose(folder, at string) error {
	return filepath.WalkDir(at, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "__pycache__":
			return fs.SkipDir
		case entry.IsDir() || !isUsed(entry.Name()):
			return nil
		}
		below, err := filepath.Rel(folder, at)
		if err != nil {
			return err
		}
		s.loose = append(s.loose, looseFile{filepath.ToSlash(below), at})
		return s.stat(at, entry)
	})
}

func (s *site) stat(at string, entry fs.DirEntry) error {
	info, err := os.Stat(at) // of what a link leads to
	if err != nil {
		return err
	}
	if info.Size() > int64(maxFiles) {
		return fmt.Errorf("%s: expected files of %d MB at most, found one of %d", at, maxFiles>>20, info.Size()>>20)
	}
	fmt.Fprintf(&s.stats, "%s\x00%d\x00%d\n", at, info.Size(), info.ModTime().UnixNano())
	return nil
}

// isUsed reports whether the guest can use a file of that name.
func isUsed(name string) bool { return !isCompiled(name) && path.Ext(name) != ".pyc" }

func isCompiled(name string) bool {
	switch path.Ext(name) {
	case ".so", ".pyd", ".dylib", ".dll":
		return true
	}
	return false
}

// digest names what the folders hold, and what codelinter adds.
func (s *site) digest() string {
	h := sha256.New()
	h.Write([]byte(s.stats.String()))
	h.Write([]byte(guest))
	names, _ := fs.Glob(builtin, "flake8/*.whl")
	for _, name := range names {
		data, _ := builtin.ReadFile(name)
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A unpacking gathers the files for the guest.
type unpacking struct {
	files map[string][]byte // by absolute names in the guest
	from  map[string]string // the distribution's name: the wheel that it is of
	found []Distribution
	size  int
}

// files returns the files of plugins for the guest, and the distributions that they are of.
func (s *site) files() ([]sandbox.File, []Distribution, error) {
	u := unpacking{files: map[string][]byte{}, from: map[string]string{}}
	names, _ := fs.Glob(builtin, "flake8/*.whl")
	for _, name := range names {
		data, err := builtin.ReadFile(name)
		if err == nil {
			err = u.wheel(name, data, ownFolder)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	u.found = nil
	for _, name := range s.wheels {
		data, err := os.ReadFile(name)
		if err == nil {
			err = u.wheel(name, data, siteFolder)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	for _, loose := range s.loose {
		data, err := os.ReadFile(loose.path)
		if err != nil {
			return nil, nil, err
		}
		if err := u.put(loose.path, siteFolder+"/"+loose.name, data); err != nil {
			return nil, nil, err
		}
		if strings.HasSuffix(loose.name, ".dist-info/METADATA") {
			u.found = append(u.found, metadata(data, filepath.Dir(filepath.Dir(loose.path))))
		}
	}
	var files []sandbox.File
	for _, name := range slices.Sorted(maps.Keys(u.files)) {
		files = append(files, sandbox.File{Name: name, Data: u.files[name]})
	}
	return files, u.found, nil
}

// has reports whether a file is there already. It stays: packages may share a file.
func (u *unpacking) has(name string) bool {
	_, there := u.files[name]
	return there
}

// put adds a file, unless it is there.
func (u *unpacking) put(from, name string, data []byte) error {
	if u.has(name) {
		return nil
	}
	if u.size += len(data); u.size > maxFiles {
		return fmt.Errorf("%s: expected plugins of %d MB at most, found more: use a folder that has only the plugins and what they need", from, maxFiles>>20)
	}
	u.files[name] = data
	return nil
}

// wheel adds the files of a wheel.
func (u *unpacking) wheel(name string, data []byte, to string) error {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("%s: expected a wheel: %w", name, err)
	}
	var d Distribution
	for _, file := range archive.File {
		if !strings.HasSuffix(file.Name, ".dist-info/METADATA") || strings.Count(file.Name, "/") != 1 {
			continue
		}
		text, err := readZipped(file)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		d = metadata(text, name)
		break // there may be many in a file that is no wheel
	}
	if d.Name == "" {
		return fmt.Errorf("%s: expected a wheel, found no METADATA in it", name)
	}
	d.Own = to == siteFolder && IsOwn(d.Name)
	if other, twice := u.from[normalized(d.Name)]; twice && !d.Own {
		return fmt.Errorf("%s: %s is there twice, also as %s", name, d.Name, other)
	}
	for _, file := range archive.File {
		if isCompiled(file.Name) {
			d.Compiled = append(d.Compiled, file.Name)
		}
	}
	u.found = append(u.found, d)
	if d.Own {
		return nil
	}
	u.from[normalized(d.Name)] = name
	for _, file := range archive.File {
		below := installedName(file.Name)
		if below == "" || !isUsed(below) || !fs.ValidPath(below) || file.FileInfo().IsDir() || u.has(to+"/"+below) {
			continue
		}
		content, err := readZipped(file)
		if err == nil {
			err = u.put(name, to+"/"+below, content)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// installedName returns where pip puts a file of a wheel, or "" if that is outside of
// site-packages.
func installedName(name string) string {
	top, below, nested := strings.Cut(name, "/")
	if !nested || !strings.HasSuffix(top, ".data") {
		return name
	}
	scheme, file, _ := strings.Cut(below, "/")
	if scheme == "purelib" || scheme == "platlib" {
		return file
	}
	return ""
}

func readZipped(file *zip.File) ([]byte, error) {
	large := fmt.Errorf("%s: expected a file of %d MB at most, found more", file.Name, maxFiles>>20)
	if file.UncompressedSize64 > uint64(maxFiles) {
		return nil, large
	}
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, int64(maxFiles)+1))
	if err == nil && len(data) > maxFiles {
		err = large
	}
	return data, err
}

// metadata reads name, version and licence of a distribution.
func metadata(text []byte, from string) Distribution {
	d := Distribution{From: from}
	var license, classifier string
	for line := range strings.Lines(string(text)) {
		key, value, found := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if !found {
			if strings.TrimSpace(line) == "" {
				break // the description follows
			}
			continue
		}
		switch key {
		case "Name":
			d.Name = strings.TrimSpace(value)
		case "Version":
			d.Version = value
		case "License-Expression":
			d.License = value
		case "License":
			license = value
		case "Classifier":
			if parts := strings.Split(value, " :: "); parts[0] == "License" {
				classifier = parts[len(parts)-1]
			}
		}
	}
	d.License = strings.TrimSpace(cmp.Or(d.License, license, classifier))
	return d
}

// normalized returns a distribution's name as the package index compares it.
func normalized(name string) string {
	fields := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_.", r) })
	return strings.Join(fields, "-")
}
