//go:build !unix && !windows

package sandbox

import "syscall"

// attributes has nothing to say where there are no processes.
func attributes() *syscall.SysProcAttr { return nil }
