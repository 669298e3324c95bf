package sandbox

import (
	"os"

	"codelinter/internal/util/faults"
)

// injectFaults does to a child what a plan of faults says. Without a plan it does nothing.
func (p *process) injectFaults() {
	if faults.Hit(faults.Kill) {
		p.kill()
	}
	if faults.Hit(faults.Cut) {
		p.in.Close()
	}
	if faults.Hit(faults.Cut) {
		p.out.Close()
	}
	if p.image.path != "" && faults.Hit(faults.Corrupt) {
		damage(p.image.path)
	}
}

// damage changes a page of an image that each program reads.
func damage(path string) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return
	}
	page := make([]byte, os.Getpagesize())
	for at := int64(0); at < info.Size(); at += 64 * int64(len(page)) {
		if n, _ := file.ReadAt(page, at); n > 0 {
			page[n/2] ^= 0xff
			file.WriteAt(page[:n], at)
		}
	}
}
