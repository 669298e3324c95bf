package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"codelinter/sandbox/internal/codecache"
)

// Whatever runs first on an empty cache, however many at once and with whatever memory,
// CPython is compiled once for all. Who may have to compile says so once.
func TestCompiledOnceForAll(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles")
	}
	t.Parallel()
	dir := filepath.Join(t.TempDir(), reallyFolder, "cache")
	var mu sync.Mutex
	compiled, told := 0, 0
	var all sync.WaitGroup
	for _, memory := range []int64{defaultMemory, 512 << 20, maxMemory, defaultMemory} {
		all.Go(func() {
			noticed := 0
			p, err := New(t.Context(), Options{Workers: 1, Memory: memory, CacheDir: dir, Notice: func(string) { noticed++ }})
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Close()
			if r := run(t, p, Program{Source: "x = bytes(64 << 20)"}); r.End != Done {
				t.Errorf("%d bytes of memory: %+v", memory, r)
			}
			mu.Lock()
			defer mu.Unlock()
			if p.code.took > 0 {
				compiled++
			}
			if told += noticed; noticed > 1 || p.code.took > 0 && noticed == 0 {
				t.Errorf("%d notices", noticed)
			}
		})
	}
	all.Wait()
	entries, err := filepath.Glob(filepath.Join(dir, "*", "image"))
	if err != nil || len(entries) != 1 || compiled != 1 || told == 0 {
		t.Fatalf("compiled %d times, %d notices, entries %v, %v", compiled, told, entries, err)
	}
	cache, err := Warm(t.Context(), Options{CacheDir: dir, Notice: func(text string) { t.Error(text) }})
	if err != nil || cache.Took != 0 || cache.Folder != filepath.Dir(entries[0]) || cache.Size < 20<<20 || cache.Size > 60<<20 {
		t.Errorf("%+v, %v", cache, err)
	}
}

// Warm says why the cache cannot be made complete, and compiles for nothing else.
func TestWarmWithoutCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if cache, err := Warm(t.Context(), Options{CacheDir: filepath.Join(file, "cache")}); err == nil || !strings.Contains(err.Error(), "cache folder") {
		t.Errorf("%+v, %v", cache, err)
	}
}

// If compiling into the cache's folder fails midway, as on a full disk, a temporary folder
// takes its place.
func TestFullCache(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	full := filepath.Join(t.TempDir(), "cache")
	p.options.CacheDir = full
	p.code = new(codeDir)
	p.starter.launched = func(child *process) {
		if p.code.temporary == "" { // a full disk ends every child that writes to the cache
			child.kill()
		}
	}
	entry, err := p.code.folder(p)
	if err != nil || p.code.temporary == "" || !strings.HasPrefix(entry, p.code.temporary) || codecache.Verify(entry) != nil {
		t.Errorf("%q, %v, %v", entry, err, codecache.Verify(entry))
	}
	if left, err := os.ReadDir(full); err != nil || len(left) > 0 {
		t.Errorf("left in the cache: %v, %v", left, err)
	}
}
