package memory

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

func (im *Image) mapping() ([]byte, error) {
	address, err := windows.VirtualAlloc(0, uintptr(im.size), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	data := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&address))), im.size)
	copy(data, im.content)
	return data, nil
}

// drop returns pages beyond the image's content to the system, which replaces them
// by zeros. So a restore costs as much as the program touched, not the whole size.
func (im *Image) drop(data []byte, s span) error {
	if s.from < im.edge {
		n := copy(data[s.from:s.to], im.content[s.from:])
		clear(data[s.from+n : s.to])
		return nil
	}
	address, size := uintptr(unsafe.Pointer(&data[s.from])), uintptr(s.to-s.from)
	if err := windows.VirtualFree(address, size, windows.MEM_DECOMMIT); err != nil {
		return err
	}
	_, err := windows.VirtualAlloc(address, size, windows.MEM_COMMIT, windows.PAGE_READWRITE)
	return err
}

func (im *Image) unmap(data []byte) {
	windows.VirtualFree(uintptr(unsafe.Pointer(&data[0])), 0, windows.MEM_RELEASE)
}
