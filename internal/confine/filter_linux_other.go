//go:build linux && !amd64 && !arm64

package confine

// filter does nothing: the numbers of the calls are not known here.
func filter() bool { return false }
