// Package corpus reads programs: from folders, archives and files of rows.
//
//	err := corpus.Read([]string{"src", "mbpp.jsonl", "wheel.whl"}, corpus.Options{}, func(p *corpus.Program) error {
//		fmt.Println(p.Origin.Path, len(p.Text))
//		return nil
//	})
//
// Programs come in the order of the sources, and those of a folder in the order of paths. A
// program is a file or a row or, with [Definitions], one of its functions or classes with what it
// needs.
//
// As in tasks, a program ends with a newline, and "\r\n" becomes "\n". An unreadable file is not
// an error: it is skipped, and Options.Skipped gets the reason. So is a file that is too large, is
// not UTF-8, or has other carriage returns.
package corpus

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/evaluator/task"
	"codelinter/internal/rows/packed"
)

// A Program is one program of a corpus.
type Program struct {
	// Text is the program: UTF-8 with "\n" as its line ends.
	Text   string
	Origin task.Origin
	// Row is the program's row, with its text and tests; nil for a file.
	Row *task.Row
}

// A Unit says into which programs a file is cut.
type Unit string

// The units.
const (
	Whole       Unit = "program"    // the file or row as it is
	Definitions Unit = "definition" // each top-level function and class, with what it needs
)

// Options configure [Read].
type Options struct {
	Fields Fields // of rows; the zero value stands for [MBPP]
	// FileUnit and RowUnit say how files and rows are cut. The zero values mean Definitions and
	// Whole: files are long, and rows are programs.
	FileUnit, RowUnit Unit
	// MinLength and MaxLength bound a program's length in bytes; 0 for no bound.
	MinLength, MaxLength int
	// MaxArchive bounds the unpacked bytes of an archive; 0 means 8 GiB. A larger archive is an
	// error.
	MaxArchive int64
	// Licence is the licence of programs whose package names none.
	Licence string
	// Skipped, if set, is called for everything that is skipped.
	Skipped func(Skip)
}

// A Skip is something that was skipped.
type Skip struct {
	Path string
	Why  error
}

// MaxFile bounds the bytes of a Python file.
const MaxFile = 1 << 20

// Read calls yield with each program of the sources: folders, Python files, archives (.zip, .whl,
// .tar, .tar.gz, .tgz) and files of rows (JSONL, a JSON list or Parquet, plain or in .gz). It
// returns the error of yield, or of a source that cannot be read at all.
func Read(sources []string, o Options, yield func(*Program) error) error {
	r := &reader{Options: o, yield: yield, licences: licences{byPackage: map[string]string{}}}
	if r.Fields == (Fields{}) {
		r.Fields = MBPP
	}
	if r.FileUnit == "" {
		r.FileUnit = Definitions
	}
	if r.RowUnit == "" {
		r.RowUnit = Whole
	}
	if r.MaxLength == 0 {
		r.MaxLength = MaxFile
	}
	if r.MaxArchive == 0 {
		r.MaxArchive = 8 << 30
	}
	for _, source := range sources {
		if err := r.source(source); err != nil {
			return err
		}
	}
	return nil
}

type reader struct {
	Options
	yield    func(*Program) error
	definer  definer
	licences licences
}

func (r *reader) source(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return r.folder(name)
	}
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "read", Path: name, Err: errors.New("expected a folder or a regular file")}
	}
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	switch base := strings.ToLower(filepath.Base(name)); {
	case strings.HasSuffix(base, ".py"):
		return r.file(in, filepath.ToSlash(name), r.Licence)
	case strings.HasSuffix(base, ".zip"), strings.HasSuffix(base, ".whl"):
		return r.zip(name, in, info.Size())
	case strings.HasSuffix(base, ".tar"), strings.HasSuffix(base, ".tar.gz"), strings.HasSuffix(base, ".tgz"):
		return r.tar(name, in)
	}
	return r.rows(name, in)
}

func (r *reader) skip(path string, why error) {
	if r.Skipped != nil {
		r.Skipped(Skip{path, why})
	}
}

// folder reads the Python files in a folder. It skips folders whose names begin with a dot,
// __pycache__, and files that are not regular.
func (r *reader) folder(root string) error {
	r.licences.readFolder(root)
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			r.skip(name, err)
			return nil
		}
		if entry.IsDir() {
			if name != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "__pycache__") {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() || !strings.HasSuffix(entry.Name(), ".py") {
			return nil
		}
		in, err := os.Open(name)
		if err != nil {
			r.skip(name, err)
			return nil
		}
		defer in.Close()
		relative, err := filepath.Rel(root, name)
		if err != nil {
			relative = name
		}
		relative = filepath.ToSlash(relative)
		return r.file(in, relative, r.licences.of(relative, r.Licence))
	})
}

func (r *reader) file(in io.Reader, name, licence string) error {
	text, err := io.ReadAll(io.LimitReader(in, MaxFile+1))
	if err == nil && len(text) > MaxFile {
		err = fmt.Errorf("expected at most %d bytes", MaxFile)
	}
	if err != nil {
		r.skip(name, err)
		return nil
	}
	return r.program(text, Program{Origin: task.Origin{Path: name, Licence: licence}}, r.FileUnit)
}

var (
	errNotUTF8   = errors.New("expected UTF-8")
	errLineEnds  = errors.New(`expected "\n" or "\r\n" as line end`)
	errSyntax    = errors.New("expected Python")
	errTooShort  = errors.New("shorter than asked for")
	errTooLong   = errors.New("longer than asked for")
	errTooLarge  = errors.New("it unpacks to more bytes than asked for")
	errBadFormat = errors.New("expected an archive that can be read")
)

// program yields a program or its definitions.
func (r *reader) program(text []byte, p Program, unit Unit) error {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	var why error
	switch {
	case !utf8.Valid(text):
		why = errNotUTF8
	case bytes.IndexByte(text, '\r') >= 0:
		why = errLineEnds
	case unit == Whole && len(text) < r.MinLength:
		why = errTooShort
	case unit == Whole && len(text) > r.MaxLength:
		why = errTooLong
	}
	if why != nil {
		r.skip(p.Origin.Path, why)
		return nil
	}
	if unit == Whole {
		p.Text = string(text)
		return r.yield(&p)
	}
	var err error
	ok := r.definer.cut(text, r.MinLength, r.MaxLength, func(program string, row int) {
		if err != nil {
			return
		}
		one := p
		one.Text, one.Origin.Line = program, row
		err = r.yield(&one)
	})
	if !ok {
		r.skip(p.Origin.Path, errSyntax)
	}
	return err
}

// zip reads the Python files in a zip file, such as a wheel.
func (r *reader) zip(name string, in io.ReaderAt, size int64) error {
	archive, err := zip.NewReader(in, size)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", name, errBadFormat, err)
	}
	licence := r.Licence
	left := r.MaxArchive
	for _, entry := range archive.File {
		if isMetadata(entry.Name) {
			if in, err := entry.Open(); err == nil {
				licence = cmp.Or(licenceIn(&bounded{in, &left}), licence)
				in.Close()
			}
		}
	}
	slices.SortFunc(archive.File, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	for _, entry := range archive.File {
		if !strings.HasSuffix(entry.Name, ".py") || !entry.Mode().IsRegular() {
			continue
		}
		in, err := entry.Open()
		if err != nil {
			r.skip(name+"/"+entry.Name, err)
			continue
		}
		err = r.file(&bounded{in, &left}, filepath.Base(name)+"/"+entry.Name, licence)
		in.Close()
		if err != nil {
			return err
		}
		if left < 0 {
			return fmt.Errorf("%s: %w: %w", name, errBadFormat, errTooLarge)
		}
	}
	return nil
}

// bounded reads a file of an archive and subtracts its bytes from left, which all files share. A
// zip file's size is no bound, as its files may overlap.
type bounded struct {
	in   io.Reader
	left *int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if *b.left < 0 {
		return 0, errTooLarge
	}
	n, err := b.in.Read(p)
	*b.left -= int64(n)
	return n, err
}

// tar reads the Python files in a tar file, such as a source distribution, in the archive's order.
func (r *reader) tar(name string, in io.Reader) error {
	if !strings.HasSuffix(strings.ToLower(name), ".tar") {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("%s: %w: %w", name, errBadFormat, err)
		}
		left := r.MaxArchive
		in = &bounded{unpacked, &left}
	}
	licence := r.Licence
	archive := tar.NewReader(in)
	for {
		entry, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %w", name, errBadFormat, err)
		}
		if entry.Typeflag != tar.TypeReg {
			continue
		}
		if isMetadata(entry.Name) {
			licence = cmp.Or(licenceIn(archive), licence)
		}
		if strings.HasSuffix(entry.Name, ".py") {
			if err := r.file(archive, filepath.Base(name)+"/"+path.Clean(entry.Name), licence); err != nil {
				return err
			}
		}
	}
}

// rows reads the programs in a file of rows.
func (r *reader) rows(name string, in io.Reader) error {
	for line, err := range packed.Rows(name, in, r.Fields.Names()...) {
		if err != nil {
			return err
		}
		text, row, err := r.Fields.Parse(line)
		if err != nil {
			r.skip(name, err)
			continue
		}
		origin := task.Origin{Path: filepath.Base(name), Line: line.Place(), Licence: r.Licence}
		if err := r.program([]byte(text), Program{Origin: origin, Row: &row}, r.RowUnit); err != nil {
			return err
		}
	}
	return nil
}
