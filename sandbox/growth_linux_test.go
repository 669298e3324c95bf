package sandbox

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A pool that has run many programs has what it had after a few: memory of this
// process and of the children, files, goroutines.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many programs")
	}
	hostile := hostilePrograms(t)
	p := newPool(t, Options{Workers: 2})
	// Of 1,000 programs 990 are tiny or small functions with calls, 8 fail, and
	// 2 are hostile, with a small budget. These come first: some make Go's heap
	// grow by 50 MB for a while, and what is measured is what stays.
	run := func(i int) error {
		random := rand.New(rand.NewPCG(uint64(i), 0))
		n := random.IntN(30)
		program, want := Program{Source: fmt.Sprint("x = ", n)}, Done
		switch k := i % 1000; {
		case k < 2:
			file := hostile[random.IntN(len(hostile))]
			p.Run(t.Context(), Program{Source: string(file.Data), Budget: 300_000})
			return nil
		case k >= 990:
			program.Source, want = fmt.Sprintf("def f(n):\n    return [1][n + 1]\nprint(f(%d))\n", n), Raised
		case k%2 == 1:
			program = Program{
				Source: "import re\n\n\ndef f(n):\n    found = {}\n    for word in re.findall('[a-z]+', 'to be or not to be ' * n):\n        found[word] = found.get(word, 0) + 1\n    return sorted(found.items())\n",
				Calls:  []Call{{Expr: fmt.Sprintf("f(%d)", n)}},
			}
		}
		if r, err := p.Run(t.Context(), program); r.End != want {
			return fmt.Errorf("program %d: %v, %v", i, r.End, err)
		}
		return nil
	}
	var next atomic.Int64
	runTo := func(end int) {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for {
					i := int(next.Add(1)) - 1
					if i >= end {
						next.Add(-1)
						return
					}
					if err := run(i); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
	}
	first := *manyPrograms / 10
	runTo(first)
	before := measureUse(t)
	for tenth := 2; tenth <= 10; tenth++ {
		runTo(*manyPrograms * tenth / 10)
		t.Logf("%d programs: %v", *manyPrograms*tenth/10, measureUse(t))
	}
	after := measureUse(t)
	t.Logf("%d programs: %v", first, before)
	t.Logf("the pool: %+v", p.Stats())
	if after.files > before.files || after.goroutines > before.goroutines || after.children != before.children {
		t.Errorf("from %v to %v", before, after)
	}
	const room = 24 << 20 // bytes by which Go's heaps come and go
	if after.memory > before.memory+room || after.childMemory > before.childMemory+2*room {
		t.Errorf("from %v to %v", before, after)
	}
}

// A use is what a pool takes of the system.
type use struct {
	memory, childMemory int64 // resident, bytes; of the children's, what is not the image's
	files               int   // open, of this process and of the children
	children            int
	goroutines          int
}

func (u use) String() string {
	return fmt.Sprintf("%d KiB, children %d KiB, %d children, %d files, %d goroutines", u.memory>>10, u.childMemory>>10, u.children, u.files, u.goroutines)
}

func measureUse(t *testing.T) use {
	t.Helper()
	runtime.GC()
	u := use{memory: anonymousMemory(t, os.Getpid()), goroutines: runtime.NumGoroutine()}
	pids := children(t, childName)
	u.children = len(pids)
	for _, pid := range pids {
		u.childMemory += anonymousMemory(t, pid)
	}
	for _, pid := range append(pids, os.Getpid()) {
		files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		if err != nil {
			t.Skip(err) // others' processes are closed to all but root
		}
		u.files += len(files)
	}
	return u
}

// anonymousMemory is the resident memory of a process that is no file's.
func anonymousMemory(t *testing.T, pid int) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "\nRssAnon:")
	var kib int64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatalf("process %d: %v", pid, err)
	}
	return kib << 10
}
