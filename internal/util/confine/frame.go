package confine

import (
	"encoding/binary"
	"fmt"
	"io"
)

// A child and its parent exchange frames: four bytes of length, little endian, and as many
// bytes.

// WriteFrame writes b as a frame of at most limit bytes. The first four bytes
// of b are reserved for the length.
func WriteFrame(w io.Writer, b []byte, limit int) error {
	if len(b)-4 > limit {
		return fmt.Errorf("a frame of %d bytes; %d is the most", len(b)-4, limit)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	_, err := w.Write(b)
	return err
}

// readAtOnce bounds the bytes that are allocated for a frame before its content
// arrives.
const readAtOnce = 1 << 20

// ReadFrame reads a frame of at most limit bytes. It returns io.EOF if there is
// none. It allocates memory as the frame arrives, not for its claimed length.
func ReadFrame(r io.Reader, limit int) ([]byte, error) {
	return ReadFrameIf(r, limit, nil)
}

// ReadFrameIf is ReadFrame, but first asks whether there is memory for a frame of so many
// bytes, which it then allocates at once. If not, it reads and drops the frame, and returns
// nil.
func ReadFrameIf(r io.Reader, limit int, keep func(bytes int) bool) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if uint64(n) > uint64(limit) {
		return nil, fmt.Errorf("a frame of %d bytes; %d is the most", n, limit)
	}
	first := min(int(n), readAtOnce)
	if keep != nil {
		first = int(n)
	}
	if keep != nil && !keep(int(n)) {
		dropped, err := io.CopyN(io.Discard, r, int64(n))
		if err == io.EOF && dropped < int64(n) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	b := make([]byte, 0, first)
	for {
		k, err := io.ReadFull(r, b[len(b):cap(b)])
		b = b[:len(b)+k]
		switch {
		case err == io.EOF:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case len(b) == int(n):
			return b, nil
		}
		b = append(make([]byte, 0, min(int(n), 2*cap(b))), b...)
	}
}
