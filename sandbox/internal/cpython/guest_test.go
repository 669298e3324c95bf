//go:build !nopython

package cpython_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"codelinter/sandbox/internal/cpython"
	"codelinter/sandbox/internal/memory"
	"codelinter/sandbox/internal/wasi"
)

// A guest is a copy of the image, for one program.
type guest struct {
	t      testing.TB
	module api.Module
	ctx    context.Context
	system *wasi.System
	output strings.Builder
}

// A machine is a runtime with CPython compiled.
type machine struct {
	runtime wazero.Runtime
	code    wazero.CompiledModule
	content []byte
	image   *memory.Image // of content
}

// maxMemory is the most memory of a guest in bytes.
const maxMemory = 1 << 30

// A linear is a guest's memory: a private mapping of the image, as copies of it for all guests
// were three quarters of these tests' time.
type linear struct{ *memory.Memory }

func (linear) Free() {}

// compiled is compiled once for all tests.
var compiled = sync.OnceValues(func() (m machine, err error) {
	ctx := context.Background()
	m.runtime = wazero.NewRuntime(ctx)
	if err = wasi.Instantiate(ctx, m.runtime); err != nil {
		return m, err
	}
	code, err := cpython.Module()
	if err != nil {
		return m, err
	}
	if m.content, err = cpython.Image(); err != nil {
		return m, err
	}
	if m.image, err = memory.NewImage(m.content, maxMemory); err != nil {
		return m, err
	}
	m.code, err = m.runtime.CompileModule(ctx, code)
	return m, err
})

// newGuest returns a guest with a budget that is large for a test.
func newGuest(t testing.TB) *guest {
	t.Helper()
	c, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	g := &guest{t: t}
	g.system = &wasi.System{Write: func(_ uint32, data []byte) { g.output.Write(data) }}
	g.ctx = wasi.WithSystem(context.Background(), g.system)
	mapped, err := c.image.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(mapped.Free)
	allocator := experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return linear{mapped} })
	g.module, err = c.runtime.InstantiateModule(experimental.WithMemoryAllocator(g.ctx, allocator), c.code, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.module.Close(g.ctx) })
	g.setBudget(1e9)
	return g
}

func (g *guest) setBudget(n int64) {
	g.module.ExportedGlobal("budget").(api.MutableGlobal).Set(uint64(n))
}

func (g *guest) budget() int64 { return int64(g.module.ExportedGlobal("budget").Get()) }

// request calls an export with data, and returns the reply.
func (g *guest) request(name string, data []byte, before ...uint64) ([]byte, error) {
	address, err := g.module.ExportedFunction("allocate").Call(g.ctx, uint64(len(data)))
	if err != nil {
		return nil, err
	}
	if !g.module.Memory().Write(uint32(address[0]), data) {
		return nil, errors.New("no memory for the request")
	}
	place, err := g.module.ExportedFunction(name).Call(g.ctx, append(before, address[0], uint64(len(data)))...)
	if err != nil {
		return nil, err
	}
	reply, ok := g.module.Memory().Read(uint32(place[0]>>32), uint32(place[0]))
	if !ok {
		return nil, errors.New("no reply")
	}
	return append([]byte(nil), reply...), nil
}

const (
	wantsCoverage  = 1
	wantsTraceback = 2
	hasCode        = 4
)

func (g *guest) exec(source string, flags uint64) ([]byte, error) {
	return g.request("exec", []byte(source), flags)
}

// A call is a request of call.
type call struct {
	items      uint64
	statements string
	expression string
	bindings   [][2]string
	after      []string
}

func (c call) encode() []byte {
	name := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	text := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, 2*uint64(len(s))), s...) }
	b := text(text(binary.AppendUvarint(nil, c.items), c.statements), c.expression)
	b = binary.AppendUvarint(b, uint64(len(c.bindings)))
	for _, binding := range c.bindings {
		b = text(name(b, binding[0]), binding[1])
	}
	b = binary.AppendUvarint(b, uint64(len(c.after)))
	for _, wanted := range c.after {
		b = name(b, wanted)
	}
	return b
}

func (g *guest) call(c call) ([]byte, error) { return g.request("call", c.encode()) }

// A text is compiled by one guest, and run by another.
func TestCompile(t *testing.T) {
	const source = "def f(x):\n    return [x, 'a']\n"
	compiled := map[string][]byte{}
	compiler := newGuest(t)
	for kind, text := range []string{source, "y = f(1)", "f(y)"} {
		reply, err := compiler.request("compile", []byte(text), uint64(kind))
		if err != nil || len(reply) < 2 || reply[0] != 0 {
			t.Fatalf("%q: %q, %v", text, reply, err)
		}
		compiled[text] = reply[1:]
	}
	for kind, text := range []string{"f(", "f(", "y = 1"} {
		reply, err := compiler.request("compile", []byte(text), uint64(kind))
		if err != nil || !strings.HasPrefix(print(reply, false, 0), "1 SyntaxError: ") {
			t.Errorf("%q: %q, %v", text, reply, err)
		}
	}
	g := newGuest(t)
	coded := append(append(binary.AppendUvarint(nil, uint64(len(source))), source...), compiled[source]...)
	if reply, err := g.request("exec", coded, hasCode); err != nil || print(reply, false, 0) != "done" {
		t.Fatalf("%q, %v", reply, err)
	}
	text := func(b []byte, s string) []byte {
		return append(binary.AppendUvarint(b, 2*uint64(len(compiled[s]))+1), compiled[s]...)
	}
	call := append(text(text([]byte{9}, "y = f(1)"), "f(y)"), 0, 0)
	want := `[0([1(1 s"a") s"a")`
	if reply, err := g.request("call", call); err != nil || print(reply, true, 0) != want {
		t.Errorf("%s, %v; want %s", print(reply, true, 0), err, want)
	}
	for name, damaged := range map[string][]byte{
		"other things":  {9, 3, 'N', 0, 0, 0},
		"a cut code":    append(append([]byte{9, 21}, compiled["y = f(1)"][:10]...), 0, 0, 0),
		"more than all": {9, 0xff, 0xff, 3, 0, 0, 0},
	} {
		if reply, err := g.request("call", damaged); err != nil || reply[0] != 1 {
			t.Errorf("%s: %q, %v", name, reply, err)
		}
	}
	for _, damaged := range []string{"", "\x05", "\xff\xff", "\x01 ", "\x01 N"} {
		if reply, err := newGuest(t).request("exec", []byte(damaged), hasCode); err != nil || reply[0] != 1 {
			t.Errorf("%q: %q, %v", damaged, reply, err)
		}
	}
}

// A printer prints replies as text, in the letters of the wire format.
type printer struct {
	in      []byte
	classes []string
	id      int
	out     strings.Builder
}

func (p *printer) take(n uint64) string {
	if n > uint64(len(p.in)) {
		panic(fmt.Sprintf("the reply ends too soon: %s", p.out.String()))
	}
	s := string(p.in[:n])
	p.in = p.in[n:]
	return s
}

func (p *printer) uvarint() uint64 {
	v, n := binary.Uvarint(p.in)
	if n <= 0 {
		panic(fmt.Sprintf("a damaged number: %s", p.out.String()))
	}
	p.in = p.in[n:]
	return v
}

func (p *printer) text() string { return p.take(p.uvarint()) }

func (p *printer) class() string {
	k := p.uvarint()
	if k == 0 {
		p.classes = append(p.classes, p.text())
		k = uint64(len(p.classes))
	}
	return p.classes[k-1]
}

func (p *printer) print(format string, arguments ...any) { fmt.Fprintf(&p.out, format, arguments...) }

func (p *printer) open(tag byte) {
	p.print("%c%d", tag, p.id)
	p.id++
}

func (p *printer) nodes(n uint64) {
	p.print("(")
	for i := range n {
		if i > 0 {
			p.print(" ")
		}
		p.node()
	}
	p.print(")")
}

func (p *printer) node() {
	switch tag := p.take(1)[0]; tag {
	case 'N', 'T', 'F', '.', '!', '-':
		p.print("%c", tag)
	case 'i':
		p.print("%s", twosComplement(p.text()))
	case 'f':
		p.print("f%x", math.Float64bits(p.float()))
	case 'c':
		p.print("c%v,", p.float())
		p.print("%v", p.float())
	case 's', 'b':
		p.print("%c%q", tag, p.text())
	case 'B':
		p.open(tag)
		p.print("%q", p.text())
	case 'R', 'S':
		p.open(tag)
		p.nodes(3)
	case '[', '(', '{', '<', 'k', 'v':
		p.open(tag)
		p.nodes(p.uvarint())
	case 'd', 'w':
		p.open(tag)
		p.nodes(2 * p.uvarint())
	case 'o':
		p.open(tag)
		p.print("%s:", p.class())
		p.node()
		for range p.uvarint() {
			p.print(" %s=", p.text())
			p.node()
		}
		p.print(";")
	case 'g':
		p.open(tag)
		p.print("%s", p.class())
	case 'C', 'M':
		p.print("%c%s", tag, p.text())
	case 'L':
		p.print("L%s:", p.class())
		p.print("%s", p.text())
	case 'r':
		p.print("r%d", p.uvarint())
	case '+', 'x':
		p.print("%c%s", tag, p.class())
	default:
		panic(fmt.Sprintf("tag %q after %s", tag, p.out.String()))
	}
}

func (p *printer) float() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64([]byte(p.take(8))))
}

func (p *printer) value() {
	p.node()
	for range p.uvarint() {
		p.print(" %d yields", p.uvarint())
		p.nodes(p.uvarint())
		if how := p.take(1)[0]; how == 2 {
			p.print("raises %s", p.class())
		} else {
			p.print("%d", how)
		}
	}
}

func (p *printer) exception() {
	p.print("%s: %s", p.class(), p.text())
	p.print(" line %d", p.uvarint())
	if traceback := p.text(); traceback != "" {
		p.print("\n%s", traceback)
	}
}

// print prints a reply with so many values after.
func print(reply []byte, isCall bool, after int) (text string) {
	p := &printer{in: reply}
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("%v (%q)", r, reply)
		}
	}()
	switch end := p.take(1)[0]; end {
	case 0:
		if isCall {
			p.value()
		} else {
			p.print("done")
		}
	case 1, 2:
		p.print("%d ", end)
		p.exception()
		if end == 2 {
			p.print(" code %d", p.uvarint())
		}
	default:
		panic(fmt.Sprintf("end %d", end))
	}
	for range after {
		p.print(" after ")
		p.value()
	}
	if len(p.in) > 0 {
		p.print(" rest %q", p.in)
	}
	return p.out.String()
}

func twosComplement(s string) *big.Int {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}
