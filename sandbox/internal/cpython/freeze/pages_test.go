//go:build !nopython

package freeze

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"codelinter/sandbox/internal/cpython"
)

var whole = flag.Bool("whole", false, "TestPages runs")

// TestPages requires that the pages that most programs write to are those of
// this module and this image.
// They are written together with both, and TestChecksums of the package above shows a change of one
// alone; so the programs run with -whole only.
func TestPages(t *testing.T) {
	if !*whole {
		t.Skip("compiles CPython and runs many programs")
	}
	module, err := cpython.Module()
	if err != nil {
		t.Fatal(err)
	}
	image, err := cpython.Image()
	if err != nil {
		t.Fatal(err)
	}
	want, exact, err := frozen{module, image}.pages()
	if err != nil {
		t.Fatal(err)
	}
	got := cpython.Pages()
	if exact && !slices.Equal(got, want) {
		t.Errorf("they are\n%v, and should be\n%v", got, want)
	}
	for _, page := range want { // where the system does not say all, some are missing of these
		if !slices.Contains(got, page) {
			t.Errorf("page %d is not among them", page)
		}
	}
	if text, err := os.ReadFile("../pages"); err != nil || len(got) < 100 || len(strings.Fields(string(text))) != len(got) {
		t.Errorf("%d of %q were read; %v", len(got), text, err)
	}
}
