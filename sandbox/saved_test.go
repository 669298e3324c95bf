package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const counter = `
import json  # of the library
seen = []
def add(x):
    seen.append(x)
    print(len(seen))
    return seen
def read():
    return open("given.txt").read() + open("mine.txt").read()
def leave():
    open("left.txt", "w").write("left")
open("mine.txt", "w").write("mine")
`

// savedProgram saves counter in a cache of its own, but for the compiled code.
func savedProgram(t *testing.T, o Options) *Saved {
	t.Helper()
	if Version(CPython) == "" {
		t.Skip("there is no CPython in this binary")
	}
	s, err := Save(context.Background(), o, t.Name(), func() (Program, error) {
		return Program{Source: counter, Machine: &Machine{}}, nil
	})
	if err != nil || s.Result.End != Done || !s.IsKept() {
		t.Fatalf("%v, %+v", err, s)
	}
	t.Cleanup(func() {
		os.RemoveAll(s.entry) // another run saves it anew
		s.Close()
	})
	return s
}

func resume(t *testing.T, s *Saved) *Pool {
	t.Helper()
	p, err := s.Resume(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// ask returns the value or the end of an expression in a saved program.
func ask(t *testing.T, p *Pool, expr string, change func(*Program)) string {
	t.Helper()
	program := Program{Calls: []Call{{Expr: expr}}, Machine: &Machine{}}
	if change != nil {
		change(&program)
	}
	r, err := p.Run(context.Background(), program)
	if err != nil {
		return err.Error()
	}
	if c := r.Calls[0]; c.End != Done {
		return c.End.String()
	}
	return r.Calls[0].Value.String()
}

// A saved program goes on from where it was saved, and its programs go on from each other
// until one dies or is fresh.
func TestSaved(t *testing.T) {
	s := savedProgram(t, Options{})
	p, other := resume(t, s), resume(t, s)
	fresh := func(program *Program) { program.Fresh = true }
	given := func(program *Program) { program.Machine.Files = []File{{"given.txt", []byte("given ")}} }
	for _, step := range []struct {
		pool       *Pool
		expr, want string
		change     func(*Program)
	}{
		{p, "add(1)", "[1]", nil},
		{p, "add(2)", "[1, 2]", nil},
		{other, "add(3)", "[3]", nil},
		{p, "add(4)", "[4]", fresh},
		{p, "read()", "'given mine'", given},
		{p, "read()", "raised", nil}, // the file was there for one program
		{p, "leave()", "None", nil},
		{p, "open('left.txt').read()", "'left'", nil},
		{p, "1 / 0", "raised", nil},
		{p, "add(5)", "[4, 5]", nil},
		{p, "__import__('os')._exit(3)", "exited", nil},
		{p, "add(6)", "[6]", nil},
		{p, "open('left.txt').read()", "raised", nil},
		{p, "[1 for i in iter(int, 1)]", "budget", func(program *Program) { program.Budget = 100_000 }},
		{p, "add(7)", "[7]", nil},
		{p, "bytearray(2**29)", "raised", nil},
		{p, "json.loads('[8]')", "[8]", nil},
	} {
		if got := ask(t, step.pool, step.expr, step.change); got != step.want {
			t.Errorf("%s: %s, want %s", step.expr, got, step.want)
		}
	}
}

// What goes on from a saved program can be saved as well, and both are found again.
func TestSaveAgain(t *testing.T) {
	s := savedProgram(t, Options{})
	prepared := 0
	add := func() *Saved {
		next, err := s.Save(context.Background(), "second", Program{Machine: &Machine{}, Calls: []Call{{Expr: "add(1)"}}}, func(*Pool, *Program) error { prepared++; return nil })
		if err != nil || next.Result.Calls[0].Value.String() != "[1]" || string(next.Result.Output) != "1\n" {
			t.Fatalf("%v, %+v", err, next)
		}
		t.Cleanup(func() { os.RemoveAll(next.entry) })
		return next
	}
	add()
	if got := ask(t, resume(t, add()), "add(2)", nil); got != "[1, 2]" || prepared != 1 {
		t.Errorf("%s, prepared %d times", got, prepared)
	}
	if got := ask(t, resume(t, s), "add(3)", nil); got != "[3]" {
		t.Errorf("the first program: %s", got)
	}
	again, err := Save(context.Background(), Options{}, t.Name(), func() (Program, error) {
		t.Error("the program ran again")
		return Program{Source: counter, Machine: &Machine{}}, nil
	})
	if err != nil || again.entry != s.entry {
		t.Errorf("%v, %+v", err, again)
	}
}

// What cannot be saved is not: the result says why.
func TestNotSaved(t *testing.T) {
	if Version(CPython) == "" {
		t.Skip("there is no CPython in this binary")
	}
	for source, want := range map[string]string{
		"1 / 0":                   "raised",
		"import sys\nsys.exit(2)": "exited",
	} {
		s, err := Save(context.Background(), Options{}, t.Name()+source, func() (Program, error) {
			return Program{Source: source, Machine: &Machine{}}, nil
		})
		if err != nil || s.IsKept() || s.Result.End.String() != want {
			t.Errorf("%s: %v, %+v", source, err, s)
		}
		if _, err := s.Resume(1); err == nil {
			t.Errorf("%s: it goes on", source)
		}
	}
}

func TestNotSavedWithThreads(t *testing.T) {
	if Version(CPython) == "" {
		t.Skip("there is no CPython in this binary")
	}
	s, err := Save(context.Background(), Options{}, t.Name(), func() (Program, error) {
		return Program{Source: "import threading, time\nthreading.Thread(target=time.sleep, args=(1e6,)).start()", Machine: &Machine{}}, nil
	})
	if !errors.Is(err, ErrInvalid) || s != nil {
		t.Errorf("%v, %+v", err, s)
	}
}

// Without a cache the code is compiled once for a program and all that go on from it.
func TestSavedWithoutCache(t *testing.T) {
	none := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(none, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	compiled := 0
	s := savedProgram(t, Options{CacheDir: none, Notice: func(text string) {
		if strings.HasPrefix(text, "compiling ") {
			compiled++
		}
	}})
	next, err := s.Save(t.Context(), "next", Program{Calls: []Call{{Expr: "add(1)"}}, Machine: &Machine{}}, func(*Pool, *Program) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	p, err := next.Resume(1)
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, p, "add(2)", nil); got != "[1, 2]" || compiled != 1 {
		t.Errorf("%s, compiled %d times", got, compiled)
	}
	folder := s.code.temporary
	if err := errors.Join(p.Close(), next.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(folder); folder == "" || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%q is left: %v", folder, err)
	}
}

// A damaged program is told of, and gone.
func TestDamagedSaved(t *testing.T) {
	s := savedProgram(t, Options{})
	if err := os.Truncate(filepath.Join(s.entry, "image"), 1<<20); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, resume(t, s), "add(1)", nil); !strings.Contains(got, "damaged") {
		t.Error(got)
	}
	if _, err := os.Stat(s.entry); err == nil {
		t.Error("it is still there")
	}
}
