package fix

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"codelinter/lint"
	"codelinter/rule"
)

func TestCorpus(t *testing.T) {
	folder := os.Getenv("FIX_CORPUS")
	if folder == "" {
		t.Skip()
	}
	f := newFixer(t, lint.DefaultOptions())
	var fixedN, leftN [rule.Count]int
	why := map[string]int{}
	n, size := 0, 0
	var total time.Duration
	var slow []string
	filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err != nil || !strings.HasSuffix(path, ".py") || info.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		before := counts(t, f.options, path, data)
		start := time.Now()
		r := f.FixFile(path, data)
		took := time.Since(start)
		total += took
		if took > 3*time.Second {
			slow = append(slow, fmt.Sprint(path, " ", took, " ", len(data)))
		}
		n++
		size += len(data)
		seen, budget, cut := f.seen, f.budget, f.cut
		after := counts(t, f.options, path, r.Text)
		for code := range before {
			if after[code] > before[code] {
				t.Errorf("%s: %v: %d to %d", path, rule.Code(code), before[code], after[code])
			}
			before[code] -= after[code]
		}
		for i := range r.Fixed {
			before[r.Fixed[i].Finding.Code]--
			fixedN[r.Fixed[i].Finding.Code]++
		}
		for code, n := range before {
			if n != 0 {
				t.Errorf("%s: %v miscounted by %d", path, rule.Code(code), n)
			}
		}
		for i := range r.Left {
			leftN[r.Left[i].Finding.Code]++
			if os.Getenv("FIX_LEFT") == r.Left[i].Finding.Code.String() {
				fmt.Printf("%s:%d: %s %s\n", path, r.Left[i].Finding.Row, r.Left[i].Finding.Message(), r.Left[i].Why)
			}
			if r.Left[i].Why == TooMuch {
				why[fmt.Sprint("too much ", path, seen, budget)] = 1
			}
		}
		if again := f.FixFile(path, r.Text); !cut && !bytes.Equal(again.Text, r.Text) {
			t.Errorf("%s: not the same again: %v", path, again.Fixed[:min(2, len(again.Fixed))])
		}
		if out := os.Getenv("FIX_OUT"); out != "" {
			name := filepath.Join(out, strings.TrimPrefix(path, folder))
			os.MkdirAll(filepath.Dir(name), 0o777)
			os.WriteFile(name, r.Text, 0o666)
		}
		return nil
	})
	type row struct {
		code        rule.Code
		fixed, left int
	}
	var rows []row
	sf, sl := 0, 0
	for code := range rule.Codes() {
		if fixedN[code]+leftN[code] > 0 {
			rows = append(rows, row{code, fixedN[code], leftN[code]})
			sf += fixedN[code]
			sl += leftN[code]
		}
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].left > rows[j].left })
	for _, r := range rows {
		fmt.Printf("%v %7d %7d %.1f\n", r.code, r.fixed, r.left, 100*float64(r.fixed)/float64(r.fixed+r.left))
	}
	fmt.Println("all", sf, sl, n, "files", size, "bytes", total, float64(total.Nanoseconds())/float64(size), "ns/byte")
	fmt.Println(why, slow)
}
