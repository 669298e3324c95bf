// Package git asks the command git which files of a working folder differ from a commit, and what
// they contained.
//
//	repository, commit, err := git.Open(ctx, ".", "main", most)
//	changes, err := repository.Changes(commit)
//	text, found, err := repository.Read(commit, changes["src/spam.py"])
//
// No external diff, no conversion for display and no monitor of files runs that a repository's
// configuration names. Filters that git needs to compare a file with a commit do run, as in git
// status.
package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A Repository is the repository around a folder. It may be used by several goroutines.
type Repository struct {
	Root string // the working folder, absolute and without links

	ctx    context.Context
	most   int64 // bytes of a file that Read returns
	mutex  sync.Mutex
	names  io.WriteCloser // of a process that returns contents; nil if there is none
	batch  *bufio.Reader
	finish func() error
}

// ErrNoGit is the error if the command is not there.
var ErrNoGit = errors.New("git is needed, and is not on PATH")

// Open returns the repository around a folder, and the commit that a revision names there, "" if
// there is none, see [NoCommit]. most is the size up to which Read returns files. The end of ctx
// ends all commands.
func Open(ctx context.Context, folder, revision string, most int64) (r *Repository, commit string, err error) {
	r = &Repository{Root: folder, ctx: ctx, most: most}
	// One process answers both. It prints the root before it looks for the revision.
	out, err := r.run("rev-parse", "--show-toplevel", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	root := strings.TrimRight(string(out), "\r\n")
	if err != nil && (root == "" || errors.Is(err, ErrNoGit)) {
		return nil, "", err
	}
	if err == nil {
		at := max(strings.LastIndexByte(root, '\n'), 0)
		root, commit = strings.TrimRight(root[:at], "\r\n"), strings.TrimLeft(root[at:], "\n")
	}
	if r.Root = filepath.FromSlash(root); r.Root == "" {
		return nil, "", errors.New("git: this is a repository without a working folder")
	}
	return r, commit, nil
}

// NoCommit is the error for a revision that names no commit.
func NoCommit(revision string) error {
	return fmt.Errorf("git: there is no commit %q; a shallow clone or a new repository lacks it", revision)
}

// command returns a git command in the root.
func (r *Repository) command(args ...string) *exec.Cmd {
	// A monitor of files is a program that a repository's configuration names.
	return exec.CommandContext(r.ctx, "git", append([]string{"-C", r.Root, "--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=false"}, args...)...)
}

// run returns what a command prints. An error has the command's words.
func (r *Repository) run(args ...string) ([]byte, error) {
	out, err := r.command(args...).Output()
	return out, asError(err)
}

func asError(err error) error {
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return ErrNoGit
	case errors.As(err, &exit) && len(bytes.TrimSpace(exit.Stderr)) > 0:
		text := strings.Join(strings.Fields(string(exit.Stderr)), " ") // with what git says is to be done
		return fmt.Errorf("git: %s", strings.TrimPrefix(text, "fatal: "))
	case err != nil:
		return fmt.Errorf("git: %w", err)
	}
	return nil
}

// Resolve returns the commit that another revision names, "" if there is none.
func (r *Repository) Resolve(revision string) (commit string, err error) {
	out, err := r.run("rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	return strings.TrimSpace(string(out)), err
}

// MergeBase returns the last commit that HEAD and another commit have in common, "" if there is
// none.
func (r *Repository) MergeBase(commit string) (base string, err error) {
	out, err := r.run("merge-base", commit, "HEAD")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	base, _, _ = strings.Cut(string(out), "\n")
	return base, err
}

// IsShallow reports whether the repository lacks commits that others have.
func (r *Repository) IsShallow() (bool, error) {
	out, err := r.run("rev-parse", "--is-shallow-repository")
	return strings.TrimSpace(string(out)) == "true", err
}

// Empty returns the name of a tree without files, to compare with where there is no commit.
func (r *Repository) Empty() (tree string, err error) {
	command := r.command("hash-object", "-t", "tree", "--stdin")
	out, err := command.Output()
	return strings.TrimSpace(string(out)), asError(err)
}

// Changes returns the files of the working folder that differ from a commit, or are not in it, by
// their paths from Root with slashes. The values are their paths in the commit, "" for those that
// it does not have. Files that git ignores are left out, and so are submodules.
func (r *Repository) Changes(commit string) (map[string]string, error) {
	var (
		untracked []byte
		failed    error
		second    sync.WaitGroup
	)
	second.Go(func() { untracked, failed = r.run("ls-files", "-z", "--others", "--exclude-standard") })
	changed, err := r.run("diff", "--name-status", "-z", "--find-renames", "--diff-filter=ACMRT", "--no-ext-diff", "--no-textconv", "--no-relative",
		"--ignore-submodules=all", commit, "--")
	if len(changed) > 0 { // its start takes as long as that of ls-files
		err = errors.Join(err, r.start())
	}
	second.Wait()
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	changes := map[string]string{}
	fields := strings.Split(string(changed), "\x00")
	for len(fields) > 1 {
		status, path := fields[0], fields[1]
		fields = fields[2:]
		switch {
		case strings.HasPrefix(status, "R") || strings.HasPrefix(status, "C"):
			if len(fields) == 0 {
				return nil, errors.New("git: a renamed file without its new name")
			}
			changes[fields[0]] = path
			fields = fields[1:]
		case status == "A":
			changes[path] = ""
		default:
			changes[path] = path
		}
	}
	for path := range strings.SplitSeq(string(untracked), "\x00") {
		if _, known := changes[path]; path != "" && !known {
			changes[path] = ""
		}
	}
	return changes, nil
}

// Read returns the content of a file of a commit or tree. It returns false for a path that is no
// file there, and for a file that is too large.
func (r *Repository) Read(commit, path string) (text []byte, found bool, err error) {
	if strings.Contains(path, "\n") { // names are lines
		text, err := r.run("cat-file", "blob", commit+":"+path)
		return text, err == nil, nil
	}
	if err := r.start(); err != nil {
		return nil, false, err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	text, found, err = r.ask(commit + ":" + path)
	if err != nil {
		err = fmt.Errorf("git: cannot read %s: %w", path, err)
	}
	return text, found, err
}

// start starts the process that returns contents, if there is none.
func (r *Repository) start() error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.names != nil {
		return nil
	}
	command := r.command("cat-file", "--batch")
	names, err := command.StdinPipe()
	if err != nil {
		return err
	}
	contents, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return asError(err)
	}
	r.names, r.batch, r.finish = names, bufio.NewReader(contents), command.Wait
	return nil
}

// ask returns the content of an object. The process answers with "NAME missing", or with "ID KIND
// SIZE" and as many bytes.
func (r *Repository) ask(name string) (text []byte, found bool, err error) {
	if _, err := io.WriteString(r.names, name+"\n"); err != nil {
		return nil, false, err
	}
	head, err := r.batch.ReadString('\n')
	if err != nil {
		return nil, false, err
	}
	var (
		id, kind string
		size     int64
	)
	if n, _ := fmt.Sscan(head, &id, &kind, &size); n < 3 || strings.HasSuffix(head, " missing\n") {
		return nil, false, nil
	}
	if found = kind == "blob" && size <= r.most; found {
		text = make([]byte, size)
		_, err = io.ReadFull(r.batch, text)
	} else {
		_, err = io.CopyN(io.Discard, r.batch, size)
	}
	if err == nil {
		_, err = r.batch.Discard(1)
	}
	return text, found, err
}

// Close ends the process.
func (r *Repository) Close() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.names != nil {
		r.names.Close()
		r.finish()
		r.names = nil
	}
}
