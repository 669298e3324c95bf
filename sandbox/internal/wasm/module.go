// Package wasm reads and edits WebAssembly modules: it sets the size of a memory, and
// replaces the code by traps.
package wasm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Section ids.
const (
	CustomSection    = 0
	TypeSection      = 1
	ImportSection    = 2
	FunctionSection  = 3
	MemorySection    = 5
	GlobalSection    = 6
	ExportSection    = 7
	StartSection     = 8
	CodeSection      = 10
	DataSection      = 11
	DataCountSection = 12
)

// PageSize is the unit of a memory's size, in bytes.
const PageSize = 65536

// Opcodes.
const (
	OpUnreachable = 0x00
	OpEnd         = 0x0b
)

var header = []byte("\x00asm\x01\x00\x00\x00")

// A Module is a module in its binary format, in sections. It is not for
// concurrent use.
type Module struct {
	Sections []Section
}

// A Section is a part of a module.
type Section struct {
	ID   byte
	Body []byte
}

// Decode splits a binary into its sections. It does not read their contents. The module
// keeps parts of binary.
func Decode(binary []byte) (m *Module, err error) {
	defer Catch(&err)
	if !bytes.HasPrefix(binary, header) {
		return nil, errors.New("not a WebAssembly module of version 1")
	}
	r := Reader{binary[len(header):]}
	m = &Module{}
	for len(r.Rest) > 0 {
		id := r.Byte()
		m.Sections = append(m.Sections, Section{id, r.Take(r.U32())})
	}
	return m, nil
}

// Encode returns the module in its binary format.
func (m *Module) Encode() []byte {
	size := len(header)
	for _, s := range m.Sections {
		size += 1 + binary.MaxVarintLen32 + len(s.Body)
	}
	out := append(make([]byte, 0, size), header...)
	for _, s := range m.Sections {
		out = append(out, s.ID)
		out = append(AppendU32(out, uint32(len(s.Body))), s.Body...)
	}
	return out
}

// DropCode makes every function one that only traps. What is left is the
// module's outline: its types, imports, exports, globals and tables.
func (m *Module) DropCode() (err error) {
	defer Catch(&err)
	s := m.Section(CodeSection)
	if s == nil {
		return errors.New("the module has no code")
	}
	r := Reader{s.Body}
	n := r.U32()
	body := AppendU32(nil, n)
	for range n {
		r.Take(r.U32())
		body = append(body, 3, 0, OpUnreachable, OpEnd) // 3 bytes, no locals
	}
	s.Body = body
	return nil
}

// MaxPages is the size of the largest memory, 4 GiB, in pages.
const MaxPages = 1 << 16

// SetMemory sets the initial size of the module's own memory and the size to which it may
// grow, in pages.
func (m *Module) SetMemory(least, most uint32) error {
	s := m.Section(MemorySection)
	if s == nil || len(s.Body) == 0 || s.Body[0] != 1 {
		return errors.New("the module has not one memory of its own")
	}
	if least > most || most > MaxPages {
		return fmt.Errorf("a memory of %d to %d pages, where %d is the most", least, most, MaxPages)
	}
	s.Body = AppendU32(AppendU32([]byte{1, 1}, least), most)
	return nil
}

// Section returns the section of an id, or nil.
func (m *Module) Section(id byte) *Section {
	for i := range m.Sections {
		if m.Sections[i].ID == id {
			return &m.Sections[i]
		}
	}
	return nil
}

// A Malformed is what a [Reader] panics with.
type Malformed string

// Catch turns the panic of a [Reader] into an error.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case Malformed:
		*err = errors.New(string(p))
	default:
		panic(p)
	}
}

// A Reader reads the binary format, and panics where it ends too soon.
type Reader struct{ Rest []byte }

// Take reads n bytes.
func (r *Reader) Take(n uint32) []byte {
	if uint64(n) > uint64(len(r.Rest)) {
		panic(Malformed("the module ends too soon"))
	}
	b := r.Rest[:n:n]
	r.Rest = r.Rest[n:]
	return b
}

// Byte reads one.
func (r *Reader) Byte() byte { return r.Take(1)[0] }

// U32 reads an unsigned LEB128 of at most 32 bits.
func (r *Reader) U32() uint32 {
	v, n := binary.Uvarint(r.Rest[:min(len(r.Rest), 5)])
	if n <= 0 || v > math.MaxUint32 {
		panic(Malformed("a number of the module is damaged"))
	}
	r.Rest = r.Rest[n:]
	return uint32(v)
}

// AppendU32 appends an unsigned LEB128.
func AppendU32(b []byte, v uint32) []byte { return binary.AppendUvarint(b, uint64(v)) }
