package confine

import "syscall"

// attributes has a child die with its starter, and keeps a terminal's
// interrupts from it: those are for the starter, which then ends it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
