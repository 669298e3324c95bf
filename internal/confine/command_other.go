//go:build !unix && !windows

package confine

import "syscall"

// attributes has nothing to say where there are no processes.
func attributes() *syscall.SysProcAttr { return nil }
