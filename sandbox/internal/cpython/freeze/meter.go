package freeze

import (
	"errors"
	"fmt"

	"codelinter/sandbox/internal/wasm"
)

// Metering
//
// The code is that of WebAssembly 2.0 without vectors, reference types and what came after,
// which is what compilers make of C.
//
// A program that does not end has an endless loop, or a recursion, which the
// stack ends. So each loop takes a count from the budget in each round, at its
// head:
//
//	loop
//	  global.get budget
//	  i64.const 1
//	  i64.sub
//	  local.tee left
//	  global.set budget
//	  local.get left
//	  i64.const 0
//	  i64.lt_s
//	  if
//	    unreachable
//	  end
//
// memory.copy and memory.fill are charged by their length; the next loop checks
// the budget. A long stretch of instructions without a branch is charged by its
// length too: a hash function, whose rounds are one stretch, took 240 ns for a
// count, where other loops take 5 to 90. The budget is a global and not in
// memory: no store of the program reaches it, and it is cheaper.

// Kinds of imports and exports.
const (
	functionKind = iota
	tableKind
	memoryKind
	globalKind
)

// Types of values.
const (
	i32 = 0x7f
	i64 = 0x7e
)

// Opcodes.
const (
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opCall         = 0x10
	opCallIndirect = 0x11
	opSelectTyped  = 0x1c
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opFirstMemory  = 0x28
	opLastMemory   = 0x3e
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI64LtS       = 0x53
	opI64Sub       = 0x7d
	opI64ShrU      = 0x88
	opI64ExtendU   = 0xad
	opLastNumeric  = 0xc4
	opPrefix       = 0xfc
)

// Instructions after opPrefix.
const (
	truncSaturatedLast = 7
	memoryCopy         = 10
	memoryFill         = 11
)

// stretch is the number of instructions without a branch that a count pays for.
// CPython has seven stretches of this length.
const stretch = 512

// bulkShift is the logarithm of the bytes that a count pays for.
const bulkShift = 6

// meter adds a mutable i64 global, exported by name, as the module's budget. It
// counts down, and the module traps when it is below 0.
func meter(m *wasm.Module, name string) (err error) {
	defer wasm.Catch(&err)
	globals, exports, code := m.Section(wasm.GlobalSection), m.Section(wasm.ExportSection), m.Section(wasm.CodeSection)
	if globals == nil || exports == nil || code == nil {
		return errors.New("the module lacks globals, exports or code")
	}
	parameters, imported := parametersOf(m)

	r := wasm.Reader{Rest: globals.Body}
	own := r.U32()
	index := imported + own
	globals.Body = append(append(wasm.AppendU32(nil, own+1), r.Rest...), i64, 1, opI64Const, 0, wasm.OpEnd)

	r = wasm.Reader{Rest: exports.Body}
	body := append(wasm.AppendU32(nil, r.U32()+1), r.Rest...)
	body = append(wasm.AppendU32(body, uint32(len(name))), name...)
	exports.Body = wasm.AppendU32(append(body, globalKind), index)

	r = wasm.Reader{Rest: code.Body}
	n := r.U32()
	if int(n) != len(parameters) {
		return fmt.Errorf("%d functions have %d bodies", len(parameters), n)
	}
	body = wasm.AppendU32(make([]byte, 0, len(code.Body)+len(code.Body)/8), n)
	var scratch []byte
	for i := range n {
		scratch = meterFunction(scratch[:0], r.Take(r.U32()), parameters[i], index)
		body = append(wasm.AppendU32(body, uint32(len(scratch))), scratch...)
	}
	code.Body = body
	return nil
}

// parametersOf returns the number of parameters of each function in the module,
// and the number of imported globals.
func parametersOf(m *wasm.Module) (counts []uint32, importedGlobals uint32) {
	var ofType []uint32
	if s := m.Section(wasm.TypeSection); s != nil {
		r := wasm.Reader{Rest: s.Body}
		for range r.U32() {
			r.Byte()
			n := r.U32()
			r.Take(n)
			r.Take(r.U32())
			ofType = append(ofType, n)
		}
	}
	if s := m.Section(wasm.ImportSection); s != nil {
		r := wasm.Reader{Rest: s.Body}
		for range r.U32() {
			r.Take(r.U32())
			r.Take(r.U32())
			switch r.Byte() {
			case functionKind:
				r.U32()
			case tableKind:
				r.Byte()
				skipLimits(&r)
			case memoryKind:
				skipLimits(&r)
			case globalKind:
				r.Take(2)
				importedGlobals++
			default:
				panic(wasm.Malformed("an import of unknown kind"))
			}
		}
	}
	if s := m.Section(wasm.FunctionSection); s != nil {
		r := wasm.Reader{Rest: s.Body}
		for range r.U32() {
			t := r.U32()
			if int(t) >= len(ofType) {
				panic(wasm.Malformed("a function of unknown type"))
			}
			counts = append(counts, ofType[t])
		}
	}
	return counts, importedGlobals
}

// skipLimits skips the limits of a table or memory.
func skipLimits(r *wasm.Reader) {
	flags := r.Byte()
	r.U32()
	if flags&1 != 0 {
		r.U32()
	}
}

// meterFunction appends a function's body with code that takes the budget.
func meterFunction(out, body []byte, parameters, budget uint32) []byte {
	r := wasm.Reader{Rest: body}
	groups := r.U32()
	declared := r.Rest
	locals := uint64(parameters)
	for range groups {
		locals += uint64(r.U32())
		r.Byte()
	}
	if locals > 50000 { // wazero's limit
		panic(wasm.Malformed("a function with too many locals"))
	}
	left, length := uint32(locals), uint32(locals)+1
	out = wasm.AppendU32(out, groups+2)
	out = append(out, declared[:len(declared)-len(r.Rest)]...)
	out = append(out, 1, i64, 1, i32)

	round := wasm.AppendU32([]byte{opGlobalGet}, budget)
	round = wasm.AppendU32(append(round, opI64Const, 1, opI64Sub, opLocalTee), left)
	round = wasm.AppendU32(append(round, opGlobalSet), budget)
	round = wasm.AppendU32(append(round, opLocalGet), left)
	round = append(round, opI64Const, 0, opI64LtS, opIf, 0x40, wasm.OpUnreachable, wasm.OpEnd)

	bulk := wasm.AppendU32([]byte{opLocalTee}, length)
	bulk = wasm.AppendU32(append(bulk, opGlobalGet), budget)
	bulk = wasm.AppendU32(append(bulk, opLocalGet), length)
	bulk = append(bulk, opI64ExtendU, opI64Const, bulkShift, opI64ShrU, opI64Sub)
	bulk = wasm.AppendU32(append(bulk, opGlobalSet), budget)

	copied := r.Rest // everything before it is in out
	flush := func(to []byte) {
		out = append(out, copied[:len(copied)-len(to)]...)
		copied = to
	}
	straight, instructions := r.Rest, 0 // since the last branch: its start, its length
	for len(r.Rest) > 0 {
		at := r.Rest
		op := r.Byte()
		if op <= opCallIndirect || op == opPrefix {
			if n := instructions / stretch; n > 0 {
				flush(straight)
				out = wasm.AppendU32(append(out, opGlobalGet), budget)
				out = appendS64(append(out, opI64Const), int64(n))
				out = wasm.AppendU32(append(out, opI64Sub, opGlobalSet), budget)
			}
			instructions = 0
		} else if instructions++; instructions == 1 {
			straight = at
		}
		switch {
		case op == opLoop:
			skipSigned(&r)
			flush(r.Rest)
			out = append(out, round...)
		case op == opPrefix:
			which := r.U32()
			switch {
			case which <= truncSaturatedLast:
			case which == memoryCopy:
				r.Take(2)
			case which == memoryFill:
				r.Take(1)
			default:
				panic(wasm.Malformed(fmt.Sprintf("instruction 0xfc %d is not one that can be metered", which)))
			}
			if which == memoryCopy || which == memoryFill {
				flush(at)
				out = append(out, bulk...)
			}
		default:
			skipImmediates(&r, op)
		}
	}
	flush(nil)
	return out
}

// skipImmediates skips the immediates of an opcode.
func skipImmediates(r *wasm.Reader, op byte) {
	switch {
	case op == opBlock || op == opIf || op == opI32Const || op == opI64Const:
		skipSigned(r)
	case op == opBr || op == opBrIf || op == opCall || op == opMemorySize || opLocalGet <= op && op <= opGlobalSet:
		r.U32()
	case op == opBrTable:
		for range uint64(r.U32()) + 1 {
			r.U32()
		}
	case op == opCallIndirect || opFirstMemory <= op && op <= opLastMemory:
		r.U32()
		r.U32()
	case op == opSelectTyped:
		r.Take(r.U32())
	case op == opF32Const:
		r.Take(4)
	case op == opF64Const:
		r.Take(8)
	case op == opMemoryGrow:
		// Restoring bytes would not undo the growth of a memory.
		panic(wasm.Malformed("memory.grow is not one that can be metered"))
	case op <= 0x01 || op == 0x05 || op == wasm.OpEnd || op == 0x0f || op == 0x1a || op == 0x1b || 0x45 <= op && op <= opLastNumeric:
	default:
		panic(wasm.Malformed(fmt.Sprintf("opcode %#x is not one that can be metered", op)))
	}
}

// skipSigned skips a signed LEB128.
func skipSigned(r *wasm.Reader) {
	for range 10 {
		if r.Byte() < 0x80 {
			return
		}
	}
	panic(wasm.Malformed("a number of the module is damaged"))
}

// appendS64 appends a signed LEB128.
func appendS64(b []byte, v int64) []byte {
	for v < -64 || v >= 64 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}
