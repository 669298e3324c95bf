// Package wasi is the machine of a program in the sandbox. It is WASI preview 1
// with two outputs, an empty input, a clock that moves when it is read and when
// a program sleeps, and random bytes that are always the same. There are no
// files, arguments, environment or sockets, and nothing depends on the real
// machine. An ordinary program also has an input, files in memory (see
// [Files]), threads, and a clock that moves with its work.
//
//	err := wasi.Instantiate(ctx, runtime)
//	...
//	system := &wasi.System{Write: func(descriptor uint32, data []byte) { ... }}
//	system.Reset()
//	_, err = run.Call(wasi.WithSystem(ctx, system))
//
// A program chooses the arguments of these functions. Addresses and lengths
// outside of its memory give EFAULT. No function takes longer than work over
// the whole memory of the program. The bytes that a function moves are charged
// to the program's budget.
package wasi

import (
	"context"
	"encoding/binary"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"codelinter/internal/util/lazy"
)

// ModuleName is the module that programs import.
const ModuleName = "wasi_snapshot_preview1"

// Epoch is the initial time of the realtime clock in nanoseconds since 1970:
// 2025-01-01 00:00:00 UTC.
const Epoch = 1735689600 * 1e9

// tick is how many nanoseconds a clock moves when it is read, so a program that
// waits by reading the clock makes progress. pacedTick is the same for a clock
// that moves with the program's work.
const (
	tick      = 10_000
	pacedTick = 50
)

// A System is the machine of one program. Reset must be called before its use.
type System struct {
	// Write receives the output to descriptor 1 or 2. It must not keep data,
	// which is the program's memory.
	Write func(descriptor uint32, data []byte)

	// Charge takes counts from the program's budget; nil: nothing is charged.
	Charge func(counts int64)

	// Not for a program under judgement:
	Input []byte       // the rest of descriptor 0
	Files *Files       // nil: no files
	Pace  int64        // nanoseconds that the clock moves by for each count
	Spent func() int64 // counts that the program has used; nil: unknown
	Turns interface {  // how threads take turns; nil: there is one thread
		Spawn(thread, stackEnd uint32)
		TurnTo(thread uint32)
	}

	elapsed uint64 // nanoseconds since Epoch
	random  uint64 // state of splitmix64
}

// bytesPerCount is the number of bytes that a count pays for, as for
// memory.copy.
const bytesPerCount = 64

// charge charges for bytes that a function moves. Otherwise a program that asks
// for random bytes again and again would have 430 ns for a count, where loops
// have 5 to 90.
func (s *System) charge(n int) {
	if s.Charge != nil {
		s.Charge(int64(n) / bytesPerCount)
	}
}

// Reset restarts the clock and the random bytes, and removes input, files and
// threads.
func (s *System) Reset() {
	s.elapsed, s.random = 0, 0
	s.Input, s.Files, s.Pace, s.Turns = nil, nil, 0, nil
}

// IsAtRest reports whether the clock and the random bytes are as Reset leaves them.
func (s *System) IsAtRest() bool { return s.elapsed == 0 && s.random == 0 }

// time returns the nanoseconds since Epoch.
func (s *System) time() uint64 {
	if s.Pace == 0 || s.Spent == nil {
		return s.elapsed
	}
	return saturate(s.elapsed, uint64(max(s.Spent(), 0)*s.Pace))
}

// pass advances the time to at.
func (s *System) pass(at uint64) {
	if now := s.time(); now < at {
		s.elapsed += at - now
	}
}

type systemKey struct{}

// WithSystem returns a context for calls of a program with system.
func WithSystem(ctx context.Context, system *System) context.Context {
	return context.WithValue(ctx, systemKey{}, system)
}

// machineName is the module with the functions that switch threads.
const machineName = "machine"

// Instantiate adds the functions of WASI, and those that switch threads, to a
// runtime. They need a context from WithSystem.
func Instantiate(ctx context.Context, runtime wazero.Runtime) error {
	builder := runtime.NewHostModuleBuilder(ModuleName)
	for _, f := range functions.Get() {
		results := []api.ValueType{api.ValueTypeI32}
		if f.name == "proc_exit" {
			results = nil
		}
		builder.NewFunctionBuilder().WithGoModuleFunction(f.host(), f.parameters(), results).Export(f.name)
	}
	if _, err := builder.Instantiate(ctx); err != nil {
		return err
	}
	builder = runtime.NewHostModuleBuilder(machineName)
	builder.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
		if turns := ctx.Value(systemKey{}).(*System).Turns; turns != nil {
			turns.Spawn(uint32(stack[0]), uint32(stack[1]))
		}
	}), []api.ValueType{api.ValueTypeI32, api.ValueTypeI32}, nil).Export("spawn")
	builder.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
		if turns := ctx.Value(systemKey{}).(*System).Turns; turns != nil {
			turns.TurnTo(uint32(stack[0]))
		}
	}), []api.ValueType{api.ValueTypeI32}, nil).Export("turn_to")
	_, err := builder.Instantiate(ctx)
	return err
}

// Error numbers of WASI.
const (
	success = 0
	eBadf   = 8
	eFault  = 21
	eInval  = 28
	eNosys  = 52
	eNotsup = 58
	eSpipe  = 70
)

// A call is a call of a function.
type call struct {
	system *System
	memory api.Memory
	stack  []uint64
}

// i32 returns an argument. The upper half of its slot is garbage.
func (c call) i32(i int) uint32 { return uint32(c.stack[i]) }

// bytes returns a part of the program's memory.
func (c call) bytes(at, size uint32) ([]byte, bool) { return c.memory.Read(at, size) }

// put32 writes a result to the address in an argument.
func (c call) put32(i int, value uint32) uint32 {
	if !c.memory.WriteUint32Le(c.i32(i), value) {
		return eFault
	}
	return success
}

// put64 is put32 for 64 bits.
func (c call) put64(i int, value uint64) uint32 {
	if !c.memory.WriteUint64Le(c.i32(i), value) {
		return eFault
	}
	return success
}

type implementation func(c call) uint32

// A hostFunction is a function of WASI. Its signature has a letter for each
// parameter: i for i32, I for i64. A nil implementation gives ENOSYS.
type hostFunction struct {
	name      string
	signature string
	implementation
}

func (f hostFunction) parameters() []api.ValueType {
	types := make([]api.ValueType, len(f.signature))
	for i := range types {
		types[i] = api.ValueTypeI32
		if f.signature[i] == 'I' {
			types[i] = api.ValueTypeI64
		}
	}
	return types
}

func (f hostFunction) host() api.GoModuleFunction {
	implement := f.implementation
	if implement == nil {
		return api.GoModuleFunc(func(_ context.Context, _ api.Module, stack []uint64) { stack[0] = eNosys })
	}
	return api.GoModuleFunc(func(ctx context.Context, m api.Module, stack []uint64) {
		result := implement(call{ctx.Value(systemKey{}).(*System), m.Memory(), stack})
		if f.name != "proc_exit" {
			stack[0] = uint64(result)
		}
	})
}

// functions are all of WASI preview 1.
var functions = lazy.Value[[]hostFunction]{Make: func() []hostFunction {
	return []hostFunction{
		{"args_get", "ii", nothing},
		{"args_sizes_get", "ii", noStrings},
		{"clock_res_get", "ii", clockResolution},
		{"clock_time_get", "iIi", clockTime},
		{"environ_get", "ii", nothing},
		{"environ_sizes_get", "ii", noStrings},
		{"fd_advise", "iIIi", onFile(eSpipe, (*Files).nothing)},
		{"fd_allocate", "iII", onFile(eNotsup, (*Files).allocate)},
		{"fd_close", "i", onFile(success, (*Files).close)},
		{"fd_datasync", "i", onFile(eInval, (*Files).nothing)},
		{"fd_fdstat_get", "ii", onFile(alike, (*Files).status)},
		{"fd_fdstat_set_flags", "ii", onFile(success, (*Files).setFlags)},
		{"fd_fdstat_set_rights", "iII", onStream(eNotsup)},
		{"fd_filestat_get", "ii", onFile(alike, (*Files).stat)},
		{"fd_filestat_set_size", "iI", onFile(eInval, (*Files).truncate)},
		{"fd_filestat_set_times", "iIIi", onFile(eNotsup, (*Files).touch)},
		{"fd_pread", "iiiIi", onFile(eSpipe, (*Files).readAt)},
		{"fd_prestat_dir_name", "iii", badDescriptor},
		{"fd_prestat_get", "ii", badDescriptor},
		{"fd_pwrite", "iiiIi", onFile(eSpipe, (*Files).writeAt)},
		{"fd_read", "iiii", onFile(alike, (*Files).read)},
		{"fd_readdir", "iiiIi", onFile(eBadf, (*Files).list)},
		{"fd_renumber", "ii", onStream(eNotsup)},
		{"fd_seek", "iIii", onFile(eSpipe, (*Files).seek)},
		{"fd_sync", "i", onFile(eInval, (*Files).nothing)},
		{"fd_tell", "ii", onFile(eSpipe, (*Files).tell)},
		{"fd_write", "iiii", onFile(alike, (*Files).write)},
		{"path_create_directory", "iii", at(0, 1, 2, pathMakeFolder)},
		{"path_filestat_get", "iiiii", at(0, 2, 3, existing(pathStat))},
		{"path_filestat_set_times", "iiiiIIi", at(0, 2, 3, existing(pathTouch))},
		{"path_link", "iiiiiii", pathLink},
		{"path_open", "iiiiiIIii", at(0, 2, 3, pathOpen)},
		{"path_readlink", "iiiiii", at(0, 1, 2, existing(pathReadLink))},
		{"path_remove_directory", "iii", at(0, 1, 2, pathRemoveFolder)},
		{"path_rename", "iiiiii", at(0, 1, 2, pathRename)},
		{"path_symlink", "iiiii", pathLink},
		{"path_unlink_file", "iii", at(0, 1, 2, pathRemoveFile)},
		{"poll_oneoff", "iiii", poll},
		{"proc_exit", "i", exit},
		{"proc_raise", "i", nil},
		{"random_get", "ii", random},
		{"sched_yield", "", nothing},
		{"sock_accept", "iii", nil},
		{"sock_recv", "iiiiii", nil},
		{"sock_send", "iiiii", nil},
		{"sock_shutdown", "ii", nil},
	}
}}

func nothing(call) uint32 { return success }

// badDescriptor implements functions on folders: none is open.
func badDescriptor(call) uint32 { return eBadf }

// onStream implements functions on the three streams.
func onStream(number uint32) implementation {
	return func(c call) uint32 {
		if c.i32(0) > 2 {
			return eBadf
		}
		return number
	}
}

// noStrings implements the sizes of arguments and environment: 0 strings, 0
// bytes.
func noStrings(c call) uint32 {
	if number := c.put32(0, 0); number != success {
		return number
	}
	return c.put32(1, 0)
}

// Clocks: realtime, monotonic, and the processor time of process and thread.
const (
	realtime = 0
	lastID   = 3
)

func clockResolution(c call) uint32 {
	if c.i32(0) > lastID {
		return eInval
	}
	return c.put64(1, 1)
}

// now returns the time of a clock in nanoseconds.
func (s *System) now(id uint32) uint64 {
	if id == realtime {
		return Epoch + s.time()
	}
	return s.time()
}

func clockTime(c call) uint32 {
	id := c.i32(0)
	if id > lastID {
		return eInval
	}
	if c.system.Pace > 0 {
		c.system.elapsed += pacedTick
	} else {
		c.system.elapsed += tick
	}
	return c.put64(2, c.system.now(id))
}

// Rights of WASI that the streams have.
const (
	rightRead  = 1 << 1
	rightWrite = 1 << 6
	rightPoll  = 1 << 27
)

// maxVectors bounds the buffers in one read or write, as in Linux.
const maxVectors = 1024

// vectors returns the buffers of a read or a write.
func (c call) vectors() ([]byte, uint32) {
	n := c.i32(2)
	if n > maxVectors {
		return nil, eInval
	}
	list, ok := c.bytes(c.i32(1), 8*n)
	if !ok {
		return nil, eFault
	}
	return list, success
}

// take copies input to data, and returns the number of bytes.
func (s *System) take(data []byte) int {
	n := copy(data, s.Input)
	s.Input = s.Input[n:]
	return n
}

// streams are the descriptors 0, 1 and 2 of a program, of unknown type, like pipes.
var streams = [3]descriptor{
	{node: &node{kind: stream, stream: 0}, read: true},
	{node: &node{kind: stream, stream: 1}, write: true},
	{node: &node{kind: stream, stream: 2}, write: true},
}

// Types of events.
const (
	subscriptionSize = 48
	eventSize        = 32
	clockEvent       = 0
)

// poll returns at once: descriptors are ready. If there are only clocks, time
// jumps to the earliest.
func poll(c call) uint32 {
	n := c.i32(2)
	if n == 0 || n > maxVectors {
		return eInval
	}
	list, ok := c.bytes(c.i32(0), n*subscriptionSize)
	if !ok {
		return eFault
	}
	if _, ok := c.bytes(c.i32(1), n*eventSize); !ok {
		return eFault
	}
	dues := make([]uint64, 0, n) // for a descriptor: now
	first, ready := ^uint64(0), false
	for s := list; len(s) > 0; s = s[subscriptionSize:] {
		due := uint64(0)
		if s[8] == clockEvent {
			due = c.system.dueTime(s)
			first = min(first, due)
		} else {
			ready = true
		}
		dues = append(dues, due)
	}
	if !ready {
		c.system.pass(first)
	}
	// Events may overlap subscriptions, which are read before.
	events := make([]byte, 0, n*eventSize)
	now := c.system.time()
	for i, due := range dues {
		if due > now {
			continue
		}
		s := list[i*subscriptionSize:]
		var event [eventSize]byte
		copy(event[:8], s[:8]) // the program's own value
		event[10] = s[8]
		events = append(events, event[:]...)
	}
	if !c.memory.WriteUint32Le(c.i32(3), uint32(len(events)/eventSize)) {
		return eFault
	}
	c.memory.Write(c.i32(1), events)
	return success
}

// dueTime returns the elapsed time at which a subscription to a clock is due.
func (s *System) dueTime(subscription []byte) uint64 {
	id := binary.LittleEndian.Uint32(subscription[16:])
	due := binary.LittleEndian.Uint64(subscription[24:])
	if subscription[40]&1 == 0 { // relative to now
		return saturate(s.time(), due)
	}
	if id == realtime {
		if due < Epoch {
			return 0
		}
		return due - Epoch
	}
	return due
}

// saturate adds without overflow. The clock stops 200 years from its epoch.
func saturate(a, b uint64) uint64 {
	const end = 200 * 365 * 24 * 3600 * 1e9
	if a > end || b > end-a {
		return end
	}
	return a + b
}

func exit(c call) uint32 { panic(sys.NewExitError(c.i32(0))) }

// random returns the stream of splitmix64 from 0. Each call begins with new
// eight bytes.
func random(c call) uint32 {
	data, ok := c.bytes(c.i32(0), c.i32(1))
	if !ok {
		return eFault
	}
	c.system.charge(len(data))
	for ; len(data) >= 8; data = data[8:] {
		binary.LittleEndian.PutUint64(data, c.system.next())
	}
	if len(data) > 0 {
		var last [8]byte
		binary.LittleEndian.PutUint64(last[:], c.system.next())
		copy(data, last[:])
	}
	return success
}

// next is a step of splitmix64.
func (s *System) next() uint64 {
	s.random += 0x9e3779b97f4a7c15
	z := s.random
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
