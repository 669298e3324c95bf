package server

import (
	"math"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"
)

// started is the start time of the process, to some milliseconds.
var started = time.Now()

// appendRuntime appends numbers of Go's runtime and of the process, under the names that
// Prometheus's own client uses and dashboards know.
func appendRuntime(dst []byte) []byte {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	threads, _ := runtime.ThreadCreateProfile(nil)
	collections := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&collections)

	const pauses = "go_gc_duration_seconds"
	dst = appendHead(dst, pauses, "Pauses of the last collections.", "summary")
	for i, pause := range collections.PauseQuantiles {
		quantile := strconv.FormatFloat(float64(i)/float64(len(collections.PauseQuantiles)-1), 'g', -1, 64)
		dst = appendValue(dst, pauses, string(appendLabel(nil, "quantile", quantile)), pause.Seconds())
	}
	dst = appendValue(dst, pauses+"_sum", "", collections.PauseTotal.Seconds())
	dst = appendValue(dst, pauses+"_count", "", float64(collections.NumGC))
	dst = appendHead(dst, "go_info", "1; the version of Go is its label.", gauge)
	dst = appendValue(dst, "go_info", string(appendLabel(nil, "version", runtime.Version())), 1)

	// From milliseconds, so that a time of 1.8e9 seconds keeps its last digits.
	begun := math.Round(float64(started.UnixMilli())) / 1000
	collected := float64(memory.LastGC) / 1e9
	numbers := []number{
		{"go_goroutines", "Goroutines that there are.", gauge, float64(runtime.NumGoroutine())},
		{"go_threads", "Threads of the system that were made.", gauge, float64(threads)},
		{"go_sched_gomaxprocs_threads", "GOMAXPROCS.", gauge, float64(runtime.GOMAXPROCS(0))},
		{"go_memstats_alloc_bytes", "Bytes in use in the heap.", gauge, float64(memory.Alloc)},
		{"go_memstats_alloc_bytes_total", "Bytes that were allocated.", counter, float64(memory.TotalAlloc)},
		{"go_memstats_mallocs_total", "Objects that were allocated.", counter, float64(memory.Mallocs)},
		{"go_memstats_frees_total", "Objects that were freed.", counter, float64(memory.Frees)},
		{"go_memstats_sys_bytes", "Bytes that the runtime has of the system.", gauge, float64(memory.Sys)},
		{"go_memstats_heap_alloc_bytes", "Bytes in use in the heap.", gauge, float64(memory.HeapAlloc)},
		{"go_memstats_heap_sys_bytes", "Bytes of the system for the heap.", gauge, float64(memory.HeapSys)},
		{"go_memstats_heap_idle_bytes", "Bytes of the heap's spans without an object.", gauge, float64(memory.HeapIdle)},
		{"go_memstats_heap_inuse_bytes", "Bytes of the heap's spans with an object.", gauge, float64(memory.HeapInuse)},
		{"go_memstats_heap_released_bytes", "Bytes that were given back to the system.", gauge, float64(memory.HeapReleased)},
		{"go_memstats_heap_objects", "Objects in the heap.", gauge, float64(memory.HeapObjects)},
		{"go_memstats_stack_inuse_bytes", "Bytes of goroutines' stacks.", gauge, float64(memory.StackInuse)},
		{"go_memstats_stack_sys_bytes", "Bytes of the system for stacks.", gauge, float64(memory.StackSys)},
		{"go_memstats_next_gc_bytes", "Bytes of the heap at which it is collected next.", gauge, float64(memory.NextGC)},
		{"go_memstats_last_gc_time_seconds", "When the heap was collected last, in seconds since 1970.", gauge, collected},
		{"process_start_time_seconds", "When the process was started, in seconds since 1970.", gauge, begun},
	}
	for _, n := range append(numbers, processNumbers()...) {
		dst = appendNumber(dst, n)
	}
	return dst
}
