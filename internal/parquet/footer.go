package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// maxFooter bounds the footer, which is held while the file is read. Those of large
// files have some MB.
const maxFooter = 256 << 20

// readFooter returns the file's metadata as Thrift, and where it begins.
func readFooter(file io.ReaderAt, size int64) (footer []byte, at int64, err error) {
	// The file ends with the metadata, its length in 4 bytes, and PAR1 again.
	var ends [len(magic) + 4 + len(magic)]byte
	if size < int64(len(ends)) {
		return nil, 0, fmt.Errorf("expected %d bytes at least, found %d", len(ends), size)
	}
	if err := readAt(file, ends[:4], 0); err != nil {
		return nil, 0, err
	}
	if err := readAt(file, ends[4:], size-8); err != nil {
		return nil, 0, err
	}
	if string(ends[:4]) != magic || string(ends[8:]) != magic {
		return nil, 0, fmt.Errorf("expected %s at both ends, found %q and %q", magic, ends[:4], ends[8:])
	}
	length := int64(binary.LittleEndian.Uint32(ends[4:]))
	if length > size-int64(len(ends)) || length > maxFooter {
		return nil, 0, fmt.Errorf("expected a footer of %d bytes at most, found one of %d", min(size-int64(len(ends)), maxFooter), length)
	}
	footer = make([]byte, length)
	at = size - 8 - length
	return footer, at, readAt(file, footer, at)
}

// readAt fills data from a place in a file.
func readAt(file io.ReaderAt, data []byte, at int64) error {
	n, err := file.ReadAt(data, at)
	switch {
	case n == len(data):
		return nil
	case err == nil || err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

var (
	errManyFields  = fmt.Errorf("expected a schema of %d fields at most", maxElements)
	errManyColumns = fmt.Errorf("expected %d columns at most", maxElements)
)

// metadata is what a footer says of the whole file.
type metadata struct {
	elements []*element
	groups   []byte // the row groups that are left to read, as Thrift
	count    int    // how many these are
}

// readMetadata reads a FileMetaData. The row groups stay as they are written, to be
// read one after another: a list of millions takes no memory.
func readMetadata(footer []byte) (m metadata, err error) {
	t := &thriftReader{data: footer}
	t.structure(func(id int, kind byte) {
		switch id {
		case 2:
			t.structures(kind, errManyFields, func() { m.elements = append(m.elements, readElement(t)) })
		case 4:
			m.count = t.structureCount(kind)
			m.groups = t.data[t.at:]
			for i := 0; i < m.count && t.err == nil; i++ {
				t.skip(thriftStruct)
			}
		case 8:
			t.fail(errors.New("expected a file that is not encrypted"))
		default:
			t.skip(kind)
		}
	})
	if t.err != nil {
		return metadata{}, fmt.Errorf("footer: %w", t.err)
	}
	if len(m.elements) == 0 {
		return metadata{}, errors.New("footer: expected a schema")
	}
	return m, nil
}

// A rowGroup is one that is about to be read.
type rowGroup struct {
	rows   int64
	chunks []chunk
}

// A chunk is where a column's pages of a row group are.
type chunk struct {
	kind   kind
	codec  codec
	values int64 // nulls included
	at     int64 // of the first page
	size   int64 // of all pages
	known  bool  // whether the file says anything of it
	away   bool  // whether it is in another file
}

// nextGroup reads the next RowGroup into group, whose memory it uses.
func (m *metadata) nextGroup(group *rowGroup) error {
	t := &thriftReader{data: m.groups}
	m.count--
	*group = rowGroup{chunks: group.chunks[:0]}
	t.structure(func(id int, kind byte) {
		switch id {
		case 1:
			t.structures(kind, errManyColumns, func() { group.chunks = append(group.chunks, readChunk(t)) })
		case 3:
			group.rows = t.int64(kind)
		default:
			t.skip(kind)
		}
	})
	m.groups = t.data[t.at:]
	if t.err == nil && group.rows < 0 {
		t.fail(fmt.Errorf("expected a number of rows, found %d", group.rows))
	}
	return t.err
}

// readChunk reads a ColumnChunk.
func readChunk(t *thriftReader) (c chunk) {
	var dictionary int64
	t.structure(func(id int, kind byte) {
		switch id {
		case 1:
			c.away = len(t.binary(kind)) > 0
		case 3:
			c.known = true
			t.expect(kind, thriftStruct)
			t.structure(func(id int, kind byte) {
				switch id {
				case 1:
					c.kind = physical(t.int32(kind))
				case 4:
					c.codec = codec(t.int32(kind))
				case 5:
					c.values = t.int64(kind)
				case 7:
					c.size = t.int64(kind)
				case 9:
					c.at = t.int64(kind)
				case 11:
					dictionary = t.int64(kind)
				default:
					t.skip(kind)
				}
			})
		default:
			t.skip(kind)
		}
	})
	// Some writers say 0 where there is no dictionary, or where it comes first.
	if dictionary > 0 && dictionary < c.at {
		c.at = dictionary
	}
	return c
}

// A pageHeader says what the page after it holds.
type pageHeader struct {
	kind         pageKind
	compressed   int32 // bytes in the file
	uncompressed int32 // bytes after decompression
	checksum     uint32
	checked      bool // whether there is a checksum
	values       int32
	encoding     encoding
	definitions  encoding // of levels, in a data page of version 1
	repetitions  encoding
	levels       [2]int32 // bytes of repetition and definition levels, in version 2
	plain        bool     // whether version 2 says that values are not compressed
}

// readPageHeader reads a PageHeader, which is n bytes long. The error is errShort if
// data does not have all of it.
func readPageHeader(data []byte) (h pageHeader, n int, err error) {
	t := &thriftReader{data: data}
	h.kind = -1
	t.structure(func(id int, kind byte) {
		switch id {
		case 1:
			h.kind = pageKind(t.int32(kind))
		case 2:
			h.uncompressed = t.int32(kind)
		case 3:
			h.compressed = t.int32(kind)
		case 4:
			h.checksum, h.checked = uint32(t.int32(kind)), true
		case 5, 7, 8:
			t.expect(kind, thriftStruct)
			t.structure(func(field int, kind byte) {
				switch {
				case field == 1:
					h.values = t.int32(kind)
				case id == 5 && field == 2, id == 7 && field == 2, id == 8 && field == 4:
					h.encoding = encoding(t.int32(kind))
				case id == 5 && field == 3:
					h.definitions = encoding(t.int32(kind))
				case id == 5 && field == 4:
					h.repetitions = encoding(t.int32(kind))
				case id == 8 && field == 5:
					h.levels[1] = t.int32(kind)
				case id == 8 && field == 6:
					h.levels[0] = t.int32(kind)
				case id == 8 && field == 7:
					h.plain = !t.bool(kind)
				default:
					t.skip(kind)
				}
			})
		default:
			t.skip(kind)
		}
	})
	if t.err != nil {
		return h, 0, t.err
	}
	if h.compressed < 0 || h.uncompressed < 0 || h.values < 0 || h.levels[0] < 0 || h.levels[1] < 0 {
		return h, 0, errors.New("expected sizes, found negative numbers")
	}
	return h, t.at, nil
}
