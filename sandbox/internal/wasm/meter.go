package wasm

import (
	"errors"
	"fmt"
)

// Metering
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
// less.

// Opcodes.
const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
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

// Meter adds a mutable i64 global, exported by name, as the module's budget. It
// counts down, and the module traps when it is below 0.
func (m *Module) Meter(name string) (err error) {
	defer catch(&err)
	globals, exports, code := m.section(globalSection), m.section(exportSection), m.section(codeSection)
	if globals == nil || exports == nil || code == nil {
		return errors.New("the module lacks globals, exports or code")
	}
	parameters, imported := m.parameters()

	r := reader{globals.body}
	own := r.u32()
	index := imported + own
	globals.body = append(append(appendU32(nil, own+1), r.rest...), i64, 1, opI64Const, 0, opEnd)

	r = reader{exports.body}
	body := append(appendU32(nil, r.u32()+1), r.rest...)
	body = append(appendU32(body, uint32(len(name))), name...)
	exports.body = appendU32(append(body, global), index)

	r = reader{code.body}
	n := r.u32()
	if int(n) != len(parameters) {
		return fmt.Errorf("%d functions have %d bodies", len(parameters), n)
	}
	body = appendU32(make([]byte, 0, len(code.body)+len(code.body)/8), n)
	var scratch []byte
	for i := range n {
		scratch = meterFunction(scratch[:0], r.take(r.u32()), parameters[i], index)
		body = append(appendU32(body, uint32(len(scratch))), scratch...)
	}
	code.body = body
	return nil
}

// parameters returns the number of parameters of each function in the module,
// and the number of imported globals.
func (m *Module) parameters() (counts []uint32, importedGlobals uint32) {
	var ofType []uint32
	if s := m.section(typeSection); s != nil {
		r := reader{s.body}
		for range r.u32() {
			r.byte()
			n := r.u32()
			r.take(n)
			r.take(r.u32())
			ofType = append(ofType, n)
		}
	}
	if s := m.section(importSection); s != nil {
		r := reader{s.body}
		for range r.u32() {
			r.take(r.u32())
			r.take(r.u32())
			switch r.byte() {
			case function:
				r.u32()
			case table:
				r.byte()
				r.limits()
			case memory:
				r.limits()
			case global:
				r.take(2)
				importedGlobals++
			default:
				panic(malformed("an import of unknown kind"))
			}
		}
	}
	if s := m.section(functionSection); s != nil {
		r := reader{s.body}
		for range r.u32() {
			t := r.u32()
			if int(t) >= len(ofType) {
				panic(malformed("a function of unknown type"))
			}
			counts = append(counts, ofType[t])
		}
	}
	return counts, importedGlobals
}

func (r *reader) limits() {
	flags := r.byte()
	r.u32()
	if flags&1 != 0 {
		r.u32()
	}
}

// meterFunction appends a function's body with code that takes the budget.
func meterFunction(out, body []byte, parameters, budget uint32) []byte {
	r := reader{body}
	groups := r.u32()
	declared := r.rest
	locals := uint64(parameters)
	for range groups {
		locals += uint64(r.u32())
		r.byte()
	}
	if locals > 50000 { // wazero's limit
		panic(malformed("a function with too many locals"))
	}
	left, length := uint32(locals), uint32(locals)+1
	out = appendU32(out, groups+2)
	out = append(out, declared[:len(declared)-len(r.rest)]...)
	out = append(out, 1, i64, 1, i32)

	round := appendU32([]byte{opGlobalGet}, budget)
	round = appendU32(append(round, opI64Const, 1, opI64Sub, opLocalTee), left)
	round = appendU32(append(round, opGlobalSet), budget)
	round = appendU32(append(round, opLocalGet), left)
	round = append(round, opI64Const, 0, opI64LtS, opIf, 0x40, opUnreachable, opEnd)

	bulk := appendU32([]byte{opLocalTee}, length)
	bulk = appendU32(append(bulk, opGlobalGet), budget)
	bulk = appendU32(append(bulk, opLocalGet), length)
	bulk = append(bulk, opI64ExtendU, opI64Const, bulkShift, opI64ShrU, opI64Sub)
	bulk = appendU32(append(bulk, opGlobalSet), budget)

	copied := r.rest // everything before it is in out
	flush := func(to []byte) {
		out = append(out, copied[:len(copied)-len(to)]...)
		copied = to
	}
	straight, instructions := r.rest, 0 // since the last branch: its start, its length
	for len(r.rest) > 0 {
		at := r.rest
		op := r.byte()
		if op <= opCallIndirect || op == opPrefix {
			if n := instructions / stretch; n > 0 {
				flush(straight)
				out = appendU32(append(out, opGlobalGet), budget)
				out = appendS64(append(out, opI64Const), int64(n))
				out = appendU32(append(out, opI64Sub, opGlobalSet), budget)
			}
			instructions = 0
		} else if instructions++; instructions == 1 {
			straight = at
		}
		switch {
		case op == opLoop:
			r.skipSigned()
			flush(r.rest)
			out = append(out, round...)
		case op == opPrefix:
			which := r.u32()
			switch {
			case which <= truncSaturatedLast:
			case which == memoryCopy:
				r.take(2)
			case which == memoryFill:
				r.take(1)
			default:
				panic(malformed(fmt.Sprintf("instruction 0xfc %d is not one that can be metered", which)))
			}
			if which == memoryCopy || which == memoryFill {
				flush(at)
				out = append(out, bulk...)
			}
		default:
			r.skipImmediates(op)
		}
	}
	flush(nil)
	return out
}

// skipImmediates skips the immediates of an opcode.
func (r *reader) skipImmediates(op byte) {
	switch {
	case op == opBlock || op == opIf || op == opI32Const || op == opI64Const:
		r.skipSigned()
	case op == opBr || op == opBrIf || op == opCall || op == opMemorySize || opLocalGet <= op && op <= opGlobalSet:
		r.u32()
	case op == opBrTable:
		for range uint64(r.u32()) + 1 {
			r.u32()
		}
	case op == opCallIndirect || opFirstMemory <= op && op <= opLastMemory:
		r.u32()
		r.u32()
	case op == opSelectTyped:
		r.take(r.u32())
	case op == opF32Const:
		r.take(4)
	case op == opF64Const:
		r.take(8)
	case op == opMemoryGrow:
		// Restoring bytes would not undo the growth of a memory.
		panic(malformed("memory.grow is not one that can be metered"))
	case op <= 0x01 || op == 0x05 || op == opEnd || op == 0x0f || op == 0x1a || op == 0x1b || 0x45 <= op && op <= opLastNumeric:
	default:
		panic(malformed(fmt.Sprintf("opcode %#x is not one that can be metered", op)))
	}
}
