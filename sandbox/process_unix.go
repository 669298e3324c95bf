//go:build unix && !linux

package sandbox

import "syscall"

// attributes keeps a terminal's interrupts from a child: those are for the
// pool's process, which then ends it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
