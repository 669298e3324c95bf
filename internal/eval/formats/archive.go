package formats

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"codelinter/internal/rows"
	"codelinter/internal/rows/packed"
	"codelinter/internal/util/atomicfile"
)

// temporary makes a file that s.Close removes.
func (s *File) temporary() (*atomicfile.File, error) {
	file, err := atomicfile.New()
	if err == nil {
		s.closers = append(s.closers, file.Close)
	}
	return file, err
}

// A faulty reader names its file in errors.
type faulty struct {
	io.Reader
	name string
}

func (f *faulty) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &rows.Error{File: f.name, Err: err}
	}
	return n, err
}

// regular returns r and its size if it is a regular file, else nil.
func regular(r io.Reader) (*os.File, int64) {
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return file, info.Size()
		}
	}
	return nil, 0
}

// seekable returns r, or a copy of it, as a file that can be read at any offset. in has read
// the start of r.
func (s *File) seekable(r io.Reader, in *bufio.Reader) (io.ReaderAt, int64, error) {
	if file, size := regular(r); file != nil {
		return file, size, nil
	}
	file, err := s.temporary()
	if err != nil {
		return nil, 0, err
	}
	size, err := io.Copy(file, &faulty{in, s.name})
	return file, size, err
}

// unzstd decompresses newer logs of inspect_ai. The window bounds the decoder's
// memory.
func unzstd() zip.Decompressor {
	return zstd.ZipDecompressor(zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(64<<20), zstd.WithDecoderConcurrency(1))
}

// unzip opens the benchmark's file in a submission: CodeLinterEval.json, else the
// one with this in its name, else the only one.
func (s *File) unzip(archive *zip.Reader, read func() int64) (*bufio.Reader, error) {
	var all, named, exact []*zip.File
	for _, file := range archive.File {
		name := strings.ToLower(path.Base(strings.ReplaceAll(file.Name, `\`, "/")))
		if !strings.HasSuffix(name, ".json") && !strings.HasSuffix(name, ".jsonl") || strings.HasPrefix(name, "._") {
			continue
		}
		all = append(all, file)
		if strings.Contains(name, benchmark) {
			named = append(named, file)
		}
		if name == benchmark+".json" {
			exact = append(exact, file)
		}
	}
	for _, found := range [][]*zip.File{exact, named, all} {
		if len(found) != 1 {
			continue
		}
		file, err := openEntry(s.name, found[0])
		if err != nil {
			return nil, err
		}
		s.closers = append(s.closers, file.Close)
		s.name = entryName(s.name, found[0])
		return bufio.NewReaderSize(&packed.Bounded{Reader: file, Packed: read}, 64<<10), nil
	}
	var names []string
	for _, file := range all {
		names = append(names, path.Base(file.Name))
	}
	return nil, &rows.Error{File: s.name, Problem: "expected CodeLinterEval.json or a single file of JSON in the archive, found " + few(names)}
}

// benchmark is in the names of the benchmark's files, in lower case.
const benchmark = "codelintereval"

// few says how many names there are, and lists them if they are few.
func few(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d: %s", len(names), quoted(names))
}

// entryName is the name of an archive's file in errors.
func entryName(archive string, file *zip.File) string {
	name := strings.ToValidUTF8(file.Name, "\ufffd")
	if quoted := fmt.Sprintf("%q", name); quoted != `"`+name+`"` {
		name = quoted
	}
	return archive + "/" + name
}

func openEntry(archive string, file *zip.File) (io.ReadCloser, error) {
	name := entryName(archive, file)
	if file.Flags&1 != 0 {
		return nil, &rows.Error{File: name, Problem: "expected a file that can be read without a password, found an encrypted one"}
	}
	r, err := file.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		err = fmt.Errorf("expected a file that is deflated, in zstd or as it is, found compression method %d", file.Method)
	}
	if err != nil {
		return nil, &rows.Error{File: name, Err: err}
	}
	return r, nil
}

// countedAt counts the bytes that are read, at any offset.
type countedAt struct {
	io.ReaderAt
	n int64
}

func (c *countedAt) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.n += int64(n)
	return n, err
}

func (c *countedAt) read() int64 { return c.n }

// isInspectJSON reports whether name, in lower case, is that of a JSON log of inspect_ai:
// it begins with a time, as in 2025-01-31T12-00-00_codelintereval_1.json.
func isInspectJSON(name string) bool {
	const layout = "2006-01-02t15-04-05"
	if len(name) < len(layout) || !strings.HasSuffix(name, ".json") {
		return false
	}
	_, err := time.Parse(layout, name[:len(layout)])
	return err == nil
}

// findLog returns the log of lm-evaluation-harness or inspect_ai in a folder, or
// "" if the folder is EvalPlus'. lm-evaluation-harness has a folder for each
// model, with a log for each task beside the results.
func findLog(dir string, format Format) (string, error) {
	if format != Auto && format != EvalPlus && format != LMEval && format != Inspect {
		return "", &rows.Error{File: dir, Problem: fmt.Sprintf("expected a file of format %s, found a folder", format)}
	}
	var logs, named []string
	visit := func(dir string) (programs bool, folders []string, err error) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return false, nil, &rows.Error{Err: err}
		}
		for _, entry := range entries {
			name := strings.ToLower(strings.TrimSuffix(entry.Name(), ".gz"))
			if _, ok := isProgram(entry); ok {
				programs = true
			}
			switch {
			case entry.IsDir():
				folders = append(folders, entry.Name())
				continue
			case format != Inspect && strings.HasPrefix(name, "samples_") && (strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".json")):
			case format != LMEval && (strings.HasSuffix(name, ".eval") || isInspectJSON(name)):
			default:
				continue
			}
			path := filepath.Join(dir, entry.Name())
			logs = append(logs, path)
			if strings.Contains(name, benchmark) {
				named = append(named, path)
			}
		}
		return programs, folders, nil
	}
	_, folders, err := visit(dir)
	if err != nil {
		return "", err
	}
	for _, folder := range folders {
		programs, _, err := visit(filepath.Join(dir, folder))
		if err != nil {
			return "", err
		}
		if programs && (format == Auto || format == EvalPlus) {
			return "", nil
		}
	}
	switch {
	case format == EvalPlus || format == Auto && len(logs) == 0:
		return "", &rows.Error{File: dir, Problem: "expected a folder for each task with its programs in it, 0.py and so on; found none"}
	case len(logs) == 1:
		return logs[0], nil
	case len(named) == 1:
		return named[0], nil
	}
	for i := range logs {
		logs[i], _ = filepath.Rel(dir, logs[i])
	}
	return "", &rows.Error{File: dir, Problem: "expected one log of samples in the folder, found " + few(logs)}
}
