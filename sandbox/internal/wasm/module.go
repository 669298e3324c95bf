// Package wasm edits WebAssembly modules: it gives them a budget that counts
// down in their loops, takes the data out of one whose memory is kept
// elsewhere, and sets the size of a memory.
//
// It reads the binary format of WebAssembly 2.0 without vectors, reference
// types and what came after, which is what compilers make of C.
package wasm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Section ids.
const (
	customSection    = 0
	typeSection      = 1
	importSection    = 2
	functionSection  = 3
	memorySection    = 5
	globalSection    = 6
	exportSection    = 7
	startSection     = 8
	codeSection      = 10
	dataSection      = 11
	dataCountSection = 12
)

// Kinds of imports and exports.
const (
	function = iota
	table
	memory
	global
)

// Types of values.
const (
	i32 = 0x7f
	i64 = 0x7e
)

// PageSize is the unit of a memory's size, in bytes.
const PageSize = 65536

var header = []byte("\x00asm\x01\x00\x00\x00")

// A Module is a module in its binary format, in sections. It is not for
// concurrent use.
type Module struct {
	sections []section
}

type section struct {
	id   byte
	body []byte
}

// Decode parts a binary into its sections; what is in them is looked at by
// those who edit it. The module keeps parts of binary.
func Decode(binary []byte) (m *Module, err error) {
	defer catch(&err)
	if !bytes.HasPrefix(binary, header) {
		return nil, errors.New("not a WebAssembly module of version 1")
	}
	r := reader{binary[len(header):]}
	m = &Module{}
	for len(r.rest) > 0 {
		id := r.byte()
		m.sections = append(m.sections, section{id, r.take(r.u32())})
	}
	return m, nil
}

// Encode returns the module in its binary format.
func (m *Module) Encode() []byte {
	size := len(header)
	for _, s := range m.sections {
		size += 1 + binary.MaxVarintLen32 + len(s.body)
	}
	out := append(make([]byte, 0, size), header...)
	for _, s := range m.sections {
		out = append(out, s.id)
		out = append(appendU32(out, uint32(len(s.body))), s.body...)
	}
	return out
}

// DropData removes what fills the memory and what nobody executes: data
// segments, the start function, custom sections.
func (m *Module) DropData() {
	m.sections = slices.DeleteFunc(m.sections, func(s section) bool {
		return s.id == dataSection || s.id == dataCountSection || s.id == customSection || s.id == startSection
	})
}

// DropCode makes every function one that only traps. What is left is the
// module's outline: its types, imports, exports, globals and tables.
func (m *Module) DropCode() (err error) {
	defer catch(&err)
	s := m.section(codeSection)
	if s == nil {
		return errors.New("the module has no code")
	}
	r := reader{s.body}
	n := r.u32()
	body := appendU32(nil, n)
	for range n {
		r.take(r.u32())
		body = append(body, 3, 0, opUnreachable, opEnd) // 3 bytes, no locals
	}
	s.body = body
	return nil
}

// SetMemory makes the size of the module's own memory fixed, in pages.
func (m *Module) SetMemory(pages uint32) error {
	s := m.section(memorySection)
	if s == nil || len(s.body) == 0 || s.body[0] != 1 {
		return errors.New("the module has not one memory of its own")
	}
	if pages > 1<<16 {
		return fmt.Errorf("a memory of %d pages is more than 65536", pages)
	}
	s.body = appendU32(appendU32([]byte{1, 1}, pages), pages)
	return nil
}

// DropExports removes exports by their names.
func (m *Module) DropExports(names ...string) (err error) {
	defer catch(&err)
	s := m.section(exportSection)
	if s == nil {
		return errors.New("the module has no exports")
	}
	r := reader{s.body}
	var kept []byte
	n := uint32(0)
	for range r.u32() {
		from := r.rest
		name := r.take(r.u32())
		r.byte()
		r.u32()
		if !slices.Contains(names, string(name)) {
			kept = append(kept, from[:len(from)-len(r.rest)]...)
			n++
		}
	}
	s.body = append(appendU32(nil, n), kept...)
	return nil
}

// SetMemory returns a module whose memory has a fixed size, in pages.
func SetMemory(binary []byte, pages uint32) ([]byte, error) {
	m, err := Decode(binary)
	if err != nil {
		return nil, err
	}
	if err := m.SetMemory(pages); err != nil {
		return nil, err
	}
	return m.Encode(), nil
}

// section returns the section of an id, or nil.
func (m *Module) section(id byte) *section {
	for i := range m.sections {
		if m.sections[i].id == id {
			return &m.sections[i]
		}
	}
	return nil
}

// A malformed is what reading panics with.
type malformed string

// catch turns the panic of a reader into an error.
func catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case malformed:
		*err = errors.New(string(p))
	default:
		panic(p)
	}
}

// A reader reads the binary format, and panics where it ends too soon.
type reader struct{ rest []byte }

func (r *reader) take(n uint32) []byte {
	if uint64(n) > uint64(len(r.rest)) {
		panic(malformed("the module ends too soon"))
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte { return r.take(1)[0] }

// u32 reads an unsigned LEB128 of at most 32 bits.
func (r *reader) u32() uint32 {
	v, n := binary.Uvarint(r.rest[:min(len(r.rest), 5)])
	if n <= 0 || v > math.MaxUint32 {
		panic(malformed("a number of the module is damaged"))
	}
	r.rest = r.rest[n:]
	return uint32(v)
}

// skipSigned passes over a signed LEB128.
func (r *reader) skipSigned() {
	for range 10 {
		if r.byte() < 0x80 {
			return
		}
	}
	panic(malformed("a number of the module is damaged"))
}

func appendU32(b []byte, v uint32) []byte { return binary.AppendUvarint(b, uint64(v)) }

// appendS64 appends a signed LEB128.
func appendS64(b []byte, v int64) []byte {
	for v < -64 || v >= 64 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}
