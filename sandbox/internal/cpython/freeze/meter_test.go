package freeze

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"codelinter/sandbox/internal/wasm"
)

// A function of a test's module: i32 parameters, at most one i32 result.
type testFunction struct {
	name       string
	parameters int
	result     bool
	locals     int    // of i32, beside the parameters
	body       []byte // without the end
}

// assemble returns a module with functions, a memory of two pages, a global of
// its own and a data segment.
func assemble(functions ...testFunction) []byte {
	var types, indices, exports, codes []byte
	for i, f := range functions {
		types = append(types, 0x60, byte(f.parameters))
		types = append(types, bytes.Repeat([]byte{i32}, f.parameters)...)
		if f.result {
			types = append(types, 1, i32)
		} else {
			types = append(types, 0)
		}
		indices = append(indices, byte(i))
		exports = append(append(append(exports, byte(len(f.name))), f.name...), functionKind, byte(i))
		code := []byte{1, byte(f.locals), i32}
		if f.locals == 0 {
			code = []byte{0}
		}
		code = append(append(code, f.body...), wasm.OpEnd)
		codes = append(wasm.AppendU32(codes, uint32(len(code))), code...)
	}
	n := byte(len(functions))
	exports = append(exports, 6)
	exports = append(append(exports, "memory"...), memoryKind, 0)
	m := wasm.Module{Sections: []wasm.Section{
		{ID: wasm.CustomSection, Body: []byte("\x04name")},
		{ID: wasm.TypeSection, Body: append([]byte{n}, types...)},
		{ID: wasm.FunctionSection, Body: append([]byte{n}, indices...)},
		{ID: wasm.MemorySection, Body: []byte{1, 0, 2}},
		{ID: wasm.GlobalSection, Body: []byte{1, i32, 1, opI32Const, 7, wasm.OpEnd}},
		{ID: wasm.ExportSection, Body: append([]byte{n + 1}, exports...)},
		{ID: wasm.CodeSection, Body: append([]byte{n}, codes...)},
		{ID: wasm.DataSection, Body: []byte{1, 0, opI32Const, 0, wasm.OpEnd, 1, 'x'}},
	}}
	return m.Encode()
}

// countDown loops as often as its parameter says.
var countDown = testFunction{"countDown", 1, false, 0, []byte{
	opLoop, 0x40,
	opLocalGet, 0, opI32Const, 1, 0x6b /* i32.sub */, opLocalTee, 0,
	opBrIf, 0,
	wasm.OpEnd,
}}

// nested loops 3 times in each round of its parameter's.
var nested = testFunction{"nested", 1, false, 1, []byte{
	opLoop, 0x40,
	opI32Const, 3, opLocalSet, 1,
	opLoop, 0x40,
	opLocalGet, 1, opI32Const, 1, 0x6b, opLocalTee, 1,
	opBrIf, 0,
	wasm.OpEnd,
	opLocalGet, 0, opI32Const, 1, 0x6b, opLocalTee, 0,
	opBrIf, 0,
	wasm.OpEnd,
}}

// fill fills so many bytes, copied copies them.
var (
	fill   = testFunction{"fill", 1, false, 0, []byte{opI32Const, 0, opI32Const, 5, opLocalGet, 0, opPrefix, memoryFill, 0}}
	copied = testFunction{"copied", 1, false, 0, []byte{opI32Const, 0, opI32Const, 1, opLocalGet, 0, opPrefix, memoryCopy, 0, 0}}
)

// immediates has one of every kind of immediate, with bytes in them that look
// like the opcode of a loop.
var immediates = testFunction{"immediates", 1, true, 1, []byte{
	opI32Const, 3, 0x1a,
	opI64Const, 3, 0x1a,
	opF32Const, 3, 3, 3, 3, 0x1a,
	opF64Const, 3, 3, 3, 3, 3, 3, 3, 3, 0x1a,
	opI32Const, 8, 0x28 /* i32.load */, 2, 3, 0x1a,
	opI32Const, 8, opI32Const, 3, 0x36 /* i32.store */, 2, 3,
	opMemorySize, 0, 0x1a,
	opF64Const, 0, 0, 0, 0, 0, 0, 0, 0, opPrefix, 3 /* i32.trunc_sat_f64_u */, 0x1a,
	opI32Const, 1, opI32Const, 2, opI32Const, 3, opSelectTyped, 1, i32, 0x1a,
	opBlock, 0x40, opBlock, 0x40, opBlock, 0x40, opBlock, 0x40,
	opLocalGet, 0, opBrTable, 3, 0, 1, 2, 3,
	wasm.OpEnd, wasm.OpEnd, wasm.OpEnd, wasm.OpEnd,
	opGlobalGet, 0, 0x1a,
	opLocalGet, 0, opIf, i32, opI32Const, 3, 0x05, opI32Const, 4, wasm.OpEnd,
}}

// straight does so many instructions, twice over, without a branch among them.
func straight(name string, instructions int) testFunction {
	body := bytes.Repeat([]byte{opI32Const, 1, 0x1a /* drop */}, instructions/2)
	return testFunction{name, 1, false, 0, slices.Concat(body, []byte{opBlock, 0x40}, body, []byte{wasm.OpEnd})}
}

// execute calls a function with a budget, and returns what is left and whether it
// trapped.
func execute(t *testing.T, binary []byte, budget int64, name string, argument uint64) (left int64, trapped bool) {
	t.Helper()
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	m, err := runtime.Instantiate(ctx, binary)
	if err != nil {
		t.Fatal(err)
	}
	counter := m.ExportedGlobal("budget").(api.MutableGlobal)
	counter.Set(uint64(budget))
	_, err = m.ExportedFunction(name).Call(ctx, argument)
	if err != nil && !strings.Contains(err.Error(), "unreachable") {
		t.Fatal(err)
	}
	return int64(counter.Get()), err != nil
}

func metered(t *testing.T) []byte {
	t.Helper()
	m, err := wasm.Decode(assemble(countDown, nested, fill, copied, immediates, straight("short", stretch-2), straight("long", stretch), straight("longer", 64*stretch+2)))
	if err != nil {
		t.Fatal(err)
	}
	if err := meter(m, "budget"); err != nil {
		t.Fatal(err)
	}
	return m.Encode()
}

func TestMeterCounts(t *testing.T) {
	binary := metered(t)
	for _, test := range []struct {
		name     string
		argument uint64
		used     int64
	}{
		{"countDown", 1, 1},
		{"countDown", 1000, 1000},
		{"nested", 1, 4},
		{"nested", 50, 200},
		{"fill", 0, 0},
		{"fill", 63, 0},
		{"fill", 64, 1},
		{"fill", 65536, 1024},
		{"copied", 6400, 100},
		{"immediates", 0, 0},
		{"immediates", 3, 0},
		{"short", 0, 0},
		{"long", 0, 2},
		{"longer", 0, 128},
	} {
		left, trapped := execute(t, binary, 1e6, test.name, test.argument)
		if used := 1e6 - left; used != test.used || trapped {
			t.Errorf("%s(%d) used %d, trapped %v; want %d", test.name, test.argument, used, trapped, test.used)
		}
	}
}

func TestMeterTrapsBelowZero(t *testing.T) {
	binary := metered(t)
	for _, test := range []struct {
		budget  int64
		trapped bool
		left    int64
	}{{200, false, 0}, {199, true, -1}, {1, true, -1}, {0, true, -1}} {
		left, trapped := execute(t, binary, test.budget, "nested", 50)
		if trapped != test.trapped || left != test.left {
			t.Errorf("a budget of %d: trapped %v, left %d; want %v, %d", test.budget, trapped, left, test.trapped, test.left)
		}
	}
	// What a bulk operation used up traps at the next loop.
	if left, trapped := execute(t, binary, 3, "fill", 640); left != -7 || trapped {
		t.Errorf("fill left %d, trapped %v", left, trapped)
	}
}

func TestSectionsSurvive(t *testing.T) {
	binary := assemble(countDown)
	m, err := wasm.Decode(binary)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(m.Encode(), binary) {
		t.Error("a module that nobody edited changed")
	}
	dropData(m)
	for _, s := range m.Sections {
		if s.ID == wasm.DataSection || s.ID == wasm.CustomSection {
			t.Errorf("section %d is still there", s.ID)
		}
	}
	if err := dropExports(m, "countDown"); err != nil {
		t.Fatal(err)
	}
	if err := m.SetMemory(5, 5); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	instance, err := runtime.Instantiate(ctx, m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if instance.ExportedFunction("countDown") != nil || instance.Memory() == nil {
		t.Error("the wrong export was dropped")
	}
	if size := instance.Memory().Size(); size != 5*wasm.PageSize {
		t.Errorf("the memory has %d bytes", size)
	}
	if _, ok := instance.Memory().Grow(1); ok {
		t.Error("the memory grows")
	}
	if b, _ := instance.Memory().ReadByte(0); b != 0 {
		t.Error("there is still data")
	}
}

func TestRefused(t *testing.T) {
	for name, f := range map[string]testFunction{
		"memory.grow": {"f", 0, true, 0, []byte{opI32Const, 1, opMemoryGrow, 0}},
		"memory.init": {"f", 0, false, 0, []byte{opI32Const, 0, opI32Const, 0, opI32Const, 0, opPrefix, 8, 0, 0}},
		"a vector":    {"f", 0, false, 0, []byte{0xfd, 12}},
		"throw":       {"f", 0, false, 0, []byte{0x08, 0}},
	} {
		m, err := wasm.Decode(assemble(f))
		if err != nil {
			t.Fatal(err)
		}
		if err := meter(m, "budget"); err == nil {
			t.Errorf("%s was metered", name)
		}
	}
}

// TestDamaged cuts a module everywhere: nothing panics.
func TestDamaged(t *testing.T) {
	whole := assemble(countDown, nested, fill, copied, immediates)
	for n := range whole {
		edit(whole[:n])
		changed := bytes.Clone(whole)
		changed[n] ^= 0xff
		edit(changed)
	}
}

func edit(binary []byte) {
	m, err := wasm.Decode(binary)
	if err != nil {
		return
	}
	dropData(m)
	_ = dropExports(m, "f")
	_ = m.SetMemory(3, 3)
	_ = meter(m, "budget")
	m.Encode()
}

func FuzzEdit(f *testing.F) {
	f.Add(assemble(countDown, nested, fill, copied, immediates))
	f.Fuzz(func(_ *testing.T, binary []byte) { edit(binary) })
}
