package freeze

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"codelinter/sandbox/internal/wasi"
	"codelinter/sandbox/internal/wasm"
)

// room is the memory in bytes of a program besides the image.
const room = 128 << 20

// A frozen is a module without data, and its memory from address 0 on, without
// zeros at its end. The module's memory is larger by room.
type frozen struct{ module, image []byte }

// freeze boots a reactor with a library.
//
// The machine is package wasi's, which is always the same, so the image is
// reproducible.
func freeze(reactor, library []byte) (frozen, error) {
	ctx := context.Background()
	m, err := wasm.Decode(reactor)
	if err != nil {
		return frozen{}, err
	}
	const booting = 512 << 20 / wasm.PageSize
	if err := m.SetMemory(booting, booting); err != nil {
		return frozen{}, err
	}
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	if err := wasi.Instantiate(ctx, runtime); err != nil {
		return frozen{}, err
	}
	compiled, err := runtime.CompileModule(ctx, m.Encode())
	if err != nil {
		return frozen{}, err
	}
	guest, err := boot(ctx, runtime, compiled, library)
	if err != nil {
		return frozen{}, err
	}
	memory, _ := guest.Memory().Read(0, guest.Memory().Size())
	stack := guest.ExportedGlobal("__stack_pointer").Get()
	clear(memory[:uint32(stack)]) // remains of calls
	image := bytes.Clone(bytes.TrimRight(memory, "\x00"))

	m, err = wasm.Decode(reactor)
	if err != nil {
		return frozen{}, err
	}
	dropData(m)
	pages := uint32((len(image) + room + wasm.PageSize - 1) / wasm.PageSize)
	if err := errors.Join(
		dropExports(m, "_initialize", "boot", "settle"),
		m.SetMemory(pages, pages),
		meter(m, "budget"),
	); err != nil {
		return frozen{}, err
	}
	return frozen{m.Encode(), image}, nil
}

// dropData removes what fills the memory and what nobody executes: data
// segments, the start function, custom sections.
func dropData(m *wasm.Module) {
	m.Sections = slices.DeleteFunc(m.Sections, func(s wasm.Section) bool {
		return s.ID == wasm.DataSection || s.ID == wasm.DataCountSection || s.ID == wasm.CustomSection || s.ID == wasm.StartSection
	})
}

// dropExports removes exports by their names.
func dropExports(m *wasm.Module, names ...string) (err error) {
	defer wasm.Catch(&err)
	s := m.Section(wasm.ExportSection)
	if s == nil {
		return errors.New("the module has no exports")
	}
	r := wasm.Reader{Rest: s.Body}
	var kept []byte
	n := uint32(0)
	for range r.U32() {
		from := r.Rest
		name := r.Take(r.U32())
		r.Byte()
		r.U32()
		if !slices.Contains(names, string(name)) {
			kept = append(kept, from[:len(from)-len(r.Rest)]...)
			n++
		}
	}
	s.Body = append(wasm.AppendU32(nil, n), kept...)
	return nil
}

// boot returns the guest after boot, warming up and settling.
func boot(ctx context.Context, runtime wazero.Runtime, compiled wazero.CompiledModule, library []byte) (api.Module, error) {
	var output bytes.Buffer
	system := &wasi.System{Write: func(_ uint32, data []byte) { output.Write(data) }}
	system.Reset()
	ctx = wasi.WithSystem(ctx, system)
	guest, err := runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return nil, err
	}
	g := caller{ctx, guest}
	address, err := g.pass(library)
	if err != nil {
		return nil, err
	}
	status, err := g.call("boot", uint64(address), uint64(len(library)))
	if err != nil || int32(status) != 0 || output.Len() > 0 {
		return nil, fmt.Errorf("boot: status %d, %w\n%s", int32(status), err, output.Bytes())
	}
	for round := range warmUps {
		if err := g.warmUp(); err != nil {
			return nil, fmt.Errorf("warming up, round %d: %w\n%s", round, err, output.Bytes())
		}
		output.Reset()
		if status, err := g.call("settle"); err != nil || int32(status) != 0 {
			return nil, fmt.Errorf("settle: status %d, %w\n%s", int32(status), err, output.Bytes())
		}
	}
	system.Reset()
	return guest, nil
}

// A caller calls a guest's exports.
type caller struct {
	ctx   context.Context
	guest api.Module
}

func (g caller) call(name string, arguments ...uint64) (uint64, error) {
	results, err := g.guest.ExportedFunction(name).Call(g.ctx, arguments...)
	if err != nil {
		return 0, err
	}
	return results[0], nil
}

// pass copies data to a buffer of the guest and returns its address.
func (g caller) pass(data []byte) (uint32, error) {
	address, err := g.call("allocate", uint64(len(data)))
	if err != nil {
		return 0, err
	}
	if address == 0 || !g.guest.Memory().Write(uint32(address), data) {
		return 0, errors.New("the guest has no memory for a request")
	}
	return uint32(address), nil
}

// request calls exec or call, and requires the reply done.
func (g caller) request(name string, data []byte, before ...uint64) error {
	address, err := g.pass(data)
	if err != nil {
		return err
	}
	place, err := g.call(name, append(before, uint64(address), uint64(len(data)))...)
	if err != nil {
		return err
	}
	reply, ok := g.guest.Memory().Read(uint32(place>>32), uint32(place))
	if !ok || len(reply) == 0 || reply[0] != 0 {
		return fmt.Errorf("%s of %q replies %q", name, data, reply)
	}
	return nil
}

// warmUps is the number of runs of the warm-up program: until CPython has
// specialised its own bytecode and filled its free lists.
const warmUps = 8

// warmUp runs a program that uses the usual features.
func (g caller) warmUp() error {
	if err := g.request("exec", []byte(warmUpProgram), 0); err != nil {
		return err
	}
	for _, expression := range warmUpCalls {
		request := binary.AppendUvarint(nil, 10)
		for _, text := range []string{"", expression} {
			request = append(binary.AppendUvarint(request, 2*uint64(len(text))), text...)
		}
		request = append(request, 0, 0)
		if err := g.request("call", request); err != nil {
			return err
		}
	}
	return nil
}

const warmUpProgram = `import asyncio, collections, dataclasses, datetime, decimal, enum, fractions, functools, heapq, itertools, json, math, random, re, string, typing

def words(text):
    return [w for w in re.findall(r"[a-z]+", text.lower()) if w]

def count(items):
    found = {}
    for item in items:
        found[item] = found.get(item, 0) + 1
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))

class Shape:
    def __init__(self, size):
        self.size = size
    @property
    def area(self):
        return self.size ** 2
    def __repr__(self):
        return f"Shape({self.size!r})"

@dataclasses.dataclass
class Point:
    x: int
    y: int = 0

def numbers(n):
    i = 0
    while i < n:
        yield i * 2
        i += 1

async def add(a, b):
    await asyncio.sleep(0.001)
    return a + b

def run():
    return asyncio.run(add(1, 2))

assert words("To be, or not") == ["to", "be", "or", "not"]
assert count("abca")[0] == ("a", 2)
print("%d %s" % (1, "a"), "{:.2f}".format(math.pi), *map(str, range(3)))
try:
    1 / 0
except ZeroDivisionError as error:
    text = str(error)
assert json.loads(json.dumps({"a": [1, 2.5, None]})) == {"a": [1, 2.5, None]}
for letter in reversed(string.ascii_lowercase[:5]):
    pass
if __name__ == "__main__":
    print(sum(numbers(20)), max([3, 1, 2]), min(4, 2), sorted({3, 1, 2}), "a-b".split("-"), "".join(["x", "y"]), [1, 2, 3][::-1])
`

var warmUpCalls = []string{
	"words('a b')", "count([1, 1, 2])", "Shape(2)", "Shape(3).area", "Point(1)", "numbers(3)", "run()", "{1: {2, 3}, 'a': (1.5, None)}",
	"collections.Counter('aab')", "decimal.Decimal('1.5') + 1", "fractions.Fraction(1, 3)", "datetime.date(2025, 1, 1)", "functools.reduce(lambda a, b: a * b, range(1, 20))",
	"list(itertools.combinations('abc', 2))", "heapq.nsmallest(2, [3, 1, 2])",
}
