//go:build unix

package server

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// ownerOnly makes new files accessible to their owner alone, until restore.
func ownerOnly() (restore func()) {
	before := syscall.Umask(0o177)
	return func() { syscall.Umask(before) }
}

// openFiles returns the number of files that the process may open, or 0 if it is
// unknown.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), 1<<30))
}

// processNumbers returns the system's numbers of the process. Without Linux's /proc,
// memory and open files are left out.
func processNumbers() (numbers []number) {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) == nil {
		cpu := time.Duration(used.Utime.Nano() + used.Stime.Nano())
		numbers = append(numbers, number{"process_cpu_seconds_total", "Processor time, of user and system.", counter, cpu.Seconds()})
	}
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		var virtual, resident int64 // pages
		if n, _ := fmt.Sscan(string(text), &virtual, &resident); n == 2 {
			page := float64(os.Getpagesize())
			numbers = append(numbers,
				number{"process_virtual_memory_bytes", "Bytes of address space.", gauge, float64(virtual) * page},
				number{"process_resident_memory_bytes", "Bytes of memory.", gauge, float64(resident) * page})
		}
		if open, err := os.ReadDir("/proc/self/fd"); err == nil {
			numbers = append(numbers, number{"process_open_fds", "Files that are open.", gauge, float64(len(open) - 1)}) // without this folder
		}
	}
	if most := openFiles(); most > 0 {
		numbers = append(numbers, number{"process_max_fds", "Files that may be open.", gauge, float64(most)})
	}
	return numbers
}
