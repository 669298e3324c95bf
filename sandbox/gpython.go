//go:build gpython || nopython || !(amd64 || arm64) || !(linux || darwin || freebsd || netbsd || windows)

package sandbox

import "codelinter/sandbox/internal/gpython"

// gpython is linked where CPython does not run, or when it is asked for by its tag.
// Elsewhere nothing would use it, and as it makes its types when a process starts, each
// would take 0.4 ms longer: a tenth of what one takes that lints a small file.
func init() {
	linkedGPython.version = gpython.Version
	linkedGPython.start = func(output int) interpreter { return gpython.Start(output) }
}
