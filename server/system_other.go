//go:build !unix

package server

// ownerOnly does nothing: a new file has the rights of its folder.
func ownerOnly() (restore func()) { return func() {} }

// openFiles returns 0: nothing bounds them but memory.
func openFiles() int { return 0 }

// processNumbers returns nothing: what the system counts of the process is not asked.
func processNumbers() []number { return nil }
