package confine

import (
	"bytes"
	"io"
	"runtime"
	"testing"
)

// A frame longer than what is read at once comes whole, and one that claims to
// be long takes no memory before it comes.
func TestLongFrames(t *testing.T) {
	for _, n := range []int{0, 1, readAtOnce - 1, readAtOnce, readAtOnce + 1, 5*readAtOnce + 7} {
		var pipe bytes.Buffer
		want := append(make([]byte, 4), bytes.Repeat([]byte("frame"), n/5+1)[:n]...)
		if err := WriteFrame(&pipe, want, n); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadFrame(&pipe, n); err != nil || !bytes.Equal(got, want[4:]) {
			t.Errorf("of %d bytes %d, %v", n, len(got), err)
		}
	}
	claim := []byte{0xff, 0xff, 0xff, 0x0f, 1}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := ReadFrame(bytes.NewReader(claim), 256<<20); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	taken := after.TotalAlloc - before.TotalAlloc
	if taken > 2*readAtOnce {
		t.Errorf("%d bytes for a frame of one", taken)
	}
}
