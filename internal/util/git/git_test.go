package git_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/internal/util/git"
)

// A folder is a working folder of git.
type folder struct {
	t    *testing.T
	path string
}

func newFolder(t *testing.T, path string) folder {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "none"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	if err := os.MkdirAll(path, 0o777); err != nil {
		t.Fatal(err)
	}
	f := folder{t, path}
	f.git("init", "-q", "-b", "main")
	return f
}

func (f folder) git(args ...string) string {
	f.t.Helper()
	command := exec.Command("git", append([]string{"-C", f.path, "-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
	out, err := command.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (f folder) write(name, text string) {
	f.t.Helper()
	path := filepath.Join(f.path, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) commit(message string) string {
	f.t.Helper()
	f.git("add", ".")
	f.git("commit", "-qm", message)
	return f.git("rev-parse", "HEAD")
}

func (f folder) open(at, revision string) (*git.Repository, string) {
	f.t.Helper()
	r, commit, err := git.Open(f.t.Context(), filepath.Join(f.path, at), revision, 1<<20)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(r.Close)
	return r, commit
}

// Names with blanks, quotes and line ends are names like others, of the repository too.
func TestChanges(t *testing.T) {
	f := newFolder(t, filepath.Join(t.TempDir(), "a \"b\"\n c"))
	if _, commit := f.open("", "HEAD"); commit != "" {
		t.Errorf("a repository without a commit has %q", commit)
	}
	long := strings.Repeat("x = 1\n", 20)
	f.write("same.py", "x = 1\n")
	f.write("edited.py", "x = 1\n")
	f.write("gone.py", "x = 1\n")
	f.write("odd\nna \"me\".py", "old\n")
	f.write("sub/moved.py", long)
	f.write(".gitignore", "ignored.py\n")
	first := f.commit("first")
	f.write("edited.py", "x = 2\n")
	f.write("odd\nna \"me\".py", "new\n")
	f.write("sub/new é.py", "y\n")
	f.write("ignored.py", "y\n")
	f.write("added.py", "z = 1\n")
	f.git("add", "added.py")
	f.git("mv", "sub/moved.py", "there.py")
	if err := os.Remove(filepath.Join(f.path, "gone.py")); err != nil {
		t.Fatal(err)
	}
	r, commit := f.open("sub", "main")
	if real, err := filepath.EvalSymlinks(f.path); err != nil || r.Root != real || commit != first {
		t.Errorf("root %q, commit %s, want %q, %s (%v)", r.Root, commit, real, first, err)
	}
	changes, err := r.Changes(commit)
	want := map[string]string{
		"edited.py": "edited.py", "odd\nna \"me\".py": "odd\nna \"me\".py", "sub/new é.py": "", "added.py": "", "there.py": "sub/moved.py",
	}
	if err != nil || !maps.Equal(changes, want) {
		t.Errorf("changes %q, want %q (%v)", changes, want, err)
	}
	for name, want := range map[string]string{"edited.py": "x = 1\n", "odd\nna \"me\".py": "old\n", "sub/moved.py": long, "none.py": "", "sub": ""} {
		text, found, err := r.Read(commit, name)
		if err != nil || string(text) != want || found != (want != "") {
			t.Errorf("%q: %q, %t, %v, want %q", name, text, found, err, want)
		}
	}
	empty, err := r.Empty()
	if err != nil {
		t.Fatal(err)
	}
	if changes, err := r.Changes(empty); err != nil || len(changes) != 7 || changes["same.py"] != "" {
		t.Errorf("since nothing: %q, %v", changes, err)
	}
}

func TestRevisions(t *testing.T) {
	f := newFolder(t, t.TempDir())
	f.write("a.py", "x = 1\n")
	first := f.commit("first")
	f.git("tag", "-m", "v1", "v1")
	f.git("branch", "side")
	f.write("a.py", "x = 2\n")
	second := f.commit("second")
	f.git("checkout", "-q", "side")
	f.write("b.py", "x = 3\n")
	f.commit("third")
	f.git("checkout", "-q", "--orphan", "alone")
	alone := f.commit("fourth")
	f.git("checkout", "-q", "side")
	for revision, want := range map[string]string{"v1": first, "main": second, "main~1": first, "none": "", "--all": "", "main:a.py": "", "a.py": ""} {
		r, commit := f.open("", revision)
		again, err := r.Resolve(revision)
		if commit != want || again != want || err != nil {
			t.Errorf("%s: %q, %q, want %q (%v)", revision, commit, again, want, err)
		}
	}
	r, _ := f.open("", "HEAD")
	for commit, want := range map[string]string{second: first, alone: ""} {
		if base, err := r.MergeBase(commit); base != want || err != nil {
			t.Errorf("base %q, want %q (%v)", base, want, err)
		}
	}
}

func TestErrors(t *testing.T) {
	f := newFolder(t, filepath.Join(t.TempDir(), "repository"))
	outside := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", outside)
	if _, _, err := git.Open(t.Context(), outside, "HEAD", 1); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("outside: %v", err)
	}
	f.git("init", "-q", "--bare", "bare")
	if _, _, err := git.Open(t.Context(), filepath.Join(f.path, "bare"), "HEAD", 1); err == nil || !strings.Contains(err.Error(), "work tree") {
		t.Errorf("bare: %v", err)
	}
	t.Setenv("PATH", outside)
	if _, _, err := git.Open(t.Context(), f.path, "HEAD", 1); !errors.Is(err, git.ErrNoGit) {
		t.Errorf("without git: %v", err)
	}
}
