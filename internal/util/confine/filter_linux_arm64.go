package confine

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// architectureCalls are further calls of this architecture.
var architectureCalls = []uint32{}
