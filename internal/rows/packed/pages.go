package packed

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A column chunk is a list of pages: perhaps a dictionary, then pages of data. The library decodes
// the headers of pages and the encodings by differences; see [column.values]. Its own reader of
// pages brings Protocol Buffers, geometries and hash tables into the binary, which are 6 MB and an
// eighth of the time of a start of any command. It also misreads some pages. Values are decoded one
// by one, when they are asked for, so a page that claims many takes no memory for them.

// A column gives the values of a leaf in a row group.
type column struct {
	name                   string // with the names of the fields around it
	used                   bool
	kind                   format.Type
	length                 int // of a FIXED_LEN_BYTE_ARRAY
	repetition, definition int // the highest levels

	left  int64 // values of the chunk that no page read so far has
	codec codec
	rest  *io.LimitedReader // the file from the next page on
	in    *bufio.Reader     // of rest
	body  []byte            // memory for a page

	dictionary []value
	page       page
	next       item
	has        bool // next is read
}

// An item is a value, or its absence, with its levels.
type item struct {
	repetition, definition int
	value                  value
}

// A value is one of a leaf. Its bytes are valid until the next page is read.
type value struct {
	kind   format.Type
	number uint64 // of BOOLEAN, INT32, INT64, FLOAT and DOUBLE: their bits
	bytes  []byte // of the others
}

// A page is a page of data.
type page struct {
	left                     int32 // items that were not read yet
	repetitions, definitions runs
	values                   values
}

// values are the values of a page that are not null.
type values interface {
	next() (value, error)
}

// errShort is the error of a page that ends too early.
var errShort = errors.New("expected a longer page")

// open begins to read a chunk of a file of size bytes.
func (c *column) open(file io.ReaderAt, size int64, chunk *format.ColumnMetaData) error {
	if chunk.Type != c.kind {
		return fmt.Errorf("expected values of type %s, found %s", c.kind, chunk.Type)
	}
	if c.codec = codecOf(chunk.Codec); c.codec == nil {
		return fmt.Errorf("expected a codec other than %s", chunk.Codec)
	}
	at := chunk.DataPageOffset
	if d := chunk.DictionaryPageOffset; d > 0 && d < at {
		at = d
	}
	if at < 0 || at > size {
		at = size
	}
	c.rest = &io.LimitedReader{R: io.NewSectionReader(file, at, size-at), N: size - at}
	if c.in == nil {
		c.in = bufio.NewReader(c.rest)
	}
	c.in.Reset(c.rest)
	c.left, c.dictionary, c.page, c.has = chunk.NumValues, nil, page{}, false
	return nil
}

func (c *column) fault(err error) error { return fmt.Errorf("column %s: %w", c.name, err) }

// peek returns the next item of the row group, or nil after the last.
func (c *column) peek() (*item, error) {
	if !c.has {
		for c.page.left == 0 {
			if c.left <= 0 {
				return nil, nil
			}
			if err := c.nextPage(); err != nil {
				return nil, c.fault(err)
			}
		}
		if err := c.read(&c.next); err != nil {
			return nil, c.fault(err)
		}
		c.has = true
	}
	return &c.next, nil
}

// take returns the next value, which must have these levels.
func (c *column) take(repetition, definition int) (value, error) {
	v, err := c.peek()
	if err == nil && v == nil {
		err = c.fault(errors.New("expected more values"))
	}
	if err != nil {
		return value{}, err
	}
	if v.repetition != repetition || v.definition != definition {
		return value{}, c.fault(fmt.Errorf("expected the levels %d and %d, found %d and %d", repetition, definition, v.repetition, v.definition))
	}
	c.has = false
	return v.value, nil
}

// read reads an item of the page.
func (c *column) read(to *item) (err error) {
	p := &c.page
	p.left--
	if to.repetition, err = p.repetitions.level(); err != nil {
		return fmt.Errorf("repetition levels: %w", err)
	}
	if to.definition, err = p.definitions.level(); err != nil {
		return fmt.Errorf("definition levels: %w", err)
	}
	if to.value = (value{}); to.definition == c.definition {
		to.value, err = p.values.next()
	}
	return err
}

// nextPage reads a page, of data or of a dictionary.
func (c *column) nextPage() error {
	var header format.PageHeader
	if err := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(c.in)).Decode(&header); err != nil {
		return fmt.Errorf("expected a page: %w", err)
	}
	size, left := int64(header.CompressedPageSize), c.rest.N+int64(c.in.Buffered())
	if size < 0 || header.UncompressedPageSize < 0 || size > left {
		return fmt.Errorf("expected a page of at most %d bytes, found one of %d and %d", left, size, header.UncompressedPageSize)
	}
	if int64(cap(c.body)) < size {
		c.body = make([]byte, size)
	}
	body := c.body[:size]
	if _, err := io.ReadFull(c.in, body); err != nil {
		return err
	}
	if header.CRC != 0 && crc32.ChecksumIEEE(body) != uint32(header.CRC) {
		return errors.New("expected a page with the checksum that it has, found another one")
	}
	switch v1, v2, d := header.DataPageHeader, header.DataPageHeaderV2, header.DictionaryPageHeader; {
	case header.Type == format.DictionaryPage && d.Valid:
		return c.readDictionary(&d.V, body, int(header.UncompressedPageSize))
	case header.Type == format.DataPage && v1.Valid:
		return c.version1(&v1.V, body, int(header.UncompressedPageSize))
	case header.Type == format.DataPageV2 && v2.Valid:
		return c.version2(&v2.V, body, int(header.UncompressedPageSize))
	}
	return fmt.Errorf("expected a page of data or a dictionary, found %s", header.Type)
}

// readDictionary reads the dictionary, whose values outlive the page.
func (c *column) readDictionary(header *format.DictionaryPageHeader, body []byte, size int) error {
	if c.dictionary != nil {
		return errors.New("expected one dictionary, found two")
	}
	//lint:ignore SA1019 old files have it
	if header.Encoding != format.Plain && header.Encoding != format.PlainDictionary {
		return fmt.Errorf("expected a dictionary in PLAIN, found %s", header.Encoding)
	}
	text, err := c.codec(body, size)
	if err != nil {
		return err
	}
	n := int(header.NumValues)
	if n < 0 || n > 8*len(text) {
		return fmt.Errorf("expected a dictionary of %d values, found %d bytes", n, len(text))
	}
	c.dictionary = []value{}
	for plain := c.plain(bytes.Clone(text)); len(c.dictionary) < n; {
		v, err := plain.next()
		if err != nil {
			return err
		}
		c.dictionary = append(c.dictionary, v)
	}
	return nil
}

// version1 begins a page whose levels are compressed with the values.
func (c *column) version1(header *format.DataPageHeader, body []byte, size int) error {
	text, err := c.codec(body, size)
	if err != nil {
		return err
	}
	levels := func(most int, encoding format.Encoding) (of runs, err error) {
		if most == 0 {
			return of, nil
		}
		if encoding != format.RLE {
			return of, fmt.Errorf("expected levels in RLE, found %s", encoding)
		}
		list, rest, err := prefixed(text)
		text = rest
		return levelsOf(list, most), err
	}
	repetitions, err := levels(c.repetition, header.RepetitionLevelEncoding)
	if err != nil {
		return fmt.Errorf("repetition levels: %w", err)
	}
	definitions, err := levels(c.definition, header.DefinitionLevelEncoding)
	if err != nil {
		return fmt.Errorf("definition levels: %w", err)
	}
	return c.begin(header.NumValues, repetitions, definitions, header.Encoding, text)
}

// version2 begins a page whose levels are not compressed.
func (c *column) version2(header *format.DataPageHeaderV2, body []byte, size int) error {
	r, d := int(header.RepetitionLevelsByteLength), int(header.DefinitionLevelsByteLength)
	if r < 0 || d < 0 || r > len(body) || d > len(body)-r || r+d > size {
		return fmt.Errorf("expected levels of at most %d bytes, found %d and %d", len(body), r, d)
	}
	repetitions, definitions, text := body[:r], body[r:r+d], body[r+d:]
	if size -= r + d; !header.IsCompressed.Valid || header.IsCompressed.V {
		var err error
		if text, err = c.codec(text, size); err != nil {
			return err
		}
	}
	return c.begin(header.NumValues, levelsOf(repetitions, c.repetition), levelsOf(definitions, c.definition), header.Encoding, text)
}

// begin begins a page of n items.
func (c *column) begin(n int32, repetitions, definitions runs, encoding format.Encoding, text []byte) error {
	if n < 0 || int64(n) > c.left {
		return errors.New("expected fewer values")
	}
	c.left -= int64(n)
	values, err := c.values(encoding, text)
	c.page = page{n, repetitions, definitions, values}
	return err
}

// prefixed cuts off bytes that stand after their number.
func prefixed(text []byte) (first, rest []byte, err error) {
	if len(text) < 4 {
		return nil, nil, errShort
	}
	n := int64(binary.LittleEndian.Uint32(text))
	if text = text[4:]; n > int64(len(text)) {
		return nil, nil, errShort
	}
	return text[:n], text[n:], nil
}
