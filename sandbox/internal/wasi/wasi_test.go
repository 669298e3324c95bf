package wasi

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"
)

const size = 65536

// newMemory returns a memory of one page.
func newMemory(t *testing.T) api.Memory {
	t.Helper()
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() { runtime.Close(ctx) })
	m, err := runtime.Instantiate(ctx, []byte("\x00asm\x01\x00\x00\x00\x05\x03\x01\x00\x01\x07\x05\x01\x01m\x02\x00"))
	if err != nil {
		t.Fatal(err)
	}
	return m.Memory()
}

func lookUp(t *testing.T, name string) hostFunction {
	t.Helper()
	for _, f := range functions.Get() {
		if f.name == name {
			return f
		}
	}
	t.Fatalf("there is no %s", name)
	return hostFunction{}
}

// garbage is what the upper half of an i32 argument may hold.
const garbage = 0xdeadbeef << 32

// invoke calls a function as wazero does, with garbage in upper halves.
func invoke(t *testing.T, system *System, memory api.Memory, name string, arguments ...uint64) uint32 {
	t.Helper()
	f := lookUp(t, name)
	if len(arguments) != len(f.signature) {
		t.Fatalf("%s has %d parameters", name, len(f.signature))
	}
	stack := make([]uint64, max(1, len(arguments)))
	for i, a := range arguments {
		stack[i] = a
		if f.signature[i] == 'i' {
			stack[i] = uint64(uint32(a)) | garbage
		}
	}
	if f.implementation == nil {
		f.host().(api.GoModuleFunc)(context.Background(), nil, stack)
		return uint32(stack[0])
	}
	return f.implementation(call{system, memory, stack})
}

func TestEveryFunctionIsKnown(t *testing.T) {
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer runtime.Close(ctx)
	if err := Instantiate(ctx, runtime); err != nil {
		t.Fatal(err)
	}
	if len(functions.Get()) != 46 {
		t.Errorf("%d functions; WASI preview 1 has 46", len(functions.Get()))
	}
}

func TestResults(t *testing.T) {
	const outside = size - 3
	memory := newMemory(t)
	for _, test := range []struct {
		name      string
		arguments []uint64
		want      uint32
	}{
		{"args_get", []uint64{0, 0}, success},
		{"args_sizes_get", []uint64{0, 4}, success},
		{"args_sizes_get", []uint64{outside, 4}, eFault},
		{"args_sizes_get", []uint64{0, 0xffffffff}, eFault},
		{"environ_get", []uint64{0, 0}, success},
		{"environ_sizes_get", []uint64{outside, 0}, eFault},
		{"clock_res_get", []uint64{0, 0}, success},
		{"clock_res_get", []uint64{4, 0}, eInval},
		{"clock_res_get", []uint64{0, outside}, eFault},
		{"clock_time_get", []uint64{3, 0, 0}, success},
		{"clock_time_get", []uint64{0xffffffff, 0, 0}, eInval},
		{"clock_time_get", []uint64{0, 0, size - 7}, eFault},
		{"fd_advise", []uint64{0, 0, 0, 0}, eSpipe},
		{"fd_advise", []uint64{3, 0, 0, 0}, eBadf},
		{"fd_allocate", []uint64{1, 0, 1 << 62}, eNotsup},
		{"fd_close", []uint64{1}, success},
		{"fd_close", []uint64{0xffffffff}, eBadf},
		{"fd_datasync", []uint64{1}, eInval},
		{"fd_fdstat_get", []uint64{1, 0}, success},
		{"fd_fdstat_get", []uint64{3, 0}, eBadf},
		{"fd_fdstat_get", []uint64{1, size - 23}, eFault},
		{"fd_fdstat_set_flags", []uint64{1, 0}, success},
		{"fd_fdstat_set_rights", []uint64{1, 0, 0}, eNotsup},
		{"fd_filestat_get", []uint64{1, 0}, success},
		{"fd_filestat_get", []uint64{1, size - 63}, eFault},
		{"fd_filestat_get", []uint64{9, 0}, eBadf},
		{"fd_filestat_set_size", []uint64{1, 0}, eInval},
		{"fd_filestat_set_times", []uint64{1, 0, 0, 0}, eNotsup},
		{"fd_pread", []uint64{0, 0, 0, 0, 0}, eSpipe},
		{"fd_prestat_dir_name", []uint64{3, 0, 0}, eBadf},
		{"fd_prestat_get", []uint64{3, 0}, eBadf},
		{"fd_pwrite", []uint64{1, 0, 0, 0, 0}, eSpipe},
		{"fd_read", []uint64{0, 0, 1, 8}, success},
		{"fd_read", []uint64{1, 0, 1, 8}, eBadf},
		{"fd_read", []uint64{0, size - 4, 1, 8}, eFault},
		{"fd_read", []uint64{0, 0, 1, outside}, eFault},
		{"fd_read", []uint64{0, 0, 1025, 8}, eInval},
		{"fd_readdir", []uint64{3, 0, 0, 0, 0}, eBadf},
		{"fd_renumber", []uint64{1, 2}, eNotsup},
		{"fd_seek", []uint64{1, 0, 0, 0}, eSpipe},
		{"fd_sync", []uint64{7}, eBadf},
		{"fd_tell", []uint64{1, 0}, eSpipe},
		{"fd_write", []uint64{0, 0, 0, 8}, eBadf},
		{"fd_write", []uint64{3, 0, 0, 8}, eBadf},
		{"fd_write", []uint64{1, 0, 0, 8}, success},
		{"fd_write", []uint64{1, 0, 0xffffffff, 8}, eInval},
		{"fd_write", []uint64{1, 0xfffffff8, 2, 8}, eFault},
		{"fd_write", []uint64{1, 0, 0, outside}, eFault},
		{"path_create_directory", []uint64{3, 0, 0}, eBadf},
		{"path_filestat_get", []uint64{3, 0, 0, 0, 0}, eBadf},
		{"path_filestat_set_times", []uint64{3, 0, 0, 0, 0, 0, 0}, eBadf},
		{"path_link", []uint64{3, 0, 0, 0, 3, 0, 0}, eBadf},
		{"path_open", []uint64{3, 0, 0, 0, 0, 0, 0, 0, 0}, eBadf},
		{"path_readlink", []uint64{3, 0, 0, 0, 0, 0}, eBadf},
		{"path_remove_directory", []uint64{3, 0, 0}, eBadf},
		{"path_rename", []uint64{3, 0, 0, 3, 0, 0}, eBadf},
		{"path_symlink", []uint64{0, 0, 3, 0, 0}, eBadf},
		{"path_unlink_file", []uint64{3, 0, 0}, eBadf},
		{"poll_oneoff", []uint64{0, 0, 0, 0}, eInval},
		{"poll_oneoff", []uint64{0, 0, 0xffffffff, 0}, eInval},
		{"poll_oneoff", []uint64{size - 47, 0, 1, 0}, eFault},
		{"poll_oneoff", []uint64{0, size - 31, 1, 0}, eFault},
		{"poll_oneoff", []uint64{0, 64, 1, outside}, eFault},
		{"proc_raise", []uint64{6}, eNosys},
		{"random_get", []uint64{0, size}, success},
		{"random_get", []uint64{1, size}, eFault},
		{"random_get", []uint64{0xffffffff, 0xffffffff}, eFault},
		{"sched_yield", nil, success},
		{"sock_accept", []uint64{0, 0, 0}, eNosys},
		{"sock_recv", []uint64{0, 0, 0, 0, 0, 0}, eNosys},
		{"sock_send", []uint64{0, 0, 0, 0, 0}, eNosys},
		{"sock_shutdown", []uint64{0, 0}, eNosys},
	} {
		memory.Write(0, make([]byte, size))
		system := &System{}
		if got := invoke(t, system, memory, test.name, test.arguments...); got != test.want {
			t.Errorf("%s%v = %d, want %d", test.name, test.arguments, got, test.want)
		}
	}
	tested := map[string]bool{"proc_exit": true} // by TestExit
	for _, f := range functions.Get() {
		for _, edge := range []uint64{0, 1, 2, 3, size - 8, size - 1, size, 1 << 31, 1<<32 - 1, 1<<64 - 1} {
			arguments := make([]uint64, len(f.signature))
			for i := range arguments {
				arguments[i] = edge
			}
			if f.name != "proc_exit" {
				invoke(t, &System{}, memory, f.name, arguments...) // must not panic
				tested[f.name] = true
			}
		}
	}
	if len(tested) != len(functions.Get()) {
		t.Errorf("%d of %d functions are tested", len(tested), len(functions.Get()))
	}
}

func vector(memory api.Memory, at, data, length uint32) {
	memory.WriteUint32Le(at, data)
	memory.WriteUint32Le(at+4, length)
}

func TestWrite(t *testing.T) {
	memory := newMemory(t)
	memory.WriteString(100, "hello, world")
	vector(memory, 0, 100, 7)
	vector(memory, 8, 107, 5)
	vector(memory, 16, 0, 0)
	var got bytes.Buffer
	system := &System{Write: func(descriptor uint32, data []byte) {
		if descriptor != 2 || len(data) == 0 {
			t.Errorf("descriptor %d, %q", descriptor, data)
		}
		got.Write(data)
	}}
	if number := invoke(t, system, memory, "fd_write", 2, 0, 3, 64); number != success || got.String() != "hello, world" {
		t.Errorf("%d, %q", number, got.String())
	}
	if n, _ := memory.ReadUint32Le(64); n != 12 {
		t.Errorf("wrote %d", n)
	}
	// A damaged vector: nothing is written, not what stands before it either.
	got.Reset()
	vector(memory, 8, size-1, 2)
	if number := invoke(t, system, memory, "fd_write", 2, 0, 3, 64); number != eFault || got.Len() > 0 {
		t.Errorf("%d, %q", number, got.String())
	}
	// The whole memory so often that it cannot be counted: too much at once.
	memory.Write(0, make([]byte, 1024*8))
	for i := range uint32(1024) {
		vector(memory, 8*i, 0, size)
	}
	if number := invoke(t, &System{}, memory, "fd_write", 1, 0, 1024, size-4); number != success {
		t.Errorf("64 MiB: %d", number)
	}
}

func TestSleep(t *testing.T) {
	const hour = 3600 * 1e9
	memory := newMemory(t)
	system := &System{}
	subscribe := func(clock uint32, due uint64, absolute uint16) {
		subscription := make([]byte, subscriptionSize)
		binary.LittleEndian.PutUint64(subscription, 77)
		binary.LittleEndian.PutUint32(subscription[16:], clock)
		binary.LittleEndian.PutUint64(subscription[24:], due)
		binary.LittleEndian.PutUint16(subscription[40:], absolute)
		memory.Write(0, subscription)
		if number := invoke(t, system, memory, "poll_oneoff", 0, 1000, 1, 2000); number != success {
			t.Errorf("poll: %d", number)
		}
		if n, _ := memory.ReadUint32Le(2000); n != 1 {
			t.Errorf("%d events", n)
		}
		if name, _ := memory.ReadUint64Le(1000); name != 77 {
			t.Errorf("event of %d", name)
		}
	}
	subscribe(1, hour, 0)
	if system.elapsed != hour {
		t.Errorf("slept %d", system.elapsed)
	}
	subscribe(1, 3*hour, 1)
	if system.elapsed != 3*hour {
		t.Errorf("slept until %d", system.elapsed)
	}
	subscribe(0, Epoch+4*hour, 1)
	if system.elapsed != 4*hour {
		t.Errorf("slept until %d", system.elapsed)
	}
	subscribe(0, 5, 1) // long past
	subscribe(1, 2*hour, 1)
	if system.elapsed != 4*hour {
		t.Errorf("time went back to %d", system.elapsed)
	}
	subscribe(1, 1<<64-1, 0) // for ever
	before := system.elapsed
	subscribe(1, 1<<64-1, 0)
	if system.elapsed != before || before < 4*hour {
		t.Errorf("the clock overflows: %d, %d", before, system.elapsed)
	}
	system.Reset()
	invoke(t, system, memory, "clock_time_get", 0, 0, 0)
	if now, _ := memory.ReadUint64Le(0); now != Epoch+tick {
		t.Errorf("after Reset it is %d", now)
	}
}

func TestRandom(t *testing.T) {
	memory := newMemory(t)
	system := &System{}
	take := func(n uint64) []byte {
		invoke(t, system, memory, "random_get", 0, n)
		b, _ := memory.Read(0, uint32(n))
		return bytes.Clone(b)
	}
	first, second := take(20), take(20)
	if bytes.Equal(first, second) {
		t.Error("the same bytes twice")
	}
	system.Reset()
	if again := take(20); !bytes.Equal(again, first) {
		t.Errorf("%x after Reset, %x before", again, first)
	}
	// The first number of splitmix64 from 0.
	if got := binary.LittleEndian.Uint64(first); got != 0xe220a8397b1dcdaf {
		t.Errorf("%x", got)
	}
}

func TestExit(t *testing.T) {
	defer func() {
		var exit *sys.ExitError
		if err, _ := recover().(error); !errors.As(err, &exit) || exit.ExitCode() != 3 {
			t.Errorf("proc_exit: %v", err)
		}
	}()
	invoke(t, &System{}, newMemory(t), "proc_exit", 3)
}

// What is moved is charged by its length, by whatever function.
func TestCharge(t *testing.T) {
	memory := newMemory(t)
	memory.WriteUint32Le(0, 100) // two vectors
	memory.WriteUint32Le(4, 640)
	memory.WriteUint32Le(8, 1000)
	memory.WriteUint32Le(12, 64)
	for _, test := range []struct {
		name      string
		arguments []uint64
		want      int64
	}{
		{"random_get", []uint64{100, 6400}, 100},
		{"random_get", []uint64{100, 63}, 0},
		{"random_get", []uint64{100, size}, 0}, // EFAULT
		{"fd_write", []uint64{1, 0, 2, 16}, 11},
		{"fd_write", []uint64{0, 0, 2, 16}, 0}, // EBADF
	} {
		var charged int64
		system := &System{Charge: func(counts int64) { charged += counts }}
		system.Reset()
		invoke(t, system, memory, test.name, test.arguments...)
		if charged != test.want {
			t.Errorf("%s%v costs %d, want %d", test.name, test.arguments, charged, test.want)
		}
	}
}

// A file that was lent is gone afterwards, and what it hid is back.
func TestLend(t *testing.T) {
	system := &System{}
	system.Reset()
	fs := NewFiles(system)
	if err := fs.Put("/a/b", []byte("first")); err != nil {
		t.Fatal(err)
	}
	files := func() (all string) {
		fs.All(func(name string, data []byte) { all += name + "=" + string(data) + ";" })
		return all
	}
	before, nodes, size := files(), fs.nodes, fs.size
	for range 3 {
		second, err1 := fs.Lend("/a/b", []byte("second"))
		third, err2 := fs.Lend("/a/c", []byte("third"))
		if err1 != nil || err2 != nil || files() != "/a/b=second;/a/c=third;" {
			t.Fatalf("%v, %v, %s", err1, err2, files())
		}
		third()
		second()
		if files() != before || fs.nodes != nodes || fs.size != size {
			t.Fatalf("%s, %d nodes, %d bytes", files(), fs.nodes, fs.size)
		}
	}
	for _, name := range []string{"/a", "/a/b/c"} {
		if _, err := fs.Lend(name, nil); err == nil {
			t.Errorf("%s was lent", name)
		}
	}
}
