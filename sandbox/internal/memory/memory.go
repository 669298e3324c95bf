// Package memory has the linear memory of a WebAssembly instance, and restores
// it to its content before a program ran.
//
// A booted interpreter has 20 to 30 MB of state, of which a program changes
// some 50 to 150 pages. If the system can map a file privately, all memories of
// an [Image] share its pages until they write to them. Restoring drops the
// written pages, which the system knows exactly, so none is missed.
//
// The next program must fault in the dropped pages again, which takes four
// times as long as copying a page. So pages that many programs write to are
// copied. If Linux says which pages are no longer the file's, only those are
// dropped, so that pages which were only read stay mapped, and each memory
// learns which pages its own programs write to. Elsewhere those are copied that
// typical programs write to ([Image.SetHot]); [Memory.Written] finds them when
// an image is made. A page is always either copied or dropped: hot pages change
// the time of a restore, not its result.
package memory

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
)

// PageSize is the size in bytes of the pages that may be hot.
const PageSize = 4096

// hotGap is the largest number of pages between two hot ones that are copied
// with them, if everything between ranges must be dropped: a call of madvise
// costs as much as copying them.
const hotGap = 8

// dropGap is the largest number of pages between two written ones that are
// dropped with them: a call of madvise costs as much as the next program's page
// faults for them.
const dropGap = 4

// Bounds of learning which pages are hot. Whether a page that is copied was written, nobody says. So
// all are dropped now and then, and learned anew. For the programs of a judge, 0.85 of the time of a
// run and its restore is left, compared with the pages of typical programs.
const (
	maxHot         = 512     // pages
	hotShare       = 4       // a page is hot if one of so many programs writes to it
	hotFor         = 64      // restores until it must be learned anew
	hotBeyond      = 8 << 20 // bytes behind the image's content in which pages can be hot
	isHot     byte = 255     // in Memory.heat
)

// An Image is the initial content of memories, to which they are restored.
// After SetHot it is immutable and safe for concurrent use.
type Image struct {
	size    int    // of a memory, in bytes
	length  int    // of content
	content []byte // initial content of a memory; the rest is zero
	edge    int    // end of the content's pages
	backing backing
	written *writtenPages // nil: unknown on this system
	hot     []span        // if written is nil; ascending and disjoint; none crosses edge
}

// A span is a range of bytes between multiples of PageSize.
type span struct{ from, to int }

// NewImage returns the image of memories of size bytes that begin with content;
// the rest is zero. It keeps content only if the system cannot map files.
func NewImage(content []byte, size int) (*Image, error) {
	return newImage(len(content), size, func(im *Image) error { return im.open(content) })
}

// MapImage returns the image of memories of size bytes that begin with the
// content of a file, perhaps one from [WriteFile]; the rest is zero. Pages are
// read on demand, and processes that map the same file share them. The file
// must not change any more, but may be removed.
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

// newImage returns an image whose content has n bytes. open provides the
// content.
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

// SetHot sets the pages to copy, ascending, where the system does not report
// written pages: those that many programs write to. Pages beyond the end of
// memories are ignored. Existing memories use them from their next Restore on.
func (im *Image) SetHot(pages []int) {
	im.hot = nil
	for _, page := range pages {
		im.hot = im.appendHot(im.hot, page*PageSize, hotGap*PageSize)
	}
}

// appendHot appends a page to hot ones, with what is between if that is at most gap bytes.
func (im *Image) appendHot(hot []span, at, gap int) []span {
	switch n := len(hot); {
	case at >= im.size:
	case n > 0 && at-hot[n-1].to <= gap && (hot[n-1].from < im.edge) == (at < im.edge):
		hot[n-1].to = at + PageSize
	default:
		hot = append(hot, span{at, at + PageSize})
	}
	return hot
}

// A Memory is a linear memory. It implements wazero's
// experimental.LinearMemory.
type Memory struct {
	image *Image
	data  []byte
	found writtenSpans // for the system's answers

	// What was learned of pages.
	hot      []span // to copy, as in Image
	heat     []byte // of each page: how many restores have found it written since the last that dropped all, or isHot
	hotPages int
	restores int // since the last that dropped all
}

// NewMemory returns a memory with the image's content.
func (im *Image) NewMemory() (*Memory, error) {
	data, err := im.mapping()
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	return &Memory{image: im, data: data}, nil
}

// Bytes returns the content of the memory, which a running instance may change
// at any time.
func (m *Memory) Bytes() []byte { return m.data }

// Reallocate returns the first size bytes, or nil if the memory is smaller.
func (m *Memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.data)) {
		return nil
	}
	return m.data[:size:size]
}

// Written returns the pages that were written since the last Restore or since
// the memory was made, in ascending order. It includes all pages that a restore
// copies. If the system does not report written pages, exact is false, and the
// pages are those that differ from the image.
//
// Beyond the file, the system reports pages that were read as well, so these are
// compared with zeros. The others are not read: each would cost a page fault, and
// a memory has some 30,000.
func (m *Memory) Written() (pages []int, exact bool) {
	im := m.image
	spans, exact := im.written.in(m.data, im.size, &m.found)
	if !exact {
		spans = []span{{0, im.size}}
	}
	for _, s := range spans {
		for at := s.from; at < s.to; at += PageSize {
			if exact && at < im.edge || m.changed(at) {
				pages = append(pages, at/PageSize)
			}
		}
	}
	return pages, exact
}

// changed reports whether the page at an offset differs from the image's.
func (m *Memory) changed(at int) bool {
	var page [PageSize]byte
	if at < len(m.image.content) {
		copy(page[:], m.image.content[at:])
	}
	return !bytes.Equal(m.data[at:at+PageSize], page[:])
}

// Restore restores every byte to the image's. No instance may run on the memory
// meanwhile.
func (m *Memory) Restore() error {
	if m.data == nil {
		return errors.New("memory: restored after it was freed")
	}
	im := m.image
	hot := im.hot
	spans, known := []span(nil), false
	if m.restores == hotFor {
		m.forget()
		hot = nil
	} else if spans, known = im.written.in(m.data, min(im.size, im.edge+hotBeyond), &m.found); known {
		hot = m.learn(spans)
	}
	if !known {
		spans = []span{{0, im.edge}}
	}
	for _, s := range hot {
		n := 0
		if s.from < len(im.content) {
			n = copy(m.data[s.from:s.to], im.content[s.from:])
		}
		clear(m.data[s.from+n : s.to])
	}
	for len(spans) > 0 && spans[len(spans)-1].to > im.edge {
		last := &spans[len(spans)-1]
		if last.to = im.edge; last.from < im.edge {
			break
		}
		spans = spans[:len(spans)-1]
	}
	spans = append(spans, span{im.edge, im.size}) // beyond the file, Linux does not say what was written
	// Drop the spans without the copied ones.
	passed, dropped := 0, span{} // passed: end of the last hot span before s
	for _, s := range spans {
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
			case s.from-dropped.to <= dropGap*PageSize && passed <= dropped.to && s.from != im.edge:
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

// forget begins to learn anew. The restore that calls it drops all pages, also those that were only
// read: Linux looks at each page that is mapped, 20 ns for each, to say which were written.
func (m *Memory) forget() {
	clear(m.heat)
	m.hot, m.hotPages, m.restores = nil, 0, 0
}

// learn returns the pages to copy, which a restore has found in these spans.
func (m *Memory) learn(written []span) []span {
	if m.heat == nil {
		m.heat = make([]byte, min(m.image.size, m.image.edge+hotBeyond)/PageSize)
	}
	m.restores++
	known := m.hotPages
	for _, s := range written {
		for page := s.from / PageSize; page < s.to/PageSize && m.hotPages < maxHot; page++ {
			heat := &m.heat[page]
			if *heat == isHot || page*PageSize >= m.image.edge && !m.changed(page*PageSize) { // perhaps only read
				continue
			}
			*heat++
			if m.restores == 1 || *heat > 1 && hotShare*int(*heat) >= m.restores {
				*heat = isHot
				m.hotPages++
			}
		}
	}
	if m.hotPages > known {
		m.hot = m.hot[:0]
		for page, heat := range m.heat {
			if heat == isHot {
				m.hot = m.image.appendHot(m.hot, page*PageSize, 0)
			}
		}
	}
	return m.hot
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

// Free frees the memory. Its bytes must not be used afterwards.
func (m *Memory) Free() {
	if m.data != nil {
		m.image.unmap(m.data)
		m.data = nil
	}
}

// WriteFile writes an image's content to a new file. Pages of zeros, half of
// CPython's image, become holes and take no space.
func WriteFile(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(writeSparse(file, content), file.Close())
}

// writeSparse writes content to a file that is empty, a call of the system for each stretch
// between holes: one for each page took a third of the time of saving a program.
func writeSparse(file *os.File, content []byte) error {
	if err := file.Truncate(int64(len(content))); err != nil {
		return err
	}
	for at := 0; at < len(content); {
		from := at
		for at < len(content) && !isHole(content[at:]) {
			at += PageSize
		}
		if at = min(at, len(content)); from < at {
			if _, err := file.WriteAt(content[from:at], int64(from)); err != nil {
				return err
			}
		}
		for at < len(content) && isHole(content[at:]) {
			at += PageSize
		}
	}
	return nil
}

// isHole reports whether the first page of content is zero.
func isHole(content []byte) bool {
	var zero [PageSize]byte
	page := content[:min(PageSize, len(content))]
	return string(page) == string(zero[:len(page)])
}
