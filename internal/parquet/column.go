package parquet

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
)

// A column reads the pages of one column chunk after another, and in them the levels
// and values one at a time.
type column struct {
	element *element
	kind    kind
	highest [2]int // repetition and definition level
	unused  bool   // nobody asks for its values

	memory *memory
	chunk  chunk
	left   int64 // values of the chunk, nulls included, in pages to come

	// The file from at on, as far as it was read.
	at     int64
	window []byte
	read   []byte // of window, what is not yet taken

	page       []byte // decompressed
	inPage     int32  // values of the page not yet looked at
	levels     [2]hybrid
	values     decoder
	dictionary *dictionary
	entries    []byte // memory of the dictionary

	// The value at hand, if there is one.
	ready                  bool
	repetition, definition int
}

// window sizes, in bytes: how much is read at once, and how long the header of a page
// may be, which has the least and greatest of its values.
const (
	readAhead = 64 << 10
	maxHeader = 16 << 20
)

func newColumn(e *element) *column {
	return &column{element: e, kind: e.kind, highest: [2]int{e.repetitionLevel, e.definition}}
}

// open turns to a chunk.
func (c *column) open(chunk chunk) error {
	switch {
	case chunk.values == 0: // some writers give no place
	case chunk.away:
		return errors.New("expected pages in the file itself, found the name of another")
	case !chunk.known:
		return errors.New("expected the place of its pages, found none: it may be encrypted")
	case chunk.kind != c.kind:
		return fmt.Errorf("expected %s as in the schema, found %s", c.kind, chunk.kind)
	case chunk.values < 0 || chunk.size < 0 || chunk.at < int64(len(magic)) || chunk.at > c.memory.end:
		return errors.New("expected the place of its pages in the file, found another")
	}
	c.chunk, c.left, c.at = chunk, chunk.values, chunk.at
	c.read = c.read[:0]
	c.inPage, c.ready = 0, false
	c.dictionary, c.values = nil, nil
	return nil
}

// peek looks at the next value. There is none if ready is false after it.
func (c *column) peek() error {
	if c.ready {
		return nil
	}
	for c.inPage == 0 {
		if c.left == 0 {
			return nil
		}
		if err := c.nextPage(); err != nil {
			return c.fault(err)
		}
	}
	c.inPage--
	c.repetition, c.definition = 0, 0
	for i, level := range [2]*int{&c.repetition, &c.definition} {
		if c.highest[i] == 0 {
			continue
		}
		found, err := c.levels[i].next()
		if err == nil && int(found) > c.highest[i] {
			err = fmt.Errorf("expected levels of %d at most, found %d", c.highest[i], found)
		}
		if err != nil {
			return c.fault(err)
		}
		*level = int(found)
	}
	c.ready = true
	return nil
}

// take passes to what comes after the value at hand, which must have these levels.
func (c *column) take(repetition, definition int) error {
	switch err := c.peek(); {
	case err != nil:
		return err
	case !c.ready:
		return c.fault(errors.New("expected more values"))
	case c.repetition != repetition || c.definition != definition:
		return c.fault(fmt.Errorf("expected a value of levels %d and %d, as the columns beside it have, found %d and %d", repetition, definition, c.repetition, c.definition))
	}
	c.ready = false
	return nil
}

func (c *column) fault(err error) error { return fmt.Errorf("column %s: %w", c.element, err) }

// need returns the next n bytes of the file, valid until it is called again.
func (c *column) need(n int) ([]byte, error) {
	if len(c.read) >= n {
		return c.read[:n], nil
	}
	from := c.at + int64(len(c.read))
	if int64(n-len(c.read)) > c.memory.end-from {
		return nil, fmt.Errorf("expected %d bytes more in the file, found %d", n-len(c.read), c.memory.end-from)
	}
	ahead := min(readAhead, c.chunk.at+c.chunk.size-c.at, c.memory.end-c.at)
	size := max(n, int(ahead))
	held := len(c.read)
	window := c.window[:cap(c.window)]
	if len(window) < size {
		var err error
		if window, err = c.memory.grow(window, size); err != nil {
			return nil, err
		}
	}
	copy(window, c.read)
	c.window = window
	c.read = window[:size]
	if err := readAt(c.memory.file, window[held:size], from); err != nil {
		c.read = c.read[:held]
		return nil, err
	}
	return c.read[:n], nil
}

// pass passes over bytes that need returned.
func (c *column) pass(n int) {
	c.read = c.read[n:]
	c.at += int64(n)
}

// header reads the header of a page.
func (c *column) header() (pageHeader, error) {
	for n := 256; ; n *= 4 {
		n = min(max(n, len(c.read)), maxHeader)
		whole := int64(n) >= c.memory.end-c.at
		if whole {
			n = int(c.memory.end - c.at)
		}
		data, err := c.need(n)
		if err != nil {
			return pageHeader{}, err
		}
		header, length, err := readPageHeader(data)
		if err == errShort && !whole && n < maxHeader {
			continue
		}
		if err == nil {
			c.pass(length)
		}
		return header, err
	}
}

// nextPage reads the next page with values, and the dictionary before it.
func (c *column) nextPage() error {
	header, err := c.header()
	if err != nil {
		return fmt.Errorf("header of a page: %w", err)
	}
	packed, err := c.need(int(header.compressed))
	if err != nil {
		return err
	}
	defer c.pass(len(packed))
	if header.checked && crc32.ChecksumIEEE(packed) != header.checksum {
		return errors.New("expected a page with the checksum in its header, found another")
	}
	switch header.kind {
	case dictionaryPage:
		return c.openDictionary(&header, packed)
	case dataPage, dataPageV2:
		if int64(header.values) > c.left {
			return fmt.Errorf("expected %d values at most, found a page of %d", c.left, header.values)
		}
		if header.kind == dataPage {
			err = c.openPage(&header, packed)
		} else {
			err = c.openPageV2(&header, packed)
		}
		if err != nil {
			return err
		}
		c.left -= int64(header.values)
		c.inPage = header.values
	}
	return nil // other kinds are passed over
}

// unpack decompresses a page into memory that it may reuse.
func (c *column) unpack(memory *[]byte, packed []byte, size int) ([]byte, error) {
	if c.chunk.codec == codecNone {
		if size != len(packed) {
			return nil, errSize
		}
		return packed, nil
	}
	if size == 0 {
		return nil, nil // LZ4's assembly writes to memory that is not there
	}
	if cap(*memory) < size {
		var err error
		if *memory, err = c.memory.grow(*memory, size); err != nil {
			return nil, err
		}
	}
	*memory = (*memory)[:size]
	return *memory, c.memory.decompressor.decompress(c.chunk.codec, *memory, packed)
}

func (c *column) openDictionary(header *pageHeader, packed []byte) error {
	if c.dictionary != nil || c.values != nil {
		return errors.New("expected one dictionary before all values, found another")
	}
	if header.encoding != encodingPlain && header.encoding != encodingPlainDictionary || c.kind == kindBoolean {
		return fmt.Errorf("expected a dictionary in PLAIN, found %s of %s", header.encoding, c.kind)
	}
	data, err := c.unpack(&c.entries, packed, int(header.uncompressed))
	if err != nil {
		return err
	}
	if c.chunk.codec == codecNone {
		// The bytes at hand are read over.
		if c.entries, err = c.memory.grow(c.entries[:0], len(data)); err != nil {
			return err
		}
		copy(c.entries, data)
		data = c.entries
	}
	c.dictionary, err = newDictionary(data, c.size(), int(header.values))
	return err
}

// openPage opens a data page of version 1: levels and values are compressed together.
func (c *column) openPage(header *pageHeader, packed []byte) error {
	data, err := c.unpack(&c.page, packed, int(header.uncompressed))
	if err != nil {
		return err
	}
	encodings := [2]encoding{header.repetitions, header.definitions}
	for i, highest := range c.highest {
		if highest == 0 {
			continue
		}
		width := bits.Len(uint(highest))
		var levels []byte
		switch encodings[i] {
		case encodingRLE:
			if levels, data, err = prefixed(data); err != nil {
				return err
			}
			c.levels[i] = hybrid{data: levels, width: width}
		case encodingBitPacked:
			n := (int64(header.values)*int64(width) + 7) / 8
			if n > int64(len(data)) {
				return errValues
			}
			c.levels[i] = hybrid{data: data[:n], width: width, packed: int(header.values), most: true}
			data = data[n:]
		default:
			return fmt.Errorf("expected an encoding of levels, found %s", encodings[i])
		}
	}
	c.values, err = c.newDecoder(header.encoding, data)
	return err
}

// openPageV2 opens a data page of version 2: its levels are not compressed.
func (c *column) openPageV2(header *pageHeader, packed []byte) error {
	size := int64(header.uncompressed)
	for i, highest := range c.highest {
		n := header.levels[i]
		if int64(n) > int64(len(packed)) || int64(n) > size {
			return fmt.Errorf("expected levels of %d bytes in the page, found %d", n, len(packed))
		}
		if highest > 0 {
			c.levels[i] = hybrid{data: packed[:n], width: bits.Len(uint(highest))}
		}
		packed = packed[n:]
		size -= int64(n)
	}
	var data []byte
	switch {
	case size == 0: // all values are null
	case !header.plain:
		var err error
		if data, err = c.unpack(&c.page, packed, int(size)); err != nil {
			return err
		}
	case size == int64(len(packed)):
		data = packed
	default:
		return errSize
	}
	var err error
	c.values, err = c.newDecoder(header.encoding, data)
	return err
}

// memory is what all columns share: the file, and a bound on what they hold of it.
type memory struct {
	file         io.ReaderAt
	end          int64 // of the pages
	left         int64 // bytes that may still be allocated
	limit        int64
	decompressor decompressor
}

func newMemory(file io.ReaderAt, size, end int64) *memory {
	const least, times, most = 64 << 20, 16, 2 << 30
	limit := int64(most)
	if size < (most-least)/times {
		limit = least + size*times
	}
	return &memory{file: file, end: end, left: limit, limit: limit}
}

// grow returns memory of a size in place of old.
func (m *memory) grow(old []byte, size int) ([]byte, error) {
	if size <= cap(old) {
		return old[:size], nil
	}
	// The bits of a page are counted in an int.
	if m.left += int64(cap(old)); int64(size) > m.left || size > math.MaxInt/16 {
		return nil, fmt.Errorf("expected pages of which %d MiB are enough to hold those that are read at once, found larger ones", m.limit>>20)
	}
	m.left -= int64(size)
	return make([]byte, size), nil
}
