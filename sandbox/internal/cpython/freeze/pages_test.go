//go:build !nopython

package freeze

import (
	"os"
	"slices"
	"strings"
	"testing"

	"codelinter/sandbox/internal/cpython"
)

// TestPages requires that the pages that most programs write to are those of
// this module and this image.
func TestPages(t *testing.T) {
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
