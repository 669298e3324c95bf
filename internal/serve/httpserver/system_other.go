//go:build !unix

package httpserver

// ownerOnly does nothing, as a new file has the rights of its folder.
func ownerOnly() (restore func()) { return func() {} }

// openFiles returns 0, as only memory bounds open files.
func openFiles() int { return 0 }
