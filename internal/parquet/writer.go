package parquet

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"reflect"

	"github.com/klauspost/compress/snappy"
)

// groupSize is the number of bytes of values at which a row group ends.
const groupSize = 16 << 20

// Write writes a file of rows, which are structs whose fields are strings, int64s,
// structs of such, or slices of structs of such. Columns are called as the fields' tags
// for JSON say; a slice is a LIST, as parquet-format's LogicalTypes.md has it. Nothing is
// null. Each row group is of 16 MiB and the row that passes that, and each of its columns
// a page of version 1 in PLAIN, compressed by Snappy.
//
// The error is w's, or that of a row whose values are too long for a page (2 GiB). Write
// panics of a Row of another type.
func Write[Row any](w io.Writer, rows iter.Seq[Row]) error {
	f := &fileWriter{w: w}
	root := f.field("schema", reflect.TypeFor[Row](), 0, 0, nil)
	f.write([]byte(magic))
	for row := range rows {
		root.add(reflect.ValueOf(row), 0, 0)
		f.rows++
		size := 0
		for _, c := range f.columns {
			size += len(c.values)
		}
		if size >= groupSize {
			f.flush()
		}
		if f.err != nil {
			return f.err
		}
	}
	f.flush()
	footer := f.footer(root)
	f.write(footer)
	f.write(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))))
	f.write([]byte(magic))
	return f.err
}

// A fileWriter has what is known of a file while it is written.
type fileWriter struct {
	w       io.Writer
	err     error
	at      int64
	columns []*columnWriter
	rows    int64 // of the group
	groups  []writtenGroup
}

type writtenGroup struct {
	rows   int64
	chunks []writtenChunk // of all columns
}

type writtenChunk struct {
	at               int64
	values           int64
	packed, unpacked int64 // bytes, with the header
}

func (f *fileWriter) write(data []byte) {
	if f.err == nil {
		_, f.err = f.w.Write(data)
		f.at += int64(len(data))
	}
}

// A fieldWriter writes a field of the rows.
type fieldWriter struct {
	name    string
	fields  []*fieldWriter // of a struct, in its order
	item    *fieldWriter   // of a list
	column  *columnWriter  // of a leaf
	columns []*columnWriter
	highest [2]int // repetition and definition level of the items
}

// A columnWriter has what a column has of the group.
type columnWriter struct {
	path    []string
	kind    kind
	highest [2]int
	levels  [2][]byte // one each, before their encoding
	values  []byte
}

// field returns the writer of a field at these levels, and adds its columns to the file.
func (f *fileWriter) field(name string, row reflect.Type, repetition, definition int, path []string) *fieldWriter {
	w := &fieldWriter{name: name, highest: [2]int{repetition, definition}}
	first := len(f.columns)
	switch row.Kind() {
	case reflect.Struct:
		for i := range row.NumField() {
			name := row.Field(i).Tag.Get("json")
			w.fields = append(w.fields, f.field(name, row.Field(i).Type, repetition, definition, append(path[:len(path):len(path)], name)))
		}
	case reflect.Slice:
		w.highest = [2]int{repetition + 1, definition + 1}
		w.item = f.field("element", row.Elem(), repetition+1, definition+1, append(path[:len(path):len(path)], "list", "element"))
	case reflect.String, reflect.Int64:
		w.column = &columnWriter{path: path, kind: kindInt64, highest: w.highest}
		if row.Kind() == reflect.String {
			w.column.kind = kindByteArray
		}
		f.columns = append(f.columns, w.column)
	default:
		panic(fmt.Sprintf("expected a struct, a slice, a string or an int64, found %v", row))
	}
	w.columns = f.columns[first:]
	return w
}

// add adds a value of a row at these levels.
func (w *fieldWriter) add(value reflect.Value, repetition, definition int) {
	switch {
	case w.column != nil:
		w.column.level(repetition, definition)
		if w.column.kind == kindInt64 {
			w.column.values = binary.LittleEndian.AppendUint64(w.column.values, uint64(value.Int()))
			return
		}
		text := value.String()
		w.column.values = binary.LittleEndian.AppendUint32(w.column.values, uint32(len(text)))
		w.column.values = append(w.column.values, text...)
	case w.item == nil:
		for i, field := range w.fields {
			field.add(value.Field(i), repetition, definition)
		}
	case value.Len() == 0:
		for _, c := range w.columns {
			c.level(repetition, definition)
		}
	default:
		for i := range value.Len() {
			w.item.add(value.Index(i), repetition, definition+1)
			repetition = w.highest[0]
		}
	}
}

func (c *columnWriter) level(repetition, definition int) {
	c.levels[0] = append(c.levels[0], byte(repetition))
	c.levels[1] = append(c.levels[1], byte(definition))
}

// flush writes the rows that were added as a group.
func (f *fileWriter) flush() {
	if f.rows == 0 || f.err != nil {
		return
	}
	group := writtenGroup{rows: f.rows}
	for _, c := range f.columns {
		var page []byte
		for i, highest := range c.highest {
			if highest > 0 {
				page = appendLevels(page, c.levels[i])
			}
		}
		page = append(page, c.values...)
		packed := snappy.Encode(nil, page)
		if len(page) > math.MaxInt32 || len(packed) > math.MaxInt32 {
			f.err = fmt.Errorf("column %q: expected rows of 2 GiB at most, found a longer one", c.path)
			return
		}
		header := pageHead(len(c.levels[0]), len(page), packed)
		group.chunks = append(group.chunks, writtenChunk{
			at:       f.at,
			values:   int64(len(c.levels[0])),
			packed:   int64(len(header) + len(packed)),
			unpacked: int64(len(header) + len(page)),
		})
		f.write(header)
		f.write(packed)
		c.levels = [2][]byte{c.levels[0][:0], c.levels[1][:0]}
		c.values = c.values[:0]
	}
	f.groups = append(f.groups, group)
	f.rows = 0
}

// appendLevels appends levels in RLE, after their length.
func appendLevels(dst, levels []byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for len(levels) > 0 {
		n := 1
		for n < len(levels) && levels[n] == levels[0] {
			n++
		}
		dst = binary.AppendUvarint(dst, uint64(n)<<1)
		dst = append(dst, levels[0])
		levels = levels[n:]
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}

// pageHead returns a PageHeader.
func pageHead(values, size int, packed []byte) []byte {
	var t thriftWriter
	t.item(func() {
		t.int32(1, int32(dataPage))
		t.int32(2, int32(size))
		t.int32(3, int32(len(packed)))
		t.int32(4, int32(crc32.ChecksumIEEE(packed)))
		t.structure(5, func() {
			t.int32(1, int32(values))
			t.int32(2, int32(encodingPlain))
			t.int32(3, int32(encodingRLE))
			t.int32(4, int32(encodingRLE))
		})
	})
	return t.data
}

// footer returns a FileMetaData.
func (f *fileWriter) footer(root *fieldWriter) []byte {
	var rows int64
	for _, group := range f.groups {
		rows += group.rows
	}
	var t thriftWriter
	t.item(func() {
		t.int32(1, 1) // the version
		t.list(2, thriftStruct, root.elements())
		t.item(func() {
			t.string(4, root.name)
			t.int32(5, int32(len(root.fields)))
		})
		for _, field := range root.fields {
			field.schema(&t)
		}
		t.int64(3, rows)
		t.list(4, thriftStruct, len(f.groups))
		for _, group := range f.groups {
			t.item(func() { f.group(&t, group) })
		}
		t.string(6, "codelinter")
	})
	return t.data
}

// elements returns how many elements of the schema a field is.
func (w *fieldWriter) elements() int {
	n := 1
	if w.item != nil {
		n += 1 + w.item.elements()
	}
	for _, field := range w.fields {
		n += field.elements()
	}
	return n
}

// The numbers and fields of the two ways to say what a field is, ConvertedType and
// LogicalType. Readers of old know the former alone.
const (
	convertedUTF8, convertedList         = 0, 3
	logicalStringField, logicalListField = 1, 3
)

// schema writes the SchemaElements of a field.
func (w *fieldWriter) schema(t *thriftWriter) {
	group := func(name string, repetition repetition, children int, list bool) {
		t.item(func() {
			t.int32(3, int32(repetition))
			t.string(4, name)
			t.int32(5, int32(children))
			if list {
				t.int32(6, convertedList)
				t.structure(10, func() { t.structure(logicalListField, func() {}) })
			}
		})
	}
	switch {
	case w.column != nil:
		t.item(func() {
			t.int32(1, int32(w.column.kind))
			t.int32(3, int32(required))
			t.string(4, w.name)
			if w.column.kind == kindByteArray {
				t.int32(6, convertedUTF8)
				t.structure(10, func() { t.structure(logicalStringField, func() {}) })
			}
		})
	case w.item != nil:
		group(w.name, required, 1, true)
		group("list", repeated, 1, false)
		w.item.schema(t)
	default:
		group(w.name, required, len(w.fields), false)
		for _, field := range w.fields {
			field.schema(t)
		}
	}
}

// group writes the fields of a RowGroup.
func (f *fileWriter) group(t *thriftWriter, group writtenGroup) {
	var unpacked int64
	t.list(1, thriftStruct, len(group.chunks))
	for i, chunk := range group.chunks {
		unpacked += chunk.unpacked
		c := f.columns[i]
		t.item(func() {
			t.int64(2, chunk.at)
			t.structure(3, func() {
				t.int32(1, int32(c.kind))
				t.list(2, thriftI32, 2)
				t.data = binary.AppendVarint(t.data, int64(encodingPlain))
				t.data = binary.AppendVarint(t.data, int64(encodingRLE))
				t.list(3, thriftBinary, len(c.path))
				for _, name := range c.path {
					t.text(name)
				}
				t.int32(4, int32(codecSnappy))
				t.int64(5, chunk.values)
				t.int64(6, chunk.unpacked)
				t.int64(7, chunk.packed)
				t.int64(9, chunk.at)
			})
		})
	}
	t.int64(2, unpacked)
	t.int64(3, group.rows)
}
