package memory

import (
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"codelinter/internal/util/confine"
)

// A writtenPages finds the written pages of private mappings of a file: pages
// that are the process's own and no longer the file's. It asks Linux, from 6.7
// on, which reads its page tables. nil knows nothing.
type writtenPages struct{ pagemap *os.File }

// openWrittenPages returns nil if Linux does not report written pages.
func openWrittenPages() *writtenPages {
	file, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil
	}
	w := &writtenPages{file}
	if !w.work() {
		file.Close()
		return nil
	}
	return w
}

// work reports whether the kernel can tell a written page from one that was
// read, in a mapping like those of memories.
func (w *writtenPages) work() bool {
	file, err := anonymousFile()
	if err != nil {
		return false
	}
	defer file.Close()
	if file.Truncate(3*PageSize) != nil {
		return false
	}
	data, err := unix.Mmap(int(file.Fd()), 0, 3*PageSize, protection, unix.MAP_PRIVATE)
	if err != nil {
		return false
	}
	defer unix.Munmap(data)
	data[PageSize] = data[0] + data[2*PageSize]
	spans, ok := w.in(data, len(data), new(writtenSpans))
	return ok && len(spans) == 1 && spans[0] == span{PageSize, 2 * PageSize}
}

// close does nothing for nil.
func (w *writtenPages) close() {
	if w != nil {
		w.pagemap.Close()
	}
}

// A writtenSpans is memory for an answer.
type writtenSpans struct {
	regions [256]pageRegion
	spans   []span
}

// in returns the written spans of data[:size], ascending, valid until the next
// call with room. Of anonymous memory it returns all that was touched. ok is
// false if they are unknown.
func (w *writtenPages) in(data []byte, size int, room *writtenSpans) (spans []span, ok bool) {
	if w == nil {
		return nil, false
	}
	room.spans = room.spans[:0]
	first := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(data))))
	for at := 0; at < size; {
		arguments := &scanArguments{
			size:              uint64(unsafe.Sizeof(scanArguments{})),
			start:             first + uint64(at),
			end:               first + uint64(size),
			regions:           uint64(uintptr(unsafe.Pointer(&room.regions))),
			regionsLength:     uint64(len(room.regions)),
			categoryInverted:  pageIsFile,
			categoryMask:      pageIsFile,
			categoryAnyofMask: pageIsPresent | pageIsSwapped,
			returnedMask:      pageIsFile,
		}
		n, _, errno := unix.Syscall(unix.SYS_IOCTL, w.pagemap.Fd(), confine.PagemapScan, uintptr(unsafe.Pointer(arguments)))
		runtime.KeepAlive(room)
		end := int(arguments.walkEnd - first)
		if errno != 0 || end <= at || int(n) > len(room.regions) {
			return nil, false
		}
		for _, r := range room.regions[:n] {
			room.spans = append(room.spans, span{int(r.start - first), int(r.end - first)})
		}
		at = end
	}
	return room.spans, true
}

// A scanArguments is a struct pm_scan_arg. Its size is part of PagemapScan.
type scanArguments struct {
	size, flags                                                     uint64
	start, end, walkEnd                                             uint64
	regions, regionsLength, maxPages                                uint64
	categoryInverted, categoryMask, categoryAnyofMask, returnedMask uint64
}

// A pageRegion is a struct page_region: a range of addresses whose pages have
// the requested categories.
type pageRegion struct{ start, end, _ uint64 }

// Categories of pages.
const (
	pageIsFile    = 1 << 2
	pageIsPresent = 1 << 3
	pageIsSwapped = 1 << 4
)
