// Package memory keeps the linear memory of a WebAssembly instance, and puts
// it back to what it was before a program ran.
//
// An interpreter that has booted has 20 to 30 MB of state, of which a program
// changes some 50 to 150 pages. Where the system can map a file privately, all
// memories of an [Image] share its pages until they write to them, and
// restoring means to drop what was written: the system knows exactly which
// pages these are, so nothing can be missed.
//
// What costs is that the next program faults in again what was dropped, which
// takes four times as long as to copy a page. So the pages that many programs
// write to are copied ([Image.SetHot]); whoever makes an image finds them out
// with [Memory.Written]. And where Linux says which pages are no longer the
// file's, only those are dropped, so that what was only read stays mapped. A
// page is always either copied or dropped: which pages are hot changes the time
// that a restore takes and not its outcome.
package memory

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
)

// PageSize is the unit, in bytes, in which hot pages are known.
const PageSize = 4096

// hotGap is the number of pages between two hot ones up to which they are
// copied as one range, where all that lies between ranges has to be dropped: a
// call of madvise costs as much as copying them.
const hotGap = 8

// dropGap is the number of pages between two that were written to up to which
// they are dropped as one range: a call of madvise costs as much as that the
// next program reads so many pages for the first time.
const dropGap = 4

// An Image is the content that memories begin with and are restored to. It
// does not change, and is for use from any number of goroutines once SetHot has
// returned.
type Image struct {
	size    int    // of a memory, bytes
	length  int    // of content
	content []byte // what a memory begins with; the rest of it is zero
	edge    int    // where the pages of content end
	backing backing
	written *writtenPages // nil: not known here
	hot     []span        // ascending, apart; no span lies on both sides of edge
	cold    []span        // what lies between, likewise
}

// A span is the bytes from one offset to another, multiples of PageSize.
type span struct{ from, to int }

// NewImage returns the image of memories of size bytes that begin with content
// and are zero beyond. It keeps content only where the system has no file to
// map.
func NewImage(content []byte, size int) (*Image, error) {
	return newImage(len(content), size, func(im *Image) error { return im.open(content) })
}

// MapImage returns the image of memories of size bytes that begin with the
// content of a file, which [WriteFile] may have written, and are zero beyond.
// Nothing is read before it is needed, and processes that map the same file
// share its pages. The file must not change any more; it may be removed.
func MapImage(path string, size int) (*Image, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	im, err := newImage(int(min(info.Size(), math.MaxInt32)), size, func(im *Image) error { return im.use(file) })
	if err != nil {
		file.Close()
	}
	return im, err
}

// newImage returns an image whose content has n bytes, which open provides.
func newImage(n, size int, open func(*Image) error) (*Image, error) {
	im := &Image{size: size, length: n, edge: (n + PageSize - 1) &^ (PageSize - 1)}
	err := fmt.Errorf("memory: an image of %d bytes for a memory of %d", n, size)
	if fits := n <= size && size%PageSize == 0; fits {
		err = open(im)
	}
	if err != nil {
		return nil, err
	}
	im.written = openWrittenPages()
	im.SetHot(nil)
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
	return im.differs(data, nil)
}

// differs looks only at the pages that are touched; nil: at all.
func (im *Image) differs(data []byte, touched []bool) int {
	for at := 0; at < im.size; at += PageSize {
		if touched != nil && !touched[at/PageSize] {
			continue
		}
		var page [PageSize]byte
		if at < len(im.content) {
			copy(page[:], im.content[at:])
		}
		if d := firstDifference(data[at:at+PageSize], page[:]); d >= 0 {
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

// SetHot says which pages are worth copying, ascending, because many programs
// write to them. Those beyond the end of memories are ignored. Memories that
// exist use it from their next Restore on.
func (im *Image) SetHot(pages []int) {
	gap := hotGap * PageSize
	if im.written != nil {
		gap = 0
	}
	im.hot, im.cold = nil, nil
	for _, page := range pages {
		at := page * PageSize
		if at >= im.size {
			break
		}
		if n := len(im.hot); n > 0 && at-im.hot[n-1].to <= gap && (im.hot[n-1].from < im.edge) == (at < im.edge) {
			im.hot[n-1].to = at + PageSize
		} else {
			im.hot = append(im.hot, span{at, at + PageSize})
		}
	}
	at := 0
	for _, s := range append(im.hot[:len(im.hot):len(im.hot)], span{im.size, im.size}) {
		for _, end := range [...]int{min(max(at, im.edge), s.from), s.from} {
			if at < end {
				im.cold = append(im.cold, span{at, end})
				at = end
			}
		}
		at = s.to
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
	found writtenSpans // room for what the system says
}

// NewMemory returns a memory that is as the image.
func (im *Image) NewMemory() (*Memory, error) {
	data, err := im.mapping()
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	return &Memory{image: im, data: data}, nil
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

// Written returns the pages that were written to since the last Restore, or
// since the memory was made, in ascending order. A page that a restore copies
// is always among them. Where the system does not say, which exact is false
// for, they are those that are not as in the image.
func (m *Memory) Written() (pages []int, exact bool) {
	compare := 0
	spans, exact := m.image.written.in(m.data, m.image.edge, &m.found)
	if exact {
		for _, s := range spans {
			for at := s.from; at < s.to; at += PageSize {
				pages = append(pages, at/PageSize)
			}
		}
		compare = m.image.edge
	}
	for at := compare; at < m.image.size; at += PageSize {
		var page [PageSize]byte
		if at < len(m.image.content) {
			copy(page[:], m.image.content[at:])
		}
		if !bytes.Equal(m.data[at:at+PageSize], page[:]) {
			pages = append(pages, at/PageSize)
		}
	}
	return pages, exact
}

// Differs returns the offset of the first byte that is not as in the image, or
// -1. Where the system says which pages it has given the memory so far, only
// those are read: the others are the file's or zero.
func (m *Memory) Differs() int { return m.image.differs(m.data, touchedPages(m.data)) }

// Restore makes every byte what it is in the image. No instance may run on the
// memory meanwhile.
func (m *Memory) Restore() error {
	if m.data == nil {
		return errors.New("memory: restored after it was freed")
	}
	im := m.image
	for _, s := range im.hot {
		n := 0
		if s.from < len(im.content) {
			n = copy(m.data[s.from:s.to], im.content[s.from:])
		}
		clear(m.data[s.from+n : s.to])
	}
	written, known := im.written.in(m.data, im.edge, &m.found)
	for _, s := range im.cold {
		if known && s.to <= im.edge {
			continue
		}
		if err := m.drop(s); err != nil {
			return err
		}
	}
	// What was written to, without what was copied.
	hot, passed, dropped := im.hot, 0, span{} // passed: where the last hot span ends that lies before s
	for _, s := range written {
		for s.from < s.to {
			for len(hot) > 0 && hot[0].to <= s.from {
				hot, passed = hot[1:], hot[0].to
			}
			end := s.to
			if len(hot) > 0 {
				end = min(end, max(s.from, hot[0].from))
			}
			switch {
			case end == s.from:
				s.from = hot[0].to
				continue
			case s.from-dropped.to <= dropGap*PageSize && passed <= dropped.to:
				dropped.to = end
			default:
				if err := m.drop(dropped); err != nil {
					return err
				}
				dropped = span{s.from, end}
			}
			s.from = end
		}
	}
	return m.drop(dropped)
}

func (m *Memory) drop(s span) error {
	if s.from == s.to {
		return nil
	}
	if err := m.image.drop(m.data, s); err != nil {
		return fmt.Errorf("memory: restoring %d to %d: %w", s.from, s.to, err)
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

// WriteFile writes an image's content to a new file. Pages of zeros stay holes,
// which take no room: of the pages of CPython's image they are half.
func WriteFile(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(writeSparse(file, content), file.Close())
}

// writeSparse writes content to a file that is empty.
func writeSparse(file *os.File, content []byte) error {
	if err := file.Truncate(int64(len(content))); err != nil {
		return err
	}
	var zero [PageSize]byte
	for at := 0; at < len(content); at += PageSize {
		page := content[at:min(at+PageSize, len(content))]
		if string(page) == string(zero[:len(page)]) {
			continue
		}
		if _, err := file.WriteAt(page, int64(at)); err != nil {
			return err
		}
	}
	return nil
}
