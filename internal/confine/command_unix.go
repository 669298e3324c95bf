//go:build unix && !linux

package confine

import "syscall"

// attributes keeps a terminal's interrupts from a child: those are for its
// starter, which then ends it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
