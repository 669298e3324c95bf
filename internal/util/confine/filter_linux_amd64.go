package confine

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// architectureCalls are further calls of this architecture.
var architectureCalls = []uint32{unix.SYS_ARCH_PRCTL, unix.SYS_EPOLL_WAIT}
