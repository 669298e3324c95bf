// Package memory keeps the linear memory of a WebAssembly instance, and puts
// it back to what it was before a program ran.
//
// An interpreter that has booted has 20 to 30 MB of state, of which a program
// changes some 100 to 200 pages. Where the system can map a file privately,
// all memories of an [Image] share its pages until they write to them, and
// restoring means to drop what was written: the system knows exactly which
// pages these are, so nothing can be missed. Dropping is cheap; what costs is
// that the next program faults in again the pages that nearly every program
// writes to. A few programs show which these are ([Image.Learn]), and
// they are copied instead of dropped. A page is always one or the other:
// what was learnt changes the time that a restore takes and not its outcome.
package memory

import (
	"bytes"
	"errors"
	"fmt"
)

// PageSize is the unit, in bytes, in which hot pages are known.
const PageSize = 4096

// hotGap is the number of pages between two hot ones up to which they are
// copied as one range: a call of madvise costs as much as copying them.
const hotGap = 8

// An Image is the content that memories begin with and are restored to. It
// does not change, but for what Learn notes, and is for use from any number of
// goroutines once Learn has returned.
type Image struct {
	size    int    // of a memory, bytes
	content []byte // what a memory begins with; the rest of it is zero
	edge    int    // where the pages of content end
	backing backing
	hot     []span // ascending, apart
	cold    []span // what lies between; none holds both content and what is beyond
}

// A span is the bytes from one offset to another, multiples of PageSize.
type span struct{ from, to int }

// NewImage returns the image of memories of size bytes that begin with content
// and are zero beyond. It keeps content only where the system has no file to
// map.
func NewImage(content []byte, size int) (*Image, error) {
	if len(content) > size || size%PageSize != 0 {
		return nil, fmt.Errorf("memory: an image of %d bytes for a memory of %d", len(content), size)
	}
	im := &Image{size: size, edge: (len(content) + PageSize - 1) &^ (PageSize - 1)}
	if err := im.open(content); err != nil {
		return nil, err
	}
	im.Learn()
	return im, nil
}

// Size is the length of a memory in bytes.
func (im *Image) Size() int { return im.size }

// Differs returns the offset of the first byte of data, the content of a
// memory, that is not as in the image, or -1. It reads all of both.
func (im *Image) Differs(data []byte) int {
	if len(data) != im.size {
		return min(len(data), im.size)
	}
	n := len(im.content)
	if at := firstDifference(data[:n], im.content); at >= 0 {
		return at
	}
	var zero [PageSize]byte
	for at := n; at < im.size; at += PageSize {
		end := min(at+PageSize, im.size)
		if d := firstDifference(data[at:end], zero[:end-at]); d >= 0 {
			return at + d
		}
	}
	return -1
}

func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// Learn notes which pages the given memories, in each of which a typical
// program has just run, have in common as changed. Memories that exist
// use it from their next Restore on.
func (im *Image) Learn(memories ...*Memory) {
	im.hot, im.cold = nil, nil
	for at := 0; at < len(im.content)&^(PageSize-1); at += PageSize {
		changed := len(memories) > 0
		for _, m := range memories {
			changed = changed && !bytes.Equal(m.data[at:at+PageSize], im.content[at:at+PageSize])
		}
		if !changed {
			continue
		}
		if n := len(im.hot); n > 0 && at-im.hot[n-1].to <= hotGap*PageSize {
			im.hot[n-1].to = at + PageSize
		} else {
			im.hot = append(im.hot, span{at, at + PageSize})
		}
	}
	at := 0
	for _, s := range im.hot {
		if s.from > at {
			im.cold = append(im.cold, span{at, s.from})
		}
		at = s.to
	}
	if at < im.edge {
		im.cold = append(im.cold, span{at, im.edge})
	}
	if im.edge < im.size {
		im.cold = append(im.cold, span{im.edge, im.size})
	}
}

// Hot is the number of bytes that a restore copies.
func (im *Image) Hot() int {
	n := 0
	for _, s := range im.hot {
		n += s.to - s.from
	}
	return n
}

// A Memory is one linear memory. It is what wazero calls an
// experimental.LinearMemory.
type Memory struct {
	image *Image
	data  []byte
}

// NewMemory returns a memory that is as the image.
func (im *Image) NewMemory() (*Memory, error) {
	data, err := im.mapping()
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	return &Memory{im, data}, nil
}

// Bytes is the content of the memory, which a running instance may change at
// any time.
func (m *Memory) Bytes() []byte { return m.data }

// Reallocate returns the first size bytes, or nil if there are not as many.
func (m *Memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.data)) {
		return nil
	}
	return m.data[:size:size]
}

// Restore makes every byte what it is in the image. No instance may run on the
// memory meanwhile.
func (m *Memory) Restore() error {
	if m.data == nil {
		return errors.New("memory: restored after it was freed")
	}
	for _, s := range m.image.hot {
		copy(m.data[s.from:s.to], m.image.content[s.from:s.to])
	}
	for _, s := range m.image.cold {
		if err := m.image.drop(m.data, s); err != nil {
			return fmt.Errorf("memory: restoring %d to %d: %w", s.from, s.to, err)
		}
	}
	return nil
}

// Free gives the memory back. Nothing may use its bytes afterwards.
func (m *Memory) Free() {
	if m.data != nil {
		m.image.unmap(m.data)
		m.data = nil
	}
}
