package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The types of Thrift's compact protocol, in which Parquet writes its footer and the
// headers of pages.
const (
	thriftStop   = 0
	thriftTrue   = 1
	thriftFalse  = 2
	thriftI8     = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// maxThriftDepth bounds structures in structures of fields that are skipped; those that
// are read nest six deep.
const maxThriftDepth = 32

// errShort is the error of a structure that goes on after the bytes at hand.
var errShort = errors.New("expected the rest of a structure, found the end of the bytes")

// A thriftReader reads structures from bytes that nobody vouches for. What it returns
// after an error is zero, so that callers look at err once, at the end. Counts are
// checked against the bytes that are there before anything is made of them.
type thriftReader struct {
	data []byte
	at   int
	err  error
}

func (t *thriftReader) fail(err error) {
	if t.err == nil {
		t.err = err
		t.at = len(t.data)
	}
}

func (t *thriftReader) byte() byte {
	if t.at >= len(t.data) {
		t.fail(errShort)
		return 0
	}
	t.at++
	return t.data[t.at-1]
}

func (t *thriftReader) uvarint() uint64 {
	value, n := binary.Uvarint(t.data[t.at:])
	switch {
	case n == 0:
		t.fail(errShort)
	case n < 0:
		t.fail(errors.New("expected an integer of 64 bits, found a longer one"))
	default:
		t.at += n
	}
	return value
}

// structure calls field for each of a structure's fields. It must read the value, or
// skip it.
func (t *thriftReader) structure(field func(id int, kind byte)) {
	id := 0
	for t.err == nil {
		head := t.byte()
		kind := head & 15
		switch {
		case kind == thriftStop:
			return
		case head>>4 != 0:
			id += int(head >> 4)
		default:
			id = int(t.zigzag(math.MinInt16, math.MaxInt16))
		}
		if t.err == nil {
			field(id, kind)
		}
	}
}

// structures calls item for each structure of a field that is a list of them. tooMany is
// the error of more than [maxElements].
func (t *thriftReader) structures(kind byte, tooMany error, item func()) {
	n := t.structureCount(kind)
	if n > maxElements {
		t.fail(tooMany)
	}
	for i := 0; i < n && t.err == nil; i++ {
		item()
	}
}

// structureCount returns how many structures a field has, which is a list of them.
func (t *thriftReader) structureCount(kind byte) int {
	t.expect(kind, thriftList)
	items, n := t.listHead()
	if n > 0 && items != thriftStruct {
		t.fail(fmt.Errorf("expected a list of items of Thrift's type %d, found %d", thriftStruct, items))
	}
	return n
}

func (t *thriftReader) listHead() (items byte, n int) {
	head := t.byte()
	size := uint64(head >> 4)
	if size == 15 {
		size = t.uvarint()
	}
	// No item takes less than a byte.
	if size > uint64(len(t.data)-t.at) {
		t.fail(errShort)
		return 0, 0
	}
	return head & 15, int(size)
}

func (t *thriftReader) expect(kind, want byte) {
	if kind != want {
		t.fail(fmt.Errorf("expected a field of Thrift's type %d, found %d", want, kind))
	}
}

// zigzag reads an integer, which must be within bounds.
func (t *thriftReader) zigzag(low, high int64) int64 {
	u := t.uvarint()
	value := int64(u>>1) ^ -int64(u&1)
	if value < low || value > high {
		t.fail(fmt.Errorf("expected an integer of %d to %d, found %d", low, high, value))
		return 0
	}
	return value
}

func (t *thriftReader) int32(kind byte) int32 {
	t.expect(kind, thriftI32)
	return int32(t.zigzag(math.MinInt32, math.MaxInt32))
}

func (t *thriftReader) int64(kind byte) int64 {
	t.expect(kind, thriftI64)
	return t.zigzag(math.MinInt64, math.MaxInt64)
}

// bool returns the value of a field, which is its type.
func (t *thriftReader) bool(kind byte) bool {
	if kind != thriftFalse {
		t.expect(kind, thriftTrue)
	}
	return kind == thriftTrue
}

// binary returns bytes of the reader's own.
func (t *thriftReader) binary(kind byte) []byte {
	t.expect(kind, thriftBinary)
	n := t.uvarint()
	if n > uint64(len(t.data)-t.at) {
		t.fail(errShort)
		return nil
	}
	t.at += int(n)
	return t.data[t.at-int(n) : t.at]
}

// skip passes over a field's value.
func (t *thriftReader) skip(kind byte) { t.skipValue(kind, 0) }

func (t *thriftReader) skipValue(kind byte, depth int) {
	if depth > maxThriftDepth {
		t.fail(fmt.Errorf("expected structures nested %d deep at most", maxThriftDepth))
	}
	// A boolean is in its field's type, but has a byte in a list.
	item := func(kind byte) {
		if kind == thriftTrue || kind == thriftFalse {
			t.byte()
		} else {
			t.skipValue(kind, depth+1)
		}
	}
	if t.err != nil {
		return
	}
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftI8:
		t.byte()
	case thriftI16, thriftI32, thriftI64:
		t.uvarint()
	case thriftDouble:
		if len(t.data)-t.at < 8 {
			t.fail(errShort)
		}
		t.at = min(t.at+8, len(t.data))
	case thriftBinary:
		t.binary(kind)
	case thriftList, thriftSet:
		items, n := t.listHead()
		for i := 0; i < n && t.err == nil; i++ {
			item(items)
		}
	case thriftMap:
		n := t.uvarint()
		if n == 0 {
			return
		}
		kinds := t.byte()
		for ; n > 0 && t.err == nil; n-- {
			item(kinds >> 4)
			item(kinds & 15)
		}
	case thriftStruct:
		t.structure(func(_ int, kind byte) { t.skipValue(kind, depth+1) })
	default:
		t.fail(fmt.Errorf("expected one of Thrift's types, found %d", kind))
	}
}

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
