package memory

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

const size = 64 * PageSize

// testContent is content that ends within a page. Every third page of it is zero.
func testContent() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	content := make([]byte, 40*PageSize+100)
	for i := range content {
		if i/PageSize%3 != 0 {
			content[i] = byte(random.Uint32())
		}
	}
	return content
}

// testImage returns an image and what its memories hold.
func testImage(t testing.TB) (*Image, []byte) {
	t.Helper()
	im, err := NewImage(testContent(), size)
	return checked(t, im, err)
}

// testFile is the same image, out of a file that is gone.
func testFile(t testing.TB) (*Image, []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "image")
	if err := WriteFile(path, testContent()); err != nil {
		t.Fatal(err)
	}
	im, err := MapImage(path, size)
	if err := os.Remove(path); err != nil && runtime.GOOS != "windows" {
		t.Error(err)
	}
	return checked(t, im, err)
}

func checked(t testing.TB, im *Image, err error) (*Image, []byte) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := im.Close(); err != nil {
			t.Error(err)
		}
	})
	content := testContent()
	return im, append(content, make([]byte, size-len(content))...)
}

// differs returns the offset of the first byte in which a memory differs from what it
// should hold, or -1.
func differs(got, want []byte) int {
	if bytes.Equal(got, want) {
		return -1
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return i
		}
	}
	return min(len(got), len(want))
}

// hotBytes returns the number of bytes that a restore copies.
func hotBytes(im *Image) (n int) {
	for _, s := range im.hot {
		n += s.to - s.from
	}
	return n
}

func newMemory(t testing.TB, im *Image) *Memory {
	t.Helper()
	m, err := im.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	return m
}

// Whatever was written, and whichever pages are hot, a restore undoes it, and no
// memory sees another.
func TestRestore(t *testing.T) {
	for name, image := range map[string]func(testing.TB) (*Image, []byte){"content": testImage, "file": testFile} {
		t.Run(name, func(t *testing.T) {
			im, want := image(t)
			testRestore(t, im, want)
		})
	}
}

func testRestore(t *testing.T, im *Image, want []byte) {
	random := rand.New(rand.NewPCG(3, 4))
	m, other := newMemory(t, im), newMemory(t, im)
	for round := range 200 {
		if at := differs(m.Bytes(), want); at != -1 {
			t.Fatalf("round %d: it differs at %d", round, at)
		}
		switch round % 4 {
		case 0: // a few bytes
			for range 1 + random.IntN(20) {
				m.Bytes()[random.IntN(size)]++
			}
		case 1: // a stretch
			at := random.IntN(size)
			for i := at; i < min(at+random.IntN(10*PageSize)+1, size); i++ {
				m.Bytes()[i] ^= 0xFF
			}
		case 2: // all
			for i := range m.Bytes() {
				m.Bytes()[i] ^= 0xFF
			}
		case 3: // the last byte
			m.Bytes()[size-1]++
		}
		if round%10 == 9 {
			pages, _ := m.Written()
			im.SetHot(pages)
		}
		if !bytes.Equal(other.Bytes(), want) {
			t.Fatal("one memory sees another")
		}
		if err := m.Restore(); err != nil {
			t.Fatal(err)
		}
	}
}

// Mapping anew, which is how systems other than Linux drop a page, drops it.
func TestRemap(t *testing.T) {
	im, want := testImage(t)
	m := newMemory(t, im)
	for i := range m.Bytes() {
		m.Bytes()[i] ^= 0xFF
	}
	for _, s := range []span{{0, im.edge}, {im.edge, im.size}} {
		if err := remap(im, m.data, s); err != nil {
			t.Fatal(err)
		}
	}
	if at := differs(m.Bytes(), want); at != -1 {
		t.Errorf("it differs at %d", at)
	}
}

// Hot pages are copied, wherever they lie.
func TestHot(t *testing.T) {
	im, want := testImage(t)
	if hotBytes(im) != 0 {
		t.Errorf("%d hot bytes at first", hotBytes(im))
	}
	pages := []int{1, 2, 30, 60} // the last is beyond the content
	m := newMemory(t, im)
	for _, page := range pages {
		m.Bytes()[page*PageSize+1]++
	}
	if got, _ := m.Written(); !slices.Equal(got, pages) {
		t.Errorf("written to %v, want %v", got, pages)
	}
	im.SetHot(pages)
	if want := 4 * PageSize; hotBytes(im) < want {
		t.Errorf("%d hot bytes, want %d", hotBytes(im), want)
	}
	im.SetHot([]int{1, size/PageSize - 1, size / PageSize, size})
	if err := m.Restore(); err != nil || hotBytes(im) != 2*PageSize || differs(m.Bytes(), want) != -1 {
		t.Errorf("with pages beyond the end, %d hot bytes, %v", hotBytes(im), err)
	}
	im.SetHot(nil)
	if hotBytes(im) != 0 {
		t.Errorf("%d hot bytes after there were none", hotBytes(im))
	}
}

// What Linux says was written to is what was; where it says nothing, the
// restore is the same.
func TestWritten(t *testing.T) {
	im, want := testImage(t)
	defer func(w *writtenPages) { im.written = w }(im.written)
	m := newMemory(t, im)
	for _, w := range []*writtenPages{im.written, nil} {
		im.written = w
		for _, hot := range [][]int{nil, {0}, {39, 40}, {5, 6, 7, 8, 9, 63}, {0, 20, 63}} {
			im.SetHot(hot)
			random := rand.New(rand.NewPCG(5, 6))
			for round := range 100 {
				pages := map[int]bool{}
				for range random.IntN(70) {
					page := random.IntN(size / PageSize)
					pages[page] = true
					m.Bytes()[page*PageSize+random.IntN(PageSize)]++
				}
				got, _ := m.Written()
				for _, page := range got {
					delete(pages, page)
				}
				if len(pages) > 0 || !slices.IsSorted(got) {
					t.Fatalf("round %d: written to %v, and to %v", round, got, pages)
				}
				if err := m.Restore(); err != nil {
					t.Fatal(err)
				}
				if at := differs(m.Bytes(), want); at != -1 {
					t.Fatalf("round %d: it differs at %d", round, at)
				}
			}
		}
	}
}

// A memory learns which pages its programs write to: those are copied, until all are dropped.
func TestLearned(t *testing.T) {
	im, want := testImage(t)
	if im.written == nil {
		t.Skip("the system does not report pages")
	}
	m := newMemory(t, im)
	random := rand.New(rand.NewPCG(7, 8))
	usual, later := []int{3, 4, 20, 50}, []int{30, 45}
	hot := func() (pages []int) {
		for _, s := range m.hot {
			for at := s.from; at < s.to; at += PageSize {
				pages = append(pages, at/PageSize)
			}
		}
		return pages
	}
	for round := range 3 * (hotFor + 1) {
		written := slices.Clone(usual)
		if round > 1 && round%2 == 0 {
			written = append(written, later...)
		}
		if round%(hotFor+1) == 20 || round == hotFor { // once
			written = append(written, 10, 40, 60)
		}
		for _, page := range written {
			m.Bytes()[page*PageSize+random.IntN(PageSize)]++
		}
		if err := m.Restore(); err != nil {
			t.Fatal(err)
		}
		if at := differs(m.Bytes(), want); at != -1 {
			t.Fatalf("round %d: it differs at %d", round, at)
		}
		expected := slices.Sorted(slices.Values(slices.Concat(usual, later)))
		switch at := round % (hotFor + 1); {
		case at == hotFor:
			expected = nil
		case at == 0 && round%2 == 1 || round < 4:
			expected = usual
		case at < 4:
			continue
		}
		if got := hot(); !slices.Equal(got, expected) {
			t.Fatalf("round %d: %v are hot, want %v", round, got, expected)
		}
	}
	for i := range m.Bytes() { // more pages than can be hot, if memories were larger
		m.Bytes()[i] ^= 0xFF
	}
	if err := m.Restore(); err != nil || differs(m.Bytes(), want) != -1 {
		t.Error("it differs", err)
	}
}

// Looking for written pages does not touch those beyond the content that nobody has touched.
func TestWrittenTouchesNothing(t *testing.T) {
	im, _ := testImage(t)
	if im.written == nil {
		t.Skip("the system does not report pages")
	}
	m := newMemory(t, im)
	m.Bytes()[50*PageSize] = 1
	_ = m.Bytes()[55*PageSize] // which was read alone
	if got, exact := m.Written(); !exact || !slices.Equal(got, []int{50}) {
		t.Errorf("written to %v", got)
	}
	spans, _ := im.written.in(m.data, size, new(writtenSpans))
	for _, s := range spans {
		if from, to := s.from/PageSize, s.to/PageSize; from != to-1 || from != 50 && from != 55 {
			t.Errorf("pages %d to %d were touched", from, to-1)
		}
	}
}

func TestReallocate(t *testing.T) {
	im, _ := testImage(t)
	m := newMemory(t, im)
	if b := m.Reallocate(size); len(b) != size || cap(b) != size {
		t.Errorf("%d of %d bytes", len(b), cap(b))
	}
	if b := m.Reallocate(size + 1); b != nil {
		t.Errorf("%d bytes of %d", len(b), size)
	}
	m.Free()
	m.Free()
	if m.Restore() == nil {
		t.Error("a memory that is gone was restored")
	}
	if _, err := NewImage(make([]byte, 2), 1); err == nil {
		t.Error("an image larger than memories")
	}
	if _, err := NewImage(nil, PageSize+1); err == nil {
		t.Error("memories of a part of a page")
	}
	path := filepath.Join(t.TempDir(), "image")
	if _, err := MapImage(path, size); err == nil {
		t.Error("an image of no file")
	}
	if err := os.WriteFile(path, make([]byte, size+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := MapImage(path, size); err == nil {
		t.Error("an image of a file that is larger than memories")
	}
	if err := WriteFile(path, nil); err == nil {
		t.Error("a file was written over")
	}
}

func TestNoContent(t *testing.T) {
	im, err := NewImage(nil, size)
	if err != nil {
		t.Fatal(err)
	}
	defer im.Close()
	m := newMemory(t, im)
	m.Bytes()[5] = 1
	if err := m.Restore(); err != nil || differs(m.Bytes(), make([]byte, size)) != -1 {
		t.Errorf("%v, differs at %d", err, differs(m.Bytes(), make([]byte, size)))
	}
}
