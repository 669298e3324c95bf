package packed

import (
	"io"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	RunChild()
	os.Exit(m.Run())
}

// Much in little is refused before it is read to its end.
func TestBomb(t *testing.T) {
	bomb := &Bounded{Reader: zeros{}, Packed: func() int64 { return 1 << 20 }}
	n, err := io.Copy(io.Discard, bomb)
	if err == nil || n > maxUnpacked+1<<20 || n < maxUnpacked-1<<20 {
		t.Errorf("%d bytes: %v", n, err)
	}
	whole := &Bounded{Reader: io.LimitReader(zeros{}, maxUnpacked+1<<20), Packed: func() int64 { return 4 << 20 }}
	if _, err := io.Copy(io.Discard, whole); err != nil {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
