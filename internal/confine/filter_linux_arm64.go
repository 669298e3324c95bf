package confine

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// architectureCalls are those of calls that not every architecture has.
var architectureCalls = []uint32{}
