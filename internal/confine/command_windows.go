package confine

import "syscall"

// attributes keeps a console's interrupts from a child: those are for its
// starter, which then ends it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
