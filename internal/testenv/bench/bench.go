// Package bench has the inputs of all packages' benchmarks, so that their
// figures can be added and compared.
//
//	CODELINTER_CORPUS=/usr/lib/python3.14 go test -run - -bench . ./...
package bench

import (
	_ "embed"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// Main runs a package's tests, as its TestMain, and collects garbage less often: that was a third
// of the processor time of lint's tests. Benchmarks and a GOGC of the environment are left alone.
func Main(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30) // near it, collections are as frequent as they must be
	}
	os.Exit(m.Run())
}

// Snippet is a program of 311 bytes, the size of a usual completion.
//
//go:embed snippet.py
var Snippet []byte

// An Input is a set of files that one iteration processes.
type Input struct {
	Name  string
	Files [][]byte
	Bytes int64 // of all files
}

// Inputs returns the snippet, the corpus and the corpus's largest file. The
// corpus is the folder in the environment variable CODELINTER_CORPUS, or our
// golden files. Files that are not valid UTF-8 are left out.
func Inputs(b *testing.B) []Input {
	b.Helper()
	root := os.Getenv("CODELINTER_CORPUS")
	if root == "" {
		root = Root(b, "testdata/flake8-golden")
	}
	corpus := Input{Name: "corpus"}
	var largest []byte
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".py") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || strings.ToValidUTF8(string(data), "") != string(data) {
			return err
		}
		corpus.Files = append(corpus.Files, data)
		corpus.Bytes += int64(len(data))
		if len(data) > len(largest) {
			largest = data
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return []Input{
		{"snippet", [][]byte{Snippet}, int64(len(Snippet))},
		corpus,
		{"large", [][]byte{largest}, int64(len(largest))},
	}
}

// Root returns the path of a file or folder of this repository, name, from wherever the test runs.
func Root(t testing.TB, name string) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return filepath.Join(folder, name)
		}
		above := filepath.Dir(folder)
		if above == folder {
			t.Fatal("no go.mod above the test's folder")
		}
		folder = above
	}
}

// Goldens returns the texts of our golden files that are valid Python, in the order of their names.
func Goldens(t testing.TB) (texts []string) {
	t.Helper()
	names, err := filepath.Glob(Root(t, "testdata/flake8-golden/*/*.py"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if filepath.Base(filepath.Dir(name)) == "syntax" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if len(texts) < 100 {
		t.Fatalf("%d goldens", len(texts))
	}
	return texts
}

// Run runs a sub-benchmark for each input. prepare gets the input's files and
// returns an iteration.
func Run(b *testing.B, prepare func(files [][]byte) func()) {
	for _, input := range Inputs(b) {
		b.Run(input.Name, func(b *testing.B) {
			run := prepare(input.Files)
			run() // grows the memory that is reused
			b.SetBytes(input.Bytes)
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(input.Bytes), "ns/byte")
		})
	}
}
