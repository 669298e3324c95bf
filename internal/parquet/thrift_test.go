package parquet

import "encoding/binary"

// A thriftWriter writes structures. Fields are written in the order of their ids.
type thriftWriter struct {
	data []byte
	last []int // id of the field before, a structure that is open each
}

func (t *thriftWriter) open() { t.last = append(t.last, 0) }

func (t *thriftWriter) close() {
	t.data = append(t.data, thriftStop)
	t.last = t.last[:len(t.last)-1]
}

// field begins a field, whose id is above that of the one before by 15 at most.
func (t *thriftWriter) field(id int, kind byte) {
	last := &t.last[len(t.last)-1]
	t.data = append(t.data, byte(id-*last)<<4|kind)
	*last = id
}

func (t *thriftWriter) int32(id int, value int32) {
	t.field(id, thriftI32)
	t.data = binary.AppendVarint(t.data, int64(value))
}

func (t *thriftWriter) int64(id int, value int64) {
	t.field(id, thriftI64)
	t.data = binary.AppendVarint(t.data, value)
}

func (t *thriftWriter) string(id int, value string) {
	t.field(id, thriftBinary)
	t.text(value)
}

// text writes a string that is an item of a list.
func (t *thriftWriter) text(value string) {
	t.data = binary.AppendUvarint(t.data, uint64(len(value)))
	t.data = append(t.data, value...)
}

// list begins a list of n items.
func (t *thriftWriter) list(id int, items byte, n int) {
	t.field(id, thriftList)
	if n < 15 {
		t.data = append(t.data, byte(n)<<4|items)
		return
	}
	t.data = append(t.data, 15<<4|items)
	t.data = binary.AppendUvarint(t.data, uint64(n))
}

// structure writes a structure that is a field, whose fields are what fields writes.
func (t *thriftWriter) structure(id int, fields func()) {
	t.field(id, thriftStruct)
	t.item(fields)
}

// item writes a structure that is an item of a list, or stands alone.
func (t *thriftWriter) item(fields func()) {
	t.open()
	fields()
	t.close()
}
