package flake8

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestOSErrorText(t *testing.T) {
	for _, test := range []struct {
		err  error
		name string
		want string
	}{
		{syscall.ENOENT, "nope.py", "FileNotFoundError: [Errno 2] No such file or directory: 'nope.py'"},
		{&os.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, "x", "PermissionError: [Errno 13] Permission denied: 'x'"},
		{syscall.ENOENT, "it's", `FileNotFoundError: [Errno 2] No such file or directory: "it's"`},
		{errors.New("spam"), "x", "OSError: spam"},
	} {
		if got := osErrorText(test.err, test.name); got != test.want {
			t.Errorf("%v, %q:\n got %s\nwant %s", test.err, test.name, got, test.want)
		}
	}
}

func TestPythonRepr(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "''"},
		{"it's", `"it's"`},
		{`say "it's"`, `'say "it\'s"'`},
		{`back\slash`, `'back\\slash'`},
		{"\n\r\t\x00\x1b\x7f\x80", `'\n\r\t\x00\x1b\x7f\udc80'`},
		{"é 中 😀", "'é 中 😀'"},
		{"\u00a0\u00ad\u200b\u2028\U000e0001", `'\xa0\xad\u200b\u2028\U000e0001'`},
		{"a\xffb", `'a\udcffb'`},
	} {
		if got := pythonRepr(test.text); got != test.want {
			t.Errorf("%q: got %s, want %s", test.text, got, test.want)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]int{"79": 79, " 79\n": 79, "+79": 79, "-1": -1, "7_9": 79, "007": 7, "99999999999999999999": 1<<31 - 1, "-99999999999": -(1<<31 - 1)} {
		if got, err := parseInt(text); err != nil || got != want {
			t.Errorf("int(%q) = %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "7.0", "0x10", "_7", "7_", "7__9", "+-7", "--7", "+_7", "7 9"} {
		if got, err := parseInt(text); err == nil {
			t.Errorf("int(%q) = %d", text, got)
		}
	}
	for text, want := range map[string]string{
		"": "[]", " , ": "[]", "E,W": `["E" "W"]`, "E W\n\tF,,C ": `["E" "W" "F" "C"]`, "E\u3000W\x1cF": `["E" "W" "F"]`,
	} {
		if got := parseList(text); got == nil || fmt.Sprintf("%q", got) != want {
			t.Errorf("list %q: %q", text, got)
		}
	}
	for text, want := range map[string]int{"auto": 0, "0": 1, "1": 1, "8": 8, "99999999999": 1<<31 - 1} {
		if got, err := parseJobs(text); err != nil || got != want {
			t.Errorf("jobs %q = %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "x", "1.5", "AUTO"} {
		if _, err := parseJobs(text); err == nil || err.Error() != pythonRepr(text)+" must be 'auto' or an integer." {
			t.Errorf("jobs %q: %v", text, err)
		}
	}
}

// manyFiles gives names of which each has findings without being read: there
// are no such files.
func manyFiles(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("nope/%d.py", i))
	}
	return names
}

func optionsFor(names []string, jobs int, format formatter) runOptions {
	s := newSettings()
	s.paths, s.jobs = names, jobs
	return runOptions{settings: s, format: format, warn: func(error) {}}
}

func TestOrderAndJobs(t *testing.T) {
	names := manyFiles(3000)
	sorted := slices.Sorted(slices.Values(names))
	var want strings.Builder
	for _, name := range sorted {
		fmt.Fprintf(&want, "%s:0:1: E902 FileNotFoundError: [Errno 2] No such file or directory: '%s'\n", name, name)
	}
	for _, jobs := range []int{0, 1, 2, 8, 100} {
		var out bytes.Buffer
		result, err := lintPaths(t.Context(), optionsFor(names, jobs, defaultFormat{}), nil, &out)
		if err != nil || result.Found != len(names) {
			t.Fatalf("%d jobs: %d findings, %v", jobs, result.Found, err)
		}
		if out.String() != want.String() {
			t.Fatalf("%d jobs: the output differs", jobs)
		}
	}
}

// fat renders a finding as more than may wait in memory for its turn.
type fat struct{ lines }

func (fat) appendFinding(dst []byte, file *lintedFile, _ int) ([]byte, error) {
	dst = append(dst, bytes.Repeat([]byte{'x'}, keptOutput+1)...)
	return append(append(dst, file.Name...), '\n'), nil
}

// Workers take some inputs at once, each input one of them, as far as slots are free, and
// share the last ones.
func TestTake(t *testing.T) {
	r := run{inputs: make([]input, 3*ring), slots: make([]slot, 2*ring)}
	r.turn.L = &r.mutex
	for _, want := range []struct{ written, i, end int }{
		{0, 0, 6}, {0, 6, 11}, {0, 11, 15}, {0, 15, 19}, {0, 19, 22}, {0, 22, 25}, {0, 25, 27}, {0, 27, 29}, {0, 29, 31}, {0, 31, 32},
		{2, 32, 34}, {16, 34, 35}, {16, 35, 36},
	} {
		r.written = want.written
		if i, end := r.take(); i != want.i || end != want.end {
			t.Errorf("%d are written: %d to %d, want %+v", r.written, i, end, want)
		}
	}
	r.written = len(r.inputs)
	r.taken = len(r.inputs)
	if i, end := r.take(); i != end {
		t.Errorf("at the end: %d to %d", i, end)
	}
	r = run{inputs: make([]input, 4000), slots: make([]slot, 2*ring)}
	r.turn.L = &r.mutex
	if i, end := r.take(); i != 0 || end != filesAhead {
		t.Errorf("of many: %d to %d", i, end)
	}
	r.err = errEnded
	if i, end := r.take(); i != end {
		t.Errorf("after an error: %d to %d", i, end)
	}
}

// Files that are read together are what each of them is, none can be written over, and
// when all sizes were seen, reading takes no memory.
func TestReadAhead(t *testing.T) {
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(1, 2))
	var inputs []input
	want := map[string]string{}
	for i := range 200 {
		name := fmt.Sprintf("%d.py", i)
		size := []int{0, 1, 300, 4 << 10, bytesAhead - 1, bytesAhead, 2 * bytesAhead, 3 * bytesAhead}[random.IntN(8)]
		want[name] = strings.Repeat(fmt.Sprintf("%d\n", i), size)[:size]
		if err := os.WriteFile(name, []byte(want[name]), 0o600); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, input{name: name, regular: random.IntN(4) > 0}, input{name: "nope", regular: random.IntN(2) > 0})
		if random.IntN(10) == 0 {
			inputs = append(inputs, input{name: "stdin", stdin: true})
		}
	}
	want["stdin"] = "of standard input"
	r := run{stdin: func() ([]byte, error) { return []byte(want["stdin"]), nil }}
	var c contents
	most := 0
	for i := 0; i < len(inputs); {
		files := c.read(&r, inputs[i:])
		most = max(most, len(files))
		for k, file := range files {
			switch name := inputs[i+k].name; {
			case name == "nope":
				if !errors.Is(file.err, fs.ErrNotExist) {
					t.Errorf("a missing file: %v", file.err)
				}
			case file.err != nil || string(file.data) != want[name]:
				t.Errorf("%s: %d bytes, want %d, %v", name, len(file.data), len(want[name]), file.err)
			case inputs[i+k].stdin && k > 0:
				t.Error("standard input is read ahead")
			}
			_ = append(file.data, "written over"...)
		}
		if i += len(files); len(files) == 0 {
			t.Fatal("nothing is read")
		}
	}
	if most != filesAhead {
		t.Errorf("%d files at a time, want %d", most, filesAhead)
	}
	seen := inputs[:0]
	for _, input := range inputs {
		if input.name != "nope" && !input.stdin {
			input.regular = true
			seen = append(seen, input)
		}
	}
	all := func() {
		for i := 0; i < len(seen); {
			i += len(c.read(&r, seen[i:]))
		}
	}
	all()
	// On systems without readRegular a file is opened as an os.File.
	if n := testing.AllocsPerRun(10, all); runtime.GOOS == "linux" && n > float64(len(seen)) {
		t.Errorf("%v allocations for %d files, want one each, of its name for the system", n, len(seen))
	}
}

func TestLongOutputs(t *testing.T) {
	names := manyFiles(60)
	out := &lastLines{}
	_, err := lintPaths(t.Context(), optionsFor(names, 8, fat{}), nil, out)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out.names.String(), strings.Join(slices.Sorted(slices.Values(names)), "\n")+"\n"; got != want {
		t.Errorf("the output is not in order: %.200s", got)
	}
}

// lastLines drops the x of what it is given.
type lastLines struct{ names strings.Builder }

func (l *lastLines) Write(p []byte) (int, error) {
	l.names.WriteString(strings.ReplaceAll(string(p), "x", ""))
	return len(p), nil
}

// A writer that fails ends the run at once, with its error.
func TestWriteError(t *testing.T) {
	for _, format := range []formatter{defaultFormat{}, fat{}} {
		for _, jobs := range []int{1, 8} {
			broken := &brokenPipe{}
			_, err := lintPaths(t.Context(), optionsFor(manyFiles(5000), jobs, format), nil, broken)
			if !IsClosedPipe(err) {
				t.Errorf("%d jobs: %v", jobs, err)
			}
			if broken.calls != 1 {
				t.Errorf("%d jobs: %d writes to a closed pipe", jobs, broken.calls)
			}
		}
	}
}

type brokenPipe struct{ calls int }

func (b *brokenPipe) Write([]byte) (int, error) { b.calls++; return 0, syscall.EPIPE }

func TestUnwantedE902(t *testing.T) {
	o := optionsFor(manyFiles(3), 0, defaultFormat{})
	o.lint.Select = []string{"W"}
	var out bytes.Buffer
	if result, err := lintPaths(t.Context(), o, nil, &out); result.Found != 0 || err != nil || out.Len() != 0 {
		t.Errorf("%d findings, %v: %s", result.Found, err, &out)
	}
}

// endless is a file that never ends, as /dev/zero.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

func TestReadLimit(t *testing.T) {
	for _, limit := range []int{1, 1000, 1 << 16, 1<<20 + 1} {
		file := &endless{}
		if data, err := readAll(file, nil, limit); len(data) != limit || err != nil || file.read != limit {
			t.Errorf("limit %d: %d bytes kept, %d read, %v", limit, len(data), file.read, err)
		}
	}
}

func TestStdinTwice(t *testing.T) {
	var out bytes.Buffer
	o := optionsFor([]string{"-", "-"}, 0, defaultFormat{})
	o.stdinDisplayName = "spam.py"
	if _, err := lintPaths(t.Context(), o, strings.NewReader("x = '\n"), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	if len(lines) != 3 || lines[0] != lines[1] || !strings.HasPrefix(lines[0], "spam.py:1:") {
		t.Errorf("got %q", lines)
	}
}

func TestReadError(t *testing.T) {
	if _, err := readAll(io.MultiReader(strings.NewReader("x"), failing{}), nil, 10); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, syscall.EIO }

// Editors lint one small file at a time: that starts no goroutine, as each takes a thread, and is
// not announced as work that may last. All other work is, once and before it begins.
func TestBrief(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("small.py", "x=1\n")
	write("other.py", "x = 1\n")
	write("-", "x=1\n")
	write("large.py", strings.Repeat("x = 1\n", smallFile/6+1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection starts goroutines too
	runtime.GC()
	created := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	for _, test := range []struct {
		args  []string
		brief bool
	}{
		{[]string{"small.py"}, true},
		{[]string{"--select=E9", "other.py"}, true},
		{[]string{"large.py"}, false},
		{[]string{"small.py", "other.py"}, false},
		{[]string{"."}, false},
		{nil, false},
		{[]string{"-"}, false},
		{[]string{"none.py"}, false},
		{[]string{"--write-baseline=b.json", "small.py"}, false},
		{[]string{"--add-noqa", "small.py"}, false},
	} {
		announced := 0
		metrics.Read(created)
		before := created[0].Value.Uint64()
		var out bytes.Buffer
		Main(t.Context(), Command{
			Name: "flake8", Args: append([]string{"--isolated"}, test.args...), Stdin: strings.NewReader("x=1\n"), Stdout: &out, Stderr: &out,
			Lasting: func() { announced++ },
		})
		metrics.Read(created)
		started := created[0].Value.Uint64() - before
		if test.brief && (announced != 0 || started != 0) || !test.brief && (announced != 1 || started == 0) {
			t.Errorf("%q: announced %d times, %d goroutines: %s", test.args, announced, started, out.String())
		}
	}
}
