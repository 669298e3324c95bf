package confine

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func process(l Limits) Measures {
	var m Measures
	// The runtime opens its poller for the first timer. Later it could not.
	time.Sleep(time.Microsecond)

	m.Rlimits = true
	limit := func(resource int, value uint64) {
		if unix.Setrlimit(resource, &unix.Rlimit{Cur: value, Max: value}) != nil {
			m.Rlimits = false
		}
	}
	limit(unix.RLIMIT_CORE, 0)
	if l.CPU > 0 {
		limit(unix.RLIMIT_CPU, uint64(math.Ceil(l.CPU.Seconds())))
	}
	if now := addressSpace(); now > 0 && l.Memory > 0 {
		limit(unix.RLIMIT_AS, uint64(now+l.Memory))
	}
	limit(unix.RLIMIT_NOFILE, 0)

	// Other processes of the same user may trace a dumpable process.
	unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	m.Parent = unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0) == nil
	m.NoNew = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == nil
	m.Capabilities = dropCapabilities()
	if m.NoNew {
		m.Seccomp = filter()
	}
	return m
}

// dropCapabilities takes all capabilities from all threads. Root has some 40, such as to
// write to any file or to load a module of the kernel. The filter allows no call that asks
// for one of them; if the filter failed, they would still be gone. Go cannot do it where
// the C library is linked (cgo), as that may start threads of its own.
func dropCapabilities() bool {
	for capability := uintptr(0); capability <= unix.CAP_LAST_CAP; capability++ {
		// Of the bounding set. It fails without CAP_SETPCAP, and then there is nothing to take.
		if _, _, errno := syscall.AllThreadsSyscall(unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, capability, 0); errno != 0 {
			break
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none)), 0)
	return errno == 0
}

// addressSpace returns the size of the process in bytes, or 0 if it is unknown.
func addressSpace() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text) + " x")[0], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// closeInherited closes open files other than the runtime's poller. Files that
// Go opens are not inherited, but a shell's 3<file is.
func closeInherited() {
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, file := range files {
		fd, err := strconv.Atoi(file.Name())
		if err != nil || fd < 3 {
			continue
		}
		target, err := os.Readlink("/proc/self/fd/" + file.Name())
		if err == nil && !strings.HasPrefix(target, "anon_inode:[event") {
			unix.Close(fd)
		}
	}
}

// PagemapScan is the ioctl PAGEMAP_SCAN of linux/fs.h. Its struct has 96 bytes.
const PagemapScan = 3<<30 | 96<<16 | 'f'<<8 | 16
