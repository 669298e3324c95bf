package astgen

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The files that are committed are those that the declarations give.
func TestGenerated(t *testing.T) {
	root := "../../.."
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the declarations give: run go generate ./ast (%v)", name, err)
		}
	}
}
