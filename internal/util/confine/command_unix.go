//go:build unix && !linux

package confine

import "syscall"

// attributes shields a child from a terminal's interrupts: these go to the
// parent, which then ends the child.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
