package sandbox

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

// ordinaryDiffers are the programs of testdata/ordinary.txtar that do not do here what
// they do in CPython on Linux, and why.
var ordinaryDiffers = map[string]string{
	"process_pool":    "there are no processes",
	"dummy_pool":      "there is no multiprocessing, not even its threads",
	"subprocess":      "there are no processes",
	"sqlite":          "SQLite is not part of the guest",
	"ssl":             "OpenSSL is not part of the guest, and there is no network",
	"ctypes":          "libffi is not part of the guest, and there is nothing to call",
	"zoneinfo":        "there are no time zones but UTC",
	"len_range_large": "len() is a C ssize_t of 32 bits",
	"struct_words":    "C's long and pointers have 32 bits",
	"hash_int":        "hashes have 32 bits",
}

// machinePool returns a pool for programs that have a machine.
func machinePool(t *testing.T) *Pool {
	t.Helper()
	pool, err := New(context.Background(), Options{Memory: 512 << 20, Time: TimeFor(MachineBudget)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	return pool
}

// exitText returns how a program ended, as testdata/record writes it.
func exitText(r *Result) string {
	end, exception := r.Ended()
	switch end {
	case Done:
		return "exit 0"
	case Raised:
		return "exit 1"
	case Exited:
		return fmt.Sprintf("exit %d", exception.Code)
	}
	return end.String()
}

// TestOrdinary runs programs as people write them, and compares with what CPython on Linux
// made of them.
func TestOrdinary(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a hundred programs")
	}
	t.Parallel()
	pool := machinePool(t)
	archive, err := txtar.ParseFile("testdata/ordinary.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	var names []string
	for _, file := range archive.Files {
		files[file.Name] = string(file.Data)
		if name, ok := strings.CutSuffix(file.Name, ".py"); ok {
			names = append(names, name)
		}
	}
	same := 0
	for _, name := range names {
		if (name == "big_loop" || name == "big_list") && !*whole {
			continue
		}
		r := run(t, pool, Program{Source: files[name+".py"], Budget: MachineBudget,
			Machine: &Machine{Name: "main.py", Input: []byte(files[name+".in"])}})
		got := strings.TrimRight(exitText(&r)+"\n"+string(r.Output), "\n") + "\n---\n" + strings.TrimRight(string(r.Errors), "\n")
		want := strings.TrimRight(files[name+".out"], "\n") + "\n---\n" + strings.TrimRight(files[name+".err"], "\n")
		reason, differs := ordinaryDiffers[name]
		switch {
		case got == want && differs:
			t.Errorf("%s: is the same, and said to differ: %s", name, reason)
		case got != want && !differs:
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		case got == want:
			same++
		}
	}
	t.Logf("%d of %d programs do what they do in CPython on Linux", same, len(names))
	for name := range ordinaryDiffers {
		if !slices.Contains(names, name) {
			t.Errorf("there is no program %s", name)
		}
	}
}

// TestMachine runs programs on what a machine has, and says how each ends and what it prints.
func TestMachine(t *testing.T) {
	t.Parallel()
	pool := machinePool(t)
	for _, test := range []struct {
		name, source string
		machine      Machine
		want         string // how it ends, standard output, a part of standard error
	}{
		{"arguments", "import sys\nprint(sys.argv)\n", Machine{Name: "a.py", Arguments: []string{"x", "ä"}}, "exit 0|['a.py', 'x', 'ä']\n|"},
		{"files", "import os\nprint(sorted(os.listdir()), open('d/in').read(), open('/data').read())\n",
			Machine{Files: []File{{"d/in", []byte("1")}, {"/data", []byte("2")}}}, "exit 0|['d', 'program.py'] 1 2\n|"},
		{"a file in the way", "pass", Machine{Files: []File{{"a", nil}, {"a/b", nil}}}, "failed|"},
		{"a name out of the folder", "pass", Machine{Name: "../a.py"}, "failed|"},
		{"too much memory asked for", "pass", Machine{Memory: 1 << 30}, "failed|"},
		{"little memory", "x = bytearray(50 << 20)", Machine{Memory: 20 << 20}, "exit 1||MemoryError"},
		{"enough memory", "x = bytearray(50 << 20)", Machine{Memory: 80 << 20}, "exit 0||"},
		{"the compiler's warnings", "print('\\d', 5 is 5)\n", Machine{Name: "a.py"}, "exit 0|\\d True\n|/work/a.py:1: SyntaxWarning: \"is\" with 'int' literal. Did you mean \"==\"?\n  print('\\d', 5 is 5)\n"},
		{"a full disk", "f = open('f', 'wb')\nfor _ in range(100):\n    f.write(bytes(1 << 20))\n", Machine{}, "exit 1||[Errno 28] No space left on device"},
		{"far beyond the end", "import os\nd = os.open('f', os.O_RDWR | os.O_CREAT)\nfor at in (2**62, 2**63 - 1):\n    try:\n        os.pwrite(d, b'xyz', at)\n    except OSError as e:\n        print(e.errno)\nprint(os.pread(d, 9, 2**62))\n",
			Machine{}, "exit 0|28\n28\nb''\n|"},
		{"removed while open", "import os\nf = open('f', 'w+'); f.write('kept'); os.remove('f'); f.seek(0); print(f.read(), os.path.exists('f'))\n", Machine{}, "exit 0|kept False\n|"},
		{"a folder into itself", "import os\nos.makedirs('a/b')\ntry:\n    os.rename('a', 'a/b/c')\nexcept OSError as e:\n    print(e.errno)\n", Machine{}, "exit 0|22\n|"},
		{"a deep folder", "import os\nwhile True:\n    os.mkdir('d'); os.chdir('d')\n", Machine{}, "exit 1||Filename too long"},
		{"many files", "for i in range(30000):\n    open(str(i), 'w').close()\n", Machine{}, "exit 1||No space left"},
		{"many open", "fs = []\nwhile True:\n    fs.append(open('f', 'w'))\n", Machine{}, "exit 1||No file descriptors available"},
		{"a budget used by a thread", "import threading\ndef f():\n    while True: pass\nthreading.Thread(target=f).start()\n", Machine{}, "budget||"},
		{"deadlock", "import threading\na = threading.Lock()\na.acquire()\nt = threading.Thread(target=a.acquire)\nt.start()\nt.join()\n", Machine{}, "exit 1||deadlock"},
		{"deadlock at the end", "import threading\na = threading.Lock()\na.acquire()\nthreading.Thread(target=a.acquire).start()\n", Machine{}, "exit 0||deadlock"},
		{"exit in a thread", "import os, threading\nprint('a', flush=True)\nt = threading.Thread(target=os._exit, args=(9,))\nt.start()\nt.join()\nprint('b')\n", Machine{}, "exit 9|a\n|"},
		{"many threads", "import threading\nts = []\ne = threading.Event()\ntry:\n    while True:\n        ts.append(threading.Thread(target=e.wait)); ts[-1].start()\nexcept RuntimeError as x:\n    print(len(ts) > 100, x)\ne.set()\nfor t in ts[:-1]: t.join()\n",
			Machine{}, "exit 0|True can't start new thread\n|"},
		{"recursion in a thread", "import threading\ndef f():\n    try:\n        x = []\n        for _ in range(100000): x = [x]\n        repr(x)\n    except RecursionError: print('deep')\nt = threading.Thread(target=f); t.start(); t.join()\n", Machine{}, "exit 0|deep\n|"},
		{"daemons are left", "import threading, time\ndef f():\n    while True: time.sleep(1)\nfor _ in range(5): threading.Thread(target=f, daemon=True).start()\nprint('end')\n", Machine{}, "exit 0|end\n|"},
		{"an alarm in a wait", "import queue, signal\ndef f(*_): raise TimeoutError('rang')\nsignal.signal(signal.SIGALRM, f)\nsignal.alarm(3)\ntry:\n    queue.Queue().get()\nexcept TimeoutError as e: print(e)\n", Machine{}, "exit 0|rang\n|"},
		{"the network", "import socket\nsocket.create_connection(('example.org', 80))\n", Machine{}, "exit 1||name resolution"},
	} {
		r, err := pool.Run(t.Context(), Program{Source: test.source, Budget: 2e7, Machine: &test.machine})
		got := exitText(&r) + "|" + string(r.Output) + "|"
		if err != nil {
			got = "failed|"
		}
		end, output, _ := strings.Cut(test.want, "|")
		output, message, _ := strings.Cut(output, "|")
		if want := end + "|" + output + "|"; got != want && got != test.want || !strings.Contains(string(r.Errors), message) || message == "" && len(r.Errors) > 0 {
			t.Errorf("%s: %q, and %s; want %q", test.name, got, r.Errors, test.want)
		}
	}
	if s := pool.Stats(); s.Restarts > 0 {
		t.Errorf("%+v", s)
	}
}

// What a program leaves is read back, and nothing of it is there for the next.
func TestMachineFiles(t *testing.T) {
	pool := machinePool(t)
	given := []byte("old and longer")
	for range 2 {
		r := run(t, pool, Program{Source: "import os\nos.mkdir('d')\nopen('d/new', 'w').write('a')\nopen('/tmp/t', 'w').write('b')\nopen('kept').read()\nwith open('changed', 'r+') as f: f.write('new')\n",
			Machine: &Machine{Files: []File{{"kept", []byte("c")}, {"changed", given}}}})
		want := []File{{"/tmp/t", []byte("b")}, {"/work/changed", []byte("new and longer")}, {"/work/d/new", []byte("a")}}
		if fmt.Sprint(r.Files) != fmt.Sprint(want) || r.End != Done {
			t.Errorf("%v %s: %q", r.End, r.Errors, r.Files)
		}
	}
	if string(given) != "old and longer" {
		t.Errorf("the caller's data is %q", given)
	}
}

// A hostile program with a machine reaches nothing else either: the next one finds all as it
// was, and its result is the same wherever it runs.
func TestHostileMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute of processor time")
	}
	t.Parallel()
	const canary = "import builtins, sys, os, threading, errno\nprint(sorted(vars(builtins)) == sorted(dir(builtins)), len(sys.modules), os.listdir(), sys.argv, threading.active_count(), sum([1, 2]), errno.ENOENT, id(object()), os.urandom(2))\n"
	pools := []*Pool{machinePool(t), newPool(t, Options{Memory: 512 << 20, Workers: 1, InProcess: true, Time: TimeFor(MachineBudget)})}
	clean := run(t, pools[0], Program{Source: canary, Machine: new(Machine)})
	if clean.End != Done || len(clean.Errors) > 0 {
		t.Fatalf("%v %s", clean.End, clean.Errors)
	}
	programs := hostilePrograms(t)
	told := make([][]string, len(pools))
	var all sync.WaitGroup
	for i, pool := range pools {
		all.Go(func() {
			for _, file := range programs {
				told[i] = append(told[i], fingerprint(run(t, pool, hostileOnMachine(file))))
				if after := run(t, pool, Program{Source: canary, Machine: new(Machine)}); fingerprint(after) != fingerprint(clean) {
					t.Errorf("%s: the next one: %s", file.Name, fingerprint(after))
					return
				}
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	for i, file := range programs {
		if told[0][i] != told[1][i] {
			t.Errorf("%s: %.300s\nand in the process\n%.300s", file.Name, told[0][i], told[1][i])
		}
	}
	if s := pools[0].Stats(); s.Restarts > 0 {
		t.Errorf("%+v", s)
	}
}

// hostileOnMachine returns a program of testdata/hostile.txtar with a machine. Its budget is at most
// the one that it has in [TestHostileInChildren], and it has less memory: with more, that test looks
// for harm.
func hostileOnMachine(file txtar.File) Program {
	budget, memory := int64(endlessBudget), int64(32<<20)
	switch {
	case *whole:
		budget, memory = hostileBudget, 128<<20
	case strings.HasSuffix(file.Name, " "+Budget.String()):
		budget /= 4 // in the whole of it, too
	}
	return Program{Source: string(file.Data), Budget: budget, Machine: &Machine{Memory: memory}}
}

// TestModules compares docs/sandbox.md's table with what a program can import.
func TestModules(t *testing.T) {
	if testing.Short() {
		t.Skip("imports the library")
	}
	t.Parallel()
	page, err := os.ReadFile("../docs/sandbox.md")
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)\| not here \| why \|.*?\n\n`).Find(page)
	named := map[string]bool{}
	for _, row := range strings.Split(string(table), "\n") {
		first, _, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
		for _, name := range regexp.MustCompile("`([a-z0-9_]+)`").FindAllStringSubmatch(first, -1) {
			named[name[1]] = true
		}
	}
	delete(named, "subprocess") // can be imported
	delete(named, "socket")
	r := run(t, machinePool(t), Program{Source: `import sys
for name in sorted(sys.stdlib_module_names):
    if name[0] != "_" and name not in ("antigravity", "idlelib", "this"):
        try:
            __import__(name)
        except ImportError:
            print(name)
`, Budget: MachineBudget, Machine: new(Machine)})
	missing := strings.Fields(string(r.Output))
	for _, name := range missing {
		if !named[name] {
			t.Errorf("%s cannot be imported, and docs/sandbox.md does not say so", name)
		}
		delete(named, name)
	}
	for name := range named {
		if name[0] != '_' {
			t.Errorf("docs/sandbox.md says that %s is not here", name)
		}
	}
	if r.End != Done || len(missing) < 10 {
		t.Errorf("%v %s", r.End, r.Errors)
	}
}
