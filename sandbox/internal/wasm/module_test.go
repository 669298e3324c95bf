package wasm

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
)

// loop is a module with a memory of two pages and a function that loops for ever.
var loop = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x04\x01\x60\x00\x00" + // a type: no parameters, no results
	"\x03\x02\x01\x00" + // a function of that type
	"\x05\x03\x01\x00\x02" + // a memory
	"\x07\x11\x02\x06memory\x02\x00\x04loop\x00\x00" + // the exports
	"\x0a\x09\x01\x07\x00\x03\x40\x0c\x00\x0b\x0b") // the code: loop, br 0, end, end

func TestSectionsSurvive(t *testing.T) {
	m, err := Decode(loop)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(m.Encode(), loop) {
		t.Error("a module that nobody edited changed")
	}
}

func TestSetMemory(t *testing.T) {
	m, err := Decode(loop)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetMemory(5, 6); err != nil {
		t.Fatal(err)
	}
	r := wazero.NewRuntime(t.Context())
	defer r.Close(t.Context())
	instance, err := r.Instantiate(t.Context(), m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if size := instance.Memory().Size(); size != 5*PageSize {
		t.Errorf("the memory has %d bytes", size)
	}
	if _, ok := instance.Memory().Grow(2); ok {
		t.Error("the memory grows too far")
	}
	if _, ok := instance.Memory().Grow(1); !ok {
		t.Error("the memory does not grow")
	}
	if m.SetMemory(1, MaxPages+1) == nil {
		t.Error("a memory of more than 4 GiB")
	}
	if m.SetMemory(2, 1) == nil {
		t.Error("a memory that is larger than it may become")
	}
	if err := (&Module{}).SetMemory(1, 1); err == nil {
		t.Error("the size of a memory was set where there is none")
	}
}

// Without its code a module has all else, and its functions trap.
func TestDropCode(t *testing.T) {
	m, err := Decode(loop)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.DropCode(); err != nil {
		t.Fatal(err)
	}
	outline := m.Encode()
	if m, err = Decode(outline); err != nil {
		t.Fatal(err)
	}
	original, err := Decode(loop)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range original.Sections {
		if s.ID != CodeSection && (m.Sections[i].ID != s.ID || !bytes.Equal(m.Sections[i].Body, s.Body)) {
			t.Errorf("section %d is another", s.ID)
		}
	}
	r := wazero.NewRuntime(t.Context())
	defer r.Close(t.Context())
	instance, err := r.Instantiate(t.Context(), outline)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := instance.ExportedFunction("loop").Call(t.Context()); err == nil || !strings.Contains(err.Error(), "unreachable") {
		t.Error(err)
	}
	if err := (&Module{}).DropCode(); err == nil {
		t.Error("code was dropped where there is none")
	}
}

// TestDamaged cuts a module everywhere: nothing panics.
func TestDamaged(t *testing.T) {
	for n := range loop {
		edit(loop[:n])
		changed := bytes.Clone(loop)
		changed[n] ^= 0xff
		edit(changed)
	}
}

func edit(binary []byte) {
	m, err := Decode(binary)
	if err != nil {
		return
	}
	_ = m.SetMemory(3, 3)
	_ = m.DropCode()
	m.Encode()
}

func FuzzEdit(f *testing.F) {
	f.Add(loop)
	f.Fuzz(func(_ *testing.T, binary []byte) { edit(binary) })
}
