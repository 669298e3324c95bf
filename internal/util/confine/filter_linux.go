//go:build linux && (amd64 || arm64)

package confine

import (
	"os"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// filter makes the kernel refuse all system calls but those that Go's runtime
// makes for computing, and those for open pipes. It reports whether the filter
// is in place, for all threads.
//
// The allowed calls reach nothing outside of the process: their arguments name
// no path, address or other process. mmap and mprotect cannot make code, clone
// makes only threads, tgkill signals only these, and ioctl only asks which pages
// of the process were written.
func filter() bool {
	const (
		load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		set    = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		result = unix.BPF_RET | unix.BPF_K

		number, architecture, argument = 0, 4, 16 // offsets in struct seccomp_data; arguments have 8 bytes

		allow  uint32 = unix.SECCOMP_RET_ALLOW
		refuse uint32 = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		absent uint32 = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
		kill   uint32 = unix.SECCOMP_RET_KILL_PROCESS
	)
	program := []unix.SockFilter{
		{Code: load, K: architecture},
		{Code: equal, K: auditArch, Jt: 1},
		{Code: result, K: kill},
		{Code: load, K: number},
	}
	for _, call := range slices.Concat(calls, architectureCalls) {
		program = append(program,
			unix.SockFilter{Code: equal, K: uint32(call), Jf: 1},
			unix.SockFilter{Code: result, K: allow})
	}
	// if number == call { if argument passes { allow } else { refuse } }
	for _, checked := range []struct {
		call, argument, value uint32
		test                  uint16 // of the argument's lower half and value
		passes, fails         uint32
	}{
		{unix.SYS_MMAP, 2, unix.PROT_EXEC, set, refuse, allow},
		{unix.SYS_MPROTECT, 2, unix.PROT_EXEC, set, refuse, allow},
		{unix.SYS_CLONE, 0, unix.CLONE_THREAD, set, allow, refuse},
		{unix.SYS_IOCTL, 1, uint32(PagemapScan), equal, allow, refuse},
		{unix.SYS_TGKILL, 0, uint32(os.Getpid()), equal, allow, refuse},
	} {
		program = append(program,
			unix.SockFilter{Code: equal, K: checked.call, Jf: 4},
			unix.SockFilter{Code: load, K: argument + 8*checked.argument},
			unix.SockFilter{Code: checked.test, K: checked.value, Jf: 1},
			unix.SockFilter{Code: result, K: checked.passes},
			unix.SockFilter{Code: result, K: checked.fails})
	}
	program = append(program,
		// A filter cannot read the flags of clone3. A C library then falls back
		// to clone.
		unix.SockFilter{Code: equal, K: unix.SYS_CLONE3, Jf: 1},
		unix.SockFilter{Code: result, K: absent},
		unix.SockFilter{Code: result, K: refuse})

	_, _, errno := syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})))
	return errno == 0
}

// calls are the system calls allowed on every architecture with any arguments.
// Other calls, perhaps of a future Go runtime, fail with EPERM, and the process
// goes on if it can.
var calls = []uint32{
	unix.SYS_READ, unix.SYS_PREAD64, unix.SYS_WRITE, unix.SYS_CLOSE, // there is nothing to open
	unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_RESTART_SYSCALL,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRUSAGE, unix.SYS_GETRANDOM,
	unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_CTL,
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, // of the C library's threads
}
