package atomicfile

import (
	"io"
	"os"
	"testing"
)

func TestNew(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	file, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(file, "text"); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 2)
	if _, err := file.ReadAt(text, 1); err != nil || string(text) != "ex" {
		t.Errorf("read %q, %v", text, err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
