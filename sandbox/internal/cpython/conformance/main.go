//go:build linux

// Command conformance runs programs in the image; see conformance.py.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"

	"codelinter/sandbox/internal/cpython"
	"codelinter/sandbox/internal/wasi"
)

var (
	budget = flag.Int64("budget", 3e7, "counts a program may use")
	repeat = flag.Int("repeat", 1, "run each program so often")
)

const wantsTraceback = 2

type row struct {
	ID        string `json:"id"`
	Source    string `json:"source,omitempty"`
	End       string `json:"end"`
	Exception string `json:"exception"`
	Traceback string `json:"traceback"`
	Output    string `json:"output"`
	Used      int64  `json:"used"`
}

func main() {
	log.SetFlags(0)
	flag.Parse()
	runtime.LockOSThread()
	file, err := os.Open(flag.Arg(0))
	check(err)
	m := newMachine()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	var used []int64
	var times []time.Duration
	for lines.Scan() {
		var r row
		check(json.Unmarshal(lines.Bytes(), &r))
		for range *repeat {
			r.End, r.Exception, r.Traceback, r.Output = "", "", "", ""
			start := cpu()
			m.run(&r)
			times = append(times, cpu()-start)
		}
		used = append(used, r.Used)
		r.Source = ""
		check(encoder.Encode(r))
	}
	check(lines.Err())
	check(out.Flush())
	slices.Sort(used)
	slices.Sort(times)
	total := time.Duration(0)
	for _, t := range times {
		total += t
	}
	fmt.Fprintf(os.Stderr, "%d programs; counts: p50 %d, p99 %d; ms cpu: mean %.2f, p50 %.2f, p99 %.2f\n", len(used), used[len(used)/2], used[len(used)*99/100],
		float64(total.Microseconds())/1000/float64(len(times)), ms(times[len(times)/2]), ms(times[len(times)*99/100]))
}

// cpu returns the processor's time that this thread has had.
func cpu() time.Duration {
	var now unix.Timespec
	check(unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now))
	return time.Duration(now.Nano())
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// A machine runs programs one after the other, over a private mapping of the image.
type machine struct {
	ctx    context.Context
	engine wazero.Runtime
	code   wazero.CompiledModule
	file   int
	guest  api.Module
	memory mapping
	system *wasi.System
	output strings.Builder
}

type mapping []byte

func (m mapping) Reallocate(size uint64) []byte { return m[:size:size] }
func (m mapping) Free()                         { check(unix.Munmap(m)) }

func newMachine() *machine {
	m := &machine{}
	m.system = &wasi.System{Write: func(descriptor uint32, data []byte) {
		if descriptor == 1 && m.output.Len() < 1<<20 {
			m.output.Write(data)
		}
	}}
	m.ctx = wasi.WithSystem(context.Background(), m.system)
	folder, err := os.UserCacheDir()
	check(err)
	cache, err := wazero.NewCompilationCacheWithDir(folder + "/codelinter-conformance")
	check(err)
	m.engine = wazero.NewRuntimeWithConfig(m.ctx, wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache))
	err = wasi.Instantiate(m.ctx, m.engine)
	check(err)
	code, err := cpython.Module()
	check(err)
	m.code, err = m.engine.CompileModule(m.ctx, code)
	check(err)
	image, err := cpython.Image()
	check(err)
	m.file, err = unix.MemfdCreate("image", unix.MFD_CLOEXEC)
	check(err)
	_, err = unix.Pwrite(m.file, image, 0)
	check(err)
	return m
}

// fresh makes a guest, or what there is of one new.
func (m *machine) fresh() {
	m.system.Reset()
	m.output.Reset()
	if m.guest != nil {
		check(unix.Madvise(m.memory, unix.MADV_DONTNEED))
		return
	}
	allocate := experimental.MemoryAllocatorFunc(func(size, _ uint64) experimental.LinearMemory {
		check(unix.Ftruncate(m.file, int64(size)))
		memory, err := unix.Mmap(m.file, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_NORESERVE)
		check(err)
		m.memory = memory
		return m.memory
	})
	var err error
	m.guest, err = m.engine.InstantiateModule(experimental.WithMemoryAllocator(m.ctx, allocate), m.code, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	check(err)
}

func (m *machine) run(r *row) {
	m.fresh()
	counter := m.guest.ExportedGlobal("budget").(api.MutableGlobal)
	counter.Set(uint64(*budget))
	end, err := m.exec(r)
	if err != nil {
		r.End = err.Error()
		if int64(counter.Get()) < 0 {
			r.End = "budget"
		}
		m.guest.Close(m.ctx)
		m.guest = nil
	} else {
		r.End = end
	}
	r.Used = *budget - int64(counter.Get())
	r.Output = strings.ReplaceAll(strings.ToValidUTF8(m.output.String(), "\ufffd"), "\r\n", "\n")
}

func (m *machine) exec(r *row) (string, error) {
	address, err := m.guest.ExportedFunction("allocate").Call(m.ctx, uint64(len(r.Source)))
	if err != nil {
		return "", err
	}
	m.guest.Memory().WriteString(uint32(address[0]), r.Source)
	place, err := m.guest.ExportedFunction("exec").Call(m.ctx, wantsTraceback, address[0], uint64(len(r.Source)))
	if err != nil {
		return "", err
	}
	reply, _ := m.guest.Memory().Read(uint32(place[0]>>32), uint32(place[0]))
	reply = slices.Clone(reply)
	if _, err := m.guest.ExportedFunction("finish").Call(m.ctx); err != nil {
		return "", err
	}
	if reply[0] == 0 {
		return "done", nil
	}
	in := reply[2:] // the class is new
	text := func() string {
		n, w := binary.Uvarint(in)
		s := string(in[w : w+int(n)])
		in = in[w+int(n):]
		return s
	}
	text()
	text()
	_, w := binary.Uvarint(in)
	in = in[w:]
	traceback := text()
	if reply[0] == 2 {
		code, _ := binary.Uvarint(in)
		if code == 0 {
			return "done", nil
		}
		return fmt.Sprintf("exit %d", code), nil
	}
	r.Traceback = traceback
	lines := strings.Split(strings.TrimRight(traceback, "\n"), "\n")
	r.Exception = lines[len(lines)-1]
	return "raised", nil
}
