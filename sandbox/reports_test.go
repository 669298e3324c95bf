package sandbox

import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/job"
)

// What was kept is what would be had by running the program, and no program
// runs for it; what is damaged, or could be somebody else's, is not believed.
func TestKeep(t *testing.T) {
	if Version(CPython) == "" {
		t.Skip("no CPython here")
	}
	if testing.Short() {
		t.Skip("compiles")
	}
	dir, _ := cacheOf(t)
	program := Program{
		Source:   "import sys\ndef half(x):\n    if x % 2:\n        raise ValueError(x)\n    print(x)\n    return {'half': x // 2, 'float': x / 3}\n",
		Calls:    []Call{{Bind: []Binding{{"n", "[4]"}}, Expr: "half(n[0])", Return: []string{"n"}}, {Expr: "half(3)"}, {Exec: "sys.exit(7)"}, {Expr: "half(2)"}},
		Coverage: true,
		Keep:     true,
	}
	run := func(program Program) (Result, int64) {
		t.Helper()
		p, err := New(t.Context(), Options{CacheDir: dir, InProcess: true})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		return run(t, p, program), p.Stats().Programs
	}
	want, n := run(program)
	if want.End != Done || len(want.Calls) != 4 || n != 1 {
		t.Fatalf("%+v, %d programs", want, n)
	}
	same := func(ran int64) {
		t.Helper()
		got, n := run(program)
		if !reflect.DeepEqual(got, want) || n != ran {
			t.Errorf("%d programs were run, want %d, and gave\n%+v, want\n%+v", n, ran, got, want)
		}
	}
	same(0)

	other := program
	other.Budget = DefaultBudget / 2
	if _, n := run(other); n != 1 {
		t.Error("another budget: nothing was run")
	}
	other = program
	other.Keep = false
	if _, n := run(other); n != 1 {
		t.Error("without Keep: nothing was run")
	}

	kept, err := filepath.Glob(filepath.Join(dir, "reports", "*", "*"))
	if err != nil || len(kept) != 2 {
		t.Fatal(kept, err)
	}
	for _, path := range kept {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	same(1) // which mends it
	same(0)
	for _, path := range kept {
		if err := os.Truncate(path, 5); err != nil {
			t.Fatal(err)
		}
	}
	same(1)

	// What failed is not kept.
	endless := Program{Source: "while True:\n    pass\n", Budget: 1 << 60, Keep: true}
	p, err := New(t.Context(), Options{CacheDir: dir, Workers: 1, Time: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if r, err := p.Run(t.Context(), endless); err == nil {
		t.Errorf("%+v", r)
	}
	if now, err := filepath.Glob(filepath.Join(dir, "reports", "*", "*")); len(now) != len(kept) || err != nil {
		t.Errorf("%d reports, %v; there were %d", len(now), err, len(kept))
	}
}

// Keeping trims the folders: of many reports those are left that were used last, and none of an
// earlier version's.
func TestKeepTrims(t *testing.T) {
	d := &reportDir{dir: filepath.Join(t.TempDir(), "reports")}
	if err := codecache.Store(d.dir, "earlier", []byte("report")); err != nil {
		t.Fatal(err)
	}
	folders, trimmed := map[string]bool{}, map[string]bool{}
	for i := range 4 * reportFolders * trimmedAfter {
		name := codecache.Key(strconv.Itoa(i))
		folder, trims := d.place(name)
		folders[folder] = true
		if trims && !trimmed[folder] {
			trimmed[folder] = true
			d.keep(name, &job.Report{Output: []byte(name)})
			if d.find(name, &job.Job{}) == nil {
				t.Errorf("%s is not kept", name)
			}
		}
	}
	if len(folders) != reportFolders || len(trimmed) != reportFolders {
		t.Errorf("%d folders, of which %d were trimmed", len(folders), len(trimmed))
	}
	if _, err := os.Stat(filepath.Join(d.dir, "earlier")); err == nil {
		t.Error("the report of an earlier version is still there")
	}
}
