//go:build !nopython

package cpython_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/sandbox/internal/cpython"
)

// TestChecksums requires that what is embedded is what build made.
func TestChecksums(t *testing.T) {
	sums, err := os.ReadFile("SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]func() ([]byte, error){
		"module.wasm.zst": func() ([]byte, error) { return os.ReadFile("module.wasm.zst") },
		"image.zst":       func() ([]byte, error) { return os.ReadFile("image.zst") },
		"module.wasm":     cpython.Module,
		"image":           cpython.Image,
		"pages":           func() ([]byte, error) { return os.ReadFile("pages") },
	}
	lines := strings.Split(strings.TrimSpace(string(sums)), "\n")
	if len(lines) != len(files) {
		t.Errorf("SHA256SUMS has %d files, want %d", len(lines), len(files))
	}
	for _, line := range lines {
		want, name, _ := strings.Cut(line, "  ")
		read, ok := files[name]
		if !ok {
			t.Errorf("SHA256SUMS has %q", name)
			continue
		}
		data, err := read()
		if err != nil {
			t.Error(err)
			continue
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s has the checksum %x, want %s", name, sum, want)
		}
	}
}

// TestImageIsAnybodys requires that nothing of the machine that built it is in
// what is embedded.
func TestImageIsAnybodys(t *testing.T) {
	checkout, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	separator := string(filepath.Separator)
	foreign := []string{"/usr/lib/llvm", checkout + separator, filepath.Join(os.TempDir(), "codelinter-cpython") + separator}
	for _, folder := range []string{"home", "root", "usr/lib/python3"} { // of whoever builds, and of what builds it
		foreign = append(foreign, "/"+folder+"/")
	}
	for name, read := range map[string]func() ([]byte, error){"module": cpython.Module, "image": cpython.Image} {
		data, err := read()
		if err != nil {
			t.Fatal(err)
		}
		for _, foreign := range foreign {
			if at := bytes.Index(data, []byte(foreign)); at >= 0 {
				t.Errorf("the %s has %q", name, data[max(0, at-40):min(len(data), at+60)])
			}
		}
	}
}

// TestVersions requires that what says which CPython this is agrees.
func TestVersions(t *testing.T) {
	versions, err := os.ReadFile("VERSIONS")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(versions), "CPython "+cpython.Version+"\n") {
		t.Errorf("VERSIONS begins %q, the package says %s", versions[:min(len(versions), 20)], cpython.Version)
	}
	g := newGuest(t)
	if reply, err := g.exec("import sys\nassert sys.version.startswith('"+cpython.Version+" ')", 0); err != nil || print(reply, false, 0) != "done" {
		t.Errorf("the image's version: %s, %v", print(reply, false, 0), err)
	}
	for _, file := range []string{"CPython", "CPython-incorporated-software.rst", "HACL", "compiler-rt", "expat", "libmpdec", "wasi-libc", "zlib", "Apache-2.0", "CC0-1.0"} {
		if text, err := os.ReadFile("licenses/" + file); err != nil || len(text) < 500 {
			t.Errorf("licenses/%s: %d bytes, %v", file, len(text), err)
		}
	}
}

// TestStackLiesBelow requires that the stack has nothing below it: growing out
// of its 16 MiB it leaves the memory, and the module traps.
func TestStackLiesBelow(t *testing.T) {
	const size = 16 << 20
	g := newGuest(t)
	if top := g.module.ExportedGlobal("__stack_pointer").Get(); uint32(top) != size {
		t.Errorf("the stack begins at %#x, want %#x", top, size)
	}
	image, err := cpython.Image()
	if err != nil {
		t.Fatal(err)
	}
	if used := bytes.TrimLeft(image[:size], "\x00"); len(used) > 0 {
		t.Errorf("the image has data at %#x, within the stack", size-len(used))
	}
}
