package exposition

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"codelinter/internal/util/cputime"
)

// began is the time at which the process started, but for the few milliseconds before.
var began = time.Now()

// ReadProcess sets the metrics of Go and of the process to what they are now. They have the names
// that Prometheus's own client gives them, which dashboards know. Those that the system does not
// tell are left out.
func (s *Set) ReadProcess() {
	s.Read("go_goroutines", float64(runtime.NumGoroutine()))
	s.Read(fmt.Sprintf("go_info{version=%q}", runtime.Version()), 1)
	s.Read("process_start_time_seconds", float64(began.UnixMilli())/1000)
	if used, exact := cputime.Of(cputime.Self); exact {
		s.Read("process_cpu_seconds_total", used.Seconds())
	}
	s.readMemory()
	stats := &debug.GCStats{PauseQuantiles: make([]time.Duration, len(quantiles))}
	debug.ReadGCStats(stats)
	find(s, "go_gc_duration_seconds", func() *pauses { return new(pauses) }).stats.Store(stats)
	s.readProc()
}

// readMemory reads the numbers of Go's heap.
func (s *Set) readMemory() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	for name, value := range map[string]uint64{
		"alloc_bytes":         m.Alloc,
		"alloc_bytes_total":   m.TotalAlloc,
		"frees_total":         m.Frees,
		"gc_sys_bytes":        m.GCSys,
		"heap_alloc_bytes":    m.HeapAlloc,
		"heap_idle_bytes":     m.HeapIdle,
		"heap_inuse_bytes":    m.HeapInuse,
		"heap_objects":        m.HeapObjects,
		"heap_released_bytes": m.HeapReleased,
		"heap_sys_bytes":      m.HeapSys,
		"mallocs_total":       m.Mallocs,
		"next_gc_bytes":       m.NextGC,
		"other_sys_bytes":     m.OtherSys,
		"stack_inuse_bytes":   m.StackInuse,
		"stack_sys_bytes":     m.StackSys,
		"sys_bytes":           m.Sys,
	} {
		s.Read("go_memstats_"+name, float64(value))
	}
	s.Read("go_memstats_last_gc_time_seconds", float64(m.LastGC)/1e9)
}

// readProc reads what Linux says of the process.
func (s *Set) readProc() {
	var size, resident float64 // in pages
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if _, err := fmt.Sscan(string(text), &size, &resident); err == nil {
			page := float64(os.Getpagesize())
			s.Read("process_virtual_memory_bytes", size*page)
			s.Read("process_resident_memory_bytes", resident*page)
		}
	}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		s.Read("process_open_fds", float64(len(files)-1)) // one is for reading the folder
	}
	text, _ := os.ReadFile("/proc/self/limits")
	_, after, _ := strings.Cut(string(text), "Max open files")
	var limit float64
	if _, err := fmt.Sscan(after, &limit); err == nil {
		s.Read("process_max_fds", limit)
	}
}

// quantiles are those of the pauses of Go's garbage collector that are written.
var quantiles = [...]string{"0", "0.25", "0.5", "0.75", "1"}

// pauses are the pauses of Go's garbage collector, as a summary.
type pauses struct{ stats atomic.Pointer[debug.GCStats] }

func (*pauses) kind() string { return "summary" }

func (p *pauses) append(dst []byte, name, _ string) []byte {
	stats := p.stats.Load()
	if stats == nil {
		return dst
	}
	for i, quantile := range quantiles {
		dst = appendLine(dst, name, `quantile="`+quantile+`"`, stats.PauseQuantiles[i].Seconds())
	}
	dst = appendLine(dst, name+"_sum", "", stats.PauseTotal.Seconds())
	return appendLine(dst, name+"_count", "", float64(stats.NumGC))
}
