package sandbox

import "syscall"

// attributes keeps a console's interrupts from a child: those are for the
// pool's process, which then ends it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
