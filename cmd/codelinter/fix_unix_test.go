//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFixSweeps removes what a killed run left, and says what may be another program's.
func TestFixSweeps(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.py")
	if err := os.WriteFile(path, []byte("a=1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	left := filepath.Join(folder, fmt.Sprintf(".codelinter-%x-%x-1", stat.Ino, info.ModTime().UnixNano()))
	foreign := filepath.Join(folder, fmt.Sprintf(".codelinter-%x-%x-1", stat.Ino+1_000_000, info.ModTime().UnixNano()))
	for _, hidden := range []string{left, foreign} {
		if err := os.WriteFile(hidden, []byte("a = 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-24 * time.Hour) // for systems that do not tell whether a file is open
	for _, options := range [][]string{{"--diff"}, {"--check"}, nil} {
		if err := os.Chtimes(folder, long, long); err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		run(append([]string{"fix", "--isolated", folder}, options...), strings.NewReader(""), io.Discard, &stderr)
		_, err := os.Stat(left)
		if options != nil {
			if err != nil || strings.Contains(stderr.String(), "warning") {
				t.Errorf("%s: %v, %s", options, err, &stderr)
			}
			continue
		}
		if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(stderr.String(), foreign+": warning: left by a run that was killed") {
			t.Errorf("%v, %s", err, &stderr)
		}
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
}
