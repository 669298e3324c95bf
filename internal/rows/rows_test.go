package rows

import (
	"io"
	"strings"
	"testing"
)

// A line longer than any buffer is whole, and one above the limit is refused
// without being read into memory.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	lines := NewLines("t", strings.NewReader(long+"\n"+long+"y\nz"))
	for _, want := range []string{long, long + "y", "z"} {
		line, err := lines.Next()
		if err != nil || string(line.Text) != want {
			t.Fatalf("got %d bytes, %v; want %d", len(line.Text), err, len(want))
		}
	}
	if _, err := lines.Next(); err != io.EOF {
		t.Errorf("after the last line: %v, want EOF", err)
	}
	if testing.Short() {
		return
	}
	_, err := NewLines("t", endless{}).Next()
	if want := "t:1: expected a line of 256 MiB at most, found a longer one"; err == nil || err.Error() != want {
		t.Errorf("a line without end: %v, want %s", err, want)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
