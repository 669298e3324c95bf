package codecache

import (
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"
)

// The sum of data and zeros is that of both together.
func TestAppendZeros(t *testing.T) {
	content := make([]byte, 70_000)
	copy(content, "data")
	for _, n := range []int{0, 1, 2, 3, 7, 8, 31, 32, 33, 255, 4096, 65_537} {
		for _, data := range []int{0, 1, 4} {
			if got, want := appendZeros(crc32.Checksum(content[:data], castagnoli), int64(n)), crc32.Checksum(zeroed(content, data, n), castagnoli); got != want {
				t.Errorf("%d bytes and %d zeros: %08x, want %08x", data, n, got, want)
			}
		}
	}
}

// zeroed returns the first bytes of content, and n zeros.
func zeroed(content []byte, data, n int) []byte {
	whole := make([]byte, data+n)
	copy(whole, content[:data])
	return whole
}

// The sum of a file with holes is that of its content, wherever the holes are.
func TestChecksumOfHoles(t *testing.T) {
	const hole = 1 << 20
	for name, at := range map[string][]int64{
		"empty":            {},
		"only a hole":      {-3 * hole},
		"no hole":          {0},
		"a hole before":    {hole},
		"a hole behind":    {0, -3 * hole},
		"holes everywhere": {hole + 1, 3*hole + 5, -5 * hole},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			for _, offset := range at {
				if offset < 0 {
					err = file.Truncate(-offset)
				} else {
					_, err = file.WriteAt([]byte("some data"), offset)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			sum, size, err := checksum(path)
			if want := crc32.Checksum(content, castagnoli); err != nil || sum != want || size != int64(len(content)) {
				t.Errorf("%08x of %d bytes, %v; want %08x of %d", sum, size, err, want, len(content))
			}
		})
	}
}
