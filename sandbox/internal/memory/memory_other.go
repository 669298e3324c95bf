//go:build !unix && !windows

package memory

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
