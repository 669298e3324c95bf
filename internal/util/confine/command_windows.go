package confine

import "syscall"

// attributes shields a child from a console's interrupts: these go to the
// parent, which then ends the child.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
