package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// What a package initialises costs each start of each command, and nobody sees it: a table, an
// expression, or a library that reads files as it is linked. So testdata/initialisers.tsv lists
// the packages that may have something to initialise, with the most allocations each may make. A
// new package of the list needs a reason, as its cost is an editor's at each saved file.
func TestInitialisers(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the list is that of linux/amd64")
	}
	allowed := initialisers(t)
	file := filepath.Join(t.TempDir(), "x.py")
	if err := os.WriteFile(file, []byte("x = 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	command, out := codelinter(t, t.TempDir(), "", "check", file)
	command.Env = append(command.Env, "GODEBUG=inittrace=1")
	if err := command.Run(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	seen := 0
	for line := range strings.Lines(out.String()) {
		var name string
		var clock float64
		var at, bytes, allocations string
		// init PACKAGE @1.2 ms, 0.03 ms clock, 640 bytes, 2 allocs
		if n, _ := fmt.Sscanf(line, "init %s %s ms, %g ms clock, %s bytes, %s allocs", &name, &at, &clock, &bytes, &allocations); n != 5 {
			t.Fatalf("expected a line of inittrace, found %q", line)
		}
		if isOfTests(name) {
			continue
		}
		seen++
		most, is := allowed[name]
		if !is {
			t.Errorf("%s is not in the list, and initialises something: %s", name, line)
			continue
		}
		// Go's maps differ by their seed, and tests link more of some packages.
		if n, err := strconv.Atoi(allocations); err != nil || n > most+most/8+2 {
			t.Errorf("%s makes %s allocations, %d are allowed", name, allocations, most)
		}
		delete(allowed, name)
	}
	if seen < 100 {
		t.Errorf("%d packages were traced", seen)
	}
	for name := range allowed {
		t.Errorf("%s is in the list, and initialises nothing", name)
	}
}

// isOfTests reports whether a package is linked by tests alone, or is the command itself, which
// has another name here.
func isOfTests(name string) bool {
	for _, prefix := range []string{"testing", "go/", "github.com/google/go-cmp/", "github.com/rogpeppe/", "net/http/httptest", "net/http/internal/testcert", "internal/", "runtime/metrics", "codelinter/cmd/codelinter", "main"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// initialisers reads the list: a package and its allocations in each row.
func initialisers(t *testing.T) map[string]int {
	t.Helper()
	file, err := os.Open("testdata/initialisers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		fields := strings.Split(lines.Text(), "\t")
		allocations, err := strconv.Atoi(fields[1])
		if err != nil {
			t.Fatalf("testdata/initialisers.tsv: expected a package, allocations and instructions, found %q", lines.Text())
		}
		list[fields[0]] = allocations
	}
	return list
}
