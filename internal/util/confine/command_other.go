//go:build !unix && !windows

package confine

import "syscall"

// attributes returns nil on systems without processes.
func attributes() *syscall.SysProcAttr { return nil }
