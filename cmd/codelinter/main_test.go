package main

import (
	"bytes"
	"errors"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"codelinter/internal/rows/packed"
	"codelinter/sandbox"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestMain(m *testing.M) {
	sandbox.RunChild()
	packed.RunChild()
	// Tests run sh and mkfifo, which stand here on every Unix, whatever PATH says.
	os.Setenv("PATH", os.Getenv("PATH")+":/usr/bin:/bin")
	testscript.Main(tests{m}, map[string]func(){"codelinter": main, "flake8": mainOfRelease})
}

// tests are a package's tests, whose programs are a copy of the tests' own.
type tests struct{ *testing.M }

// Run puts a copy where testscript has put links. What a linker wrote lies in the page cache in
// small pieces, which makes each of the 2,500 starts a quarter dearer.
func (m tests) Run() int {
	if err := copyPrograms(); err != nil {
		log.Fatal(err)
	}
	return m.M.Run()
}

// copyPrograms makes the programs codelinter and flake8 on PATH a file of their own.
func copyPrograms() error {
	codelinter, err := exec.LookPath("codelinter")
	if err != nil {
		return err
	}
	flake8, err := exec.LookPath("flake8")
	if err != nil {
		return err
	}
	program, err := os.ReadFile(codelinter)
	if err != nil {
		return err
	}
	err = errors.Join(os.Remove(codelinter), os.Remove(flake8), os.WriteFile(codelinter, program, 0o777))
	if os.Link(codelinter, flake8) != nil { // a file system may have no links
		err = errors.Join(err, os.WriteFile(flake8, program, 0o777))
	}
	return err
}

// A large heap has less garbage than Go lets it have, until it is small again. The limit that
// a server's options ask for holds after a collection.
func TestPaceCollection(t *testing.T) {
	t.Setenv("GOGC", "") // as good as none
	percent := func() uint64 {
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	usual := percent()
	defer debug.SetGCPercent(int(usual))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	defer leastGarbage.Store(leastGarbage.Swap(0)) // a test before may have run fix in this process
	t.Setenv("GOMEMLIMIT", "")
	paceCollection()
	const limit = 3 * largeHeap
	limitMemory(limit)
	collect := func(want uint64) {
		until(t, func() bool { // a cleanup runs some time after its collection
			runtime.GC()
			return percent() == want
		})
	}
	large := make([]byte, 2*largeHeap)
	collect(25)
	if got := debug.SetMemoryLimit(-1); got > limit {
		t.Errorf("the limit is %d, above %d", got, int64(limit))
	}
	runtime.KeepAlive(large)
	large = nil
	collect(100)
	if got := debug.SetMemoryLimit(-1); got != limit {
		t.Errorf("the limit is %d, want %d", got, int64(limit))
	}
	allowGarbage(4 * largeHeap)
	defer leastGarbage.Store(0)
	if got := percent(); got <= 100 || got > 100*4*largeHeap/leastHeap {
		t.Errorf("a small heap that may have garbage: %d", got)
	}
}

// The scripts say what a user types and sees. Beside testscript's own commands
// they have
//
//	exits 2 codelinter check --nope    the command ends with that exit code
//	bytes nul.py "x\x00\n"             a file of what the Go string holds
//	repeat file.py 3 'x = 1\n'         a file of the Go string, again and again
//
// and the condition [root], under which no file is out of reach.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               keepCache(t),
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, errors.New("no such condition")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"bytes": func(script *testscript.TestScript, _ bool, args []string) {
				if len(args) != 2 {
					script.Fatalf("usage: bytes file text")
				}
				write(script, args[0], "1", args[1])
			},
			"repeat": func(script *testscript.TestScript, _ bool, args []string) {
				if len(args) != 3 {
					script.Fatalf("usage: repeat file times text")
				}
				write(script, args[0], args[1], args[2])
			},
		},
	})
}

// keepCache lets a test's scripts have the user's cache folder, or one of the test's where that
// cannot be written to. testscript's home cannot be, or is made in the root folder where
// the user is root: each command that runs Python would compile CPython anew, and say so.
func keepCache(t *testing.T) func(*testscript.Env) error {
	cache, err := os.UserCacheDir()
	home := os.Getenv("HOME")
	if err == nil {
		err = os.MkdirAll(filepath.Join(cache, "codelinter"), 0o700)
	}
	if err != nil {
		home = t.TempDir()
		cache = home
	}
	return func(env *testscript.Env) error {
		switch runtime.GOOS {
		case "windows":
			env.Setenv("LocalAppData", cache)
		case "darwin":
			env.Setenv("HOME", home) // it is in there
		default:
			env.Setenv("XDG_CACHE_HOME", cache)
		}
		return nil
	}
}

func exits(script *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		script.Fatalf("usage: exits code program [arg...]")
	}
	err := script.Exec(args[1], args[2:]...)
	code := 0
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		code = failed.ExitCode()
	} else {
		script.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		script.Fatalf("exit code %d, want %s", code, args[0])
	}
}

func write(script *testscript.TestScript, name, times, text string) {
	n, err := strconv.Atoi(times)
	script.Check(err)
	text, err = strconv.Unquote(`"` + text + `"`)
	script.Check(err)
	script.Check(os.WriteFile(script.MkAbs(name), []byte(strings.Repeat(text, n)), 0o666))
}

// A reader of the output that goes away ends the command without a word; any
// other failure to write is said.
func TestWriteErrors(t *testing.T) {
	for _, args := range []string{"check nope.py", "rule", "rule E501", "version"} {
		for _, failure := range []error{syscall.EPIPE, syscall.ENOSPC} {
			var stderr bytes.Buffer
			code := run(strings.Fields(args), strings.NewReader(""), failing{failure}, &stderr)
			if code != exitFound {
				t.Errorf("%s, %v: exit code %d", args, failure, code)
			}
			if said := stderr.Len() > 0; said != (failure == syscall.ENOSPC) {
				t.Errorf("%s, %v: %q", args, failure, &stderr)
			}
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Files that are larger or deeper than anyone writes them.
func TestHugeFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, test := range map[string]struct {
		text string
		want string // the output begins with it
	}{
		"10 MB":           {strings.Repeat("spam = '"+strings.Repeat("eggs", 16)+"'\n", 10<<20/74), ""},
		"100 MB":          {strings.Repeat("spam = '"+strings.Repeat("eggs", 16)+"'\n", 100<<20/74), "stdin:0:1: E902 OSError: file has more than 4194304 tokens\n"},
		"50 MB in a line": {"x = '" + strings.Repeat("a", 50<<20) + "'\n", "stdin:1:80: E501 line too long (52428806 > 79 characters)\n"},
		"10,000 brackets": {strings.Repeat("(", 10000) + "\n", "stdin:1:"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			run([]string{"check", "-"}, strings.NewReader(test.text), &stdout, &stderr)
			if !strings.HasPrefix(stdout.String(), test.want) || (test.want == "") != (stdout.Len() == 0) || stderr.Len() > 0 {
				t.Errorf("%.200q, %.200q", &stdout, &stderr)
			}
		})
	}
}

func BenchmarkCommandLine(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		if code := run([]string{"check", "-"}, strings.NewReader("x = 1\n"), io.Discard, io.Discard); code != exitOK {
			b.Fatal(code)
		}
	}
}

// Shells complete the value of every flag that has few: an option's help names
// what is open by FILE, URL and the like.
func TestFlagsComplete(t *testing.T) {
	open := map[string]bool{}
	for _, name := range strings.Fields("FILE NAME TEXT JSON URL ADDRESS TOKEN TIME PATTERN RANGE") {
		open[name] = true
	}
	var visit func(*cobra.Command)
	visit = func(command *cobra.Command) {
		command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			kind := flag.Value.Type()
			placeholder, _ := pflag.UnquoteUsage(flag)
			if kind != "string" && kind != "stringSlice" || open[placeholder] {
				return
			}
			if _, ok := command.GetFlagCompletionFunc(flag.Name); !ok {
				t.Errorf("%s --%s %s: no completion", command.CommandPath(), flag.Name, placeholder)
			}
		})
		for _, child := range command.Commands() {
			visit(child)
		}
	}
	visit(newRootCommand(newCommands()...))
}
