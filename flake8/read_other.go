//go:build !unix

package flake8

// readRegular reads a file that was regular when it was found, in memory if that is large
// enough.
func readRegular(name string, memory []byte) ([]byte, error) { return readAny(name, memory) }
