package fix

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/lint"
	"codelinter/rule"
)

// TestCorpus fixes all files below the folder that CORPUS names, requires what holds for each,
// and says how many findings of each code were fixed and left:
//
//	CORPUS=/usr/lib/python3.14 go test ./fix -run Corpus -v
func TestCorpus(t *testing.T) {
	folder := os.Getenv("CORPUS")
	if folder == "" {
		t.Skip("CORPUS names no folder")
	}
	var gone, left [rule.Count]int
	files, size := 0, 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".py") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r := fixed(t, lint.DefaultOptions(), path, data)
		for i := range r.Fixed {
			gone[r.Fixed[i].Finding.Code]++
		}
		for i := range r.Remaining {
			left[r.Remaining[i].Finding.Code]++
		}
		files++
		size += len(data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all, stay := 0, 0
	for code := range rule.Codes() {
		if gone[code]+left[code] > 0 {
			t.Logf("%v %6d fixed %6d left", code, gone[code], left[code])
			all, stay = all+gone[code], stay+left[code]
		}
	}
	t.Logf("all  %6d fixed %6d left, in %d files of %d bytes", all, stay, files, size)
}
