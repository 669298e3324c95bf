package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"codelinter/rule"

	"github.com/google/go-cmp/cmp"
)

const transcripts = "../../testdata/flake8-cli"

var whole = flag.Bool("whole", false, "TestTranscripts runs all command lines for each release")

// TestTranscripts runs the command lines that testdata/flake8-cli/record ran
// through the real flake8, each by sh in a new tree, and expects what flake8
// printed, its exit code, and on standard error what flake8 itself said there.
// Where flake8 dies with a traceback, we are to say what the exception said. Each release
// is followed: NAME.out is of the newest, NAME.RELEASE.out has what an older one does
// otherwise. Of what an older one does as the newest, a quarter is run, and all with -whole.
func TestTranscripts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command lines are for sh")
	}
	files, err := filepath.Glob(transcripts + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no transcripts")
	}
	known := knownDifferences(t)
	count := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			commands, files := readTree(t, file)
			trees := &trees{root: t.TempDir(), files: files}
			wants := readTranscripts(t, strings.TrimSuffix(file, ".txtar")+".out")
			if len(wants) != len(commands) {
				t.Fatalf("%d command lines, %d transcripts: run %s/record", len(commands), len(wants), transcripts)
			}
			count += len(wants)
			for i, want := range wants {
				if want.command != commands[i] {
					t.Fatalf("transcript %d is of %q, not of %q: run %s/record", i, want.command, commands[i], transcripts)
				}
			}
			for _, release := range rule.Releases() {
				for i, want := range ofRelease(t, file, release, wants) {
					if release != rule.Flake8750 && want == wants[i] && i%4 > 0 && !*whole {
						continue
					}
					t.Run(release.String()+" "+want.command, func(t *testing.T) {
						t.Parallel()
						got := runTranscript(t, release, want, trees)
						diff := cmp.Diff(want.text(), got.text())
						reason := first(known[want.command], known[release.String()+" "+want.command])
						switch {
						case diff != "" && reason == "":
							t.Errorf("flake8 (-), codelinter (+):\n%s", diff)
						case diff == "" && reason != "":
							t.Errorf("no longer differs: take it out of known.txt")
						}
					})
				}
			}
		})
	}
	if count < 200 {
		t.Errorf("%d command lines", count)
	}
}

// first returns the first of texts that is not empty.
func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// ofRelease returns the transcripts of a release: those of the newest, but for the ones
// that it has of its own.
func ofRelease(t *testing.T, file string, release rule.Release, newest []transcript) []transcript {
	name := strings.TrimSuffix(file, ".txtar") + "." + release.String() + ".out"
	if _, err := os.Stat(name); os.IsNotExist(err) {
		return newest
	}
	all := slices.Clone(newest)
	for _, own := range readTranscripts(t, name) {
		i := slices.IndexFunc(newest, func(r transcript) bool { return r.command == own.command })
		switch {
		case i < 0:
			t.Errorf("%s: %q is no command line of %s", name, own.command, file)
		case newest[i] == own:
			t.Errorf("%s: %q is not needed: the newest release does the same", name, own.command)
		default:
			all[i] = own
		}
	}
	return all
}

// releaseVariable names the release that the tests' program flake8 follows, the newest without it.
const releaseVariable = "CODELINTER_TEST_RELEASE"

// mainOfRelease is the tests' program flake8.
func mainOfRelease() {
	if release := os.Getenv(releaseVariable); release != "" {
		os.Args = slices.Insert(os.Args, 1, "--flake8-version="+release)
	}
	main()
}

// A transcript is what came of a command line.
type transcript struct {
	command string
	stdout  string
	exit    string
	stderr  string
	dies    bool // stderr is the end of a traceback
	logs    bool // stderr is for whoever debugs flake8
}

func (r *transcript) text() string {
	return r.stdout + "[exit " + r.exit + "]\n" + r.stderr
}

// readTree returns the command lines of a .txtar, and its files.
func readTree(t *testing.T, name string) (commands []string, files map[string]string) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	current := ""
	for line := range strings.SplitAfterSeq(string(data), "\n") {
		if title, found := strings.CutPrefix(line, "-- "); found {
			current = strings.TrimSuffix(title, " --\n")
			files[current] = ""
			continue
		}
		switch {
		case current != "":
			files[current] += line
		case strings.HasPrefix(line, "$ "):
			commands = append(commands, strings.TrimSuffix(line[2:], "\n"))
		case strings.HasPrefix(line, "> "):
			commands[len(commands)-1] += "\n" + strings.TrimSuffix(line[2:], "\n")
		}
	}
	return commands, files
}

// readTranscripts reads what record wrote.
func readTranscripts(t *testing.T, name string) (all []transcript) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var r *transcript
	var into *string
	for line := range strings.SplitAfterSeq(string(data), "\n") {
		switch {
		case strings.HasPrefix(line, "$ "):
			all = append(all, transcript{command: strings.TrimSuffix(line[2:], "\n")})
			r = &all[len(all)-1]
			into = &r.stdout
		case strings.HasPrefix(line, "> "):
			r.command += "\n" + strings.TrimSuffix(line[2:], "\n")
		case strings.HasPrefix(line, "[exit "):
			r.exit = strings.TrimSuffix(line[len("[exit "):], "]\n")
			into = &r.stderr
		case line == "[stderr]\n":
		case line == "[logs]\n":
			r.logs = true
		case line == "[dies]\n":
			r.dies = true
		case strings.HasPrefix(line, "  "):
			*into += line[2:]
		case line == "[no line break]\n":
			*into = strings.TrimSuffix(*into, "\n")
		case strings.TrimSpace(line) != "":
			t.Fatalf("%s: %q", name, line)
		}
	}
	return all
}

var (
	exceptionClass = regexp.MustCompile(`^[\w.]+: `)
	ourWarning     = regexp.MustCompile(`(?m)^flake8: warning: .*\n`)
)

// trees are the trees of a .txtar. One that a command line leaves as it was is the next
// one's: each had a new one once, 20,000 files in all, and making and removing them took more than
// half of the test's time.
type trees struct {
	root  string
	files map[string]string

	mu   sync.Mutex
	made int
	free []string // homes
}

// take returns a home, a folder in which there is nothing but a tree of the files.
func (s *trees) take() (home string, err error) {
	s.mu.Lock()
	if last := len(s.free) - 1; last >= 0 {
		home, s.free = s.free[last], s.free[:last]
		s.mu.Unlock()
		return home, nil
	}
	s.made++
	home = filepath.Join(s.root, fmt.Sprint(s.made))
	s.mu.Unlock()
	for name, text := range s.files {
		name = filepath.Join(home, "tree", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	return filepath.EvalSymlinks(home)
}

// giveBack keeps a home for the next command line if it is as take makes one.
func (s *trees) giveBack(home string) {
	left := maps.Clone(s.files)
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(filepath.Join(home, "tree"), path)
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			if name != ".." && name != "." && !s.hasFolder(name) {
				return errors.New("another folder")
			}
			return nil
		}
		if info, err := entry.Info(); err != nil || info.Mode()&^0o777 != 0 || info.Mode()&0o600 != 0o600 {
			return errors.New("no such file as was made")
		}
		text, err := os.ReadFile(path)
		if want, is := left[name]; err != nil || !is || want != string(text) {
			return errors.New("another file")
		}
		delete(left, name)
		return nil
	})
	if err != nil || len(left) > 0 {
		return
	}
	s.mu.Lock()
	s.free = append(s.free, home)
	s.mu.Unlock()
}

// hasFolder reports whether a folder has one of the files.
func (s *trees) hasFolder(name string) bool {
	for file := range s.files {
		if strings.HasPrefix(file, name+"/") {
			return true
		}
	}
	return false
}

// runTranscript runs the command line of want, with a flake8 that follows a release, in a
// tree that is as a new one.
func runTranscript(t *testing.T, release rule.Release, want transcript, trees *trees) transcript {
	home, err := trees.take()
	if err != nil {
		t.Fatal(err)
	}
	defer trees.giveBack(home)
	root := filepath.Join(home, "tree")
	var stdout, stderr bytes.Buffer
	command := exec.Command("sh", "-c", want.command)
	command.Dir, command.Stdout, command.Stderr = root, &stdout, &stderr
	command.Env = []string{"HOME=" + home, "ROOT=" + root, "PATH=" + os.Getenv("PATH"), releaseVariable + "=" + release.String(), "LC_ALL=C.UTF-8", "PWD=" + root,
		"GOCOVERDIR=" + home, // without it a binary that counts what it runs, as of go test -cover, says so on its stderr
	}
	err = command.Run()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	got := transcript{
		command: want.command,
		stdout:  strings.ReplaceAll(stdout.String(), root, "$ROOT"),
		exit:    fmt.Sprint(command.ProcessState.ExitCode()),
		stderr:  ourWarning.ReplaceAllString(strings.ReplaceAll(stderr.String(), root, "$ROOT"), ""),
	}
	// Of a traceback, what the exception says is to stand in what we say.
	if said := strings.TrimSpace(exceptionClass.ReplaceAllString(want.stderr, "")); want.dies && strings.Contains(got.stderr, said) {
		got.stderr = want.stderr
	}
	if want.logs {
		got.stderr = ""
	}
	return got
}

// knownDifferences returns the command lines that differ, with the reasons, from
// known.txt; "7.5.0 flake8 ..." is one that differs from that release alone. That list may
// only shrink.
func knownDifferences(t *testing.T) map[string]string {
	data, err := os.ReadFile(transcripts + "/known.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	reason := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch command, isCommand := strings.CutPrefix(line, "$ "); {
		case isCommand && reason == "":
			t.Fatalf("known.txt: no reason for %s", line)
		case isCommand:
			known[command] = reason
		default:
			reason = strings.TrimSpace(line)
		}
	}
	return known
}
