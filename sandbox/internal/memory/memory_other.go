//go:build !unix && !windows

package memory

// A backing is nothing here: memories are copies.
type backing struct{}

func (im *Image) open(content []byte) error {
	im.content = content
	return nil
}

// Close gives the image back. Its memories must have been freed.
func (im *Image) Close() error {
	im.written.close()
	im.content = nil
	return nil
}

func (im *Image) mapping() ([]byte, error) {
	data := make([]byte, im.size)
	copy(data, im.content)
	return data, nil
}

func (im *Image) drop(data []byte, s span) error {
	n := 0
	if s.from < len(im.content) {
		n = copy(data[s.from:s.to], im.content[s.from:])
	}
	clear(data[s.from+n : s.to])
	return nil
}

func (im *Image) unmap([]byte) {}
