//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// waiting starts a command that waits for standard input, and returns it once
// it does.
func waiting(t *testing.T, args ...string) (command *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	command, stderr = codelinter(t, t.TempDir(), "", args...)
	stdout = new(bytes.Buffer)
	command.Stdout = stdout
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	// More than a pipe holds is gone only when somebody reads.
	if _, err := io.WriteString(in, strings.Repeat("\n", 1<<17)); err != nil {
		t.Fatal(err)
	}
	return command, stdout, stderr
}

// A command that a signal stops ends as shells expect of one that died of it.
func TestSignals(t *testing.T) {
	for _, test := range []struct{ args, stderr string }{
		{"check -", "codelinter check: error: SIGNAL\n"},
		{"eval --samples -", "codelinter eval: error: SIGNAL\n"},
		{"dataset check -", "codelinter dataset check: error: SIGNAL\n"},
		{"dataset build --source - -o tasks.jsonl", "codelinter dataset build: error: SIGNAL\n"},
	} {
		for signal, name := range map[syscall.Signal]string{syscall.SIGINT: "interrupted", syscall.SIGTERM: "terminated"} {
			t.Run(test.args+" "+name, func(t *testing.T) {
				command, stdout, stderr := waiting(t, strings.Fields(test.args)...)
				if err := command.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				command.Wait()
				if code, want := command.ProcessState.ExitCode(), 128+int(signal); code != want {
					t.Errorf("exit code %d, want %d", code, want)
				}
				said, want := "", strings.ReplaceAll(test.stderr, "SIGNAL", name)
				if signal == syscall.SIGINT && strings.HasPrefix(test.args, "check") {
					want = "" // flake8 says it on standard output
					said = "... stopped while processing files\n"
				}
				if stdout.String() != said || stderr.String() != want {
					t.Errorf("%q, %q", stdout, stderr)
				}
			})
		}
	}
}

// A signal ends a command whose input is a pipe that somebody writes to, and never ends.
func TestSignalsAtPipes(t *testing.T) {
	for _, args := range []string{
		"run p", "eval p", "dataset check p", "dataset select p", "dataset card p", "report p", "serve --listen 127.0.0.1:0 --tasks p", "stream --tasks p", "debug tokens p",
	} {
		t.Run(args, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "p")
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			command, stderr := codelinter(t, dir, "", strings.Fields(args)...)
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			pipe, err := os.OpenFile(path, os.O_WRONLY, 0) // when the command opens it too
			if err != nil {
				t.Fatal(err)
			}
			defer pipe.Close()
			if _, err := io.WriteString(pipe, strings.Repeat("\n", 1<<17)); err != nil { // as in waiting
				t.Fatal(err)
			}
			if err := command.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			command.Wait()
			if code, want := command.ProcessState.ExitCode(), 128+int(syscall.SIGTERM); code != want || !strings.HasSuffix(stderr.String(), "error: terminated\n") {
				t.Errorf("exit code %d, want %d: %s", code, want, stderr)
			}
		})
	}
}

// So does one to which nobody writes: it cannot even be opened.
func TestOpenPathEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop{syscall.SIGTERM})
	if _, err := openPath(ctx, path); !errors.Is(err, stop{syscall.SIGTERM}) {
		t.Errorf("%v", err)
	}
}

// Every command fails that cannot read what it is to read or write what it is to
// write, and says so where it can; nothing is taken for empty or written nowhere
// in silence.
func TestStreams(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		command string
		fails   bool
		says    string // on standard output or error
	}{
		{"check - <&-", true, "E902 OSError: [Errno 9] Bad file descriptor: 'stdin'"},
		{"check - </", true, "E902 IsADirectoryError"},
		{"check - 0>write", true, "E902 OSError: [Errno 9] Bad file descriptor: 'stdin'"},
		{"check bad.py >&-", true, ""},
		{"check bad.py >/dev/full", true, "no space left on device"},
		{"check bad.py 1<bad.py", true, "bad file descriptor"},
		{"check bad.py 2>&-", true, "E225"},
		{"check --nope 2>&-", true, ""},
		{"check bad.py >/dev/null", true, ""},
		{"check good.py >&-", false, ""},
		{"check good.py >/dev/full", false, ""},
		{"check --exit-zero bad.py >&-", true, "bad file descriptor"},
		{"check --exit-zero bad.py >/dev/null", false, ""},
		{"check --format=json good.py >&-", true, "bad file descriptor"},
		{"check --format=json good.py 2>/dev/full", false, "[]"},
		{"check --version >&-", true, "bad file descriptor"},
		{"check --help >&-", true, "bad file descriptor"},
		{"check --bug-report >&-", true, "bad file descriptor"},
		{"eval $FILES >&-", true, "bad file descriptor"},
		{"eval $FILES >/dev/full", true, "no space left on device"},
		{"eval $FILES 1<bad.py", true, "bad file descriptor"},
		{"eval $FILES >/dev/null", false, ""},
		{"eval $FILES -o results.jsonl >&-", false, ""},
		{"eval $FILES -o results.jsonl >/dev/full", true, "no space left on device"},
		{"dataset open >&-", true, "bad file descriptor"},
		{"dataset open -o /dev/stdout >&-", true, "bad file descriptor"},
		{"dataset open -o /dev/fd/1 >&-", true, "bad file descriptor"},
		{"dataset open 2>&1 >/dev/null", false, ""},
		{"dataset export --for trl >&-", true, "bad file descriptor"},
		{"dataset prompts --model m >&-", true, "bad file descriptor"},
		{"dataset >&-", true, "bad file descriptor"},
		{"completion bash >&-", true, "bad file descriptor"},
		{"__complete check --fo >&-", true, "bad file descriptor"},
		{"eval $FILES -o /dev/full", true, "no space left on device"},
		{"eval --samples - <&-", true, "bad file descriptor"},
		{"eval --samples - 0>write", true, "bad file descriptor"},
		{"dataset check - <&-", true, "bad file descriptor"},
		{"dataset build --source - <&-", true, "bad file descriptor"},
		{"report results.jsonl >&-", true, "bad file descriptor"},
		{"report results.jsonl >/dev/full", true, "no space left on device"},
		{"rule >&-", true, "bad file descriptor"},
		{"rule E501 >/dev/full", true, "no space left on device"},
		{"debug tokens - <&-", true, "bad file descriptor"},
		{"debug tokens /dev/stdin <&-", true, "bad file descriptor"},
		{"debug tokens /dev/zero", true, "/dev/zero: file is larger than 128 MiB"},
		{"run - </dev/zero", true, "stdin: file is larger than 128 MiB"},
		{"debug tokens bad.py >&-", true, "bad file descriptor"},
		{"debug ast bad.py >/dev/full", true, "no space left on device"},
		{"version >/dev/full", true, "no space left on device"},
		{"version >&-", true, "bad file descriptor"},
		{"version >&- 2>&-", true, ""},
		{"version 1<>/dev/null 2>&1", false, ""}, // as subprocess.DEVNULL for both
		{"version 2>&-", false, "flake8 7."},
		{"run good.py 1<>/dev/null", false, ""}, // as subprocess.DEVNULL for one
		{"run bad.py >&-", false, ""},
		{"run missing.py 1<>/dev/null", true, "missing.py"},
		{"fix bad.py 1<>/dev/null", false, ""},
		{"fix --diff bad.py >&-", true, "bad file descriptor"},
		{"--version >&-", true, "bad file descriptor"},
		{"--help >/dev/full", true, "no space left on device"},
		{"--help >&-", true, "bad file descriptor"},
	} {
		t.Run(test.command, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"bad.py": "x=1\n", "good.py": "x = 1\n", "write": "",
				"tasks.jsonl": `{"instruction": "{code}", "inputs": {"code": "def f(a):\n    return a+ 1\n", "feedback": "E225"}, "outputs": "", "meta": {"id": 1}}` + "\n",
				// A sum the other way round: the sandbox runs it.
				"samples.jsonl": `{"id": 1, "outputs": ["def f(a):\n    return 1 + a\n"]}` + "\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if strings.HasPrefix(test.command, "report ") {
				command, stderr := codelinter(t, dir, "", "eval", "--no-guard", "-o", "results.jsonl")
				if err := command.Run(); err != nil {
					t.Fatal(err, stderr)
				}
			}
			program, _ := codelinter(t, dir, "")
			link := filepath.Join(dir, "codelinter") // TestMain knows it by this
			if err := os.Symlink(program.Path, link); err != nil {
				t.Fatal(err)
			}
			shell := exec.CommandContext(patience(t), "sh", "-c", `"$0" `+test.command, link)
			var said bytes.Buffer
			shell.Dir, shell.Env, shell.Stdout, shell.Stderr = dir, append(program.Env, "FILES=--tasks tasks.jsonl --samples samples.jsonl"), &said, &said
			shell.Stdin = strings.NewReader("")
			err := shell.Run()
			if failed := err != nil; failed != test.fails || !strings.Contains(said.String(), test.says) {
				t.Errorf("%v: %.300s", err, &said)
			}
		})
	}
}

// A disk that is full, as a limit on the size of files has it, is said with the name of
// the file that was asked for, and ends in exit code 1; nothing is left of the file.
func TestFullDisk(t *testing.T) {
	program, _ := codelinter(t, t.TempDir(), "")
	for _, test := range []struct{ command, says string }{
		{"dataset open -o tasks.jsonl", "write tasks.jsonl: file too large"},
		{"dataset export --for verl -o tasks.jsonl", "write tasks.jsonl: file too large"},
		{"eval --no-guard -o tasks.jsonl", "write tasks.jsonl: file too large"},
		{"eval --no-guard --html page.html", "write page.html: file too large"},
		{"eval --no-guard --inspect log.json", "write a temporary file in TMP: file too large"},
		{"dataset open >out", "write /dev/stdout: file too large"},
		{"check --output-file out bad.py", "--output-file: write out: file too large"},
		{"dataset open -o none/tasks.jsonl", "open none/tasks.jsonl: no such file or directory"},
		{"dataset open -o ''", "expected the name of a file"},
	} {
		t.Run(test.command, func(t *testing.T) {
			dir, temporary := t.TempDir(), t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "bad.py"), bytes.Repeat([]byte("x=1\n"), 1000), 0o666); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(temporary, "codelinter")
			if err := os.Symlink(program.Path, link); err != nil {
				t.Fatal(err)
			}
			shell := exec.CommandContext(t.Context(), "sh", "-c", `ulimit -f 1; "$0" `+test.command, link)
			shell.Dir, shell.Env = dir, append(program.Env, "TMPDIR="+temporary)
			said, err := shell.CombinedOutput()
			if err == nil || !strings.Contains(string(said), strings.Replace(test.says, "TMP", temporary, 1)) {
				t.Errorf("%v: %s", err, said)
			}
			left, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range left {
				if name := file.Name(); name != "bad.py" && name != "out" {
					t.Errorf("left: %s", name)
				}
			}
		})
	}
}
