package confine

import "syscall"

// attributes makes a child die with its parent, and shields it from a
// terminal's interrupts: these go to the parent, which then ends the child.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
